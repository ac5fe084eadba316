"""No address, player or room keeps the engine from the others: the attacks, against running servers."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from idg.coordinator.rooms.live.presence import Presence
from idg.coordinator.store import Member
from tests.support.servers.clients import UNLIMITED, Client, client, closed_with, figures, next_message
from tests.support.servers.hostile.fault_helpers import MANY_SECONDS_IN_TANGLE, TANGLE, SleepingWorkers
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.servers"]

BEHIND_A_PROXY = ("--proxies", "127.0.0.1", "--log-level", "error")
"""The server believes the addresses that its clients claim, so that one machine can have many."""
WORKERS = 2
ATTACKERS = 5
"""How many players the attackers have. Each may have 8 proposals waiting, so together they would fill the queue."""
ATTACKED_FROM = "198.51.100.1"


def served(figures: dict[str, float]) -> float:
    """How many jobs the pool has finished, in one way or another."""
    return figures["idg_pool_events_total done"] + sum(
        value for name, value in figures.items() if name.startswith("idg_pool_failed_total")
    )


async def until_waiting(url: str, least: int) -> None:
    for _ in range(HANG_SECONDS * 10):
        if (await figures(url))["idg_now proposals_waiting"] >= least:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the attack does not get going")


def slow(number: int) -> str:
    """An expression about TANGLE that is different for each number, and takes longer than these servers allow."""
    return f"{MANY_SECONDS_IN_TANGLE} | n = {-1 - number}"


async def served_before(url: str, honest: Client, room: str, expression: str) -> float:
    """Proposes, and says how many jobs of others were finished before the answer came."""
    before = served(await figures(url))
    judged = await honest.judged(room, expression)
    assert judged["kind"] in ("inductive", "displaced"), judged
    return served(await figures(url)) - before - 1


def test_an_address_with_many_slow_players_does_not_keep_others_from_the_engine(start_server: Any, tmp_path: Path) -> None:
    """Free players from one address make as many slow proposals as are allowed, each in a room of its own."""
    # The easy facts are judged within the deadline even where the machine has much else to do.
    flags = ("--workers", str(WORKERS), "--deadline-seconds", "3", "--queue-max", "40")
    sleeping = SleepingWorkers(tmp_path, MANY_SECONDS_IN_TANGLE)
    server = start_server(*UNLIMITED, *BEHIND_A_PROXY, *flags, environment=sleeping.environment)

    async def story() -> None:
        async with contextlib.AsyncExitStack() as stack:
            honest = await stack.enter_async_context(client(server.url, address="203.0.113.7"))
            room = await honest.room("multiply")
            attackers = [await stack.enter_async_context(client(server.url, address=ATTACKED_FROM)) for _ in range(ATTACKERS)]
            for attacker in attackers:
                await attacker.become()
            program = (await attackers[0].post("/api/programs", {"source": TANGLE})).ok()["program"]

            async def attack(attacker: Client, number: int) -> None:
                opened = (await attacker.post("/api/rooms", {"program": program, "resume": False})).ok()
                answer = await attacker.propose(opened["room"]["room"], slow(number))
                assert answer.status == 200 or answer.json["code"] in ("busy", "too-fast"), answer.text

            attacks = [asyncio.create_task(attack(attackers[n % ATTACKERS], n)) for n in range(10 * ATTACKERS)]
            await until_waiting(server.url, 12)
            assert (await figures(server.url))["idg_now proposals_waiting"] <= 20, "an address gets half of the places"
            for expression in ("cnt <= m", "res = n * cnt"):
                assert await served_before(server.url, honest, room, expression) <= 2 * WORKERS
            # Somebody else behind the attackers' address has their turn after each of the attackers at most.
            neighbour = await stack.enter_async_context(client(server.url, address=ATTACKED_FROM))
            beside = await neighbour.room("multiply")
            assert await served_before(server.url, neighbour, beside, "cnt <= m + 5") <= ATTACKERS + 2 * WORKERS
            # When the attackers leave, what they have left goes last.
            for task in attacks:
                task.cancel()
            assert not [
                problem for problem in await asyncio.gather(*attacks, return_exceptions=True) if isinstance(problem, Exception)
            ]
            assert await served_before(server.url, honest, room, "cnt <= m + 1") <= 2 * WORKERS

    asyncio.run(story())


def test_many_sockets_in_a_room_are_told_what_changed(start_server: Any) -> None:
    """Everybody who comes was told to everybody with the whole list of members: n sockets got n times n times n members."""
    sockets_max, members_max = 40, 30
    server = start_server(*UNLIMITED, "--members-max", str(members_max), "--sockets-player", "5", "--workers", "1")

    async def story() -> None:
        async with contextlib.AsyncExitStack() as stack:
            people = [await stack.enter_async_context(client(server.url)) for _ in range(members_max + 1)]
            opened = await people[0].open("multiply", shared=True)
            room, code = opened["room"]["room"], {"code": opened["room"]["code"]}
            for person in people[1:-1]:
                (await person.post("/api/rooms/join", code)).ok()
            (await people[-1].post("/api/rooms/join", code)).refused("too-many-members")
            (await people[1].post("/api/rooms/join", code)).ok()
            last = (await people[0].get(f"/api/rooms/{room}")).ok()["last_event"]
            sockets = []
            for number in range(sockets_max):
                sockets.append(await stack.enter_async_context(people[number % members_max].watch(room, last)))

            async def told(socket: Any) -> int:
                """How many members the socket is told of until it knows that all are here."""
                count = 0
                here: set[str] = set()
                while len(here) < members_max:
                    members = (await next_message(socket))["members"]
                    count += len(members)
                    here |= {member["player"] for member in members if member["here"]}
                return count

            counts = await asyncio.gather(*map(told, sockets))
            assert sum(counts) <= 2.5 * members_max * sockets_max, counts
            # Sockets of one player are bounded.
            mine = [await stack.enter_async_context(people[0].watch(room, last)) for _ in range(6)]
            assert await closed_with(mine[-1]) == 1013

    asyncio.run(story())


def test_a_socket_is_told_all_members_once_and_then_the_changes() -> None:
    async def story() -> None:
        told = asyncio.Event()
        members = [Member("room", name, 0.0, None, name, False) for name in ("ann", "bob")]
        presence = Presence(members, told.set)

        async def changes(change: Callable[[str], None], player: str) -> list[Any]:
            before = presence.number
            change(player)
            await asyncio.wait_for(told.wait(), HANG_SECONDS)
            told.clear()
            return [json.loads(message) for message in presence.messages(before)]

        [everybody] = [json.loads(message) for message in presence.messages(None)]
        assert (everybody["type"], len(everybody["members"])) == ("here", 2)
        for change, here in ((presence.arrive, True), (presence.depart, False)):
            [changed] = await changes(change, "bob")
            assert changed["type"] == "changed"
            assert [(member["player"], member["here"]) for member in changed["members"]] == [("bob", here)]
        assert presence.messages(presence.number) == []

    asyncio.run(story())
