"""Promote and RemDisplaced in the plain way: one fact after the other is asked about, with all others as hypotheses."""

from __future__ import annotations

from collections.abc import Sequence

from idg.engine.inquiry import Inquiry
from idg.engine.judging.promote import failure_of
from idg.engine.results import Fact
from idg.prover.answers import Proved, Unknown


def promoted_one_by_one(inquiry: Inquiry, inductive: Sequence[Fact], candidates: Sequence[Fact]) -> tuple[Fact, ...]:
    """The greatest set of candidates that is inductive with the facts that are. They must be of one function."""
    left = list(candidates)
    while True:
        before = len(left)
        for fact in list(left):
            failure, _ = failure_of(inquiry, inductive, [other for other in left if other != fact], fact, ())
            if failure is not None:
                left.remove(fact)
        if len(left) == before:
            return tuple(left)


def kept_one_by_one(inquiry: Inquiry, facts: Sequence[Fact]) -> tuple[list[Fact], bool]:
    """The facts that stay where each, the oldest first, goes if the others imply it; and whether the prover was ever silent."""
    kept = list(facts)
    silent = False
    for fact in facts:
        others = [other for other in kept if other != fact]
        analysis = inquiry.analysis(inquiry.function_at(fact.loop), others, others)
        answer = inquiry.check(analysis.at_head(fact.loop, inquiry.expr(fact))).answer
        silent |= isinstance(answer, Unknown)
        if isinstance(answer, Proved):
            kept = others
    return kept, silent


def equivalent_one_by_one(inquiry: Inquiry, inductive: Sequence[Fact], potential: Sequence[Fact], fact: Fact) -> bool:
    """Whether the potential facts that this one implies imply it in turn, given the inductive ones; each is asked about."""
    implied = [other for other in potential if _implies(inquiry, (*inductive, fact), other)]
    return bool(implied) and _implies(inquiry, (*inductive, *implied), fact)


def _implies(inquiry: Inquiry, known: Sequence[Fact], fact: Fact) -> bool:
    analysis = inquiry.analysis(inquiry.function_at(fact.loop), known, ())
    return isinstance(inquiry.check(analysis.at_head(fact.loop, inquiry.expr(fact))).answer, Proved)
