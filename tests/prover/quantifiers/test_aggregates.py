"""The laws of sums, counts and permutations, and sorted ranges as quantifiers: each is evaluated on all short arrays."""

from __future__ import annotations

import itertools
import random

import pytest

from idg.prover.quantifiers.aggregates import aggregates, laws_of_permutations, laws_of_sums, written_out
from idg.sip.running.evaluator import Evaluator
from idg.sip.running.runner import Row, Undefined
from idg.sip.syntax import ARRAYS_OF, Call, Expr, Name, Quantified, Type, Unary
from idg.sip.text.expressions import parse_expression
from idg.sip.trees.build import replace_part
from idg.sip.trees.stores import cell, stored, without_swaps
from idg.sip.trees.traverse import expressions
from tests.support.volume import volume

INTS = ARRAYS_OF[Type.INT]
CELLS_MAX = 4
VARIABLES = {"a": INTS, "i": Type.INT, "j": Type.INT, "x": Type.INT}
BODIES = ("sum k in {}: a[k]", "sum k in {}: a[k] * k", "count k in {}: a[k] = x", "count k in {}: a[k] < a[0]", "sum k in {}: 1")
BOUNDS = ("0", "1", "i", "i + 1", "i + 2", "i - 1", "j", "j - 1", "len(a) - 1", "len(a) - 2")
PAIRS = volume(60, 900)


def _rows(values: tuple[int, ...]) -> list[Row]:
    arrays = [array for length in range(CELLS_MAX + 1) for array in itertools.product(values, repeat=length)]
    return [(array, i, j, 1) for array in arrays for i, j in itertools.product(range(-1, CELLS_MAX), repeat=2)]


ROWS = _rows((0, 1)) + _rows((-1, 2))


def _true_everywhere(laws: list[Expr]) -> int:
    """In how many states the laws have a value; they are true there."""
    evaluator = Evaluator(laws, VARIABLES)
    known = 0
    for index, law in enumerate(laws):
        values = evaluator.rows(index, ROWS)
        wrong = [row for row, value in zip(ROWS, values, strict=True) if value is False]
        assert not wrong, (law, wrong[0])
        known += sum(value is True for value in values)
    return known


@pytest.mark.parametrize("body", BODIES)
def test_the_laws_of_sums_and_counts_are_true_of_all_short_arrays(body: str) -> None:
    pick = random.Random(body)
    for _ in range(PAIRS // len(BODIES)):
        ranges = [f"{pick.choice(BOUNDS)}..{pick.choice(BOUNDS)}" for _ in range(2)]
        exprs = [parse_expression(f"({body.format(one)}) >= 0") for one in ranges]
        laws = [*laws_of_sums(aggregates(exprs), False), *laws_of_sums(aggregates(exprs), True)]
        assert _true_everywhere(laws) > len(ROWS)


DIFFERENT = (
    ("sum k in {}: a[k] * i", "sum k in {}: a[k] * j"),
    ("count k in {}: a[k] = x", "count k in {}: a[k] = a[i]"),
    ("count k in {}: a[k] < i + 1", "count k in {}: a[k] < a[0]"),
    ("sum k in {}: a[k + i]", "sum k in {}: a[k + j]"),
    ("count k in {}: (a[k] = k + i & a[k] > x)", "count k in {}: (a[k] = k + j & a[k] > x)"),
)
"""Terms of two sums that differ in one number."""


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_the_laws_of_sums_with_equal_numbers_in_their_terms(first: str, second: str) -> None:
    """Two counts of what equals x and of what equals a[i] are the same count where x is a[i]."""
    pick = random.Random(first)
    told = 0
    for _ in range(PAIRS // len(DIFFERENT)):
        low = pick.choice(BOUNDS)
        high = pick.choice(BOUNDS[:-4])
        ranges = f"{low}..{high}", f"{low}..{pick.choice((high, f'{high} + 1', f'{high} - 1', pick.choice(BOUNDS)))}"
        exprs = [parse_expression(f"({body.format(one)}) >= 0") for body, one in zip((first, second), ranges, strict=True)]
        alone = [law for expr in exprs for law in laws_of_sums(aggregates([expr]), True)]
        laws = [law for law in laws_of_sums(aggregates(exprs), True) if law not in alone]
        told += len(laws)
        assert not laws or _true_everywhere(laws)
    assert told > PAIRS // len(DIFFERENT) // 2


def test_no_law_is_made_of_sums_that_differ_in_two_numbers_or_in_an_array() -> None:
    variables = ("count k in 0..i: (a[k] = x & a[k] < i)", "count k in 0..i: (a[k] = j & a[k] < j)")
    arrays = ("count k in 0..i: a[k] = x", "count k in 0..i: b[k] = x")
    words = ("sum k in 0..i: (k + x)", "sum k in 0..i: (k - x)")
    for first, second in (variables, arrays, words):
        exprs = [parse_expression(f"({text}) >= 0") for text in (first, second)]
        alone = [law for expr in exprs for law in laws_of_sums(aggregates([expr]), True)]
        assert list(laws_of_sums(aggregates(exprs), True)) == alone


def test_the_laws_of_permutations_are_true_of_all_short_arrays() -> None:
    variables = {"a": INTS, "b": INTS, "c": INTS}
    pairs = ("permutation(a, b)", "permutation(b, c)", "permutation(a, c)")
    exprs = [parse_expression(pair) for pair in pairs]
    laws = [*laws_of_permutations(exprs, False), *laws_of_permutations(exprs, True)]
    arrays = [array for length in range(3) for array in itertools.product((0, 1, 2), repeat=length)]
    rows: list[Row] = list(itertools.product(arrays, repeat=3))
    pick = random.Random(1)
    rows += [tuple(_shuffled(pick) for _ in range(3)) for _ in range(300)]
    evaluator = Evaluator(laws, variables)
    assert len(laws) > len(pairs) * 2
    for index, law in enumerate(laws):
        assert all(value is True for value in evaluator.rows(index, rows)), law


def _shuffled(pick: random.Random) -> tuple[int, ...]:
    return tuple(pick.sample((0, 0, 1, 2, 1), CELLS_MAX))


def test_a_swap_keeps_a_permutation() -> None:
    before, left, right = Name("a"), Name("i"), Name("j")
    once = stored(stored(before, left, cell(before, right)), right, cell(before, left))
    twice = stored(stored(once, left, cell(once, right)), right, cell(once, left))
    assert without_swaps(once) == without_swaps(twice) == before
    for other in (stored(before, left, cell(before, right)), stored(once, left, Name("x"))):
        assert without_swaps(other) == other
    [value] = [Evaluator([Call("permutation", (once, before))], VARIABLES)]
    rows = [row for row in ROWS if all(0 <= int(place) < len(row[0]) for place in row[1:3])]  # type: ignore[arg-type]
    assert all(truth is True for truth in value.rows(0, rows))
    assert len(rows) > len(ROWS) // 8


@pytest.mark.parametrize("text", ["sorted(a, i..j)", "sorted(a, 0..len(a) - 1)", "sorted(a, i - 1..i + 1)"])
def test_a_sorted_range_is_what_its_quantifiers_say(text: str) -> None:
    told = parse_expression(text)
    exprs = [told, written_out(told, True), written_out(told, False), written_out(Unary("!", told), False)]
    evaluator = Evaluator(exprs, VARIABLES)
    whole, assumed, shown, opposite = (evaluator.rows(index, ROWS) for index in range(len(exprs)))
    assert min(whole.count(True), whole.count(False)) > 50
    for value, other, third, negated in zip(whole, assumed, shown, opposite, strict=True):
        assert isinstance(value, Undefined) is isinstance(other, Undefined) is isinstance(third, Undefined)
        assert isinstance(value, Undefined) or (value, value, not value) == (other, third, negated)


@pytest.mark.parametrize("body", ["sum k in {}: {}", "sum k in {}: {} * k", "count k in {}: {} = x", "sum k in {}: {} * a[0]"])
def test_a_sum_over_an_array_that_was_written(body: str) -> None:
    """It is the sum over the array as it was, and what the cell adds or takes away."""
    pick = random.Random(body)
    for _ in range(volume(8, 200)):
        array: Expr = Name("a")
        for _ in range(pick.randrange(1, 3)):
            array = stored(
                array, parse_expression(pick.choice(("i", "j", "i + 1"))), parse_expression(pick.choice(("x", "7", "a[j]")))
            )
        total = parse_expression(body.format(f"{pick.choice(BOUNDS)}..{pick.choice(BOUNDS)}", "b[k]"))
        assert isinstance(total, Quantified)
        inner = _with_array(total.body, array, pick.choice(("k", "k + 1")))
        written = Quantified(total.word, total.variable, total.low, total.high, inner)
        same = Call("ite", (parse_expression("true"), written, parse_expression("0")))
        plain = written_out(Unary("-", written), True)
        assert not any(isinstance(part, Quantified) and _has_choice(part.body) for part in expressions(plain))
        direct, shown = (Evaluator([expr], VARIABLES).rows(0, ROWS) for expr in (Unary("-", same), plain))
        compared = [(one, other) for one, other in zip(direct, shown, strict=True) if Undefined not in (type(one), type(other))]
        assert all(one == other for one, other in compared)
        assert compared


def _has_choice(expr: Expr) -> bool:
    return any(isinstance(part, Call) and part.function == "ite" for part in expressions(expr))


def _with_array(body: Expr, array: Expr, place: str) -> Expr:
    return replace_part(body, parse_expression("b[k]"), cell(array, parse_expression(place)))
