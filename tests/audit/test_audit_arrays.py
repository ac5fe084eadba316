"""The second verifier on arrays and quantifiers: it confirms what is right, and nothing that is false.

Arrays of more than 4 cells keep a mistake out of the reach of the audit's own runs, so that only the conditions can notice it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from contextlib import suppress

import cvc5
import pytest
import z3

from idg.audit import CONFIRMED, CONTRADICTED, Audit, audit, audit_measures, audit_recursion, condition_script
from idg.audit.conditions import conditions_of
from idg.audit.terms import INT, bound, compare, evaluate, instance, number, quantified, select, symbol
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.running.runner import Undefined
from idg.sip.running.runtime import FAILED
from idg.sip.syntax import Expr
from idg.sip.text.expressions import parse_measure
from tests.support.attack.array_loops import array_loop
from tests.support.attack.array_programs import queries_as_program
from tests.support.attack.encoding.own_encoding import walked, z3_model
from tests.support.programs.drawn.run_inputs import seeded_inputs
from tests.support.programs.student_programs import StudentProgram, student_programs
from tests.support.volume import volume

LIMITS = RunLimits(steps_max=2_000, rows_max=2_000)
"""What a run of a random program may spend."""


def left(result: Audit) -> list[tuple[str, str]]:
    return [(audited.condition.what, audited.condition.text) for audited in result.left]


@pytest.mark.parametrize("student", student_programs(), ids=lambda student: student.name)
def test_programs_of_students_are_confirmed_and_not_without_their_invariants(student: StudentProgram) -> None:
    result = audit(student.given)
    assert result.answer == CONFIRMED, left(result)
    assert audit(student.program).answer != CONFIRMED


RIGHT: dict[str, str] = {
    "cells": """fn main(a: int[], n: nat[], f: bool[], r: rat[], i: nat) {
      pre(i < len(a) & i < len(n) & i < len(f) & i < len(r));
      assert(n[i] >= 0 & (f[i] | !f[i]) & r[i] / 2 * 2 = r[i] & len(a) > 0); }""",
    "ranges": """fn main(a: nat[], i, j: int) {
      assert(forall k in 1..0: a[k] = 7); assert(!(exists k in 1..0: a[k] = 7)); assert(forall k in i..j: i <= k <= j);
      assert(forall k in 0..len(a) - 1: a[k] >= 0); assert(i <= j -> (exists k in i..j: k = j)); }""",
    "instances": """fn main(a: int[]) { pre(forall k in 0..len(a) - 1: a[k] > 0); pre(len(a) > 2);
      assert(a[0] > 0 & a[len(a) - 1] > 0); assert(exists k in 0..len(a) - 1: a[k] > 0); }""",
    "two quantifiers": """fn main(a: int[]) {
      pre(forall k in 0..len(a) - 1: exists l in 0..len(a) - 1: a[l] > a[k]);
      assert(forall k in 0..len(a) - 1: exists l in 0..len(a) - 1: a[l] > a[k]);
      assert(len(a) > 0 -> (exists l in 0..len(a) - 1: a[l] > a[0])); }""",
    "helpers with arrays": """fn max_of(a: int[], n: nat): int { pre(0 < n <= len(a));
        post(forall k in 0..n - 1: a[k] <= result);
        var m: int := a[0]; var i: nat := 1;
        while [1 <= i <= n & (forall k in 0..i - 1: a[k] <= m)] (i < n) { if (a[i] > m) { m := a[i]; } i := i + 1; }
        return m; }
      fn main(b: int[]) { pre(len(b) > 3); var m: int := max_of(b, 4); assert(b[3] <= m); }""",
    "helpers inside of quantifiers": """fn twice(x: int): int { return 2 * x; }
      fn low(x: int): int { post(result <= x & (result = x | result = 0)); if (x < 0) { return x; } return 0; }
      fn main(a: int[]) { assert(forall k in 0..len(a) - 1: twice(a[k]) = a[k] + a[k]);
      assert(forall k in 0..len(a) - 1: low(a[k]) <= 0); }""",
    "a helper with the caller's bound name": """fn all_above(a: int[], x: int): bool {
        post(result = (forall k in 0..len(a) - 1: a[k] > x));
        var i: nat := 0;
        while [i <= len(a) & (forall k in 0..i - 1: a[k] > x)] (i < len(a)) { if (a[i] <= x) { return false; } i := i + 1; }
        return true; }
      fn main(a, b: int[]) { var h: bool := all_above(a, 3); assume(h); assert(forall k in 0..len(a) - 1: a[k] > 2); }""",
    "cells that are set": """fn main(a: int[], r: rat[], x: int, i, j: nat) { pre(i < len(a) & j < len(a) & len(r) > 0);
      a[i] := x; assert(a[i] = x & len(a) = len(old(a)) & (j != i -> a[j] = old(a)[j])); r[0] := 1; assert(r[0] / 2 = 0.5);
      swap(a, i, j); assert(a[j] = x & (i != j -> a[i] = old(a)[j])); swap(a, i, i); assert(a[j] = x); }""",
    "copies": """fn main(a: int[], x: int) { pre(len(a) > 1); var b: int[] := a; var c: int[len(a)];
      assert(a = b & len(c) = len(b));
      b[0] := a[0] + 1; assert(a != b & a = old(a)); c := b; assert(c = b & !(c = a)); c[0] := a[0]; assert(a = c = old(a));
      assert(permutation(a, c) & permutation(c, a)); }""",
    "an array that is declared in a loop": """fn main(n: nat) { var i: nat := 0;
      while [i <= n] (i < n) { var b: int[n]; var j: nat := 0; while [j <= n] (j < n) { b[j] := i; j := j + 1; } i := i + 1; } }""",
    "a loop keeps lengths": """fn main(a, b: int[]) { var i: nat := 0;
      while [i <= len(a)] (i < len(a)) { a[i] := 0; b := a; i := i + 1; } assert(len(a) = len(old(a))); }""",
    "helpers get copies": """fn first(a: int[]): int { pre(len(a) > 0); post(result = old(a)[0]); var x: int := a[0];
      a[0] := 7; return x; }
      fn main(a: int[]) { pre(len(a) > 0); var x: int := first(a); assert(x = a[0] & a = old(a)); }""",
    "sums": """fn main(a, b: int[], n: nat) { pre(n < len(a) & len(a) = len(b));
      assert((sum k in 0..-1: a[k]) = 0 & (sum k in n..n: a[k]) = a[n] & (sum k in 0..n: a[k]) = (sum k in 0..n - 1: a[k]) + a[n]);
      assert(n > 1 -> (sum k in 0..n: a[k]) = a[0] + (sum k in 1..n: a[k]));
      assert((sum k in 1..3: k) = 6);
      var s: int := sum k in 0..n: a[k]; a[n] := a[n] + 5; assert(s + 5 = sum k in 0..n: a[k]); }""",
    "counts": """fn main(a: int[], x: int, f: bool[]) { var c: nat := count k in 0..len(a) - 1: a[k] = x; assert(c <= len(a));
      assert(c = 0 -> (forall k in 0..len(a) - 1: a[k] != x)); assert(c > 0 -> (exists k in 0..len(a) - 1: a[k] = x));
      assert(c = len(a) -> (forall k in 0..len(a) - 1: a[k] = x)); assert((count k in 0..len(f) - 1: f[k]) >= 0); }""",
    "sorted ranges": """fn main(a: int[], r: rat[], i, j: nat) { pre(sorted(a, 0..len(a) - 1) & i <= j < len(a));
      assert(a[i] <= a[j]);
      assert(sorted(a, i..j) & sorted(r, 0..0) & sorted(r, 5..-5)); assert(forall k in i..j: a[i] <= a[k]); }""",
    "permutations": """fn main(a: int[], i, j: nat) { pre(i < len(a) & j < len(a)); swap(a, i, j); assert(permutation(a, old(a)));
      swap(a, 0, i); assert(permutation(old(a), a));
      assert(forall k in 0..len(a) - 1: exists l in 0..len(a) - 1: a[k] = old(a)[l]); }""",
    "large terms inside of quantifiers": """fn main(a: int[]) {
      assert(forall k in 0..len(a) - 1: max(a[k], 0, 1, 2, 3, k, k * k) >= 3);
      assert(forall k in 0..len(a) - 1: abs(min(a[k], k, 7, 8, 9)) >= 0); }""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_constructs_with_arrays(name: str) -> None:
    result = audit(load(RIGHT[name]))
    assert result.answer == CONFIRMED, (left(result), result.run)


FALSE_PROGRAMS: dict[str, tuple[str, str]] = {
    "read above": ("index", "fn main(a: int[], i: nat) { pre(i <= len(a) & len(a) > 9); var x: int := a[i]; }"),
    "read below": ("index", "fn main(a: int[], i: int) { pre(-1 <= i < len(a) & len(a) > 9); var x: int := a[i]; }"),
    "read in a test": ("index", "fn main(a: int[]) { if (len(a) > 9 & a[10] > 0) { } }"),
    "read in a fact": ("index", "fn main(a: int[]) { assert(len(a) < 9 | (a[9] = a[9])); }"),
    "an instance without a value": (
        "index",
        "fn main(a: int[]) { pre(len(a) > 9); assert(forall k in 0..len(a): a[k] = a[k] | true); }",
    ),
    "an instance of an exists without a value": (
        "index",
        "fn main(a: int[], x: int) { pre(len(a) > 9 & a[0] = x); assert(exists k in 0..len(a): a[k] = x); }",
    ),
    "an instance that divides": (
        "zero-divisor",
        "fn main(a: int[]) { pre(len(a) > 9); assert(forall k in 0..len(a) - 1: 7 // (k - 9) <= 7 | true); }",
    ),
    "an instance that does not fit": (
        "narrowing",
        "fn f(x: nat): nat { return x; } fn main(a: int[]) { assert(forall k in 0..len(a) - 1: f(9 - k) >= 0); }",
    ),
    "the pre of a helper in an instance": (
        "callee-pre",
        """fn f(x: int): int { pre(x < 9); return x; }
        fn main(a: int[]) { assert(forall k in 0..len(a) - 1: f(k) = k); }""",
    ),
    "forall": ("assert", "fn main(a: int[]) { pre(len(a) > 9 -> a[9] > 0); assert(len(a) > 9 -> (forall k in 8..9: a[k] > 0)); }"),
    "exists": ("assert", "fn main(a: int[]) { assert(len(a) > 9 -> (exists k in 0..len(a) - 1: a[k] > 0)); }"),
    "an empty range": ("assert", "fn main(a: int[]) { pre(len(a) > 9); assert(exists k in 10..len(a) - 1: true); }"),
    "the last number of a range": (
        "assert",
        "fn main(a: int[]) { pre(len(a) > 9 & (forall k in 0..8: a[k] > 0)); assert(forall k in 0..9: a[k] > 0); }",
    ),
    "an int is no nat": ("assert", "fn main(a: int[]) { assert(len(a) > 9 -> a[9] >= 0); }"),
    "lengths differ": ("assert", "fn main(a, b: int[]) { assert(len(a) > 9 -> len(b) = len(a) | len(b) < 9); }"),
    "arrays differ": ("assert", "fn main(a, b: int[]) { pre(len(a) = len(b) & len(a) > 9); assert(a[9] = b[9]); }"),
    "a cell that is set above": ("index", "fn main(a: int[]) { pre(len(a) > 9); a[len(a)] := 0; }"),
    "a cell that is set below": ("index", "fn main(a: int[], i: int) { pre(-1 <= i < len(a) & len(a) > 9); a[i] := 0; }"),
    "a cell that does not fit": ("narrowing", "fn main(a: nat[], x: int) { pre(len(a) > 9); a[0] := x; }"),
    "a cell that is not whole": ("narrowing", "fn main(a: int[]) { pre(len(a) > 9); a[0] := a[9] / 2; }"),
    "the index of a cell that is set": (
        "zero-divisor",
        "fn main(a: int[]) { pre(len(a) > 9); a[7 // (a[9] - 9) - 7 // (a[9] - 9)] := 0; }",
    ),
    "a swap above": ("index", "fn main(a: int[]) { pre(len(a) > 9); swap(a, 0, len(a)); }"),
    "a swap below": ("index", "fn main(a: int[]) { pre(len(a) > 9); swap(a, -1, 0); }"),
    "a length below 0": ("narrowing", "fn main(a: int[]) { var b: int[9 - len(a)]; }"),
    "cells of a new array": ("assert", "fn main(a: int[]) { pre(len(a) > 9); var b: int[len(a)]; assert(b[9] = 0); }"),
    "only one cell is set": ("assert", "fn main(a: int[], i: nat) { pre(9 < len(a) & i < len(a)); a[i] := 0; assert(a[9] = 0); }"),
    "the other cells stay": (
        "assert",
        "fn main(a: int[], i: nat) { pre(9 < len(a) & i < len(a)); a[i] := 0; assert(a[9] = old(a)[9]); }",
    ),
    "a swap changes": ("assert", "fn main(a: int[]) { pre(9 < len(a)); swap(a, 8, 9); assert(a[9] = old(a)[9]); }"),
    "a copy has its own cells": (
        "assert",
        "fn main(a: int[]) { pre(9 < len(a)); var b: int[] := a; b[9] := 0; assert(a[9] = 0); }",
    ),
    "a loop forgets cells": (
        "assert",
        """fn main(a: int[]) { var i: nat := 0; while (i < len(a)) { a[i] := 0; i := i + 1; }
        assert(len(a) > 9 -> a[9] = old(a)[9]); }""",
    ),
    "a loop that assigns the array forgets its length": (
        "assert",
        """fn main(a, b: int[]) { pre(len(a) > 9); var i: nat := 0; while (i < 1) { a := b; i := i + 1; }
        assert(len(a) = len(old(a))); }""",
    ),
    "equal lengths are not enough": ("assert", "fn main(a, b: int[]) { pre(len(a) = len(b) & len(a) > 9); assert(a = b); }"),
    "equal cells are not enough": (
        "assert",
        "fn main(a, b: int[]) { pre(10 < len(a) + 1 = len(b) & (forall k in 0..len(a) - 1: a[k] = b[k])); assert(a = b); }",
    ),
    "a sum is none of the others": (
        "assert",
        "fn main(a, b: int[]) { pre(len(a) > 9 & len(b) > 9); assert((sum k in 0..9: a[k]) = sum k in 0..9: b[k]); }",
    ),
    "the last number of a sum": (
        "assert",
        "fn main(a: int[]) { pre(len(a) > 9); assert((sum k in 0..9: a[k]) = sum k in 0..8: a[k]); }",
    ),
    "an instance of a sum without a value": (
        "index",
        "fn main(a: int[]) { pre(len(a) > 9); var s: int := sum k in 0..len(a): a[k]; }",
    ),
    "a changed cell of a sum": (
        "assert",
        "fn main(a: int[]) { pre(len(a) > 9); a[9] := 5; assert((sum k in 0..9: a[k]) = sum k in 0..9: old(a)[k]); }",
    ),
    "a count of nothing": ("assert", "fn main(a: int[]) { assert(len(a) > 9 -> (count k in 0..9: a[k] = 9) > 0); }"),
    "a sorted range that does not exist": ("index", "fn main(a: int[]) { pre(len(a) > 9); assert(sorted(a, 0..len(a)) | true); }"),
    "sorted": ("assert", "fn main(a: int[]) { pre(len(a) > 9 & sorted(a, 0..8)); assert(sorted(a, 0..9)); }"),
    "a range of one number that does not exist": (
        "index",
        "fn main(a: int[]) { pre(len(a) > 9); assert(forall k in len(a)..len(a): a[k] = a[k] | true); }",
    ),
    "sorted cells are not equal": ("assert", "fn main(a: int[]) { pre(len(a) > 9 & sorted(a, 0..9)); assert(a[8] = a[9]); }"),
    "sorted strictly": ("assert", "fn main(a: int[]) { pre(len(a) > 9 & sorted(a, 0..9)); assert(a[8] < a[9]); }"),
    "a permutation is no equality": ("assert", "fn main(a, b: int[]) { pre(len(a) > 9 & permutation(a, b)); assert(a = b); }"),
    "the same values are no permutation": (
        "assert",
        """fn main(a, b: int[]) { pre(len(a) = len(b) & len(a) > 9);
        pre(forall k in 0..len(a) - 1: exists l in 0..len(b) - 1: a[k] = b[l]);
        pre(forall k in 0..len(b) - 1: exists l in 0..len(a) - 1: b[k] = a[l]); assert(permutation(a, b)); }""",
    ),
    "a cell more is no permutation": (
        "assert",
        "fn main(a: int[]) { pre(len(a) > 9); a[9] := a[8]; assert(permutation(a, old(a))); }",
    ),
    "each instance has its own value": (
        "assert",
        "fn f(x: int): int { var y: int; return y; } fn main(a: int[]) { assert(len(a) > 9 -> !(forall k in 0..9: f(k) = k)); }",
    ),
    "the caller's bound name": (
        "assert",
        """fn has(a: int[], x: int): bool { post(result = (exists k in 0..len(a) - 1: a[k] = x)); var i: nat := 0;
          while [i <= len(a) & (forall k in 0..i - 1: a[k] != x)] (i < len(a)) { if (a[i] = x) { return true; } i := i + 1; }
          return false; }
        fn main(a: int[]) { pre(len(a) > 9 & a[9] = 9); assert(forall k in 0..len(a) - 1: has(a, k)); }""",
    ),
}
"""Name → the kind of obligation without which the program would be confirmed, and the program, which is wrong."""


@pytest.mark.parametrize("name", FALSE_PROGRAMS)
def test_every_kind_of_obligation_about_arrays_is_needed(name: str) -> None:
    what, text = FALSE_PROGRAMS[name]
    result = audit(load(text))
    assert result.answer != CONFIRMED
    assert {audited.condition.what for audited in result.left} == {what}


def test_runs_with_short_arrays_contradict() -> None:
    result = audit(load("fn main(a, b: nat[]) { assert(len(a) < 3 | len(a) != len(b) | a[2] <= b[1]); }"))
    assert result.answer == CONTRADICTED
    assert result.run is not None
    assert result.run.what == "assert"


SHOWN = {
    "a read": "fn main(a: int[], i: nat) { pre(i < len(a) & a[0] > 2000); assert(a[i] > 2000); }",
    "a range": "fn main(a: int[]) { pre(len(a) > 2 & (forall k in 0..1: a[k] > 2000)); assert(forall k in 0..2: a[k] > 2000); }",
    "flags": "fn main(f: bool[], n: int) { pre(n > 2000 & len(f) > 1 & f[0]); assert(f[1]); }",
    "permutations": "fn main(a, b: int[]) { pre(len(a) = len(b) & len(a) > 0 & a[0] > 2000); assert(permutation(a, b)); }",
    "sorted ranges": "fn main(a: int[]) { pre(len(a) > 1 & sorted(a, 0..len(a) - 1) & a[0] > 2000); assert(a[0] < a[1]); }",
    "sums": "fn main(a: int[]) { pre(len(a) > 1 & a[0] > 2000); assert((sum k in 0..1: a[k]) > 2000); }",
    "counts": "fn main(a: int[]) { pre(len(a) > 1 & a[0] > 2000); assert((count k in 0..1: a[k] > 2000) = 2); }",
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_contradiction_shows_a_short_array(name: str) -> None:
    """No run comes to numbers above 2000, so what is shown was found by a solver and evaluated."""
    result = audit(load(SHOWN[name]))
    assert result.answer == CONTRADICTED
    assert result.run is None
    [audited] = result.left
    assert audited.state is not None
    assert all(isinstance(value, tuple) is (symbol_name[0] in "abf") for symbol_name, value in audited.state.items())


@pytest.mark.parametrize(("measure", "confirmed"), [("len(a) - i", True), ("len(a) - i - 1", True), ("a[i]", False)])
def test_measures_of_loops_over_arrays(measure: str, confirmed: bool) -> None:
    program = load("fn main(a: int[]) { var i: nat := 0; while [i <= len(a)] (i < len(a)) { i := i + 1; } }")
    result = audit_measures(program, [], {1: parse_measure(measure)})
    assert (result.answer == CONFIRMED) is confirmed


@pytest.mark.parametrize(
    ("measure", "confirmed"),
    [("(count k in 0..len(a) - 1: a[k] <= 0) + len(a) - i", True), ("count k in 0..len(a) - 1: a[k] <= 0", False)],
)
def test_measures_that_count_cells(measure: str, confirmed: bool) -> None:
    program = load("fn main(a: int[]) { var i: nat := 0; while [i <= len(a)] (i < len(a)) { a[i] := 1; i := i + 1; } }")
    assert (audit_measures(program, [], {1: parse_measure(measure)}).answer == CONFIRMED) is confirmed


@pytest.mark.parametrize(("measure", "confirmed"), [("len(a) - n", True), ("n", False)])
def test_measures_of_recursive_functions_over_arrays(measure: str, confirmed: bool) -> None:
    program = load(
        """fn total(a: int[], n: nat): int { var r: int := 0; if (n < len(a)) { r := a[n] + total(a, n + 1); } return r; }
        fn main(a: int[]): int { return total(a, 0); }"""
    )
    assert (audit_recursion(program, [], {"total": parse_measure(measure)}).answer == CONFIRMED) is confirmed


def test_scripts_with_arrays_are_read_by_both_solvers() -> None:
    for student in student_programs()[::3]:
        for condition in conditions_of(student.given, {}):
            text = condition_script(condition, student.given)
            assert len(z3.parse_smt2_string(text, ctx=z3.Context())) == text.count("(assert ")
            solver = cvc5.Solver(cvc5.TermManager())
            parser = cvc5.InputParser(solver)
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text.replace("(check-sat)", ""), "condition")
            while not (command := parser.nextCommand()).isNull():
                command.invoke(solver, parser.getSymbolManager())
            assert len(solver.getAssertions()) == text.count("(assert ")


# Random programs


def broken_by_a_run(program: Program, facts: Sequence[tuple[int, Expr]], choices: random.Random) -> bool:
    for seed, inputs in enumerate(seeded_inputs(choices, program, 60)):
        run = program.run(inputs, seed=seed, limits=LIMITS)
        if run.outcome.kind == "failed":
            return True
        for loop, expr in facts:
            values = run.of(loop).values(expr)
            if any(value is False or (isinstance(value, Undefined) and value.cause in FAILED) for value in values):
                return True
    return False


def readable(program: Program, texts: Iterable[str]) -> list[tuple[int, Expr]]:
    """The facts that speak of the program's types; some compare arrays of different ones."""
    facts = []
    for text in texts:
        with suppress(SipError):
            facts.append((1, program.expression(text)[0]))
    return facts


def asserted_false(program: Program, facts: Sequence[tuple[int, Expr]]) -> bool:
    """Whether the tests' own encoding knows short arrays for which an obligation or a fact fails, given the facts."""
    return any(z3_model(goal.violation(), 50_000) is not None for goal in walked(program, facts).goals)


def test_random_facts_that_are_confirmed_are_true() -> None:
    """Facts that a program takes for granted, and one that is asserted: planted, near wrong, or random."""
    confirmed = refuted = 0
    for seed in range(volume(24, 20_000)):
        choices = random.Random(f"array facts {seed}")
        try:
            program = load(queries_as_program(choices, choices.random() < 0.4))
        except SipError:  # An array was assigned one of another type.
            continue
        is_false = asserted_false(program, ())
        refuted += is_false
        if audit(program).answer == CONFIRMED:
            confirmed += 1
            assert not is_false, (seed, program.text)
            assert not broken_by_a_run(program, (), choices), (seed, program.text)
    assert confirmed >= volume(4, 4_000)
    assert refuted >= volume(4, 4_000)


def test_random_loops_that_are_confirmed_are_right() -> None:
    confirmed = refuted = 0
    for seed in range(volume(8, 4_000)):
        choices = random.Random(f"array loops {seed}")
        loop = array_loop(choices, choices.random() < 0.4)
        program = load(loop.text)
        texts = loop.right if choices.random() < 0.5 else loop.facts(choices, 5)
        facts = readable(program, texts)
        is_false = asserted_false(program, facts)
        refuted += is_false
        if audit(program, facts).answer == CONFIRMED:
            confirmed += 1
            assert not is_false, (seed, program.text, texts)
            assert not broken_by_a_run(program, facts, choices), (seed, program.text, texts)
    assert confirmed >= volume(1, 400)
    assert refuted >= volume(1, 400)


def test_quantifiers_are_evaluated_in_states() -> None:
    def helper(name: str, arguments: object) -> bool:
        raise AssertionError(f"nothing calls {name} with {arguments}")

    a, k = symbol("a.in", "(Array Int Int)"), bound("k.bound0")
    positive = compare(number(0), "<", select(a, k))
    state = {"a.in": (1, 0, 2)}
    for low, high, every, some in ((0, 2, False, True), (0, 0, True, True), (1, 1, False, False), (1, 0, True, False)):
        forall, exists = (quantified(op, k, number(low), number(high), positive) for op in ("forall", "exists"))
        assert evaluate(forall, state, helper) is every
        assert evaluate(exists, state, helper) is some
        assert instance(forall, symbol("x", INT)) == compare(number(0), "<", select(a, symbol("x", INT)))
