"""`idg import`: C programs as SIP."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from idg.cli.errors import NEGATIVE, SUCCESS, UsageError
from idg.needs import require

if TYPE_CHECKING:
    from idg.importer import Imported

HEADERS_MAX = 20


def run(options: argparse.Namespace) -> int:
    found = imported(options.file)
    if options.output == "-":
        print(found.source, end="")
        return SUCCESS
    try:
        with open(options.output, "w", encoding="utf-8") as opened:
            opened.write(found.source)
    except OSError as error:
        raise UsageError(f"cannot write {options.output}: {error.strerror or error}") from None
    return SUCCESS


def imported(file: str, notes: bool = True) -> Imported:
    """The C file as SIP, its notes on standard error; or what is outside there, and exit."""
    require("c", "reading a C program")
    from idg.cli.texts import shown_name
    from idg.importer import Refused, import_c

    text = _text(file)
    try:
        found = import_c(text, _headers(file, text))
    except Refused as error:
        print(f"{shown_name(file)}:{error.line}:{error.column}: {error.reason}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {error.hint}", file=sys.stderr)
        raise SystemExit(NEGATIVE) from None
    for note in found.notes if notes else ():
        print(f"{shown_name(file)}: {note}", file=sys.stderr)
    return found


def _headers(file: str, text: str) -> dict[str, str]:
    """The files that #include "..." names, where they lie beside the file, and theirs; by their names from the file's folder."""
    from idg.importer.macros import quoted_includes

    if file == "-":
        return {}
    folder = Path(file).resolve().parent
    found: dict[str, str] = {}
    wanted = list(map(normpath, quoted_includes(text)))
    while wanted and len(found) < HEADERS_MAX:
        name = wanted.pop(0)
        if name not in found and (folder / name).is_file():
            found[name] = _text(str(folder / name))
            wanted += [normpath(join(dirname(name), each)) for each in quoted_includes(found[name])]
    return found


def _text(file: str) -> str:
    """Old C files have comments in Latin-1; every content is a text in that."""
    from idg.cli.texts import BYTES_MAX

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
