"""The computer as a partner in rooms of a running server: what it does in each mode, when it moves, when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest

from idg.coordinator.errors import ApiError
from idg.coordinator.players.players import COMPUTER
from idg.coordinator.pool.queueing.shares import Shares
from idg.coordinator.rooms.partners import WHERE_TO_LOOK
from idg.sip.record import replace
from tests.support.servers.clients import Client, Json, client, next_message
from tests.support.servers.coordinators import coordinating, room_of

if TYPE_CHECKING:
    from tests.support.servers.servers import Server, StartServer

pytest_plugins = ["tests.support.servers.servers"]

QUICK = ("--partner-seconds", "0.2", "--rate-player", "0", "--rate-address", "0", "--log-level", "warning")
Socket = aiohttp.ClientWebSocketResponse


def checked(start: StartServer, *flags: str) -> Iterator[Server]:
    """A server that is quick, and has nothing to complain about when it ends."""
    server = start(*QUICK, *flags)
    yield server
    server.stop()
    assert not server.complaints, "".join(server.complaints)


@pytest.fixture(scope="module")
def quick(start_module_server: StartServer) -> Iterator[Server]:
    yield from checked(start_module_server)


@pytest.fixture
def for_one(start_server: StartServer) -> Iterator[Server]:
    """A server on which the computer plays along in one room only."""
    yield from checked(start_server, "--partners-max", "1")


@asynccontextmanager
async def anns_room(server: Server) -> AsyncIterator[tuple[Client, str, Socket]]:
    """Ann in a room, and the socket that shows it to her."""
    async with client(server.url) as ann:
        await ann.become("Ann")
        room = await ann.room("int-square-root")
        async with ann.watch(room, 1) as socket:
            yield ann, room, socket


async def until(socket: Socket, accepted: Callable[[Json], bool]) -> list[Json]:
    """Reads messages until one is accepted; all of them."""
    messages: list[Json] = []
    while not messages or not accepted(messages[-1]):
        messages.append(await next_message(socket))
    return messages


def says(kind: str) -> Callable[[Json], bool]:
    return lambda message: bool(
        message["type"] == "partner" and message["partner"] and (message["partner"]["says"] or {}).get("kind") == kind
    )


def is_judged_by(player: str) -> Callable[[Json], bool]:
    return lambda message: bool(
        message["type"] == "event" and message["event"]["kind"] == "judged" and message["event"]["player"] == player
    )


def computers_facts(state: Json, player: str) -> list[str]:
    return [fact["expression"] for fact in (*state["inductive"], *state["potential"]) if fact.get("player") == player]


def test_it_takes_turns_one_fact_after_each_fact_of_a_person(quick: Server) -> None:
    async def story() -> None:
        async with anns_room(quick) as (ann, room, socket):
            partner = (await ann.post(f"/api/rooms/{room}/partner", {"mode": "turns"})).ok()["partner"]
            computer = partner["player"]
            assert computer.startswith(COMPUTER)
            assert (partner["mode"], partner["paused"], partner["says"]) == ("turns", False, None)
            # What is wrong is no fact, so the computer waits.
            assert (await ann.judged(room, "cnt > 100"))["kind"] == "non-invariant"
            assert (await ann.judged(room, "cnt >= 0"))["kind"] == "inductive"
            messages = await until(socket, is_judged_by(computer))
            drafts = [signal for message in messages for signal in message.get("signals", ()) if signal["draft"]]
            told = [message["partner"]["says"]["fact"] for message in messages if says("next")(message)]
            assert told
            assert {signal["player"] for signal in drafts} <= {computer}
            state = (await ann.get(f"/api/rooms/{room}")).ok()
            assert len(computers_facts(state, computer)) == 1, "one fact, and not all of them"
            assert not state["solved"]
            [member] = [member for member in state["members"] if member["player"] == computer]
            assert (member["name"], member["agent"], member["here"]) == ("Computer", True, True)
            proposed = [event for event in await ann.events(room) if event["kind"] == "proposed"]
            assert [event["player"] == computer for event in proposed] == [False, False, True]
            # Asked for it, it makes another move; sent away, it leaves.
            (await ann.post(f"/api/rooms/{room}/partner/ask")).ok()
            await until(socket, is_judged_by(computer))
            assert (await ann.post(f"/api/rooms/{room}/partner", {"mode": "off"})).ok()["partner"] is None
            await until(socket, lambda message: message["type"] == "partner" and message["partner"] is None)
            (await ann.post(f"/api/rooms/{room}/partner/ask")).refused("no-partner")
            assert [event["kind"] for event in await ann.events(room)][-1] == "left"
            # It comes back as the same member.
            again = (await ann.post(f"/api/rooms/{room}/partner", {"mode": "helper"})).ok()["partner"]
            assert again["player"] == computer

    asyncio.run(story())


def test_where_the_level_asks_for_it_the_computer_proposes_a_measure_when_the_facts_are_done(quick: Server) -> None:
    async def story() -> None:
        async with client(quick.url) as ann:
            await ann.become("Ann")
            room = await ann.room("hydra")
            async with ann.watch(room, 1) as socket:
                computer = (await ann.post(f"/api/rooms/{room}/partner", {"mode": "solve"})).ok()["partner"]["player"]
                await until(socket, says("solved"))
            state = (await ann.get(f"/api/rooms/{room}")).ok()
            assert (state["solved"], state["ends"]) == (True, "ends")
            assert [(measure["player"], measure["proved"]) for measure in state["measures"]] == [(computer, True)]

    asyncio.run(story())


def test_it_solves_all_when_asked_and_only_then(quick: Server) -> None:
    async def story() -> None:
        async with anns_room(quick) as (ann, room, socket):
            asked = (await ann.post(f"/api/rooms/{room}/partner", {"mode": "solve"})).ok()["partner"]
            computer = asked["player"]
            messages = await until(socket, says("solved"))
            # One fact after the other, each shown before it is proposed; the goal is proved by them.
            events = await ann.events(room)
            proposed = [event for event in events if event["kind"] == "proposed"]
            assert len(proposed) > 1
            assert all(event["player"] == computer and "expression" in event["body"] for event in proposed)
            told = [message["partner"]["says"]["number"] for message in messages if says("next")(message)]
            assert len(set(told)) == len(proposed)
            [solved] = [event for event in events if event["kind"] == "solved"]
            assert solved["body"]["credited"] == [computer], "who has no part in the proof gets no gem"
            # After that it takes turns: a room that starts again is not solved again unasked.
            (await ann.post(f"/api/rooms/{room}/reset")).ok()
            assert (await ann.judged(room, "cnt >= 0"))["kind"] == "inductive"
            await until(socket, is_judged_by(computer))
            paused = (await ann.post(f"/api/rooms/{room}/partner", {"mode": "turns", "paused": True})).ok()["partner"]
            assert paused["player"] == computer
            since = [event for event in await ann.events(room) if event["number"] > events[-1]["number"]]
            assert [event["player"] == computer for event in since if event["kind"] == "proposed"] == [False, True]
            (await ann.post(f"/api/rooms/{room}/partner", {"mode": "off"})).ok()

    asyncio.run(story())


def test_a_helper_proposes_what_a_waiting_fact_needs(quick: Server) -> None:
    async def story() -> None:
        async with anns_room(quick) as (ann, room, socket):
            computer = (await ann.post(f"/api/rooms/{room}/partner", {"mode": "helper"})).ok()["partner"]["player"]
            assert (await ann.judged(room, "sqr = (cnt + 1)^2"))["kind"] == "potential"
            messages = await until(socket, is_judged_by(computer))
            promoted = messages[-1]["event"]["body"]["promoted"]
            assert "sqr = (cnt + 1)^2" in [fact["expression"] for fact in promoted]
            [said] = [message["partner"]["says"] for message in messages if says("next")(message)][:1]
            assert said["helps"] == {"loop": 1, "expression": "sqr = (cnt + 1)^2"}
            # Nothing waits now: asked, it says that it has nothing.
            (await ann.post(f"/api/rooms/{room}/partner/ask")).ok()
            await until(socket, lambda message: says("nothing")(message) or says("solved")(message))

    asyncio.run(story())


def test_a_hint_giver_speaks_when_asked_and_never_says_the_fact(quick: Server) -> None:
    async def story() -> None:
        async with anns_room(quick) as (ann, room, socket):
            (await ann.post(f"/api/rooms/{room}/partner", {"mode": "hints"})).ok()
            steps = []
            while True:
                told = (await ann.post(f"/api/rooms/{room}/partner/ask")).ok()["partner"]["says"]
                if told["kind"] != "hint":
                    break
                steps.append(told["hint"]["step"])
            assert told["kind"] == "enough"
            assert steps
            assert set(steps) <= set(WHERE_TO_LOOK)
            hints = [event for event in await ann.events(room) if event["kind"] == "hint"]
            assert [event["body"]["step"] for event in hints] == steps
            assert all("expression" not in event["body"] for event in hints)
            # It proposes nothing, whatever the others find.
            await ann.judged(room, "cnt >= 0")
            await until(socket, says("enough"))
            own = [event["kind"] for event in await ann.events(room) if (event["player"] or "").startswith(COMPUTER)]
            assert own == ["joined"]

    asyncio.run(story())


def test_paused_it_rests_and_what_was_found_meanwhile_is_not_made_up_for(quick: Server) -> None:
    async def story() -> None:
        async with anns_room(quick) as (ann, room, socket):
            paused = (await ann.post(f"/api/rooms/{room}/partner", {"mode": "turns", "paused": True})).ok()["partner"]
            assert paused["paused"]
            for fact in ("cnt >= 0", "odd >= 1"):
                await ann.judged(room, fact)
            (await ann.post(f"/api/rooms/{room}/partner", {"mode": "turns", "paused": False})).ok()
            await ann.judged(room, "odd % 2 = 1")
            await until(socket, is_judged_by(paused["player"]))
            proposed = [event for event in await ann.events(room) if event["kind"] == "proposed"]
            assert [event["player"] == paused["player"] for event in proposed] == [False, False, False, True]

    asyncio.run(story())


def test_there_are_so_many_and_it_is_for_members_only(for_one: Server) -> None:
    async def story() -> None:
        async with anns_room(for_one) as (ann, room, _), client(for_one.url) as eve:
            await eve.become("Eve")
            (await eve.post(f"/api/rooms/{room}/partner", {"mode": "turns"})).refused("not-found")
            (await ann.post(f"/api/rooms/{room}/partner", {"mode": "cheat"})).refused("bad-request", "mode")
            (await ann.post(f"/api/rooms/{room}/partner", {"mode": "turns"})).ok()
            other = await eve.room("multiply")
            (await eve.post(f"/api/rooms/{other}/partner", {"mode": "turns"})).refused("too-many-partners")
            (await ann.post(f"/api/rooms/{room}/partner", {"mode": "off"})).ok()
            (await eve.post(f"/api/rooms/{other}/partner", {"mode": "turns"})).ok()

    asyncio.run(story())


def test_one_address_leaves_the_computer_to_others(tmp_path: Path) -> None:
    """Whoever opened as many rooms as there were partners took the computer away from everybody else."""

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            coordinator.partners.shares = Shares(4)
            rooms = [await room_of(coordinator) for _ in range(5)]

            async def ask(number: int, address: str) -> None:
                live, actor = rooms[number]
                await coordinator.partners.set(live, replace(actor, address=address), "hints", paused=False)

            await ask(0, "1.2.3.4")
            await ask(1, "1.2.3.4")
            for others in (2, 3):
                with pytest.raises(ApiError, match="or for you or your address"):
                    await ask(others, "1.2.3.4")
            await ask(2, "5.6.7.8")
            await coordinator.partners.end(rooms[0][0])
            assert coordinator.partners.shares.held == 2, "who ends gives the place back"

    asyncio.run(story())
