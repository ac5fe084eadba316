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


class Beyond(Exception):
    """The program or expression has something that is not encoded."""


@dataclass(frozen=True)
class Encoded:
    """An expression: its value, and the condition under which it has one."""

    value: Any
    defined: Any

    @property
    def holds(self) -> Any:
        return z3.And(self.defined, self.value)


@dataclass(frozen=True)
class Cells:
    """An array: a term for each of its first cells, and its length, which is at most as many."""

    terms: tuple[Any, ...]
    length: Any

    def read(self, index: Any) -> Encoded:
        value = self.terms[0]
        for place, term in enumerate(self.terms[1:], 1):
            value = z3.If(index == place, term, value)
        return Encoded(value, z3.And(index >= 0, index < self.length))


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
            return z3.And(*(z3.Implies(inside, value) for inside, value in instances))
        case "exists":
            return z3.Or(*(z3.And(inside, value) for inside, value in instances))
    raise Beyond(word)
