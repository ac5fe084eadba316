"""Questions to the engine. Answers come from memory, from the store, from the same question under way, or from a worker."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable

from idg.coordinator.cache import BytesCache, text_bytes
from idg.coordinator.errors import accepted
from idg.coordinator.pool.computing.calls import Summary
from idg.coordinator.pool.jobs import Asker, Job, NoEngine, Pool
from idg.coordinator.pool.lines import SEPARATOR
from idg.coordinator.rooms.judging.stored_keys import StoredKeys
from idg.coordinator.store import Store, StoreUnavailable
from idg.coordinator.waiting import unless_gone
from idg.engine.version import engine_version
from idg.engine.wire.codec import Json, decode, encode
from idg.sip.record import Record

WRITE_DELAY_SECONDS = 0.25
"""How long a new answer waits before it is written to the store, together with those that come meanwhile. The judgement that
somebody waits for is written first."""
NO_ENGINE_SECONDS = 10.0
"""How long a caller waits while nobody can compute the answer. A node that is started again, or an election among the servers of
NATS, takes less."""
ABSENT_MAX = 1_000
"""How many keys are remembered that are not in the store."""
FACT_BYTES = 400
"""What a fact of a summary takes in memory besides its text."""
DIGEST_DIGITS = 32
"""How many hexadecimal digits of a hash stand for a text."""
STORED_FORM = "4"
"""Part of each key. It is raised when the form of stored answers changes, so that older ones are not found."""


class Answered(Record):
    """What a worker computed. The texts are JSON, which is stored and sent as it is."""

    answer: str
    books: str = ""
    """The books after it; empty where the question does not change them."""
    feedback: str = ""
    """Where the proof of the guarantee stands; empty where the question does not change that."""
    digest: str = ""
    """The digest of the books after it."""
    summary: Summary | None = None
    """For a proposal, or for many."""
    ending: str = ""
    """What is known of the end of the program's runs; empty where the question does not change that."""

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        texts = text_bytes(self.answer, self.books, self.feedback, self.ending)
        if self.summary is None:
            return texts
        kinds, inductive, removed = self.summary.kinds, self.summary.inductive, self.summary.removed
        facts = [judged.text for judged in kinds] + [fact.text for fact in (*inductive, *removed)]
        ruled_out = [ruled.bits for ruled in self.summary.rules_out]
        return texts + text_bytes(*facts, *ruled_out) + FACT_BYTES * (len(facts) + len(ruled_out))


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
    stored: bool = True
    """Whether the answer is kept in the store. Traces are not: they are long, and soon computed again."""

    @property
    def key(self) -> str:
        parts = (STORED_FORM, engine_version(), self.call, self.program, self.digest, self.detail)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_DIGITS]


class Questions:
    """Asks the pool, and remembers its answers in memory and in the store."""

    def __init__(self, pool: Pool, store: Store, bytes_max: int, clock: Callable[[], float]) -> None:
        self.pool = pool
        self.store = store
        self.clock = clock
        self.hits = self.stored_hits = self.shared = self.misses = 0
        """How many answers came from memory, from the store, from a question under way, and from a worker."""
        self._known: BytesCache[str, Answered] = BytesCache(bytes_max)
        self.stored_keys = StoredKeys()
        self.is_alone: Callable[[], bool] = lambda: True
        """Whether no other coordinator lives, so that nobody else stores answers. The coordinator sets it."""
        self._absent: OrderedDict[str, None] = OrderedDict()
        """Keys that were looked for in the store in vain, a moment ago."""
        self._under_way: dict[str, asyncio.Task[Answered]] = {}
        self._waiting: dict[str, list[Asker]] = {}
        """Key of a question under way → those who wait for its answer."""
        self._unwritten: list[tuple[str, str]] = []
        """Keys and answers that are not in the store yet."""
        self._writing: asyncio.Task[None] | None = None

    def known(self, question: Question) -> Answered | None:
        """The answer, where it is in memory."""
        key = question.key
        answered = self._known.get(key)
        if answered is not None:
            self.hits += 1
        return answered

    async def ask(self, question: Question, asker: Asker, patient: bool = False) -> Answered:
        """Raises what the pool raises, and CallerGone. When nobody waits any more, the analysis is cancelled.

        Who is not patient hears of it, by NoEngine, where nobody can compute the answer for a while."""
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
            return await self._awaited(task, asker, patient)
        finally:
            self._waiting[key].remove(asker)
            if not self._waiting[key]:
                del self._waiting[key]
                if not task.done():
                    self._under_way.pop(key, None)
                    task.cancel()

    async def _awaited(self, task: asyncio.Task[Answered], asker: Asker, patient: bool) -> Answered:
        if patient:
            return await unless_gone(task, asker.gone)
        waiting = asyncio.ensure_future(unless_gone(task, asker.gone))
        try:
            while not waiting.done():
                await asyncio.wait([waiting], timeout=NO_ENGINE_SECONDS)
                problem = "" if waiting.done() else self.pool.problem()
                if problem:
                    raise NoEngine(problem)
            return waiting.result()
        finally:
            waiting.cancel()

    async def look_up(self, question: Question) -> Answered | None:
        """The answer, where it is in memory or in the store. That it is not is remembered for the question that follows."""
        key = question.key
        answered = self._known.get(key)
        if answered is None and question.stored and key not in self._absent and self._may_be_stored(key):
            text = await self.store.verdict(key)
            if text is not None:
                self.stored_hits += 1
                return self._keep(key, answered_of(stored_result(text)))
            self._absent[key] = None
            if len(self._absent) > ABSENT_MAX:
                self._absent.popitem(last=False)
        return answered

    def _may_be_stored(self, key: str) -> bool:
        if not self.is_alone():
            self.stored_keys.give_up()
        return self.stored_keys.may_have(key)

    async def _find(self, key: str, question: Question, asker: Asker) -> Answered:
        known = await self.look_up(question)
        if known is not None:
            return known
        self._absent.pop(key, None)
        self.misses += 1
        others = tuple(other for other in self._waiting[key] if other is not asker)
        result = accepted(await self.pool.ask(Job(question.call, encode(question.arguments()), asker, key=key, others=others)))
        answered = self._keep(key, answered_of(result))
        if question.stored:
            self._unwritten.append((key, stored_text(result)))
            self.stored_keys.add(key)
            if self._writing is None or self._writing.done():
                self._writing = asyncio.create_task(self._write())
        return answered

    async def _write(self) -> None:
        """Writes answers until there are none; those that came during the delay are one unit of work."""
        while self._unwritten:
            await asyncio.sleep(WRITE_DELAY_SECONDS)
            rows, self._unwritten = self._unwritten, []
            with contextlib.suppress(StoreUnavailable):  # They are not lost: each is computed again when it is asked for again.
                await self.store.put_verdicts(engine_version(), rows, self.clock())

    def _keep(self, key: str, answered: Answered) -> Answered:
        return self._known.put(key, answered, answered.bytes)

    async def settled(self) -> None:
        """Returns when all answers are written to the store."""
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)


def answered_of(result: Json) -> Answered:
    """A worker's result. Only the summary is read here; everything else is passed on as it is."""
    books, summary = str(result.get("books", "")), result.get("summary")
    return Answered(
        answer=str(result.get("answer", "")),
        books=books,
        feedback=str(result.get("feedback", "")),
        ending=str(result.get("ending", "")),
        digest=digest(books) if books else "",
        summary=None if summary is None else decode(Summary, json.loads(summary)),
    )


def stored_text(result: Json) -> str:
    """A worker's result as it is stored: the names of its texts, and the texts."""
    return SEPARATOR.join((",".join(result), *map(str, result.values())))


def stored_result(text: str) -> Json:
    """The inverse of `stored_text`."""
    names, *texts = text.split(SEPARATOR)
    return dict(zip(names.split(","), texts, strict=True))
