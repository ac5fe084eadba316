"""Parameters that are pointers to arrays: `int *a` and `int a[]` of the function that is read, and how many cells they have.

C does not say how long such an array is. By custom an integer beside it does: that is assumed, and told in a note. Where the
function does not use such an integer like a length, nothing is assumed, and the parameter is refused.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.rewriting.pointers import Pointee, is_pointer, written_as
from idg.importer.c.text.source import c_ast
from idg.importer.c.text.trees import ids, is_zero, walk

COMPARISONS = ("<", "<=", ">", ">=", "!=", "==")


def with_arrays(function: Any) -> None:
    """Writes pointers as arrays where a function uses them, in its parameters and in its body."""
    declared = function.decl.type.args
    used = {name.name for name in ids(function.body)}
    targets = {}
    for param in declared.params if declared else []:
        if not isinstance(param, c_ast.Decl) or param.name not in used or not is_pointer(param):
            continue
        targets[param.name] = Pointee(param.name, c_ast.Constant("int", "0", param.coord))
        if isinstance(param.type, c_ast.PtrDecl):
            quals = [word for word in param.type.quals if word == "restrict"]
            param.type = c_ast.ArrayDecl(param.type.type, None, quals, param.coord)
    function.body = written_as(function.body, targets)


def lengths(function: Any) -> dict[str, str]:
    """Arrays among the parameters whose declaration says nothing about their length → the parameter that tells it by custom."""
    declared = function.decl.type.args
    params = list(declared.params) if declared else []
    told: dict[str, str] = {}
    for place, param in enumerate(params):
        kind = getattr(param, "type", None)
        if not isinstance(kind, c_ast.ArrayDecl) or kind.dim is not None:
            continue
        after = [other for other in params[place + 1 :] if isinstance(getattr(other, "type", None), c_ast.TypeDecl)]
        before = [other for other in reversed(params[:place]) if isinstance(getattr(other, "type", None), c_ast.TypeDecl)]
        for candidate in (*after[:1], *before[:1]):
            if _is_length(candidate.name, function.body):
                told[param.name] = candidate.name
                break
    return told


def _is_length(name: str, body: Any) -> bool:
    """Whether a parameter is used like a length: it bounds a counter or gives one its first value, and is never like a cell."""
    bounds = False
    for part in walk(body):
        match part:
            case c_ast.BinaryOp(op=op, left=left, right=right) if op in COMPARISONS:
                for own, other in ((left, right), (right, left)):
                    if not _is_near(own, name):
                        continue
                    if any(isinstance(inner, c_ast.ArrayRef) for inner in walk(other)):
                        return False
                    bounds = bounds or not is_zero(other) or isinstance(own, c_ast.UnaryOp)
            case c_ast.Assignment(lvalue=c_ast.ArrayRef(), rvalue=value) if _is_near(value, name):
                return False
            case c_ast.Decl(init=value) | c_ast.Assignment(op="=", rvalue=value) if value is not None and _is_near(value, name):
                bounds = True
    return bounds


def _is_near(node: Any, name: str) -> bool:
    """Whether this is the variable, or the variable and a number."""
    match node:
        case c_ast.ID(name=other):
            return bool(other == name)
        case c_ast.BinaryOp(op="+" | "-", left=left, right=c_ast.Constant()):
            return _is_near(left, name)
        case c_ast.Cast(expr=inner):
            return _is_near(inner, name)
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--", expr=inner):
            return _is_near(inner, name)
    return False
