"""What engine workers make of texts of other languages, a SIP program with notes, and programs as other languages show them.

Reading C may take long even for short texts, because macros make them longer and loops within loops are gone through many times.
So it is left to the engine workers, whose jobs have a deadline, and not to the text worker, for which everybody waits.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from idg.coordinator.errors import ApiError
from idg.coordinator.pool.computing.calls import AboutC, AboutPython, AboutView
from idg.engine.wire.places import Where
from idg.engine.wire.programs import ReadingNote, ReadProgram, ShownProgram
from idg.export.views.views import ViewRefused, program_as
from idg.importer import Imported, ImportRefused, import_c, import_python
from idg.sip.limits import PROGRAM_CHARS_MAX
from idg.sip.program import load

_OPTION = re.compile(r" \(--int \w+\)")
"""What a note says about the command line."""


def read_c(arguments: AboutC) -> ReadProgram:
    """A C text, read as SIP."""
    return _read(arguments.source, lambda source: import_c(source, integers=arguments.integers))


def read_python(arguments: AboutPython) -> ReadProgram:
    """A Python text, read as SIP. Nothing of it is executed."""
    return _read(arguments.source, import_python)


def show_as(arguments: AboutView) -> ShownProgram:
    """A stored program in another language."""
    try:
        return ShownProgram(arguments.language, program_as(load(arguments.source), arguments.language))
    except ViewRefused as error:
        raise ApiError("no-view", str(error)) from None


def _read(source: str, reader: Callable[[str], Imported]) -> ReadProgram:
    """The text, read as SIP; refused with the place of the first thing that is outside the subset."""
    try:
        imported = reader(source)
    except ImportRefused as error:
        start = _offset(source, error.line, error.column)
        place = Where(error.line, error.column, start, min(start + 1, len(source)))
        raise ApiError("bad-text", error.reason, hint=error.hint, field="source", place=place) from None
    if len(imported.source) > PROGRAM_CHARS_MAX:
        raise ApiError(
            "bad-text",
            f"read as SIP, the program has {len(imported.source):,} characters; {PROGRAM_CHARS_MAX:,} are allowed",
            field="source",
            hint="play its parts as programs of their own",
        )
    return ReadProgram(imported.source, tuple(ReadingNote(note.line, _OPTION.sub("", note.text)) for note in imported.notes))


def _offset(text: str, line: int, column: int) -> int:
    """Where a line and a column, counted from 1, stand in the text; its end where it has no such place."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if not start:
            return len(text)
    return min(start + column - 1, len(text))
