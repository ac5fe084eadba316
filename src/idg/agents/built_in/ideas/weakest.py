"""Weakest preconditions through straight code: what must hold before some statements so that something holds after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from idg.sip.program import Program
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Boolean,
    Branch,
    Cassign,
    Claim,
    Compare,
    Expr,
    If,
    Print,
    Return,
    Stmt,
    Type,
    Unary,
    Var,
    While,
)
from idg.vc.terms import FALSE, TRUE, implies, negate, size, substitute

NODES_MAX = 160
"""Larger conditions nobody wants to read, and provers neither."""


def weakest(program: Program, statements: Sequence[Stmt], after: Expr) -> Expr | None:
    """What must hold before the statements so that `after` holds; None where there is a loop, a hard choice or too much of it."""
    found: Expr | None = after
    for statement in reversed(statements):
        found = _before(program, statement, found) if found is not None else None
        if found is None or size(found) > NODES_MAX:
            return None
    return found


def _before(program: Program, statement: Stmt, after: Expr) -> Expr | None:
    match statement:
        case Assign(target, value):
            return substitute(after, {target.name: value})
        case Var(targets, _, value):
            return after if value is None else substitute(after, {each.name: value for each in targets})
        case Return(value):
            return substitute(after, {"result": value})
        case Assume(condition):
            return implies(condition, after)
        case Assert(condition) | Claim(condition):
            return both(condition, after)
        case Print():
            return after
        case If():
            return _before_if(program, statement, after)
        case Cassign(targets, condition):
            if condition == TRUE and all(program.info.level.variables[each.name] is Type.BOOL for each in targets):
                for each in targets:
                    after = both(*(simplified(substitute(after, {each.name: Boolean(value)})) for value in (True, False)))
                return after
            return None
        case While():
            return None


def _before_if(program: Program, statement: If, after: Expr) -> Expr | None:
    otherwise = weakest(program, statement.otherwise.statements, after)
    for branch in reversed(statement.branches):
        taken = weakest(program, branch.body.statements, after)
        if taken is None or otherwise is None:
            return None
        if taken != otherwise:
            otherwise = both(simplified(implies(branch.test, taken)), simplified(implies(negate(branch.test), otherwise)))
    return otherwise


def both(left: Expr, right: Expr) -> Expr:
    if left in (TRUE, right):
        return right
    return left if right == TRUE else Binary("&", left, right)


def either(left: Expr, right: Expr) -> Expr:
    if FALSE in (left, right):
        return right if left == FALSE else left
    return TRUE if TRUE in (left, right) else Binary("|", left, right)


def simplified(expr: Expr) -> Expr:
    """Without truth values inside."""
    match expr:
        case Unary("!", operand):
            return negate(simplified(operand))
        case Binary("&", left, right):
            left, right = simplified(left), simplified(right)
            return FALSE if FALSE in (left, right) else both(left, right)
        case Binary("|", left, right):
            return either(simplified(left), simplified(right))
        case Binary("->", left, right):
            left, right = simplified(left), simplified(right)
            if left == TRUE:
                return right
            return TRUE if left == FALSE or right == TRUE else negate(left) if right == FALSE else Binary("->", left, right)
        case _:
            return expr


def conjuncts(expr: Expr) -> list[Expr]:
    """What an expression claims, apart; chains of comparisons link by link."""
    match expr:
        case Binary("&", left, right):
            return [*conjuncts(left), *conjuncts(right)]
        case Compare(operands, ops) if len(ops) > 1:
            return [Compare(operands[at : at + 2], (op,)) for at, op in enumerate(ops)]
        case Binary("->", left, right):
            parts = conjuncts(right)
            return [expr] if len(parts) == 1 else [Binary("->", left, each) for each in parts]
        case Unary("!", Binary("|", left, right)):
            return [*conjuncts(negate(left)), *conjuncts(negate(right))]
        case _:
            return [expr]


def map_expressions(block: Block, change: Callable[[Expr], Expr]) -> Block:
    """The block with every expression changed."""
    return Block(tuple(_map_statement(each, change) for each in block.statements))


def _map_statement(statement: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    match statement:
        case Var(targets, kind, value):
            return Var(targets, kind, None if value is None else change(value))
        case Assign(target, value):
            return Assign(target, change(value))
        case If(branches, otherwise):
            changed = tuple(Branch(change(each.test), map_expressions(each.body, change)) for each in branches)
            return If(changed, map_expressions(otherwise, change))
        case While(invariant, test, body):
            return While(None if invariant is None else change(invariant), change(test), map_expressions(body, change))
        case Print(values):
            return Print(tuple(map(change, values)))
        case Assume(condition):
            return Assume(change(condition))
        case Assert(condition):
            return Assert(change(condition))
        case Claim(condition):
            return Claim(change(condition))
        case Cassign(targets, condition):
            return Cassign(targets, change(condition))
        case Return(value):
            return Return(change(value))
