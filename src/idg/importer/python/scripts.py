"""Which function of a Python file is played, where the file does not simply have it: statements outside of functions, functions
inside of functions, and a function that calls itself. Works on Python's own tree."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from idg.importer.python.places import Refusal, line_of
from idg.importer.python.random_values import is_typed_number
from idg.importer.results import Note

SCRIPT = "main"
"""The name of the function that statements outside of functions become."""
LOOPS = (ast.While, ast.For)
DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def with_script(tree: ast.Module, wanted: str | None, notes: list[Note]) -> ast.Module:
    """The file with its statements outside of functions as a function, or without them.

    They are played where no function is named and they have the file's loops, or a loop and an assert. Statements that only try
    out the functions of the file are left out."""
    outside = [statement for statement in tree.body if not _is_kept(statement)]
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = {node.name for node in functions}
    for statement in tree.body if functions else ():
        for name in () if isinstance(statement, DEFINING) else _stored([statement]) & (names | set(dir(builtins))):
            what = "a function of the file" if name in names else "a name of Python itself"
            raise Refusal(statement, f"{name} is {what}, and something else is assigned to it here", "take another name")
    if not outside:
        return tree
    inside = [node for statement in outside for node in ast.walk(statement)]
    tried = any(isinstance(node, LOOPS) for function in functions for node in ast.walk(function))
    has_loop, has_assert = (any(isinstance(node, kinds) for node in inside) for kinds in (LOOPS, ast.Assert))
    changed = _changed(tree, inside)
    constants = [statement for statement in tree.body if _is_kept(statement) and not _sets(statement, changed)]
    if names and (wanted is not None or not (has_loop and (has_assert or not tried))):
        notes.append(Note(line_of(outside[0]), "what is done when the file is started as a program is left out"))
        tree.body = constants
        return tree
    read = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)} | changed
    body: list[ast.stmt] = []
    for statement in tree.body:
        if statement in outside or _sets(statement, read):
            body += statement.body if isinstance(statement, ast.If) and _is_start(statement) else [statement]
    inputs, body = ([], body) if names & {"int", "input", "print"} else _inputs(body)
    name = next(word for word in (SCRIPT, *(f"{SCRIPT}{number}" for number in range(2, 1_000))) if word not in names)
    arguments = ast.arguments([], inputs, None, [], [], None, [])
    script = ast.copy_location(ast.FunctionDef(name, arguments, body or [ast.Pass()], [], None, None), outside[0])
    notes.append(Note(line_of(outside[0]), f"the statements outside of functions are read as a function {name}"))
    if inputs:
        told = ", ".join(argument.arg for argument in inputs)
        notes.append(Note(line_of(inputs[0]), f"what is typed at the beginning is read as inputs: {told}"))
    tree.body = [*constants, script]
    return ast.fix_missing_locations(tree)


def _changed(tree: ast.Module, inside: Iterable[ast.AST]) -> set[str]:
    """The variables outside of functions that are no constants, because something else or something later is assigned to them."""
    counted = Counter(name for statement in tree.body for name in _set_by(statement) if _is_kept(statement))
    stored = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {name for name, count in counted.items() if count > 1}


def _is_kept(statement: ast.stmt) -> bool:
    """Whether it defines something, or is a text."""
    if isinstance(statement, DEFINING):
        return True
    match statement:
        case ast.Expr(ast.Constant()):
            return True
        case ast.Assign([ast.Name()], value) | ast.AnnAssign(ast.Name(), _, ast.expr() as value):
            return isinstance(value, ast.Constant) or (
                isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) and isinstance(value.operand, ast.Constant)
            )
    return False


def _is_start(statement: ast.stmt) -> bool:
    """`if __name__ == "__main__":`"""
    match statement:
        case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]), _, []):
            return True
    return False


def _set_by(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            return [name]
    return []


def _sets(statement: ast.stmt, names: Collection[str]) -> bool:
    return any(name in names for name in _set_by(statement))


def _inputs(body: Sequence[ast.stmt]) -> tuple[list[ast.arg], list[ast.stmt]]:
    """The variables that the statements begin with reading from whoever types, and the other statements."""
    inputs: dict[str, ast.arg] = {}
    kept: list[ast.stmt] = []
    for place, statement in enumerate(body):
        match statement:
            case ast.Assign([ast.Name(name)], value) if is_typed_number(value) and name not in inputs:
                if any(_sets(other, [name]) for other in kept):
                    return list(inputs.values()), [*kept, *body[place:]]
                inputs[name] = ast.copy_location(ast.arg(name, ast.Name("int", ast.Load())), statement)
            case ast.Expr(ast.Call(ast.Name("print"), arguments, [])) if all(isinstance(one, ast.Constant) for one in arguments):
                kept.append(statement)
            case ast.Assign([ast.Name()], ast.Constant()):
                kept.append(statement)
            case _:
                return list(inputs.values()), [*kept, *body[place:]]
    return list(inputs.values()), kept


def is_check(statement: ast.stmt) -> bool:
    """Whether this is an assert, or an if that raises an exception."""
    return isinstance(statement, ast.Assert) or (
        isinstance(statement, ast.If) and not statement.orelse and [type(inner) for inner in statement.body] == [ast.Raise]
    )


def with_outer_functions(tree: ast.Module) -> ast.Module:
    """Functions inside of functions stand outside, where they use nothing of the function around them and nobody else has a
    name like theirs."""
    taken = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} | set(dir(builtins))
    body: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            for inner in [one for one in statement.body if isinstance(one, ast.FunctionDef)]:
                own = {node.arg for node in ast.walk(statement.args) if isinstance(node, ast.arg)}
                own |= _stored(one for one in statement.body if one is not inner)
                elsewhere = {name for other in tree.body if other is not statement for name in _named(other)}
                if inner.name not in taken | elsewhere | own and not _used(inner) & own:
                    taken.add(inner.name)
                    statement.body.remove(inner)
                    body.append(inner)
            statement.body = statement.body or [ast.copy_location(ast.Pass(), statement)]
        body.append(statement)
    tree.body = body
    return tree


def _named(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _stored(statements: Iterable[ast.stmt]) -> set[str]:
    nodes = [node for statement in statements for node in ast.walk(statement)]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def _used(function: ast.FunctionDef) -> set[str]:
    """The names that the function reads and does not define itself."""
    own = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)} | _stored(function.body) | {function.name}
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return used - own - set(dir(builtins))


def calling(function: ast.FunctionDef, taken: Iterable[str], notes: list[Note]) -> ast.FunctionDef:
    """A function that calls this one, which calls itself, for all arguments that its first checks allow."""
    name = next(
        f"call_{function.name}{number}" for number in ["", *range(2, 1_000)] if f"call_{function.name}{number}" not in taken
    )
    checks: list[ast.stmt] = []
    for statement in function.body:
        if is_check(statement):
            checks.append(statement)
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            break
    given: list[ast.expr] = [ast.Name(argument.arg, ast.Load()) for argument in function.args.args]
    call = ast.Call(ast.Name(function.name, ast.Load()), given, [])
    made = ast.FunctionDef(name, function.args, [*checks, ast.Return(call)], [], function.returns, None)
    notes.append(Note(line_of(function), f"{function.name} calls itself, so {name} is played, which calls it"))
    return ast.fix_missing_locations(ast.copy_location(made, function))
