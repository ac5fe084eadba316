"""What the teacher's table says of time, progress and being stuck, from events whose times are given; and the store's part."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from idg.coordinator.classes.table import STUCK_SECONDS
from idg.coordinator.classes.work import (
    FALSE_CHARS_MAX,
    FALSE_SHOWN,
    GHOST_CHARS_MAX,
    LEVEL_WORK_BYTES,
    PAUSE_SECONDS,
    ROOM_BYTES,
    ClassesWork,
    ClassWork,
    LevelWork,
    PooledWork,
)
from idg.coordinator.errors import ApiError
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.store import Event, PlayerRow, ProgramRow, Store
from idg.coordinator.store.class_records import (
    AssignmentRow,
    ClassEnded,
    ClassFull,
    ClassRow,
    HandInRow,
    ItemRow,
    MessageRow,
    NameTaken,
    NotOnRoster,
)
from idg.engine.results import Fact, Kind
from idg.engine.wire.answers import BatchAnswer, FeedbackAnswer, JudgedFact, StateToRuleOut
from idg.engine.wire.places import Where
from idg.sip.record import replace
from tests.support.servers.coordinators import coordinating

pytest_plugins = ["tests.support.servers.databases"]

OPEN = FeedbackAnswer(False, False, None, "")


def happened(time: float, kind: str = "traced") -> Event:
    return Event(1, "room", 1, "ada", kind, time, "", "code", None, None, "{}")


def verdict(*facts: tuple[str, Kind]) -> BatchAnswer:
    return BatchAnswer(tuple(JudgedFact(1, text, kind) for text, kind in facts), (), (), (), (), False, OPEN)


def test_active_time_leaves_pauses_out() -> None:
    work = LevelWork()
    for time in (100.0, 110.0, 110.0 + PAUSE_SECONDS, 1000.0 + PAUSE_SECONDS, 1005.0 + PAUSE_SECONDS):
        work.seen(happened(time))
    assert work.seconds == 10.0 + PAUSE_SECONDS + 5.0
    assert work.is_active(1005.0 + 2 * PAUSE_SECONDS)
    assert not work.is_active(1006.0 + 2 * PAUSE_SECONDS)


def test_progress_is_an_accepted_fact() -> None:
    work = LevelWork()
    work.seen(happened(100.0))
    assert work.progressed == 100.0, "who begins is not stuck yet"
    work.seen(happened(200.0, "judged"))
    work.judged(verdict(("x = 1", Kind.NON_INVARIANT), ("y >= 0", Kind.TAUTOLOGY)), 200.0)
    assert work.progressed == 100.0
    work.judged(verdict(("x >= 0", Kind.POTENTIAL)), 300.0)
    assert work.progressed == 300.0
    assert work.kinds == {"non-invariant": 1, "type-tautology": 1, "potential": 1}
    assert STUCK_SECONDS > PAUSE_SECONDS, "otherwise who pauses would be stuck"


def test_the_last_false_facts_of_a_student_and_the_commonest_of_a_class() -> None:
    work, pooled = LevelWork(), PooledWork()
    for number in (*range(8), 3):
        wrong = verdict((f"x = {number}", Kind.NON_INVARIANT))
        work.judged(wrong, 1.0)
        pooled.judged(wrong, 1, "ada")
    assert [fact.text for fact in work.false_facts] == ["x = 4", "x = 5", "x = 6", "x = 7", "x = 3"]
    pooled.judged(verdict(("x = 6", Kind.NON_INVARIANT), ("x >= 0", Kind.POTENTIAL)), 2, "bob")
    common = pooled.commonest_false()
    assert common[0] == (Fact(1, "x = 6"), 2)
    assert len(common) == FALSE_SHOWN
    assert pooled.proposals.most_proposed() == [Fact(1, "x >= 0")]


def test_the_work_of_classes_is_bounded_in_bytes(tmp_path: Path) -> None:
    """It was bounded by the number of classes, and one class could take gigabytes: each student with many programs of their own."""
    long = "x" * (FALSE_CHARS_MAX + 1)
    work = LevelWork()
    work.judged(verdict((long, Kind.NON_INVARIANT)), 1.0)
    assert not work.false_facts
    state = StateToRuleOut(1, {"x": 10**GHOST_CHARS_MAX}, "assert", Where(1, 1, 0, 1), True)
    work.stands(replace(OPEN, state=state))
    assert work.ghost is None
    work.stands(replace(OPEN, state=replace(state, values={"x": 1})))
    assert work.ghost is not None

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            school, rooms = coordinator.school, coordinator.rooms
            teacher, _ = await coordinator.players.create("Teacher", agent=False)
            classes = []
            for name in ("A", "B", "C"):
                row, _ = await school.classes.make(name, "nickname", teacher, "")
                joined = await school.classes.join(row.code, "Ada", None, "")
                actor = ActingPlayer(joined.player)
                for level in ("multiply", "cube"):
                    entry = coordinator.catalog.level(level)
                    assert entry is not None
                    live = await rooms.create(entry, actor, "code", shared=False)
                    await rooms.propose(live, actor, 1, "n >= 1", None)
                classes.append(row)

            async def looked_at(row: ClassRow) -> ClassWork:
                return await school.work.of_class(row.id, await coordinator.store.students_of(row.id))

            first = await looked_at(classes[0])
            assert first.bytes >= 2 * ROOM_BYTES + 4 * LEVEL_WORK_BYTES
            assert first.bytes == 2 * ROOM_BYTES + sum(len(room.outline.tally) for room in first.rooms) + sum(
                done.bytes for done in (*first.work.values(), *first.pooled.values())
            )
            assert await looked_at(classes[0]) is first
            assert (await looked_at(classes[0])).bytes == first.bytes, "nothing is counted twice"
            school.work = ClassesWork(coordinator.store, coordinator.open_rooms, bytes_max=2 * first.bytes + 2_000)
            kept = [await looked_at(row) for row in classes]
            assert await looked_at(classes[2]) is kept[2]
            assert await looked_at(classes[0]) is not kept[0], "the one that was looked at first was forgotten"
            school.work = ClassesWork(coordinator.store, coordinator.open_rooms, bytes_max=first.bytes + 2_000)
            assert await looked_at(classes[0]) is not await looked_at(classes[0]), "one that is too large is not kept"

    asyncio.run(story())


def test_a_class_is_deleted_one_student_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gigabyte of events was deleted in one unit, and for five seconds nothing of others could be written."""

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            school, store = coordinator.school, coordinator.store
            teacher, _ = await coordinator.players.create("Teacher", agent=False)
            row, _ = await school.classes.make("A", "nickname", teacher, "")
            entry = coordinator.catalog.level("multiply")
            assert entry is not None
            rooms = set()
            for name in ("Ada", "Bob", "Cleo"):
                joined = await school.classes.join(row.code, name, None, "")
                live = await coordinator.rooms.create(entry, ActingPlayer(joined.player), "code", shared=False)
                rooms.add(live.id)
            left: list[int] = []
            delete = store.delete_student

            async def deleted(class_id: str, number: int, time: float) -> list[str]:
                gone = await delete(class_id, number, time)
                left.append(len(await store.students_of(class_id)))
                with pytest.raises(ApiError, match="archived"):
                    await school.classes.join(row.code, "Dan", None, "")
                return gone

            monkeypatch.setattr(store, "delete_student", deleted)
            assert set(await school.classes.delete(row)) == rooms
            assert left == [2, 1, 0]
            assert await store.school_class(row.id) is None

    asyncio.run(story())


PROGRAM = ProgramRow("hash", "source", "Mine", "teacher", 1.0)
CLASS = ClassRow("class", "Loops", "CODE", "secret", "nickname", 1.0)


def test_the_store_keeps_classes(database_url: str) -> None:
    async def work() -> None:
        store = await Store.open(database_url)
        try:
            await fill(store)
        finally:
            await store.close()

    asyncio.run(work())


async def fill(store: Store) -> None:
    await store.put_program(PROGRAM)
    for name in ("teacher", "ada", "bob", "cleo"):
        await store.new_player(PlayerRow(name, name, False, 1.0), f"token {name}", 1.0)
    await store.put_class(CLASS, "teacher")
    assert await store.class_by_code("CODE") == await store.class_by_secret("secret") == CLASS
    assert await store.teaches("class", "teacher")
    assert not await store.teaches("class", "ada")
    assert await store.classes_taught("teacher") == [CLASS]
    ada = await store.join_class("class", "Ada", "ada", "ada", "c1", 2.0, 2)
    assert ada.number == 1
    with pytest.raises(NameTaken):
        await store.join_class("class", "ADA", "ada", "bob", "c2", 2.0, 2)
    assert await store.add_names("class", [("Bob", "bob"), ("Ada", "ada")], 2) == 1
    with pytest.raises(ClassFull):
        await store.join_class("class", "Cleo", "cleo", "cleo", "c3", 2.0, 2)
    await store.change_class("class", {"joining": "roster"})
    with pytest.raises(NotOnRoster):
        await store.join_class("class", "Cleo", "cleo", "cleo", "c3", 2.0, 9)
    bob = await store.join_class("class", "bob", "bob", "bob", "c2", 3.0, 2)
    assert (bob.number, bob.name) == (2, "Bob")
    assert await store.student_by_code("c2") == await store.student_of_player("bob") == bob

    row = AssignmentRow("class", 0, "Work", "", False, False, None, 50.0, 10, 0, 0, 4.0)
    item = ItemRow("class", 0, 1, PROGRAM.hash, None, "One", "")
    assert [await store.put_assignment(row, [item], [PROGRAM], 2, 10) for _ in range(2)] == [1, 2]
    with pytest.raises(ClassFull):
        await store.put_assignment(row, [item], [PROGRAM], 2, 10)
    assert await store.put_assignment(replace(row, number=9), [item], [PROGRAM], 2, 10) == 0
    assert await store.assignment_without_hints("ada", PROGRAM.hash, None, 10.0) == "Work"
    assert await store.assignment_without_hints("ada", "program of a later version", None, 10.0) is None
    assert await store.put_assignment(replace(row, number=2), [replace(item, level="one")], [], 2, 10) == 2
    assert await store.assignment_without_hints("ada", "program of a later version", "one", 10.0) == "Work"
    assert await store.assignment_without_hints("ada", PROGRAM.hash, None, 60.0) is None
    assert await store.assignment_without_hints("cleo", PROGRAM.hash, None, 10.0) is None
    sent = HandInRow("class", 1, 1, 1, 5.0, False, "room", 7, "{}")
    assert await store.put_hand_ins([sent]) == [sent]
    assert await store.put_hand_ins([replace(sent, late=True, points=9)]) == []
    assert await store.put_hand_ins([replace(sent, points=6)]) == [], "nobody takes points away from somebody else of a pair"
    assert await store.hand_ins_of("class", 1) == [sent]
    assert await store.hand_ins_of("class", 2) == []
    message = await store.put_message(MessageRow(0, "class", 1, "hint", "Look", None, 6.0), 2)
    everybody = await store.put_message(MessageRow(0, "class", None, "hint", "Look, all", None, 6.0), 2)
    with pytest.raises(ClassFull):
        await store.put_message(message, 2)
    assert await store.messages_of("class", 1, 9) == [message, everybody]
    assert await store.messages_of("class", 2, 9) == [everybody]
    # Programs and players that a class needs are not deleted as unused.
    assert await store.delete_unused_programs(1e9, 10) == 0
    assert await store.delete_idle_players(1e9, 10) == 1, "only Cleo"
    await store.change_class("class", {"archived": 9.0})
    with pytest.raises(ClassEnded):
        await store.add_names("class", [("Dan", "dan")], 9)
    assert await store.delete_class("class", 10.0) == []
    counts = await store.counts()
    assert not any(counts[table] for table in counts if table.startswith(("class", "assign", "hand")))
    assert counts["players"] == 1, "the teacher stays"
