"""Writes a Python text more plainly before it is read, so that it means the same: `else` of loops, `enumerate`, `zip`, `reversed`,
parts of lists, generators over a list, `match`, assignments in tests, and what is returned besides numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeGuard

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

    def unused(self, name: str) -> str:
        """The name itself, where the text has none like it."""
        if name in self.taken:
            return self.fresh(name)
        self.taken.add(name)
        return name

    def fresh(self, name: str) -> str:
        number = 1
        while f"{name}{number}" in self.taken:
            number += 1
        self.taken.add(f"{name}{number}")
        return f"{name}{number}"

    def visit_While(self, node: ast.While) -> ast.AST | list[ast.stmt]:
        assigned, test = (None, node.test) if node.orelse else _assigned_first(node.test)
        if assigned is not None:
            leaving = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], [])
            node.body = [assigned, ast.copy_location(leaving, node), *node.body]
            node.test = ast.copy_location(ast.Constant(True), node.test)
        return self.loop(node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        assigned, node.test = _assigned_first(node.test)
        self.generic_visit(node)
        return node if assigned is None else [assigned, node]

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        if not self.defined & {"enumerate", "zip", "reversed", "range", "len", "min"}:
            stored = {ast.unparse(part.value) for part in ast.walk(node) if _is_stored_cell(part)}
            counted = _counted(node.target, node.iter, stored, self.unused)
            if counted is not None:
                node.target, node.iter, first = counted
                node.body = [*(ast.copy_location(one, node) for one in first), *node.body]
        return self.loop(node)

    def visit_Match(self, node: ast.Match) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if not isinstance(node.subject, ast.Name):
            return node
        tests = [_case_test(node.subject, case) for case in node.cases]
        if any(test is None for test in tests):
            return node
        told: list[ast.stmt] = []
        for test, case in reversed(list(zip(tests, node.cases, strict=True))):
            assert test is not None
            is_all = isinstance(test, ast.Constant)
            told = case.body if is_all else [ast.copy_location(ast.If(test, case.body, told), case.body[0])]
        return told

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """`a, b = map(int, input().split())`: numbers that are typed."""
        match node.targets, node.value:
            case [ast.Tuple([*targets])], ast.Call(
                ast.Name("map"), [ast.Name("int"), ast.Call(ast.Attribute(ast.Call(ast.Name("input"), _, []), "split"), [], [])], []
            ) if not self.defined & {"map", "int", "input"} and all(isinstance(target, ast.Name) for target in targets):
                read = ast.Call(ast.Name("int", ast.Load()), [ast.Call(ast.Name("input", ast.Load()), [], [])], [])
                return [ast.copy_location(ast.Assign([target], read), node) for target in targets]
        self.generic_visit(node)
        return node

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
                ast.Name(word),
                [
                    ast.GeneratorExp(body, [ast.comprehension(ast.Name(name), ast.Name() as array, tests, 0)])
                    | ast.ListComp(body, [ast.comprehension(ast.Name(name), ast.Name() as array, tests, 0)])
                ],
                [],
            ) if word in FOLDED and name != array.id:
                index = self.fresh("k")
                cells = _Cells(name, array, index)
                node.args = [_over(cells.visit(body), index, array, [cells.visit(test) for test in tests])]
            case ast.Call(ast.Attribute(ast.Name() as array, "count"), [ast.Name() | ast.Constant() as value], []):
                index = self.fresh("k")
                equal = ast.Compare(_cell(array, index), [ast.Eq()], [value])
                return ast.copy_location(_call("sum", _over(ast.Constant(1), index, array, [equal])), node)
        return node


def _counted(
    target: ast.expr, source: ast.expr, stored: Collection[str], unused: Callable[[str], str]
) -> tuple[ast.Name, ast.expr, list[ast.stmt]] | None:
    """A loop through something as a loop through numbers: the counter, its range, and what each turn begins with. `stored`: the
    lists whose cells change meanwhile."""
    match target, source:
        case ast.Tuple([ast.Name() as index, ast.Name() as element]), ast.Call(ast.Name("enumerate"), [ast.Name() as array], []):
            return index, _range_of(array), [_set(element, _cell(array, index.id))]
        case ast.Tuple([ast.Name() as one, ast.Name() as other]), ast.Call(
            ast.Name("zip"), [ast.Name() as first, ast.Name() as second], []
        ):
            counter = ast.Name(unused(f"{one.id}_at"), ast.Store())
            shorter = _call("min", _length(first), _length(second))
            begin: list[ast.stmt] = [_set(one, _cell(first, counter.id)), _set(other, _cell(second, counter.id))]
            return counter, _call("range", shorter), begin
        case ast.Name(), ast.Call(ast.Name("reversed"), [ast.Name() as array], []):
            counter = ast.Name(unused(f"{target.id}_at"), ast.Store())
            return counter, _downwards(ast.Constant(0), _length(array)), [_set(target, _cell(array, counter.id))]
        case ast.Name(), ast.Call(ast.Name("reversed"), [ast.Call(ast.Name("range"), [*limits], [])], []) if 1 <= len(limits) <= 2:
            return target, _downwards(limits[0] if len(limits) == 2 else ast.Constant(0), limits[-1]), []
        case ast.Name(), ast.Subscript(ast.Name() as array, ast.Slice(low, high, None)) if array.id not in stored:
            # Python makes a list of its own of these cells; they do not change meanwhile.
            part = _limits(array, low, high)
            if part is not None:
                counter = ast.Name(unused(f"{target.id}_at"), ast.Store())
                return counter, _call("range", *part), [_set(target, _cell(array, counter.id))]
    return None


def _limits(array: ast.Name, low: ast.expr | None, high: ast.expr | None) -> tuple[ast.expr, ast.expr] | None:
    """The first number and the end of `a[1:]`, `a[:-1]` or `a[1:-1]`. Where the list is shorter, neither has cells."""
    first = 0 if low is None else _whole(low)
    back = 0 if high is None else _whole(high)
    if first is None or first < 0 or back is None or back > 0 or (high is not None and back == 0):
        return None
    length = _length(array)
    return ast.Constant(first), ast.BinOp(length, ast.Sub(), ast.Constant(-back)) if back else length


def _whole(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(int() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)) if not isinstance(value, bool):
            return -value
    return None


def _assigned_first(test: ast.expr) -> tuple[ast.Assign | None, ast.expr]:
    """The assignment `(n := e)` with which a test begins, and the test with n in its place."""
    match test:
        case ast.NamedExpr(target, value):
            name = ast.copy_location(ast.Name(target.id, ast.Load()), test)
            return ast.copy_location(ast.Assign([target], value), test), name
        case ast.Compare(ast.NamedExpr()):
            assigned, test.left = _assigned_first(test.left)
            return assigned, test
        case ast.UnaryOp(ast.Not()):
            assigned, test.operand = _assigned_first(test.operand)
            return assigned, test
    return None, test


def _case_test(subject: ast.Name, case: ast.match_case) -> ast.expr | None:
    """What must hold so that the case is taken: of a value that stands there, of some of them, or `_`."""

    def holds(pattern: ast.pattern) -> ast.expr | None:
        match pattern:
            case ast.MatchValue(value) if _whole(value) is not None:
                return ast.copy_location(ast.Compare(ast.Name(subject.id, ast.Load()), [ast.Eq()], [value]), value)
            case ast.MatchOr(parts):
                told = [holds(part) for part in parts]
                known = [one for one in told if one is not None]
                return ast.BoolOp(ast.Or(), known) if len(known) == len(told) else None
            case ast.MatchAs(None, None):
                return ast.Constant(True)
        return None

    test = holds(case.pattern)
    if test is None or case.guard is None:
        return test
    return case.guard if isinstance(test, ast.Constant) else ast.BoolOp(ast.And(), [test, case.guard])


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


def _is_stored_cell(node: ast.AST) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)


def _set(name: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign([name], value)


def _call(word: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(word, ast.Load()), list(arguments), [])


def _length(array: ast.Name) -> ast.Call:
    return _call("len", ast.Name(array.id, ast.Load()))


def _range_of(array: ast.Name) -> ast.Call:
    return _call("range", _length(array))


def _downwards(low: ast.expr, end: ast.expr) -> ast.Call:
    """The range from the number before `end` down to `low`."""
    one, back = ast.Constant(1), ast.UnaryOp(ast.USub(), ast.Constant(1))
    return _call("range", ast.BinOp(end, ast.Sub(), one), ast.BinOp(low, ast.Sub(), one), back)


def _over(body: ast.expr, index: str, array: ast.Name, tests: Sequence[ast.expr] = ()) -> ast.GeneratorExp:
    return ast.GeneratorExp(body, [ast.comprehension(ast.Name(index, ast.Store()), _range_of(array), list(tests), 0)])


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
