"""The order in which waiting jobs are served.

People are served first; agents get at least one slot in eight. An agent is also served where all waiting people have more running
jobs than the agent has. Among people, and among agents, the address with the fewest running jobs comes first. Of addresses with
equally many, that one comes first whose jobs took the least time lately, and where that is the same they take turns. The same rule
decides among the players of an address, and among the rooms of a player. Jobs for which nobody waits any more are served when no
other job is left.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator

from idg.coordinator.pool.jobs import Asker, Job
from idg.coordinator.pool.queueing.load import Load, prefixes
from idg.coordinator.pool.queueing.shares import Shares
from idg.engine.wire.codec import Json
from idg.sip.record import replace

AGENT_TURN = 8
"""While jobs of agents wait, at least one of this many jobs served is an agent's."""


class Ticket:
    """A job that a pool has accepted. Cancelling `answer`, or a task that awaits it, cancels the job; `asyncio.shield` prevents
    that."""

    __slots__ = ("abandoned", "answer", "job", "line", "lost", "number", "started", "timer", "tries", "twins")

    def __init__(self, number: int, job: Job, line: bytes, answer: asyncio.Future[Json]) -> None:
        self.number = number
        self.job = job
        self.line = line
        """The request as a worker reads it."""
        self.answer = answer
        self.tries = 0
        self.lost = 0
        """How often the job was handed to a worker that was already dying."""
        self.started = 0.0
        """When the current try began, by the loop's clock."""
        self.timer: asyncio.TimerHandle | None = None
        """Ends the current try at its deadline."""
        self.abandoned = False
        """Whether it was cancelled."""
        self.twins: list[Ticket] = [self]
        """The tickets of all who want the same answer; they share this list and the answer. The first that is served takes the
        others out of the queue."""

    def twin(self, asker: Asker) -> Ticket:
        """The ticket of somebody else who wants the same answer."""
        twin = Ticket(self.number, replace(self.job, asker=asker), self.line, self.answer)
        self.twins.append(twin)
        twin.twins = self.twins
        return twin


class _Tickets:
    """Waiting tickets by address, player and room. At each level, the one whose turn is next comes first."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, OrderedDict[str, OrderedDict[str, deque[Ticket]]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._addresses)

    def __iter__(self) -> Iterator[Ticket]:
        for players in self._addresses.values():
            for rooms in players.values():
                for tickets in rooms.values():
                    yield from tickets

    def push(self, ticket: Ticket) -> None:
        address, player, room = ticket.job.asker.path
        rooms = self._addresses.setdefault(address, OrderedDict()).setdefault(player, OrderedDict())
        rooms.setdefault(room, deque()).append(ticket)

    def push_first(self, ticket: Ticket) -> None:
        address, player, room = ticket.job.asker.path
        players = self._addresses.setdefault(address, OrderedDict())
        rooms = players.setdefault(player, OrderedDict())
        rooms.setdefault(room, deque()).appendleft(ticket)
        self._addresses.move_to_end(address, last=False)
        players.move_to_end(player, last=False)
        rooms.move_to_end(room, last=False)

    def remove(self, ticket: Ticket) -> bool:
        address, player, room = ticket.job.asker.path
        players = self._addresses.get(address, OrderedDict())
        tickets = players.get(player, OrderedDict()).get(room, deque())
        if ticket not in tickets:
            return False
        tickets.remove(ticket)
        self._tidy(ticket.job.asker.path)
        return True

    def next(self, load: Load) -> Ticket:
        """The ticket whose turn is next."""
        address = min(self._addresses, key=lambda name: load.of((name,)))
        players = self._addresses[address]
        player = min(players, key=lambda name: load.of((address, name)))
        rooms = players[player]
        return rooms[min(rooms, key=lambda name: load.of((address, player, name)))][0]

    def take(self, ticket: Ticket) -> None:
        """Remove a ticket that is served: its address, player and room have their next turn after the others."""
        address, player, room = ticket.job.asker.path
        self._addresses[address][player][room].remove(ticket)
        self._addresses.move_to_end(address)
        self._addresses[address].move_to_end(player)
        self._addresses[address][player].move_to_end(room)
        self._tidy(ticket.job.asker.path)

    def _tidy(self, path: tuple[str, str, str]) -> None:
        """Forget a room, a player and an address without tickets."""
        address, player, room = path
        players = self._addresses[address]
        rooms = players[player]
        if not rooms[room]:
            del rooms[room]
        if not rooms:
            del players[player]
        if not players:
            del self._addresses[address]


class FairQueue:
    def __init__(self, places: int) -> None:
        self._people = _Tickets()
        self._agents = _Tickets()
        self._unawaited = _Tickets()
        """Those for which nobody waited when their turn came."""
        self._passed_over = 0
        """How many people were served since the last agent while agents waited."""
        self.shares = Shares(places)
        self._by_room: Counter[str] = Counter()
        self.agents_length = 0

    def __len__(self) -> int:
        return self.shares.held

    def __iter__(self) -> Iterator[Ticket]:
        for tickets in (self._people, self._agents, self._unawaited):
            yield from tickets

    def of_room(self, room: str) -> int:
        """How many jobs of the room wait."""
        return self._by_room[room]

    def push(self, ticket: Ticket) -> None:
        self._line(ticket).push(ticket)
        self._count(ticket, 1)

    def push_first(self, ticket: Ticket) -> None:
        """Put a job that is to be tried again at the front of the line, because it has waited already."""
        self._line(ticket).push_first(ticket)
        self._count(ticket, 1)

    def remove(self, ticket: Ticket) -> bool:
        """Take a ticket out of the queue; false where it was not in it."""
        if not self._line(ticket).remove(ticket) and not self._unawaited.remove(ticket):
            return False
        self._count(ticket, -1)
        return True

    def pop(self, load: Load) -> Ticket:
        """The next ticket; IndexError where none waits."""
        if not len(self):
            raise IndexError("nothing waits")
        for ticket in [ticket for ticket in self._unawaited if ticket.job.asker.is_waiting()]:
            # Somebody has asked for the answer again.
            self._unawaited.remove(ticket)
            self._line(ticket).push_first(ticket)
        while self._people or self._agents:
            line, ticket = self._next(load)
            if ticket.job.asker.is_waiting():
                break
            line.remove(ticket)
            self._unawaited.push(ticket)
        else:
            line, ticket = self._unawaited, self._unawaited.next(load)
        if line is self._agents:
            self._passed_over = 0
        elif self._agents:
            self._passed_over += 1
        line.take(ticket)
        self._count(ticket, -1)
        for twin in ticket.twins:
            self.remove(twin)
        return ticket

    def _next(self, load: Load) -> tuple[_Tickets, Ticket]:
        if not self._agents:
            return self._people, self._people.next(load)
        of_agent = self._agents.next(load)
        if not self._people or self._passed_over >= AGENT_TURN - 1:
            return self._agents, of_agent
        of_person = self._people.next(load)
        if _running(of_person, load) > _running(of_agent, load):
            return self._agents, of_agent
        return self._people, of_person

    def _line(self, ticket: Ticket) -> _Tickets:
        return self._agents if ticket.job.asker.agent else self._people

    def _count(self, ticket: Ticket, change: int) -> None:
        asker = ticket.job.asker
        if change > 0:
            self.shares.take(asker.address, asker.player)
        else:
            self.shares.give_back(asker.address, asker.player)
        self._by_room[asker.room] += change
        if not self._by_room[asker.room]:
            del self._by_room[asker.room]
        if asker.agent:
            self.agents_length += change


def _running(ticket: Ticket, load: Load) -> list[int]:
    """How many jobs of the ticket's address are running, of its player there, and of its room."""
    return [load.running(prefix) for prefix in prefixes(ticket.job.asker.path)]
