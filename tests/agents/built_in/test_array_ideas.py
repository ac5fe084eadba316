"""The agent's ideas about arrays: the candidates for programs that students write."""

from __future__ import annotations

import random

import pytest

from idg.agents.built_in.agent import Agent
from idg.agents.built_in.engine_access import LocalEngine
from idg.agents.built_in.ideas.arrays.array_ideas import decided
from idg.agents.built_in.loop_ideas import LoopIdeas
from idg.agents.built_in.rounds import ROUNDS
from idg.agents.built_in.states.loop_view import LoopView, seen_names
from idg.agents.termination import decide_ending
from idg.engine.engine import Engine
from idg.engine.results import SecondCheck
from idg.engine.states.runs import RunPool
from idg.levels import Level, all_levels
from idg.sip.program import Program, load
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression, print_program
from tests.support.programs.drawn.random_arrays import with_arrays
from tests.support.programs.drawn.random_programs import random_program
from tests.support.programs.student_programs import student_program
from tests.support.volume import volume

FUEL = 3_000
"""Enough for each of the programs that are solved here."""
RANDOM_PROGRAMS, LITTLE_FUEL = volume(12, 400), 40
"""Random programs with arrays that the agent plays, each with little fuel."""
CANDIDATES = (
    ("maximum", 1, "forall k in 0..i - 1: a[k] <= m"),
    ("maximum", 1, "exists k in 0..i - 1: a[k] = m"),
    ("is-sorted", 1, "i <= max(len(a), 1)"),
    ("all-equal", 1, "same -> (forall k in 0..i - 1: a[k] = a[0])"),
    ("binary-search", 1, "forall k in 0..lo - 1: a[k] < x"),
    ("binary-search", 1, "forall k in hi + 1..len(a) - 1: a[k] > x"),
    ("palindrome", 1, "forall k in 0..i - 1: a[k] = a[len(a) - 1 - k]"),
    ("second-largest", 1, "best != second"),
    ("second-largest", 1, "forall k in 0..i - 1: k = best | a[k] <= a[second]"),
    ("contains-duplicate", 2, "forall k in 0..j - 1: a[i] != a[k]"),
    ("two-pointers", 1, "forall k in 0..right: forall p in right + 1..len(a) - 1: a[k] + a[p] != s"),
    ("copy", 1, "forall k in 0..i - 1: b[k] = a[k]"),
    ("fill", 1, "forall k in i..len(a) - 1: a[k] = old(a)[k]"),
    ("reverse", 1, "forall k in j + 1..len(a) - 1: a[k] = old(a)[len(a) - 1 - k]"),
    ("reverse", 1, "forall k in i..j: a[k] = old(a)[k]"),
    ("prefix-sums", 1, "s = sum k in 0..i - 1: a[k]"),
    ("majority", 1, "m != x -> 2 * (count k in 0..i - 1: a[k] = x) <= i - c"),
    ("insertion-sort", 1, "sorted(a, 0..i - 1)"),
    ("insertion-sort", 2, "forall k in 0..i: forall p in k..i: p = j | a[k] <= a[p]"),
    ("selection-sort", 1, "forall k in 0..i - 1: forall p in i..len(a) - 1: a[k] <= a[p]"),
    ("bubble-sort", 2, "forall k in 0..n - 1: forall p in n..len(a) - 1: a[k] <= a[p]"),
    ("max-segment-sum", 1, "p <= i - 1 <= q -> (sum k in p..i - 1: a[k]) <= here"),
    ("max-segment-sum", 1, "q < i -> (sum k in p..q: a[k]) <= best"),
    ("merge", 1, "sorted(c, 0..i + j - 1)"),
    ("merge", 1, "forall k in 0..i + j - 1: forall p in i..len(a) - 1: c[k] <= a[p]"),
    ("merge", 1, "forall k in 0..i + j - 1: forall p in j..len(b) - 1: c[k] <= b[p]"),
)
"""A program, the number of a loop, and a fact that its proof needs there."""


INSERTION_FROM_THE_END = """fn main(a: int[]) {
  var i: int := len(a);
  while (i > 0) {
    i := i - 1;
    var j: int := i;
    while (j + 1 < len(a) & a[j] > a[j + 1]) { swap(a, j, j + 1); j := j + 1; }
  }
  assert(sorted(a, 0..len(a) - 1));
}"""


INSERTION_BY_SHIFTING = """fn insertion_sort(a: int[]) {
  post(forall k in 1..len(a) - 1: a[k - 1] <= a[k]);
  var i: int := 1;
  while (i < len(a)) {
    var x: int := a[i];
    var j: int := i - 1;
    while (j >= 0 & a[j] > x) { a[j + 1] := a[j]; j := j - 1; }
    a[j + 1] := x;
    i := i + 1;
  }
}"""
CELLS_IN_A_SORTED_RANGE = "forall k in 0..i - 1: forall p in i..i + j - 1: c[k] <= c[p]"


def candidates(program: Program, loop: int) -> set[str]:
    """What the rounds about arrays propose at the loop, with the names of quantifiers as the agent chooses them."""
    ideas = LoopIdeas(program, LoopView(program, program.loop(loop), RunPool(program), seen_names(program)))
    yielded = [idea for round_ in ROUNDS if round_.about_arrays for idea, _ in round_.ideas(ideas)]
    return {idea if isinstance(idea, str) else print_expression(idea) for idea in yielded}


@pytest.mark.parametrize(("name", "loop", "fact"), CANDIDATES, ids=lambda value: str(value))
def test_the_agent_thinks_of_what_the_proof_needs(name: str, loop: int, fact: str) -> None:
    assert print_expression(parse_expression(fact)) in candidates(student_program(name).program, loop)


def test_no_round_takes_a_comparison_inside_of_a_sum_for_a_test() -> None:
    """frequency: the goal's count compares a[k] with v, and neither k nor v is a column."""
    program = student_program("frequency").program
    ideas = LoopIdeas(program, LoopView(program, program.loop(2), RunPool(program), seen_names(program)))
    assert all(list(round_.ideas(ideas)) is not None for round_ in ROUNDS)
    assert "forall v in 0..m - 1: f[v] = count k in 0..i - 1: a[k] = v" in candidates(program, 2)


PARTITION_BY_THE_LAST_CELL = """fn partition(a: int[]): int {
  pre(len(a) > 0);
  post(forall k in 0..result - 1: a[k] <= a[result]);
  post(permutation(a, old(a)));
  var pivot: int := a[len(a) - 1];
  var i: nat := 0;
  var j: nat := 0;
  while (j < len(a) - 1) {
    if (a[j] <= pivot) { swap(a, i, j); i := i + 1; }
    j := j + 1;
  }
  swap(a, i, len(a) - 1);
  return i;
}"""
ROTATED = """fn rotate(a: int[]) {
  pre(len(a) > 0);
  post(a[len(a) - 1] = old(a)[0]);
  var first: int := a[0];
  var i: nat := 0;
  while (i < len(a) - 1) { a[i] := a[i + 1]; i := i + 1; }
  a[len(a) - 1] := first;
}"""


@pytest.mark.parametrize(
    ("text", "facts"),
    [(PARTITION_BY_THE_LAST_CELL, ("pivot = a[len(a) - 1]", "permutation(a, old(a))")), (ROTATED, ("first = old(a)[0]",))],
    ids=["partition", "rotation"],
)
def test_what_holds_from_the_beginning_to_the_end(text: str, facts: tuple[str, ...]) -> None:
    """After the loop a cell is written once more, so that what must hold where the loop ends is no post."""
    assert set(facts) <= candidates(load(text), 1)


def test_one_cell_may_be_out_of_order_towards_either_side() -> None:
    facts = candidates(load(INSERTION_FROM_THE_END), 2)
    assert "forall k in i..len(a) - 1: forall p in k..len(a) - 1: k = j | a[k] <= a[p]" in facts
    assert not any("p = j |" in fact for fact in facts), "on this way the cell that moves is the earlier one"


def test_of_a_range_that_is_in_order_no_parts_are_compared() -> None:
    assert CELLS_IN_A_SORTED_RANGE not in candidates(student_program("merge").program, 1)


def test_facts_about_cells_that_failed_go_with_those_of_later_rounds() -> None:
    # The order of the cells comes from one round and the place of the cell that is inserted from another; neither is kept alone.
    engine = LocalEngine(load(INSERTION_BY_SHIFTING))
    result = Agent(engine, fuel_max=FUEL).play()
    assert result.outcome == "solved"
    assert "pieces" not in result.round_names, "the rounds about cells suffice"


COUNTED_UP = """fn main(n: nat) {
  pre(n > 0);
  var a, b: int[n];
  var i: int;
  i := 0;
  while (i < n) {
    if (i = 0) {
      a[0] := 3;
    } else {
      a[i] := a[i - 1] + 2;
    }
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    b[i] := a[i] + i;
    i := i + 1;
  }
  assert(forall k in 0..n - 1: b[k] = 3 * k + 3);
}"""


def test_equations_of_cells_are_fitted_though_they_stand_nowhere_in_the_text() -> None:
    engine = LocalEngine(load(COUNTED_UP))
    outcome = Agent(engine, fuel_max=FUEL).play()
    assert outcome.outcome == "solved"
    assert outcome.second_check is SecondCheck.CONFIRMED
    assert any("a[k] = 2 * k + 3" in text for text in outcome.invariants[0])


SET_BY_TURNS = """fn main(n: nat) {
  var a: int[n];
  var i: int;
  i := 0;
  while (i < n) {
    if (i % 2 = 0) {
      a[i] := 1;
    } else if (i = 3) {
      a[i] := 7;
    } else {
      a[i] := 0;
    }
    i := i + 1;
  }
  assert(forall k in 0..n - 1: k != 3 -> 0 <= a[k] <= 1);
}"""


def test_what_is_assigned_under_a_test_is_said_of_the_cells_whose_numbers_pass_it() -> None:
    thought_of = candidates(load(SET_BY_TURNS), 1)
    for fact in ("k % 2 = 0 -> a[k] = 1", "k % 2 != 0 & k = 3 -> a[k] = 7"):
        assert f"forall k in 0..i - 1: {fact}" in thought_of


def test_conditions_that_are_plainly_decided_are_left_out() -> None:
    both = ("(!false -> x = 1) & (true -> y = 1)", "x = 1 & y = 1")
    for text, left in (("-1 >= 0 -> x = 1", "true"), ("-1 < 0 -> x = 1", "x = 1"), both):
        assert print_expression(decided(parse_expression(text))) == left


@pytest.mark.parametrize("name", ["linear-search", "fill", "copy", "sum", "count", "maximum", "partition"])
def test_the_agent_solves_what_students_write(name: str) -> None:
    engine = LocalEngine(student_program(name).program)
    assert Agent(engine, fuel_max=FUEL).play().outcome == "solved"
    assert engine.settled().second_check is SecondCheck.CONFIRMED


@pytest.mark.parametrize("seed", range(RANDOM_PROGRAMS))
def test_the_agent_ends_with_an_outcome_on_any_program_with_arrays(seed: int) -> None:
    rng = random.Random(f"agent {seed}")
    program = load(print_program(with_arrays(rng, random_program(rng))))
    assert Agent(LocalEngine(program), fuel_max=LITTLE_FUEL).play().outcome in ("solved", "refuted", "open")


@pytest.mark.parametrize(
    "level", [level for level in all_levels() if level.world.id == "rows-of-boxes"], ids=lambda level: level.id
)
def test_the_agent_shows_that_programs_with_arrays_end(level: Level) -> None:
    """A run that reads outside of an array stops there, so both verifiers take for granted that what a turn read was there."""
    engine = Engine(level.program())
    ending = decide_ending(engine, engine.start()).ending
    assert (ending.status, ending.second_check) == ("ends", SecondCheck.CONFIRMED)


def test_inputs_near_the_numbers_of_a_program_have_arrays() -> None:
    """No run comes to the loop's second turn, so that inputs near 70 are tried; one of them was a number for the array."""
    engine = Engine(load("fn main(a: int[], n: int) { pre(len(a) < 1); while (n > 70) { n := n + 1; } }"))
    assert decide_ending(engine, engine.start()).ending.status == "never ends"
