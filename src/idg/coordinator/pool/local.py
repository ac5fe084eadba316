"""The pool of one machine: engine workers as child processes, a fair queue of bounded length, and limits on each job."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from statistics import fmean, median

from idg.coordinator.pool.jobs import Asker, Busy, CallError, Closed, Failed, Job, PoolSettings, PoolStats, Reason
from idg.coordinator.pool.lines import JsonText, object_text, read_with_texts
from idg.coordinator.pool.load import Load
from idg.coordinator.pool.process import NoReply, Reply, WorkerProcess
from idg.coordinator.pool.queue import FairQueue, Ticket
from idg.coordinator.pool.workers import WorkerProcesses
from idg.engine.wire.codec import Json
from idg.sip.record import replace

WATCH_SECONDS = 0.1
"""How often the memory of busy workers is looked at."""
RECENT_JOBS = 200
"""The durations of this many latest jobs are kept, to estimate when a place will be free."""
FIRST_JOB_SECONDS = 1.0
"""The duration assumed of a job before the first one is done."""
RETRY_SECONDS_MIN = 0.1
"""The shortest time after which a refused caller is told to try again."""
RETRY_SECONDS_MAX = 60.0
"""The longest time after which a refused caller is told to try again."""

log = logging.getLogger("idg.coordinator.pool.local")


class LocalPool:
    """A `Pool` of child processes. All methods are called in the event loop in which it was started."""

    def __init__(self, settings: PoolSettings | None = None) -> None:
        self.settings = settings or PoolSettings()
        self._processes = WorkerProcesses(self.settings, on_ready=self._dispatch)
        self._queue = FairQueue(self.settings.queue_max)
        self._waiting: dict[str, Ticket] = {}
        """Key → the job that waits under it."""
        self._running: dict[WorkerProcess, Ticket] = {}
        self._load = Load(time.monotonic)
        self._recent_seconds: deque[float] = deque(maxlen=RECENT_JOBS)
        self._watching: asyncio.TimerHandle | None = None
        self._closed = False
        self._failed: Counter[str] = Counter(time=0, memory=0, died=0)
        self._numbers = self._done = self._errors = self._cancelled = self._repeated = self._busy_rejections = 0

    async def start(self) -> None:
        """Start the workers and wait until they are warm; NotStarted where none can be started."""
        await self._processes.start()

    async def close(self, drain_seconds: float = 0) -> None:
        """End all processes. Waiting jobs raise Closed; running ones do so unless they end within `drain_seconds`."""
        self._closed = True
        for ticket in list(self._queue):
            self._queue.remove(ticket)
            self._refuse(ticket)
        awaited = [ticket.answer for ticket in self._running.values() if not ticket.answer.done()]
        if awaited and drain_seconds > 0:
            await asyncio.wait(awaited, timeout=drain_seconds)
        for worker, ticket in list(self._running.items()):
            self._end_run(worker)
            self._refuse(ticket)
        if self._watching is not None:
            self._watching.cancel()
        await self._processes.close()

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
        arguments = JsonText(object_text(job.arguments))
        line = object_text({"id": self._numbers, "call": job.call, "arguments": arguments}).encode() + b"\n"
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
            if twin in self._running.values():
                assert twin.timer is not None
                left = twin.timer.when() - asyncio.get_running_loop().time()
                self._set_timer(twin, min(left, self.settings.cancel_grace_seconds))

    def stats(self) -> PoolStats:
        processes = self._processes
        return PoolStats(
            workers=self.settings.workers,
            busy=len(self._running),
            idle=len(processes.idle),
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
            sandbox=processes.sandbox,
        )

    # Giving jobs to workers.

    def _admits(self, job: Job) -> bool:
        """Whether the job may run at once or wait. One room may fill half of the queue, and all agents three quarters of it; an
        address and a player have their shares."""
        places = self.settings.queue_max
        queue = self._queue
        if not queue and self._processes.idle and len(self._running) < self.settings.workers:
            return True
        asker = job.asker
        if not queue.shares.admits(asker.address, asker.player) or queue.of_room(asker.room) >= max(1, places // 2):
            return False
        return not asker.agent or queue.agents_length < max(1, places * 3 // 4)

    def _retry_after_seconds(self) -> float:
        """When a place will be free if jobs go on taking as long as they did."""
        job_seconds = fmean(self._recent_seconds) if self._recent_seconds else FIRST_JOB_SECONDS
        expected = job_seconds * (len(self._queue) + 1) / self.settings.workers
        return min(max(expected, RETRY_SECONDS_MIN), RETRY_SECONDS_MAX)

    def _dispatch(self) -> None:
        """Give waiting jobs to ready workers, as long as there are both."""
        while self._queue and len(self._running) < self.settings.workers:
            worker = self._processes.take()
            if worker is None:
                return
            ticket = self._queue.pop(self._load)
            self._waiting.pop(ticket.job.key, None)
            self._running[worker] = ticket
            self._load.begin(ticket.job.asker.path)
            ticket.tries += 1
            ticket.started = asyncio.get_running_loop().time()
            self._set_timer(ticket, self._deadline_seconds(ticket))
            worker.send(ticket.line, self._replied)
            if self._watching is None:
                self._watching = asyncio.get_running_loop().call_later(WATCH_SECONDS, self._watch)

    def _deadline_seconds(self, ticket: Ticket) -> float:
        own = ticket.job.deadline_seconds
        return self.settings.deadline_seconds if own is None else own

    def _set_timer(self, ticket: Ticket, seconds: float) -> None:
        if ticket.timer is not None:
            ticket.timer.cancel()
        ticket.timer = asyncio.get_running_loop().call_later(seconds, self._time_is_over, ticket)

    def _end_run(self, worker: WorkerProcess) -> Ticket:
        """The worker has no job any more; returns the ticket that it had."""
        ticket = self._running.pop(worker)
        assert ticket.timer is not None
        ticket.timer.cancel()
        seconds = asyncio.get_running_loop().time() - ticket.started
        self._load.end(ticket.job.asker.path, seconds)
        self._recent_seconds.append(seconds)
        return ticket

    def _kill(self, worker: WorkerProcess) -> Ticket:
        ticket = self._end_run(worker)
        self._processes.dismiss(worker)
        return ticket

    # Replies.

    def _replied(self, worker: WorkerProcess, reply: Reply) -> None:
        match reply:
            case NoReply.ENDED:
                self._ended(worker)
            case NoReply.TOO_LONG:
                self._fail(self._kill(worker), "died", f"the answer is longer than {self.settings.answer_bytes_max} bytes")
            case bytes():
                self._heard(worker, reply)
        self._dispatch()

    def _heard(self, worker: WorkerProcess, line: bytes) -> None:
        message = _decode(line, self._running[worker].number)
        if message is None:
            self._try_again(self._kill(worker), True, f"worker {worker.pid} spoke nonsense")
        elif "memory" in message:
            self._memory_is_over(self._kill(worker))
        else:
            ticket = self._end_run(worker)
            self._processes.give_back(worker, retire="retire" in message)
            self._answer(ticket, message)

    def _answer(self, ticket: Ticket, message: Json) -> None:
        if ticket.answer.done():
            return
        self._done += 1
        if "error" in message:
            self._errors += 1
            error = message["error"]
            ticket.answer.set_exception(CallError(error["type"], error["message"], error["traceback"]))
        else:
            ticket.answer.set_result(message["answer"])

    def _ended(self, worker: WorkerProcess) -> None:
        ticket = self._end_run(worker)
        if worker.died_of_memory():
            self._memory_is_over(ticket)
        else:
            self._try_again(ticket, worker.begun, worker.obituary())

    def _try_again(self, ticket: Ticket, begun: bool, detail: str) -> None:
        """Queue a job again whose worker is gone, unless it was tried often enough.

        A try does not count where the worker had not begun the job. That is granted only as often as there are workers and once
        more, because not more of them can have been dying already when they got the job.
        """
        if ticket.answer.done():
            return
        if not begun and ticket.lost <= self.settings.workers:
            ticket.lost += 1
            ticket.tries -= 1
        if self._closed:
            self._refuse(ticket)
        elif ticket.tries >= self.settings.tries_max:
            self._fail(ticket, "died", detail)
        else:
            self._repeated += 1
            self._queue.push_first(ticket)

    def _fail(self, ticket: Ticket, reason: Reason, detail: str) -> None:
        if ticket.answer.done():
            return
        # A hard program may well reach the limit of time. Nobody has to look into that, so it is no warning.
        level = logging.INFO if reason == "time" else logging.WARNING
        job = ticket.job
        log.log(level, "a job %r of room %s failed (%s, tried %d): %s", job.call, job.asker.room, reason, ticket.tries, detail)
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

    # Limits.

    def _time_is_over(self, ticket: Ticket) -> None:
        worker = next(worker for worker, running in self._running.items() if running is ticket)
        self._kill(worker)
        self._fail(ticket, "time", f"the analysis was ended after {self._deadline_seconds(ticket):g} s")
        self._dispatch()

    def _watch(self) -> None:
        self._watching = None
        for worker in list(self._running):
            if self._processes.exceeds_memory(worker):
                self._memory_is_over(self._kill(worker))
        if self._running:
            self._watching = asyncio.get_running_loop().call_later(WATCH_SECONDS, self._watch)
        self._dispatch()

    def _memory_is_over(self, ticket: Ticket) -> None:
        self._fail(ticket, "memory", f"the analysis needs more than {self.settings.memory_mb} MB")


def _decode(line: bytes, number: int) -> Json | None:
    """What a worker has answered; None where it is no answer to the request of this number."""
    try:
        message = read_with_texts(line.decode())
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("id") != number:
        return None
    error = message.get("error")
    is_error = isinstance(error, dict) and all(isinstance(error.get(key), str) for key in ("type", "message", "traceback"))
    return message if is_error or isinstance(message.get("answer"), dict) or message.get("memory") is True else None
