"""`idg completion` in real shells, `idg doctor`, and that every flag explains itself."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from idg.cli.live import live_bar
from idg.cli.main import build_parser, main
from idg.needs import EXTRAS
from tests.support.attack.queries.prover_examples import INVALID


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser, and those of all commands and of their actions."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for own in action.choices.values():
                yield from parsers(own)


def test_every_argument_of_every_command_explains_itself() -> None:
    silent = []
    for parser in parsers(build_parser()):
        parser.format_help()
        for action in parser._actions:
            told = isinstance(action, argparse._SubParsersAction) or (action.help and "docs/server.md" not in action.help)
            if not told:
                silent.append(f"{parser.prog} {action.option_strings or action.dest}")
    assert not silent


def test_bash_completes_commands_and_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab")
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "idg.bash"
    script.write_text(capsys.readouterr().out, encoding="utf-8")

    def completed(*words: str) -> list[str]:
        ask = (
            f"source {script}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; "
            'COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; '
            'f=$(complete -p idg | sed "s/.*-F \\([^ ]*\\).*/\\1/"); $f idg; echo "${COMPREPLY[@]}"'
        )
        return subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True).stdout.split()

    assert "solve" in completed("idg", "so")
    assert "--terminates" in completed("idg", "solve", "--term")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_read_their_completions(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab")
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "terminates" in text
    if shutil.which(shell) is not None:
        script = tmp_path / "completions"
        script.write_text(text, encoding="utf-8")
        subprocess.run([shell, "-n", str(script)], check=True)


def test_the_doctor_tells_what_works_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert report["solvers"].keys() == {"cvc5", "python-flint", "z3-solver"}
    assert report["extras"].keys() == EXTRAS.keys()
    assert report["extras"]["server"]
    assert report["sandbox"]


def test_the_doctor_puts_provers_through_the_suite(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("idg.prover.plugins.conformance.EXAMPLES", INVALID[:2])
    assert main(["doctor", "--prover", "cvc5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["prover"], told["examples"], told["proved"], told["wrong"]) == (True, "cvc5", 2, 0, [])
    assert main(["doctor", "--prover", "nobody"]) == 2


def test_the_doctor_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("idg.cli.doctor._version", lambda package: None)
    monkeypatch.setattr("idg.cli.doctor.is_installed", lambda extra: extra != "lti")
    monkeypatch.setattr("idg.cli.doctor._sandbox", lambda: {"network": "held"})
    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "z3-solver is missing" in shown
    assert "(pip install 'idg[lti]')" in shown


WRONG = "fn main(n: nat) { i := 1; }"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["prove", "wrong.sip"], "unknown-name"),
        (["solve", "wrong.sip"], "unknown-name"),
        (["trace", "wrong.sip", "n=1"], "unknown-name"),
        (["audit", "wrong.sip"], "unknown-name"),
        (["solve", "wrong.py"], "outside-the-subset"),
        (["propose", "multiply", "-e", "nothing > 1"], "unknown-name"),
        (["eval", "multiply", "-e", "nothing > 1", "-e", "nobody > 1"], "unknown-name"),
        (["audit", "multiply", "-e", "nothing > 1"], "unknown-name"),
        (["check", "absent.sip"], "usage"),
        (["check"], "usage"),
        (["fmt", "wrong.txt"], "expected"),
        (["import", "wrong.py"], "outside-the-subset"),
        (["solve", "multiply", "--minutes", "3"], "usage"),
        (["agent", "run", "built-in", "--level", "multiply", "--url", "http://127.0.0.1:1"], "usage"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_a_refusal_leaves_json(
    arguments: list[str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.sip").write_text(WRONG, encoding="utf-8")
    Path("wrong.txt").write_text("fn ", encoding="utf-8")
    Path("wrong.py").write_text("def f(n: int):\n    import os\n", encoding="utf-8")
    try:
        ended = main([*arguments, "--json"])
    except SystemExit as exit_:
        ended = int(str(exit_.code))
    assert ended in (1, 2)
    shown = capsys.readouterr()
    answer = json.loads(shown.out)
    assert answer["ok"] is False
    assert answer["problems"][0].keys() == {"code", "message", "where", "hint"}
    assert answer["problems"][0]["code"] == code
    assert shown.err


def test_what_an_agent_prints_does_not_break_the_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = tmp_path / "chatty.py"
    text = "print('loaded')\ndef play(game):\n    print('hello')\n    game.propose_many(['res = n * cnt', 'cnt <= m'])\n"
    agent.write_text(text, encoding="utf-8")
    assert main(["agent", "run", str(agent), "--level", "multiply", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["solved"] is True
    assert "loaded" in shown.err
    assert "hello" in shown.err


def test_fmt_and_import_tell_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loose.sip").write_text("fn main(){print(1);}", encoding="utf-8")
    assert main(["fmt", "loose.sip", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"ok": True, "changed": True, "text": "fn main() {\n  print(1);\n}\n"}
    assert main(["fmt", "loose.sip", "--json", "--check"]) == 1
    assert json.loads(capsys.readouterr().out)["changed"]
    Path("same.py").write_text("def same(n: int) -> int:\n    assert n >= 0\n    return n\n", encoding="utf-8")
    assert main(["import", "same.py", "--json", "-o", "same.sip"]) == 0
    shown = capsys.readouterr()
    answer = json.loads(shown.out)
    assert (answer["ok"], answer["language"]) == (True, "Python")
    assert Path("same.sip").read_text(encoding="utf-8") == answer["source"]


WITHOUT_RESULT = {"idg play", "idg serve", "idg mcp", "idg lsp", "idg node", "idg completion"}
"""Commands that go on until they are ended, or whose result is a text for a shell."""


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("check", "multiply"), 0),
        (("trace", "multiply", "n=2", "m=3"), 0),
        (("trace", "wrong.sip"), 1),
        (("eval", "multiply", "n=2", "m=3", "-e", "cnt <= m"), 0),
        (("eval", "multiply", "n=2", "m=3", "-e", "cnt < m"), 1),
        (("prove", "multiply"), 1),
        (("audit", "multiply", "-e", "cnt <= m", "-e", "res = n * cnt"), 0),
        (("audit", "multiply"), 1),
        (("solve", "multiply"), 0),
        (("solve", "wrong.sip"), 1),
        (("levels", "multiply"), 0),
        (("agent", "run", "built-in", "--level", "multiply"), 0),
        (("export", "multiply", "--to", "dafny"), 0),
        (("export", "multiply", "--to", "dafny", "-e", "cnt <= m"), 1),
        (("show", "multiply", "--as", "python"), 0),
    ],
)
def test_ok_is_true_if_and_only_if_the_exit_code_is_0(
    command: tuple[str, ...], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.sip").write_text("fn main() {\n  assert(1 = 2);\n}\n", encoding="utf-8")
    try:
        ended: object = main([*command, "--json"])
    except SystemExit as refused:
        ended = refused.code
    told = json.loads(capsys.readouterr().out)
    assert (ended, next(iter(told)), told["ok"]) == (code, "ok", code == 0)


def test_every_command_with_a_result_tells_it_as_json() -> None:
    leaves = [
        parser
        for parser in parsers(build_parser())
        if not any(isinstance(action, argparse._SubParsersAction) for action in parser._actions)
    ]
    silent = {parser.prog for parser in leaves if "--json" not in parser._option_string_actions}
    assert silent == WITHOUT_RESULT


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """What a command tells as JSON."""
    assert main([*arguments, "--json"]) == code
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert answer["ok"] is (code == 0)
    if code:
        assert answer["problems"][0].keys() == {"code", "message", "where", "hint"}
    return answer


def test_teachers_and_platforms_tell_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("joserfc")
    data = ("--data", str(tmp_path))
    made = told(capsys, "teachers", "add", "Emmy", *data)
    assert (made["name"], len(made["code"]) > 3) == ("Emmy", True)
    assert told(capsys, "teachers", "list", *data)["teachers"] == [{"player": made["player"], "name": "Emmy", "classes": 0}]
    assert told(capsys, "teachers", "code", made["player"], *data)["code"] != made["code"]
    assert told(capsys, "teachers", "remove", made["player"], *data)["player"] == made["player"]
    assert told(capsys, "teachers", "remove", made["player"], *data, code=2)["problems"][0]["code"] == "usage"
    platform = ("--moodle", "https://moodle.example.org", "--client", "4kZ0")
    assert told(capsys, "lti", "add", "moodle", *platform, *data)["platform"]["client"] == "4kZ0"
    assert [row["name"] for row in told(capsys, "lti", "list", *data)["platforms"]] == ["moodle"]
    assert told(capsys, "lti", "keys", *data)["keys"][0]["kty"]
    assert told(capsys, "lti", "scores", *data)["scores"] == []
    assert told(capsys, "lti", "remove", "moodle", *data)["name"] == "moodle"


def test_studies_and_exports_tell_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert told(capsys, "study", "new", "mine")["file"] == "mine.toml"
    assert told(capsys, "study", "new", "mine", code=2)["problems"][0]["code"] == "usage"
    assert told(capsys, "study", "check", "mine.toml")["study"] == "mine"
    assert told(capsys, "study", "preregister", "mine.toml")["text"].startswith("#")
    Path("wrong.toml").write_text("name = 1\n", encoding="utf-8")
    assert told(capsys, "study", "check", "wrong.toml", code=1)["problems"][0]["code"] == "bad-definition"
    data = ("--data", str(tmp_path))
    assert told(capsys, "study", "open", "mine.toml", *data)["link"] == "/study/mine?pid=ID"
    assert told(capsys, "study", "close", "mine", *data)["participants"] == 0
    facts = ("-e", "res = n * cnt", "-e", "cnt <= m")
    assert "while" in told(capsys, "export", "multiply", *facts, "--to", "dafny")["text"]
    assert told(capsys, "export", "multiply", *facts[:2], "--to", "dafny", code=1)["problems"][0]["code"] == "not-exported"
    assert told(capsys, "export", "events", "-o", "events.jsonl", *data)["rows"] == 0
    assert told(capsys, "export", "events", *data, code=2)["problems"][0]["code"] == "usage"


def test_the_living_line_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def shown() -> str:
        bar = live_bar("games")
        for count in range(4):
            bar(count, 3)
        return capsys.readouterr().err

    assert shown() == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    lines = shown().split("\r\x1b[K")
    assert lines[3] == "████████████████░░░░░░░░ games 2 of 3"
    assert lines[-1] == "", "when all are done the line is removed"
    monkeypatch.setenv("TERM", "dumb")
    assert shown() == ""


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


COLOURED = (
    ("trace", "multiply", "n=2", "m=1"),
    ("eval", "multiply", "n=2", "m=1", "-e", "cnt < m"),
    ("prove", "multiply"),
    ("audit", "multiply", "-e", "cnt <= m", "-e", "res = n * cnt"),
)


@pytest.mark.parametrize("command", COLOURED, ids=lambda command: command[0])
def test_colours_are_for_terminals_that_want_them(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown() -> str:
        main(list(command))
        return capsys.readouterr().out

    plain = shown()
    assert "\x1b" not in plain
    for environment in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}):
        with monkeypatch.context() as patched:
            on_a_terminal(patched, **environment)
            assert shown() == plain
    with monkeypatch.context() as patched:
        on_a_terminal(patched, TERM="xterm", NO_COLOR="")
        painted = shown()
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9]+m", "", painted) == plain


def test_a_row_that_fails_is_orange_and_one_that_holds_is_blue(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch, TERM="xterm")
    main(["eval", "multiply", "n=2", "m=1", "-e", "cnt < m"])
    lines = capsys.readouterr().out.splitlines()
    assert [line[:5] for line in lines if line.startswith("\x1b")] == ["\x1b[1mr", "\x1b[34m", "\x1b[33m"]
