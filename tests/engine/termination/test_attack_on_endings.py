"""Attacks the answers about endings: random loops whose runs are followed far beyond what a wrong proof would allow."""

from __future__ import annotations

import random
from collections.abc import Mapping

from idg.agents.termination import decide_ending
from idg.engine.engine import Engine
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.running.chooser import ChoiceRequest
from idg.sip.running.evaluator import evaluate
from idg.sip.running.trace import Run
from idg.sip.syntax import Type
from idg.sip.text.expressions import parse_expression
from idg.sip.trees.build import whole_literal
from idg.sip.values import Value
from tests.support.volume import volume

FAR = RunLimits(steps_max=40_000, rows_max=40_000)
INPUTS = 25
"""Inputs from which each program is run."""
LOOPS = volume(12, 3_000)
"""Random programs."""


def _number(pick: random.Random) -> int:
    return pick.choice((0, 1, 1, 2, 3, 5, 10, -1, -2))


def _term(pick: random.Random) -> str:
    name = pick.choice("xyz")
    return pick.choice(
        (name, f"{name} + {abs(_number(pick))}", f"{name} - {abs(_number(pick))}", f"{pick.choice('xyz')} - {name}", f"2 * {name}")
        if pick.random() < 0.8
        else (f"0 - {name}", f"{name} // 2", f"{name} % 3", str(abs(_number(pick))))
    )


def _test(pick: random.Random) -> str:
    left, right = _term(pick), pick.choice((_term(pick), str(abs(_number(pick)))))
    return f"{left} {pick.choice(('<', '<=', '>', '>=', '!=', '='))} {right}"


def _body(pick: random.Random, depth: int) -> str:
    parts = []
    for _ in range(pick.randint(1, 3)):
        kind = pick.random()
        if kind < 0.6 or depth == 0:
            parts.append(f"{pick.choice('xyz')} := {_term(pick)};")
        elif kind < 0.85:
            parts.append(f"if ({_test(pick)}) {{ {_body(pick, depth - 1)} }} else {{ {_body(pick, depth - 1)} }}")
        elif kind < 0.92:
            parts.append(f"assert({_test(pick)});")
        else:
            parts.append(f"while ({_test(pick)}) {{ {_body(pick, depth - 1)} }}")
    return " ".join(parts)


def random_loop(pick: random.Random) -> Program:
    pre = f"pre({_test(pick)}); " if pick.random() < 0.3 else ""
    test = _test(pick) if pick.random() < 0.6 else f"{_test(pick)} & {_test(pick)}"
    return load(f"fn main(x, y, z: int) {{ {pre}while ({test}) {{ {_body(pick, 2)} }} }}")


def test_no_run_contradicts_what_is_said_about_the_end() -> None:
    said: dict[str, int] = {"ends": 0, "never ends": 0, "open": 0}
    bounded = 0
    for seed in range(LOOPS):
        pick = random.Random(seed)
        program = random_loop(pick)
        engine = Engine(program)
        result = decide_ending(engine, engine.start())
        ending = result.ending
        said[ending.status] += 1
        if ending.status == "ends":
            for _ in range(INPUTS):
                inputs = {name: pick.choice((_number(pick), pick.randint(-60, 60))) for name in program.params}
                run = program.run(inputs, limits=FAR, record=False)
                # A run may be long although it ends. It must not come back to a state.
                assert run.outcome.kind != "bound" or not _repeats(program, inputs), (seed, str(program), inputs)
        elif ending.never is not None:
            run = program.run(ending.never.inputs, limits=FAR, record=False)
            assert run.outcome.kind == "bound", (seed, str(program), ending)
        for number, own in enumerate(result.books.loops, 1):
            bounded += _bounded(program, number, own.measure, pick)
    assert said["ends"] > LOOPS // 10
    assert said["never ends"] > LOOPS // 10
    assert bounded > LOOPS


# choices, nested loops and recursion

CHOOSING = volume(2, 400)
"""Random programs with choices and calls."""
SEEDS = 6
"""Seeds of choices with which each input is run."""


def _step(pick: random.Random, depth: int) -> str:
    """Statements of a program that chooses, assumes, calls and has loops inside of loops."""
    kind = pick.random()
    if kind < 0.25:
        name = pick.choice("xyz")
        return f"cassign([{name}], {pick.choice((f'{name} >= 0', f'{name} < {_term(pick)}', f'{name} != 0', 'true'))});"
    if kind < 0.33:
        return f"assume({_test(pick)});"
    if kind < 0.5:
        return f"{pick.choice('xyz')} := f({_term(pick)}, {_term(pick)});"
    if kind < 0.7 and depth:
        return f"while ({_test(pick)}) {{ {_step(pick, depth - 1)} {_body(pick, 0)} }}"
    return _body(pick, 1)


def choosing_program(pick: random.Random) -> Program:
    inner = f"f({_term(pick)}, {_term(pick)})".translate(str.maketrans("xyz", "aba"))
    test = _test(pick).translate(str.maketrans("xyz", "aba"))
    helper = f"fn f(a, b: int): int {{ var r: int := a; if ({test}) {{ r := {inner}; }} return r; }}"
    body = f"while ({_test(pick)}) {{ {_step(pick, 1)} {_step(pick, 1)} }}"
    return load(f"{helper} fn main(x, y, z: int) {{ {body} }}")


def test_choices_nested_loops_and_recursion_contradict_nothing_either() -> None:
    decided = 0
    for seed in range(2, 2 + CHOOSING):
        pick = random.Random(seed)
        program = choosing_program(pick)
        engine = Engine(program)
        ending = decide_ending(engine, engine.start()).ending
        decided += ending.status != "open"
        never = ending.never
        if never is not None and all(whole_literal(parse_expression(text)) is not None for text in never.chosen.values()):
            values = {name: whole_literal(parse_expression(text)) for name, text in never.chosen.items()}
            assert _goes_on(program, never.inputs, values), (seed, str(program), ending)
        for index in range(SEEDS if ending.status == "ends" else 0):
            inputs = {name: pick.choice((_number(pick), pick.randint(-60, 60))) for name in program.params}
            run = program.run(inputs, limits=RunLimits(steps_max=3_000, rows_max=3_000), seed=index)
            assert not _run_repeats(run), (seed, str(program), inputs)
            calls = [(name, tuple(given.values())) for name, given in run.open_calls]
            assert len(set(calls)) == len(calls), (seed, str(program), inputs)
    assert decided > CHOOSING // 5


def _goes_on(program: Program, inputs: Mapping[str, Value], values: Mapping[str, int | None]) -> bool:
    """Whether the run with these choices is longer than we run programs: no choice is refused, and nothing assumed is false."""

    def chooser(request: ChoiceRequest) -> tuple[int, ...] | None:
        chosen = tuple(values[name] or 0 for name in request.names)
        return chosen if request.holds(chosen) else None

    run = program.run(inputs, limits=RunLimits(steps_max=3_000, rows_max=3_000), chooser=chooser)
    return run.outcome.kind == "bound" and run.outcome.cause != "choice-tries"


def _repeats(program: Program, inputs: dict[str, int]) -> bool:
    """Whether a run comes back to a state in one execution of a loop."""
    return _run_repeats(program.run(inputs, limits=RunLimits(steps_max=5_000, rows_max=5_000)))


def _run_repeats(run: Run) -> bool:
    for trace in run.level_traces:
        outer = trace.outer_rows or [0] * len(trace.rows)
        states = list(zip(outer, trace.rows, strict=True))
        if len(set(states)) < len(states):
            return True
    return False


def _bounded(program: Program, loop: int, measure: str, pick: random.Random) -> int:
    """Checks that runs make at most as many turns as the measure allows; how many executions of the loop were looked at.

    A measure of one whole number that falls allows at most as many turns as its first value, and one more.
    """
    components = program.measure(measure, loop) if measure else ()
    if len(components) != 1 or program.expression(measure, loop)[1] not in (Type.INT, Type.NAT):
        return 0
    executions = 0
    for _ in range(INPUTS):
        run = program.run({name: pick.randint(-20, 20) for name in program.params}, limits=FAR)
        trace = run.of(loop)
        values = trace.evaluate(measure).values
        rows: dict[int, list[int]] = {}
        for index, execution in enumerate(trace.outer_rows or [0] * len(trace.rows)):
            rows.setdefault(execution, []).append(index)
        for indices in rows.values():
            executions += 1
            first = values[indices[0]]
            assert isinstance(first, int)
            assert len(indices) - 1 <= max(0, first + 1), (str(program), measure)
    return executions


RECURSIVE = volume(15, 3_000)
"""Random recursive functions."""
DEEP = RunLimits(steps_max=3_000)


def recursive_program(pick: random.Random) -> Program:
    """A level that calls a function, or two that call each other, whose calls have other arguments each time."""
    two = pick.random() < 0.3
    names = ("f", "g") if two else ("f", "f")

    def function(name: str, other: str) -> str:
        over_params = str.maketrans("xyz", "aba")
        test, inner = _test(pick), f"{other}({_step_of(pick)}, {_term(pick)})"
        stop = f"assert({_test(pick)});" if pick.random() < 0.15 else ""
        again = f"r := {name}(r, b - 1);" if pick.random() < 0.1 and not two else ""
        result = pick.choice(("0", "a", "b", "-1"))
        body = f"var r: int := {result}; {stop} if ({test}) {{ r := {inner}; {again} }} return r;"
        return f"fn {name}(a, b: int): int {{ {body.translate(over_params)} }}"

    functions = [function(names[0], names[1])] + ([function("g", "f")] if two else [])
    pre = f"pre({_test(pick).translate(str.maketrans('z', 'x'))}); " if pick.random() < 0.4 else ""
    kind = pick.choice(("int", "nat"))
    called = pick.choice(("f(x, y)", "f(x, 0)", "f(0, x)", "f(x + 1, y)"))
    return load(f"{' '.join(functions)} fn main(x, y: {kind}): int {{ {pre}return {called}; }}")


def _step_of(pick: random.Random) -> str:
    return pick.choice(("x - 1", "x - 2", "x + 1", "y - 1", "x - y", "x // 2", "x % 3", "y", "0 - x"))


def test_recursion_with_other_arguments_each_time() -> None:
    said: dict[str, int] = {"ends": 0, "never ends": 0, "open": 0}
    by_contract = by_set = 0
    for seed in range(RECURSIVE):
        pick = random.Random(f"recursion {seed}")
        program = recursive_program(pick)
        ending = Engine(program).ending(Engine(program).start())
        said[ending.status] += 1
        never = ending.never
        if never is not None:
            by_set += not never.is_same_call
            run = program.run(never.inputs)
            assert run.outcome.kind == "bound", (seed, str(program), ending)
            calls = [given for name, given in run.open_calls if name == never.function]
            kept = [parse_expression(text) for text in never.stays]
            variables = dict.fromkeys(never.state, Type.INT)
            for call in calls[calls.index(dict(never.state)) :]:
                assert all(evaluate(fact, call, variables) is True for fact in kept), (seed, str(program), ending)
        elif ending.status == "ends":
            by_contract += bool(ending.contracts)
            for x in range(-3, 5):
                for y in range(-3, 5):
                    if program.params["x"] is not Type.NAT or min(x, y) >= 0:
                        outcome = program.run(x=x, y=y, limits=DEEP, record=False).outcome
                        # From inputs as small as these, calls that end are not hundreds deep.
                        assert outcome.cause != "call-depth", (seed, str(program), x, y)
    assert min(said["ends"], said["never ends"]) > RECURSIVE // 10, said
    assert by_contract > 0, said
    assert by_set > RECURSIVE // 20, said
