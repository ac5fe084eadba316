"""What one address and one player may make and store in a day, so that nobody fills the disk or gets more than a fair share by many
names.

Each quota is a bucket that is full at first and fills again within a day. The buckets are in memory only, because no address is
stored; a restart fills them all.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from idg.coordinator.bounds.rate_limits import BUCKETS_MAX, Buckets
from idg.coordinator.bounds.totals import BYTES_A_MEGABYTE, ROW_BYTES, Totals
from idg.coordinator.errors import ApiError
from idg.coordinator.settings import Settings
from idg.coordinator.store import Event

DAY_SECONDS = 24 * 3600
"""Seconds in which an empty bucket is full again."""
PLAYERS_AN_ADDRESS = 10
"""How many times what one player may make in a day an address may, because families and classes share one."""


class Quota:
    """What each player may store in a day; an address may store PLAYERS_AN_ADDRESS times as much. 0 is no limit."""

    def __init__(self, a_day: int, clock: Callable[[], float]) -> None:
        self.players = _a_day(a_day, clock)
        self.addresses = _a_day(a_day * PLAYERS_AN_ADDRESS, clock)

    def divide(self, coordinators: int) -> None:
        self.players.divide(coordinators)
        self.addresses.divide(coordinators)

    def wait(self, address: str, player: str) -> float:
        """The seconds until there is something left for both; 0 where there is."""
        return max(self.players.wait(player), self.addresses.wait(address) if address else 0.0)

    def spend(self, address: str, player: str, amount: float) -> None:
        self.players.spend(player, amount)
        if address:
            self.addresses.spend(address, amount)


class Quotas:
    def __init__(self, settings: Settings, totals: Totals, clock: Callable[[], float] = time.monotonic) -> None:
        self.totals = totals
        self.refused: dict[str, int] = {"players": 0, "rooms": 0, "programs": 0, "classes": 0, "bytes": 0}
        """What was refused → how often, for the metrics."""
        self._players = _a_day(settings.players_a_day, clock)
        self._rooms = Quota(settings.rooms_a_day, clock)
        self._programs = Quota(settings.programs_a_day, clock)
        self._classes = Quota(settings.classes_a_day, clock)
        self._bytes = Quota(settings.stored_mb_a_day * BYTES_A_MEGABYTE, clock)
        self._address_of: OrderedDict[str, str] = OrderedDict()
        """Player → the address from which they last did something. What they store counts for it, too."""

    def divide(self, coordinators: int) -> None:
        """Allow one part of so many only, because each of so many coordinators allows as much."""
        for quota in (self._players, self._rooms, self._programs, self._classes, self._bytes):
            quota.divide(coordinators)

    def new_player(self, address: str) -> None:
        """ApiError where too many players were made from this address, or there are too many."""
        self.totals.require("players")
        wait = self._players.take(address) if address else 0.0
        if wait:
            raise self._refusal("players", "so many players were made from this address today that the next one has to wait", wait)
        self.totals.grow("players", 1, 0)
        self.totals.grow("tokens", 1, 0)

    def new_room(self, address: str, player: str) -> None:
        """ApiError where the player or the address made too many rooms today, or there are too many."""
        self.totals.require("rooms")
        self._take(self._rooms, "rooms", address, player)

    def new_program(self, address: str, player: str) -> None:
        """The same for programs."""
        self.totals.require("programs")
        self._take(self._programs, "programs", address, player)

    def new_class(self, address: str, player: str) -> None:
        """The same for classes."""
        self.totals.require("classes")
        self._take(self._classes, "classes", address, player)
        self.totals.grow("classes", 1, 0)

    def admit(self, address: str, player: str) -> None:
        """For each request that may store something: ApiError where the player or the address has stored too much today, or there
        are too many events."""
        self._address_of[player] = address
        self._address_of.move_to_end(player)
        if len(self._address_of) > BUCKETS_MAX:
            self._address_of.popitem(last=False)
        self.totals.require("events")
        wait = self._bytes.wait(address, player)
        if wait:
            raise self._refusal("bytes", "you have stored as much today as one player or one address may", wait)

    def stored(self, table: str, player: str | None, rows: int, text_bytes: int) -> None:
        """Something was stored for a player."""
        self.totals.grow(table, rows, text_bytes)
        if player:
            self._bytes.spend(self._address_of.get(player, ""), player, text_bytes + ROW_BYTES * rows)

    def stored_events(self, events: Sequence[Event]) -> None:
        for event in events:
            self.stored("events", event.player, 1, len(event.body))

    def _take(self, quota: Quota, what: str, address: str, player: str) -> None:
        wait = quota.wait(address, player)
        if wait:
            raise self._refusal(what, f"you have made as many {what} today as one player or one address may", wait)
        quota.spend(address, player, 1)

    def _refusal(self, what: str, message: str, wait: float) -> ApiError:
        self.refused[what] += 1
        return ApiError("quota", message, retry_after_seconds=wait)


def _a_day(limit: int, clock: Callable[[], float]) -> Buckets:
    return Buckets(limit / DAY_SECONDS, clock, burst_min=limit)
