"""Hints: for every level and from half-finished books, they are true, say something new, and lead to the end."""

from __future__ import annotations

from functools import cache

import pytest

import idg
from idg.agents.forms import HOLE, degree_of, shape_of, with_holes
from idg.agents.hints import HintSteps, NoHint, Plan, current_plan, make_plan, missing, next_hint
from idg.agents.termination.plans import ending_is_known
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact
from idg.engine.termination.moves import propose_move
from idg.engine.termination.results import MeasureKind
from idg.engine.termination.texts import is_fact_text, is_measure_text
from idg.levels import all_levels
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from tests.support.programs.agent_games import half_finished
from tests.support.programs.ending_programs import GCD
from tests.support.programs.known_levels import known_level

HINTS_MAX = 12
"""Hints within which a level must be solved."""


@cache
def engine_of(level: str) -> Engine:
    entry = known_level(level)
    return Engine(entry.program())


@pytest.mark.parametrize("level", ["int-square-root", "cube", "two-stacks"])
def test_a_plan_from_half_finished_books(level: str) -> None:
    engine = engine_of(level)
    books = half_finished(engine, known_level(level), 3)
    plan = make_plan(engine.program, books)
    assert plan.outcome == "solved"
    for fact in missing(engine, books, plan.facts):
        books = engine.propose(books, fact.text, fact.loop).books
    assert engine.feedback(books)[0].solved


def test_nothing_is_hinted_that_is_known() -> None:
    engine = engine_of("multiply")
    books = engine.propose(engine.start(), "cnt <= m").books
    facts = (Fact(1, "cnt <= m"), Fact(1, "cnt <= m + 1"), Fact(1, "res = n * cnt"))
    assert missing(engine, books, facts) == [facts[2]]
    feedback, books = engine.feedback(books)
    assert next_hint(engine, books, facts[:2], feedback) is None


def test_a_wrong_program_has_no_plan() -> None:
    source = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 2; } assert(i = n); }"
    engine = Engine(idg.load(source))
    assert make_plan(engine.program, engine.start()) == Plan("refuted", ())


@pytest.mark.parametrize(
    ("text", "shape", "degree", "template"),
    [
        ("sqr = (cnt + 1)^2", "equation", 2, f"sqr = (cnt + {HOLE})^{HOLE}"),
        ("res = n * cnt", "equation", 2, f"res = {HOLE}"),
        ("cnt <= m", "bound", 1, f"cnt <= {HOLE}"),
        ("x % 2 = 0", "remainder", 1, f"x % {HOLE} = {HOLE}"),
        ("x != y", "different", 1, f"x != {HOLE}"),
        ("x > 0 -> y = 1", "condition", 1, f"x > {HOLE} -> y = {HOLE}"),
        ("x = 0 | y = 0", "cases", 1, f"x = {HOLE} | y = {HOLE}"),
        ("ispow(q, 2)", "power", 1, f"ispow(q, {HOLE})"),
        ("6 * s = n * (n + 1) * (2 * n + 1)", "equation", 3, f"{HOLE} * s = n * (n + {HOLE}) * ({HOLE} * n + {HOLE})"),
    ],
)
def test_shapes_and_templates(text: str, shape: str, degree: int, template: str) -> None:
    expr = parse_expression(text)
    assert (*shape_of(expr), print_expression(with_holes(expr))) == (shape, degree, template)
    assert degree_of(expr) == degree


# how the runs end

CHOOSING = "fn main(n: nat) { var x: int; x := n; while (x != 0) { cassign([x], x >= 0); } assert(x = 0); }"
"""Runs of it that never end depend on choices, so a player cannot name one."""


@cache
def gcd() -> tuple[Engine, Books, Plan]:
    """The program, proved before anything was proposed, and the plan to its second mark."""
    engine = Engine(idg.load(GCD))
    feedback, books = engine.feedback(engine.start())
    assert feedback.solved
    return engine, books, current_plan(engine, books, (), solved=True)


@pytest.mark.parametrize("level", [level.id for level in all_levels() if level.ending])
def test_where_the_goal_is_proved_hints_lead_to_the_second_mark(level: str) -> None:
    engine, entry = engine_of(level), known_level(level)
    books = engine.propose_many(engine.start(), [(fact.loop, fact.expr) for fact in entry.solution]).books
    hints = HintSteps()
    for _ in range(HINTS_MAX):
        if ending_is_known(engine, books):
            break
        told = [hints.next(engine, books)]
        while told[-1].left:
            told.append(hints.next(engine, books))
        if not is_fact_text(told[-1].target.text):
            wanted = ["falls", "measure-template", "measure"] if entry.ending == "ends" else ["endless", "endless-run"]
            assert [following.step.step for following in told] == wanted
        assert told[-1].step.expression == told[-1].target.text
        assert all(told[-1].target.text not in following.step.message for following in told[:-1])
        with pytest.raises(NoHint, match="propose it"):
            hints.next(engine, books)
        _, books = propose_move(engine, books, told[-1].target.text, told[-1].target.loop)
    assert engine.known_ending(books).status == entry.ending
    with pytest.raises(NoHint, match="nothing left to hint at"):
        hints.next(engine, books)


def test_a_measure_comes_before_the_facts_that_it_needs_and_the_measure_of_a_player_is_kept() -> None:
    engine, books, plan = gcd()
    feedback, _ = engine.feedback(books)
    assert is_measure_text(plan.facts[0].text)
    assert not any(is_measure_text(fact.text) for fact in plan.facts[1:])
    hint = next_hint(engine, books, plan.facts, feedback)
    assert hint is not None
    assert hint.target == plan.facts[0]
    # A measure that waits is taken up: what is hinted at then are facts that prove it.
    waits = engine.propose_measure(books, "a + b")
    assert waits.kind is MeasureKind.MAY_NOT_FALL
    helped = current_plan(engine, waits.books, (), solved=True)
    assert helped.facts[0].text == "decreases a + b"
    target = next_hint(engine, waits.books, helped.facts, feedback)
    assert target is not None
    assert is_fact_text(target.target.text)
    books = engine.propose_many(waits.books, [(fact.loop, fact.text) for fact in helped.facts[1:]]).books
    assert [measure.text for measure in engine.measures_again(books)[0]] == ["a + b"]


def test_a_plan_of_facts_is_forgotten_when_the_goal_is_proved_without_them() -> None:
    engine, books, plan = gcd()
    needless = (Fact(1, "a <= n"),)
    assert current_plan(engine, books, needless, solved=False) == Plan("solved", needless)
    assert current_plan(engine, books, needless, solved=True) == plan


def test_nothing_is_hinted_at_that_was_not_proved() -> None:
    engine = Engine(idg.load(CHOOSING))
    _, books = engine.feedback(engine.start())
    assert current_plan(engine, books, (), solved=True) == Plan("end-open", ())
    with pytest.raises(NoHint, match="has not found out whether every run ends"):
        HintSteps().next(engine, books)
