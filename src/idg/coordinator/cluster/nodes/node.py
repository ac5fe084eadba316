"""An engine node: a local pool of workers that is fed by JetStream. It needs NATS and nothing else, no database and no rooms."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Coroutine

from nats.aio.msg import Msg

from idg import __version__
from idg.coordinator.cluster.broker import Broker
from idg.coordinator.cluster.members import ANNOUNCE_SECONDS, Claim, NodeNews, read_claim
from idg.coordinator.cluster.nodes.pulling import PAUSE_SECONDS, Puller, SlotPuller
from idg.coordinator.cluster.requests.direct import BUSY, TAKEN, decode
from idg.coordinator.cluster.requests.work import BEAT_SECONDS, PASSING, TooLong, Work, WorkAnswer, WorkRequest, error_text
from idg.coordinator.cluster.subjects import Priority
from idg.coordinator.logs.request_ids import request_id
from idg.coordinator.pool.jobs import Asker, Busy, CallError, Closed, Failed, Job, PoolSettings
from idg.coordinator.pool.local import LocalPool
from idg.coordinator.pool.queueing.queue import Ticket
from idg.coordinator.pool.workers import other_engine_text
from idg.engine.version import engine_version
from idg.sip.record import replace

CANCELLED_MAX = 10_000
"""How many cancelled requests are remembered, in case that they are given to this node later."""
DELIVERING_MAX = 1000
"""How many answers may wait to be published while JetStream takes none; then the slots wait, too."""
QUEUE_PLACES_PER_SLOT = 6
"""How many places the queue of the node's pool has for each slot. Slots and coordinators may give each slot two requests before one
is begun, and all of them together may fill less than half of a queue."""
GIVE_BACK_SECONDS = 0.5
"""How long a request waits that we give back, until our own slots have noticed that they must not ask for it."""
READ_TRIES = 5
"""How often the parts of a long request are looked for before it is given up."""
READ_PAUSE_SECONDS = 0.5
"""How long we wait between two of these tries."""

log = logging.getLogger("idg.coordinator.cluster.node")


class NoSense(Exception):
    """What came is no request."""


class EngineNode:
    """Takes requests from JetStream, has them carried out by a pool of its own, and publishes the answers."""

    def __init__(
        self, broker: Broker, settings: PoolSettings, name: str, engine: str = "", deadline_seconds_max: float = 0
    ) -> None:
        """`deadline_seconds_max` bounds what coordinators allow an analysis; 0 is no bound of our own."""
        self.name = name
        self.pool = LocalPool(replace(settings, queue_max=max(settings.queue_max, QUEUE_PLACES_PER_SLOT * settings.workers)))
        self.work = Work(broker, engine or engine_version())
        self.started = time.time()
        self.answered = 0
        self._deadline_seconds_max = deadline_seconds_max
        self._broker = broker
        self._puller = Puller(broker.client, self.work.subjects, self._came_late)
        self._running: dict[Claim, Msg | None] = {}
        """What was taken and is not yet answered; None for what was given to us without JetStream."""
        self._begun: set[Claim] = set()
        """What of it a slot has begun, and whose answer may be on its way."""
        self._tickets: dict[Claim, Ticket] = {}
        """What the pool works on."""
        self._cancelled: OrderedDict[Claim, None] = OrderedDict()
        self._delivering: set[asyncio.Task[None]] = set()
        """Answers that are being published, and requests that were given directly."""
        self.outdated = asyncio.Event()
        """Is set when workers have another engine than this process, because it was replaced. What they answer would be told as our
        engine's answer, so the node has to end; whoever watches it starts it again, with the new engine."""
        self._slots: list[asyncio.Task[None]] = []
        self._busy_slots = 0
        """How many slots ask for a request or have one. While workers cannot be started, some of the slots wait."""
        self._regular: list[asyncio.Task[None]] = []

    @property
    def engine(self) -> str:
        return self.work.subjects.engine

    async def start(self) -> None:
        """Start the workers, and take requests; NotStarted where no worker can be started."""
        await self.pool.start()
        client = self._broker.client
        await client.subscribe(self.work.subjects.cancel, cb=self._hear_cancel)
        await client.subscribe(self.work.subjects.hello, cb=self._hear_hello)
        await client.subscribe(self.work.subjects.direct(self.name), cb=self._hear_direct)
        self._regular = [asyncio.create_task(self._announce_regularly()), asyncio.create_task(self._beat_regularly())]
        pullers = [await self._puller.new_slot() for _ in range(self.pool.settings.workers)]
        self._slots = [asyncio.create_task(self._slot(puller)) for puller in pullers]

    async def drain(self) -> None:
        """Take nothing new, and return when everything that was taken is answered."""
        self._puller.ended = True
        self._give_back_late()
        with contextlib.suppress(*PASSING):
            await self._announce()
        await asyncio.gather(*self._slots)
        while self._delivering:
            await asyncio.wait(self._delivering)

    async def close(self) -> None:
        """End at once. What was not answered is given to another node after a while."""
        self._puller.ended = True
        await _cancel(*self._slots, *self._regular)
        await _cancel(*self._delivering)  # A slot that ends may give something back.
        await self.pool.close()

    # Carrying requests out.

    async def _slot(self, puller: SlotPuller) -> None:
        """One slot: it takes a request, has it carried out, and takes the next one."""
        while not self._puller.ended:
            if self._busy_slots >= self.pool.usable:
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            self._busy_slots += 1
            try:
                taken = await puller.next()
                if taken is not None:
                    await self._carry_out(*taken)
            finally:
                self._busy_slots -= 1

    async def _carry_out(self, priority: Priority, message: Msg) -> None:
        """Carry a request out. Its answer is published while the slot takes the next one."""
        metadata = message.metadata
        claim: Claim = priority, metadata.sequence.stream
        if claim in self._begun:
            # Our beats came late, so it was given to us once more. The answer that is on its way counts for both.
            self._running[claim] = message
            return
        self._begun.add(claim)
        self._running[claim] = message
        is_ours = False
        try:
            try:
                request, job = await self._read(message.data)
            except (ValueError, LookupError, TypeError) as error:
                raise NoSense(str(error)) from None
            request_id.set(request.request)
            deliveries = metadata.num_delivered
            if deliveries > 1 and await self._is_answered(request, claim):
                await message.ack()
                return
            answer = await self._answer(claim, job, deliveries)
            if len(self._delivering) >= DELIVERING_MAX:
                await asyncio.wait(self._delivering, return_when=asyncio.FIRST_COMPLETED)
            self._in_background(self._deliver(request, answer, claim, message))
            is_ours = True
        except NoSense as error:
            log.warning("a request makes no sense: %s", error)
            with contextlib.suppress(*PASSING):
                await message.term()
        except Exception as error:
            is_expected = isinstance(error, (Busy, Closed, *PASSING))
            log.warning("a request is left to another node: %s", error_text(error), exc_info=None if is_expected else error)
            await self._give_back(claim, message)
        finally:
            if not is_ours:
                self._forget(claim)
            request_id.set("")

    async def _give_back(self, claim: Claim, message: Msg) -> None:
        """Have a request given to another node at once. Its coordinator publishes it again, so that this does not count as a try.

        Where the coordinator cannot be told, JetStream gives it to another node, which counts. Where that cannot be said either,
        another node gets it because we say nothing."""
        try:
            request, _ = WorkRequest.decode(await self.work.whole(message.data))
            answer = WorkAnswer(*claim, self.name, 0.0, message.metadata.num_delivered, returned=True)
            await self._publish(request, answer, tries_once=True)
            await message.ack()
        except (ValueError, *PASSING):
            with contextlib.suppress(*PASSING):
                await message.nak(delay=GIVE_BACK_SECONDS)

    def _came_late(self, priority: Priority, message: Msg) -> None:
        """A request came when its slot waited no more. It is ours, and the next idle slot carries it out, unless there is none."""
        self._running[priority, message.metadata.sequence.stream] = message
        if self._puller.ended:
            self._give_back_late()

    def _give_back_late(self) -> None:
        for priority, message in self._puller.late:
            claim: Claim = priority, message.metadata.sequence.stream
            self._running.pop(claim, None)
            self._in_background(self._give_back(claim, message))
        self._puller.late.clear()

    def _give_back_what_no_worker_begins(self) -> None:
        """Gives requests back while no worker can be started: other nodes may have free slots for them."""
        if self.pool.problem():
            self.pool.refuse_waiting()
            self._give_back_late()

    async def _deliver(self, request: WorkRequest, answer: WorkAnswer, claim: Claim, message: Msg | None) -> None:
        """Publish an answer until it is kept. Meanwhile the request stays ours, because we go on beating."""
        try:
            await self._publish(request, answer, tries_once=message is None)
            latest = self._running.get(claim) or message
            if latest is not None:
                await latest.ack()
        except PASSING as error:
            log.warning("an answer may be lost: %s", error_text(error))
        finally:
            self._forget(claim)
        self.answered += 1
        told = {"call": request.call, "seconds": round(answer.seconds, 4), "coordinator": request.coordinator}
        log.info("answered", extra=told)

    def _forget(self, claim: Claim) -> None:
        self._running.pop(claim, None)
        self._begun.discard(claim)

    async def _hear_direct(self, message: Msg) -> None:
        """A coordinator gives us a request without JetStream."""
        refuses = len(self._tickets) >= self.pool.usable or self._puller.ended
        await message.respond(BUSY if refuses else TAKEN)
        if not refuses:
            self._in_background(self._carry_out_directly(message.data))

    async def _carry_out_directly(self, data: bytes) -> None:
        try:
            claim, body = decode(data)
            request, job = await self._read(body)
        except (ValueError, LookupError, TypeError, *PASSING) as error:
            log.warning("a request makes no sense, or cannot be read: %s", error_text(error))
            return
        request_id.set(request.request)
        self._running[claim] = None
        try:
            await self._deliver(request, await self._answer(claim, job, 1), claim, None)
        except (Busy, Closed) as error:
            # Its coordinator sees that nobody works on it.
            log.warning("a request is left to another node: %s", error_text(error))
        finally:
            self._running.pop(claim, None)

    def _in_background(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._delivering.add(task)
        task.add_done_callback(self._delivering.discard)

    async def _read(self, data: bytes) -> tuple[WorkRequest, Job]:
        for tries_left in reversed(range(READ_TRIES)):
            try:
                body = await self.work.whole(data)
                break
            except PASSING:
                if not tries_left:
                    raise
                await asyncio.sleep(READ_PAUSE_SECONDS)
        request, arguments = WorkRequest.decode(body)
        bounds = [seconds for seconds in (request.deadline_seconds, self._deadline_seconds_max) if seconds]
        # The coordinator has put those who ask in order already, so here all are the same.
        return request, Job(request.call, {}, Asker(request.request or "a coordinator"), min(bounds), encoded=arguments)

    async def _is_answered(self, request: WorkRequest, claim: Claim) -> bool:
        """Whether another node has answered it, and could not say so before its time was over."""
        kept = await self.work.kept_answer(request.key, request.coordinator)
        return kept is not None and (kept.result is not None or (kept.priority, kept.sequence) == claim)

    async def _answer(self, claim: Claim, job: Job, deliveries: int) -> WorkAnswer:
        """Have it carried out. Closed where this node ends before that."""
        begun = time.monotonic()

        def empty() -> WorkAnswer:
            return WorkAnswer(*claim, self.name, time.monotonic() - begun, deliveries)

        if claim in self._cancelled:
            return replace(empty(), cancelled=True)
        ticket = self.pool.submit(job)
        self._tickets[claim] = ticket
        try:
            result = await ticket.answer
            return replace(empty(), result=result)
        except CallError as error:
            detail = {"type": error.type_name, "message": error.message, "traceback": error.traceback}
            return replace(empty(), error=detail)
        except Failed as error:
            return replace(empty(), failed={"reason": error.reason, "tries": error.tries, "detail": error.detail})
        except asyncio.CancelledError:
            if claim not in self._cancelled:
                raise
            return replace(empty(), cancelled=True)
        finally:
            self._tickets.pop(claim, None)

    async def _publish(self, request: WorkRequest, answer: WorkAnswer, tries_once: bool) -> None:
        subject = self.work.subjects.answer(request.coordinator, request.key)
        until = (lambda: True) if tries_once else None
        try:
            await self.work.publish(subject, answer.encode(), until=until)
        except TooLong as error:
            detail = {"reason": "memory", "tries": 1, "detail": str(error)}
            await self.work.publish(subject, replace(answer, result=None, failed=detail).encode(), until=until)

    # What is heard and told.

    async def _hear_cancel(self, message: Msg) -> None:
        try:
            claim = read_claim(json.loads(message.data))
        except ValueError:
            return
        self._cancelled[claim] = None
        if len(self._cancelled) > CANCELLED_MAX:
            self._cancelled.popitem(last=False)
        ticket = self._tickets.get(claim)
        if ticket is not None:
            self.pool.cancel(ticket)

    async def _hear_hello(self, message: Msg) -> None:
        await self._announce()

    def news(self) -> NodeNews:
        stats, draining = self.pool.stats(), self._puller.ended
        slots = 0 if draining else self.pool.usable
        return NodeNews(
            name=self.name,
            version=__version__,
            engine=self.engine,
            cores=os.cpu_count() or 1,
            slots=slots,
            free=max(0, slots - len(self._tickets)),
            running=tuple(self._running),
            draining=draining,
            done=stats.done,
            failed=sum(stats.failed.values()),
            killed=stats.killed,
            started=self.started,
            sandbox=stats.sandbox,
            problem=self.problem,
        )

    @property
    def problem(self) -> str:
        """Why it takes nothing at present; empty where it does."""
        return other_engine_text(self.pool.other_engine) if self.pool.other_engine else self.pool.problem()

    async def _announce(self) -> None:
        await self._broker.client.publish(self.work.subjects.node(self.name), self.news().encode())

    async def _announce_regularly(self) -> None:
        while True:
            self._give_back_what_no_worker_begins()
            if self.pool.other_engine:
                self.outdated.set()
            with contextlib.suppress(*PASSING):
                await self._announce()
            await asyncio.sleep(ANNOUNCE_SECONDS)

    async def _beat_regularly(self) -> None:
        """Tell JetStream that we still work on what we have taken."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            for message in list(self._running.values()):
                with contextlib.suppress(*PASSING):
                    if message is not None:
                        await message.in_progress()


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    """Cancel the tasks, and return when they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
