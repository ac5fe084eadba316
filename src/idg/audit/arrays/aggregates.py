"""Sums, counts, sorted ranges and permutations for solvers: functions of which some laws are known.

A sum `sum k in lo..hi: e` becomes a call f(lo, hi, p, q, …), where p, q, … are the parts of e in which k does not occur. All sums
whose bodies differ in these parts only have the same function, so that the laws of f relate them. A count is the sum of 1 for each
number for which its body holds. `permutation(a, b)` says that the lengths are equal and each value is counted as often in both.
Each law is true of what the functions mean, and tests try it on all short arrays. No law makes solvers add up a sum number by
number for ever: sums are related where two of them occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from idg.audit.terms import (
    BOOL,
    CELLS,
    INT,
    LogicTerm,
    arithmetic,
    bound,
    call,
    choice,
    compare,
    conjunction,
    disjunction,
    implication,
    instance,
    length,
    negation,
    number,
    operations,
    parts,
    select,
    smtlib,
    symbol,
    within,
)

AGGREGATES = frozenset({"sum", "count", "sorted", "permutation"})
"""What this module takes out of formulas."""
UNROLLED_MAX = 8
"""Numbers of a range of literals that are written out."""
CHANGED_MAX = 3
"""Arrays of one body for which laws about a changed cell are stated."""


class Law(NamedTuple):
    variables: tuple[LogicTerm, ...]
    """Symbols for which the law holds, whatever they stand for."""
    formula: LogicTerm
    patterns: tuple[tuple[LogicTerm, ...], ...]
    """For which terms solvers use it; each pattern is several terms that must all occur."""


class Summed(NamedTuple):
    """What sums have in common that differ only in parts in which their bound variable does not occur."""

    name: str
    term: LogicTerm
    """The sum or count with symbols in the place of these parts."""
    params: tuple[LogicTerm, ...]

    @property
    def sort(self) -> str:
        return self.term.sort

    def call(self, low: LogicTerm, high: LogicTerm, given: Sequence[LogicTerm]) -> LogicTerm:
        return call(self.name, self.sort, low, high, *given)

    def holds(self, index: LogicTerm, given: Sequence[LogicTerm]) -> LogicTerm:
        """The body for one number; of a count it is a condition."""
        # The number comes last, because it may have the same symbols in it.
        return instance(replaced(self.term, dict(zip(self.params, given, strict=True))), index)

    def value(self, index: LogicTerm, given: Sequence[LogicTerm]) -> LogicTerm:
        """What one number adds."""
        body = self.holds(index, given)
        return choice(body, number(1), number(0)) if self.term.op == "count" else body


def replaced(term: LogicTerm, values: dict[LogicTerm, LogicTerm]) -> LogicTerm:
    if term in values:
        return values[term]
    return term._replace(args=tuple(replaced(arg, values) for arg in term.args)) if term.args else term


class Aggregates:
    """Takes the aggregates out of formulas and collects the laws of the functions that stand for them."""

    def __init__(self) -> None:
        self.summed: dict[LogicTerm, Summed] = {}
        self.sorted: set[str] = set()
        """The sorts of the arrays in `sorted`."""
        self.ground: list[LogicTerm] = []
        """Laws about single terms."""
        self.counted: dict[tuple[LogicTerm, LogicTerm], None] = {}
        """The arrays in `permutation`, with their lengths."""

    def without(self, term: LogicTerm) -> LogicTerm:
        """The term without aggregates."""
        if not AGGREGATES & operations(term):
            return term
        term = term._replace(args=tuple(map(self.without, term.args)))
        match term.op:
            case "sum" | "count":
                return self.total(term)
            case "sorted":
                array, low, high = term.args
                self.sorted.add(array.sort)
                return call(f"sorted.{CELLS[array.sort]}", BOOL, array, low, high)
            case "permutation":
                return self.permutation(*term.args)
            case _:
                return term

    def total(self, term: LogicTerm) -> LogicTerm:
        low, high, body = term.args
        given: list[LogicTerm] = []
        variables = frozenset(part.name for part in parts(body) if part.op in ("forall", "exists")) | {term.name}
        skeleton = term._replace(args=(number(0), number(0), _lifted(body, variables, given, "")), name="k.bound")
        skeleton = skeleton._replace(args=(*skeleton.args[:2], _renamed(skeleton.args[2], term.name, "k.bound")))
        if skeleton not in self.summed:
            params = tuple(symbol(f"p{index}", part.sort) for index, part in enumerate(given))
            self.summed[skeleton] = Summed(f"{term.op}.{len(self.summed) + 1}", skeleton, params)
        summed = self.summed[skeleton]
        new = summed.call(low, high, given)
        if low.op == high.op == "number" and 0 <= high.value - low.value < UNROLLED_MAX and not _has_bound(given):
            whole = number(0, summed.sort)
            for index in range(int(low.value), int(high.value) + 1):
                whole = arithmetic("+", whole, summed.value(number(index), given))
            self.ground.append(compare(new, "=", whole))
        return new

    def permutation(self, left: LogicTerm, right: LogicTerm) -> LogicTerm:
        """The formula that each value occurs equally often in both arrays."""
        value = LogicTerm("bound", CELLS[left.sort], name="value.bound")
        self.counted |= {(array, length(array)): None for array in (left, right)}
        first, second = self.count_of(left, value), self.count_of(right, value)
        same = LogicTerm("all", BOOL, (compare(first, "=", second), first, second), value.name)
        return conjunction(compare(length(left), "=", length(right)), same)

    def count_of(self, array: LogicTerm, value: LogicTerm) -> LogicTerm:
        """How often an array has a value."""
        index = LogicTerm("bound", INT, name="cell.bound")
        last = arithmetic("-", length(array), number(1))
        return self.total(LogicTerm("count", INT, (number(0), last, compare(select(array, index), "=", value)), index.name))

    def laws(self, formulas: Iterable[LogicTerm]) -> Iterator[Law]:
        """The laws of all functions that stand for aggregates. The formulas tell which cells were changed."""
        for array, size in self.counted:
            index = symbol("k", INT)
            own = self.count_of(array, select(array, index))
            inside = within(number(0), index, arithmetic("-", size, number(1)))
            yield Law((index,), implication(inside, compare(own, ">=", number(1))), ((select(array, index),),))
        changes = dict.fromkeys(_changes(formulas))
        for summed in self.summed.values():
            yield from _laws_of_one(summed)
            yield from _laws_of_two(summed)
            for change in changes:
                yield from _laws_of_change(summed, change)
        for sort in sorted(self.sorted):
            yield from _laws_of_sorted(sort)
        yield from (Law((), formula, ()) for formula in self.ground)


def _has_bound(terms: Iterable[LogicTerm]) -> bool:
    return any(part.op == "bound" for term in terms for part in parts(term))


def _lifted(term: LogicTerm, variables: frozenset[str], given: list[LogicTerm], parent: str) -> LogicTerm:
    """The term with a symbol for each largest part without these variables; the parts are added to `given`."""
    free = not any(part.op == "bound" and part.name in variables for part in parts(term))
    if free and (term.op not in ("number", "true", "false") or (term.op == "number" and parent in ("=", "<", "<="))):
        given.append(term)
        return symbol(f"p{len(given) - 1}", term.sort)
    return term._replace(args=tuple(_lifted(arg, variables, given, term.op) for arg in term.args)) if term.args else term


def _renamed(term: LogicTerm, name: str, new: str) -> LogicTerm:
    if term.op == "bound" and term.name == name:
        return term._replace(name=new)
    return term._replace(args=tuple(_renamed(arg, name, new) for arg in term.args)) if term.args else term


def _changes(formulas: Iterable[LogicTerm]) -> Iterator[LogicTerm]:
    """The equations that say that an array is another one with one cell changed."""
    for formula in formulas:
        for part in parts(formula):
            if part.op == "=" and part.args[1].op == "store" and not _has_bound([part]):
                yield part


_LOW, _HIGH, _OTHER, _INDEX = (symbol(name, INT) for name in ("lo", "hi", "other", "k"))


def _laws_of_one(summed: Summed) -> Iterator[Law]:
    """What is true of a single sum: an empty one, one of one number, its sign, and how many a count can count."""
    given = summed.params
    total = summed.call(_LOW, _HIGH, given)
    zero = number(0, summed.sort)
    variables = (_LOW, _HIGH, *given)
    yield Law(variables, implication(compare(_HIGH, "<", _LOW), compare(total, "=", zero)), ((total,),))
    only = compare(total, "=", summed.value(_LOW, given))
    yield Law(variables, implication(compare(_LOW, "=", _HIGH), only), ((total,),))
    for op, name in (("<", "negative"), (">", "positive")):
        some = call(f"{summed.name}.{name}", INT, _LOW, _HIGH, *given)
        some_cell = conjunction(within(_LOW, some, _HIGH), compare(summed.value(some, given), op, zero))
        if summed.term.op == "sum" or op == ">":
            yield Law(variables, implication(compare(total, op, zero), some_cell), ((total,),))
    if summed.term.op == "sum":
        return
    most = arithmetic("+", arithmetic("-", _HIGH, _LOW), number(1))
    yield Law(variables, compare(total, ">=", zero), ((total,),))
    yield Law(variables, implication(compare(_LOW, "<=", _HIGH), compare(total, "<=", most)), ((total,),))
    body = summed.holds(_INDEX, given)
    inside = within(_LOW, _INDEX, _HIGH)
    for read in dict.fromkeys(part for part in parts(body) if part.op == "select" and part.args[1] == _INDEX):
        pattern = ((total, read),)
        yield Law((*variables, _INDEX), implication(conjunction(inside, body), compare(total, ">=", number(1))), pattern)
        yield Law((*variables, _INDEX), implication(conjunction(inside, negation(body)), compare(total, "<", most)), pattern)


def _laws_of_two(summed: Summed) -> Iterator[Law]:
    """What is true of two sums: one number more at either end, a range in two parts, and arrays with the same cells."""
    given = summed.params
    variables = (_LOW, _HIGH, _OTHER, *given)
    total = summed.call(_LOW, _HIGH, given)
    below, above = summed.call(_LOW, _OTHER, given), summed.call(_OTHER, _HIGH, given)
    one_less = compare(_HIGH, "=", arithmetic("+", _OTHER, number(1)))
    last = compare(total, "=", arithmetic("+", below, summed.value(_HIGH, given)))
    yield Law(variables, implication(conjunction(one_less, compare(_LOW, "<=", _HIGH)), last), ((total, below),))
    one_more = compare(_OTHER, "=", arithmetic("+", _LOW, number(1)))
    first = compare(total, "=", arithmetic("+", summed.value(_LOW, given), above))
    yield Law(variables, implication(conjunction(one_more, compare(_LOW, "<=", _HIGH)), first), ((total, above),))
    middle = symbol("middle", INT)
    rest = summed.call(middle, _HIGH, given)
    joins = conjunction(
        compare(middle, "=", arithmetic("+", _OTHER, number(1))), compare(_LOW, "<=", middle), compare(_OTHER, "<=", _HIGH)
    )
    whole = compare(total, "=", arithmetic("+", below, rest))
    yield Law((*variables, middle), implication(joins, whole), ((total, below, rest),))
    others = tuple(symbol(f"q{index}", part.sort) if part.sort in CELLS else part for index, part in enumerate(given))
    if others != given:
        new = tuple(part for part in others if part not in given)
        same = summed.call(_LOW, _HIGH, others)
        differs = call(f"{summed.name}.differs", INT, _LOW, _HIGH, *given, *new)
        some_cell = negation(compare(summed.value(differs, given), "=", summed.value(differs, others)))
        says = disjunction(compare(total, "=", same), conjunction(within(_LOW, differs, _HIGH), some_cell))
        yield Law((_LOW, _HIGH, *given, *new), says, ((total, same),))


def _laws_of_change(summed: Summed, change: LogicTerm) -> Iterator[Law]:
    """A cell of an array that is changed changes what its own number adds, if each number reads its own cell only."""
    after, store = change.args
    before, index, _ = store.args
    places = [place for place, param in enumerate(summed.params) if param.sort == after.sort and _reads_own_cell(summed, param)]
    places = places[:CHANGED_MAX]
    for count in range(1, len(places) + 1):
        for chosen in combinations(places, count):
            new = [after if place in chosen else param for place, param in enumerate(summed.params)]
            old = [before if place in chosen else param for place, param in enumerate(summed.params)]
            total = summed.call(_LOW, _HIGH, new)
            more = arithmetic("-", summed.value(index, new), summed.value(index, old))
            gained = choice(within(_LOW, index, _HIGH), more, number(0, summed.sort))
            says = compare(total, "=", arithmetic("+", summed.call(_LOW, _HIGH, old), gained))
            variables = (_LOW, _HIGH, *(param for place, param in enumerate(summed.params) if place not in chosen))
            yield Law(variables, implication(change, says), ((total,),))


def _reads_own_cell(summed: Summed, array: LogicTerm) -> bool:
    """Whether each number reads its own cell of this array only, and the array is used for nothing else."""
    reads = [part for part in parts(summed.term) if part.op == "select" and part.args[0] == array]
    own = [read for read in reads if read.args[1] == bound(summed.term.name)]
    return len(own) == len(reads) == sum(part == array for part in parts(summed.term))


def _laws_of_sorted(sort: str) -> Iterator[Law]:
    """In a sorted range no cell is less than an earlier one; in any other range some cell is greater than the next."""
    array = symbol("array", sort)
    is_sorted = call(f"sorted.{CELLS[sort]}", BOOL, array, _LOW, _HIGH)
    ordered = conjunction(is_sorted, compare(_LOW, "<=", _OTHER), compare(_OTHER, "<=", _INDEX), compare(_INDEX, "<=", _HIGH))
    first, second = select(array, _OTHER), select(array, _INDEX)
    rises = implication(ordered, compare(first, "<=", second))
    yield Law((array, _LOW, _HIGH, _OTHER, _INDEX), rises, ((is_sorted, first, second),))
    place = call(f"sorted.{CELLS[sort]}.falls", INT, array, _LOW, _HIGH)
    following = arithmetic("+", place, number(1))
    falls = conjunction(
        compare(_LOW, "<=", place), compare(place, "<", _HIGH), compare(select(array, place), ">", select(array, following))
    )
    yield Law((array, _LOW, _HIGH), disjunction(is_sorted, falls), ((is_sorted,),))


def law_text(law: Law) -> str:
    """The law as SMT-LIB writes it."""
    formula = smtlib(law.formula)
    if not law.variables:
        return formula
    declared = " ".join(f"({variable.name} {variable.sort})" for variable in law.variables)
    patterns = " ".join(f":pattern ({' '.join(map(smtlib, pattern))})" for pattern in law.patterns)
    return f"(forall ({declared}) (! {formula} {patterns}))"
