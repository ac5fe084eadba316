"""Arrays and quantifiers: runs and traces against the simple interpreter, messages and inputs; who refuses them."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from idg.coordinator.pool.computing.calls import AboutNewProgram, ProposedText
from idg.coordinator.pool.computing.text_calls import canonical_texts, view
from idg.engine.states.inputs import random_inputs, small_inputs
from idg.export.exporting import ExportRefused, export
from idg.lsp.jobs import analysed, loop_tables
from idg.sip.errors import InputError
from idg.sip.limits import ARRAY_CELLS_MAX, QUANTIFIER_RANGE_MAX, RunLimits
from idg.sip.program import Program, load
from idg.sip.running.evaluator import evaluate
from idg.sip.running.runner import Undefined
from idg.sip.syntax import ARRAYS_OF, Name, Number, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.text.formatter import format_program
from idg.sip.text.parser import parse_program
from idg.sip.text.printer import print_expression, print_program
from idg.sip.trees.build import rename, replace_part, rewrite
from idg.sip.trees.traverse import names, names_and_olds, names_in_order, uses
from idg.sip.values import Given, cells
from tests.sip.test_runner import LIMITS, assert_same_run, choose, chooser
from tests.support.programs.drawn.random_arrays import array_inputs, with_arrays
from tests.support.programs.drawn.random_programs import random_program
from tests.support.volume import volume

PROGRAMS = volume(150, 20_000)
"""Random programs with arrays that both interpreters run."""
SEARCH = """fn find(a: int[], x: int): int {
  post(result >= 0 -> a[result] = x);
  var i: nat := 0;
  while (i < len(a)) {
    if (a[i] = x) {
      return i;
    }
    i := i + 1;
  }
  assert(forall k in 0..len(a) - 1: a[k] != x);
  return -1;
}
"""
QUANTIFIED = "fn main(n: nat) { var i: nat; while (i < n) { i := i + 1; } assert(forall k in 0..n: k <= i); }"


def search() -> Program:
    return load(SEARCH)


def test_random_programs_with_arrays_run_as_the_simple_interpreter_says() -> None:
    seen: dict[str, int] = {}
    for seed in range(PROGRAMS):
        rng = random.Random(f"arrays {seed}")
        module = with_arrays(rng, random_program(rng))
        text = print_program(module)
        assert parse_program(text) == module
        program = load(text)
        run = assert_same_run(program, array_inputs(rng, program.params), LIMITS, lambda: (chooser, choose))
        cause = run.outcome.cause or run.outcome.kind
        seen[cause] = seen.get(cause, 0) + 1
    # A generator whose programs read no cell, or stop at the first one, would test little.
    assert seen["returned"] > PROGRAMS // 5, seen
    assert seen["index"] > PROGRAMS // 50, seen


def test_a_search_finds_the_first_cell() -> None:
    assert search().run(a=[3, 1, 4, 1], x=1).outcome.value == 1
    assert search().run(a="3, 1, 4", x="5").outcome.value == -1
    assert search().run(a=(), x=5).outcome.value == -1


def test_the_trace_shows_the_array_in_every_row() -> None:
    run = search().run(a=[3, 1], x=5)
    assert run.trace.rows == [((3, 1), 5, 0), ((3, 1), 5, 1), ((3, 1), 5, 2)]
    assert run.trace.as_json()["rows"] == [[["3", "1"], "5", "0"], [["3", "1"], "5", "1"], [["3", "1"], "5", "2"]]
    assert run.as_json()["inputs"] == {"a": ["3", "1"], "x": "5"}
    assert "[3, 1]" in str(run.trace)
    long = search().run(a=list(range(100)), x=500)
    assert "[0, 1, 2, 3, 4, 5, …, 94, 95, 96, 97, 98, 99] (100 cells)" in str(long.trace)


def test_a_fact_that_reads_outside_does_not_hold_and_says_which_range_is_missing() -> None:
    evaluation = search().run(a=[3, 1], x=5).evaluate("forall k in 0..i: a[k] != x")
    assert evaluation.failing == [2]
    assert evaluation.why(2) == (
        "a[k] reads outside of a: this needs 0 <= k < len(a), which is 2 here, with a = [3, 1], x = 5, i = 2, k = 2"
    )


def test_the_number_for_which_a_fact_fails_is_told() -> None:
    run = search().run(a=[3, -1, 4, -2], x=5)
    told = run.evaluate("i >= 0 & (forall k in 0..i - 1: a[k] >= 0)")
    assert told.summary() == "holds in 2 of 5 rows; first fails in row 3, for k = 1"
    assert [told.witness(row) for row in range(5)] == ["", "", "k = 1", "k = 1", "k = 1"]
    nested = run.evaluate("forall k in 0..len(a) - 1: exists l in k..len(a) - 1: a[l] > 3")
    assert nested.summary() == "holds in 0 of 5 rows; first fails in row 1, for k = 3"
    for text in ("i > 0 & (forall k in 0..1: true)", "exists k in 0..i - 1: a[k] > 9", "!(forall k in 0..1: true)"):
        assert run.evaluate(text).witness(0) == ""
    changed = load("fn main(n: nat) { while (n > 0) { n := n - 1; } }").run(n=2)
    assert changed.evaluate("forall k in n..old(n): k + n > 2").summary() == "holds in 1 of 3 rows; first fails in row 2, for k = 1"
    outside = run.evaluate("forall k in 0..i: a[k] > 100")
    assert outside.witness(4) == ""


def test_code_that_reads_outside_fails() -> None:
    program = load("fn main(a: nat[], i: int): nat {\n  return a[ i + 1 ];\n}")
    run = program.run(a=[7, 8], i=1)
    assert (run.outcome.kind, run.outcome.cause) == ("failed", "index")
    assert (
        run.message
        == "line 2: a[ i + 1 ] reads outside of a: this needs 0 <= i + 1 < len(a), which is 2 here, with a = [7, 8], i = 1"
    )
    assert program.run(a=[7, 8], i=-1).outcome.value == 7


def test_every_instance_costs_a_step() -> None:
    program = load("fn main(n: nat) { assert(forall k in 1..n: exists l in 1..k: l = k); }")
    # n instances of the outer quantifier, and 1 + 2 + … + n of the inner one.
    assert program.run(n=4, limits=RunLimits(steps_max=14)).outcome.kind == "returned"
    stopped = program.run(n=4, limits=RunLimits(steps_max=13)).outcome
    assert (stopped.kind, stopped.cause) == ("bound", "steps")


def test_each_row_has_its_own_steps() -> None:
    run = load("fn main(n: nat) { var i: nat; while (i < n) { i := i + 1; } }").run(n=5)
    evaluation = run.evaluate("forall k in 1..9000: k > 0")
    assert evaluation.holds
    [first, *_] = run.evaluate("forall k in 1..9000: exists l in 1..2: l <= k").values
    assert isinstance(first, Undefined)
    assert first.cause == "steps"


def test_a_range_is_bounded() -> None:
    run = load("fn main(n: nat) { assert(forall k in 1..n: k >= 1); }").run(n=QUANTIFIER_RANGE_MAX + 1)
    assert (run.outcome.kind, run.outcome.cause) == ("bound", "range")
    assert "speaks of more than 10,000 numbers" in run.message


def test_cells_of_arrays_count_as_recorded_values() -> None:
    program = load("fn main(a: int[], n: nat) { var i: nat; while (i < n) { i := i + 1; } }")
    assert len(program.run(a=[0] * 8, n=50, limits=RunLimits(cells_max=100)).trace) == 10
    assert len(program.run(a=[], n=50, limits=RunLimits(cells_max=100)).trace) == 50


@pytest.mark.parametrize(("given", "kind", "message"), [
    ("1, x", Type.INT, "a: cell 1: expected an int such as 12 or -7, found 'x'"),
    ([1, -1], Type.NAT, "a: cell 1: expected a nat (0, 1, 2, …), but -1 is negative"),
    ([1, True], Type.INT, "a: cell 1: expected an int, found True"),
    ("1,,2", Type.INT, "a: cell 1: expected an int such as 12 or -7, found ''"),
    (5, Type.INT, "a: expected an int[] such as 3, 1, 2, found 5"),
    ([0] * (ARRAY_CELLS_MAX + 1), Type.INT, "a: this array has 1,001 cells; at most 1,000 are allowed"),
])  # fmt: skip
def test_inputs_that_are_no_arrays_are_told(given: Given, kind: Type, message: str) -> None:
    with pytest.raises(InputError) as error:
        load(f"fn main(a: {kind}[]) {{ }}").inputs({"a": given})
    assert str(error.value) == message


def test_texts_of_arrays_are_read() -> None:
    program = load("fn main(a: rat[], f: bool[]) { }")
    expected = {"a": (Fraction(1, 2), 3, -1), "f": (True, False)}
    assert program.inputs({"a": " [0.5, 3 , -1]", "f": "true, false"}) == expected
    assert program.inputs({"a": ["1/2", 3, Fraction(-1)], "f": [True, "false"]}) == expected
    assert program.inputs({"a": "[]", "f": ""}) == {"a": (), "f": ()}


def test_a_bound_name_is_no_variable_of_the_expression() -> None:
    expr = parse_expression("exists k in i..n: a[k] = old(x) + k")
    assert names(expr) == {"a", "i", "n"}
    assert names_and_olds(expr) == {"a", "i", "n", "x"}
    assert list(names_in_order(expr)) == ["i", "n", "a"]
    assert uses(expr, "n")
    assert not uses(expr, "k")
    assert print_expression(rename(expr, {"a": "b", "i": "j", "n": "m"})) == "exists k in j..m: b[k] = old(x) + k"
    changed = rewrite(expr, lambda leaf: leaf if leaf.name in ("a", "x") else Name("z"))
    assert print_expression(changed) == "exists k in z..z: a[k] = old(x) + k"
    assert print_expression(replace_part(expr, Name("n"), Number(3))) == "exists k in i..3: a[k] = old(x) + k"


def test_expressions_over_arrays_are_evaluated_in_single_states() -> None:
    variables = {"a": ARRAYS_OF[Type.INT], "x": Type.INT}
    expr = parse_expression("exists k in 0..len(a) - 1: a[k] = x")
    assert evaluate(expr, {"a": (1, 2), "x": 2}, variables) is True
    assert evaluate(expr, {"a": (1, 2), "x": 3}, variables) is False


def test_programs_with_arrays_are_formatted() -> None:
    assert format_program(SEARCH) == SEARCH
    ugly = "fn main(a:int [ ]){assert((forall k in(0)..(len(a)-1):a[ k ]>0)&(exists k in 0..1:true)); # why\n}"
    assert format_program(ugly) == (
        "fn main(a: int[]) {\n  assert((forall k in 0..len(a) - 1: a[k] > 0) & (exists k in 0..1: true));  # why\n}\n"
    )


@pytest.mark.parametrize("text", [SEARCH, QUANTIFIED])
def test_exports_without_arrays_refuse_a_program_with_arrays_or_quantifiers(text: str) -> None:
    for target in ("acl2", "acsl"):
        with pytest.raises(ExportRefused, match=f"{target} cannot say "):
            export(load(text), {}, {}, target)


def test_rooms_take_programs_with_arrays() -> None:
    assert "forall" in str(view(AboutNewProgram(source=SEARCH, title="")))
    assert "permutation" in str(view(AboutNewProgram(source=SEARCH.replace("a[i] = x", "permutation(a, a)"), title="")))


def test_editors_show_what_is_proved_of_arrays() -> None:
    analysis = analysed(SEARCH, lambda told: None)
    assert {check.what for check in analysis.checks} >= {"index", "post"}
    assert all(check.status == "proved" for check in analysis.checks if check.what == "index")
    [table] = loop_tables(SEARCH, lambda told: None)
    assert table.columns == ("a", "x", "i")
    assert table.total >= 5
    assert table.ended.startswith("returned")


def test_inputs_with_arrays_are_short_plain_and_of_their_types() -> None:
    params = {"a": ARRAYS_OF[Type.INT], "b": ARRAYS_OF[Type.NAT], "c": ARRAYS_OF[Type.RAT], "f": ARRAYS_OF[Type.BOOL]}
    params |= {"n": Type.NAT, "x": Type.INT, "r": Type.RAT, "p": Type.BOOL}
    program = load(f"fn main({', '.join(f'{name}: {kind}' for name, kind in params.items())}) {{ }}")
    given = [*small_inputs(params), *random_inputs(params, random.Random(0))]
    assert all(program.inputs(inputs) == inputs for inputs in given)
    arrays = [inputs["a"] for inputs in given]
    assert all(isinstance(array, tuple) for array in arrays)
    assert {len(cells(array)) for array in arrays} >= set(range(6))
    assert max(len(cells(array)) for array in arrays) <= 10
    assert any(len(set(cells(array))) == 1 < len(cells(array)) for array in arrays)
    for order in (1, -1):
        assert any(len(cells(array)) > 3 and sorted(cells(array))[::order] == list(cells(array)) for array in arrays)
    assert any(len(cells(inputs["a"])) != len(cells(inputs["b"])) for inputs in given)
    assert sum(inputs["x"] in cells(inputs["a"]) for inputs in given) > len(given) // 10
    assert given == [*small_inputs(params), *random_inputs(params, random.Random(0))]


def test_exports_refuse_a_fact_with_a_quantifier_plainly() -> None:
    program = load("fn main(n: nat) { var i: nat; while (i < n) { i := i + 1; } assert(i >= n); }")
    for text in ("forall k in 0..i: k <= n", "decreases forall k in 0..i: k <= n"):
        assert canonical_texts(program, [ProposedText(1, text, "")]) == [text]
    with pytest.raises(ExportRefused, match="acsl cannot say quantifiers: "):
        export(program, {1: [program.proposal("forall k in 0..i: k <= n")]}, {}, "acsl")


@pytest.mark.parametrize(
    "pre",
    [
        "permutation(a, b) & len(a) > 1 & a != b",
        "i < j & j < len(a)",
        "i = len(a) & i > 1 & (exists k in 0..i - 1: a[k] = x)",
        "sorted(a) & sorted(b) & len(a) = len(b) & len(a) > 2",
        "len(a) = 2 * len(b) & len(b) > 0",
        "x = a[0] + a[len(a) - 1] & len(a) > 1",
        "forall k in 0..len(p) - 1: p[k] < len(p) & len(p) > 2",
    ],
)
def test_preconditions_of_many_kinds_are_met_by_the_inputs_that_are_tried(pre: str) -> None:
    program = load(f"fn main(a, b: int[], i, j: nat, x: int, p: nat[]) {{ pre({pre}); }}")
    tried = [*small_inputs(program.params), *random_inputs(program.params, random.Random(0))]
    met = [inputs for inputs in tried if program.run(inputs).outcome.kind == "returned"]
    assert len(met) >= 2, pre
