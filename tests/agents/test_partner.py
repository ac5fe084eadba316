"""The facts that the computer proposes as a partner: in turn, or because a waiting fact needs them."""

from __future__ import annotations

import pytest

from idg.agents.hints import current_plan, make_plan
from idg.agents.partner import next_fact
from idg.engine.engine import Engine
from idg.engine.results import Fact, Kind
from idg.engine.termination.moves import propose_move
from tests.agents.test_hints import gcd
from tests.support.programs.known_levels import known_level

TURNS_MAX = 12
"""Facts within which a level must be solved that the computer plays alone."""


@pytest.mark.parametrize("level", ["multiply", "int-square-root"])
def test_fact_by_fact_it_comes_to_the_end(level: str) -> None:
    engine = Engine(known_level(level).program())
    books = engine.start()
    plan = make_plan(engine.program, books).facts
    for _ in range(TURNS_MAX):
        feedback, books = engine.feedback(books)
        if feedback.solved:
            return
        proposed = next_fact(engine, books, plan, feedback, "turns")
        assert proposed is not None
        verdict = engine.propose(books, proposed.fact.text, proposed.fact.loop)
        assert verdict.kind in (Kind.INDUCTIVE, Kind.POTENTIAL)
        books = verdict.books
    pytest.fail("it did not come to the end")


def test_a_helper_finds_what_a_waiting_fact_needs_and_nothing_without_one() -> None:
    engine = Engine(known_level("int-square-root").program())
    feedback, books = engine.feedback(engine.start())
    plan = make_plan(engine.program, books).facts
    assert next_fact(engine, books, plan, feedback, "helper") is None, "nothing waits yet"
    waiting = engine.propose(books, "sqr = (cnt + 1)^2", 1)
    assert waiting.kind is Kind.POTENTIAL
    proposed = next_fact(engine, waiting.books, plan, waiting.feedback, "helper")
    assert proposed is not None
    assert proposed.helps == Fact(1, "sqr = (cnt + 1)^2")
    verdict = engine.propose(waiting.books, proposed.fact.text, proposed.fact.loop)
    assert proposed.helps in verdict.promoted
    # Where everything that waits is proved, there is nothing to help.
    assert next_fact(engine, verdict.books, plan, verdict.feedback, "helper") is None


def test_it_proposes_measures_when_the_facts_are_done_and_helps_measures_that_wait() -> None:
    engine, books, planned = gcd()
    feedback, _ = engine.feedback(books)
    plan = planned.facts
    assert next_fact(engine, books, plan, feedback, "helper") is None, "nothing waits yet"
    proposed = next_fact(engine, books, plan, feedback, "turns")
    assert proposed is not None
    assert proposed.fact == plan[0]
    _, books = propose_move(engine, books, "decreases a + b", 1)
    plan = current_plan(engine, books, (), solved=True).facts
    assert [fact.text for fact in plan] == ["decreases a + b", "a >= 1", "b >= 1"]
    for _ in plan[1:]:
        helping = next_fact(engine, books, plan, feedback, "helper")
        assert helping is not None
        assert helping.helps == Fact(1, "decreases a + b")
        _, books = propose_move(engine, books, helping.fact.text, helping.fact.loop)
    assert engine.known_ending(books).status == "ends"
    assert next_fact(engine, books, plan, feedback, "helper") is None
