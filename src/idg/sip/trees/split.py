"""Takes what a program promises apart at its conjunctions: `post(a & b)` promises a, and it promises b.

Each conjunct is looked at in a program in which it is checked first: there the conjuncts of each post, assert and claim are written
one after the other, turned so that another one leads. So no conjunct assumes those that stand beside it, whatever comes later may
still assume all of them, and a run that breaks several of them fails at the one that leads. Such a program promises exactly what
the text promises, and it has the same loops.
"""

from __future__ import annotations

from collections.abc import Iterator

from idg.sip.checking.analysis import check_module
from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.syntax import Assert, Binary, Block, Call, Claim, Compare, Expr, Function, If, Index, Module, Span, Stmt, While
from idg.sip.trees.build import literal
from idg.sip.trees.traverse import conjuncts, expressions, links, statements

CONJUNCTS_MAX = 12
"""Conjuncts into which one promise is taken apart. Where there are more, the last ones stay together."""


class Conjunct(Record):
    """One of the conjuncts of a post, an assert or a claim."""

    function: str
    cause: str
    """The cause of its obligation: post, assert or claim."""
    expr: Expr
    """The conjunct, with its place in the text."""
    turn: int
    """It leads in the program that was turned so often."""


def is_partial(expr: Expr) -> bool:
    """Whether some state may give the expression no value."""
    for part in expressions(expr):
        match part:
            case Binary("/" | "//" | "%", _, divisor):
                if not literal(divisor):
                    return True
            case Binary("^", _, exponent):
                if literal(exponent) is None:
                    return True
            case Index():
                return True
            case Call(name):
                if name not in ("abs", "min", "max", "gcd", "ispow", "len"):
                    return True
            case _:
                pass
    return False


def split(condition: Expr) -> list[Expr]:
    """The conjuncts of a promise; a chain `a <= b < c` is two of them.

    One that may have no value stays together with those before it, because these may say when it has one.
    """
    parts: list[Expr] = []
    for conjunct in (link for part in conjuncts(condition) for link in _links(part)):
        parts.append(conjunct)
        if is_partial(conjunct):
            parts = [_together(parts)]
        elif len(parts) > CONJUNCTS_MAX:
            parts[-2:] = [_together(parts[-2:])]
    return parts


def _together(parts: list[Expr]) -> Expr:
    together = parts[0]
    for further in parts[1:]:
        together = Binary("&", together, further, _around(together, further))
    return together


def _links(expr: Expr) -> list[Expr]:
    if not isinstance(expr, Compare) or len(expr.ops) == 1 or is_partial(expr):
        return [expr]
    return [replace(link, span=_around(*link.operands)) for link in links(expr)]


def _around(first: Expr, last: Expr) -> Span:
    return Span(first.span.start, last.span.end)


def promised(program: Program) -> Iterator[Conjunct]:
    """The conjuncts of all posts, asserts and claims."""
    for name, info in program.info.functions.items():
        for turn, expr in enumerate(_posts(info.function)):
            yield Conjunct(name, "post", expr, turn)
        for statement in statements(info.function.body):
            if isinstance(statement, Assert | Claim):
                cause = "assert" if isinstance(statement, Assert) else "claim"
                for turn, expr in enumerate(split(statement.condition)):
                    yield Conjunct(name, cause, expr, turn)


def turned(program: Program, turn: int) -> Program:
    """The program with its promises taken apart, turned so often."""
    functions = tuple(
        replace(function, posts=_turned(_posts(function), turn), body=_block(function.body, turn))
        for function in program.module.functions
    )
    info, problems = check_module(Module(functions, program.module.span))
    assert not problems, "a promise that was taken apart is none"
    return Program(program.text, info.alone(program.level.name))


def _posts(function: Function) -> list[Expr]:
    return [conjunct for post in function.posts for conjunct in split(post)]


def _turned(parts: list[Expr], turn: int) -> tuple[Expr, ...]:
    start = turn % len(parts) if parts else 0
    return (*parts[start:], *parts[:start])


def _block(block: Block, turn: int) -> Block:
    return replace(block, statements=tuple(part for statement in block.statements for part in _statement(statement, turn)))


def _statement(statement: Stmt, turn: int) -> list[Stmt]:
    match statement:
        case Assert(condition) | Claim(condition):
            return [replace(statement, condition=part) for part in _turned(split(condition), turn)]
        case If(branches, otherwise):
            taken = tuple(replace(branch, body=_block(branch.body, turn)) for branch in branches)
            return [replace(statement, branches=taken, otherwise=_block(otherwise, turn))]
        case While(_, _, body):
            return [replace(statement, body=_block(body, turn))]
        case _:
            return [statement]
