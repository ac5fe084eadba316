"""The pool of a cluster: jobs are computed by engine nodes, which get them through NATS.

The queue and its fairness stay in the coordinator: a request is published only where a slot of a node is likely to be free, and the
slots are divided among the coordinators. The same question is not published twice: whoever asks it again joins the first.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from idg.coordinator.cluster.broker import Broker
from idg.coordinator.cluster.members import ANNOUNCE_SECONDS, SILENT_SECONDS_MAX
from idg.coordinator.cluster.requests.asked import AskedJob
from idg.coordinator.cluster.requests.direct import give, is_direct, new_sequence
from idg.coordinator.cluster.requests.member_pool import HURRY_SECONDS, MemberPool
from idg.coordinator.cluster.requests.work import ACK_WAIT_SECONDS, PASSING, StreamsUnavailable, TooLong, WorkAnswer, WorkRequest
from idg.coordinator.cluster.subjects import ALL_COORDINATORS, ALL_NODES, CONSUMER, PRIORITIES
from idg.coordinator.pool.jobs import Job, NotStarted, PoolSettings
from idg.coordinator.pool.lines import JsonText
from idg.coordinator.pool.queueing.queue import Ticket
from idg.engine.version import engine_version

PATIENCE_SECONDS = 2.0
"""How long we try to publish a request, and wait until a free slot takes it, before we give it to a node directly."""
PAUSE_SECONDS = 0.2
"""How long we wait when neither JetStream nor a node took a request."""
LOOK_SECONDS = 1.5
"""Seconds without a sign of a request after which we look whether its answer is kept: it may have been lost on its way to us."""
UNSEEN_SECONDS_MAX = 2 * ACK_WAIT_SECONDS + 5
"""Seconds without any node working on a request after which we look for what became of it."""
HOPELESS_SECONDS = 180.0
"""Seconds without any node after which a request is given up that was once given to a node."""
ABANDONED_SECONDS_MAX = 5.0
"""How long a cancelled request counts as under way if no node confirms its end."""
LATE_SECONDS = 10.0
"""How much longer than its node allows a job may be under way, besides what a second try takes."""
FIRST_NEWS_SECONDS = 1.0
"""How long we wait at the start for news of nodes."""
RETURNS_MAX = 5
"""How often nodes may give a request back before it is given up."""
RETURN_PAUSE_SECONDS = 0.5
"""How long we wait before we publish a request that was given back twice; after each further time so much longer."""
PUBLISHED_MAX = 3
"""How often a question is published whose request and answer were both lost."""

log = logging.getLogger("idg.coordinator.cluster.nats_pool")


class NatsPool(MemberPool):
    """A `Pool` of the engine nodes of a cluster that have our version of the engine."""

    def __init__(self, broker: Broker, settings: PoolSettings, name: str, engine: str = "") -> None:
        super().__init__(broker, settings, name, engine or engine_version(), log)
        self._asked: dict[Ticket, AskedJob] = {}
        self._by_key: dict[str, list[AskedJob]] = {}
        self._subscriptions: list[Subscription] = []
        self._regular: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Make the streams and hear of nodes. That there is no node is no reason not to start: jobs wait for the first one."""
        try:
            await self.work.set_up()
            client, subjects = self.broker.client, self.work.subjects
            heard = [(subjects.answer(self.name, "*"), self._hear_answer), (ALL_NODES, self._hear_node)]
            heard += [(ALL_COORDINATORS, self._hear_coordinator)]
            heard += [(subjects.exhausted(priority), self._hear_exhausted) for priority in PRIORITIES]
            self._subscriptions = [await client.subscribe(subject, cb=callback) for subject, callback in heard]
            await client.publish(subjects.hello, b"")
        except (StreamsUnavailable, *PASSING) as error:
            raise NotStarted(str(error) or type(error).__name__) from None
        self.broker.on_reconnect(lambda: self._soon(self._catch_up()))
        self._regular = [asyncio.create_task(self._tick()), asyncio.create_task(self._ask_for_lag())]
        self._soon(self._forget_old_streams())
        end = self._now() + FIRST_NEWS_SECONDS
        while not self.members.nodes(self.engine) and self._now() < end:
            await asyncio.sleep(FIRST_NEWS_SECONDS / 100)

    async def close(self, drain_seconds: float = 0) -> None:
        """Take no more jobs. What nodes work on goes on: whoever asks the same soon gets the answer."""
        self._refuse_all_waiting()
        awaited = [ticket.answer for ticket in self._asked if not ticket.answer.done()]
        if awaited and drain_seconds > 0:
            await asyncio.wait(awaited, timeout=drain_seconds)
        for asked in list(self._asked.values()):
            self._refuse(asked.ticket)
            self._finish(asked, self._now() - asked.started_at)
        for task in (*self._regular, *self._tasks):
            task.cancel()
        await asyncio.gather(*self._regular, *self._tasks, return_exceptions=True)
        for subscription in self._subscriptions:
            with contextlib.suppress(*PASSING):
                await subscription.unsubscribe()
        self._subscriptions = []

    # Giving jobs to nodes.

    def _line(self, number: int, arguments: JsonText, job: Job) -> bytes:
        return arguments.encode()

    def _dispatch(self) -> None:
        while self._queue and not self._closed and self._has_room():
            ticket = self._next()
            asked = AskedJob(ticket, self._now())
            self._asked[ticket] = asked
            self._by_key.setdefault(asked.key, []).append(asked)
            self._counted += 1
            self._soon(self._publish(asked))
        if self._queue and self._now() - self._announced_at > HURRY_SECONDS:
            self._soon(self._announce())

    async def _publish(self, asked: AskedJob) -> None:
        """Publish a request, unless the same question is under way or answered already."""
        work, ticket, body = self.work, asked.ticket, self._body(asked)
        try:
            while not asked.over:
                id = f"{asked.key}.{asked.generation}"
                impatient = self._impatient(asked, self._now() + PATIENCE_SECONDS)
                try:
                    sequence, duplicate = await work.publish(work.subjects.work(asked.priority), body, id, impatient)
                except PASSING:
                    if ticket.answer.cancelled():
                        self._finish(asked, 0)
                    if asked.over or await self._give_directly(asked):
                        break
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                asked.sequence, asked.unseen_since, asked.is_joined = sequence, self._now(), duplicate
                if not duplicate or not await self._is_to_be_asked_again(asked):
                    break
                asked.ask_again()
        except TooLong as error:
            self._fail(ticket, "memory", str(error))
            self._finish(asked, 0)
        if ticket.answer.cancelled() and not asked.over:
            await self._cancel_at_node(asked)

    async def _publish_returned(self, asked: AskedJob) -> None:
        """At once where a node gave it back for the first time. The nodes that do so again and again have some time to recover."""
        if asked.returns > 1:
            await asyncio.sleep(RETURN_PAUSE_SECONDS * (asked.returns - 1))
        await self._publish(asked)

    def _impatient(self, asked: AskedJob, end: float) -> Callable[[], bool]:
        return lambda: asked.over or self._now() > end

    def _body(self, asked: AskedJob) -> bytes:
        ticket = asked.ticket
        head = WorkRequest(ticket.job.call, self.name, asked.key, self._deadline_seconds(ticket), asked.request)
        return head.encode(ticket.line)

    async def _give_directly(self, asked: AskedJob) -> bool:
        """Give a request to a node without JetStream; false where no node takes it."""
        body = self._body(asked)
        if not self.broker.connected or not self.work.is_short(body):
            return False
        before, unseen_since, given = asked.sequence, asked.unseen_since, new_sequence()
        asked.sequence, asked.unseen_since = given, self._now()
        nodes = self.members.nodes(self.engine)
        if not await give(self.broker.client, self.work.subjects, nodes, asked.claim, body):
            if asked.sequence == given:
                # It stays unseen: after a while we look for what became of it in the stream.
                asked.sequence, asked.unseen_since = before, unseen_since
            return False
        asked.in_stream = (asked.priority, before) if before and not asked.is_joined else None
        asked.is_joined = False
        return True

    async def _is_to_be_asked_again(self, asked: AskedJob) -> bool:
        """Whether the same question was published before, but has no answer that helps us. Where it has none yet, we wait."""
        if asked.others is None:
            subject = self.work.subjects.answer("*", asked.key)
            asked.others = await self.broker.client.subscribe(subject, cb=self._hear_answer)
        kept = await self.work.kept_answer(asked.key)
        if kept is None or asked.over or asked.ticket.answer.cancelled():
            return False
        if kept.is_final:
            self._answered(asked, kept)
            return False
        if asked.is_concerned_by(kept):
            return True
        try:
            # The last answer is about another request, of the other priority or given directly. Is ours over, too?
            return not await self.work.is_kept(*asked.claim)
        except PASSING:
            return False

    def _abandon(self, ticket: Ticket) -> None:
        asked = self._asked.get(ticket)
        if asked is not None and asked.sequence:
            asked.unseen_since = self._now()
            self._soon(self._cancel_at_node(asked))

    async def _cancel_at_node(self, asked: AskedJob) -> None:
        """Have the request ended, unless it is another's, who may still wait for it."""
        if asked.is_joined:
            self._finish(asked, self._now() - asked.started_at)
            return
        with contextlib.suppress(*PASSING):
            await self.broker.client.publish(self.work.subjects.cancel, json.dumps(asked.claim).encode())

    def _finish(self, asked: AskedJob, seconds: float) -> None:
        """A job is under way no more."""
        if asked.over:
            return
        asked.over = True
        self._set_lost(asked, True)
        del self._asked[asked.ticket]
        same = self._by_key[asked.key]
        same.remove(asked)
        if not same:
            del self._by_key[asked.key]
        if asked.others is not None:
            self._soon(asked.hear_others_no_more())
        if asked.in_stream is not None:
            self._soon(self.work.forget(*asked.in_stream))
        self._over(asked.ticket, seconds)
        self._dispatch()

    def _set_lost(self, asked: AskedJob, lost: bool) -> None:
        if asked.is_lost != lost:
            asked.is_lost = lost
            self._counted += -1 if lost else 1

    # Answers.

    async def _hear_answer(self, message: Msg) -> None:
        key = message.subject.rsplit(".", 1)[-1]
        if key not in self._by_key:
            return
        if message.data.startswith(b'{"parts"'):
            self._soon(self._read_parts(key, message.data))
            return
        try:
            answer = WorkAnswer.decode(message.data)
        except ValueError as error:
            log.warning("an answer makes no sense: %s", error)
            return
        self._answer_all(key, answer)

    async def _read_parts(self, key: str, data: bytes) -> None:
        # Where it does not succeed, the answer is looked for again later.
        with contextlib.suppress(ValueError, *PASSING):
            self._answer_all(key, WorkAnswer.decode(await self.work.whole(data)))

    def _answer_all(self, key: str, answer: WorkAnswer) -> None:
        for asked in list(self._by_key.get(key, ())):
            self._answered(asked, answer)

    def _answered(self, asked: AskedJob, answer: WorkAnswer) -> None:
        """Take an answer. One that says why there is none counts only for the very request that it is about."""
        if asked.over or not (answer.is_final or asked.is_concerned_by(answer)):
            return
        ticket = asked.ticket
        if (answer.cancelled or answer.returned) and not ticket.answer.cancelled():
            # Somebody else has cancelled it, who asked the same; or the node cannot carry it out.
            asked.ask_again()
            asked.returns += answer.returned
            if asked.returns > RETURNS_MAX:
                self._give_up(asked, "the nodes that got it could not carry it out")
            else:
                self._soon(self._publish_returned(asked))
            return
        told = {"request": asked.request} if asked.request else {}
        log.info(
            "a node answered", extra={**told, "call": ticket.job.call, "node": answer.node, "seconds": round(answer.seconds, 4)}
        )
        ticket.tries = answer.deliveries
        self._repeated += answer.deliveries - 1
        if answer.result is not None:
            self._answer(ticket, {"answer": answer.result})
        elif answer.error is not None:
            self._answer(ticket, {"error": answer.error})
        elif answer.failed is not None:
            ticket.tries = answer.failed["tries"]
            self._fail(ticket, answer.failed["reason"], answer.failed["detail"])
        self._finish(asked, answer.seconds)

    # Requests without an answer.

    async def _tick(self) -> None:
        while True:
            try:
                self._look_after(self._now())
                await self._announce()
            except PASSING:
                pass
            except Exception:
                log.exception("a regular task failed; it is tried again")
            await asyncio.sleep(ANNOUNCE_SECONDS)

    def _look_after(self, now: float) -> None:
        deaf_seconds = self._deaf_seconds(now)
        claims = {claim for node in self.members.nodes(self.engine) for claim in node.running}
        for asked in list(self._asked.values()):
            if not asked.sequence:
                continue
            if asked.claim in claims:
                self._set_lost(asked, False)
                asked.unseen_since = now
                asked.claimed_at = asked.claimed_at or now
                self._end_what_is_too_late(asked, now)
                continue
            asked.unseen_since = min(now, asked.unseen_since + deaf_seconds)
            unseen_seconds = now - asked.unseen_since
            if asked.claimed_at is not None and unseen_seconds > SILENT_SECONDS_MAX:
                self._set_lost(asked, True)
            if asked.ticket.answer.cancelled() and unseen_seconds > ABANDONED_SECONDS_MAX:
                self._finish(asked, now - asked.started_at)
            elif unseen_seconds > LOOK_SECONDS and not asked.is_looked_for:
                self._soon(self._look_for(asked, unseen_seconds))
        self._reckon()

    def _end_what_is_too_late(self, asked: AskedJob, now: float) -> None:
        """The node keeps the deadline. This is for nodes that fail to."""
        assert asked.claimed_at is not None
        deadline_seconds = self._deadline_seconds(asked.ticket)
        if now - asked.claimed_at > 2 * (deadline_seconds + ACK_WAIT_SECONDS) + LATE_SECONDS:
            self._soon(self._cancel_at_node(asked))
            self._fail(asked.ticket, "time", f"no node ended the analysis after {deadline_seconds:g} s")
            self._finish(asked, now - asked.started_at)

    async def _look_for(self, asked: AskedJob, unseen_seconds: float) -> None:
        """Look for the answer, and then for the request, of which nothing was heard for a while."""
        asked.is_looked_for = True
        try:
            kept = await self.work.kept_answer(asked.key)
            if kept is not None:
                self._answered(asked, kept)
            if asked.over:
                return
            if asked.ticket.answer.cancelled():
                await self._cancel_at_node(asked)
                return
            is_given = is_direct(asked.sequence)
            if unseen_seconds > (SILENT_SECONDS_MAX if is_given else UNSEEN_SECONDS_MAX):
                await self._look_for_request(asked, unseen_seconds)
            elif unseen_seconds > PATIENCE_SECONDS and asked.claimed_at is None and not is_given:
                # Slots are free, and nobody takes it: the stream has no leader.
                await self._give_directly(asked)
        except PASSING as error:
            log.debug("looking for a request: %s", error)
        finally:
            asked.is_looked_for = False

    async def _look_for_request(self, asked: AskedJob, unseen_seconds: float) -> None:
        if not asked.sequence:
            return
        if is_direct(asked.sequence) or not await self.work.is_kept(*asked.claim):
            # It is gone, and so is its answer.
            asked.losses += 1
            if asked.losses >= PUBLISHED_MAX:
                self._give_up(asked, "the request and its answer were lost")
                return
            asked.ask_again()
            await self._publish(asked)
            return
        info = await self.broker.jetstream.consumer_info(self.work.subjects.work_stream(asked.priority), CONSUMER)
        floor, delivered = info.ack_floor, info.delivered
        is_done_with = floor is not None and floor.stream_seq >= asked.sequence
        was_delivered = delivered is not None and delivered.stream_seq >= asked.sequence
        if is_done_with or (was_delivered and unseen_seconds > HOPELESS_SECONDS):
            self._give_up(asked, "the nodes that worked on it are gone")

    async def _hear_exhausted(self, message: Msg) -> None:
        """A request was given to as many nodes as may be, and none has answered."""
        try:
            told = json.loads(message.data)
            stream, sequence = told["stream"], told["stream_seq"]
        except (ValueError, LookupError):
            return
        for asked in list(self._asked.values()):
            if asked.sequence == sequence and self.work.subjects.work_stream(asked.priority) == stream:
                kept = await self.work.kept_answer(asked.key)
                if kept is not None:
                    self._answered(asked, kept)
                if not asked.over:
                    self._give_up(asked, "the nodes that worked on it are gone")

    def _give_up(self, asked: AskedJob, detail: str) -> None:
        asked.ticket.tries = max(asked.ticket.tries, 2)
        self._fail(asked.ticket, "died", detail)
        if asked.sequence:
            self._soon(self.work.forget(*asked.claim))
        self._finish(asked, self._now() - asked.started_at)

    async def _catch_up(self) -> None:
        """The connection was lost: answers may have been published meanwhile."""
        for asked in list(self._asked.values()):
            if asked.sequence and not asked.is_looked_for:
                await self._look_for(asked, 0)
