"""Attacks the answers about endings: random loops whose runs are followed far beyond what a wrong proof would allow."""

from __future__ import annotations

import random

from idg.agents.termination import decide_ending
from idg.engine.engine import Engine
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.syntax import Type
from tests.support.volume import volume

FAR = RunLimits(steps_max=40_000, rows_max=40_000)
INPUTS = 25
"""Inputs from which each program is run."""
LOOPS = volume(30, 3_000)
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


def _repeats(program: Program, inputs: dict[str, int]) -> bool:
    """Whether a run comes back to a state in one execution of a loop."""
    run = program.run(inputs, limits=RunLimits(steps_max=5_000, rows_max=5_000))
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
