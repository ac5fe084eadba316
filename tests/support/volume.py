"""How much the random searches of the tests do.

`make test` looks at enough random cases that a mistake of a common kind is found. `make soak` sets IDG_LONG_TESTS=1, and the same
tests look at several times as many.
"""

from __future__ import annotations

import os

LONG = os.environ.get("IDG_LONG_TESTS") == "1"


def volume(usual: int, long: int) -> int:
    """The number of random cases: `usual` in `make test`, `long` in `make soak`."""
    return long if LONG else usual
