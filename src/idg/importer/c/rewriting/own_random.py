"""Renames functions that the file defines under the names of the library's random functions, and that do something of their own.

Programs define `random` for themselves, such as one that gives no negative number. What it is then is said by its body. One that
just gives any number keeps its name, by which it is read.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from idg.importer.c.text.spellings import RANDOM, unknown_of
from idg.importer.c.text.trees import walk


def with_own_random(tree: Any) -> None:
    """Gives such functions, with all that has their names, other names."""
    own = {
        node.decl.name
        for node in tree.ext
        if isinstance(node, c_ast.FuncDef) and node.decl.name in RANDOM and not gives_anything(node.body.block_items or [])
    }
    if not own:
        return
    nodes = list(walk(tree))
    taken = {node.name for node in nodes if isinstance(node, c_ast.ID | c_ast.Decl)}
    for name in sorted(own):
        fresh = next(fresh for number in range(1, len(taken) + 2) if (fresh := f"{name}{number}") not in taken)
        for node in nodes:
            if isinstance(node, c_ast.ID | c_ast.Decl) and node.name == name:
                node.name = fresh
            if isinstance(node, c_ast.TypeDecl) and node.declname == name:
                node.declname = fresh


def gives_anything(body: list[Any]) -> bool:
    """Whether the body just returns a variable without a value, or what another such function gives."""
    *before, last = body or [None]
    if not isinstance(last, c_ast.Return):
        return False
    if not before:
        call = last.expr
        is_call = isinstance(call, c_ast.FuncCall) and isinstance(call.name, c_ast.ID) and call.args is None
        return is_call and unknown_of(call.name.name) is not None
    [declaration, *more] = before
    uninitialised = isinstance(declaration, c_ast.Decl) and declaration.init is None and "static" not in declaration.storage
    return not more and uninitialised and isinstance(last.expr, c_ast.ID) and last.expr.name == declaration.name
