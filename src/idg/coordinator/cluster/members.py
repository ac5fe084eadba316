"""Who takes part in the cluster, as nodes and coordinators tell it themselves, and how the nodes' slots are divided."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TypeVar

from idg.coordinator.cluster.subjects import Priority, read_priority
from idg.coordinator.pool.sandbox.confine import Sandbox
from idg.sip.record import Record

ANNOUNCE_SECONDS = 1.0
"""How often nodes and coordinators tell about themselves."""
SILENT_SECONDS_MAX = 3.5
"""A member that has told nothing for this long is taken to be gone."""
MEMBERS_MAX = 10_000
"""How many nodes, and how many coordinators, are remembered."""

Claim = tuple[Priority, int]
"""A request: its priority and its place in the stream of that priority."""
_T = TypeVar("_T")


def read_claim(data: object) -> Claim:
    """The claim that a list of JSON stands for; ValueError where it stands for none."""
    if isinstance(data, list) and len(data) == 2 and type(data[1]) is int:
        return read_priority(data[0]), data[1]
    raise ValueError("this names no request")


class NodeNews(Record):
    """What a node tells of itself."""

    name: str
    version: str
    engine: str
    cores: int
    slots: int
    """How many analyses it computes at the same time; 0 while it drains."""
    free: int
    running: tuple[Claim, ...]
    """The requests that it works on."""
    draining: bool
    done: int
    failed: int
    killed: int
    started: float
    """When it was started, in seconds since 1970."""
    sandbox: Sandbox
    problem: str = ""
    """Why it cannot compute anything at present; empty where it can."""

    def encode(self) -> bytes:
        values = {name: getattr(self, name) for name in self.__match_args__}
        return json.dumps(values | {"sandbox": self.sandbox.parts}).encode()

    @classmethod
    def decode(cls, body: bytes) -> NodeNews:
        """ValueError where it is no such news."""
        told = _Told(body)
        sandbox = _Told(told.read("sandbox", dict))
        return cls(
            name=told.read("name", str),
            version=told.read("version", str),
            engine=told.read("engine", str),
            cores=told.read("cores", int),
            slots=told.read("slots", int),
            free=told.read("free", int),
            running=tuple(map(read_claim, told.read("running", list))),
            draining=told.read("draining", bool),
            done=told.read("done", int),
            failed=told.read("failed", int),
            killed=told.read("killed", int),
            started=told.read("started", float),
            sandbox=Sandbox(*(sandbox.read(part, str) for part in Sandbox.__match_args__)),
            problem=told.read("problem", str),
        )


class CoordinatorNews(Record):
    """What a coordinator tells of itself."""

    name: str
    version: str
    engine: str
    wanted: int
    """How many analyses it has under way or waiting."""
    under_way: int
    share: int
    """How many slots it may use at present."""
    started: float
    host: str = ""
    """The name of its machine."""

    def encode(self) -> bytes:
        return json.dumps({name: getattr(self, name) for name in self.__match_args__}).encode()

    @classmethod
    def decode(cls, body: bytes) -> CoordinatorNews:
        """ValueError where it is no such news."""
        told = _Told(body)
        return cls(
            name=told.read("name", str),
            version=told.read("version", str),
            engine=told.read("engine", str),
            wanted=told.read("wanted", int),
            under_way=told.read("under_way", int),
            share=told.read("share", int),
            started=told.read("started", float),
            host=told.read("host", str),
        )


class _Told:
    """A JSON object that a member sent. It may have more fields than we know: a newer release may tell more."""

    def __init__(self, content: bytes | dict[str, object]) -> None:
        values = json.loads(content) if isinstance(content, bytes) else content
        if not isinstance(values, dict):
            raise ValueError("this is no news of a member")
        self._values: dict[str, object] = values

    def read(self, name: str, kind: type[_T]) -> _T:
        """The value of a field; ValueError where it is missing or of another type."""
        value = self._values.get(name)
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise ValueError(f"news of a member without {name}")
        return value


class Members:
    """The nodes and coordinators that were heard of lately."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._nodes: dict[str, tuple[float, NodeNews]] = {}
        self._coordinators: dict[str, tuple[float, CoordinatorNews]] = {}

    def heard_node(self, news: NodeNews) -> None:
        if len(self._nodes) < MEMBERS_MAX or news.name in self._nodes:
            self._nodes[news.name] = self._clock(), news

    def heard_coordinator(self, news: CoordinatorNews) -> None:
        if len(self._coordinators) < MEMBERS_MAX or news.name in self._coordinators:
            self._coordinators[news.name] = self._clock(), news

    def nodes(self, engine: str | None = None) -> list[NodeNews]:
        """The nodes that are there, of one version of the engine or of all."""
        self._nodes = {name: heard for name, heard in self._nodes.items() if self._is_recent(heard[0])}
        return [news for _, news in self._nodes.values() if engine in (None, news.engine)]

    def coordinators(self, engine: str | None = None) -> list[CoordinatorNews]:
        self._coordinators = {name: heard for name, heard in self._coordinators.items() if self._is_recent(heard[0])}
        return [news for _, news in self._coordinators.values() if engine in (None, news.engine)]

    def _is_recent(self, moment: float) -> bool:
        return self._clock() - moment < SILENT_SECONDS_MAX


def fair_share(slots: int, others: Iterable[int]) -> int:
    """How many of the slots one coordinator may use while the others want so many.

    Everybody gets what they want up to a common level, and what remains below it is for those who want more. Whoever wants
    anything may use one slot, even where there are more coordinators than slots. Where nobody else wants anything, all slots are
    mine, because the next question may come at any moment."""
    if slots <= 0:
        return 0
    left, rivals = slots, sorted(wanted for wanted in others if wanted > 0)
    for index, wanted in enumerate(rivals):
        sharers = len(rivals) - index + 1
        if wanted > left // sharers:
            return max(1, -(-left // sharers))
        left -= wanted
    return max(1, left)
