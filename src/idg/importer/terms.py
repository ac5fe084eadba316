"""SIP expressions that stand for C's numbers."""

from __future__ import annotations

from idg.sip.build import ZERO, compare, number, whole_literal
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Expr, Type
from idg.sip.traverse import expressions


class TypedExpr(Record):
    """A SIP expression for a number of C, and its type: nat where it cannot be negative, otherwise int."""

    expr: Expr
    type: Type


def literal_value(value: int) -> TypedExpr:
    return TypedExpr(number(value), Type.INT if value < 0 else Type.NAT)


def nonzero(expr: Expr) -> Expr:
    """A number as a condition: in C it holds where the number is not zero."""
    value = whole_literal(expr)
    return Boolean(value != 0) if value is not None else compare(expr, "!=", ZERO)


def divides(expr: Expr) -> bool:
    """Whether the expression may have no value, because it divides by what may be zero or has an exponent that may be negative."""
    return any(
        isinstance(part, Binary) and part.op in ("/", "//", "%", "^") and not whole_literal(part.right)
        for part in expressions(expr)
    )
