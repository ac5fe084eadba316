"""States near reachable ones. Of all states that can be shown, those teach most that differ from a row of the table in one column.

Rows that runs reach are changed in one column, or in two, and what then refutes a query is kept. All changed rows are evaluated
together, one condition after the other, so that most of them are gone after the first.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from idg.engine.inquiry import Inquiry, NoValue
from idg.engine.states.array_inputs import changed_arrays, shifted
from idg.engine.states.runs import ReachedState, RunPool
from idg.prover.check import failing, refutes
from idg.sip.record import Record
from idg.sip.running.evaluator import Evaluator, picking
from idg.sip.running.runner import Row
from idg.sip.syntax import Expr, Name, Type
from idg.sip.values import Value, cells, initial, scalar
from idg.vc.query import Query
from idg.vc.symbolic import Analysis

CHANGES = (1, -1, 2, -2, 3, -3)
"""How much a number is changed."""
PAIR_CHANGES = (1, -1)
"""How much two numbers are changed at once, besides as much as a turn of the loop changes them."""
OTHER_VALUES_MAX = 6
"""Values that a column has in other rows and that are tried in its place, besides 0."""
FIRST_ROWS_MAX = 24
"""Rows of the table that is shown first, from its end and from its beginning, that are changed."""
REACHED_ROWS_MAX = 60
"""Rows of other runs that are changed."""
PAIR_ROWS_MAX = 12
"""Rows in which two columns are changed at once."""
CANDIDATES_MAX = 4_000
"""Changed rows that are evaluated at once."""
SHOWN_CELLS_MAX = 4
"""Cells of the longest arrays in states that are shown."""
CELL_CHANGES_MAX = 4
"""The number of changes that are tried on each cell of an array."""
NEAR_KEPT_MAX = 60
"""At most this many of the changed rows that refute the query are ranked."""


_Change = tuple[Row, Row]
"""A changed row, and the row that it was."""


class NearState(Record):
    """A state that refutes a query, and how far it is from a row that a run reaches."""

    symbols: Mapping[str, Value]
    """The state of the query's symbols."""
    state: Mapping[str, Value]
    """The columns, then the entry values of assigned parameters."""
    rank: tuple[int | Fraction | str, ...]
    """How far the row is from that one: the number of columns that differ, by how much they differ, then how readable it is."""


class Head(Record):
    """A loop's head on one path, as conditions see it."""

    analysis: Analysis
    loop: int
    values: Mapping[str, Expr]
    """The values of the program's variables there, over symbols."""


def near_states(inquiry: Inquiry, head: Head, query: Query) -> Iterator[NearState]:
    """States at a loop's head that refute the query, each near a row that a run reaches: the nearest ones first.

    Rows of the table that is shown first come before those of other runs; among these, small changes come first, then small
    numbers.
    """
    if query.call:
        return  # A state that refutes such a goal says nothing.
    search = _Search(inquiry, head, query)
    runs = inquiry.runs_at(head.loop)
    first = shown_rows(runs, head.loop)
    reached = [state.row for state in itertools.islice(_short_states(runs, head.loop), REACHED_ROWS_MAX)]
    changes = search.changes
    yield from search.refuting(changes.changed(first))
    yield from search.refuting(changes.changed(reached))
    yield from search.refuting(changes.changed_twice((first or reached)[:PAIR_ROWS_MAX], runs.first_rows(head.loop)))


def shown_rows(runs: RunPool, loop: int) -> list[Row]:
    """Rows of the table that is shown first: the last one, the first one, the last but one, the second one, and so on."""
    rows = [row for row in dict.fromkeys(runs.first_rows(loop)) if is_short(row)]
    inwards = [row for pair in zip(reversed(rows), rows, strict=True) for row in pair]
    return list(dict.fromkeys(inwards))[:FIRST_ROWS_MAX]


def is_short(row: Row) -> bool:
    """Whether arrays in the row are so short that people see them at a glance."""
    return all(len(value) <= SHOWN_CELLS_MAX for value in row if isinstance(value, tuple))


def _short_states(runs: RunPool, loop: int) -> Iterator[ReachedState]:
    return (state for state in runs.reached[loop] if is_short(state.row))


def distance(row: Row, rows: Sequence[Row]) -> int:
    """The number of columns in which a row differs from the nearest one of some rows."""
    return min((sum(value != other for value, other in zip(row, near, strict=True)) for near in rows), default=len(row))


def readability(state: Mapping[str, Value]) -> tuple[int, int, str]:
    """A key for sorting states: those with the smallest numbers come first."""
    numbers = [abs(number.numerator) + number.denominator - 1 for value in state.values() for number in cells(value)]
    return max(numbers, default=0), sum(numbers), str(sorted(state.items()))


class Changes:
    """Changes rows in those columns that may be changed."""

    def __init__(self, kinds: Sequence[Type], changeable: Sequence[int]) -> None:
        self.kinds = kinds
        self.changeable = changeable

    def changed(self, rows: Sequence[Row]) -> Iterator[_Change]:
        """The rows with one column changed; of an array, one cell, or whether it has a last one more."""
        others = {place: list(dict.fromkeys(row[place] for row in rows))[:OTHER_VALUES_MAX] for place in self.changeable}
        for row in rows:
            for place in self.changeable:
                values = (*self.shifted(row, place, CHANGES), *others[place], initial(self.kinds[place], 0))
                for value in dict.fromkeys(values):
                    if value != row[place]:
                        yield (*row[:place], value, *row[place + 1 :]), row

    def changed_twice(self, rows: Sequence[Row], table: Sequence[Row]) -> Iterator[_Change]:
        """The rows with two columns changed: by a little, or as a turn of the loop changes them in the table."""
        changes = {place: dict.fromkeys((*PAIR_CHANGES, *self.turn(table, place))) for place in self.changeable}
        for row in rows:
            for first, second in itertools.combinations(self.changeable, 2):
                values = self.shifted(row, first, changes[first]), self.shifted(row, second, changes[second])
                for one, other in itertools.product(*values):
                    yield (*row[:first], one, *row[first + 1 : second], other, *row[second + 1 :]), row

    def turn(self, table: Sequence[Row], place: int) -> list[int | Fraction]:
        """How much the last turn of the loop that changes the column changes it, and the opposite."""
        if self.kinds[place] is not Type.BOOL and self.kinds[place].element is None:
            for after, before in itertools.pairwise(reversed(table)):
                if after[place] != before[place]:
                    change = scalar(after[place]) - scalar(before[place])
                    return [change, -change]
        return []

    def shifted(self, row: Row, place: int, changes: Iterable[int | Fraction]) -> list[Value]:
        """The value at this place, changed by a little."""
        kind, value = self.kinds[place], row[place]
        if kind.element is None:
            return [*shifted(kind, scalar(value), changes)]
        changed = changed_arrays(kind.element, cells(value), tuple(changes)[:CELL_CHANGES_MAX])
        return [array for array in changed if len(array) <= SHOWN_CELLS_MAX]


class _Search:
    def __init__(self, inquiry: Inquiry, head: Head, query: Query) -> None:
        self.inquiry = inquiry
        self.head = head
        self.query = query
        columns = inquiry.columns_at(head.analysis, head.loop, head.values).values()
        self.symbol_places = {expr.name: place for place, expr in enumerate(columns) if isinstance(expr, Name)}
        """The symbols that are columns, with their places in a row. Other columns follow from these."""
        self.places = [self.symbol_places.get(name, -1) for name in query.variables]
        """For each symbol of the query, its place in a row; -1 for one that is in no column. That one is zero."""
        kinds = inquiry.runs_at(head.loop).kinds(head.loop)
        changeable = sorted({place for place in self.places if place >= 0})
        self.changes = Changes(kinds, changeable)
        self.zeros = tuple(initial(kind, 0) for kind in query.variables.values())
        self.picked = picking([place if place >= 0 else len(kinds) + index for index, place in enumerate(self.places)])
        """Takes the query's symbols from a row with all zeros behind it."""
        exprs = [query.goal, *(hypothesis.expr for hypothesis in reversed(query.hypotheses))]
        self.evaluator = Evaluator(exprs, query.variables, query.info)

    def symbols(self, row: Row) -> Row:
        """The query's symbols in a state at the head."""
        return self.picked(row + self.zeros)

    def refuting(self, changes: Iterator[_Change]) -> Iterator[NearState]:
        """The changed rows that refute the query: those with the fewest and smallest changes first, then small numbers."""
        left = [(self.symbols(row), row, source) for row, source in itertools.islice(changes, CANDIDATES_MAX)]
        for index in range(1 + len(self.query.hypotheses)):
            if not left:
                return iter(())
            truths = self.evaluator.rows(index, [symbols for symbols, _, _ in left])
            # The goal comes first. It must fail, and the hypotheses must be true.
            kept = failing(truths) if index == 0 else (place for place, truth in enumerate(truths) if truth is True)
            left = [left[place] for place in kept]
        states = [self.near_state(*candidate) for candidate in left[:NEAR_KEPT_MAX]]
        ranked = sorted((state for state in states if state is not None), key=lambda state: state.rank)
        return (state for state in ranked if refutes(self.query, state.symbols))

    def near_state(self, symbols: Row, row: Row, source: Row) -> NearState | None:
        # What the query does not speak of is as in the row.
        state = {name: row[place] for name, place in self.symbol_places.items()} | dict(
            zip(self.query.variables, symbols, strict=True)
        )
        try:
            told = self.inquiry.at_loop(self.head.analysis, self.head.loop, self.head.values, state)
        except NoValue:
            return None
        differing = [_size(value, was) for value, was in zip(told.values(), source, strict=True) if value != was]
        return NearState(state, told, (len(differing), sum(differing), *readability(told)))


def _size(value: Value, was: Value) -> Fraction:
    """How large a change is. A cell more or less counts as much as a change of a cell by one."""
    longer = abs(len(cells(value)) - len(cells(was)))
    return sum((abs(Fraction(new) - Fraction(old)) for new, old in zip(cells(value), cells(was), strict=False)), Fraction(longer))
