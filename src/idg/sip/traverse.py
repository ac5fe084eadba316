"""Walking syntax trees."""

from __future__ import annotations

from collections.abc import Iterator

from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Boolean,
    Call,
    Cassign,
    Claim,
    Compare,
    Expr,
    Function,
    If,
    Name,
    Number,
    Old,
    Print,
    Return,
    Stmt,
    Unary,
    Var,
    While,
)


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands."""
    match expr:
        case Number() | Boolean() | Name() | Old():
            return ()
        case Unary(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case Compare(operands):
            return operands
        case Call(_, arguments):
            return arguments


def expressions(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it."""
    waiting = [expr]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(parts(each))


def statements(block: Block) -> Iterator[Stmt]:
    """Every statement of the block and of the blocks inside it, in the order of the text."""
    for statement in block.statements:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)


def blocks(statement: Stmt) -> tuple[Block, ...]:
    match statement:
        case If(branches, otherwise):
            return (*(each.body for each in branches), otherwise)
        case While(_, _, body):
            return (body,)
        case _:
            return ()


def statement_expressions(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions of the statement itself, not of the blocks inside it."""
    match statement:
        case Var(_, _, value):
            return () if value is None else (value,)
        case Assign(_, value) | Return(value):
            return (value,)
        case If(branches):
            return tuple(each.test for each in branches)
        case While(invariant, test):
            return (test,) if invariant is None else (invariant, test)
        case Print(values):
            return values
        case Assume(condition) | Assert(condition) | Claim(condition) | Cassign(_, condition):
            return (condition,)


def function_expressions(function: Function) -> Iterator[Expr]:
    """Every expression of a function, contract included."""
    yield from function.pres
    yield from function.posts
    for statement in statements(function.body):
        yield from statement_expressions(statement)


def called(function: Function) -> frozenset[str]:
    return frozenset(
        each.function for whole in function_expressions(function) for each in expressions(whole) if isinstance(each, Call)
    )


def assigned(function: Function) -> frozenset[str]:
    """The variables that the body assigns (not the ones it merely declares)."""
    found: set[str] = set()
    for statement in statements(function.body):
        match statement:
            case Assign(target):
                found.add(target.name)
            case Cassign(targets):
                found.update(each.name for each in targets)
            case Var(names, _, value) if value is not None:
                found.update(each.name for each in names)
            case _:
                pass
    return frozenset(found)
