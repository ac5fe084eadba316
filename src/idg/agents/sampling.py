"""More runs where the usual ones show too little: inputs for a narrow precondition, more choices, long loops by acceleration."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping

from idg.agents.turns import GOING, TURN_LIMITS, turn_program
from idg.agents.view import View
from idg.engine.runs import RUN_LIMITS, RunPool
from idg.sip.compiler import compile_states
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.runner import Row, evaluate_rows
from idg.sip.syntax import Type
from idg.sip.values import Value
from idg.vc.terms import conjunction

FEW_INPUTS = 25
"""Inputs below which more are looked for."""
FEW_STATES = 40
DRAWS = 12_000
INPUTS_MAX = 60
CHOICE_RUNS = 60
LONG_RUNS_MAX = 4
STEADY_ROWS = 12
"""Turns that must change the state by the same amounts before a jump is tried."""
JUMPS_MAX = 4
JUMP_BITS_MAX = 80
TURNS_AFTER_JUMP = 6
FAR_SIZES = (300, 2_000, 5_000, 12_000)
FAR_LIMITS = RunLimits(steps_max=15_000)
CONFIRM_LIMITS = RunLimits(steps_max=3_000_000)


class Sample:
    """What further runs found: states for each loop, and inputs from which a run fails."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rows: list[list[tuple[Row, int]]] = [[] for _ in program.loops]
        """With the number of the run that reaches them."""
        self.failing: tuple[Mapping[str, Value], int] | None = None
        self.runs = 0

    def run(self, inputs: Mapping[str, Value], seed: int, olds: tuple[str, ...]) -> bool:
        """Whether the run came to an end."""
        run = self.program.run(inputs, limits=RUN_LIMITS, seed=seed)
        self.runs += 1
        entry = tuple(run.inputs[name] for name in olds)
        for table, trace in zip(self.rows, run.traces, strict=True):
            table += ((row + entry, self.runs) for row in trace.rows)
        if run.outcome.kind == "failed" and self.failing is None:
            self.failing = (dict(run.inputs), seed)
        return run.outcome.kind != "bound"


def more(program: Program, pool: RunPool, seed: int) -> Sample:
    """Further runs, only where the known ones are few."""
    found = Sample(program)
    pick = random.Random(seed)
    inputs = {tuple(each.inputs.items()) for table in pool.reached for each in table}
    states = min((len(table) for table in pool.reached), default=0)
    if program.params and len(inputs) < FEW_INPUTS and program.level.pres:
        for each in fitting_inputs(program, pick):
            found.run(each, pick.randrange(1000), pool.olds)
    if pool.chooses and states < FEW_STATES:
        known = [dict(each) for each in sorted(inputs, key=str)] or [{}]
        for number in range(CHOICE_RUNS):
            found.run(pick.choice(known), number + 10, pool.olds)
    return found


def fitting_inputs(program: Program, pick: random.Random) -> list[dict[str, Value]]:
    """Inputs that satisfy the precondition, drawn at random in all sizes."""
    rows = [tuple(_draw(kind, pick) for kind in program.params.values()) for _ in range(DRAWS)]
    compiled = compile_states(program.info, program.params, conjunction(program.level.pres))
    holds = evaluate_rows(compiled, rows, {}, RUN_LIMITS)
    fitting = list(dict.fromkeys(row for row, value in zip(rows, holds, strict=True) if value is True))
    return [dict(zip(program.params, row, strict=True)) for row in fitting[:INPUTS_MAX]]


def _draw(kind: Type, pick: random.Random) -> Value:
    if kind is Type.BOOL:
        return pick.random() < 0.5
    number = pick.randrange(1 << pick.choice((2, 3, 4, 5, 6, 7, 8, 10)))
    return -number if kind is not Type.NAT and pick.random() < 0.2 else number


def failing_far(program: Program) -> tuple[Mapping[str, Value], int] | None:
    """Longer runs from larger inputs than usual, only to see whether one fails."""
    for size in FAR_SIZES if program.params else ():
        inputs = {name: _large(kind, size) for name, kind in program.params.items()}
        if program.run(inputs, limits=FAR_LIMITS, record=False).outcome.kind == "failed":
            return inputs, 0
    return None


# acceleration


def accelerated(program: Program, view: View) -> Iterator[tuple[Mapping[str, Value], list[Row]]]:
    """States late in runs that are too long to be run here: jumps over turns that all change the state by the same amounts."""
    turn = turn_program(view)
    if turn is None or view.loop.outer is not None:
        return
    inputs: list[dict[str, Value]] = [{}] if not program.params else []
    for size in (10**6, 10**8) if program.params else ():
        inputs.append({name: _large(kind, size) for name, kind in program.params.items()})
    for each in inputs[:LONG_RUNS_MAX]:
        run = program.run(each, limits=RUN_LIMITS)
        rows = run.of(view.number).rows
        if run.outcome.kind == "bound" and len(rows) > STEADY_ROWS:
            entry = tuple(run.inputs[name] for name in view.olds)
            found = _follow(turn, view, [row + entry for row in rows[-STEADY_ROWS:]])
            if found:
                yield run.inputs, found


def _large(kind: Type, size: int) -> Value:
    return True if kind is Type.BOOL else size


def _follow(turn: Program, view: View, rows: list[Row]) -> list[Row]:
    found: list[Row] = []
    for _ in range(JUMPS_MAX):
        change = _steady_change(view, rows)
        if change is None:
            break
        start = rows[-1]
        turns = _furthest(turn, view, start, change)
        rows = [_moved(start, change, turns - 1)] if turns > 1 else rows[-1:]
        while len(rows) <= max(STEADY_ROWS, TURNS_AFTER_JUMP):
            after = _after(turn, view, rows[-1])
            if after is None:
                return [*found, *rows]
            rows.append(after)
        found += rows
    return found


def _steady_change(view: View, rows: list[Row]) -> Row | None:
    """By how much each turn changes each variable, where that is always the same."""
    changes = {tuple(_change(a, b) for a, b in zip(one, two, strict=True)) for one, two in itertools.pairwise(rows)}
    found = changes.pop() if len(changes) == 1 else ()
    return None if not found or not any(found) or None in found else tuple(each for each in found if each is not None)


def _change(before: Value, after: Value) -> Value | None:
    if isinstance(before, bool) or isinstance(after, bool):
        return 0 if before is after else None
    return after - before


def _moved(row: Row, change: Row, turns: int) -> Row:
    return tuple(value if isinstance(value, bool) else value + turns * by for value, by in zip(row, change, strict=True))


def _furthest(turn: Program, view: View, start: Row, change: Row) -> int:
    """The number of turns that keep changing the state in this way, if whether they do changes only once."""

    def steady(turns: int) -> bool:
        return _after(turn, view, _moved(start, change, turns)) == _moved(start, change, turns + 1)

    high = 1
    while high.bit_length() < JUMP_BITS_MAX and steady(high):
        high *= 2
    if high.bit_length() >= JUMP_BITS_MAX:
        return 0
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if steady(middle) else (low, middle)
    return low + 1


def _after(turn: Program, view: View, row: Row) -> Row | None:
    inputs: dict[str, Value] = dict(zip(turn.params, row, strict=False))
    inputs[GOING] = True
    rows = turn.run(inputs, limits=TURN_LIMITS).traces[0].rows
    columns = len(view.loop.columns)
    return rows[1][:columns] + row[columns:] if len(rows) == 2 else None
