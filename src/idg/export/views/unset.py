"""Which variables may be read before they have a value. In SIP they have any value then; other languages have no such thing."""

from __future__ import annotations

from idg.sip.syntax import Assign, Block, Break, Expr, Function, If, Return, Var, While
from idg.sip.trees.traverse import assigned, names, statement_expressions


def read_unset(function: Function) -> list[str]:
    """The variables that may be read, by the body or at the end, before they have a value."""
    seen: set[str] = set()
    start = {"result"} if function.result is not None and "result" in assigned(function) else set[str]()
    left = _follow(function.body, start, seen)
    if left is not None:
        seen |= left & {"result"}
    return sorted(seen)


def _follow(block: Block, unset: set[str], seen: set[str]) -> set[str] | None:
    """The variables without a value at the end of the block, from those at its start; None if no run comes to its end."""
    for statement in block.statements:
        match statement:
            case Return(value):
                _read([value], unset, seen)
                return None
            case Break():
                # Where a loop is left, fewer variables are without a value than where it was entered.
                return None
            case If(branches, otherwise):
                _read(statement_expressions(statement), unset, seen)
                ends = [_follow(inner, set(unset), seen) for inner in (*(branch.body for branch in branches), otherwise)]
                reached = [end for end in ends if end is not None]
                if not reached:
                    return None
                unset = {name for end in reached for name in end}
            case While(_, _, body):
                _read(statement_expressions(statement), unset, seen)
                _follow(body, set(unset), seen)
            case _:
                _read(statement_expressions(statement), unset, seen)
                if isinstance(statement, Var):
                    declared = {target.name for target in statement.names}
                    unset = unset - declared if statement.value is not None else unset | declared
                elif isinstance(statement, Assign):
                    unset = unset - {statement.target.name}
    return unset


def _read(exprs: list[Expr] | tuple[Expr, ...], unset: set[str], seen: set[str]) -> None:
    for expr in exprs:
        seen |= names(expr) & unset
