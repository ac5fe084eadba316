"""Lists of a Python function: cells, lengths, and what is said of all numbers of a range.

A list is an array of SIP. It is a parameter or made by the function (local_lists.py), and only its cells change, never its length.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from idg.importer.python.places import Refusal
from idg.sip.syntax import ARRAYS_OF, Binary, Call, Expr, Index, Name, Number, Quantified, SetCell, Stmt, Swap, Type
from idg.sip.trees.build import ONE

if TYPE_CHECKING:
    from idg.importer.python.expressions import PythonExpressions, TypedTerm

WORDS = {"all": "forall", "any": "exists", "sum": "sum"}
"""What Python says of the values of a generator → what SIP says of the numbers of a range."""
ONLY_CELLS = "a list is read only by its cells and its length"
LISTS_OF = {f"{word}[{kind}]": kind for word in ("list", "List", "typing.List") for kind in ("int", "bool", "Fraction")}
"""The types of lists that are read, by their names, and the types of their cells."""


def list_type(cell: Type) -> Type:
    return ARRAYS_OF[cell]


def array_of(node: ast.expr, expressions: PythonExpressions) -> Name:
    """The list that stands there by its name."""
    from idg.importer.python.expressions import NotTyped

    kind = expressions.types.get(node.id) if isinstance(node, ast.Name) else None
    if isinstance(node, ast.Name) and kind is None and node.id in expressions.types:
        raise NotTyped
    if not isinstance(node, ast.Name) or kind is None or kind.element is None:
        raise Refusal(node, "only cells of lists that are parameters or variables are read")
    return Name(expressions.spelled[node.id])


def cell_type(node: ast.expr, expressions: PythonExpressions) -> Type:
    array_of(node, expressions)
    assert isinstance(node, ast.Name)
    kind = expressions.types[node.id]
    assert kind is not None
    assert kind.element is not None
    return kind.element


def index_of(node: ast.Subscript, expressions: PythonExpressions) -> Expr:
    """The index, counted from the start. A literal that counts from the end, as in a[-1], is written with the length."""
    array = array_of(node.value, expressions)
    match node.slice:
        case ast.Slice():
            raise Refusal(node, "a slice is not read", "read its cells one by one")
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as back)) if not isinstance(back, bool) and back > 0:
            return Binary("-", Call("len", (array,)), Number(back))
    return expressions.whole(node.slice, "an index must be an int")


def cell(node: ast.Subscript, expressions: PythonExpressions) -> tuple[Expr, Type]:
    return Index(array_of(node.value, expressions), index_of(node, expressions)), cell_type(node.value, expressions)


def set_cell(target: ast.Subscript, value: ast.expr, expressions: PythonExpressions) -> Stmt:
    """`a[i] = e`."""
    kind, term = cell_type(target.value, expressions), expressions.read(value)
    if (kind is Type.BOOL) != (term.type is Type.BOOL) or (kind is Type.INT and term.type is not Type.INT):
        raise Refusal(value, f"the list has cells of the type {kind}, and this is none")
    return SetCell(array_of(target.value, expressions), index_of(target, expressions), term.expr)


def exchanged(target: ast.expr, value: ast.expr, expressions: PythonExpressions) -> Stmt | None:
    """`a[i], a[j] = a[j], a[i]`, where neither i nor j reads a cell; None for other assignments."""
    match target, value:
        case ast.Tuple([ast.Subscript() as first, ast.Subscript() as second]), ast.Tuple([ast.expr() as left, ast.expr() as right]):
            same = (ast.unparse(left), ast.unparse(right)) == (ast.unparse(second), ast.unparse(first))
            plain = not any(isinstance(part, ast.Subscript | ast.Call) for side in (first, second) for part in ast.walk(side.slice))
            array = array_of(first.value, expressions)
            if same and plain and array == array_of(second.value, expressions):
                return Swap(array, index_of(first, expressions), index_of(second, expressions))
    return None


def of_range(node: ast.Call, word: str, expressions: PythonExpressions, fresh: Callable[[str], str]) -> TypedTerm:
    """`all(E for k in range(x, y))`, or any or sum: every instance must have a value in SIP, also after one that decides."""
    from idg.importer.python.expressions import TypedTerm

    # A list has the same values, and all of them are computed, as here.
    given = [ast.GeneratorExp(part.elt, part.generators) if isinstance(part, ast.ListComp) else part for part in node.args]
    match given:
        case [ast.GeneratorExp(body, [ast.comprehension(ast.Name(name), ast.Call(ast.Name("range"), limits, []), tests, 0)])] if (
            len(tests) <= 1
        ):
            pass
        case _:
            shown = "a[k]" if word == "sum" else "a[k] > 0"
            raise Refusal(node, f"{word}() is read only of a generator over a range", f"{word}({shown} for k in range(len(a)))")
    if not 1 <= len(limits) <= 2 or "range" in expressions.functions or "range" in expressions.spelled:
        raise Refusal(node, "this range is not read here", "range(n) and range(m, n) are")
    bounds = [expressions.whole(limit, "range needs an int") for limit in limits]
    low, end = bounds if len(bounds) == 2 else (Number(0), bounds[0])
    if name in expressions.spelled:
        raise Refusal(node, f"{name} is a variable of the function, too", "give it another name in the generator")
    expressions.spelled[name], expressions.types[name] = fresh(name), Type.INT
    variable = Name(expressions.spelled[name])
    try:
        said, term = _of_each(word, body, tests, expressions)
    finally:
        del expressions.spelled[name], expressions.types[name]
    return TypedTerm(Quantified(said, variable, low, Binary("-", end, ONE), term.expr), term.type)


def _of_each(word: str, body: ast.expr, tests: list[ast.expr], expressions: PythonExpressions) -> tuple[str, TypedTerm]:
    """What SIP says of each number of the range, and its word: `sum(1 for … if E)` counts."""
    from idg.importer.python.expressions import TypedTerm

    if word != "sum":
        told = expressions.truth(body)
        for test in tests:
            told = Binary("->" if word == "all" else "&", expressions.truth(test), told)
        return WORDS[word], TypedTerm(told, Type.BOOL)
    if not tests:
        return "sum", expressions.number(body)
    if not isinstance(body, ast.Constant) or body.value != 1:
        raise Refusal(body, "with `if`, sum() is read only where it counts", "sum(1 for k in range(n) if …)")
    return "count", TypedTerm(expressions.truth(tests[0]), Type.INT)
