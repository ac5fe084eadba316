"""Rewrites the body of a C function so that it has no return: it leaves its result in a variable and comes to its end.

`if (b) return e; S` becomes `if (b) result = e; else { S }`. A return inside of a loop sets a flag and breaks; what comes after the
loop stands under that flag.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.rewriting.exits import leaves, short
from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.trees import ids

LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)


def has_return(node: Any) -> bool:
    return isinstance(node, c_ast.Return) or any(has_return(child) for _, child in node.children())


def own_items(node: Any) -> list[Any]:
    """The statements of a body. Blocks inside it stay blocks, because names are not unique yet."""
    if node is None or isinstance(node, c_ast.EmptyStatement):
        return []
    return list(node.block_items or []) if isinstance(node, c_ast.Compound) else [node]


def _check_hidden(branch: list[Any], rest: list[Any]) -> None:
    """Refuses a branch that declares a name by which what follows it means another variable: they come to stand in one block."""
    used = {name.name for item in rest for name in ids(item)}
    for item in branch:
        if isinstance(item, c_ast.Decl) and item.name in used:
            text = f"{item.name} is declared in a block with a return, and another variable of this name is used after the block"
            raise refuse(item, text, "give one of them another name")


def literal(value: int, coord: Any) -> Any:
    return c_ast.Constant("int", str(value), coord)


class Returns:
    """Takes the returns out of one body. `result` is the variable for the value ("" where there is none), `flag` the one that says
    that a loop was left by a return."""

    def __init__(self, result: str, flag: str) -> None:
        self.result = result
        self.flag = flag
        self.flag_used = False

    def without(self, items: list[Any]) -> list[Any]:
        """The same statements without returns, and with nothing after one."""
        kept: list[Any] = []
        for index, item in enumerate(items):
            if isinstance(item, c_ast.Return):
                return [*kept, *self._store(item)]
            if not has_return(item):
                kept.append(item)
                continue
            rest = items[index + 1 :]
            if isinstance(item, c_ast.If):
                return [*kept, self._if(item, rest)]
            if isinstance(item, LOOPS):
                return [*kept, *self._loop(item, rest)]
            if isinstance(item, c_ast.Compound):
                inner = list(item.block_items or [])
                if not rest or leaves(inner):
                    return [*kept, c_ast.Compound(self.without(inner), item.coord)]
                if any(isinstance(part, c_ast.Decl) for part in inner):
                    raise refuse(item, "a return in a block with variables of its own is not read here", "write it with else")
                return [*kept, *self.without([*inner, *rest])]
            raise refuse(item, "a return is not read here", "write it with if and else")
        return kept

    def _store(self, node: Any) -> list[Any]:
        if node.expr is None:
            return []
        if not self.result:
            return [node.expr] if not isinstance(node.expr, c_ast.Constant | c_ast.ID) else []
        return [c_ast.Assignment("=", c_ast.ID(self.result, node.coord), node.expr, node.coord)]

    def _if(self, node: Any, rest: list[Any]) -> Any:
        yes, no = own_items(node.iftrue), own_items(node.iffalse)
        if rest and not leaves(yes) and not leaves(no) and not short(rest):
            text = "what follows this return would have to be written twice, and is long or has a loop"
            raise refuse(node, text, "put the rest of the function into an else")
        for branch in (yes, no):
            if not leaves(branch):
                _check_hidden(branch, rest)
        branches = [self.without(branch if leaves(branch) else [*branch, *rest]) for branch in (yes, no)]
        first, second = (c_ast.Compound(branch, node.coord) for branch in branches)
        return c_ast.If(node.cond, first, second if branches[1] else None, node.coord)

    def _loop(self, node: Any, rest: list[Any]) -> list[Any]:
        """The loop, which a return leaves by a break, and what follows where there was none."""
        self.flag_used = True
        left = c_ast.If(c_ast.ID(self.flag, node.coord), c_ast.Compound([c_ast.Break(node.coord)], node.coord), None, node.coord)
        node.stmt = c_ast.Compound(self._breaking(own_items(node.stmt), left), node.coord)
        if not rest:
            return [node]
        going_on = c_ast.UnaryOp("!", c_ast.ID(self.flag, node.coord), node.coord)
        return [node, c_ast.If(going_on, c_ast.Compound(self.without(rest), node.coord), None, node.coord)]

    def _breaking(self, items: list[Any], left: Any) -> list[Any]:
        """The statements of a loop's body with `flag = 1; break;` in place of each return."""
        kept: list[Any] = []
        for item in items:
            if isinstance(item, c_ast.Return):
                flag = c_ast.Assignment("=", c_ast.ID(self.flag, item.coord), literal(1, item.coord), item.coord)
                return [*kept, *self._store(item), flag, c_ast.Break(item.coord)]
            if not has_return(item):
                kept.append(item)
            elif isinstance(item, c_ast.If):
                parts = [self._breaking(own_items(part), left) for part in (item.iftrue, item.iffalse)]
                first, second = (c_ast.Compound(part, item.coord) for part in parts)
                kept.append(c_ast.If(item.cond, first, second if parts[1] else None, item.coord))
            elif isinstance(item, c_ast.Compound):
                kept.append(c_ast.Compound(self._breaking(list(item.block_items or []), left), item.coord))
            elif isinstance(item, LOOPS):
                item.stmt = c_ast.Compound(self._breaking(own_items(item.stmt), left), item.coord)
                kept += [item, left]
            else:
                raise refuse(item, "a return is not read here", "write it with if and else")
        return kept
