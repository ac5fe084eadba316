"""Which coordinators use the database now. Each gives a sign of life now and then, and has a lease on what it judges meanwhile.

What a coordinator has stored and not judged is left to it while it lives. The limits that each coordinator keeps are divided by the
number of those that live.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

from idg.coordinator.store import CoordinatorRow, Store, StoreUnavailable

COORDINATOR_ID_BYTES = 9
"""How many random bytes the id of a coordinator has; ids must only differ."""
BEAT_SECONDS = 3.0
"""How often a coordinator gives a sign of life."""
LEASE_SECONDS = 10.0
"""How long a sign of life counts, by the clock of the database. A coordinator that is silent for longer is taken for gone."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES = Path("/proc/self/ns/pid")


def this_machine() -> str:
    """The machine, or the container, whose processes we see: their numbers mean the same to all who run here."""
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts += [_BOOT.read_text().strip(), os.readlink(_PROCESSES)]
    return "/".join(parts)


def process_name(process: int) -> str:
    """A process and when it started, as the system counts it. The number alone is not enough: a later process may get it, and in
    a container the server has the same number at each start. Only the number where the system does not tell more."""
    try:
        return f"{process}/{Path(f'/proc/{process}/stat').read_text().rpartition(')')[2].split()[19]}"
    except OSError:
        return f"{process}"


def new_coordinator_id() -> str:
    return secrets.token_urlsafe(COORDINATOR_ID_BYTES)


class SharedLimits:
    """Limits that hold for all coordinators together. Each keeps its part of them, because requests come to all alike."""

    def __init__(self) -> None:
        self.coordinators = 1
        """The number of coordinators, by which the limits are divided."""
        self._divided: list[Callable[[int], None]] = []

    def add(self, divide: Callable[[int], None]) -> None:
        """Have this called with the number of coordinators, now and whenever it changes."""
        self._divided.append(divide)
        divide(self.coordinators)

    def share(self, coordinators: int) -> None:
        if coordinators != self.coordinators:
            self.coordinators = coordinators
            for divide in self._divided:
                divide(coordinators)


class Leases:
    def __init__(self, store: Store, limits: SharedLimits, coordinator: str) -> None:
        self.store = store
        self.limits = limits
        self.id = coordinator
        """Our own id. It is new at each start."""
        self.living: tuple[str, ...] = (self.id,)
        """The coordinators that live, as far as we know; we are among them."""
        self.inherited = asyncio.Event()
        """Is set when we were the first to notice that a coordinator has gone, so that we judge what it has left."""
        self._machine = this_machine()
        self._process = process_name(os.getpid())
        self._entered = False

    async def beat(self) -> None:
        """Give a sign of life, and look who else does."""
        if self._entered and self.store.is_on_one_machine:
            rows = await self.store.coordinators_known()  # Processes of this machine are seen without their signs of life.
        else:
            rows = await self.store.beat(self.id, self._machine, self._process)
            self._entered = True
        gone = [row.id for row in rows if row.id != self.id and self._is_gone(row)]
        if gone and await self.store.forget_coordinators(gone):
            self.inherited.set()
        self.living = (self.id, *(row.id for row in rows if row.id != self.id and row.id not in gone))
        self.limits.share(len(self.living))

    def _is_gone(self, row: CoordinatorRow) -> bool:
        running = _is_running(row.process) if row.machine == self._machine else None
        if self.store.is_on_one_machine:
            return not running  # One of another machine was written in a container that is no more.
        return running is False or row.age > LEASE_SECONDS

    async def end(self) -> None:
        """We end: what we have not judged is for others."""
        with contextlib.suppress(StoreUnavailable):
            await self.store.forget_coordinators([self.id])


def _is_running(name: str) -> bool | None:
    """Whether the process of this name runs; None where the system does not tell."""
    process, _, started = name.partition("/")
    if started or sys.platform == "linux":
        return bool(started) and process_name(int(process)) == name
    if sys.platform == "win32":
        return None
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
