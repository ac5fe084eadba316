"""The places of nodes in a C text, and refusals that name them."""

from __future__ import annotations

from typing import Any

from idg.importer.results import ImportRefused

COLUMNS_APART = 10_000
"""How far apart the columns are at which parts of a variable are said to stand, cells and fields: further than lines are long."""


def column_of_part(column: int, part: int) -> int:
    """The column of a cell or a field of what is declared at a column."""
    return column + COLUMNS_APART * (part + 1)


def place(node: Any) -> tuple[int, int]:
    """Line and column of a node, or of its first part that has them; (0, 0) where none has."""
    if node.coord is not None:
        return node.coord.line, node.coord.column or 1
    for _, child in node.children():
        position = place(child)
        if position != (0, 0):
            return position
    return 0, 0


def refuse(node: Any, reason: str, hint: str = "") -> ImportRefused:
    line, column = place(node)
    return ImportRefused(line or 1, column % COLUMNS_APART or 1, reason, hint)
