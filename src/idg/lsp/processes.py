"""Runs jobs in processes of their own, so that the server always answers and a job can be ended at any moment.

A solver cannot be interrupted from inside, and a thread cannot be ended from outside; a process can. Processes are forked from one
that has imported everything beforehand (multiprocessing's fork server). One whose job has ended waits for the next job, because a
process that has proved something before is twice as quick. Where there is no fork (Windows), a fresh process takes about a second.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from typing import Any, TypeVar

from idg.lsp.jobs import Tell

Answer = TypeVar("Answer")
Work = Callable[[str, Tell], Answer]

JOBS_MAX = max(2, os.cpu_count() or 1)
"""Jobs that run at the same time; further ones wait."""
JOBS_A_PROCESS = 500
"""Jobs after which a process is replaced, so that what it remembers cannot grow for ever."""
CPU_SECONDS_MAX = 600
"""CPU seconds after which the operating system ends a job. No job needs as many; it bounds one whose server was killed."""


class JobFailed(Exception):
    """A job ended without an answer: it was killed, or it failed in a way that nobody foresaw."""


class JobProcess:
    """A process that does one job after the other. Whoever wants to end a job kills the process."""

    def __init__(self, context: ForkServerContext | SpawnContext) -> None:
        self._ours, self._theirs = context.Pipe()
        self._process = context.Process(target=_work_on, args=(self._theirs,), daemon=True)
        # The first start waits until everything is imported, so it must not happen on the event loop.
        self._starting = asyncio.ensure_future(asyncio.to_thread(self._process.start))
        self._starting.add_done_callback(lambda _: self._theirs.close())
        self.jobs = 0

    async def run(self, work: Work[Answer], text: str, tell: Tell) -> Any:
        self.jobs += 1
        await asyncio.shield(self._starting)
        try:
            self._ours.send((work, text))
            while True:
                kind, content = await asyncio.to_thread(self._ours.recv)
                if kind == "done":
                    return content
                if kind == "failed":
                    raise JobFailed(content)
                tell(content)
        except (EOFError, OSError):
            raise JobFailed("the analysis ended without an answer") from None

    def kill(self) -> None:
        """Ends the process. It closes its end of the pipe thereby, which ends the thread that reads from ours."""

        def kill_started(started: asyncio.Future[None]) -> None:
            if not started.cancelled() and started.exception() is None:
                self._process.kill()

        self._starting.add_done_callback(kill_started)


class JobProcesses:
    """The processes, at most JOBS_MAX at a time."""

    def __init__(self) -> None:
        self._context: ForkServerContext | SpawnContext
        if "forkserver" in multiprocessing.get_all_start_methods():
            self._context = multiprocessing.get_context("forkserver")
            self._context.set_forkserver_preload(["idg.cli.main", "idg.lsp.preloaded"])
        else:
            self._context = multiprocessing.get_context("spawn")
        self._slots = asyncio.Semaphore(JOBS_MAX)
        self._idle: list[JobProcess] = []

    def warm_up(self) -> None:
        """Begins to import what jobs need, and starts the first process."""
        if isinstance(self._context, ForkServerContext):
            forkserver.ensure_running()
        self._idle.append(JobProcess(self._context))

    async def run(self, work: Work[Answer], text: str, tell: Tell = lambda _: None) -> Answer:
        """What the work answers about the text. If this is cancelled, the process is killed. Raises JobFailed."""
        async with self._slots:
            process = self._idle.pop() if self._idle else JobProcess(self._context)
            try:
                answer: Answer = await process.run(work, text, tell)
            except BaseException:
                process.kill()
                if not self._idle:
                    self._idle.append(JobProcess(self._context))
                raise
            if process.jobs < JOBS_A_PROCESS:
                self._idle.append(process)
            else:
                process.kill()
            return answer

    def close(self) -> None:
        while self._idle:
            self._idle.pop().kill()


def _work_on(pipe: Connection) -> None:
    """What a process does: one job after the other, until nobody gives it any."""
    while True:
        try:
            work, text = pipe.recv()
            _bound_cpu()
            try:
                answer = ("done", work(text, lambda line: pipe.send(("told", line))))
            except Exception as error:
                answer = ("failed", f"{type(error).__name__}: {error}")
            pipe.send(answer)
        except (EOFError, BrokenPipeError):
            return


def _bound_cpu() -> None:
    """Lets the operating system end this process if the job takes too long."""
    try:
        import resource
    except ImportError:
        return  # Windows has no such bound.
    used = resource.getrusage(resource.RUSAGE_SELF)
    bound = int(used.ru_utime + used.ru_stime) + CPU_SECONDS_MAX
    resource.setrlimit(resource.RLIMIT_CPU, (bound, resource.RLIM_INFINITY))
