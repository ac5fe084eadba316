"""What generated Python calls: exact arithmetic with the language's bounds, and the one exception that stops a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

from idg.sip.limits import ARRAY_CELLS_MAX, NUMBER_BITS_MAX, QUANTIFIER_RANGE_MAX, VARIABLE_BITS_MAX
from idg.sip.values import Array, Scalar, bit_size

if TYPE_CHECKING:
    from idg.sip.running.runner import Context

# The causes for which a run stops, by the kind of its outcome.
FAILED = ("assert", "claim", "post", "invariant", "narrowing", "zero-divisor", "negative-exponent", "callee-pre", "index")
BOUNDS = ("steps", "rows", "number-too-large", "call-depth", "prints", "choice-tries", "range", "array-too-long")
IGNORED = ("assume", "pre", "cassign")
KIND_OF_CAUSE: dict[str, str] = {
    **dict.fromkeys(FAILED, "failed"),
    **dict.fromkeys(BOUNDS, "bound"),
    **dict.fromkeys(IGNORED, "ignored"),
}
VARIABLE_LIMIT = 1 << VARIABLE_BITS_MAX
"""Integers in variables are smaller than this in absolute value."""


class Stop(Exception):
    """Ends a run, or the evaluation of an expression. `site` is an index into the sites of the compiled code."""

    def __init__(self, cause: str, site: int) -> None:
        super().__init__(cause, site)
        self.cause = cause
        self.site = site


def checked(value: int | Fraction, site: int) -> int | Fraction:
    """An intermediate result, which must not be too large."""
    if bit_size(value) > NUMBER_BITS_MAX:
        raise Stop("number-too-large", site)
    return value


def divide(left: int | Fraction, right: int | Fraction, site: int) -> int | Fraction:
    if not right:
        raise Stop("zero-divisor", site)
    return whole(Fraction(left, right))


def divide_checked(left: int | Fraction, right: int | Fraction, site: int) -> int | Fraction:
    return checked(divide(left, right, site), site)


def floor_divide(left: int, right: int, site: int) -> int:
    if not right:
        raise Stop("zero-divisor", site)
    return left // right


def remainder(left: int, right: int, site: int) -> int:
    if not right:
        raise Stop("zero-divisor", site)
    return left % right


def by_zero(site: int) -> NoReturn:
    raise Stop("zero-divisor", site)


def divide_exactly(left: int, right: int, divisor_site: int, store_site: int) -> int:
    """The value of `x := left / right` for a whole-number x."""
    if not right:
        raise Stop("zero-divisor", divisor_site)
    quotient, rest = divmod(left, right)
    if rest:
        raise Stop("narrowing", store_site)
    return quotient


def power(base: int | Fraction, exponent: int, site: int) -> int | Fraction:
    if exponent < 0:
        raise Stop("negative-exponent", site)
    if base not in (-1, 0, 1) and bit_size(base) * exponent > NUMBER_BITS_MAX:
        raise Stop("number-too-large", site)
    if type(base) is Fraction and base.denominator == 1:
        base = base.numerator
    return base**exponent


def is_power(number: int, base: int) -> bool:
    """Whether number = base^j for some nat j."""
    if number == 1:
        return True
    if base in (-1, 0, 1):
        return number == base
    if number == 0 or abs(number) < abs(base):
        return False
    # The powers base, base^2, base^4, … are few, however large the number is, and it is divided by each at most once.
    powers = [base]
    while abs(powers[-1]) ** 2 <= abs(number):
        powers.append(powers[-1] ** 2)
    for power in reversed(powers):
        if abs(number) >= abs(power):
            number, rest = divmod(number, power)
            if rest:
                return False
    return number == 1


def is_whole(value: int | Fraction) -> bool:
    """iswhole, which is not in the language. Verification conditions use it where a rat is assigned to an int."""
    return value.denominator == 1


def store_int(value: int | Fraction, site: int) -> int:
    if value.denominator != 1:
        raise Stop("narrowing", site)
    if not -VARIABLE_LIMIT < value < VARIABLE_LIMIT:
        raise Stop("number-too-large", site)
    return value.numerator


def store_nat(value: int | Fraction, site: int) -> int:
    if value < 0 or value.denominator != 1:
        raise Stop("narrowing", site)
    if value >= VARIABLE_LIMIT:
        raise Stop("number-too-large", site)
    return value.numerator


def store_rat(value: int | Fraction, site: int) -> int | Fraction:
    if bit_size(value) > VARIABLE_BITS_MAX:
        raise Stop("number-too-large", site)
    return whole(value)


def store_int_of(site: int, function: Callable[..., int | Fraction], *arguments: object) -> int:
    return store_int(function(*arguments), site)


def store_nat_of(site: int, function: Callable[..., int | Fraction], *arguments: object) -> int:
    return store_nat(function(*arguments), site)


def store_rat_of(site: int, function: Callable[..., int | Fraction], *arguments: object) -> int | Fraction:
    return store_rat(function(*arguments), site)


def whole(value: int | Fraction) -> int | Fraction:
    """The number as it is kept: an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


def cell(array: Array, index: int, site: int) -> Scalar:
    if not 0 <= index < len(array):
        raise Stop("index", site)
    return array[index]


def set_cell(array: Array, index: int, value: Scalar, site: int) -> Array:
    """The array with another value in one cell. Arrays never change, because traces and other variables hold them, too."""
    if not 0 <= index < len(array):
        raise Stop("index", site)
    return (*array[:index], value, *array[index + 1 :])


def swap_cells(array: Array, left: int, right: int, site: int) -> Array:
    if not (0 <= left < len(array) and 0 <= right < len(array)):
        raise Stop("index", site)
    cells = list(array)
    cells[left], cells[right] = array[right], array[left]
    return tuple(cells)


def array_length(length: int, site: int) -> int:
    """The length of an array that is made, which is not negative."""
    if length > ARRAY_CELLS_MAX:
        raise Stop("array-too-long", site)
    return length


def is_sorted(context: Context, array: Array, low: int, high: int, site: int) -> bool:
    """What `forall k in low..high - 1: array[k] <= array[k + 1]` is."""
    return forall(cell(array, number, site) <= cell(array, number + 1, site) for number in span(context, low, high - 1, site))


def is_permutation(context: Context, left: Array, right: Array, site: int) -> bool:
    """Whether both have the same values, each as often. Each cell of the first one costs a step."""
    for _ in left:
        context.use_step(site)
    return sorted(left) == sorted(right)


def span(context: Context, low: int, high: int, site: int) -> Iterator[int]:
    """The numbers of which a quantifier speaks. Each of them costs a step."""
    if high - low >= QUANTIFIER_RANGE_MAX:
        raise Stop("range", site)
    for number in range(low, high + 1):
        context.use_step(site)
        yield number


def forall(instances: Iterator[bool]) -> bool:
    return False not in tuple(instances)


def exists(instances: Iterator[bool]) -> bool:
    return True in tuple(instances)


def total(values: Iterator[int | Fraction], site: int) -> int | Fraction:
    """The sum. Each number to which it grows is an intermediate result."""
    reached: int | Fraction = 0
    for value in values:
        reached = checked(reached + value, site)
    return reached


def misfit(value: int, site: int) -> NoReturn:
    """Stops for an integer that a nat variable cannot hold."""
    raise Stop("narrowing" if value < 0 else "number-too-large", site)


def too_large(site: int) -> NoReturn:
    raise Stop("number-too-large", site)


def stop(cause: str, site: int) -> NoReturn:
    raise Stop(cause, site)


NAMESPACE: dict[str, object] = {
    "Stop": Stop,
    "KIND_OF_CAUSE": KIND_OF_CAUSE,
    "LIMIT": VARIABLE_LIMIT,
    "checked": checked,
    "divide": divide,
    "floor_divide": floor_divide,
    "remainder": remainder,
    "by_zero": by_zero,
    "divide_exactly": divide_exactly,
    "power": power,
    "is_power": is_power,
    "is_whole": is_whole,
    "gcd": math.gcd,
    "store_int": store_int,
    "store_nat": store_nat,
    "store_rat": store_rat,
    "store_int_of": store_int_of,
    "store_nat_of": store_nat_of,
    "store_rat_of": store_rat_of,
    "divide_checked": divide_checked,
    "whole": whole,
    "cell": cell,
    "span": span,
    "forall": forall,
    "exists": exists,
    "total": total,
    "set_cell": set_cell,
    "swap_cells": swap_cells,
    "array_length": array_length,
    "is_sorted": is_sorted,
    "is_permutation": is_permutation,
    "misfit": misfit,
    "too_large": too_large,
    "stop": stop,
}
"""The globals of generated code. Program variables are called v_…, their entry values o_…, functions f_…."""
