"""What is told of measures and of the end of programs as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from idg.engine.results import Fact, SecondCheck, StateAtHead
from idg.engine.termination.messages import ending_message, measure_message
from idg.engine.termination.results import Ending, EndingStatus, Measure, MeasureKind, MeasureValues, MeasureVerdict
from idg.engine.wire.answers import ChoiceMade, UnprovedPlace
from idg.engine.wire.build import choices_made, unproved_places
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.runner import Undefined
from idg.sip.values import Value, format_value


class TurnReport(Record):
    """A turn in which a measure does not fall: of a run, or one that what is proved allows."""

    before: Mapping[str, Value]
    after: Mapping[str, Value]
    measure_before: tuple[str, ...]
    """The components before the turn; empty texts where they have no value."""
    measure_after: tuple[str, ...]
    inputs: Mapping[str, Value] | None = None
    """Of a run: its inputs."""
    seed: int = 0
    row: int = 0
    """Of a run: the index of the row, in the loop's trace, from which the turn leads."""
    choices: tuple[ChoiceMade, ...] = ()
    function: str = ""
    """Of a run of a helper alone: the helper."""
    passed: tuple[StateAtHead, ...] = ()
    """Where other loops lie on the way: the states in which they are left."""


class MeasureReport(Record):
    """The answer to a proposed measure."""

    measure: str
    loop: int
    kind: MeasureKind
    message: str
    uses: tuple[Fact, ...] = ()
    rests_on: tuple[UnprovedPlace, ...] = ()
    turn: TurnReport | None = None
    waits_for: tuple[Fact, ...] = ()
    known: bool = False
    tried: tuple[str, ...] = ()
    because: str = ""


class NeverEndsReport(Record):
    """A run that never ends."""

    loop: int
    inputs: Mapping[str, Value]
    choices: tuple[ChoiceMade, ...]
    row: int
    state: Mapping[str, Value]
    again: int
    stays: tuple[str, ...]
    chosen: Mapping[str, Value] = {}
    """Where the program makes choices that are free: what the run chooses each time, for each variable."""


class EndingReport(Record):
    """What is known of the end of a program's runs."""

    status: EndingStatus
    measures: tuple[Measure, ...]
    loops: tuple[int, ...]
    functions: tuple[str, ...]
    rests_on: tuple[UnprovedPlace, ...]
    run: NeverEndsReport | None
    message: str
    second_check: SecondCheck = SecondCheck.NOT_ASKED


def measure_report(verdict: MeasureVerdict, program: Program) -> MeasureReport:
    return MeasureReport(
        verdict.measure.text,
        verdict.measure.loop,
        verdict.kind,
        str(measure_message(verdict, program)),
        verdict.uses,
        unproved_places(verdict.rests_on, program),
        _turn(verdict),
        verdict.waits_for,
        verdict.known,
        verdict.tried,
        verdict.because,
    )


def _turn(verdict: MeasureVerdict) -> TurnReport | None:
    before, after = map(_texts, verdict.values)
    if verdict.run is not None:
        run = verdict.run
        first, second = (dict(zip(run.columns, row, strict=True)) for row in (run.before, run.after))
        made = choices_made(run.choices)
        return TurnReport(first, second, before, after, run.inputs, run.seed, run.row, made, run.function)
    if verdict.turn is not None:
        return TurnReport(verdict.turn.before, verdict.turn.after, before, after, passed=verdict.turn.passed)
    return None


def _texts(values: MeasureValues) -> tuple[str, ...]:
    return tuple("" if isinstance(value, Undefined) else format_value(value) for value in values)


def ending_report(ending: Ending, program: Program) -> EndingReport:
    never = ending.never
    run = None
    if never is not None:
        made = choices_made(never.choices)
        run = NeverEndsReport(never.loop, never.inputs, made, never.row, never.state, never.again, never.stays, never.chosen)
    places = unproved_places(ending.rests_on, program)
    told = str(ending_message(ending, program))
    return EndingReport(ending.status, ending.measures, ending.loops, ending.functions, places, run, told, ending.second_check)
