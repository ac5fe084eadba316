"""Borders: numbers of a loop, such as a counter or a length, between which the ranges of cells lie that facts speak of."""

from __future__ import annotations

from collections.abc import Iterator

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.record import Record
from idg.sip.syntax import Expr, Index, Name, SetCell, Swap
from idg.sip.trees.build import ONE, ZERO, arithmetic
from idg.sip.trees.traverse import expressions, function_expressions, names, statements

BORDERS_MAX = 14
"""Borders of one loop that are used. The ranges between them grow with the square of their number."""
ROWS_MAX = 300
"""About how many states are looked at, taken evenly from all that are seen."""
SEEN_MIN = 2
"""The number of states in which a range must have cells. A fact about a range that is nearly always empty says nothing."""


class CellRange(Record):
    """The cells from one border up to, and without, another one; both are told by their places in the list of borders."""

    low: int
    high: int


class Borders:
    """The borders of one loop, with their values in all states seen."""

    def __init__(self, view: LoopView) -> None:
        self.view = view
        self.rows = view.rows[:: max(1, len(view.rows) // ROWS_MAX)]
        """The states that are looked at. What holds in them is tried on all others before it is proposed."""
        self.exprs: list[Expr] = []
        self.columns: list[list[int]] = []
        borders = list(dict.fromkeys(_borders(view)))
        for expr, column in zip(borders, view.values(borders, self.rows), strict=True):
            numbers = [value for value in column if type(value) is int]
            # If several borders are equal in all states seen, the first of them is the plainest.
            if len(numbers) == len(column) and numbers not in self.columns and len(self.exprs) < BORDERS_MAX:
                self.exprs.append(expr)
                self.columns.append(numbers)
        places = range(len(self.exprs))
        self._never_above = [
            [all(a <= b for a, b in zip(self.columns[low], self.columns[high], strict=True)) for high in places] for low in places
        ]
        self.ranges = tuple(CellRange(low, high) for low in places for high in places if self._is_range(low, high))
        """All ranges that have cells in some of the states, and whose first border is nowhere beyond the second one."""

    def _is_range(self, low: int, high: int) -> bool:
        if not all(first <= end + 1 for first, end in zip(self.columns[low], self.columns[high], strict=True)):
            return False
        seen = 0
        for first, end in zip(self.columns[low], self.columns[high], strict=True):
            seen += first < end
            if seen >= SEEN_MIN:
                return True
        return False

    def is_never_above(self, low: int, high: int) -> bool:
        """Whether the one border is at most the other one in every state seen."""
        return self._never_above[low][high]

    def contains(self, larger: CellRange, smaller: CellRange) -> bool:
        """Whether the one range has, in every state seen, all cells of the other one."""
        return self._never_above[larger.low][smaller.low] and self._never_above[smaller.high][larger.high]

    def largest(self, ranges: list[CellRange]) -> list[CellRange]:
        """Those of the ranges that no other one contains. What holds of the cells of these holds of the others, too."""
        return [
            cells
            for position, cells in enumerate(ranges)
            if not any(
                self.contains(other, cells) and (place < position or not self.contains(cells, other))
                for place, other in enumerate(ranges)
                if other != cells
            )
        ]

    def bounds(self, cells: CellRange) -> tuple[Expr, Expr]:
        """The first and the last cell, as a quantifier says them."""
        return self.exprs[cells.low], arithmetic("-", self.exprs[cells.high], ONE)

    def changes(self, cells: CellRange) -> bool:
        """Whether a turn of the loop may change the range."""
        return bool((names(self.exprs[cells.low]) | names(self.exprs[cells.high])) & self.view.changing)


def _borders(view: LoopView) -> Iterator[Expr]:
    """Zero, counters, lengths, and indices of the text, the plainest first; of each number also the next one."""
    counters: list[Expr] = [Name(name) for name in view.counters]
    yield ZERO
    yield from counters
    yield from view.lengths.values()
    wholes = function_expressions(view.program.level)
    indices = [part.index for whole in wholes for part in expressions(whole) if isinstance(part, Index)]
    for statement in statements(view.program.level.body):
        if isinstance(statement, SetCell):
            indices.append(statement.index)
        elif isinstance(statement, Swap):
            indices += [statement.left, statement.right]
    indices = [index for index in indices if not isinstance(index, Name) and names(index) and names(index) <= set(view.counters)]
    yield from indices
    for counter in (*counters, *indices):
        yield arithmetic("+", counter, ONE)
    for counter in counters:
        yield arithmetic("-", counter, ONE)
