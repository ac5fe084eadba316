"""The computer as a partner in a room: the next fact that it would propose, one at a time.

It follows a plan, as hints do: facts that prove the program from what is on the books. When it takes turns, it proposes what a hint
would lead to. As a helper it looks for a fact of the plan that the waiting facts of the others need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from idg.agents.hints import is_false_in, missing, next_hint
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact, Feedback, potential_facts
from idg.sip.record import Record
from idg.sip.traverse import node_count


class NextFact(Record):
    """What the computer proposes next, and the waiting fact that this is meant to help."""

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
    """The simplest missing fact of the plan with which a waiting fact is proved; or else one that is false before the turn that
    breaks a waiting fact, so that this turn breaks it no more."""
    waiting = potential_facts(books)
    if not waiting:
        return None
    wanted = sorted(missing(engine, books, plan), key=lambda fact: (node_count(engine.inquiry.expr(fact)), fact.loop, fact.text))
    for fact in wanted:
        promoted = engine.propose(books, fact.text, fact.loop).promoted
        for other in waiting:
            if other in promoted:
                return NextFact(fact, other)
    for other in waiting:
        broken = engine.why_not(books, other.text, other.loop).transition
        if broken is None:
            continue
        for fact in wanted:
            if fact.loop == other.loop and is_false_in(engine, fact, broken.before):
                return NextFact(fact, other)
    return None
