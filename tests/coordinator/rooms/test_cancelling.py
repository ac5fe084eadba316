"""A task that is cancelled in the moment in which what it waits for happens ends nevertheless.

`asyncio.wait_for` of Python 3.11 loses such a cancellation: the task goes on, and whoever waits for its end waits for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from idg.coordinator.cluster.nodes.pulling import Puller, SlotPuller
from idg.coordinator.cluster.subjects import Priority, Subjects
from tests.support.servers.coordinators import coordinating, room_of

LOOP_TURNS = 50
"""More turns of the event loop than a task needs to come to where it waits, or to end there."""


async def several_turns() -> None:
    for _ in range(LOOP_TURNS):
        await asyncio.sleep(0)


async def ends(task: asyncio.Task[Any], happens: Callable[[], object]) -> bool:
    """Whether the task ends when it is cancelled in the same turn of the loop in which something happens."""
    await several_turns()
    assert not task.done()
    happens()
    task.cancel()
    await several_turns()
    ended = task.cancelled()
    task.cancel()  # Where the first was lost.
    await asyncio.gather(task, return_exceptions=True)
    return ended


def test_looking_for_what_others_left(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            task = asyncio.create_task(coordinator._every(0, coordinator._sweep))
            assert await ends(task, coordinator.leases.inherited.set)

    asyncio.run(story())


def test_the_computer_as_a_partner(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await room_of(coordinator)
            await coordinator.partners.set(live, actor, "turns", False)
            partner, task = coordinator.partners._partners[live.id]
            assert await ends(task, partner._happened.set)

    asyncio.run(story())


class SilentClient:
    """In place of a connection to NATS that says nothing by itself."""

    def new_inbox(self) -> str:
        return "_INBOX.slot"

    async def publish(self, subject: str, body: bytes, reply: str) -> None: ...


def new_slot(priority: Priority) -> tuple[SlotPuller, Msg]:
    """A slot, and a request that it may get."""
    client, subjects = cast(Client, SilentClient()), Subjects("0123")
    puller = Puller(client, subjects, lambda *_: None)
    return SlotPuller(puller, client, subjects), Msg(client, subjects.work(priority), data=b"{}")


def answer(slot: SlotPuller, message: Msg) -> None:
    assert slot._reply is not None
    slot._reply.set_result(message)


@pytest.mark.parametrize("priority", ["people", "agents"])
def test_a_request_that_comes_when_its_slot_is_ended_is_kept(priority: Priority) -> None:
    """It was handed out to this node, so nobody else would get it for a while."""

    async def story() -> None:
        slot, message = new_slot(priority)
        assert await ends(asyncio.create_task(slot.next()), lambda: answer(slot, message))
        assert await slot.next() == (priority, message)

    asyncio.run(story())


def test_a_request_that_comes_when_its_slot_waits_no_more_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time was over in the same turn of the loop in which the request came."""
    monkeypatch.setattr("idg.coordinator.cluster.nodes.pulling.PAUSE_SECONDS", 0.0)
    limits: list[asyncio.Timeout] = []

    def noted_timeout(seconds: float) -> asyncio.Timeout:
        limits.append(asyncio.timeout_at(asyncio.get_running_loop().time() + seconds))
        return limits[-1]

    monkeypatch.setattr(asyncio, "timeout", noted_timeout)

    async def story() -> None:
        slot, message = new_slot("people")
        asking = asyncio.create_task(slot.next())
        await several_turns()
        limits[-1].reschedule(0.0)
        answer(slot, message)
        assert await asking is None
        assert await slot.next() == ("people", message)

    asyncio.run(story())
