"""The order in which waiting jobs are served.

People are served first; agents get at least one slot in eight. An agent is also served where all waiting people are in rooms that
have more running jobs than the agent's room. Among people, and among agents, the room with the fewest running jobs comes first, and
rooms with equally many take turns.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator

from idg.coordinator.pool.jobs import Job
from idg.engine.wire.codec import Json

AGENT_TURN = 8
"""While jobs of agents wait, at least one of this many jobs served is an agent's."""


class Ticket:
    """A job that a pool has accepted. Cancelling `answer`, or a task that awaits it, cancels the job; `asyncio.shield` prevents
    that."""

    __slots__ = ("abandoned", "answer", "job", "line", "lost", "number", "started", "timer", "tries")

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


_Line = OrderedDict[str, deque[Ticket]]
"""Waiting tickets by room; the room whose turn is next comes first."""


class FairQueue:
    def __init__(self) -> None:
        self._people: _Line = OrderedDict()
        self._agents: _Line = OrderedDict()
        self._passed_over = 0
        """How many people were served since the last agent while agents waited."""
        self._length = 0
        self._by_room: Counter[str] = Counter()
        self.agents_length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Ticket]:
        for line in (self._people, self._agents):
            for tickets in line.values():
                yield from tickets

    def of_room(self, room: str) -> int:
        """How many jobs of the room wait."""
        return self._by_room[room]

    def push(self, ticket: Ticket) -> None:
        self._line(ticket).setdefault(ticket.job.room, deque()).append(ticket)
        self._count(ticket, 1)

    def push_first(self, ticket: Ticket) -> None:
        """Put a job that is to be tried again at the front of the line, because it has waited already."""
        line, room = self._line(ticket), ticket.job.room
        line.setdefault(room, deque()).appendleft(ticket)
        line.move_to_end(room, last=False)
        self._count(ticket, 1)

    def remove(self, ticket: Ticket) -> bool:
        """Take a ticket out of the queue; false where it was not in it."""
        line, room = self._line(ticket), ticket.job.room
        if room not in line or ticket not in line[room]:
            return False
        line[room].remove(ticket)
        if not line[room]:
            del line[room]
        self._count(ticket, -1)
        return True

    def pop(self, running: Counter[str]) -> Ticket:
        """The next ticket, given how many jobs of each room are running; IndexError where none waits."""
        if not self._length:
            raise IndexError("nothing waits")
        line, room = self._next(running)
        if line is self._agents:
            self._passed_over = 0
        elif self._agents:
            self._passed_over += 1
        ticket = line[room].popleft()
        if line[room]:
            line.move_to_end(room)
        else:
            del line[room]
        self._count(ticket, -1)
        return ticket

    def _next(self, running: Counter[str]) -> tuple[_Line, str]:
        def first(line: _Line) -> str:
            return min(line, key=lambda room: running[room])

        if not self._agents:
            return self._people, first(self._people)
        agents_room = first(self._agents)
        if not self._people or self._passed_over >= AGENT_TURN - 1:
            return self._agents, agents_room
        people_room = first(self._people)
        if running[people_room] > running[agents_room]:
            return self._agents, agents_room
        return self._people, people_room

    def _line(self, ticket: Ticket) -> _Line:
        return self._agents if ticket.job.agent else self._people

    def _count(self, ticket: Ticket, change: int) -> None:
        room = ticket.job.room
        self._length += change
        self._by_room[room] += change
        if not self._by_room[room]:
            del self._by_room[room]
        if ticket.job.agent:
            self.agents_length += change
