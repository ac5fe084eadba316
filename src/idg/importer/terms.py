"""Building SIP expressions, kept small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idg.sip.record import Record
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Binary,
    Boolean,
    Call,
    Cassign,
    Compare,
    Expr,
    If,
    Name,
    Number,
    Print,
    Stmt,
    Type,
    Unary,
    While,
)
from idg.vc.terms import FALSE, TRUE, negate


class Value(Record):
    """A number, and whether it can be negative."""

    expr: Expr
    type: Type


def literal(value: int) -> Value:
    if value < 0:
        return Value(Unary("-", Number(-value)), Type.INT)
    return Value(Number(value), Type.NAT)


def constant(expr: Expr) -> int | None:
    """The value of a literal."""
    match expr:
        case Number(value) if isinstance(value, int):
            return value
        case Unary("-", Number(value)) if isinstance(value, int):
            return -value
    return None


def both(left: Expr, right: Expr) -> Expr:
    if left == TRUE or right == FALSE:
        return right
    return left if right == TRUE or left == FALSE else Binary("&", left, right)


def either(left: Expr, right: Expr) -> Expr:
    if left == FALSE or right == TRUE:
        return right
    return left if right == FALSE or left == TRUE else Binary("|", left, right)


def implies(left: Expr, right: Expr) -> Expr:
    if right == FALSE:
        return negate(left)
    if isinstance(right, Binary) and right.op == "->":
        return Binary("->", both(left, right.left), right.right)
    return right if left == TRUE else Binary("->", left, right)


def compare(op: str, left: Expr, right: Expr) -> Expr:
    return Compare((left, right), (op,))


def nonzero(expr: Expr) -> Expr:
    value = constant(expr)
    return Boolean(value != 0) if value is not None else compare("!=", expr, Number(0))


def parts(expr: Expr) -> Iterator[Expr]:
    yield expr
    match expr:
        case Unary(_, operand):
            yield from parts(operand)
        case Binary(_, left, right):
            yield from parts(left)
            yield from parts(right)
        case Compare(operands) | Call(_, operands):
            for each in operands:
                yield from parts(each)


def names_in(expr: Expr) -> set[str]:
    return {each.name for each in parts(expr) if isinstance(each, Name)}


def divides(expr: Expr) -> bool:
    """Whether it may have no value."""
    return any(isinstance(each, Binary) and each.op in ("/", "//", "%", "^") and not constant(each.right) for each in parts(expr))


def statements_in(statements: Sequence[Stmt]) -> Iterator[Stmt]:
    for each in statements:
        yield each
        match each:
            case If(branches, otherwise):
                for branch in branches:
                    yield from statements_in(branch.body.statements)
                yield from statements_in(otherwise.statements)
            case While(_, _, body):
                yield from statements_in(body.statements)


def expressions_of(statement: Stmt) -> tuple[Expr, ...]:
    """Those of the statement itself, not of the statements in it."""
    match statement:
        case Assign(_, value):
            return (value,)
        case If(branches):
            return tuple(each.test for each in branches)
        case While(_, test):
            return (test,)
        case Print(values):
            return values
        case Assert(condition) | Assume(condition) | Cassign(_, condition):
            return (condition,)
    return ()
