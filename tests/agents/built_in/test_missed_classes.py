"""Classes of programs that the built-in agent once left open, or that made it fail: each has programs of its own here."""

from __future__ import annotations

import pytest

from idg.agents import Agent, LocalEngine
from idg.agents.built_in.ideas import sloped
from idg.agents.built_in.loop_ideas import LoopIdeas
from idg.agents.built_in.results import AgentResult
from idg.agents.built_in.shrinking import shrunk
from idg.agents.built_in.states.loop_view import LoopView, seen_names
from idg.agents.built_in.states.sampling import known_inputs
from idg.agents.built_in.states.spreading import SPREADING_RUNS, spread
from idg.engine.engine import Engine
from idg.engine.results import Kind, SecondCheck
from idg.engine.states.runs import RunPool
from idg.sip.program import load
from idg.sip.text.printer import print_expression


def played(text: str) -> AgentResult:
    return Agent(LocalEngine(load(text))).play()


def counting(pre: str, goal: str) -> str:
    """Counts from x upwards as long as it is chosen to."""
    return f"""fn main(x: int) {{ pre({pre}); var y: int := x; var b: bool; cassign([b], true);
        while (b) {{ y := y + 1; cassign([b], true); }} assert({goal}); }}"""


# narrow preconditions


NARROW = "x > 100000 & x < 100002"


def test_a_program_that_chooses_behind_a_narrow_precondition_is_solved() -> None:
    """It ended in an InputError: no usual input satisfies the precondition."""
    assert played(counting(NARROW, "y >= 100001")).outcome == "solved"


def test_a_wrong_program_behind_a_narrow_precondition_is_refuted() -> None:
    result = played(counting(NARROW, "y != 100003"))
    assert result.outcome == "refuted"
    assert result.run is not None
    assert result.run.inputs == {"x": 100001}


def test_a_precondition_that_nothing_satisfies_is_no_mistake() -> None:
    assert played(counting("x > 5 & x * x < 5", "y < 3")).outcome in ("solved", "open")


def test_the_engine_runs_programs_with_narrow_preconditions() -> None:
    """Without inputs from the prover no run reached the loop."""
    text = (
        "fn main(x: int, z: int) { pre(x > 100000 & z = 3 * x + 1); var y: int := 0; while (y < z) { y := y + x; } "
        "assert(y >= z); }"
    )
    engine = Engine(load(text))
    verdict = engine.propose(engine.start(), "z % 2 = 0")
    assert verdict.kind is Kind.NON_INVARIANT
    pool = RunPool(load(text), prover=engine.inquiry.prover)
    assert len({reached.inputs["x"] for reached in pool.reached[1]}) > 3


# programs that choose


def test_a_branch_that_must_be_taken_for_long_before_the_loop_ends_is_found() -> None:
    assert played(counting("x = 0", "y < 300")).outcome == "refuted"


MUTUAL_EXCLUSION = """fn main() {
  var a: int := 0; var b: int := 0; var first: bool; var second: bool; var turn: int := 0;
  var go: bool; var left: bool; cassign([go], true);
  while (go) {
    cassign([left], true);
    if (left) {
      if (a = 0) { TURN1 a := 1; } else { if (a = 1) { FLAG1 a := 2; } else { if (a = 2) { if (!second | turn = 0) { a := 3; } }
      else { first := false; a := 0; } } }
    } else {
      if (b = 0) { TURN2 b := 1; } else { if (b = 1) { FLAG2 b := 2; } else { if (b = 2) { if (!first | turn = 1) { b := 3; } }
      else { second := false; b := 0; } } }
    }
    cassign([go], true);
  }
  assert(!(a = 3 & b = 3));
}"""


def test_a_bad_state_that_needs_one_sequence_of_choices_is_reached() -> None:
    """A lock whose turn is given away before the flag is raised: eight choices in a row must be the right ones."""
    parts = {"TURN1": "turn := 1;", "FLAG1": "first := true;", "TURN2": "turn := 0;", "FLAG2": "second := true;"}
    text = MUTUAL_EXCLUSION.replace("var first: bool; var second: bool;", "var first: bool := false; var second: bool := false;")
    for part, statement in parts.items():
        text = text.replace(part, statement)
    program = load(text)
    known = known_inputs(RunPool(program))
    sample = spread(program, known, 0, SPREADING_RUNS, lambda: False)
    assert sample.failing is not None
    assert program.repeat(sample.failing).outcome.kind == "failed"
    assert Agent(LocalEngine(program), fuel_max=1_500).play().outcome == "refuted"


def test_runs_that_spread_reach_every_state_of_a_small_program() -> None:
    """A combination lock: each wrong digit begins anew, so that free choices hardly ever open it."""
    text = """fn main() { var place: int := 0; var go: bool; var digit: bool; cassign([go], true);
      while (go) { cassign([digit], true);
        if (digit = (place % 3 = 0)) { if (place < 12) { place := place + 1; } } else { place := 0; } cassign([go], true); }
      assert(place < 12 | go); }"""
    program = load(text)
    sample = spread(program, known_inputs(RunPool(program)), 0, SPREADING_RUNS, lambda: False)
    assert {row[0] for row, _ in sample.rows[0]} == set(range(13)) or sample.failing is not None


# the guarantee in phases


GAS_BURNER = """fn main() { var t: nat := 0; var l: nat := 0; var x: nat := 0;
  var leaking: bool := true; var go: bool; var stop: bool;
  cassign([go], true);
  while (go) {
    if (leaking) { if (x < 10) { x := x + 1; t := t + 1; l := l + 1; } else { leaking := false; x := 0; } }
    else { x := x + 1; t := t + 1; cassign([stop], true); if (x >= 50 & stop) { leaking := true; x := 0; } }
    cassign([go], true);
  }
  assert(6 * l <= t + SLACK); }"""


def test_an_inequality_that_each_phase_keeps_in_another_way_is_solved() -> None:
    """It needs 6 * l <= t + 5 * x in one phase and 6 * l <= t + 50 - x in the other."""
    result = Agent(LocalEngine(load(GAS_BURNER.replace("SLACK", "50")))).play()
    assert result.outcome == "solved"
    assert result.second_check is SecondCheck.CONFIRMED


def test_the_same_with_too_little_slack_is_refuted() -> None:
    assert played(GAS_BURNER.replace("SLACK", "49")).outcome == "refuted"


def test_a_phase_between_two_tests_is_one() -> None:
    """In the middle, x = 2 * i - 100; no single test says when."""
    text = """fn main() { var i: nat := 0; var x: int := 0; while (i < 300) {
      if (i < 100) { x := x + 1; } else { if (i < 200) { x := x + 2; } else { x := x - 3; } } i := i + 1; } assert(x = 0); }"""
    assert played(text).outcome == "solved"


def test_edges_bound_the_points_from_below() -> None:
    program = load(
        "fn main(n: nat) { var x: nat := 0; var y: nat := 0; while (x < n) { x := x + 1; y := y + 3; } assert(y <= 3 * n); }"
    )
    view = LoopView(program, program.loops[0], RunPool(program), seen_names(program))
    goal = program.expression("y >= 2 * x", 1)[0]
    claims = list(sloped.sloped(view, [goal], [(None, range(len(view.rows)))]))
    assert "y - 2 * x >= 1 * x + 0" in claims
    for claim in claims:
        assert view.masks([program.expression(claim, 1)[0]], view.rows) == [(1 << len(view.rows)) - 1]


# pieces of the program


@pytest.mark.parametrize(
    ("body", "goal", "wanted"),
    [
        ("i := i + 1;", "i >= 0 | n > 7", ["i >= 0", "n <= 7"]),
        ("i := i + 1;", "i < 3 -> n < 5", ["i >= 3", "n < 5"]),
        ("if (i < n) { i := i + 1; }", "i <= n", ["i <= n", "i <= n + 1", "i <= n - 1"]),
    ],
)
def test_parts_of_the_guarantee_and_tests_moved_by_one_are_pieces(body: str, goal: str, wanted: list[str]) -> None:
    program = load(f"fn main(n: nat) {{ var i: nat := 0; while (i < n) {{ {body} }} assert({goal}); }}")
    ideas = LoopIdeas(program, LoopView(program, program.loops[0], RunPool(program), seen_names(program)))
    texts = {idea if isinstance(idea, str) else print_expression(idea) for idea, _ in ideas.pieces()}
    assert texts >= set(wanted), texts


# bounds with coefficients


def test_bounds_by_multiples_come_from_the_steps_of_the_text() -> None:
    program = load(
        "fn main(n: nat) { var x, y: int := 0; var b: bool; while (x < n) { x := x + 3; cassign([b], true); "
        "if (b) { y := y + 300; } else { y := y + 1; } } assert(y <= 100 * (n + 2)); }"
    )
    ideas = LoopIdeas(program, LoopView(program, program.loops[0], RunPool(program), seen_names(program)))
    assert "y <= 100 * x" in {idea if isinstance(idea, str) else print_expression(idea) for idea, _ in ideas.coefficients()}
    assert Agent(LocalEngine(program)).play().outcome == "solved"


# remainders by what a turn adds


@pytest.mark.parametrize("turn", ["i := i + k;", "i := k + i;"])
def test_what_grows_by_a_variable_is_divided_by_it(turn: str) -> None:
    """The variable divides nothing in the text, and for k = 0 it divides nothing at all."""
    text = f"fn main(k: nat) {{ var i: int := 0; while (i < 70 * k) {{ {turn} }} assert(i = 70 * k); }}"
    outcome = played(text)
    assert outcome.outcome == "solved"
    assert outcome.second_check is SecondCheck.CONFIRMED
    assert played(text.replace("assert(i = 70", "assert(i = 71")).outcome == "refuted"


# Euclid's laws


@pytest.mark.parametrize("loop", ["r := r - y; q := q + 1;", "r := r - y;"])
def test_a_remainder_by_repeated_subtraction_is_proved(loop: str) -> None:
    """The quotient need not occur in the guarantee, and need not be computed."""
    text = f"""fn main(x: nat, y: nat): nat {{ pre(y > 0); post(result = x % y);
        var q: nat := 0; var r: nat := x; while (r >= y) {{ {loop} }} return r; }}"""
    assert played(text).outcome == "solved"


# long arrays


def filled(cells: int, value: str, goal: str) -> str:
    """Fills an array and looks at each cell."""
    return f"""fn main(n: nat) {{ var a: int[{cells}]; var i: int := 0;
        while (i < {cells}) {{ a[i] := {value}; i := i + 1; }}
        i := 0; while (i < {cells}) {{ assert({goal}); i := i + 1; }} }}"""


@pytest.mark.parametrize("cells", [1_000, 100_000])
def test_long_arrays_are_played_as_short_ones(cells: int) -> None:
    """Runs over a thousand cells took all of the time, and there are none over more."""
    program = load(filled(cells, "i % 7", "a[i] < 7"))
    engine = LocalEngine(program)
    outcome = Agent(engine, fuel_max=3_000).play()
    assert (outcome.outcome, outcome.second_check) == ("solved", SecondCheck.CONFIRMED)
    assert outcome.round_names == ("short_arrays",)


def test_a_failing_run_over_short_arrays_is_made_over_long_ones() -> None:
    """The first cell is not looked at: a run fails whose first choice is larger than all others."""
    text = """fn main() { var a: int[1000]; var i, most, x: int := 0;
        while (i < 1000) { cassign([x], true); a[i] := x; i := i + 1; }
        i := 1; while (i < 1000) { if (a[i] > most) { most := a[i]; } i := i + 1; }
        i := 0; while (i < 1000) { assert(a[i] <= most); i := i + 1; } }"""
    outcome = Agent(LocalEngine(load(text)), fuel_max=3_000).play()
    assert outcome.outcome == "refuted"
    assert outcome.run is not None
    assert len(outcome.run.choices) == 1_001, "a thousand numbers, and the cells that the array starts with"
    assert load(text).repeat(outcome.run).outcome.kind == "failed"


def test_the_numbers_of_facts_become_large_again() -> None:
    program = load(filled(2048, "i", "forall k in 0..2047: a[k] <= 2.5 * 2048 + 12048"))
    smaller = shrunk(program)
    assert smaller is not None
    assert "forall k in 0..10: a[k] <= 2.5 * 11 + 12048" in smaller.text
    assert smaller.enlarged("a[10] < 11 & x11 = 11.5") == "a[2047] < 2048 & x11 = 11.5"
    assert shrunk(load(filled(50, "i", "a[i] = i"))) is None, "it is short already"
    mixed = filled(2048, "11 + 17 + 23 + 37 + 41 + 53", "a[i] = 182")
    assert shrunk(load(mixed)) is None, "all short lengths are numbers of the text"


def test_a_hundred_ways_to_a_loop_are_followed() -> None:
    """Seven ifs before a loop were too large for an analysis."""
    ways = "".join(f"if (n > {number}) {{ x := x + 1; }} " for number in range(1, 8))
    text = f"fn main(n: nat) {{ var x: int := 0; {ways}while (x > 0) {{ x := x - 1; }} assert(x = 0); }}"
    assert played(text).outcome == "solved"


# few states


def test_what_a_program_with_one_run_does_is_a_fact() -> None:
    """What was counted so far depends on each cell, which no bound says."""
    text = """fn main() { var a: int[6]; a[0] := 1; a[1] := 0; a[2] := 1; a[3] := 1; a[4] := 0; a[5] := 0; var i, c: int := 0;
        while (i < 6) { if (a[i] != 0) { c := c + 1; } i := i + 1; } assert(c = 3); }"""
    outcome = played(text)
    assert (outcome.outcome, outcome.second_check) == ("solved", SecondCheck.CONFIRMED)
    assert played(text.replace("c = 3", "c = 4")).outcome == "refuted"


def test_all_states_are_said_with_what_is_determined() -> None:
    program = load("fn main(n: nat) { var x, t: int; var b: bool := true; x := 5; while (b) { t := n; x := 7; b := n > x; } }")
    view = LoopView(program, program.loops[0], RunPool(program), seen_names(program))
    ideas = [str(text) for text, _ in LoopIdeas(program, view).few_states()]
    assert all("t = " not in text for text in ideas), "nothing depends on t"
    assert all("x = 5 & b" in text and "x = 7 & !b" in text for text in ideas)


# repeated squaring


@pytest.mark.parametrize("test", ["e % 2 = 1", "e % 2 != 0"])
def test_a_power_by_squaring_is_proved_where_it_is_squared_only_sometimes(test: str) -> None:
    """The squared base to half of the exponent was not seen to be the same power."""
    text = f"""fn main(x: int, n: nat) {{ var r: int := 1; var b: int := x; var e: int := n;
        while (e > 0) {{ if ({test}) {{ r := r * b; e := e - 1; }} else {{ b := b * b; e := e // 2; }} }} assert(r = x^n); }}"""
    assert played(text).outcome == "solved"
    assert played(text.replace("r := r * b", "r := r * b + 1")).outcome == "refuted"
