"""C and Python files in the editor. They are read as SIP, and what is known of the program is told at places of their own text."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from lsprotocol.types import Diagnostic, DiagnosticSeverity, Position, Range

from idg.importer import ImportRefused, Note, import_python
from idg.lsp.positions import TextPositions
from idg.lsp.processes import JobFailed, JobProcesses
from idg.lsp.shown import SOURCE
from idg.needs import MissingPackages, require
from idg.sip.errors import line_and_column
from idg.sip.record import Record
from idg.sip.syntax import Span

Language = Literal["SIP", "C", "Python"]
HEADER_BYTES_MAX = 1_000_000
"""How much of a header is read."""


class ReadText(Record):
    """A C or Python text that was read as SIP."""

    program: str
    """The program. It knows the places of the text that it was read from."""
    notes: tuple[Note, ...]


class NotRead(Record):
    """Why a text is not read, and where: line and column from 1."""

    line: int
    column: int
    reason: str
    hint: str


def language_of(uri: str, told: str) -> Language:
    """The language of a document, by its name; where that has no ending that says it, by what the editor has told."""
    path = urlsplit(uri).path
    by_name = "c" if path.endswith(".c") else "python" if path.endswith(".py") else "sip" if path.endswith(".sip") else told
    return "C" if by_name == "c" else "Python" if by_name == "python" else "SIP"


def read_as_sip(language: Language, uri: str, text: str, tell: object) -> ReadText | NotRead:
    """What the text means in SIP. Nothing of it is run."""
    try:
        if language == "Python":
            read = import_python(text)
        else:
            require("c", "reading a C program")
            from idg.importer import import_c
            from idg.importer.c.text.headers import headers_beside

            address = urlsplit(uri)
            file = unquote(address.path)
            read = import_c(text, headers_beside(file, text, _header) if address.scheme == "file" else {})
    except ImportRefused as refused:
        return NotRead(refused.line, refused.column, refused.reason, refused.hint)
    except MissingPackages as missing:
        return NotRead(1, 1, str(missing), "")
    return ReadText(read.source, read.notes)


def _header(file: str) -> str:
    with Path(file).open("rb") as opened:
        return opened.read(HEADER_BYTES_MAX).decode("utf-8-sig", "replace")


async def reading(jobs: JobProcesses, language: Language, uri: str, text: str) -> ReadText | NotRead:
    """The reading, made by a process that can be ended."""
    try:
        return await jobs.run(partial(read_as_sip, language, uri), text)
    except JobFailed as error:
        return NotRead(1, 1, f"the file could not be read: {error}", "")


class ReadPositions:
    """Translates offsets in the program to positions in the text that it was read from: from the place of a statement to the end of
    that line. The program knows no places inside of a line."""

    def __init__(self, program: str, shown: TextPositions) -> None:
        self._program = program
        self._shown = shown

    def range(self, span: Span) -> Range:
        return self._shown.rest_of_line(*line_and_column(self._program, span.start))

    def line(self, offset: int) -> int:
        start: Position = self.range(Span(offset, offset)).start
        line: int = start.line
        return line


def reading_diagnostics(read: ReadText | NotRead, shown: TextPositions) -> list[Diagnostic]:
    """How a text was understood, as hints, or why it is not read. A text that is not read need not be wrong: it is no error."""
    if isinstance(read, NotRead):
        told = read.reason + (f"\nhint: {read.hint}" if read.hint else "")
        place = shown.rest_of_line(read.line, read.column)
        return [Diagnostic(place, told, DiagnosticSeverity.Warning, code="outside-the-subset", source=SOURCE)]
    return [
        Diagnostic(shown.rest_of_line(max(note.line, 1), 1), note.text, DiagnosticSeverity.Hint, code="reading", source=SOURCE)
        for note in read.notes
    ]
