"""Comparisons that speak of whole lists or ranges: `x in a`, `a == sorted(b)`, `m == max(a)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from idg.importer.python.lists import array_of, cell_type
from idg.importer.python.places import Refusal
from idg.sip.syntax import Binary, Call, Compare, Expr, Index, Name, Quantified, Type
from idg.sip.trees.build import ONE, ZERO, compare
from idg.sip.trees.logic import conjoin, either, negate

if TYPE_CHECKING:
    from idg.importer.python.expressions import PythonExpressions

MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE,
}  # fmt: skip


def claim(node: ast.Compare, expressions: PythonExpressions) -> Expr | None:
    """What the comparison says; None where it is one of single values."""
    if len(node.ops) != 1:
        return None
    left, op, right = node.left, node.ops[0], node.comparators[0]
    if isinstance(op, ast.In | ast.NotIn):
        told = _contains(left, right, expressions)
        return told if isinstance(op, ast.In) else negate(told)
    if isinstance(op, ast.Eq | ast.NotEq):
        for one, other in ((left, right), (right, left)):
            same = _same_cells(one, other, expressions)
            if same is not None:
                return same if isinstance(op, ast.Eq) else negate(same)
    extreme = _extreme(right, expressions)
    if extreme is not None:
        return _compared_with_extreme(left, op, *extreme, expressions)
    extreme = _extreme(left, expressions)
    if extreme is not None and type(op) in MIRRORED:
        return _compared_with_extreme(right, MIRRORED[type(op)](), *extreme, expressions)
    return None


def _contains(value: ast.expr, container: ast.expr, expressions: PythonExpressions) -> Expr:
    called = (part.func for part in ast.walk(value) if isinstance(part, ast.Call))
    if any(not isinstance(function, ast.Name) or not expressions.is_own(function.id) for function in called):
        raise Refusal(value, "a call stands before `in`", "assign its value to a variable first")
    match container:
        case ast.Name() if expressions.is_list(container):
            return _of_cells("exists", container, "=", _comparable(value, container, expressions), expressions)
        case ast.Tuple([*parts]) | ast.List([*parts]) | ast.Set([*parts]) if parts:
            told = [expressions.read(ast.copy_location(ast.Compare(value, [ast.Eq()], [part]), value)).expr for part in parts]
            joined = told[0]
            for other in told[1:]:
                joined = either(joined, other)
            return joined
        case ast.Call(ast.Name("range"), [*limits], []) if 1 <= len(limits) <= 2 and expressions.is_own("range"):
            low, end = (limits[0], limits[1]) if len(limits) == 2 else (ast.copy_location(ast.Constant(0), value), limits[0])
            first, last = (expressions.whole(limit, "range needs an int") for limit in (low, end))
            return Compare((first, expressions.whole(value, "a range has ints"), last), ("<=", "<"))
    raise Refusal(
        container, "`in` is read only of a list, a range, or values that stand there", "x in a, x in range(n), x in (1, 2)"
    )


def _of_cells(word: str, array: ast.expr, sign: str, value: Expr, expressions: PythonExpressions) -> Expr:
    """That all or some cells compare so with the value."""
    named = array_of(array, expressions)
    bound = Name(expressions.fresh("k"))
    last = Binary("-", Call("len", (named,)), ONE)
    return Quantified(word, bound, ZERO, last, compare(Index(named, bound), sign, value))


def _comparable(value: ast.expr, array: ast.expr, expressions: PythonExpressions) -> Expr:
    term, cell = expressions.read(value), cell_type(array, expressions)
    if (term.type is Type.BOOL) != (cell is Type.BOOL):
        raise Refusal(value, f"the list has cells of the type {cell}, and this is none")
    return term.expr


def _called_with_list(node: ast.expr, words: tuple[str, ...], expressions: PythonExpressions) -> tuple[str, ast.Name] | None:
    match node:
        case ast.Call(ast.Name(word), [ast.Name() as array], []) if (
            word in words and expressions.is_own(word) and expressions.is_list(array)
        ):
            return word, array
    return None


def _same_cells(one: ast.expr, other: ast.expr, expressions: PythonExpressions) -> Expr | None:
    """`a == sorted(b)`, and `sorted(a) == sorted(b)`, which says that one is a permutation of the other."""
    second = _called_with_list(other, ("sorted",), expressions)
    if second is None:
        return None
    ordered, first = array_of(second[1], expressions), _called_with_list(one, ("sorted",), expressions)
    if cell_type(second[1], expressions) is Type.BOOL:
        raise Refusal(other, "truth values are not sorted here")
    if first is not None:
        return Call("permutation", (array_of(first[1], expressions), ordered))
    if not expressions.is_list(one):
        return None
    array = array_of(one, expressions)
    rising = Call("sorted", (array, ZERO, Binary("-", Call("len", (array,)), ONE)))
    return rising if array == ordered else conjoin([rising, Call("permutation", (array, ordered))])


def _extreme(node: ast.expr, expressions: PythonExpressions) -> tuple[str, ast.Name] | None:
    """`max(a)` or `min(a)` of a list."""
    return _called_with_list(node, ("max", "min"), expressions)


def _compared_with_extreme(value: ast.expr, op: ast.cmpop, word: str, array: ast.Name, expressions: PythonExpressions) -> Expr:
    """`m >= max(a)`, for example. Python needs a cell for that, so the first one is read, too."""
    beyond = {"max": {ast.GtE: "<=", ast.Gt: "<"}, "min": {ast.LtE: ">=", ast.Lt: ">"}}[word]
    bound = _comparable(value, array, expressions)
    if type(op) in beyond:
        told = _of_cells("forall", array, beyond[type(op)], bound, expressions)
        first_sign = beyond[type(op)]
    elif isinstance(op, ast.Eq):
        first_sign = "<=" if word == "max" else ">="
        parts = [_of_cells(kind, array, sign, bound, expressions) for kind, sign in (("forall", first_sign), ("exists", "="))]
        told = conjoin(parts)
    else:
        raise Refusal(value, f"{word} of a list is read only in `m == {word}(a)` and where it bounds all cells", _loop_hint(word))
    return conjoin([compare(Index(array_of(array, expressions), ZERO), first_sign, bound), told])


def _loop_hint(word: str) -> str:
    return f"find the {'largest' if word == 'max' else 'smallest'} cell by a loop"
