"""Colours of results on a terminal. Nobody needs them, because the signs ✓ and ✗ say the same.

They are left out in pipes and files, where `NO_COLOR` is set, and where `TERM` is `dumb`.
"""

from __future__ import annotations

import os
import sys

from idg.sip.running.tables import Table, text_table

HOLDS, FAILS, HEADING = "34", "33", "1"
"""Blue, orange and bold, as terminals number them. Blue and orange differ for everybody's eyes."""
_OF_SIGNS = {"✓": HOLDS, "✗": FAILS}


def wanted() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, colour: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m" if text and wanted() else text


def signed(text: str) -> str:
    """The text with the lines that begin with a sign in its colour."""
    if not wanted():
        return text
    lines = text.split("\n")
    return "\n".join(painted(line, _OF_SIGNS[line.lstrip()[0]]) if line.lstrip()[:1] in _OF_SIGNS else line for line in lines)


def headed(text: str) -> str:
    """A table with its first line as a heading."""
    head, *rows = text.split("\n")
    return "\n".join([painted(head, HEADING), *rows])


def coloured(table: Table) -> str:
    """The table with its heading, rows that hold and rows that fail in their colours."""
    text = text_table(table)
    if not wanted():
        return text
    lines = headed(text).split("\n")
    # The first two lines are the heading. A gap, where rows are left out, has a line of its own.
    index = 2
    gaps = dict(table.gaps)
    for number, mark in enumerate(table.marks):
        index += number in gaps
        if mark is not None:
            lines[index] = painted(lines[index], HOLDS if mark else FAILS)
        index += 1
    return "\n".join(lines)
