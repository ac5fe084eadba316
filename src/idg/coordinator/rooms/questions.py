"""Questions to the engine. Answers come from memory, from the store, from the same question under way, or from a worker."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable

from idg.coordinator.pool.jobs import Asker, Job, Pool
from idg.coordinator.store import Store, StoreUnavailable
from idg.coordinator.waiting import unless_gone
from idg.engine.results import Fact
from idg.engine.version import engine_version
from idg.engine.wire.answers import JudgedFact, StatesRuledOut
from idg.engine.wire.codec import Json, decode_any, encode
from idg.engine.wire.events import ProposalVerdict
from idg.sip.record import Record

WRITE_DELAY_SECONDS = 0.05
"""How long a new answer waits before it is written to the store, because the judgement that somebody waits for is written first."""
ABSENT_MAX = 1_000
"""How many keys are remembered that are not in the store."""
ENTRY_OVERHEAD_BYTES = 600
"""What an answer takes in memory besides its texts."""
DIGEST_DIGITS = 32
"""How many hexadecimal digits of a hash stand for a text."""


class Summary(Record):
    """The few things of a verdict that rooms and scores look at."""

    kinds: tuple[JudgedFact, ...]
    solved: bool
    inductive: tuple[Fact, ...]
    removed: tuple[Fact, ...] = ()
    rules_out: tuple[StatesRuledOut, ...] = ()
    changed: bool = False
    """Whether the books after the verdict differ from those before."""


class Answered(Record):
    """What a worker computed. The texts are JSON, which is stored and sent as it is."""

    answer: str
    books: str = ""
    """The books after it; empty where the question does not change them."""
    feedback: str = ""
    digest: str = ""
    """The digest of the books after it."""
    summary: Summary | None = None
    """For a proposal, or for many."""

    @property
    def bytes(self) -> int:
        return len(self.answer) + len(self.books) + len(self.feedback) + ENTRY_OVERHEAD_BYTES


class Question(Record):
    """A call of the engine's workers with its arguments. question_kinds.py makes them."""

    call: str
    program: str
    """The hash of its source."""
    digest: str
    """The digest of the books it is asked about; empty where it is not about books."""
    detail: str
    """What else distinguishes it."""
    arguments: Callable[[], Record]
    """For the worker; made only where one is needed."""

    @property
    def key(self) -> str:
        return hashlib.sha256("\0".join((engine_version(), self.call, self.program, self.digest, self.detail)).encode()).hexdigest()


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_DIGITS]


def dumps(value: object) -> str:
    """Compact JSON. The order of names is kept, because it is that of the program's variables."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def record_text(record: Record, *, spaced: bool = False) -> str:
    """A record as compact JSON.

    `spaced` puts a space after each comma and colon, and writes letters beyond ASCII as escapes. Some answers have this form, and
    keep it, so that no byte of them changes.
    """
    return json.dumps(encode(record)) if spaced else dumps(encode(record))


class Questions:
    """Asks the pool, and remembers its answers in memory and in the store."""

    def __init__(self, pool: Pool, store: Store, bytes_max: int, clock: Callable[[], float]) -> None:
        self.pool = pool
        self.store = store
        self.bytes_max = bytes_max
        self.clock = clock
        self.hits = self.stored_hits = self.shared = self.misses = 0
        """How many answers came from memory, from the store, from a question under way, and from a worker."""
        self._known: OrderedDict[str, Answered] = OrderedDict()
        self._bytes = 0
        self._absent: OrderedDict[str, None] = OrderedDict()
        """Keys that were looked for in the store in vain, a moment ago."""
        self._under_way: dict[str, asyncio.Task[Answered]] = {}
        self._waiting: dict[str, list[Asker]] = {}
        """Key of a question under way → those who wait for its answer."""
        self._writes: set[asyncio.Task[None]] = set()

    def known(self, question: Question) -> Answered | None:
        """The answer, where it is in memory."""
        key = question.key
        answered = self._known.get(key)
        if answered is not None:
            self.hits += 1
            self._known.move_to_end(key)
        return answered

    async def ask(self, question: Question, asker: Asker) -> Answered:
        """Raises what the pool raises, and CallerGone. When nobody waits any more, the analysis is cancelled."""
        answered = self.known(question)
        if answered is not None:
            return answered
        key = question.key
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(self._find(key, question, asker))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        else:
            self.shared += 1
            self.pool.join(key, asker)
        self._waiting.setdefault(key, []).append(asker)
        try:
            return await unless_gone(task, asker.gone)
        finally:
            self._waiting[key].remove(asker)
            if not self._waiting[key]:
                del self._waiting[key]
                if not task.done():
                    self._under_way.pop(key, None)
                    task.cancel()

    async def look_up(self, question: Question) -> Answered | None:
        """The answer, where it is in memory or in the store. That it is not is remembered for the question that follows."""
        key = question.key
        answered = self._known.get(key)
        if answered is None and key not in self._absent:
            text = await self.store.verdict(key)
            if text is not None:
                self.stored_hits += 1
                return self._keep(key, answered_of(json.loads(text)))
            self._absent[key] = None
            if len(self._absent) > ABSENT_MAX:
                self._absent.popitem(last=False)
        return answered

    async def _find(self, key: str, question: Question, asker: Asker) -> Answered:
        known = await self.look_up(question)
        if known is not None:
            return known
        self._absent.pop(key, None)
        self.misses += 1
        others = tuple(other for other in self._waiting[key] if other is not asker)
        result = await self.pool.ask(Job(question.call, encode(question.arguments()), asker, key=key, others=others))
        answered = self._keep(key, answered_of(result))
        write = asyncio.create_task(self._write(key, dumps(result)))
        self._writes.add(write)
        write.add_done_callback(self._writes.discard)
        return answered

    async def _write(self, key: str, text: str) -> None:
        await asyncio.sleep(WRITE_DELAY_SECONDS)
        with contextlib.suppress(StoreUnavailable):  # It is not lost: it is computed again when it is asked for again.
            await self.store.put_verdict(key, engine_version(), text, self.clock())

    def _keep(self, key: str, answered: Answered) -> Answered:
        if key not in self._known:
            self._known[key] = answered
            self._bytes += answered.bytes
            while self._bytes > self.bytes_max and self._known:
                _, oldest = self._known.popitem(last=False)
                self._bytes -= oldest.bytes
        return answered

    async def settled(self) -> None:
        """Returns when all answers are written to the store."""
        while self._writes:
            await asyncio.gather(*tuple(self._writes), return_exceptions=True)


def answered_of(result: Json) -> Answered:
    """A worker's result. Only the verdict on a proposal is read here; everything else is passed on as it is."""
    books = dumps(result["books"]) if "books" in result else ""
    verdict = result.get("answer")
    feedback = result.get("feedback") if verdict is None else verdict["feedback"]
    return Answered(
        answer=dumps(result if verdict is None else verdict),
        books=books,
        digest=digest(books) if books else "",
        feedback="" if feedback is None else dumps(feedback),
        summary=None if verdict is None else summary_of(decode_any(ProposalVerdict, verdict), result["changed"]),
    )


def summary_of(verdict: ProposalVerdict, changed: bool) -> Summary:
    removed = tuple(removal.fact for removal in verdict.removed)
    return Summary(verdict.kinds, verdict.solved, verdict.inductive, removed, verdict.rules_out or (), changed)
