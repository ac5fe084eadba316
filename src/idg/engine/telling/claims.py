"""Checks what a sentence claims before it leaves the engine: by evaluating the facts, and by running the program.

States and transitions come from a prover. Before one of them is told, it is checked here by other means: the facts that are said to
hold are evaluated, and a turn is run. A claim that fails its check is a mistake of ours. It is logged, and it is never shown.

One thing is no mistake: as long as a helper is not proved, conditions say nothing about whether a call of it fails. So a run
may stop inside of it before it comes to what the prover looked at. Such a state or transition is not shown, but not logged either.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from idg.engine.inquiry import Inquiry
from idg.engine.results import Fact, StateAtHead, ToRuleOut, Transition
from idg.prover.check import fails
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.running.restarted import rest_program, turn_program
from idg.sip.running.runner import Choices, Outcome, Undefined
from idg.sip.running.trace import Run
from idg.sip.syntax import NOWHERE
from idg.sip.trees.traverse import can_be_left, is_in_test
from idg.sip.values import Value

log = logging.getLogger(__name__)

UNSEEN = frozenset({"invariant"})
"""Causes at which a run from a state does not stop: a single turn has no given invariant."""
TURN_LIMITS = RunLimits(steps_max=20_000, rows_max=100)
"""The limits of the run of a single turn. A turn that needs more is not checked by a run."""


def transition_is_true(inquiry: Inquiry, transition: Transition, fact: Fact, known: Sequence[Fact], choices: Choices) -> bool:
    """Whether the transition shows what its sentence says.

    The known facts and the fact itself hold before, the fact fails after, and a turn with these choices leads from the one state to
    the other.
    """
    mistake = _wrong_in_states(inquiry, transition, fact, known)
    if not mistake and not transition.at_entry and not transition.passed:
        run = _run_on(inquiry, transition.loop, True, transition.before, choices)
        if run is not None and _in_helper(inquiry.runs_at(transition.loop).program, run.outcome):
            return False
        mistake = "" if run is None else _wrong_turn(inquiry, transition.loop, transition.after, run)
    return _told(inquiry, mistake, f"the transition {transition} that breaks {fact.text}")


def turn_is_true(
    inquiry: Inquiry,
    loop: int,
    before: Mapping[str, Value],
    after: Mapping[str, Value],
    passed: Sequence[StateAtHead],
    known: Sequence[Fact],
    choices: Choices,
    mistake: str,
    what: str,
) -> bool:
    """Whether the known facts hold before the turn, and a turn with these choices leads from the one state to the other.

    `mistake`: what is wrong with the states for another reason, if anything; `what`: the turn, as the log names it.
    """
    for fact in known:
        if fact.loop == loop and not _holds(inquiry, fact, before):
            mistake = f"{fact.text} does not hold in the state before"
        for other in passed:
            if fact.loop == other.loop and not _holds(inquiry, fact, other.state):
                mistake = f"{fact.text} does not hold where loop {other.loop} is left"
    if not mistake and not passed:
        run = _run_on(inquiry, loop, True, before, choices)
        if run is not None and _in_helper(inquiry.runs_at(loop).program, run.outcome):
            return False
        mistake = "" if run is None else _wrong_turn(inquiry, loop, after, run)
    return _told(inquiry, mistake, what)


def state_is_true(inquiry: Inquiry, shown: ToRuleOut, known: Sequence[Fact], choices: Choices = ()) -> bool:
    """Whether the state to be ruled out is what its sentence says.

    All known facts of the loop hold in it, the loop's test is as told, and the program, run on from it with these choices, fails as
    told.
    """
    mistake = ""
    for fact in known:
        if fact.loop == shown.loop and not _holds(inquiry, fact, shown.state):
            mistake = f"{fact.text} does not hold in it"
    statement = inquiry.program.loop(shown.loop).statement
    row = tuple(shown.state.values())
    [truth] = inquiry.runs_at(shown.loop).truths(shown.loop, statement.test, [row])
    without_value = isinstance(truth, Undefined) and truth.cause == shown.cause and shown.inside
    if truth is not shown.inside and not (without_value and is_in_test(statement, shown.span)):
        mistake = "the loop's test is not as it is told"
    return _told(inquiry, mistake or _wrong_failure(inquiry, shown, choices), f"the state to rule out {shown}")


def stops_in_helper(inquiry: Inquiry, shown: ToRuleOut, choices: Choices) -> bool:
    """Whether a run from the state fails inside of a helper, which is not proved, before it comes to what is told."""
    run = _run_on(inquiry, shown.loop, _within_turn(inquiry, shown), shown.state, choices)
    return run is not None and _in_helper(inquiry.runs_at(shown.loop).program, run.outcome)


def _told(inquiry: Inquiry, mistake: str, what: str) -> bool:
    if mistake:
        log.error("a mistake of ours: %s is not shown, because %s; the program: %s", what, mistake, inquiry.program.text)
    return not mistake


def _wrong_in_states(inquiry: Inquiry, transition: Transition, fact: Fact, known: Sequence[Fact]) -> str:
    """What is wrong with the facts in the states; empty where nothing is."""
    after = tuple(transition.after.values())
    [value] = inquiry.on_rows(fact, [after])
    if not fails(value):
        return "the fact does not fail in the state after"
    if transition.at_entry:
        return ""
    for other in (*known, fact):
        if other.loop == fact.loop and other not in transition.broken and not _holds(inquiry, other, transition.before):
            return f"{other.text} does not hold in the state before"
    for passed in transition.passed:
        for other in known:
            if other.loop == passed.loop and not _holds(inquiry, other, passed.state):
                return f"{other.text} does not hold where loop {passed.loop} is left"
    return ""


def _holds(inquiry: Inquiry, fact: Fact, state: Mapping[str, Value]) -> bool:
    return inquiry.on_rows(fact, [tuple(state.values())]) == [True]


def _run_on(inquiry: Inquiry, loop: int, one_turn: bool, state: Mapping[str, Value], choices: Choices) -> Run | None:
    """The run from the state at the loop's head: of one turn, or of everything that follows; None where there is no such run."""
    program = inquiry.program.alone(inquiry.function_at(loop))
    if program.info.choosing - {program.level.name}:
        return None  # What a helper chooses is not told.
    make = turn_program if one_turn else rest_program
    part = inquiry.remembered(("part", loop, one_turn), lambda: make(program, program.loops[loop - 1]))
    if part is None:
        return None
    values = (*state.values(), True) if one_turn else tuple(state.values())
    run = part.checking_claims.run(dict(zip(part.params, values, strict=True)), choices=choices, limits=TURN_LIMITS)
    return None if run.outcome.kind == "bound" else run


def _within_turn(inquiry: Inquiry, shown: ToRuleOut) -> bool:
    """Whether the failure that is told of the state comes in the turn that starts there.

    A break or a return may lead out of that turn, and the failure may come after the loop.
    """
    return shown.inside and not can_be_left(inquiry.program.loop(shown.loop).statement)


def _in_helper(program: Program, outcome: Outcome) -> bool:
    """Whether a run of the program's level, or of a part of it, failed inside of a helper."""
    helpers = (info.function.span for name, info in program.info.functions.items() if name != program.level.name)
    inside = any(span.start <= outcome.span.start < span.end for span in helpers)
    return outcome.kind == "failed" and outcome.span != NOWHERE and inside


def _wrong_turn(inquiry: Inquiry, loop: int, after: Mapping[str, Value], run: Run) -> str:
    """What is wrong with the turn from one state to the other; empty where nothing is."""
    if len(run.trace.rows) != 2:
        return "there is no turn from the state before"
    columns = inquiry.program.loops[loop - 1].columns
    told = tuple(after[name] for name in columns)
    reached = dict(zip(run.trace.columns, run.trace.rows[1], strict=True))
    return "" if tuple(reached[name] for name in columns) == told else f"the turn leads to {reached}"


def _wrong_failure(inquiry: Inquiry, shown: ToRuleOut, choices: Choices) -> str:
    """What is wrong with the failure that is told of the state; empty where nothing is, or where no run shows it."""
    one_turn = _within_turn(inquiry, shown)
    run = None if shown.cause in UNSEEN else _run_on(inquiry, shown.loop, one_turn, shown.state, choices)
    if run is None:
        return ""
    outcome = run.outcome
    # An expression that had to be rewritten for the run has lost its place.
    as_told = outcome.kind == "failed" and outcome.cause == shown.cause and outcome.span in (shown.span, NOWHERE)
    return "" if as_told else f"a run from it ends otherwise: {outcome}"
