"""Long runs by jumps, and what the agent finds with them: loops that end far away, and programs that fail there."""

from __future__ import annotations

import pytest

from idg.agents import Agent, LocalEngine
from idg.agents.built_in.states.long_runs import LongRun, long_runs
from idg.agents.built_in.states.loop_view import LoopView, seen_names
from idg.engine.states.runs import RunPool
from idg.sip.program import Program, load
from idg.sip.running.restarted import rest_program

TWO_PHASES = """fn main() {
  var x, y: int;
  x := 0;
  y := 40000;
  while (x < 900000) {
    if (x < 40000) { x := x + 1; } else { x := x + 1; y := y + 1; }
  }
  while (y > 0) {
    y := y - 1;
    x := x - 1;
  }
  assert(x = 0);
}
"""


def followed(program: Program) -> list[LongRun]:
    pool = RunPool(program)
    return list(long_runs(program, [LoopView(program, loop, pool, seen_names(program)) for loop in program.loops]))


def test_jumps_reach_the_end_of_a_long_loop() -> None:
    program = load("fn main() { var i, s: int; i := 0; s := 7; while (i < 100000000) { i := i + 1; s := s + 3; } assert(s > 0); }")
    [run] = followed(program)
    assert run.rows[-1] == (1, (100_000_000, 300_000_007))
    assert not run.seems_to_fail
    assert run.turns > 99_000_000


def test_jumps_go_on_in_the_next_phase_and_in_the_next_loop() -> None:
    [run] = followed(load(TWO_PHASES))
    first = [row for loop, row in run.rows if loop == 1]
    assert {(39_999, 40_000), (40_001, 40_001), (900_000, 900_000)} <= set(first)
    assert run.rows[-1] == (2, (0, 0))
    assert not run.seems_to_fail


@pytest.mark.parametrize("test", ["x < 1000000", "x != 1000000"])
def test_a_natural_number_is_not_moved_below_zero(test: str) -> None:
    program = load(
        "fn main() { var x, y: nat; x := 0; y := 700000;"
        f" while ({test}) {{ x := x + 1; if (y > 0) {{ y := y - 1; }} }} assert(x > 0); }}"
    )
    [run] = followed(program)
    assert run.rows[-1] == (1, (1_000_000, 0))


def test_what_runs_in_no_steady_way_is_left_alone() -> None:
    assert followed(load("fn main() { var x: int; x := 3; while (x > 1) { x := x * 2; } assert(x = 0); }")) == []


def test_the_rest_of_a_program_starts_anywhere() -> None:
    program = load(
        "fn main(n: nat) { post(n = 0 & old(n) >= 0); var k: int; k := 0;"
        " while (n > 5) { n := n - 1; k := k + 1; } while (n > 0) { n := n - 1; } }"
    )
    remainder = rest_program(program, program.loops[0])
    assert remainder is not None
    run = remainder.run({"n": 7, "k": 3, "n_at_entry": 10})
    assert [trace.rows[-1][:2] for trace in run.traces] == [(5, 5), (0, 5)]
    assert run.outcome.kind != "failed"
    inside = load("fn main(n: nat) { var i: int; i := 0; if (n > 2) { while (i < n) { i := i + 1; } } assert(i <= n); }")
    assert rest_program(inside, inside.loops[0]) is None


@pytest.mark.parametrize(
    "source",
    [
        TWO_PHASES,
        "fn main() { var x: int; x := 0; while (x < 268435455) { var y: int; y := 0; while (y < 10) { y := y + 1; } x := x + 1; }"
        " assert(x % 2 = 1); }",
        "fn main() { var x, z: nat; x := 0; z := 5000000; while (x < 10000000) { if (x >= 5000000) { z := z - 1; } x := x + 1; }"
        " assert(z = 0); }",
    ],
)
def test_loops_that_end_far_away_are_solved(source: str) -> None:
    assert Agent(LocalEngine(load(source))).play().outcome == "solved"


@pytest.mark.parametrize(
    "source",
    [
        # fails after many turns
        "fn main() { var x, y: int; x := 0; y := 0;"
        " while (x < 300000) { if (x < 150000) { y := y + 1; } else { y := y - 1; } x := x + 1; } assert(y != 0); }",
        # fails only from inputs that nobody would try
        "fn main(n: nat, k: int) { pre(n > 0 & n < 10); var i: int; i := 0;"
        " while (i < n) { i := i + 1; k := k + 4000; } assert(k > n); }",
        "fn main(n: nat) { var i: int; i := n; while (i < 123456789) { i := i + 1; } assert(i != 123456789); }",
        # fails in the body
        "fn main(n, k: int) { var i: int; i := 0; while (i < n) { assert(i + k != 31007); i := i + 1; } assert(i >= 0); }",
    ],
)
def test_failures_that_are_far_away_are_found(source: str) -> None:
    program = load(source)
    result = Agent(LocalEngine(program)).play()
    assert result.outcome == "refuted"
    assert result.run is not None
    assert program.repeat(result.run, record=False).outcome.kind == "failed"


def test_a_failure_too_far_away_is_not_claimed() -> None:
    program = load("fn main() { var x: int; x := 0; while (x < 10000000) { x := x + 1; } assert(x % 2 = 1); }")
    assert Agent(LocalEngine(program), fuel_max=1_000).play().outcome == "open"


GROWING_ROOM = """fn main(n: nat) {
  var used, room, left: int;
  used := 0;
  room := 16;
  left := n;
  while (left > 0) {
    used := used + 1;
    if (used = room) { room := 2 * room; }
    left := left - 1;
  }
  assert(used < room);
}
"""


def test_a_jump_does_not_pass_over_an_equation_of_the_body() -> None:
    """It did, the run seemed to fail, and all the agent's time went into making it in full."""
    program = load(GROWING_ROOM)
    runs = followed(program)
    assert runs
    assert not any(run.seems_to_fail for run in runs)
    assert Agent(LocalEngine(program)).play().outcome == "solved"
