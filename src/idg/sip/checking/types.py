"""The typing rules of the operators, shared by the checker and the compiler. docs/language.md has them as a table."""

from __future__ import annotations

from idg.sip.syntax import ARRAY_TYPES, Expr, Number, Type, Unary

BOOL, NAT, INT, RAT = Type.BOOL, Type.NAT, Type.INT, Type.RAT

_WIDTH = {NAT: 0, INT: 1, RAT: 2}
"""Type of numbers → its place in the order in which each type contains the ones before it."""
_WITH_ARTICLE = {BOOL: "a Boolean", NAT: "a nat", INT: "an int", RAT: "a rat"}
_WITH_ARTICLE |= {kind: f"{'an' if kind.element is INT else 'a'} {kind}" for kind in ARRAY_TYPES}


def with_article(kind: Type) -> str:
    return _WITH_ARTICLE[kind]


def is_number(kind: Type) -> bool:
    return kind is not BOOL


def is_integer(kind: Type) -> bool:
    return kind is NAT or kind is INT


def wider(left: Type, right: Type) -> Type:
    """The one of two number types that contains the other: nat is in int, and int in rat."""
    return left if _WIDTH[left] >= _WIDTH[right] else right


def fits(kind: Type, target: Type) -> bool:
    """Whether every value of the type `kind` is also one of `target`."""
    if kind is BOOL or target is BOOL:
        return kind is target
    return _WIDTH[kind] <= _WIDTH[target]


def arithmetic_type(op: str, left: Type, right: Type) -> Type:
    """The type of `left op right` for number operands that the operator accepts."""
    if op == "-":
        return wider(wider(left, right), INT)
    if op == "/":
        return RAT
    if op == "//":
        return wider(left, right)
    if op == "%":
        return right
    if op == "^":
        return left
    return wider(left, right)


def builtin_type(name: str, arguments: list[Type]) -> Type:
    """The type of a call of a built-in function whose arguments it accepts."""
    if name in ("ispow", "iswhole", "sorted", "permutation"):
        return BOOL
    if name == "gcd" or name == "len":
        return NAT
    if name == "abs":
        return RAT if arguments[0] is RAT else NAT
    result = arguments[0]
    for kind in arguments[1:]:
        result = wider(result, kind)
    return result


def is_negative_literal(expr: Expr) -> bool:
    return isinstance(expr, Unary) and expr.op == "-" and isinstance(expr.operand, Number)
