"""What can be told of a cluster from outside: its members, its streams and their leaders."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time

from nats.aio.msg import Msg

from idg.coordinator.cluster.broker import Broker
from idg.coordinator.cluster.members import ANNOUNCE_SECONDS, CoordinatorNews, Members, NodeNews
from idg.coordinator.cluster.requests.work import PASSING, error_text
from idg.coordinator.cluster.subjects import ALL_COORDINATORS, ALL_NODES, STREAM_PREFIX
from idg.sip.record import Record

LISTEN_SECONDS = 1.2 * ANNOUNCE_SECONDS
"""How long we listen before we tell who is there: everybody tells about themselves within this time."""


class StreamStatus(Record):
    """One of our streams."""

    name: str
    leader: str
    """The NATS server that decides about it; empty where there is only one server."""
    replicas: int
    replicas_behind: int
    """Servers that do not have all of it, or cannot be reached."""
    messages: int
    bytes: int
    waiting: int
    """Requests that no node has taken yet."""
    under_way: int
    """Requests that nodes have taken and not yet answered."""
    redelivered: int
    """How many of these were given to a second node."""


class ClusterStatus(Record):
    nodes: tuple[NodeNews, ...]
    coordinators: tuple[CoordinatorNews, ...]
    streams: tuple[StreamStatus, ...]
    server: str
    """The NATS server that told it, and its version."""
    problem: str
    """What could not be found out; empty where nothing is missing."""

    @property
    def works(self) -> bool:
        """Whether proposals can be judged: there are coordinators and slots, and nothing is missing."""
        return bool(sum(news.slots for news in self.nodes) and self.coordinators and not self.problem)


class StatusWatcher:
    """Listens to all members of a cluster."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._members = Members(time.monotonic)

    async def start(self) -> None:
        await self._broker.client.subscribe(ALL_NODES, cb=self._hear_node)
        await self._broker.client.subscribe(ALL_COORDINATORS, cb=self._hear_coordinator)
        await asyncio.sleep(LISTEN_SECONDS)

    async def _hear_node(self, message: Msg) -> None:
        with contextlib.suppress(ValueError):
            self._members.heard_node(NodeNews.decode(message.data))

    async def _hear_coordinator(self, message: Msg) -> None:
        with contextlib.suppress(ValueError):
            self._members.heard_coordinator(CoordinatorNews.decode(message.data))

    async def status(self) -> ClusterStatus:
        problem = ""
        streams: tuple[StreamStatus, ...] = ()
        try:
            streams = await self._streams()
        except PASSING as error:
            problem = f"JetStream does not answer: {error_text(error)}"
        server = self._broker.client._server_info
        return ClusterStatus(
            nodes=tuple(sorted(self._members.nodes(), key=lambda news: news.name)),
            coordinators=tuple(sorted(self._members.coordinators(), key=lambda news: news.name)),
            streams=streams,
            server=f"{server.get('server_name')}, NATS {server.get('version')}",
            problem=problem,
        )

    async def _streams(self) -> tuple[StreamStatus, ...]:
        jetstream = self._broker.jetstream
        told = []
        for info in await jetstream.streams_info():
            name = info.config.name or ""
            if not name.startswith(STREAM_PREFIX):
                continue
            waiting = under_way = redelivered = 0
            for consumer in await jetstream.consumers_info(name):
                waiting += consumer.num_pending or 0
                under_way += consumer.num_ack_pending or 0
                redelivered += consumer.num_redelivered or 0
            peers = (info.cluster.replicas or []) if info.cluster else []
            behind = sum(1 for peer in peers if not peer.current or peer.offline)
            leader = (info.cluster.leader or "") if info.cluster else ""
            replicas = info.config.num_replicas or 1
            state = info.state
            told.append(StreamStatus(name, leader, replicas, behind, state.messages, state.bytes, waiting, under_way, redelivered))
        return tuple(sorted(told, key=lambda stream: stream.name))


def status_json(status: ClusterStatus) -> str:
    """The status for programs."""
    streams = [{name: getattr(stream, name) for name in stream.__match_args__} for stream in status.streams]
    members = {
        "nodes": [json.loads(node.encode()) for node in status.nodes],
        "coordinators": [json.loads(news.encode()) for news in status.coordinators],
    }
    return json.dumps({"ok": status.works, **members, "streams": streams, "server": status.server, "problem": status.problem})


def status_text(status: ClusterStatus, now: float) -> str:
    """The status for people."""
    rows = [["node", "slots", "free", "done", "failed", "cores", "engine", "version", "up"]]
    for node in status.nodes:
        state = "drains" if node.draining else node.problem or str(node.free)
        figures = [str(node.slots), state, str(node.done), str(node.failed), str(node.cores)]
        rows.append([node.name, *figures, node.engine, node.version, _age(now - node.started)])
    tables = [_table(rows) if status.nodes else "no node is there"]
    rows = [["coordinator", "host", "under way", "wanted", "share", "engine", "version", "up"]]
    for news in status.coordinators:
        counts = [str(news.under_way), str(news.wanted), str(news.share)]
        rows.append([news.name, news.host, *counts, news.engine, news.version, _age(now - news.started)])
    tables.append(_table(rows) if status.coordinators else "no coordinator is there")
    rows = [["stream", "leader", "copies", "behind", "messages", "kB", "waiting", "under way", "given again"]]
    for stream in status.streams:
        sizes = [stream.replicas, stream.replicas_behind, stream.messages, stream.bytes // 1000]
        counts_of_work = [stream.waiting, stream.under_way, stream.redelivered]
        rows.append([stream.name, stream.leader or "-", *map(str, [*sizes, *counts_of_work])])
    tables.append(_table(rows) if status.streams else status.problem or "no stream is there")
    slots, free = sum(node.slots for node in status.nodes), sum(node.free for node in status.nodes)
    tables.append(
        f"{len(status.nodes)} nodes, {slots} slots, {free} free; {len(status.coordinators)} coordinators; {status.server}"
    )
    return "\n\n".join(tables)


def _table(rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def _age(seconds: float) -> str:
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{max(0.0, seconds):.0f} s"
