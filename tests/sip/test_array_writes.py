"""Arrays that are written: copies, local arrays, sums, orders, entry values; against the simple interpreter, and messages."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from idg.cli.programs.runs import _choices
from idg.sip.errors import InputError, SipError
from idg.sip.limits import ARRAY_CELLS_MAX, NUMBER_BITS_MAX, RunLimits
from idg.sip.program import load
from idg.sip.running.chooser import ContinuingChooser, ExploringChooser
from idg.sip.running.runner import Undefined
from idg.sip.syntax import Module
from idg.sip.text.expressions import parse_expression
from idg.sip.text.formatter import format_program
from idg.sip.text.parser import parse_program
from idg.sip.text.printer import print_expression, print_program
from idg.sip.trees.arrays import ALL, array_constructs, expression_constructs, refuse_arrays
from idg.sip.trees.traverse import changed, changed_as_a_whole
from tests.sip.test_runner import LIMITS, assert_same_run, choose, chooser
from tests.support.programs.drawn.random_arrays import array_inputs, with_arrays
from tests.support.programs.drawn.random_programs import random_program
from tests.support.programs.drawn.random_writes import with_writes
from tests.support.volume import volume

PROGRAMS = volume(100, 20_000)
"""Random programs that write arrays, which both interpreters run."""
BUBBLE = """fn main(a: int[]) {
  post(sorted(a) & permutation(a, old(a)));
  var n, i: nat;
  n := len(a);
  while (n > 1) {
    i := 1;
    while (i < n) {
      if (a[i - 1] > a[i]) {
        swap(a, i - 1, i);
      }
      i := i + 1;
    }
    n := n - 1;
  }
}
"""


def random_module(rng: random.Random) -> Module:
    return with_writes(rng, with_arrays(rng, random_program(rng)))


def test_random_programs_that_write_arrays_run_as_the_simple_interpreter_says() -> None:
    seen: dict[str, int] = {}
    for seed in range(PROGRAMS):
        rng = random.Random(f"writes {seed}")
        module = random_module(rng)
        text = print_program(module)
        assert parse_program(text) == module, text
        assert format_program(text) == text
        program = load(text)
        run = assert_same_run(program, array_inputs(rng, program.params), LIMITS, lambda: (chooser, choose))
        cause = run.outcome.cause or run.outcome.kind
        seen[cause] = seen.get(cause, 0) + 1
    assert seen["returned"] > PROGRAMS // 10, seen
    assert seen["index"] > PROGRAMS // 50, seen


def test_bubble_sort_sorts() -> None:
    run = load(BUBBLE).run(a=[4, 1, 3, 1])
    assert run.message == "finished"
    assert run.trace.rows[-1][0] == (1, 1, 3, 4)
    assert run.inputs == {"a": (4, 1, 3, 1)}
    assert run.of(2).evaluate("permutation(a, old(a)) & len(a) = len(old(a))").holds
    told = run.evaluate("forall k in 0..len(a) - 2: a[k] <= a[k + 1]")
    assert told.summary() == "holds in 2 of 4 rows; first fails in row 1, for k = 0"
    assert run.evaluate("forall k in 0..len(a) - 1: a[k] = old(a)[k]").witness(1) == "k = 0"


def test_rows_share_arrays_that_did_not_change() -> None:
    run = load("fn main(a: int[]) { var i: nat := 0; while (i < 4) { if (i = 1) { a[0] := 5; } i := i + 1; } }").run(a=[1, 2])
    arrays = [row[0] for row in run.trace.rows]
    assert arrays == [(1, 2), (1, 2), (5, 2), (5, 2), (5, 2)]
    assert arrays[0] is arrays[1]
    assert arrays[2] is arrays[4]


def test_arrays_are_values() -> None:
    text = """fn changed(a: int[]): int { a[0] := 9; return a[0]; }
fn main(a: int[]) {
  var b, c: int[] := a;
  b[0] := 7;
  assert(a[0] = 1 & c = a & b != a & changed(b) = 9 & b[0] = 7);
  c := b;
  c[1] := 8;
  assert(b[1] = 2 & c[0] = 7 & len(c) = len(b));
  a := b;
  assert(a = b & old(a)[0] = 1);
  var d: int[0];
  c := d;
  assert(len(c) = 0);
}
"""
    assert load(text).run(a=[1, 2]).message == "finished"


@pytest.mark.parametrize(
    ("statement", "cause", "told"),
    [
        ("a[n + 1] := 3;", "index", "a[n + 1] := 3 writes outside of a: this needs 0 <= n + 1 < len(a), which is 2 here,"),
        ("swap(a, n, -1);", "index", "swap(a, n, -1) writes outside of a, which has 2 cells"),
        ("assert(sorted(a, 0..n + 1));", "index", "sorted(a, 0..n + 1) reads outside of a, which has 2 cells"),
        ("assert(old(a)[n + 1] = 1);", "index", "old(a)[n + 1] reads outside of old(a): this needs 0 <= n + 1 < len(old(a))"),
        ("a[0] := n - 2;", "narrowing", "the value of n - 2 does not fit the type it is assigned to"),
        ("var b: int[n - 2];", "narrowing", "the value of n - 2 does not fit the type it is assigned to"),
        ("var b: int[n + 1000];", "array-too-long", "an array of more than 1,000 cells: n + 1000"),
        ("assert((sum k in 1..10001: n) = n);", "range", "sum k in 1..10001: n speaks of more than 10,000 numbers"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_stops_the_run(statement: str, cause: str, told: str) -> None:
    run = load(f"fn main(a: nat[], n: nat) {{\n  {statement}\n}}").run(a=[7, 8], n=1)
    assert run.outcome.cause == cause
    assert run.message == f"line 2: {told} with a = [7, 8], n = 1"


def test_an_array_has_as_many_cells_as_it_may_have() -> None:
    program = load("fn main(n: nat): nat { var b: nat[n]; return len(b); }")
    assert program.run(n=ARRAY_CELLS_MAX).outcome.value == ARRAY_CELLS_MAX
    assert program.run(n=ARRAY_CELLS_MAX + 1).outcome.cause == "array-too-long"


def test_the_index_is_evaluated_before_the_value_and_both_before_the_cell_is_looked_for() -> None:
    text = "fn loud(x: int): int {{ assert(x != 5); return x; }}\nfn main(a: int[]) {{ a[loud({index})] := loud({value}); }}"
    assert load(text.format(index=5, value=5)).run(a=[]).outcome.values == {"x": 5}
    assert load(text.format(index=7, value=5)).run(a=[]).outcome.cause == "assert"
    assert load(text.format(index=7, value=7)).run(a=[]).outcome.cause == "index"


def test_each_partial_sum_is_an_intermediate_result() -> None:
    program = load("fn main(c: rat[]): bool { return (sum k in 0..len(c) - 1: c[k]) >= 0; }")
    large = 2 ** (8_000)
    assert program.run(c=[Fraction(1, large + 2 * number + 1) for number in range(4)]).outcome.value is True
    stopped = program.run(c=[Fraction(1, large + 2 * number + 1) for number in range(NUMBER_BITS_MAX // 8_000 + 2)])
    assert stopped.outcome.cause == "number-too-large"


def test_cells_of_local_arrays_are_chosen() -> None:
    program = load("fn main(n: nat): int { var b, c: int[n]; var i: nat := 0; while (i < n) { i := i + 1; } return b[0] + c[1]; }")
    zeros = program.run(n=2)
    assert zeros.outcome.value == 0
    assert [chosen.values for chosen in zeros.choices] == [((0, 0), (0, 0))]
    run = program.run(n=2, choices=[["3, 1", "[4, -1]"]])
    assert run.outcome.value == 2
    assert run.trace.rows[0] == (2, (3, 1), (4, -1), 0)
    explored = {program.run(n=2, chooser=ExploringChooser(seed)).outcome.value for seed in range(20)}
    assert len(explored) > 5
    again = program.run(n=2, chooser=ContinuingChooser([((3, 1), (4, -1))], 0))
    assert again.outcome == run.outcome
    assert _choices("4; [2, 3], 5; 1/2") == [["4"], ["[2, 3]", "5"], ["1/2"]]


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ([["1, 2"]], "2 values are chosen at once, and the script has 1"),
        ([["1, 2", "1, 2, 3"]], "an array of 2 cells is chosen, and the script has one of 3"),
        ([["1, true", "1, 2"]], "cell 1: expected an int such as 12 or -7, found 'true'"),
    ],
)
def test_choices_that_do_not_fit_a_local_array(choices: list[list[str]], told: str) -> None:
    program = load("fn main(n: nat): int { var b, c: int[n]; return b[0] + c[1]; }")
    with pytest.raises(InputError, match=told):
        program.run(n=2, choices=choices)


def test_cells_of_arrays_that_a_run_makes_count_in_the_tables() -> None:
    text = (
        "fn main(n: nat, a: int[]) { var b: int[n]; var i: nat; while (i < n) { b[i] := i; a := b; var j: nat := 0; "
        "while (j < i) { j := j + 1; } i := i + 1; } }"
    )
    program = load(text)
    causes = set()
    for cells in (*range(0, 150, 7), 1_000):
        for steps in (3, 7, 9, 100):
            limits = RunLimits(cells_max=cells, steps_max=steps)
            causes.add(assert_same_run(program, {"n": 4, "a": (1, 2)}, limits, lambda: (chooser, choose)).outcome.cause)
    assert causes == {"rows", "steps", ""}


def test_a_loop_that_sets_cells_changes_no_length() -> None:
    text = "fn main(a, b, c, d: int[], x: int) { while (x > 0) { a[0] := 1; swap(b, 0, 0); c := d; x := x - 1; } }"
    [loop] = load(text).loops
    assert changed(loop.statement.body) == {"a", "b", "c", "x"}
    assert changed_as_a_whole(loop.statement.body) == {"c", "x"}


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("s=sum k in 0..n:a[k]*2", "s = sum k in 0..n: a[k] * 2"),
        ("sum k in 0..n:a[k]=s", "(sum k in 0..n: a[k]) = s"),
        ("sum k in 0..n:a[k]+1", "(sum k in 0..n: a[k]) + 1"),
        ("1+sum k in 0..n:(a[k]+1)", "1 + (sum k in 0..n: (a[k] + 1))"),
        ("c=count k in 0..n:a[k]=x & p", "c = count k in 0..n: a[k] = x & p"),
        ("count k in 0..n:(p&q)", "count k in 0..n: (p & q)"),
        ("-sum k in 0..n:-a[k]", "-(sum k in 0..n: -a[k])"),
        ("forall k in 0..n:exists l in 0..k:p", "forall k in 0..n: exists l in 0..k: p"),
        ("sorted(a)", "sorted(a, 0..len(a) - 1)"),
        ("sorted(a,(i|p)..x+1)", "sorted(a, (i | p)..x + 1)"),
    ],
)
def test_canonical_texts_of_sums_and_orders(text: str, printed: str) -> None:
    expr = parse_expression(text)
    assert print_expression(expr) == printed
    assert parse_expression(printed) == expr


def test_each_construct_is_refused_where_it_stands() -> None:
    text = """fn helper(a: int[]): bool { return a[0] = 1; }
fn main(a: int[]) {
  pre(forall k in 0..1: a[k] = 0);
  post(sorted(a) & permutation(a, old(a)));
  var b: int[len(a)];
  b[0] := 0;
  swap(b, 0, 0);
  b := a;
  assert(a = b & helper(a) & 0 = sum k in 0..1: a[k]);
  assert(0 = count k in 0..1: a[k] = 1);
}
"""
    program = load(text)
    assert {construct for construct, _ in array_constructs(program)} == ALL
    refuse_arrays(program, ALL)
    places = dict(array_constructs(program))
    for construct in ALL:
        with pytest.raises(SipError) as refused:
            refuse_arrays(program, ALL - {construct})
        [problem] = refused.value.problems
        assert problem.code == "arrays-not-judged"
        assert problem.message.startswith(construct)
        assert problem.span <= places[construct]


def test_names_that_are_words_of_arrays_are_no_arrays() -> None:
    program = load("fn main(sum, count, swap, in: int) { while (sum > count) { sum := sum - swap * in; } }")
    assert not list(array_constructs(program))
    assert not list(expression_constructs(program.proposal("sum + count + swap + in >= 0"), program.info.level.variables))


def test_a_sum_on_rows_has_the_steps_of_a_row() -> None:
    run = load("fn main(n: nat) { var i: nat; while (i < n) { i := i + 1; } }").run(n=3)
    assert run.evaluate("0 <= sum k in 1..9000: i").holds
    [first, *_] = run.evaluate("exists l in 1..3: 0 <= sum k in 1..9000: i").values
    assert isinstance(first, Undefined)
    assert first.cause == "steps"
