"""The calls of engine workers: what each is asked with and what it answers, as records that both sides share.

The coordinator keeps books as JSON that it does not read; so they are `object` here, and only the worker makes `Books` of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from idg.engine.results import Fact
from idg.engine.termination.results import Measure
from idg.engine.wire.answers import BatchAnswer, FeedbackAnswer, JudgedFact, ProposalAnswer, StatesRuledOut
from idg.engine.wire.endings import EndlessJudged, JudgedClaim, MeasureJudged
from idg.engine.wire.events import EndMark, ProposalVerdict, ProposedFact
from idg.sip.record import Record, replace
from idg.sip.values import Value, ValueJson


class AboutProgram(Record):
    """Arguments of a call about a program alone."""

    source: str


class AboutBooks(Record):
    """Arguments of a call about a program and its books."""

    source: str
    books: object


class AboutBoard(Record):
    """Arguments of the call about what carries what. `best`: the number of facts of the shortest known proof."""

    source: str
    books: object
    best: int | None


class AboutExport(Record):
    """Arguments of the call for a proof in the language of another verifier. `name`: the name of its file, without the ending."""

    source: str
    books: object
    target: str
    name: str


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


TextChoices = tuple[tuple[str, ...], ...]
"""The first choices of a run, in order, as texts: the values of each declaration without a value and of each cassign."""


class AboutRun(Record):
    """Arguments of a call for a trace."""

    source: str
    inputs: Mapping[str, ValueJson]
    loop: int | None
    seed: int
    offset: int
    limit: int
    """At most so many rows of each loop, from `offset` on."""
    choices: TextChoices = ()


class AboutHint(Record):
    """Arguments of a call for a hint. `plan`: what was found before to prove the program, or its end."""

    source: str
    books: object
    plan: tuple[Fact, ...]


class AboutPartner(Record):
    """Arguments of a call for the computer's next move as a partner. `plan`: what was found before to prove the program."""

    source: str
    books: object
    plan: tuple[Fact, ...]
    mode: Literal["turns", "helper"]
    ending: bool
    """Whether the second mark is wanted, too."""


class PartnerMove(Record):
    """What the computer proposes next as a partner; nothing where it knows nothing to propose in this mode."""

    outcome: Literal["solved", "refuted", "open", "end-open"]
    """'solved' where it has a plan, or needs none any more."""
    plan: tuple[Fact, ...]
    is_proved: bool = False
    """Whether the program is solved already, and has its second mark where that is wanted."""
    fact: Fact | None = None
    helps: Fact | None = None


class FeedbackResult(Record):
    """The state to rule out, and the books that remember that it was shown."""

    feedback: FeedbackAnswer
    books: object


class ProposalResult(Record):
    """A verdict, and the books after it."""

    answer: ProposalAnswer | MeasureJudged | EndlessJudged
    books: object
    changed: bool


class BatchResult(Record):
    """The verdicts on a batch, and the books after them."""

    answer: BatchAnswer
    books: object
    changed: bool


class Summary(Record):
    """The few things of a verdict that rooms and scores look at."""

    kinds: tuple[JudgedFact, ...]
    solved: bool
    inductive: tuple[Fact, ...]
    removed: tuple[Fact, ...] = ()
    rules_out: tuple[StatesRuledOut, ...] = ()
    changed: bool = False
    """Whether the books after the verdict differ from those before."""
    conjuncts: int = 0
    """The number of conditions in its inductive invariants, where it solves the program: `a & b` counts as two."""
    moves: tuple[JudgedClaim, ...] = ()
    """The measures among the proposals, and the runs that are said never to end."""
    ends: EndMark = ""
    """The second mark, where what is known after the verdict gives it."""
    measures: tuple[Measure, ...] = ()
    """Where it does: the measures that prove it, and the inputs of the run that never ends."""
    endless: Mapping[str, Value] | None = None


def summary_of(verdict: ProposalVerdict, changed: bool, conjuncts: int = 0) -> Summary:
    """`conjuncts`: as in the summary; workers count them, because nothing that players wrote is parsed in the event loop."""
    if isinstance(verdict, ProposalAnswer | BatchAnswer):
        removed = tuple(removal.fact for removal in verdict.removed)
        summary = Summary(verdict.kinds, verdict.solved, verdict.inductive, removed, verdict.rules_out or (), changed, conjuncts)
    else:
        summary = Summary((), False, (), changed=changed)
    moves = () if isinstance(verdict, ProposalAnswer) else verdict.moves
    ending = verdict.ending
    if ending is None or ending.status == "open":
        return replace(summary, moves=moves)
    endless = None if ending.run is None else ending.run.inputs
    return replace(summary, moves=moves, ends=ending.status, measures=ending.measures, endless=endless)


class ProposedText(Record):
    """A text that somebody proposes for a loop; `field` is where the request has it, for the errors."""

    loop: int
    text: str
    field: str


class AboutTexts(Record):
    """Arguments of the call for canonical forms."""

    source: str
    proposals: tuple[ProposedText, ...]


class AboutNewProgram(Record):
    """Arguments of the call that checks a program."""

    source: str
    title: str


class AboutC(Record):
    """Arguments of the call that reads a C text as SIP."""

    source: str
    integers: str
    """How signed arithmetic is read."""


class AboutPython(Record):
    """Arguments of the call that reads a Python text as SIP."""

    source: str


class AboutView(Record):
    """Arguments of the call that shows a program in another language."""

    source: str
    language: str


class AboutBody(Record):
    """Arguments of the call that checks the body of a request."""

    model: str
    """The name of its class in web/models.py."""
    body: str
    """The bytes, in Base64."""
