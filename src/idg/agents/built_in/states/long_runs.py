"""Late states of runs that are too long to be made here. The agent jumps over turns that all change the state by the same amounts.

Nothing of this is trusted: the states only suggest candidates, and a run that seems to fail is made in full before it counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from idg.agents.built_in.states.loop_view import LoopView
from idg.agents.built_in.states.sampling import all_alike
from idg.agents.built_in.states.turns import TURN_LIMITS
from idg.engine.states.runs import RUN_LIMITS
from idg.sip.errors import InputError, SipError
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.restarted import GOING, rest_program, turn_program
from idg.sip.running.runner import Row
from idg.sip.running.trace import Run, Trace
from idg.sip.syntax import Compare, Expr, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import expressions, statement_expressions, statements
from idg.sip.values import Scalar, Value, scalar

SIZES = (10**6, 10**8)
"""Values of all inputs of a long run. A loop that counts up to either of them exceeds the limits of the usual runs."""
STEADY_TURNS = 8
"""Turns in sequence that must change the state by the same amounts before a jump is tried."""
JUMPS_MAX = 8
"""Jumps at one loop: its phases that are followed."""
JUMP_BITS_MAX = 80
"""Bits of the number of turns of a jump. A change that stays steady for longer is taken to be steady for ever."""
TURNS_AFTER_JUMP = 12
"""Turns that are made after a jump, so that the next phase can show that its change is steady, too."""
EQUATIONS_MAX = 12
"""Equations of a loop at whose points jumps end."""
LOOPS_MAX = 6
"""Loops that are followed, one after the other."""


class LongRun(Record):
    """What is known of a run that was not made in full."""

    inputs: Mapping[str, Value]
    rows: tuple[tuple[int, Row], ...]
    """Late states, each with the number of its loop."""
    turns: int
    """The number of turns that were jumped over."""
    seems_to_fail: bool


def long_runs(program: Program, views: Sequence[LoopView]) -> Iterator[LongRun]:
    """The runs from large inputs, or the only run of a program without inputs, where they are too long to be made."""
    for inputs in [all_alike(program, size) for size in SIZES] if program.params else [{}]:
        run = program.run(inputs, limits=RUN_LIMITS)
        if run.outcome.kind == "bound":
            long_run = _follow(views, run)
            if long_run.rows:
                yield long_run


def _follow(views: Sequence[LoopView], run: Run) -> LongRun:
    """Follows a run that was ended by its limits: through the loop in which it stood, and then through the loops after that."""
    rows: list[tuple[int, Row]] = []
    inputs = run.inputs
    entry = tuple(inputs[name] for name in views[0].assigned_params)
    # The place of the view to which the first table belongs. The tables are those of the program, or of its rest from a loop on.
    first = 0
    turns = 0
    for _ in range(LOOPS_MAX):
        reached = [place for place, trace in enumerate(run.level_traces, first) if trace.rows and views[place].loop.outer is None]
        if run.outcome.kind != "bound" or not reached:
            break
        view = views[reached[-1]]
        table = _rows_of(view, run.level_traces[reached[-1] - first], entry)
        far, jumped = _follow_in_loop(view, table[-STEADY_TURNS - 1 :]) if len(table) > STEADY_TURNS else ([], 0)
        turns += jumped
        rows += ((view.number, row) for row in far)
        rest = rest_program(view.program, view.loop) if far else None
        if rest is None:
            break
        run = rest.run(dict(zip(rest.params, far[-1], strict=True)), limits=RUN_LIMITS)
        first = reached[-1]
        for later, trace in zip(views[first + 1 :], run.level_traces[1:], strict=True):
            rows += ((later.number, row) for row in _rows_of(later, trace, entry))
    return LongRun(inputs, tuple(rows), turns, run.outcome.kind == "failed")


def _rows_of(view: LoopView, trace: Trace, entry: Row) -> list[Row]:
    """The states that a run reaches at the loop, as rows of the view; none where the run does not know all of its columns."""
    if any(name not in trace.columns for name in view.loop.columns):
        return []
    columns = [trace.columns.index(name) for name in view.loop.columns]
    return [(*(row[column] for column in columns), *entry) for row in trace.rows]


# jumps

Changed = tuple[Scalar, ...]
"""How much a turn changes each column. Booleans and arrays do not change."""


def _follow_in_loop(view: LoopView, rows: list[Row]) -> tuple[list[Row], int]:
    """Later states of the same run at the same loop, as far as jumps lead, and the number of turns that the jumps left out."""
    turn = turn_program(view.program, view.loop)
    if turn is None:
        return [], 0
    late: list[Row] = []
    jumped = 0
    for _ in range(JUMPS_MAX):
        change = _steady_change(rows[-STEADY_TURNS - 1 :])
        if change is None:
            break
        turns = _furthest(turn, view, rows[-1], change)
        rows = [_moved(rows[-1], change, turns - 1)] if turns > 1 else rows[-1:]
        jumped += turns
        while len(rows) <= TURNS_AFTER_JUMP:
            after = _after(turn, view, rows[-1])
            if after is None:
                return [*late, *rows], jumped
            rows.append(after)
        late += rows
    return late, jumped


def _steady_change(rows: Sequence[Row]) -> Changed | None:
    """How much each turn changes each variable, where that is always the same."""
    changes = {tuple(_change(a, b) for a, b in zip(one, two, strict=True)) for one, two in itertools.pairwise(rows)}
    change = changes.pop() if len(changes) == 1 else ()
    return None if not change or not any(change) or None in change else tuple(by for by in change if by is not None)


def _change(before: Value, after: Value) -> Scalar | None:
    if isinstance(before, bool | tuple) or isinstance(after, bool | tuple):
        return 0 if before == after else None
    return after - before


def _moved(row: Row, change: Changed, turns: int) -> Row:
    return tuple(value if isinstance(value, bool | tuple) else value + turns * by for value, by in zip(row, change, strict=True))


def _furthest(turn: Program, view: LoopView, start: Row, change: Changed) -> int:
    """The number of turns that keep changing the state in this way.

    It is found by trying few of them: at the points where a `=` or `!=` of the loop comes out otherwise, then at growing distances,
    then by bisection. So it is right if the turns are steady up to some turn and never after it.
    """

    def steady(turns: int) -> bool:
        return _after(turn, view, _moved(start, change, turns)) == _moved(start, change, turns + 1)

    high = next((turns for turns in _points(view, start, change) if not steady(turns)), None)
    if high is None:
        high = 1
        while high.bit_length() < JUMP_BITS_MAX and steady(high):
            high *= 2
        if high.bit_length() >= JUMP_BITS_MAX:
            return 0
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if steady(middle) else (low, middle)
    return low + 1


def _points(view: LoopView, start: Row, change: Changed) -> list[int]:
    """The numbers of turns after which, or next to which, two sides of a `=` or `!=` of the loop are equal, smallest first."""
    loop = view.loop.statement
    wholes = [loop.test, *(expr for statement in statements(loop.body) for expr in statement_expressions(statement))]
    compared = dict.fromkeys(part for whole in wholes for part in expressions(whole) if isinstance(part, Compare))
    equations = [part for part in compared if part.ops in (("=",), ("!=",))]
    points: set[int] = set()
    differences = [gap for part in equations if (gap := _gap(view, part)) is not None]
    for gap in differences[:EQUATIONS_MAX]:
        gaps = view.values([gap], [start, _moved(start, change, 1)])[0]
        known = [value for value in gaps if isinstance(value, int | Fraction) and not isinstance(value, bool)]
        if len(known) == 2 and known[0] != known[1]:
            turns = known[0] / Fraction(known[0] - known[1])
            # In the body, a variable may have been changed before it is compared.
            points |= {int(turns) + by for by in (-1, 0, 1) if turns.denominator == 1}
    return sorted(point for point in points if point > 0)


def _gap(view: LoopView, equation: Compare) -> Expr | None:
    """The difference of the two sides, where they are numbers that can be seen at the loop."""
    left, right = map(print_expression, equation.operands)
    try:
        return view.program.expression(f"({left}) - ({right})", view.number)[0]
    except SipError:
        return None


def _after(turn: Program, view: LoopView, row: Row) -> Row | None:
    """The state after one turn; None where there is no turn from this state."""
    if any(view.types[name] is Type.NAT and scalar(value) < 0 for name, value in zip(view.names, row, strict=True)):
        return None
    inputs: dict[str, Value] = dict(zip(turn.params, row, strict=False))
    inputs[GOING] = True
    try:
        rows = turn.run(inputs, limits=TURN_LIMITS).level_traces[0].rows
    except InputError:  # a number larger than a variable may hold
        return None
    columns = len(view.loop.columns)
    return rows[1][:columns] + row[columns:] if len(rows) == 2 else None
