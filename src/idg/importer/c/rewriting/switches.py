"""Reads switch: it becomes a chain of if and else.

A case that does not end by a break, a return or the like goes on with the statements of the next one, which are repeated then.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pycparser import c_ast

from idg.importer.c.text.places import refuse
from idg.importer.c.text.trees import calls, effects, ids, numbered, walk

LEAVING = (c_ast.Break, c_ast.Continue, c_ast.Return, c_ast.Goto)
INNER = (c_ast.While, c_ast.For, c_ast.DoWhile)
"""Statements in which a break is their own."""
PLAIN_LABEL_MAX = 2**31 - 1
"""The largest number that a case may have: C reduces larger ones where an int is switched on."""
REPEATED_NODES_MAX = 2_000
"""How many parts of the tree one switch may repeat for cases that go on with the next one."""


def without_switches(tree: Any) -> None:
    """Puts if and else in place of every switch of the file, inner ones first."""
    taken = {node.name for node in ids(tree)} | {node.name for node in walk(tree) if isinstance(node, c_ast.Decl)}
    _replace(tree, taken)


def _replace(node: Any, taken: set[str]) -> None:
    for name, child in node.children():
        _replace(child, taken)
        if isinstance(child, c_ast.Switch):
            _put(node, name, _chain(child, taken))


def _put(parent: Any, name: str, new: Any) -> None:
    """The parser names the children of a list by the list and their place in it: block_items[3]."""
    field, _, index = name.partition("[")
    if index:
        getattr(parent, field)[int(index.rstrip("]"))] = new
    else:
        setattr(parent, field, new)


def _chain(switch: Any, taken: set[str]) -> Any:
    groups = _groups(switch)
    test, before = switch.cond, []
    if any(effects(test)) or any(calls(test)):
        held = numbered("switched", taken)
        kind = c_ast.TypeDecl(held, [], None, c_ast.IdentifierType(["long"], test.coord), test.coord)
        before = [c_ast.Decl(held, [], [], [], [], kind, test, None, switch.coord)]
        test = c_ast.ID(held, test.coord)
    chain = None
    for labels, body in reversed([group for group in groups if None not in group[0]]):
        condition: Any = None
        for label in labels:
            _check_label(label)
            same = c_ast.BinaryOp("==", deepcopy(test), label, label.coord)
            condition = same if condition is None else c_ast.BinaryOp("||", condition, same, label.coord)
        otherwise = _otherwise(groups, switch) if chain is None else chain
        chain = c_ast.If(condition, c_ast.Compound(body, switch.coord), otherwise, switch.coord)
    if chain is None:
        chain = _otherwise(groups, switch) or c_ast.EmptyStatement(switch.coord)
    return c_ast.Compound([*before, chain], switch.coord) if before else chain


def _check_label(label: Any) -> None:
    """Refuses a label that C may reduce to the type of what is switched on, so that `==` would mean something else."""
    negative = False
    while isinstance(label, c_ast.UnaryOp) and label.op in ("-", "+"):
        label, negative = label.expr, negative != (label.op == "-")
    if isinstance(label, c_ast.Constant) and label.type not in ("char", "string") and "u" not in label.value.lower():
        digits = label.value.lower().rstrip("l")
        base = 8 if digits.startswith("0") and digits.isdecimal() else 0
        if int(digits, base) > PLAIN_LABEL_MAX + negative:
            raise refuse(label, "a case with a number that no int can hold is not read", "write it with if and else")


def _otherwise(groups: list[tuple[list[Any], list[Any]]], switch: Any) -> Any:
    bodies = [body for labels, body in groups if None in labels]
    return c_ast.Compound(bodies[0], switch.coord) if bodies else None


def _groups(switch: Any) -> list[tuple[list[Any], list[Any]]]:
    """The labels that lead to the same statements (None for default), and these statements without the break at their end."""
    items = switch.stmt.block_items or [] if isinstance(switch.stmt, c_ast.Compound) else None
    if items is None or not all(isinstance(item, c_ast.Case | c_ast.Default) for item in items):
        raise refuse(switch, "switch is read only where all of its statements stand in its cases", "write it with if and else")
    labels: list[Any] = []
    groups: list[tuple[list[Any], list[Any]]] = []
    for item in items:
        labels.append(item.expr if isinstance(item, c_ast.Case) else None)
        if item.stmts:
            groups.append((labels, _flat(item.stmts)))
            labels = []
    if labels:
        groups.append((labels, []))
    repeated = 0
    for index in reversed(range(len(groups) - 1)):
        body, following = groups[index][1], groups[index + 1][1]
        if not _is_left(body):
            parts = [part for statement in following for part in walk(statement)]
            repeated += len(parts)
            if repeated > REPEATED_NODES_MAX or any(isinstance(part, (*INNER, c_ast.Label)) for part in parts):
                raise refuse(switch, "a case that goes on with a long next one, or one with a loop, is not read", "end it by break")
            body += deepcopy(following)
    return [(names, _without_break(body)) for names, body in groups]


def _flat(statements: list[Any]) -> list[Any]:
    """`{ … break; }` as a case's only statement is read like its parts. A block stays one if its own names could meet those of the
    next case, with which this one goes on."""
    [first, *others] = statements
    if isinstance(first, c_ast.Compound) and (not others or (len(others) == 1 and isinstance(others[0], c_ast.Break))):
        parts = [*(first.block_items or []), *others]
        if _is_left(parts) or not any(isinstance(part, c_ast.Decl) for part in parts):
            return parts
    return list(statements)


def _is_left(body: list[Any]) -> bool:
    return bool(body) and isinstance(body[-1], LEAVING)


def _without_break(body: list[Any]) -> list[Any]:
    if body and isinstance(body[-1], c_ast.Break):
        body = body[:-1]
    for statement in body:
        _check_breaks(statement)
    return body


def _check_breaks(node: Any) -> None:
    if isinstance(node, c_ast.Break):
        raise refuse(node, "in a switch, break is read only as the last statement of a case", "write it with if and else")
    if not isinstance(node, INNER):
        for _, child in node.children():
            _check_breaks(child)
