"""The table of rounds and the ideas of one loop."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from idg.agents.built_in.loop_ideas import LoopIdeas
from idg.agents.built_in.rounds import ROUNDS
from idg.agents.built_in.states.loop_view import LoopView, seen_names
from idg.engine.states.runs import RunPool
from idg.sip.program import load
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[3]
SUM_OF_COUNTS = (
    "fn main(n: nat) { var i, s: int; i := 0; s := 0; while (i < n) { i := i + 1; s := s + i; } assert(2 * s = n * (n + 1)); }"
)


def ideas_of(source: str) -> LoopIdeas:
    program = load(source)
    return LoopIdeas(program, LoopView(program, program.loops[0], RunPool(program), seen_names(program)))


def test_every_round_has_a_name_of_its_own() -> None:
    names = [round_.name for round_ in ROUNDS]
    assert len(set(names)) == len(names)


def test_the_documentation_names_every_round() -> None:
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    table = text[text.index("| round |") :].partition("\n\n")[0]
    for round_ in ROUNDS:
        assert round_.name.replace("_", " ").removeprefix("from ") in table, round_.name


def test_the_rounds_of_degrees_go_on_where_the_last_one_stopped() -> None:
    ideas = ideas_of(SUM_OF_COUNTS)
    quadratic = [text for text, source in ideas.next_degree() if source == "equality of degree 2"]
    assert quadratic == ["2 * s = i^2 + i"]
    assert all(source != "equality of degree 2" for _, source in ideas.next_degree())


def test_equations_do_not_need_asserts() -> None:
    """`python -O` leaves asserts out. One of them used to compute the linear equations that the next degree builds on."""
    code = (
        "import sys; from tests.agents.built_in.test_rounds import SUM_OF_COUNTS, ideas_of; "
        "print(sys.flags.optimize, [text for text, _ in ideas_of(SUM_OF_COUNTS).next_degree()])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    process = subprocess.run(
        [sys.executable, "-O", "-c", code], capture_output=True, text=True, timeout=HANG_SECONDS, env=environment, check=True
    )
    assert process.stdout.strip() == "1 ['2 * s = i^2 + i']"
