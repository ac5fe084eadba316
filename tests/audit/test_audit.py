"""The second verifier on programs that are right: levels, programs from outside, and every construct of the language."""

from __future__ import annotations

import cvc5
import pytest
import z3

from idg.audit import CONFIRMED, CONTRADICTED, NOT_DECIDED, Audit, audit, condition_script
from idg.audit.conditions import CONDITIONS_MAX, conditions_of
from idg.audit.helpers import evidently_ends
from idg.audit.smt import cvc5_answer, z3_answer
from idg.audit.terms import INT, LogicTerm, NoMeaning, arithmetic, compare, number, over_reals, symbol
from idg.audit.verifier import FIRST_RLIMIT, proved_by_remainders
from idg.levels import Level, all_levels, find_level
from idg.sip.errors import SipError
from idg.sip.program import load
from idg.sip.values import scalar
from tests.engine.test_engine_corpus import GCD, POWERS, PROVED_WITH_KNOWN, SUITES, SUPERFLUOUS, Facts, facts, named
from tests.levels.test_corpus import FOLDER, entries
from tests.support.programs.known_levels import known_level
from tests.support.volume import LONG


def left(result: Audit) -> list[tuple[str, str]]:
    return [(audited.condition.what, audited.condition.text) for audited in result.left]


@pytest.mark.parametrize("level", all_levels(), ids=lambda level: level.id)
def test_every_level_is_confirmed_with_its_solution_and_not_without(level: Level) -> None:
    program = level.program()
    result = audit(program, [(fact.loop, fact.expr) for fact in level.solution])
    assert result.answer == CONFIRMED, left(result)
    assert audit(program).answer != CONFIRMED


# Programs from outside

CORPUS = pytest.mark.skipif(not FOLDER.is_dir(), reason="the corpus is not beside the project")
EVERY = 1 if LONG else 6
"""Which proof sets are audited: in `make test` every sixth one."""


@CORPUS
@pytest.mark.parametrize("suite", SUITES)
def test_proof_sets_are_confirmed(suite: str) -> None:
    proved = [entry for entry in entries(suite) if entry["proof_set"] is not None]
    for entry in proved[::EVERY]:
        result = audit(load(entry["sip"]), facts(entry["proof_set"]))
        assert result.answer == CONFIRMED, (entry["id"], left(result))


@CORPUS
def test_wrong_programs_are_not_confirmed() -> None:
    for entry in entries("code2inv"):
        if entry["valid"] is False:
            result = audit(load(entry["sip"]), facts(entry["known_invariants"]))
            assert result.answer == CONTRADICTED, entry["id"]


@CORPUS
@pytest.mark.parametrize("name", [*PROVED_WITH_KNOWN, *POWERS])
def test_several_loops_are_confirmed(name: str) -> None:
    entry = named(name)
    known = [(loop, text) for loop, text in facts(entry["known_invariants"]) if name not in POWERS or SUPERFLUOUS not in text]
    result = audit(load(entry["sip"]), [*POWERS.get(name, ()), *known])
    assert result.answer == CONFIRMED, left(result)


@CORPUS
@pytest.mark.parametrize("name", GCD)
def test_greatest_common_divisors_are_confirmed(name: str) -> None:
    entry = named(name)
    guarantee, claimed = GCD[name]
    program = load(entry["sip"].replace(f"assert({entry['guarantee']})", f"assert({guarantee})"))
    assert audit(program, claimed).answer == CONFIRMED


# The constructs of the language

RIGHT: dict[str, str] = {
    "operators": """fn main(x, y: int, n: nat, r: rat) {
      pre(y < 0);
      assert(x = y * (x // y) + x % y & y < x % y <= 0 & (n > 0 -> 0 <= x % n < n));
      assert(-7 // 2 = -4 & -7 % 2 = 1 & 7 % -2 = -1 & 7 / 2 = 3.5 & 0^0 = 1 & -3^2 = -9);
      assert(x^3 = x * x * x & 2^n * 2 = 2^(n + 1) & 2^n >= 1);
      assert(abs(x) >= x & min(x, y, 3) <= 3 & max(x, y) >= y & gcd(x, 0) >= 0 & ispow(1, x));
      assert(x / y * y = x & (r != 0 -> r / r = 1) & (x = 0 | x != 0) & !(x < x) & (x < y) = (y > x)); }""",
    "stopping early": """fn main(x: int) {
      assert(x = 0 | 5 // x <= 5);
      assert(x != 0 -> 5 % x = 5 % x);
      assert(x > 0 & 7 // x > 9 -> false);
      if (0 < x < 7 // x) { assert(x <= 2); } }""",
    "claims and assumes": "fn main(n: nat) { assume(n > 5); claim(n * n > 25); assert(n * n > 20); }",
    "choices": """fn main(n: nat) { var x, y: int; var d: nat;
      cassign([x, y], x + y = n & x - y = 0); assert(2 * x = n);
      cassign([d], 10 // d = 5); assert(d = 2); }""",
    "entry values": """fn main(n: nat): nat { post(result = 2 * old(n) & n = 0); var s: nat := 0;
      while [s + 2 * n = 2 * old(n)] (n > 0) { n := n - 1; s := s + 2; } return s; }""",
    "narrowing": """fn main(n: nat) { var x: int := (n * (n + 1)) / 1; var r: rat := n / 2;
      var y: int := 2 * r; assert(y = n); var z: nat := n - min(n, 3); }""",
    "variables declared in a loop": """fn main(n: nat) { var i: nat := 0;
      while [i <= n] (i < n) { var t: int; t := i + 1; i := t; } assert(i = n); }""",
    "else if": """fn main(x: int) { var s: int;
      if (x < 0) { s := -1; } else if (x = 0) { s := 0; } else { s := 1; } assert(s * abs(x) = x & (s = 0) = (x = 0)); }""",
    "several loops": """fn main(n: nat) { var i, j: int := 0;
      while [0 <= i <= n & j >= 0] (i < n) { i := i + 1; j := 0; while [0 <= j <= i & i <= n] (j < i) { j := j + 1; } }
      while [j >= 0] (j > 0) { j := j - 1; }
      assert(i = n & j = 0); }""",
    "a helper by its contract": """fn half(n: nat): nat { post(2 * result <= n < 2 * result + 2);
        var i: nat := 0; while [2 * i <= n] (2 * i + 2 <= n) { i := i + 1; } return i; }
      fn main(n: nat) { var x: nat := half(n); assert(n - 2 * x <= 1); }""",
    "a helper by its body": """fn twice(x: int): int { return 2 * x; }
      fn four(x: int): int { var y: int; y := twice(x); return twice(y); }
      fn main(n: int) { assert(four(n) = 4 * n); claim(four(n) = four(n)); }""",
    "a helper with cases": """fn pos(x: int): int { if (x < 0) { result := 0 - x; } else { result := x; } }
      fn main(n: int) { assert(pos(n) = abs(n)); }""",
    "recursion": """fn sum(n: nat): nat { post(2 * result = n * (n + 1));
        if (n = 0) { result := 0; } else { result := n + sum(n - 1); } }
      fn main(n: nat) { var x: nat := sum(n); assert(2 * x = n * (n + 1)); }""",
    "recursion in an invariant": """fn fact(n: nat): nat { if (n = 0) { result := 1; } else { result := n * fact(n - 1); } }
      fn main(n: nat) { var i, r: nat; i := 0; r := 1;
      while [r = fact(i) & i <= n] (i < n) { i := i + 1; r := r * i; } assert(r = fact(n)); }""",
    "a recursive contract": """fn fact(n: nat): nat { post(n = 0 | result = n * fact(n - 1));
        if (n = 0) { result := 1; } else { result := n * fact(n - 1); } }
      fn main(n: nat) { assert(n > 0 -> fact(n) = n * fact(n - 1)); }""",
    "a helper that chooses": """fn small(n: nat): nat { post(result <= n); var x: nat; cassign([x], x <= n); return x; }
      fn main(n: nat) { var x: nat := small(n); assert(x <= n); }""",
    "pre of a helper": """fn inv(x: int): rat { pre(x != 0); return 1 / x; }
      fn main(n: nat) { var r: rat := inv(n + 1); assert(r * (n + 1) = 1); }""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_constructs_of_the_language(name: str) -> None:
    result = audit(load(RIGHT[name]))
    assert result.answer == CONFIRMED, (left(result), result.run)


def test_invariants_of_helpers_can_be_given() -> None:
    text = """fn count(n: nat): nat { post(result = n); var i: nat := 0; while (i < n) { i := i + 1; } return i; }
    fn main(n: nat) { var x: nat := count(n); assert(x = n); }"""
    program = load(text)
    stated = load(text.replace("while (", "while [i <= n] ("))
    [loop] = stated.info.functions["count"].loops
    assert loop.statement.invariant is not None
    assert audit(program).answer == CONTRADICTED
    assert audit(program, [(1, loop.statement.invariant)]).answer == CONFIRMED


# Answers


def test_a_contradiction_shows_a_state() -> None:
    level = find_level("multiply")
    assert level is not None
    result = audit(level.program(), [(1, "res = n * cnt")])
    assert result.answer == CONTRADICTED
    assert result.run is None
    [failed] = result.left
    assert failed.condition.what == "assert"
    assert failed.state is not None
    state = {name: scalar(value) for name, value in failed.state.items()}
    assert state["res.line5"] == state["n.in"] * state["cnt.line5"] != state["n.in"] * state["m.in"]


def test_a_run_that_breaks_an_invariant_is_shown() -> None:
    level = find_level("multiply")
    assert level is not None
    result = audit(level.program(), [(1, "cnt < m")])
    assert result.answer == CONTRADICTED
    assert result.run is not None
    assert scalar(result.run.state["cnt"]) >= scalar(result.run.state["m"])


def test_what_is_no_proposal_is_refused() -> None:
    level = find_level("multiply")
    assert level is not None
    with pytest.raises(SipError):
        audit(level.program(), [(1, "cnt + 1")])


def test_programs_that_are_too_large_are_not_decided() -> None:
    branches = " ".join("if (x > 0) { x := x - 1; } else { x := x + 1; }" for _ in range(CONDITIONS_MAX.bit_length()))
    result = audit(load(f"fn main(x: int) {{ {branches} assert(x * x >= 0); }}"))
    assert result.answer == NOT_DECIDED
    assert "more than" in result.too_large


def test_helpers_that_call_each_other_often_are_bounded() -> None:
    helpers = ["fn f0(x: int): int { return x + 1; }"]
    helpers += [f"fn f{index}(x: int): int {{ return f{index - 1}(f{index - 1}(x)); }}" for index in range(1, 13)]
    result = audit(load(f"{' '.join(helpers)} fn main(x: int) {{ assert(f12(x) > x); }}"))
    assert result.answer == NOT_DECIDED


def test_terms_that_stand_several_times_in_others_stay_small() -> None:
    arguments = ", ".join(f"x + {number}" for number in range(40))
    powers = "((((x + 1)^9 + 1)^9 + 1)^9 + 1)^9"
    result = audit(load(f"fn main(x: nat) {{ assert(min({arguments}) <= x); assert({powers} >= 0); }}"))
    assert [(audited.condition.text[:3], audited.answer) for audited in result.left] in ([], [("(((", NOT_DECIDED)])


ROOT_BY_QUARTERS = """fn main(n: nat) {
  var p: int := 0;
  var q: int := 1;
  var r, h: int := n;
  while [POWER] (q <= n) { q := 4 * q; }
  while [r >= 0 & (POWER) & p^2 + q * r = n * q & 2 * p + q >= r + 1] (q != 1) {
    q := q // 4;
    h := p + q;
    p := p // 2;
    if (r >= h) { p := p + q; r := r - h; }
  }
  assert(p^2 <= n & n < (p + 1)^2);
}
""".replace("POWER", "q = 1 | q = 4 | q % 16 = 0 & ispow(q // 16, 4)")
"""The square of p is a multiple of 4, so p is even. This is seen remainder by remainder."""


def test_remainders_by_small_numbers_are_looked_at_one_by_one() -> None:
    result = audit(load(ROOT_BY_QUARTERS))
    assert result.answer == CONFIRMED
    assert any("remainder by remainder" in audited.by for audited in result.conditions)
    assert audit(load(ROOT_BY_QUARTERS.replace("p := p // 2", "p := p // 3"))).answer != CONFIRMED


def test_every_remainder_is_looked_at() -> None:
    x = symbol("x.in", INT)
    square, half = arithmetic("*", x, x), LogicTerm("mod", INT, (x, number(2)))
    assert proved_by_remainders([], compare(LogicTerm("mod", INT, (square, number(4))), "=", half))
    for wrong in (0, 1):
        assert not proved_by_remainders([], compare(half, "=", number(wrong)))
    assert not proved_by_remainders([], compare(square, "=", x)), "nothing is divided"


def test_what_is_only_shown_with_the_far_bound_is_unknown() -> None:
    """Here y must be beyond the bound that z3 is given on all numbers, so with the bound there is no model."""
    text = "(set-logic ALL)(declare-fun x () Int)(declare-fun y () Int)(assert (> x 1000000000))(assert (> y (* x x x x x)))"
    assert z3_answer(text, 100_000)[0] != "unsat"
    assert z3_answer(f"{text}(assert (< x 5))", 100_000)[0] == "unsat"


@pytest.mark.parametrize("op", ["div", "mod", "is_int"])
def test_what_needs_whole_numbers_is_not_asked_over_the_reals(op: str) -> None:
    x = symbol("x.in", INT)
    with pytest.raises(NoMeaning):
        over_reals(LogicTerm(op, INT, (x, number(2))))


@pytest.mark.parametrize(("argument", "ends"), [("k - 1", True), ("k - 0", False), ("k", False), ("k + 1", False)])
def test_only_recursion_with_a_smaller_number_plainly_ends(argument: str, ends: bool) -> None:
    helper = f"fn f(k: nat): nat {{ var r: nat := 0; if (k > 0) {{ r := f({argument}); }} return r; }}"
    program = load(f"{helper} fn main(n: nat) {{ assert(n >= 0); }}")
    functions = {name: info.function for name, info in program.info.functions.items()}
    assert evidently_ends(functions["f"], functions) == ends


def test_every_part_of_a_goal_is_proved() -> None:
    linear = ("n >= 0 & n < 10^12", "n < 10^12 & n >= 0")
    for goal in (*linear, "n * n >= 0 & n * n < 10^12", "n * n < 10^12 & n * n >= 0"):
        assert audit(load(f"fn main(n: nat) {{ assert({goal}); }}")).answer != CONFIRMED


def test_the_same_question_has_the_same_answer() -> None:
    level = find_level("gcd-and-lcm")
    assert level is not None
    claimed: Facts = [(fact.loop, fact.expr) for fact in level.solution]
    assert audit(level.program(), claimed) == audit(level.program(), claimed)


def test_scripts_are_read_by_both_solvers() -> None:
    for level in all_levels():
        program = level.program()
        claimed = {fact.loop: [program.proposal(fact.expr, fact.loop)] for fact in level.solution}
        for condition in conditions_of(program, claimed):
            text = condition_script(condition, program)
            assert text.startswith(f"; {condition.function}, line ")
            assert len(z3.parse_smt2_string(text, ctx=z3.Context())) == text.count("(assert ")
            solver = cvc5.Solver(cvc5.TermManager())
            parser = cvc5.InputParser(solver)
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text.replace("(check-sat)", ""), "condition")
            while not (command := parser.nextCommand()).isNull():
                command.invoke(solver, parser.getSymbolManager())
            assert len(solver.getAssertions()) == text.count("(assert ")


def test_the_answers_of_solvers() -> None:
    declared = "(set-logic ALL)(declare-fun x () Int)"
    assert z3_answer(f"{declared}(assert (= (* 2 x) 6))(check-sat)", 10_000) == ("sat", {"x": 3})
    for text, answer in (("(assert (= (* 2 x) 5))", "unsat"), ("(assert (= x 5))", "sat")):
        assert z3_answer(f"{declared}{text}(check-sat)", 10_000)[0] == cvc5_answer(f"{declared}{text}(check-sat)") == answer
    assert z3_answer("(assert nonsense)", 10_000)[0] == cvc5_answer("(assert nonsense)") == "unknown"


def test_polynomials_over_the_reals_are_given_to_the_solver_made_for_them() -> None:
    """The answer must be one of the solver, and not one that follows from a setting that it does not know."""
    text = "(declare-const x Real)(declare-const y Real)(assert (= (* x x x) (* 8.0 y y y)))(assert (not (= x (* 2.0 y))))"
    assert z3_answer(text, FIRST_RLIMIT, reals=True)[0] == "unsat"
    assert z3_answer("(declare-const x Real)(assert (= (* x x) 4.0))", FIRST_RLIMIT, reals=True)[0] == "sat"


def test_a_proof_by_a_cube_root_is_confirmed() -> None:
    """The facts determine b by its cube alone, so the step needs that a real number has one cube root."""
    facts = ("cnt <= n", "res = cnt^3", "12 * a = b^2 + 12 - 6 * b", "18 * res = a * b + 2 * b - 12 * a - 6")
    assert audit(known_level("cube2").program(), [(1, fact) for fact in facts]).answer == CONFIRMED
