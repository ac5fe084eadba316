"""Intervals of whole numbers: what arithmetic makes of them, and what a condition leaves of them."""

from __future__ import annotations

from collections.abc import Mapping

from idg.importer.c.numbers.c_types import CType
from idg.importer.c.numbers.terms import WRAP, mark_of
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Index, Name, Number, Unary
from idg.sip.trees.logic import negate
from idg.sip.trees.traverse import links

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
"""Comparison → the one that says the same with its sides exchanged."""


class Interval(Record):
    """The whole numbers from low to high; None means that there is no bound."""

    low: int | None = None
    high: int | None = None

    def is_within(self, ctype: CType) -> bool:
        return self.low is not None and self.high is not None and ctype.low <= self.low and self.high <= ctype.high


ANY = Interval()
State = dict[str, Interval]
"""What is known of each variable that has a bound."""


def hull(left: Interval, right: Interval) -> Interval:
    """The smallest interval that contains both."""
    low = None if left.low is None or right.low is None else min(left.low, right.low)
    high = None if left.high is None or right.high is None else max(left.high, right.high)
    return Interval(low, high)


def met(left: Interval, right: Interval) -> Interval | None:
    """What both have in common; None where that is nothing."""
    low = left.low if right.low is None else right.low if left.low is None else max(left.low, right.low)
    high = left.high if right.high is None else right.high if left.high is None else min(left.high, right.high)
    return None if low is not None and high is not None and low > high else Interval(low, high)


def of_type(ctype: CType) -> Interval:
    return Interval(ctype.low, ctype.high)


# Arithmetic


def value_of(expr: Expr, state: Mapping[str, Interval]) -> Interval:
    """An interval in which the number lies."""
    mark = mark_of(expr)
    if mark is not None:
        kind, ctype, inner = mark
        inside = value_of(inner, state)
        if inside.is_within(ctype):
            return inside
        overlap = None if kind == WRAP else met(inside, of_type(ctype))
        return of_type(ctype) if overlap is None else overlap
    match expr:
        case Number(value) if isinstance(value, int):
            return Interval(value, value)
        case Name(name) | Index(Name(name)):
            # Of an array the state says what its cells hold: nothing more than their type does.
            return state.get(name, ANY)
        case Unary("-", operand):
            return _negative(value_of(operand, state))
        case Binary(op, left, right):
            return _binary(op, value_of(left, state), value_of(right, state))
        case Call(function, arguments):
            return _call(function, [value_of(argument, state) for argument in arguments])
    return ANY


def _negative(value: Interval) -> Interval:
    return Interval(None if value.high is None else -value.high, None if value.low is None else -value.low)


def _plus(left: Interval, right: Interval) -> Interval:
    low = None if left.low is None or right.low is None else left.low + right.low
    return Interval(low, None if left.high is None or right.high is None else left.high + right.high)


def _binary(op: str, left: Interval, right: Interval) -> Interval:
    match op:
        case "+":
            return _plus(left, right)
        case "-":
            return _plus(left, _negative(right))
        case "*":
            return _product(left, right)
        case "//" if right.low is not None and right.low > 0:
            return _quotient(left, right)
        case "%" if right.low is not None and right.low > 0:
            if left.low is not None and left.high is not None and left.low >= 0 and left.high < right.low:
                return left
            highest = None if right.high is None else right.high - 1
            if left.low is not None and left.low >= 0 and left.high is not None:
                highest = left.high if highest is None else min(highest, left.high)
            return Interval(0, highest)
    return ANY


def _product(left: Interval, right: Interval) -> Interval:
    ends = [bound for bound in (left.low, left.high, right.low, right.high) if bound is not None]
    if len(ends) == 4:
        products = [first * second for first in ends[:2] for second in ends[2:]]
        return Interval(min(products), max(products))
    if left.low is not None and right.low is not None and left.low >= 0 and right.low >= 0:
        return Interval(left.low * right.low, None)
    return ANY


def _quotient(left: Interval, right: Interval) -> Interval:
    """The floor of the quotient; the divisor is positive."""
    assert right.low is not None
    low = high = None
    if left.low is not None:
        low = left.low // right.low if left.low < 0 else 0 if right.high is None else left.low // right.high
    if left.high is not None:
        high = left.high // right.low if left.high >= 0 else -1 if right.high is None else left.high // right.high
    return Interval(low, high)


def _call(function: str, values: list[Interval]) -> Interval:
    match function:
        case "max":
            lows = [value.low for value in values if value.low is not None]
            highs = [value.high for value in values]
            return Interval(max(lows, default=None), None if None in highs else max(high for high in highs if high is not None))
        case "abs":
            [value] = values
            if value.low is not None and value.low >= 0:
                return value
            if value.low is not None and value.high is not None:
                return Interval(0, max(-value.low, value.high))
            return Interval(0, None)
    return ANY


# Conditions


def assume(condition: Expr, state: State) -> State | None:
    """The state in which the condition holds; None where it cannot hold. What is not understood changes nothing."""
    match condition:
        case Boolean(value):
            return state if value else None
        case Unary("!", operand):
            return _assume_not(operand, state)
        case Binary("&", left, right):
            first = assume(left, state)
            return None if first is None else assume(right, first)
        case Binary("|", left, right):
            return joined(assume(left, state), assume(right, state))
        case Binary("->", left, right):
            return joined(_assume_not(left, state), assume(right, state))
        case Compare():
            current: State | None = state
            for link in links(condition):
                current = None if current is None else _compared(link.operands[0], link.ops[0], link.operands[1], current)
            return current
    return state


def _assume_not(condition: Expr, state: State) -> State | None:
    match condition:
        case Binary("&", left, right):
            return joined(_assume_not(left, state), _assume_not(right, state))
        case Binary("|", left, right):
            first = _assume_not(left, state)
            return None if first is None else _assume_not(right, first)
        case Binary("->", left, right):
            first = assume(left, state)
            return None if first is None else _assume_not(right, first)
        case Unary("!", operand):
            return assume(operand, state)
        case Compare(_, ops) if len(ops) == 1:
            return assume(negate(condition), state)
        case Boolean(value):
            return None if value else state
    return state


def joined(left: State | None, right: State | None) -> State | None:
    """A state that contains both."""
    if left is None or right is None:
        return right if left is None else left
    return {name: hull(left[name], right[name]) for name in left if name in right}


def _compared(left: Expr, op: str, right: Expr, state: State) -> State | None:
    narrowed: State | None = state
    for one, sign, other in ((left, op, right), (right, FLIPPED[op], left)):
        if narrowed is not None:
            narrowed = _bounded(one, sign, value_of(other, narrowed), narrowed)
    return narrowed


def _bounded(expr: Expr, op: str, bound: Interval, state: State) -> State | None:
    """The state in which `expr op b` holds for a b of the interval. It looks into sums with a literal and into marks that change
    nothing."""
    mark = mark_of(expr)
    if mark is not None:
        return _bounded(mark[2], op, bound, state) if value_of(mark[2], state).is_within(mark[1]) else state
    match expr:
        case Binary("+", inner, Number(value)) if isinstance(value, int):
            return _bounded(inner, op, _plus(bound, Interval(-value, -value)), state)
        case Binary("-", inner, Number(value)) if isinstance(value, int):
            return _bounded(inner, op, _plus(bound, Interval(value, value)), state)
        case Name(name):
            return _narrowed(name, op, bound, state)
    return state


def _narrowed(name: str, op: str, bound: Interval, state: State) -> State | None:
    present = state.get(name, ANY)
    less = None if bound.high is None else bound.high - (op == "<")
    more = None if bound.low is None else bound.low + (op == ">")
    limits = {
        "<": Interval(None, less), "<=": Interval(None, less), ">": Interval(more, None), ">=": Interval(more, None), "=": bound,
    }  # fmt: skip
    if op == "!=":
        if bound.low is None or bound.low != bound.high:
            return state
        low = present.low + 1 if present.low == bound.low and present.low is not None else present.low
        high = present.high - 1 if present.high == bound.low and present.high is not None else present.high
        left = None if low is not None and high is not None and low > high else Interval(low, high)
    else:
        left = met(present, limits[op])
    return None if left is None else {**state, name: left}
