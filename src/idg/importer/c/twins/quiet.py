"""Copies of functions that get no traces, for calls where C leaves open what comes first.

In `f(x) + g(y)` a compiler may run either function first, and in `f(x) + unknown()` it may choose before or after it. The reading
has one order. So that traces have the same order in both, such calls are calls of copies without traces; so are those in functions
that call themselves, which are functions of SIP and print nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from idg.importer.c.callers import called
from idg.importer.c.rewriting.inputs import FROM_TEXT
from idg.importer.c.text.source import c_ast
from idg.importer.c.text.spellings import unknown_of
from idg.importer.c.text.trees import calls, walk


def with_quiet_calls(tree: Any, loud: list[Any], recursive: list[Any], written: set[str]) -> list[str]:
    """Adds the copies to the file and calls them. `loud` are functions that get traces, `recursive` those that call themselves,
    `written` the names of those whose calls are written out where they stand. The names of the copies are returned."""
    taken = {part.name for part in walk(tree) if isinstance(part, c_ast.ID | c_ast.Decl | c_ast.Typedef)}
    names: dict[str, str] = {}
    waiting = [call for function in loud for expression in _expressions(function.body) for call in _open(expression, written)]
    waiting += _of_written(recursive, written)
    definitions = {node.decl.name: node for node in tree.ext if isinstance(node, c_ast.FuncDef)}
    while waiting:
        call = waiting.pop(0)
        name = called(call)
        if name not in names:
            names[name] = _fresh(f"{name}_quiet", taken)
            copy = _named(deepcopy(definitions[name]), names[name])
            tree.ext.append(copy)
            waiting += _of_written([copy], written)
        call.name = c_ast.ID(names[name], call.name.coord)
    return list(names.values())


def _of_written(functions: list[Any], written: set[str]) -> list[Any]:
    return [call for function in functions for call in calls(function.body) if called(call) in written]


def _fresh(base: str, taken: set[str]) -> str:
    number, name = 1, base
    while name in taken:
        number += 1
        name = f"{base}{number}"
    taken.add(name)
    return name


def _named(definition: Any, name: str) -> Any:
    definition.decl.name = name
    kind = definition.decl.type
    while not isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    kind.declname = name
    return definition


def _open(expression: Any, written: set[str]) -> list[Any]:
    """The calls in an expression whose order, among themselves or among choices, C may leave open."""
    parts = list(calls(expression))
    inside = [call for call in parts if called(call) in written]
    choices = sum(unknown_of(called(call)) is not None or called(call) in FROM_TEXT for call in parts)
    return inside if len(inside) + choices > 1 else []


def _expressions(node: Any) -> Iterator[Any]:
    """The expressions of a statement that are parts of no other expression."""
    match node:
        case None | c_ast.EmptyStatement() | c_ast.Pragma():
            return
        case c_ast.Compound():
            inner = node.block_items or []
        case c_ast.If():
            inner = [node.cond, node.iftrue, node.iffalse]
        case c_ast.For():
            inner = [node.init, node.cond, node.next, node.stmt]
        case c_ast.While() | c_ast.DoWhile() | c_ast.Switch():
            inner = [node.cond, node.stmt]
        case c_ast.Case() | c_ast.Default():
            inner = node.stmts or []
        case c_ast.Label():
            inner = [node.stmt]
        case c_ast.DeclList():
            inner = node.decls
        case c_ast.Return():
            inner = [node.expr]
        case c_ast.Decl():
            inner = [node.init]
        case _:
            yield node
            return
    for part in inner:
        yield from _expressions(part)
