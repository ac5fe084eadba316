"""`idg check` and `idg fmt`. The other commands read the texts of their programs here, too."""

from __future__ import annotations

import argparse
import codecs
import os
import sys

from idg.cli.errors import NEGATIVE, SUCCESS, ProgramRefused, UsageError, tell_as_json
from idg.sip.errors import SipError
from idg.sip.limits import PROGRAM_CHARS_MAX
from idg.sip.program import Program, load
from idg.sip.record import Record

BYTES_MAX = 4 * (PROGRAM_CHARS_MAX + 2)
"""How many bytes of a file are read. A character has at most four bytes, so these are more characters than a text may have."""


def read_text(file: str) -> str:
    """The text of a file, of standard input (-) or of a level. A text that is far too long is cut, and is still too long then."""
    if file == "-":
        return _decode(sys.stdin.buffer.read(BYTES_MAX), "standard input")
    try:
        with open(file, "rb") as opened:
            return _decode(opened.read(BYTES_MAX), file)
    except FileNotFoundError:
        return _level_text(file)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror or error}") from None


def _decode(content: bytes, file: str) -> str:
    """The text of a file that is in UTF-8.

    A byte order mark and carriage returns are kept: the language takes them for white space, and so offsets into the text are
    offsets into the file."""
    try:
        # Where the reading was cut, the last character may be incomplete, which is no error.
        return codecs.getincrementaldecoder("utf-8")().decode(content, len(content) < BYTES_MAX)
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not a UTF-8 text; save it as UTF-8 (iconv -f latin1 -t utf-8, if it is an old text)") from None


def _level_text(name: str) -> str:
    from idg.levels import find_level

    level = None if os.sep in name or name.endswith(".sip") else find_level(name)
    if level is None:
        raise UsageError(f"there is no file '{name}', nor a level of that name ('idg levels' lists them)")
    return level.source


def shown_name(file: str) -> str:
    return "<stdin>" if file == "-" else file


def is_c(file: str) -> bool:
    """Whether the file is C, also where it is preprocessed already."""
    return file.endswith((".c", ".i"))


def is_python(file: str) -> bool:
    return file.endswith(".py")


def is_logic(file: str) -> bool:
    """Whether the file is a problem of SyGuS or of Horn clauses."""
    return file.endswith((".sl", ".smt2"))


def is_foreign(file: str) -> bool:
    """Whether the file is no SIP and is read by the importer."""
    return is_c(file) or is_python(file) or is_logic(file)


class ReadingOptions(Record):
    """How a file of another language is to be read."""

    integers: str = "math"
    """What signed arithmetic of C means: 'math', 'check' or 'machine'."""
    function: str | None = None
    """The function of a C or Python file; None for the one that the reader chooses."""


USUAL = ReadingOptions()


def reading_asked(options: argparse.Namespace, file: str) -> ReadingOptions:
    """What `--int` and `--function` say. Raises UsageError where they are not for such a file."""
    if options.int is not None and not is_c(file):
        raise UsageError("--int is for C files")
    if options.function is not None and not (is_c(file) or is_python(file)):
        raise UsageError("--function is for C and Python files")
    return ReadingOptions(options.int or USUAL.integers, options.function)


def program_text(file: str, reading: ReadingOptions = USUAL) -> str:
    """The text of a SIP program. A file of another language is read as SIP; if it is outside the subset, that is printed and the
    process ends."""
    if is_foreign(file):
        from idg.cli.programs.importing import imported

        return imported(file, reading).source
    return read_text(file)


def load_program(file: str, reading: ReadingOptions = USUAL) -> Program:
    """The program of a SIP file, or of one that is read as SIP. If it has problems, they are printed on standard error and the
    process ends."""
    text = program_text(file, reading)
    try:
        return load(text)
    except SipError as error:
        print(error.render(shown_name(file)), file=sys.stderr)
        raise ProgramRefused(error.as_json()) from None


def _only_sip(command: str, file: str) -> None:
    if is_foreign(file):
        language = "C" if is_c(file) else "Python" if is_python(file) else "a problem in logic"
        raise UsageError(f"'idg {command}' is for SIP programs, and {file} is {language}; 'idg import {file}' reads it as SIP")


def check(options: argparse.Namespace) -> int:
    _only_sip("check", options.file)
    text = read_text(options.file)
    problems: SipError | None = None
    try:
        load(text)
    except SipError as error:
        problems = error
    if options.json:
        import json

        result = {"ok": problems is None, "problems": problems.as_json() if problems else []}
        print(json.dumps(result, ensure_ascii=False, indent=1))
    elif problems:
        print(problems.render(shown_name(options.file)))
    else:
        print(f"{shown_name(options.file)}: no problems")
    return NEGATIVE if problems else SUCCESS


def fmt(options: argparse.Namespace) -> int:
    from idg.sip.text.formatter import format_file

    if options.check and options.write:
        raise UsageError("--check changes nothing and --write does; give one of them")
    _only_sip("fmt", options.file)
    text = read_text(options.file)
    try:
        formatted = format_file(text)
    except SipError as error:
        print(error.render(shown_name(options.file)), file=sys.stderr)
        tell_as_json(options, error.as_json())
        return NEGATIVE
    if len(formatted) > PROGRAM_CHARS_MAX:
        reason = f"the formatted text would have {len(formatted):,} characters, and at most {PROGRAM_CHARS_MAX:,} are allowed"
        raise UsageError(f"{shown_name(options.file)}: {reason}; nothing is changed")
    if options.json:
        import json

        print(json.dumps({"ok": True, "changed": formatted != text, "text": formatted}, ensure_ascii=False, indent=1))
    if options.check:
        return SUCCESS if formatted == text else NEGATIVE
    if options.json and not options.write:
        return SUCCESS
    if not options.write:
        print(formatted, end="")
        return SUCCESS
    if not os.path.isfile(options.file):
        raise UsageError("--write needs a file")
    if formatted != text:
        with open(options.file, "w", encoding="utf-8", newline="") as opened:
            opened.write(formatted)
    return SUCCESS
