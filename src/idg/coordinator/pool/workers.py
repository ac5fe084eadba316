"""The processes of a pool: always as many warm ones as there are slots and one to spare, whatever happens to them."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Protocol

from idg.coordinator.pool.jobs import NotStarted, PoolSettings
from idg.coordinator.pool.process import Phase, WorkerProcess, spawn

BACK_OFF_SECONDS = 0.1
BACK_OFF_SECONDS_MAX = 30.0
START_FAILURES_MAX = 3
"""So many in a row without one worker ready, and the pool does not start."""
END_SECONDS_MAX = 10.0
_MEGABYTE = 2**20

log = logging.getLogger("idg.coordinator.pool.local")


class Client(Protocol):
    """Who uses the crew. `worker` is a busy one in all of these."""

    def ready(self) -> None: ...
    def heard(self, worker: WorkerProcess, line: bytes) -> None: ...
    def overlong(self, worker: WorkerProcess) -> None: ...
    def lost(self, worker: WorkerProcess) -> None: ...


class Crew:
    def __init__(self, settings: PoolSettings, client: Client) -> None:
        self.settings = settings
        self.idle: list[WorkerProcess] = []
        self.spawned = self.killed = self.died = self.recycled = self.start_failures = self.start_failures_in_a_row = 0
        self._client = client
        self._members: set[WorkerProcess] = set()
        self._unreleased: set[WorkerProcess] = set()
        self._spawning: set[asyncio.Task[None]] = set()
        self._back_off: asyncio.TimerHandle | None = None
        self._changed = asyncio.Event()
        self._closed = False
        self._last_failure = ""

    @property
    def starting(self) -> int:
        return sum(worker.phase is Phase.STARTING for worker in self._members) + len(self._spawning)

    async def start(self) -> None:
        """Return when every slot has its worker, or some have and others cannot be started now."""
        self._fill()
        while len(self.idle) < self.settings.workers:
            if self.start_failures_in_a_row >= START_FAILURES_MAX:
                if self.idle:
                    return
                await self.close()
                raise NotStarted(f"no engine worker can be started: {self._last_failure}")
            self._changed.clear()
            await self._changed.wait()

    async def close(self) -> None:
        """End all processes and wait for their ends."""
        self._closed = True
        if self._back_off is not None:
            self._back_off.cancel()
        if self._spawning:
            await asyncio.wait(self._spawning)
        self.idle.clear()
        for worker in list(self._members):
            self._doom(worker)
        loop = asyncio.get_running_loop()
        latest = loop.time() + END_SECONDS_MAX
        while self._unreleased and loop.time() < latest:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), latest - loop.time())
            except TimeoutError:
                log.error("%d engine workers did not end", len(self._unreleased))

    def take(self) -> WorkerProcess | None:
        """A ready worker, now busy: the one used last, whose caches are warm."""
        while self.idle:
            worker = self.idle.pop()
            if worker.alive():
                worker.phase = Phase.BUSY
                worker.served += 1
                return worker
            worker.kill()  # Its end is on its way to us.
        return None

    def give_back(self, worker: WorkerProcess, retire: bool) -> None:
        """A busy worker has answered. Replaced when it has served enough, but not while it is needed: then a little later."""
        after = self.settings.recycle_after
        if retire or worker.served >= 2 * after or (worker.served >= after and self.idle):
            self.recycled += 1
            self._doom(worker)
            self._fill()
        else:
            worker.phase = Phase.IDLE
            self.idle.append(worker)

    def dismiss(self, worker: WorkerProcess) -> None:
        """End a worker that does what it must not, and start another."""
        self.killed += 1
        self._doom(worker)
        self._fill()

    def _doom(self, worker: WorkerProcess) -> None:
        worker.phase = Phase.DOOMED
        self._members.discard(worker)
        if worker.start_timer is not None:
            worker.start_timer.cancel()
        worker.kill()

    def _fill(self) -> None:
        if self._closed or self._back_off is not None:
            return
        for _ in range(self.settings.workers + 1 - len(self._members) - len(self._spawning)):
            task = asyncio.get_running_loop().create_task(self._spawn())
            self._spawning.add(task)
            task.add_done_callback(self._has_spawned)

    def _has_spawned(self, task: asyncio.Task[None]) -> None:
        self._spawning.discard(task)
        self._fill()  # For a moment the new process was counted twice, and a death then would not have been made good.

    async def _spawn(self) -> None:
        try:
            await spawn(self, self.settings)
        except OSError as error:
            self._start_failed(f"{error}")

    def _start_failed(self, why: str) -> None:
        self.start_failures += 1
        self.start_failures_in_a_row += 1
        self._last_failure = why
        if self._back_off is None and not self._closed:
            exponent = min(self.start_failures_in_a_row - 1, 20)
            seconds = min(BACK_OFF_SECONDS * 2**exponent, BACK_OFF_SECONDS_MAX)
            log.error("an engine worker could not be started (the next try is in %.1f s): %s", seconds, why)
            self._back_off = asyncio.get_running_loop().call_later(seconds, self._try_again)
        self._changed.set()

    def _try_again(self) -> None:
        self._back_off = None
        self._fill()

    def _start_over(self, worker: WorkerProcess) -> None:
        self.killed += 1
        self._doom(worker)
        self._start_failed(f"worker {worker.pid} was not ready after {self.settings.start_seconds_max} s")

    # What workers tell.

    def appeared(self, worker: WorkerProcess) -> None:
        self.spawned += 1
        self._unreleased.add(worker)
        if self._closed:
            self._doom(worker)
            return
        self._members.add(worker)
        loop = asyncio.get_running_loop()
        worker.start_timer = loop.call_later(self.settings.start_seconds_max, self._start_over, worker)

    def heard(self, worker: WorkerProcess, line: bytes) -> None:
        if worker.phase is Phase.BUSY:
            self._client.heard(worker, line)
        elif worker.phase is Phase.STARTING and _is_ready(line):
            self._is_ready(worker)
        else:
            self._spoke_nonsense(worker)

    def overlong(self, worker: WorkerProcess) -> None:
        if worker.phase is Phase.BUSY:
            self._client.overlong(worker)
        else:
            self._spoke_nonsense(worker)

    def _is_ready(self, worker: WorkerProcess) -> None:
        assert worker.start_timer is not None
        worker.start_timer.cancel()
        worker.phase = Phase.IDLE
        worker.resident_at_start_bytes = worker.resident_bytes() or 0
        self.start_failures_in_a_row = 0
        self.idle.insert(0, worker)
        self._changed.set()
        self._client.ready()

    def _spoke_nonsense(self, worker: WorkerProcess) -> None:
        log.error("worker %d spoke without being asked", worker.pid)
        if worker in self.idle:
            self.idle.remove(worker)
        if worker.phase is Phase.STARTING:  # First, so that the next one is not started at once.
            self._start_failed(f"worker {worker.pid} spoke nonsense instead of being ready")
        self.dismiss(worker)

    def gone(self, worker: WorkerProcess) -> None:
        if worker not in self._members:
            return
        self._members.discard(worker)
        self.died += 1
        phase, worker.phase = worker.phase, Phase.DOOMED
        if phase is Phase.STARTING:
            assert worker.start_timer is not None
            worker.start_timer.cancel()
            self._start_failed(worker.obituary())
        else:
            log.warning("%s", worker.obituary())
        if worker in self.idle:
            self.idle.remove(worker)
        self._fill()
        if phase is Phase.BUSY:
            self._client.lost(worker)

    def released(self, worker: WorkerProcess) -> None:
        self._unreleased.discard(worker)
        self._changed.set()

    def takes_too_much(self, worker: WorkerProcess) -> bool:
        """Whether it uses more memory than it may; the second line, after the limit that it sets itself."""
        resident = worker.resident_bytes() if self.settings.memory_mb else None
        return resident is not None and resident - worker.resident_at_start_bytes > self.settings.memory_mb * _MEGABYTE


def _is_ready(line: bytes) -> bool:
    try:
        return bool(json.loads(line) == {"ready": True})
    except ValueError:
        return False
