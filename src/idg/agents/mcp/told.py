"""What the tools answer. The answers are short, because a model pays for each character, and their classes are the output schemas.

A fact is a text; where a program has several loops, the loop stands before it: `loop 2: i <= n`. A number is a JSON number where
every reader of JSON takes it exactly, and a text such as "7/3" elsewhere. What is empty or does not apply is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, ConfigDict, Field

from idg.agents.sdk.game import Game
from idg.agents.sdk.moves import CheckedExpression
from idg.engine.results import Fact, Kind, Transition
from idg.engine.termination.results import MeasureKind
from idg.engine.wire.answers import (
    BatchAnswer,
    Explanation,
    FeedbackAnswer,
    LoopTrace,
    ProposalAnswer,
    TraceAnswer,
    TransitionAnswer,
)
from idg.engine.wire.endings import MeasureJudged
from idg.engine.wire.events import EndMark, GivenHint
from idg.engine.wire.places import UnprovedPlace
from idg.sip.text.expressions import DECREASES
from idg.sip.trees.traverse import names_and_olds
from idg.sip.values import Scalar, Value, format_value, short_value

EXACT_NUMBER_MAX = 2**53 - 1
"""The largest whole number that every reader of JSON takes exactly."""
VALUE_CHARS_MAX = 100
"""Characters of a value's text; longer numbers are cut in the middle, and their length is told."""
CELLS_SHOWN_MAX = 50
"""Cells of an array that are told; of a longer one the first and the last are, as a text."""
FIRST_ROWS_MAX = 12
"""Rows at the beginning of a loop's trace that a model is shown."""
LAST_ROWS_MAX = 4
"""Rows at the end of a longer trace that it is shown besides."""
ROWS_SHOWN_MAX = FIRST_ROWS_MAX + LAST_ROWS_MAX
"""Rows of a loop's trace that it is shown altogether."""

NOT_AT_ENTRY = "as far as is known, the loop can be reached for the first time in the state `after`"

ShownScalar = bool | int | str
"""A number or truth value as a model is told it."""
Shown = ShownScalar | list[ShownScalar]
"""A value as a model is told it; of an array its cells."""
ShownState = dict[str, Shown]


class ToolAnswer(BaseModel):
    """What a tool answers."""

    model_config = ConfigDict(extra="forbid")

    def result(self) -> CallToolResult:
        """The answer as structured content, and the same as a text without blanks."""
        content = TextContent(type="text", text=self.model_dump_json(exclude_none=True))
        return CallToolResult(content=[content], structured_content=self.model_dump(mode="json", exclude_none=True))


class ToldLevel(BaseModel):
    """A level in the list."""

    level: str
    difficulty: int
    loops: int | None = None
    """Where there are several."""


class ToldLevels(ToolAnswer):
    """The levels that can be played."""

    levels: list[ToldLevel]


class ToldRuleOut(BaseModel):
    """A state at a loop head that has to be ruled out."""

    state: ShownState
    breaks: str
    """What fails from there."""
    loop_goes_on: bool
    """Whether the loop's test holds in the state. If so, its body breaks something; otherwise what comes after the loop does."""
    loop: int | None = None


class ToldStanding(ToolAnswer):
    """Where a game stands after a call."""

    solved: bool
    rule_out: ToldRuleOut | None = None
    next: str | None = None
    """What to do where there is no state to rule out."""
    failing_inputs: ShownState | None = None
    """Inputs of a run that breaks the guarantee: nothing can prove it."""


class ToldVerdict(BaseModel):
    """What a proposal is."""

    expression: str
    """In canonical form."""
    kind: str
    inputs: ShownState | None = None
    """The inputs of a run that refutes it."""
    helper: str | None = None
    """The helper function that the refuting run runs alone."""
    state: ShownState | None = None
    """The state of that run in which it is false."""
    before: ShownState | None = None
    """A state that everything known allows, from which one turn makes it false, or a measure not fall."""
    after: ShownState | None = None
    implied_by: list[str] | None = None
    waits_for: list[str] | None = None
    rests_on: list[str] | None = None
    note: str | None = None


class ToldVerdicts(ToldStanding):
    """What proposals are, and where the game stands after them."""

    judged: list[ToldVerdict] = Field(default_factory=list)
    also_proved: list[str] | None = None
    """Earlier proposals that are proved now."""
    no_longer_needed: list[str] | None = None
    """Proved facts that others imply now."""
    ends: EndMark | None = None


class ToldStatus(ToldStanding):
    """All that is known of a level."""

    proved: list[str] = Field(default_factory=list)
    potential: list[str] | None = None
    unknown: list[str] | None = None
    measures: list[str] | None = None
    ends: EndMark | None = None
    resting: list[str] | None = None
    """Proved facts that rest on something unproved."""


class ToldTransition(ToolAnswer):
    """One turn of a loop that breaks a potential invariant."""

    before: ShownState | None = None
    after: ShownState | None = None
    note: str | None = None


class ToldLoopTrace(BaseModel):
    """The states at the head of one loop."""

    loop: int
    variables: list[str]
    rows: list[list[Shown]]
    left_out: int | None = None
    """How many rows follow that are not shown."""
    last_rows: list[list[Shown]] | None = None
    call: ShownState | None = None
    """For the loop of a helper: the arguments of the call."""


class ToldTrace(ToolAnswer):
    """A run."""

    inputs: ShownState
    outcome: str
    loops: list[ToldLoopTrace]


class ToldLoop(BaseModel):
    """A loop of a program."""

    loop: int
    test: str
    variables: list[str]
    inside_loop: int | None = None
    function: str | None = None
    """The helper that it belongs to."""


class ToldProgram(ToldStatus):
    """A program to be played, and where its game stands."""

    level: str
    program: str
    guarantee: str
    inputs: dict[str, str]
    loops: list[ToldLoop]
    first_trace: ToldTrace


class ToldChecks(ToolAnswer):
    """Expressions on the states of traces."""

    states: int
    holds: list[str]
    """Those that are true in every state."""
    fails: dict[str, ShownState]
    """Those that are not: with the values of their variables in the first such state."""
    problems: dict[str, str] | None = None
    """What is no expression of the loop, and why."""


class ToldHint(ToolAnswer):
    """A step of a hint."""

    step: str
    hint: str
    left: int
    """How many steps follow."""
    expression: str | None = None
    """In the last step: what to propose."""
    loop: int | None = None
    coins: int | None = None
    """What it cost."""


class ToldObligation(BaseModel):
    """Something to be proved."""

    what: str
    status: str
    uses: list[str] | None = None
    rests_on: list[str] | None = None


class ToldProof(ToolAnswer):
    """What the proof of each obligation uses."""

    solved: bool
    obligations: list[ToldObligation]


# values and facts


def shown(value: Value) -> Shown:
    if not isinstance(value, tuple):
        return _shown_scalar(value)
    if len(value) <= CELLS_SHOWN_MAX:
        return list(map(_shown_scalar, value))
    return short_value(value)


def _shown_scalar(value: Scalar) -> ShownScalar:
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) <= EXACT_NUMBER_MAX):
        return value
    text = format_value(value)
    return text if len(text) <= VALUE_CHARS_MAX else short_value(value)


def shown_state(values: Mapping[str, Value]) -> ShownState:
    return {name: shown(value) for name, value in values.items()}


def labelled(game: Game, loop: int, text: str) -> str:
    return text if len(game.loops) == 1 else f"loop {loop}: {text}"


def fact_texts(game: Game, facts: Iterable[Fact]) -> list[str]:
    return [labelled(game, fact.loop, fact.text) for fact in facts]


def _places(places: Iterable[UnprovedPlace]) -> list[str] | None:
    return [f"{place.cause} in line {place.where.line}: {place.text}" for place in places] or None


# where a game stands


def _standing(game: Game, feedback: FeedbackAnswer) -> dict[str, object]:
    fields: dict[str, object] = {"solved": game.solved}
    state = feedback.state
    if state is not None:
        fields["rule_out"] = ToldRuleOut(
            state=shown_state(state.values),
            breaks=f"{state.cause} in line {state.where.line}",
            loop_goes_on=state.inside,
            loop=state.loop if len(game.loops) > 1 else None,
        )
        if feedback.no_other:
            fields["next"] = "no other state was found; this one was shown before"
    elif not game.solved:
        fields["next"] = feedback.message
    if feedback.failing is not None:
        fields["failing_inputs"] = shown_state(feedback.failing.inputs)
    return fields


def told_standing(game: Game, feedback: FeedbackAnswer) -> ToldStanding:
    return ToldStanding.model_validate(_standing(game, feedback))


def _books(game: Game) -> dict[str, object]:
    measures = [f"{labelled(game, one.loop, f'{DECREASES} {one.text}')} ({_waits(one.proved)})" for one in game.measures]
    resting = [f"{labelled(game, one.loop, one.text)} {one.message}" for one in game.feedback.resting]
    return {
        "proved": fact_texts(game, game.inductive),
        "potential": fact_texts(game, game.potential) or None,
        "unknown": fact_texts(game, game.unknown) or None,
        "measures": measures or None,
        "ends": game.ends or None,
        "resting": resting or None,
    }


def _waits(proved: bool) -> str:
    return "falls" if proved else "waits"


def told_status(game: Game) -> ToldStatus:
    return ToldStatus.model_validate(_standing(game, game.feedback) | _books(game))


def told_program(game: Game, level: str) -> ToldProgram:
    own = game.program.level.name
    loops = [
        ToldLoop(
            loop=loop.number,
            test=loop.test,
            variables=list(loop.columns),
            inside_loop=loop.outer,
            function=None if loop.function == own else loop.function,
        )
        for loop in game.loops
    ]
    return ToldProgram.model_validate(
        _standing(game, game.feedback)
        | _books(game)
        | {
            "level": level,
            "program": game.source,
            "guarantee": game.guarantee,
            "inputs": game.params,
            "loops": loops,
            "first_trace": told_trace(game, game.first_trace),
        }
    )


# verdicts


def told_proposal(game: Game, answer: ProposalAnswer) -> ToldVerdicts:
    run, turn = answer.run, answer.transition
    verdict = ToldVerdict(
        expression=answer.expression,
        kind=str(answer.kind),
        inputs=None if run is None else shown_state(run.inputs),
        helper=None if run is None else run.function or None,
        state=None if run is None else shown_state(run.state),
        before=None if turn is None or turn.at_entry else shown_state(turn.before),
        after=None if turn is None else shown_state(turn.after),
        implied_by=fact_texts(game, answer.implied_by) or None,
        waits_for=fact_texts(game, answer.waits_for) or None,
        rests_on=_places(answer.rests_on),
        note=_note(answer, turn),
    )
    return _verdicts(game, answer, [verdict])


def _note(answer: ProposalAnswer, turn: Transition | None) -> str | None:
    """A sentence where the fields do not say everything."""
    if answer.kind is Kind.UNKNOWN or answer.limited:
        return answer.message
    if turn is not None and turn.at_entry:
        return NOT_AT_ENTRY
    return None


def told_batch(game: Game, answer: BatchAnswer) -> ToldVerdicts:
    judged = [ToldVerdict(expression=fact.text, kind=str(fact.kind)) for fact in answer.kinds]
    judged += [ToldVerdict(expression=claim.text, kind=claim.kind) for claim in answer.moves]
    if answer.limited:
        judged = [verdict.model_copy(update={"note": f"a limit of the server ended it: {answer.limited}"}) for verdict in judged]
    return _verdicts(game, answer, judged)


def _verdicts(game: Game, answer: ProposalAnswer | BatchAnswer, judged: list[ToldVerdict]) -> ToldVerdicts:
    now = {Fact(fact.loop, fact.text) for fact in answer.kinds}
    also = fact_texts(game, (fact for fact in answer.promoted if fact not in now))
    also += [labelled(game, one.loop, f"{DECREASES} {one.text}") for one in answer.measures_proved]
    fields = {
        "judged": judged,
        "also_proved": also or None,
        "no_longer_needed": fact_texts(game, (removed.fact for removed in answer.removed)) or None,
        "ends": game.ends or None,
    }
    return ToldVerdicts.model_validate(_standing(game, game.feedback) | fields)


def told_measure(game: Game, answer: MeasureJudged) -> ToldVerdicts:
    report = answer.report
    verdict = ToldVerdict(
        expression=f"{DECREASES} {report.measure}",
        kind=str(answer.kind),
        inputs=None if report.turn is None or report.turn.inputs is None else shown_state(report.turn.inputs),
        before=None if report.turn is None else shown_state(report.turn.before),
        after=None if report.turn is None else shown_state(report.turn.after),
        waits_for=fact_texts(game, report.waits_for) or None,
        rests_on=_places(report.rests_on),
        note=None if answer.kind is MeasureKind.FALLS or report.turn is not None else report.message,
    )
    return ToldVerdicts.model_validate(_standing(game, game.feedback) | {"judged": [verdict], "ends": game.ends or None})


def told_claim(game: Game, expression: str, kind: str, message: str) -> ToldVerdicts:
    verdict = ToldVerdict(expression=expression, kind=kind, note=message)
    return ToldVerdicts.model_validate(_standing(game, game.feedback) | {"judged": [verdict], "ends": game.ends or None})


def told_transition(answer: TransitionAnswer) -> ToldTransition:
    turn = answer.transition
    if turn is None:
        return ToldTransition(note=answer.message)
    return ToldTransition(
        before=None if turn.at_entry else shown_state(turn.before),
        after=shown_state(turn.after),
        note=NOT_AT_ENTRY if turn.at_entry else None,
    )


# free: runs and expressions on their states


def told_trace(game: Game, trace: TraceAnswer) -> ToldTrace:
    """The run with the first and the last rows of each loop."""
    run = None
    loops = []
    for loop in trace.loops:
        last: Sequence[Sequence[Value]] = ()
        if loop.rows_total > ROWS_SHOWN_MAX:
            run = run or game.program.run(trace.inputs)
            own = run.of(loop.loop)
            # A server may have bounds of its own for long runs; then the end of ours is not the end of its run.
            last = own.rows[-LAST_ROWS_MAX:] if len(own.rows) == loop.rows_total else ()
        loops.append(_loop_trace(loop, last))
    return ToldTrace(inputs=shown_state(trace.inputs), outcome=trace.outcome.message, loops=loops)


def _loop_trace(loop: LoopTrace, last: Sequence[Sequence[Value]]) -> ToldLoopTrace:
    first = loop.rows[: ROWS_SHOWN_MAX if loop.rows_total <= ROWS_SHOWN_MAX else FIRST_ROWS_MAX]
    return ToldLoopTrace(
        loop=loop.loop,
        variables=list(loop.columns),
        rows=[list(map(shown, row)) for row in first],
        left_out=loop.rows_total - len(first) - len(last) or None,
        last_rows=[list(map(shown, row)) for row in last] or None,
        call=None if loop.call is None else shown_state(loop.call),
    )


def told_checks(game: Game, loop: int, checked: Sequence[CheckedExpression]) -> ToldChecks:
    fails: dict[str, ShownState] = {}
    problems: dict[str, str] = {}
    for one in checked:
        if one.problem:
            problems[one.expression] = one.problem
        elif one.failing is not None:
            used = names_and_olds(game.program.expression(one.expression, loop)[0])
            fails[one.expression] = shown_state({name: value for name, value in one.failing.items() if name in used})
        elif not one.holds:
            problems[one.expression] = "there is no state to look at: no run so far reaches this loop"
    return ToldChecks(
        states=max(one.states for one in checked),
        holds=[one.expression for one in checked if one.holds],
        fails=fails,
        problems=problems or None,
    )


def told_hint(game: Game, hint: GivenHint) -> ToldHint:
    return ToldHint(
        step=hint.step,
        hint=hint.message,
        left=hint.left,
        expression=hint.expression,
        loop=hint.loop if len(game.loops) > 1 else None,
        coins=hint.coins or None,
    )


def told_proof(game: Game, explanation: Explanation) -> ToldProof:
    obligations = [
        ToldObligation(
            what=f"{one.cause} in line {one.where.line}",
            status=str(one.status),
            uses=fact_texts(game, one.uses) or None,
            rests_on=_places(one.rests_on),
        )
        for one in explanation.obligations
    ]
    return ToldProof(solved=explanation.solved, obligations=obligations)
