"""Rate limits: a bucket for each player and each address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

BUCKETS_MAX = 100_000
BURST_SECONDS = 5.0
"""A pause of this length earns a full bucket."""


class Buckets:
    """Allows `rate` requests a second on average, and more at once after a pause."""

    def __init__(self, rate: float, clock: Callable[[], float], burst_min: float = 10.0) -> None:
        self.rate = rate
        self.burst = max(burst_min, rate * BURST_SECONDS)
        self.clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """0 where the request may pass; else the seconds after which to try again."""
        if not self.rate:
            return 0.0
        now = self.clock()
        left, since = self._buckets.get(key, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        if left < 1:
            return (1 - left) / self.rate
        self._buckets[key] = (left - 1, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > BUCKETS_MAX:
            self._buckets.popitem(last=False)
        return 0.0
