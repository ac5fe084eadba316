"""Runs and traces as users see them: outcomes with position and values, bounds, nested loops, choices, evaluation on rows."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

import idg
from idg import RunLimits
from idg.sip.running.chooser import ChoiceRequest, ExploringChooser
from idg.sip.running.runner import ChooserError, Undefined
from idg.sip.running.trace import Run
from idg.sip.values import InputError, Scalar, Value

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


CHOOSING = """fn main(n: nat) {
  var i, spare, take: int; var flag: bool; i := 0;
  while (i < n) { cassign([take], 1 <= take <= 3); i := i + take; if (take = 2) { flag := !flag; } }
}"""


def test_a_run_takes_the_choices_it_is_given() -> None:
    """The initial values of variables that are read before they are assigned, then the values of each cassign."""
    program = idg.load(CHOOSING)
    script = [(7, 9), (True,), (3,), (2,)]
    run = program.run({"n": 5}, choices=script)
    assert run.trace.rows == [(5, 0, 7, 9, True), (5, 3, 7, 3, True), (5, 5, 7, 2, False)]
    assert [chosen.values for chosen in run.choices] == script
    assert [chosen.names for chosen in run.choices] == [("spare", "take"), ("flag",), ("take",), ("take",)]
    assert [chosen.initial for chosen in run.choices] == [True, True, False, False]
    assert [chosen.rows for chosen in run.choices] == [(0,), (0,), (1,), (2,)]


def test_without_choices_variables_start_as_zero_and_any_recorded_run_can_be_repeated() -> None:
    program = idg.load(CHOOSING)
    plain = program.run({"n": 9}, seed=4)
    assert plain.trace.rows[0] == (9, 0, 0, 0, False)
    for seed in range(20):
        explored = program.run({"n": 9}, chooser=ExploringChooser(seed))
        again = program.run({"n": 9}, choices=[chosen.values for chosen in explored.choices])
        assert again.trace.rows == explored.trace.rows
        assert again.outcome == explored.outcome


def test_exploring_runs_start_anywhere_and_stay_long() -> None:
    program = idg.load("""fn main() {
      var x, y: int; var on: bool; x := 0; cassign([on], true);
      while (on) { x := x + 1; cassign([on], true); }
    }""")
    runs = [program.run({}, chooser=ExploringChooser(seed)) for seed in range(100)]
    assert max(len(run.trace.rows) for run in runs) > 40
    assert len({run.trace.rows[0] for run in runs if run.trace.rows}) > 20


@pytest.mark.parametrize(("script", "message"), [
    ([(7,)], "2 values are chosen at once, and the script has 1"),
    ([(7, 9), (True,), (4,)], "the condition on take does not hold with the values of the script"),
    ([(7, True)], "expected"),
])  # fmt: skip
def test_choices_that_do_not_fit_are_told(script: list[tuple[Scalar, ...]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        idg.load(CHOOSING).run({"n": 5}, choices=script)


def test_a_chooser_from_outside_decides_and_is_checked() -> None:
    program = idg.load("fn main(n: nat): int { var d: int; cassign([d], d * d = n); return d; }")
    seen: list[ChoiceRequest] = []

    def root(request: ChoiceRequest) -> tuple[Scalar, ...] | None:
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
    evaluation = run.evaluate("n / (cnt - 2) > 0")
    assert evaluation.values[:2] == [False, False]
    undefined = evaluation.values[2]
    assert isinstance(undefined, Undefined)
    assert undefined.cause == "zero-divisor"
    assert evaluation.why(2) == "division by zero in n / (cnt - 2) with n = 46, cnt = 2, sqr = 9, odd = 5"
    assert evaluation.values[3:] == [True] * 4
    assert evaluation.failing == [0, 1, 2]
    assert run.evaluate("cnt != 2 -> n / (cnt - 2) != 100").holds
    assert "2^cnt" in run.evaluate("1 / 2^cnt").text


def test_evaluation_uses_old_helpers_and_is_checked() -> None:
    text = "fn fact(k: nat): nat { var r: nat := 1; if (k > 0) { r := k * fact(k - 1); } return r; }\n" + (
        "fn main(n: nat) { var p: nat := 1; while (n > 0) { p := p * n; n := n - 1; } }"
    )
    run = idg.load(text).run(n=6)
    assert run.evaluate("p * fact(n) = fact(old(n))").holds
    evaluation = run.evaluate("fact(n - 3) > 0")
    assert [value for value in evaluation.values if isinstance(value, Undefined)] == evaluation.values[4:]
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


def chosen(condition: str, seeds: int, kind: str = "int", **inputs: Value | str) -> set[Value | None]:
    program = idg.load(f"fn main(n: nat): {kind} {{ var d: {kind}; cassign([d], {condition}); return d; }}")
    return {program.run(inputs or {"n": 10}, seed=seed).outcome.value for seed in range(seeds)}


def test_every_value_of_a_small_range_is_chosen_with_some_seed_and_sometimes_a_large_one() -> None:
    """Once choices never left the smallest box."""
    assert chosen("1 <= d <= 3", 100) == {1, 2, 3}
    assert chosen("1 <= d <= n", 400) == set(range(1, 11))
    assert chosen("-5 <= d <= 5", 400) == set(range(-5, 6))
    large = chosen("d >= 1", 100)
    assert any(isinstance(value, int) and value > 1_000 for value in large)
    assert sum(isinstance(value, int) and value <= 12 for value in large) >= 5


LOOPING = "fn loop(k: int): int { var i: int; while (i < 10000) { i := i + 1; } return i; }\n"
DEEP = "fn deep(k: int): int { var r: int; r := deep(k); return r; }\n"
PICKY = "fn picky(k: int): int { assume(k > 99); return k; }\n"
NOISY = "fn noisy(k: int): int { print(k); return k; }\n"
POSITIVE = "fn positive(k: int): int { pre(k > 3); return k; }\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (LOOPING + "fn main(n: int) { var x, y: int; cassign([x, y], x = loop(y)); }", "steps"),
        (LOOPING + "fn main(n: int) { var x, y: int; cassign([x, y], x + 0 = loop(y)); }", "steps"),
        (DEEP + "fn main(n: int) { var x, y: int; cassign([x, y], x = deep(y)); }", "call-depth"),
        (PICKY + "fn main(n: int) { var x: int; cassign([x], x = picky(n)); }", "assume"),
        (NOISY + "fn main(n: int) { var x: int; cassign([x], x = noisy(n)); }", "returned"),
        (POSITIVE + "fn main(n: int) { var x: int; cassign([x], x = positive(n)); }", "cassign"),
        ("fn main(n: int) { var x: int; cassign([x], x = 2^70000); }", "number-too-large"),
        ("fn main(n: int) { var x: int; cassign([x], x = 2^9000); }", "number-too-large"),
        ("fn main(n: int) { var b: bool; cassign([b], 2^70000 > n); }", "number-too-large"),
        ("fn main(n: int) { var x: nat; cassign([x], x = n - 9); }", "cassign"),
        ("fn main(n: int) { var x: int; cassign([x], x = n / 2); }", "cassign"),
        ("fn main(n: int) { var x: int; cassign([x], x = 1 / (n - 3)); }", "cassign"),
    ],
)
def test_what_happens_inside_a_choice_is_not_taken_for_no_values(text: str, cause: str) -> None:
    run = idg.load(text).run(n=3, limits=RunLimits(steps_max=5_000))
    assert (run.outcome.cause or run.outcome.kind) == cause, run.message
    assert run.printed == []
    assert run.message


def test_each_candidate_of_a_choice_costs_a_step() -> None:
    program = idg.load("fn main(n: int) { var x: int; cassign([x], x * x = 2); }")
    run = program.run(n=1, limits=RunLimits(steps_max=50))
    assert (run.outcome.cause, run.outcome.values) == ("steps", {"n": 1, "x": 0})
    assert program.text[run.outcome.span.start : run.outcome.span.end].startswith("cassign(")
    fails = idg.load("fn main(n: int) { var x, y: int; cassign([x, y], x = 1 / (y - y)); }")
    assert fails.run(n=1, limits=RunLimits(steps_max=50)).outcome.cause == "steps"


def test_many_chosen_booleans_need_no_list_of_all_their_values() -> None:
    names = ", ".join(f"b{index}" for index in range(60))
    all_true = " & ".join(f"b{index}" for index in range(60))
    program = idg.load(f"fn main(n: int) {{ var {names}: bool; cassign([{names}], b7 & !b9); }}")
    assert program.run(n=1).outcome.kind == "returned"
    program = idg.load(f"fn main(n: int) {{ var {names}: bool; cassign([{names}], {all_true}); }}")
    assert program.run(n=1).outcome.cause == "choice-tries"
    names = "a, b, c, d, e, f, g, h, i, j, k"
    unsatisfiable = idg.load(f"fn main(n: int) {{ var {names}: bool; cassign([{names}], a & !a); }}")
    assert unsatisfiable.run(n=1).outcome.cause == "cassign"


def test_long_chains_of_equations_are_ordered_quickly() -> None:
    count = 40
    names = [f"x{index}" for index in range(count)]
    equations = " & ".join(f"{names[index]} = {names[index + 1]} + {names[index + 1]}" for index in range(count - 1))
    listed = ", ".join(names)
    text = f"fn main(n: nat): int {{ var {listed}: int; cassign([{listed}], {equations} & x39 = n); return x0; }}"
    assert idg.load(text).run(n=3).outcome.value == 3 * 2**39


def test_wide_tables_are_bounded_by_their_cells() -> None:
    names = ", ".join(f"v{index}" for index in range(99))
    loops = "while (true) { n := n + 1; while (n % 2 = 0) { n := n + 1; } }"
    program = idg.load(f"fn main(n: int) {{ var {names}: int; {loops} }}")
    stopped = program.run(n=0, limits=RunLimits(cells_max=1_000))
    assert (stopped.outcome.cause, sum(map(len, stopped.traces))) == ("rows", 10)
    assert "1,000 values" in stopped.message
    assert sum(map(len, program.run(n=0).traces)) == 50_000


def test_printed_text_is_bounded() -> None:
    program = idg.load("fn main(n: nat) { while (true) { print(2^30000, n); } }")
    run = program.run(n=0)
    assert run.outcome.cause == "prints"
    assert 4_900_000 < sum(map(len, run.printed)) <= 5_000_000
    assert idg.load("fn main(n: nat) { print(" + "2^30000, " * 900 + "n); }").run(n=0).outcome.cause == "prints"


def test_evaluation_on_rows_has_few_steps_and_forgets_prints() -> None:
    text = (
        "fn slow(k: nat): nat { var i: nat; while (i < k) { i := i + 1; } return i; }\n"
        "fn loud(k: nat): nat { print(k); print(k); return k; }\n"
        "fn main(n: nat) { while (n > 0) { n := n - 1; } }"
    )
    run = idg.load(text).run(n=20, limits=RunLimits(prints_max=3))
    assert run.evaluate("loud(n) = n").holds
    assert run.evaluate("slow(15000) = 15000").holds
    evaluation = run.evaluate("slow(30000) = 30000")
    assert evaluation.why(0).startswith("stopped after 20,000 steps")


def test_where_there_are_no_rows_nothing_holds() -> None:
    run = idg.load("fn main(n: nat) { assume(n > 5); while (n > 0) { n := n - 1; } }").run(n=3)
    evaluation = run.evaluate("n >= 0")
    assert not evaluation.holds
    assert evaluation.summary().startswith("there are no rows (the run: ignored: the assume in line 1")
    bare = run.program.run(n=9, record=False)
    for ask in (lambda: bare.trace, lambda: bare.evaluate("n = 0")):
        with pytest.raises(LookupError, match="recorded nothing"):
            ask()
    assert repr(bare) == "<Run of main(n=9): finished; not recorded>"


def test_wrong_arguments_are_told_clearly() -> None:
    program: Any = idg.load("fn main(n: nat) { while (n > 0) { n := n - 1; } }")
    for wrong in (5, "n=5", [("n", 5)]):
        with pytest.raises(idg.InputError, match="expected the inputs by name"):
            program.run(wrong)
    for value in (10**5_000, -(10**5_000), [10**5_000], "x" * 9_999, Fraction(1, 10**5_000), object()):
        with pytest.raises(idg.InputError) as caught:
            program.run(n=value)
        assert len(str(caught.value)) < 200
    for limits in (RunLimits(steps_max=-1), RunLimits(rows_max="5"), RunLimits(call_depth_max=401)):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="RunLimits: "):
            program.run(n=1, limits=limits)
    assert program.run(n=1, limits=RunLimits(0, 0, 0, 0, 0, 0, 0)).outcome.kind == "bound"


def test_programs_and_outcomes_can_be_pickled() -> None:
    program = idg.load(SQUARE_ROOT)
    run = program.run(n=46)
    again = pickle.loads(pickle.dumps(program))
    assert again.run(n=46).outcome == pickle.loads(pickle.dumps(run.outcome)) == run.outcome
    failed = body("assert(n > 5);").outcome
    assert pickle.loads(pickle.dumps(failed)) == failed


def test_tables_show_the_first_failing_row_and_canonical_headings() -> None:
    run = idg.load(SQUARE_ROOT).run(n=10**6)
    shown = str(run.evaluate("cnt<500 | cnt   >510"))
    assert "cnt < 500 | cnt > 510" in shown.splitlines()[0]
    assert [line.split()[0] for line in shown.splitlines() if "✗" in line] == ["501", "502"]
    assert shown.count("rows not shown") == 2
    assert "500  1000000" in shown
    assert shown.splitlines()[-1] == "cnt < 500 | cnt > 510: holds in 990 of 1001 rows; first fails in row 501"
    assert repr(run.evaluate("cnt>=0")) == "<Evaluation of cnt >= 0: holds in all 1001 rows>"
    assert repr(run.trace) == "<Trace of loop 1: 1,001 rows of n, cnt, sqr, odd>"
    printing = idg.load("fn main(n: nat) { while (n > 0) { print(n); n := n - 1; } }").run(n=50)
    assert "10 printed lines not shown" in printing._repr_html_()


def test_why_an_expression_has_no_value_where_a_helper_stops() -> None:
    helper = "fn bad(x: int): int { return 1 // x; }"
    source = f"{helper} fn main(n: nat) {{ var i: int; i := 0; while (i < n) {{ i := i + 1; }} assert(i = n); }}"
    evaluation = idg.load(source).run(n=2).trace.evaluate("bad(i) >= 0")
    assert evaluation.why(0) == "line 1: division by zero in 1 // x with x = 0"
    assert evaluation.why(1) == ""
