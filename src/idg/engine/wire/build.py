"""Makes the answers that travel from what the engine found. The sentences come from messages.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idg.engine.results import (
    BatchVerdict,
    Fact,
    FailingRun,
    Feedback,
    Kind,
    Refutation,
    Removal,
    ToRuleOut,
    Verdict,
    WhyNot,
    inductive_facts,
    potential_facts,
    unknown_facts,
)
from idg.engine.telling.messages import (
    LIMIT_REASONS,
    explain_message,
    feedback_message,
    limited_message,
    message,
    rests_on_note,
    transition_message,
)
from idg.engine.wire.answers import (
    BatchAnswer,
    Explanation,
    FailingRunAnswer,
    FeedbackAnswer,
    JudgedFact,
    LoopTrace,
    ObligationAnswer,
    ProposalAnswer,
    RefutingRun,
    RemovedFact,
    RestingFactAnswer,
    RunReturned,
    RunStopped,
    StateToRuleOut,
    StoppedKind,
    TraceAnswer,
    TransitionAnswer,
)
from idg.engine.wire.places import ChoiceMade, LimitReached, UnprovedPlace, Where
from idg.sip.errors import line_and_column
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.runner import Chosen, Row
from idg.sip.running.trace import Run, Trace
from idg.sip.syntax import Span
from idg.sip.values import Value
from idg.vc.query import Requirement

RUN_ROWS_MAX = 50
"""How many rows of a refuting run are told, the last ones. The whole run can be asked for by its inputs."""
RUN_CHARS_MAX = 200_000
"""About how many characters these rows may have together. The last one is told in any case."""

_STOPPED: dict[str, StoppedKind] = {"failed": "failed", "ignored": "ignored", "bound": "bound"}


def proposal_answer(verdict: Verdict, program: Program) -> ProposalAnswer:
    """The answer to one proposal."""
    displaced = verdict.kind in (Kind.DISPLACED, Kind.DISPLACED_POTENTIAL)
    return ProposalAnswer(
        verdict.fact.text,
        verdict.fact.loop,
        verdict.kind,
        verdict.promoted,
        _removed(verdict.removed, program),
        inductive_facts(verdict.books),
        potential_facts(verdict.books),
        verdict.feedback.solved,
        feedback_answer(verdict.feedback, program),
        str(message(verdict, program)),
        implied=verdict.implied_by if displaced or verdict.implied_by else None,
        run=None if verdict.refutation is None else _refuting_run(verdict.refutation),
        transition=verdict.transition,
        waits_for=verdict.waits_for,
        tried=verdict.tried,
        because=verdict.because,
        rests_on=unproved_places(verdict.rests_on, program),
        unknown=unknown_facts(verdict.books),
    )


def batch_answer(verdict: BatchVerdict, program: Program) -> BatchAnswer:
    """The answer to many proposals."""
    return BatchAnswer(
        tuple(JudgedFact(fact.loop, fact.text, kind) for fact, kind in verdict.kinds),
        verdict.promoted,
        _removed(verdict.removed, program),
        inductive_facts(verdict.books),
        potential_facts(verdict.books),
        verdict.feedback.solved,
        feedback_answer(verdict.feedback, program),
        unknown=unknown_facts(verdict.books),
    )


class Unchanged(Record):
    """What is known of a program, where a limit of the server ended an analysis and nothing changes."""

    inductive: tuple[Fact, ...]
    potential: tuple[Fact, ...]
    unknown: tuple[Fact, ...]
    solved: bool
    feedback: FeedbackAnswer
    limit: LimitReached


def limited_proposal(fact: Fact, known: Unchanged) -> ProposalAnswer:
    """The answer to a proposal whose analysis a limit ended: unknown."""
    return ProposalAnswer(
        fact.text,
        fact.loop,
        Kind.UNKNOWN,
        (),
        (),
        known.inductive,
        known.potential,
        known.solved,
        known.feedback,
        limited_message(fact, known.limit),
        tried=(LIMIT_REASONS[known.limit],),
        unknown=known.unknown,
        rules_out=(),
        limited=known.limit,
    )


def limited_batch(facts: Iterable[Fact], known: Unchanged) -> BatchAnswer:
    """The same for many proposals."""
    return BatchAnswer(
        tuple(JudgedFact(fact.loop, fact.text, Kind.UNKNOWN) for fact in facts),
        (),
        (),
        known.inductive,
        known.potential,
        known.solved,
        known.feedback,
        tried=(LIMIT_REASONS[known.limit],),
        unknown=known.unknown,
        rules_out=(),
        limited=known.limit,
    )


def feedback_answer(feedback: Feedback, program: Program) -> FeedbackAnswer:
    """Where the level stands: solved, or the next state to rule out, or why there is none."""
    shown, failing = feedback.to_rule_out, feedback.failing
    return FeedbackAnswer(
        feedback.solved,
        feedback.potential_suffices,
        None if shown is None else state_answer(shown, program),
        str(feedback_message(feedback, program)),
        None if failing is None else failing_answer(failing, program),
        feedback.too_large,
        feedback.waits_for,
        feedback.no_other,
        feedback.nothing_to_prove,
        feedback.second_check,
        resting_facts(feedback, program),
    )


def resting_facts(feedback: Feedback, program: Program) -> tuple[RestingFactAnswer, ...]:
    """The inductive invariants that rest on something that is not proved yet."""
    return tuple(
        RestingFactAnswer(
            resting.fact.loop,
            resting.fact.text,
            unproved_places(resting.rests_on, program),
            rests_on_note(resting.rests_on, program),
        )
        for resting in feedback.resting
    )


def explanation(feedback: Feedback, program: Program) -> Explanation:
    """Which invariants the proof of each obligation uses."""
    obligations = tuple(
        ObligationAnswer(
            status.cause,
            where(program.text, status.span),
            status.function,
            status.status,
            status.uses,
            unproved_places(status.rests_on, program),
        )
        for status in feedback.obligations
    )
    return Explanation(feedback.solved, obligations, str(explain_message(feedback, program)))


def transition_answer(why: WhyNot, fact: Fact, program: Program) -> TransitionAnswer:
    """Why a potential invariant is not inductive yet."""
    told = str(transition_message(why, fact, program))
    return TransitionAnswer(fact.loop, fact.text, why.transition, told, why.waits_for, unproved_places(why.rests_on, program))


def trace_answer(run: Run, loop: int | None, rows_max: int, offset: int = 0, chars_max: int | None = None) -> TraceAnswer:
    """A run: of all its loops or of one, at most `rows_max` rows each from `offset` on, and how many there were.

    With `chars_max` there are no more rows than have about so many characters together; each loop has its share. LookupError where
    there is no such loop.
    """
    traces: Sequence[Trace] = run.traces if loop is None else (run.of(loop),)
    outcome = run.outcome
    end: RunReturned | RunStopped
    if outcome.kind == "returned":
        end = RunReturned("returned", run.message, outcome.value)
    else:
        end = RunStopped(_STOPPED[outcome.kind], run.message, outcome.cause, where(run.program.text, outcome.span), outcome.values)
    loops = []
    left = chars_max
    for number, trace in enumerate(traces):
        share = None if left is None else left // (len(traces) - number)
        told, chars = _rows_within(trace.rows[offset : offset + rows_max], share)
        left = None if left is None else left - chars
        page = slice(offset, offset + told)
        rows, outer_rows = tuple(trace.rows[page]), None if trace.outer is None else tuple(trace.outer_rows[page])
        told_rows = (rows, len(trace.rows), trace.outer, outer_rows)
        loops.append(LoopTrace(trace.loop, trace.columns, *told_rows, trace.call, offset))
    return TraceAnswer(run.inputs, end, _lines_within(run.printed[offset : offset + rows_max], chars_max), tuple(loops))


def _rows_within(rows: Sequence[Row], chars_max: int | None) -> tuple[int, int]:
    """How many of the rows can be told, and about how many characters these have."""
    chars = 0
    for count, row in enumerate(rows):
        more = sum(map(_chars, row))
        if chars_max is not None and chars + more > chars_max:
            return count, chars
        chars += more
    return len(rows), chars


def _chars(value: Value) -> int:
    """At most how many characters of JSON a value has. It is estimated, because writing a number takes longer than counting it."""
    if isinstance(value, bool):
        return 8
    if isinstance(value, tuple):
        return sum(map(_chars, value)) + 2
    bits = value.bit_length() if isinstance(value, int) else value.numerator.bit_length() + value.denominator.bit_length()
    return bits // 3 + 8


def _lines_within(lines: Sequence[str], chars_max: int | None) -> tuple[str, ...]:
    """The first lines, as many as have so many characters together."""
    if chars_max is None:
        return tuple(lines)
    told = []
    left = chars_max
    for line in lines:
        left -= len(line) + 3
        if left < 0:
            break
        told.append(line)
    return tuple(told)


def where(text: str, span: Span) -> Where:
    line, column = line_and_column(text, span.start)
    return Where(line, column, span.start, span.end)


def unproved_places(requirements: Iterable[Requirement], program: Program) -> tuple[UnprovedPlace, ...]:
    return tuple(
        UnprovedPlace(requirement.cause, where(program.text, requirement.span), program.quoted(requirement.span))
        for requirement in requirements
    )


def _removed(removals: Iterable[Removal], program: Program) -> tuple[RemovedFact, ...]:
    return tuple(
        RemovedFact(removal.fact.loop, removal.fact.text, removal.by, unproved_places(removal.rests_on, program))
        for removal in removals
    )


def state_answer(shown: ToRuleOut, program: Program) -> StateToRuleOut:
    place = where(program.text, shown.span)
    return StateToRuleOut(shown.loop, shown.state, shown.cause, place, shown.inside, shown.proved_only)


def failing_answer(failing: FailingRun, program: Program) -> FailingRunAnswer:
    place = where(program.text, failing.span)
    return FailingRunAnswer(failing.inputs, failing.seed, failing.cause, place, choices_made(failing.choices), failing.function)


def choices_made(choices: Iterable[Chosen]) -> tuple[ChoiceMade, ...]:
    return tuple(ChoiceMade(dict(zip(chosen.names, chosen.values, strict=True)), chosen.initial) for chosen in choices)


def _refuting_run(refutation: Refutation) -> RefutingRun:
    last_rows = refutation.rows[-RUN_ROWS_MAX:]
    fitting, _ = _rows_within(last_rows[::-1], RUN_CHARS_MAX)
    first = max(0, len(refutation.rows) - max(fitting, 1))
    choices = choices_made(refutation.choices)
    rows = refutation.rows[first:]
    told = (refutation.columns, first, rows, choices, refutation.function)
    return RefutingRun(refutation.inputs, refutation.seed, refutation.row, *told)
