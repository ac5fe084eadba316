"""Truth values: joining conditions, negating them and taking them apart.

Some operations exist in two forms that yield different expressions for the same condition. Verdicts depend on the exact form of a
query, so each user keeps the form it was built with, and the names say the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from idg.sip.syntax import Binary, Boolean, Compare, Expr, Unary
from idg.sip.trees.traverse import links

TRUE, FALSE = Boolean(True), Boolean(False)

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The comparison that is true exactly where the other one is false."""

MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The comparison that says the same with its sides exchanged: `a < b` is `b > a`."""

# Joining


def conjoin(conditions: Iterable[Expr]) -> Expr:
    """All the conditions; those that are `true` are left out, and of none at all the conjunction is true."""
    joined: Expr = TRUE
    for condition in conditions:
        if condition != TRUE:
            joined = condition if joined == TRUE else Binary("&", joined, condition)
    return joined


def both(left: Expr, right: Expr) -> Expr:
    """`left & right`, without what is true and without saying the same twice. A side that is false stays beside the other."""
    if left in (TRUE, right):
        return right
    return left if right == TRUE else Binary("&", left, right)


def both_folded(left: Expr, right: Expr) -> Expr:
    """`left & right`, but false where a side is false. Unlike in `both`, two equal sides are both kept."""
    if left == TRUE or right == FALSE:
        return right
    return left if right == TRUE or left == FALSE else Binary("&", left, right)


def either(left: Expr, right: Expr) -> Expr:
    """`left | right`, without what is false, and true where a side is true."""
    if left == FALSE or right == TRUE:
        return right
    return left if right == FALSE or left == TRUE else Binary("|", left, right)


def left_nested(op: str, operands: Sequence[Expr]) -> Expr:
    """`(a op b) op c` of at least one operand, exactly as they are given."""
    first, *others = operands
    for operand in others:
        first = Binary(op, first, operand)
    return first


def implies(condition: Expr, conclusion: Expr) -> Expr:
    """`condition -> conclusion`, or the conclusion alone where one of the two is true."""
    if condition == TRUE or conclusion == TRUE:
        return conclusion
    return Binary("->", condition, conclusion)


def implies_folded(condition: Expr, conclusion: Expr) -> Expr:
    """As `implies`, and besides `!a` for `a -> false` and `a & b -> c` for `a -> (b -> c)`. But `a -> true` stays as it is."""
    if conclusion == FALSE:
        return negate(condition)
    if isinstance(conclusion, Binary) and conclusion.op == "->":
        return Binary("->", both_folded(condition, conclusion.left), conclusion.right)
    return conclusion if condition == TRUE else Binary("->", condition, conclusion)


# Negating


def negate(expr: Expr) -> Expr:
    """The opposite: a single comparison gets the opposite operator, `!a` becomes a, and anything else a `!` in front."""
    match expr:
        case Boolean(value):
            return Boolean(not value)
        case Unary("!", operand):
            return operand
        case Compare((left, right), (op,)):
            return Compare((left, right), (OPPOSITE[op],))
        case _:
            return Unary("!", expr)


def negate_inward(expr: Expr) -> Expr:
    """The opposite of a folded expression, with the `!` moved one level inward: `!a & !b` for the opposite of `a | b`.

    Folded expressions compare by =, !=, < and <= only. The result keeps to that: the opposite of `a < b` is `b <= a`.
    """
    match expr:
        case Unary("!", inner):
            return inner
        case Boolean(value):
            return Boolean(not value)
        case Binary("|", left, right):
            return Binary("&", Unary("!", left), Unary("!", right))
        case Binary("&", left, right):
            return Binary("|", Unary("!", left), Unary("!", right))
        case Binary("->", left, right):
            return Binary("&", left, Unary("!", right))
        case Compare((left, right), ("=" | "!=" as op,)):
            return Compare((left, right), (OPPOSITE[op],))
        case Compare((left, right), ("<" | "<=" as op,)):
            return Compare((right, left), ("<=" if op == "<" else "<",))
        case _:
            return Unary("!", expr)


def simplified(expr: Expr) -> Expr:
    """The same condition without `true` and `false` inside its connectives."""
    match expr:
        case Unary("!", operand):
            return negate(simplified(operand))
        case Binary("&", left, right):
            left, right = simplified(left), simplified(right)
            return FALSE if FALSE in (left, right) else both(left, right)
        case Binary("|", left, right):
            return either(simplified(left), simplified(right))
        case Binary("->", left, right):
            left, right = simplified(left), simplified(right)
            if left == TRUE:
                return right
            return TRUE if left == FALSE or right == TRUE else negate(left) if right == FALSE else Binary("->", left, right)
        case _:
            return expr


# Taking apart. `traverse.conjuncts` is the plain form.


def conjuncts_inward(expr: Expr) -> Iterator[Expr]:
    """The conjuncts of a folded expression, also those that appear when a `!` is moved inward: !a and !b for `!(a | b)`."""
    match expr:
        case Binary("&", left, right):
            yield from conjuncts_inward(left)
            yield from conjuncts_inward(right)
        case Unary("!", inner):
            opposite = negate_inward(inner)
            if isinstance(opposite, Unary):
                yield opposite
            else:
                yield from conjuncts_inward(opposite)
        case _:
            yield expr


def separate_claims(expr: Expr) -> list[Expr]:
    """What an expression claims, each claim by itself.

    Chains are taken apart link by link, `!(a | b)` into !a and !b, and `a -> b & c` into `a -> b` and `a -> c`.
    """
    match expr:
        case Binary("&", left, right):
            return [*separate_claims(left), *separate_claims(right)]
        case Compare(_, ops) if len(ops) > 1:
            return [*links(expr)]
        case Binary("->", left, right):
            conclusions = separate_claims(right)
            return [expr] if len(conclusions) == 1 else [Binary("->", left, conclusion) for conclusion in conclusions]
        case Unary("!", Binary("|", left, right)):
            return [*separate_claims(negate(left)), *separate_claims(negate(right))]
        case _:
            return [expr]
