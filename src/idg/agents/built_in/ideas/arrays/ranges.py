"""For which ranges of cells a body holds in all states seen. It is evaluated once for every cell; each range is then looked up."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

from idg.agents.built_in.ideas.arrays.bodies import Body
from idg.agents.built_in.ideas.arrays.borders import SEEN_MIN, Borders, CellRange
from idg.agents.built_in.states.loop_view import EVALUATION_LIMITS, LoopView
from idg.sip.running.compiler import compile_states
from idg.sip.running.runner import Row, evaluate_rows
from idg.sip.syntax import Expr, Type
from idg.sip.trees.logic import TRUE
from idg.sip.values import Scalar, cells


class CellTruth:
    """For which cells one body holds, in every state in which its guard does."""

    def __init__(self, borders: Borders, body: Body, cell: str) -> None:
        view, rows = borders.view, borders.rows
        self.bad: list[list[int] | None] = []
        """For each state and each number of a cell, how many cells before it do not satisfy it; None where nothing is said."""
        guarded = [value is True for value in view.values([TRUE if body.guard is None else body.guard], rows)[0]]
        sizes = [_cell_count(view, row) for row in rows]
        asked = [(row, number) for row, size, said in zip(rows, sizes, guarded, strict=True) if said for number in range(size)]
        values = iter(_values(view, body.expr, (cell,), [(row, (number,)) for row, number in asked]))
        for size, said in zip(sizes, guarded, strict=True):
            self.bad.append(list(_running(next(values) is not True for _ in range(size))) if said else None)

    @cached_property
    def key(self) -> Hashable:
        """The same for bodies that hold for the same cells in all states seen."""
        return tuple(None if bad is None else tuple(bad) for bad in self.bad)

    def holds(self, low: Sequence[int], high: Sequence[int]) -> bool:
        """Whether the body holds for all cells from the one number up to the other, in each state, and there are such cells."""
        seen = 0
        for first, end, bad in zip(low, high, self.bad, strict=True):
            if bad is None or first >= end:
                continue
            if first < 0 or end >= len(bad) or bad[end] != bad[first]:
                return False
            seen += 1
        return seen >= SEEN_MIN


def _values(view: LoopView, expr: Expr, bound: tuple[str, ...], asked: Sequence[tuple[Row, tuple[int, ...]]]) -> Sequence[object]:
    """The values of an expression with bound names, each time in a state and with numbers for these names."""
    columns = view.loop.columns
    variables = {name: view.types[name] for name in columns} | dict.fromkeys(bound, Type.INT)
    compiled = compile_states(view.program.info, variables, expr, view.assigned_params)
    rows = [(*row[: len(columns)], *numbers, *row[len(columns) :]) for row, numbers in asked]
    return list(evaluate_rows(compiled, rows, {}, EVALUATION_LIMITS))


def _running(wrong: Iterator[bool]) -> Iterator[int]:
    count = 0
    yield count
    for is_wrong in wrong:
        count += is_wrong
        yield count


def _cell_count(view: LoopView, row: Row) -> int:
    """The number of cells of the longest array."""
    return max((len(cells(row[view.index[name]])) for name in view.arrays), default=0)


def running_sums(borders: Borders, expr: Expr, cell: str) -> list[list[int | Fraction] | None]:
    """For each state, and each number of a cell, the sum of the expression over the cells before it; None where it has no value."""
    view, rows = borders.view, borders.rows
    sizes = [_cell_count(view, row) for row in rows]
    asked = [(row, (number,)) for row, size in zip(rows, sizes, strict=True) for number in range(size)]
    values = iter(_values(view, expr, (cell,), asked))
    sums: list[list[int | Fraction] | None] = []
    for size in sizes:
        own = [next(values) for _ in range(size)]
        known = [value for value in own if isinstance(value, int | Fraction)]
        sums.append(list(itertools.accumulate(known, initial=0)) if len(known) == size else None)
    return sums


class PairTruth:
    """For which pairs of cells a condition on two cells holds, in every state."""

    def __init__(self, borders: Borders, expr: Expr, first: str, second: str) -> None:
        view, rows = borders.view, borders.rows
        sizes = [_cell_count(view, row) for row in rows]
        asked = [(row, pair) for row, size in zip(rows, sizes, strict=True) for pair in itertools.product(range(size), repeat=2)]
        values = iter(_values(view, expr, (first, second), asked))
        self.bad: list[list[list[int]]] = []
        """For each state, and each pair of numbers, how many pairs of cells before both do not satisfy the condition."""
        for size in sizes:
            table = [[0] * (size + 1)]
            for _ in range(size):
                line = list(_running(next(values) is not True for _ in range(size)))
                table.append([above + value for above, value in zip(table[-1], line, strict=True)])
            self.bad.append(table)

    def holds(self, borders: Borders, one: CellRange, two: CellRange) -> bool:
        """Whether it holds for all cells of the first range with all of the second, in each state, and there are such cells."""
        columns = [borders.columns[place] for place in (one.low, one.high, two.low, two.high)]
        seen = 0
        for (first, end, other_first, other_end), bad in zip(zip(*columns, strict=True), self.bad, strict=True):
            if first >= end or other_first >= other_end:
                continue
            if first < 0 or other_first < 0 or max(end, other_end) >= len(bad):
                return False
            if bad[end][other_end] - bad[first][other_end] - bad[end][other_first] + bad[first][other_first]:
                return False
            seen += 1
        return seen >= SEEN_MIN


def largest_ranges(borders: Borders, truth: CellTruth) -> list[CellRange]:
    """The largest ranges for all cells of which the body holds in every state seen."""
    return borders.largest([part for part in borders.ranges if truth.holds(borders.columns[part.low], borders.columns[part.high])])


def largest_pairs(borders: Borders, truth: PairTruth, in_order: bool) -> list[tuple[CellRange, CellRange]]:
    """Pairs of ranges for all cells of which the condition holds; none is inside of another pair.

    `in_order`: only pairs whose second range comes after the first one, for two ranges of the same array.
    """
    pairs = [
        (one, two)
        for one in borders.ranges
        for two in borders.ranges
        if (not in_order or borders.is_never_above(one.high, two.low)) and truth.holds(borders, one, two)
    ]
    return [
        (one, two)
        for place, (one, two) in enumerate(pairs)
        if not any(
            borders.contains(wider, one)
            and borders.contains(other, two)
            and (number < place or not (borders.contains(one, wider) and borders.contains(two, other)))
            for number, (wider, other) in enumerate(pairs)
            if number != place
        )
    ]


def sorted_ranges(borders: Borders, array: str) -> list[CellRange]:
    """The largest ranges of which the cells of the array are in order in every state seen."""
    column = borders.view.index[array]
    arrays = [cells(row[column]) for row in borders.rows]
    in_order = []
    for part in borders.ranges:
        told = list(zip(arrays, borders.columns[part.low], borders.columns[part.high], strict=True))
        if sum(end - first > 1 for _, first, end in told) >= SEEN_MIN and all(map(_is_sorted, told)):
            in_order.append(part)
    return borders.largest(in_order)


def _is_sorted(told: tuple[Sequence[Scalar], int, int]) -> bool:
    """Whether the array has these cells, and they are in order."""
    array, first, end = told
    return first >= end or (0 <= first < end <= len(array) and all(one <= two for one, two in itertools.pairwise(array[first:end])))


def nearly_sorted_ranges(borders: Borders, array: str, place: str, *, later: bool) -> list[CellRange]:
    """The largest ranges whose cells are in order in every state seen, except for pairs with the cell at a counter.

    `place`: the counter, a variable of whole numbers. `later`: its cell is the later one of these pairs; otherwise the earlier one.
    """
    view = borders.view
    arrays = [cells(row[view.index[array]]) for row in borders.rows]
    numbers = [row[view.index[place]] for row in borders.rows]
    places = [number for number in numbers if isinstance(number, int)]
    in_order = []
    for part in borders.ranges:
        told = list(zip(arrays, places, borders.columns[part.low], borders.columns[part.high], strict=True))
        exceptions = sum(not _is_sorted((row, first, end)) for row, _, first, end in told)
        if exceptions and all(_is_nearly_sorted(row, moving, first, end, later) for row, moving, first, end in told):
            in_order.append(part)
    return borders.largest(in_order)


def _is_nearly_sorted(array: Sequence[Scalar], place: int, first: int, end: int, later: bool) -> bool:
    """Whether the array has these cells, and they are in order but for those pairs with the one at this place."""
    if not first <= place < end:
        return _is_sorted((array, first, end))
    if not 0 <= first < end <= len(array):
        return False
    others = (*array[first:place], *array[place + 1 : end])
    rest = (array, place, end) if later else (array, first, place + 1)
    return _is_sorted((others, 0, len(others))) and _is_sorted(rest)
