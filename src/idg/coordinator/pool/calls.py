"""The calls of engine workers: what each is asked with and what it answers, as records that both sides share.

The coordinator keeps books as JSON that it does not read; so they are `object` here, and only the worker makes `Books` of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from idg.engine.results import Fact
from idg.engine.wire.answers import BatchAnswer, FeedbackAnswer, ProposalAnswer
from idg.engine.wire.events import ProposedFact
from idg.sip.record import Record


class AboutProgram(Record):
    """Arguments of a call about a program alone."""

    source: str


class AboutBooks(Record):
    """Arguments of a call about a program and its books."""

    source: str
    books: object


class AboutFact(Record):
    """Arguments of a call about one fact."""

    source: str
    books: object
    expression: str
    loop: int


class AboutFacts(Record):
    """Arguments of a call about many facts."""

    source: str
    books: object
    proposals: tuple[ProposedFact, ...]


class AboutCrowd(Record):
    """Arguments of the call about all that was proposed for a program."""

    source: str
    proposals: tuple[Fact, ...]


class AboutRun(Record):
    """Arguments of a call for a trace."""

    source: str
    inputs: Mapping[str, str]
    loop: int | None
    seed: int
    rows_max: int


class AboutHint(Record):
    """Arguments of a call for a hint. `plan`: facts found before to prove the program."""

    source: str
    books: object
    plan: tuple[Fact, ...]


class FeedbackResult(Record):
    """The state to rule out, and the books that remember that it was shown."""

    feedback: FeedbackAnswer
    books: object


class ProposalResult(Record):
    """A verdict, and the books after it."""

    answer: ProposalAnswer
    books: object
    changed: bool


class BatchResult(Record):
    """The verdicts on a batch, and the books after them."""

    answer: BatchAnswer
    books: object
    changed: bool
