"""Types of expressions, literals, and folding of what is constant. Total semantics: what has no value may become any value."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.checking.types import BOOL, INT, NAT, RAT, arithmetic_type, builtin_type, is_integer, wider
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Index, Name, Number, Old, Quantified, Type, Unary
from idg.sip.trees.build import literal, number
from idg.sip.trees.logic import FALSE, TRUE

FOLDED_BITS_MAX = 4_096
"""Bits of a power of literals that is computed, by estimate; larger ones stay powers."""
BUILTINS = frozenset({"abs", "min", "max", "gcd", "ispow", "iswhole", "len", "sorted", "permutation"})


def kind_of(expr: Expr, variables: Mapping[str, Type], info: ModuleInfo | None = None) -> Type:
    """The type of an expression that is well-typed. One that is not yields some type of number."""
    match expr:
        case Number(value):
            return NAT if isinstance(value, int) else RAT
        case Boolean() | Compare() | Unary("!") | Binary("->" | "|" | "&"):
            return BOOL
        case Name(name) | Old(name):
            return variables[name]
        case Unary(_, operand):
            return wider(kind_of(operand, variables, info), INT)
        case Binary(op, left, right):
            return arithmetic_type(op, kind_of(left, variables, info), kind_of(right, variables, info))
        case Call("ite", (_, one, other)):
            kind = kind_of(one, variables, info)
            return kind if kind is BOOL else wider(kind, kind_of(other, variables, info))
        case Call("store", (array, _, _)):
            return kind_of(array, variables, info)
        case Call(function, arguments) if function in BUILTINS:
            return builtin_type(function, [kind_of(argument, variables, info) for argument in arguments])
        case Call(function):
            assert info is not None
            return info.functions[function].function.result or BOOL
        case Index(array):
            return variables[array.name].element or BOOL
        case Quantified("sum", variable, _, _, body):
            return kind_of(body, {**variables, variable.name: INT}, info)
        case Quantified("count"):
            return NAT
        case Quantified():
            return BOOL


def is_boolean(expr: Expr, variables: Mapping[str, Type], info: ModuleInfo | None) -> bool:
    match expr:
        case Number():
            return False
        case Unary("-") | Binary("+" | "-" | "*" | "/" | "//" | "%" | "^"):
            return False
        case _:
            return kind_of(expr, variables, info) is BOOL


def fold(expr: Expr, variables: Mapping[str, Type], info: ModuleInfo | None = None) -> Expr:
    """An expression with the same meaning that is simpler to work with.

    Constant parts are computed, chains of comparisons become conjunctions, a > b becomes b < a, and iswhole(a / b) becomes a % b =
    0.
    """
    match expr:
        case Number() | Boolean() | Name() | Old():
            return expr
        case Unary(op, operand):
            return _unary(op, fold(operand, variables, info))
        case Binary(op, left, right):
            return _binary(op, fold(left, variables, info), fold(right, variables, info))
        case Compare(operands, ops):
            folded = [fold(operand, variables, info) for operand in operands]
            links = _compare(folded[0], ops[0], folded[1])
            for index in range(1, len(ops)):
                links = _logical("&", links, _compare(folded[index], ops[index], folded[index + 1]))
            return links
        case Call("iswhole", (argument,)):
            return _iswhole(fold(argument, variables, info), variables, info)
        case Call(function, arguments):
            return Call(function, tuple(fold(argument, variables, info) for argument in arguments))
        case Index(array, index):
            return Index(array, fold(index, variables, info))
        case Quantified(word, variable, low, high, body):
            low, high = fold(low, variables, info), fold(high, variables, info)
            body = fold(body, {**variables, variable.name: INT}, info)
            if word in ("forall", "exists") and body == Boolean(word == "forall"):
                return body
            return Quantified(word, variable, low, high, body)


def _unary(op: str, operand: Expr) -> Expr:
    match op, operand:
        case "!", Boolean(value):
            return Boolean(not value)
        case ("!", Unary("!", inner)) | ("-", Unary("-", inner)):
            return inner
        case "-", Number(0):
            return operand
        case _:
            return Unary(op, operand)


def _binary(op: str, left: Expr, right: Expr) -> Expr:
    if op in ("&", "|", "->"):
        return _logical(op, left, right)
    a, b = literal(left), literal(right)
    if a is not None and b is not None:
        value = _computed(op, a, b)
        return Binary(op, left, right) if value is None else number(value)
    match op, a, b:
        case ("+" | "-", _, 0) | ("*" | "/" | "^", _, 1):
            return left
        case ("+", 0, _) | ("*", 1, _):
            return right
        case ("*", 0, _) | ("*", _, 0):
            return Number(0)
        case "^", _, 0:
            return Number(1)
        case _:
            return Binary(op, left, right)


def _logical(op: str, left: Expr, right: Expr) -> Expr:
    match op, left, right:
        case ("&", Boolean(True), other) | ("&", other, Boolean(True)):
            return other
        case ("|", Boolean(False), other) | ("|", other, Boolean(False)):
            return other
        case ("&", Boolean(False), _) | ("&", _, Boolean(False)):
            return FALSE
        case ("|", Boolean(True), _) | ("|", _, Boolean(True)) | ("->", Boolean(False), _) | ("->", _, Boolean(True)):
            return TRUE
        case "->", Boolean(True), other:
            return other
        case "->", other, Boolean(False):
            return _unary("!", other)
        case _:
            return Binary(op, left, right)


def _computed(op: str, a: int | Fraction, b: int | Fraction) -> int | Fraction | None:
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    if op == "*":
        return a * b
    if op == "^":
        bits = 1 if abs(a) == 1 or a == 0 else a.numerator.bit_length() + a.denominator.bit_length()
        return a**b if isinstance(b, int) and b >= 0 and bits * b <= FOLDED_BITS_MAX else None
    if b == 0:
        return None
    if op == "/":
        return Fraction(a) / b
    return a // b if op == "//" else a - b * (a // b)


def _compare(left: Expr, op: str, right: Expr) -> Expr:
    if op in (">", ">="):
        return _compare(right, "<" if op == ">" else "<=", left)
    a, b = literal(left), literal(right)
    if a is not None and b is not None:
        return Boolean({"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b}[op])
    if left == right:
        return Boolean(op in ("=", "<="))
    return Compare((left, right), (op,))


def _iswhole(argument: Expr, variables: Mapping[str, Type], info: ModuleInfo | None) -> Expr:
    value = literal(argument)
    if value is not None:
        return Boolean(value.denominator == 1)
    if is_integer(kind_of(argument, variables, info)):
        return TRUE
    match argument:
        case Binary("/", left, right) if all(is_integer(kind_of(side, variables, info)) for side in (left, right)):
            return Compare((Binary("%", left, right), Number(0)), ("=",))
        case _:
            return Call("iswhole", (argument,))
