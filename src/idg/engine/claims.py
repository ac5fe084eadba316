"""Checks what a sentence claims before it leaves the engine: by evaluating the facts, and by running the program.

States and transitions come from a prover. Before one of them is told, it is checked here by other means: the facts that are said to
hold are evaluated, and a turn is run. A claim that fails its check is a mistake of ours. It is logged, and it is never shown.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from idg.engine.inquiry import Inquiry
from idg.engine.results import Fact, ToRuleOut, Transition
from idg.prover.check import fails
from idg.sip.limits import RunLimits
from idg.sip.running.restarted import turn_program
from idg.sip.running.runner import Choices
from idg.sip.values import InputError, Value

log = logging.getLogger(__name__)

TURN_LIMITS = RunLimits(steps_max=20_000, rows_max=100)
"""The limits of the run of a single turn. A turn that needs more is not checked by a run."""


def transition_is_true(inquiry: Inquiry, transition: Transition, fact: Fact, known: Sequence[Fact], choices: Choices) -> bool:
    """Whether the transition shows what its sentence says.

    The known facts and the fact itself hold before, the fact fails after, and a turn with these choices leads from the one state to
    the other.
    """
    mistake = _wrong_in_states(inquiry, transition, fact, known)
    if not mistake and not transition.at_entry and not transition.passed:
        mistake = _wrong_turn(inquiry, transition, choices)
    return _told(inquiry, mistake, f"the transition {transition} that breaks {fact.text}")


def state_is_true(inquiry: Inquiry, shown: ToRuleOut, known: Sequence[Fact]) -> bool:
    """Whether all known facts of the loop hold in the state to be ruled out, and its test is as the sentence says."""
    mistake = ""
    for fact in known:
        if fact.loop == shown.loop and not _holds(inquiry, fact, shown.state):
            mistake = f"{fact.text} does not hold in it"
    test = inquiry.program.loops[shown.loop - 1].statement.test
    row = tuple(shown.state.values())
    if inquiry.runs_at(shown.loop).truths(shown.loop, test, [row]) != [shown.inside]:
        mistake = "the loop's test is not as it is told"
    return _told(inquiry, mistake, f"the state to rule out {shown}")


def _told(inquiry: Inquiry, mistake: str, what: str) -> bool:
    if mistake:
        log.error("a mistake of ours: %s is not shown, because %s; the program: %s", what, mistake, inquiry.program.text)
    return not mistake


def _wrong_in_states(inquiry: Inquiry, transition: Transition, fact: Fact, known: Sequence[Fact]) -> str:
    """What is wrong with the facts in the states; empty where nothing is."""
    after = tuple(transition.after.values())
    [value] = inquiry.runs_at(fact.loop).truths(fact.loop, inquiry.expr(fact), [after])
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
    return inquiry.runs_at(fact.loop).truths(fact.loop, inquiry.expr(fact), [tuple(state.values())]) == [True]


def _wrong_turn(inquiry: Inquiry, transition: Transition, choices: Choices) -> str:
    """What is wrong with the turn from one state to the other; empty where nothing is, or where it cannot be run."""
    program = inquiry.runs_at(transition.loop).program
    loop = program.loops[transition.loop - 1]
    turn = inquiry.remembered(("turn", loop.number), lambda: turn_program(program, loop))
    if turn is None or program.info.choosing - {program.level.name}:
        return ""
    try:
        start = dict(zip(turn.params, (*transition.before.values(), True), strict=True))
        run = turn.run(start, choices=choices, limits=TURN_LIMITS)
    except InputError as error:
        return f"the turn cannot be run: {error}"
    if run.outcome.kind == "bound":
        return ""
    if len(run.trace.rows) != 2:
        return "there is no turn from the state before"
    told = tuple(transition.after[name] for name in loop.columns)
    reached = dict(zip(run.trace.columns, run.trace.rows[1], strict=True))
    return "" if tuple(reached[name] for name in loop.columns) == told else f"the turn leads to {reached}"
