"""The values that a search tries for one variable: boxes around zero, classes of remainders, roots of equations.

The code that the enumerator generates calls these functions. Values are ordered by size, so that small ones are met first.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice

from idg.sip.limits import RunLimits
from idg.sip.running.chooser import SeededChooser
from idg.sip.running.runner import Context

RADII = (1, 2, 3, 5, 8, 13, 21, 40, 80)
"""Radii of the boxes that are searched one after the other: the distance from zero of the numbers tried."""
NUMBER_MAX = 1 << 64
"""Bound on the size of values from equations. Nobody wants to see larger ones, and it keeps the arithmetic of the search small."""
DENOMINATOR_MAX, NUMERATOR_MAX = 4, 21
"""The largest denominator and numerator of a fraction that is tried."""
SLICE_MAX = 24
"""Fractions between two bounds that are sorted anew; where there are more, the whole box is taken as it is."""
CALL_STEPS_MAX = 1_000
"""Steps of one call of a program's function, and lines that it may print."""

Number = int | Fraction


@cache
def integers(radius: int) -> tuple[int, ...]:
    """0, 1, -1, 2, -2, …"""
    return (0, *(value for size in range(1, radius + 1) for value in (size, -size)))


@cache
def rationals(radius: int) -> tuple[Number, ...]:
    """The integers and some fractions with small denominators: 0, 1, -1, 2, -2, 1/2, -1/2, 3, …"""
    values: dict[Number, None] = dict.fromkeys(integers(radius))
    for below in range(2, min(radius, DENOMINATOR_MAX) + 1):
        for above in range(1, min(radius, NUMERATOR_MAX) + 1):
            if math.gcd(above, below) == 1:
                values[Fraction(above, below)] = values[Fraction(-above, below)] = None
    return tuple(sorted(values, key=_weight))


def _weight(value: Number) -> tuple[int, int, bool]:
    return max(abs(value.numerator), value.denominator), value.denominator, value < 0


@cache
def _by_value(radius: int) -> list[Number]:
    return sorted(rationals(radius))


def box(low: int, high: int, radius: int) -> Sequence[int]:
    """The integers from low to high whose distance from zero is at most `radius`.

    Where there are none, the distance is counted from that end of the interval which is nearer to zero.
    """
    if low > radius:
        return range(low, min(high, low + radius) + 1) if low < NUMBER_MAX else ()
    if low >= 0:
        return range(low, min(high, radius) + 1)
    if high < -radius:
        return range(high, max(low, high - radius) - 1, -1) if high > -NUMBER_MAX else ()
    if high <= 0:
        return range(high, max(low, -radius) - 1, -1)
    near = min(-low, high, radius)
    small = integers(radius)[: 2 * near + 1]
    if near == radius:
        return small
    if high > near:
        return (*small, *range(near + 1, min(high, radius) + 1))
    return (*small, *range(-near - 1, max(low, -radius) - 1, -1))


def wide_box(low: int, high: int, radius: int, extras: Sequence[int]) -> Sequence[int]:
    """The box and those of the extras that are between the bounds."""
    values = box(low, high, radius)
    return (*values, *(extra for extra in extras if low <= extra <= high and extra not in values)) if extras else values


def class_box(remainder: int, modulus: int, low: int, high: int, radius: int) -> Sequence[int]:
    """Those k for which remainder + k * modulus is a number of the box."""
    return box(-((remainder - low) // modulus), (high - remainder) // modulus, radius // modulus + 1)


def rational_box(low: Number, high: Number, radius: int) -> Sequence[Number]:
    """Rationals from low to high. Where these are many, others are among them, because the bounds are tested afterwards anyway."""
    if low > high or low > NUMBER_MAX or high < -NUMBER_MAX:
        return ()
    if low > radius:
        return [low + value for value in rationals(radius) if value >= 0]
    if high < -radius:
        return [high - value for value in rationals(radius) if value >= 0]
    if low == -NUMBER_MAX or high == NUMBER_MAX:
        return rationals(radius)
    ordered = _by_value(radius)
    first, last = bisect_left(ordered, low), bisect_right(ordered, high)
    if last == first:
        return (low, (low + high) / Fraction(2), high)
    return rationals(radius) if last - first > SLICE_MAX else sorted(ordered[first:last], key=_weight)


def roots(square: Number, linear: Number, constant: Number) -> Sequence[Number] | None:
    """The rational solutions of square * x² + linear * x + constant = 0; None where every x is one."""
    if not square:
        if linear:
            return (Fraction(-constant, linear),)
        return () if constant else None
    discriminant = linear * linear - 4 * square * constant
    if discriminant < 0:
        return ()
    above, below = math.isqrt(discriminant.numerator), math.isqrt(discriminant.denominator)
    if above * above != discriminant.numerator or below * below != discriminant.denominator:
        return ()
    root = above if below == 1 else Fraction(above, below)
    both = (Fraction(root - linear, 2 * square), Fraction(-root - linear, 2 * square))
    return both if root else both[:1]


def whole_solutions(square: Number, linear: Number, constant: Number, low: int, high: int, radius: int) -> Sequence[int]:
    """The integer solutions from low to high; the box where every number is one."""
    if not square and linear and type(linear) is int and type(constant) is int:
        quotient, rest = divmod(-constant, linear)
        return (quotient,) if not rest and low <= quotient <= high else ()
    solutions = roots(square, linear, constant)
    if solutions is None:
        return box(low, high, radius)
    return [value.numerator for value in solutions if value.denominator == 1 and low <= value <= high]


def rational_solutions(
    square: Number, linear: Number, constant: Number, low: Number, high: Number, radius: int
) -> Sequence[Number]:
    solutions = roots(square, linear, constant)
    if solutions is None:
        return rational_box(low, high, radius)
    return [value for value in solutions if low <= value <= high and value.denominator < NUMBER_MAX]


class CallContext(Context):
    """The context in which a search calls the program's functions: few steps for one call, and few for all calls together."""

    def __init__(self, steps_max: int) -> None:
        super().__init__(RunLimits(steps_max=0, prints_max=CALL_STEPS_MAX), SeededChooser(0), ())
        self.all_fuel = iter(range(steps_max))

    def refuel(self) -> None:
        self.fuel = islice(self.all_fuel, CALL_STEPS_MAX)
        self.printed.clear()


def readability(values: Iterable[bool | Number]) -> tuple[int, int]:
    """A key for sorting, by which states with small numbers come first: the largest number decides, then the sum."""
    sizes = [abs(value.numerator) if value.denominator == 1 else abs(value.numerator) + value.denominator for value in values]
    return max(sizes, default=0), sum(sizes)
