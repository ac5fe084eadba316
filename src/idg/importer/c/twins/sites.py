"""Where values come from in both programs of a twin."""

from __future__ import annotations

from collections.abc import Mapping

from idg.importer.c.scopes import Variable
from idg.importer.c.text.places import column_of_part
from idg.importer.c.traces import InputSite
from idg.sip.record import Record
from idg.sip.syntax import Name, Number

CELLS_MAX = 6
"""Cells of an array that is a parameter with another one as its length."""
Place = tuple[int, int]


class ArraySites(Record):
    """Where the cells of an array come from that is a parameter."""

    length: str
    """The parameter that is its length; empty where that is a number."""
    cells: tuple[InputSite, ...]
    """One site for each cell that the array may have."""


class TwinPlaces(Record):
    """What the writer of the C program needs to know of the reading, by places in the text."""

    sites: Mapping[Place, InputSite]
    lengths: Mapping[Place, Place | int]
    """Arrays that are parameters → how many cells they have: a number, or the parameter that says it."""
    cells: frozenset[Place]
    """Pointers whose memory the reading took for a variable of its own, which starts with any value."""

    def is_fixed(self, place: Place) -> bool:
        """Whether a variable without a value starts with the same one each time."""
        return place not in self.sites or self.sites[place].fixed


def array_sites(variable: Variable) -> ArraySites:
    ctype = variable.ctype
    count = variable.length.value if isinstance(variable.length, Number) else CELLS_MAX
    columns = (column_of_part(variable.column, cell) for cell in range(int(count)))
    sites = (InputSite(variable.line, column, ctype.low, ctype.high, True, ctype) for column in columns)
    return ArraySites(variable.length.name if isinstance(variable.length, Name) else "", tuple(sites))
