"""The laws of sums, counts, sorted ranges and permutations that the second verifier gives to solvers, tried on all short arrays."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from idg.audit.arrays.aggregates import Aggregates, Law, Summed, law_text, replaced
from idg.audit.smt import z3_answer
from idg.audit.terms import (
    ARRAYS,
    BOOL,
    CELLS,
    INT,
    REAL,
    LogicTerm,
    NoMeaning,
    arithmetic,
    bound,
    compare,
    conjunction,
    disjunction,
    evaluate,
    length,
    negation,
    number,
    parts,
    quantified,
    select,
    smtlib,
    store,
    symbol,
)  # fmt: skip
from idg.sip.values import Scalar, Value
from tests.support.volume import volume

TRIED_MAX = volume(600, 20_000)
"""Values of its variables that are tried for a law; of more possible ones, so many are drawn."""
LONG_MAX = 4
"""Cells of the longest arrays that are tried."""
VALUES = (0, 1, -1)
"""The numbers that are in the cells, and that other variables have."""
WITNESSES = ("negative", "positive", "differs", "falls")
"""How functions end of which is only known that there is such a number."""
BOUNDS = range(-1, LONG_MAX + 1)

INTS, REALS, FLAGS = (ARRAYS[sort] for sort in (INT, REAL, BOOL))
K = bound("k.bound0")
A, B, F, R = symbol("a.in", INTS), symbol("b.in", INTS), symbol("f.in", FLAGS), symbol("r.in", REALS)
X = symbol("x.in", INT)
READ = select(A, K)
BODIES: dict[str, tuple[str, LogicTerm]] = {
    "cells": ("sum", READ),
    "products of cells": ("sum", arithmetic("*", READ, select(B, K))),
    "multiples of cells": ("sum", arithmetic("+", arithmetic("*", number(2), READ), K)),
    "cells of a rat[]": ("sum", select(R, K)),
    "the next cell": ("sum", arithmetic("-", select(A, arithmetic("+", K, number(1))), READ)),
    "two reads of an array": ("sum", arithmetic("*", READ, READ)),
    "a value": ("count", compare(READ, "=", X)),
    "a bound": ("count", conjunction(compare(READ, "<=", number(0)), compare(K, "<", X))),
    "two arrays": ("count", compare(READ, "<", select(B, K))),
    "flags": ("count", select(F, K)),
    "no flags": ("count", negation(select(F, K))),
    "the index": ("count", compare(READ, "=", K)),
    "another cell": ("count", disjunction(compare(READ, "=", select(A, X)), compare(READ, "=", number(1)))),
    "cells before": (
        "count", quantified("forall", bound("l.bound1"), number(0), K, compare(select(A, bound("l.bound1")), "<=", READ))
    ),
    "the length": ("count", compare(READ, "<", length(A))),
}  # fmt: skip
CHANGES = {
    array.sort: compare(symbol("changed", array.sort), "=", store(symbol("before", array.sort), symbol("place", INT), value))
    for array, value in ((A, X), (R, symbol("v", REAL)), (F, symbol("w", BOOL)))
}
"""For each sort of arrays, that one is another one with a cell changed."""


def laws_about(op: str, body: LogicTerm) -> tuple[list[Law], dict[str, Summed]]:
    aggregates = Aggregates()
    formula = aggregates.without(compare(quantified(op, K, number(0), X, body), "=", number(3)))
    assert not any(part.op == op for part in parts(formula))
    laws = list(aggregates.laws([formula, *CHANGES.values()]))
    return laws, {summed.name: summed for summed in aggregates.summed.values()}


def with_meaning(term: LogicTerm, summed: dict[str, Summed]) -> LogicTerm:
    """The formula with sums in the place of the functions that stand for them, and a symbol for what only is to exist."""
    args = tuple(with_meaning(arg, summed) for arg in term.args)
    if term.op != "call":
        return term._replace(args=args)
    if term.name.startswith("sorted.") and len(args) == 3 and term.sort == BOOL:
        return LogicTerm("sorted", BOOL, args)
    if term.name not in summed:
        assert term.name.rpartition(".")[2] in WITNESSES
        return symbol("witness", term.sort)
    low, high, *given = args
    own = summed[term.name]
    body = replaced(own.term.args[2], dict(zip(own.params, given, strict=True)))
    return own.term._replace(args=(low, high, body), name=own.term.name)


def no_helper(name: str, arguments: list[Value]) -> Scalar:
    raise AssertionError(f"no law calls {name} with {arguments}")


def possible(variable: LogicTerm) -> list[Value]:
    if variable.sort in CELLS:
        values: tuple[Scalar, ...] = (False, True) if variable.sort == FLAGS else VALUES
        return [cells for size in range(LONG_MAX + 1) for cells in itertools.product(values, repeat=size)]
    if variable.sort == BOOL:
        return [False, True]
    return list(BOUNDS if variable.name in ("lo", "hi", "other", "middle", "k", "place") else VALUES)


def states(variables: list[LogicTerm]) -> Iterator[dict[str, Value]]:
    """All values of the variables or, where they are many, some of them."""
    choices = random.Random(" ".join(variable.name for variable in variables))
    boxes = [possible(variable) for variable in variables]
    total = 1
    for box in boxes:
        total *= len(box)
    rows = itertools.product(*boxes) if total <= TRIED_MAX else ([choices.choice(box) for box in boxes] for _ in range(TRIED_MAX))
    for row in rows:
        yield dict(zip((variable.name for variable in variables), row, strict=True))


def holds(formula: LogicTerm, state: dict[str, Value]) -> bool | None:
    """Whether the formula holds, for some witness if it has one; None where it reads cells that do not exist."""
    witnesses: list[dict[str, Value]] = [state]
    if any(part.name == "witness" for part in parts(formula)):
        witnesses = [{**state, "witness": index} for index in BOUNDS]
    answers = set[bool | None]()
    for tried in witnesses:
        try:
            answers.add(bool(evaluate(formula, tried, no_helper)))
        except NoMeaning:
            answers.add(None)
    return True if True in answers else None if None in answers else False


def check(law: Law, summed: dict[str, Summed]) -> int:
    """How often the law was tried with a meaning; it fails if the law is false once."""
    there = {part for part in parts(law.formula) if part.op == "call" and part.name.rpartition(".")[2] in WITNESSES}
    assert len(there) <= 1, "of two numbers that only exist, nothing says that they are the same"
    formula = with_meaning(law.formula, summed)
    free = {part.name: part for part in parts(formula) if part.op == "symbol" and part.name != "witness"}
    tried = 0
    for state in states(list(free.values())):
        answer = holds(formula, state)
        assert answer is not False, (law_text(law), state)
        tried += answer is True
    return tried


@pytest.mark.parametrize("name", BODIES)
def test_the_laws_of_sums_and_counts_are_true(name: str) -> None:
    laws, summed = laws_about(*BODIES[name])
    assert len(laws) >= 6
    for law in laws:
        assert check(law, summed) > 0, law_text(law)


@pytest.mark.parametrize("sort", [INTS, REALS])
def test_the_laws_of_sorted_ranges_are_true(sort: str) -> None:
    aggregates = Aggregates()
    aggregates.without(LogicTerm("sorted", BOOL, (symbol("a.in", sort), number(0), X)))
    laws = list(aggregates.laws([]))
    assert len(laws) == 2
    for law in laws:
        assert check(law, {}) > 0


def test_permutations_are_counted() -> None:
    """What stands for `permutation(a, b)` is true for a value exactly where both have it equally often."""
    aggregates = Aggregates()
    term = aggregates.without(LogicTerm("permutation", BOOL, (A, B)))
    summed = {own.name: own for own in aggregates.summed.values()}
    same_length, same_counts = term.args
    says = with_meaning(same_counts.args[0], summed)
    choices = random.Random("permutations")
    arrays = [cells for size in range(LONG_MAX + 1) for cells in itertools.product(VALUES, repeat=size)]
    for _ in range(volume(500, 5_000)):
        left = choices.choice(arrays)
        right = tuple(choices.sample(left, len(left))) if choices.random() < 0.5 else choices.choice(arrays)
        state: dict[str, Value] = {"a.in": left, "b.in": right}
        counted = all(evaluate(says, {**state, "value.bound": value}, no_helper) for value in VALUES)
        assert (counted and bool(evaluate(same_length, state, no_helper))) is (sorted(left) == sorted(right))
    for law in aggregates.laws([]):
        assert check(law, summed) > 0, law_text(law)


def test_the_laws_contradict_nothing() -> None:
    """With all laws about all bodies and changes at once, solvers find no contradiction where there is none."""
    for op, body in BODIES.values():
        laws, _ = laws_about(op, body)
        declared = {part.name: part for law in laws for part in parts(law.formula) if part.op in ("symbol", "call")}
        names = [f"(declare-fun {part.name} ({' '.join(arg.sort for arg in part.args)}) {part.sort})" for part in declared.values()]
        own = {variable.name for law in laws for variable in law.variables}
        lengths = [f"(declare-fun {name}.len () Int)" for name, part in declared.items() if part.sort in CELLS and name not in own]
        text = "\n".join(["(set-logic ALL)", *names, *lengths, *(f"(assert {law_text(law)})" for law in laws)])
        assert z3_answer(text, 200_000)[0] != "unsat", smtlib(body)
