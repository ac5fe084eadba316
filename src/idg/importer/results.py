"""What an import gives: a program with notes of the readings that were made, or a refusal with its line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idg.sip.record import Record

if TYPE_CHECKING:
    from idg.importer.horn.answers import AnswerForm


class Note(Record):
    """A reading that was made where the text's language and SIP differ: what was taken for what."""

    line: int
    """The line of the text; 0 where the note is about the whole text."""
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


class Input(Record):
    """A parameter of the SIP program, and why it is one."""

    name: str
    origin: str
    """'parameter', 'uninitialised' or 'unknown' (its first value is a call of unknown())."""


class Imported(Record):
    """A text of another language, read as SIP."""

    source: str
    """The program in SIP. Messages about it name the places of the text that was read, also after `load`."""
    notes: tuple[Note, ...]
    inputs: tuple[Input, ...]
    """The parameters of the SIP program, in the order in which the program would get their values."""
    language: str = "C"
    """The language of the text: 'C', 'Python', 'SyGuS' or 'Horn clauses'."""
    integers: str = "math"
    """How signed arithmetic of a C text was read: 'math', 'check' or 'machine'."""
    answer: AnswerForm | None = None
    """How an answer to a problem of SyGuS or of Horn clauses is written and checked."""
    function: str = ""
    """The function that was asked for by its name; '' where the reader chose one."""
    stays: int = 0
    """The line of a place at which a run of C stays for ever and that was read as the run's end; 0 where there is none."""


class ImportRefused(Exception):
    """A text outside the subset that is read; line and column from 1."""

    def __init__(self, line: int, column: int, reason: str, hint: str = "") -> None:
        self.line = line
        self.column = column
        self.reason = reason
        self.hint = hint
        super().__init__(line, column, reason, hint)

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.reason}" + (f"\n  hint: {self.hint}" if self.hint else "")
