"""What is said about measures and the end of programs, in plain English, as messages.py does for facts."""

from __future__ import annotations

from collections.abc import Iterator

from idg.engine.results import SecondCheck
from idg.engine.telling.messages import (
    LIMIT_REASONS,
    Message,
    StateTable,
    choices_told,
    facts_told,
    joined,
    loop_name,
    rests_on_told,
    run_begins,
    state_table,
)
from idg.engine.termination.results import (
    Contract,
    Ending,
    EndlessKind,
    EndlessVerdict,
    MeasureKind,
    MeasureValues,
    MeasureVerdict,
    NeverEnds,
    Turn,
)
from idg.sip.program import Program
from idg.sip.running.runner import Undefined
from idg.sip.text.printer import print_expression
from idg.sip.trees.logic import TRUE
from idg.sip.values import short_value

ONE_PROOF = "The second check did not finish, so this rests on one proof."


def measure_message(verdict: MeasureVerdict, program: Program) -> Message:
    """What a proposed measure is, and why."""
    text = f"'{verdict.measure.text}'"
    told = {
        MeasureKind.FALLS: _falls,
        MeasureKind.DOES_NOT_FALL: _does_not_fall,
        MeasureKind.MAY_NOT_FALL: _may_not_fall,
        MeasureKind.UNKNOWN: _unknown,
    }[verdict.kind]
    return told(text, verdict, program)


def _falls(text: str, verdict: MeasureVerdict, program: Program) -> Message:
    where = loop_name(verdict.measure.loop, program) if len(program.loops) > 1 else "the loop"
    headline = f"{text} falls in every turn, from values that are at least 0. So {where} makes only finitely many turns."
    uses = [f"The proof uses {facts_told(verdict.uses, program)}."] if verdict.uses else []
    return Message(headline, (*uses, *rests_on_told(verdict.rests_on, program)))


def _does_not_fall(text: str, verdict: MeasureVerdict, program: Program) -> Message:
    run = verdict.run
    assert run is not None, "a run shows it"
    begins = run_begins(run.inputs, run.choices, run.function)
    start = f"{begins}, " if begins else ""
    headline = f"{text} does not always fall: {start}the program makes a turn in which {_change(verdict.values)}."
    rows = (tuple(map(short_value, run.before)), tuple(map(short_value, run.after)))
    table = StateTable("The turn", run.columns, rows, (f"row {run.row + 1}", f"row {run.row + 2}"))
    return Message(headline, (table, *filter(None, [choices_told(run.choices)])))


def _change(values: tuple[MeasureValues, MeasureValues]) -> str:
    """How a measure that does not fall changes in a turn."""
    before, after = values
    for when, side in (("before", before), ("after", after)):
        if any(isinstance(value, Undefined) for value in side):
            return f"it has no value {when} the turn"
    old, new = _shown(before), _shown(after)
    if old == new:
        return f"it stays at {old}"
    first = next((index for index, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]), 0)
    start, end = before[first], after[first]
    assert not isinstance(start, Undefined)
    assert not isinstance(end, Undefined)
    if end < start < 0:
        return f"it goes from {old} to {new}, and a fall counts only from a value that is at least 0"
    if end < start:
        return f"it goes from {old} to {new}, and a fall of a rational number counts only if it is by 1 or more"
    return f"it goes from {old} to {new}"


def _shown(values: MeasureValues) -> str:
    shown = [short_value(value) for value in values if not isinstance(value, Undefined)]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def _may_not_fall(text: str, verdict: MeasureVerdict, program: Program) -> Message:
    headline = f"We know no run with a turn in which {text} does not fall, but what is proved does not show that it always does."
    parts: list[str | StateTable] = []
    if verdict.waits_for:
        relation = "that is" if len(verdict.waits_for) == 1 else "they are"
        parts.append(f"It waits for {facts_told(verdict.waits_for, program)}: once {relation} proved, it is proved to fall.")
    if verdict.turn is not None:
        parts += _turn_told(verdict.turn, verdict)
    return Message(headline, tuple(parts))


def _turn_told(turn: Turn, verdict: MeasureVerdict) -> list[str | StateTable]:
    change = _change(verdict.values)
    loops = joined([f"loop {passed.loop}" for passed in turn.passed]) if turn.passed else ""
    if loops:
        are = "is" if len(turn.passed) == 1 else "are"
        why = f"As far as {loops} {are} known, what is proved allows a turn in which {change}:"
    else:
        why = f"What is proved allows this turn, in which {change}:"
    states = [turn.before, *(passed.state for passed in turn.passed), turn.after]
    columns = tuple(dict.fromkeys(name for state in states for name in state))
    labels = ("before", *(f"after loop {passed.loop}" for passed in turn.passed), "after")
    rows = tuple(tuple(short_value(state[name]) if name in state else "" for name in columns) for state in states)
    table = StateTable("A possible turn" if turn.passed else "One turn", columns, rows, labels)
    return [why, table, "We know no run that makes it. Find a fact that rules out the state before it."]


def _unknown(text: str, verdict: MeasureVerdict, program: Program) -> Message:
    if verdict.because:
        return Message(f"Whether {text} always falls cannot be established yet: {verdict.because}.")
    tried = f" Tried: {', '.join(verdict.tried)}." if verdict.tried else ""
    headline = f"Whether {text} always falls could not be established: no proof was found.{tried}"
    return Message(
        headline, ("We know no run with a turn in which it does not fall. Simpler facts, or a simpler measure, may help.",)
    )


def ending_message(ending: Ending, program: Program) -> Message:
    """What is known of the end of the program's runs."""
    if ending.status == "ends":
        no_loop = "it comes to no loop, and its calls do not go on for ever"
        why = no_loop if not ending.measures else f"{_measured(ending, program)} in every turn"
        one = ending.second_check is SecondCheck.NOT_DECIDED
        parts = [_contract_told(contract) for contract in ending.contracts]
        remembering = "The proof remembers what variables were before inner loops, in variables such as n_before_2 for n."
        parts += [remembering] if ending.remembers else []
        parts += [ONE_PROOF] if one else []
        return Message(f"Every run ends: {why}.", tuple(parts))
    if ending.second_check is SecondCheck.CONTRADICTED:
        why = "Our second verifier contradicts the proof, so it is not believed. This is a mistake of ours, and it was logged."
        return Message("It is not known whether every run ends.", (why,))
    if ending.never is not None:
        return never_ends_message(ending.never, program)
    missing = [f"{loop_name(loop, program)} has no measure that is proved" for loop in ending.loops]
    missing += (f"it is not known that every call of {name} ends" for name in ending.functions)
    return Message(
        "It is not known whether every run ends.",
        (*(f"{_capital(text)}." for text in missing), *rests_on_told(ending.rests_on, program)),
    )


def _contract_told(contract: Contract) -> str:
    result = "" if contract.post == TRUE else f", and returns only where '{print_expression(contract.post)}' holds"
    return f"It was proved that {contract.function} is called only where '{print_expression(contract.pre)}' holds{result}."


def _measured(ending: Ending, program: Program) -> str:
    several = len(program.loops) > 1
    told = [f"'{measure.text}'{f' ({loop_name(measure.loop, program)})' if several else ''}" for measure in ending.measures]
    return f"{joined(told)} {'falls' if len(told) == 1 else 'fall'}"


def never_ends_message(never: NeverEnds, program: Program) -> Message:
    first = never.choices[: len(never.choices) - never.repeats]
    begins = run_begins(never.inputs, first)
    where = loop_name(never.loop, program) if len(program.loops) > 1 and never.loop else "the loop"
    start = f"{begins}, it" if begins else "it"
    if never.function:
        call = "makes calls inside of calls for ever"
        if not never.is_same_call and _may_stay(never.function, program):
            call = f"calls {never.function}, and that call never returns"
        headline = f"This program does not always end: {start} {call}."
        return Message(headline, (_calls_again(never, program), state_table("The arguments", never.state)))
    if never.again:
        turns = never.again - never.row
        headline = f"This program does not always end: {start} goes round {where} for ever."
        rows = f"rows {never.row + 1} and {never.again + 1}"
        why = f"After {turns} turn{'s' * (turns > 1)} it is in a state in which it was before ({rows})."
        if never.repeats:
            return Message(headline, (*_choices_again(never, turns), why, state_table("The state", never.state)))
    else:
        headline = f"This program does not always end: {start} never leaves {where}."
        holds = "holds" if len(never.stays) == 1 else "hold"
        why = f"From row {never.row + 1} on, {joined([repr(text) for text in never.stays])} {holds} in every row."
    always = [f"{name} = {text}" for name, text in never.chosen.items()]
    chosen = [f"It chooses {joined(always)} each time."] if always else []
    one = [ONE_PROOF] if never.second_check is SecondCheck.NOT_DECIDED else []
    return Message(headline, (*chosen, why, state_table("The state", never.state), *one))


def _choices_again(never: NeverEnds, turns: int) -> Iterator[str]:
    """What a run chooses that makes the same choices again and again."""
    split = len(never.choices) - never.repeats
    if first := choices_told(never.choices[:split]):
        yield first
    if again := choices_told(never.choices[split:]):
        yield f"In {'this turn' if turns == 1 else 'these turns'} {again[0].lower()}{again[1:-1]}, again and again."


def _may_stay(function: str, program: Program) -> bool:
    """Whether a call of the function might stay in a loop for ever, instead of making calls for ever."""
    reached = program.info.calls.reached(function)
    return any(loop.function in reached for loop in program.loops)


def _calls_again(never: NeverEnds, program: Program) -> str:
    name = never.function
    if never.is_same_call:
        return f"A call of {name} makes a call of {name} with the same arguments, before it returns."
    group = sorted(program.info.calls.group(name))
    calls = f"make another call of {' or '.join(group)}"
    stay = ", or to stay in a loop for ever" if _may_stay(name, program) else ""
    if not never.stays:
        return f"Before a call of {name} could return, it would have to {calls}{stay}."
    holds = "holds" if len(never.stays) == 1 else "hold"
    kept = joined([repr(text) for text in never.stays])
    if len(group) == 1:
        calls = "make another such call"
    return f"Where {kept} {holds} of its arguments, a call of {name} would have to {calls}{stay} before it could return."


def endless_message(verdict: EndlessVerdict, program: Program) -> Message:
    """The answer to a player's claim that a run never ends."""
    if verdict.never is not None:
        return never_ends_message(verdict.never, program)
    begins = run_begins(verdict.inputs, ())
    start = f"{begins}, the run" if begins else "The run"
    if verdict.kind is EndlessKind.RUN_ENDS:
        return Message(f"{_capital(start)} does not go on for ever. This is what happens: {verdict.outcome}.")
    if verdict.because:
        return Message(f"Whether this run ends could not be established: {verdict.because}.")
    why = "We found no state that comes again in it, and no facts that keep it in a loop."
    return Message(f"{_capital(start)} is longer than we run programs, but that does not show that it never ends.", (why,))


def limited_move_message(text: str, limit: str) -> str:
    """The answer to a measure or a run, as it was proposed, whose analysis was ended by a limit of the server."""
    return f"About '{text}' nothing could be established: {LIMIT_REASONS[limit]}. That does not mean it is wrong."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
