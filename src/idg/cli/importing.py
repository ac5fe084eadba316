"""`idg import`: C programs as SIP."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from idg.cli.main import NEGATIVE, SUCCESS, UsageError

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
    """The files that #include "..." names, where they lie beside the file."""
    folder = Path(file).resolve().parent
    wanted = dict.fromkeys(re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', text, re.MULTILINE)) if file != "-" else {}
    return {name: _text(str(folder / name)) for name in list(wanted)[:HEADERS_MAX] if (folder / name).is_file()}


def _text(file: str) -> str:
    from idg.cli.texts import BYTES_MAX

    try:
        if file == "-":
            content = sys.stdin.buffer.read(BYTES_MAX)
        else:
            with open(file, "rb") as opened:
                content = opened.read(BYTES_MAX)
        return content.decode("utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not a UTF-8 text") from None
