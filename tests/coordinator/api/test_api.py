"""Levels, programs, traces, players and the server's own routes, over HTTP against a running server."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Message

from idg.coordinator.bounds.quotas import Quotas
from idg.coordinator.bounds.totals import Totals
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.players.players import CONTINUE_CODE_SECONDS, Players
from idg.coordinator.settings import Settings
from idg.coordinator.store import Store
from idg.coordinator.web.app import create_app
from idg.levels import all_levels
from tests.support.servers.clients import COUNTING, client, error_of

pytest_plugins = ["tests.support.servers.servers"]

ENDLESS = "fn main(n: nat) {\n  var i: int;\n  i := 0;\n  while (i >= 0) {\n    i := i + 1;\n  }\n  assert(i = n);\n}\n"
DOUBLING = "fn main(n: nat) {\n  var i: int;\n  i := 2;\n  while (n > 0) {\n    i := i * i;\n  }\n  assert(i = n);\n}\n"
CHOOSING = (
    "fn main(n: nat) {\n  var i, j: int;\n  i := 0;\n  j := 0;\n  while (i < n) {\n    i := i + 1;\n"
    "    cassign([j], 0 <= j & j <= 100);\n  }\n  assert(i = n);\n}\n"
)


def test_levels(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            listed = (await ann.get("/api/levels")).ok()
            assert [level["level"] for level in listed["levels"]] == [level.id for level in all_levels()]
            assert {item["world"] for item in listed["levels"]} == {item["id"] for item in listed["worlds"]}
            level = (await ann.get("/api/levels/int-square-root")).ok()
            assert level["trace"]["loops"][0]["rows"]
            source = level["source"]
            place = level["loops"][0]["test"]["where"]
            assert source[place["start"] : place["end"]] == level["loops"][0]["test"]["text"]
            [promised] = level["guarantee"]["expressions"]
            assert source[promised["where"]["start"] : promised["where"]["end"]]
            assert "solution" not in json.dumps(listed) + json.dumps(level)
            (await ann.get("/api/levels/no-such-level")).refused("not-found")
            (await ann.get("/api/levels/No_Level")).refused("bad-request", "level")
            reference = (await ann.get("/api/reference")).ok()
            assert {operator["token"] for operator in reference["operators"]} >= {"+", "<=", "->"}
            assert reference["functions"]
            assert reference["words"]

    asyncio.run(story())


def test_every_level_opens(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            for level in all_levels():
                shown = (await ann.get(f"/api/levels/{level.id}")).ok()
                assert shown["trace"]["loops"][0]["rows"], level.id
                assert shown["guarantee_text"] == level.guarantee

    asyncio.run(story())


def test_own_programs_are_kept_once(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob:
            answer = await ann.post("/api/programs", {"source": COUNTING, "title": "Counting"})
            assert "idg_token=" in answer.headers["set-cookie"]
            shown = answer.ok()
            assert shown["guarantee_text"] == "i = n"
            assert shown["trace"]["loops"][0]["rows_total"] > 1
            rows = await count(server, "programs")
            assert (await bob.post("/api/programs", {"source": COUNTING.replace("\n", "\r\n")})).ok()["program"] == shown["program"]
            assert await count(server, "programs") == rows
            assert (await bob.get(f"/api/programs/{shown['program']}")).ok() == shown
            (await bob.get(f"/api/programs/{'0' * 32}")).refused("not-found")
            (await bob.get("/api/programs/xyz")).refused("bad-request", "program")

    asyncio.run(story())


async def count(server: Any, table: str) -> int:
    async with client(server.url, server.admin_token) as admin:
        count: int = (await admin.get("/api/admin/stats")).ok()["rows"][table]
        return count


@pytest.mark.parametrize(("source", "complaint"), [
    ("fn main(n: nat) {\n  assert(n >= 0);\n}\n", "no loop"),
    ("fn main(n: nat) {\n  while (n > 100) {\n    n := n - 1;\n  }\n}\n", "promises nothing"),
])  # fmt: skip
def test_own_programs_need_a_loop_and_a_guarantee(server: Any, source: str, complaint: str) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            error = (await ann.post("/api/programs", {"source": source})).refused("bad-text", "source")
            assert complaint in error["message"]
            assert error["hint"]

    asyncio.run(story())


def test_wrong_programs_are_told_with_positions(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            rows = await count(server, "programs")
            source = COUNTING.replace("i := 0;", "k := 0;").replace("i + 1", "x + 1")
            error = (await ann.post("/api/programs", {"source": source})).refused("bad-text", "source")
            assert (error["where"]["line"], error["where"]["column"]) == (3, 3)
            assert [problem["where"]["line"] for problem in error["problems"]] == [3, 5]
            for wrong in ("", " ", "x", "fn", COUNTING + "}", COUNTING[:-3], "é" * 10, "fn main() {" * 1_000):
                answer = await ann.post("/api/programs", {"source": wrong})
                assert error_of(answer)["code"] == ("bad-request" if not wrong else "bad-text"), wrong
            (await ann.post("/api/programs", {"source": COUNTING + " " * 400_000})).refused("bad-request", "source")
            (await ann.post("/api/programs", {"source": COUNTING, "title": "a\nb"})).refused("bad-request", "title")
            assert await count(server, "programs") == rows

    asyncio.run(story())


def test_traces(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become()
            program = (await ann.get("/api/levels/multiply")).ok()["program"]
            path = f"/api/programs/{program}/traces"
            run = (await ann.post(path, {"inputs": {"n": "3", "m": "4"}})).ok()
            assert [row[-2:] for row in run["loops"][0]["rows"]] == [[str(3 * turn), str(turn)] for turn in range(5)]
            [cut] = (await ann.post(path, {"inputs": {"n": "3", "m": "4"}, "limit": 2})).ok()["loops"]
            assert (len(cut["rows"]), cut["rows_total"]) == (2, 5)
            [rest] = (await ann.post(path, {"inputs": {"n": "3", "m": "4"}, "offset": 2})).ok()["loops"]
            assert cut["rows"] + rest["rows"] == run["loops"][0]["rows"]
            assert (rest["offset"], rest["rows_total"]) == (2, 5)
            [none] = (await ann.post(path, {"inputs": {"n": "3", "m": "4"}, "offset": 9})).ok()["loops"]
            assert (none["rows"], none["rows_total"]) == ([], 5)
            large = (await ann.post(path, {"inputs": {"n": "9" * 1_000, "m": "2"}})).ok()
            assert "9" * 1_000 in json.dumps(large["loops"])
            for inputs in ({}, {"n": "1"}, {"n": "1", "m": "x"}, {"n": "-1", "m": "1"}, {"n": "1", "m": "1", "k": "1"},
                           {"n": "1/2", "m": "1"}, {"n": "", "m": "1"}, {"n": "true", "m": "1"}):  # fmt: skip
                (await ann.post(path, {"inputs": inputs})).refused("bad-inputs", "inputs")
            (await ann.post(path, {"inputs": {"n": "9" * 1_101, "m": "2"}})).refused("bad-request", "inputs.n")
            (await ann.post(path, {"inputs": {"n": 1, "m": 2}})).refused("bad-request", "inputs.n")
            for cells in ([1], [["1"]], ["9" * 1_101], ["1"] * 1_001):
                (await ann.post(path, {"inputs": {"n": cells, "m": "2"}})).refused("bad-request", "inputs.n")
            (await ann.post(path, {"inputs": {"n": ["1"], "m": "2"}})).refused("bad-inputs", "inputs")
            many = {name: ["1"] * 900 for name in "nmk"}
            (await ann.post(path, {"inputs": many})).refused("bad-request", "inputs")
            (await ann.post(path, {"inputs": {"n": "1", "m": "2"}, "loop": 2})).refused("no-such-loop", "loop")
            (await ann.post(path, {"inputs": {"n": "1", "m": "2"}, "seed": -1})).refused("bad-request", "seed")
            (await ann.post(path, {"inputs": {"n": "1", "m": "2"}, "limit": 0})).refused("bad-request", "limit")
            (await ann.post(f"/api/programs/{'0' * 32}/traces", {"inputs": {}})).refused("not-found")

    asyncio.run(story())


def test_a_refuting_run_can_be_asked_for_with_its_choices(server: Any) -> None:
    """The table then shows the very rows that refuted the fact, also where variables start unusually."""

    async def story() -> None:
        async with client(server.url) as ann:
            opened = await ann.open("handfuls")
            path = f"/api/programs/{opened['program']['program']}/traces"
            for fact in ("take <= 3", "trips < 2"):
                verdict = (await ann.propose(opened["room"]["room"], fact)).ok()["event"]["body"]
                assert verdict["kind"] == "non-invariant"
                run = verdict["run"]
                assert run["choices"]
                choices = [list(choice["values"].values()) for choice in run["choices"]]
                asked = {"inputs": run["inputs"], "seed": run["seed"], "choices": choices, "room": opened["room"]["room"]}
                [loop] = (await ann.post(path, asked)).ok()["loops"]
                assert loop["rows"][run["first_row"] : run["row"] + 1] == run["rows"]
            events = (await ann.get(f"/api/rooms/{opened['room']['room']}/events")).ok()["events"]
            assert events[-1]["kind"] == "traced"
            assert events[-1]["body"]["choices"] == choices
            inputs = {"apples": "5"}
            [loop] = (await ann.post(path, {"inputs": inputs, "choices": [["77"], ["2"]]})).ok()["loops"]
            assert [row[-1] for row in loop["rows"][:2]] == ["77", "2"]
            for unfit in ([["1", "2"]], [["0"], ["4"]], [["x"]], [["1/2"]]):
                (await ann.post(path, {"inputs": inputs, "choices": unfit})).refused("bad-inputs", "choices")
            for malformed in ("1", [1], [["0"] * 201], [[7]], [["0"]] * 4_001):
                (await ann.post(path, {"inputs": inputs, "choices": malformed})).refused("bad-request")

    asyncio.run(story())


def test_traces_of_any_loop_with_any_seed(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            level = next(level for level in all_levels() if len(level.program().loops) > 1)
            program = (await ann.get(f"/api/levels/{level.id}")).ok()["program"]
            await ann.become()
            loops = (await ann.post(f"/api/programs/{program}/traces", {"inputs": level.inputs})).ok()["loops"]
            for number in (1, 2):
                body = {"inputs": level.inputs, "loop": number}
                assert (await ann.post(f"/api/programs/{program}/traces", body)).ok()["loops"] == [loops[number - 1]]
            program = (await ann.post("/api/programs", {"source": CHOOSING})).ok()["program"]
            runs = [
                (await ann.post(f"/api/programs/{program}/traces", {"inputs": {"n": "5"}, "seed": seed})).ok()["loops"]
                for seed in (1, 2, 1)
            ]
            assert runs[0] == runs[2] != runs[1]

    asyncio.run(story())


def test_programs_are_assessed(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            program = (await ann.post("/api/programs", {"source": COUNTING})).ok()["program"]
            assessed = (await ann.get(f"/api/programs/{program}/assessment")).ok()
            assert assessed["outcome"] == "solved"
            assert 1 <= assessed["difficulty"] <= 5
            wrong = (await ann.post("/api/programs", {"source": COUNTING.replace("(i = n)", "(i = n + 1)")})).ok()["program"]
            assert (await ann.get(f"/api/programs/{wrong}/assessment")).ok()["outcome"] == "refuted"
            (await ann.get(f"/api/programs/{'0' * 32}/assessment")).refused("not-found")

    asyncio.run(story())


def test_runs_that_do_not_end_or_grow_are_cut(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            for source, cause in ((ENDLESS, "rows"), (DOUBLING, "number-too-large")):
                shown = (await ann.post("/api/programs", {"source": source})).ok()
                body = {"inputs": {"n": "3"}, "limit": 5}
                run = (await ann.post(f"/api/programs/{shown['program']}/traces", body)).ok()
                assert run["outcome"]["kind"] != "returned"
                assert run["outcome"]["cause"] == cause
                assert len(run["loops"][0]["rows"]) == 5

    asyncio.run(story())


def test_players_are_anonymous_until_they_choose_a_name(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            (await ann.get("/api/players/me")).refused("no-token")
            (await ann.get("/api/players/me", headers={"Authorization": "Bearer wrong"})).refused("wrong-token")
            (await ann.get("/api/players/me", headers={"Authorization": "Bearer " + "x" * 201})).refused("no-token")
            account = await ann.become()
            assert re.fullmatch(r"[A-Z][a-z]+ \d\d", account["name"])
            token = account.pop("token")
            assert (await ann.get("/api/players/me")).ok() == account
            async with client(server.url, token) as second:
                assert (await second.get("/api/players/me")).ok() == account
                renamed = (await second.ask("PATCH", "/api/players/me", {"name": "  Žofie 💡 "})).ok()
                assert renamed == account | {"name": "Žofie 💡"}
            assert (await ann.get("/api/players/me")).ok()["name"] == "Žofie 💡"
            for name in ("", "  ", "x" * 41, "a\nb", "a\u202eb", "\u200b", "\u200d", 5, None, ["a"]):
                (await ann.ask("PATCH", "/api/players/me", {"name": name})).refused("bad-request", "name")
            assert (await ann.get("/api/players/me")).ok()["name"] == "Žofie 💡"

    asyncio.run(story())


def test_a_code_continues_on_another_device_once(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as phone:
            account = await ann.become("Ann")
            room = await ann.room("multiply")
            await ann.judged(room, "cnt <= m")
            code = (await ann.post("/api/players/me/codes")).ok()["code"]
            continued = (await phone.post("/api/players/continue", {"code": code.lower()})).ok()
            assert (continued["player"], continued["name"]) == (account["player"], "Ann")
            assert continued["token"] != account["token"]
            assert (await phone.open("multiply"))["room"]["room"] == room
            async with client(server.url) as eve:
                (await eve.post("/api/players/continue", {"code": code})).refused("wrong-code")
                (await eve.post("/api/players/continue", {"code": "ABCDEFGH"})).refused("wrong-code")
                (await eve.post("/api/players/continue", {"code": "?"})).refused("bad-request", "code")
                # A code cannot be used as a token.
                (await eve.get("/api/players/me", headers={"Authorization": f"Bearer {code}"})).refused("wrong-token")
            # Nothing is earned again there, and new proofs count for both.
            assert (await phone.judged(room, "cnt <= m"))["earned"] == {"coins": 0, "gem": False, "medals": []}
            assert (await phone.judged(room, "res = n * cnt"))["earned"]["gem"] is True
            assert (await ann.get("/api/players/me/scores")).json == (await phone.get("/api/players/me/scores")).json
            forgotten = await phone.post("/api/players/me/forget")
            assert forgotten.ok() == {}
            assert 'idg_token=""' in forgotten.headers["set-cookie"]
            async with client(server.url, continued["token"]) as thief:
                (await thief.get("/api/players/me")).refused("wrong-token")
            assert (await ann.get("/api/players/me")).ok()["player"] == account["player"]

    asyncio.run(story())


def test_a_code_is_too_old_after_a_quarter_of_an_hour(tmp_path: Path) -> None:
    async def story() -> None:
        time_now = 1000.0
        store = await Store.open(f"sqlite:///{tmp_path / 'idg.db'}")
        players = Players(store, Quotas(Settings(), Totals(store, 0)), lambda: time_now)
        ann, _ = await players.create("Ann", agent=False)
        early, _ = await players.new_code(ann)
        late, expires = await players.new_code(ann)
        assert expires == time_now + CONTINUE_CODE_SECONDS
        time_now += CONTINUE_CODE_SECONDS - 1
        assert (await players.continue_as(early))[0].id == ann.id
        time_now += 2
        with pytest.raises(ApiError, match="older than 15 minutes"):
            await players.continue_as(late)
        await store.close()

    asyncio.run(story())


def test_tokens_and_codes_are_stored_hashed(server: Any) -> None:
    async def story() -> tuple[str, str]:
        async with client(server.url) as ann:
            token: str = (await ann.become())["token"]
            code: str = (await ann.post("/api/players/me/codes")).ok()["code"]
            return token, code

    secrets = asyncio.run(story())
    files = list(Path(server.data).glob("idg.db*"))
    assert files
    stored = b"".join(file.read_bytes() for file in files)
    assert not [secret for secret in secrets if secret.encode() in stored]


def test_the_crowd(start_server: Any) -> None:
    """Two players have one part each. The crowd proves it together, and a player who has not proved it does not see how."""
    server = start_server("--rate-player", "0", "--rate-address", "0", "--workers", "1")

    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob, client(server.url) as eve:
            path = "/api/levels/multiply/crowd"
            (await eve.get(path)).refused("no-token")
            await eve.become()
            assert (await eve.get(path)).ok() == {
                "solved": False,
                "inductive": None,
                "candidates": 0,
                "players": 0,
                "proposals": 0,
                "distinct": 0,
            }
            first, second = await ann.room("multiply"), await bob.room("multiply")
            for expression in ("cnt <= m", "cnt = 3"):
                await ann.judged(first, expression)
            await bob.judged(second, "res = n * cnt")
            view = (await eve.get(path)).ok()
            assert view == {"solved": True, "inductive": None, "candidates": 2, "players": 2, "proposals": 3, "distinct": 2}
            await bob.judged(second, "cnt <= m")
            view = (await bob.get(path)).ok()
            assert sorted(fact["expression"] for fact in view["inductive"]) == ["cnt <= m", "res = n * cnt"]
            assert (await ann.get(path)).ok()["inductive"] is None
            (await ann.get("/api/levels/no-such-level/crowd")).refused("not-found")

    asyncio.run(story())


def test_logs(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become()
            rows = await count(server, "logs")
            batch = [{"kind": "pause", "time": 1.5, "body": {"seconds": 2, "on": True, "where": "input", "x": 0.5}}] * 200
            assert (await ann.post("/api/logs", {"rows": batch}, headers={"X-IDG-Session": "s-1"})).ok() == {}
            assert await count(server, "logs") == rows + 200
            (await ann.post("/api/logs", {"rows": [*batch, batch[0]]})).refused("bad-request", "rows")
            (await ann.post("/api/logs", {"rows": batch}, headers={"X-IDG-Session": "s 1"})).refused("bad-request", "X-IDG-Session")
            assert await count(server, "logs") == rows + 200

    asyncio.run(story())


def test_the_servers_own_routes(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann, client(server.url, server.admin_token) as admin:
            assert (await ann.get("/api/ping")).ok() == {}
            health = (await ann.get("/api/health")).ok()
            assert (health["status"], health["database"], health["workers"]) == ("ok", True, 2)
            assert health["sandbox"] == dict.fromkeys(("network", "files", "processes"), "held") or sys.platform != "linux"
            await ann.become()
            room = await ann.room("multiply", resume=False)
            await ann.judged(room, "cnt <= m")
            for path in ("/api/admin/stats", "/api/admin/events"):
                (await ann.get(path)).refused("not-admin")
                async with client(server.url) as nobody:
                    (await nobody.get(path)).refused("not-admin")
            stats = (await admin.get("/api/admin/stats")).ok()
            assert stats["rows"]["events"] >= 3
            lines = (await admin.get("/api/admin/events")).text.splitlines()
            events = [json.loads(line) for line in lines]
            assert [event["kind"] for event in events if event["room"] == room] == ["loaded", "proposed", "judged"]
            later = (await admin.get(f"/api/admin/events?after={events[-2]['id']}")).text.splitlines()
            assert later == lines[-1:]
            (await admin.get("/api/admin/events?after=x")).refused("bad-request", "after")
            # The admin token does not belong to a player.
            (await admin.get("/api/players/me")).refused("wrong-token")

    asyncio.run(story())


def test_the_page_is_told_of_without_being_sent(server: Any) -> None:
    """HEAD was refused with 405."""

    async def story() -> None:
        async with client(server.url) as ann:
            for path in ("/", "/level/multiply"):
                page, head = await ann.get(path), await ann.ask("HEAD", path)
                assert (head.status, head.text) == (page.status, "")
            assert (await ann.ask("HEAD", "/api/nothing")).status == 404

    asyncio.run(story())


def test_metrics(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply", resume=False)
            await ann.judged(room, "cnt <= m")
            (await ann.get("/api/levels/no-such-level")).refused("not-found")
            answer = await ann.get("/metrics")
            assert answer.headers["content-type"].startswith("text/plain")
            families = {family.name: family for family in text_string_to_metric_families(answer.text)}
            assert {sample.labels["which"] for sample in families["idg_pool"].samples} >= {"workers", "busy", "queued"}
            requests = {tuple(sample.labels.values()): sample.value for sample in families["idg_requests"].samples}
            assert any(labels[0] == "GET" and "/api/levels/{level}" in labels and "404" in labels for labels in requests)
            kinds = {sample.labels["which"]: sample.value for sample in families["idg_proposals"].samples}
            assert kinds["inductive"] >= 1
            assert families["idg_request_seconds"].type == "histogram"
            assert room not in answer.text

    asyncio.run(story())


def test_the_settings_of_a_coordinator_in_process(tmp_path: Path) -> None:
    """The coordinator starts in this process, and ends without leaving a task or a process. Other tests start it from outside."""

    async def story() -> None:
        coordinator = await Coordinator.open(Settings(data=str(tmp_path), workers=1))
        assert coordinator.pool.stats().workers == 1
        await coordinator.close()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert not left

    asyncio.run(story())


def test_a_server_may_start_the_application_by_the_lifespan_protocol(tmp_path: Path) -> None:
    """Our own server does not use it, but others do. The fast path once took the lifespan for a request and failed."""

    async def story() -> None:
        coordinator = await Coordinator.open(Settings(data=str(tmp_path), workers=1))
        messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
        sent: list[str] = []

        async def receive() -> Message:
            return next(messages)

        async def send(message: Message) -> None:
            sent.append(message["type"])

        try:
            await create_app(coordinator)({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
        finally:
            await coordinator.close()
        assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]

    asyncio.run(story())
