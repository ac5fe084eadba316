"""Rate limits. Each player and each address has a bucket of permits. It fills with time, and each request takes one permit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

BUCKETS_MAX = 100_000
"""How many buckets are remembered. The one that was used least recently is forgotten first; it is probably full again."""
BURST_SECONDS = 5.0
"""Seconds in which an empty bucket fills."""
LOOP_SECONDS_A_PERMIT = 0.0025
"""How much processor time of the event loop a permit of an address stands for. A request that takes more counts as several, and
what else an address makes the loop do counts, too. One that uses all of its permits takes half of the loop's time, whatever it
does."""
BURST_MIN = 10.0
"""How many permits a full bucket has at least, however low the rate is."""


class Buckets:
    """Allows `rate` requests a second on average, and more of them at once after a pause. A rate of 0 allows all."""

    def __init__(self, rate: float, clock: Callable[[], float], burst_min: float = BURST_MIN) -> None:
        self._whole = (rate, max(burst_min, rate * BURST_SECONDS))
        """The rate and the permits of a full bucket, for all coordinators together."""
        self.rate, self.burst = self._whole
        self.clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Player or address → how many permits were left, and when that was."""

    def divide(self, coordinators: int) -> None:
        """Allow one of so many parts only, because each of so many coordinators allows as much."""
        rate, burst = self._whole
        self.rate, self.burst = rate / coordinators, max(1.0, burst / coordinators)

    def take(self, key: str) -> float:
        """Take a permit: 0 where the request may pass, otherwise the seconds after which to try again."""
        wait = self.wait(key)
        if not wait:
            self.spend(key, 1)
        return wait

    def wait(self, key: str) -> float:
        """The seconds after which there is a permit; 0 where there is one."""
        left = self._left(key)
        return (1 - left) / self.rate if self.rate and left < 1 else 0.0

    def owed_seconds(self, key: str) -> float:
        """How long it takes until nothing is owed: more was taken than there was."""
        return max(0.0, -self._left(key) / self.rate) if self.rate else 0.0

    def spend(self, key: str, permits: float) -> None:
        """Take so many permits, even if there are fewer: what lacks has to fill up first."""
        if not self.rate:
            return
        self._buckets[key] = (self._left(key) - permits, self.clock())
        self._buckets.move_to_end(key)
        if len(self._buckets) > BUCKETS_MAX:
            self._buckets.popitem(last=False)

    def _left(self, key: str) -> float:
        now = self.clock()
        left, since = self._buckets.get(key, (self.burst, now))
        return min(self.burst, left + (now - since) * self.rate)

    def give_back(self, key: str) -> None:
        """Give back a permit that was taken, because what it was taken for is not limited after all."""
        if key in self._buckets:
            left, since = self._buckets[key]
            self._buckets[key] = (min(self.burst, left + 1), since)
