"""Runs and traces as users see them: outcomes with position and values, bounds, nested loops, choices, evaluation on rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import idg
from idg import RunLimits
from idg.sip.chooser import ChoiceRequest
from idg.sip.runner import ChooserError, Undefined
from idg.sip.trace import Run
from idg.sip.values import InputError, Value

SQUARE_ROOT = """\
fn main(n: nat): int {
  post(result^2 <= n & n < (result + 1)^2);
  var cnt, sqr, odd: int;
  cnt := 0;
  sqr := 1;
  odd := 1;
  while (sqr <= n) {
    cnt := cnt + 1;
    odd := odd + 2;
    sqr := sqr + odd;
  }
  return cnt;
}
"""


def body(statements: str, params: str = "n: int", **inputs: Value | str) -> Run:
    return idg.load(f"fn main({params}) {{\n{statements}\n}}").run(inputs or {"n": 3})


def test_the_papers_level() -> None:
    run = idg.load(SQUARE_ROOT).run(n=46)
    assert run.outcome.value == 6
    assert run.trace.columns == ("n", "cnt", "sqr", "odd")
    assert run.trace.rows[0] == (46, 0, 1, 1)
    assert run.trace.rows[-1] == (46, 6, 49, 13)
    assert run.evaluate("sqr = (cnt+1)^2").holds
    assert run.evaluate("odd - 1").values == [0, 2, 4, 6, 8, 10, 12]


@pytest.mark.parametrize(
    ("statements", "cause", "line", "values"),
    [
        ("assert(n > 5);", "assert", 2, {"n": 3}),
        ("var k: nat;\nk := n - 4;", "narrowing", 3, {"n": 3, "k": 0}),
        ("var k: int;\nk := n / 2;", "narrowing", 3, {"n": 3, "k": 0}),
        ("var k: rat := n / (n - 3);", "zero-divisor", 2, {"n": 3}),
        ("var k: int := 7;\nk := k % (n - 3);", "zero-divisor", 3, {"n": 3, "k": 7}),
        ("var k: int := n^(2 - n);", "negative-exponent", 2, {"n": 3}),
        ("while [n > 1] (n > 0) {\n  n := n - 1;\n}", "invariant", 2, {"n": 1}),
        ("if (n = 3) {\n  var inner: int := 1;\n  assert(inner = 2);\n}", "assert", 4, {"n": 3, "inner": 1}),
    ],
)
def test_a_failed_obligation_stops_the_run_with_position_and_values(
    statements: str, cause: str, line: int, values: dict[str, Value]
) -> None:
    run = body(statements)
    assert (run.outcome.kind, run.outcome.cause) == ("failed", cause)
    assert run.program.text.count("\n", 0, run.outcome.span.start) + 1 == line
    assert run.outcome.values == values
    assert f"line {line}" in run.message


def test_a_broken_callee_pre_is_blamed_on_the_call() -> None:
    text = "fn half(a: nat): nat { pre(a % 2 = 0); return a / 2; }\nfn main(n: nat): nat {\n  return half(half(n));\n}"
    run = idg.load(text).run(n=6)
    assert (run.outcome.kind, run.outcome.cause) == ("failed", "callee-pre")
    assert text[run.outcome.span.start : run.outcome.span.end] == "half(half(n))"
    assert run.outcome.values == {"n": 6}


def test_a_failed_post_shows_the_result() -> None:
    run = idg.load("fn main(n: nat): nat { post(result = old(n) + 2); n := n + 1; return n; }").run(n=4)
    assert (run.outcome.cause, run.outcome.values) == ("post", {"n": 5, "result": 5})


@pytest.mark.parametrize(
    ("statements", "limits", "cause"),
    [
        ("while (true) { n := n + 1; }", RunLimits(steps_max=100), "steps"),
        ("while (true) { n := n + 1; }", RunLimits(rows_max=100), "rows"),
        ("while (true) { n := n * n; }", RunLimits(), "number-too-large"),
        ("while (true) { n := n + n; }", RunLimits(), "number-too-large"),
        ("n := 7^10^7;", RunLimits(), "number-too-large"),
        ("n := 2^32768 % 10;", RunLimits(), "returned"),
        ("n := 2^32769 % 10;", RunLimits(), "number-too-large"),
        ("while (n > 0) { print(n); }", RunLimits(prints_max=5), "prints"),
        ("cassign([n], n * n = 2);", RunLimits(choice_tries_max=300), "choice-tries"),
    ],
)
def test_a_bound_that_is_reached_is_reported(statements: str, limits: RunLimits, cause: str) -> None:
    run = idg.load(f"fn main(n: int) {{ {statements} }}").run(n=3, limits=limits)
    assert (run.outcome.cause or run.outcome.kind) == cause
    assert run.outcome.kind in ("bound", "returned")
    assert run.message


def test_exactly_as_many_rows_as_allowed() -> None:
    program = idg.load("fn main(n: nat) { while (n > 0) { n := n - 1; } }")
    assert program.run(n=9, limits=RunLimits(rows_max=10)).outcome.kind == "returned"
    stopped = program.run(n=10, limits=RunLimits(rows_max=10))
    assert stopped.outcome.cause == "rows"
    assert len(stopped.trace) == 10


def test_recursion_is_bounded_by_call_depth() -> None:
    program = idg.load("fn main(n: nat): nat { var r: nat; if (n > 0) { r := n + main(n - 1); } return r; }")
    assert program.run(n=200).outcome.value == 20100
    assert program.run(n=201).outcome.cause == "call-depth"


def test_ignored_runs() -> None:
    assert body("assume(n > 5);").outcome.cause == "assume"
    assert idg.load("fn main(n: nat) { pre(10 / n > 1); }").run(n=0).outcome.cause == "pre"
    assert body("var b: bool; cassign([b], b & !b);").outcome.cause == "cassign"
    assert body("claim(n > 5);").outcome.kind == "returned"


def test_rows_of_an_inner_loop_name_their_outer_row() -> None:
    text = """fn main(n: nat) { var i, j: nat; while (i < n) { j := 0; while (j < i) { j := j + 1; } i := i + 1; } }"""
    outer, inner = idg.load(text).run(n=3).traces
    assert outer.rows == [(3, 0, 0), (3, 1, 0), (3, 2, 1), (3, 3, 2)]
    assert inner.outer == 1
    assert list(zip(inner.outer_rows, inner.rows, strict=True)) == [
        (0, (3, 0, 0)), (1, (3, 1, 0)), (1, (3, 1, 1)), (2, (3, 2, 0)), (2, (3, 2, 1)), (2, (3, 2, 2)),
    ]  # fmt: skip


def test_choices_are_repeatable_small_and_differ_between_seeds() -> None:
    program = idg.load("fn main(n: nat): int { var d: int; cassign([d], 1 <= d <= n); return d; }")
    values = [program.run(n=10, seed=seed).outcome.value for seed in range(40)]
    assert values == [program.run(n=10, seed=seed).outcome.value for seed in range(40)]
    assert len(set(values)) > 1
    assert all(isinstance(value, int) and 1 <= value <= 10 for value in values)


def test_a_choice_follows_equations_that_fix_it() -> None:
    program = idg.load("fn main(n: nat, d: nat): int { var q, r: int; cassign([q, r], r = n - q * d & q = n // d); return r; }")
    assert program.run(n=123456789, d=1000).outcome.value == 789


def test_a_chooser_from_outside_decides_and_is_checked() -> None:
    program = idg.load("fn main(n: nat): int { var d: int; cassign([d], d * d = n); return d; }")
    seen: list[ChoiceRequest] = []

    def root(request: ChoiceRequest) -> tuple[Value, ...] | None:
        seen.append(request)
        return (-12,)

    assert program.run(n=144, chooser=root).outcome.value == -12
    assert seen[0].names == ("d",)
    assert seen[0].state == {"n": 144, "d": 0}
    with pytest.raises(ChooserError):
        program.run(n=145, chooser=root)
    assert program.run(n=3, chooser=lambda request: None).outcome.cause == "cassign"


def test_a_row_holds_fails_or_cannot_be_evaluated_and_says_why() -> None:
    run = idg.load(SQUARE_ROOT).run(n=46)
    found = run.evaluate("n / (cnt - 2) > 0")
    assert found.values[:2] == [False, False]
    undefined = found.values[2]
    assert isinstance(undefined, Undefined)
    assert undefined.cause == "zero-divisor"
    assert found.why(2) == "division by zero in n / (cnt - 2) with n = 46, cnt = 2, sqr = 9, odd = 5"
    assert found.values[3:] == [True] * 4
    assert found.failing == [0, 1, 2]
    assert run.evaluate("cnt != 2 -> n / (cnt - 2) != 100").holds
    assert "2^cnt" in run.evaluate("1 / 2^cnt").text


def test_evaluation_uses_old_helpers_and_is_checked() -> None:
    text = "fn fact(k: nat): nat { var r: nat := 1; if (k > 0) { r := k * fact(k - 1); } return r; }\n" + (
        "fn main(n: nat) { var p: nat := 1; while (n > 0) { p := p * n; n := n - 1; } }"
    )
    run = idg.load(text).run(n=6)
    assert run.evaluate("p * fact(n) = fact(old(n))").holds
    found = run.evaluate("fact(n - 3) > 0")
    assert [value for value in found.values if isinstance(value, Undefined)] == found.values[4:]
    with pytest.raises(idg.SipError, match="did you mean"):
        run.evaluate("fct(n) = 1")
    with pytest.raises(idg.SipError):
        run.evaluate("result = 1")


def test_inputs_are_checked_with_clear_errors() -> None:
    program = idg.load("fn main(n: nat, x: rat, b: bool) { }")
    run = program.run(n="3", x="-7/3", b="true")
    assert run.inputs == {"n": 3, "x": Fraction(-7, 3), "b": True}
    assert program.run({"n": 3, "x": Fraction(4, 2), "b": False}).inputs["x"] == 2
    wrong_inputs: list[tuple[dict[str, Any], str]] = [
        ({"n": -1, "x": 0, "b": True}, "n: expected a nat"),
        ({"n": 1, "x": 0.5, "b": True}, "x: expected a rat"),
        ({"n": 1, "x": "1/0", "b": True}, "division by zero"),
        ({"n": True, "x": 1, "b": True}, "n: expected a nat"),
        ({"n": 1, "x": 1, "b": 1}, "b: expected a Boolean"),
        ({"n": 1, "x": 1}, "no value given for b"),
        ({"n": 1, "x": 1, "b": True, "m": 1}, "'m' is not an input"),
        ({"n": "9" * 2000, "x": 1, "b": True}, "more than 1,000 digits"),
        ({"n": 2**9000, "x": 1, "b": True}, "9,001 bits"),
    ]
    for wrong, message in wrong_inputs:
        with pytest.raises(InputError, match=message):
            program.run(wrong)


def test_tables_for_people_and_notebooks() -> None:
    run = idg.load(SQUARE_ROOT).run(n=10**6)
    text = str(run)
    assert "rows not shown" in text
    assert text.endswith("returned 1000")
    html = run.evaluate("cnt < 5")._repr_html_()
    assert "✗" in html
    assert "<table" in run._repr_html_()
    assert "&lt;= n" in run.program._repr_html_()
    assert "guarantee" in repr(run.program)


def test_huge_values_are_shown_short_and_kept_exact() -> None:
    run = body("print(2^30000);\nn := 2^8000;\nwhile (n < 0) { }")
    assert len(run.printed[0]) == 9031
    assert run.printed[0].startswith("79409035191329603241")
    assert int(run.printed[0][-15:]) == pow(2, 30000, 10**15)
    assert "(2,409 digits)" in str(run)
    assert int(run.as_json()["loops"][0]["rows"][0][0]) == 2**8000  # type: ignore[index]
