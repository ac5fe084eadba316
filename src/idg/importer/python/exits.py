"""Rewrites the body of a loop so that nothing follows `continue`, which SIP does not have.

What comes after an exit moves into the branches that do not exit: `if b: continue` and then S becomes `if b: pass` `else: S`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from idg.importer.python.places import Refusal

DUPLICATED_MAX = 12
"""Statements of Python that may be written twice in the SIP program. Beyond that the program would hardly be recognised."""


def continues(node: ast.AST) -> bool:
    """Whether the node has a continue that belongs to the loop around it."""
    if isinstance(node, ast.Continue):
        return True
    return not isinstance(node, ast.While | ast.For) and any(map(continues, ast.iter_child_nodes(node)))


def always_leaves(body: Sequence[ast.stmt], *kinds: type[ast.stmt]) -> bool:
    """Whether what follows these statements is never reached, because each way through them ends in one of these exits (if none is
    named, in any exit), or in a loop without end."""
    for statement in body:
        if isinstance(statement, kinds or (ast.Return, ast.Break, ast.Continue)):
            return True
        if isinstance(statement, ast.If) and all(always_leaves(way, *kinds) for way in (statement.body, statement.orelse)):
            return True
        if isinstance(statement, ast.While) and _is_endless(statement):
            return True
    return False


def _is_endless(loop: ast.While) -> bool:
    test = loop.test
    return isinstance(test, ast.Constant) and test.value is True and not any(map(_breaks, loop.body))


def _breaks(node: ast.AST) -> bool:
    """Whether the node has a break that belongs to the loop around it."""
    if isinstance(node, ast.Break):
        return True
    return not isinstance(node, ast.While | ast.For) and any(map(_breaks, ast.iter_child_nodes(node)))


def without_continue(body: list[ast.stmt]) -> list[ast.stmt]:
    """The same statements, without continue: each way ends where it stood."""
    kept: list[ast.stmt] = []
    for index, statement in enumerate(body):
        if isinstance(statement, ast.Continue):
            return kept
        if not isinstance(statement, ast.If) or not continues(statement):
            kept.append(statement)
            continue
        rest = body[index + 1 :]
        ways = [statement.body, statement.orelse]
        if rest and not any(map(always_leaves, ways)) and not _short(rest):
            reason = "what follows this exit would have to be written twice, and is long or has a loop"
            raise Refusal(statement, reason, "put the rest into an else")
        yes, no = (without_continue(way if always_leaves(way) else [*way, *rest]) for way in ways)
        return [*kept, ast.copy_location(ast.If(statement.test, yes, no), statement)]
    return kept


def _short(body: list[ast.stmt]) -> bool:
    nodes = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.stmt)]
    return len(nodes) <= DUPLICATED_MAX and not any(isinstance(node, ast.While | ast.For) for node in nodes)
