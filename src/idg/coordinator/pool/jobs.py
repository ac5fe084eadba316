"""What is given to a pool of engine workers and what comes back: the seam behind which a cluster can stand."""

from __future__ import annotations

import asyncio
from typing import Any, Literal, Protocol

from idg.sip.record import Record

Json = dict[str, Any]
Reason = Literal["time", "memory", "died"]


class Job(Record):
    """A call for some worker. One room's jobs cannot starve those of others; people come before agents."""

    call: str
    arguments: Json
    room: str
    agent: bool = False
    deadline_seconds: float | None = None
    """None: the pool's."""


class Busy(Exception):
    """The queue, or the room's or the agents' share of it, is full."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(f"all engine workers are busy and enough is waiting; try again in {retry_after_seconds:.1f} s")
        self.retry_after_seconds = retry_after_seconds


class Failed(Exception):
    """Given up: the time was over, the memory was, or the workers died with it."""

    def __init__(self, reason: Reason, tries: int, detail: str) -> None:
        super().__init__(f"{detail} ({reason}; {tries} {'try' if tries == 1 else 'tries'})")
        self.reason: Reason = reason
        self.tries = tries
        self.detail = detail


class CallError(Exception):
    """The call itself raised an exception: wrong arguments, or a bug. The traceback is for logs, not for players."""

    def __init__(self, type_name: str, message: str, traceback: str = "") -> None:
        super().__init__(f"{type_name}: {message}")
        self.type_name = type_name
        self.message = message
        self.traceback = traceback


class Closed(Exception):
    """The pool ends, or has ended; the job was not done."""

    def __init__(self) -> None:
        super().__init__("the pool of engine workers is closed; the job can be given to another")


class NotStarted(Exception):
    """No worker could be started: says what the last one said."""


class PoolSettings(Record):
    workers: int = 2
    """Jobs computed at once. One process more is kept warm, as the spare."""
    queue_max: int = 64
    """Jobs that wait. One room may hold half of them, agents three quarters."""
    deadline_seconds: float = 30.0
    memory_mb: int = 1024
    """What a call may take beyond what a warm worker has (about 190 MB of addresses, 50 MB of them in memory); 0: no limit."""
    recycle_after: int = 1000
    """Requests after which a process is replaced."""
    tries_max: int = 2
    """How often a job is tried whose worker dies. Reaching the time or the memory limit is not tried again."""
    calls_module: str = "idg.coordinator.pool.analyses"
    answer_bytes_max: int = 64 * 2**20
    start_seconds_max: float = 60.0
    cancel_grace_seconds: float = 0.2
    """A running job that nobody waits for may still end by itself: a new process costs more than most answers."""
    limit_addresses: bool = True
    """Whether the child limits its addresses (RLIMIT_AS); the watch on memory in use is there in any case."""


class PoolStats(Record):
    workers: int
    busy: int
    idle: int
    """Ready, the spare included."""
    starting: int
    queued: int
    done: int
    """Answers given, those of calls that raised an exception included."""
    errors: int
    """Calls that raised an exception."""
    failed: dict[str, int]
    """By reason: time, memory, died."""
    cancelled: int
    repeated: int
    killed: int
    """Processes ended because of time, memory, a cancelled job, or because they spoke nonsense."""
    died: int
    """Processes that ended by themselves, or by another's hand."""
    recycled: int
    spawned: int
    start_failures: int
    start_failures_in_a_row: int
    """Over 0: processes cannot be started now, and the pool waits longer each time before it tries again."""
    busy_rejections: int
    recent_median_seconds: float | None


class Ticket:
    """A job that was taken. Cancelling `answer`, or the task that awaits it, cancels the job; `asyncio.shield` prevents that."""

    __slots__ = ("abandoned", "answer", "job", "line", "lost", "number", "started", "timer", "tries")

    def __init__(self, number: int, job: Job, line: bytes, answer: asyncio.Future[Json]) -> None:
        self.number = number
        self.job = job
        self.line = line
        self.answer = answer
        self.tries = 0
        self.lost = 0
        """How often it was handed to a worker that was dying already."""
        self.started = 0.0
        self.timer: asyncio.TimerHandle | None = None
        self.abandoned = False


class Pool(Protocol):
    """Where analyses are computed."""

    def submit(self, job: Job) -> Ticket:
        """Take a job; Busy at once where too many wait, Closed after the end. The answer may raise Failed, CallError or Closed."""
        ...

    def cancel(self, ticket: Ticket) -> None:
        """Nobody waits any more: a queued job is forgotten, a running one ended."""
        ...

    def stats(self) -> PoolStats: ...
