"""The pool of one machine: engine workers as child processes, a bounded fair queue in front of them, hard limits on each job."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, deque
from statistics import fmean, median
from typing import Any

from idg.coordinator.pool.jobs import (
    Busy,
    CallError,
    Closed,
    Failed,
    Job,
    Json,
    NotStarted,
    Pool,
    PoolSettings,
    PoolStats,
    Reason,
    Ticket,
)
from idg.coordinator.pool.process import WorkerProcess
from idg.coordinator.pool.queue import FairQueue
from idg.coordinator.pool.workers import Crew

__all__ = ["Busy", "CallError", "Closed", "Failed", "Job", "LocalPool", "NotStarted", "Pool", "PoolSettings", "PoolStats", "Ticket"]

WATCH_SECONDS = 0.1
RECENT_JOBS = 200
RETRY_SECONDS_MIN = 0.1
RETRY_SECONDS_MAX = 60.0

log = logging.getLogger("idg.coordinator.pool.local")


class LocalPool:
    """A Pool of child processes. All methods belong to the event loop in which it was started."""

    def __init__(self, settings: PoolSettings | None = None) -> None:
        self.settings = settings or PoolSettings()
        self._crew = Crew(self.settings, self)
        self._queue = FairQueue()
        self._running: dict[WorkerProcess, Ticket] = {}
        self._running_rooms: Counter[str] = Counter()
        self._recent: deque[float] = deque(maxlen=RECENT_JOBS)
        self._watching: asyncio.TimerHandle | None = None
        self._closed = False
        self._failed: Counter[str] = Counter(time=0, memory=0, died=0)
        self._numbers = self._done = self._errors = self._cancelled = self._repeated = self._busy_rejections = 0

    async def start(self) -> None:
        """Start the workers and wait until they are warm; NotStarted where that cannot be."""
        await self._crew.start()

    async def close(self, drain_seconds: float = 0) -> None:
        """End: queued jobs get Closed, running ones too unless they end within the time given. No process is left."""
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
        await self._crew.close()

    def submit(self, job: Job) -> Ticket:
        if self._closed:
            raise Closed
        if not self._admits(job):
            self._busy_rejections += 1
            raise Busy(self._retry_after_seconds())
        self._numbers += 1
        request = {"id": self._numbers, "call": job.call, "arguments": job.arguments}
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        ticket = Ticket(self._numbers, job, line, asyncio.get_running_loop().create_future())
        ticket.answer.add_done_callback(lambda answer: self._settled(ticket))
        self._queue.push(ticket)
        self._dispatch()
        return ticket

    async def ask(self, job: Job) -> Json:
        """Submit and wait; a cancelled wait cancels the job."""
        return await self.submit(job).answer

    def cancel(self, ticket: Ticket) -> None:
        ticket.answer.cancel()
        if ticket.abandoned or not ticket.answer.cancelled():
            return
        ticket.abandoned = True
        self._cancelled += 1
        if not self._queue.remove(ticket) and ticket in self._running.values():
            assert ticket.timer is not None
            left = ticket.timer.when() - asyncio.get_running_loop().time()
            self._set_timer(ticket, min(left, self.settings.cancel_grace_seconds))

    def stats(self) -> PoolStats:
        crew = self._crew
        return PoolStats(
            workers=self.settings.workers,
            busy=len(self._running),
            idle=len(crew.idle),
            starting=crew.starting,
            queued=len(self._queue),
            done=self._done,
            errors=self._errors,
            failed=dict(self._failed),
            cancelled=self._cancelled,
            repeated=self._repeated,
            killed=crew.killed,
            died=crew.died,
            recycled=crew.recycled,
            spawned=crew.spawned,
            start_failures=crew.start_failures,
            start_failures_in_a_row=crew.start_failures_in_a_row,
            busy_rejections=self._busy_rejections,
            recent_median_seconds=median(self._recent) if self._recent else None,
        )

    # Jobs to workers.

    def _admits(self, job: Job) -> bool:
        """A job that need not wait always; else neither one room nor the agents together may fill the queue."""
        most = self.settings.queue_max
        queue = self._queue
        if not queue and self._crew.idle and len(self._running) < self.settings.workers:
            return True
        if len(queue) >= most or queue.of_room(job.room) >= max(1, most // 2):
            return False
        return not job.agent or queue.agents_length < max(1, most * 3 // 4)

    def _retry_after_seconds(self) -> float:
        """When a place should be free, if jobs go on as they did."""
        each = fmean(self._recent) if self._recent else 1.0
        guess = each * (len(self._queue) + 1) / self.settings.workers
        return min(max(guess, RETRY_SECONDS_MIN), RETRY_SECONDS_MAX)

    def _dispatch(self) -> None:
        while self._queue and len(self._running) < self.settings.workers:
            worker = self._crew.take()
            if worker is None:
                return
            ticket = self._queue.pop(self._running_rooms)
            self._running[worker] = ticket
            self._running_rooms[ticket.job.room] += 1
            ticket.tries += 1
            ticket.started = asyncio.get_running_loop().time()
            self._set_timer(ticket, self._deadline_seconds(ticket))
            worker.send(ticket.line)
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
        """The worker has no job any more."""
        ticket = self._running.pop(worker)
        room = ticket.job.room
        self._running_rooms[room] -= 1
        if not self._running_rooms[room]:
            del self._running_rooms[room]
        assert ticket.timer is not None
        ticket.timer.cancel()
        self._recent.append(asyncio.get_running_loop().time() - ticket.started)
        return ticket

    # What comes of them.

    def _settled(self, ticket: Ticket) -> None:
        if ticket.answer.cancelled():
            self.cancel(ticket)
        else:
            ticket.answer.exception()  # Seen: an answer that nobody awaits is no error of the loop's.

    def _refuse(self, ticket: Ticket) -> None:
        if not ticket.answer.done():
            ticket.answer.set_exception(Closed())

    def _fail(self, ticket: Ticket, reason: Reason, detail: str) -> None:
        if ticket.answer.done():
            return
        # A hard program may well take too long: the limit does its work then, and nobody has to look.
        level = logging.INFO if reason == "time" else logging.WARNING
        job = ticket.job
        log.log(level, "a job %r of room %s failed (%s, tried %d): %s", job.call, job.room, reason, ticket.tries, detail)
        self._failed[reason] += 1
        ticket.answer.set_exception(Failed(reason, ticket.tries, detail))

    def _kill(self, worker: WorkerProcess) -> Ticket:
        ticket = self._end_run(worker)
        self._crew.dismiss(worker)
        return ticket

    def _time_is_over(self, ticket: Ticket) -> None:
        worker = next(worker for worker, running in self._running.items() if running is ticket)
        self._kill(worker)
        self._fail(ticket, "time", f"the analysis was ended after {self._deadline_seconds(ticket):g} s")
        self._dispatch()

    def _watch(self) -> None:
        self._watching = None
        for worker in list(self._running):
            if self._crew.takes_too_much(worker):
                self._memory_is_over(worker)
        if self._running:
            self._watching = asyncio.get_running_loop().call_later(WATCH_SECONDS, self._watch)
        self._dispatch()

    def _memory_is_over(self, worker: WorkerProcess) -> None:
        self._fail(self._kill(worker), "memory", f"the analysis needs more than {self.settings.memory_mb} MB")

    def _try_again(self, ticket: Ticket, begun: bool, detail: str) -> None:
        """Its worker is gone. That was no try if the job was not begun; but even all workers at once can die only so often."""
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

    # What the crew tells.

    def ready(self) -> None:
        self._dispatch()

    def heard(self, worker: WorkerProcess, line: bytes) -> None:
        said = _decode(line, self._running[worker].number)
        if said is None:
            self._try_again(self._kill(worker), True, f"worker {worker.pid} spoke nonsense")
        elif "memory" in said:
            self._memory_is_over(worker)
        else:
            ticket = self._end_run(worker)
            self._crew.give_back(worker, retire="retire" in said)
            self._answer(ticket, said)
        self._dispatch()

    def _answer(self, ticket: Ticket, said: Json) -> None:
        if ticket.answer.done():
            return
        self._done += 1
        if "error" in said:
            self._errors += 1
            error = said["error"]
            ticket.answer.set_exception(CallError(error["type"], error["message"], error["traceback"]))
        else:
            ticket.answer.set_result(said["answer"])

    def overlong(self, worker: WorkerProcess) -> None:
        self._fail(self._kill(worker), "died", f"the answer is longer than {self.settings.answer_bytes_max} bytes")
        self._dispatch()

    def lost(self, worker: WorkerProcess) -> None:
        if worker.died_of_memory():
            ticket = self._end_run(worker)
            self._fail(ticket, "memory", f"the analysis needs more than {self.settings.memory_mb} MB")
        else:
            self._try_again(self._end_run(worker), worker.begun, worker.obituary())
        self._dispatch()


def _decode(line: bytes, number: int) -> dict[str, Any] | None:
    """What a worker answered; None where it is no answer to this request."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.get("id") != number:
        return None
    error = said.get("error")
    told = isinstance(error, dict) and all(isinstance(error.get(key), str) for key in ("type", "message", "traceback"))
    return said if told or isinstance(said.get("answer"), dict) or said.get("memory") is True else None
