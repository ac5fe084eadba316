"""One line on standard error that says what is going on and is overwritten each time. It is written only to a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable


def live_line(wanted: bool) -> Callable[[str], None]:
    """A function that shows a text in the line, for instance as the agent's `tell`. An empty text removes the line."""
    return _write if wanted and sys.stderr.isatty() else _silent


def _write(line: str) -> None:
    print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _silent(line: str) -> None:
    """Writes nothing, because nobody is looking."""
