"""Arrays with other values in some cells: what is read from them, and the same without choices, in random states."""

from __future__ import annotations

import random

from idg.sip.running.evaluator import Evaluator
from idg.sip.syntax import ARRAYS_OF, Binary, Call, Expr, Name, Number, Quantified, Type, Unary
from idg.sip.text.expressions import parse_expression
from idg.sip.trees.build import compare
from idg.sip.trees.stores import base, cell, length, same_arrays, stored, without_choices
from idg.sip.trees.traverse import expressions
from idg.sip.values import Value
from tests.support.volume import volume

VARIABLES = {"a": ARRAYS_OF[Type.INT], "b": ARRAYS_OF[Type.INT], "i": Type.INT, "j": Type.INT, "x": Type.INT}
PLACES = ("i", "j", "i + 1", "i - 1", "0", "1", "j + 1", "i + j")
VALUES = ("x", "i", "a[j]", "x + 1", "7")
ROUNDS = volume(60, 2_000)


def _array(pick: random.Random) -> Expr:
    array: Expr = Name(pick.choice("ab"))
    for _ in range(pick.randrange(4)):
        array = stored(array, _expr(pick, PLACES), _expr(pick, VALUES))
    return array


def _expr(pick: random.Random, texts: tuple[str, ...]) -> Expr:
    return parse_expression(pick.choice(texts))


def _state(pick: random.Random) -> dict[str, Value]:
    arrays = {name: tuple(pick.randint(-2, 2) for _ in range(pick.randrange(5))) for name in "ab"}
    return {**arrays, "i": pick.randint(-1, 4), "j": pick.randint(-1, 4), "x": pick.randint(-2, 2)}


def _array_after(expr: Expr, state: dict[str, Value]) -> tuple[Value, ...] | None:
    """The cells of the array, by Python's lists; None where a store or a value is outside."""
    if isinstance(expr, Name):
        array = state[expr.name]
        assert isinstance(array, tuple)
        return array
    assert isinstance(expr, Call)
    before = _array_after(expr.arguments[0], state)
    place, value = Evaluator(expr.arguments[1:], VARIABLES).on(state)
    if before is None or not isinstance(place, int) or not 0 <= place < len(before) or not isinstance(value, int):
        return None
    cells = list(before)
    cells[place] = value
    return tuple(cells)


def test_what_is_read_from_an_array_is_what_was_stored_last() -> None:
    pick = random.Random(3)
    compared = 0
    for _ in range(ROUNDS):
        array, place = _array(pick), _expr(pick, PLACES)
        read = cell(array, place)
        condition = compare(read, "<=", Name("x"))
        plain = without_choices(Unary("!", Binary("|", condition, compare(Name("j"), "=", read))))
        assert not any(isinstance(part, Call) and part.function in ("ite", "store") for part in expressions(plain))
        for state in (_state(pick) for _ in range(20)):
            after = _array_after(array, state)
            number = Evaluator([place], VARIABLES).on(state)[0]
            if after is None or not isinstance(number, int) or not 0 <= number < len(after):
                continue
            compared += 1
            value, truth, cells = Evaluator([read, plain, length(array)], VARIABLES).on(state)
            assert value == after[number]
            assert truth is not (value <= state["x"] or state["j"] == value)  # type: ignore[operator]
            assert cells == len(after)
    assert compared > ROUNDS


def test_arrays_are_the_same_where_their_cells_are() -> None:
    pick = random.Random(5)
    seen = set()
    for _ in range(ROUNDS):
        left, right = _array(pick), _array(pick)
        same = same_arrays(left, right, Name("k"))
        exprs = [same, without_choices(same)]
        for state in (_state(pick) for _ in range(20)):
            sides = _array_after(left, state), _array_after(right, state)
            if None in sides:
                continue
            seen.add(sides[0] == sides[1])
            assert Evaluator(exprs, VARIABLES).on(state) == [sides[0] == sides[1]] * 2
    assert seen == {True, False}


def test_places_that_differ_by_a_number_are_told_apart_at_once() -> None:
    array = stored(Name("a"), parse_expression("i + 1"), Number(5))
    assert cell(array, parse_expression("i")) == parse_expression("a[i]")
    assert cell(array, parse_expression("i + 1")) == Number(5)
    assert cell(array, parse_expression("j")) != Number(5)
    assert base(array) == Name("a")


def test_a_choice_inside_of_a_sum_stays_there() -> None:
    inside = cell(stored(Name("a"), Name("i"), Name("x")), Name("k"))
    total = compare(Quantified("sum", Name("k"), Number(0), Name("j"), inside), "=", Name("x"))
    assert without_choices(total) == total
