"""What each address, player and room uses of the workers: how many of its jobs are running, and how long they took lately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

AskerPath = tuple[str, ...]
"""An address, then a player of it, then a room of theirs; or only the first of these."""

HALF_LIFE_SECONDS = 60.0
"""Seconds after which a second of computing counts half."""
REMEMBERED_MAX = 10_000
"""How many paths are remembered; beyond that, those that used least are forgotten."""


def prefixes(path: AskerPath) -> Iterator[AskerPath]:
    """The address of a path, then the address and the player, then all of it."""
    for length in range(1, len(path) + 1):
        yield path[:length]


class Load:
    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._running: Counter[AskerPath] = Counter()
        self._used: dict[AskerPath, tuple[float, float]] = {}
        """Path → the seconds that its jobs took, and when that was computed: they count less as time goes by."""

    def begin(self, path: AskerPath) -> None:
        self._running.update(prefixes(path))

    def end(self, path: AskerPath, seconds: float) -> None:
        """A job is over after so many seconds."""
        now = self.clock()
        for prefix in prefixes(path):
            self._running[prefix] -= 1
            if not self._running[prefix]:
                del self._running[prefix]
            self._used[prefix] = (self.used(prefix) + seconds, now)
        if len(self._used) > REMEMBERED_MAX:
            most = sorted(self._used, key=self.used)[REMEMBERED_MAX // 2 :]
            self._used = {prefix: self._used[prefix] for prefix in most}

    def running(self, prefix: AskerPath) -> int:
        return self._running[prefix]

    def used(self, prefix: AskerPath) -> float:
        """The seconds of computing that still count."""
        if prefix not in self._used:
            return 0.0
        seconds, then = self._used[prefix]
        return float(seconds * 0.5 ** ((self.clock() - then) / HALF_LIFE_SECONDS))

    def of(self, prefix: AskerPath) -> tuple[int, float]:
        """The load of somebody. Those with less of it are served first."""
        return self._running[prefix], self.used(prefix)
