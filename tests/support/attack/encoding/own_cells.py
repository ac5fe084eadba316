"""Arrays in the tests' own encoding: a term for each cell of a short array, and quantifiers written out number by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import z3

CELLS_MAX = 3
"""The longest array that is looked at."""
RANGE = range(-2, CELLS_MAX + 3)
"""The numbers over which quantifiers may range; where one ranges over others, nothing is said."""


TRUE = z3.BoolVal(True)
FALSE = z3.BoolVal(False)


class Beyond(Exception):
    """The program or expression has something that is not encoded."""


def all_of(*conditions: Any) -> Any:
    """The conjunction. What is plainly true is left out, because to build terms takes most of the time of an attack."""
    left = [condition for condition in conditions if condition is not TRUE]
    if any(condition is FALSE for condition in left):
        return FALSE
    return TRUE if not left else left[0] if len(left) == 1 else z3.And(*left)


def implies(condition: Any, conclusion: Any) -> Any:
    if condition is FALSE or conclusion is TRUE:
        return TRUE
    return conclusion if condition is TRUE else z3.Implies(condition, conclusion)


def truth_of(value: bool) -> Any:
    return TRUE if value else FALSE


def literal(term: Any) -> int | None:
    """The number where the term is a whole literal; otherwise None."""
    return int(term.as_long()) if z3.is_int_value(term) else None


def at_most(low: Any, high: Any) -> Any:
    """That one whole number is at most another, decided where both are literals."""
    first, second = literal(low), literal(high)
    return low <= high if first is None or second is None else truth_of(first <= second)


@dataclass(frozen=True)
class Encoded:
    """An expression: its value, and the condition under which it has one."""

    value: Any
    defined: Any

    @property
    def holds(self) -> Any:
        return all_of(self.defined, self.value)


@dataclass(frozen=True)
class Cells:
    """An array: a term for each of its first cells, and its length, which is at most as many."""

    terms: tuple[Any, ...]
    length: Any

    def read(self, index: Any) -> Encoded:
        number = literal(index)
        if number is not None:
            inside = 0 <= number < len(self.terms)
            return Encoded(self.terms[number if inside else 0], index < self.length if inside else FALSE)
        value = self.terms[0]
        for place, term in enumerate(self.terms[1:], 1):
            value = z3.If(index == place, term, value)
        return Encoded(value, z3.And(index >= 0, index < self.length))

    def changed(self, index: Any, value: Any) -> Encoded:
        """The array with another value in one cell."""
        if not z3.is_bool(value):
            value, _ = same_numbers(value, self.terms[0])
        terms = tuple(z3.If(index == place, value, term) for place, term in enumerate(self.terms))
        return Encoded(Cells(terms, self.length), z3.And(index >= 0, index < self.length))


def whole(term: Any) -> bool:
    return bool(term.sort().kind() == z3.Z3_INT_SORT)


def same_numbers(left: Any, right: Any) -> tuple[Any, Any]:
    """Two numbers of the same sort; what is no number stays."""
    if isinstance(left, Cells) or z3.is_bool(left) or whole(left) == whole(right):
        return left, right
    return (z3.ToReal(left), right) if whole(left) else (left, z3.ToReal(right))


def same_arrays(left: Cells, right: Cells) -> Any:
    cells = (
        z3.Implies(left.length > place, one == other)
        for place, (one, other) in enumerate(zip(left.terms, right.terms, strict=True))
    )
    return z3.And(left.length == right.length, *cells)


def about_arrays(function: str, values: Sequence[Any]) -> Encoded:
    """`len`, `store`, `sorted` and `permutation` of these values."""
    array: Cells = values[0]
    rest = values[1:]
    match function:
        case "len":
            return Encoded(array.length, z3.BoolVal(True))
        case "store":
            return array.changed(*rest)
        case "sorted":
            low, high = rest
            defined = z3.Or(high <= low, z3.And(low >= 0, high < array.length))
            steps = zip(array.terms, array.terms[1:], strict=False)
            rises = (z3.Implies(z3.And(low <= place, place < high), one <= other) for place, (one, other) in enumerate(steps))
            return Encoded(z3.And(*rises), defined)
        case _:
            [other] = rest
            counts = (_count(array, cell) == _count(other, cell) for cell in (*array.terms, *other.terms))
            return Encoded(z3.And(array.length == other.length, *counts), z3.BoolVal(True))


def _count(array: Cells, value: Any) -> Any:
    return z3.Sum(*(z3.If(z3.And(array.length > place, term == value), 1, 0) for place, term in enumerate(array.terms)))


def either(condition: Any, yes: Any, no: Any) -> Any:
    """One of two values, which may be arrays."""
    if isinstance(yes, Cells):
        terms = tuple(either(condition, first, second) for first, second in zip(yes.terms, no.terms, strict=True))
        return Cells(terms, either(condition, yes.length, no.length))
    return no if yes.eq(no) else z3.If(condition, yes, no)


def aggregate(word: str, instances: Sequence[tuple[Any, Any]]) -> Any:
    """What a quantifier says of its instances; each comes with the condition that its number is in the range."""
    match word:
        case "forall":
            return all_of(*(implies(inside, value) for inside, value in instances))
        case "exists":
            return z3.Or(FALSE, *(all_of(inside, value) for inside, value in instances))
        case "count":
            return z3.Sum(z3.IntVal(0), *(z3.If(all_of(inside, value), 1, 0) for inside, value in instances))
        case "sum":
            return z3.Sum(z3.IntVal(0), *(z3.If(inside, value, 0) for inside, value in instances))
    raise Beyond(word)
