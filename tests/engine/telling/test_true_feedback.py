"""Feedback that is true, word by word: what a sentence says about runs and states was seen by a run or by the evaluator."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from idg.agents import Agent, LocalEngine
from idg.engine.engine import Engine
from idg.engine.results import Fact, Kind, ToRuleOut, Transition, inductive_facts, potential_facts
from idg.engine.session import Session
from idg.engine.telling.claims import state_is_true, transition_is_true
from idg.engine.telling.messages import to_rule_out_message
from idg.levels import all_levels
from idg.prover.prove import Prover
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.running.compiler import compile_states
from idg.sip.running.runner import evaluate_rows
from idg.sip.syntax import Span
from idg.sip.values import Value
from tests.engine.test_determinism import proposals
from tests.support.attack.attack_programs import ProgramMaker, candidates
from tests.support.attack.unaided import UnaidedEngine
from tests.support.programs.known_levels import known_level
from tests.support.volume import volume

LEVEL_PROPOSALS = volume(4, 60)
"""Proposals about each level."""
RANDOM_GAMES = volume(15, 600)
"""Random programs that are played."""
FIRST_ARRIVAL = {
    "handfuls": ("take <= 3", "take >= 0", "take < 1000000"),
    "closing-in": ("mid >= 0", "mid <= n", "lo <= mid"),
    "doubling-division": ("a >= 0", "b <= n", "a <= r | a = b"),
    "bean-can": ("!p | b > 0", "q -> p", "p -> q"),
}
"""Facts that hold in every run that starts unassigned variables as zero, but not on every first arrival."""


@pytest.mark.parametrize(("level", "text"), [(level, text) for level, texts in FIRST_ARRIVAL.items() for text in texts])
def test_what_is_false_on_first_arrival_is_no_invariant(level: str, text: str) -> None:
    program = known_level(level).program()
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


@pytest.mark.parametrize("text", ["x != 123456789", "x < 10^15 | i > 0"])
def test_initial_values_that_no_run_would_try_are_found_by_the_prover(text: str) -> None:
    program = load("fn main(n: nat) { var x: int; var i: nat; i := 0; while (i < n) { i := i + 1; x := 0; } assert(i = n); }")
    refutation = Session(program).propose(text).result.refutation
    assert refutation is not None
    assert program.repeat(refutation.start).of(1).evaluate(text).failing


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


# What is said of states and turns


def test_a_fact_that_only_waits_for_others_says_so() -> None:
    """Before, a state was shown in which a potential fact does not hold, under the words that everything known holds there."""
    session = Session(known_level("int-square-root").program())
    for text in ("cnt >= 0", "sqr = (cnt+1)^2"):
        session.propose(text)
    answer = session.propose("cnt^2 <= n")
    assert answer.kind == "potential"
    assert answer.result.transition is None
    assert [fact.text for fact in answer.result.waits_for] == ["sqr = (cnt + 1)^2"]
    assert "It waits for 'sqr = (cnt + 1)^2'" in str(answer)


def test_a_transition_over_an_inner_loop_is_not_called_a_turn() -> None:
    session = Session(known_level("doubling-division").program())
    answer = session.propose("n = q*d + r")
    transition = answer.result.transition
    assert transition is not None
    assert [passed.loop for passed in transition.passed] == [2]
    assert "As far as loop 2 is known, a turn may lead" in str(answer)
    assert "one turn of the loop leads to" not in str(answer)
    assert "after loop 2" in str(answer)


UNREACHED = """fn main(n: nat) {
  var i, k: int; i := 0; k := 0;
  while (i < n) { i := i + 1; }
  while (k < i) { k := k + 1; }
  assert(k = n);
}"""


def test_a_first_arrival_after_another_loop_is_not_called_a_turn() -> None:
    answer = Session(UNREACHED).propose("i = n", 2)
    transition = answer.result.transition
    assert transition is not None
    assert transition.at_entry
    assert "As far as loop 1 is known, this loop may be reached for the first time in this state" in str(answer)
    assert "First arrival" in str(answer)
    assert "turn" not in str(answer).split("First arrival")[0].split("potential invariant")[1]


def test_a_program_that_promises_nothing_is_never_solved() -> None:
    session = Session("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } }")
    assert not session.solved
    assert session.feedback.nothing_to_prove
    answer = session.propose("i >= 0")
    assert answer.kind == "inductive"
    assert not answer.as_json()["solved"]
    assert answer.as_json()["feedback"]["nothing_to_prove"] is True
    assert "promises nothing, so there is nothing to prove" in str(answer)


# Every claim is checked before it leaves the engine


@pytest.fixture
def mistakes(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """The claims of the engine that failed their check during the test."""
    messages: list[str] = []
    yield messages
    messages += (record.getMessage() for record in caplog.records if record.name == "idg.engine.telling.claims")
    assert not messages


def games() -> Iterator[tuple[Program, list[tuple[int, str]]]]:
    """Proposals about all levels and about random programs."""
    for level in all_levels():
        yield level.program(), proposals(level)[:LEVEL_PROPOSALS]
    for seed in range(RANDOM_GAMES):
        pick = random.Random(seed)
        try:
            program = load(ProgramMaker(pick).program())
        except SipError:
            continue
        texts = [
            (loop.number, text) for loop in program.loops for text in candidates(program.alone(loop.function), loop.number, pick, 8)
        ]
        yield program, texts


def test_every_sentence_about_states_is_true(mistakes: list[str]) -> None:
    """The fixture looks for claims that failed the engine's own check; here they are looked at again, from outside."""
    shown = turns = possible = 0
    for program, texts in games():
        engine = Engine(program)
        books = engine.feedback(engine.start())[1]
        for loop, text in texts:
            before = books
            verdict = engine.propose(books, text, loop)
            books, transition = verdict.books, verdict.transition
            if transition is not None:
                fact = verdict.fact
                turns += 1
                possible += bool(transition.passed)
                assert not holds_in(program, loop, fact.text, transition.after)
                if not transition.at_entry:
                    inductive = [known.text for known in inductive_facts(before) if known.loop == loop]
                    others = [
                        known.text for known in potential_facts(before) if known.loop == loop and known not in transition.broken
                    ]
                    for known_text in (*inductive, *others, fact.text):
                        assert holds_in(program, loop, known_text, transition.before), f"{program}\n{known_text}"
            state = verdict.feedback.to_rule_out
            if state is not None:
                shown += 1
                inductive = [known.text for known in inductive_facts(books) if known.loop == state.loop]
                potential = [known.text for known in potential_facts(books) if known.loop == state.loop]
                for known_text in inductive if state.proved_only else (*inductive, *potential):
                    assert holds_in(program, state.loop, known_text, state.state), f"{program}\n{known_text}"
            if verdict.refutation is not None:
                again = program.repeat(verdict.refutation.start).of(loop).evaluate(verdict.fact.text)
                assert again.values[verdict.refutation.row] is not True
            failing = verdict.feedback.failing
            if failing is not None:
                assert program.repeat(failing.start).outcome.kind == "failed"
    assert shown > 25
    assert turns > 10
    assert possible


def holds_in(program: Program, loop: int, text: str, state: Mapping[str, Value]) -> bool:
    """Whether the expression is true in the state, by the evaluator alone."""
    expr = program.expression(text, loop)[0]
    function = program.info.functions[program.loops[loop - 1].function]
    columns = program.loops[loop - 1].columns
    compiled = compile_states(program.info, {name: function.variables[name] for name in columns}, expr, function.assigned_params)
    return evaluate_rows(compiled, [tuple(state.values())], {}, RunLimits()) == [True]


def test_a_claim_that_is_not_true_is_logged_and_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    program = known_level("int-square-root").program()
    inquiry = Engine(program).inquiry
    fact, known = Fact(1, "odd <= 7"), (Fact(1, "cnt >= 0"),)
    start = {"n": 99, "cnt": 2, "sqr": 9, "odd": 7}
    right = Transition(1, start, {"n": 99, "cnt": 3, "sqr": 18, "odd": 9}, False)
    assert transition_is_true(inquiry, right, fact, known, ())
    assert not caplog.records
    wrong = {
        "the fact does not fail in the state after": replace(right, after=start),
        "cnt >= 0 does not hold in the state before": replace(right, before={**start, "cnt": -1}),
        "odd <= 7 does not hold in the state before": replace(right, before={**start, "odd": 8}),
        "the turn leads to": replace(right, after={**right.after, "sqr": 16}),
        "there is no turn": replace(right, before={**start, "n": 1}, after={**right.after, "n": 1}),
    }
    for message, transition in wrong.items():
        assert not transition_is_true(inquiry, transition, fact, known, ())
        assert message in caplog.records[-1].getMessage()
    state = ToRuleOut(1, {"n": 0, "cnt": 1, "sqr": 1, "odd": 0}, "post", program.level.posts[0].span, False)
    assert state_is_true(inquiry, state, known)
    assert not state_is_true(inquiry, state, (Fact(1, "odd > 0"),))
    assert not state_is_true(inquiry, replace(state, inside=True), known)


# Helpers that are not proved


DOUBTED = """fn f(x: int): int { assert(x != 1000000007); return x; }
fn main(n: nat): int {
  var i: int; var y: int;
  i := 0; y := 0;
  while (i < n) { y := f(i); assert(i != 1000000007 & i != 2000000000); i := i + 1; }
  return i;
}"""
"""From the first of its two states that break the assert, the turn already fails inside of f. No run comes near either."""


def test_no_state_is_shown_from_which_a_helper_fails_before_what_is_told(mistakes: list[str]) -> None:
    engine = UnaidedEngine(load(DOUBTED), Prover())
    books = engine.start()
    states = []
    for _ in range(4):
        feedback, books = engine.another_state(books)
        assert feedback.to_rule_out is not None
        states.append(feedback.to_rule_out.state["i"])
    assert states == [2_000_000_000] * 4
    only = UnaidedEngine(load(DOUBTED.replace(" & i != 2000000000", "")), Prover())
    assert only.feedback(only.start())[0].to_rule_out is None


def test_no_turn_is_shown_in_which_a_helper_fails(mistakes: list[str]) -> None:
    program = load(DOUBTED.replace("assert(i != 1000000007 & i != 2000000000);", ""))
    for engine in (Engine(program), UnaidedEngine(program, Prover())):
        verdict = engine.propose(engine.start(), "i != 1000000008 & i >= 0")
        assert verdict.kind is Kind.POTENTIAL
        assert verdict.transition is None


def test_the_run_is_shown_in_which_a_helper_fails_before_any_loop() -> None:
    program = load(DOUBTED)
    failing = Session(program).feedback.failing
    assert failing is not None
    assert (failing.function, failing.inputs) == ("f", {"x": 1_000_000_007})
    assert program.repeat(failing.start).outcome.kind == "failed"


def test_a_state_from_which_a_run_does_not_fail_as_told_is_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    program = known_level("int-square-root").program()
    state = Engine(program).feedback(Engine(program).start())[0].to_rule_out
    assert state is not None
    inquiry = Engine(program).inquiry
    assert state_is_true(inquiry, state, ())
    assert not caplog.records
    for wrong in (
        replace(state, cause="narrowing"),
        replace(state, span=Span(1, 2)),
        replace(state, state={**state.state, "cnt": 0, "n": 0}),
    ):
        assert not state_is_true(inquiry, wrong, ())
        assert "a run from it ends otherwise" in caplog.records[-1].getMessage()


# Claims that runs pass over


@pytest.mark.parametrize("claim", ["claim(i < 5);", "claim(i < 5000);", "claim(10 // (i - 7) < 20);"])
def test_a_claim_that_is_false_in_a_run_refutes_the_program(claim: str) -> None:
    """Runs pass over claims, so a state was shown from which the claim fails, and of which it was said that no run reaches it."""
    program = load(
        f"fn main(n: nat): int {{ post(result = n); var i: int := 0; while (i < n) {{ {claim} i := i + 1; }} return i; }}"
    )
    session = Session(program)
    session.propose("0 <= i <= n")
    failing = session.feedback.failing
    assert failing is not None
    assert session.feedback.to_rule_out is None
    failed = program.repeat(failing.start)
    assert (failed.outcome.kind, failed.outcome.cause) == ("failed", failing.cause)
    assert program.run(failing.inputs).outcome.kind == "returned"
    assert "does not keep its promise" in str(session)
    outcome = Agent(LocalEngine(program), fuel_max=4_000).play()
    assert outcome.outcome == "refuted"
    assert outcome.run is not None
    assert program.repeat(outcome.run).outcome.kind == "failed"


def test_a_state_that_breaks_a_claim_is_checked_by_a_run(caplog: pytest.LogCaptureFixture) -> None:
    session = Session(
        "fn main(n: nat): int { post(result = n); var i: int := 0; while (i < n) { claim(i >= 0); i := i + 1; } return i; }"
    )
    session.propose("i <= n")
    state = session.feedback.to_rule_out
    assert state is not None
    assert state.cause == "claim"
    assert not caplog.records
    for wrong in (replace(state, cause="narrowing"), replace(state, state={**state.state, "i": 0, "n": 1})):
        assert not state_is_true(session.engine.inquiry, wrong, ())
        assert "a run from it ends otherwise" in caplog.records[-1].getMessage()


# The words of what is to be ruled out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "fn main(a: int[]) { pre(exists k in 0..len(a) - 1: a[k] = 0); var i: nat := 0; while (a[i] != 0) { i := i + 1; } }",
            "from it the loop's test breaks the read",
        ),
        (
            "fn main(a: int[]) { var i, j: nat; i := 0; j := 0; while (i < len(a)) { a[i] := a[j]; i := i + 1; j := j + 1; } }",
            "from it the body breaks the read",
        ),
        (
            "fn main(n: nat) { var i: nat := 0; while (i < n) { i := i + 1; } print(1 // (i - n - 5)); }",
            "the loop would end there, and the division in line 1 would go wrong",
        ),
        (
            "fn main(n: nat) { var i: nat := 0; while (i < n) { i := i + 1; } assert(i = n); }",
            "the loop would end there, and the assert in line 1 would be false",
        ),
    ],
)
def test_the_part_that_fails_is_named_as_what_it_is(mistakes: list[str], text: str, words: str) -> None:
    """A read in the loop's test does not fail in the body, and a division is not false."""
    program = load(text)
    shown = Session(program).feedback.to_rule_out
    assert shown is not None
    assert words in str(to_rule_out_message(shown, program))


def test_a_measure_of_which_no_run_makes_a_turn_is_not_said_to_fall_in_runs() -> None:
    text = "fn main(n: nat) { var i: nat := 0; if (n > 10^12) { while (i < n) { i := i + 1; } } assert(i >= 0); }"
    answer = Session(load(text)).propose_measure("i")
    assert answer.kind == "may-not-fall"
    assert "We know no run with a turn in which 'i' does not fall" in str(answer.message)
