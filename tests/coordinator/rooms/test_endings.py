"""The second mark of rooms: measures and runs that never end, from the proposal to the replay."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import update

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.players.progress import export_progress, import_progress
from idg.coordinator.players.scores import Tally
from idg.coordinator.pool.jobs import Failed, Job
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.rooms.judging.replay import replay
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.room_state import read_state
from idg.coordinator.store.schema import rooms
from idg.coordinator.web.models import Progress
from idg.engine.termination.results import EndlessKind, MeasureKind
from idg.engine.wire.answers import BatchAnswer, ProposalAnswer
from idg.engine.wire.codec import decode, decode_any, encode
from idg.engine.wire.endings import EndlessJudged, MeasureJudged
from idg.engine.wire.events import GivenHint, JudgedAgain, ProgramEnded, ProposalVerdict
from tests.support.programs.ending_programs import GCD
from tests.support.servers.clients import client, events_until
from tests.support.servers.coordinators import coordinating

pytest_plugins = ["tests.support.servers.servers"]

MEASURE = "decreases m - cnt"
"""A measure of the level 'multiply' that nothing else is needed for."""
TURNING = "fn main(n: int) {\n  var x: int;\n  x := n;\n  while (x != 0) {\n    x := -x;\n  }\n  assert(x = 0);\n}\n"
"""It ends for n = 0 only: otherwise it comes back to its first state after two turns."""


async def opened(coordinator: Coordinator, source: str | None = None) -> tuple[LiveRoom, ActingPlayer]:
    player, _ = await coordinator.players.create("Ann", False)
    actor = ActingPlayer(player.id)
    entry: CatalogEntry | None = coordinator.catalog.level("multiply")
    if source is not None:
        entry = await coordinator.catalog.checked(source, "Mine", actor.asking("test"))
    assert entry is not None
    await coordinator.put_program(entry, actor)
    return await coordinator.rooms.create(entry, actor, "code", shared=False), actor


async def proposed(coordinator: Coordinator, live: LiveRoom, actor: ActingPlayer, text: str, loop: int = 1) -> Any:
    judged = await coordinator.rooms.propose(live, actor, loop, text, None)
    return decode_any(ProposalVerdict, json.loads(judged.event.body))


async def kinds(coordinator: Coordinator, room: str) -> list[str]:
    return [event.kind for event in await coordinator.store.events(room, 0, 100)]


def test_a_measure_is_proposed_like_a_fact_and_gives_the_second_mark(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await opened(coordinator)
            assert (live.answer().ends, live.answer().ending, live.answer().measures) == ("", None, ())
            answer = await proposed(coordinator, live, actor, "decreases  m-cnt")
            assert isinstance(answer, MeasureJudged)
            assert (answer.expression, answer.kind) == (MEASURE, MeasureKind.FALLS)
            assert answer.ending.status == "ends"
            room = live.answer()
            assert (room.ends, room.solved) == ("ends", False)
            assert [(owned.text, owned.player, owned.proved) for owned in room.measures] == [("m - cnt", actor.player, True)]
            assert await kinds(coordinator, live.id) == ["loaded", "proposed", "judged", "ended"]
            [*_, event] = await coordinator.store.events(live.id, 0, 100)
            assert decode(ProgramEnded, json.loads(event.body)).credited == (actor.player,)
            assert live.state.tally.proposals == 0, "the medal for few proposals is about facts"
            assert (await coordinator.earnings.score(actor.player, live)).ends
            # The two marks do not depend on each other, and the mark is given once.
            await proposed(coordinator, live, actor, "res = n * cnt & cnt <= m")
            assert live.answer().solved
            await proposed(coordinator, live, actor, MEASURE)
            assert (await kinds(coordinator, live.id)).count("ended") == 1
            assert read_state(live.state.text()).text() == live.state.text()
            assert (await replay(coordinator.store, coordinator.pool, live.id)).same
            await coordinator.rooms.reset(live, actor)
            assert (live.answer().ends, live.answer().ending, live.answer().measures) == ("", None, ())
            assert (await coordinator.earnings.score(actor.player, live)).ends
            assert (await replay(coordinator.store, coordinator.pool, live.id)).same

    asyncio.run(story())


def test_a_measure_that_may_not_fall_waits_for_facts_and_is_proved_by_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await opened(coordinator, GCD)
            wrong = await proposed(coordinator, live, actor, "decreases a")
            assert wrong.kind is MeasureKind.DOES_NOT_FALL
            assert wrong.report.turn.inputs is not None, "a run shows it"
            assert (wrong.measures, live.answer().measures) == ((), ())
            waits = await proposed(coordinator, live, actor, "decreases a + b")
            assert waits.kind is MeasureKind.MAY_NOT_FALL
            assert waits.report.turn is not None
            assert (live.answer().ends, live.answer().ending is not None) == ("", True)
            one = await proposed(coordinator, live, actor, "a > 0")
            assert isinstance(one, ProposalAnswer)
            assert one.measures_proved == ()
            both = await proposed(coordinator, live, actor, "b > 0")
            assert [measure.text for measure in both.measures_proved] == ["a + b"]
            assert both.ending is not None
            assert (both.ending.status, live.answer().ends) == ("ends", "ends")
            assert (await replay(coordinator.store, coordinator.pool, live.id)).same

    asyncio.run(story())


def test_hints_lead_to_the_second_mark_and_are_replayed(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await opened(coordinator)
            await proposed(coordinator, live, actor, "res = n * cnt & cnt <= m")
            given = [await coordinator.rooms.hint(live, actor, AsyncMock(return_value=100)) for _ in range(3)]
            hints = [decode(GivenHint, json.loads(event.body)) for event in given]
            assert [(hint.step, hint.left, hint.coins) for hint in hints] == [
                ("falls", 2, 2),
                ("measure-template", 1, 10),
                ("measure", 0, 20),
            ]
            with pytest.raises(ApiError, match="the last one says it"):
                await coordinator.rooms.hint(live, actor, AsyncMock(return_value=100))
            await proposed(coordinator, live, actor, hints[-1].expression or "")
            assert live.answer().ends == "ends"
            with pytest.raises(ApiError, match="nothing left to hint at"):
                await coordinator.rooms.hint(live, actor, AsyncMock(return_value=100))
            assert read_state(live.state.text()).text() == live.state.text()
            assert (await replay(coordinator.store, coordinator.pool, live.id)).same

    asyncio.run(story())


def test_a_run_that_never_ends_is_found_by_the_player_and_confirmed(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await opened(coordinator, TURNING)
            ends = await proposed(coordinator, live, actor, "endless n = 0")
            assert isinstance(ends, EndlessJudged)
            assert ends.kind is EndlessKind.RUN_ENDS
            assert live.answer().ends == ""
            never = await proposed(coordinator, live, actor, "endless n=3")
            assert (never.expression, never.kind) == ("endless n = 3", EndlessKind.NEVER_ENDS)
            assert never.ending.run is not None
            assert (never.ending.run.row, never.ending.run.again) == (0, 2)
            assert live.answer().ends == "never ends"
            # What is proposed later does not take it back, and no measure can be proved.
            assert (await proposed(coordinator, live, actor, "decreases abs(x)")).kind is MeasureKind.DOES_NOT_FALL
            told = live.answer().ending
            assert told is not None
            assert told.status == "never ends"
            with pytest.raises(Exception, match="not an input"):
                await proposed(coordinator, live, actor, "endless y = 3")
            assert (await replay(coordinator.store, coordinator.pool, live.id)).same

    asyncio.run(story())


def test_batches_and_progress_files_bring_measures_and_runs(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await opened(coordinator, GCD)
            moves = [(1, "decreases a + b"), (1, "a > 0"), (1, "b > 0"), (1, "decreases b")]
            judged = await coordinator.rooms.propose_many(live, actor, moves, None)
            batch = decode(BatchAnswer, json.loads(judged.event.body))
            assert [(claim.text, claim.kind) for claim in batch.moves] == [
                ("decreases a + b", "falls"),
                ("decreases b", "does-not-fall"),
            ]
            assert [str(fact.kind) for fact in batch.kinds] == ["inductive", "inductive"]
            assert live.answer().ends == "ends"
            row = await coordinator.store.player(actor.player)
            assert row is not None
            file = encode(await export_progress(coordinator, row))
            [saved] = file["rooms"]
            assert saved["facts"][-1] == {"loop": 1, "expression": "decreases a + b", "kind": "falls"}
            other, _ = await coordinator.players.create("Bob", False)
            # Without the seal, the engine alone gives the mark.
            unsealed = Progress.model_validate(file | {"seal": ""})
            _, [imported] = await import_progress(coordinator, ActingPlayer(other.id), unsealed)
            assert (imported.ends, [claim.kind for claim in imported.moves]) == ("ends", ["falls"])
            assert (await replay(coordinator.store, coordinator.pool, imported.room)).same

    asyncio.run(story())


def test_an_analysis_that_a_limit_ends_says_unknown_and_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await opened(coordinator)
            asked = coordinator.pool.ask

            async def fails(job: Job) -> Any:
                if job.call == "propose":
                    raise Failed("time", 1, "")
                return await asked(job)

            with monkeypatch.context() as patched:
                patched.setattr(coordinator.pool, "ask", fails)
                answer = await proposed(coordinator, live, actor, MEASURE)
                claim = await proposed(coordinator, live, actor, "endless n = 3, m = 2")
            assert (answer.kind, answer.limited, live.answer().measures) == (MeasureKind.UNKNOWN, "time", ())
            assert (claim.kind, claim.limited, live.answer().ends) == (EndlessKind.NOT_SHOWN, "time", "")
            assert (await replay(coordinator.store, coordinator.pool, live.id)).same

    asyncio.run(story())


def test_a_room_of_another_engine_is_judged_again_with_its_measures(tmp_path: Path) -> None:
    """Its mark is not believed meanwhile, and measures that fell are told."""

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await opened(coordinator)
            await proposed(coordinator, live, actor, MEASURE)
            row = await coordinator.store.room(live.id)
            assert row is not None
            state = json.loads(row.state)
            state["books"]["loops"][0] |= {"measure": "", "waiting_measures": ["res"]}
            changes = {"engine": "3", "version": row.version + 1, "state": json.dumps(state, separators=(",", ":"))}
            statement = update(rooms).where(rooms.c.id == live.id).values(changes)
            await coordinator.store.write(lambda connection: connection.execute(statement))
            await coordinator.open_rooms.reload(live)
            assert (live.answer().ends, live.answer().judging_again) == ("", True)
            await coordinator.rejudging.settle(live)
            assert live.answer().ends == "ends"
            [*_, event] = await coordinator.store.events(live.id, 0, 100)
            told = decode(JudgedAgain, json.loads(event.body))
            assert (told.had_ended, told.ends, [owned.text for owned in told.measures]) == ("ends", "ends", ["m - cnt"])
            assert told.fallen_measures == (), "another measure of the loop is proved"
            assert (await replay(coordinator.store, coordinator.pool, live.id)).same

    asyncio.run(story())


def test_states_of_rooms_that_know_nothing_of_ends_still_load() -> None:
    old = (
        '{"authors":{"1: i <= n":"ann"},"books":{"version":1,"loops":[{"inductive":["i <= n"],"potential":[]}],"shown":[],'
        '"hints":[]},'
        '"feedback":{"solved":false,"potential_suffices":false,"state":null,"message":""},"hints":{"plan":[],"target":null,"taken":0,'
        '"given":[]},"tally":{"proposals":1,"hints":0,"imported":false,"solved":false,"known":{},"states":{},"parts":{}}}'
    )
    state = read_state(old)
    assert (state.measures(), state.ending_report(), state.endless, state.tally.ends) == ((), None, None, "")
    assert state.text() == old
    assert Tally(json.loads(old)["tally"]).as_json() == json.loads(old)["tally"]


def test_everyone_in_a_room_hears_of_the_second_mark(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            opened_room = await ann.open("multiply", shared=True)
            room = opened_room["room"]["room"]
            (await bob.post("/api/rooms/join", {"code": opened_room["room"]["code"]})).ok()
            async with bob.watch(room) as socket:
                judged = await ann.judged(room, MEASURE)
                assert (judged["kind"], judged["score"]["ends"]) == ("falls", True)
                events = await ann.events(room)
                heard = await events_until(socket, events[-1]["number"])
            assert [event["kind"] for event in heard][-3:] == ["proposed", "judged", "ended"]
            assert (await bob.get(f"/api/rooms/{room}")).ok()["ends"] == "ends"
            assert (await ann.get("/api/rooms")).ok()["rooms"][0]["ends"] == "ends"
            assert (await ann.get("/api/players/me/scores")).ok()["levels"]["multiply"]["ends"] is True
            (await ann.propose(room, "decreases")).refused("bad-text", "expression")
            (await ann.propose(room, "endless n = -3, m = 2")).refused("bad-inputs", "expression")

    asyncio.run(story())
