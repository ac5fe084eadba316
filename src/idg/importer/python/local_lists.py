"""Lists that a Python function makes itself: a literal, `[0] * n`, and copies of other lists.

Such a list is an array of SIP. Its name is assigned once, outside of loops and branches, so that it means one list all the time,
and nothing makes it longer or shorter.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from idg.importer.python.expressions import PythonExpressions
from idg.importer.python.lists import array_of, cell_type, list_type
from idg.importer.python.places import Refusal
from idg.sip.record import Record
from idg.sip.syntax import (
    Assign,
    Assume,
    Binary,
    Block,
    Boolean,
    Call,
    Expr,
    Index,
    Name,
    Number,
    Quantified,
    SetCell,
    Stmt,
    Type,
    Unary,
    Var,
    While,
)
from idg.sip.trees.build import ONE, ZERO, compare, whole_literal

CELLS_SET_MAX = 8
"""Cells of a `[v] * 5` that are set one by one; longer lists are filled by a loop, or assumed to be zero."""
LONGER = ("append", "extend", "insert", "pop", "remove", "clear")
"""Methods that change how long a list is."""


class MadeList(Record):
    """What makes a list: its cells, or a value for each of `length` cells, or a copy of another list."""

    cell: Type
    length: Expr
    cells: tuple[Expr, ...] = ()
    value: Expr | None = None
    copied: Name | None = None


def made_list(node: ast.expr, expressions: PythonExpressions) -> MadeList | None:
    """What the expression makes; None where it makes no list."""
    match node:
        case ast.List(parts):
            if not parts:
                raise Refusal(node, "an empty list would never get cells here", "make it as long as it gets: [0] * n")
            terms = [expressions.read(part) for part in parts]
            kinds = {term.type for term in terms}
            if Type.BOOL in kinds and len(kinds) > 1:
                raise Refusal(node, "the list has truth values and numbers")
            kind = Type.RAT if Type.RAT in kinds else kinds.pop()
            return MadeList(kind, Number(len(terms)), tuple(term.expr for term in terms))
        case ast.BinOp(ast.List([value]), ast.Mult(), count) | ast.BinOp(count, ast.Mult(), ast.List([value])):
            term = expressions.read(value)
            length = expressions.whole(count, "the number of cells must be an int")
            count_known = whole_literal(length)
            cells = (term.expr,) * count_known if count_known is not None and count_known <= CELLS_SET_MAX else ()
            if count_known is None or count_known < 0:
                length = Call("max", (length, ZERO))  # [0] * n is empty where n is negative.
            return MadeList(term.type, length, cells, None if cells else term.expr)
        case ast.Call(ast.Name("list"), [source], []) if "list" not in {*expressions.functions, *expressions.spelled}:
            return _copy(source, expressions)
        case ast.Call(ast.Attribute(ast.Name() as source, "copy"), [], []) | ast.Subscript(source, ast.Slice(None, None, None)):
            return _copy(source, expressions)
    return None


def _copy(source: ast.expr, expressions: PythonExpressions) -> MadeList:
    array = array_of(source, expressions)
    return MadeList(cell_type(source, expressions), Call("len", (array,)), copied=array)


def made_type(node: ast.expr, expressions: PythonExpressions) -> Type | None:
    made = made_list(node, expressions)
    return None if made is None else list_type(made.cell)


def statements_of(made: MadeList, name: str, kind: Type, fresh: Callable[[str, Type], str], bound: str) -> list[Stmt]:
    """The statements that declare the list and set its cells; `bound` is a name over which a quantifier may range."""
    array = Name(name)
    first: list[Stmt] = [Var((array,), kind, None, length=made.length)]
    if made.copied is not None:
        return [*first, Assign(array, made.copied)]
    if made.value is None:
        return [*first, *(SetCell(array, Number(place), cell) for place, cell in enumerate(made.cells))]
    last = Binary("-", Call("len", (array,)), ONE)
    if made.value in (ZERO, Boolean(False)):
        cell = Index(array, Name(bound))
        zero = Unary("!", cell) if kind.element is Type.BOOL else compare(cell, "=", ZERO)
        return [*first, Assume(Quantified("forall", Name(bound), ZERO, last, zero))]
    held, counter = fresh(f"{name}_value", made.cell), fresh(f"{name}_at", Type.INT)
    turn = (SetCell(array, Name(counter), Name(held)), Assign(Name(counter), Binary("+", Name(counter), ONE)))
    loop = While(None, compare(Name(counter), "<", Call("len", (array,))), Block(turn))
    return [*first, Assign(Name(held), made.value), Assign(Name(counter), ZERO), loop]
