"""Loops without break and continue: what comes after an exit moves into the branches that do not exit."""

from __future__ import annotations

from typing import Any

from idg.importer.source import c_ast, refuse

DUPLICATED_MAX = 12
"""Statements of C that may be written twice."""
_LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)


def items_of(node: Any) -> list[Any]:
    """The statements of a body, blocks opened: names are unique by now."""
    if node is None or isinstance(node, c_ast.EmptyStatement):
        return []
    if isinstance(node, c_ast.Compound):
        return [item for each in node.block_items or [] for item in items_of(each)]
    return [node]


def exits(node: Any, kinds: tuple[type, ...] = (c_ast.Break, c_ast.Continue)) -> bool:
    """Whether it has a break or continue of the loop around it."""
    if isinstance(node, kinds):
        return True
    if isinstance(node, _LOOPS):
        return False
    return any(exits(child, kinds) for _, child in node.children())


def has_break(node: Any) -> bool:
    return exits(node, (c_ast.Break,))


def weight(node: Any) -> int:
    """How many statements it has; many where there is a loop in it."""
    if isinstance(node, _LOOPS):
        return DUPLICATED_MAX + 1
    if isinstance(node, c_ast.If):
        return 1 + sum(weight(each) for branch in (node.iftrue, node.iffalse) for each in items_of(branch))
    return sum(weight(each) for each in items_of(node)) if isinstance(node, c_ast.Compound) else 1


def short(items: list[Any]) -> bool:
    """Whether these may be written twice."""
    return sum(map(weight, items)) <= DUPLICATED_MAX


def without_exits(items: list[Any], stop: Any) -> list[Any]:
    """The same with `stop` for each break, and nothing after an exit."""
    found: list[Any] = []
    for at, item in enumerate(items):
        if isinstance(item, c_ast.Continue):
            return found
        if isinstance(item, c_ast.Break):
            return [*found, stop]
        if not exits(item):
            found.append(item)
            if isinstance(item, c_ast.Return | c_ast.Goto):
                return found
            continue
        if not isinstance(item, c_ast.If):
            raise refuse(item, "break and continue are read only in if and else", "write the switch with if and else")
        rest = items[at + 1 :]
        yes, no = items_of(item.iftrue), items_of(item.iffalse)
        if rest and not leaves(yes) and not leaves(no) and not short(rest):
            text = "what follows this exit would have to be written twice, and is long or has a loop"
            raise refuse(item, text, "put the rest of the loop's body into an else")
        branches = [without_exits([*each, *rest], stop) for each in (yes, no)]
        made = [c_ast.Compound(each, item.coord) for each in branches]
        return [*found, c_ast.If(item.cond, made[0], made[1] if branches[1] else None, item.coord)]
    return found


def leaves(items: list[Any]) -> bool:
    """Whether what follows these is never reached."""
    for item in items:
        if isinstance(item, c_ast.Break | c_ast.Continue | c_ast.Return | c_ast.Goto):
            return True
        if isinstance(item, c_ast.If) and leaves(items_of(item.iftrue)) and leaves(items_of(item.iffalse)):
            return True
    return False


def leading_break(items: list[Any]) -> tuple[list[Any], Any, list[Any]] | None:
    """Of `A; if (b) break; R`: A, the test to go on, and R; None where the first exit is another one."""
    for at, item in enumerate(items):
        if not exits(item):
            continue
        if not isinstance(item, c_ast.If) or not short(items[:at]):
            return None
        yes, no = items_of(item.iftrue), items_of(item.iffalse)
        if [type(each) for each in yes] == [c_ast.Break]:
            return items[:at], c_ast.UnaryOp("!", item.cond, item.coord), [*no, *items[at + 1 :]]
        if [type(each) for each in no] == [c_ast.Break]:
            return items[:at], item.cond, [*yes, *items[at + 1 :]]
        return None
    return None
