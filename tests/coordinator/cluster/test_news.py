"""Two coordinators on one database: what one is told of the other, what is refused, and what is left to the other one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from idg.coordinator.cluster.coordinators import elsewhere, leases, neighbours
from idg.coordinator.cluster.local.nats_servers import NatsServers
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.crowd import IDS_OPEN, Proposals
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.store import NewEvent, NotMember
from idg.engine.wire.events import Proposed
from tests.support.servers.coordinators import coordinating, room_of
from tests.support.servers.pool_scenarios import until

pytest_plugins = ["tests.support.servers.databases", "tests.support.servers.cluster.brokers"]


@pytest.fixture
def nats_url(nats_servers: NatsServers) -> str:
    return nats_servers.url


@contextlib.asynccontextmanager
async def two(folder: Path, database: str, nats: str = "") -> AsyncIterator[tuple[Coordinator, Coordinator]]:
    async with coordinating(folder, database, nats) as (first, _), coordinating(folder, database, nats) as (second, _):
        await first.leases.beat()
        yield first, second


async def joined(coordinator: Coordinator, live: LiveRoom) -> ActingPlayer:
    """Another player, who joined the room here."""
    player, _ = await coordinator.players.create("Bob", False)
    actor = ActingPlayer(player.id)
    here = await coordinator.rooms.of_code(await coordinator.rooms.share(live))
    await coordinator.rooms.join(here, actor)
    return actor


def test_what_one_stores_is_shown_at_the_other_without_looking(postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    """The other one's regular look into the store is not even running."""

    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            live, actor = await room_of(first)
            seen = await second.open_rooms.fresh(live.id, actor.player)
            seen.presence.arrive(actor.player)
            await first.rooms.propose(live, actor, 1, "cnt <= m", None)
            await until(lambda: seen.head == live.head)
            assert (seen.version, seen.state.text()) == (live.version, live.state.text())
            await second.rooms.propose(seen, actor, 1, "res = n * cnt", None)
            live.presence.arrive(actor.player)
            await first.open_rooms.of_member(live.id, actor.player)
            await until(lambda: live.head == seen.head)
            assert live.state.text() == seen.state.text()

    asyncio.run(story())


def test_a_room_nobody_looks_at_is_read_when_somebody_comes(postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            live, actor = await room_of(first)
            seen = await second.open_rooms.fresh(live.id, actor.player)
            head = seen.head
            await first.rooms.propose(live, actor, 1, "cnt <= m", None)
            await until(lambda: seen.announced == live.head)
            assert seen.head == head
            assert await second.open_rooms.of_member(live.id, actor.player) is seen
            assert seen.state.text() == live.state.text()

    asyncio.run(story())


def test_everyone_is_shown_who_is_in_a_room_wherever_they_are(postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            live, ann = await room_of(first)
            bob = await joined(first, live)
            live.presence.arrive(ann.player)
            seen = await second.open_rooms.fresh(live.id, bob.player)

            def here(room: LiveRoom) -> set[str]:
                return {member.player for member in room.answer().members if member.here}

            await until(lambda: here(seen) == {ann.player})
            seen.presence.arrive(bob.player)
            await until(lambda: here(live) == {ann.player, bob.player} == here(seen))
            live.presence.depart(ann.player)
            await until(lambda: here(live) == {bob.player} == here(seen))
            async with coordinating(tmp_path, postgresql_url, nats_url) as (third, _):
                came_late = await third.open_rooms.fresh(live.id, ann.player)
                await until(lambda: here(came_late) == {bob.player})
                came_late.presence.arrive(ann.player)
                await until(lambda: here(live) == {ann.player, bob.player} == here(seen))
            await until(lambda: here(live) == {bob.player} == here(seen))

    asyncio.run(story())


def test_a_silent_coordinator_and_all_who_were_there_are_forgotten(
    postgresql_url: str, nats_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            live, ann = await room_of(first)
            live.presence.arrive(ann.player)
            await until(lambda: second.neighbours.elsewhere.players(live.id) == {ann.player})
            assert second.open_rooms.is_used(live.id), "nobody deletes a room in which somebody is"
            monkeypatch.setattr(elsewhere, "SILENT_SECONDS", -1.0)
            second.neighbours.elsewhere.drop_silent(time.monotonic())
            assert second.neighbours.elsewhere.players(live.id) == frozenset()
            assert not second.open_rooms.is_used(live.id)
            monkeypatch.undo()
            await until(lambda: second.neighbours.elsewhere.players(live.id) == {ann.player})

    asyncio.run(story())


def test_missed_news_of_who_came_is_noticed(postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            live, ann = await room_of(first)
            await until(lambda: second.neighbours.elsewhere.coordinators() == (first.leases.id,))
            first.neighbours._changes += 1  # As if a message had been lost.
            live.presence.arrive(ann.player)
            await until(lambda: second.neighbours.elsewhere.players(live.id) == {ann.player})

    asyncio.run(story())


# Membership


@pytest.mark.parametrize("with_news", [True, False])
def test_who_left_at_one_cannot_move_at_the_other(with_news: bool, postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    """Without news the store itself refuses it."""

    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url if with_news else "") as (first, second):
            live, _ = await room_of(first)
            bob = await joined(first, live)
            seen = await second.open_rooms.fresh(live.id, bob.player)
            await second.rooms.propose(seen, bob, 1, "cnt <= m", None)  # So that a later answer to it is known at once.
            await second.rooms.reset(seen, bob)
            await first.open_rooms.reload(live)
            await first.rooms.leave(live, bob)
            if with_news:
                await until(lambda: seen.announced == live.head)
                with pytest.raises(ApiError, match="no such room"):
                    await second.open_rooms.of_member(live.id, bob.player)
                return
            assert seen.is_member(bob.player), "the second coordinator does not know yet"

            async def balance() -> int:
                return 0

            moves = (
                second.rooms.propose(seen, bob, 1, "cnt <= m", None),
                second.rooms.propose(seen, bob, 1, "cnt >= 0", None),
                second.rooms.propose_many(seen, bob, [(1, "cnt >= 0")], None),
                second.rooms.hint(seen, bob, balance),
                second.rooms.reset(seen, bob),
                second.rooms.another_state(seen, bob),
            )
            for move in moves:
                seen.presence.members[bob.player] = next(
                    member for member in await second.store.members(live.id) if member.player == bob.player
                )
                with pytest.raises(NotMember):
                    await move
                assert not seen.is_member(bob.player), "now it knows"
            kinds = [event.kind for event in await first.store.events(live.id, 0, 100)]
            assert kinds[-1] == "left"
            assert kinds.count("proposed") == 1

    asyncio.run(story())


def test_whoever_leaves_while_they_propose_is_refused_or_judged(database_url: str, tmp_path: Path) -> None:
    """Leaving and proposing through two coordinators at once: what is stored of the player comes before they left."""

    async def story() -> None:
        async with two(tmp_path, database_url) as (first, second):
            live, _ = await room_of(first)
            for number in range(8):
                bob = await joined(first, live)
                seen = await second.open_rooms.fresh(live.id, bob.player)
                proposals = [second.rooms.propose(seen, bob, 1, f"cnt <= m + {number + extra}", None) for extra in range(4)]
                outcomes = await asyncio.gather(*proposals, first.rooms.leave(live, bob), return_exceptions=True)
                assert all(isinstance(outcome, NotMember) for outcome in outcomes if isinstance(outcome, BaseException))
                events = [event for event in await first.store.events(live.id, 0, 1000) if event.player == bob.player]
                left = next(event.number or 0 for event in events if event.kind == "left")
                assert all((event.number or 0) < left for event in events if event.kind == "proposed")

    asyncio.run(story())


def test_who_left_at_one_sees_nothing_more_at_the_other(database_url: str, tmp_path: Path) -> None:
    """Even before it has heard of that."""

    async def story() -> None:
        async with two(tmp_path, database_url) as (first, second):
            live, _ = await room_of(first)
            bob = await joined(first, live)
            await second.open_rooms.fresh(live.id, bob.player)
            await first.rooms.leave(live, bob)
            with pytest.raises(ApiError, match="no such room"):
                await second.open_rooms.fresh(live.id, bob.player)

    asyncio.run(story())


# Leases


@pytest.mark.parametrize("clock_hours", [-1, 0, 1])
def test_what_is_left_without_a_verdict_belongs_to_the_coordinator_that_stored_it(
    clock_hours: int, database_url: str, tmp_path: Path
) -> None:
    """While that one lives, others leave it alone; when it is gone, the first to notice judges it, whatever its clock said."""

    async def story() -> None:
        async with coordinating(tmp_path, database_url) as (second, pool):
            live, actor = await room_of(second)
            async with coordinating(tmp_path, database_url) as (first, _):
                body = record_text(Proposed("cnt <= m", 1, "cnt <= m"))
                moment = time.time() + 3600 * clock_hours
                proposed = NewEvent("proposed", moment, actor.player, "", "code", body=body, coordinator=first.leases.id)
                await second.store.append(live.id, [proposed])
                await second.leases.beat()
                pool.jobs.clear()
                if clock_hours >= 0:
                    await second._resume()
                assert [job.call for job in pool.jobs] == []
                await second.store.beat("dead", leases.this_machine(), leases.process_name(2**22 + 1))
            await second.leases.beat()
            assert second.leases.inherited.is_set()
            await second._sweep()
            assert [job.call for job in pool.jobs] == ["propose"]
            assert await second.store.answer_to(live.id, 2) is not None

    asyncio.run(story())


# Tokens, names, codes, scores


def test_a_token_that_is_revoked_at_one_is_refused_at_the_other(postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            player, token = await first.players.create("Ann", False)
            assert await second.players.of_token(token) == player
            await first.players.forget(token)

            async def is_refused() -> bool:
                with contextlib.suppress(ApiError):
                    await second.players.of_token(token)
                    return False
                return True

            while not await is_refused():
                await asyncio.sleep(0.01)

    asyncio.run(story())


def test_without_news_a_revoked_token_is_refused_after_a_while(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("idg.coordinator.players.players.TOKEN_SECONDS", 0.05)

    async def story() -> None:
        async with two(tmp_path, postgresql_url) as (first, second):
            player, token = await first.players.create("Ann", False)
            assert await second.players.of_token(token) == player
            await first.players.forget(token)
            await asyncio.sleep(0.06)
            with pytest.raises(ApiError, match="token is not known"):
                await second.players.of_token(token)

    asyncio.run(story())


def test_what_was_missed_while_nats_was_gone_is_found_out(
    postgresql_url: str, nats_servers: NatsServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token is revoked and a room moves while nobody can tell. Nothing but the connection that is there again says so."""
    monkeypatch.setattr("idg.coordinator.players.players.TOKEN_SECONDS", 1e9)

    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_servers.url) as (first, second):
            player, token = await first.players.create("Ann", False)
            live, actor = await room_of(first)
            seen = await second.open_rooms.fresh(live.id, actor.player)
            seen.presence.arrive(actor.player)
            await second.players.of_token(token)
            nats_servers.servers[0].kill()
            await until(lambda: second.broker is not None and not second.broker.connected)
            await until(lambda: first.broker is not None and not first.broker.connected)
            await first.players.forget(token)
            await first.rooms.propose(live, actor, 1, "cnt <= m", None)
            assert await second.players.of_token(token) == player
            nats_servers.servers[0].start()
            await until(lambda: second.broker is not None and second.broker.connected)
            await until(lambda: seen.head == live.head)
            with pytest.raises(ApiError, match="token is not known"):
                await second.players.of_token(token)

    asyncio.run(story())


def test_a_new_name_is_known_at_the_other(postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            player, token = await first.players.create("Ann", False)
            entry = first.catalog.level("multiply")
            assert entry is not None
            live = await first.rooms.create(entry, ActingPlayer(player.id), "code", shared=False)
            seen = await second.open_rooms.fresh(live.id, player.id)
            await second.players.of_token(token)
            first.open_rooms.renamed(player.id, (await first.players.rename(player, "Anna")).name)
            await until(lambda: seen.answer().members[0].name == "Anna")
            assert (await second.players.of_token(token)).name == "Anna"

    asyncio.run(story())


def test_a_code_is_shown_at_the_other(postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            live, actor = await room_of(first)
            seen = await second.open_rooms.fresh(live.id, actor.player)
            code = await first.rooms.share(live)
            await until(lambda: seen.answer().code == code)

    asyncio.run(story())


@pytest.mark.parametrize("with_news", [True, False])
def test_scores_count_what_was_earned_at_the_other(
    with_news: bool, postgresql_url: str, nats_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player has a room of the same program at each coordinator."""
    if not with_news:
        monkeypatch.setattr("idg.coordinator.players.earnings.TALLIES_SECONDS", 0.0)

    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url if with_news else "") as (first, second):
            one, ann = await room_of(first)
            other = await second.rooms.create(one.entry, ann, "code", shared=False)
            nothing = await second.earnings.score(ann.player, other)
            await first.earnings.score(ann.player, one)
            assert nothing.coins == 0
            earned = (await first.rooms.propose(one, ann, 1, "cnt <= m", None)).earned
            assert earned.coins > 0
            while (await second.earnings.score(ann.player, other)).coins != earned.coins:
                assert with_news
                await asyncio.sleep(0.01)
            again = await second.rooms.propose(other, ann, 1, "cnt <= m", None)
            assert json.loads(again.event.body)["kind"] == "inductive"
            assert again.earned.coins == 0, "nothing is earned twice"

    asyncio.run(story())


def test_an_answer_that_one_has_computed_is_known_to_the_other(postgresql_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path, postgresql_url) as (first, _), coordinating(tmp_path, postgresql_url) as (second, pool):
            live, actor = await room_of(first)
            await first.rooms.propose(live, actor, 1, "cnt <= m", None)
            await first.questions.settled()
            other = await second.rooms.create(live.entry, actor, "code", shared=False)
            pool.jobs.clear()
            judged = await second.rooms.propose(other, actor, 1, "cnt <= m", None)
            assert json.loads(judged.event.body)["kind"] == "inductive"
            assert [job.call for job in pool.jobs] == []

    asyncio.run(story())


def test_deleted_rooms_are_forgotten_at_the_other(postgresql_url: str, nats_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url, nats_url) as (first, second):
            live, actor = await room_of(first)
            await second.open_rooms.fresh(live.id, actor.player)
            first.neighbours.deleted([live.id], with_players=False)
            await until(lambda: second.open_rooms.get(live.id) is None)

    asyncio.run(story())


# Limits


def test_limits_are_divided_by_the_coordinators_that_live(database_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path, database_url) as (first, _):
            whole = (first.judging.admitted.places, first.quotas._rooms.players.burst)
            async with coordinating(tmp_path, database_url) as (second, _):
                await first.leases.beat()
                for coordinator in (first, second):
                    assert coordinator.limits.coordinators == 2
                    halves = (coordinator.judging.admitted.places, coordinator.quotas._rooms.players.burst)
                    assert halves == (whole[0] // 2, whole[1] / 2)
            await first.leases.beat()
            assert (first.judging.admitted.places, first.quotas._rooms.players.burst) == whole

    asyncio.run(story())


def test_two_coordinators_allow_together_what_one_would(postgresql_url: str, tmp_path: Path) -> None:
    """Rooms a day: a player who asks both in turns gets as many as from one alone."""

    async def story() -> None:
        async with two(tmp_path, postgresql_url) as (first, second):
            allowed = 0
            for coordinator in (first, second) * first.settings.rooms_a_day:
                with contextlib.suppress(ApiError):
                    coordinator.quotas.new_room("192.0.2.1", "ann")
                    allowed += 1
            assert allowed == first.settings.rooms_a_day

    asyncio.run(story())


def test_a_coordinator_that_is_silent_counts_no_more(postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with two(tmp_path, postgresql_url) as (first, second):
            assert set(first.leases.living) == {first.leases.id, second.leases.id}
            monkeypatch.setattr(leases, "LEASE_SECONDS", -1.0)
            await first.leases.beat()
            assert first.leases.living == (first.leases.id,)
            assert first.leases.inherited.is_set()
            monkeypatch.undo()
            await second.leases.beat()
            await first.leases.beat()
            assert set(first.leases.living) == {first.leases.id, second.leases.id}, "it comes back with its next beat"

    asyncio.run(story())


def test_a_dead_process_of_this_machine_is_gone_at_once(database_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path, database_url) as (first, _):
            await first.store.beat("dead", leases.this_machine(), leases.process_name(2**22 + 1))
            await first.store.beat("alive", leases.this_machine(), leases.process_name(1))
            number, _, started = leases.process_name(os.getpid()).partition("/")
            await first.store.beat("had our number", leases.this_machine(), f"{number}/{int(started) - 1}")
            await first.leases.beat()
            assert set(first.leases.living) == {first.leases.id, "alive"}

    asyncio.run(story())


def test_beats_are_more_frequent_than_leases_end() -> None:
    assert 2 * leases.BEAT_SECONDS < leases.LEASE_SECONDS
    assert 3 * neighbours.BEAT_SECONDS < elsewhere.SILENT_SECONDS


def test_a_verdict_whose_id_is_lower_than_one_seen_before_is_counted_by_the_crowd() -> None:
    """Ids are given before the commit, so they do not appear in order where several coordinators write."""
    proposals = Proposals()
    assert [proposals.is_new(number) for number in (3, 5, 4, 5, 3, 6)] == [True, True, True, False, False, True]
    assert proposals.is_new(6 + IDS_OPEN)
    assert not proposals.is_new(6), "those before are forgotten, and none of them comes any more"
    for number in range(2_000, 5_000):
        assert proposals.is_new(number)
    assert len(proposals.recent) <= 2 * IDS_OPEN
