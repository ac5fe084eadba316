"""C programs in the style of suites of termination benchmarks (bench/ends): nothing wrong is said of them, and most are decided."""

from __future__ import annotations

import pytest

from bench.ends.suites import Asked, decide, own_programs
from idg.agents.termination import decide_ending
from idg.engine.engine import Engine
from idg.sip.program import load
from tests.support.volume import LONG

EVERY = 1 if LONG else 13
"""One of so many programs is decided."""


def test_the_programs_are_half_and_half() -> None:
    answers = [program.answer for program in own_programs()]
    assert len(answers) >= 90
    assert min(answers.count("ends"), answers.count("never ends")) > 35


def test_nothing_wrong_is_said_and_most_is_decided() -> None:
    decided = 0
    programs = own_programs()[::EVERY]
    for program in programs:
        outcome = decide(program)
        assert outcome.status in (program.answer, "open"), program.name
        decided += outcome.status != "open"
    assert decided >= len(programs) * 0.75


@pytest.mark.parametrize(("name", "measure"), [
    ("sum_established", "y + z != -1"),  # what the first turn establishes
    ("around_to_id", "tmp > id"),  # on which side of an equation
    ("up_to_thirty_then_down", "abs(c) *"),  # a variable that is as it came until it is set to a number
    ("bubble_sort_in_c", "20 - i"),  # the proof rests on cells that are there, which runs check
])  # fmt: skip
def test_classes_of_programs_that_were_open(name: str, measure: str) -> None:
    outcome = decide(next(program for program in own_programs() if program.name == name))
    assert outcome.status == "ends"
    assert measure in outcome.books.loops[0].measure


def test_an_inner_loop_is_looked_at_again_with_what_the_outer_one_needed() -> None:
    """That b >= 1 holds inside needs c >= 0, which is found for the outer loop, after the inner one."""
    text = (
        "fn main(x, y: nat) { pre(x >= 1 & y >= 1); var a, b, c, d, e: int; a := x; b := y; c := 0; d := 0; e := 0; "
        "while (b != 0) { c := a; while (c >= b) { c := c - b; d := d + e; } a := b; b := c; e := e * 2 - d; } }"
    )
    engine = Engine(load(text))
    assert decide_ending(engine, engine.start()).ending.status == "ends"


def test_recursion_that_begins_beyond_its_end_never_ends() -> None:
    """The numbers of functions are tried as what is chosen, and on which side of an equation arguments stay."""
    engine = Engine(load("fn f(x: int): int { if (x = 5) { return 0; } return f(x + 1); } fn main(n: int): int { return f(n); }"))
    assert decide_ending(engine, engine.start()).ending.status == "never ends"
    text = "int __VERIFIER_nondet_int(void);\nint f(int x) { if (x == 5) return 0; return f(x + 1); }\n"
    assert decide(Asked("own", "beyond", text + "int main() { return f(__VERIFIER_nondet_int()); }")).status == "never ends"


def test_distances_without_a_value_in_some_turns_are_no_mistake() -> None:
    """10 // y has no value at the head where y is 0; the search ended in a TypeError."""
    text = """fn main(n: nat) {
  var x: int;
  var y: int;
  x := n;
  y := 2;
  while (x > 0) {
    if (y != 0) {
      if (x < 10 // y) {
        x := x + 1;
      }
    }
    y := y - 1;
    if (y < -2) {
      y := 2;
    }
    x := x + y * y - 2;
  }
}
"""
    engine = Engine(load(text))
    assert decide_ending(engine, engine.start(), lambda: False).ending.status in ("open", "never ends")
