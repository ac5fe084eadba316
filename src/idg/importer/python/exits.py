"""Rewrites a Python function so that nothing follows `continue` or `return`.

What comes after an exit moves into the branches that do not exit: `if b: continue` and then S becomes `if b: pass` `else: S`.
"""

from __future__ import annotations

import ast

from idg.importer.python.places import Refusal

DUPLICATED_MAX = 12
"""Statements of Python that may be written twice in the SIP program. Beyond that the program would hardly be recognised."""
Exit = type[ast.Return] | type[ast.Continue]


def has_exit(node: ast.AST, kind: Exit) -> bool:
    """Whether the node has a return, or a continue that belongs to the loop around it."""
    if isinstance(node, kind):
        return True
    if isinstance(node, ast.While | ast.For) and kind is ast.Continue:
        return False
    return any(has_exit(child, kind) for child in ast.iter_child_nodes(node))


def leaves(body: list[ast.stmt], kind: Exit) -> bool:
    """Whether what follows these statements is never reached, because each way through them ends in such an exit."""
    for statement in body:
        if isinstance(statement, kind | ast.Break | ast.Return):
            return True
        if isinstance(statement, ast.If) and leaves(statement.body, kind) and leaves(statement.orelse, kind):
            return True
    return False


def without_rest(body: list[ast.stmt], kind: Exit) -> list[ast.stmt]:
    """The same statements, where each exit of the kind is the last one of its way."""
    kept: list[ast.stmt] = []
    for index, statement in enumerate(body):
        if isinstance(statement, kind):
            return [*kept, statement]
        if not isinstance(statement, ast.If) or not has_exit(statement, kind):
            kept.append(statement)
            continue
        rest = body[index + 1 :]
        ways = [statement.body, statement.orelse]
        if rest and not any(leaves(way, kind) for way in ways) and not _short(rest):
            reason = "what follows this exit would have to be written twice, and is long or has a loop"
            raise Refusal(statement, reason, "put the rest into an else")
        yes, no = (without_rest(way if leaves(way, kind) else [*way, *rest], kind) for way in ways)
        return [*kept, ast.copy_location(ast.If(statement.test, yes, no), statement)]
    return kept


def _short(body: list[ast.stmt]) -> bool:
    nodes = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.stmt)]
    return len(nodes) <= DUPLICATED_MAX and not any(isinstance(node, ast.While | ast.For) for node in nodes)
