"""Faults around a running server: dying workers and coordinators, two coordinators, endless analyses, clients that go away."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.servers.hostile.fault_helpers import (
    CUBES,
    GCD,
    GCD_FACTS,
    MANY_SECONDS_IN_TANGLE,
    TANGLE,
    Person,
    Server,
    SleepingWorkers,
    Watcher,
    answers,
    free_port,
    hundredths_of_a_second,
    kill_all,
    metric,
    opened,
    replay_all,
    rooms_of,
    signal_all,
    still_alive,
    stored_events,
    until,
    until_answered,
    until_proposed,
)
from tests.support.volume import volume
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.databases"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

ROOMS = volume(8, 25)
"""Rooms in which two proposals each are under way when the coordinator is killed."""


def sqlite_in(folder: Path) -> str:
    return f"sqlite:///{folder / 'idg.db'}"


def session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=HANG_SECONDS))


# Workers


def test_a_worker_killed_during_an_analysis_is_replaced_and_the_verdict_comes(tmp_path: Path) -> None:
    sleeping = SleepingWorkers(tmp_path, "i >= 0")

    async def story(server: Server) -> None:
        async with session() as web:
            player = await Person.arrive(web, server.url)
            room = await player.room(CUBES)
            proposing = asyncio.create_task(player.propose(room, "i >= 0"))
            await until(lambda: busy(web, server), "a worker analyses")
            sleeping.wake()
            kill_all(server.workers())
            assert (await proposing)["body"]["kind"] == "inductive"
            assert await metric(web, server.url, "idg_pool_events_total", "died") >= 1
            assert await metric(web, server.url, "idg_pool_events_total", "repeated") >= 1

    with Server(tmp_path, "--workers", "1", environment=sleeping.environment) as server:
        asyncio.run(story(server))


def test_workers_killed_each_time_make_the_answer_unknown_and_the_room_goes_on(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        async with session() as web:
            player = await Person.arrive(web, server.url)
            room = await player.room(CUBES)
            proposing = asyncio.create_task(player.propose(room, "s >= 0"))
            while not proposing.done():
                if await busy(web, server):
                    kill_all(server.workers())
                await asyncio.sleep(0.05)
            judged = (await proposing)["body"]
            assert (judged["kind"], judged["limited"]) == ("unknown", "died")
            assert (await player.propose(room, "i >= 0"))["body"]["kind"] == "inductive"

    with Server(tmp_path, "--workers", "1", environment=SleepingWorkers(tmp_path, "s >= 0").environment) as server:
        asyncio.run(story(server))


def test_an_analysis_over_its_time_is_unknown_and_the_room_goes_on(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        async with session() as web:
            player = await Person.arrive(web, server.url)
            room = await player.room(TANGLE)
            before = await player.get(f"/api/rooms/{room}")
            judged = (await player.propose(room, MANY_SECONDS_IN_TANGLE))["body"]
            assert (judged["kind"], judged["limited"]) == ("unknown", "time")
            assert "longer than this server allows" in judged["message"]
            assert (await player.propose(room, "x <= n"))["body"]["kind"] == "inductive"
            after = await player.get(f"/api/rooms/{room}")
            assert [fact["expression"] for fact in after["inductive"]] == ["x <= n"]
            assert after["potential"] == before["potential"] == [], "what nothing is known about is not on the books"
            assert await metric(web, server.url, "idg_pool_failed_total", "time") == 1

    sleeping = SleepingWorkers(tmp_path, MANY_SECONDS_IN_TANGLE)
    # A busy machine must be able to judge the easy fact within the deadline.
    with Server(tmp_path, "--deadline-seconds", "6", environment=sleeping.environment) as server:
        asyncio.run(story(server))
    code, told = replay_all(tmp_path)
    assert code == 0, told
    assert "2 verdicts, 1 of them ended by a limit: the same" in told


def test_a_client_that_goes_during_a_transition_question_frees_the_worker(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        async with session() as web:
            player = await Person.arrive(web, server.url)
            room = await player.room(CUBES)
            judged = (await player.propose(room, "s >= i * i"))["body"]
            assert judged["kind"] == "potential"
            fact = judged["expression"]
            # The workers stand still, so that the question is under way when its client goes, however slow this machine is.
            signal_all(server.workers(), signal.SIGSTOP)
            asking = asyncio.create_task(player.post(f"/api/rooms/{room}/transitions", {"expression": fact}))
            await until(lambda: busy(web, server), "a worker looks for the transition")
            asking.cancel()
            await until(lambda: cancelled(web, server), "the server has noticed")
            signal_all(server.workers(), signal.SIGCONT)
            await until(lambda: free(web, server), "the worker is free again")
            history = (await player.get(f"/api/rooms/{room}/events"))["events"]
            assert [event["kind"] for event in history] == ["loaded", "proposed", "judged"]
            assert (await player.propose(room, "i <= a"))["body"]["kind"] == "inductive"

    with Server(tmp_path, "--workers", "1") as server:
        asyncio.run(story(server))
        assert "Traceback" not in server.complaints.read_text()


async def busy(web: aiohttp.ClientSession, server: Server) -> bool:
    return await metric(web, server.url, "idg_pool", "busy") > 0


async def cancelled(web: aiohttp.ClientSession, server: Server) -> bool:
    return await metric(web, server.url, "idg_pool_events_total", "cancelled") == 1


async def free(web: aiohttp.ClientSession, server: Server) -> bool:
    return not await busy(web, server) and await metric(web, server.url, "idg_pool", "idle") > 0


# The coordinator dies


def test_a_coordinator_killed_during_many_analyses(database_url: str, tmp_path: Path) -> None:
    """When it is started again, it answers all stored proposals and none of them twice."""
    rooms = ROOMS

    async def propose_much(server: Server) -> None:
        async with opened(database_url) as store, session() as web:
            players = [await Person.arrive(web, server.url) for _ in range(rooms)]
            places = [(player, await player.room(GCD)) for player in players]
            proposing = [
                asyncio.create_task(player.try_to_propose(room, fact))
                for number, (player, room) in enumerate(places)
                for fact in hundredths_of_a_second(number)
            ]
            await until_proposed(store, 2 * rooms)
            server.kill()
            await asyncio.gather(*proposing)

    with Server(tmp_path, database=database_url) as server:
        workers = server.workers()
        asyncio.run(propose_much(server))
        asyncio.run(until(lambda: not still_alive(workers), "the workers of the dead coordinator are gone"))
    left = answers(asyncio.run(stored_events(database_url)))
    assert len(left) == 2 * rooms
    assert set(left.values()) in ({0}, {0, 1}), "it died in the middle"
    with Server(tmp_path, database=database_url) as server:
        asyncio.run(until_answered(database_url))
        assert server.end(signal.SIGTERM) == 0
    events = asyncio.run(stored_events(database_url))
    assert set(answers(events).values()) == {1}
    assert len(answers(events)) == len(left)
    for numbers in rooms_of(events):
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
    code, told = replay_all(tmp_path, database_url)
    assert code == 0, told
    assert told.count(": the same") == rooms


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_clients_come_back_after_a_restart_and_miss_nothing(ending: signal.Signals, tmp_path: Path) -> None:
    port = free_port()
    sleeping = SleepingWorkers(tmp_path, "+ 0")

    async def story() -> None:
        with Server(tmp_path, port=port, environment=sleeping.environment) as server:
            web = session()
            player = await Person.arrive(web, server.url)
            room = await player.room(GCD)
            watchers = [Watcher(player, room) for _ in range(3)]
            await player.propose(room, GCD_FACTS[0])
            under_way = asyncio.create_task(player.try_to_propose(room, hundredths_of_a_second(0)[0]))
            await until(lambda: busy(web, server), "a worker analyses")
            await asyncio.to_thread(server.end, ending)
            await under_way
        with Server(tmp_path, port=port) as server:
            await until_answered(sqlite_in(tmp_path))
            await player.propose(room, GCD_FACTS[1])
            judged = await player.propose(room, GCD_FACTS[2])
            assert judged["body"]["solved"]
            last = (await player.get(f"/api/rooms/{room}"))["last_event"]
            await until(lambda: all(watcher.numbers[-1:] == [last] for watcher in watchers), "all watchers have seen all")
            history = (await player.get(f"/api/rooms/{room}/events"))["events"]
        for watcher in watchers:
            await watcher.end()
            assert watcher.connections > 1
            assert watcher.seen == history
            assert watcher.numbers == list(range(1, last + 1))
        await web.close()

    asyncio.run(story())


def test_signals_end_it_cleanly_during_twenty_analyses(tmp_path: Path) -> None:
    """Ctrl-C comes first, and SIGTERM while the server catches up.

    It ends by itself each time, and the next start answers the rest.
    """
    database = sqlite_in(tmp_path)

    async def propose_much(server: Server) -> list[int]:
        async with opened(database) as store, session() as web:
            players = [await Person.arrive(web, server.url) for _ in range(20)]
            places = [(player, await player.room(GCD)) for player in players]
            proposing = [
                asyncio.create_task(player.try_to_propose(room, hundredths_of_a_second(number)[0]))
                for number, (player, room) in enumerate(places)
            ]
            await until_proposed(store, 20)
            workers = server.workers()
            assert await asyncio.to_thread(server.end, signal.SIGINT) == 0
            await asyncio.gather(*proposing)
            return workers

    sleeping = SleepingWorkers(tmp_path, "u")
    with Server(tmp_path, "--workers", "1", environment=sleeping.environment) as server:
        assert not still_alive(asyncio.run(propose_much(server)))
        assert server.process.stdout is not None
        assert server.process.stdout.read() == "Ended.\n"
    left = list(answers(asyncio.run(stored_events(database))).values())
    assert left == [0] * 20, "it did not wait for them"
    with Server(tmp_path, "--workers", "1", environment=sleeping.environment) as server:
        workers = server.workers()
        assert server.end(signal.SIGTERM) == 0
        assert not still_alive(workers)
    with Server(tmp_path) as server:
        asyncio.run(until_answered(database))
        assert server.end(signal.SIGINT) == 0
        assert "Traceback" not in server.complaints.read_text()
    assert set(answers(asyncio.run(stored_events(database))).values()) == {1}


# Two coordinators


def test_two_coordinators_on_one_database(database_url: str, tmp_path: Path) -> None:
    """Proposals to one room through both coordinators at once are judged one after the other, and everyone sees the same."""
    (tmp_path / "other").mkdir()
    # Of each player, four proposals may wait at each of two coordinators.
    facts = [f"{number} * i <= {number} * a + {number * number}" for number in range(1, 6)]
    facts += [f"s >= i * {number} - {number * number}" for number in range(1, 6)]
    facts += [f"i != {number} + a * {number + 1}" for number in range(1, 7)]

    async def story(first: Server, second: Server) -> str:
        async with session() as web:
            owner = await Person.arrive(web, first.url)
            room = await owner.room(CUBES, shared=True)
            guest = await Person.arrive(web, first.url)
            watchers = [Watcher(owner.at(second.url), room)]
            await until(lambda: watchers[0].seen, "the other coordinator has the room")
            code = (await owner.get(f"/api/rooms/{room}"))["code"]
            await guest.post("/api/rooms/join", {"code": code})
            watchers += [Watcher(guest, room), Watcher(guest.at(second.url), room)]
            people = [owner, guest.at(second.url), owner.at(second.url), guest]
            judged = await asyncio.gather(*(people[index % 4].propose(room, fact) for index, fact in enumerate(facts)))
            assert len({verdict["answers"] for verdict in judged}) == len(facts)
            row = await owner.get(f"/api/rooms/{room}")
            await until(lambda: all(watcher.numbers[-1:] == [row["last_event"]] for watcher in watchers), "everyone has seen all")
            for watcher in watchers:
                await watcher.end()
                assert watcher.numbers == list(range(1, row["last_event"] + 1))
                assert watcher.seen == watchers[0].seen
            seen_by_second = await owner.at(second.url).get(f"/api/rooms/{room}")
            assert shown(seen_by_second) == shown(row)
            assert row["version"] == len(facts), "a version for each verdict, none left out"
            assert_no_lost_update(watchers[0].seen, row)
            return room

    with Server(tmp_path, database=database_url) as first, Server(tmp_path / "other", database=database_url) as second:
        asyncio.run(story(first, second))
        assert (first.end(signal.SIGTERM), second.end(signal.SIGTERM)) == (0, 0)
        for server in (first, second):
            assert "Traceback" not in server.complaints.read_text()
    assert set(answers(asyncio.run(stored_events(database_url))).values()) == {1}
    code, told = replay_all(tmp_path, database_url)
    assert code == 0, told


def shown(room: dict[str, Any]) -> str:
    return json.dumps({name: room[name] for name in ("inductive", "potential", "solved", "version", "feedback", "last_event")})


def assert_no_lost_update(events: list[dict[str, Any]], room: dict[str, Any]) -> None:
    """The facts on the books at the end are those that verdicts added and did not take away again."""
    judged = [event["body"] for event in events if event["kind"] == "judged"]
    last = judged[-1]
    for name in ("inductive", "potential"):
        at_the_end = {(fact["loop"], fact["expression"]) for fact in room[name]}
        assert at_the_end == {(fact["loop"], fact["expression"]) for fact in last[name]}
    on_books: set[str] = set()
    for body in judged:
        if body["kind"] in ("inductive", "potential", "unknown"):
            on_books.add(body["expression"])
        on_books -= {fact["expression"] for fact in body["removed"]}
        assert on_books == {fact["expression"] for name in ("inductive", "potential") for fact in body[name]}
