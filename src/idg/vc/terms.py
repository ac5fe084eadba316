"""Building and rewriting expressions for verification conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Old, Type, Unary
from idg.sip.traverse import expressions

TRUE, FALSE = Boolean(True), Boolean(False)

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def rewrite(expr: Expr, leaf: Callable[[Name | Old], Expr]) -> Expr:
    """The expression with every name and every old(x) replaced. Spans are dropped: they belong to another text."""
    match expr:
        case Name() | Old():
            return leaf(expr)
        case Number() | Boolean():
            return expr
        case Unary(op, operand):
            inner = rewrite(operand, leaf)
            if op == "-" and isinstance(inner, Unary) and inner.op == "-":
                return inner.operand
            return Unary(op, inner)
        case Binary(op, left, right):
            return arithmetic(op, rewrite(left, leaf), rewrite(right, leaf))
        case Compare(operands, ops):
            return Compare(tuple(rewrite(each, leaf) for each in operands), ops)
        case Call(function, arguments):
            return Call(function, tuple(rewrite(each, leaf) for each in arguments))


def arithmetic(op: str, left: Expr, right: Expr) -> Expr:
    """`left op right`, with sums of a term and two constants gathered: (x + 1) + 1 becomes x + 2."""
    if op in ("+", "-") and isinstance(right, Number):
        if isinstance(left, Number) and (op == "+" or left.value >= right.value):
            return Number(_sum(left.value, _signed(op, right.value)))
        if isinstance(left, Binary) and left.op in ("+", "-") and isinstance(left.right, Number):
            total = _sum(_signed(left.op, left.right.value), _signed(op, right.value))
            if total == 0:
                return left.left
            return Binary("+" if total > 0 else "-", left.left, Number(total if total > 0 else -total))
        if right.value == 0:
            return left
    return Binary(op, left, right)


def _sum(left: int | Fraction, right: int | Fraction) -> int | Fraction:
    total = Fraction(left) + right
    return total.numerator if total.denominator == 1 else total


def _signed(op: str, value: int | Fraction) -> int | Fraction:
    return value if op == "+" else -value


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    return rewrite(expr, lambda leaf: values.get(leaf.name, leaf) if isinstance(leaf, Name) else leaf)


def negate(expr: Expr) -> Expr:
    match expr:
        case Boolean(value):
            return Boolean(not value)
        case Unary("!", operand):
            return operand
        case Compare((left, right), (op,)):
            return Compare((left, right), (_OPPOSITE[op],))
        case _:
            return Unary("!", expr)


def implies(condition: Expr, conclusion: Expr) -> Expr:
    if condition == TRUE or conclusion == TRUE:
        return conclusion
    return Binary("->", condition, conclusion)


def conjunction(parts: Iterable[Expr]) -> Expr:
    found: Expr = TRUE
    for part in parts:
        if part != TRUE:
            found = part if found == TRUE else Binary("&", found, part)
    return found


def compare(left: Expr, op: str, right: Expr) -> Expr:
    if isinstance(left, Number) and isinstance(right, Number):
        if op == "!=":
            return Boolean(left.value != right.value)
        if op == ">=":
            return Boolean(left.value >= right.value)
    return Compare((left, right), (op,))


def names(expr: Expr) -> set[str]:
    return {each.name for each in expressions(expr) if isinstance(each, Name)}


def size(expr: Expr) -> int:
    return sum(1 for _ in expressions(expr))


def height(expr: Expr) -> int:
    from idg.sip.traverse import parts

    return 1 + max((height(each) for each in parts(expr)), default=0)


def used(variables: Mapping[str, Type], exprs: Iterable[Expr]) -> dict[str, Type]:
    """The variables that occur, in the order of the table."""
    found = set().union(*(names(each) for each in exprs))
    return {name: kind for name, kind in variables.items() if name in found}
