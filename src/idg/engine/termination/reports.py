"""What is told of measures and of the end of programs as JSON."""

from __future__ import annotations

from idg.engine.termination.messages import ending_message, measure_message
from idg.engine.termination.results import Ending, MeasureValues, MeasureVerdict
from idg.engine.wire.build import choices_made, unproved_places
from idg.engine.wire.endings import EndingReport, MeasureReport, NeverEndsReport, TurnReport
from idg.sip.program import Program
from idg.sip.running.runner import Undefined
from idg.sip.values import format_value


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
        seen = (never.row, never.state, never.again, never.stays, never.chosen, never.function, never.is_same_call, never.repeats)
        run = NeverEndsReport(never.loop, never.inputs, made, *seen)
    places = unproved_places(ending.rests_on, program)
    told = str(ending_message(ending, program))
    return EndingReport(ending.status, ending.measures, ending.loops, ending.functions, places, run, told, ending.second_check)
