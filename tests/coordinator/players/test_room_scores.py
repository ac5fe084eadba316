"""What players earn in rooms of a running server: coins, gems, medals and hints."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from idg.coordinator.players.scores import MEDALS
from tests.support.servers.clients import COUNTING, client

pytest_plugins = ["tests.support.servers.servers"]

NOTHING = {"coins": 0, "gem": False, "medals": []}


def test_a_batch_of_tautologies_earns_no_gem_in_the_trace_game(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as eve:
            room = await eve.room("multiply", variant="trace")
            batch = {"proposals": [{"expression": f"{number} = {number}"} for number in range(8)]}
            judged = (await eve.post(f"/api/rooms/{room}/batches", batch)).ok()
            assert judged["earned"] == NOTHING

    asyncio.run(story())


def test_coins_are_never_earned_twice(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            first = await ann.room("multiply")
            earned = (await ann.judged(first, "res = n * cnt"))["earned"]
            assert earned["coins"] > 50
            assert earned["gem"] is False
            assert (await ann.judged(first, "n * cnt = res"))["earned"] == NOTHING
            second = await ann.room("multiply", resume=False)
            assert (await ann.judged(second, "res = n * cnt"))["earned"] == NOTHING
            await ann.post(f"/api/rooms/{first}/reset")
            assert (await ann.judged(first, "res = n * cnt"))["earned"] == NOTHING
            third = await ann.room("multiply", resume=False)
            # This also holds in rooms that were open all the time: what is earned in one counts in the other.
            solved = (await ann.judged(third, "cnt <= m"))["earned"]
            assert (await ann.judged(second, "cnt <= m"))["earned"] == {"coins": 0, "gem": True, "medals": list(MEDALS)}
            assert (await ann.judged(first, "cnt <= m"))["earned"] == NOTHING
            scores = (await ann.get("/api/players/me/scores")).ok()
            assert scores["levels"]["multiply"]["coins"] == earned["coins"] + solved["coins"]
            assert scores["total"] == {"coins": earned["coins"] + solved["coins"], "gems": 1, "medals": 3}

    asyncio.run(story())


def test_the_answer_tells_what_was_doubled_and_why(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            room = await ann.room("multiply")
            weak = await ann.judged(room, "cnt <= m + 20")
            assert weak["earned"]["patterns"] == weak["score"]["patterns"] == weak["rules_out"][0]["patterns"] == ["limit"]
            assert weak["earned"]["doubled"] * 2 == weak["earned"]["coins"] > 0
            strong = await ann.judged(room, "cnt <= m + 1")
            assert strong["earned"]["coins"] > 0
            assert "doubled" not in strong["earned"]
            last = await ann.judged(room, "res = n * cnt")
            assert last["earned"]["patterns"] == ["product"]
            assert last["earned"]["doubled"] * 2 == last["earned"]["coins"] > 50
            opened = (await ann.get(f"/api/rooms/{room}/open")).ok()
            assert opened["score"] == last["score"]
            assert opened["score"]["patterns"] == ["product", "limit"]
            # A batch is judged fact by fact; what it earns is told as one.
            other = await bob.room("multiply")
            facts = [{"expression": text} for text in ("cnt <= m + 20", "cnt <= m + 1", "res = n * cnt")]
            batch = (await bob.post(f"/api/rooms/{other}/batches", {"proposals": facts})).ok()
            assert batch["earned"]["patterns"] == ["product", "limit"]
            assert batch["score"]["coins"] == opened["score"]["coins"]

    asyncio.run(story())


def test_what_is_told_of_concurrent_proposals_adds_up_to_the_score(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            rooms = [await ann.room("cube", resume=False) for _ in range(2)]
            program = (await ann.open("cube"))["program"]
            names = [column["name"] for column in program["loops"][0]["columns"]]
            facts = tuple(f"{name} >= 0" for name in names) + tuple(f"{name} + 1 >= 0" for name in names)
            answers = await asyncio.gather(*(ann.propose(room, fact) for room in rooms for fact in facts[:4]))
            earned = [answer.ok()["earned"]["coins"] for answer in answers]
            scores = (await ann.get("/api/players/me/scores")).ok()
            assert sum(earned) == scores["levels"]["cube"]["coins"] > 0

    asyncio.run(story())


def test_what_others_prove_with_my_facts_is_mine_too(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob, client(server.url) as eve:
            opened = await ann.open("multiply", shared=True)
            room = opened["room"]["room"]
            for guest in (bob, eve):
                (await guest.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
            own_room = await ann.room("multiply")
            await ann.judged(own_room, "cnt = 4")
            await ann.judged(room, "res = n * cnt")
            await eve.judged(room, "cnt = 4")
            assert (await bob.judged(room, "cnt <= m"))["earned"]["gem"] is True
            for player, gems in ((ann, 1), (bob, 1), (eve, 0)):
                assert (await player.get("/api/players/me/scores")).ok()["total"]["gems"] == gems
            await ann.judged(own_room, "res = n * cnt")
            again = await ann.judged(own_room, "cnt <= m")
            assert again["solved"] is True
            assert again["earned"]["gem"] is False

    asyncio.run(story())


def test_chains_of_bounds_earn_little(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            first, second = await ann.room("multiply"), await bob.room("multiply")
            chain = [(await ann.judged(first, f"cnt <= m + {10 - step}"))["earned"] for step in range(11)]
            alone = (await bob.judged(second, "cnt <= m"))["earned"]
            assert sum(earned["coins"] - earned.get("doubled", 0) for earned in chain) == alone["coins"] - alone["doubled"]
            assert [earned for earned in chain if "doubled" in earned] == chain[:1]  # Only the first bound is new.
            assert (await ann.get("/api/players/me/scores")).ok()["total"]["gems"] == 0

    asyncio.run(story())


def test_own_programs_are_apart(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            program = (await ann.post("/api/programs", {"source": COUNTING})).ok()["program"]
            room = (await ann.post("/api/rooms", {"program": program})).ok()["room"]["room"]
            judged = await ann.judged(room, "i <= n")
            assert judged["earned"]["gem"] is True
            scores = (await ann.get("/api/players/me/scores")).ok()
            assert scores["programs"][program]["gem"] is True
            assert scores["total"] == {"coins": 0, "gems": 0, "medals": 0}

    asyncio.run(story())


def test_hints_cost_what_they_say_and_the_medal(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply")
            path = f"/api/rooms/{room}/hints"
            # A player who has nothing pays nothing.
            assert (await ann.post(path)).ok()["body"]["coins"] == 0
            coins = (await ann.judged(room, "res = n * cnt"))["score"]["coins"]
            prices = (await ann.get(f"/api/rooms/{room}")).ok()["hint_coins"]
            spent = 0
            while (answer := await ann.post(path)).status == 200:
                body = answer.json["body"]
                assert body["coins"] == min(prices[body["step"]], coins - spent)
                spent += body["coins"]
            answer.refused("no-hint")
            assert spent > 0
            assert (await ann.get("/api/players/me/scores")).ok()["total"]["coins"] == coins - spent
            solved = await ann.judged(room, "cnt <= m")
            assert solved["solved"] is True
            assert "no-hint" not in solved["earned"]["medals"]
            # The goal is proved; what is left is that the program ends.
            assert (await ann.post(path)).ok()["body"]["step"] == "falls"
            kinds = [event["kind"] for event in await ann.events(room)]
            assert len((await ann.get(f"/api/rooms/{room}")).ok()["hints"]) == kinds.count("hint")

    asyncio.run(story())


def test_the_trace_game(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply", variant="trace")
            texts = ["cnt >= 0", "res >= 0", "cnt <= m + 3", "cnt <= m + 2", "res + 5 >= cnt - m", "cnt <= m", "res = n * cnt"]
            gems = [(await ann.judged(room, text))["score"]["gem"] for text in texts]
            assert gems[0] is False
            assert gems[-1] is True

    asyncio.run(story())


@pytest.mark.parametrize(
    ("facts", "medal"),
    [(("res = n * cnt", "cnt <= m"), True), (("res = n * cnt & cnt <= m",), True), (("res = n * cnt & 0 <= cnt <= m",), False)],
)
def test_a_conjunction_is_as_many_invariants_as_it_joins(server: Any, facts: tuple[str, ...], medal: bool) -> None:
    """It counted as one, so that joining all facts by & always was the shortest proof."""

    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply")
            for fact in facts:
                move = (await ann.propose(room, fact)).ok()
            assert move["event"]["body"]["solved"]
            assert ("fewest-invariants" in move["score"]["medals"]) == medal

    asyncio.run(story())
