"""SIP expressions that stand for C's numbers.

Where C may reduce a number to the width of a type, the expression gets a mark. When the whole program has been read, ranges.py
takes away each mark at which the number cannot leave the type's bounds, and writes a remainder at each of the others.
"""

from __future__ import annotations

from idg.importer.c.numbers.c_types import BOOL, INT, CType, Integers, fits, is_bounded
from idg.sip.operators import FUNCTIONS
from idg.sip.record import Record
from idg.sip.syntax import (
    Assert,
    Assume,
    Binary,
    Block,
    Boolean,
    Branch,
    Call,
    Compare,
    Expr,
    If,
    Index,
    Name,
    Number,
    Stmt,
    Type,
    Unary,
)
from idg.sip.trees.build import ZERO, compare, number, whole_literal
from idg.sip.trees.logic import FALSE, TRUE, implies_folded, negate
from idg.sip.trees.traverse import expressions

WRAP, CHECK = "wrap", "check"
"""The two marks: the number is reduced to the type's width; or it must fit, which is an obligation."""


class TypedExpr(Record):
    """A SIP expression for a number of C, its type in SIP (nat where it cannot be negative, otherwise int), and its type in C."""

    expr: Expr
    type: Type
    ctype: CType


def literal_value(value: int, ctype: CType = INT) -> TypedExpr:
    return TypedExpr(number(value), Type.INT if value < 0 else Type.NAT, ctype)


def nonzero(expr: Expr) -> Expr:
    """A number as a condition: in C it holds where the number is not zero."""
    value = whole_literal(expr)
    return Boolean(value != 0) if value is not None else compare(expr, "!=", ZERO)


def divides(expr: Expr) -> bool:
    """Whether it may have no value: it reads a cell, calls a function, divides by what may be zero, or has an exponent that may be
    negative."""
    return any(map(_may_lack_value, expressions(expr)))


def _may_lack_value(part: Expr) -> bool:
    match part:
        case Index():
            return True
        case Call(function):
            return function not in FUNCTIONS and mark_of(part) is None
        case Binary("/" | "//" | "%" | "^", _, right):
            return not whole_literal(right)
    return False


def evaluated(condition: Expr) -> list[Stmt]:
    """What obliges a condition whose truth nobody uses to have a value: its divisors must not be zero, its cells must be there, and
    what must fit must fit."""
    must_fit = any((mark := mark_of(part)) is not None and mark[0] == CHECK for part in expressions(condition))
    if not divides(condition) and not must_fit:
        return []
    match condition:
        case Compare((value, Number(0)), ("!=",)):
            return [Assert(compare(value, "=", value))]
        case _:
            return [Assert(Binary("|", condition, Unary("!", condition)))]


# Marks


def marked(mark: str, ctype: CType, expr: Expr) -> Expr:
    """A call that no SIP text can contain, because its name has a blank."""
    return Call(f"{mark} {'s' if ctype.signed else 'u'}{ctype.bits}", (expr,))


def mark_of(expr: Expr) -> tuple[str, CType, Expr] | None:
    """The mark, the type and the number, where the expression is a marked one."""
    if isinstance(expr, Call) and " " in expr.function:
        mark, _, name = expr.function.partition(" ")
        return mark, CType(int(name[1:]), name[0] == "s"), expr.arguments[0]
    return None


def has_marks(expr: Expr) -> bool:
    return any(mark_of(part) is not None for part in expressions(expr))


def reduced(ctype: CType, expr: Expr) -> Expr:
    """The number modulo 2^bits, in the range of the type."""
    if not ctype.signed:
        return Binary("%", expr, Number(2**ctype.bits))
    half = Number(2 ** (ctype.bits - 1))
    return Binary("-", Binary("%", Binary("+", expr, half), Number(2**ctype.bits)), half)


def converted(value: TypedExpr, ctype: CType, integers: Integers) -> TypedExpr:
    """The number after C has converted it to another type, which is not _Bool."""
    known = whole_literal(value.expr)
    if known is not None:
        return literal_value(ctype.wrapped(known), ctype)
    kind = Type.INT if ctype.signed and value.type is not Type.NAT else Type.NAT
    if fits(value.ctype, ctype) and (is_bounded(value.ctype, integers) or not is_bounded(ctype, integers)):
        return TypedExpr(value.expr, value.type, ctype)
    if value.ctype == ctype:
        return value
    return TypedExpr(marked(WRAP, ctype, value.expr), Type.INT if ctype.signed else kind, ctype)


def computed(expr: Expr, kind: Type, ctype: CType, integers: Integers) -> TypedExpr:
    """The result of an operation that C computes in this type, and that may leave the type's bounds."""
    if not ctype.signed:
        return TypedExpr(marked(WRAP, ctype, expr), Type.NAT, ctype)
    match integers:
        case Integers.MATH:
            return TypedExpr(expr, kind, ctype)
        case Integers.CHECK:
            return TypedExpr(marked(CHECK, ctype, expr), kind, ctype)
        case Integers.MACHINE:
            return TypedExpr(marked(WRAP, ctype, expr), Type.INT, ctype)


def bounds(name: str, low: int, high: int, ctype: CType) -> Expr:
    """The condition that a variable of this type lies between these bounds."""
    if low == 0 and not ctype.signed:
        return compare(Name(name), "<=", Number(high))
    return Compare((number(low), Name(name), number(high)), ("<=", "<="))


def within(name: str, given: CType, limits: tuple[int | None, int | None], ctype: CType, integers: Integers) -> Expr:
    """The condition that a variable of the type `ctype` has a value that a choice of the type `given` may give.

    `limits` are narrower bounds of that choice, where it has them.
    """
    if ctype == BOOL:
        return TRUE
    low, high = limits
    if low is not None and high is not None:
        return bounds(name, low, high, ctype)
    narrower = given if fits(given, ctype) else ctype
    return bounds(name, narrower.low, narrower.high, ctype) if is_bounded(narrower, integers) else TRUE


def if_else(test: Expr, yes: list[Stmt], no: list[Stmt]) -> Stmt:
    return If((Branch(test, Block(tuple(yes))),), Block(tuple(no)))


def _up_to_failure(statements: list[Stmt]) -> list[Stmt]:
    """The statements without those after an assert that never holds, which no run reaches."""
    for place, statement in enumerate(statements):
        if isinstance(statement, Assert) and statement.condition == FALSE:
            return statements[: place + 1]
    return statements


def simplified(test: Expr, yes: list[Stmt], no: list[Stmt]) -> list[Stmt]:
    """An if without needless branches. One that only asserts or assumes becomes asserts or assumes of implications."""
    if isinstance(test, Boolean):
        return yes if test.value else no
    yes, no = _up_to_failure(yes), _up_to_failure(no)
    claims: list[Stmt] = []
    if (yes or no) and all(isinstance(statement, Assert | Assume) for statement in (*yes, *no)):
        for condition, statements in ((test, yes), (negate(test), no)):
            for statement in statements:
                assert isinstance(statement, Assert | Assume)
                claims.append(type(statement)(implies_folded(condition, statement.condition), statement.span))
        return claims
    if not yes and not no:
        return []
    if not yes:
        test, yes, no = negate(test), no, []
    if len(no) == 1 and isinstance(no[0], If):
        return [If((Branch(test, Block(tuple(yes))), *no[0].branches), no[0].otherwise)]
    return [if_else(test, yes, no)]
