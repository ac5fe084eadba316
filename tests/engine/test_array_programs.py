"""The engine on programs with arrays: students' programs are solved, and without one invariant a short state shows why."""

from __future__ import annotations

from functools import cache

import pytest

from idg.agents.built_in.engine_access import HASTY
from idg.engine.engine import Engine
from idg.engine.judging.promote import support
from idg.engine.results import Kind, SecondCheck, ToRuleOut, inductive_facts
from idg.engine.session import Session
from idg.engine.telling.messages import message
from idg.engine.verify import verify
from idg.prover.answers import Proved, Refuted
from idg.prover.prove import Prover
from idg.sip.program import load
from idg.sip.record import replace
from idg.vc.query import Query
from idg.vc.symbolic import Analysis, analyse
from tests.support.programs.student_programs import StudentProgram, student_program, student_programs
from tests.support.volume import volume

QUICK = frozenset(
    {"maximum", "linear-search", "is-sorted", "binary-search", "copy", "fill", "sum", "count", "partition", "prefix-sums"}
)
"""The programs of which `make test` leaves out each invariant; `make soak` does of all."""
STUDENTS = student_programs()
SHORT = [student for student in STUDENTS if student.name in QUICK or volume(0, 1)]
UNKNOWN = {"bubble-sort": 1}
"""Conditions that may stay open where one invariant is left out."""
STATE_CELLS_MAX = 4
"""Cells of the longest array that a player is shown in a state to rule out."""


@cache
def _prover() -> Prover:
    """It is shared, because the same conditions are asked about again and again."""
    return Prover()


@pytest.mark.parametrize("student", STUDENTS, ids=lambda student: student.name)
def test_students_programs_are_proved(student: StudentProgram) -> None:
    checks = verify(student.given, _prover())
    assert {check.status for check in checks} == {"proved"}, [check for check in checks if check.status != "proved"]


WRONG = {
    "a break leaves the loop before its test is false": """
fn main(a: int[]) {
  var i: nat := 0;
  while [i <= len(a)] (i < len(a)) {
    if (a[i] = 3) {
      break;
    }
    i := i + 1;
  }
  assert(i = len(a));
}
""",
    "a return leaves the function from within the loop": """
fn main(a: int[]): int {
  post(result = -1);
  var i: nat := 0;
  while [i <= len(a)] (i < len(a)) {
    if (a[i] = 3) {
      a[i] := 4;
      return i;
    }
    i := i + 1;
  }
  return -1;
}
""",
    "a cell that is set before a break stays set": """
fn main(a: int[]) {
  var i: nat := 0;
  while [i <= len(a) & (forall k in 0..i - 1: a[k] = 0)] (i < len(a)) {
    a[i] := 0;
    if (i = 2) {
      a[0] := 9;
      break;
    }
    i := i + 1;
  }
  assert(forall k in 0..i - 1: a[k] = 0);
}
""",
    "an array that is assigned as a whole, too, may have another length": """
fn main(a, b: int[], n: nat) {
  var i: nat := 0;
  while [i >= 0] (i < n & len(a) > 0) {
    a[0] := 1;
    a := b;
    i := i + 1;
  }
  assert(len(a) = len(old(a)));
}
""",
    "what overwrites two cells swaps no values": """
fn main(a: int[]) {
  pre(len(a) > 9);
  a[8] := a[9];
  a[9] := 0;
  assert(permutation(a, old(a)));
}
""",
}


@pytest.mark.parametrize("rule", WRONG)
def test_wrong_programs_about_one_rule_are_not_proved(rule: str) -> None:
    assert {check.status for check in verify(load(WRONG[rule]), _prover())} > {"proved"}


EXCHANGED_TWICE = """
fn exchanged_twice(a: int[], c: int[]) {
  pre(len(a) = 2);
  pre(len(c) >= 5);
  pre(a[0] != a[1]);
  post(a[0] != old(a)[0]);
  var i: nat := 0;
  while [i <= 1 & permutation(a, old(a)) & len(a) = 2 & a[0] != old(a)[0]] (i < 1) {
    i := i + 1;
    swap(a, 0, 1);
  }
}
"""


def test_no_permutation_is_said_to_leave_a_cell_where_it_was() -> None:
    """Every turn exchanges the two cells, so the last fact is never kept. No state has arrays that are all short."""
    told = {(check.what, check.text): check.status for check in verify(load(EXCHANGED_TWICE), _prover())}
    assert told["step", "permutation(a, old(a))"] == "proved"
    assert told["step", "a[0] != old(a)[0]"] != "proved"


def _conditions(analysis: Analysis, student: StudentProgram, facts: list[tuple[int, str]]) -> list[Query]:
    """That the facts hold and are kept, and everything that the program must ensure."""
    queries = [
        analysis.executor.query(obligation.path.hypotheses, obligation.goal, obligation.call) for obligation in analysis.obligations
    ]
    for loop, text in facts:
        expr = student.program.proposal(text, loop)
        queries += [*analysis.entry(loop, expr), *analysis.step(loop, expr)]
    return queries


@pytest.mark.parametrize("student", SHORT, ids=lambda student: student.name)
def test_without_one_invariant_everything_is_proved_or_refuted_by_short_arrays(student: StudentProgram) -> None:
    refuted = unknown = 0
    for left_out in student.facts:
        facts = [fact for fact in student.facts if fact != left_out]
        invariants = {
            loop.number: tuple(student.program.proposal(text, number) for number, text in facts if number == loop.number)
            for loop in student.program.loops
        }
        for query in _conditions(analyse(student.program.info, invariants), student, facts):
            answer = _prover().prove(query)
            unknown += not isinstance(answer, Proved | Refuted)
            if isinstance(answer, Refuted):
                refuted += 1
                assert all(len(cells) <= STATE_CELLS_MAX for cells in answer.state.values() if isinstance(cells, tuple))
    assert refuted
    assert unknown <= UNKNOWN.get(student.name, 0)


@pytest.mark.parametrize("name", ["maximum", "binary-search"])
def test_a_game_with_arrays_is_solved_and_each_state_to_rule_out_is_short(name: str) -> None:
    student = student_program(name)
    session = Session(student.program)
    for loop, text in student.facts:
        shown = session.feedback.to_rule_out
        assert isinstance(shown, ToRuleOut)
        assert all(len(cells) <= STATE_CELLS_MAX for cells in shown.state.values() if isinstance(cells, tuple))
        verdict = session.propose(text, loop)
        assert verdict.kind == "inductive", (text, verdict)
    assert session.feedback.solved
    assert session.feedback.second_check is SecondCheck.CONFIRMED


@pytest.mark.parametrize(
    ("fact", "kind", "told"),
    [
        ("forall k in 0..i: a[k] <= m", Kind.NON_INVARIANT, "a[k] reads outside of a: this needs 0 <= k < len(a), which is 1 here"),
        ("a[i] <= m", Kind.NON_INVARIANT, "leaves it without a value when the loop is first reached"),
        ("m < 7", Kind.NON_INVARIANT, "started with a = [7]"),
        ("i < 20", Kind.NON_INVARIANT, "makes it false after 19 turns"),
        ("m = a[0]", Kind.NON_INVARIANT, "makes it false"),
        ("len(a) >= 0", Kind.TAUTOLOGY, ""),
        ("forall k in 3..2: a[k] = 9", Kind.TAUTOLOGY, ""),
    ],
)
def test_what_is_said_of_facts_about_arrays(fact: str, kind: Kind, told: str) -> None:
    program = student_program("maximum").program
    engine = Engine(program)
    verdict = engine.propose(engine.start(), fact, 1)
    assert verdict.kind is kind
    assert told in str(message(verdict, program))


def test_a_fact_that_reads_an_array_says_that_it_has_these_cells() -> None:
    program = student_program("linear-search").program
    engine = Engine(program)
    verdict = engine.propose(engine.start(), "forall k in 0..i - 1: a[k] != x", 1)
    assert verdict.kind is Kind.INDUCTIVE
    verdict = engine.propose(verdict.books, "i <= len(a)", 1)
    assert verdict.kind is Kind.DISPLACED
    assert [fact.text for fact in verdict.implied_by] == ["forall k in 0..i - 1: a[k] != x"]


READS = """
fn first(a: nat[]): nat {
  pre(len(a) > 0);
  post(result = a[0]);
  return a[0];
}
fn main(a: nat[], n: nat) {
  pre(n < len(a));
  var x: nat := first(a);
  while (x < a[n]) {
    x := x + 1;
  }
  assert(x >= a[n]);
  assert(a[n + 1] = 0 | true);
}
"""


def test_each_read_is_an_obligation() -> None:
    checks = verify(load(READS), _prover())
    reads = {(check.text, check.status) for check in checks if check.what == "index"}
    assert reads == {("a[0]", "proved"), ("a[n]", "proved"), ("a[n + 1]", "refuted")}
    [broken] = [check for check in checks if check.status != "proved"]
    assert broken.before is not None
    array, place = broken.before["a"], broken.before["n"]
    assert isinstance(array, tuple)
    assert isinstance(place, int)
    assert len(array) == place + 1
    assert broken.run is not None


def test_a_measure_that_reads_an_array_falls() -> None:
    session = Session(load(READS))
    assert session.propose_measure("a[n] - x").kind == "falls"


CAPTURE = """
fn main(a: int[], k: int, p: int) {
  pre(0 <= k & k < len(a));
  pre(forall q in 0..len(a) - 1: a[q] >= p);
  var p_1: int := a[k];
  while (p_1 > p) {
    p_1 := p_1 - 1;
  }
  assert(exists p_2 in 0..len(a) - 1: a[p_2] >= p_1);
}
"""


def test_names_of_quantifiers_and_symbols_do_not_meet() -> None:
    session = Session(load(CAPTURE))
    assert session.propose("p_1 >= p").kind == "inductive"
    assert session.propose("p_1 <= a[k]").kind == "inductive"
    assert session.propose("forall p_3 in k..k: p_1 <= a[p_3]").kind == "displaced"
    assert session.feedback.solved


SEARCHED = """
fn main(a: int[], x: int) {
  pre(exists k in 0..len(a) - 1: a[k] = x);
  var i: nat := 0;
  while (a[i] != x) {
    i := i + 1;
  }
  assert(a[i] = x);
}
"""


def test_a_state_in_which_the_loops_test_has_no_value_is_shown() -> None:
    """It was taken for a mistake, because the test is neither true nor false there."""
    session = Session(load(SEARCHED))
    shown = session.feedback.to_rule_out
    assert isinstance(shown, ToRuleOut)
    assert (shown.cause, shown.inside) == ("index", True)
    assert session.propose("forall k in 0..i - 1: a[k] != x").kind == "inductive"
    assert session.feedback.solved


SWAPS = """
fn main(a: int[]) {{
  pre(len(a) >= 3);
  var i: nat := 0;
  while (i < 2) {{
    {body}
    i := i + 1;
  }}
}}
"""


def test_a_body_that_writes_very_often_is_answered() -> None:
    """Each swap triples what is read from the array; the search for a state did not end."""
    for count in (3, 6, 9):
        session = Session(load(SWAPS.format(body="swap(a, i, i + 1); " * count)))
        verdict = session.propose("sorted(a, 0..i)")
        assert verdict.kind in ("potential", "unknown", "non-invariant")


def test_a_later_post_may_read_what_an_earlier_one_says_that_there_is(caplog: pytest.LogCaptureFixture) -> None:
    """The state told for the read fails at the earlier post already, so it was called a mistake of ours."""
    session = Session(student_program("partition").program)
    session.propose("m <= i", 1)
    session.another_state()
    assert not caplog.records


@pytest.mark.parametrize("pre", ["", "pre(b > 3); "])
def test_a_helper_that_is_called_where_a_quantifier_needs_it_has_a_condition_about_all_instances(pre: str) -> None:
    helper = f"fn h(b: int): bool {{ {pre}return b > 0; }}"
    text = f"{helper} fn main(a: int[], b: int) {{ var i: nat := 0; while (i < 3) {{ i := i + 1; }} assert(i <= 3); }}"
    session = Session(load(text.replace("(i < 3)", "(i < 3 & (exists k in 0..len(a) - 1: a[k] != 1 | h(b)))")))
    assert [status.status for status in session.feedback.obligations if status.cause == "callee-pre"] == ["unknown"]
    assert Session(load(text)).propose("forall k in 0..len(a) - 1: a[k] != 1 | h(b)").result.kind is Kind.NON_INVARIANT


def test_what_supports_a_fact_is_no_part_of_a_proof_that_was_not_found() -> None:
    # The agent tidies its books with little effort. What it kept of a proof that it did not find was once too little to prove
    # anything: the second verifier, which is asked about what is kept, contradicted it.
    student = student_program("remove-zeros")
    engine = Engine(student.program)
    facts = [engine.inquiry.fact(loop, text) for loop, text in student.facts]
    counted = next(fact for fact in facts if "count" in fact.text)
    too_little = replace(HASTY, z3_rlimit=0, enumerator_steps=0)
    assert support(engine.inquiry.with_effort(too_little), facts, [counted]) == tuple(facts)
    enough = support(engine.inquiry, facts, [counted])
    assert counted in enough
    assert set(inductive_facts(engine.accepted(enough))) == set(enough)
