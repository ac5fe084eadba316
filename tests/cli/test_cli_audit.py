"""`idg audit` as a user meets it: real processes, real files, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_cli import idg
from tests.cli.test_cli_engine import NO_LOOP, PROVED, WRONG, file


def test_a_right_program_is_confirmed(tmp_path: Path) -> None:
    result = idg("audit", file(tmp_path, PROVED))
    assert result.returncode == 0, result.stderr
    assert "✓ line 7: invariant kept: sqr = (cnt + 1)^2  [confirmed]" in result.stdout
    assert result.stdout.endswith("confirmed: all 7 conditions hold\n")


def test_a_wrong_program_is_contradicted(tmp_path: Path) -> None:
    result = idg("audit", file(tmp_path, WRONG), "--json")
    assert result.returncode == 1
    answer = json.loads(result.stdout)
    assert answer["answer"] == "contradicted"
    assert answer["run"]["what"] in ("invariant", "zero-divisor", "callee-pre", "post", "assert")
    failed = {condition["what"] for condition in answer["conditions"] if condition["answer"] != "confirmed"}
    assert {"invariant kept", "post", "zero-divisor"} <= failed
    assert all(condition["state"] for condition in answer["conditions"] if condition["answer"] == "contradicted")


def test_invariants_can_be_given() -> None:
    assert idg("audit", "multiply", "-e", "res = n * cnt", "-e", "cnt <= m").returncode == 0
    weak = idg("audit", "multiply", "-e", "res = n * cnt")
    assert weak.returncode == 1
    assert weak.stdout.endswith("contradicted: these invariants do not prove the program\n")
    wrong = idg("audit", "multiply", "-e", "cnt < m")
    assert wrong.stdout.endswith("contradicted: a run breaks what is claimed\n")
    assert idg("audit", "multiply", "-e", "cnt + 1").returncode == 1
    assert idg("audit", "multiply", "-e", "cnt <= m", "--loop", "2").returncode == 2


def test_a_program_without_obligations_is_not_confirmed(tmp_path: Path) -> None:
    result = idg("audit", file(tmp_path, "fn main(n: nat) { print(n); }\n"))
    assert result.returncode == 1
    assert result.stdout.strip() == "nothing to confirm: the program has no obligation"
    assert idg("audit", file(tmp_path, NO_LOOP)).returncode == 0


def test_conditions_are_written_as_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "conditions"
    assert idg("audit", file(tmp_path, PROVED), "--smtlib", str(folder)).returncode == 0
    scripts = sorted(folder.iterdir())
    assert [path.name for path in scripts[:2]] == ["condition-001.smt2", "condition-002.smt2"]
    assert scripts[0].read_text(encoding="utf-8").startswith("; square_root, line 7: invariant on entry: sqr = (cnt + 1)^2\n")
    assert idg("audit", "multiply", "--smtlib", str(scripts[0])).returncode == 2
