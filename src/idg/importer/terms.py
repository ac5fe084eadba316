"""Building SIP expressions, kept small."""

from __future__ import annotations

from idg.sip.build import ZERO, compare, number, whole_literal
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Expr, Type
from idg.sip.traverse import expressions


class TypedExpr(Record):
    """A number, and whether it can be negative."""

    expr: Expr
    type: Type


def literal_value(value: int) -> TypedExpr:
    return TypedExpr(number(value), Type.INT if value < 0 else Type.NAT)


def nonzero(expr: Expr) -> Expr:
    value = whole_literal(expr)
    return Boolean(value != 0) if value is not None else compare(expr, "!=", ZERO)


def divides(expr: Expr) -> bool:
    """Whether it may have no value."""
    return any(
        isinstance(each, Binary) and each.op in ("/", "//", "%", "^") and not whole_literal(each.right)
        for each in expressions(expr)
    )
