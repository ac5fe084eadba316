"""Promote in the plain way: one fact after the other is asked about, and what fails is dropped, until nothing fails."""

from __future__ import annotations

from collections.abc import Sequence

from idg.engine.inquiry import Inquiry
from idg.engine.promote import failure_of
from idg.engine.results import Fact


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
