"""Where the statements of a reading come from: messages about a C or Python program name the lines of its own text.

A statement that a reader makes keeps the place of what it was made from in its span, as a line and a column, until the whole
program is printed as SIP. Then each line of the printed text is given the place of the statement that begins in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from idg.sip.errors import MadeText, Place, line_and_column
from idg.sip.record import replace
from idg.sip.syntax import NOWHERE, Module, Span, Stmt
from idg.sip.trees.traverse import statements


def placed(made: Iterable[Stmt], place: Place) -> list[Stmt]:
    """The statements, of which those that have no place yet come from this one."""
    return [replace(statement, span=Span(*place)) if statement.span == NOWHERE else statement for statement in made]


def with_places(source: str, made: Module, read: Module, default: Place) -> MadeText:
    """The printed text with the places of its lines. `made` was printed, and `read` is the same, read from the text.

    A line in which no statement begins, such as that of a `}`, has the place of the line before it; the first one has `default`.
    """
    starts: dict[int, Place] = {}
    for printed, again in zip(made.functions, read.functions, strict=True):
        for statement, parsed in zip(statements(printed.body), statements(again.body), strict=True):
            if statement.span != NOWHERE:
                starts.setdefault(line_and_column(source, parsed.span.start)[0], (statement.span.start, statement.span.end))
    places: list[Place] = []
    for line in range(1, source.count("\n") + 2):
        places.append(starts.get(line, places[-1] if places else default))
    return MadeText(source, tuple(places))
