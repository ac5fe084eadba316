"""The turns that runs make of a loop, and whether a measure falls from one state to another."""

from __future__ import annotations

from collections.abc import Sequence

from idg.engine.inquiry import Inquiry
from idg.engine.states.runs import LITERAL_LIMITS, RUN_LIMITS, ReachedState, RunPool
from idg.engine.termination.results import MeasureValues, RunTurn
from idg.prover.check import fails
from idg.sip.running.runner import Row, Undefined
from idg.sip.running.trace import Trace
from idg.sip.syntax import Expr, Type
from idg.sip.values import Scalar

PLANS_MAX = 80
"""Runs whose turns are looked at."""
TURNS_MAX = 4_000
"""Turns of runs that are kept for a loop."""


class SeenTurn:
    """A turn of a run: its rows, each with the entry values of assigned parameters at its end, and how the run starts."""

    __slots__ = ("after", "before", "index", "plan")

    def __init__(self, before: Row, after: Row, plan: ReachedState, index: int) -> None:
        self.before, self.after, self.plan, self.index = before, after, plan, index


def seen_turns(inquiry: Inquiry, loop: int) -> list[SeenTurn]:
    """Turns that runs make of the loop, each pair of states once; of equal ones the one from the earliest run."""
    return inquiry.remembered(("turns", loop), lambda: _seen_turns(inquiry.runs_at(loop), loop))


def _seen_turns(runs: RunPool, loop: int) -> list[SeenTurn]:
    turns: dict[tuple[Row, Row], SeenTurn] = {}
    for plan in _plans(runs, loop):
        run = runs.program.run(plan.inputs, limits=RUN_LIMITS, seed=plan.seed, choices=plan.choices)
        entry_values = tuple(run.inputs[name] for name in runs.assigned_params)
        trace = run.of(loop)
        for index in range(len(trace.rows) - 1):
            if same_entry(trace, index):
                before, after = trace.rows[index] + entry_values, trace.rows[index + 1] + entry_values
                turns.setdefault((before, after), SeenTurn(before, after, plan, index))
        if len(turns) > TURNS_MAX:
            break
    return list(turns.values())


def same_entry(trace: Trace, index: int) -> bool:
    """Whether this row and the next are neighbours in one execution of the loop, so that a turn leads from the one to the other."""
    return not trace.outer_rows or trace.outer_rows[index] == trace.outer_rows[index + 1]


def _plans(runs: RunPool, loop: int) -> list[ReachedState]:
    """How different runs start that reach the loop: the usual ones, then those that explore choices."""
    explored = runs.explored[loop] if runs.explores else ()
    plans: dict[tuple[object, ...], ReachedState] = {}
    # The states that are reached early belong to runs that are easy to read, those that are reached late to long ones.
    usual = runs.reached[loop]
    ends = (reached for pair in zip(usual, reversed(usual), strict=True) for reached in pair)
    for reached in (*ends, *reversed(explored)):
        key = (*reached.inputs.values(), reached.seed, reached.choices)
        if key not in plans and len(plans) < PLANS_MAX:
            plans[key] = reached
    return list(plans.values())


def told(runs: RunPool, loop: int, turn: SeenTurn) -> RunTurn:
    """The turn with what repeats its run."""
    run = runs.program.run(turn.plan.inputs, limits=LITERAL_LIMITS, seed=turn.plan.seed, choices=turn.plan.choices)
    trace = run.of(loop)
    before, after = trace.rows[turn.index], trace.rows[turn.index + 1]
    width = len(trace.columns)
    assert (before, after) == (turn.before[:width], turn.after[:width]), "a run that is repeated makes the same turn"
    choices = run.choices_before(loop, turn.index + 1)
    return RunTurn(turn.plan.inputs, turn.plan.seed, turn.index, trace.columns, before, after, choices, runs.helper)


def measured(runs: RunPool, loop: int, measure: Sequence[Expr], rows: list[Row]) -> list[MeasureValues]:
    """The values of the measure in these states: the columns, then the entry values of assigned parameters."""
    by_component = [runs.truths(loop, component, rows) for component in measure]
    return list(zip(*by_component, strict=True)) if rows else []


def falls(before: MeasureValues, after: MeasureValues, kinds: Sequence[Type]) -> bool | None:
    """Whether a measure of these types falls from one value to the other; None where evaluation reached a bound."""
    if len(before) == 1 and type(before[0]) is int and type(after[0]) is int:
        return 0 <= before[0] > after[0]  # Most measures are one whole number, and thousands of turns are looked at.
    undefined = [value for value in (*before, *after) if isinstance(value, Undefined)]
    if undefined:
        return False if all(map(fails, undefined)) else None
    for old, new, kind in zip(before, after, kinds, strict=True):
        if _falls(old, new, kind):
            return True
        if old != new:
            return False
    return False


def _falls(before: Scalar | Undefined, after: Scalar | Undefined, kind: Type) -> bool:
    assert not isinstance(before, Undefined)
    assert not isinstance(after, Undefined)
    least = 1 if kind is Type.RAT else 0
    return bool(before >= 0 and after < before and after + least <= before)
