"""Arrays for runs and states: inputs with short arrays of plain shapes first, and arrays that differ a little from others."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from idg.sip.syntax import Type
from idg.sip.values import Scalar, Value, scalar, zero

LENGTHS = (0, 1, 2, 3, 4, 5)
"""Cells of the arrays that are tried: all of them in the small inputs, and any of them in the random ones."""
SHAPES = ("constant", "rising", "falling", "mixed", "permuted", "places")
"""How the cells of arrays are: in order, one array in another order than the one before, or numbers of cells."""
FAMILIES = ("length", "length", "cell", "small", "any")
"""Where a number beside the arrays comes from: near a length, from a cell, from 0 to 2, or from all of these."""
LARGEST_CELL = 6
"""The largest absolute value of a cell of an array that is drawn."""
SAME_LENGTH = 0.75
"""The probability that all arrays of random inputs have the same length, because many programs ask for that."""
DOUBLE_LENGTH = 0.3
"""The probability that one of the arrays of random inputs is twice as long as the others."""
CELLS_CHANGED_MAX = 5
"""Cells of one array that are changed: the first ones."""
LITERAL_LENGTH_MAX = 40
"""The length of the longest arrays that are tried because an expression has a number near it."""


def small_array_inputs(params: Mapping[str, Type], count: int) -> Iterator[dict[str, Value]]:
    """This many inputs: arrays of each length and each shape, and numbers that are near the length or are in the array."""
    pick = random.Random(1)
    for length, shape in itertools.islice(itertools.cycle(itertools.product(LENGTHS, SHAPES)), count):
        yield _inputs(params, dict.fromkeys(params, length), shape, pick)


def random_array_inputs(params: Mapping[str, Type], count: int, pick: random.Random) -> Iterator[dict[str, Value]]:
    """This many inputs in which everything is drawn, also lengths that differ."""
    for _ in range(count):
        same = pick.choice(LENGTHS) if pick.random() < SAME_LENGTH else None
        lengths = {name: pick.choice(LENGTHS) if same is None else same for name in params}
        if same and pick.random() < DOUBLE_LENGTH:
            lengths[pick.choice([name for name, kind in params.items() if kind.element])] = 2 * same
        yield _inputs(params, lengths, pick.choice(SHAPES), pick)


def _inputs(params: Mapping[str, Type], lengths: Mapping[str, int], shape: str, pick: random.Random) -> dict[str, Value]:
    arrays: dict[str, tuple[Scalar, ...]] = {}
    for name, kind in params.items():
        if kind.element:
            like = [array for other, array in arrays.items() if params[other] is kind and len(array) == lengths[name]]
            permuted = shape == "permuted" and like
            arrays[name] = _shuffled(like[-1], pick) if permuted else _array(kind.element, lengths[name], shape, pick)
    cells = [number for array in arrays.values() for number in array if not isinstance(number, bool)]
    near: dict[str, list[int | Fraction]] = {"cell": cells, "small": [0, 1, 2]}
    near["length"] = [len(array) + more for array in arrays.values() for more in (0, 0, -1, 1)]
    near["any"] = [number for numbers in tuple(near.values()) for number in numbers]
    inputs: dict[str, Value] = {}
    for name, kind in params.items():
        inputs[name] = arrays[name] if kind.element else _near(kind, near[pick.choice(FAMILIES)], pick)
    return inputs


def _shuffled(array: tuple[Scalar, ...], pick: random.Random) -> tuple[Scalar, ...]:
    return tuple(pick.sample(array, len(array)))


def _array(element: Type, length: int, shape: str, pick: random.Random) -> tuple[Scalar, ...]:
    numbers = [_cell(element, pick) for _ in range(length)]
    if shape == "constant":
        numbers = numbers[:1] * length
    elif shape == "places" and element is not Type.BOOL:
        numbers = [pick.randrange(length) for _ in range(length)]
    elif shape in ("rising", "falling"):
        numbers.sort(reverse=shape == "falling")
    return tuple(numbers)


def _cell(kind: Type, pick: random.Random) -> Scalar:
    if kind is Type.BOOL:
        return pick.random() < 0.5
    number = pick.randint(0 if kind is Type.NAT else -LARGEST_CELL, LARGEST_CELL)
    half = kind is Type.RAT and pick.random() < 0.3
    return number + Fraction(1, 2) if half else number


def _near(kind: Type, near: list[int | Fraction], pick: random.Random) -> Scalar:
    """A value of this type that is one of these numbers, where one fits, or a small one."""
    if kind is Type.BOOL:
        return pick.random() < 0.5
    fitting = [number for number in near if kind is Type.RAT or (number.denominator == 1 and (kind is Type.INT or number >= 0))]
    return pick.choice(fitting) if fitting and pick.random() < 0.7 else _cell(kind, pick)


def shifted(kind: Type, value: Scalar, changes: Iterable[int | Fraction]) -> list[Scalar]:
    """The value, changed by each of these numbers, as far as the result is of the type."""
    if kind is Type.BOOL:
        return [not value]
    values: list[Scalar] = [value + change for change in changes]
    if kind is Type.RAT:
        values.append(value + Fraction(1, 2))
    return [other for other in values if other >= 0] if kind is Type.NAT else values


def changed_arrays(element: Type, array: tuple[Scalar, ...], changes: tuple[int | Fraction, ...]) -> Iterator[tuple[Scalar, ...]]:
    """The array with one cell changed, with two neighbours exchanged, and with a cell more or less at its end."""
    for place, cell in enumerate(array[:CELLS_CHANGED_MAX]):
        for value in shifted(element, cell, changes):
            yield (*array[:place], value, *array[place + 1 :])
    for place in range(min(len(array), CELLS_CHANGED_MAX) - 1):
        yield (*array[:place], array[place + 1], array[place], *array[place + 2 :])
    yield (*array, scalar(zero(element)))
    if array:
        yield array[:-1]


def array_inputs_near(params: Mapping[str, Type], literal: Fraction) -> Iterator[dict[str, Value]]:
    """Inputs with arrays whose cells, or whose length, are near a number in an expression, like all other numbers."""
    pick = random.Random(1)
    for near in (literal, literal + 1, literal - 1):
        for length in dict.fromkeys((1, 2, 3, min(LITERAL_LENGTH_MAX, max(0, int(near))))):
            for shape in ("rising", "falling"):
                inputs = _inputs(params, dict.fromkeys(params, length), shape, pick)
                for name, kind in params.items():
                    if kind.element and kind.element is not Type.BOOL and length <= 3:
                        numbers = [_fitting(near + place, kind.element) for place in range(length)]
                        inputs[name] = tuple(numbers if shape == "rising" else numbers[::-1])
                    elif not kind.element and kind is not Type.BOOL:
                        inputs[name] = _fitting(near, kind)
                yield inputs


def _fitting(number: Fraction, kind: Type) -> Scalar:
    if kind is Type.RAT:
        return number.numerator if number.denominator == 1 else number
    whole = number.numerator // number.denominator
    return max(0, whole) if kind is Type.NAT else whole
