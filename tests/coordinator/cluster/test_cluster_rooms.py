"""Rooms through two running coordinators without sticky sessions: each request of a player may go to the one or to the other."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from idg.coordinator.cluster.local.nats_servers import NatsServers
from idg.coordinator.cluster.local.postgres_server import PostgresServer
from tests.support.servers.cluster.clusters import Cluster
from tests.support.servers.hostile.fault_helpers import (
    CUBES,
    TANGLE,
    Person,
    SleepingWorkers,
    Watcher,
    answers,
    metric,
    opened,
    stored_events,
    until,
    until_answered,
    until_proposed,
)
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.databases", "tests.support.servers.cluster.brokers"]
Json = dict[str, Any]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")


@pytest.fixture(scope="module", name="cluster")
def two_coordinators(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two coordinators, for all tests that leave them alive."""
    nats_servers = NatsServers()
    try:
        nats = nats_servers.url
        with Cluster(tmp_path_factory.mktemp("cluster"), postgres_server.new_database(), nats, nats) as cluster:
            yield cluster
            assert cluster.complaints() == ""
    finally:
        nats_servers.stop()


@asynccontextmanager
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    timeout = aiohttp.ClientTimeout(total=HANG_SECONDS)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as web:
        yield web


async def status(person: Person, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, str]:
    """The status of an answer, and the code of the error."""
    async with person.session.request(method, f"{person.url}{path}", json=body, headers=person.headers) as answer:
        return answer.status, (await answer.json()).get("code", "")


def test_every_step_of_a_game_at_another_coordinator(cluster: Cluster) -> None:
    """A player, a room, joining, proposing, hints, a reset, leaving: the socket is at one, and each request goes to the other one
    than the request before it."""
    first, second = cluster.urls

    async def story() -> None:
        async with session() as web:
            ann = await Person.arrive(web, first)
            room = (await ann.at(second).post("/api/rooms", {"level": "multiply", "resume": False}))["room"]["room"]
            code = (await ann.post(f"/api/rooms/{room}/share", {}))["code"]
            assert (await ann.at(second).post(f"/api/rooms/{room}/share", {}))["code"] == code
            bob = await Person.arrive(web, second)
            watchers = [Watcher(ann, room), Watcher(ann.at(second), room)]
            await bob.at(first).post("/api/rooms/join", {"code": code})
            await bob.propose(room, "cnt <= m")
            await ann.propose(room, "cnt >= 0")
            hint = await bob.at(first).post(f"/api/rooms/{room}/hints", {})
            shown = await bob.get(f"/api/rooms/{room}")
            assert [given["message"] for given in shown["hints"]] == [hint["body"]["message"]]
            await ann.at(second).post(f"/api/rooms/{room}/feedback", {})
            await ann.post(f"/api/rooms/{room}/reset", {})
            assert (await bob.get(f"/api/rooms/{room}"))["inductive"] == []
            solved = (await bob.at(first).post(f"/api/rooms/{room}/batches", SOLUTION))["event"]["body"]["solved"]
            assert solved
            assert (await ann.at(second).get(f"/api/rooms/{room}"))["solved"]
            scores = [(await bob.at(url).get("/api/players/me/scores"))["levels"]["multiply"] for url in (first, second)]
            assert scores[0] == scores[1]
            assert scores[0]["gem"]
            await bob.post(f"/api/rooms/{room}/leave", {})
            assert await status(bob.at(first), "POST", f"/api/rooms/{room}/proposals", {"expression": "cnt <= m"}) == (
                404,
                "not-found",
            )
            assert await status(bob, "GET", f"/api/rooms/{room}") == (404, "not-found")
            last = (await ann.get(f"/api/rooms/{room}"))["last_event"]
            await until(lambda: all(watcher.numbers[-1:] == [last] for watcher in watchers), "both sockets have shown all")
            for watcher in watchers:
                await watcher.end()
                assert watcher.numbers == list(range(1, last + 1))
            assert watchers[0].seen == watchers[1].seen

    asyncio.run(story())


SOLUTION = {"proposals": [{"expression": "cnt <= m"}, {"expression": "res = n * cnt"}]}


def test_one_request_sent_to_both_coordinators_is_judged_once(cluster: Cluster) -> None:
    """At the same moment, and again afterwards; for an answer that takes long, and for one that is known."""

    async def story() -> None:
        async with opened(cluster.database) as store, session() as web:
            ann = await Person.arrive(web, cluster.urls[0])
            room = await ann.room(CUBES)
            both = [ann.at(url) for url in cluster.urls]
            before = len(answers(await stored_events(cluster.database)))
            for number, expression in enumerate(("s >= i", "i >= 0", "i >= 0")):
                body = {"expression": expression, "request": f"request-{number}"}
                if number == 0:
                    cluster.nodes[0].freeze()
                asking = [asyncio.create_task(person.post(f"/api/rooms/{room}/proposals", body)) for person in both * 2]
                if number == 0:
                    await until_proposed(store, before + 1)
                    cluster.nodes[0].thaw()
                told = await asyncio.gather(*asking)
                told += [await person.post(f"/api/rooms/{room}/proposals", body) for person in both]
                events = [answer["event"] for answer in told]
                assert events == [events[0]] * len(events)
                assert sum(answer["earned"]["coins"] > 0 for answer in told) <= 1, "it earns once"
            other = {"expression": "i >= 1", "request": "request-1"}
            assert await status(both[1], "POST", f"/api/rooms/{room}/proposals", other) == (409, "request-reused")
            history = (await ann.get(f"/api/rooms/{room}/events"))["events"]
            assert [event["kind"] for event in history].count("proposed") == 3

    asyncio.run(story())
    assert set(answers(asyncio.run(stored_events(cluster.database))).values()) == {1}


def test_a_code_to_continue_works_once_wherever_it_is_used(cluster: Cluster) -> None:
    async def story() -> None:
        async with session() as web:
            ann = await Person.arrive(web, cluster.urls[0])
            code = (await ann.post("/api/players/me/codes", {}))["code"]
            anybody = [Person(web, url, "") for url in cluster.urls * 3]
            for person in anybody:
                person.headers = {}
            outcomes = await asyncio.gather(
                *(status(person, "POST", "/api/players/continue", {"code": code}) for person in anybody)
            )
            assert sorted(outcomes) == [(200, ""), *[(404, "wrong-code")] * 5]

    asyncio.run(story())


def test_a_device_that_is_forgotten_at_one_is_a_stranger_at_the_other(cluster: Cluster) -> None:
    async def story() -> None:
        async with session() as web:
            ann = await Person.arrive(web, cluster.urls[0])
            there = ann.at(cluster.urls[1])
            assert (await status(there, "GET", "/api/players/me"))[0] == 200
            await ann.post("/api/players/me/forget", {})

            async def is_stranger() -> bool:
                return await status(there, "GET", "/api/players/me") == (401, "wrong-token")

            await until(is_stranger, "the other coordinator refuses the token")

    asyncio.run(story())


def test_someone_who_leaves_at_one_loses_the_socket_at_the_other(cluster: Cluster) -> None:
    async def story() -> None:
        async with session() as web:
            ann = await Person.arrive(web, cluster.urls[0])
            room = await ann.room(CUBES)
            there = f"{cluster.urls[1]}/api/rooms/{room}/socket"
            async with web.ws_connect(there, headers=ann.headers) as socket:
                assert (await socket.receive_json())["event"]["kind"] == "loaded"
                await ann.post(f"/api/rooms/{room}/leave", {})
                async for _ in socket:
                    pass
                assert socket.close_code == 4404

    asyncio.run(story())


async def heard(socket: aiohttp.ClientWebSocketResponse, accepted: Callable[[Json], bool]) -> Json:
    """Reads messages of a room until one is accepted."""
    async with asyncio.timeout(HANG_SECONDS):
        while True:
            message: Json = await socket.receive_json()
            if accepted(message):
                return message


def shows(part: str, value: object) -> Callable[[Json], bool]:
    """Whether a message has a signal in which this part has this value."""
    return lambda message: any(signal[part] == value for signal in message.get("signals", ()))


def test_what_members_show_each_other_is_seen_at_the_other_coordinator(cluster: Cluster) -> None:
    """A draft that was typed before the others came was never shown at the other coordinator."""
    first, second = cluster.urls
    row = {"loop": 1, "row": 2, "inputs": {"n": "3", "m": "2"}, "seed": 0}

    async def story() -> None:
        async with session() as web:
            ann, bob = await Person.arrive(web, first), await Person.arrive(web, second)
            opened_room = await ann.post("/api/rooms", {"level": "multiply", "shared": True})
            room, code = opened_room["room"]["room"], opened_room["room"]["code"]
            await bob.post("/api/rooms/join", {"code": code})
            path = f"/api/rooms/{room}/socket"
            async with web.ws_connect(f"{first}{path}", headers=ann.headers) as anns:
                draft = {"loop": 1, "text": "cnt <"}
                await heard(anns, lambda message: message["type"] == "here")
                await anns.send_json({"draft": draft})
                async with web.ws_connect(f"{second}{path}", headers=bob.headers) as bobs:
                    await heard(bobs, shows("draft", draft))
                    await bobs.send_json({"row": row})
                    pointed = await heard(anns, lambda message: any(signal["row"] for signal in message.get("signals", ())))
                    assert pointed["signals"][0]["row"]["row"] == row["row"]
                    await bobs.send_json({"phrase": "nice"})
                    await heard(anns, lambda message: any(signal["said"] for signal in message.get("signals", ())))
                    await anns.send_json({"draft": None})
                    await heard(bobs, shows("draft", None))

    asyncio.run(story())


def test_the_computer_hears_at_either_coordinator_what_it_is_asked(cluster: Cluster) -> None:
    """Asked at another coordinator than the one where it plays, it was said not to play along, and could not be sent away."""
    first, second = cluster.urls

    def plays(mode: str) -> Callable[[Json], bool]:
        return lambda message: message["type"] == "partner" and (message["partner"] or {}).get("mode") == mode

    def is_gone(message: Json) -> bool:
        return message["type"] == "partner" and message["partner"] is None

    async def story() -> None:
        async with session() as web:
            ann = await Person.arrive(web, first)
            room = (await ann.post("/api/rooms", {"level": "multiply"}))["room"]["room"]
            path = f"/api/rooms/{room}/socket"
            async with web.ws_connect(f"{first}{path}", headers=ann.headers) as here:
                asked = await ann.post(f"/api/rooms/{room}/partner", {"mode": "turns"})
                computer = asked["partner"]["player"]

                def is_judged(message: Json) -> bool:
                    event = message.get("event", {})
                    return (event.get("kind"), event.get("player")) == ("judged", computer)

                # Whoever comes to the other coordinator is told that it plays along.
                async with web.ws_connect(f"{second}{path}", headers=ann.headers) as there:
                    await heard(there, plays("turns"))
                    # A request to the other one is heard, and both show what becomes of it.
                    await ann.at(second).post(f"/api/rooms/{room}/partner/ask", {})
                    for socket in (here, there):
                        await heard(socket, is_judged)
                    await ann.post(f"/api/rooms/{room}/partner", {"mode": "hints"})
                    await heard(there, plays("hints"))
                    assert (await ann.at(second).post(f"/api/rooms/{room}/partner", {"mode": "off"}))["partner"] is None
                    for socket in (here, there):
                        await heard(socket, is_gone)
                members = (await ann.get(f"/api/rooms/{room}"))["members"]
                assert [member["left"] for member in members if member["player"] == computer] == [True]
                events = (await ann.get(f"/api/rooms/{room}/events"))["events"]
                proposed = [event for event in events if event["kind"] == "proposed"]
                assert [event["player"] for event in proposed] == [computer], "it made one move, at one of them"

    asyncio.run(story())


# Leases


def test_a_coordinator_that_starts_leaves_to_another_what_that_one_judges(
    postgresql_url: str, nats_servers: NatsServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeping = SleepingWorkers(tmp_path, "i <= a")
    for name, value in sleeping.environment.items():
        monkeypatch.setenv(name, value)

    async def story() -> None:
        async with opened(postgresql_url) as store, session() as web:
            ann = await Person.arrive(web, cluster.urls[0])
            room = await ann.room(CUBES)
            proposing = asyncio.create_task(ann.propose(room, "i <= a"))
            await until_proposed(store, 1)
            second = await asyncio.to_thread(cluster.start_coordinator, nats_servers.url)
            sleeping.wake()
            assert (await proposing)["body"]["kind"] == "inductive"
            assert await metric(web, second.url, "idg_questions_total", "worker") == 0
            assert await metric(web, cluster.urls[0], "idg_questions_total", "worker") > 0

    with Cluster(tmp_path, postgresql_url, nats_servers.url) as cluster:
        asyncio.run(story())


def test_what_a_dead_coordinator_has_left_is_judged_by_the_other(
    postgresql_url: str, nats_servers: NatsServers, tmp_path: Path
) -> None:
    """Nobody sends it again."""

    async def story() -> None:
        async with opened(cluster.database) as store, session() as web:
            ann = await Person.arrive(web, cluster.urls[0])
            room = await ann.room(CUBES)
            cluster.nodes[0].freeze()  # So that no answer can come before we have looked.
            proposing = asyncio.create_task(ann.try_to_propose(room, "i <= a"))
            await until_proposed(store, 1)
            cluster.coordinators[0].kill()
            assert await proposing is None
            assert set(answers(await stored_events(cluster.database)).values()) == {0}
            cluster.nodes[0].thaw()
            await until_answered(cluster.database)

    with Cluster(tmp_path, postgresql_url, nats_servers.url, nats_servers.url) as cluster:
        asyncio.run(story())


# Without a node


def test_without_a_node_what_needs_no_engine_works_and_the_rest_says_so(
    postgresql_url: str, nats_servers: NatsServers, tmp_path: Path
) -> None:
    """Opening a room waited for ever."""

    async def story() -> None:
        async with opened(cluster.database) as store, session() as web:
            ann = await Person.arrive(web, cluster.urls[0])
            room = await ann.room(CUBES)
            await ann.propose(room, "i >= 0")
            program = (await ann.post("/api/programs", {"source": TANGLE}))["program"]
            node = cluster.nodes[0]
            node.kill()
            # What is known is answered, and what is read is shown.
            assert (await ann.propose(await ann.room(CUBES), "i >= 0"))["body"]["kind"] == "inductive"
            assert (await ann.get(f"/api/rooms/{room}"))["room"] == room
            asked = {"program": program, "resume": False}
            async with web.post(f"{ann.url}/api/rooms", json=asked, headers=ann.headers) as answer:
                refusal = await answer.json()
                assert (answer.status, refusal["code"]) == (503, "no-engine"), refusal
                assert "no engine node of version" in refusal["message"]
                assert int(answer.headers["Retry-After"]) > 0
            # A proposal is stored, and judged when there is a node again.
            proposing = asyncio.create_task(ann.propose(room, "i <= a"))
            await until_proposed(store, 3)
            node.start()
            assert (await proposing)["body"]["kind"] == "inductive"
            await ann.post("/api/rooms", asked)

    with Cluster(tmp_path, postgresql_url, nats_servers.url) as cluster:
        asyncio.run(story())
