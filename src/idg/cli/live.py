"""A line that tells what goes on, written over and over; only where somebody looks at it."""

from __future__ import annotations

import sys
from collections.abc import Callable


def live_line(wanted: bool) -> Callable[[str], None]:
    """For `tell`; an empty text takes the line away."""
    return _write if wanted and sys.stderr.isatty() else _silent


def _write(line: str) -> None:
    print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _silent(line: str) -> None:
    """Nobody looks."""
