"""The form of a fact or of a measure, without what is in it: shapes, degrees, and templates with holes."""

from __future__ import annotations

from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Old, Unary
from idg.sip.trees.traverse import expressions

HOLE = "□"
"""Stands in a template for what the player is to find."""
SHAPES = {
    "equation": "Two things are equal",
    "bound": "One thing is never larger than another",
    "remainder": "Remainders are what matters",
    "different": "Two things are never equal",
    "condition": "Whenever one thing holds, so does another",
    "cases": "One of several cases holds",
    "power": "Something is a power",
    "fact": "Something is true, or false",
}
"""What the step 'shape' says of each shape of `shape_of`."""


def shape_of(expr: Expr) -> tuple[str, int]:
    """The shape of a fact, a key of SHAPES, and the degree of its terms."""
    degree = degree_of(expr)
    match expr:
        case Binary("->", _, _):
            return "condition", degree
        case Binary("|", _, _):
            return "cases", degree
        case Binary("&", left, _):
            return shape_of(left)
        case Call("ispow", _):
            return "power", degree
        case Compare(operands, ops):
            if any(isinstance(part, Binary) and part.op == "%" for operand in operands for part in expressions(operand)):
                return "remainder", degree
            return ("equation" if "=" in ops else "different" if "!=" in ops else "bound"), degree
    return "fact", degree


def degree_of(expr: Expr) -> int:
    """The highest number of variables that are multiplied with each other, such as 3 for x * y^2."""
    match expr:
        case Number():
            return 0
        case Name() | Old():
            return 1
        case Unary(_, operand):
            return degree_of(operand)
        case Binary("*", left, right):
            return degree_of(left) + degree_of(right)
        case Binary("^", left, Number(value)):
            return degree_of(left) * int(value)
        case Binary("^", left, _):
            return max(2, degree_of(left))
        case Binary(_, left, right):
            return max(degree_of(left), degree_of(right))
        case Compare(operands, _) | Call(_, operands):
            return max(map(degree_of, operands), default=0)
    return 0


def with_holes(expr: Expr) -> Expr:
    """The expression with holes in place of its numbers; where it has none, with a hole in place of its right side."""
    without_numbers = _without_numbers(expr)
    if without_numbers != expr:
        return without_numbers
    match expr:
        case Compare(operands, ops):
            return Compare((*operands[:-1], Name(HOLE)), ops)
        case Binary(op, left, _):
            return Binary(op, left, Name(HOLE))
    return Name(HOLE)


def _without_numbers(expr: Expr) -> Expr:
    match expr:
        case Number():
            return Name(HOLE)
        case Unary(op, operand):
            return Unary(op, _without_numbers(operand))
        case Binary(op, left, right):
            return Binary(op, _without_numbers(left), _without_numbers(right))
        case Compare(operands, ops):
            return Compare(tuple(map(_without_numbers, operands)), ops)
        case Call(function, arguments):
            return Call(function, tuple(map(_without_numbers, arguments)))
    return expr
