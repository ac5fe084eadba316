"""Lists of names: a CSV text with a name in each line, as spreadsheets and learning platforms write them."""

from __future__ import annotations

import csv
import io
import unicodedata

from pydantic_core import PydanticCustomError

from idg.coordinator.errors import ApiError
from idg.coordinator.web.models import NAME_CHARS_MAX, readable

NAMES_MAX = 300
"""How many names a list may have."""
LINES_MAX = 1_000
"""How many lines that are not empty are looked at, because the event loop reads them; a name may stand in several."""
FIRST_NAMES = {"first name", "firstname", "first", "given name", "vorname"}
LAST_NAMES = {"last name", "lastname", "last", "surname", "family name", "nachname"}
NAMES = {"name", "full name", "student", "schüler", "schülerin", "student name"}
SEPARATORS = (";", "\t", ",")
"""What stands between two cells of a line; the one that stands in the first line most often counts."""


def name_key(name: str) -> str:
    """A name without what people write differently: capitals, spaces, and letters that look the same."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def read_roster(text: str) -> list[tuple[str, str]]:
    """The names of a list, each with its key and once; ApiError says which line is wrong.

    Where the first line has headings, the columns with names are found by them; otherwise the first column has the names.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    rows = [
        (number, row) for number, row in enumerate(csv.reader(io.StringIO("\n".join(lines)), delimiter=separator), 1) if any(row)
    ]
    if not rows:
        raise ApiError("bad-request", "the list has no names", field="csv")
    if len(rows) > LINES_MAX:
        raise ApiError("bad-request", f"a list has at most {LINES_MAX:,} lines, this one has {len(rows):,}", field="csv")
    headings = [cell.strip().casefold() for cell in rows[0][1]]
    columns = _columns(headings)
    names: dict[str, str] = {}
    for number, row in rows if columns is None else rows[1:]:
        name = " ".join(row[column].strip() for column in columns or (0,) if column < len(row)).strip()
        if not name:
            continue
        try:
            readable(name)
        except PydanticCustomError:
            raise ApiError("bad-request", f"line {number} of the list has invisible signs in a name", field="csv") from None
        if len(name) > NAME_CHARS_MAX:
            raise ApiError("bad-request", f"line {number} of the list: a name has at most {NAME_CHARS_MAX} characters", field="csv")
        names.setdefault(name_key(name), name)
    if not names or len(names) > NAMES_MAX:
        raise ApiError("bad-request", f"a list has 1 to {NAMES_MAX} names, this one has {len(names)}", field="csv")
    return [(name, key) for key, name in names.items()]


def _columns(headings: list[str]) -> tuple[int, ...] | None:
    """The columns with names; None where the line has no headings."""
    first = [index for index, heading in enumerate(headings) if heading in FIRST_NAMES]
    last = [index for index, heading in enumerate(headings) if heading in LAST_NAMES]
    if first or last:
        return (*first[:1], *last[:1])
    whole = [index for index, heading in enumerate(headings) if heading in NAMES]
    return (whole[0],) if whole else None
