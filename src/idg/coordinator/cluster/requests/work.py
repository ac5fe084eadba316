"""Requests and answers in JetStream: the streams, how both are written, and how they get there for sure.

A request waits in a work queue until a node takes it, and is removed when the node has answered. An answer is published at a
subject that names its coordinator and the question's key: the coordinator hears it at once, and a stream keeps it for a while for
whoever did not hear it. What is too long for one message goes in parts, which another stream keeps.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from secrets import token_hex

import nats.errors
import nats.js.errors
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, RetentionPolicy, StorageType, StreamConfig

from idg.coordinator.cluster.broker import Broker
from idg.coordinator.cluster.subjects import CONSUMER, PRIORITIES, STREAM_PREFIX, Priority, Subjects
from idg.coordinator.pool.lines import SEPARATOR, JsonText, read_with_texts, with_texts
from idg.engine.wire.codec import Json
from idg.sip.record import Record

ACK_WAIT_SECONDS = 10.0
"""Seconds without a sign of life after which a request is given to another node."""
BEAT_SECONDS = 3.0
"""How often a node tells that it still works on a request."""
DELIVERIES_MAX = 2
"""How often a request is given to a node. One that has taken two nodes with it is given up."""
DUPLICATES_SECONDS = 150.0
"""How long the same question is not accepted again: whoever asks it waits for the answer that is under way."""
REQUEST_SECONDS_MAX = 600.0
"""How long a request is kept. Whoever waits for it asks again then."""
ANSWER_SECONDS_MAX = 200.0
"""How long an answer is kept for whoever did not hear it, longer than the same question is not accepted again."""
WORK_BYTES_MAX = 64 * 2**20
"""How many bytes of requests may wait in a stream. They are few, because requests are published for free slots only."""
ANSWERS_BYTES_MAX = 256 * 2**20
"""How many bytes of answers, and as many of parts, are kept. The oldest go first. Servers set aside what all streams may hold, so
each version of the engine takes 640 MB of their disks."""
PART_MARGIN_BYTES = 8192
"""How many bytes of a message are left for its subject and headers."""
MESSAGE_BYTES_MAX = 64 * 2**20
"""How long a request or an answer may be in all its parts; a longer one is refused where it is written."""
PULLS_WAITING_MAX = 20_000
"""How many slots of all nodes may wait for a request at the same time."""
PENDING_MAX = 20_000
"""How many requests of a stream may be under way at the same time."""
PUBLISH_SECONDS = 1.5
"""How long JetStream may take to acknowledge a message before it is published again."""
LOOK_UP_SECONDS = 1.0
"""How long JetStream may take to tell whether it keeps an answer. It does not tell while there is no leader."""
RETRY_SECONDS = 0.1
"""How long we wait after a first failure before we try again; after each further one twice as long."""
RETRY_SECONDS_MAX = 0.4
"""The longest time between two tries."""
REPLICAS_CLUSTERED = 3
"""How many servers of a NATS cluster store each stream."""
SET_UP_SECONDS_MAX = 30.0
"""How long we try to make the streams when we start, because the servers may still look for a leader."""
OLD_STREAM_DAYS = 1.0
"""Streams that were made so many days ago are deleted when nobody has their version of the engine any more."""
WRONG_CONFIGURATION = 10058
"""The error code of JetStream for a stream that exists with another configuration."""
NO_SUITABLE_PEERS = 10005
"""The error code of JetStream where too few servers are there for the replicas."""

PASSING = (nats.errors.Error, TimeoutError, OSError)
"""Errors after which we try again: no connection, no leader, no answer, a full disk."""

log = logging.getLogger("idg.coordinator.cluster.work")


class StreamsUnavailable(Exception):
    """The streams could not be made; the message says why."""


class TooLong(Exception):
    """A request or an answer is longer than all its parts may be."""


class WorkRequest(Record):
    """What a node is asked."""

    call: str
    coordinator: str
    key: str
    """Names the question; the answer is published at a subject with this name."""
    deadline_seconds: float
    request: str = ""
    """The id of the HTTP request that it is for, for logs."""

    def encode(self, arguments: bytes) -> bytes:
        """The request as one line: the record, then the arguments, which nobody reads on the way."""
        head = {name: getattr(self, name) for name in self.__match_args__}
        return json.dumps(head, separators=(",", ":")).encode() + SEPARATOR.encode() + arguments

    @classmethod
    def decode(cls, body: bytes) -> tuple[WorkRequest, JsonText]:
        """ValueError where it is no request."""
        head, separator, arguments = body.partition(SEPARATOR.encode())
        values = json.loads(head)
        if not separator or not isinstance(values, dict):
            raise ValueError("no request")
        try:
            return cls(**{name: values[name] for name in cls.__match_args__}), JsonText(arguments.decode())
        except KeyError as error:
            raise ValueError(f"a request without {error}") from None


class WorkAnswer(Record):
    """What a node answers. Exactly one of `result`, `error`, `failed`, `cancelled` and `returned` is given."""

    priority: Priority
    sequence: int
    """Which request it is the answer to: its place in the stream of its priority."""
    node: str
    seconds: float
    """How long the analysis took."""
    deliveries: int = 1
    """How often the request was given to a node."""
    result: Json | None = None
    error: Json | None = None
    """The exception that the call has raised: type, message and traceback."""
    failed: Json | None = None
    """Why the node gave it up: reason, tries and detail."""
    cancelled: bool = False
    returned: bool = False
    """Whether the node gives it back without having begun it: it is to be published again."""

    def encode(self) -> bytes:
        head: dict[str, object] = {name: getattr(self, name) for name in self.__match_args__ if name != "result"}
        return (with_texts(head, self.result) if self.result is not None else json.dumps(head, separators=(",", ":"))).encode()

    @classmethod
    def decode(cls, body: bytes) -> WorkAnswer:
        """ValueError where it is no answer."""
        head = read_with_texts(body.decode())
        try:
            # A node of an older release does not know all of the names.
            told = {name: head[name] for name in cls.__match_args__ if name != "result" and name in head}
            return cls(**told, result=head.get("answer"))
        except TypeError as error:
            raise ValueError(f"no answer: {error}") from None

    @property
    def is_final(self) -> bool:
        """Whether it is the same whoever asks, and whenever."""
        return self.result is not None or self.error is not None


class Work:
    """Reads and writes the streams of one version of the engine."""

    def __init__(self, broker: Broker, engine: str) -> None:
        self.broker = broker
        self.subjects = Subjects(engine)
        self.trouble = ""
        """The last error of the streams; empty when something was published since, or the streams have told what waits in them."""
        self._makes_streams = False
        self._making: asyncio.Task[None] | None = None

    # Making the streams.

    async def set_up(self) -> None:
        """Make the streams and consumers, unless they are there; StreamsUnavailable where that is impossible."""
        self._makes_streams = True
        end = time.monotonic() + SET_UP_SECONDS_MAX
        while True:
            try:
                return await self._make_streams()
            except PASSING as error:
                if time.monotonic() > end:
                    raise StreamsUnavailable(self._set_up_problem(error)) from error
                await asyncio.sleep(RETRY_SECONDS)

    def _set_up_problem(self, error: Exception) -> str:
        if isinstance(error, nats.js.errors.APIError) and error.err_code == NO_SUITABLE_PEERS:
            return f"NATS has a cluster of fewer than {REPLICAS_CLUSTERED} servers, or too few of them are there"
        return f"NATS's JetStream does not make our streams: {error_text(error)}"

    @property
    def replicas(self) -> int:
        return REPLICAS_CLUSTERED if self.broker.clustered else 1

    async def _make_streams(self) -> None:
        subjects = self.subjects
        for priority in PRIORITIES:
            await self._make_stream(
                StreamConfig(
                    name=subjects.work_stream(priority),
                    subjects=[subjects.work(priority)],
                    retention=RetentionPolicy.WORK_QUEUE,
                    discard=DiscardPolicy.NEW,
                    max_bytes=WORK_BYTES_MAX,
                    max_age=REQUEST_SECONDS_MAX,
                    duplicate_window=DUPLICATES_SECONDS,
                )
            )
            await self.broker.jetstream.add_consumer(
                subjects.work_stream(priority),
                ConsumerConfig(
                    durable_name=CONSUMER,
                    ack_policy=AckPolicy.EXPLICIT,
                    ack_wait=ACK_WAIT_SECONDS,
                    max_deliver=DELIVERIES_MAX,
                    max_ack_pending=PENDING_MAX,
                    max_waiting=PULLS_WAITING_MAX,
                ),
            )
        for name, subject in (
            (subjects.answers_stream, subjects.answer("*", "*")),
            (subjects.parts_stream, subjects.part("*", "*")),
        ):
            await self._make_stream(
                StreamConfig(
                    name=name,
                    subjects=[subject],
                    retention=RetentionPolicy.LIMITS,
                    max_bytes=ANSWERS_BYTES_MAX,
                    max_age=ANSWER_SECONDS_MAX,
                    max_msgs_per_subject=1,
                )
            )

    async def _make_stream(self, config: StreamConfig) -> None:
        config.storage = StorageType.FILE
        config.num_replicas = self.replicas
        jetstream = self.broker.jetstream
        try:
            await jetstream.add_stream(config)
        except nats.js.errors.APIError as error:
            if error.err_code != WRONG_CONFIGURATION:
                # While a server of the cluster is away, new streams cannot be made, but those that are there can be used.
                with contextlib.suppress(nats.js.errors.NotFoundError):
                    await jetstream.stream_info(config.name or "")
                    return
                raise
            await jetstream.update_stream(config)

    async def forget_old_streams(self, used: Collection[str]) -> None:
        """Delete empty streams of versions of the engine that nobody has any more; `used` are those that somebody has."""
        kept = {*used, self.subjects.engine}
        before = datetime.now(UTC) - timedelta(days=OLD_STREAM_DAYS)
        with contextlib.suppress(*PASSING):
            for info in await self.broker.jetstream.streams_info():
                name = info.config.name or ""
                is_old = isinstance(info.created, datetime) and info.created < before
                is_used = name.rpartition("-")[2] in kept or info.state.messages
                if name.startswith(STREAM_PREFIX) and is_old and not is_used:
                    await self.broker.jetstream.delete_stream(name)
                    log.info("deleted the stream %s of another engine", name)

    # Publishing.

    async def publish(self, subject: str, body: bytes, id: str = "", until: Callable[[], bool] | None = None) -> tuple[int, bool]:
        """Publish what the streams keep, until they have acknowledged it.

        Returns its place in its stream, and whether the same `id` was published before. With `until`, we give up as soon as it is
        true, and raise the last error."""
        if not self.is_short(body):
            body = await self._in_parts(body, until)
        headers = {"Nats-Msg-Id": id} if id else None
        pause = RETRY_SECONDS
        while True:
            try:
                ack = await self.broker.jetstream.publish(subject, body, timeout=PUBLISH_SECONDS, headers=headers)
                self.trouble = ""
                return ack.seq, bool(ack.duplicate)
            except PASSING as error:
                if self.broker.client.is_closed or (until is not None and until()):
                    raise
                self.trouble = error_text(error)
                log.debug("publishing at %s: %s", subject, self.trouble)
                await asyncio.sleep(pause)
                pause = min(2 * pause, RETRY_SECONDS_MAX)
                if isinstance(error, nats.js.errors.NoStreamResponseError) and pause == RETRY_SECONDS_MAX:
                    # There is no leader, or the servers have lost what they had.
                    self._make_lost_streams()

    def _make_lost_streams(self) -> None:
        """Make the streams again, unless somebody is at it. Nobody waits for that: without a leader it takes long, and fails."""
        if self._makes_streams and (self._making is None or self._making.done()):
            self._making = asyncio.create_task(self._make_streams_once())

    async def _make_streams_once(self) -> None:
        with contextlib.suppress(*PASSING):
            await self._make_streams()

    def is_short(self, body: bytes) -> bool:
        """Whether it can be sent as one message."""
        return len(body) <= self._bytes_max

    @property
    def _bytes_max(self) -> int:
        """How long one message may be: the servers say so."""
        return int(self.broker.client.max_payload) - PART_MARGIN_BYTES

    async def _in_parts(self, body: bytes, until: Callable[[], bool] | None) -> bytes:
        """Publish the parts of what is too long, and return what stands for it."""
        if len(body) > MESSAGE_BYTES_MAX:
            raise TooLong(f"{len(body)} bytes are too long for NATS; at most {MESSAGE_BYTES_MAX} can be sent")
        token, size = token_hex(16), self._bytes_max
        starts = range(0, len(body), size)
        for number, start in enumerate(starts):
            await self.publish(self.subjects.part(token, number), body[start : start + size], until=until)
        return json.dumps({"parts": len(starts), "token": token}).encode()

    # Reading.

    async def whole(self, body: bytes) -> bytes:
        """All of a message: its parts put together where it came in parts. Errors of NATS are passed on."""
        if not body.startswith(b'{"parts"'):
            return body
        head = json.loads(body)
        parts = []
        for number in range(head["parts"]):
            subject = self.subjects.part(head["token"], number)
            parts.append((await self.broker.jetstream.get_last_msg(self.subjects.parts_stream, subject)).data or b"")
        return b"".join(parts)

    async def kept_answer(self, key: str, coordinator: str = "*") -> WorkAnswer | None:
        """The last answer to a question, whoever asked it; None where none is kept, or none can be read now."""
        try:
            subject = self.subjects.answer(coordinator, key)
            message = await self.broker.jetstream_within(LOOK_UP_SECONDS).get_last_msg(self.subjects.answers_stream, subject)
            return WorkAnswer.decode(await self.whole(message.data or b""))
        except (*PASSING, ValueError):
            return None

    async def is_kept(self, priority: Priority, sequence: int) -> bool:
        """Whether a request is still there: it waits, is under way, or was delivered too often."""
        try:
            await self.broker.jetstream.get_msg(self.subjects.work_stream(priority), sequence)
            return True
        except nats.js.errors.NotFoundError:
            return False

    async def lag(self) -> dict[str, float]:
        """How many requests wait, and how many are under way. Errors of NATS are passed on."""
        lag = {"waiting_in_streams": 0.0, "given_to_nodes": 0.0, "given_again": 0.0}
        for priority in PRIORITIES:
            info = await self.broker.jetstream.consumer_info(self.subjects.work_stream(priority), CONSUMER)
            lag["waiting_in_streams"] += info.num_pending or 0
            lag["given_to_nodes"] += info.num_ack_pending or 0
            lag["given_again"] += info.num_redelivered or 0
        self.trouble = ""  # Where requests are still not taken, the next one says so.
        return lag

    async def forget(self, priority: Priority, sequence: int) -> None:
        """Remove a request that nobody shall carry out any more."""
        with contextlib.suppress(*PASSING):
            await self.broker.jetstream.delete_msg(self.subjects.work_stream(priority), sequence)


def error_text(error: BaseException) -> str:
    """What an error of NATS says, in one line."""
    if isinstance(error, nats.js.errors.APIError):
        return str(error.description or error)
    return str(error) or type(error).__name__
