"""Rewrites loops without break and continue, which SIP does not have.

What comes after an exit moves into the branches that do not exit: `if (b) continue; S` becomes `if (b) {} else { S }`.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.text.source import TRACE, c_ast, refuse

DUPLICATED_MAX = 12
"""Statements of C that may be written twice in the SIP program. Beyond that the program would hardly be recognised."""
_LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)


def items_of(node: Any) -> list[Any]:
    """The statements of a body, those of blocks inside it included. This loses no scope, because names are unique by now."""
    if node is None or isinstance(node, c_ast.EmptyStatement):
        return []
    if isinstance(node, c_ast.Compound):
        return [item for inner in node.block_items or [] for item in items_of(inner)]
    return [node]


def exits(node: Any, kinds: tuple[type, ...] = (c_ast.Break, c_ast.Continue)) -> bool:
    """Whether the node has a break or continue that belongs to the loop around it."""
    if isinstance(node, kinds):
        return True
    if isinstance(node, _LOOPS):
        return False
    return any(exits(child, kinds) for _, child in node.children())


def has_break(node: Any) -> bool:
    return exits(node, (c_ast.Break,))


def weight(node: Any) -> int:
    """The number of statements; where there is a loop in them, more than may be written twice."""
    if isinstance(node, _LOOPS):
        return DUPLICATED_MAX + 1
    if isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == TRACE:
        return 0
    if isinstance(node, c_ast.If):
        return 1 + sum(weight(item) for branch in (node.iftrue, node.iffalse) for item in items_of(branch))
    return sum(weight(item) for item in items_of(node)) if isinstance(node, c_ast.Compound) else 1


def short(items: list[Any]) -> bool:
    """Whether these may be written twice."""
    return sum(map(weight, items)) <= DUPLICATED_MAX


def without_exits(items: list[Any], stop: Any) -> list[Any]:
    """The same statements with `stop` in place of each break, and nothing after an exit."""
    kept: list[Any] = []
    for index, item in enumerate(items):
        if isinstance(item, c_ast.Continue):
            return kept
        if isinstance(item, c_ast.Break):
            return [*kept, stop]
        if not exits(item):
            kept.append(item)
            if isinstance(item, c_ast.Return | c_ast.Goto):
                return kept
            continue
        if not isinstance(item, c_ast.If):
            raise refuse(item, "break and continue are read only in if and else", "write the switch with if and else")
        rest = items[index + 1 :]
        yes, no = items_of(item.iftrue), items_of(item.iffalse)
        if rest and not leaves(yes) and not leaves(no) and not short(rest):
            text = "what follows this exit would have to be written twice, and is long or has a loop"
            raise refuse(item, text, "put the rest of the loop's body into an else")
        branches = [without_exits([*branch, *rest], stop) for branch in (yes, no)]
        compounds = [c_ast.Compound(branch, item.coord) for branch in branches]
        return [*kept, c_ast.If(item.cond, compounds[0], compounds[1] if branches[1] else None, item.coord)]
    return kept


def leaves(items: list[Any]) -> bool:
    """Whether what follows these is never reached."""
    for item in items:
        if isinstance(item, c_ast.Break | c_ast.Continue | c_ast.Return | c_ast.Goto):
            return True
        if isinstance(item, c_ast.If) and leaves(items_of(item.iftrue)) and leaves(items_of(item.iffalse)):
            return True
    return False


def leading_break(items: list[Any]) -> tuple[list[Any], Any, list[Any]] | None:
    """The parts A, !b and R of a body `A; if (b) break; R`, where !b is the test to go on; None where it has another form."""
    for index, item in enumerate(items):
        if not exits(item):
            continue
        if not isinstance(item, c_ast.If) or not short(items[:index]):
            return None
        yes, no = items_of(item.iftrue), items_of(item.iffalse)
        if [type(item) for item in yes] == [c_ast.Break]:
            return items[:index], c_ast.UnaryOp("!", item.cond, item.coord), [*no, *items[index + 1 :]]
        if [type(item) for item in no] == [c_ast.Break]:
            return items[:index], item.cond, [*yes, *items[index + 1 :]]
        return None
    return None
