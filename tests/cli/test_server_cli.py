"""`idg serve`, `idg play`, `idg replay`, `idg export`, `idg prune`: as processes, and many of their refusals in this one."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from idg.cli.main import parse
from idg.engine.version import engine_version
from tests.support.command_line import carried_out
from tests.support.servers.clients import client
from tests.support.servers.hostile.fault_helpers import SleepingWorkers
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.databases", "tests.support.servers.servers"]


def idg(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("IDG_")}
    return subprocess.run(
        [sys.executable, "-m", "idg", *arguments],
        capture_output=True,
        text=True,
        env=kept | (environment or {}),
        timeout=HANG_SECONDS,
    )


def family(process: int) -> set[tuple[int, str]]:
    """The process and those it started. Start times tell apart processes that get the same number one after the other."""
    parents: dict[int, int] = {}
    started: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if status[0] != "Z":
            parents[int(entry.name)], started[int(entry.name)] = int(status[1]), status[19]
    members = {process} & set(started)
    while True:
        larger = members | {child for child, parent in parents.items() if parent in members}
        if larger == members:
            return {(member, started[member]) for member in members}
        members = larger


def running(processes: set[tuple[int, str]]) -> set[tuple[int, str]]:
    return {process for process in processes if process in family(process[0])}


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@needs_proc
def test_ctrl_c_ends_it_cleanly(start_server: Any, tmp_path: Path) -> None:
    """It ends cleanly even with a socket open and while an analysis is under way."""
    sleeping = SleepingWorkers(tmp_path, "odd")
    server = start_server("--workers", "1", "--log-level", "info", environment=sleeping.environment)

    async def story() -> tuple[str, set[tuple[int, str]]]:
        async with client(server.url) as ann:
            room = await ann.room("int-square-root")
            async with ann.watch(room) as looking:
                await looking.receive()
                asking = asyncio.create_task(ann.propose(room, "odd >= 1", request="r"))
                while "proposed" not in [event["kind"] for event in await ann.events(room)]:
                    await asyncio.sleep(0.01)
                processes = family(server.pid)
                assert len(processes) >= 2
                ended = await asyncio.to_thread(server.stop, signal.SIGINT)
                assert ended == 0
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
            return room, processes

    room, processes = asyncio.run(story())
    assert server.output[-1] == "Ended.\n"
    assert not running(processes)
    assert "Traceback" not in "".join(server.complaints), "".join(server.complaints)
    # A proposal that was stored without a verdict is judged after the next start, once.
    sleeping.wake()
    server.start()

    async def again() -> None:
        async with client(server.url, server.admin_token) as admin:
            kinds: list[str] = []
            deadline = asyncio.get_running_loop().time() + HANG_SECONDS
            while "judged" not in kinds:
                assert asyncio.get_running_loop().time() < deadline
                lines = (await admin.get("/api/admin/events")).text.splitlines()
                kinds = [event["kind"] for event in map(json.loads, lines) if event["room"] == room]
                await asyncio.sleep(0.05)
            assert kinds == ["loaded", "proposed", "judged"]

    asyncio.run(again())
    server.stop()


@needs_proc
def test_only_the_server_itself_is_told_to_end(start_server: Any) -> None:
    """A service manager ends only the server's own process; the workers must end with it."""
    server = start_server("--workers", "2")
    processes = family(server.pid)
    assert len(processes) >= 3
    os.kill(server.pid, signal.SIGTERM)
    server.process.wait(HANG_SECONDS)
    assert server.stop() == 0
    assert not running(processes)


def test_it_says_where_it_is_and_what_it_uses(start_server: Any, tmp_path: Path) -> None:
    data = tmp_path / "new" / "folder"
    server = start_server("--workers", "1", data=data, environment={"IDG_ADMIN_TOKEN": "mine", "IDG_LOG_FORMAT": "json"})
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", server.url)
    assert server.output[1] == f"Data: {data}\n"
    assert server.admin_token == "mine"
    assert (data / "idg.db").exists()
    with urllib.request.urlopen(f"{server.url}/api/health") as answer:
        assert json.load(answer)["workers"] == 1


def test_a_server_proves_with_the_prover_that_it_is_told(start_server: Any) -> None:
    """Its engine has a version of its own, so that nobody else's books are believed, nor its books by others."""
    server = start_server("--prover", "z3", "--second-opinion", "cvc5")

    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply")
            assert (await ann.judged(room, "res = n * cnt"))["kind"] == "inductive"
            assert (await ann.judged(room, "cnt <= m"))["kind"] == "inductive"
            assert (await ann.judged(room, "res < n"))["kind"] == "non-invariant"

    asyncio.run(story())
    with urllib.request.urlopen(f"{server.url}/api/health") as answer:
        assert json.load(answer)["engine"] != engine_version()


def test_settings_from_a_file(start_server: Any, tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('workers = 1\nadmin_token = "from-the-file"\nrate_player = 0\n')
    server = start_server("--settings", str(file), environment={"IDG_ADMIN_TOKEN": "from-the-environment"})
    assert server.admin_token == "from-the-environment"


def test_errors_of_settings_are_clear(tmp_path: Path) -> None:
    wrong = tmp_path / "server.toml"
    wrong.write_text("prot = 1\n")
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    used = str(taken.getsockname()[1])
    folder = str(tmp_path / "data")
    for arguments, environment, complaint in (
        ([], {"IDG_WORKERS": "many"}, "idg serve: the environment variable IDG_WORKERS must be a whole number, found 'many'"),
        (["--settings", str(wrong)], {}, "there is no setting 'prot'"),
        (["--port", "0", "--prover", "acl2"], {}, "engine workers may start none; idg prove and idg propose take it"),
        (["--port", "0"], {"IDG_SECOND_OPINION": "vampire"}, "there is no prover 'vampire'; there are z3, cvc5, acl2"),
        (["--port", used, "--data", folder], {}, f"cannot listen at 127.0.0.1, port {used}: "),
        (["--port", "0", "--data", folder, "--database", "mysql://idg@db/idg"], {}, "mysql"),
        (["--port", "0", "--data", folder, "--database", "postgresql://idg@/x?host=/nowhere"], {}, "database"),
    ):
        # What is wrong before anything is opened needs no process of its own.
        carry_out = idg if folder in arguments else carried_out
        result = carry_out("serve", *arguments, environment=environment)
        assert result.returncode == 2, (arguments, result)
        assert complaint in result.stderr, (arguments, result.stderr)
        assert "Traceback" not in result.stderr, (arguments, result.stderr)
        assert result.stdout == ""
    taken.close()


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = idg("serve", "--port", "0", "--data", str(tmp_path / "file"))
    assert result.returncode == 2
    assert "Traceback" not in result.stderr, result.stderr
    assert str(tmp_path / "file") in result.stderr


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, start_module_server: Any) -> tuple[Path, str]:
    """A folder with the records of what two players did, and one of their rooms."""
    data = tmp_path_factory.mktemp("recorded")
    server = start_module_server("--workers", "1", data=data)

    async def story() -> str:
        async with client(server.url) as ann, client(server.url) as bob:
            await ann.become("Ann")
            opened = await ann.open("multiply", shared=True)
            room: str = opened["room"]["room"]
            (await bob.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
            await ann.judged(room, "cnt <= m")
            (await bob.post(f"/api/rooms/{room}/feedback")).ok()
            await bob.judged(room, "-cnt <= 0 & cnt <= m + 1")
            (await ann.post(f"/api/rooms/{room}/reset")).ok()
            batch = {"proposals": [{"expression": "cnt <= m"}, {"expression": "cnt = 3"}]}
            (await bob.post(f"/api/rooms/{room}/batches", batch)).ok()
            await ann.judged(room, "res = n * cnt")
            await ann.room("cube")
            row = {"kind": "setting", "time": 1.0, "body": {"text": "=1+1"}}
            (await ann.post("/api/logs", {"rows": [row]}, headers={"X-IDG-Session": "-s"})).ok()
            return room

    room = asyncio.run(story())
    server.stop()
    return data, room


def test_replay(recorded: tuple[Path, str]) -> None:
    data, room = recorded
    result = idg("replay", room, "--data", str(data))
    assert (result.returncode, result.stdout) == (0, f"{room}: 13 events, 4 verdicts: the same\n"), result
    result = idg("replay", "all", "--json", environment={"IDG_DATA": str(data)})
    assert result.returncode == 0
    answer = json.loads(result.stdout)
    assert answer["ok"] is True
    assert len(answer["rooms"]) == 2
    own = {"room": room, "same": True, "events": 13, "verdicts": 4, "limited": 0, "differences": []}
    assert own in answer["rooms"]
    result = carried_out("replay", "nosuch", "--data", str(data), "--json")
    assert (result.returncode, result.stderr) == (2, "idg replay: there is no room nosuch\n")
    assert json.loads(result.stdout)["problems"][0]["message"] == "there is no room nosuch"


def test_a_room_whose_id_starts_with_a_minus_can_be_named() -> None:
    for room in ("-T8mT2nE24j2EmNB8dglsA", "--8mT2nE24j2EmNB8dglsA", "-h8mT2nE24j2EmNB8dglsA"):
        options = parse(("replay", room, "--data", "somewhere"))
        assert (options.room, options.data) == (room, "somewhere")


def test_replay_notices_what_was_changed(recorded: tuple[Path, str], tmp_path: Path) -> None:
    data, room = recorded
    copy = tmp_path / "idg.db"
    with sqlite3.connect(data / "idg.db") as source, sqlite3.connect(copy) as target:
        source.backup(target)
        state = json.loads(target.execute("SELECT state FROM rooms WHERE id = ?", (room,)).fetchone()[0])
        state["books"]["loops"][0]["inductive"].append("cnt = 3")
        target.execute("UPDATE rooms SET state = ? WHERE id = ?", (json.dumps(state, separators=(",", ":")), room))
    source.close()
    target.close()
    result = carried_out("replay", room, "--data", str(tmp_path))
    assert result.returncode == 1
    assert "NOT the same" in result.stdout
    assert "the books at the end" in result.stdout


def test_export(recorded: tuple[Path, str], tmp_path: Path) -> None:
    data, room = recorded
    result = idg("export", "--data", str(data))
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.stderr == f"{len(events)} rows\n"
    assert [event["kind"] for event in events if event["room"] == room] == [
        "loaded",
        "joined",
        "proposed",
        "judged",
        "feedback",
        "proposed",
        "judged",
        "reset",
        "proposed",
        "judged",
        "proposed",
        "judged",
        "solved",
    ]
    assert {event["level"] for event in events} == {"multiply", "cube"}
    file = tmp_path / "events.csv"
    assert carried_out("export", "--data", str(data), "--format", "csv", "-o", str(file)).returncode == 0
    with file.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["kind"] for row in rows] == [event["kind"] for event in events]
    assert [json.loads(row["body"]) for row in rows] == [event["body"] for event in events]
    [log] = map(json.loads, carried_out("export", "--logs", "--data", str(data)).stdout.splitlines())
    assert (log["kind"], log["body"], log["session"]) == ("setting", {"text": "=1+1"}, "-s")
    cells = carried_out("export", "--logs", "--format", "csv", "--data", str(data)).stdout.splitlines()[1].split(",")
    assert "'-s" in cells  # a spreadsheet would take -s for a formula
    token = "idg_token"
    assert token not in result.stdout


def test_prune(recorded: tuple[Path, str], tmp_path: Path) -> None:
    data, room = recorded
    copy = tmp_path / "data"
    shutil.copytree(data, copy)
    nothing = carried_out("prune", "--data", str(copy), "--keep-days", "90", "--dry-run")
    assert nothing.stdout == "would be deleted: 0 rooms, 0 events, 0 programs, 0 players, 0 codes, 0 verdicts\n", nothing
    # A millionth of a day is over already; the solved room has no limit, so it is kept.
    told = carried_out("prune", "--data", str(copy), "--keep-days", "0.000001", "--dry-run").stdout.splitlines()
    rooms = [line.split()[1] for line in told[:-1]]
    assert rooms
    assert room not in rooms
    assert all(re.fullmatch(r"room \S+ \(.+, \d+ events, last used [\d-]+\) would be deleted", line) for line in told[:-1]), told
    done = json.loads(carried_out("prune", "--data", str(copy), "--keep-days", "0.000001", "--json").stdout)
    assert (done["ok"], done["dry_run"], done["rooms"]) == (True, False, rooms)
    assert done["deleted"]["rooms"] == len(rooms)
    events = [json.loads(line) for line in carried_out("export", "--data", str(copy)).stdout.splitlines()]
    assert room in {event["room"] for event in events}
    assert not {event["room"] for event in events} & set(rooms)


def test_export_and_replay_of_nothing_are_clear(tmp_path: Path) -> None:
    for command in (["export"], ["replay", "all"]):
        result = carried_out(*command, "--data", str(tmp_path / "nosuch"))
        assert result.returncode == 2, result
        assert "nosuch" in result.stderr
        assert "Traceback" not in result.stderr
    assert not (tmp_path / "nosuch").exists()


def test_export_to_a_file_that_cannot_be_written(recorded: tuple[Path, str], tmp_path: Path) -> None:
    result = carried_out("export", "--data", str(recorded[0]), "-o", str(tmp_path / "none" / "file"))
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_play_prints_where(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "idg", "play", "multiply", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=HANG_SECONDS)
    assert re.fullmatch(r"Play at http://127\.0\.0\.1:\d+/level/multiply\n", lines[0])
    assert lines[1:] == [f"Your progress is kept in {tmp_path}\n", "Ctrl-C ends the game.\n"]
    assert process.returncode == 0
    result = idg("play", "no-such-level", "--no-browser", "--data", str(tmp_path))
    assert (result.returncode, "there is no level 'no-such-level'" in result.stderr) == (2, True)


def test_structured_logs(start_server: Any) -> None:
    server = start_server("--workers", "1", "--log-format", "json", "--log-level", "debug")
    server.stop()
    for line in server.complaints:
        assert set(json.loads(line)) >= {"time", "level", "logger", "message"}
