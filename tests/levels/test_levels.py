"""Every level: its manifest row, its program, its guarantee on thousands of seeded runs, its solution on every row."""

from __future__ import annotations

import random

import pytest

from idg.engine.session import Session
from idg.levels import WORDS, Level, all_levels, find_level
from idg.sip.limits import RunLimits
from idg.sip.syntax import BASIC_TYPES, Binary, Call, Cassign, Compare, Expr, Name, Return, Type, Unary
from idg.sip.text.expressions import parse_expression
from idg.sip.text.formatter import format_program
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import statements
from idg.sip.values import read_value
from tests.support.programs.drawn.run_inputs import seeded_inputs
from tests.support.volume import volume

RUNS = volume(200, 4_000)
"""Seeded runs of each level."""
LIMITS = RunLimits(steps_max=5_000, rows_max=5_000)
"""Limits of a seeded run, so that an endless one ends soon."""
PAPER = (
    "multiply",
    "mult-by-1000",
    "square-times-2",
    "square-times-const",
    "cube",
    "mult-by-add",
    "summation",
    "summation2",
    "binary-product",
    "cube2",
    "int-square-root",
    "mult-of-6",
)
LAMPS, SIDE_LAMPS, WORLDS = 60, 4, 10
"""Levels on the way, levels beside it, and worlds, as the curriculum has them."""
LEVELS = pytest.mark.parametrize("level", all_levels(), ids=lambda level: level.id)


def test_the_papers_twelve_are_a_set_of_their_own_with_their_first_traces() -> None:
    assert {level.id for level in all_levels() if level.paper} == set(PAPER)
    multiply, square_root = find_level("multiply"), find_level("int-square-root")
    assert multiply is not None
    assert multiply.inputs == {"n": "6", "m": "7"}
    assert square_root is not None
    assert square_root.inputs == {"n": "46"}


def test_levels_have_unique_names_and_worlds_stay_together() -> None:
    ids = [level.id for level in all_levels()]
    assert len(ids) == len(set(ids)) == LAMPS + SIDE_LAMPS
    assert all_levels()[0].id == "egg-boxes", "the level that the beginning plays"
    worlds = [level.world.id for level in all_levels()]
    changes = [world for index, world in enumerate(worlds) if index == 0 or worlds[index - 1] != world]
    assert len(changes) == len(set(changes)) == WORLDS


def test_the_way_leads_from_what_prepares_to_what_is_prepared() -> None:
    seen: list[str] = []
    for level in all_levels():
        assert set(level.after) <= set(seen), f"{level.id} is prepared by levels that come later"
        assert level.beside is None or (seen[-1] == level.beside == level.after[0]), f"{level.id} stands beside another level"
        seen.append(level.id)
    assert sum(level.beside is not None for level in all_levels()) == SIDE_LAMPS
    for level in all_levels():
        table = find_level(level.world.table)
        assert table is not None
        assert table.world == level.world


def test_some_level_uses_each_feature() -> None:
    programs = [level.program() for level in all_levels()]
    types = {kind for program in programs for kind in program.info.level.variables.values()}
    assert types > set(BASIC_TYPES)
    assert any(kind.element for kind in types), "an array"
    assert any(len(program.loops) == 2 and program.loops[1].outer is None for program in programs), "two loops in sequence"
    assert any(loop.outer for program in programs for loop in program.loops), "a nested loop"
    assert any(len(program.module.functions) > 1 and program.module.functions[0].posts for program in programs), "a helper"
    assert any(isinstance(statement, Cassign) for program in programs for statement in statements(program.level.body)), "cassign"


@LEVELS
def test_the_manifest_row_is_complete_and_fits_the_program(level: Level) -> None:
    program = level.program()
    assert format_program(level.source) == level.source
    assert 1 <= level.difficulty <= len(WORDS)
    assert 1 <= level.minutes <= 20
    assert level.title
    assert 30 <= len(level.text) <= 400
    assert 5 <= len(level.idea) <= 60
    assert level.proved.startswith(("When the loop ends", "When the loops end", "When the second loop ends")), "partial correctness"
    assert level.proved.endswith(".")
    assert len(level.tries) >= 2
    for inputs in (level.inputs, *level.tries):
        assert inputs.keys() == program.params.keys()
        for name, value in inputs.items():
            read_value(value, program.params[name])
        assert program.run(inputs).outcome.kind == "returned", inputs
    assert program.loops
    for fact in level.solution:
        assert program.expression(fact.expr, fact.loop)[1] is Type.BOOL
        assert print_expression(parse_expression(fact.expr)) == fact.expr


@LEVELS
def test_the_guarantee_shown_is_the_programs(level: Level) -> None:
    """The guarantee shown is the final assert, or the post with the returned value in the place of `result`."""
    program = level.program()
    last = program.level.body.statements[-1]
    stated = [substituted(claim, last.value) if isinstance(last, Return) else claim for claim in program.guarantee]
    assert stated
    whole = stated[0]
    for claim in stated[1:]:
        whole = Binary("&", whole, claim)
    assert parse_expression(level.guarantee) == whole, print_expression(whole)


def substituted(expr: Expr, value: Expr) -> Expr:
    """The expression with the value in the place of `result`."""
    match expr:
        case Name("result"):
            return value
        case Unary(op, operand):
            return Unary(op, substituted(operand, value))
        case Binary(op, left, right):
            return Binary(op, substituted(left, value), substituted(right, value))
        case Compare(operands, ops):
            return Compare(tuple(substituted(operand, value) for operand in operands), ops)
        case Call(function, arguments):
            return Call(function, tuple(substituted(argument, value) for argument in arguments))
        case _:
            return expr


def test_a_level_is_not_found_by_a_number_that_is_none() -> None:
    for name in ("0", "9" * 5_000, "1000", "-1", "", "٣"):
        level = find_level(name)
        assert level is None or name == "٣"


@LEVELS
def test_guarantee_and_solution_hold_on_thousands_of_seeded_runs(level: Level) -> None:
    program = level.program()
    rng = random.Random(level.id)
    returned = 0
    for seed, inputs in enumerate(seeded_inputs(rng, program, RUNS)):
        run = program.run(inputs, limits=LIMITS, seed=seed)
        assert run.outcome.kind in ("returned", "ignored", "bound"), f"{inputs}: {run.message}"
        assert run.outcome.kind != "bound" or run.outcome.cause in ("steps", "rows"), f"{inputs}: {run.message}"
        returned += run.outcome.kind == "returned"
        if seed % 20 == 0:
            for fact in level.solution:
                evaluation = run.of(fact.loop).evaluate(fact.expr)
                assert not evaluation.failing, f"{fact.expr} with {inputs} in row {evaluation.failing[0] + 1}"
    # Of the level in which a run is to be found that never ends, many runs do not.
    assert returned >= RUNS // (8 if level.ending == "never ends" else 4), returned


ENDINGS = pytest.mark.parametrize("level", [level for level in all_levels() if level.ending], ids=lambda level: level.id)


def test_one_world_asks_whether_programs_end() -> None:
    asking = [level for level in all_levels() if level.ending]
    assert [level.world.id for level in asking] == ["and-it-ends"] * 5
    assert sum(level.ending == "never ends" for level in asking) == 1
    assert any("," in measure.measure for level in asking for measure in level.measures), "a lexicographic one"
    assert any(level.helpers for level in asking), "a measure that needs facts"


@ENDINGS
def test_the_second_mark_is_given_for_the_solution_and_for_nothing_less(level: Level) -> None:
    program = level.program()
    assert 30 <= len(level.nudge) <= 250
    session = Session(program)
    for fact in level.solution:
        session.propose(fact.expr, fact.loop)
    assert session.solved
    assert session.known_ending().status == "open"
    if level.ending == "never ends":
        assert level.endless is not None
        assert not level.measures
        claim = "endless " + ", ".join(f"{name} = {value}" for name, value in level.endless.items())
        session.claim_endless(claim)
        assert session.known_ending().status == "never ends"
        return
    assert {measure.loop for measure in level.measures} == set(range(1, len(program.loops) + 1))
    for measure in level.measures:
        expected = "may-not-fall" if level.helpers else "falls"
        assert session.propose_measure(measure.measure, measure.loop).kind == expected
    for fact in level.helpers:
        session.propose(fact.expr, fact.loop)
    session.measures_again()
    ending = session.known_ending()
    assert (ending.status, str(ending.second_check.value)) == ("ends", "confirmed")
