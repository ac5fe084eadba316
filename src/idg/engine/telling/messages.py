"""The engine's answers in plain English, for people without training in logic: what an answer means, why, and what to do next.

All sentences that the engine says stand here; those about measures and the end of programs in termination/messages.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from idg.engine.results import (
    Fact,
    FailingRun,
    Feedback,
    Kind,
    ObligationStatus,
    Refutation,
    Removal,
    SecondCheck,
    ToRuleOut,
    Transition,
    Verdict,
    WhyNot,
)
from idg.sip.errors import line_and_column
from idg.sip.program import DEFAULT_LIMITS, Program
from idg.sip.record import Record
from idg.sip.running.describe import describe_undefined
from idg.sip.running.runner import Chosen, Undefined
from idg.sip.trees.traverse import can_be_left, is_in_test
from idg.sip.values import Value, short_value
from idg.vc.query import Requirement


class StateTable(Record):
    """States that are shown as evidence, one in each row; there is a column for each variable."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = ("", *self.columns) if self.labels else self.columns
        labels = self.labels or ("",) * len(self.rows)
        lines = [head, *((label, *row) if self.labels else row for label, row in zip(labels, self.rows, strict=True))]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shown = ["  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines]
        return "\n".join([f"{self.title}:", *(f"  {line}" for line in shown)])


class Message(Record):
    """An answer in words, with its tables."""

    headline: str
    """What it is, in one sentence."""
    parts: tuple[str | StateTable, ...] = ()
    """Why, and what to do next: sentences, and tables, each after the sentence that speaks of it."""

    def __str__(self) -> str:
        shown = [self.headline, *(f"\n{part}\n" if isinstance(part, StateTable) else part for part in self.parts)]
        return "\n".join(shown).rstrip("\n")

    def _repr_html_(self) -> str:
        return message_html(self)


def message_html(message: Message, kind: str = "") -> str:
    """A message as a picture; the kind chooses the colour of its border."""
    from html import escape

    from idg.engine.telling.pictures import card, rows_table

    def drawn(part: str | StateTable) -> str:
        if isinstance(part, str):
            return f"<div>{escape(part)}</div>"
        return f"<div>{escape(part.title)}:</div>" + rows_table(part.columns, part.rows, part.labels)

    return card(kind, [f"<div><b>{escape(message.headline)}</b></div>", *map(drawn, message.parts)])


def message(result: Verdict, program: Program) -> Message:
    """The answer to a proposal."""
    headline, parts = _KINDS[result.kind](result, program)
    parts += rests_on_told(result.rests_on, program)
    if result.kind in (Kind.INDUCTIVE, Kind.POTENTIAL, Kind.UNKNOWN):
        parts += _after(result, program)
    return Message(headline, tuple(parts))


_Parts = tuple[str, list[str | StateTable]]


def _tautology(result: Verdict, program: Program) -> _Parts:
    why = "it follows from the variables' types, whatever the program does, so it says nothing new"
    return f"{_quoted(result.fact)} is always true: {why}.", ["Look at what the loop does to its variables."]


def _displaced(result: Verdict, program: Program) -> _Parts:
    if result.implied_by == (result.fact,):
        return f"{_quoted(result.fact)} is already on the list.", []
    if not result.implied_by:
        return f"{_quoted(result.fact)} is already known: the code before the loop says so.", []
    return f"{_quoted(result.fact)} is already known: it follows from {facts_told(result.implied_by, program)}.", []


def _displaced_potential(result: Verdict, program: Program) -> _Parts:
    if result.implied_by == (result.fact,):
        return f"{_quoted(result.fact)} is already among the potential invariants.", []
    same = facts_told(result.implied_by, program)
    return f"{_quoted(result.fact)} says the same as what you have as potential: {same}.", []


def _non_invariant(result: Verdict, program: Program) -> _Parts:
    refutation = result.refutation
    assert refutation is not None
    begins = run_begins(refutation.inputs, refutation.choices, refutation.function)
    start = f"{begins}, " if begins else ""
    what = refutation.function or "the program"
    turns = "when the loop is first reached" if refutation.row == 0 else f"after {refutation.row} turn{'s' * (refutation.row > 1)}"
    outside = reads_outside(result.fact, refutation, program)
    ends = "leaves it without a value" if outside else "makes it false"
    headline = f"{_quoted(result.fact)} is not an invariant: {start}{what} {ends} {turns}."
    return headline, [
        *filter(None, [outside]),
        "An invariant must hold in every run. Compare with this one:",
        refutation_table(refutation),
        *filter(None, [choices_told(refutation.choices)]),
    ]


def reads_outside(fact: Fact, refutation: Refutation, program: Program) -> str:
    """Which range is missing in the fact, where it reads outside of an array in the last row of the run; empty otherwise."""
    if "[" not in fact.text:
        return ""
    trace = program.repeat(refutation.start).of(fact.loop)
    trace.rows = trace.rows[: refutation.row + 1]
    value = trace.values(program.proposal(fact.text, fact.loop))[-1]
    if not isinstance(value, Undefined) or value.cause != "index":
        return ""
    return f"It has no value there: {describe_undefined(value, fact.text, DEFAULT_LIMITS)}."


CHOICES_TOLD_MAX = 8
"""Choices of a run that a message names, the first ones."""


def run_begins(inputs: Mapping[str, Value], choices: Iterable[Chosen], helper: str = "") -> str:
    """How a run of the program, or of a helper, begins: its inputs, and the initial values of variables unless they are zeros."""
    given = _assignments(inputs)
    begins = f"{'called' if helper else 'started'} with {given}" if given else ""
    initial = {name: value for chosen in choices if chosen.initial for name, value in _pairs(chosen)}
    unusual = {name: value for name, value in initial.items() if value != 0}
    if not unusual:
        return begins
    pronoun = "it" if len(unusual) == 1 else "them"
    return f"{begins}, and with {_assignments(unusual)} before anything is assigned to {pronoun}".removeprefix(", and ")


def choices_told(choices: Iterable[Chosen]) -> str:
    """The sentence that names what a run chose by cassign; empty where it chose nothing."""
    made = [
        " and ".join(f"{name} = {short_value(value)}" for name, value in _pairs(chosen)) for chosen in choices if not chosen.initial
    ]
    if not made:
        return ""
    more = len(made) - CHOICES_TOLD_MAX
    return f"It chooses {', then '.join(made[:CHOICES_TOLD_MAX])}{f', and {more} more times' if more > 0 else ''}."


def _pairs(chosen: Chosen) -> Iterable[tuple[str, Value]]:
    return zip(chosen.names, chosen.values, strict=True)


def _assignments(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} = {short_value(value)}" for name, value in values.items())


def _inductive(result: Verdict, program: Program) -> _Parts:
    headline = f"{_quoted(result.fact)} is an inductive invariant: it holds when the loop is reached and every turn keeps it."
    return headline, []


def _potential(result: Verdict, program: Program) -> _Parts:
    headline = f"{_quoted(result.fact)} is a potential invariant: no known run breaks it, but what is known does not prove it."
    return headline, _why(WhyNot(result.transition, result.waits_for), program)


def _why(why: WhyNot, program: Program) -> list[str | StateTable]:
    """Why a fact is not inductive yet."""
    if why.waits_for:
        waits = facts_told(why.waits_for, program)
        prove = "that is" if len(why.waits_for) == 1 else "they are"
        return [f"It waits for {waits}: once {prove} proved, it is, too."]
    if why.transition is None:
        return []
    return [_transition_sentence(why.transition, program), transition_table(why.transition)]


def _unknown(result: Verdict, program: Program) -> _Parts:
    tried = f" Tried: {', '.join(result.tried)}." if result.tried else ""
    headline = f"About {_quoted(result.fact)} nothing could be established: no run breaks it, and no proof was found.{tried}"
    if result.because:
        headline = f"About {_quoted(result.fact)} nothing can be established yet: {result.because}."
        return headline, ["No run breaks it. That does not mean it is true."]
    return headline, ["That does not mean it is false. Simpler facts may help to prove it."]


_KINDS = {
    Kind.TAUTOLOGY: _tautology,
    Kind.DISPLACED: _displaced,
    Kind.DISPLACED_POTENTIAL: _displaced_potential,
    Kind.NON_INVARIANT: _non_invariant,
    Kind.INDUCTIVE: _inductive,
    Kind.POTENTIAL: _potential,
    Kind.UNKNOWN: _unknown,
}


LIMIT_REASONS = {
    "time": "the analysis took longer than this server allows", "memory": "the analysis needed more memory than this server allows",
    "died": "the worker died each time", "error": "the engine failed on it; this was logged as a mistake of ours",
}  # fmt: skip
"""Why there is no verdict, for each limit that can end an analysis."""


def limited_message(fact: Fact, limit: str) -> str:
    """The answer to a proposal whose analysis was ended by a limit of the server."""
    return f"About {_quoted(fact)} nothing could be established: {LIMIT_REASONS[limit]}. That does not mean it is false."


def may_not_end(function: str) -> str:
    """Why a call of a helper may have no value: it may never end."""
    return f"it is not known that every call of {function} ends"


def not_proved_yet(function: str, doubted: str, unproved: Sequence[ObligationStatus], too_large: str, program: Program) -> str:
    """Why nothing is known of a helper: it is not proved itself, or `doubted`, which it calls, is not."""
    calls = f"{function} calls {doubted}, and " if doubted != function else ""
    open_places = dict.fromkeys(_place(status.cause, status.span.start, program) for status in unproved)
    why = too_large or " and ".join(open_places) or "a helper that it calls is not"
    return f"{calls}{doubted} is not proved yet: {why}"


def _after(result: Verdict, program: Program) -> list[str | StateTable]:
    parts: list[str | StateTable] = []
    others = [fact for fact in result.promoted if fact != result.fact]
    if others:
        parts.append(f"With it, {facts_told(others, program)} {'is' if len(others) == 1 else 'are'} proved too, and moved up.")
    parts += (_removal(removal, program) for removal in result.removed)
    more = feedback_message(result.feedback, program)
    return [*parts, more.headline, *more.parts]


def _removal(removal: Removal, program: Program) -> str:
    by = f": it follows from {facts_told(removal.by, program)}" if removal.by else ""
    return " ".join([f"{_quoted(removal.fact)} is no longer needed{by}.", *rests_on_told(removal.rests_on, program)])


def rests_on_told(requirements: Sequence[Requirement], program: Program) -> list[str]:
    """The sentence that names what an answer rests on; none where that is nothing."""
    if not requirements:
        return []
    are = "is" if len(requirements) == 1 else "are"
    return [f"This rests on {_requirements(requirements, program)}, which {are} not proved yet."]


def fact_told(fact: Fact, feedback: Feedback, program: Program) -> str:
    """A fact as a line of a list: with its loop where there are several, and with what it rests on."""
    place = f"loop {fact.loop}: " if len(program.loops) > 1 else ""
    rests_on = next((resting.rests_on for resting in feedback.resting if resting.fact == fact), ())
    return f"{place}{fact.text}{f'  ({rests_on_note(rests_on, program)})' if rests_on else ''}"


def rests_on_note(requirements: Sequence[Requirement], program: Program) -> str:
    """What stands beside a fact in a list that rests on something."""
    return f"rests on {_requirements(requirements, program)}"


def _requirements(requirements: Sequence[Requirement], program: Program) -> str:
    return joined(
        [
            f"{_place(requirement.cause, requirement.span.start, program)}, '{program.quoted(requirement.span)}'"
            for requirement in requirements
        ]
    )


def feedback_message(feedback: Feedback, program: Program) -> Message:
    """Where the level stands, and the next state to rule out."""
    if feedback.solved:
        if feedback.second_check is SecondCheck.NOT_DECIDED:
            return Message("Solved: the guarantee is proved.", ("The second check did not finish, so it rests on one proof.",))
        return Message("Solved: the guarantee is proved.")
    if feedback.second_check is SecondCheck.CONTRADICTED:
        why = "Our second verifier contradicts the proof, so it is not believed. This is a mistake of ours, and it was logged."
        return Message("Not solved: nothing is known for sure.", (why,))
    if feedback.too_large:
        return Message(f"This program is too large to be analysed: {feedback.too_large}.")
    if feedback.failing is not None:
        return failing_message(feedback.failing, program)
    if feedback.nothing_to_prove:
        rest = (
            " What it needs while it runs is proved, such as that each cell exists that it reads." if feedback.obligations else ""
        )
        return Message(f"This program promises nothing, so there is nothing to prove.{rest}")
    shown = None if feedback.to_rule_out is None else to_rule_out_message(feedback.to_rule_out, program)
    if feedback.potential_suffices:
        waits = facts_told(feedback.waits_for, program)
        prove = "is" if len(feedback.waits_for) == 1 else "are"
        missing = () if shown is None else ("What is missing?", shown.headline, *shown.parts)
        return Message(f"Once {waits} {prove} proved, everything is. Find facts that help to prove it.", missing)
    if shown is None:
        left = [status for status in feedback.obligations if status.status != "proved"]
        return Message("Not solved yet.", tuple(_obligation(status, program) for status in left[:3]))
    if feedback.no_other:
        headline = "No other state was found. This one, which was shown before, is still to be ruled out."
        return Message(headline, (shown.headline, *shown.parts))
    return shown


def failing_message(failing: FailingRun, program: Program) -> Message:
    begins = run_begins(failing.inputs, failing.choices, failing.function)
    start = f"{begins}, it" if begins else "it"
    broken = _place(failing.cause, failing.span.start, program)
    what = failing.function or "This program"
    headline = f"{what} does not keep its promise: {start} breaks {broken}. No invariant can prove it."
    return Message(headline, tuple(filter(None, [choices_told(failing.choices)])))


def to_rule_out_message(shown: ToRuleOut, program: Program) -> Message:
    what = _place(shown.cause, shown.span.start, program)
    place = f" of {loop_name(shown.loop, program)}" if len(program.loops) > 1 else ""
    known = "What is proved so far" if shown.proved_only else "Everything known"
    if shown.inside and can_be_left(program.loop(shown.loop).statement):
        why = f"{known} allows this state at the head{place}, and a run that goes on from it breaks {what}."
    elif shown.inside:
        part = "the loop's test" if is_in_test(program.loop(shown.loop).statement, shown.span) else "the body"
        why = f"{known} allows this state at the head{place}, and from it {part} breaks {what}."
    else:
        fails = "be false" if shown.cause in STATED else "go wrong"
        why = f"{known} allows this state at the head{place}; the loop would end there, and {what} would {fails}."
    what_next = "Facts that are not proved yet rule it out." if shown.proved_only else "Find a fact that rules it out."
    detail = f"We know no run that reaches it. {what_next}"
    return Message(why, (detail, state_table("A state to rule out", shown.state)))


def transition_message(why: WhyNot, fact: Fact, program: Program) -> Message:
    """Why a potential invariant is not inductive."""
    parts = [*_why(why, program), *rests_on_told(why.rests_on, program)]
    if not parts:
        return Message(f"No state is known that breaks {_quoted(fact)}; it could not be proved either.")
    return Message(f"{_quoted(fact)} is not inductive yet.", tuple(parts))


def _transition_sentence(transition: Transition, program: Program) -> str:
    """What the transition shows; it says no more than was checked."""
    loops = " and ".join(f"loop {passed.loop}" for passed in transition.passed)
    as_far = f"As far as {loops} {'is' if len(transition.passed) == 1 else 'are'} known" if loops else ""
    if transition.at_entry:
        if as_far:
            return f"{as_far}, this loop may be reached for the first time in this state, and the fact is false there:"
        return "What is known does not exclude this state when the loop is first reached, and it is false there:"
    if transition.broken:
        holds = f"What is proved holds in the first state, though {facts_told(transition.broken, program)} does not"
    else:
        holds = "Everything known holds in the first state"
    if as_far:
        return f"{holds}. {as_far}, a turn may lead from there to the last state, where the fact is false:"
    return f"{holds}; one turn of the loop leads to the second, where it is false:"


def _obligation(status: ObligationStatus, program: Program) -> str:
    how = {"proved": "proved", "refuted": "not implied yet", "unknown": "neither proved nor refuted"}[status.status]
    where = f" of {status.function}" if status.function else ""
    return f"{_place(status.cause, status.span.start, program)}{where}: {how}."


def explain_message(feedback: Feedback, program: Program) -> Message:
    """Which invariants each obligation's proof uses."""
    lines = []
    for status in feedback.obligations:
        uses = f", using {facts_told(status.uses, program)}" if status.uses else ""
        told = [_obligation(status, program).removesuffix(".") + uses + ".", *rests_on_told(status.rests_on, program)]
        lines.append(" ".join(told))
    return Message("Solved: every obligation is proved." if feedback.solved else "Not everything is proved yet.", tuple(lines))


STATED = frozenset({"post", "assert", "claim", "invariant"})
"""What programs state, which can be false. A division or a read can only go wrong."""
_PLACES = {
    "post": "the guarantee", "assert": "the assert", "claim": "the claim", "narrowing": "the assignment",
    "zero-divisor": "the division", "negative-exponent": "the power", "callee-pre": "the call", "invariant": "the given invariant",
    "index": "the read",
}  # fmt: skip


def _place(cause: str, offset: int, program: Program) -> str:
    return f"{_PLACES[cause]} in line {line_and_column(program.text, offset)[0]}"


def _quoted(fact: Fact) -> str:
    return f"'{fact.text}'"


def facts_told(facts: Iterable[Fact], program: Program) -> str:
    """The facts in quotes, with their loops where there are several."""
    several = len(program.loops) > 1
    return joined([f"{_quoted(fact)} (loop {fact.loop})" if several else _quoted(fact) for fact in facts])


def joined(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def loop_name(loop: int, program: Program) -> str:
    """Which loop it is: by its number and, for a loop of a helper, its function."""
    function = program.loop(loop).function
    return f"loop {loop}" if function == program.level.name else f"loop {loop} in {function}"


def state_table(title: str, state: Mapping[str, Value]) -> StateTable:
    return StateTable(title, tuple(state), (tuple(map(short_value, state.values())),))


def transition_table(transition: Transition) -> StateTable:
    if transition.at_entry:
        return StateTable("First arrival", tuple(transition.after), (_row(transition.after),))
    states = [transition.before, *(passed.state for passed in transition.passed), transition.after]
    columns = tuple(dict.fromkeys(name for state in states for name in state))
    labels = ("before", *(f"after loop {passed.loop}" for passed in transition.passed), "after")
    title = "A possible turn" if transition.passed else "One turn"
    rows = tuple(tuple(short_value(state[name]) if name in state else "" for name in columns) for state in states)
    return StateTable(title, columns, rows, labels)


def refutation_table(refutation: Refutation) -> StateTable:
    rows = tuple(tuple(map(short_value, row)) for row in refutation.rows)
    first = max(0, len(rows) - 12)
    labels = tuple(("✗" if index == len(rows) - 1 else "") + f" row {index + 1}" for index in range(first, len(rows)))
    return StateTable("The run", refutation.columns, rows[first:], labels)


def _row(state: Mapping[str, Value]) -> tuple[str, ...]:
    return tuple(map(short_value, state.values()))
