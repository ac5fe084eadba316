"""What all pools share: who is admitted, the fair queue, the tickets, and what is counted. Where jobs run is up to each pool."""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Iterable
from statistics import fmean, median

from idg.coordinator.pool.jobs import Asker, Busy, CallError, Closed, Failed, Job, PoolSettings, PoolStats, Reason
from idg.coordinator.pool.lines import JsonText, object_text
from idg.coordinator.pool.queueing.load import Load
from idg.coordinator.pool.queueing.queue import FairQueue, Ticket
from idg.coordinator.pool.sandbox.confine import Sandbox
from idg.engine.wire.codec import Json
from idg.sip.record import Record, replace

RECENT_JOBS = 200
"""The durations of this many latest jobs are kept, to estimate when a place will be free."""
FIRST_JOB_SECONDS = 1.0
"""The duration assumed of a job before the first one is done."""
RETRY_SECONDS_MIN = 0.1
"""The shortest time after which a refused caller is told to try again."""
RETRY_SECONDS_MAX = 60.0
"""The longest time after which a refused caller is told to try again."""


Reading = tuple[str, str, dict[str, float]]
"""A figure for the metrics: its name, its explanation, and its values by what they are of."""


class Processes(Record):
    """What became of the worker processes that a pool started itself."""

    starting: int = 0
    killed: int = 0
    died: int = 0
    recycled: int = 0
    spawned: int = 0
    start_failures: int = 0
    start_failures_in_a_row: int = 0


class QueuedPool(ABC):
    """A pool with a fair queue of bounded length. All methods are called in the event loop in which it was started."""

    def __init__(self, settings: PoolSettings, log: logging.Logger) -> None:
        self.settings = settings
        self._log = log
        self._queue = FairQueue(settings.queue_max)
        self._waiting: dict[str, Ticket] = {}
        """Key → the job that waits under it."""
        self._load = Load(time.monotonic)
        self._recent_seconds: deque[float] = deque(maxlen=RECENT_JOBS)
        self._closed = False
        self._failed: Counter[str] = Counter(time=0, memory=0, died=0)
        self._numbers = self._done = self._errors = self._cancelled = self._repeated = self._busy_rejections = 0

    # What each pool does in its own way.

    @abstractmethod
    def _slots(self) -> int:
        """How many jobs may run at the same time."""

    @abstractmethod
    def _has_room(self) -> bool:
        """Whether one more job could run at once."""

    @abstractmethod
    def _dispatch(self) -> None:
        """Have waiting jobs carried out, as long as there is room."""

    @abstractmethod
    def _abandon(self, ticket: Ticket) -> None:
        """Nobody waits for this job any more; end it soon if it is running."""

    def _line(self, number: int, arguments: JsonText, job: Job) -> bytes:
        """The request as whoever carries it out reads it."""
        return object_text({"id": number, "call": job.call, "arguments": arguments}).encode() + b"\n"

    def problem(self) -> str:
        """Why no job can be carried out at present, as a sentence; empty where nothing is wrong."""
        return ""

    def readings(self) -> Iterable[Reading]:
        """What else the metrics should tell."""
        return ()

    # What callers do.

    async def ask(self, job: Job) -> Json:
        return await self.submit(job).answer

    def submit(self, job: Job) -> Ticket:
        """Accept a job, or raise Busy or Closed at once. The ticket's answer may raise Failed, CallError or Closed."""
        if self._closed:
            raise Closed
        if not self._admits(job):
            self._busy_rejections += 1
            raise Busy(self._retry_after_seconds())
        self._numbers += 1
        arguments = JsonText(object_text(job.arguments)) if job.encoded is None else job.encoded
        line = self._line(self._numbers, arguments, job)
        ticket = Ticket(self._numbers, job, line, asyncio.get_running_loop().create_future())
        ticket.answer.add_done_callback(lambda _: self._settled(ticket))
        self._queue.push(ticket)
        if job.key:
            self._waiting[job.key] = ticket
        for asker in job.others:
            self.join(job.key, asker)
        self._dispatch()
        return ticket

    def join(self, key: str, asker: Asker) -> None:
        """Put the job into the line of somebody else, too, if it waits and their share of the queue allows it."""
        ticket = self._waiting.get(key)
        if ticket is None or any(twin.job.asker.path == asker.path for twin in ticket.twins):
            return
        if self._admits(replace(ticket.job, asker=asker)):
            self._queue.push(ticket.twin(asker))

    def cancel(self, ticket: Ticket) -> None:
        """Nobody waits for the answer any more: a waiting job is forgotten, a running one is ended soon."""
        ticket.answer.cancel()
        if ticket.abandoned or not ticket.answer.cancelled():
            return
        ticket.abandoned = True
        self._cancelled += 1
        for twin in ticket.twins:
            self._queue.remove(twin)
            self._abandon(twin)

    def refuse_waiting(self) -> None:
        """Give back all jobs that wait, so that they can be given to another pool: they raise Closed."""
        for ticket in list(self._queue):
            self._queue.remove(ticket)
            self._refuse(ticket)

    # What pools use.

    def _next(self) -> Ticket:
        """The ticket whose turn is next; it begins to run."""
        ticket = self._queue.pop(self._load)
        self._waiting.pop(ticket.job.key, None)
        self._load.begin(ticket.job.asker.path)
        ticket.tries += 1
        ticket.started = asyncio.get_running_loop().time()
        return ticket

    def _over(self, ticket: Ticket, seconds: float) -> None:
        """A job runs no more, after so many seconds."""
        self._load.end(ticket.job.asker.path, seconds)
        self._recent_seconds.append(seconds)

    def _deadline_seconds(self, ticket: Ticket) -> float:
        own = ticket.job.deadline_seconds
        return self.settings.deadline_seconds if own is None else own

    def _refuse_all_waiting(self) -> None:
        self._closed = True
        self.refuse_waiting()

    def _answer(self, ticket: Ticket, message: Json) -> None:
        """Give the answer to whoever waits: `message` has an "answer" or an "error"."""
        if ticket.answer.done():
            return
        self._done += 1
        if "error" in message:
            self._errors += 1
            error = message["error"]
            ticket.answer.set_exception(CallError(error["type"], error["message"], error["traceback"]))
        else:
            ticket.answer.set_result(message["answer"])

    def _fail(self, ticket: Ticket, reason: Reason, detail: str) -> None:
        if ticket.answer.done():
            return
        # A hard program may well reach the limit of time. Nobody has to look into that, so it is no warning.
        level = logging.INFO if reason == "time" else logging.WARNING
        job = ticket.job
        self._log.log(
            level, "a job %r of room %s failed (%s, tried %d): %s", job.call, job.asker.room, reason, ticket.tries, detail
        )
        self._failed[reason] += 1
        ticket.answer.set_exception(Failed(reason, ticket.tries, detail))

    def _refuse(self, ticket: Ticket) -> None:
        if not ticket.answer.done():
            ticket.answer.set_exception(Closed())

    def _settled(self, ticket: Ticket) -> None:
        self._waiting.pop(ticket.job.key, None)
        if ticket.answer.cancelled():
            self.cancel(ticket)
        else:
            # The exception counts as seen: the loop must not complain of an answer that nobody awaits.
            ticket.answer.exception()

    def _stats(self, busy: int, idle: int, processes: Processes, sandbox: Sandbox) -> PoolStats:
        return PoolStats(
            workers=self._slots(),
            busy=busy,
            idle=idle,
            starting=processes.starting,
            queued=len(self._queue),
            done=self._done,
            errors=self._errors,
            failed=dict(self._failed),
            cancelled=self._cancelled,
            repeated=self._repeated,
            killed=processes.killed,
            died=processes.died,
            recycled=processes.recycled,
            spawned=processes.spawned,
            start_failures=processes.start_failures,
            start_failures_in_a_row=processes.start_failures_in_a_row,
            busy_rejections=self._busy_rejections,
            recent_median_seconds=median(self._recent_seconds) if self._recent_seconds else None,
            sandbox=sandbox,
        )

    def _admits(self, job: Job) -> bool:
        """Whether the job may run at once or wait. One room may fill half of the queue, and all agents three quarters of it; an
        address and a player have their shares."""
        places = self.settings.queue_max
        queue = self._queue
        if not queue and self._has_room():
            return True
        asker = job.asker
        if not queue.shares.admits(asker.address, asker.player) or queue.of_room(asker.room) >= max(1, places // 2):
            return False
        return not asker.agent or queue.agents_length < max(1, places * 3 // 4)

    def _retry_after_seconds(self) -> float:
        """When a place will be free if jobs go on taking as long as they did."""
        job_seconds = fmean(self._recent_seconds) if self._recent_seconds else FIRST_JOB_SECONDS
        expected = job_seconds * (len(self._queue) + 1) / max(1, self._slots())
        return min(max(expected, RETRY_SECONDS_MIN), RETRY_SECONDS_MAX)
