"""`idg import`: reads a program of another language as SIP. Other commands read such files here, too."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from idg.cli.errors import SUCCESS, ProgramRefused, UsageError, told_problem
from idg.cli.programs.texts import BYTES_MAX, USUAL, ReadingOptions, is_logic, is_python, reading_asked, shown_name
from idg.needs import require
from idg.sip.record import replace

if TYPE_CHECKING:
    from idg.importer import Imported


def run(options: argparse.Namespace) -> int:
    result = imported(options.file, reading_asked(options, options.file), notes=not options.json)
    if options.output == "-" and not options.json:
        print(result.source, end="")
    if options.json:
        answer = {"ok": True, "language": result.language, "source": result.source, "notes": [*map(str, result.notes)]}
        print(json.dumps(answer, ensure_ascii=False, indent=1))
    if options.output == "-":
        return SUCCESS
    try:
        with open(options.output, "w", encoding="utf-8") as opened:
            opened.write(result.source)
    except OSError as error:
        raise UsageError(f"cannot write {options.output}: {error.strerror or error}") from None
    return SUCCESS


def imported(file: str, reading: ReadingOptions = USUAL, notes: bool = True) -> Imported:
    """Reads a file of another language as SIP, and prints the notes about its readings on standard error.

    A file outside the subset ends the process: the place and the reason are printed, and the exit code is NEGATIVE."""
    from idg.importer import ImportRefused

    if file.endswith(".sip"):
        raise UsageError(f"{file} is named as a program in SIP, which needs no import; C, Python, SyGuS and Horn clauses are read")
    text = _text(file)
    try:
        if is_python(file):
            from idg.importer import import_python

            result = import_python(text, reading.function)
        elif is_logic(file):
            from idg.importer.horn import import_logic, read_clauses, read_sygus

            result = import_logic(text, read_sygus if file.endswith(".sl") else read_clauses)
        else:
            require("c", "reading a C program")
            from idg.importer import import_c

            result = import_c(text, headers_of(file, text), reading.integers, reading.function)
    except ImportRefused as error:
        print(f"{shown_name(file)}:{error.line}:{error.column}: {error.reason}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {error.hint}", file=sys.stderr)
        where = {"line": error.line, "column": error.column}
        raise ProgramRefused([told_problem("outside-the-subset", error.reason, where, error.hint)]) from None
    for note in result.notes if notes else ():
        print(f"{shown_name(file)}: {note}", file=sys.stderr)
    return result


def confirmed(file: str, result: Imported) -> Imported:
    """The same reading, with a note of the comparison with runs of the compiled file. A C file is called solved only after it.

    A file that was read wrongly ends the process: the difference is printed, and the exit code is NEGATIVE."""
    from idg.cli.programs.comparing import compare
    from idg.importer import Note

    text = _text(file)
    comparison = compare(text, headers_of(file, text), result)
    if comparison.difference:
        print(f"{shown_name(file)}: refused, because runs of the compiled file differ: {comparison.difference}", file=sys.stderr)
        hint = "the reader of C made a mistake (please report it with the file), or the file does what C leaves undefined"
        print(f"  hint: {hint}", file=sys.stderr)
        raise ProgramRefused([told_problem("runs-differ", comparison.difference, hint=hint)])
    print(f"{shown_name(file)}: {comparison.note}", file=sys.stderr)
    return replace(result, notes=(*result.notes, Note(0, comparison.note)))


def headers_of(file: str, text: str) -> dict[str, str]:
    """The texts of the files that `#include "..."` names, also in other such files."""
    from idg.importer.c.text.headers import headers_beside

    return {} if file == "-" else headers_beside(file, text, _text)


def _text(file: str) -> str:
    """The text of a file as UTF-8, else as Latin-1, in which old C files have their comments; any bytes are a text in Latin-1."""
    try:
        if file == "-":
            content = sys.stdin.buffer.read(BYTES_MAX)
        else:
            with open(file, "rb") as opened:
                content = opened.read(BYTES_MAX)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror or error}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
