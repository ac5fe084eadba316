"""The processes of a local pool: as many ready ones as jobs may run at the same time, and one spare, even though processes die.

The spare is started with the first job. Before that, no process can be lost to a job, and a server starts with one process less.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable

from idg.coordinator.pool.jobs import NotStarted, PoolSettings
from idg.coordinator.pool.process import NoReply, Phase, Reply, WorkerProcess
from idg.coordinator.pool.sandbox.confine import Sandbox, weakest
from idg.engine.version import engine_version

BACK_OFF_SECONDS = 0.1
"""How long we wait after the first failure to start a process; the wait doubles with each further failure in a row."""
BACK_OFF_SECONDS_MAX = 30.0
"""The longest wait between two attempts to start a process."""
DOUBLINGS_MAX = 20
"""How often the wait doubles at most, so that its computation cannot overflow; the maximum is reached long before."""
START_FAILURES_MAX = 3
"""After this many failures in a row without one ready worker, the pool does not start."""
END_SECONDS_MAX = 10.0
"""How long closing waits for the killed processes to be gone."""
_MEGABYTE = 2**20
"""How many bytes a megabyte has in the settings."""

log = logging.getLogger("idg.coordinator.pool.local")


class WorkerProcesses:
    """Starts, lends and replaces worker processes. `on_ready` is called whenever a worker has become ready."""

    def __init__(self, settings: PoolSettings, on_ready: Callable[[], None]) -> None:
        self.settings = settings
        self.idle: list[WorkerProcess] = []
        """Ready workers; the one used last is at the end."""
        self.spawned = self.killed = self.died = self.recycled = self.start_failures = self.start_failures_in_a_row = 0
        self.other_engine = ""
        """The version of the engine of the last worker, where it is not that of this process."""
        self._on_ready = on_ready
        self._members: set[WorkerProcess] = set()
        """Processes that are starting, idle or busy."""
        self._unreleased: set[asyncio.Future[None]] = set()
        """One future for each process that is not gone yet."""
        self._spawning: set[asyncio.Task[None]] = set()
        self._back_off: asyncio.TimerHandle | None = None
        """Set while we wait before the next attempt to start a process."""
        self._changed = asyncio.Event()
        """Set when a worker has become ready or could not be started."""
        self._closed = False
        self._wanted = settings.workers
        """How many processes there should be."""
        self._last_failure = ""
        self._logged_sandbox: Sandbox | None = None

    @property
    def starting(self) -> int:
        return sum(worker.phase is Phase.STARTING for worker in self._members)

    @property
    def sandbox(self) -> Sandbox:
        """What no ready worker can do."""
        return weakest(worker.sandbox for worker in self._members if worker.sandbox is not None)

    def _log_sandbox(self) -> None:
        sandbox = self.sandbox
        if sandbox != self._logged_sandbox:
            self._logged_sandbox = sandbox
            log.info("the sandbox of engine workers", extra=sandbox.parts)

    async def start(self) -> None:
        """Return when enough workers are ready, or when some are and the others cannot be started now."""
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
        """End all processes and wait until they are gone."""
        self._closed = True
        if self._back_off is not None:
            self._back_off.cancel()
        if self._spawning:
            await asyncio.wait(self._spawning)
        self.idle.clear()
        for worker in list(self._members):
            self._doom(worker)
        if self._unreleased:
            _, left = await asyncio.wait(self._unreleased, timeout=END_SECONDS_MAX)
            if left:
                log.error("%d engine workers did not end", len(left))

    def take(self) -> WorkerProcess | None:
        """A ready worker for one request; None where there is none. It is the one used last, because its caches are warm."""
        while self.idle:
            worker = self.idle.pop()
            if worker.alive():
                self.want_spare()
                return worker
            worker.kill()  # It is ending; its end is handled when the loop hears of it.
        return None

    def give_back(self, worker: WorkerProcess, retire: bool) -> None:
        """Take back a worker that has answered, or replace it if it asks to retire or has served enough requests.

        While no other worker is idle, a worker that has served enough is kept for up to as many requests again.
        """
        after = self.settings.recycle_after
        if retire or worker.served >= 2 * after or (worker.served >= after and self.idle):
            self.recycled += 1
            self._doom(worker)
            self._fill()
        else:
            worker.phase = Phase.IDLE
            self.idle.append(worker)

    def dismiss(self, worker: WorkerProcess) -> None:
        """End a worker that has reached a limit or makes no sense, and start another one."""
        self.killed += 1
        self._doom(worker)
        self._fill()

    def exceeds_memory(self, worker: WorkerProcess) -> bool:
        """Whether it uses more memory than it may. This is the second safeguard, after the limit that the worker sets itself."""
        resident = worker.resident_bytes() if self.settings.memory_mb else None
        return resident is not None and resident - worker.resident_at_start_bytes > self.settings.memory_mb * _MEGABYTE

    def _doom(self, worker: WorkerProcess) -> None:
        self._members.discard(worker)
        worker.doom()

    # Starting.

    def want_spare(self) -> None:
        """Start the spare process, if there shall be one and it was never started."""
        if self._wanted < self.settings.workers + self.settings.spares:
            self._wanted = self.settings.workers + self.settings.spares
            self._fill()

    def _fill(self) -> None:
        """Start as many processes as are missing, unless we wait after a failure."""
        if self._closed or self._back_off is not None:
            return
        loop = asyncio.get_running_loop()
        while len(self._members) < self._wanted:
            worker = WorkerProcess(self.settings.answer_bytes_max, self._unasked, self._exited)
            worker.start_timer = loop.call_later(self.settings.start_seconds_max, self._not_ready_in_time, worker)
            self._members.add(worker)
            self._unreleased.add(worker.released)
            worker.released.add_done_callback(self._unreleased.discard)
            task = loop.create_task(self._start(worker))
            self._spawning.add(task)
            task.add_done_callback(self._spawning.discard)

    async def _start(self, worker: WorkerProcess) -> None:
        try:
            await worker.start(self.settings, self._started)
            self.spawned += 1
        except OSError as error:
            self._doom(worker)
            self._start_failed(str(error))

    def _started(self, worker: WorkerProcess, reply: Reply) -> None:
        """A process has said its first words, or has ended before."""
        if reply is NoReply.ENDED:
            self._start_failed(worker.obituary())
        elif isinstance(reply, bytes) and (ready := _ready(reply)) is not None:
            sandbox, engine = ready
            self.other_engine = engine if engine != engine_version() else ""
            if self.other_engine:
                # The failure is noted first, so that the next process is not started at once.
                self._start_failed(other_engine_text(engine))
                self.dismiss(worker)
            else:
                self._is_ready(worker, sandbox)
        else:
            # The failure is noted first, so that the next process is not started at once.
            self._start_failed(f"worker {worker.pid} spoke nonsense instead of being ready")
            self._unasked(worker)

    def _is_ready(self, worker: WorkerProcess, sandbox: Sandbox) -> None:
        assert worker.start_timer is not None
        worker.start_timer.cancel()
        worker.phase = Phase.IDLE
        worker.sandbox = sandbox
        self._log_sandbox()
        worker.resident_at_start_bytes = worker.resident_bytes() or 0
        self.start_failures_in_a_row = 0
        self.idle.insert(0, worker)
        self._changed.set()
        self._on_ready()

    def _not_ready_in_time(self, worker: WorkerProcess) -> None:
        self.killed += 1
        self._doom(worker)
        self._start_failed(f"worker {worker.pid} was not ready after {self.settings.start_seconds_max} s")

    def _start_failed(self, why: str) -> None:
        self.start_failures += 1
        self.start_failures_in_a_row += 1
        self._last_failure = why
        if self._back_off is None and not self._closed:
            doublings = min(self.start_failures_in_a_row - 1, DOUBLINGS_MAX)
            seconds = min(BACK_OFF_SECONDS * 2**doublings, BACK_OFF_SECONDS_MAX)
            log.error("an engine worker could not be started (the next try is in %.1f s): %s", seconds, why)
            self._back_off = asyncio.get_running_loop().call_later(seconds, self._try_again)
        self._changed.set()

    def _try_again(self) -> None:
        self._back_off = None
        self._fill()

    # What processes do by themselves.

    def _unasked(self, worker: WorkerProcess) -> None:
        """A process says something that nobody asked for."""
        log.error("worker %d spoke without being asked", worker.pid)
        if worker in self.idle:
            self.idle.remove(worker)
        self.dismiss(worker)

    def _exited(self, worker: WorkerProcess) -> None:
        """A process that was not doomed is gone. A request that was under way has been told of it already."""
        self._members.discard(worker)
        self.died += 1
        if worker.phase is Phase.STARTING:
            assert worker.start_timer is not None
            worker.start_timer.cancel()
        else:
            log.warning("%s", worker.obituary())
        if worker in self.idle:
            self.idle.remove(worker)
        self._fill()


def other_engine_text(engine: str) -> str:
    return f"the engine was replaced by version {engine} while this process, of version {engine_version()}, runs: start it again"


def _ready(line: bytes) -> tuple[Sandbox, str] | None:
    """What a worker that is ready says of its sandbox and of its engine; None where these are not the words of a ready worker."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    match message:
        case {
            "ready": True,
            "engine": str(engine),
            "sandbox": {"network": str(network), "files": str(files), "processes": str(processes)},
        }:
            return Sandbox(network, files, processes), engine
    return None
