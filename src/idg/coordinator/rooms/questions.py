"""Questions to the engine: answered from memory, from the store, by sharing one that is under way, or by a worker."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

from idg.coordinator.pool.jobs import Job
from idg.engine.version import ENGINE_VERSION
from idg.sip.record import Record

WRITE_DELAY_SECONDS = 0.05
ABSENT_MAX = 1_000
ENTRY_OVERHEAD_BYTES = 600
"""What an answer takes in memory besides its texts."""


class Answered(Record):
    """What a worker computed, as JSON texts that are stored and sent as they are."""

    answer: str
    books: str = ""
    """The books after it; empty where the question does not change them."""
    feedback: str = ""
    digest: str = ""
    """Of the books after it."""
    facts: dict[str, Any] | None = None
    """What the coordinator itself reads of the answer."""

    @property
    def bytes(self) -> int:
        return len(self.answer) + len(self.books) + len(self.feedback) + ENTRY_OVERHEAD_BYTES


class Question(Record):
    call: str
    program: str
    """The hash of its source."""
    digest: str
    """Of the books it is asked on; empty where it is not about books."""
    detail: str
    """What else distinguishes it."""
    arguments: Callable[[], dict[str, Any]]
    """For the worker; made only where one is needed."""

    @property
    def key(self) -> str:
        return hashlib.sha256("\0".join((ENGINE_VERSION, self.call, self.program, self.digest, self.detail)).encode()).hexdigest()


class VerdictStore(Protocol):
    async def verdict(self, key: str) -> str | None: ...

    async def put_verdict(self, key: str, engine: str, answer: str, time: float) -> None: ...


class Asker(Protocol):
    async def ask(self, job: Job) -> dict[str, Any]: ...


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def dumps(value: object) -> str:
    """Compact JSON. The order of names is kept: it is that of the program's variables."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Questions:
    def __init__(self, pool: Asker, store: VerdictStore, bytes_max: int, clock: Callable[[], float]) -> None:
        self.pool = pool
        self.store = store
        self.bytes_max = bytes_max
        self.clock = clock
        self.hits = self.stored_hits = self.shared = self.misses = 0
        self._known: OrderedDict[str, Answered] = OrderedDict()
        self._bytes = 0
        self._absent: OrderedDict[str, None] = OrderedDict()
        """Keys that were looked for in the store in vain, a moment ago."""
        self._under_way: dict[str, asyncio.Task[Answered]] = {}
        self._waiting: dict[str, int] = {}
        self._writes: set[asyncio.Task[None]] = set()

    def known(self, question: Question) -> Answered | None:
        """The answer, where it is in memory."""
        key = question.key
        found = self._known.get(key)
        if found is not None:
            self.hits += 1
            self._known.move_to_end(key)
        return found

    async def ask(self, question: Question, room: str, agent: bool = False) -> Answered:
        """Raises what the pool raises. When the last one who waits is cancelled, so is the analysis."""
        found = self.known(question)
        if found is not None:
            return found
        key = question.key
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(self._find(key, question, room, agent))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        else:
            self.shared += 1
        self._waiting[key] = self._waiting.get(key, 0) + 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key]
                if not task.done():
                    self._under_way.pop(key, None)
                    task.cancel()

    async def look_up(self, question: Question) -> Answered | None:
        """The answer, where it is in memory or in the store. That it is not is remembered for the question that follows."""
        key = question.key
        found = self._known.get(key)
        if found is None and key not in self._absent:
            text = await self.store.verdict(key)
            if text is not None:
                self.stored_hits += 1
                return self._keep(key, answered_of(json.loads(text)))
            self._absent[key] = None
            if len(self._absent) > ABSENT_MAX:
                self._absent.popitem(last=False)
        return found

    async def _find(self, key: str, question: Question, room: str, agent: bool) -> Answered:
        known = await self.look_up(question)
        if known is not None:
            return known
        self._absent.pop(key, None)
        self.misses += 1
        result = await self.pool.ask(Job(question.call, question.arguments(), room, agent))
        found = self._keep(key, answered_of(result))
        write = asyncio.create_task(self._write(key, dumps(result)))
        self._writes.add(write)
        write.add_done_callback(self._writes.discard)
        return found

    async def _write(self, key: str, text: str) -> None:
        """Not at once: the judgement that somebody waits for goes to the store first."""
        await asyncio.sleep(WRITE_DELAY_SECONDS)
        await self.store.put_verdict(key, ENGINE_VERSION, text, self.clock())

    def _keep(self, key: str, found: Answered) -> Answered:
        if key not in self._known:
            self._known[key] = found
            self._bytes += found.bytes
            while self._bytes > self.bytes_max and self._known:
                _, old = self._known.popitem(last=False)
                self._bytes -= old.bytes
        return found

    async def settled(self) -> None:
        """All answers are written to the store."""
        while self._writes:
            await asyncio.gather(*tuple(self._writes), return_exceptions=True)


def answered_of(result: dict[str, Any]) -> Answered:
    books = dumps(result["books"]) if "books" in result else ""
    answer = result.get("answer")
    feedback = answer["feedback"] if answer is not None else result.get("feedback")
    shown = result if answer is None else answer
    return Answered(
        answer=dumps(shown),
        books=books,
        digest=digest(books) if books else "",
        feedback="" if feedback is None else dumps(feedback),
        facts=_facts(result),
    )


def _facts(result: dict[str, Any]) -> dict[str, Any]:
    """The few things of an answer that rooms and scores look at."""
    answer = result.get("answer", result)
    wanted = ("expression", "loop", "kind", "kinds", "solved", "rules_out", "inductive", "promoted", "removed")
    return {name: answer[name] for name in wanted if name in answer} | {"changed": result.get("changed", False)}
