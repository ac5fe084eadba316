"""The agent uses its time: it can be stopped while it makes its first runs, steers runs, and plays its rounds again with more."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idg.agents import Agent, LocalEngine
from idg.agents.built_in.rounds import ROUNDS
from idg.engine.results import SecondCheck
from idg.engine.states.runs import RunPool, RunsStopped
from idg.prover.prove import DEFAULT, Prover
from idg.sip.program import load
from idg.sip.running.chooser import ContinuingChooser
from tests.support.shared_runs import made_anew

HARD = """fn f(n: nat) {
  var i, x: int;
  i := 0;
  x := 3;
  while (i < n) {
    i := i + 1;
    x := (x * x + 1) % 257;
  }
  assert(x != 256);
}
"""
"""A program that is neither proved nor refuted soon."""
LATE = {
    "a number in a nested loop": """fn f(n, m: nat) {
  var i, j, k: int;
  k := 0; i := 0;
  while (i < n) {
    j := 0;
    while (j < m) {
      if (k = 1800) { k := k + 2; } else { k := k + 1; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert(k = n * m);
}""",
    "a number that choices have to meet": """fn f(n: nat) {
  var c: bool;
  var a, d, i: int;
  a := 0; d := 0; i := 0;
  while (i < n) {
    cassign([c], true);
    if (c) {
      a := a + 17;
      if (d = -1500) { d := d - 18; } else { d := d - 17; }
    } else { a := a - 1; d := d + 1; }
    i := i + 1;
  }
  assert(a + d = 0);
}""",
    "the same choice for long, and then the end": """fn f(n: nat) {
  var c, seen: bool;
  var a, i: int;
  a := 0; i := 0; seen := false;
  while (i < n) {
    cassign([c], true);
    if (c) { a := a + 1; } else { }
    if (a > 31) { seen := true; } else { }
    i := i + 1;
  }
  assert(seen | a < 31);
}""",
}


@pytest.mark.parametrize("name", LATE)
def test_runs_are_steered_to_branches_and_states_that_others_do_not_reach(name: str) -> None:
    program = load(LATE[name])
    result = Agent(LocalEngine(program)).play()
    assert result.outcome == "refuted"
    assert result.run is not None
    assert program.repeat(result.run).outcome.kind == "failed"


def test_a_run_that_continues_makes_the_choices_of_its_script_first() -> None:
    program = load(LATE["a number that choices have to meet"])
    script = ((True,), (True,), (False,), (True,))
    recording = program.recording({"n": 40}, program.run(n=1).limits, chooser=ContinuingChooser(script, 5))
    assert tuple(values for _, values, _, _ in recording.noted)[:4] == script
    assert len(recording.noted) == 41, "the initial value, and one choice a turn"
    misfit = program.recording({"n": 5}, program.run(n=1).limits, chooser=ContinuingChooser(((7,), (True,)), 5))
    assert misfit.outcome.kind == "returned"


def stopping_after(questions: int) -> Callable[[], bool]:
    """A clock that says stop after it was asked so often."""
    left = [questions]

    def should_stop() -> bool:
        left[0] -= 1
        return left[0] < 0

    return should_stop


def test_the_first_runs_can_be_interrupted_and_nothing_incomplete_is_kept() -> None:
    program = load(HARD)
    stopped = RunPool(program, prover=Prover(DEFAULT, should_stop=stopping_after(10)))
    with made_anew():
        with pytest.raises(RunsStopped):
            _ = stopped.reached
        assert not stopped.are_made
        assert stopped.prover is not None
        stopped.prover.should_stop = lambda: False
        assert stopped.reached == RunPool(program).reached


@pytest.mark.parametrize("questions", [0, 3, 30, 300, 3_000])
def test_it_can_be_stopped_anywhere_and_says_what_is_left(questions: int) -> None:
    engine = LocalEngine(load(HARD), stopping_after(questions))
    result = Agent(engine, grows=True).play()
    assert result.outcome == "open"
    assert result.stopped
    engine.left()


def test_rounds_are_played_again_with_more_until_the_fuel_is_used_up() -> None:
    given_up = Agent(LocalEngine(load(HARD))).play()
    assert not given_up.stopped
    fuel_max = given_up.fuel + 200
    grown = Agent(LocalEngine(load(HARD)), fuel_max=fuel_max, grows=True).play()
    assert grown.stopped
    assert grown.round_names[: given_up.rounds] == given_up.round_names
    assert grown.round_names.count(ROUNDS[0].name) > 1
    again = Agent(LocalEngine(load(HARD)), fuel_max=fuel_max, grows=True).play()
    assert again == grown, "the same seed gives the same game"


def test_solved_is_said_only_after_the_second_verifier_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"
    assert Agent(LocalEngine(load(text))).play().second_check is SecondCheck.CONFIRMED
    monkeypatch.setattr("idg.engine.telling.feedback.second_check", lambda program, facts: SecondCheck.CONTRADICTED)
    assert Agent(LocalEngine(load(text))).play().outcome == "open"


def solved(tmp_path: Path, name: str, text: str, *options: str) -> dict[str, Any]:
    """What `idg solve --json` prints."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "idg.cli.main", "solve", "--json", str(tmp_path / name), *options]
    report: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return report


def test_the_report_of_an_open_program_has_the_state_and_the_partial_proof(tmp_path: Path) -> None:
    report = solved(tmp_path, "hard.sip", HARD, "--seconds", "2", "--seed", "7")
    assert report["outcome"] == "open"
    assert report["stopped"] is True
    assert report["seed"] == 7
    assert isinstance(report["candidates"], int)
    assert report["candidates"] > 10
    assert "whether every run ends is not asked" in str(report["assumed"])
    assert isinstance(report["state"], dict)
    assert set(report["state"]["values"]) == {"n", "i", "x"}
    assert [obligation["status"] for obligation in report["obligations"]] == ["refuted"]
    assert "x >= 0" in str(report["invariants"])


def test_the_report_of_a_c_file_says_what_was_assumed(tmp_path: Path) -> None:
    text = "int main() { unsigned int n; unsigned int i = 0; while (i < n) { i = i + 1; } assert(i == n); return 0; }"
    report = solved(tmp_path, "count.c", text)
    assert report["outcome"] == "solved"
    assert "that an operation overflows is left out" in str(report["assumed"])
    assert len(report["assumed"]) > 3
