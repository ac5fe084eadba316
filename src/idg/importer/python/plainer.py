"""Writes a Python text more plainly before it is read, so that it means the same: `else` of loops, `enumerate`, generators over a
list, and what is returned besides numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from idg.importer.python.places import line_of
from idg.importer.results import Note

FOLDED = ("all", "any", "sum")
LISTS = ("list", "List", "tuple", "Tuple")


def plainer(tree: ast.Module) -> ast.Module:
    """The same text without what can be said more plainly. Names that it defines mean what it defines."""
    _Plainer(tree).visit(tree)
    return ast.fix_missing_locations(tree)


def without_result(function: ast.FunctionDef, notes: list[Note]) -> ast.FunctionDef:
    """The function without the list, or the several variables, that it returns at its end. Facts speak of them by their names."""
    returned = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    kind = function.returns.value if isinstance(function.returns, ast.Subscript) else function.returns
    is_list = isinstance(kind, ast.Name) and kind.id in LISTS
    if len(returned) != 1 or function.body[-1] is not returned[0] or not (is_list or kind is None):
        return function
    match returned[0].value:
        case ast.Name(name) if is_list:
            told = name
        case ast.Tuple([*parts]) if parts and all(isinstance(part, ast.Name) for part in parts):
            told = ast.unparse(returned[0].value).strip("()")
        case _:
            return function
    notes.append(Note(line_of(returned[0]), f"what {function.name} returns is no result here: facts speak of {told}"))
    function.body = [*function.body[:-1], ast.copy_location(ast.Pass(), returned[0])]
    function.returns = None
    return function


class _Plainer(ast.NodeTransformer):
    def __init__(self, tree: ast.Module) -> None:
        named = (node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.arg | ast.FunctionDef))
        self.taken = {_name(node) for node in named}
        self.defined = {_name(node) for node in ast.walk(tree) if _defines(node)}

    def fresh(self, name: str) -> str:
        number = 1
        while f"{name}{number}" in self.taken:
            number += 1
        self.taken.add(f"{name}{number}")
        return f"{name}{number}"

    def visit_While(self, node: ast.While) -> ast.AST | list[ast.stmt]:
        return self.loop(node)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        match node.target, node.iter:
            case ast.Tuple([ast.Name(), ast.Name() as element]), ast.Call(ast.Name("enumerate"), [ast.Name() as array], []) if (
                "enumerate" not in self.defined
            ):
                index = node.target.elts[0]
                assert isinstance(index, ast.Name)
                cell = ast.Subscript(array, ast.Name(index.id, ast.Load()), ast.Load())
                first = ast.Assign([element], cell)
                node.target, node.iter = index, _range_of(array)
                node.body = [ast.copy_location(first, node), *node.body]
        return self.loop(node)

    def loop(self, node: ast.While | ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if not node.orelse:
            return node
        otherwise, node.orelse = node.orelse, []
        if not any(_own_breaks(node.body)):
            return [node, *otherwise]
        name = self.fresh("left")
        node.body = _noting(node.body, name)
        before = ast.copy_location(_assign(name, False), node)
        test = ast.UnaryOp(ast.Not(), ast.Name(name, ast.Load()))
        return [before, node, ast.copy_location(ast.If(test, otherwise, []), otherwise[0])]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("sum"), [ast.Name() as array], []) if "sum" not in self.defined:
                index = self.fresh("k")
                node.args = [_over(_cell(array, index), index, array)]
            case ast.Call(
                ast.Name(word), [ast.GeneratorExp(body, [ast.comprehension(ast.Name(name), ast.Name() as array, [], 0)])], []
            ) if word in FOLDED and name != array.id:
                index = self.fresh("k")
                node.args = [_over(_Cells(name, array, index).visit(body), index, array)]
        return node


class _Cells(ast.NodeTransformer):
    """Writes the cell for the variable that goes through a list."""

    def __init__(self, name: str, array: ast.Name, index: str) -> None:
        self.name, self.array, self.index = name, array, index

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(_cell(self.array, self.index), node) if node.id == self.name else node


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else str(getattr(node, "arg", None) or getattr(node, "name", ""))


def _defines(node: ast.AST) -> bool:
    return isinstance(node, ast.arg | ast.FunctionDef) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def _cell(array: ast.Name, index: str) -> ast.Subscript:
    return ast.Subscript(ast.Name(array.id, ast.Load()), ast.Name(index, ast.Load()), ast.Load())


def _range_of(array: ast.Name) -> ast.Call:
    length = ast.Call(ast.Name("len", ast.Load()), [ast.Name(array.id, ast.Load())], [])
    return ast.Call(ast.Name("range", ast.Load()), [length], [])


def _over(body: ast.expr, index: str, array: ast.Name) -> ast.GeneratorExp:
    return ast.GeneratorExp(body, [ast.comprehension(ast.Name(index, ast.Store()), _range_of(array), [], 0)])


def _assign(name: str, value: bool) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value))


def _own_breaks(body: Sequence[ast.stmt]) -> Iterator[ast.Break]:
    """The breaks that leave the loop with this body."""
    for statement in body:
        if isinstance(statement, ast.Break):
            yield statement
        elif isinstance(statement, ast.If):
            yield from _own_breaks([*statement.body, *statement.orelse])


def _noting(body: Sequence[ast.stmt], name: str) -> list[ast.stmt]:
    """The body, in which each break is noted in a variable."""
    told: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.Break):
            told.append(ast.copy_location(_assign(name, True), statement))
        elif isinstance(statement, ast.If):
            statement.body = _noting(statement.body, name)
            statement.orelse = _noting(statement.orelse, name)
        told.append(statement)
    return told
