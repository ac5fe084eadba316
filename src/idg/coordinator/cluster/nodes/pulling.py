"""How the slots of a node get requests: each idle slot asks for the next one.

People come first. While requests of agents wait, each eighth request is one of theirs. A request that was handed out must be
carried out by this node, so a slot never asks both streams at the same time. An idle slot therefore waits for people, and looks for
agents in between; where several slots are idle, one of them waits for agents.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from nats.aio.client import Client
from nats.aio.msg import Msg

from idg.coordinator.cluster.requests.work import PASSING
from idg.coordinator.cluster.subjects import Priority, Subjects
from idg.coordinator.pool.queueing.queue import AGENT_TURN

WAIT_SECONDS = 0.2
"""How long a slot waits at one stream before it looks at the other."""
LATE_SECONDS = 1.0
"""How much longer we wait for the server's answer that there is nothing; it may have ended."""
PAUSE_SECONDS = 0.5
"""How long a slot pauses when the streams are not there, or the servers do not answer."""
NANOSECONDS = 1_000_000_000
"""How many nanoseconds, in which NATS counts, a second has."""
NO_MESSAGES = ("404", "408")
"""The codes by which the server says that nothing has come."""


class Puller:
    """What the slots of a node share: whose turn is next, and whether there is to be a next one."""

    def __init__(self, client: Client, subjects: Subjects, came_late: Callable[[Priority, Msg], None]) -> None:
        """`came_late` hears of each request that is put among the late ones."""
        self._client = client
        self._subjects = subjects
        self.came_late = came_late
        self.people_in_a_row = 0
        self.idle = 0
        self.is_agents_awaited = False
        """Whether an idle slot waits for agents."""
        self.late: list[tuple[Priority, Msg]] = []
        """Requests that came when their slot waited no more. The next idle slots carry them out."""
        self.ended = False
        """Whether nothing new is to be asked for."""

    async def new_slot(self) -> SlotPuller:
        slot = SlotPuller(self, self._client, self._subjects)
        await self._client.subscribe(f"{slot.inbox}.*", cb=slot.arrived)
        return slot


class SlotPuller:
    """Asks for requests on behalf of one slot, one at a time."""

    def __init__(self, shared: Puller, client: Client, subjects: Subjects) -> None:
        self._shared = shared
        self._client = client
        self._subjects = subjects
        self.inbox = client.new_inbox()
        self._number = 0
        self._reply: asyncio.Future[Msg] | None = None

    async def next(self) -> tuple[Priority, Msg] | None:
        """The next request; None after a while without one, or at the end."""
        shared = self._shared
        if shared.late:
            return shared.late.pop(0)
        shared.idle += 1
        try:
            return await self._next()
        except PASSING:
            await asyncio.sleep(PAUSE_SECONDS)
            return None
        finally:
            shared.idle -= 1

    async def _next(self) -> tuple[Priority, Msg] | None:
        shared = self._shared
        order: tuple[Priority, Priority] = ("people", "agents")
        if shared.people_in_a_row >= AGENT_TURN - 1:
            order = ("agents", "people")
        for priority in order:
            message = await self._pull(priority, 0)
            if message is not None:
                return self._taken(message)
        shared.people_in_a_row = 0  # No agent waits.
        priority = "people"
        if shared.idle > 1 and not shared.is_agents_awaited:
            priority = "agents"
            shared.is_agents_awaited = True
        try:
            message = await self._pull(priority, WAIT_SECONDS)
        finally:
            if priority == "agents":
                shared.is_agents_awaited = False
        return self._taken(message) if message is not None else None

    def _taken(self, message: Msg) -> tuple[Priority, Msg]:
        """The message itself tells its priority: it may be a late one, which was asked for before."""
        priority = _priority(message)
        self._shared.people_in_a_row = self._shared.people_in_a_row + 1 if priority == "people" else 0
        return priority, message

    async def _pull(self, priority: Priority, seconds: float) -> Msg | None:
        """Ask one stream for one request, and wait for so many seconds."""
        if self._shared.ended:
            return None
        self._number += 1
        reply: asyncio.Future[Msg] = asyncio.get_running_loop().create_future()
        self._reply = reply
        wanted: dict[str, object] = {"batch": 1}
        wanted |= {"expires": int(seconds * NANOSECONDS)} if seconds else {"no_wait": True}
        try:
            await self._client.publish(
                self._subjects.next(priority), json.dumps(wanted).encode(), reply=f"{self.inbox}.{self._number}"
            )
            async with asyncio.timeout(seconds + LATE_SECONDS):
                message = await reply
        except BaseException:
            # It may have come in the moment in which we stopped waiting.
            if reply.done() and not reply.cancelled():
                self._keep(reply.result())
            raise
        finally:
            self._reply = None
        status = _status(message)
        if status is None:
            return message
        if status not in NO_MESSAGES:
            await asyncio.sleep(PAUSE_SECONDS)
        return None

    async def arrived(self, message: Msg) -> None:
        """Something came: a request, at whose subject it was published, or what the server says to our asking."""
        if _status(message) is not None and message.subject != f"{self.inbox}.{self._number}":
            return
        if self._reply is not None and not self._reply.done():
            self._reply.set_result(message)
        else:
            self._keep(message)

    def _keep(self, message: Msg) -> None:
        """Leave a request for which no slot waits any more to the next idle slot."""
        if _status(message) is None:
            self._shared.late.append((_priority(message), message))
            self._shared.came_late(_priority(message), message)


def _status(message: Msg) -> str | None:
    """The code of a message by which the server says that there is no request; None for a request."""
    return (message.headers or {}).get("Status") if not message.data else None


def _priority(message: Msg) -> Priority:
    return "agents" if message.subject.endswith(".agents") else "people"
