"""The pool of one machine: engine workers as child processes, a fair queue of bounded length, and limits on each job."""

from __future__ import annotations

import asyncio
import logging

from idg.coordinator.pool.jobs import PoolSettings, PoolStats
from idg.coordinator.pool.lines import read_with_texts
from idg.coordinator.pool.process import NoReply, Reply, WorkerProcess
from idg.coordinator.pool.queueing.queue import Ticket
from idg.coordinator.pool.queueing.queued import Processes, QueuedPool
from idg.coordinator.pool.workers import WorkerProcesses, other_engine_text
from idg.engine.wire.codec import Json

WATCH_SECONDS = 0.1
"""How often the memory of busy workers is looked at."""

log = logging.getLogger("idg.coordinator.pool.local")


class LocalPool(QueuedPool):
    """A `Pool` of child processes. All methods are called in the event loop in which it was started."""

    def __init__(self, settings: PoolSettings | None = None) -> None:
        super().__init__(settings or PoolSettings(), log)
        self._processes = WorkerProcesses(self.settings, on_ready=self._dispatch)
        self._running: dict[WorkerProcess, Ticket] = {}
        self._watching: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        """Start the workers and wait until they are warm; NotStarted where none can be started."""
        await self._processes.start()

    async def close(self, drain_seconds: float = 0) -> None:
        """End all processes. Waiting jobs raise Closed; running ones do so unless they end within `drain_seconds`."""
        self._refuse_all_waiting()
        awaited = [ticket.answer for ticket in self._running.values() if not ticket.answer.done()]
        if awaited and drain_seconds > 0:
            await asyncio.wait(awaited, timeout=drain_seconds)
        for worker, ticket in list(self._running.items()):
            self._end_run(worker)
            self._refuse(ticket)
        if self._watching is not None:
            self._watching.cancel()
        await self._processes.close()

    def stats(self) -> PoolStats:
        processes = self._processes
        counts = Processes(**{name: getattr(processes, name) for name in Processes.__match_args__})
        return self._stats(len(self._running), len(processes.idle), counts, processes.sandbox)

    @property
    def usable(self) -> int:
        """How many jobs can be computed at the same time now. Where a worker could not be started, the others still work."""
        if not self._processes.start_failures_in_a_row:
            return self.settings.workers
        return min(self.settings.workers, len(self._processes.idle) + len(self._running))

    @property
    def other_engine(self) -> str:
        """The version of the engine that new workers have, where it is not ours: it was replaced while this process runs."""
        return self._processes.other_engine

    def problem(self) -> str:
        if self.usable:
            return ""
        if self.other_engine:
            return other_engine_text(self.other_engine)
        return "no worker can be started"

    # Giving jobs to workers.

    def _slots(self) -> int:
        return self.settings.workers

    def _has_room(self) -> bool:
        return bool(self._processes.idle) and len(self._running) < self.settings.workers

    def _dispatch(self) -> None:
        """Give waiting jobs to ready workers, as long as there are both."""
        while self._queue and len(self._running) < self.settings.workers:
            worker = self._processes.take()
            if worker is None:
                return
            ticket = self._next()
            self._running[worker] = ticket
            self._set_timer(ticket, self._deadline_seconds(ticket))
            worker.send(ticket.line, self._replied)
            if self._watching is None:
                self._watching = asyncio.get_running_loop().call_later(WATCH_SECONDS, self._watch)

    def _abandon(self, ticket: Ticket) -> None:
        if ticket in self._running.values():
            assert ticket.timer is not None
            left = ticket.timer.when() - asyncio.get_running_loop().time()
            self._set_timer(ticket, min(left, self.settings.cancel_grace_seconds))

    def _set_timer(self, ticket: Ticket, seconds: float) -> None:
        if ticket.timer is not None:
            ticket.timer.cancel()
        ticket.timer = asyncio.get_running_loop().call_later(seconds, self._time_is_over, ticket)

    def _end_run(self, worker: WorkerProcess) -> Ticket:
        """The worker has no job any more; returns the ticket that it had."""
        ticket = self._running.pop(worker)
        assert ticket.timer is not None
        ticket.timer.cancel()
        self._over(ticket, asyncio.get_running_loop().time() - ticket.started)
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
