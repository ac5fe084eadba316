"""A model of the server's capacity: what proposals cost in each part, and a discrete-event simulation of many players.

The costs are measured (`bench/servers/scale.py` does it); everything else here is arithmetic. A part of the system is a queue with
some servers, each of which works on one request at a time. A proposal passes through the parts in the order of ARCHITECTURE.md
("How a proposal travels"). Two things are not modelled: work for the connections of players who do nothing, and failures.
"""

from __future__ import annotations

import math
import random
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import simpy

from bench.servers.load import percentile

Steps = Generator[simpy.Event, Any, None]

WARM_UP_SHARE = 0.25
"""The share of the simulated time that is not measured, because the queues are still filling."""
BUSY_MAX = 0.6
"""The share of time for which a part may be busy in a plan. Above it, waiting grows quickly."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What one proposal costs in each part, in seconds of processor time unless it says otherwise."""

    loop_known: float
    """Of the coordinator's event loop, for a proposal whose verdict is known."""
    loop_new: float
    loop_push: float
    """Of the event loop, for telling one socket of one event."""
    database_known: float
    """Of the database, for the one transaction of a known proposal."""
    database_new: float
    """Of the database, for the two transactions of a new one and its part of the batches of verdicts."""
    commit: float
    """Wall-clock seconds until a commit is on disk. Commits wait together, so this takes nobody's turn."""
    broker: float
    """Of NATS, for the request, the answer and their acknowledgements."""
    hop: float
    """Wall-clock seconds that a request and its answer travel beyond the work counted here."""
    analyses: tuple[float, ...]
    """Of an engine worker: a sample of analyses."""
    generator: float = 0.0
    """Of whoever makes the load, where it runs on the same machine."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What players do."""

    proposals_a_second: float
    known_share: float
    """The share of proposals whose verdict is known already: others have proposed the same on the same books."""
    sockets_a_room: float = 1.1
    """Sockets that are told of each event."""

    @classmethod
    def of_players(cls, players: int, think_seconds: float, known_share: float) -> Demand:
        return cls(players / think_seconds, known_share)


EVENTS_A_PROPOSAL = 2
"""Events that the sockets of a room are told of: what was proposed, and how it was judged."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many servers each part has."""

    coordinators: int = 1
    databases: int = 1
    """Databases among which the rooms are divided."""
    database_cores: int = 1
    """Cores of each."""
    brokers: int = 1
    """Streams among which the work is divided, each with a leader of its own."""
    slots: int = 2
    """Engine workers on all nodes together."""
    cores: int | None = None
    """Where everything runs on one machine: its cores, which all parts share."""

    def servers(self) -> dict[str, int]:
        return {
            "coordinators": self.coordinators,
            "databases": self.databases * self.database_cores,
            "brokers": self.brokers,
            "slots": self.slots,
        }


def work_a_second(costs: Costs, demand: Demand) -> dict[str, float]:
    """How many seconds each part works in a second. This is how many servers it needs at least."""
    known = demand.proposals_a_second * demand.known_share
    new = demand.proposals_a_second - known
    pushes = demand.proposals_a_second * EVENTS_A_PROPOSAL * demand.sockets_a_room
    return {
        "coordinators": known * costs.loop_known + new * costs.loop_new + pushes * costs.loop_push,
        "databases": known * costs.database_known + new * costs.database_new,
        "brokers": new * costs.broker,
        "slots": new * sum(costs.analyses) / len(costs.analyses),
    }


def utilisation(costs: Costs, demand: Demand, plan: Plan) -> dict[str, float]:
    """For which share of the time each part is busy; above 1 it cannot keep up."""
    return {part: work / plan.servers()[part] for part, work in work_a_second(costs, demand).items()}


def smallest_plan(costs: Costs, demand: Demand, database_cores: int) -> Plan:
    """The plan with the fewest servers in which no part is busy for more than `BUSY_MAX` of the time."""
    needed = {part: max(1, math.ceil(work / BUSY_MAX)) for part, work in work_a_second(costs, demand).items()}
    databases = math.ceil(needed["databases"] / database_cores)
    return Plan(needed["coordinators"], databases, min(database_cores, needed["databases"]), needed["brokers"], needed["slots"])


@dataclass
class Outcome:
    """What was simulated: the times of the answers in seconds, in ascending order, and how busy each part was."""

    known: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)
    busy: dict[str, float] = field(default_factory=dict)
    backlog: int = 0
    """Proposals that were sent and not answered when the simulated time was over."""

    def p99(self, kind: str) -> float:
        return percentile(self.known if kind == "known" else self.new, 0.99)

    def median(self, kind: str) -> float:
        return percentile(self.known if kind == "known" else self.new, 0.5)


class Part:
    """Some servers, each with a queue of its own, as rooms and coordinators have one; a request is given to any of them."""

    def __init__(self, world: simpy.Environment, servers: int, shared_queue: bool, cores: simpy.Resource | None) -> None:
        self.world = world
        self.cores = cores
        self.servers = servers
        self.worked = 0.0
        self.queues = [simpy.Resource(world, servers)] if shared_queue else [simpy.Resource(world) for _ in range(servers)]

    def work(self, seconds: float, chooser: random.Random) -> Steps:
        """Waits for a server, and for a core where the machine's cores are shared, and works."""
        queue = self.queues[0] if len(self.queues) == 1 else chooser.choice(self.queues)
        with queue.request() as turn:
            yield turn
            if self.cores is None:
                yield self.world.timeout(seconds)
            else:
                with self.cores.request() as core:
                    yield core
                    yield self.world.timeout(seconds)
            self.worked += seconds


class Simulation:
    def __init__(self, costs: Costs, demand: Demand, plan: Plan, seed: int) -> None:
        self.costs, self.demand, self.plan = costs, demand, plan
        self.chooser = random.Random(seed)
        self.world = simpy.Environment()
        cores = None if plan.cores is None else simpy.Resource(self.world, plan.cores)
        self.parts = {
            "coordinators": Part(self.world, plan.coordinators, False, cores),
            "databases": Part(self.world, plan.databases * plan.database_cores, plan.databases == 1, cores),
            "brokers": Part(self.world, plan.brokers, False, cores),
            "slots": Part(self.world, plan.slots, True, cores),
        }
        self.generator = Part(self.world, 1, True, cores)
        self.outcome = Outcome()

    def run(self, seconds: float) -> Outcome:
        self.begin_measuring = seconds * WARM_UP_SHARE
        self.world.process(self.players())
        self.world.run(until=seconds)
        self.outcome.known.sort()
        self.outcome.new.sort()
        self.outcome.busy = {name: part.worked / (part.servers * seconds) for name, part in self.parts.items()}
        return self.outcome

    def players(self) -> Steps:
        """Proposals of very many independent players come at random times (a Poisson process)."""
        while True:
            yield self.world.timeout(self.chooser.expovariate(self.demand.proposals_a_second))
            self.world.process(self.proposal())

    def proposal(self) -> Steps:
        sent = self.world.now
        is_known = self.chooser.random() < self.demand.known_share
        self.outcome.backlog += 1
        if self.costs.generator:
            yield from self.generator.work(self.costs.generator, self.chooser)
        yield from self.known() if is_known else self.new()
        self.outcome.backlog -= 1
        if sent >= self.begin_measuring:
            (self.outcome.known if is_known else self.outcome.new).append(self.world.now - sent)

    def known(self) -> Steps:
        yield from self.at("coordinators", self.costs.loop_known / 2)
        yield from self.stored(self.costs.database_known)
        yield from self.at("coordinators", self.costs.loop_known / 2 + self.pushing())

    def new(self) -> Steps:
        """The proposal is stored while the engine begins with it; the verdict is stored afterwards."""
        yield from self.at("coordinators", self.costs.loop_new / 3)
        storing = self.world.process(self.stored(self.costs.database_new / 2))
        analysing = self.world.process(self.analysed())
        yield storing & analysing
        yield from self.at("coordinators", self.costs.loop_new / 3)
        yield from self.stored(self.costs.database_new / 2)
        yield from self.at("coordinators", self.costs.loop_new / 3 + self.pushing())

    def pushing(self) -> float:
        """Seconds for telling the room's sockets of the proposal's events."""
        return EVENTS_A_PROPOSAL * self.demand.sockets_a_room * self.costs.loop_push

    def stored(self, seconds: float) -> Steps:
        yield from self.at("databases", seconds)
        yield self.world.timeout(self.costs.commit)

    def analysed(self) -> Steps:
        yield from self.at("brokers", self.costs.broker)
        yield self.world.timeout(self.costs.hop)
        yield from self.at("slots", self.chooser.choice(self.costs.analyses))

    def at(self, part: str, seconds: float) -> Steps:
        if seconds:
            yield from self.parts[part].work(seconds, self.chooser)


def simulate(costs: Costs, demand: Demand, plan: Plan, seconds: float, seed: int = 1) -> Outcome:
    return Simulation(costs, demand, plan, seed).run(seconds)


def highest_rate(costs: Costs, plan: Plan, rates: Sequence[float], known_share: float, p99_max: float, seconds: float) -> float:
    """The highest of these rates, given in ascending order, at which the 99th percentile stays within the bound; 0.0 for none."""
    highest = 0.0
    for rate in rates:
        outcome = simulate(costs, Demand(rate, known_share, sockets_a_room=0.0), plan, seconds)
        if outcome.p99("known" if known_share else "new") > p99_max or outcome.backlog > rate:
            break
        highest = rate
    return highest


def without_engine(costs: Costs) -> Costs:
    """The same with analyses that take no time: what the rest of the system could carry."""
    return replace(costs, analyses=(0.0,))
