"""Every level with its known solution is proved in any order. Without one of its facts it shows a genuine state to rule out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import pytest

from idg.engine.books import Books, ShownState
from idg.engine.engine import Engine
from idg.engine.judging.promote import implied_by
from idg.engine.results import Fact, Kind, ToRuleOut, inductive_facts
from idg.engine.states.near import distance
from idg.levels import Level, SolutionFact, all_levels
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.running.evaluator import evaluate
from idg.sip.syntax import Expr, Name, Old, Return, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.trees.build import rewrite
from idg.sip.values import Scalar, Value, cells, scalar
from tests.support.programs.drawn.run_inputs import seeded_inputs
from tests.support.programs.known_levels import known_level
from tests.support.volume import volume

SHUFFLES = volume(2, 10)
"""Further orders in which the solution of a level is proposed."""
STATES_A_GAP = 3
"""States asked for while the same fact is left out: the first one, and others."""
RUNS = 200
"""Seeded runs of a level whose states must not be shown as states to rule out."""
LIMITS = RunLimits(steps_max=2_000, rows_max=2_000)
"""Limits of these runs, so that an endless one ends soon."""
LEVELS = pytest.mark.parametrize("level", all_levels(), ids=lambda level: level.id)


def engine(level: Level) -> Engine:
    return _engine(level.id)


@cache
def _engine(name: str) -> Engine:
    level = known_level(name)
    return Engine(level.program())


def played(level: Level, facts: list[SolutionFact]) -> tuple[Books, bool]:
    """The books after these proposals, none of which may be refuted or remain open."""
    judge = engine(level)
    books = judge.start()
    solved = judge.feedback(books)[0].solved
    for fact in facts:
        result = judge.propose(books, fact.expr, fact.loop)
        assert result.kind not in (Kind.NON_INVARIANT, Kind.UNKNOWN), f"{fact.expr}: {result.kind}"
        books, solved = result.books, result.feedback.solved
    return books, solved


@LEVELS
def test_the_solution_proves_the_level_in_any_order(level: Level) -> None:
    facts = list(level.solution)
    books, solved = played(level, facts)
    assert solved
    expected = inductive_facts(books)
    orders = {tuple(facts)}
    for seed in range(SHUFFLES):
        random.Random(f"{level.id} {seed}").shuffle(facts)
        if tuple(facts) in orders:
            continue
        orders.add(tuple(facts))
        books, solved = played(level, facts)
        assert solved, facts
        assert not any(loop.potential for loop in books.loops), facts
        assert_equivalent(level, expected, inductive_facts(books))


def assert_equivalent(level: Level, left: tuple[Fact, ...], right: tuple[Fact, ...]) -> None:
    inquiry = engine(level).inquiry
    for known, others in ((left, right), (right, left)):
        for fact in others:
            assert fact in known or implied_by(inquiry, known, fact) is not None, fact


@LEVELS
def test_the_solution_as_one_batch(level: Level) -> None:
    judge = engine(level)
    result = judge.propose_many(judge.start(), [(fact.loop, fact.expr) for fact in level.solution])
    assert result.feedback.solved
    assert_equivalent(level, inductive_facts(result.books), inductive_facts(played(level, list(level.solution))[0]))


# States to rule out


def gaps(level: Level) -> list[tuple[Books, list[ToRuleOut]]]:
    if level.id not in _GAPS:
        _GAPS[level.id] = _gaps(level)
    return _GAPS[level.id]


_GAPS: dict[str, list[tuple[Books, list[ToRuleOut]]]] = {}


def _gaps(level: Level) -> list[tuple[Books, list[ToRuleOut]]]:
    """For each fact of the solution that is needed: the books without it, and the states shown then."""
    judge = engine(level)
    result = []
    for left_out in range(len(level.solution)):
        books, solved = played(level, [fact for index, fact in enumerate(level.solution) if index != left_out])
        if solved:
            continue
        shown = []
        for _ in range(STATES_A_GAP):
            feedback, books = judge.feedback(books)
            if feedback.to_rule_out is not None:
                shown.append(feedback.to_rule_out)
        result.append((books, shown))
    return result


@LEVELS
def test_without_one_fact_the_level_is_not_solved_and_shows_a_state(level: Level) -> None:
    all_gaps = gaps(level)
    assert len(all_gaps) == len(level.solution), "a fact of the solution can be left out"
    for books, shown in all_gaps:
        assert shown or engine(level).feedback(books)[0].potential_suffices
        assert len({(state.loop, *state.state.items()) for state in shown}) == len(shown), "a state was shown twice"


@LEVELS
def test_states_to_rule_out_are_genuine(level: Level) -> None:
    program = level.program()
    reached = reached_states(program)
    for books, shown in gaps(level):
        for counterexample in shown:
            assert tuple(counterexample.state.values()) not in reached[counterexample.loop - 1], (
                f"a run reaches {counterexample.state}"
            )
            accepted = books.loops[counterexample.loop - 1]
            for text in accepted.inductive if counterexample.proved_only else (*accepted.inductive, *accepted.potential):
                assert holds(program, counterexample, parse_expression(text)), f"{text} rules {counterexample.state} out"
            test = program.loops[counterexample.loop - 1].statement.test
            # Where the test itself reads a cell that there is not, it has no value, although the turn has begun.
            if not test.span.start <= counterexample.span.start < test.span.end:
                assert holds(program, counterexample, test) == counterexample.inside
            if not counterexample.inside and counterexample.loop == len(program.loops):
                assert not leaves_well(program, counterexample)


def holds(program: Program, shown: ToRuleOut, expr: Expr) -> bool:
    """Whether the expression holds in the state, by evaluation alone, old(x) included."""
    level = program.info.level
    names = {name: name.replace("old(", "old_").rstrip(")") for name in shown.state}
    values = {names[name]: value for name, value in shown.state.items()}
    types = {names[name]: level.variables[name.removeprefix("old(").removesuffix(")")] for name in shown.state}

    def leaf(node: Name | Old) -> Expr:
        return Name(f"old_{node.name}") if isinstance(node, Old) and f"old_{node.name}" in values else Name(node.name)

    return evaluate(rewrite(expr, leaf), values, types, program.info) is True


def leaves_well(program: Program, shown: ToRuleOut) -> bool:
    """Whether the guarantee holds if the loop ends in this state. Nothing but a return may follow the loop."""
    last = program.level.body.statements[-1]

    def leaf(node: Name | Old) -> Expr:
        return last.value if isinstance(last, Return) and node == Name("result") else node

    return all(holds(program, shown, rewrite(goal, leaf)) for goal in program.guarantee)


def reached_states(program: Program) -> list[set[tuple[Value, ...]]]:
    """For each loop, the states that seeded runs reach, with the entry values of changed parameters."""
    reached: list[set[tuple[Value, ...]]] = [set() for _ in program.loops]
    olds = [name for name in program.params if name in program.info.level.assigned]
    rng = random.Random(program.text)
    for seed, inputs in enumerate(seeded_inputs(rng, program, RUNS)):
        run = program.run(inputs, limits=LIMITS, seed=seed)
        for states, trace in zip(reached, run.traces, strict=True):
            states.update(row + tuple(inputs[name] for name in olds) for row in trace.rows)
    return reached


def test_states_to_rule_out_are_easy_to_read() -> None:
    """Their numbers are small, or hardly larger than those of the table that the player looks at."""
    values: list[Scalar] = []
    beyond: list[int] = []
    for level in all_levels():
        fresh = engine(level).feedback(engine(level).start())[0].to_rule_out
        states = [state for _, shown in gaps(level) for state in shown] + ([fresh] if fresh else [])
        for state in states:
            numbers = [value for value in state.state.values() if not isinstance(value, bool | tuple)]
            values += numbers
            table = [value for row in engine(level).inquiry.runs_at(state.loop).first_rows(state.loop) for value in row]
            beyond.append(largest(numbers) - max(12, largest(table)))
    short = sum(abs(value.numerator) <= 99 and value.denominator <= 99 for value in values)
    near = sum(more <= 3 for more in beyond)
    print(f"{near} of {len(beyond)} states within their tables, {short} of {len(values)} values with at most two digits")
    assert len(beyond) >= 60
    assert short >= 0.9 * len(values)
    assert near >= 0.9 * len(beyond)


def largest(values: Sequence[Value]) -> int:
    return max((max(abs(number.numerator), number.denominator) for value in values for number in cells(value)), default=0)


@LEVELS
def test_states_to_rule_out_differ_little_from_the_table(level: Level) -> None:
    """The first state differs from a row of the table, or of another run, in one column."""
    judge = engine(level)
    shown = judge.feedback(judge.start())[0].to_rule_out
    assert shown is not None
    runs = judge.inquiry.runs_at(shown.loop)
    rows = [*runs.first_rows(shown.loop), *(state.row for state in runs.reached[shown.loop])]
    # Where "two-ropes" ends, both ropes are equally long, so that a wrong state there is wrong in both columns.
    assert distance(tuple(shown.state.values()), rows) == (2 if level.id == "two-ropes" else 1)


@LEVELS
def test_the_first_state_to_rule_out(level: Level) -> None:
    feedback, state = engine(level).feedback(engine(level).start())
    assert not feedback.solved
    shown = feedback.to_rule_out
    assert shown is not None
    assert state.shown == (ShownState(shown.loop, shown.state),)
    kinds = level.program().info.level.variables
    for name, value in shown.state.items():
        kind = kinds[name.removeprefix("old(").removesuffix(")")]
        assert isinstance(value, bool) == (kind is Type.BOOL)
        assert kind is not Type.NAT or scalar(value) >= 0
