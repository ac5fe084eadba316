"""Loops of helpers in runs: their numbers, the call in which they are shown, and a helper alone."""

from __future__ import annotations

import pickle

import idg
from idg import RunLimits
from idg.sip.syntax import Type

HELPERS = """
fn count(n: nat): nat { pre(n > 0); var k: nat := 0; while (k < n) { k := k + 1; } return k; }
fn grid(a: nat): nat { var s: nat := 0;
  while (a > 0) { a := a - 1; var j: nat := 0; while (j < 2) { j := j + 1; s := s + 1; } } return s; }
fn main(n: nat) { var i, s: nat := 0; while (i < n) { i := i + 1; s := s + count(i); } s := s + grid(n); }
"""


def test_loops_of_helpers_are_numbered_after_those_of_the_level() -> None:
    program = idg.load(HELPERS)
    assert [(loop.number, loop.function, loop.outer) for loop in program.loops] == [
        (1, "main", None),
        (2, "count", None),
        (3, "grid", None),
        (4, "grid", 3),
    ]
    assert program.loop(4).columns == ("a", "s", "j")
    assert [loop.number for loop in program.alone("grid").info.level.loops] == [3, 4]


def test_a_loop_of_a_helper_is_shown_in_the_most_telling_call() -> None:
    run = idg.load(HELPERS).run(n=20)
    assert len(run.of(1)) == 21
    counted = run.of(2)
    assert counted.call == {"n": 4}
    assert counted.rows == [(4, k) for k in range(5)]
    assert run.of(4).call == {"a": 20}
    assert run.of(3).evaluate("old(a) = 20 & s = 2 * (old(a) - a)").holds
    assert run.of(4).outer_rows[:4] == [0, 0, 0, 1]
    assert "loop 2 in the call count(4)" in str(run)
    assert run.as_json()["loops"][1]["call"] == {"n": "4"}  # type: ignore[index]


def test_a_helper_that_is_not_called_has_no_rows() -> None:
    run = idg.load(HELPERS).run(n=0)
    assert (run.of(2).call, run.of(2).rows) == (None, [])
    assert "loop 2 of count, which this run does not call" in str(run)


def test_rows_of_helpers_do_not_count_for_the_run() -> None:
    """The calls that are shown are run again with bounds of their own, so the run itself goes as far as it would without them."""
    run = idg.load(HELPERS).run(n=30, limits=RunLimits(rows_max=40))
    assert run.outcome.kind == "returned"
    assert len(run.of(4)) > 40


def test_a_helper_alone_is_a_program() -> None:
    alone = idg.load(HELPERS).alone("count")
    assert alone.params == {"n": Type.NAT}
    assert alone.run(n=3).outcome.value == 3
    assert alone.run(n=0).outcome.cause == "pre"
    assert pickle.loads(pickle.dumps(alone)).level.name == "count"
