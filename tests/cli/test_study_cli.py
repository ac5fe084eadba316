"""`idg study`: planning a study and evaluating its export, as a person at a terminal does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idg.cli.main import main
from tests.support.study.six_participants import TOML, exported_line, six_participants


def test_a_study_is_written_checked_and_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", "new", "mine"]) == 0
    assert main(["study", "check", "mine.toml"]) == 0
    assert "consent text of version 1" in capsys.readouterr().out
    assert main(["study", "preregister", "mine.toml", "-o", "plan.md"]) == 0
    assert Path("plan.md").read_text(encoding="utf-8").startswith("# Preregistration: mine\n")
    assert main(["study", "new", "mine"]) == 2
    assert "mine.toml exists already" in capsys.readouterr().err
    assert main(["study", "new", "not a name"]) == 2

    Path("mine.toml").write_text("levels = []\n", encoding="utf-8")
    assert main(["study", "check", "mine.toml"]) == 1
    told = capsys.readouterr().err
    assert "mine.toml: the study: name is missing; it is a text" in told
    assert "mine.toml: levels: name at least one level" in told
    assert main(["study", "check", "other.toml"]) == 2


def test_a_report_is_made_from_exported_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("six.toml").write_text(TOML, encoding="utf-8")
    rows = six_participants()
    for name, of_rooms in (("events.jsonl", True), ("logs.jsonl", False)):
        lines = [exported_line(row) for row in rows if bool(row.room) == of_rooms]
        Path(name).write_text("".join(lines), encoding="utf-8")
    written = ("-o", "report.html", "--json", "report.json", "--csv", "visits.csv")
    assert main(["study", "report", "six.toml", "--from", "events.jsonl", "logs.jsonl", *written]) == 0
    assert "4 of 6 participants are analysed" in capsys.readouterr().out
    assert Path("report.html").read_text(encoding="utf-8").count("<svg") == 4
    shown = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert shown["win_rate"]["at_end"] == [0.6, 0.5]
    together = {(level["arm"], level["level"]): level["collective"] for level in shown["levels"]}
    assert together["code", "multiply"] is True
    assert len(Path("visits.csv").read_text(encoding="utf-8").splitlines()) == 13

    Path("events.jsonl").write_text("{}\n", encoding="utf-8")
    assert main(["study", "report", "six.toml", "--from", "events.jsonl"]) == 2
    assert "events.jsonl, line 1: this is no line of 'idg export'" in capsys.readouterr().err
    Path("events.jsonl").write_text("", encoding="utf-8")
    assert main(["study", "report", "six.toml", "--from", "events.jsonl"]) == 1


def test_power_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "power", "--win", "0.6", "0.5"]) == 0
    assert "388 participants in each arm give a power of 80.0 %" in capsys.readouterr().out
    assert main(["study", "power", "--win", "0.6", "0.5", "--participants", "388", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["power"] == pytest.approx(0.8, abs=0.005)
    assert main(["study", "power", "--win", "1.6", "0.5"]) == 2
