"""Runs that are too long to be made here: jumps over turns that all change the state by the same amounts.

Nothing of this is trusted: the states are material for guesses, and a run that seems to fail is made in full before it counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from idg.agents.built_in.states.loop_view import LoopView
from idg.agents.built_in.states.sampling import all_alike
from idg.agents.built_in.states.turns import GOING, TURN_LIMITS, entry_of, turn_program, without_old
from idg.engine.runs import RUN_LIMITS
from idg.sip.build import rewrite
from idg.sip.checking.analysis import check_module
from idg.sip.entry import entry_parameters
from idg.sip.errors import InputError
from idg.sip.logic import separate_claims
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.runner import Row
from idg.sip.running.trace import Run
from idg.sip.syntax import Binary, Block, Compare, Function, Module, Param, Type
from idg.sip.text.printer import print_program
from idg.sip.traverse import called
from idg.sip.values import Value

SIZES = (10**6, 10**8)
"""Values of the inputs of long runs."""
STEADY_TURNS = 8
"""So many turns must change the state by the same amounts before a jump is tried."""
JUMPS_MAX = 8
JUMP_BITS_MAX = 80
TURNS_AFTER_JUMP = 12
LOOPS_MAX = 6
"""Loops that are followed, one after the other."""


class LongRun(Record):
    inputs: Mapping[str, Value]
    rows: tuple[tuple[int, Row], ...]
    """Late states, each with the number of its loop."""
    turns: int
    """That were jumped over."""
    seems_to_fail: bool


def long_runs(program: Program, views: Sequence[LoopView]) -> Iterator[LongRun]:
    """Runs from large inputs, or the only run of a program without any, where they are too long."""
    for each in [all_alike(program, size) for size in SIZES] if program.params else [{}]:
        run = program.run(each, limits=RUN_LIMITS)
        if run.outcome.kind == "bound":
            found = _followed(views, run)
            if found.rows:
                yield found


def _followed(views: Sequence[LoopView], run: Run) -> LongRun:
    rows: list[tuple[int, Row]] = []
    inputs = run.inputs
    entry = tuple(inputs[name] for name in views[0].assigned_params)
    # The tables are those of the program, or of its rest from a loop on.
    first = 1
    turns = 0
    for _ in range(LOOPS_MAX):
        reached = [number for number, trace in enumerate(run.traces, first) if trace.rows and views[number - 1].loop.outer is None]
        if run.outcome.kind != "bound" or not reached:
            break
        view = views[reached[-1] - 1]
        table = _rows_of(view, run, first, entry)
        far, jumped = _followed_in(view, table[-STEADY_TURNS - 1 :]) if len(table) > STEADY_TURNS else ([], 0)
        turns += jumped
        rows += ((view.number, row) for row in far)
        rest = rest_program(view) if far else None
        if rest is None:
            break
        run = rest.run(dict(zip(rest.params, far[-1], strict=True)), limits=RUN_LIMITS)
        first = view.number
        for number in range(first + 1, first + len(run.traces)):
            rows += ((number, row) for row in _rows_of(views[number - 1], run, first, entry))
    return LongRun(inputs, tuple(rows), turns, run.outcome.kind == "failed")


def _rows_of(view: LoopView, run: Run, first: int, entry: Row) -> list[Row]:
    trace = run.traces[view.number - first]
    if any(name not in trace.columns for name in view.loop.columns):
        return []
    places = [trace.columns.index(name) for name in view.loop.columns]
    return [(*(row[at] for at in places), *entry) for row in trace.rows]


def rest_program(view: LoopView) -> Program | None:
    """The program from the loop's head on, started anywhere. None where the loop is inside something, or SIP cannot say it."""
    level = view.program.level
    variables = view.program.info.level.variables
    entries = entry_parameters(view.assigned_params)
    body = level.body.statements
    start = next((at for at, each in enumerate(body) if each is view.loop.statement), None)
    hidden = "result" in view.loop.columns or level.name in called(level)
    if start is None or hidden or variables.keys() & set(entries.values()):
        return None
    params = [Param(name, variables[name]) for name in view.loop.columns]
    params += (Param(entry, variables[name]) for name, entry in entries.items())
    rest = without_old(Block(body[start:]), entries)
    posts = tuple(rewrite(each, lambda leaf: entry_of(leaf, entries)) for each in level.posts)
    function = Function(level.name, tuple(params), level.result, (), posts, rest)
    module = Module((*view.program.module.functions[:-1], function))
    info, problems = check_module(module)
    return None if problems else Program(print_program(module), info)


# jumps


def _followed_in(view: LoopView, rows: list[Row]) -> tuple[list[Row], int]:
    """Later states of the same run at the same loop, as far as jumps lead, and how many turns those left out."""
    turn = turn_program(view)
    if turn is None:
        return [], 0
    found: list[Row] = []
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
                return [*found, *rows], jumped
            rows.append(after)
        found += rows
    return found, jumped


def _steady_change(rows: Sequence[Row]) -> Row | None:
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


def _furthest(turn: Program, view: LoopView, start: Row, change: Row) -> int:
    """The number of turns that keep changing the state in this way, if whether they do changes only once, or at a point that
    the test excludes."""

    def steady(turns: int) -> bool:
        return _after(turn, view, _moved(start, change, turns)) == _moved(start, change, turns + 1)

    high = next((each for each in _points(view, start, change) if not steady(each)), None)
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


def _points(view: LoopView, start: Row, change: Row) -> list[int]:
    """After how many turns the two sides of a `!=` of the test would be equal, the first of them first."""
    found = []
    for each in separate_claims(view.loop.statement.test):
        if isinstance(each, Compare) and each.ops == ("!=",) and view.can_say(each):
            left, right = each.operands
            gaps = view.values([Binary("-", left, right)], [start, _moved(start, change, 1)])[0]
            known = [value for value in gaps if isinstance(value, int | Fraction)]
            turns = known[0] / Fraction(known[0] - known[1]) if len(known) == 2 and known[0] != known[1] else Fraction(0)
            found += [int(turns)] if turns.denominator == 1 and turns > 0 else []
    return sorted(found)


def _after(turn: Program, view: LoopView, row: Row) -> Row | None:
    if any(view.types[name] is Type.NAT and value < 0 for name, value in zip(view.names, row, strict=True)):
        return None
    inputs: dict[str, Value] = dict(zip(turn.params, row, strict=False))
    inputs[GOING] = True
    try:
        rows = turn.run(inputs, limits=TURN_LIMITS).traces[0].rows
    except InputError:  # a number larger than a variable may hold
        return None
    columns = len(view.loop.columns)
    return rows[1][:columns] + row[columns:] if len(rows) == 2 else None
