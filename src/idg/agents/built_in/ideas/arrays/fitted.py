"""Equations between a cell, its number, cells of other arrays and variables, which are fitted to all cells of a range."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from idg.agents.built_in.ideas.arrays.borders import Borders, CellRange
from idg.agents.built_in.ideas.equalities import Fitting
from idg.agents.built_in.ideas.polynomials import equation_text
from idg.sip.syntax import Type
from idg.sip.values import Scalar, cells

ARRAYS_MAX = 4
"""Arrays between whose cells equations are looked for."""
VARIABLES_MAX = 6
"""Variables that such an equation may have."""
RANGES_MAX = 20
"""Ranges to whose cells equations are fitted: those from cell 0 come first, and the largest of them."""
STATES_MAX, CELLS_MAX = 100, 12
"""States whose cells are taken, and about how many cells of one range in each of them."""


def fitted_cells(borders: Borders, cell: str) -> Iterator[tuple[CellRange, str]]:
    """Ranges, each with an equation that all of its cells satisfy in the states seen, as a text; `cell` is the cell's number.

    An equation that holds for a range is not yielded again for a part of it.
    """
    view = borders.view
    arrays = [name for name in view.arrays if name in view.loop.columns and view.types[name].element is not Type.BOOL][:ARRAYS_MAX]
    if not arrays:
        return
    said: list[tuple[CellRange, str]] = []
    for part in sorted(borders.ranges, key=lambda part: (part.low != 0, -_cell_count(borders, part)))[:RANGES_MAX]:
        for equation in _equations(borders, part, arrays, cell):
            if not any(text == equation and borders.contains(wider, part) for wider, text in said):
                said.append((part, equation))
                yield part, equation


def _cell_count(borders: Borders, part: CellRange) -> int:
    pairs = zip(borders.columns[part.low], borders.columns[part.high], strict=True)
    return sum(max(0, end - first) for first, end in pairs)


def _equations(borders: Borders, part: CellRange, arrays: list[str], cell: str) -> list[str]:
    view = borders.view
    variables = [name for name in view.numeric if name in view.loop.columns][:VARIABLES_MAX]
    names = [*variables, cell, f"{cell} * {cell}", *(f"{name}[{cell}]" for name in arrays)]
    rows: list[list[Scalar]] = []
    seen = list(zip(borders.rows, borders.columns[part.low], borders.columns[part.high], strict=True))
    for row, first, end in seen[:: max(1, len(seen) // STATES_MAX)]:
        read = [cells(row[view.index[name]]) for name in arrays]
        if first < end and not 0 <= first < end <= min(map(len, read)):
            return []
        values = [row[view.index[name]] for name in variables]
        numbers = [value for value in values if isinstance(value, int | Fraction)]
        for number in range(first, end, max(1, (end - first) // CELLS_MAX)):
            rows.append([*numbers, number, number * number, *(array[number] for array in read)])
    if not rows:
        return []
    fitting = Fitting({name: [row[place] for row in rows] for place, name in enumerate(names)})
    of_cells = set(names[-len(arrays) :])
    polys = fitting.next_degree() or []
    return [equation_text(poly, names[-len(arrays) :]) for poly in polys if any(of_cells & set(monomial) for monomial in poly)]
