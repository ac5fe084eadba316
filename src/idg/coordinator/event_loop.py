"""Keeps the event loop free. It serves everybody, so what holds it up holds up everybody; the metrics tell how long that was."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterable
from contextvars import ContextVar
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")

WORK_SECONDS = 0.005
"""After how much work on a long list others get their turn."""
BEAT_SECONDS = 0.02
"""How often the loop is looked at. Less time than this between two looks is no stall."""
STALL_SECONDS = (0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""The stalls that are counted: for each of these times, those that took at least as long."""


def new_loop() -> asyncio.AbstractEventLoop:
    """A loop of uvloop where it is installed, because it is faster than asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


class LoopWatch:
    """Looks at the loop's clock again and again. What the loop did between two looks, nobody could interrupt for longer than that.

    The processor time of the loop's thread says what our own code has done; the time on the wall also counts the waiting for a busy
    machine, and for other threads.
    """

    def __init__(self) -> None:
        self.longest_cpu_seconds = self.longest_wall_seconds = 0.0
        self.stalls = dict.fromkeys(STALL_SECONDS, 0)
        """Seconds → how often the loop worked at least as long without a pause, in processor time."""
        self._timer: asyncio.TimerHandle | None = None
        self._cpu = self._wall = 0.0

    def start(self) -> None:
        """Begin to watch the running loop, from its own thread."""
        self._cpu, self._wall = time.thread_time(), time.perf_counter()
        self._timer = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _beat(self) -> None:
        cpu, wall = time.thread_time(), time.perf_counter()
        worked = cpu - self._cpu
        for seconds in STALL_SECONDS:
            if worked < seconds:
                break
            self.stalls[seconds] += 1
        self.longest_cpu_seconds = max(self.longest_cpu_seconds, worked)
        self.longest_wall_seconds = max(self.longest_wall_seconds, wall - self._wall - BEAT_SECONDS)
        self._cpu, self._wall = cpu, wall
        self._timer = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)

    def readings(self) -> list[tuple[str, str, dict[str, float]]]:
        """Names, explanations and values for the metrics."""
        longest = {"cpu": self.longest_cpu_seconds, "wall": self.longest_wall_seconds}
        counts = {f"{seconds:g}": float(count) for seconds, count in self.stalls.items()}
        return [
            ("idg_loop_longest_seconds", "The longest time without a pause of the event loop, since the start", longest),
            ("idg_loop_stalls_total", "How often the event loop worked for at least so many seconds without a pause", counts),
        ]


class LongWork:
    """Whoever works on something long waits here between two pieces. Each time around, the loop carries out one piece of one of
    them, so however many there are, everybody else waits for one piece."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def pause(self) -> None:
        """Let others have their turn."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._waiting = loop, deque()
        turn = loop.create_future()
        self._waiting.append(turn)
        if len(self._waiting) == 1:
            loop.call_soon(self._next, loop)
        await turn

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        if loop is not self._loop:
            return
        turn = self._waiting.popleft()
        if not turn.done():  # Otherwise its request was cancelled.
            turn.set_result(None)
        if self._waiting:
            loop.call_soon(self._next, loop)


_long_work = LongWork()


async def with_pauses(items: Iterable[T]) -> AsyncIterator[T]:
    """The items of a list that may be long. Between two of them others get their turn, whenever enough time was taken."""
    since = time.thread_time()
    for item in items:
        if time.thread_time() - since > WORK_SECONDS:
            await _long_work.pause()
            since = time.thread_time()
        yield item


_meter: ContextVar[Metered[Any] | None] = ContextVar("meter", default=None)
"""Where the work of the current request is counted. Tasks that it starts count there, too."""


def also_takes(seconds: float) -> None:
    """The current request makes others work for so long in the event loop."""
    meter = _meter.get()
    if meter is not None:
        meter.seconds += seconds


class Metered(Generic[T]):
    """Work to be awaited that counts the processor time which it takes in the event loop: its own steps, and what `also_takes` says
    of the work of others that it causes."""

    __slots__ = ("_work", "seconds")

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work
        self.seconds = 0.0

    def __await__(self) -> Generator[Any, Any, T]:
        _meter.set(self)
        step: Callable[[Any], Any] = self._work.send
        given: Any = None
        while True:
            start = time.thread_time()
            try:
                awaited = step(given)
            except StopIteration as ended:
                return cast(T, ended.value)
            finally:
                self.seconds += time.thread_time() - start
            try:
                step, given = self._work.send, (yield awaited)
            except BaseException as error:  # The work hears of it, as it would without us.
                step, given = self._work.throw, error
