"""Weakest preconditions through straight code: what must hold before some statements so that something holds after them."""

from __future__ import annotations

from collections.abc import Sequence

from idg.sip.program import Program
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Boolean,
    Break,
    Cassign,
    Claim,
    Expr,
    If,
    Print,
    Return,
    SetCell,
    Stmt,
    Swap,
    Type,
    Var,
    While,
)
from idg.sip.trees.build import substitute
from idg.sip.trees.logic import TRUE, both, implies, negate, simplified
from idg.sip.trees.traverse import node_count

NODES_MAX = 160
"""Nodes of a condition. Larger ones are too long for people to read, and the prover seldom proves them."""


def weakest(program: Program, statements: Sequence[Stmt], after: Expr) -> Expr | None:
    """What must hold before the statements so that `after` holds after them.

    None where there is a loop, a choice among more than truth values, or where the condition becomes too large.
    """
    condition: Expr | None = after
    for statement in reversed(statements):
        condition = _before(program, statement, condition) if condition is not None else None
        if condition is None or node_count(condition) > NODES_MAX:
            return None
    return condition


def _before(program: Program, statement: Stmt, after: Expr) -> Expr | None:
    match statement:
        case Assign(target, value):
            return substitute(after, {target.name: value})
        case Var(targets, _, value):
            return after if value is None else substitute(after, {target.name: value for target in targets})
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
            if condition == TRUE and all(program.info.level.variables[target.name] is Type.BOOL for target in targets):
                for target in targets:
                    after = both(*(simplified(substitute(after, {target.name: Boolean(value)})) for value in (True, False)))
                return after
            return None
        case SetCell() | Swap() | While() | Break():
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
