"""The computer as a partner in a room: the next fact or measure that it would propose, one at a time.

It follows a plan, as hints do: what proves the program, or that it ends, from what is on the books. Taking turns, it proposes what
a hint would lead to. As a helper it looks for a fact of the plan that the waiting facts and measures of the others need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from idg.agents.hints import is_false_in, missing, next_hint
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact, Feedback, potential_facts
from idg.engine.termination.texts import is_fact_text
from idg.sip.record import Record
from idg.sip.text.expressions import DECREASES
from idg.sip.trees.traverse import node_count
from idg.sip.values import Value


class NextFact(Record):
    """What the computer proposes next, and the waiting fact or measure that this is meant to help."""

    fact: Fact
    helps: Fact | None = None


def next_fact(
    engine: Engine, books: Books, plan: Sequence[Fact], feedback: Feedback, mode: Literal["turns", "helper"]
) -> NextFact | None:
    """None where the plan has nothing that is missing, or nothing that a waiting fact needs."""
    if mode == "helper":
        return helping_fact(engine, books, plan)
    hint = next_hint(engine, books, plan, feedback)
    return None if hint is None else NextFact(hint.target)


def helping_fact(engine: Engine, books: Books, plan: Sequence[Fact]) -> NextFact | None:
    """The simplest missing fact of the plan with which a waiting fact or measure is proved; or else one that is false before the
    turn that breaks a waiting one, so that this turn breaks it no more."""
    waiting = (*potential_facts(books), *_waiting_measures(books))
    if not waiting:
        return None
    facts = [fact for fact in missing(engine, books, plan) if is_fact_text(fact.text)]
    wanted = sorted(facts, key=lambda fact: (node_count(engine.inquiry.expr(fact)), fact.loop, fact.text))
    for fact in wanted:
        verdict = engine.propose(books, fact.text, fact.loop)
        measures = engine.measures_again(verdict.books)[0]
        proved = (*verdict.promoted, *(Fact(measure.loop, f"{DECREASES} {measure.text}") for measure in measures))
        for other in waiting:
            if other in proved:
                return NextFact(fact, other)
    for other in waiting:
        before = _broken_state(engine, books, other)
        for fact in wanted:
            if before is not None and fact.loop == other.loop and is_false_in(engine, fact, before):
                return NextFact(fact, other)
    return None


def _waiting_measures(books: Books) -> tuple[Fact, ...]:
    """The measures that wait for facts, as they are proposed."""
    return tuple(
        Fact(number, f"{DECREASES} {text}") for number, loop in enumerate(books.loops, 1) for text in loop.waiting_measures
    )


def _broken_state(engine: Engine, books: Books, waiting: Fact) -> Mapping[str, Value] | None:
    """The state before the turn that breaks a waiting fact, or in which a waiting measure does not fall."""
    if is_fact_text(waiting.text):
        transition = engine.why_not(books, waiting.text, waiting.loop).transition
        return None if transition is None else transition.before
    turn = engine.propose_measure(books, waiting.text, waiting.loop).turn
    return None if turn is None else turn.before
