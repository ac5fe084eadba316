"""What a condition does: which variables it gives which values, and what is left of it as a condition.

A step is a condition over the variables as they are, over variables to which it gives values, and over helping variables, which may
have any value that fits. It is split at its disjunctions into ways. In each way, equations such as `x' = x + 1` become assignments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Compare, Expr, Name, Unary
from idg.sip.trees.build import substitute
from idg.sip.trees.logic import MIRRORED, conjoin, negate, simplified
from idg.sip.trees.traverse import conjuncts, links, names

WAYS_MAX = 48
"""Into how many ways a step is split; one with more is left as one condition."""
TRUE, FALSE = Boolean(True), Boolean(False)


class Way(Record):
    """One way in which a step can be taken."""

    guard: Expr
    """What must hold of the variables as they are."""
    values: Mapping[str, Expr]
    """New variables → their values, of the variables as they are and of the chosen ones."""
    chosen: tuple[str, ...]
    """New and helping variables whose values are chosen …"""
    fits: Expr
    """… so that this holds."""


def ways_of(condition: Expr, new: frozenset[str], kept: Iterable[str]) -> list[Way]:
    """The ways of a step. `new`: the variables to which it gives values, and the helping ones; `kept`: those of them whose values
    matter afterwards."""
    split = list(_split(simplified(condition), new, WAYS_MAX))
    if len(split) > WAYS_MAX:
        split = [[condition]]
    return [way for literals in split if (way := _way(literals, new, tuple(kept))) is not None]


def _split(expr: Expr, new: frozenset[str], most: int) -> Iterator[list[Expr]]:
    """The disjuncts, each as a list of conditions; a few more than `most` where there are too many. What says nothing about the new
    variables stays whole."""
    if not names(expr) & new:
        yield [expr]
        return
    match expr:
        case Binary("|", left, right):
            yield from _split(left, new, most)
            yield from _split(right, new, most)
        case Binary("->", left, right):
            yield from _split(_opposite(left), new, most)
            yield from _split(right, new, most)
        case Binary("&", left, right):
            seconds = list(_bounded(_split(right, new, most), most))
            for first in _bounded(_split(left, new, most), most):
                yield from ([*first, *second] for second in seconds)
        case Unary("!", operand):
            opposite = _opposite(operand)
            if opposite == expr:
                yield [expr]
            else:
                yield from _split(opposite, new, most)
        case _:
            yield [expr]


def _bounded(ways: Iterator[list[Expr]], most: int) -> Iterator[list[Expr]]:
    for count, way in enumerate(ways):
        if count > most:
            return
        yield way


def _opposite(expr: Expr) -> Expr:
    match expr:
        case Binary("|", left, right):
            return Binary("&", _opposite(left), _opposite(right))
        case Binary("&", left, right):
            return Binary("|", _opposite(left), _opposite(right))
        case Binary("->", left, right):
            return Binary("&", left, _opposite(right))
    return negate(expr)


def _way(literals: list[Expr], new: frozenset[str], kept: tuple[str, ...]) -> Way | None:
    """None where the way contradicts itself."""
    values: dict[str, Expr] = {}
    left = [part for literal in literals for part in (links(literal) if isinstance(literal, Compare) else [literal])]
    while (equation := _next_equation(left, new)) is not None:
        literal, name, value = equation
        known = {name: value}
        values = {other: substitute(told, known) for other, told in values.items()} | known
        left = [simplified(substitute(other, known)) for other in left if other is not literal]
    guard = conjoin(literal for literal in left if not names(literal) & new)
    if FALSE in left or any(negate(literal) in left for literal in left):
        return None
    fits = [literal for literal in left if names(literal) & new]
    given = {name: value for name, value in values.items() if name in kept}
    open_names = {name for part in (*fits, *given.values()) for name in names(part)} & new
    chosen = sorted(open_names | {name for name in kept if name not in values})
    return Way(guard, given, tuple(chosen), conjoin(fits))


def _next_equation(literals: list[Expr], new: frozenset[str]) -> tuple[Expr, str, Expr] | None:
    """A literal that gives a new variable its value: one of old variables, else one of other new ones, which are chosen then."""
    equations = [(literal, *defined) for literal in literals if (defined := _defines(literal, new)) is not None]
    plain = (equation for equation in equations if not names(equation[2]) & new)
    mixed = (equation for equation in equations if equation[1] not in names(equation[2]))
    return next(plain, None) or next(mixed, None)


def _defines(literal: Expr, new: frozenset[str]) -> tuple[str, Expr] | None:
    """The new variable to which the literal gives a value, and the value."""
    match literal:
        case Compare((Name(name), value), ("=",)) if name in new:
            return name, value
        case Compare((value, Name(name)), ("=",)) if name in new:
            return name, value
        case Name(name) if name in new:
            return name, TRUE
        case Unary("!", Name(name)) if name in new:
            return name, FALSE
    return None


def excludes(first: Expr, second: Expr) -> bool:
    """Whether one of the conditions has a conjunct whose opposite is a conjunct of the other, so that never both hold."""
    opposites = {negate(part) for part in conjuncts(first)} | {_mirrored(negate(part)) for part in conjuncts(first)}
    return any(part in opposites for part in conjuncts(second))


def _mirrored(expr: Expr) -> Expr:
    match expr:
        case Compare((left, right), (op,)):
            return Compare((right, left), (MIRRORED[op],))
    return expr
