"""No request holds the event loop up: the worst requests of every route, and what everything that players send goes through."""

from __future__ import annotations

import ast
import asyncio
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from idg.cli.main import main
from idg.coordinator import event_loop, texts
from idg.coordinator.bounds.rate_limits import LOOP_SECONDS_A_PERMIT, Buckets
from idg.coordinator.cache import ENTRY_BYTES, BytesCache
from idg.coordinator.errors import ApiError
from idg.coordinator.event_loop import LoopWatch, Metered, with_pauses
from idg.coordinator.players.scores import Tally
from idg.coordinator.pool.computing import analyses, text_calls
from idg.coordinator.pool.computing.traces import trace
from idg.coordinator.pool.json_text import dumps, record_text
from idg.coordinator.pool.lines import JsonText, object_text, read_with_texts, with_texts
from idg.coordinator.rooms import room_state
from idg.coordinator.rooms.live import live_room, open_rooms, open_sockets
from idg.coordinator.rooms.live.open_sockets import OpenSockets, TooManySockets
from idg.coordinator.rooms.room_state import FACTS_CHARS_MAX, FACTS_MAX, RoomState, read_state, read_tally
from idg.coordinator.settings import Settings
from idg.coordinator.store.records import TALLY_START
from idg.coordinator.web.metrics import Metrics
from idg.coordinator.web.models import BATCH_CHARS_MAX, BATCH_MAX
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.guard import Guard
from idg.coordinator.web.routes import catalog, classes, play, player, study, teaching
from idg.coordinator.web.routes import server as server_routes
from idg.engine.books import Books, LoopBooks, ShownState, books_from_json
from idg.engine.wire.events import OwnedFact
from idg.engine.wire.rooms import MemberAnswer
from tests.support.servers.clients import client
from tests.support.servers.coordinators import coordinating, room_of
from tests.support.servers.hostile.worst_requests import WorstRequests, many_loops, stalls
from tests.support.servers.hostile.worst_work import STUDY_TOML

pytest_plugins = ["tests.support.servers.servers"]

STALL_SECONDS_MAX = 0.2
"""Processor time that the event loop may work without a pause. The goal is 50 ms, which `make bench` measures; a machine with other
work may need some times as much. Each of the worst requests took from half a second to 50 seconds before."""
COORDINATOR = Path(texts.__file__).parent


def test_the_worst_requests_of_every_route_do_not_hold_up_the_loop(start_module_server: Any, tmp_path: Path) -> None:
    flags = ("--rate-player", "0", "--rate-address", "0", "--log-level", "warning", "--deadline-seconds", "5")
    server = start_module_server(*flags)
    definition = tmp_path / "study.toml"
    definition.write_text(STUDY_TOML, encoding="utf-8")
    assert main(["study", "open", str(definition), "--data", str(server.data)]) == 0

    async def story() -> None:
        async with client(server.url) as ann:
            before = await stalls(ann)
            async for name in WorstRequests(ann, with_study=True).run():
                after = await stalls(ann)
                longer = {seconds: after[seconds] - before[seconds] for seconds in after if seconds >= STALL_SECONDS_MAX}
                assert not any(longer.values()), f"{name}: seconds → stalls of at least that long: {longer}"

    asyncio.run(story())
    assert not server.complaints, "".join(server.complaints)


def test_every_route_with_a_body_leaves_long_bodies_to_a_text_worker() -> None:
    routes = [
        route for module in (catalog, play, player, study, classes, teaching, server_routes) for route in module.router.routes
    ]
    with_body = [route for route in routes if getattr(route, "body_field", None) is not None]
    assert len(with_body) >= 10
    for route in with_body:
        assert isinstance(route, StrictRoute), route


def test_only_workers_and_the_reader_of_short_texts_parse() -> None:
    """What parses programs or expressions in the coordinator's own process is in texts.py, which does so for short ones only;
    catalog.py parses the levels."""
    readers = {
        "load",
        "parse_expression",
        "parse_program",
        "Program",
        "print_expression",
        "program_answer",
        "import_c",
        "import_python",
    }
    allowed = {"texts.py", "catalog.py", "text_calls.py", "analyses.py", "foreign_texts.py"}
    for path in COORDINATOR.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("idg."):
                names = {alias.name for alias in node.names} & readers
                assert not names or path.name in allowed, f"{path}: {names}"


def test_a_full_room_is_told_quickly() -> None:
    """The room has as many facts as it can have, after a last batch of the largest kind."""
    facts = [
        f"{'res + ' * ((FACTS_CHARS_MAX + BATCH_CHARS_MAX) // (FACTS_MAX + BATCH_MAX) // 6)}{n} >= 0"
        for n in range(FACTS_MAX + BATCH_MAX)
    ]
    books = dumps({"version": 1, "loops": [{"inductive": facts[:500], "potential": facts[500:]}], "shown": [], "hints": []})
    feedback = '{"solved":false,"potential_suffices":false,"state":null,"message":""}'
    state = RoomState(books, "", feedback, {f"1: {fact}": "player" for fact in facts}, Tally())
    assert state.is_full
    start = time.thread_time()
    again = read_state(state.text())
    told = (*again.inductive(), *again.potential())
    record_text(MemberAnswer("p", "n", False, True, False))
    text = "".join(map(record_text, told))
    seconds = time.thread_time() - start
    assert told[0] == OwnedFact(1, facts[0], "player")
    assert len(text) > FACTS_CHARS_MAX
    assert seconds < STALL_SECONDS_MAX


def test_a_tally_is_found_at_the_end_of_a_state() -> None:
    """Whatever players write, nothing in a state looks like the start of the tally."""
    tally = Tally()
    tally.hinted("player", 3)
    hostile = 'x,"tally":{ \\",\\"tally\\":{'
    state = RoomState(dumps({"loops": [hostile]}), "", dumps({"message": hostile}), {hostile: hostile}, tally)
    text = state.text()
    assert text.count(TALLY_START) == 1
    assert read_tally(text[text.index(TALLY_START) :]).as_json() == tally.as_json()
    assert read_tally(text).as_json() == tally.as_json()


def test_long_texts_pass_unread_between_the_coordinator_and_its_workers() -> None:
    long = JsonText(dumps({"tab": "a\tb\nc", "quote": '"', "letters": "äß\u2028"}))
    head = read_with_texts(with_texts({"id": 7}, {"books": long, "count": 3}) + "\n")
    assert head == {"id": 7, "answer": {"books": long, "count": 3}}
    assert isinstance(head["answer"]["books"], JsonText)
    assert object_text({"books": JsonText("[1]"), "name": 'a"'}) == '{"books":[1],"name":"a\\""}'
    for wrong in ("", "{}\t1", '{"answer": {}, "texts": ["a", "b"]}\t1', '{"answer": {}, "texts": ["a"]}'):
        with pytest.raises((ValueError, LookupError)):
            read_with_texts(wrong)


def test_a_cache_is_bounded_in_bytes() -> None:
    cache: BytesCache[int, str] = BytesCache(10 * ENTRY_BYTES)
    for number in range(100):
        cache.put(number, "", 0)
    assert len(cache) == 10
    assert cache.get(90) == ""
    cache.put(100, "long", 8 * ENTRY_BYTES)
    assert (cache.get(90), cache.get(91), len(cache)) == ("", None, 2)
    cache.put(100, "short", 0)
    assert (cache.get(100), cache.bytes) == ("short", 2 * ENTRY_BYTES)
    cache.put(101, "too long", 11 * ENTRY_BYTES)
    assert (len(cache), cache.bytes) == (0, 0)


def test_the_watch_sees_work_that_does_not_pause() -> None:
    def work(seconds: float) -> None:
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    async def story() -> tuple[dict[float, int], float]:
        watch = LoopWatch()
        watch.start()
        await asyncio.sleep(0.1)
        work(0.3)
        await asyncio.sleep(0.1)
        watch.stop()
        return watch.stalls, watch.longest_cpu_seconds

    counts, longest = asyncio.run(story())
    assert counts[0.2] == 1
    assert longest >= 0.3


def test_long_lists_let_others_have_their_turn() -> None:
    async def story() -> int:
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        async for _ in with_pauses(range(20)):
            end = time.thread_time() + 0.006
            while time.thread_time() < end:
                pass
        task.cancel()
        return turns

    assert asyncio.run(story()) >= 10


def test_however_many_long_lists_there_are_others_wait_for_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them had a turn whenever another request had one, so a hundred of them held everybody up for half a second."""
    monkeypatch.setattr(event_loop, "WORK_SECONDS", -1.0)

    async def story() -> list[int]:
        pieces = 0

        async def long_work() -> None:
            nonlocal pieces
            async for _ in with_pauses(range(10)):
                pieces += 1

        tasks = [asyncio.create_task(long_work()) for _ in range(20)]
        await asyncio.sleep(0)
        tasks[3].cancel()
        seen = [pieces]
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            seen.append(pieces)
        assert pieces >= 19 * 10
        return [later - earlier for earlier, later in pairwise(seen)]

    assert max(asyncio.run(story())) == 1


def test_work_is_metered_and_behaves_as_before() -> None:
    async def work(how: str) -> str:
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        try:
            await asyncio.sleep(0.01 if how == "sleep" else 10)
        except asyncio.CancelledError:
            if how == "cancelled":
                raise
            return "went on"
        if how == "sleep":
            raise LookupError(how)
        return how

    async def outer(metered: Metered[str]) -> str:
        return await metered

    async def story() -> None:
        for how in ("cancelled", "kept"):
            metered = Metered(work(how))
            task = asyncio.create_task(outer(metered))
            await asyncio.sleep(0.05)
            task.cancel()
            [result] = await asyncio.gather(task, return_exceptions=True)
            assert isinstance(result, asyncio.CancelledError) if how == "cancelled" else result == "went on"
            assert metered.seconds >= 0.02
        metered = Metered(work("sleep"))
        with pytest.raises(LookupError):
            await metered
        assert metered.seconds < 0.5, "waiting is not counted"

    asyncio.run(story())


def test_requests_that_take_the_loop_long_count_as_several_of_their_address() -> None:
    """An address may make 200 requests a second, and progress files of 20 ms would have taken all of the loop's time."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        end = time.thread_time() + (20 * LOOP_SECONDS_A_PERMIT if scope["path"] == "/long" else 0.0)
        while time.thread_time() < end:
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def story() -> list[int]:
        statuses: list[int] = []
        now = 0.0
        guard = Guard(app, Settings(), Metrics(list), Buckets(2.0, lambda: now))

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        for path in (*["/short"] * 5, "/long", "/short"):
            scope = {"type": "http", "method": "GET", "path": path, "headers": [(b"host", b"localhost")], "client": ("1.2.3.4", 1)}
            await guard(scope, lambda: asyncio.sleep(0, {"type": "http.request"}), send)
        return statuses

    assert asyncio.run(story()) == [200] * 6 + [429]


def test_what_is_told_to_many_sockets_counts_for_whoever_causes_it(tmp_path: Path) -> None:
    """Two hundred known proposals a second in a room with a thousand sockets would have taken five processors."""

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await room_of(coordinator)
            for _ in range(1_000):
                live.listeners.add(asyncio.Event().set)
            for request in ("new", "known"):
                metered = Metered(coordinator.rooms.propose(live, actor, 1, "cnt <= m", request))
                await metered
                assert metered.seconds >= 2 * 1_000 * open_rooms.TELLING_SECONDS

    asyncio.run(story())


def test_a_room_has_no_more_sockets_than_can_be_told_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_sockets, "OF_ROOM_MAX", 2)
    sockets = OpenSockets(10, 10)
    with sockets.one_in("room"), sockets.one_in("other"):
        with sockets.one_in("room"), pytest.raises(TooManySockets), sockets.one_in("room"):
            pass
        with sockets.one_in("room"):
            pass


# Bounds, in a coordinator without processes.


def test_traces_are_not_stored_among_the_verdicts(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, pool):
            live, actor = await room_of(coordinator)
            await coordinator.questions.settled()
            before = (await coordinator.store.counts())["verdicts"]
            shown = await trace(coordinator.questions, live.entry, {"n": "3", "m": "2"}, actor.asking(live.id))
            assert '"rows_total":3' in shown
            await coordinator.questions.settled()
            assert (await coordinator.store.counts())["verdicts"] == before
            asked = len(pool.jobs)
            assert await trace(coordinator.questions, live.entry, {"n": "3", "m": "2"}, actor.asking(live.id)) == shown
            assert len(pool.jobs) == asked, "a short trace is remembered"

    asyncio.run(story())


def test_a_full_room_takes_no_more_until_its_reset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_state, "FACTS_MAX", 1)

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await room_of(coordinator)
            first = await coordinator.rooms.propose(live, actor, 1, "cnt <= m", "r-1")
            with pytest.raises(ApiError, match="as many expressions as it can hold") as refused:
                await coordinator.rooms.propose(live, actor, 1, "cnt >= 0", "r-2")
            assert refused.value.code == "room-full"
            # Whoever sends a request again gets its answer.
            assert (await coordinator.rooms.propose(live, actor, 1, "cnt <= m", "r-1")).event == first.event
            await coordinator.rooms.reset(live, actor)
            await coordinator.rooms.propose(live, actor, 1, "cnt >= 0", "r-2")

    asyncio.run(story())


def test_rooms_in_memory_and_what_is_told_at_once_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_rooms, "HISTORY_CHARS_MAX", 500)
    monkeypatch.setattr(live_room, "RECENT_CHARS_MAX", 500)

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            coordinator.open_rooms.bytes_max = 3 * live_room.ROOM_BYTES
            rooms = [await room_of(coordinator) for _ in range(6)]
            assert len(coordinator.open_rooms) <= 3
            live, actor = rooms[0]
            for number in range(30):
                await coordinator.rooms.propose(live, actor, 1, f"cnt <= {number}", None)
            events: list[tuple[int, str]] = []
            pages = 0
            while page := await coordinator.open_rooms.history(live, events[-1][0] if events else 0, 500):
                events += page
                pages += 1
            assert [number for number, _ in events] == list(range(1, live.head + 1))
            assert pages > 2
            assert sum(len(text) for _, text in live.recent) <= 500

    asyncio.run(story())


def test_programs_with_many_loops_or_variables_are_refused() -> None:
    for source, words in ((many_loops(101, 2), "101 loops"), (many_loops(20, 150), "3,020 variables")):
        refused = text_calls.CALLS["view"]({"source": source, "title": "t"})
        assert words in refused["refused"]
    assert "view" in text_calls.CALLS["view"]({"source": many_loops(100, 19), "title": "t"})


def test_books_forget_long_states() -> None:
    """States that only help to answer the next question make no books longer than they may be."""
    states = tuple({"x": 10**900 + number} for number in range(100))
    books = Books((LoopBooks(("x >= 0",)),), tuple(ShownState(1, state) for state in states[:50]), states)
    data = analyses._bounded(books)
    kept = books_from_json(data)
    assert kept.loops == books.loops
    assert kept.counterexamples == states[-len(kept.counterexamples) :]
    assert 30 < len(kept.counterexamples) < 100
    assert len(dumps(data)) < 3 * analyses.STATES_CHARS_MAX
