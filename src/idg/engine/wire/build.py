"""Makes the answers that travel from what the engine found. The sentences come from messages.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idg.engine.messages import LIMIT_REASONS, explain_message, feedback_message, limited_message, message, transition_message
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
)
from idg.engine.wire.answers import (
    BatchAnswer,
    ChoiceMade,
    Explanation,
    FailingRunAnswer,
    FeedbackAnswer,
    JudgedFact,
    LimitReached,
    LoopTrace,
    ObligationAnswer,
    ProposalAnswer,
    RefutingRun,
    RemovedFact,
    RunReturned,
    RunStopped,
    StateToRuleOut,
    StoppedKind,
    TraceAnswer,
    TransitionAnswer,
    Where,
)
from idg.sip.errors import line_and_column
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.runner import Chosen
from idg.sip.running.trace import Run, Trace
from idg.sip.syntax import Span

RUN_ROWS_MAX = 50
"""How many rows of a refuting run are told, the last ones. The whole run can be asked for by its inputs."""

_STOPPED: dict[str, StoppedKind] = {"failed": "failed", "ignored": "ignored", "bound": "bound"}


def proposal_answer(verdict: Verdict, program: Program) -> ProposalAnswer:
    """The answer to one proposal."""
    displaced = verdict.kind in (Kind.DISPLACED, Kind.DISPLACED_POTENTIAL)
    return ProposalAnswer(
        verdict.fact.text,
        verdict.fact.loop,
        verdict.kind,
        verdict.promoted,
        _removed(verdict.removed),
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
    )


def batch_answer(verdict: BatchVerdict, program: Program) -> BatchAnswer:
    """The answer to many proposals."""
    return BatchAnswer(
        tuple(JudgedFact(fact.loop, fact.text, kind) for fact, kind in verdict.kinds),
        verdict.promoted,
        _removed(verdict.removed),
        inductive_facts(verdict.books),
        potential_facts(verdict.books),
        verdict.feedback.solved,
        feedback_answer(verdict.feedback, program),
    )


class Unchanged(Record):
    """What is known of a program, where a limit of the server ended an analysis and nothing changes."""

    inductive: tuple[Fact, ...]
    potential: tuple[Fact, ...]
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
        rules_out=(),
        limited=known.limit,
    )


def feedback_answer(feedback: Feedback, program: Program) -> FeedbackAnswer:
    """Where the level stands: solved, or the next state to rule out, or why there is none."""
    shown, failing = feedback.to_rule_out, feedback.failing
    return FeedbackAnswer(
        feedback.solved,
        feedback.potential_suffices,
        None if shown is None else _state(shown, program),
        str(feedback_message(feedback, program)),
        None if failing is None else _failing(failing, program),
        feedback.too_large,
        feedback.waits_for,
        feedback.no_other,
        feedback.nothing_to_prove,
        feedback.second_check,
    )


def explanation(feedback: Feedback, program: Program) -> Explanation:
    """Which invariants the proof of each obligation uses."""
    obligations = tuple(
        ObligationAnswer(status.cause, where(program.text, status.span), status.function, status.status, status.uses)
        for status in feedback.obligations
    )
    return Explanation(feedback.solved, obligations, str(explain_message(feedback, program)))


def transition_answer(why: WhyNot, fact: Fact, program: Program) -> TransitionAnswer:
    """Why a potential invariant is not inductive yet."""
    told = str(transition_message(why, fact, program))
    return TransitionAnswer(fact.loop, fact.text, why.transition, told, why.waits_for)


def trace_answer(run: Run, loop: int | None, rows_max: int) -> TraceAnswer:
    """A run: of all its loops or of one, at most `rows_max` rows each, and how many there were. LookupError: no such loop."""
    traces: Sequence[Trace] = run.traces if loop is None else (run.of(loop),)
    outcome = run.outcome
    end: RunReturned | RunStopped
    if outcome.kind == "returned":
        end = RunReturned("returned", run.message, outcome.value)
    else:
        end = RunStopped(_STOPPED[outcome.kind], run.message, outcome.cause, where(run.program.text, outcome.span), outcome.values)
    loops = tuple(
        LoopTrace(
            trace.loop,
            trace.columns,
            tuple(trace.rows[:rows_max]),
            len(trace.rows),
            trace.outer,
            None if trace.outer is None else tuple(trace.outer_rows[:rows_max]),
            trace.call,
        )
        for trace in traces
    )
    return TraceAnswer(run.inputs, end, tuple(run.printed[:rows_max]), loops)


def where(text: str, span: Span) -> Where:
    line, column = line_and_column(text, span.start)
    return Where(line, column, span.start, span.end)


def _removed(removals: Iterable[Removal]) -> tuple[RemovedFact, ...]:
    return tuple(RemovedFact(removal.fact.loop, removal.fact.text, removal.by) for removal in removals)


def _state(shown: ToRuleOut, program: Program) -> StateToRuleOut:
    place = where(program.text, shown.span)
    return StateToRuleOut(shown.loop, shown.state, shown.cause, place, shown.inside, shown.proved_only)


def _failing(failing: FailingRun, program: Program) -> FailingRunAnswer:
    place = where(program.text, failing.span)
    return FailingRunAnswer(failing.inputs, failing.seed, failing.cause, place, choices_made(failing.choices), failing.function)


def choices_made(choices: Iterable[Chosen]) -> tuple[ChoiceMade, ...]:
    return tuple(ChoiceMade(dict(zip(chosen.names, chosen.values, strict=True)), chosen.initial) for chosen in choices)


def _refuting_run(refutation: Refutation) -> RefutingRun:
    first = max(0, len(refutation.rows) - RUN_ROWS_MAX)
    choices = choices_made(refutation.choices)
    rows = refutation.rows[first:]
    told = (refutation.columns, first, rows, choices, refutation.function)
    return RefutingRun(refutation.inputs, refutation.seed, refutation.row, *told)
