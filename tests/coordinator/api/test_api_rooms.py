"""Rooms over HTTP and WebSocket, with a running server: moves, what everyone sees, who may see it, and replay."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from idg.coordinator.rooms.live.live_room import RECENT_EVENTS_MAX
from tests.support.servers.clients import COUNTING, Client, Json, client, closed_with, events_until, members_until, next_message
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.databases", "tests.support.servers.servers"]

FAST = ("--rate-player", "0", "--rate-address", "0", "--log-level", "warning")
EVENT_KINDS = {"loaded", "joined", "left", "proposed", "judged", "solved", "feedback", "transition", "traced", "hint", "reset"}


@pytest.fixture(params=["sqlite", "postgresql"])
def any_server(request: pytest.FixtureRequest, start_server: Any, tmp_path: Path) -> Iterator[Any]:
    """A server with a fresh database of each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    server = start_server(*FAST, "--database", url, data=tmp_path)
    yield server
    server.stop()
    assert not server.complaints, "".join(server.complaints)


def replayed(database: str, room: str) -> str:
    command = [sys.executable, "-m", "idg", "replay", room, "--database", database]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def kinds(events: list[Json]) -> list[str]:
    return [event["kind"] for event in events]


def test_a_room_is_the_same_for_everyone_and_after_a_restart_and_replays(any_server: Any) -> None:
    """Tells the story of a room with two people and an agent, on both databases."""

    async def play() -> tuple[str, str, list[Json]]:
        async with client(any_server.url) as ann, client(any_server.url) as bob:
            agent_token = (await ann.become("Robot", agent=True))["token"]
            token: str = (await ann.become("Ann"))["token"]
            opened = await ann.open("int-square-root", shared=True)
            room, code = opened["room"]["room"], opened["room"]["code"]
            async with client(any_server.url, agent_token) as agent:
                for guest in (bob, agent):
                    joined = (await guest.post("/api/rooms/join", {"code": code.lower()})).ok()
                    assert joined["room"]["room"] == room
                async with ann.watch(room) as first, bob.watch(room) as second, agent.watch(room) as third:
                    events = await moves(ann, bob, agent, room)
                    histories = [await events_until(socket, events[-1]["number"]) for socket in (first, second, third)]
                assert histories == [events] * 3
            return room, token, events

    room, token, events = asyncio.run(play())
    assert set(kinds(events)) == EVENT_KINDS - {"traced"}
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    any_server.restart()

    async def again() -> None:
        async with client(any_server.url, token) as ann:
            assert await ann.events(room) == events
            state = (await ann.get(f"/api/rooms/{room}")).ok()
            assert state["last_event"] == len(events)
            assert [fact["expression"] for fact in state["inductive"]] == ["odd = cnt * 2 + 1"]
            assert (await ann.judged(room, "sqr = (cnt+1)^2"))["kind"] == "inductive"

    asyncio.run(again())
    second_room = asyncio.run(propose_concurrently(any_server.url))
    any_server.stop()
    report = replayed(any_server.flags[any_server.flags.index("--database") + 1], "all")
    assert re.search(rf"^{room}: .* 6 verdicts: the same$", report, re.MULTILINE), report
    assert re.search(rf"^{second_room}: .* 12 verdicts: the same$", report, re.MULTILINE), report


async def moves(ann: Client, bob: Client, agent: Client, room: str) -> list[Json]:
    """Makes every kind of move, and returns all events of the room."""
    path = f"/api/rooms/{room}"
    assert (await ann.judged(room, "sqr = (cnt+1)^2"))["kind"] == "potential"
    broken = (await bob.post(f"{path}/transitions", {"expression": "sqr = (cnt + 1)^2"})).ok()
    assert broken["kind"] == "transition"
    assert broken["body"]["transition"]
    promoted = await bob.judged(room, "odd = 2*cnt+1")
    assert [fact["expression"] for fact in promoted["promoted"]] == ["sqr = (cnt + 1)^2", "odd = 2 * cnt + 1"]
    hint = (await bob.post(f"{path}/hints")).ok()
    assert hint["kind"] == "hint"
    shown = (await ann.post(f"{path}/feedback")).ok()
    assert shown["body"]["state"] is not None
    batch = {"proposals": [{"loop": 1, "expression": "cnt^2 <= n"}, {"loop": 1, "expression": "cnt = 3"}], "request": "b1"}
    judged = (await agent.post(f"{path}/batches", batch)).ok()
    assert [fact["kind"] for fact in judged["event"]["body"]["kinds"]] == ["inductive", "non-invariant"]
    assert judged["event"]["body"]["solved"] is True
    assert judged["earned"]["gem"] is True
    [solved] = [event for event in await ann.events(room) if event["kind"] == "solved"]
    state = (await ann.get(path)).ok()
    assert state["solved"] is True
    assert solved["body"]["credited"] == sorted(member["player"] for member in state["members"])
    explained = (await ann.get(f"{path}/explanation")).ok()
    assert explained["message"]
    await ann.post(f"{path}/reset")
    state = (await ann.get(path)).ok()
    assert (state["solved"], state["inductive"], state["potential"]) == (False, [], [])
    async with client(ann.url) as dan:
        (await dan.post("/api/rooms/join", {"code": state["code"]})).ok()
        assert (await dan.post(f"{path}/leave")).ok() == {}
    assert (await ann.judged(room, "odd = cnt*2+1"))["kind"] == "inductive"
    await ann.judged(room, "odd = 2*cnt+1")
    return await ann.events(room)


async def propose_concurrently(url: str) -> str:
    """Proposes several facts at once and returns the room.

    They are judged one after the other, each with the books of the one before.
    """
    async with client(url) as ann, client(url) as bob, client(url) as eve:
        opened = await ann.open("int-square-root", shared=True)
        room: str = opened["room"]["room"]
        version = opened["room"]["version"]
        for guest in (bob, eve):
            (await guest.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
        texts = ["sqr = (cnt+1)^2", "odd = 2*cnt+1", "cnt^2 <= n", "odd >= 1", "cnt >= 0", "cnt = 2", "sqr >= odd", "odd % 2 = 1",
                 "sqr >= 1", "cnt <= n", "sqr > cnt", "odd > cnt"]  # fmt: skip
        answers = await asyncio.gather(*((ann, bob, eve)[index % 3].propose(room, text) for index, text in enumerate(texts)))
        assert all(answer.status == 200 for answer in answers)
        state = (await ann.get(f"/api/rooms/{room}")).ok()
        assert state["version"] == version + len(texts)
        assert state["solved"] is True
        events = await ann.events(room)
        judged = [event for event in events if event["kind"] == "judged"]
        assert sorted(event["answers"] for event in judged) == sorted(
            event["number"] for event in events if event["kind"] == "proposed"
        )
        # Each verdict starts from the books that the one before it left.
        for before, after in pairwise(judged):
            known = {fact["expression"] for fact in before["body"]["inductive"] + before["body"]["potential"]}
            present = {fact["expression"] for fact in after["body"]["inductive"] + after["body"]["potential"]}
            removed = {fact["expression"] for fact in after["body"]["removed"]}
            assert known - removed <= present
            assert present - known <= {after["body"]["expression"]}
        return room


def test_a_socket_goes_on_where_it_was(server: Any) -> None:
    """The socket misses nothing and repeats nothing, however far back it starts, even beyond what the room keeps in memory."""

    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply", resume=False)
            for turn in range(RECENT_EVENTS_MAX // 2 + 5):
                await ann.judged(room, f"cnt <= m + {90 - turn}")
            events = await ann.events(room)
            last = events[-1]["number"]
            assert last > RECENT_EVENTS_MAX + 5
            for after in (0, 1, 3, last - RECENT_EVENTS_MAX - 1, last - RECENT_EVENTS_MAX, last - RECENT_EVENTS_MAX + 1, last - 1):
                async with ann.watch(room, after) as socket:
                    assert await events_until(socket, last) == events[after:]
            seen: list[Json] = []
            for turn in range(12):
                async with ann.watch(room, seen[-1]["number"] if seen else 0) as socket:
                    # The client goes away while a proposal is judged.
                    moving = asyncio.create_task(ann.judged(room, f"cnt <= m + {40 - turn}"))
                    seen += await events_until(socket, (seen[-1]["number"] if seen else last) + 1)
                    await socket.close()
                    await moving
            async with ann.watch(room, seen[-1]["number"]) as socket:
                events = await ann.events(room)
                if seen[-1]["number"] < len(events):
                    seen += await events_until(socket, len(events))
            assert seen == events
            async with ann.watch(room, len(events)) as socket:
                assert (await next_message(socket))["type"] == "here"
                await ann.judged(room, "cnt <= m + 1")
                last = len(events)
                assert [event["number"] for event in await events_until(socket, last + 2)] == [last + 1, last + 2]

    asyncio.run(story())


def test_sockets_tell_who_is_here(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            await ann.become("Ann")
            await bob.become("Bob")
            opened = await ann.open("multiply", shared=True)
            room = opened["room"]["room"]
            (await bob.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
            async with ann.watch(room, 2) as socket:
                message = await next_message(socket)
                assert [(member["name"], member["here"], member["left"]) for member in message["members"]] == [
                    ("Ann", True, False),
                    ("Bob", False, False),
                ]
                async with bob.watch(room, 2) as bobs_socket:
                    await members_until(socket, lambda members: "Bob" in members and members["Bob"]["here"])
                    (await bob.ask("PATCH", "/api/players/me", {"name": "Robert"})).ok()
                    changed = await next_message(socket)
                    assert (changed["type"], [member["name"] for member in changed["members"]]) == ("changed", ["Robert"])
                    (await bob.post(f"/api/rooms/{room}/leave")).ok()
                    assert await closed_with(bobs_socket) == 4404
                [left] = await events_until(socket, 3)
                assert (left["kind"], left["body"]) == ("left", {})
                gone = await members_until(socket, lambda members: "Robert" in members and not members["Robert"]["here"])
                assert gone["Robert"]["left"] is True

    asyncio.run(story())


def test_what_clients_say_on_a_socket_is_ignored_and_bounded(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply", resume=False)
            async with ann.watch(room, 1) as socket:
                for text in ("", "{}", "[" * 1000, '{"type": "event"}'):
                    await socket.send_str(text)
                await socket.send_bytes(b"\xff")
                assert (await next_message(socket))["type"] == "here"
                await ann.judged(room, "cnt <= m")
                assert [event["number"] for event in await events_until(socket, 3)] == [2, 3]
                await socket.send_str("x" * 8_000)
                assert await closed_with(socket) == 1009
            assert len(await ann.events(room)) == 3

    asyncio.run(story())


@pytest.mark.parametrize("query", ["after=-1", "after=x", "after=1.5", f"after={2**60}", "after="])
def test_a_socket_wants_an_event_number(server: Any, query: str) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room()
            async with ann.session.ws_connect(f"{server.url}/api/rooms/{room}/socket?{query}") as socket:
                assert await closed_with(socket) == 4400

    asyncio.run(story())


def test_a_request_that_is_sent_again_is_not_carried_out_again(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            opened = await ann.open("multiply", shared=True)
            room = opened["room"]["room"]
            (await bob.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
            first = (await ann.propose(room, "cnt <= m + 7", request="r-1")).ok()
            again = (await ann.propose(room, "cnt <= m + 7", request="r-1")).ok()
            assert again["event"] == first["event"]
            assert again["earned"] == {"coins": 0, "gem": False, "medals": []}
            answers = await asyncio.gather(*(ann.propose(room, "cnt <= m + 6", request="r-2") for _ in range(5)))
            assert len({answer.ok()["event"]["number"] for answer in answers}) == 1
            assert kinds(await ann.events(room)) == ["loaded", "joined", "proposed", "judged", "proposed", "judged"]
            (await ann.propose(room, "cnt <= m + 5", request="r-1")).refused("request-reused", "request")
            batch = {"proposals": [{"expression": "cnt <= m + 7"}], "request": "r-1"}
            (await ann.post(f"/api/rooms/{room}/batches", batch)).refused("request-reused", "request")
            # The ids of requests belong to a player and a room.
            assert (await bob.propose(room, "cnt <= m + 4", request="r-1")).ok()["event"]["number"] == 8
            another_room = await ann.room("multiply", resume=False)
            assert (await ann.propose(another_room, "cnt <= m + 3", request="r-1")).ok()["event"]["number"] == 3
            first = (await ann.post(f"/api/rooms/{another_room}/batches", batch)).status
            assert first == 409

    asyncio.run(story())


def test_solo_rooms_are_resumed(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            first = await ann.open("multiply")
            assert first["room"]["code"] is None
            await ann.judged(first["room"]["room"], "cnt <= m")
            again = await ann.open("multiply")
            assert again["room"]["room"] == first["room"]["room"]
            assert [fact["expression"] for fact in again["room"]["inductive"]] == ["cnt <= m"]
            trace_only = await ann.open("multiply", variant="trace")
            fresh = await ann.open("multiply", resume=False)
            shared = await ann.open("multiply", shared=True)
            rooms = [opened["room"]["room"] for opened in (first, trace_only, fresh, shared)]
            assert len(set(rooms)) == 4
            assert (await ann.open("multiply"))["room"]["room"] == fresh["room"]["room"]
            assert [room["room"] for room in (await ann.get("/api/rooms")).ok()["rooms"]] == rooms[::-1]
            # A room that is shared later keeps its id and its code. It is no longer resumed, because others may be in it.
            code = (await ann.post(f"/api/rooms/{rooms[2]}/share")).ok()["code"]
            assert (await ann.post(f"/api/rooms/{rooms[2]}/share")).ok()["code"] == code
            assert (await ann.get(f"/api/rooms/{rooms[2]}")).ok()["code"] == code
            assert (await ann.open("multiply"))["room"]["room"] == rooms[0]
            (await ann.post(f"/api/rooms/{rooms[0]}/leave")).ok()
            assert (await ann.open("multiply"))["room"]["room"] not in rooms

    asyncio.run(story())


def test_a_room_opens_with_everything_a_client_shows(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            opened = await ann.open("multiply")
            assert set(opened) == {"room", "program", "trace", "player", "score"}
            assert opened["program"]["inputs"] == {"n": "6", "m": "7"}
            assert len(opened["trace"]["loops"][0]["rows"]) == 8
            assert opened["room"]["feedback"]["state"] is not None
            reopened = (await ann.get(f"/api/rooms/{opened['room']['room']}/open")).ok()
            assert reopened == opened
            own_program = (await ann.post("/api/programs", {"source": COUNTING})).ok()
            room = (await ann.post("/api/rooms", {"program": own_program["program"]})).ok()
            assert room["room"]["level"] is None
            assert room["program"]["inputs"] == own_program["inputs"]
            assert (await ann.judged(room["room"]["room"], "i <= n"))["solved"] is True

    asyncio.run(story())


def test_a_room_that_is_not_yours_does_not_exist(server: Any) -> None:
    """It does not exist for strangers or for those who left it, and their answers show nothing of it."""

    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as eve, client(server.url) as gone:
            token = (await ann.become("Ann-with-a-rare-name"))["token"]
            await eve.become("Eve")
            opened = await ann.open("multiply", shared=True)
            room, program = opened["room"]["room"], opened["program"]["program"]
            secret = "cnt <= m + 424242"
            await ann.judged(room, secret)
            (await gone.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
            (await gone.post(f"/api/rooms/{room}/leave")).ok()
            path = f"/api/rooms/{room}"
            nowhere = f"/api/rooms/{'x' * 22}"
            for stranger in (eve, gone):
                for method, tail, body in (
                    ("GET", "", None), ("GET", "/open", None), ("GET", "/events", None), ("GET", "/explanation", None),
                    ("POST", "/share", None), ("POST", "/leave", None), ("POST", "/hints", None),
                    ("POST", "/feedback", None), ("POST", "/reset", None),
                    ("POST", "/proposals", {"expression": "cnt <= m"}), ("POST", "/transitions", {"expression": "cnt <= m"}),
                    ("POST", "/batches", {"proposals": [{"expression": "cnt <= m"}]}),
                ):  # fmt: skip
                    refused = await stranger.ask(method, path + tail, body)
                    refused.refused("not-found")
                    assert refused.text == (await stranger.ask(method, nowhere + tail, body)).text
                trace = {"inputs": {"n": "1", "m": "1"}, "room": room}
                (await stranger.post(f"/api/programs/{program}/traces", trace)).refused("not-found")
                async with stranger.watch(room) as socket:
                    assert await closed_with(socket) == 4404
                seen = [
                    await stranger.get(path)
                    for path in ("/api/rooms", "/api/players/me/scores", "/api/players/me/progress", "/api/levels/multiply/crowd")
                ]
                for answer in seen:
                    answer.ok()
                    for hidden in (room, token, "424242", "rare", opened["room"]["code"], opened["player"]["player"]):
                        assert hidden not in answer.text
            async with client(server.url) as nobody, nobody.watch(room) as socket:
                assert await closed_with(socket) == 4404
            assert kinds(await ann.events(room)) == ["loaded", "proposed", "judged", "joined", "left"]
            assert token not in (await ann.get(path)).text + (await ann.get(f"{path}/events")).text

    asyncio.run(story())


def test_codes_of_rooms(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            (await bob.post("/api/rooms/join", {"code": "ABCDEF"})).refused("wrong-code")
            (await bob.post("/api/rooms/join", {"code": "A-B"})).refused("bad-request", "code")
            opened = await ann.open("multiply", shared=True)
            code = opened["room"]["code"]
            # A caller without a token becomes a new player here.
            bob.session.cookie_jar.clear()
            joined = await bob.post("/api/rooms/join", {"code": code})
            assert "idg_token=" in joined.headers["set-cookie"]
            again = (await bob.post("/api/rooms/join", {"code": code})).ok()
            assert len(again["room"]["members"]) == 2
            assert kinds(await bob.events(opened["room"]["room"])) == ["loaded", "joined"]

    asyncio.run(story())


def test_errors_of_moves(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply", resume=False)
            path = f"/api/rooms/{room}"
            wrong = (await ann.propose(room, "cnt <= ")).refused("bad-text", "expression")
            assert (wrong["where"]["line"], wrong["where"]["column"]) == (1, 8)
            assert wrong["problems"]
            (await ann.propose(room, "cnt <= undeclared")).refused("bad-text", "expression")
            (await ann.propose(room, "cnt + 1")).refused("bad-text", "expression")
            (await ann.propose(room, "(" * 9_000)).refused("bad-text", "expression")
            (await ann.propose(room, "1" * 10_001)).refused("bad-request", "expression")
            (await ann.propose(room, "cnt <= m", loop=2)).refused("no-such-loop", "loop")
            (await ann.propose(room, "cnt <= m", request="no spaces")).refused("bad-request", "request")
            batch = {"proposals": [{"expression": "cnt <= m"}, {"expression": "cnt <="}]}
            (await ann.post(f"{path}/batches", batch)).refused("bad-text", "proposals.1.expression")
            (await ann.post(f"{path}/batches", {"proposals": []})).refused("bad-request", "proposals")
            large_batch = {"proposals": [{"expression": "cnt <= m"}] * 301}
            (await ann.post(f"{path}/batches", large_batch)).refused("bad-request", "proposals")
            (await ann.post(f"{path}/transitions", {"expression": "cnt <= m"})).refused("not-potential", "expression")
            (await ann.post(f"{path}/transitions", {"expression": "cnt <="})).refused("bad-text", "expression")
            (await ann.post(f"{path}/transitions", {"expression": "cnt <= m", "loop": 9})).refused("no-such-loop", "loop")
            (await ann.get(f"{path}/events?after=-1")).refused("bad-request", "after")
            (await ann.get(f"{path}/events?limit=501")).refused("bad-request", "limit")
            (await ann.get("/api/rooms/no.room")).refused("bad-request", "room")
            assert kinds(await ann.events(room)) == ["loaded"]
            (await ann.post("/api/rooms", {})).refused("bad-request", "level")
            (await ann.post("/api/rooms", {"level": "multiply", "program": "0" * 32})).refused("bad-request", "level")
            (await ann.post("/api/rooms", {"level": "no-such-level"})).refused("not-found")
            (await ann.post("/api/rooms", {"program": "0" * 32})).refused("not-found")
            (await ann.post("/api/rooms", {"level": "multiply", "variant": "other"})).refused("bad-request", "variant")

    asyncio.run(story())


def test_history_comes_in_pages(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply", resume=False)
            for _ in range(3):
                await ann.post(f"/api/rooms/{room}/reset")
            trace = {"inputs": {"n": "2", "m": "3"}, "room": room}
            program = (await ann.get("/api/levels/multiply")).ok()["program"]
            (await ann.post(f"/api/programs/{program}/traces", trace)).ok()
            page = (await ann.get(f"/api/rooms/{room}/events?after=1&limit=2")).ok()
            assert ([event["number"] for event in page["events"]], page["last_event"]) == ([2, 3], 5)
            [traced] = (await ann.get(f"/api/rooms/{room}/events?after=4")).ok()["events"]
            assert (traced["kind"], traced["body"]["inputs"]) == ("traced", {"n": "2", "m": "3"})
            assert (await ann.get(f"/api/rooms/{room}/events?after=1000")).ok()["events"] == []

    asyncio.run(story())


def test_sockets_are_bounded(start_server: Any) -> None:
    server = start_server(*FAST, "--sockets-max", "2", "--workers", "1")

    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room()
            async with ann.watch(room), ann.watch(room), ann.watch(room) as third:
                assert await closed_with(third) == 1013
            deadline = asyncio.get_running_loop().time() + HANG_SECONDS
            while True:
                async with ann.watch(room) as again:
                    message = await again.receive()
                    if not again.closed:
                        assert "event" in message.data
                        return
                assert asyncio.get_running_loop().time() < deadline, "places of closed sockets are free again"

    asyncio.run(story())


def test_a_hint_is_prepared_while_the_player_reads(start_server: Any, tmp_path: Path) -> None:
    server = start_server(*FAST, "--workers", "2", data=tmp_path)

    async def play() -> None:
        async with client(server.url) as ann:
            await ann.become("Ann")
            room = (await ann.open("multiply"))["room"]["room"]
            before = await analyses(ann)
            for _ in range(600):
                if await analyses(ann) > before:
                    break
                await asyncio.sleep(0.1)
            prepared = await analyses(ann)
            assert prepared == before + 1
            assert (await ann.post(f"/api/rooms/{room}/hints")).ok()["body"]["step"] == "variable"
            assert await analyses(ann) == prepared, "asking took no analysis"

    asyncio.run(play())
    server.stop()


async def analyses(ann: Client) -> int:
    """The number of analyses that the workers have done."""
    text = (await ann.get("/metrics")).text
    [number] = re.findall(r'^idg_pool_events_total{[^}]*"done"} (\d+)', text, re.MULTILINE)
    return int(number)
