"""Progress as a file: what comes back by an import, and what a file cannot prove."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idg.coordinator.players.scores import MEDALS, Holdings, Tally, level_score, score
from idg.coordinator.pool.computing.calls import Summary
from idg.engine.results import Kind
from idg.engine.version import engine_version
from idg.engine.wire.answers import JudgedFact, StatesRuledOut
from idg.engine.wire.events import KeptScore
from idg.sip.record import replace
from tests.support.servers.clients import COUNTING, UNLIMITED, Client, Json, client

pytest_plugins = ["tests.support.servers.servers"]

FILE = "/api/players/me/progress"


async def scores(player: Client) -> Json:
    told: Json = (await player.get("/api/players/me/scores")).ok()
    return told


async def exported(player: Client) -> Json:
    file: Json = (await player.get(FILE)).ok()
    return file


async def hint(player: Client, room: str) -> Json:
    body: Json = (await player.post(f"/api/rooms/{room}/hints")).ok()["body"]
    return body


async def play(player: Client) -> dict[str, str]:
    """Earns all that can be earned: the medals of two levels, coins in rooms that were reset or left, spent coins, and a proof of
    a program of one's own. Returns the rooms."""
    first = await player.room("multiply")
    for text in ("res = n * cnt", "cnt <= m"):
        await player.judged(first, text)
    # What was earned in an earlier sitting is not on the books any more.
    (await player.post(f"/api/rooms/{first}/reset")).ok()
    await player.judged(first, "cnt <= m + 20")
    second = await player.room("head-start")
    for _ in range(2):
        assert (await hint(player, second))["coins"] > 0
    left = await player.open("egg-boxes", shared=True)
    await player.judged(left["room"]["room"], "eggs = size * boxes")
    (await player.post(f"/api/rooms/{left['room']['room']}/leave")).ok()
    trace = await player.room("int-square-root", variant="trace")
    await player.judged(trace, "sqr = (cnt+1)^2")
    program = (await player.post("/api/programs", {"source": COUNTING, "title": "Mine"})).ok()["program"]
    own_room = (await player.post("/api/rooms", {"program": program})).ok()["room"]["room"]
    await player.judged(own_room, "i <= n")
    return {"multiply": first, "head-start": second, "trace": trace, "own": own_room}


def test_a_sealed_file_brings_everything_back_once(server: Any) -> None:
    """Three of five medals were lost, and the coins for hints were refunded."""

    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            rooms = await play(ann)
            before = await scores(ann)
            assert before["levels"]["head-start"]["spent"] > 0
            assert before["total"]["medals"] == 6
            file = await exported(ann)
            await bob.become("Bob")
            # A file that was read and written by another program is the same file.
            again = json.loads(json.dumps(file, indent=3, sort_keys=True))
            imported = (await bob.post(FILE, again)).ok()
            assert imported["seal"] == "ours"
            assert all("unproved" not in room for room in imported["rooms"])
            assert await scores(bob) == before
            # The hints are there again, and the next one is the one that follows.
            own_room = next(room["room"] for room in imported["rooms"] if room["level"] == "head-start")
            both = ((ann, rooms["head-start"]), (bob, own_room))
            opened = [(await player.get(f"/api/rooms/{room}")).ok() for player, room in both]
            assert opened[0]["hints"] == opened[1]["hints"]
            assert len(opened[0]["hints"]) == 2
            following = [await hint(player, room) for player, room in both]
            assert following[0]["step"] == following[1]["step"] not in [given["step"] for given in opened[0]["hints"]]
            # Nothing counts twice, by whichever way it comes.
            after = await scores(bob)
            copy = await exported(bob)
            (await bob.post(FILE, file)).ok()
            events = [event["kind"] for event in await bob.events(own_room)]
            assert events.count("restored") == 1, "the second import has nothing to bring"
            for player, what in ((bob, copy), (ann, file), (ann, copy), (ann, await exported(ann)), (ann, file)):
                assert (await player.post(FILE, what)).ok()["seal"] == "ours"
            # Bob has spent for the third hint in a room of his own: that is in his file, and so in Ann's books.
            assert await scores(bob) == after
            spent = (await scores(ann))["levels"]["head-start"]["spent"]
            assert spent == before["levels"]["head-start"]["spent"] + following[0]["coins"] + following[1]["coins"]
            assert (await bob.get("/api/players/me")).ok()["name"] == "Bob"

    asyncio.run(story())


def test_a_player_who_has_more_keeps_it(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply")
            await ann.judged(room, "cnt <= m + 20")
            early = await exported(ann)
            for text in ("res = n * cnt", "cnt <= m"):
                await ann.judged(room, text)
            while (answer := await ann.post(f"/api/rooms/{await ann.room('head-start')}/hints")).status == 200:
                assert answer.json["body"]["coins"] >= 0
            before = await scores(ann)
            assert before["levels"]["head-start"]["spent"] > 0
            assert (await ann.post(FILE, early)).ok()["seal"] == "ours"
            assert await scores(ann) == before

    asyncio.run(story())


def forged_medals(file: Json) -> None:
    file["rooms"][0]["score"]["medals"] = list(MEDALS)


def forged_coins(file: Json) -> None:
    file["rooms"][0]["score"] |= {"coins": 10**6, "gem": True, "spent": {}}


def forged_fact(file: Json) -> None:
    file["rooms"][0]["facts"].append({"loop": 1, "expression": "cnt <= m + 9", "kind": "inductive"})


def no_seal(file: Json) -> None:
    del file["seal"]


def other_seal(file: Json) -> None:
    file["seal"] = "0" * 64


def other_text_for_a_seal(file: Json) -> None:
    file["seal"] = "ä"


@pytest.mark.parametrize(
    "change",
    [forged_medals, forged_coins, forged_fact, no_seal, other_seal, other_text_for_a_seal],
    ids=lambda change: change.__name__,
)
def test_what_a_file_without_our_seal_claims_is_told_and_not_given(server: Any, change: Callable[[Json], None]) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as eve, client(server.url) as honest:
            room = await ann.room("multiply")
            for text in ("cnt <= m + 20", "res = n * cnt", "cnt <= m"):
                await ann.judged(room, text)
            file = await exported(ann)
            change(file)
            await eve.become()
            imported = (await eve.post(FILE, file)).ok()
            assert imported["seal"] == ("none" if change is no_seal else "not-ours")
            [told] = imported["rooms"]
            assert told["solved"] is True
            # The facts are judged again and earn what a batch of them earns; that no hint was needed cannot be seen in them.
            other = await honest.room("multiply")
            facts = [{"loop": fact["loop"], "expression": fact["expression"]} for fact in file["rooms"][0]["facts"]]
            (await honest.post(f"/api/rooms/{other}/batches", {"proposals": facts})).ok()
            given, right = [(await scores(player))["levels"]["multiply"] for player in (eve, honest)]
            assert (given["coins"], given["spent"], given["gem"]) == (right["coins"], 0, True)
            assert given["medals"] == ["fewest-invariants"]
            claimed = file["rooms"][0]["score"]["medals"]
            assert told["unproved"] == [medal for medal in claimed if medal not in given["medals"]] != []

    asyncio.run(story())


def test_strange_scores_are_no_trouble(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as eve:
            await eve.become()
            deep: Any = 1
            for _ in range(300):
                deep = {"a": [deep]}
            for strange in ({"medals": 3}, {"medals": [["no-hint"], None, "best"]}, {"medals": {"no-hint": 1}}, {"deep": deep}):
                room = {"level": "multiply", "facts": [], "score": strange, "hints": [{"step": 7}]}
                file = {"format": "idg-progress", "version": 1, "seal": "f" * 64, "rooms": [room]}
                assert (await eve.post(FILE, file)).ok()["seal"] == "not-ours"
            assert (await scores(eve))["total"] == {"coins": 0, "gems": 0, "medals": 0}

    asyncio.run(story())


def test_only_the_server_that_made_it_knows_a_file_and_rooms_replay(server: Any, start_server: Any, tmp_path: Path) -> None:
    """A key is kept with the database: a server that starts again has the same one, another server has another."""
    database = str(tmp_path / "idg.db")
    own_server = start_server(*UNLIMITED, "--database", database, data=tmp_path)

    async def made() -> Json:
        async with client(own_server.url) as ann:
            await play(ann)
            return await exported(ann)

    file = asyncio.run(made())
    own_server.restart()

    async def used(url: str) -> str:
        async with client(url) as bob:
            await bob.become()
            return str((await bob.post(FILE, file)).ok()["seal"])

    assert asyncio.run(used(own_server.url)) == "ours"
    own_server.stop()
    command = [sys.executable, "-m", "idg", "replay", "all", "--database", database]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert asyncio.run(used(server.url)) == "not-ours"


def test_a_forged_file_earns_nothing(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as eve:
            await eve.become()
            lies = [{"loop": 1, "expression": text, "kind": "inductive"} for text in ("res = n * m", "cnt = m", "res = 0", "1 = 1")]
            file = {"format": "idg-progress", "version": 1, "rooms": [{"level": "multiply", "solved": True, "facts": lies}]}
            [room] = (await eve.post(FILE, file)).ok()["rooms"]
            assert room["solved"] is False
            assert [fact["kind"] for fact in room["kinds"]][:3] == ["non-invariant"] * 3
            assert (await scores(eve))["total"] == {"coins": 0, "gems": 0, "medals": 0}
            assert (await eve.get(f"/api/rooms/{room['room']}")).ok()["inductive"] == []

    asyncio.run(story())


# The rules, on made-up answers


def played() -> Tally:
    tally = Tally()
    rules_out = (StatesRuledOut(1, 100, "ff", ("limit",)),)
    tally.judged("ann", Summary((JudgedFact(1, "a", Kind.INDUCTIVE),), False, (), rules_out=rules_out), "code")
    tally.hinted("ann", 5)
    tally.proved(["ann"], 1, 1)
    return tally


def kept() -> KeptScore:
    return Holdings("ann", {"room": played()}).kept("program")


def test_another_engine_takes_the_coins_as_they_are() -> None:
    for known in (kept(), replace(kept(), engine="another"), replace(kept(), program="another")):
        tally = Tally()
        tally.restored("bob", known, "program")
        assert score("bob", [tally]) == score("ann", [played()])
        assert bool(tally.states) == ((known.engine, known.program) == (engine_version(), "program"))
        assert Tally(json.loads(json.dumps(tally.as_json()))).as_json() == tally.as_json() == tally.copy().as_json()


def test_what_comes_back_counts_once_with_the_room_that_it_comes_from() -> None:
    tally, again = played(), played()
    again.restored("ann", kept(), "program")
    alone = Holdings("ann", {"room": tally}).score()
    other = Tally()
    other.restored("ann", kept(), "program")
    assert Holdings("ann", {"room": again}).score() == Holdings("ann", {"room": tally, "other": other}).score() == alone
    assert Holdings("ann", {"room": tally, "other": played()}).score().spent == 2 * alone.spent
    # The level's program has changed since: both have the same expense.
    assert level_score([Holdings("ann", {"room": tally}), Holdings("ann", {"other": other})]) == alone
