"""Arrays for the simple interpreter: cells, order, and what is computed from a range. Written from docs/language.md alone."""

from __future__ import annotations

from collections.abc import Callable

from idg.sip.limits import ARRAY_CELLS_MAX, QUANTIFIER_RANGE_MAX
from idg.sip.syntax import Span, Type
from tests.support.programs.simple.simple_numbers import Scalar, Stop, zero

Cells = tuple[Scalar, ...]
UseStep = Callable[[Span], None]


def cell(array: Cells, index: int, span: Span) -> Scalar:
    if index < 0 or index >= len(array):
        raise Stop("failed", "index", span)
    return array[index]


def with_cell(array: Cells, index: int, value: Scalar, span: Span) -> Cells:
    cell(array, index, span)
    return tuple(value if number == index else before for number, before in enumerate(array))


def with_swap(array: Cells, left: int, right: int, span: Span) -> Cells:
    first, second = cell(array, left, span), cell(array, right, span)
    return with_cell(with_cell(array, left, second, span), right, first, span)


def new_array(kind: Type, length: int, span: Span) -> Cells:
    if length > ARRAY_CELLS_MAX:
        raise Stop("bound", "array-too-long", span)
    assert kind.element is not None
    return (zero(kind.element),) * length


def is_sorted(array: Cells, first: int, last: int, span: Span, use_step: UseStep) -> bool:
    check_range(first, last - 1, span)
    pairs = []
    for number in range(first, last):
        use_step(span)
        pairs.append((cell(array, number, span), cell(array, number + 1, span)))
    return all(left <= right for left, right in pairs)


def is_permutation(left: Cells, right: Cells, span: Span, use_step: UseStep) -> bool:
    rest = list(right)
    missing = False
    for value in left:
        use_step(span)
        if value in rest:
            rest.remove(value)
        else:
            missing = True
    return not missing and not rest


def check_range(low: int, high: int, span: Span) -> None:
    if high - low + 1 > QUANTIFIER_RANGE_MAX:
        raise Stop("bound", "range", span)


def gathered(word: str, values: list[Scalar]) -> Scalar:
    """What a quantifier or a count makes of the values of all instances."""
    if word == "count":
        return values.count(True)
    return all(values) if word == "forall" else any(values)
