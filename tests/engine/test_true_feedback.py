"""Feedback that is true, word by word: what a sentence says about runs and states was seen by a run or by the evaluator."""

from __future__ import annotations

import pytest

from idg.agents import Agent, LocalEngine
from idg.engine.session import Session
from idg.levels import all_levels
from idg.sip.program import load

FIRST_ARRIVAL = {
    "handfuls": ("take <= 3", "take >= 0", "take < 1000000"),
    "closing-in": ("mid >= 0", "mid <= n", "lo <= mid"),
    "doubling-division": ("a >= 0", "b <= n", "a <= r | a = b"),
    "bean-can": ("!p | b > 0", "q -> p", "p -> q"),
}
"""Facts that hold in every run that starts unassigned variables as zero, but not on every first arrival."""


@pytest.mark.parametrize(("level", "text"), [(level, text) for level, texts in FIRST_ARRIVAL.items() for text in texts])
def test_what_is_false_on_first_arrival_is_no_invariant(level: str, text: str) -> None:
    program = next(known for known in all_levels() if known.id == level).program()
    answer = Session(program).propose(text)
    assert answer.kind == "non-invariant"
    refutation = answer.result.refutation
    assert refutation is not None
    again = program.repeat(refutation.start).of(1).evaluate(text)
    assert again.values[refutation.row] is False
    unusual = {
        name: value
        for chosen in refutation.choices
        if chosen.initial
        for name, value in zip(chosen.names, chosen.values, strict=True)
        if value
    }
    for name, value in unusual.items():
        shown = str(value).lower()
        assert f"{name} = {shown}" in answer.message.headline
    assert not unusual or "before anything is assigned to" in answer.message.headline
    assert answer.as_json()["run"]["choices"]


LONG_STAY = """fn main() {
  var x: int; var more: bool;
  x := 0;
  cassign([more], true);
  while (more) { x := x + 1; cassign([more], true); }
  assert(x < 40);
}"""
NARROW = """fn main(n: nat) {
  var x, y: int; var up: bool;
  x := 0; y := 0;
  while (y < 60) {
    cassign([up], true);
    if (up) { x := x + 1; } else { x := 0; }
    y := y + 1;
  }
  assert(x < 25);
}"""
INITIAL = """fn main(n: nat): int {
  post(result <= n);
  var best, i: int;
  i := 0;
  while (i < n) { if (i > best) { best := i; } i := i + 1; }
  return best;
}"""


@pytest.mark.parametrize(("text", "fact"), [(LONG_STAY, "x < 40"), (NARROW, "x < 25"), (INITIAL, "best <= n")])
def test_choices_and_initial_values_are_explored_long_and_far(text: str, fact: str) -> None:
    program = load(text)
    answer = Session(program).propose(fact)
    assert answer.kind == "non-invariant"
    assert answer.result.refutation is not None
    assert program.repeat(answer.result.refutation.start).of(1).evaluate(fact).failing


@pytest.mark.parametrize("text", [LONG_STAY, NARROW, INITIAL])
def test_wrong_guarantees_of_that_kind_are_refuted(text: str) -> None:
    program = load(text)
    result = Agent(LocalEngine(program)).play()
    assert result.outcome == "refuted"
    assert result.run is not None
    assert program.repeat(result.run).outcome.kind == "failed"
