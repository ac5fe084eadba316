"""What one address and one player may make in a day, so that nobody fills the disk or gets more than a fair share by many names.

Each quota is a bucket that is full at first and fills again within a day. The buckets are in memory only, because no address is
stored; a restart fills them all.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from idg.coordinator.errors import ApiError
from idg.coordinator.rate_limits import Buckets
from idg.coordinator.settings import Settings

DAY_SECONDS = 24 * 3600
"""In how many seconds an empty bucket is full again."""


class Quotas:
    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self.refused: dict[str, int] = {"players": 0}
        """What was refused → how often, for the metrics."""
        self._players = _a_day(settings.players_a_day, clock)

    def new_player(self, address: str) -> None:
        """ApiError where too many players were made from this address."""
        self._take(self._players, address, "players", "from this address so many players were made today that it has to wait")

    def _take(self, buckets: Buckets, key: str, what: str, message: str) -> None:
        wait = buckets.take(key) if key else 0.0
        if wait:
            self.refused[what] += 1
            raise ApiError("quota", message, retry_after_seconds=wait)


def _a_day(limit: int, clock: Callable[[], float]) -> Buckets:
    return Buckets(limit / DAY_SECONDS, clock, burst_min=limit)
