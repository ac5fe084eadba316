"""Numbers for the simple interpreter: their sizes, bounds, powers and texts. Written from docs/language.md alone.

Whole numbers are always ints here, even if the type is rat, so the size of a number depends only on its value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

from idg.sip.limits import NUMBER_BITS_MAX, VARIABLE_BITS_MAX
from idg.sip.syntax import Span, Type

Scalar = bool | int | Fraction
Value = Scalar | tuple[Scalar, ...]
"""What a variable holds: a scalar, or the cells of an array."""


COMPARISONS: dict[str, Callable[[Scalar, Scalar], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ARITHMETIC: dict[str, Callable[[Scalar, Scalar], int | Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: Fraction(left) / Fraction(right),
    "//": operator.floordiv,
    "%": operator.mod,
}


class Stop(Exception):
    """Ends the run before its end."""

    def __init__(self, kind: str, cause: str, span: Span) -> None:
        super().__init__(kind, cause, span)
        self.kind = kind
        self.cause = cause
        self.span = span
        self.state: dict[str, Value] | None = None
        """The variables of the function in which the run stopped, and perhaps some that are no longer visible."""


def cells(value: Value) -> tuple[Scalar, ...]:
    """The value of a variable that is an array."""
    assert isinstance(value, tuple)
    return value


def single(value: Value) -> Scalar:
    """The value of a variable that is no array."""
    assert not isinstance(value, tuple)
    return value


def normal(value: int | Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def size(value: int | Fraction) -> int:
    if value.denominator == 1:
        return abs(value.numerator).bit_length()
    return abs(value.numerator).bit_length() + value.denominator.bit_length()


def zero(type_: Type) -> Scalar:
    return False if type_ is Type.BOOL else 0


def checked(value: int | Fraction, span: Span) -> int | Fraction:
    """Checks the size of an intermediate result."""
    if size(value) > NUMBER_BITS_MAX:
        raise Stop("bound", "number-too-large", span)
    return normal(value)


def stored(value: Scalar, type_: Type, span: Span) -> Scalar:
    """Checks that a value fits into a variable, parameter or result of the type."""
    if type_ is Type.BOOL:
        return value
    if (type_ is not Type.RAT and value.denominator != 1) or (type_ is Type.NAT and value < 0):
        raise Stop("failed", "narrowing", span)
    if size(value) > VARIABLE_BITS_MAX:
        raise Stop("bound", "number-too-large", span)
    return normal(value)


def power(base: int | Fraction, exponent: int, span: Span) -> int | Fraction:
    if exponent < 0:
        raise Stop("failed", "negative-exponent", span)
    if base not in (-1, 0, 1) and size(base) * exponent > NUMBER_BITS_MAX:
        raise Stop("bound", "number-too-large", span)
    return normal(base**exponent)


def is_power(x: int, base: int) -> bool:
    if abs(base) <= 1:
        return x in (1, base)
    candidate = 1
    while abs(candidate) < abs(x):
        candidate *= base
    return candidate == x


def text(value: Scalar) -> str:
    """The value as the statement print shows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value.denominator != 1:
        return f"{decimal(value.numerator)}/{decimal(value.denominator)}"
    return decimal(value.numerator)


def decimal(number: int) -> str:
    """Like str, which refuses numbers of more than 4,300 digits. An intermediate result may have 19,729 digits."""
    if number < 0:
        return "-" + decimal(-number)
    digits_at_once = 4_000
    high, low = divmod(number, 10**digits_at_once)
    return decimal(high) + str(low).rjust(digits_at_once, "0") if high else str(low)


def some_values(type_: Type, bound: int) -> list[Scalar]:
    if type_ is Type.BOOL:
        return [False, True]
    if type_ is Type.NAT:
        return list(range(bound + 1))
    if type_ is Type.INT:
        return [0, *(sign * n for n in range(1, bound + 1) for sign in (1, -1))]
    return [*some_values(Type.INT, bound), *(Fraction(n, 2) for n in range(-2 * bound + 1, 2 * bound, 2))]
