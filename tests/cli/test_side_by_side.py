"""Two games on one program: the game that decides at the smaller count of fuel wins, whichever process is quicker."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from idg.agents import AgentResult, LocalEngine
from idg.agents.built_in.results import HowItEnded
from idg.cli.errors import INTERRUPTED
from idg.cli.main import main
from idg.cli.playing import side_by_side
from idg.cli.playing.side_by_side import SECOND_GAME_FUEL, GameAsked, SideBySide
from idg.sip.program import load
from idg.sip.record import replace

PROGRAM = "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"
STEP = 10
"""Fuel of one step of a scripted game."""
NEVER = 10**6
"""A count that no game comes to: it ends open before."""
LAST_COUNT = 4_000


class ScriptedAgent:
    """A game that decides when it has used a certain amount of fuel, and is slow or quick."""

    decides_at = (NEVER, NEVER)
    pause_seconds = (0.0, 0.0)

    def __init__(self, engine: LocalEngine, seed: int = 0, fuel_max: int = 0, **_: object) -> None:
        self.engine = engine
        self.game = seed
        self.fuel_spent = 0

    def play(self) -> AgentResult:
        while self.fuel_spent < LAST_COUNT:
            self.fuel_spent += STEP
            if self.engine.should_stop():
                return self.result("open")
            if self.fuel_spent >= self.decides_at[self.game]:
                return self.result("solved")
            time.sleep(self.pause_seconds[self.game])
        return self.result("open")

    def result(self, outcome: HowItEnded) -> AgentResult:
        return AgentResult(outcome, ((f"game {self.game}",),), None, "", False, 0, (), self.fuel_spent, ())


@pytest.mark.parametrize("pauses", [(0.0, 0.0), (0.002, 0.0), (0.0, 0.002)])
@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        (SECOND_GAME_FUEL - STEP, STEP, 0),
        (1_000, 1_000 - SECOND_GAME_FUEL, 0),
        (1_000, 1_000 - SECOND_GAME_FUEL - STEP, 1),
        (1_000, 2_000, 0),
        (3_000, 200, 1),
        (1_000, NEVER, 0),
        (NEVER, 500, 1),
    ],
)
def test_the_smaller_count_wins(
    first: int, second: int, winner: int, pauses: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ScriptedAgent, "decides_at", (first, second))
    monkeypatch.setattr(ScriptedAgent, "pause_seconds", pauses)
    monkeypatch.setattr(side_by_side, "Agent", ScriptedAgent)
    result, seconds = SideBySide(GameAsked(load(PROGRAM), 0, 600), lambda _: None, two=True).play()
    assert result.outcome == "solved"
    assert result.invariants == ((f"game {winner}",),)
    assert seconds >= 0


def test_where_both_decide_nothing_it_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "Agent", ScriptedAgent)
    result, _ = SideBySide(GameAsked(load(PROGRAM), 0, 600), lambda _: None, two=True).play()
    assert result.outcome == "open"
    assert result.invariants == (("game 0",),)


def test_one_process_plays_one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScriptedAgent, "decides_at", (3_000, 200))
    monkeypatch.setattr(side_by_side, "Agent", ScriptedAgent)
    result, _ = SideBySide(GameAsked(load(PROGRAM), 0, 600), lambda _: None, two=False).play()
    assert result.invariants == (("game 0",),)


CUBES = """
fn cubes(a, b, c: nat) {
  var i: nat := 0;
  while (i < a) { i := i + 1; }
  assert((i + 1)^3 + (b + 1)^3 != (c + 1)^3);
}
"""
"""No run breaks it, as Euler proved, and the agent does not find his proof."""


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_ctrl_c_ends_the_search_with_what_was_found(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(games: SideBySide) -> tuple[AgentResult, float]:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        return real(games)

    real = SideBySide.play
    monkeypatch.setattr(SideBySide, "play", play)
    (tmp_path / "cubes.sip").write_text(CUBES)
    before = signal.getsignal(signal.SIGINT)
    assert main(["solve", str(tmp_path / "cubes.sip"), "--seconds", "3000", *more]) == INTERRUPTED
    assert signal.getsignal(signal.SIGINT) is before
    printed = capsys.readouterr().out
    if more:
        report = json.loads(printed)
        assert (report["outcome"], report["interrupted"], report["stopped"]) == ("open", True, True)
    else:
        assert printed.startswith("open: it was interrupted before it was proved or refuted")


def test_a_game_that_uses_all_of_its_time_leaves_some_for_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether the program ends was asked after the game, and was always open where the game was."""

    def play(games: SideBySide) -> tuple[AgentResult, float]:
        games.asked = replace(games.asked, seconds=0.0)
        return ScriptedAgent(games.engine).result("open"), 0.0

    monkeypatch.setattr(SideBySide, "play", play)
    file = tmp_path / "program.sip"
    file.write_text(PROGRAM, encoding="utf-8")
    main(["solve", str(file), "--terminates", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["ending"]["status"]) == ("open", "ends")
