"""Programs with arrays in rooms, over HTTP: inputs, verdicts, states, hints, the board, the computer, progress and replay."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.support.programs.student_programs import student_program
from tests.support.servers.clients import Client, Json, client, next_message

pytest_plugins = ["tests.support.servers.servers"]

MAXIMUM = student_program("maximum")
_, BOUND, EXISTS = (fact for _, fact in MAXIMUM.facts)


async def own_room(player: Client, source: str) -> Json:
    """A room of the player on a program of their own."""
    program = (await player.post("/api/programs", {"source": source, "title": "Arrays"})).ok()
    opened: Json = (await player.post("/api/rooms", {"program": program["program"]})).ok()
    return opened


def test_a_room_with_arrays_is_played_to_its_end(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become("Ann")
            opened = await own_room(ann, MAXIMUM.program.text)
            room, program = opened["room"]["room"], opened["program"]
            path = f"/api/rooms/{room}"
            assert isinstance(program["inputs"]["a"], list)
            assert {"name": "a", "type": "int[]"} in program["params"]
            assert isinstance(opened["room"]["feedback"]["state"]["values"]["a"], list)
            run = (await ann.post(f"/api/programs/{program['program']}/traces", {"inputs": {"a": ["3", "1"]}, "room": room})).ok()
            assert [row[0] for row in run["loops"][0]["rows"]] == [["3", "1"]] * 2
            wrong = await ann.judged(room, "forall k in 0..len(a) - 1: a[k] <= m")
            assert wrong["kind"] == "non-invariant"
            assert isinstance(wrong["run"]["inputs"]["a"], list)
            waiting = "forall k in 0..i - 2: a[k] <= m"
            assert (await ann.judged(room, waiting))["kind"] == "potential"
            broken = (await ann.post(f"{path}/transitions", {"expression": waiting})).ok()
            assert isinstance(broken["body"]["transition"]["after"]["a"], list)
            batch = {"proposals": [{"loop": 1, "expression": fact} for fact in (EXISTS, "m >= a[0]")]}
            judged = (await ann.post(f"{path}/batches", batch)).ok()["event"]["body"]
            assert {fact["kind"] for fact in judged["kinds"]} == {"inductive"}
            assert (await ann.post(f"{path}/hints")).ok()["kind"] == "hint"
            (await ann.post(f"{path}/feedback")).ok()
            verdict = await ann.judged(room, BOUND)
            assert (verdict["kind"], verdict["solved"]) == ("inductive", True)
            explained = (await ann.get(f"{path}/explanation")).ok()
            assert len(explained["obligations"]) >= 5
            assert BOUND in (await ann.get(f"{path}/board")).text
            for target, words in (
                ("dafny", "seq<int>"),
                ("why3", "seq.Seq"),
                ("boogie", "[int]int"),
                ("smtlib", "(Array Int Int)"),
            ):
                assert words in (await ann.get(f"{path}/export?to={target}")).text
            for target in ("acl2", "acsl"):
                (await ann.get(f"{path}/export?to={target}")).refused("no-export")
            assert [event["kind"] for event in await ann.events(room)].count("solved") == 1

    asyncio.run(story())


def test_progress_with_arrays_comes_back_and_the_computer_plays_along(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            await ann.become("Ann")
            await bob.become("Bob")
            room = (await own_room(ann, MAXIMUM.program.text))["room"]["room"]
            (await ann.post(f"/api/rooms/{room}/partner", {"mode": "solve"})).ok()
            async with ann.watch(room) as socket:
                while not (await ann.get(f"/api/rooms/{room}")).ok()["solved"]:
                    await next_message(socket)
            file = (await ann.get("/api/players/me/progress")).ok()
            (await bob.post("/api/players/me/progress", file)).ok()
            reopened = await own_room(bob, MAXIMUM.program.text)
            assert reopened["room"]["solved"]

    asyncio.run(story())


def test_what_is_too_large_or_no_array_is_refused(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become("Ann")
            opened = await own_room(ann, MAXIMUM.program.text)
            path = f"/api/programs/{opened['program']['program']}/traces"
            for value in ("x", ["x"], "7/2", ["1", ""]):
                (await ann.post(path, {"inputs": {"a": value}})).refused("bad-inputs", "inputs")
            many = (await ann.post(path, {"inputs": {"a": ["7"] * 1_000}, "limit": 3})).ok()
            assert many["loops"][0]["rows_total"] == 1_000
            (await ann.post(path, {"inputs": {"a": ["7"] * 1_001}})).refused("bad-request", "inputs.a")

    asyncio.run(story())
