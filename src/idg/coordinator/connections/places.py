"""The places for connections: how many there are, who has one, and who has to give it up because nothing arrives or is taken."""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
import time
from collections import Counter
from typing import Protocol, cast

from idg.coordinator.bounds.rate_limits import Buckets
from idg.coordinator.bounds.totals import BYTES_A_MEGABYTE
from idg.coordinator.errors import ApiError
from idg.coordinator.settings import Settings
from idg.coordinator.web.requests.addresses import limited_address

SWEEP_SECONDS = 1.0
"""How often we look for connections that have waited for too long."""
FULL_RETRY_SECONDS = 5
"""Seconds after which a client that found no place may try again."""
IDLE_SECONDS_MIN = 5.0
"""How long a connection must have been idle before it is closed to make way for another one."""
IDLE_LOOKED_AT_MAX = 200
"""Among how many of the connections that are idle for the longest time one of the same address is looked for."""
STALL_BYTES = 64 * 1024
"""How many bytes of an answer a client must take within the time that the setting allows, or else all that wait for it."""


CONNECTION_PERMITS = 0.1
"""How many permits of its address a new connection takes; see `LOOP_SECONDS_A_PERMIT`."""
OWED_SECONDS_MAX = 1.0
"""When an address owes the permits of so many seconds, what it sends is not read until nothing is owed."""
RESTING_SECONDS_MAX = 5.0
"""How long a connection is not read at most before we look again."""
COUNTED_BYTES_MIN = 16 * 1024
"""From this many bytes on, what waits for a connection is counted. With uvloop everything waits for a moment, and most answers are
short."""


class Occupant(Protocol):
    """The protocol object that has a place."""

    def check(self, now: float) -> None:
        """Close the connection if it has waited for too long."""

    def waiting_bytes(self) -> int:
        """How many bytes wait until the client takes them."""

    def drop(self) -> None:
        """Close the connection, because too much waits for clients who do not take it."""


class IdleOccupant(Occupant, Protocol):
    """A connection that is open only because another request may come."""

    def is_idle_since(self) -> float:
        """Since when it has waited for the next request."""

    def give_way(self) -> None:
        """Close it, and release its place."""


class ConnectionPlace:
    """The place of one connection."""

    __slots__ = ("address", "idle", "is_proxy", "occupant", "places", "waiting", "waiting_since")

    def __init__(self, places: Places, address: str, is_proxy: bool) -> None:
        self.places = places
        self.address = address
        self.is_proxy = is_proxy
        """Whether a proxy that is believed has it, so that it is not bounded by address."""
        self.waiting = 0
        """How many bytes wait until the client takes them, when we looked last."""
        self.waiting_since = 0.0
        """Since when the client has not taken enough of them, by the monotonic clock."""
        self.occupant: Occupant | None = None
        self.idle = False
        """Whether the connection waits for another request, after an answer."""

    def is_idle(self, idle: bool) -> None:
        if idle != self.idle:
            self.idle = idle
            self.places.note_idle(self)

    def waits(self, size: int) -> None:
        """Is told how many bytes wait until the client takes them."""
        self.places.note_waiting(self, size)

    def owes(self, address: str | None = None) -> float:
        """For how many seconds this connection is not to be read, because its address has made the event loop do too much. The
        connection of a proxy is read, unless the `address` is told of which something comes through it."""
        if address is None and self.is_proxy:
            return 0.0
        return self.places.owes(address or self.address)

    def release(self) -> None:
        self.is_idle(False)
        self.waits(0)
        self.occupant = None  # It refers to this place. Without the cycle its memory is free at once, not after a collection.
        self.places.release(self)


class Places:
    """At most `most` connections have a place, and at most `connections_address` of one address. Proxies that are believed are not
    bounded by address, because everybody comes through them."""

    def __init__(self, settings: Settings, rates: Buckets | None = None) -> None:
        """`rates`: what addresses may make the event loop do."""
        self.settings = settings
        self.rates = rates or Buckets(0.0, time.monotonic)
        self.most = settings.connections_max
        """How many there are. The system may allow fewer than the settings ask for."""
        self._proxies = _Networks(settings.proxies)
        self._taken: set[ConnectionPlace] = set()
        self._by_address: Counter[str] = Counter()
        self._idle: dict[ConnectionPlace, None] = {}
        """The places of idle connections; the one that has been idle for the longest time is the first."""
        self.waiting_max = settings.waiting_mb * BYTES_A_MEGABYTE
        """How many bytes may wait in our memory until clients take them. An address may have as many as are free."""
        self.waiting = 0
        """How many do wait."""
        self._waiting_of: Counter[str] = Counter()
        """Address → how many of them wait for it."""
        self.not_read = 0
        """How often a connection was not read for a while, because its address had made the event loop do too much."""
        self.refused: Counter[str] = Counter()
        """Why → how many connections were refused or closed."""

    def __len__(self) -> int:
        return len(self._taken)

    def take(self, host: str) -> ConnectionPlace:
        """A place for a new connection; ApiError where there is none, and no idle connection can make way."""
        address = limited_address(host)
        is_proxy = host in self._proxies
        if not is_proxy:
            self.rates.spend(address, CONNECTION_PERMITS)
            owed = self.rates.owed_seconds(address)
            if owed > OWED_SECONDS_MAX:
                self.refused["rate"] += 1
                raise ApiError("too-fast", "too much is being asked from this address", retry_after_seconds=owed)
        is_full = 0 < self.settings.connections_address <= self._by_address[address] and not is_proxy
        if is_full and not self._make_way(address):
            self.refused["address"] += 1
            text = "as many connections are open from this address as this server allows"
            raise ApiError("too-many-connections", text, retry_after_seconds=FULL_RETRY_SECONDS)
        if len(self._taken) >= self.most and not self._make_way(None):
            self.refused["full"] += 1
            text = "as many connections are open as this server allows"
            raise ApiError("busy", text, retry_after_seconds=FULL_RETRY_SECONDS)
        place = ConnectionPlace(self, address, is_proxy)
        self._taken.add(place)
        self._by_address[address] += 1
        return place

    def owes(self, address: str) -> float:
        """For how many seconds nothing more is to be done for an address, because it has made the event loop do too much."""
        owed = self.rates.owed_seconds(address)
        return min(owed, RESTING_SECONDS_MAX) if owed > OWED_SECONDS_MAX else 0.0

    def note_idle(self, place: ConnectionPlace) -> None:
        if place.idle:
            self._idle[place] = None
        else:
            self._idle.pop(place, None)

    def note_waiting(self, place: ConnectionPlace, size: int) -> None:
        """Is told how many bytes wait for a connection. If these are too many for its address, connections are dropped there, those
        first that have taken nothing for the longest time, until the rest is not too much."""
        self._count_waiting(place, size)
        if not self._waits_too_much(place):
            return
        same = [other for other in self._taken if other.waiting and (place.is_proxy or other.address == place.address)]
        for other in same:  # Most was perhaps taken since we looked last.
            self._count_waiting(other, 0 if other.occupant is None else other.occupant.waiting_bytes())
        for other in sorted(same, key=lambda known: known.waiting_since):
            if not self._waits_too_much(place):
                return
            if other.waiting and other.occupant is not None:
                self.refused["waiting"] += 1
                self._count_waiting(other, 0)
                other.occupant.drop()

    def _count_waiting(self, place: ConnectionPlace, size: int) -> None:
        if place not in self._taken:
            size = 0  # It was released, and what waits for it is gone.
        change = size - place.waiting
        if change:
            place.waiting = size
            self.waiting += change
            self._waiting_of[place.address] += change
            if not self._waiting_of[place.address]:
                del self._waiting_of[place.address]

    def _waits_too_much(self, place: ConnectionPlace) -> bool:
        free = self.waiting_max - self.waiting
        return free < 0 if place.is_proxy else self._waiting_of[place.address] > max(0, free)

    def _make_way(self, address: str | None) -> bool:
        """Close the connection, of this address or of any, that has been idle for the longest time; false where none has been idle
        for long enough."""
        latest = time.monotonic() - IDLE_SECONDS_MIN
        for place in itertools.islice(self._idle, IDLE_LOOKED_AT_MAX):
            occupant = cast(IdleOccupant, place.occupant)
            if occupant.is_idle_since() > latest:
                return False
            if address in (None, place.address):
                occupant.give_way()
                return True
        return False

    def release(self, place: ConnectionPlace) -> None:
        if place in self._taken:
            self._taken.remove(place)
            self._by_address[place.address] -= 1
            if not self._by_address[place.address]:
                del self._by_address[place.address]

    async def watch(self) -> None:
        """Runs as long as the server does, and closes what has waited for too long."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for place in tuple(self._taken):
                if place.occupant is not None:
                    place.occupant.check(now)


class Outgoing:
    """Watches that a client takes what is sent to it. Otherwise answers would be kept for ever."""

    __slots__ = ("_place", "_since", "_size", "transport")

    def __init__(self, transport: asyncio.Transport, place: ConnectionPlace) -> None:
        self.transport = transport
        self._place = place
        self._size = 0
        self._since = time.monotonic()

    def is_stalled(self, now: float, seconds_max: float) -> bool:
        size = self.transport.get_write_buffer_size()
        if not size or size <= self._size - STALL_BYTES:
            self._restart(size, now)
        elif not self._size:
            self._size = size
        self._note(size)
        return now - self._since > seconds_max

    def wrote(self) -> None:
        """Something was sent. What the system did not take waits in our memory."""
        self._note(self.transport.get_write_buffer_size())

    def moved(self) -> None:
        """Most of what waited was taken."""
        size = self.transport.get_write_buffer_size()
        self._restart(size, time.monotonic())
        self._note(size)

    def _note(self, size: int) -> None:
        counted = size if size >= COUNTED_BYTES_MIN else 0
        if counted != self._place.waiting:
            self._place.waiting_since = max(self._place.waiting_since, self._since) if self._place.waiting else time.monotonic()
            self._place.waits(counted)

    def _restart(self, size: int, now: float) -> None:
        self._size, self._since = size, now


class _Networks:
    """Addresses and networks, separated by commas; * is all of them."""

    def __init__(self, text: str) -> None:
        names = {name.strip() for name in text.split(",")} - {""}
        self._all = "*" in names
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        for name in names - {"*"}:
            try:
                self._networks.append(ipaddress.ip_network(name, strict=False))
            except ValueError:  # A name, which no address equals.
                continue

    def __contains__(self, host: str) -> bool:
        if self._all or not self._networks:
            return self._all
        address = ipaddress.ip_address(host.partition("%")[0])
        return any(address in network for network in self._networks)
