"""Judges a player's claim that a run never ends."""

from __future__ import annotations

from collections.abc import Mapping

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry
from idg.engine.states.runs import LITERAL_LIMITS, RUN_LIMITS
from idg.engine.termination.never_ending.searching import goes_on_for_ever, is_determined
from idg.engine.termination.results import EndlessKind, EndlessVerdict, NeverEnds
from idg.sip.record import replace
from idg.sip.values import Value

CHOOSES = "a run of this program depends on more than its inputs"
"""Why nothing can be said about a run that makes choices."""


def judge_endless(inquiry: Inquiry, books: Books, inputs: Mapping[str, Value]) -> EndlessVerdict:
    """The answer to the claim that the run from these inputs never ends, with the books after it."""
    if not is_determined(inquiry):
        return EndlessVerdict(inputs, EndlessKind.NOT_SHOWN, books, because=CHOOSES)
    never = run_that_never_ends(inquiry, books, inputs)
    if never is not None:
        return EndlessVerdict(inputs, EndlessKind.NEVER_ENDS, replace(books, endless=inputs), never, known=books.endless == inputs)
    run = inquiry.program.run(inputs, limits=LITERAL_LIMITS, record=False)
    if run.outcome.kind == "bound":
        return EndlessVerdict(inputs, EndlessKind.NOT_SHOWN, books)
    return EndlessVerdict(inputs, EndlessKind.RUN_ENDS, books, outcome=run.message)


def run_that_never_ends(inquiry: Inquiry, books: Books, inputs: Mapping[str, Value]) -> NeverEnds | None:
    """The run from these inputs, where it is seen to go on for ever."""
    if not is_determined(inquiry):
        return None
    run = inquiry.program.run(inputs, limits=RUN_LIMITS)
    return goes_on_for_ever(inquiry, books, [run]) if run.outcome.kind == "bound" else None
