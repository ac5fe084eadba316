"""The suites on which the agent is measured: a folder of programs (bench/holdout.py) and random loops (bench/planted.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from bench.holdout import Entry, Played, p90, play, table
from bench.planted import planted
from bench.planted_families import FAMILIES
from idg.sip.program import load
from tests.support.volume import LONG

ROOT = Path(__file__).parents[2]
PLAYED = range(300) if LONG else [2 * family + family % 2 for family in range(len(FAMILIES))]
"""Numbers of the planted programs that are played: in `make test` one of each family, by turns a right one and a wrong one."""
PROGRAMS = {
    "counter.sip": "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }",
    "wrong.sip": "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i < 40); }",
    "plain.sip": "fn f(n: nat) { var i: int; i := n; while (i > 3) { i := i - 1; } assert(i <= 3); }",
    "promises_nothing.sip": "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } }",
    "broken.sip": "fn f(n: nat) { i := 0; }",
    "inside/with_header.c": '#include "step.h"\nint main() { int i = 0; while (i < 9) { i = i + STEP; } assert(i == 9); }',
    "inside/pointers.c": "int main() { int x = 0; int *p = &x; while (x < 10) { p = p + 1; } assert(x == 10); return 0; }",
}
OUTCOMES = {
    "broken.sip": "refused",
    "counter.sip": "solved",
    "inside/pointers.c": "refused",
    "inside/with_header.c": "solved",
    "plain.sip": "trivial",
    "promises_nothing.sip": "trivial",
    "wrong.sip": "refuted",
}


def test_a_folder_is_played_one_process_a_program(tmp_path: Path) -> None:
    for name, text in PROGRAMS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "inside" / "step.h").write_text("#define STEP 1\n", encoding="utf-8")
    lines = tmp_path / "played.jsonl"
    command = [sys.executable, "-m", "bench.holdout", str(tmp_path), "--seconds", "60", "--json", str(lines)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    played = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert {game["name"]: game["outcome"] for game in played} == OUTCOMES
    assert "decided: 5 of 5 (100.0 %)" in done.stdout
    assert "proofs confirmed by the second verifier: 3 of 3" in done.stdout


def test_a_process_that_ends_without_an_answer_concerns_its_program_only() -> None:
    script = (
        "import os; from bench.holdout import *\n"
        "def work(entry):\n"
        "    if entry.name == 'killed': os._exit(3)\n"
        "    if entry.name == 'raises': raise ValueError('a mistake')\n"
        "    return Played(entry.name, 'solved', 0.0)\n"
        "for game in play_all([Entry(name, '') for name in ('killed', 'raises', 'fine')], 5, 2, work):\n"
        "    print(game.name, game.outcome, game.told)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    killed, raises, fine = done.stdout.splitlines()
    assert killed == "killed crashed the process ended without a result: exit code 3"
    assert raises.startswith("raises crashed")
    assert raises.endswith("ValueError: a mistake")
    assert fine.strip() == "fine solved"


def test_the_table_lists_what_is_undecided_wrong_or_not_confirmed() -> None:
    shown = table(
        [
            Played("one", "solved", 1.0),
            Played("two", "solved", 2.0, confirmed=False),
            Played("three", "open", 3.0, "the state left", invariants=(("x >= 0",),)),
            Played("four", "refuted", 4.0, wrong=True),
        ]
    )
    assert "decided: 3 of 4 (75.0 %)" in shown
    assert "proofs confirmed by the second verifier: 1 of 2" in shown
    assert "WRONG: four" in shown
    assert "open: three (3.00 s): the state left\n    loop 1: x >= 0" in shown
    assert "solved, not confirmed: two" in shown


def test_nine_tenths() -> None:
    assert p90([1.0]) == 1.0
    assert p90([float(number) for number in range(1, 11)]) == 9.0


entry_of = cache(planted)
"""A planted program by its number. Several tests look at it, and finding one that a run refutes or none does takes a while."""


def test_planted_programs_are_the_same_everywhere_and_half_of_them_wrong() -> None:
    entries = {number: entry_of(number) for number in PLAYED}
    assert entries[7] == planted(7)
    assert [number for number, entry in entries.items() if not entry.right] == [number for number in PLAYED if number % 2]
    assert len({entry.name.rsplit("_", 1)[0] for entry in entries.values()}) == len(FAMILIES)
    for entry in entries.values():
        assert load(entry.text).guarantee, "every program promises something"


@pytest.mark.parametrize("number", PLAYED)
def test_no_planted_program_is_judged_wrongly(number: int) -> None:
    entry = entry_of(number)
    game = play(entry, seconds=600)
    assert not game.wrong, f"{entry.text}\n{game}"
    assert game.outcome in ("solved", "trivial", "refuted", "open")


def test_a_known_program_judged_wrongly_would_be_told() -> None:
    right = Entry("counter", PROGRAMS["counter.sip"], right=False)
    assert play(right, seconds=600).wrong
