"""Studies on a running server: arms, what each may ask for, that nothing of a program reaches the one without code, withdrawing."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest

from idg.cli.main import main
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.store import ParticipantRow
from idg.coordinator.studies.studies import Participation
from idg.coordinator.web.requests.study_gate import admission
from idg.levels import find_level
from idg.study.definition import read_definition
from tests.support.servers.clients import UNLIMITED, Client, client
from tests.support.study.six_participants import TOML
from tests.support.volume import volume

pytest_plugins = ["tests.support.servers.servers"]

DEFINITION = TOML.replace('name = "six"', 'name = "six"\nblock = 2\nretention_days = 30\n')
ROOM = "AAAAAAAAAAAAAAAAAAAAAA"


@pytest.fixture(scope="module")
def study(start_module_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server on which the study is open."""
    server = start_module_server(*UNLIMITED, "--log-level", "warning")
    file = tmp_path_factory.mktemp("study") / "six.toml"
    file.write_text(DEFINITION, encoding="utf-8")
    assert main(["study", "open", str(file), "--data", str(server.data)]) == 0
    return server


async def enrolled(who: Client, pid: str) -> Any:
    return (await who.post("/api/studies/six/participants", {"pid": pid, "consent": "1"})).ok()


async def in_arm(url: str, variant: str, label: str) -> tuple[Client, Any, Any]:
    """A participant of this arm; others are enrolled until there is one. The first value has to be closed by the caller."""
    for number in range(10):
        context = client(url)
        who = await context.__aenter__()
        part = await enrolled(who, f"{label}-{number}")
        if part["variant"] == variant:
            return who, part, context
        await context.__aexit__(None, None, None)
    raise AssertionError(variant)


def test_arms_are_balanced_kept_and_one_an_id(study: Any) -> None:
    async def play() -> None:
        async with client(study.url) as first, client(study.url) as second, client(study.url) as third:
            shown = (await first.get("/api/studies/six")).ok()
            assert shown["open"]
            assert (shown["consent"], shown["consent_version"]) == ("You agree.", "1")
            assert len(shown["stored"]) >= 5
            (await first.post("/api/studies/six/participants", {"pid": "a", "consent": "0"})).refused("bad-request", "consent")
            mine, other = await enrolled(first, "a"), await enrolled(second, "b")
            assert {mine["variant"], other["variant"]} == {"code", "trace"}, "a block of two has both"
            for again in (await enrolled(first, "a"), (await first.get("/api/studies/six/me")).ok()):
                assert again | {"time": 0} == mine | {"time": 0}, "who comes back is the same"
            (await third.post("/api/studies/six/participants", {"pid": "a", "consent": "1"})).refused("takes-part-already")
            (await third.get("/api/studies/none")).refused("not-found")
            assert (await third.get("/api/levels")).status == 200, "nobody else is concerned"

    asyncio.run(play())


def paths(description: Any) -> list[tuple[str, str]]:
    """Method and path of every route, with things in place of names."""
    values = {"level": "multiply", "program": "0" * 32, "room": ROOM, "study": "six", "number": "1"}
    values |= {"class_id": "q3Jx0v1cK9yD", "student": "1", "item": "1"}
    return [
        (method.upper(), re.sub(r"\{(\w+)\}", lambda match: values[match[1]], path))
        for path, operations in description["paths"].items()
        for method in operations
    ]


def secrets_of(level: str) -> list[str]:
    """Texts that would give the program away: its lines, its guarantee, its story."""
    known = find_level(level)
    assert known is not None
    lines = [line.strip() for line in known.source.splitlines() if len(line.strip()) > 5]
    return [*lines, known.guarantee, known.text, "while (", "assert("]


def test_nothing_of_the_program_reaches_the_arm_without_code_by_any_route(study: Any) -> None:
    async def play() -> None:
        who, part, context = await in_arm(study.url, "trace", "leak")
        async with client(study.url) as visitor:
            description = (await visitor.get("/api/openapi.json")).ok()
            # A room of the same level that somebody else has shared, and the hash of its program.
            opened = await visitor.open("multiply", shared=True)
            room, program = opened["room"]["room"], opened["room"]["program"]
        assert (part["levels"], part["level_count"]) == ([], 3)
        told: list[tuple[str, str]] = []

        async def ask(method: str, path: str, body: Any = None) -> Any:
            answer = await who.ask(method, path, body)
            told.append((f"{method} {path}", answer.text))
            return answer

        for number in (1, 2, 3):
            game = (await ask("POST", f"/api/studies/six/levels/{number}")).ok()
            assert game["run"]["loops"][0]["rows"]
            assert set(game) == {"number", "run", "accepted", "points", "target"}
        base = "/api/studies/six/levels/1"
        for text in (
            "res = n * cnt",
            "cnt <= m",
            "cnt = 5",
            "cnt >= 0",
            "res = n * cnt",
            "helper(3) = 2",
            "cnt = ",
            "unknown_name = 1",
        ):
            answer = await ask("POST", f"{base}/proposals", {"expression": text})
            assert answer.status in (200, 422), answer.text
            if answer.status == 200:
                assert set(answer.json) == {"accepted", "expression", "points", "count"}
        for inputs in ({"n": "3", "m": "4"}, {"n": "-3", "m": "x"}, {}):
            await ask("POST", f"{base}/traces", {"inputs": inputs})
        again = (await ask("POST", base)).ok()
        assert [shown["expression"] for shown in again["accepted"]] == ["res = n * cnt", "cnt <= m", "cnt >= 0"]
        assert again["points"] == 30

        bodies: list[Any] = [None, {}, {"level": "multiply"}, {"level": "multiply", "variant": "trace"}]
        for method, path in paths(description):
            for known in (path, path.replace("0" * 32, program).replace(ROOM, room)):
                for body in bodies if method != "GET" else [None]:
                    # The metrics are told to this machine only, and are sums over all players.
                    if not known.endswith(("/withdraw", "/forget", "/answers", "/metrics")):
                        await ask(method, known, body)
        await ask("POST", "/api/rooms/join", {"code": opened["room"]["code"]})
        await ask("GET", "/api/openapi.json")
        for asked, text in told:
            for secret in secrets_of("multiply") + secrets_of("cube"):
                assert secret not in text, f"{secret!r} is told by {asked}: {text[:200]}"
            for name in (
                "inductive",
                "potential",
                "non-invariant",
                "feedback",
                "transition",
                "guarantee",
                '"where": {"line"',
                "source",
            ):
                assert name not in text.replace('"field"', ""), f"{name!r} is told by {asked}: {text[:200]}"
        for watched in (room, ROOM):
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await who.watch(watched)
        await context.__aexit__(None, None, None)

    asyncio.run(play())


def test_the_arm_with_code_plays_the_studys_levels_alone_and_without_hints(study: Any) -> None:
    async def play() -> None:
        who, part, context = await in_arm(study.url, "code", "code")
        assert part["levels"] == ["multiply", "cube", "summation"]
        (await who.post("/api/rooms", {"level": "square-times-2"})).refused("not-in-study", "level")
        (await who.post("/api/rooms", {"level": "multiply", "variant": "trace"})).refused("not-in-study", "variant")
        (await who.post("/api/rooms", {"level": "multiply", "shared": True})).refused("not-in-study", "shared")
        (await who.get("/api/levels/square-times-2")).refused("not-in-study")
        (await who.post("/api/studies/six/levels/1")).refused("not-in-study")
        practice = await who.room("multiply", purpose="tutorial")
        room = await who.room("multiply")
        assert practice != room
        assert (await who.judged(room, "res = n * cnt"))["kind"] == "inductive"
        assert (await who.judged(room, "cnt <= m"))["solved"]
        for path in ("hints", "share"):
            (await who.post(f"/api/rooms/{room}/{path}")).refused("not-in-study")
        (await who.post("/api/programs", {"source": "fn main() { }"})).refused("not-in-study")
        opened = await who.open("multiply")
        traces = f"/api/programs/{opened['room']['program']}/traces"
        (await who.post(traces, {"inputs": {"n": "3", "m": "4"}, "room": room, "origin": "typed"})).ok()
        assert (await who.events(room))[-1]["body"]["origin"] == "typed"
        (await who.post("/api/studies/six/answers", {"answers": {"fun": 9}})).refused("bad-request", "answers.fun")
        done = (await who.post("/api/studies/six/answers", {"answers": {"fun": 4}})).ok()
        assert done["finished"]
        assert done["code"]
        assert (await who.post("/api/studies/six/answers", {"answers": {}})).ok()["code"] == done["code"]
        (await who.propose(room, "cnt >= 0")).refused("study-over")
        await context.__aexit__(None, None, None)

    asyncio.run(play())


@pytest.mark.parametrize(
    ("method", "path", "when", "admitted"),
    [
        ("POST", "/api/studies/six/levels/1", 3599.0, True),
        ("POST", "/api/studies/six/levels/1", 3601.0, False),
        ("POST", "/api/studies/six/levels/1/proposals", 3601.0, False),
        ("POST", "/api/studies/six/background", 3601.0, False),
        ("GET", "/api/studies/six/me", 3601.0, True),
        ("POST", "/api/studies/six/answers", 3601.0, True),
        ("POST", "/api/studies/six/withdraw", 3601.0, True),
        ("POST", "/api/logs", 3601.0, True),
    ],
)
def test_after_the_studys_minutes_only_the_questions_and_withdrawing_are_left(
    method: str, path: str, when: float, admitted: bool
) -> None:
    definition = read_definition(DEFINITION.replace('name = "six"', 'name = "six"\nminutes = 60'))
    began = 1_800_000_000.0
    row = ParticipantRow("six", 1, "a", "study-a", "trace", 0, "1", began)
    taking_part = Participation(row, definition, definition.arms[1])
    coordinator = cast(Coordinator, SimpleNamespace(clock=lambda: began + when))

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def ask() -> None:
        await admission(coordinator, taking_part, {"type": "http", "method": method, "path": path}, receive)

    if admitted:
        asyncio.run(ask())
    else:
        with pytest.raises(ApiError) as refused:
            asyncio.run(ask())
        assert refused.value.code == "study-over"


def test_browsers_rows_have_the_servers_times_and_possible_ones_only(study: Any, tmp_path: Path) -> None:
    async def play() -> tuple[str, float]:
        who, part, context = await in_arm(study.url, "trace", "clocks")
        # The clock of this device is an hour behind. It has read 60 s of activity on the second level.
        now = part["time"] - 3600
        rows: list[Any] = [
            ("active", now, {"from": now - 60, "to": now, "level": 2}),
            ("typing", now, {"keys": 3, "level": "cube"}),
            ("screen", now, {"level": "square-times-2"}),
            ("focus", now - 2 * 24 * 3600, {"level": 1}),
            ("focus", now + 600, {"level": 1}),
            ("active", now, {"from": now - 400, "to": now, "level": 1}),
            ("active", now, {"from": now, "to": now - 1, "level": 1}),
            ("active", now, {"from": "early", "to": now, "level": 1}),
            ("active", now, {"to": now, "level": 1}),
        ]
        told = [{"kind": kind, "time": time, "body": body} for kind, time, body in rows]
        (await who.post("/api/logs", {"rows": told, "sent": now})).ok()
        (await who.post("/api/logs", {"rows": [{"kind": "answer", "time": now, "body": {}}]})).refused("bad-request")
        await context.__aexit__(None, None, None)
        return part["player"], part["time"]

    player, began = asyncio.run(play())
    rows = [row for row in exported(study, tmp_path, "--logs") if row["player"] == player and row["kind"] != "enrolled"]
    kept = [row for row in rows if row["kind"] != "error"]
    assert [(row["kind"], row["body"].get("level")) for row in kept] == [("active", "cube"), ("typing", "cube"), ("screen", None)]
    active = kept[0]["body"]
    assert active["to"] - active["from"] == pytest.approx(60, abs=0.01)
    assert active["to"] >= began, "the hour is corrected"
    assert [row["body"]["kind"] for row in rows if row["kind"] == "error"] == [
        "focus",
        "focus",
        "active",
        "active",
        "active",
        "active",
    ]
    assert all("level" not in row["body"] for row in rows if row["kind"] == "error"), "they count nowhere"


def test_background_answers_and_whoever_played_before_is_that_player_again(start_server: Any, tmp_path: Path) -> None:
    server = start_server(*UNLIMITED, "--log-level", "warning")
    file = tmp_path / "six.toml"
    question = '[[question]]\nid = "age"\ntext = "How old?"\nkind = "choice"\nchoices = ["young", "old"]\nwhen = "start"\n'
    file.write_text(DEFINITION + question, encoding="utf-8")
    assert main(["study", "open", str(file), "--data", str(server.data)]) == 0

    async def play() -> None:
        for end in ("/api/players/me/forget", "/api/studies/six/withdraw"):
            async with client(server.url) as who:
                await who.open("multiply")
                before = (await who.get("/api/players/me")).ok()["player"]
                part = await enrolled(who, f"again-{end.count('study')}-{len(end)}")
                assert part["player"] != before
                assert part["progress"] == [{"opened": False, "done": False}] * 3
                base = "/api/studies/six"
                (await who.post(f"{base}/background", {"answers": {"age": "very"}})).refused("bad-request", "answers.age")
                (await who.post(f"{base}/background", {"answers": {"fun": 4}})).refused("bad-request", "answers.fun")
                (await who.post(f"{base}/answers", {"answers": {"age": "old"}})).refused("bad-request", "answers.age")
                (await who.post(f"{base}/background", {"answers": {"age": "old"}})).ok()
                (await who.post(end)).ok()
                assert (await who.get("/api/players/me")).ok()["player"] == before

    asyncio.run(play())


def exported(study: Any, tmp_path: Path, *more: str) -> list[Any]:
    output = tmp_path / "rows.jsonl"
    assert main(["export", "--data", str(study.data), "-o", str(output), *more]) == 0
    return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


def test_an_export_has_no_ids_unless_asked_and_a_report_is_made_of_it(
    study: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> tuple[str, str]:
        who, part, context = await in_arm(study.url, "code", "private")
        room = await who.room("multiply")
        await who.judged(room, "res = n * cnt")
        await context.__aexit__(None, None, None)
        return part["player"], room

    player, room = asyncio.run(play())
    rows = [row for row in exported(study, tmp_path) if row["room"] == room]
    assert {row["study"] for row in rows} == {"six"}
    assert {row["arm"] for row in rows} == {"code"}
    assert all(re.fullmatch(r"p\d{4}", row["participant"]) for row in rows if row["player"] == player)
    assert "private-" not in json.dumps(exported(study, tmp_path) + exported(study, tmp_path, "--logs"))
    named = [row for row in exported(study, tmp_path, "--with-ids") if row["room"] == room]
    assert all(row["participant"].startswith("private-") for row in named if row["player"] == player)
    kinds = {row["kind"] for row in exported(study, tmp_path, "--logs") if row["player"] == player}
    assert kinds == {"enrolled", "opened"}

    pages = [tmp_path / "stored.json", tmp_path / "files.json"]
    common = ("-o", str(tmp_path / "page.html"), "--no-pooling", "--json")
    main(["study", "report", "six", "--data", str(study.data), *common, str(pages[0])])
    for name, more in (("events", ()), ("logs", ("--logs",))):
        exported(study, tmp_path, *more)
        (tmp_path / "rows.jsonl").rename(tmp_path / f"{name}.jsonl")
    (tmp_path / "six.toml").write_text(DEFINITION, encoding="utf-8")
    files = [str(tmp_path / "events.jsonl"), str(tmp_path / "logs.jsonl")]
    main(["study", "report", str(tmp_path / "six.toml"), "--from", *files, *common, str(pages[1])])
    assert pages[0].read_text(encoding="utf-8") == pages[1].read_text(encoding="utf-8"), "the same from files alone"


def test_withdrawing_deletes_everything_but_that_somebody_did(study: Any, tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        who, part, context = await in_arm(study.url, "code", "leaving")
        room = await who.room("cube")
        await who.judged(room, "true")
        (await who.post("/api/studies/six/withdraw")).ok()
        (await who.get("/api/players/me")).refused("no-token")
        await context.__aexit__(None, None, None)
        return part["player"], room

    player, room = asyncio.run(play())
    rows = exported(study, tmp_path) + exported(study, tmp_path, "--logs") + exported(study, tmp_path, "--with-ids")
    assert player not in json.dumps(rows)
    assert room not in json.dumps(rows)
    [left] = [row for row in exported(study, tmp_path, "--logs", "--with-ids") if row["kind"] == "withdrawn"]
    assert (left["study"], left["arm"]) == ("six", "code")
    assert re.fullmatch(r"p\d{4}", left["participant"])


def test_simulated_players_go_the_whole_way_from_a_click_to_a_p_value(
    study: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "played.toml"
    file.write_text(DEFINITION.replace('name = "six"', 'name = "played"').replace('"cube", ', ""), encoding="utf-8")
    assert main(["study", "open", str(file), "--data", str(study.data)]) == 0
    capsys.readouterr()
    told = ("--players", str(volume(16, 300)), "--attempts", "2", "--win", "0.95", "0.2", "--useful", "0.6", "0.2")
    assert main(["study", "simulate", str(file), "--url", study.url, *told]) == 0
    planned = [int(count) for count in re.findall(r"solved (\d+) levels", capsys.readouterr().out)]
    shown = tmp_path / "played.json"
    page = ("-o", str(tmp_path / "played.html"), "--json", str(shown))
    assert main(["study", "report", "played", "--data", str(study.data), *page]) == 0
    report = json.loads(shown.read_text(encoding="utf-8"))
    win = report["win_rate"]
    assert [len(arm["times"]) for arm in win["everybody"]] == planned, "the server solved what was to be solved"
    assert win["everybody_test"]["p"] < 0.05
    assert win["everybody_test"]["effect"] > 0
    assert {level["collective"] for level in report["levels"] if level["arm"] == "code"} == {True}


def test_a_closed_study_lets_nobody_else_begin_and_others_go_on(study: Any, capsys: pytest.CaptureFixture[str]) -> None:
    async def begin(pid: str) -> Any:
        async with client(study.url) as who:
            return await who.post("/api/studies/six/participants", {"pid": pid, "consent": "1"})

    assert main(["study", "close", "six", "--data", str(study.data)]) == 0
    assert "the study six is closed" in capsys.readouterr().out
    asyncio.run(begin("late")).refused("study-closed")
    assert main(["study", "close", "none", "--data", str(study.data)]) == 2
