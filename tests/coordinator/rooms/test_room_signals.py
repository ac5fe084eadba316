"""What members of a room show each other by its socket: drafts, rows, phrases. Who sees them, and what bounds them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp

from idg.coordinator.bounds.rate_limits import Buckets
from idg.coordinator.coordinator import PHRASES_BURST, SIGNALS_BURST
from idg.coordinator.rooms.live.signals import SHOWN_MAX, Signals
from idg.coordinator.web.models import DRAFT_CHARS_MAX
from idg.coordinator.web.socket import _is_too_dear
from idg.engine.wire.rooms import DraftAnswer
from tests.support.servers.clients import Client, Json, client, members_until, next_message

pytest_plugins = ["tests.support.servers.servers"]

ROW = {"loop": 1, "row": 4, "inputs": {"n": "3", "m": "4"}}
Socket = aiohttp.ClientWebSocketResponse


class Two:
    """Ann and Bob in a room, each with a socket."""

    def __init__(self, ann: Client, bob: Client, room: str, anns: Socket, bobs: Socket, players: dict[str, str]) -> None:
        self.ann, self.bob, self.room, self.anns, self.bobs, self.players = ann, bob, room, anns, bobs, players


@asynccontextmanager
async def two(url: str) -> AsyncIterator[Two]:
    async with client(url) as ann, client(url) as bob:
        players = {name: (await who.become(name))["player"] for name, who in (("Ann", ann), ("Bob", bob))}
        opened = await ann.open("multiply", shared=True)
        room = opened["room"]["room"]
        (await bob.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
        async with ann.watch(room, 2) as anns, bob.watch(room, 2) as bobs:
            await members_until(anns, lambda members: "Bob" in members and members["Bob"]["here"])
            yield Two(ann, bob, room, anns, bobs, players)


async def signal_until(socket: Socket, accepted: Callable[[Json], bool]) -> Json:
    """Reads messages until a signal is accepted."""
    while True:
        message = await next_message(socket)
        for signal in message.get("signals", ()):
            if accepted(signal):
                return dict(signal)


async def show(socket: Socket, **signal: Any) -> None:
    await socket.send_str(json.dumps(signal))


def test_members_see_what_others_type_and_where_they_point_and_nobody_else_does(server: Any) -> None:
    async def story() -> None:
        async with two(server.url) as room, client(server.url) as eve:
            await eve.become("Eve")
            elsewhere = await eve.room("multiply")
            async with eve.watch(elsewhere, 0) as eves:
                await show(room.bobs, draft={"loop": 1, "text": "cnt <"}, row=ROW)
                seen = await signal_until(room.anns, lambda signal: signal["draft"] is not None)
                assert seen == {"player": room.players["Bob"], "draft": {"loop": 1, "text": "cnt <"}, "row": ROW, "said": None}
                await show(room.bobs, phrase="nice")
                said = await signal_until(room.anns, lambda signal: signal["said"] is not None)
                assert (said["said"], said["draft"], said["row"]) == ({"phrase": "nice", "number": 1}, None, None)
                await show(room.bobs, draft={"loop": 1, "text": "cnt <= m"})
                await signal_until(room.anns, lambda signal: signal["draft"] == {"loop": 1, "text": "cnt <= m"})
                # Who comes now is told the draft, and not the phrase; nobody is told their own.
                async with room.ann.watch(room.room, 2) as later, room.bob.watch(room.room, 2) as own:
                    first = await signal_until(later, lambda signal: signal["draft"] is not None)
                    assert first["said"] is None
                    await show(room.anns, draft={"loop": 1, "text": "res"})
                    assert (await signal_until(own, lambda signal: True))["player"] == room.players["Ann"]
                # Eve's room hears of her own proposal, and of nothing else.
                await eve.judged(elsewhere, "cnt <= m")
                while (message := await next_message(eves)).get("event", {}).get("kind") != "judged":
                    assert message["type"] != "signals"
            # Bob's draft goes with his last socket.
            await room.bobs.close()
            nothing = {"player": room.players["Bob"], "draft": None, "row": None, "said": None}
            await signal_until(room.anns, lambda signal: signal == nothing)
            assert [event["kind"] for event in await room.ann.events(room.room)] == ["loaded", "joined"]

    asyncio.run(story())


def test_drafts_are_neither_stored_nor_logged(start_server: Any, tmp_path: Path) -> None:
    server = start_server("--log-level", "debug", data=tmp_path)
    secret = "nobodyshouldstorethis"

    async def story() -> None:
        async with two(server.url) as room:
            await show(room.bobs, draft={"loop": 1, "text": secret})
            await signal_until(room.anns, lambda signal: signal["draft"] is not None)

    asyncio.run(story())
    server.stop()
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file
    with sqlite3.connect(tmp_path / "idg.db") as database:
        assert database.execute("select count(*) from events").fetchone()[0] == 2


def test_what_is_wrong_or_too_much_is_passed_over(server: Any) -> None:
    async def story() -> None:
        async with two(server.url) as room:
            for wrong in (
                {"draft": {"loop": 1, "text": "x" * (DRAFT_CHARS_MAX + 1)}},
                {"draft": {"loop": 0, "text": "x"}},
                {"draft": {"loop": 1, "text": ""}},
                {"draft": {"loop": 1, "text": "a\u202eb"}},
                {"draft": "x"},
                {"row": {**ROW, "row": 0}},
                {"row": {**ROW, "inputs": {"n": "1" * 50}}},
                {"row": {**ROW, "inputs": {f"n{number}": "1" for number in range(40)}}},
                {"phrase": "You fool"},
                {"player": "somebody else", "phrase": "nice"},
            ):
                await show(room.bobs, **wrong)
            await room.bobs.send_str('{"draft": null, "draft": null}')
            await show(room.bobs, draft={"loop": 1, "text": "right"})
            # All of them came before this one, and none was shown.
            seen = await signal_until(room.anns, lambda signal: True)
            assert seen["draft"] == {"loop": 1, "text": "right"}

    asyncio.run(story())


def test_a_player_who_sends_too_many_is_not_heard_for_a_while(server: Any) -> None:
    async def story() -> None:
        async with two(server.url) as room:
            count = int(SIGNALS_BURST) * 3
            for number in range(count):
                await show(room.bobs, draft={"loop": 1, "text": f"x = {number}"}, phrase="nice")
            heard = await signal_until(room.anns, lambda signal: signal["said"] is not None)
            # The proposal is judged by the same server, after it has read all signals.
            await room.bob.judged(room.room, "cnt <= m")
            drafts, phrases = [heard["draft"]["text"]], {heard["said"]["number"]}
            while (message := await next_message(room.anns)).get("event", {}).get("kind") != "judged":
                drafts += [signal["draft"]["text"] for signal in message.get("signals", ()) if signal["draft"]]
                phrases |= {signal["said"]["number"] for signal in message.get("signals", ()) if signal["said"]}
            assert max(phrases) < count / 2
            assert max(phrases) >= PHRASES_BURST - 1
            assert f"x = {count - 1}" not in drafts

    asyncio.run(story())


def test_a_slow_reader_is_told_the_newest_only_and_a_room_shows_so_many() -> None:
    async def story() -> None:
        signals = Signals(lambda: None)
        for number in range(1000):
            signals.show("bob", DraftAnswer(1, f"x = {number}"), None, None)
        message = json.loads(signals.message(0, "ann") or "")
        assert [signal["draft"]["text"] for signal in message["signals"]] == ["x = 999"]
        assert signals.message(0, "bob") is None
        for number in range(2 * SHOWN_MAX):
            signals.show(f"player {number}", DraftAnswer(1, "x"), None, None)
        assert len(json.loads(signals.message(None, "ann") or "")["signals"]) == SHOWN_MAX
        signals.keep_only({"bob"})
        message = json.loads(signals.message(None, "ann") or "")
        assert [signal["player"] for signal in message["signals"] if signal["draft"]] == ["bob"]

    asyncio.run(story())


def test_what_members_show_counts_for_their_address() -> None:
    """Members with many sockets in one room could make the loop tell what they typed for half of its time."""
    buckets = Buckets(1.0, lambda: 0.0, burst_min=10)
    live: Any = SimpleNamespace(listeners=range(1_000))
    assert [_is_too_dear(buckets, "home", live) for _ in range(3)] == [False, False, True]
    assert not _is_too_dear(buckets, "elsewhere", live)
    few: Any = SimpleNamespace(listeners=range(10))
    others = Buckets(1.0, lambda: 0.0, burst_min=10)
    assert not any(_is_too_dear(others, "home", few) for _ in range(100)), "a room of usual size may show much"
