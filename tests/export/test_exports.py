"""The texts for other verifiers: brackets, names, refusals, what `idg export` says, and golden texts."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from idg.audit.terms import (
    BOOL,
    INT,
    LogicTerm,
    arithmetic,
    bound,
    compare,
    conjunction,
    disjunction,
    evaluate,
    implication,
    negation,
    number,
    symbol,
)
from idg.cli.arguments.export_arguments import TARGET_NAMES
from idg.cli.main import main
from idg.coordinator.web.routes.play import TargetName
from idg.export.acsl import AcslTerms, CodeTerms
from idg.export.boogie import BoogieTerms
from idg.export.dafny import DafnyTerms
from idg.export.exporting import TARGETS, ExportRefused
from idg.export.lowering.arrays import everywhere
from idg.export.names import safe_names
from idg.export.why3 import ProgramTerms, Why3Terms
from idg.sip.values import Scalar
from tests.support.programs.exported import (
    ARRAYS,
    BACK_AND_FORTH,
    CHOICES,
    EXAMPLES,
    HELPERS,
    TRUE_OF_SIP,
    WORDS,
    ExportExample,
    asserting,
)
from tools.verifiers import accepts, installed

GOLDEN = Path(__file__).parent / "golden"
NAMES = {name: name for name in ("x", "y", "z", "p")}


def random_term(rng: random.Random, depth: int, sort: str) -> LogicTerm:
    if depth == 0:
        if sort == BOOL:
            return compare(symbol("x", INT), rng.choice(["=", "<", "<=", "!=", ">"]), number(rng.randint(-3, 3)))
        return symbol(rng.choice("xyz"), INT) if rng.random() < 0.7 else number(rng.randint(-3, 3))
    if sort == INT:
        return arithmetic(rng.choice("+-*"), random_term(rng, depth - 1, INT), random_term(rng, depth - 1, INT))
    kind = rng.choice(["and", "or", "not", "compare"])
    if kind == "compare":
        op = rng.choice(["=", "<", "<=", "!="])
        return compare(random_term(rng, depth - 1, INT), op, random_term(rng, depth - 1, INT))
    if kind == "not":
        return negation(random_term(rng, depth - 1, BOOL))
    left, right = random_term(rng, depth - 1, BOOL), random_term(rng, depth - 1, BOOL)
    return conjunction(left, right) if kind == "and" else disjunction(left, right)


def as_python(text: str) -> str:
    """The text of a printer as a Python expression. The signs bind in the same order in all of these languages."""
    for sign, python in (
        ("&&", "and"),
        ("/\\", "and"),
        ("||", "or"),
        ("\\/", "or"),
        ("<>", "!="),
        ("\\true", "true"),
        ("\\false", "false"),
    ):
        text = text.replace(sign, python)
    text = re.sub(r"!(?!=)", " not ", text)
    return re.sub(r"(?<![<>=!])=(?!=)", "==", text)


@pytest.mark.parametrize(
    "printer", [DafnyTerms(NAMES), BoogieTerms(NAMES), Why3Terms(NAMES), ProgramTerms(NAMES), AcslTerms(NAMES), CodeTerms(NAMES)]
)
def test_brackets_keep_the_meaning_of_random_terms(printer: Callable[[LogicTerm], str]) -> None:
    rng = random.Random(7)
    for _ in range(150):
        term = random_term(rng, rng.randint(1, 4), rng.choice([INT, BOOL]))
        state: dict[str, Scalar] = {name: rng.randint(-4, 4) for name in "xyz"}
        printed = as_python(printer(term))
        assert eval(printed, {"true": True, "false": False}, state) == evaluate(term, state, lambda name, _: 0), printed


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("example", [*EXAMPLES, *ARRAYS], ids=lambda example: example.name)
def test_golden_texts(example: ExportExample, target: str) -> None:
    """The texts that the tools accepted in `make test-exports`. With IDG_WRITE_GOLDEN=1 they are written again."""
    path = GOLDEN / f"{example.name.replace(' ', '-')}{TARGETS[target].suffix}"
    try:
        text = example.exported(target)
    except ExportRefused as error:
        text = f"refused: {error}\n"
    if os.environ.get("IDG_WRITE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_every_operation_is_exported_somehow() -> None:
    for condition in TRUE_OF_SIP:
        for target in ("acsl", "boogie", "dafny", "why3"):
            assert asserting(condition).exported(target)
    with pytest.raises(ExportRefused, match="nothing is left to check"):
        asserting("7 / 2 = 3.5").exported("acl2")


def test_the_command_line_knows_the_targets() -> None:
    assert tuple(TARGETS) == TARGET_NAMES
    assert tuple(TARGETS) == get_args(TargetName)


def test_names_are_safe_and_different() -> None:
    given = safe_names(["x", "X", "while", "_y", "result", "result_"], {"while", "result"}, str.lower)
    assert len({name.lower() for name in given.values()}) == len(given)
    assert not {"while", "result"} & set(given.values())
    text = WORDS.exported("dafny")
    assert "method method_(" in text
    assert "invariant_: int" in text


def test_divisors_exponents_and_fits_are_asserted() -> None:
    text = ExportExample("d", "fn main(n: int, m: int) { var k: nat; k := n // m + 2^m; }").exported("boogie")
    assert "assert m != 0;  // divisor of n // m" in text
    assert "assert 0 <= m;  // exponent of 2^m" in text
    assert "is a nat" in text


def test_a_test_that_may_have_no_value_is_an_invariant() -> None:
    text = ExportExample("t", "fn main(n: int) { while (10 // n > 1) { n := n + 1; } assert(n != 0); }").exported("dafny")
    assert "invariant n != 0" in text


def test_a_call_that_may_be_skipped_stands_in_a_branch() -> None:
    text = HELPERS.exported("dafny")
    assert re.search(r"if 0 < i \{\n\s+double_value := double\(i\);", text), text


def test_nothing_is_exported_that_would_mean_something_else() -> None:
    fact = ExportExample("f", HELPERS.text, ((1, "s = double(i)"),))
    with pytest.raises(ExportRefused, match=r"double\(i\) is a call of a helper"):
        fact.exported("dafny")
    measure = ExportExample("m", CHOICES.text, (), ((1, "10 // (n - i)"),))
    with pytest.raises(ExportRefused, match="does not have a value in every state"):
        measure.exported("why3")


def test_the_posts_are_asserted_wherever_the_function_ends() -> None:
    """Posts that speak of changed parameters are asserts only, so each end of the function needs its own."""
    text = "fn main(n: int): int { post(result = n); n := n + 1; if (n > 3) { return n; } result := n; }"
    assert ExportExample("e", text).exported("boogie").count("assert result == n;") == 2


def test_a_measure_is_said_by_each_target_in_its_own_way() -> None:
    said = {
        "dafny": "decreases let - while_",
        "why3": "variant {",
        "acsl": "loop variant let - while_;",
        "boogie": "measure_before",
    }
    for target, words in said.items():
        assert words in WORDS.exported(target), target
    several = {"dafny": "decreases i, j", "why3": "variant { i, j }", "acsl": "the measure fell", "boogie": "the measure fell"}
    for target, words in several.items():
        assert words in BACK_AND_FORTH.exported(target), target
    # Without a `loop variant` Frama-C could not show that the function ends, so the text does not say that it does.
    assert "\n  terminates \\true" not in BACK_AND_FORTH.exported("acsl")


def test_what_a_target_cannot_say_of_arrays_is_refused() -> None:
    for example in ARRAYS:
        assert "(Array Int Int)" in example.exported("smtlib")
        with pytest.raises(ExportRefused, match="acl2 cannot say arrays: ACL2 would need a recursive function"):
            example.exported("acl2")
        with pytest.raises(ExportRefused, match="acsl cannot say arrays: arrays of C are passed by reference"):
            example.exported("acsl")
    quantified = ExportExample("q", "fn main(n: nat) { while (n > 0) { n := n - 1; } }", ((1, "forall k in 0..n: k <= n"),))
    for target in ("smtlib", "dafny", "why3", "boogie"):
        assert "forall" in quantified.exported(target)
    with pytest.raises(ExportRefused, match="acl2 cannot say quantifiers"):
        quantified.exported("acl2")


def test_a_call_in_a_quantifier_is_refused() -> None:
    text = HELPERS.text.replace("assert(s", "assert(forall k in 0..n: double(k) >= k);\n  assert(s")
    with pytest.raises(ExportRefused, match=r"double\(k\) is a call of a helper .* a quantifier"):
        ExportExample("c", text).exported("dafny")


def test_lengths_stay_where_only_cells_are_set() -> None:
    text = "fn main(a: int[], n: nat) { var b: int[n]; while (n > 0) { n := n - 1; a[n] := 0; b[n] := 0; } }"
    said = ExportExample("l", text, ((1, "n <= len(b) & n <= len(a)"),)).exported("dafny")
    assert "invariant |a| == |a_at_entry|" in said
    assert "invariant |b| == b_length" in said
    copied = ExportExample("l", text.replace("b[n] := 0", "b := a")).exported("dafny")
    assert "|b| ==" not in copied.split("while")[1]


def test_names_of_lengths_and_sums_are_not_those_of_the_program() -> None:
    text = "fn main(a: int[], a_length: int, sum_1: int) { assert((sum x1 in 0..len(a) - 1: (a[x1] + sum_1)) = a_length); }"
    said = ExportExample("n", text).exported("boogie")
    assert "procedure main(a: [int]int, a_length_: int, a_length: int, sum_1: int)" in said
    assert "function sum_1_(low: int, high: int, x1: [int]int, x1_length: int, x2: int): int;" in said


def numbers_where(condition: LogicTerm, variable: LogicTerm, state: dict[str, Scalar]) -> list[bool]:
    low, high = state["low"], state["high"]
    return [bool(evaluate(condition, {**state, variable.name: k}, lambda name, _: 0)) for k in range(int(low), int(high) + 1)]


def test_the_ends_of_a_range_decide_only_what_is_linear() -> None:
    """What is written without a quantifier means the same, on random conditions and ranges."""
    rng = random.Random(11)
    variable, low, high = bound("k"), symbol("low", INT), symbol("high", INT)
    leaves = [variable, variable, symbol("x", INT), number(2), number(-1)]
    simpler = 0
    for _ in range(400):
        sides = [rng.choice(leaves) for _ in range(2)]
        for _ in range(rng.randint(0, 3)):
            sides[rng.randint(0, 1)] = arithmetic(rng.choice("+-*"), rng.choice(sides), rng.choice(leaves))
        condition = compare(sides[0], rng.choice(["<", "<=", "="]), sides[1])
        if rng.random() < 0.3:
            condition = conjunction(condition, compare(number(0), "<=", variable))
        if rng.random() < 0.3:
            condition = implication(compare(rng.choice([variable, symbol("x", INT)]), "<", number(1)), condition)
        said = everywhere(variable, low, high, condition)
        simpler += said.op != "forall"
        for _ in range(8):
            state: dict[str, Scalar] = {"low": rng.randint(-4, 4), "high": rng.randint(-4, 4), "x": rng.randint(-3, 3)}
            expected = all(numbers_where(condition, variable, state))
            assert evaluate(said, state, lambda name, _: 0) == expected, (condition, state)
    assert simpler > 100


def test_c_computes_nothing_that_it_cannot_compute_exactly() -> None:
    text = ExportExample("c", f"fn main(n: nat) {{ var x: int := {2**70}; var y: rat := 1 / 3; x := 2^n + y * 0; }}").exported(
        "acsl"
    )
    assert f"//@ admit chosen == {2**70};" in text
    assert "y = (1.0 / 3.0);" in text
    assert "pow_int(2, n)" in text
    assert not re.search(r"^ *x = .*pow_int", text, re.M)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_exports_what_given_invariants_prove(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["export", "multiply", "--to", "dafny", "-o", "out.dfy"]
    assert main([*arguments, "-e", "res = n * cnt", "-e", "cnt <= m"]) == 0
    text = (folder / "out.dfy").read_text(encoding="utf-8")
    assert "invariant res == (n * cnt)" in text
    assert "decreases *" in text


def test_the_command_exports_nothing_that_is_not_proved(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["export", "multiply", "--to", "dafny", "-o", "out.dfy"]
    assert main([*arguments, "-e", "cnt <= m"]) == 1
    assert "not exported: these invariants do not prove the program" in capsys.readouterr().err
    assert main([*arguments, "-e", "cnt < m"]) == 1
    assert main([*arguments, "-e", "cnt <"]) == 1
    assert not (folder / "out.dfy").exists()


def test_the_agent_finds_invariants_and_measures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "multiply", "--to", "why3", "--terminates"]) == 0
    text = capsys.readouterr().out
    assert "variant {" in text
    assert "diverges" not in text


C_FILLING = """\
//@ requires n >= 0;
int fill(int n, int a[n]) {
  int i = 0;
  while (i < n) {
    a[i] = 0;
    i++;
  }
  //@ assert i == n;
  return i;
}
"""
PYTHON_LARGEST = """\
def largest(a: list[int]) -> int:
    assert len(a) > 0
    best = a[0]
    i = 1
    while i < len(a):
        if a[i] > best:
            best = a[i]
        i += 1
    assert all(a[k] <= best for k in range(len(a)))
    return best
"""


@pytest.mark.parametrize("target", ["dafny", "why3", "boogie", "smtlib"])
@pytest.mark.parametrize(("name", "text"), [("fill.c", C_FILLING), ("largest.py", PYTHON_LARGEST)])
def test_files_of_c_and_python_with_arrays_are_exported(
    name: str, text: str, target: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(text, encoding="utf-8")
    assert main(["export", name, "--to", target, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    words = {"dafny": "seq<int>", "why3": "(seq int)", "boogie": "[int]int", "smtlib": "(Array Int Int)"}
    assert words[target] in told["text"]
    if os.environ.get("IDG_TEST_EXPORTS") == "1" and installed(target):
        answer = accepts(target, told["text"])
        assert answer.accepted, answer.reason


def test_flags_of_events_and_of_programs_are_not_mixed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "multiply"]) == 2
    assert "say for which verifier" in capsys.readouterr().err
    assert main(["export", "multiply", "--to", "dafny", "--format", "csv"]) == 2
    assert "are for 'idg export events'" in capsys.readouterr().err
    assert main(["export", "multiply", "--to", "dafny", "--loop", "3", "-e", "cnt <= m"]) == 2
