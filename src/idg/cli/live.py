"""One line on standard error that says what is going on and is overwritten each time. It is written only to a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

BAR_CELLS = 24
"""The width of the bar in characters."""
STEPS = 200
"""How often a bar is written anew at most, from its beginning to its end."""


def live_line(wanted: bool = True) -> Callable[[str], None]:
    """A function that shows a text in the line, for instance as the agent's `tell`. An empty text removes the line."""
    return _write if wanted and sys.stderr.isatty() and os.environ.get("TERM") != "dumb" else _silent


def live_bar(what: str, wanted: bool = True) -> Callable[[int, int], None]:
    """A function that shows how many of how many are done. All of them, or none of none, removes the line."""
    tell = live_line(wanted)

    def show(count: int, total: int) -> None:
        if count >= total:
            tell("")
        elif count % max(1, total // STEPS) == 0:
            done = BAR_CELLS * count // total
            tell(f"{'█' * done}{'░' * (BAR_CELLS - done)} {what} {count:,} of {total:,}")

    return show


def _write(line: str) -> None:
    print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _silent(line: str) -> None:
    """Writes nothing, because nobody is looking."""
