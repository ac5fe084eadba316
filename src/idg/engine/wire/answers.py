"""What the engine answers, as it travels. The sentences and the places in the text are part of it, so a reader needs no program.

The records of results.py are what the engine itself works with; build.py makes these from them. What the engine has as a `Span`
is a `Where` here, and long runs are cut. Docstrings say what docs/engine.md and docs/api.md do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from idg.engine.results import Fact, Kind, ProofStatus, SecondCheck, Transition
from idg.engine.telling.pictures import answer_html
from idg.engine.termination.results import Measure
from idg.engine.wire.codec import Layout
from idg.engine.wire.endings import EndingReport, JudgedClaim
from idg.engine.wire.places import ChoiceMade, LimitReached, UnprovedPlace, Where
from idg.sip.record import Record
from idg.sip.values import Value


class RestingFactAnswer(Record):
    """An inductive invariant, and what it rests on."""

    loop: int
    text: str
    rests_on: tuple[UnprovedPlace, ...]
    message: str
    """What it rests on, in English."""

    layout = Layout(names={"text": "expression"})

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.text)


class RemovedFact(Record):
    """An invariant that became redundant, and the ones that imply it."""

    loop: int
    text: str
    by: tuple[Fact, ...]
    rests_on: tuple[UnprovedPlace, ...] = ()
    """What it rests on that is not proved yet."""

    layout = Layout(names={"text": "expression"})

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.text)


class JudgedFact(Record):
    """A fact of a batch, and what it is."""

    loop: int
    text: str
    kind: Kind

    layout = Layout(names={"text": "expression"})

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.text)


class StateToRuleOut(Record):
    """A state at a loop head that all accepted invariants allow and from which the program would break its promise."""

    loop: int
    values: Mapping[str, Value]
    cause: str
    """The cause of the failure, in the words of docs/language.md."""
    where: Where
    inside: bool
    """True: the loop's test holds in the state, and its body breaks something. False: what comes after the loop does."""
    proved_only: bool = False
    """Whether only the proved facts allow the state: facts that are not proved yet would rule it out."""


class FailingRunAnswer(Record):
    """A run that breaks the program's promise: no invariant can prove it."""

    inputs: Mapping[str, Value]
    seed: int
    """The seed of the run's choices."""
    cause: str
    where: Where
    choices: tuple[ChoiceMade, ...] = ()
    """What the run chose, in order."""
    function: str = ""
    """Where a helper was run alone: the helper; `inputs` are its arguments then."""


class FeedbackAnswer(Record):
    """Where the proof stands: solved, or the next state to rule out, or why there is none."""

    _repr_html_ = answer_html

    solved: bool
    potential_suffices: bool
    """Everything would be proved if the facts of `waits_for` were."""
    state: StateToRuleOut | None
    message: str
    failing: FailingRunAnswer | None = None
    too_large: str = ""
    """Why nothing can be said: the program is beyond what is analysed."""
    waits_for: tuple[Fact, ...] = ()
    """The facts, not proved yet, that the proof of everything would use."""
    no_other: bool = False
    """Whether another state was asked for and none was found: `state` was shown before."""
    nothing_to_prove: bool = False
    """Whether the program promises nothing, so that there is nothing to solve."""
    second_check: SecondCheck = SecondCheck.NOT_ASKED
    """For a program whose obligations are all proved: what the second verifier says. Contradicted: it is not called solved."""
    resting: tuple[RestingFactAnswer, ...] = ()
    """The inductive invariants that rest on something that is not proved yet."""


class RefutingRun(Record):
    """A run that refutes a proposal: in its last row the proposal is false."""

    inputs: Mapping[str, Value]
    seed: int
    """The seed of the run's choices."""
    row: int
    """The index of the last row in the trace of the loop, from 0."""
    columns: tuple[str, ...]
    first_row: int
    """The index of the first row that is told. Only the last rows of a long run are."""
    rows: tuple[tuple[Value, ...], ...]
    choices: tuple[ChoiceMade, ...] = ()
    """What the run chose until its last row, in order."""
    function: str = ""
    """For a loop of a helper: the helper, which was run alone; `inputs` are its arguments then."""

    @property
    def state(self) -> dict[str, Value]:
        """The state in which the proposal is false."""
        return dict(zip(self.columns, self.rows[-1], strict=True)) if self.rows else {}


class StatesRuledOut(Record):
    """The states of a loop's sample that an accepted fact rules out; scores are computed from it."""

    loop: int
    states: int
    """The size of the sample."""
    bits: str
    """In hexadecimal digits: bit k is set where the fact rules out state k."""
    patterns: tuple[str, ...] = ()
    """The forms that the fact has, such as `limit`. A form that a player has not used yet in the level earns double once."""


class ProposalAnswer(Record):
    """The verdict on one proposal, and the books after it."""

    _repr_html_ = answer_html

    expression: str
    loop: int
    kind: Kind
    promoted: tuple[Fact, ...]
    """What became inductive with the proposal, itself included where it did."""
    removed: tuple[RemovedFact, ...]
    inductive: tuple[Fact, ...]
    potential: tuple[Fact, ...]
    solved: bool
    feedback: FeedbackAnswer
    message: str
    implied: tuple[Fact, ...] | None = None
    """For a displaced proposal: what implies it, which may be nothing but the code before the loop. None for other kinds."""
    run: RefutingRun | None = None
    """For a non-invariant."""
    transition: Transition | None = None
    """For a potential invariant: why it is not inductive yet."""
    waits_for: tuple[Fact, ...] = ()
    """For a potential invariant that every turn keeps if these facts hold, which are not proved yet."""
    tried: tuple[str, ...] = ()
    """For an unknown one: what could not establish it."""
    because: str = ""
    """For an unknown one that calls a helper whose calls are not known to have a value: why that is so."""
    rests_on: tuple[UnprovedPlace, ...] = ()
    """What the verdict rests on that is not proved yet."""
    unknown: tuple[Fact, ...] = ()
    """The facts on the books about which nothing could be established."""
    rules_out: tuple[StatesRuledOut, ...] | None = None
    """For an accepted fact that a server judged."""
    measures_proved: tuple[Measure, ...] = ()
    """The measures that waited and that are proved to fall now."""
    ending: EndingReport | None = None
    """What is known of the end of the program's runs, where the proposal changed the books and something was said of it before."""
    limited: LimitReached = ""
    coins: int = 0
    """What the proposal earned on a server. A server tells it beside the verdict, not in it."""

    layout = Layout(names={"implied": "implied_by"}, skipped=("coins",))

    @property
    def implied_by(self) -> tuple[Fact, ...]:
        return self.implied or ()

    @property
    def kinds(self) -> tuple[JudgedFact, ...]:
        """The answer as that to a batch with one proposal."""
        return (JudgedFact(self.loop, self.expression, self.kind),)


class BatchAnswer(Record):
    """The verdicts on many proposals, which were judged together, and the books after them."""

    _repr_html_ = answer_html

    kinds: tuple[JudgedFact, ...]
    promoted: tuple[Fact, ...]
    removed: tuple[RemovedFact, ...]
    inductive: tuple[Fact, ...]
    potential: tuple[Fact, ...]
    solved: bool
    feedback: FeedbackAnswer
    tried: tuple[str, ...] = ()
    unknown: tuple[Fact, ...] = ()
    """The facts on the books about which nothing could be established."""
    rules_out: tuple[StatesRuledOut, ...] | None = None
    moves: tuple[JudgedClaim, ...] = ()
    """The measures, and the runs that are said never to end, among the proposals. They are judged after the facts."""
    measures_proved: tuple[Measure, ...] = ()
    """The measures that waited and that are proved to fall now."""
    ending: EndingReport | None = None
    """What is known of the end of the program's runs, where something was said of it."""
    limited: LimitReached = ""
    coins: int = 0
    """What the proposals earned on a server. A server tells it beside the verdict, not in it."""

    layout = Layout(skipped=("coins",))


class TransitionAnswer(Record):
    """Why a potential invariant is not inductive yet; no transition where none is known."""

    _repr_html_ = answer_html

    loop: int
    expression: str
    transition: Transition | None
    message: str
    waits_for: tuple[Fact, ...] = ()
    """Where no transition breaks it as long as these facts hold, which are not proved yet."""
    rests_on: tuple[UnprovedPlace, ...] = ()
    """Where it waits for facts: what it would still rest on that is not proved yet."""

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.expression)


class ObligationAnswer(Record):
    """What must be proved of the program at one place, and whether it is."""

    cause: str
    where: Where
    function: str
    status: ProofStatus
    uses: tuple[Fact, ...]
    """For a proved one: the invariants that its proof uses."""
    rests_on: tuple[UnprovedPlace, ...] = ()
    """For a proved one: what its proof rests on that is not proved yet."""


class Explanation(Record):
    """Which invariants the proof of each obligation uses."""

    _repr_html_ = answer_html

    solved: bool
    obligations: tuple[ObligationAnswer, ...]
    message: str


class LinePlace(Record):
    """Where something begins in a text: line and column, from 1."""

    line: int
    column: int


class CheckAnswer(Record):
    """One thing to be proved about a program with given invariants, and whether it is."""

    function: str
    what: str
    """'entry' or 'step' of a given invariant, else the cause of an obligation."""
    text: str
    """The expression, as it stands in the program."""
    where: LinePlace
    status: ProofStatus
    uses: tuple[str, ...]
    """For a proved one: the given invariants that the proof uses."""
    before: Mapping[str, Value] | None = None
    """For a refuted one: a state at the loop head (or the inputs) that satisfies all that is known and leads to the failure."""
    after: Mapping[str, Value] | None = None
    """For a refuted step: the state after the turn."""
    run: Mapping[str, Value] | None = None
    """Inputs of a real run that fails there, where one is known."""
    tried: tuple[str, ...] = ()
    """For an unknown one: what could neither prove nor refute it."""
    rests_on: tuple[UnprovedPlace, ...] = ()
    """For a proved one: what its proof rests on that is not proved."""
    second_opinion: str | None = None
    """Whether another prover agrees, where it was asked."""

    layout = Layout(names={"text": "expression", "before": "state"})


class ProofReport(Record):
    """All checks of a program, and whether they are all proved."""

    proved: bool
    checks: tuple[CheckAnswer, ...]
    second_check: SecondCheck = SecondCheck.NOT_ASKED
    """Where all are proved by the first verifier: what the second one says. Contradicted: they do not count as proved."""


class RunReturned(Record):
    """The end of a run that came to its end."""

    kind: Literal["returned"]
    message: str
    value: Value | None
    """What was returned, where the function has a type."""


StoppedKind = Literal["failed", "ignored", "bound"]


class RunStopped(Record):
    """The end of a run that broke something, that an assumption ended, or that was too long."""

    kind: StoppedKind
    message: str
    cause: str
    where: Where
    values: Mapping[str, Value]
    """The variables visible where it stopped."""


class LoopTrace(Record):
    """The states at the head of one loop in a run, row by row."""

    loop: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    rows_total: int
    """How many rows there were, told or not."""
    outer: int | None = None
    """The loop around it."""
    outer_rows: tuple[int, ...] | None = None
    """For each row: the index of the enclosing loop's row during which it was reached."""
    call: Mapping[str, Value] | None = None
    """For a loop of a helper: the arguments of the call that is shown. There are no rows where the run does not call it."""
    offset: int = 0
    """The index of the first row that is told."""

    layout = Layout(order=("loop", "columns", "rows", "outer", "outer_rows", "call", "rows_total", "offset"))

    def states(self) -> tuple[dict[str, Value], ...]:
        return tuple(dict(zip(self.columns, row, strict=True)) for row in self.rows)


class TraceAnswer(Record):
    """A run of a program."""

    _repr_html_ = answer_html

    inputs: Mapping[str, Value]
    outcome: RunReturned | RunStopped
    printed: tuple[str, ...]
    """The printed lines, from the same offset on as the rows."""
    loops: tuple[LoopTrace, ...]


HintName = Literal[
    "variable", "together", "shape", "template", "invariant", "falls", "measure-template", "measure", "endless", "endless-run"
]
"""The steps of a hint, each of which says more than the one before: five to a fact, three to a measure, two to a run that never
ends."""
HINT_FIELDS: dict[str, tuple[str, ...]] = {
    "variable": ("variable",),
    "together": ("variables",),
    "shape": ("shape", "degree"),
    "template": ("template",),
    "invariant": ("expression",),
    "falls": ("variables",),
    "measure-template": ("template",),
    "measure": ("expression",),
    "endless": ("variables",),
    "endless-run": ("expression",),
}
"""What each step reveals."""


class HintStep(Record):
    """One step towards a fact that helps: what it reveals, also in English."""

    _repr_html_ = answer_html

    step: HintName
    message: str
    variable: str | None = None
    variables: tuple[str, ...] | None = None
    shape: str | None = None
    degree: int | None = None
    template: str | None = None
    expression: str | None = None

    layout = Layout(
        order=("step", "variable", "variables", "shape", "degree", "template", "expression", "message"),
        tag="step",
        fields_of_tag=HINT_FIELDS,
    )


class HintTarget(Record):
    """The fact that hints are about, or the measure, or the run that never ends, and all the steps towards it."""

    loop: int
    expression: str
    steps: tuple[HintStep, ...]

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.expression)


class HintAnswer(Record):
    """What the agent would hint at. Players get its steps one by one."""

    outcome: Literal["solved", "refuted", "open", "end-open"]
    """'solved' where the agent has a proof, 'refuted' where there is none, 'open' where it found none; 'end-open' where the program
    is proved, and the agent found nothing about its end."""
    plan: tuple[Fact, ...]
    """What proves the program, or that it ends; kept, so that the next hint needs no new search."""
    hint: HintTarget | None


NO_HINT = {
    "enough": "the next step of the hint would tell more than where to look",
    "taken": "all hints about the next step were given: the last one says it; propose it",
    "solved": "the guarantee is proved, and it is known how the runs end: there is nothing left to hint at",
    "end-open": "the guarantee is proved; our agent has not found out whether every run ends, so it has no hint to give",
    "refuted": "this program does not keep its promise, so no facts can prove it",
    "open": "our agent has not found a proof from here, so it has no hint to give; look at the state to rule out",
}
"""Why there is no hint."""


class RunInputs(Record):
    """What a run starts from."""

    inputs: Mapping[str, Value]
    seed: int
    """The seed of the run's choices."""
    choices: tuple[tuple[Value, ...], ...] = ()
    """Its first choices, in order: initial values of declared variables, and what each cassign picks."""


class Assessment(Record):
    """How hard a program is, by what the agent needed to prove it."""

    outcome: Literal["solved", "refuted", "open"]
    rounds: int
    invariants: int
    degree: int | None = None
    """For a solved one: the highest degree of its invariants."""
    difficulty: int | None = None
    """For a solved one: from 1 to 5."""
    run: RunInputs | None = None
    """For a refuted one: the run that breaks its promise."""
    feedback: FeedbackAnswer | None = None
    """For an open one: the state that is left."""


class CrowdAnswer(Record):
    """What the proposals of all players prove together."""

    solved: bool
    inductive: tuple[Fact, ...]
    candidates: int
    """How many distinct facts were combined."""
    resting: tuple[RestingFactAnswer, ...] = ()
    """The inductive invariants that rest on something that is not proved yet."""


class FirstInputs(Record):
    """Inputs for a first trace of a program that comes without any."""

    inputs: Mapping[str, Value]
