"""`idg import`: C programs as SIP."""

from __future__ import annotations

import argparse
import sys

from idg.cli.main import NEGATIVE, SUCCESS, UsageError


def run(options: argparse.Namespace) -> int:
    from idg.cli.texts import shown_name
    from idg.importer import Refused, import_c

    text = _text(options.file)
    try:
        found = import_c(text)
    except Refused as error:
        print(f"{shown_name(options.file)}:{error.line}:{error.column}: {error.reason}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {error.hint}", file=sys.stderr)
        return NEGATIVE
    for note in found.notes:
        print(f"{shown_name(options.file)}: {note}", file=sys.stderr)
    if options.output == "-":
        print(found.source, end="")
        return SUCCESS
    try:
        with open(options.output, "w", encoding="utf-8") as opened:
            opened.write(found.source)
    except OSError as error:
        raise UsageError(f"cannot write {options.output}: {error.strerror or error}") from None
    return SUCCESS


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
