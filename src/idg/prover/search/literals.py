"""Conditions as literals, and comparisons as polynomials in one variable, for the enumerator.

The polynomials here are of another kind than those of algebra/polynomials.py: they have one variable and degree at most 2, and
their coefficients are pieces of Python code over the other variables. They are written into the search and not calculated with, so
neither kind can replace the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from idg.sip.checking.types import RAT
from idg.sip.record import Record
from idg.sip.running.codegen import ATOM, Code, ExpressionCompiler
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Unary
from idg.sip.trees.logic import OPPOSITE, TRUE
from idg.sip.trees.traverse import expressions, links, uses

VALUE_BITS = 64
"""Bits of a variable's value in the search. With such small values ordinary expressions need no checks for size."""

FOLDED_BITS_MAX = 2_000
"""Bits of a coefficient that is computed while code is written. Python refuses to print much larger numbers."""


class Compiler(ExpressionCompiler):
    """Compiles expressions to Python, for small values of the variables."""

    def compile(self, expr: Expr) -> Code:
        if isinstance(expr, Name):
            return Code(f"v_{expr.name}", ATOM, self.variables[expr.name], VALUE_BITS)
        return super().compile(expr)


class SearchLiteral(Record):
    """One of the conditions that a refuting state must satisfy."""

    expr: Expr
    code: Code
    uses: int
    """Bits of the variables that occur."""
    refuted: bool
    """Whether the expression must not be true, that is, be false or have no value. Otherwise it must be true."""
    calls: bool
    """Whether it calls a helper."""
    rational: bool
    """Whether some of its parts may have values that are not whole."""


def true_parts(expr: Expr, negated: bool = False) -> list[Expr]:
    """Conditions that are all true exactly where the expression is true; negated: where it has a value and that is false."""
    match expr:
        case Unary("!", operand):
            return true_parts(operand, not negated)
        case Binary("&", left, right) if not negated:
            return [*true_parts(left), *true_parts(right)]
        case Binary("|", left, right) if negated:
            return [*true_parts(left, True), *true_parts(right, True)]
        case Binary("->", left, right) if negated:
            return [*true_parts(left), *true_parts(right, True)]
        case Compare((left, right), (op,)) if negated:
            return [Compare((left, right), (OPPOSITE[op],))]
        case Compare(_, ops) if not negated and len(ops) > 1:
            return [*links(expr)]
        case _:
            return [Unary("!", expr) if negated else expr]


def untrue_parts(expr: Expr, compiler: Compiler) -> tuple[list[Expr], Expr | None]:
    """Conditions that must all be true, and one that must not be true, so that together the expression is not true.

    Where every part always has a value, this is plain negation. Otherwise only those parts are split off that always have one.
    """
    if compiler.compile(expr).safe:
        return true_parts(expr, True), None
    match expr:
        case Binary("->", left, right) if compiler.compile(left).safe:
            first, rest = untrue_parts(right, compiler)
            return [*true_parts(left), *first], rest
        case Binary("|", left, right) if compiler.compile(left).safe:
            first, rest = untrue_parts(right, compiler)
            return [*true_parts(left, True), *first], rest
        case _:
            return [], expr


class Shape(Record):
    """How a variable occurs in an expression, read as a polynomial."""

    degree: int
    factor: int | None
    """The coefficient of a variable of degree 1, where it is known to be a certain whole number."""


_OTHER = Shape(9, None)
"""The shape of a variable in what is no polynomial. The search solves equations up to degree 2, so any higher degree would do."""
Shapes = dict[str, Shape]


def shapes(expr: Expr) -> tuple[Shapes, int | None]:
    """The shape of each variable, and the value of the expression where it is a whole number."""
    match expr:
        case Number(value):
            return {}, value if isinstance(value, int) else None
        case Name(name):
            return {name: Shape(1, 1)}, None
        case Unary("-", operand):
            inner, constant = shapes(operand)
            return _scaled(inner, -1), None if constant is None else -constant
        case Binary(("+" | "-") as op, left, right):
            (first, one), (second, other) = shapes(left), shapes(right)
            if op == "-":
                second, other = _scaled(second, -1), None if other is None else -other
            merged = {**first, **second}
            for name in first:
                if name in second:
                    merged[name] = _sum(first[name], second[name])
            return merged, None if one is None or other is None else one + other
        case Binary("*", left, right):
            (first, one), (second, other) = shapes(left), shapes(right)
            if one is not None and other is not None:
                return {}, one * other
            merged = {**_scaled(first, other), **_scaled(second, one)}
            for name in first:
                if name in second:
                    merged[name] = Shape(first[name].degree + second[name].degree, None)
            return merged, None
        case Binary("^", left, Number(int() as exponent)) if 1 <= exponent <= 9:
            inner, _ = shapes(left)
            if exponent == 1:
                return inner, None
            return {name: Shape(exponent * shape.degree, None) for name, shape in inner.items()}, None
        case Binary("/", left, Number(int() as divisor)) if divisor:
            return _scaled(shapes(left)[0], None), None
        case _:
            return {part.name: _OTHER for part in expressions(expr) if isinstance(part, Name)}, None


def _scaled(inner: Shapes, factor: int | None) -> Shapes:
    if factor is None:
        return {name: Shape(shape.degree, None) for name, shape in inner.items()}
    return {name: Shape(shape.degree, None if shape.factor is None else factor * shape.factor) for name, shape in inner.items()}


def _sum(left: Shape, right: Shape) -> Shape:
    if left.factor is None or right.factor is None or left.factor + right.factor == 0:
        return Shape(max(left.degree, right.degree), None)
    return Shape(1, left.factor + right.factor)


Part = int | str
"""A number, or Python code that can stand as an operand of any operator."""
Parts = tuple[Part, Part, Part]
"""The coefficients of 1, x and x²."""


def coefficients(expr: Expr, name: str, compiler: Compiler) -> Parts | None:
    """The expression as a polynomial of degree at most 2 in the variable; None if it is not seen to be one."""
    match expr:
        case Number(int() as value):
            return value if value.bit_length() < FOLDED_BITS_MAX else compiler.base.constant(value), 0, 0
        case Number(Fraction() as value):
            return compiler.base.constant(value), 0, 0
        case Name(other):
            return (0, 1, 0) if other == name else (f"v_{other}", 0, 0)
        case Unary("-", operand):
            return _minus((0, 0, 0), coefficients(operand, name, compiler))
        case Binary("+", left, right):
            return _plus(coefficients(left, name, compiler), coefficients(right, name, compiler))
        case Binary("-", left, right):
            return _minus(coefficients(left, name, compiler), coefficients(right, name, compiler))
        case Binary("*", left, right):
            return _times(coefficients(left, name, compiler), coefficients(right, name, compiler))
        case Binary("^", left, Number(1 | 2 as exponent)):
            side = coefficients(left, name, compiler)
            return side if exponent == 1 else _times(side, side)
        case Binary("/", left, Number(int() as divisor)) if divisor:
            side = coefficients(left, name, compiler)
            return _times((compiler.base.constant(Fraction(1, divisor)), 0, 0), side)
        case _:
            if uses(expr, name):
                return None
            return f"({compiler.compile(expr).text})", 0, 0


def zero_form(expr: Compare, name: str, compiler: Compiler) -> tuple[Parts, Part] | None:
    """The left side minus the right side of a comparison as a polynomial, and the negative of its constant coefficient."""
    left, right = (coefficients(operand, name, compiler) for operand in expr.operands)
    difference = _minus(left, right)
    if left is None or right is None or difference is None:
        return None
    return difference, _subtract(right[0], left[0])


def _plus(left: Parts | None, right: Parts | None) -> Parts | None:
    if left is None or right is None:
        return None
    return _add(left[0], right[0]), _add(left[1], right[1]), _add(left[2], right[2])


def _minus(left: Parts | None, right: Parts | None) -> Parts | None:
    if left is None or right is None:
        return None
    return _subtract(left[0], right[0]), _subtract(left[1], right[1]), _subtract(left[2], right[2])


def _times(left: Parts | None, right: Parts | None) -> Parts | None:
    if left is None or right is None:
        return None
    if left[1] == 0 and left[2] == 0:
        factor = left[0]
        return _multiply(factor, right[0]), _multiply(factor, right[1]), _multiply(factor, right[2])
    if right[1] == 0 and right[2] == 0:
        return _times(right, left)
    if left[2] != 0 or right[2] != 0:
        return None
    (c, b, _), (d, e, _) = left, right
    return _multiply(c, d), _add(_multiply(c, e), _multiply(b, d)), _multiply(b, e)


def _add(left: Part, right: Part) -> Part:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if left == 0:
        return right
    return left if right == 0 else f"({left} + {right})"


def _subtract(left: Part, right: Part) -> Part:
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    if right == 0:
        return left
    return f"(-{right})" if left == 0 else f"({left} - {right})"


def _multiply(left: Part, right: Part) -> Part:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() < FOLDED_BITS_MAX:
        return left * right
    if left == 0 or right == 0:
        return 0
    if left == 1:
        return right
    return left if right == 1 else f"({left} * {right})"


def literals_of(exprs: list[Expr], goal: Expr, compiler: Compiler, bits: Mapping[str, int]) -> list[SearchLiteral]:
    """The conditions that a refuting state must satisfy: every hypothesis is true, and the goal is not. `bits`: each variable's
    bit."""
    assumed = [part for expr in exprs for part in true_parts(expr)]
    more, rest = untrue_parts(goal, compiler)
    literals = [_literal(part, False, compiler, bits) for part in (*assumed, *more) if part != TRUE]
    if rest is not None:
        literals.append(_literal(rest, True, compiler, bits))
    return literals


def _literal(expr: Expr, refuted: bool, compiler: Compiler, bits: Mapping[str, int]) -> SearchLiteral:
    uses, calls, rational = 0, False, False
    for part in expressions(expr):
        match part:
            case Name(name):
                uses |= bits[name]
                rational = rational or compiler.variables[name] is RAT
            case Call(function) if function in compiler.base.functions:
                calls = True
                rational = rational or compiler.base.functions[function].result is RAT
            case Number(Fraction()) | Binary("/"):
                rational = True
            case _:
                pass
    return SearchLiteral(expr, compiler.compile(expr), uses, refuted, calls, rational)
