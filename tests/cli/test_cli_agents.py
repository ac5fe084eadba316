"""`idg agent run`, `idg league` and `idg import` as commands."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from idg.agents.sdk.player import Player
from idg.cli.errors import NEGATIVE, SUCCESS, UsageError
from idg.cli.main import _dispatch, parse
from idg.engine.results import Kind
from idg.sip.program import load

if TYPE_CHECKING:
    from tests.support.servers.servers import Server

pytest_plugins = ["tests.support.servers.servers"]
ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples" / "agent.py")
COUNTING = "fn main(n: nat) {\n  var i: int;\n  i := 0;\n  while (i < n) {\n    i := i + 1;\n  }\n  assert(i = n);\n}\n"
C_COUNTING = "int main() {\n  int n, i = 0;\n  assume(n >= 0);\n  while (i < n) i++;\n  assert(i == n);\n}\n"

Capture = pytest.CaptureFixture[str]


def run_agent(*arguments: str) -> int:
    return _dispatch(parse(["agent", "run", *arguments]))


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_the_example_agent_runs(capsys: Capture) -> None:
    assert run_agent(EXAMPLE, "--level", "multiply") == SUCCESS
    assert "Multiply: solved with" in capsys.readouterr().out


def test_the_result_as_json_and_a_program_of_ones_own(tmp_path: Path, capsys: Capture) -> None:
    agent = write(tmp_path, "mine.py", "from helping import FACT\ndef play(game):\n    game.propose(FACT)\n")
    write(tmp_path, "helping.py", "FACT = 'i <= n'\n")
    assert run_agent(agent, "--program", write(tmp_path, "counting.sip", COUNTING), "--json") == SUCCESS
    result = json.loads(capsys.readouterr().out)
    assert result["cpu_seconds"] >= 0
    del result["cpu_seconds"]
    assert result == {"ok": True, "program": "counting", "solved": True, "proposals": 1, "invariants": [["i <= n"]]}


def test_an_agent_plays_a_c_program(tmp_path: Path, capsys: Capture) -> None:
    agent = write(tmp_path, "mine.py", "def play(game):\n    game.propose('i <= n')\n")
    assert run_agent(agent, "--program", write(tmp_path, "counting.c", C_COUNTING), "--json") == SUCCESS
    shown = capsys.readouterr()
    assert json.loads(shown.out)["program"] == "counting"
    assert "it became an input" in shown.err
    with pytest.raises(SystemExit):
        run_agent(agent, "--program", write(tmp_path, "pointer.c", "int main() {\n  int *p;\n}\n"))
    assert "pointer.c:2:7: 'p' is a pointer" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "fmt"])
def test_c_programs_are_not_checked_as_sip(tmp_path: Path, command: str) -> None:
    with pytest.raises(UsageError, match=rf"'idg {command}' is for SIP programs, .*counting.c is C; 'idg import .*counting.c'"):
        _dispatch(parse([command, write(tmp_path, "counting.c", C_COUNTING)]))


def test_the_built_in_agent_runs(capsys: Capture) -> None:
    assert run_agent("built-in", "--level", "1", "--json") == SUCCESS
    assert json.loads(capsys.readouterr().out)["solved"]


def test_an_agent_that_does_not_solve_it(tmp_path: Path, capsys: Capture) -> None:
    assert run_agent(write(tmp_path, "lazy.py", "def play(game):\n    pass\n"), "--level", "multiply") == NEGATIVE
    assert "not solved with 0 proposals" in capsys.readouterr().out
    assert run_agent(write(tmp_path, "bad.py", "def play(game):\n    1 / 0\n"), "--level", "multiply") == NEGATIVE
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert run_agent(write(tmp_path, "odd.py", "def play(game):\n    game.propose('=')\n"), "--level", "multiply") == NEGATIVE
    assert "expected a value" in capsys.readouterr().err


def test_an_agent_that_ends_the_process(tmp_path: Path, capsys: Capture) -> None:
    leaving = write(tmp_path, "leaving.py", "import sys\ndef play(game):\n    sys.exit(3)\n")
    assert run_agent(leaving, "--level", "multiply", "--json") == NEGATIVE
    shown = capsys.readouterr()
    assert "ended the process instead of returning (exit code 3)" in shown.err
    assert json.loads(shown.out)["problems"][0]["code"] == "agent-exited"


def test_play_may_be_a_coroutine_function(tmp_path: Path, capsys: Capture) -> None:
    text = "async def play(game):\n    await game.propose_many(['res = n * cnt', 'cnt <= m'])\n"
    assert run_agent(write(tmp_path, "awaiting.py", text), "--level", "multiply") == SUCCESS
    assert "Multiply: solved with 2 proposals" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "does not define"),
        ("exit(2)\n", "while it is imported"),
        ("import nothing_of_that_name\n", "ModuleNotFoundError"),
        (None, "no Python file"),
    ],
)
def test_files_that_are_no_agents(tmp_path: Path, text: str | None, words: str) -> None:
    file = str(tmp_path / "none.py") if text is None else write(tmp_path, "agent.py", text)
    with pytest.raises(UsageError, match=words):
        run_agent(file, "--level", "multiply")


def test_rooms_need_a_server(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs --url"):
        run_agent("built-in", "--room", "ABCDEF")
    with pytest.raises(UsageError, match="expected an address"):
        run_agent("built-in", "--level", "multiply", "--url", "nowhere")


def test_agents_in_a_room_of_a_server(server: Server, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    with Player(server.url, name="Person") as person:
        game = person.open("multiply", shared=True)
        assert game.code is not None
        assert run_agent(EXAMPLE, "--room", game.code, "--url", server.url, "--name", "Robot") == SUCCESS
        assert "solved" in capsys.readouterr().out
        assert game.state().solved
        monkeypatch.setenv("IDG_TOKEN", person.token)
        assert run_agent("built-in", "--level", "summation", "--url", server.url, "--json") == SUCCESS
        assert json.loads(capsys.readouterr().out)["solved"]


THINKING_SECONDS = 4
"""Seconds that the agent has before it is killed."""
LONG = """fn main(c: nat) {
  var i, x, y, z: int;
  i := 0;
  x := 1;
  y := 1;
  z := 1;
  while (i < c) {
    if (x * x * x + y * y * y > z * z * z) { z := z + 1; } else if (x < y) { x := x + 1; } else { y := y + 1; }
    i := i + 1;
  }
  assert(x * x * x + y * y * y != z * z * z);
}
"""
"""Fermat's last theorem for cubes. The agent works on it for half a minute and does not decide it."""


def test_an_agent_killed_in_mid_search_leaves_the_room_as_it_was(server: Server) -> None:
    with Player(server.url, name="Person") as person:
        game = person.open(program=LONG, title="Long", shared=True)
        assert game.code is not None
        game.propose("i >= 0")
        game.propose("x + y + z >= 3")
        before = game.state()
        command = [sys.executable, "-m", "idg", "agent", "run", "built-in", "--room", game.code, "--url", server.url]
        agent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert any(event.kind == "joined" for event in game.follow(before.last_event))
            # By then an agent that proposes its guesses one by one would have done so.
            time.sleep(THINKING_SECONDS)
        finally:
            agent.kill()
            output, _ = agent.communicate()
        assert output == "", "it came to an end before it was killed"
        after = game.state()
        assert (after.inductive, after.potential, after.authors) == (before.inductive, before.potential, before.authors)
        assert {event.kind for event in game.events(before.last_event)} <= {"joined", "left"}
        assert game.propose("i <= c").kind == Kind.INDUCTIVE


# the league


def run_league(*arguments: str) -> int:
    return _dispatch(parse(["league", *arguments]))


def test_a_league_table(tmp_path: Path, capsys: Capture) -> None:
    counting, endless = tmp_path / "counting", tmp_path / "endless"
    for folder in (counting, endless):
        folder.mkdir()
    write(counting, "counting.sip", COUNTING)
    write(counting, "again.sip", COUNTING.replace("main", "again"))
    write(endless, "endless.sip", COUNTING.replace("main", "endless"))
    waiting = "    while 'endless' in game.source:\n        time.sleep(1)\n    if 'again' in game.source:\n        os._exit(7)\n"
    own_agent = write(tmp_path, "mine.py", f"import os, time\ndef play(game):\n    print('thinking')\n{waiting}    1 / 0\n")
    # Only the game without an end has a limit that it can reach, so that a busy machine changes nothing.
    assert run_league(EXAMPLE, own_agent, "--programs", str(counting), "--seconds", "600", "--json") == SUCCESS
    played = json.loads(capsys.readouterr().out)
    assert [(row["agent"], row["program"], row["outcome"]) for row in played] == [
        ("agent", "again", "solved"),
        ("agent", "counting", "solved"),
        ("mine", "again", "failed"),
        ("mine", "counting", "failed"),
    ], "games are told in the order of agents and programs, although they are played side by side"
    messages = [row["message"] for row in played if row["outcome"] == "failed"]
    assert messages[0] == "its process ended (exit code 7)"
    assert messages[1].startswith("ZeroDivisionError")
    assert all(row["proposals"] > 0 for row in played if row["outcome"] == "solved")
    assert run_league(own_agent, "--programs", str(endless), "--seconds", "1", "--processes", "1", "--json") == SUCCESS
    assert [row["outcome"] for row in json.loads(capsys.readouterr().out)] == ["time"]


def test_the_league_prints_a_table_of_levels(capsys: Capture) -> None:
    assert run_league(EXAMPLE, "built-in", "--level", "multiply") == SUCCESS
    head, row, total = capsys.readouterr().out.splitlines()
    assert head.split() == ["program", "agent", "built-in"]
    assert row.startswith("multiply  solved, ")
    assert row.count("proposals") == 2
    assert total.count("1 of 1, median") == 2


def test_leagues_that_cannot_be_held(tmp_path: Path) -> None:
    for words, arguments in (
        ("no level", ["built-in", "--level", "nothing"]),
        ("no .sip, .c or .py file", ["built-in", "--programs", str(tmp_path)]),
        ("not both", ["built-in", "--programs", str(tmp_path), "--level", "multiply"]),
        ("more than 0", ["built-in", "--seconds", "0"]),
        ("no Python file", ["nobody.py"]),
    ):
        with pytest.raises(UsageError, match=words):
            run_league(*arguments)


def test_programs_and_agents_of_one_name_have_rows_and_columns_of_their_own(tmp_path: Path, capsys: Capture) -> None:
    folder, elsewhere = tmp_path / "programs", tmp_path / "other"
    folder.mkdir()
    elsewhere.mkdir()
    write(folder, "loop.sip", COUNTING)
    write(folder, "loop.c", C_COUNTING)
    write(folder, "single.sip", COUNTING)
    write(folder, f"{'long' * 10}.sip", COUNTING)
    first = write(tmp_path, "mine.py", "def play(game):\n    game.propose('i <= n')\n")
    second = write(elsewhere, "mine.py", "def play(game):\n    pass\n")
    assert run_league(first, second, first, "--programs", str(folder)) == SUCCESS
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].split() == ["program", first, second]
    assert [row.split()[0] for row in rows[1:]] == ["longlonglonglonglongl…longlong", "loop.c", "loop.sip", "single", "solved"]
    assert rows[-1].count("4 of 4") == rows[-1].count("0 of 4") == 1


def test_files_that_cannot_be_played_do_not_end_the_league(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "folder.c").mkdir()
    (tmp_path / "latin.sip").write_bytes(b"# \xe9\n")
    (tmp_path / "gone.sip").symlink_to(tmp_path / "nowhere.sip")
    with pytest.raises(UsageError, match="nothing is left to play"):
        run_league("built-in", "--programs", str(tmp_path))
    capsys.readouterr()
    write(tmp_path, "counting.sip", COUNTING)
    write(tmp_path, "inside.sip", COUNTING.replace("  assert(i = n);\n", "").replace("i + 1;", "i + 1;\n    assert(i > 0);"))
    failing = write(tmp_path, "mine.py", "def play(game):\n    raise ValueError('one\\ntwo')\n")
    assert run_league(failing, "--programs", str(tmp_path)) == SUCCESS
    shown = capsys.readouterr()
    assert [name for name in ("folder.c", "latin.sip", "gone.sip") if name not in shown.err] == []
    assert "save it as UTF-8" in shown.err
    below = shown.out.splitlines()[-2:]
    assert below[0] == "mine failed on counting: ValueError: one"
    assert below[1].startswith("mine failed on inside: 'main' promises nothing, so there is nothing to prove")
    assert "asserts inside loops are no guarantee" in below[1]


# importing C


def run_import(*arguments: str) -> int:
    return _dispatch(parse(["import", *arguments]))


def test_importing_prints_sip_and_notes(tmp_path: Path, capsys: Capture) -> None:
    text = "int main() {\n  int n, i = 0;\n  while (i < n) i++;\n  assert(n < 0 || i == n);\n}\n"
    file = write(tmp_path, "count.c", text)
    assert run_import(file) == SUCCESS
    shown = capsys.readouterr()
    assert load(shown.out).loops
    assert "line 2: n has no value at the start: it became an input" in shown.err
    assert run_import(file, "-o", str(tmp_path / "count.sip")) == SUCCESS
    assert (tmp_path / "count.sip").read_text(encoding="utf-8") == shown.out


def test_importing_reads_headers_beside_the_file(tmp_path: Path, capsys: Capture) -> None:
    write(tmp_path, "limit.h", "#define LIMIT 77\n")
    text = '#include "limit.h"\n#include "assert.h"\nint main() { int i = 0; while (i < LIMIT) i++; assert(i == LIMIT); }\n'
    assert run_import(write(tmp_path, "count.c", text)) == SUCCESS
    shown = capsys.readouterr()
    assert "assert(i = 77)" in shown.out
    assert '#include "assert.h" is not read' in shown.err
    with pytest.raises(SystemExit) as ended:
        run_import(write(tmp_path, "count.c", f'#include "none.h"\n{text}'))
    assert ended.value.code == NEGATIVE
    assert 'the header "none.h" does not lie beside the file' in capsys.readouterr().err


def test_importing_reads_headers_of_headers(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "part").mkdir()
    write(tmp_path / "part", "one.h", '#ifndef ONE\n#define ONE\n#include "two.h"\n#endif\n')
    write(tmp_path / "part", "two.h", '#include "one.h"\n#define LIMIT 78\n')
    text = '#include "part/one.h"\nint main() { int i = 0; while (i < LIMIT) i++; assert(i == LIMIT); }\n'
    assert run_import(write(tmp_path, "count.c", text)) == SUCCESS
    assert "assert(i = 78)" in capsys.readouterr().out


def test_importing_reads_old_encodings(tmp_path: Path, capsys: Capture) -> None:
    text = '/* Zähler */ int main() { int i = 0; while (i < 7) i++; puts("é"); assert(i == 7); }\n'
    for encoding in ("latin-1", "utf-8", "utf-8-sig"):
        (tmp_path / "count.c").write_bytes(text.encode(encoding))
        assert run_import(str(tmp_path / "count.c")) == SUCCESS
        assert "assert(i = 7)" in capsys.readouterr().out


def test_c_files_are_solved_and_played_as_they_are(tmp_path: Path, capsys: Capture) -> None:
    text = "int main() {\n  int n, i = 0;\n  assume(n >= 0);\n  while (i < n) i++;\n  assert(i == n);\n}\n"
    assert _dispatch(parse(["solve", write(tmp_path, "count.c", text)])) == SUCCESS
    shown = capsys.readouterr()
    assert "solved" in shown.out
    assert "it became an input" in shown.err
    write(tmp_path, "pointer.c", "int main() {\n  int *p;\n}\n")
    assert run_league("built-in", "--programs", str(tmp_path), "--json") == SUCCESS
    shown = capsys.readouterr()
    assert [(row["program"], row["outcome"]) for row in json.loads(shown.out)] == [("count", "solved")]
    assert "pointer.c:2:7: 'p' is a pointer" in shown.err
    with pytest.raises(SystemExit):
        _dispatch(parse(["solve", str(tmp_path / "pointer.c")]))


def test_importing_refuses_with_the_place(tmp_path: Path, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        run_import(write(tmp_path, "pointer.c", "int main() {\n  int *p;\n}\n"))
    assert caught.value.code == NEGATIVE
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "pointer.c:2:7: 'p' is a pointer" in shown.err
    with pytest.raises(UsageError, match="cannot read"):
        run_import(str(tmp_path / "none.c"))
