"""Functions that are read by their names, such as __VERIFIER_assert: what the file says about them must agree with the name."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from idg.importer.c.rewriting.exits import items_of
from idg.importer.c.rewriting.own_random import gives_anything
from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.spellings import (
    ASSERT,
    ASSUME,
    EMPTY_BY_CUSTOM,
    ERROR,
    ERROR_LABEL,
    LOUD,
    SILENT,
    STOP,
    ValueRange,
    unknown_of,
)
from idg.importer.c.text.trees import is_zero

if TYPE_CHECKING:
    from idg.importer.c.expressions import Expressions

HINTS = {
    "scanf": 'write scanf("%d", &n); as a statement of its own: what it returns is not read',
    "memset": "set the cells by a loop",
    "memcpy": "copy the cells by a loop",
}
"""What to write instead of functions of the standard library."""
AGREE = "take the function out of the file, or give it another name"


def check_known(definition: Any) -> str:
    """Refuses a definition whose body does something else than its name says. The text is a note, or empty."""
    name = definition.decl.name
    body = [item for item in items_of(definition.body) if not isinstance(item, c_ast.Return) or item.expr is not None]
    params = _params(definition)
    if name in ASSERT or name in ASSUME:
        if not body and name in EMPTY_BY_CUSTOM:
            what = "an obligation" if name in ASSERT else "taken for granted"
            return f"{name} has an empty body: as its suite means it, what it is called with is {what}, though C does not check it"
        good = len(body) == 1 and len(params) == 1 and _stops_unless(body[0], params[0], name in ASSERT)
    elif name in ERROR:
        good = not body or _is_error(body[0]) or _stops(body[0])
    elif name in STOP:
        good = False
    elif unknown_of(name) is not None:
        good = gives_anything(body)
    else:
        assert SILENT.fullmatch(name)
        good = not body
    if not good:
        raise refuse(definition.decl, f"'{name}' is read by its name, but its body does something else", AGREE)
    return f"{name}: read by the name, not by the body"


def hint_for(name: str, defined: Collection[str]) -> str:
    """What to write instead of a call that is not read."""
    if name in HINTS:
        return HINTS[name]
    if name in defined:
        return "write the function's body in its place"
    return "define the function in the file, or call __VERIFIER_nondet_int() where any number may come"


def given_elsewhere(reader: Expressions, node: Any) -> ValueRange | None:
    """The values that a call of a function of another file may give; None where it might do more: its name speaks of an end of the
    run, or there is a variable of this file that it might change."""
    name = node.name.name
    declared = reader.functions.get(name)
    if declared is None or name in reader.defined or LOUD.search(name):
        return None
    if any(variable.origin == "global" for variable in reader.scopes.variables.values()):
        return None
    reader.note(node, f"{name} is not defined in the file: each call may give any value of its type", once=name)
    return ValueRange(declared)


def check_parameter(declaration: Any) -> None:
    """Refuses an assert or assume whose parameter is narrower than int, because C would reduce the condition to its width."""
    declared = declaration.type.args
    for param in declared.params[:1] if declared else []:
        named = getattr(getattr(param, "type", None), "type", None)
        words = set(named.names) if isinstance(named, c_ast.IdentifierType) else {"?"}
        if not words <= {"int", "unsigned", "signed", "long", "_Bool", "bool", "void"}:
            raise refuse(declaration, f"the parameter of '{declaration.name}' must be an int", AGREE)


def _params(definition: Any) -> list[str]:
    declared = definition.decl.type.args
    return [param.name for param in (declared.params if declared else []) if getattr(param, "name", None)]


def _called(node: Any) -> str:
    return node.name.name if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) else ""


def _is_error(node: Any) -> bool:
    """Whether the statement reports an error: a call of reach_error() or assert(0), or a label such as ERROR."""
    if isinstance(node, c_ast.Label):
        inner = items_of(node.stmt)
        return ERROR_LABEL.fullmatch(node.name) is not None or (bool(inner) and _is_error(inner[0]))
    name = _called(node)
    if name in ERROR:
        return True
    return name in ASSERT and node.args is not None and is_zero(node.args.exprs[0])


def _stops(node: Any) -> bool:
    """Whether the run ends here, or stays here for ever."""
    if _called(node) in STOP:
        return True
    if isinstance(node, c_ast.Label):
        inner = items_of(node.stmt)
        return bool(inner) and isinstance(inner[0], c_ast.Goto) and inner[0].name == node.name
    if isinstance(node, c_ast.While):
        return isinstance(node.cond, c_ast.Constant) and not is_zero(node.cond) and not items_of(node.stmt)
    return isinstance(node, c_ast.For) and node.cond is None and not items_of(node.stmt)


def _stops_unless(node: Any, param: str, error: bool) -> bool:
    """Whether the statement is `if (!param) stop`, where an error must be reported for an assert."""
    if not isinstance(node, c_ast.If) or node.iffalse is not None:
        return False
    test = node.cond
    negated = isinstance(test, c_ast.UnaryOp) and test.op == "!" and isinstance(test.expr, c_ast.ID) and test.expr.name == param
    compared = (
        isinstance(test, c_ast.BinaryOp)
        and test.op == "=="
        and isinstance(test.left, c_ast.ID)
        and test.left.name == param
        and is_zero(test.right)
    )
    body = items_of(node.iftrue)
    if not (negated or compared) or not body:
        return False
    return _is_error(body[0]) if error else _stops(body[0]) and not _is_error(body[0])
