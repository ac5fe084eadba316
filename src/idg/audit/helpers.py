"""What can be read off the text of a helper about its calls: whether they end, and whether equal arguments give equal values."""

from __future__ import annotations

from collections.abc import Mapping

from idg.sip import syntax as sip
from idg.sip.syntax import Block, Expr, Function, Stmt
from idg.sip.trees.traverse import (
    blocks,
    called,
    changed,
    expressions,
    function_expressions,
    names,
    statement_expressions,
    statements,
)

Functions = Mapping[str, Function]


def callees(function: Function, functions: Functions) -> set[str]:
    """The helpers that a call of the function may call in the end; the function itself is among them where it is recursive."""
    reached: set[str] = set()
    waiting = [function]
    while waiting:
        new = (called(waiting.pop()) & functions.keys()) - reached
        reached |= new
        waiting += [functions[name] for name in sorted(new)]
    return reached


def evidently_ends(function: Function, functions: Functions) -> bool:
    """Whether every call plainly ends: no loop, no assume, no choice, and recursion only with a nat that gets smaller.

    Such a nat is a parameter that is never assigned and for which each recursive call passes itself minus a positive literal.
    """
    for name in {function.name} | callees(function, functions):
        helper = functions[name]
        if any(isinstance(statement, sip.While | sip.Assume | sip.Cassign) for statement in statements(helper.body)):
            return False
        if name not in callees(helper, functions):
            continue
        if any(name in callees(functions[other], functions) for other in called(helper) & functions.keys() - {name}):
            return False  # It is recursive through another function.
        own = [
            part
            for expr in function_expressions(helper)
            for part in expressions(expr)
            if isinstance(part, sip.Call) and part.function == name
        ]
        if not any(
            param.type is sip.Type.NAT
            and param.name not in changed(helper.body)
            and all(_is_less(part.arguments[position], param.name) for part in own)
            for position, param in enumerate(helper.params)
        ):
            return False
    return True


def _is_less(expr: Expr, name: str) -> bool:
    match expr:
        case sip.Binary("-", sip.Name(of), sip.Number(less)):
            return of == name and less >= 1
        case _:
            return False


def unfoldable(function: Function) -> bool:
    """Whether the body has neither a loop nor a choice, so that it tells the value of a call."""
    return not any(isinstance(statement, sip.While | sip.Cassign) for statement in statements(function.body))


def determined(function: Function, functions: Functions) -> bool:
    """Whether equal arguments always give equal values: nothing is chosen, and no variable is read before it has a value."""
    for name in {function.name} | callees(function, functions):
        helper = functions[name]
        if any(isinstance(statement, sip.Cassign) for statement in statements(helper.body)):
            return False
        unassigned = {"result"} if helper.result else set()
        if not _assigned_before_read(helper.body, unassigned) or "result" in unassigned:
            return False
    return True


def _assigned_before_read(block: Block, unassigned: set[str]) -> bool:
    """Whether no variable in `unassigned` is read before it is assigned. Changes the set to what is unassigned after the block."""
    return all(_statement_assigns_before_reads(statement, unassigned) for statement in block.statements)


def _statement_assigns_before_reads(statement: Stmt, unassigned: set[str]) -> bool:
    if any(names(expr) & unassigned for expr in statement_expressions(statement)):
        return False
    match statement:
        case sip.Var(targets, _, None):
            unassigned |= {target.name for target in targets}
        case sip.Assign(target, _):
            unassigned.discard(target.name)
        case sip.Return():
            unassigned.discard("result")
        case sip.If() | sip.While():
            # A loop may have no turn, and an `if` without `else` has an empty block for it.
            ways = [set(unassigned) for _ in blocks(statement)]
            if not all(_assigned_before_read(block, way) for block, way in zip(blocks(statement), ways, strict=True)):
                return False
            unassigned |= set().union(*ways)
            if isinstance(statement, sip.If):
                unassigned &= set().union(*ways)
    return True
