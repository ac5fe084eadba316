"""Measures: what is proved to fall, what a run refutes, what waits for facts, and what a whole program's end rests on."""

from __future__ import annotations

import pytest

from idg.engine.engine import Engine
from idg.engine.results import Fact, SecondCheck
from idg.engine.session import Session
from idg.engine.telling.claims import turn_is_true
from idg.engine.termination import ending as of_programs
from idg.engine.termination.messages import ending_message
from idg.engine.termination.results import MeasureKind
from idg.engine.verify import verify
from idg.prover.answers import Proved
from idg.prover.prove import Prover
from idg.sip.program import load
from idg.sip.text.expressions import parse_measure
from idg.sip.text.formatter import format_program
from idg.vc.measures import falls_in_every_turn

COUNTING = "fn main(n: nat) { var i, s: nat; i := 0; s := 0; while (i < n) { s := s + i; i := i + 1; } }"
EUCLID = "fn main(a, b: int) { pre(a > 0 & b > 0); while (a != b) { if (a > b) { a := a - b; } else { b := b - a; } } }"
HALVING = "fn main(x: rat) { pre(x > 0); while (x > 1) { x := x / 2; } }"
FLAG = "fn main(n: int) { var again: bool := true; while (again) { n := n + 1; again := n < 0; } }"
PHASES = "fn main(x, y: int) { while (x > 0) { if (y > 0) { y := y - 1; } else { x := x - 1; y := 3; } } }"
NESTED = "fn main(n: nat) { var i, j: nat; i := 0; while (i < n) { j := 0; while (j < i) { j := j + 1; } i := i + 1; } }"


@pytest.mark.parametrize(
    ("program", "measure", "kind"),
    [
        (COUNTING, "n - i", MeasureKind.FALLS),
        (COUNTING, "decreases 2 * n - i", MeasureKind.FALLS),
        (COUNTING, "n - i, s", MeasureKind.FALLS),
        (COUNTING, "s, n - i", MeasureKind.DOES_NOT_FALL),
        (COUNTING, "n", MeasureKind.DOES_NOT_FALL),
        (COUNTING, "i", MeasureKind.DOES_NOT_FALL),
        (COUNTING, "0 - i", MeasureKind.DOES_NOT_FALL),  # It falls, but from values below 0.
        (COUNTING, "10 // (n - i - 3)", MeasureKind.DOES_NOT_FALL),  # It has no value in some rows.
        (COUNTING, "i < n", MeasureKind.DOES_NOT_FALL),
        (EUCLID, "a + b", MeasureKind.MAY_NOT_FALL),
        (EUCLID, "max(a, b)", MeasureKind.MAY_NOT_FALL),
        (HALVING, "x", MeasureKind.DOES_NOT_FALL),  # A fall by less than 1 can go on for ever.
        (HALVING, "2 * x", MeasureKind.FALLS),
        (FLAG, "again", MeasureKind.DOES_NOT_FALL),
        (FLAG, "0 - n, again", MeasureKind.DOES_NOT_FALL),  # The first component changes below 0.
        (FLAG, "max(0, 0 - n), again", MeasureKind.FALLS),
        (PHASES, "x, y", MeasureKind.FALLS),
        (PHASES, "y, x", MeasureKind.DOES_NOT_FALL),
        (NESTED, "n - i", MeasureKind.FALLS),
    ],
)
def test_what_a_measure_is(program: str, measure: str, kind: MeasureKind) -> None:
    engine = Engine(load(program))
    assert engine.propose_measure(engine.start(), measure).kind is kind


@pytest.mark.parametrize(
    ("program", "measure", "proved"),
    [
        (COUNTING, "n - i", True),
        (COUNTING, "0 - i", False),
        (COUNTING, "s, n - i", False),
        (COUNTING, "n - i + 0 * (1 // (n - i - 3))", False),
        (HALVING, "x", False),
        (HALVING, "2 * x", True),
        ("fn main(b: bool) { while (b) { b := true; } }", "b", False),
        ("fn main(b: bool) { while (b) { b := false; } }", "b", True),
    ],
)
def test_the_conditions_alone(program: str, measure: str, proved: bool) -> None:
    """Also where runs would refute the measure before."""
    inquiry = Engine(load(program)).inquiry
    queries = falls_in_every_turn(inquiry.analysis("main", (), ()), 1, parse_measure(measure))
    assert isinstance(inquiry.check([asked.query for asked in queries]).answer, Proved) is proved


def test_a_fall_of_rational_numbers_counts_only_by_one_or_more() -> None:
    engine = Engine(load("fn main(x: rat) { while (x > 0) { x := x - 1 / 2; } }"))
    assert engine.propose_measure(engine.start(), "x").kind is MeasureKind.DOES_NOT_FALL
    assert engine.propose_measure(engine.start(), "2 * x + 2").kind is MeasureKind.FALLS


def test_a_measure_waits_for_facts_and_is_tried_again() -> None:
    session = Session(load(EUCLID))
    first = session.propose_measure("a + b").result
    assert first.kind is MeasureKind.MAY_NOT_FALL
    assert first.turn is not None
    assert session.ending().status == "open"
    session.propose("a > 0 & b > 0")
    assert [measure.text for measure in session.measures] == ["a + b"]
    ending = session.ending()
    assert ending.status == "ends"
    assert "Every run ends" in str(ending_message(ending, session.program))


def test_a_measure_names_the_facts_that_it_waits_for() -> None:
    session = Session(load("fn main(n: nat) { var i, d: int; i := 0; d := 1; while (i < n) { i := i + d; d := d * 1; } }"))
    session.propose("d >= 1 & i >= 0 - 5 & d <= d * d + n")  # Proved or not, it is no refutation of anything.
    verdict = session.propose_measure("n - i").result
    assert verdict.kind in (MeasureKind.FALLS, MeasureKind.MAY_NOT_FALL)
    session.propose("d = 1")
    assert session.propose_measure("n - i").result.kind is MeasureKind.FALLS


def test_the_refuting_turn_is_one_of_a_run() -> None:
    engine = Engine(load(COUNTING))
    verdict = engine.propose_measure(engine.start(), "s")
    assert verdict.run is not None
    rows = engine.program.repeat(verdict.run.start).of(1).rows
    assert rows[verdict.run.row] == verdict.run.before
    assert rows[verdict.run.row + 1] == verdict.run.after


def test_a_turn_that_fails_its_check_is_logged_and_never_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    engine = Engine(load(EUCLID))
    monkeypatch.setattr("idg.engine.termination.measures.falls", lambda *_: True)
    verdict = engine.propose_measure(engine.start(), "a + b")
    assert (verdict.kind, verdict.turn) == (MeasureKind.UNKNOWN, None)
    assert "the measure falls in it" in caplog.records[-1].getMessage()


def test_what_is_said_of_a_turn_is_checked_by_a_run(caplog: pytest.LogCaptureFixture) -> None:
    inquiry = Engine(load(COUNTING)).inquiry
    before, after, known = {"n": 9, "i": 2, "s": 1}, {"n": 9, "i": 3, "s": 3}, (Fact(1, "s <= n"),)
    assert turn_is_true(inquiry, 1, before, after, (), known, (), "", "the turn")
    assert not caplog.records
    wrong = {
        "s <= n does not hold in the state before": ({**before, "s": 10}, {**after, "s": 12}),
        "the turn leads to": (before, {**after, "s": 4}),
        "there is no turn": ({**before, "i": 9}, {**after, "i": 10, "s": 10}),
    }
    for message, states in wrong.items():
        assert not turn_is_true(inquiry, 1, *states, (), known, (), "", "the turn")
        assert message in caplog.records[-1].getMessage()


def test_what_the_second_verifier_contradicts_is_not_said_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idg.engine.termination.ending.second_check_of_measures", lambda *_: SecondCheck.CONTRADICTED)
    session = Session(load(COUNTING))
    session.propose_measure("n - i")
    known = session.ending()
    assert (known.status, known.second_check) == ("open", SecondCheck.CONTRADICTED)
    assert "It is not known whether every run ends" in str(ending_message(known, session.program))


def test_an_unproved_claim_on_which_a_measure_rests_keeps_the_end_open() -> None:
    """Runs go on for ever where the claim is false, and proofs of what comes after it take it for true."""
    text = "fn main(n: nat, d: int) { var i: int := n; while (i > 0) { claim(d != 10^12); i := i - (d - 10^12)^2; } }"
    session = Session(load(text))
    verdict = session.propose_measure("i").result
    assert verdict.kind is MeasureKind.FALLS
    assert [text[part.span.start : part.span.end] for part in verdict.rests_on] == ["d != 10^12"]
    known = session.ending()
    assert (known.status, known.loops) == ("open", ())
    assert known.rests_on == verdict.rests_on


FAR = "1 // (d - 10^12) != 10^20"
"""It has no value for one d, which no run tries. Runs do not notice it in a claim, and then d may be that number."""
FALLS_BUT_FOR_ONE = "fn main(n: nat, d: int) {{ var i: int := n; while (i > 0) {{ {} i := i - (d - 10^12)^2; }} }}"
CALLS_BUT_FOR_ONE = (
    "fn f(n: int, d: int): int {{ {} var r: int := 0; if (n > 0) {{ r := f(n - (d - 10^12)^2, d); }} return r; }} "
    "fn main(n: nat, d: int): int {{ return f(n, d); }}"
)


@pytest.mark.parametrize(
    ("statement", "ends"),
    [
        ("assert(d != 10^12);", True),  # A run ends where it is false.
        (f"assert({FAR});", True),
        (f"assume({FAR});", True),
        ("claim(d != 10^12);", False),
        (f"claim({FAR});", False),
    ],
)
@pytest.mark.parametrize("program", [FALLS_BUT_FOR_ONE, CALLS_BUT_FOR_ONE])
def test_what_runs_pass_over_proves_no_end(program: str, statement: str, ends: bool) -> None:
    """With d = 10^12 all but the asserts and assumptions go on for ever, and both verifiers once said that every run ends."""
    session = Session(load(program.format(statement)))
    if session.program.loops:
        session.propose_measure("i")
    known = session.ending()
    assert known.status == ("ends" if ends else "open")
    # Where it is open, the first verifier says so by itself, and why.
    assert known.second_check is (SecondCheck.CONFIRMED if ends else SecondCheck.NOT_ASKED)
    assert bool(known.rests_on) is not ends


def test_what_narrows_in_a_claim_proves_no_end() -> None:
    text = "fn g(x: nat): nat { return x; } fn main(n: nat, d: int) { var i: int := n; "
    session = Session(load(text + "while (i > 0) { claim(g(d) >= 0); if (d >= -(10^12)) { i := i - 1; } } }"))
    assert session.propose_measure("i").result.kind is MeasureKind.FALLS
    assert session.ending().status == "open"


def test_a_row_of_another_execution_of_an_inner_loop_is_no_turn() -> None:
    """From the last row of one execution of the inner loop to the first row of the next, i - j rises."""
    engine = Engine(load(NESTED))
    assert engine.propose_measure(engine.start(), "i - j", 2).kind is MeasureKind.FALLS


def test_a_false_claim_proves_no_end() -> None:
    session = Session(load("fn main(n: int) { while (n != 0) { n := n - 1; claim(n >= 0); } }"))
    session.propose_measure("n")
    ending = session.ending()
    assert ending.status != "ends"


def test_a_proof_that_rests_on_an_unproved_claim_is_no_end() -> None:
    text = "fn main(n: nat, d: int) { var i: int := n; while (i > 0) { claim(d * d * d >= d); i := i - max(1, d - d * d * d); } }"
    session = Session(load(text))
    verdict = session.propose_measure("i").result
    if verdict.rests_on:
        assert session.ending().status == "open"


def test_the_message_says_what_a_fall_needs() -> None:
    session = Session(load(COUNTING))
    below = str(session.propose_measure("0 - i - 1").message)
    assert "a fall counts only from a value that is at least 0" in below
    assert "it stays at" in str(session.propose_measure("n").message)
    assert "has no value" in str(session.propose_measure("n - i + 0 * (1 // (n - i - 1))").message)


# Recursion

FACTORIAL = "fn f(n: nat): nat {{ {clauses} var r: nat := 1; if (n > 0) {{ r := n * f(n - 1); }} return r; }} {main}"
MAIN = "fn main(n: nat): nat { return f(n); }"
INT_MAIN = "fn main(n: nat): int { return f(n); }"


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (FACTORIAL.format(clauses="", main=MAIN), True),
        ("fn f(n: int): int { var r: int := 0; if (n > 0) { r := f(n // 2); } return r; } " + INT_MAIN, True),
        ("fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n // 2); } return r; } " + INT_MAIN, True),
        (
            "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n // 2); } return r; } "
            "fn main(n: int): int { return f(n); }",
            False,
        ),
        ("fn f(n: int): int { decreases(n); var r: int := 0; if (n > 0) { r := f(n // 2); } return r; }" + INT_MAIN, True),
        # A contract that no call can keep is kept by all calls that return, since none does. It must not show that they return.
        ("fn f(n: nat): nat { decreases(n); post(false); return f(n); }" + MAIN, False),
        ("fn f(n: nat): nat { decreases(n); post(result < 0); return f(n) + f(n); }" + MAIN, False),
        # The second operand is evaluated where the first is false.
        (
            "fn f(n: int): int { decreases(n); var r: int := 0; if (n > 0 | f(n - 1) > 0) { r := f(n // 2); } return r; }"
            + INT_MAIN,
            False,
        ),
        # Ackermann's function: the second argument may grow where the first falls.
        (
            "fn a(n, m: nat): nat { decreases(n, m); var r: nat := m + 1; if (n > 0) { if (m = 0) { r := a(n - 1, 1); } "
            "else { r := a(n, m - 1); r := a(n - 1, r); } } return r; } fn main(n: nat): nat { return a(n, n); }",
            True,
        ),
        # Two functions that call each other: one of them has no measure, or measures of other shapes.
        (
            "fn f(n: nat): nat { decreases(n); var r: nat := 0; if (n > 1) { r := g(n - 2); } return r; } "
            "fn g(n: nat): nat { decreases(n); return f(n + 1); } " + MAIN,
            False,
        ),
        (
            "fn f(n: nat): nat { decreases(2 * n); var r: nat := 0; if (n > 1) { r := g(n - 2); } return r; } "
            "fn g(n: nat): nat { decreases(2 * n + 3); return f(n + 1); } " + MAIN,
            True,
        ),
        (
            "fn f(n: nat): nat { decreases(n); var r: nat := 0; if (n > 1) { r := g(n - 2); } return r; } "
            "fn g(n: nat): nat { return f(n + 1); } " + MAIN,
            False,
        ),
        (
            "fn f(n: nat): nat { decreases(n); var r: nat := 0; if (n > 1) { r := g(n - 2); } return r; } "
            "fn g(n: nat): nat { decreases(n > 0); return f(n + 1); } " + MAIN,
            False,
        ),
    ],
)
def test_recursion(text: str, ends: bool) -> None:
    session = Session(load(text))
    ending = session.ending()
    assert (ending.status == "ends") is ends
    if ends:
        assert ending.second_check is SecondCheck.CONFIRMED
        assert "its calls do not go on for ever" in str(ending_message(ending, session.program))


def test_answers_are_shown_in_notebooks() -> None:
    session = Session(load(COUNTING))
    assert "finitely many turns" in session.propose_measure("n - i")._repr_html_()
    assert "inductive" in session.propose("i <= n")._repr_html_()


def test_a_helper_that_is_called_must_end_too() -> None:
    text = "fn f(n: nat): nat { post(false); while (true) { n := n + 1; } return n; } fn main(n: nat): nat { return f(n); }"
    session = Session(load(text))
    assert session.ending().status == "open"


# Programs that state measures


def test_prove_checks_stated_measures() -> None:
    text = """
fn main(a, b: int) {
  pre(a > 0 & b > 0);
  while [a > 0 & b > 0] (a != b) decreases a + b {
    if (a > b) { a := a - b; } else { b := b - a; }
  }
  while (b > 3) decreases a {
    b := b - 1;
  }
}
"""
    checks = [check for check in verify(load(text), Prover()) if check.what == "measure"]
    assert [(check.text, check.status) for check in checks] == [("a + b", "proved"), ("a", "refuted")]
    assert checks[0].uses == ("a > 0", "b > 0")
    assert checks[1].before is not None


def test_measures_are_laid_out() -> None:
    text = "fn f(n:nat):nat{decreases(n,2*n);# why\nreturn n;}fn main(n:nat){while[n>=0](n>0)decreases n,n+1{n:=n-1;}}"
    shown = format_program(text)
    assert "  decreases(n, 2 * n);  # why\n" in shown
    assert "  while [n >= 0] (n > 0) decreases n, n + 1 {\n" in shown
    assert format_program(shown) == shown
    assert str(load(shown)) == str(load(text))


@pytest.mark.parametrize("body", ["n := n - 1; assert(n >= 0);", "a[n] := 0; n := n - 1;", "x := 1 // (n + abs(n)); n := n - 1;"])
def test_a_run_that_fails_a_check_ends_there(body: str) -> None:
    """Proofs that rest on a check that is not proved: a run passes it, or it ends there."""
    session = Session(load(f"fn main(n: int, a: int[]) {{ var x: int := 0; while (n != 0) {{ {body} }} }}"))
    session.propose_measure("n")
    assert session.ending().status == "ends"


@pytest.mark.parametrize(("check", "status"), [("assert", "ends"), ("claim", "open")])
def test_a_run_goes_on_where_a_claim_is_false(check: str, status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second verifier confirms whatever it is asked, so that it hides no mistake of the first. No run comes to 10^12 turns."""
    monkeypatch.setattr(of_programs, "second_check_of_measures", lambda *_: SecondCheck.CONFIRMED)
    session = Session(load(f"fn main(n: int) {{ while (n != 0) {{ n := n - 1; {check}(n >= 0 - 10^12); }} }}"))
    assert session.propose_measure("n + 10^12").result.kind is MeasureKind.FALLS
    assert session.engine.known_ending(session.books).status == status
