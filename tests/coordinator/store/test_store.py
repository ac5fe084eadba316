"""The store: the same tests on SQLite and on PostgreSQL, which databases.py starts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from idg.coordinator.store import (
    OWN_PROPOSAL,
    AlreadyAnswered,
    CodeTaken,
    Duplicate,
    Event,
    NewEvent,
    NewLog,
    NoSuchRoom,
    PlayerDeleted,
    PlayerRow,
    ProgramRow,
    Store,
    StoreError,
    UnitRefused,
)
from idg.coordinator.store.topics.forgetting import forget_player
from idg.sip.record import replace
from tests.support.servers.store_examples import LOADED, ROOM, fill, judged, proposed

pytest_plugins = ["tests.support.servers.databases"]


def play(url: str, story: Callable[[Store], Awaitable[None]]) -> None:
    """Runs the story on a store with two players and a room that has one event."""

    async def run() -> None:
        store = await Store.open(url)
        try:
            await fill(store)
            await story(store)
        finally:
            await store.close()

    asyncio.run(run())


def numbers(events: list[Event] | None) -> list[int | None]:
    assert events is not None
    return [event.number for event in events]


async def version_of(store: Store) -> int:
    room = await store.room("room")
    assert room is not None
    return room.version


# Programs, players, tokens

CLASS_TABLES = (
    *("teachers", "classes", "class_teachers", "class_students"),
    *("assignments", "assigned_items", "hand_ins", "class_messages"),
)


def test_programs_are_kept_once(database_url: str) -> None:
    async def story(store: Store) -> None:
        await store.put_program(ProgramRow("hash", "method main() {}", "Another title", "bob", 9.0))
        assert await store.program("hash") == ProgramRow("hash", "method main() {}", "Squares", None, 1.0)
        assert await store.program("other") is None

    play(database_url, story)


def test_players_are_known_by_their_tokens(database_url: str) -> None:
    async def story(store: Store) -> None:
        ann = PlayerRow("ann", "Ann", False, 1.0)
        assert await store.player("ann") == await store.player_by_token("token of ann", 5.0) == ann
        assert await store.player("eve") is None
        assert await store.player_by_token("guess", 5.0) is None
        await store.rename("ann", "Anna ∀")
        assert await store.player("ann") == replace(ann, name="Anna ∀")
        await store.put_token("ann", "short-lived", "bearer", 10.0, 5.0)
        assert await store.player_by_token("short-lived", 9.9) is not None
        assert await store.player_by_token("short-lived", 10.0) is None
        await store.drop_token("token of ann")
        assert await store.player_by_token("token of ann", 5.0) is None
        with pytest.raises(UnitRefused):
            await store.put_token("eve", "hash", "bearer", None, 5.0)

    play(database_url, story)


def test_a_code_is_good_once_and_until_it_expires(database_url: str) -> None:
    async def story(store: Store) -> None:
        await store.put_token("ann", "code", "code", 10.0, 5.0)
        assert await store.player_by_token("code", 6.0) is None
        assert await store.take_code("token of ann", 6.0) is None, "a bearer token is no code"
        taken = await asyncio.gather(*(store.take_code("code", 6.0) for _ in range(8)))
        assert [player.id for player in taken if player] == ["ann"]
        await store.put_token("ann", "late", "code", 10.0, 5.0)
        assert await store.take_code("late", 10.0) is None
        assert (await store.counts())["tokens"] == 2

    play(database_url, story)


# Rooms


def test_rooms_and_members(database_url: str) -> None:
    async def story(store: Store) -> None:
        assert await store.room("room") == await store.room_by_code("ABC") == replace(ROOM, last_event=1)
        assert await store.room("none") is None
        assert await store.room_by_code("none") is None
        joined = NewEvent("joined", 4.0, "bob")
        assert not await store.is_member("room", "bob")
        assert numbers(await store.join("room", "bob", 4.0, joined, 9)) == [2]
        assert await store.join("room", "bob", 5.0, joined, 9) == []
        ann, bob = await store.members("room")
        assert (ann.player, ann.name, ann.left, bob.player, bob.name, bob.left) == ("ann", "Ann", None, "bob", "Bob", None)
        assert [room.id for room in await store.rooms_of("bob", 10)] == ["room"]
        assert numbers(await store.leave("room", "bob", 6.0, NewEvent("left", 6.0, "bob"))) == [3]
        assert await store.leave("room", "bob", 7.0, NewEvent("left", 7.0, "bob")) == []
        assert not await store.is_member("room", "bob")
        assert await store.rooms_of("bob", 10) == []
        assert [room.id for room in await store.rooms_of("bob", 10, left=True)] == ["room"]
        assert [member.left for member in await store.members("room")] == [None, 6.0]
        assert numbers(await store.join("room", "bob", 8.0, joined, 9)) == [4]
        assert await store.is_member("room", "bob")
        with pytest.raises(NoSuchRoom):
            await store.join("none", "bob", 8.0, joined, 9)
        with pytest.raises(UnitRefused):
            await store.join("room", "eve", 8.0, NewEvent("joined", 8.0, "eve"), 9)
        assert await store.heads(["room", "none"]) == {"room": 4}

    play(database_url, story)


def test_one_who_joins_many_times_at_once_joins_once(database_url: str) -> None:
    async def story(store: Store) -> None:
        answers = await asyncio.gather(*(store.join("room", "bob", 4.0, NewEvent("joined", 4.0, "bob"), 9) for _ in range(10)))
        assert sorted(map(len, answers)) == [0] * 9 + [1]

    play(database_url, story)


def test_creating_rooms(database_url: str) -> None:
    async def story(store: Store) -> None:
        with pytest.raises(CodeTaken):
            await store.create_room(replace(ROOM, id="second"), [LOADED])
        with pytest.raises(UnitRefused):
            await store.create_room(replace(ROOM, id="second", code=None, program="unknown"), [LOADED])
        assert await store.room("second") is None
        await store.create_room(replace(ROOM, id="second", code=None, time=0.5), [])
        with pytest.raises(CodeTaken):
            await store.set_code("second", "ABC")
        codes = await asyncio.gather(*(store.set_code("second", code) for code in ("DEF", "GHI")))
        assert codes[0] == codes[1] == await store.set_code("second", "ABC")
        with pytest.raises(NoSuchRoom):
            await store.set_code("none", "JKL")
        for number in range(5):
            created = await store.create_room(
                replace(ROOM, id=f"solo-{number}", code=None, time=10.0 + number), [LOADED, proposed("a")]
            )
            assert numbers(created) == [1, 2]
        assert [room.id for room in await store.rooms_of("ann", 3)] == ["solo-4", "solo-3", "solo-2"]
        assert await store.heads([f"solo-{number}" for number in range(1200)]) == {f"solo-{number}": 2 for number in range(5)}

    play(database_url, story)


# Events


def test_events_are_given_back_as_they_were_stored(database_url: str) -> None:
    async def story(store: Store) -> None:
        [stored] = await store.append("room", [replace(proposed("r1", 0.1 + 0.2), body='{"text": "∀ \\u0000 \' \\" %s :x"}')])
        assert stored == await store.event("room", 2) == await store.event_by_request("room", "ann", "r1")
        assert (stored.room, stored.number, stored.player, stored.time) == ("room", 2, "ann", 0.1 + 0.2)
        [outside] = await store.append(None, [NewEvent("traced", 4.0, "ann")])
        assert (outside.room, outside.number) == (None, None)
        assert [placed.event for placed in await store.all_events(0, 10)][1:] == [stored, outside]
        with pytest.raises(NoSuchRoom):
            await store.append("none", [LOADED])
        with pytest.raises(ValueError, match="needs a player"):
            await store.append("room", [replace(LOADED, player=None, request="r")])

    play(database_url, story)


def test_concurrent_appends_get_numbers_without_gaps(database_url: str) -> None:
    async def story(store: Store) -> None:
        second_store = await Store.open(database_url)
        batches = await asyncio.gather(
            *(
                (store, second_store)[batch % 2].append("room", [proposed(f"{batch}-{place}") for place in range(batch % 3 + 1)])
                for batch in range(50)
            )
        )
        await second_store.close()
        stored_numbers = [number for batch in batches for number in numbers(batch)]
        assert sorted(stored_numbers, key=lambda number: number or 0) == list(range(2, len(stored_numbers) + 2))
        for batch in batches:
            assert numbers(batch) == list(range(batch[0].number or 0, (batch[0].number or 0) + len(batch)))
        assert numbers(await store.events("room", 0, 1000)) == list(range(1, len(stored_numbers) + 2))
        assert await store.heads(["room"]) == {"room": len(stored_numbers) + 1}

    play(database_url, story)


def test_order_and_paging(database_url: str) -> None:
    async def story(store: Store) -> None:
        await store.append("room", [proposed(str(number)) for number in range(20)])
        await store.create_room(replace(ROOM, id="other", code=None, level=None), [LOADED])
        pages = [await store.events("room", after, 6) for after in (0, 6, 12, 18, 21)]
        assert [numbers(page) for page in pages] == [list(range(first, min(first + 6, 22))) for first in (1, 7, 13, 19, 22)]
        seen: list[Any] = []
        while page := await store.all_events(seen[-1].event.id if seen else 0, 4):
            assert len(page) <= 4
            seen += page
        assert [(placed.event.room, placed.event.number) for placed in seen] == [("room", number) for number in range(1, 22)] + [
            ("other", 1)
        ]
        assert {(placed.program, placed.level) for placed in seen} == {("hash", "squares"), ("hash", None)}

    play(database_url, story)


def test_a_repeated_request_is_stored_once(database_url: str) -> None:
    async def story(store: Store) -> None:
        async def ask(request: str) -> Event | Duplicate:
            try:
                return (await store.append("room", [proposed(request), LOADED]))[0]
            except Duplicate as known:
                return known

        answers = await asyncio.gather(*(ask(str(number % 3)) for number in range(15)))
        stored = {answer for answer in answers if isinstance(answer, Event)}
        assert {event.request for event in stored} == {"0", "1", "2"}
        assert {answer.event for answer in answers if isinstance(answer, Duplicate)} == stored
        assert numbers(await store.events("room", 0, 100)) == list(range(1, 8)), "of a refused call nothing is stored"
        await store.append("room", [proposed("0", player="bob")])

    play(database_url, story)


# Judging


def test_judging_is_compare_and_swap(database_url: str) -> None:
    async def story(store: Store) -> None:
        await store.append("room", [proposed(str(index)) for index in range(10)])
        second_store = await Store.open(database_url)
        answers = await asyncio.gather(
            *((store, second_store)[index % 2].judge("room", 0, f'{{"by": {index}}}', [judged(index + 2)]) for index in range(10))
        )
        await second_store.close()
        [winner] = [index for index, answer in enumerate(answers) if answer is not None]
        room = await store.room("room")
        assert room is not None
        assert (room.version, room.state, room.last_event) == (1, f'{{"by": {winner}}}', 12)
        assert await store.event("room", 12) == (answers[winner] or [])[0] == await store.answer_to("room", winner + 2)
        with pytest.raises(NoSuchRoom):
            await store.judge("none", 0, "{}", [judged(2)])

    play(database_url, story)


def test_an_answer_that_changes_nothing_keeps_the_version(database_url: str) -> None:
    async def story(store: Store) -> None:
        await store.append("room", [proposed("a"), proposed("b")])
        assert numbers(await store.judge("room", 0, None, [judged(2)])) == [4]
        assert numbers(await store.judge("room", 0, '{"new": 1}', [judged(3), NewEvent("solved", 3.0)])) == [5, 6]
        room = await store.room("room")
        assert room is not None
        assert (room.version, room.state) == (1, '{"new": 1}')
        [third] = await store.append("room", [proposed("c")])
        assert await store.judge("room", 0, None, [judged(third.number or 0)]) is None
        assert await store.answer_to("room", third.number or 0) is None

    play(database_url, story)


def test_nothing_is_answered_twice(database_url: str) -> None:
    async def story(store: Store) -> None:
        await store.append("room", [proposed("a")])
        second_store = await Store.open(database_url)

        async def answer(index: int) -> list[Event] | AlreadyAnswered | None:
            try:
                return await (store, second_store)[index % 2].judge("room", 0, None, [judged(2, index)])
            except AlreadyAnswered as known:
                return known

        answers = await asyncio.gather(*map(answer, range(12)))
        [stored] = [outcome[0] for outcome in answers if isinstance(outcome, list)]
        assert {outcome.event for outcome in answers if isinstance(outcome, AlreadyAnswered)} == {stored}
        assert len(answers) == 12
        assert None not in answers
        for version in (0, 7):
            with pytest.raises(AlreadyAnswered):
                await second_store.judge("room", version, '{"again": 1}', [judged(2)])
        await second_store.close()
        assert await version_of(store) == 0
        assert numbers(await store.events("room", 0, 10)) == [1, 2, 3]

    play(database_url, story)


def test_proposing_and_judging_at_once(database_url: str) -> None:
    async def story(store: Store) -> None:
        solved = NewEvent("solved", 3.0)
        events = await store.propose_and_judge("room", proposed("a"), 0, '{"n": 1}', [judged(OWN_PROPOSAL), solved])
        assert events is not None
        assert events == await store.events("room", 1, 10)
        assert [event.kind for event in events] == ["proposed", "judged", "solved"]
        assert [event.answers for event in events] == [None, 2, None]
        assert await store.propose_and_judge("room", proposed("b"), 0, "{}", [judged(OWN_PROPOSAL)]) is None
        for version in (0, 1):
            with pytest.raises(Duplicate) as known:
                await store.propose_and_judge("room", proposed("a"), version, "{}", [judged(OWN_PROPOSAL)])
            assert known.value.event == events[0]
        with pytest.raises(ValueError, match="answer the proposal"):
            await store.propose_and_judge("room", proposed("c"), 1, "{}", [LOADED])
        assert await version_of(store) == 1
        assert await store.heads(["room"]) == {"room": 4}
        assert await store.unanswered(100.0, 10) == []

    play(database_url, story)


def test_rooms_move_on_under_rivalry(database_url: str) -> None:
    """Each of many proposers repeats until its own answer is stored. Then versions and events add up."""

    async def story(store: Store) -> None:
        second_store = await Store.open(database_url)

        async def propose(index: int) -> None:
            own_store = (store, second_store)[index % 2]
            stored = None
            while stored is None:
                version = await version_of(own_store)
                stored = await own_store.propose_and_judge(
                    "room", proposed(str(index)), version, f"{index}", [judged(OWN_PROPOSAL)]
                )

        await asyncio.gather(*map(propose, range(12)))
        await second_store.close()
        assert await version_of(store) == 12
        kinds = [event.kind for event in await store.events("room", 1, 100)]
        assert kinds == ["proposed", "judged"] * 12

    play(database_url, story)


def test_unanswered_proposals_oldest_first(database_url: str) -> None:
    async def story(store: Store) -> None:
        await store.create_room(replace(ROOM, id="other", code=None), [LOADED])
        await store.append("room", [proposed("late", 9.0), proposed("first", 2.0), proposed("answered", 3.0)])
        await store.append("other", [proposed("second", 4.0)])
        await store.judge("room", 0, None, [judged(4)])
        requests = [event.request for event in await store.unanswered(9.0, 10)]
        assert requests == ["first", "second"]
        assert [event.request for event in await store.unanswered(99.0, 10, since=3.0)] == ["second", "late"]
        assert len(await store.unanswered(99.0, 2)) == 2

    play(database_url, story)


def test_events_of_a_player_and_of_a_program(database_url: str) -> None:
    async def story(store: Store) -> None:
        await store.put_program(ProgramRow("another", "", "", "bob", 1.0))
        await store.create_room(replace(ROOM, id="other", code=None, program="another", level=None), [LOADED])
        for room in ("room", "other"):
            await store.append(room, [proposed("a"), judged(2), proposed("b", player="bob")])
        anns_events = await store.events_of_player("ann", ["judged", "solved"])
        assert [placed.event.kind for placed in anns_events] == ["judged", "judged"]
        assert [(placed.program, placed.level) for placed in anns_events] == [("hash", "squares"), ("another", None)]
        assert [placed.event.room for placed in await store.events_of_player("bob", ["proposed"])] == ["room", "other"]
        crowd = await store.events_of_program("hash", ["judged", "proposed"], 10)
        assert [(event.room, event.kind) for event in crowd] == [("room", "proposed"), ("room", "judged"), ("room", "proposed")]
        assert await store.events_of_program("hash", ["judged", "proposed"], 1, after_id=crowd[1].id) == crowd[2:]

    play(database_url, story)


def test_events_are_append_only(database_url: str) -> None:
    async def story(store: Store) -> None:
        statements = ["UPDATE events SET body = ''", "DELETE FROM events"]
        if "postgresql" in database_url:
            statements += ["TRUNCATE events"]
        else:
            statements += ["REPLACE INTO events SELECT * FROM events"]
        for statement in statements:
            with pytest.raises((DBAPIError, StoreError), match="append-only"):
                await store.write(lambda connection, statement=statement: connection.execute(text(statement)))  # type: ignore[misc]
        assert len(await store.events("room", 0, 10)) == 1

    play(database_url, story)


# Verdicts, logs, counts


def test_verdicts_and_logs(database_url: str) -> None:
    async def story(store: Store) -> None:
        await asyncio.gather(*(store.put_verdicts("engine-1", [("key", '{"kind": "potential"}')], 1.0) for _ in range(5)))
        await store.put_verdicts("engine-2", [("newer", "{}"), ("key", "{}")], 1.0)
        assert await store.verdict("key") == '{"kind": "potential"}'
        assert await store.forget_verdicts("engine-2") == 1
        assert (await store.verdict("key"), await store.verdict("newer")) == (None, "{}")
        await store.put_logs("ann", "tab", [NewLog(float(time), "focus", f"{time}") for time in range(7)])
        await store.put_logs("bob", "tab", [NewLog(1.0, "pause")])
        await store.put_logs("bob", "tab", [])
        anns_logs = await store.logs_of("ann")
        assert [(log.session, log.time, log.kind, log.body) for log in anns_logs] == [
            ("tab", time, "focus", f"{time}") for time in range(7)
        ]
        assert [placed.log for placed in await store.all_logs(anns_logs[4].id, 2)] == anns_logs[5:]
        assert await store.counts() == {
            "programs": 1,
            "players": 2,
            "tokens": 2,
            "rooms": 1,
            "members": 1,
            "events": 1,
            "verdicts": 1,
            "logs": 8,
            "pruned": 0,
            "coordinators": 0,
            "studies": 0,
            "participants": 0,
            "secrets": 0,
            "lti_platforms": 0,
            "lti_courses": 0,
            "lti_students": 0,
            "lti_teachers": 0,
            "lti_links": 0,
            "lti_scores": 0,
            "lti_used": 0,
        } | dict.fromkeys(CLASS_TABLES, 0)

    play(database_url, story)


def test_a_secret_is_what_was_stored_first(database_url: str) -> None:
    async def story(store: Store) -> None:
        told = await asyncio.gather(*(store.secret("key", f"value {number}") for number in range(5)))
        assert len({*told, await store.secret("key", "another")}) == 1
        assert await store.secret("other key", "another") == "another"

    play(database_url, story)


def test_players_are_deleted_although_something_happens_in_their_rooms_at_that_moment(postgresql_url: str) -> None:
    """The room stayed, because its last event was another one than at the first look, and its owner could not be deleted."""

    async def story(store: Store) -> None:
        other = await asyncpg.connect(postgresql_url)
        happening = other.transaction()
        await happening.start()
        await other.execute("UPDATE rooms SET last_event = last_event + 1 WHERE id = 'room'")
        forgetting = asyncio.create_task(store.write(lambda connection: forget_player(connection, "ann", 9.0)))
        while not forgetting.done() and not await other.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
            await asyncio.sleep(0.01)
        await happening.commit()
        await other.close()
        assert await forgetting == ["room"]
        assert await store.room("room") is None
        assert await store.player("ann") is None
        with pytest.raises(PlayerDeleted):
            await store.create_room(replace(ROOM, id="another", code="DEF"), [LOADED])

    play(postgresql_url, story)
