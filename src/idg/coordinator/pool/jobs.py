"""What the coordinator asks of a pool of engine workers, and what comes back.

`Pool` is the interface that the rest of the coordinator uses. `LocalPool` implements it with processes of this machine; another
implementation may compute the jobs elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, Protocol

from idg.coordinator.pool.lines import JsonText
from idg.coordinator.pool.sandbox.confine import Sandbox, SandboxSetting
from idg.coordinator.waiting import Gone
from idg.engine.wire.codec import Json
from idg.prover.plugins.chosen import OURS, ChosenProvers
from idg.sip.record import Record

Reason = Literal["time", "memory", "died"]
"""Why a pool gives up a job: it took too long, it needed too much memory, or its worker died each time."""


def always() -> bool:
    return True


class Asker(Record):
    """For whom a job is computed. Nobody's jobs can fill the queue: those of an address, a player and a room have shares of it, and
    the address, player and room with the fewest running jobs are served first."""

    room: str
    player: str = ""
    """Empty for what the server asks by itself."""
    address: str = ""
    """The address from which the player asks, as `web.addresses` counts it; empty where nobody asks from outside."""
    agent: bool = False
    """Whether a program waits for the answer and not a person. People are served first."""
    gone: Gone | None = None
    """Notices that the one who asks has gone; None for what is not given up then."""
    is_waiting: Callable[[], bool] = always
    """Whether anybody still waits for the answer. A job for which nobody waits is served when no other job is left."""

    @property
    def path(self) -> tuple[str, str, str]:
        return self.address, self.player, self.room


class Job(Record):
    """A call that any worker can carry out."""

    call: str
    """Its name; pool/computing/calls.py has the records of its arguments and of its answer."""
    arguments: Json
    """Values that are `JsonText` are put into the request as they are."""
    asker: Asker
    deadline_seconds: float | None = None
    """How long it may run; None means as long as the pool's settings allow."""
    key: str = ""
    """The name of the job for others who want the same answer; see `Pool.join`."""
    others: tuple[Asker, ...] = ()
    """Those who want it already."""
    encoded: JsonText | None = None
    """The arguments, where they are JSON already; then `arguments` does not count."""


class Busy(Exception):
    """The queue is full, or the share of it that one address, player or room, or all agents may use."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(f"all engine workers are busy and enough is waiting; try again in {retry_after_seconds:.1f} s")
        self.retry_after_seconds = retry_after_seconds


class Failed(Exception):
    """The job was given up: it reached the limit of time or of memory, or its workers died."""

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
    """The pool is being closed, or is closed; the job was not done."""

    def __init__(self) -> None:
        super().__init__("the pool of engine workers is closed; the job can be given to another")


class NoEngine(Exception):
    """Nobody can compute the job at present; the message says why. Whoever asked need not wait for that to change."""


class NotStarted(Exception):
    """No worker could be started; the message says why the last attempt failed."""


class PoolSettings(Record):
    workers: int = 2
    """How many jobs are computed at the same time."""
    spares: int = 1
    """How many more processes are kept ready from the first job on, in case that one is lost."""
    queue_max: int = 64
    """How many jobs may wait. One room may use half of these places, and agents together three quarters. What one address or player
    may use depends on what is free: see shares.py."""
    deadline_seconds: float = 30.0
    """How long a job may run unless it has a deadline of its own."""
    memory_mb: int = 1024
    """How much memory a call may take beyond what a warm worker already has (a warm worker has about 190 MB of addresses, of
    which 50 MB are in memory); 0 means no limit."""
    recycle_after: int = 1000
    """Requests after which a process is replaced by a fresh one."""
    tries_max: int = 2
    """How often a job is tried when its worker dies. A job that reaches its limit of time or memory is not tried again."""
    calls_module: str = "idg.coordinator.pool.computing.analyses"
    """The module whose `CALLS` the workers carry out."""
    answer_bytes_max: int = 8 * 2**20
    """How long one answer may be; a worker that says more is ended."""
    start_seconds_max: float = 60.0
    """How long a process may take until it is ready."""
    cancel_grace_seconds: float = 0.2
    """How long a running job may go on when nobody waits for it any more. A worker that ends it by itself within this time is
    kept, because a new process costs more than most answers."""
    limit_addresses: bool = True
    """Whether a worker limits its own address space (RLIMIT_AS). The pool watches the memory in use in any case."""
    sandbox: SandboxSetting = "auto"
    """Whether workers confine themselves."""
    provers: ChosenProvers = OURS
    """Who proves, and who may contradict."""


class PoolStats(Record):
    workers: int
    """How many jobs the pool computes at the same time."""
    busy: int
    idle: int
    """Processes that are ready, the spare included."""
    starting: int
    queued: int
    done: int
    """Answers given, including those of calls that raised an exception."""
    errors: int
    """Calls that raised an exception."""
    failed: dict[str, int]
    """Jobs given up, by reason: time, memory, died."""
    cancelled: int
    repeated: int
    """How often a job was tried again because its worker died."""
    killed: int
    """Processes that the pool ended because of a limit, a cancelled job, or an answer that makes no sense."""
    died: int
    """Processes that ended without being told to."""
    recycled: int
    spawned: int
    start_failures: int
    start_failures_in_a_row: int
    """Above 0, no process can be started at present; the pool waits longer after each failure before it tries again."""
    busy_rejections: int
    recent_median_seconds: float | None
    """The median duration of recent jobs; None before the first one."""
    sandbox: Sandbox
    """What no worker that is ready can do."""


class Pool(Protocol):
    """Computes jobs, some at the same time. All methods are called in one event loop."""

    async def start(self) -> None:
        """Get ready for jobs; raises NotStarted where that is impossible."""
        ...

    async def ask(self, job: Job) -> Json:
        """The answer to a job, in which long values are `JsonText`; cancelling the wait cancels the job.

        Raises Busy, Failed, CallError or Closed.
        """
        ...

    def join(self, key: str, asker: Asker) -> None:
        """Somebody else wants the answer to the job with this key. If the job waits, it is served as soon as the turn of any of its
        askers comes, so that nobody has to wait in the line of whoever asked first."""
        ...

    def stats(self) -> PoolStats: ...

    def problem(self) -> str:
        """Why no job can be carried out at present, as a sentence; empty where nothing is wrong."""
        ...

    def readings(self) -> Iterable[tuple[str, str, dict[str, float]]]:
        """What else the metrics should tell: names, explanations and values."""
        ...

    async def close(self, drain_seconds: float = 0) -> None:
        """Accept no more jobs and end. Waiting jobs raise Closed; running ones do so unless they end within `drain_seconds`."""
        ...
