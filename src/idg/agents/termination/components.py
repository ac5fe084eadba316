"""What may be a component of a measure: what the program's tests compare, its variables, and how these differ."""

from __future__ import annotations

from collections.abc import Iterator

from idg.sip.build import compare
from idg.sip.checking.analysis import Loop
from idg.sip.checking.checker import check_expression
from idg.sip.program import Program
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Type, Unary
from idg.sip.text.printer import print_expression
from idg.sip.traverse import changed, expressions, links, node_count, statement_expressions, statements

COMPONENTS_MAX = 400
"""Components that are tried for a loop, the simplest of each source first."""
VARIABLES_MAX = 8
"""Variables of which sums and differences are tried: those that the loop changes, then the others."""
NODES_MAX = 24
"""Nodes of one component."""


def components(program: Program, loop: Loop) -> list[Expr]:
    """What may fall in a turn of the loop, the likeliest first, each once."""
    scope = program.info.scope(loop)
    distinct: dict[str, Expr] = {}
    for expr in _tried(program, loop):
        if node_count(expr) > NODES_MAX or check_expression(expr, scope)[1]:
            continue
        distinct.setdefault(print_expression(expr), expr)
        if len(distinct) == COMPONENTS_MAX:
            break
    return list(distinct.values())


def _tried(program: Program, loop: Loop) -> Iterator[Expr]:
    distances = list(_distances(loop.statement.test))
    yield from distances
    variables = program.info.functions[loop.function].variables
    moved = changed(loop.statement.body)
    ordered = sorted(loop.columns, key=lambda name: name not in moved)
    numeric = [Name(name) for name in ordered if variables[name] is not Type.BOOL][:VARIABLES_MAX]
    yield from numeric
    yield from (_less(Number(0), name) for name in numeric)
    inner = [
        distance
        for statement in statements(loop.statement.body)
        for expr in statement_expressions(statement)
        for distance in _distances(expr)
    ]
    yield from inner
    for first in numeric:
        for second in numeric:
            if first != second:
                yield _less(first, second)
    for index, first in enumerate(numeric):
        for second in numeric[index + 1 :]:
            yield Binary("+", first, second)
    # Below 0 nothing counts. What is clipped there may fall and then stay, so that later components can take over.
    for expr in (*distances, *numeric, *(_less(Number(0), name) for name in numeric), *inner):
        yield Call("max", (Number(0), Binary("+", expr, Number(1))))
    yield from (Call("abs", (expr,)) for expr in (*distances, *numeric))
    for name in ordered:
        if variables[name] is Type.BOOL:
            yield from (Name(name), Unary("!", Name(name)))
    for statement in (loop.statement, *statements(loop.statement.body)):
        for expr in statement_expressions(statement):
            for part in expressions(expr):
                if isinstance(part, Compare):
                    yield from (part, Unary("!", part))
    for first in numeric:
        yield from (compare(first, op, Number(0)) for op in (">", "<", "="))
    for index, first in enumerate(numeric):
        for second in numeric[index + 1 :]:
            yield Binary("*", first, second)


def _distances(expr: Expr) -> Iterator[Expr]:
    """How far the two sides of each comparison in the expression are from making it false."""
    for part in expressions(expr):
        if not isinstance(part, Compare):
            continue
        for link in links(part):
            (left, right), op = link.operands, link.ops[0]
            if op in ("<", "<=", "!=", "="):
                yield _less(right, left)
            if op in (">", ">=", "!=", "="):
                yield _less(left, right)


def _less(left: Expr, right: Expr) -> Expr:
    if right == Number(0):
        return left
    return Unary("-", right) if left == Number(0) else Binary("-", left, right)
