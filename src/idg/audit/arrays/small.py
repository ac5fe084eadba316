"""Searches for states with short arrays: it writes quantifiers out number by number, so a solver finds models, which become states.

What is written out says less than the condition where a range is longer. That does no harm: a state counts only if exact
evaluation of the condition itself agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

from idg.audit.terms import (
    BOOL,
    CELLS,
    FALSE,
    FORMULAS_KEPT,
    INT,
    LogicTerm,
    arithmetic,
    choice,
    compare,
    conjunction,
    disjunction,
    implication,
    instance,
    length,
    number,
    parts,
    select,
    symbol,
    within,
)
from idg.sip.values import Scalar, Value

CELLS_MAX = 3
"""The longest array of a state."""
NUMBERS = range(-1, CELLS_MAX + 2)
"""The numbers of a range that are written out."""
PARTS_MAX = 20_000
"""Parts of a formula that is still written out."""


def speaks_of_arrays(formulas: Iterable[LogicTerm]) -> bool:
    return any(map(_speaks_of_arrays, formulas))


@lru_cache(FORMULAS_KEPT)
def _speaks_of_arrays(formula: LogicTerm) -> bool:
    return any(part.sort in CELLS or part.op in ("forall", "exists", "sum", "count") for part in parts(formula))


def written_out(formulas: Iterable[LogicTerm]) -> list[LogicTerm]:
    """The formulas about arrays of at most so many cells, without quantifiers; symbols for the cells are equal to them.

    Empty where they become too large.
    """
    plain: list[LogicTerm] = []
    for formula in formulas:
        simple = _written_out(formula)
        if len(list(islice(parts(simple), PARTS_MAX))) == PARTS_MAX:
            return []
        plain.append(simple)
    arrays = dict.fromkeys(part for formula in plain for part in parts(formula) if part.op == "symbol" and part.sort in CELLS)
    for array in arrays:
        plain += [compare(cell, "=", select(array, number(place))) for place, cell in enumerate(_cells(array))]
        plain.append(within(number(0), length(array), number(CELLS_MAX)))
    return plain


def state_of(leaves: Mapping[str, LogicTerm], values: Mapping[str, Scalar]) -> dict[str, Value]:
    """Values of the symbols, where a model gives values to the symbols for numbers, cells and lengths."""
    state: dict[str, Value] = {}
    for name, leaf in sorted(leaves.items()):
        if leaf.sort in CELLS:
            count = int(values.get(f"{name}.len", 0))
            state[name] = tuple(values.get(cell.name, _zero(cell.sort)) for cell in _cells(leaf)[:count])
        else:
            state[name] = values.get(name, _zero(leaf.sort))
    return state


def _zero(sort: str) -> Scalar:
    return False if sort == BOOL else 0


def _cells(array: LogicTerm) -> list[LogicTerm]:
    return [symbol(f"{array.name}.cell{place}", CELLS[array.sort]) for place in range(CELLS_MAX)]


def _written_out(term: LogicTerm) -> LogicTerm:
    if not term.args:
        return term
    match term.op:
        case "forall" | "exists" | "sum" | "count":
            low, high = map(_written_out, term.args[:2])
            instances = [(within(low, number(index), high), _written_out(instance(term, number(index)))) for index in NUMBERS]
            return _joined(term, instances)
        case "sorted":
            array, low, high = term.args
            return conjunction(*(_rises(array, low, high, place) for place in range(CELLS_MAX)))
        case "permutation":
            left, right = term.args
            same = (compare(_count(left, cell), "=", _count(right, cell)) for array in term.args for cell in _reads(array))
            return conjunction(compare(length(left), "=", length(right)), *same)
    return term._replace(args=tuple(map(_written_out, term.args)))


def _rises(array: LogicTerm, low: LogicTerm, high: LogicTerm, place: int) -> LogicTerm:
    """The formula that a cell is not greater than the next one, if both are in the range."""
    inside = conjunction(compare(low, "<=", number(place)), compare(number(place), "<", high))
    return implication(inside, compare(select(array, number(place)), "<=", select(array, number(place + 1))))


def _joined(term: LogicTerm, instances: Iterable[tuple[LogicTerm, LogicTerm]]) -> LogicTerm:
    """What the instances say together; each has the condition that its number is in the range."""
    if term.op == "forall":
        return conjunction(*(implication(inside, value) for inside, value in instances))
    if term.op == "exists":
        whole = FALSE
        for inside, value in instances:
            whole = disjunction(whole, conjunction(inside, value))
        return whole
    total, zero = number(0, term.sort), number(0, term.sort)
    for inside, value in instances:
        added = choice(conjunction(inside, value), number(1), zero) if term.op == "count" else choice(inside, value, zero)
        total = arithmetic("+", total, added)
    return total


def _reads(array: LogicTerm) -> Iterator[LogicTerm]:
    return (select(array, number(place)) for place in range(CELLS_MAX))


def _count(array: LogicTerm, value: LogicTerm) -> LogicTerm:
    """How often a short array has the value."""
    total = number(0, INT)
    for place, read in enumerate(_reads(array)):
        is_counted = conjunction(compare(number(place), "<", length(array)), compare(read, "=", value))
        total = arithmetic("+", total, choice(is_counted, number(1), number(0)))
    return total
