"""A helping hand for solvers: linear consequences of polynomial hypotheses.

Solvers are complete for linear arithmetic only. So the condition is written over monomials: `x*y` becomes one symbol. Before
that, variables that an equation defines are replaced, and products of hypotheses are added, because `p = 0` implies `p*x = 0`,
and `p >= 0` and `q >= 0` imply `p*q >= 0`. All of this is exact arithmetic on polynomials. If no values satisfy the linear
formulas, then none satisfy the hypotheses and the goal's opposite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple

from idg.audit.terms import INT, REAL, LogicTerm, arithmetic, compare, negation, number, real, smtlib, symbol

Monomial = tuple[str, ...]
"""The names of its factors, sorted; a factor x^2 is there twice."""
Polynomial = dict[Monomial, Fraction]
TERMS_MAX = 400
"""Terms of a polynomial; larger ones are not multiplied."""
INEQUALITIES_MAX = 14
"""Inequalities of which all products are formed; the last ones, which are nearest to the goal, are taken."""
FACTORS_MAX = 8
"""Atoms with which each equation is multiplied."""


class Relation(NamedTuple):
    """`polynomial op 0`, where op is one of = <= <."""

    polynomial: Polynomial
    op: str


class TooManyTerms(Exception):
    pass


def linear_consequences(hypotheses: Iterable[LogicTerm], goal: LogicTerm) -> list[LogicTerm] | None:
    """Linear formulas that follow from the hypotheses and the goal's opposite; None where the goal is no comparison.

    Where they are unsatisfiable, the hypotheses imply the goal.
    """
    atoms: dict[str, LogicTerm] = {}
    try:
        opposite = list(_relations(negation(goal), atoms))
        if not opposite:
            return None
        relations = [relation for formula in hypotheses for relation in _relations(formula, atoms)]
        relations = _with_products(_eliminated([*relations, *_division_laws(atoms), *opposite], atoms))
    except TooManyTerms:
        return None
    return [_linear(relation, atoms) for relation in relations]


def degree_max(formulas: Iterable[LogicTerm]) -> int:
    """The highest degree of a polynomial, if each symbol is replaced by the term that an equation before says it is."""
    degrees: dict[str, int] = {}

    def degree(term: LogicTerm) -> int:
        if term.op == "symbol":
            return degrees.get(term.name, 1)
        inner = [degree(arg) for arg in term.args]
        return sum(inner) if term.op == "*" else max(inner, default=0)

    highest = 0
    for formula in formulas:
        highest = max(highest, degree(formula))
        if formula.op == "=" and formula.args[0].op == "symbol":
            degrees[formula.args[0].name] = max(degree(formula.args[1]), degrees.get(formula.args[0].name, 1))
    return highest


# Polynomials


def plus(left: Polynomial, right: Polynomial, factor: Fraction = Fraction(1)) -> Polynomial:
    total = dict(left)
    for monomial, coefficient in right.items():
        total[monomial] = total.get(monomial, Fraction(0)) + factor * coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    if len(left) * len(right) > TERMS_MAX:
        raise TooManyTerms
    total: Polynomial = {}
    for first, factor in left.items():
        for second, coefficient in right.items():
            monomial = tuple(sorted(first + second))
            total[monomial] = total.get(monomial, Fraction(0)) + factor * coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def polynomial(term: LogicTerm, atoms: dict[str, LogicTerm]) -> Polynomial:
    """The term as a polynomial over atoms, which are symbols and whatever is not built by + - *."""
    match term.op:
        case "number":
            return {(): Fraction(term.value)} if term.value else {}
        case "+" | "-":
            left, right = (polynomial(arg, atoms) for arg in term.args)
            return plus(left, right, Fraction(1 if term.op == "+" else -1))
        case "*":
            left, right = (polynomial(arg, atoms) for arg in term.args)
            return times(left, right)
        case "to_real":
            return polynomial(term.args[0], atoms)
        case _:
            name = smtlib(term)
            atoms[name] = term
            return {(name,): Fraction(1)}


def _relations(formula: LogicTerm, atoms: dict[str, LogicTerm]) -> Iterator[Relation]:
    """The comparisons that the formula is a conjunction of; other conjuncts are left out."""
    match formula.op:
        case "and":
            for part in formula.args:
                yield from _relations(part, atoms)
        case "=" | "<" | "<=" if formula.args[0].sort in (INT, REAL):
            left, right = formula.args
            yield Relation(plus(polynomial(left, atoms), polynomial(right, atoms), Fraction(-1)), formula.op)
        case "not" if formula.args[0].op in ("<", "<="):
            left, right = formula.args[0].args
            yield from _relations(compare("<=" if formula.args[0].op == "<" else "<", right, left), atoms)
        case "not" if formula.args[0].op == "=" and formula.args[0].args[0].sort in (INT, REAL):
            [relation] = _relations(formula.args[0], atoms)
            yield Relation(relation.polynomial, "!=")


def _division_laws(atoms: dict[str, LogicTerm]) -> Iterator[Relation]:
    """n = d * (n div d) + n mod d and 0 <= n mod d < d, for the quotients and remainders that occur."""
    for term in [term for term in atoms.values() if term.op in ("div", "mod")]:
        over, under = term.args
        rest = polynomial(LogicTerm("mod", INT, (over, under)), atoms)
        whole = times(polynomial(under, atoms), polynomial(LogicTerm("div", INT, (over, under)), atoms))
        yield Relation(plus(plus(whole, rest), polynomial(over, atoms), Fraction(-1)), "=")
        yield Relation(plus({}, rest, Fraction(-1)), "<=")
        yield Relation(plus(rest, polynomial(under, atoms), Fraction(-1)), "<")


def _eliminated(relations: list[Relation], atoms: dict[str, LogicTerm]) -> list[Relation]:
    """Replaces every symbol that an equation defines as a polynomial in others."""
    done: list[Relation] = []
    waiting = list(relations)
    while True:
        choice = next(
            ((index, name) for index, (poly, op) in enumerate(waiting) if op == "=" for name in _defined(poly, atoms)), None
        )
        if choice is None:
            return [*done, *waiting]
        index, name = choice
        equation = waiting.pop(index).polynomial
        factor = -1 / equation[(name,)]
        value = plus({}, {monomial: coefficient for monomial, coefficient in equation.items() if monomial != (name,)}, factor)
        waiting = [Relation(_replaced(poly, name, value), op) for poly, op in waiting]
        # Whole numbers stay whole: the symbol's definition is kept unless its value is plainly whole.
        if any(coefficient.denominator != 1 for coefficient in value.values()):
            done.append(Relation(equation, "="))


def _defined(poly: Polynomial, atoms: dict[str, LogicTerm]) -> Iterator[str]:
    for monomial in poly:
        if len(monomial) == 1 and atoms[monomial[0]].op == "symbol" and sum(monomial[0] in other for other in poly) == 1:
            yield monomial[0]


def _replaced(poly: Polynomial, name: str, value: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for monomial, coefficient in poly.items():
        product: Polynomial = {tuple(factor for factor in monomial if factor != name): coefficient}
        for _ in range(monomial.count(name)):
            product = times(product, value)
        total = plus(total, product)
    return total


def _with_products(relations: list[Relation]) -> list[Relation]:
    products = []
    names = sorted({name for poly, _ in relations for monomial in poly for name in monomial})[:FACTORS_MAX]
    for poly, op in relations:
        if op == "=":
            products += [Relation(times(poly, {(name,): Fraction(1)}), "=") for name in names]
    bounds = [poly for poly, op in relations if op in ("<", "<=")][-INEQUALITIES_MAX:]
    for left, right in combinations_with_replacement(bounds, 2):
        products.append(Relation(plus({}, times(left, right), Fraction(-1)), "<="))
    return [*relations, *products]


def _linear(relation: Relation, atoms: dict[str, LogicTerm]) -> LogicTerm:
    """The relation with a symbol for each monomial."""
    total = number(0, REAL)
    for monomial, coefficient in relation.polynomial.items():
        if not monomial:
            total = arithmetic("+", total, number(coefficient, REAL))
            continue
        whole = all(atoms[name].sort == INT for name in monomial)
        name = "m." + ".".join(str(sorted(atoms).index(factor)) for factor in monomial)
        total = arithmetic("+", total, arithmetic("*", number(coefficient, REAL), real(symbol(name, INT if whole else REAL))))
    return compare(relation.op, total, number(0, REAL))
