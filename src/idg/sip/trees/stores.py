"""Arrays as expressions: an array with another value in one cell, what is read from it, and choices between two values.

No text has such expressions. Conditions about programs that write arrays are made of them (vc/), and the runner evaluates them.
`store(a, i, e)` is the array a with e in cell i, and `ite(c, x, y)` is x where c is true and y elsewhere.
"""

from __future__ import annotations

from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Index, Name, Number, Quantified, Unary
from idg.sip.trees.build import compare, map_operands, replace_part, whole_literal
from idg.sip.trees.logic import FALSE, TRUE, both_folded, either, implies, negate
from idg.sip.trees.traverse import expressions, node_count, operands_of

STORE, CHOICE = "store", "ite"
"""The functions that these expressions call."""
CASES_NODES_MAX = 4_000
"""Nodes of all expressions in which choices become cases, while one condition is written."""


def stored(array: Expr, place: Expr, value: Expr) -> Expr:
    """The array with this value in this cell."""
    return Call(STORE, (array, place, value))


def base(array: Expr) -> Name:
    """The array whose cells were written: it has the same length."""
    while isinstance(array, Call):
        array = array.arguments[0]
    assert isinstance(array, Name), "arrays are symbols, and symbols in which cells are stored"
    return array


def length(array: Expr) -> Expr:
    return Call("len", (base(array),))


def cell(array: Expr, place: Expr) -> Expr:
    """What is in this cell of the array: the latest value that was stored there."""
    if not isinstance(array, Call):
        return Index(base(array), place)
    before, written, value = array.arguments
    steps = gap(written, place)
    if steps is None:
        return Call(CHOICE, (compare(place, "=", written), value, cell(before, place)))
    return cell(before, place) if steps else value


def without_swaps(array: Expr) -> Expr:
    """The array before its latest swaps of cells. It has the same values, each as often."""
    match array:
        case Call("store", (Call("store", (before, left, one)), right, other)):
            if one == cell(before, right) and other == cell(before, left):
                return without_swaps(before)
    return array


def gap(left: Expr, right: Expr) -> int | None:
    """How much two places differ, where that is seen at once: i + 1 is one more than i. None where it is not."""
    if left == right:
        return 0
    (one, more), (other, less) = _parted(left), _parted(right)
    return more - less if one == other else None


def _parted(place: Expr) -> tuple[Expr | None, int]:
    """A place as an expression and a whole number that is added to it."""
    value = whole_literal(place)
    if value is not None:
        return None, value
    match place:
        case Binary("+" | "-" as op, left, Number(int() as step)):
            rest, more = _parted(left)
            return rest, more + step if op == "+" else more - step
        case _:
            return place, 0


def same_arrays(left: Expr, right: Expr, variable: Name) -> Expr:
    """The condition that two arrays have the same length and the same cells."""
    if left == right:
        return TRUE
    last = Binary("-", length(left), Number(1))
    cells = Quantified("forall", variable, Number(0), last, compare(cell(left, variable), "=", cell(right, variable)))
    lengths = compare(length(left), "=", length(right))
    return cells if base(left) == base(right) else Binary("&", lengths, cells)


class TooManyCases(Exception):
    """There are so many choices in conditions that they cannot be written as cases."""


class ChoiceCases:
    """Writes conditions without choices, as long as they do not grow too much."""

    def __init__(self) -> None:
        self.left = CASES_NODES_MAX

    def without_choices(self, expr: Expr) -> Expr:
        """The same condition without choices: they become cases of the comparisons in which they stand.

        Raises TooManyCases where that would be too large.
        """
        match expr:
            case Unary("!") | Binary("&" | "|" | "->"):
                return map_operands(expr, self.without_choices)
            case _ if not any(isinstance(part, Call) and part.function == CHOICE for part in expressions(expr)):
                return expr
            case Quantified("forall" | "exists" as word, variable, low, high, body):
                ends = (_choice(low), _choice(high))
                choice = ends[0] or ends[1]
                if choice is None:
                    return Quantified(word, variable, low, high, self.without_choices(body))
                one, other = (_with_ends(expr, choice, value) for value in choice.arguments[1:])
                return self.by_cases(choice.arguments[0], one, other)
            case Compare(operands, ops) if len(ops) > 1:
                whole: Expr = TRUE
                for place, op in enumerate(ops):
                    whole = both_folded(whole, self.without_choices(Compare(operands[place : place + 2], (op,))))
                return whole
            case _:
                pass
        choice = _choice(expr)
        if choice is None:
            return expr
        test, one, other = choice.arguments
        return self.by_cases(test, replace_part(expr, choice, one), replace_part(expr, choice, other))

    def by_cases(self, test: Expr, one: Expr, other: Expr) -> Expr:
        self.left -= node_count(one) + node_count(other)
        if self.left < 0:
            raise TooManyCases
        return _by_cases(self.without_choices(test), self.without_choices(one), self.without_choices(other))


def without_choices(expr: Expr) -> Expr:
    """The same condition without choices. Raises TooManyCases where that would be too large."""
    return ChoiceCases().without_choices(expr)


def _with_ends(expr: Quantified, choice: Call, value: Expr) -> Expr:
    """The quantifier with one value of a choice in the ends of its range."""
    low, high = replace_part(expr.low, choice, value), replace_part(expr.high, choice, value)
    return Quantified(expr.word, expr.variable, low, high, expr.body)


def _choice(expr: Expr) -> Call | None:
    """A choice of the expression that has no choice inside of it, and does not stand inside of a sum or another quantifier."""
    if isinstance(expr, Quantified):
        return None
    inside = next((choice for choice in map(_choice, operands_of(expr)) if choice is not None), None)
    return expr if inside is None and isinstance(expr, Call) and expr.function == CHOICE else inside


def _by_cases(test: Expr, one: Expr, other: Expr) -> Expr:
    if one == other:
        return one
    if isinstance(one, Boolean) and isinstance(other, Boolean):
        return test if one.value else negate(test)
    if FALSE in (one, other):
        return both_folded(negate(test), other) if one == FALSE else both_folded(test, one)
    if TRUE in (one, other):
        return either(test, other) if one == TRUE else either(negate(test), one)
    return Binary("&", implies(test, one), implies(negate(test), other))
