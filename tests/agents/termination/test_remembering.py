"""Measures of loops whose inner loops change what they use: the program remembers what was before the inner loop."""

from __future__ import annotations

import random

import pytest

from idg.agents.termination import decide_ending
from idg.agents.termination.remembering import remembering
from idg.engine.engine import Engine
from idg.engine.results import SecondCheck
from idg.engine.termination.messages import ending_message
from idg.sip.limits import RunLimits
from idg.sip.program import load
from tests.engine.termination.test_attack_on_endings import random_loop
from tests.support.volume import volume

SHRINKING = "while (j < 3 & n > 0) { n := n + STEP; j := j + 1; }"
NESTED = "fn main(n: int) { var i, j: int; i := 0; while (i < n) { j := 0; INNER i := i + 1; } }".replace("INNER", SHRINKING)
PROGRAMS = volume(60, 3_000)
"""Random programs that are run beside those that remember."""


@pytest.mark.parametrize(("step", "ends"), [("0 - 1", True), ("1", False)])
def test_what_an_inner_loop_does_to_a_bound(step: str, ends: bool) -> None:
    engine = Engine(load(NESTED.replace("STEP", step)))
    result = decide_ending(engine, engine.start())
    assert (result.ending.status == "ends") is result.ending.remembers is ends
    if ends:
        assert result.ending.second_check is SecondCheck.CONFIRMED
        assert "n_before_2 for n" in str(ending_message(result.ending, engine.program))
        # What speaks of variables that the program does not have is not put on its books.
        assert not any("before" in fact for loop in result.books.loops for fact in loop.inductive)


def test_what_an_inner_loop_adds_is_an_equation_with_what_was_before() -> None:
    text = "fn main(x: int) { while (x > 0) { var y: int := 0; while (y < 5) { y := y + 1; x := x + 1; } x := x - 6; } }"
    engine = Engine(load(text))
    ending = decide_ending(engine, engine.start()).ending
    assert (ending.status, ending.remembers, ending.second_check) == ("ends", True, SecondCheck.CONFIRMED)


def test_a_program_without_inner_loops_remembers_nothing() -> None:
    assert remembering(load("fn main(n: int) { while (n > 0) { n := n - 1; } }")) is None


def test_a_name_that_is_taken_is_not_given_again() -> None:
    text = "fn main(n: int) { var n_before_2: int := 5; while (n > 0) { while (n > n_before_2) { n := n - 1; } n := n - 1; } }"
    assert remembering(load(text)) is None


def test_programs_that_remember_run_as_they_did() -> None:
    limits = RunLimits(steps_max=3_000, rows_max=3_000)
    remembered = 0
    for seed in range(PROGRAMS):
        pick = random.Random(f"remembering {seed}")
        program = random_loop(pick)
        other = remembering(program)
        if other is None:
            continue
        remembered += 1
        for _ in range(5):
            inputs = {name: pick.randint(-5, 12) for name in program.params}
            run, again = (part.run(inputs, limits=limits) for part in (program, other))
            if "bound" in (run.outcome.kind, again.outcome.kind):
                continue  # The declarations are steps, too.
            assert run.outcome.kind == again.outcome.kind, (str(program), inputs)
            for trace, same in zip(run.traces, again.traces, strict=True):
                width = len(trace.columns)
                assert trace.columns == same.columns[:width]
                assert trace.rows == [row[:width] for row in same.rows], (str(program), inputs)
    assert remembered > PROGRAMS // 10
