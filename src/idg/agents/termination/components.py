"""What may be a component of a measure: what the program's tests compare, its variables, and how these differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from types import MappingProxyType

from idg.sip.checking.analysis import Loop
from idg.sip.checking.checker import check_expression
from idg.sip.program import Program
from idg.sip.syntax import Assign, Binary, Call, Cassign, Compare, Expr, Name, Number, Type, Unary, Var
from idg.sip.text.printer import print_expression
from idg.sip.trees.build import compare, number, whole_literal
from idg.sip.trees.logic import left_nested
from idg.sip.trees.traverse import changed, expressions, links, node_count, statement_expressions, statements

COMPONENTS_MAX = 400
"""Components that are tried for a loop, the simplest of each source first."""
VARIABLES_MAX = 8
"""Variables of which sums and differences are tried: those that the loop changes, then the others."""
NODES_MAX = 24
"""Nodes of one component."""
MODES_MAX = 4
"""Values of a variable that is taken for a mode of the loop."""
NEARER_MAX = 5
"""Distances of a test of which the lesser and the larger of two are tried."""
SUMMED_MAX = 6
"""Distances of tests of which the sum of two is tried."""
INNER_MAX = 12
"""Distances of tests inside of the loop that are also tried the other way round."""
SIGNS_MAX = 3
"""Numbers that no turn changes whose sign may decide what falls."""
MODE_DISTANCES_MAX = 10
"""Components that are multiplied with how far a mode is from another."""


Modes = Mapping[str, Sequence[int]]
"""Variables that have at most a few values, and these."""


def is_mode(values: Set[object]) -> bool:
    """Whether these are the values of a variable that is taken for a mode: a few whole numbers."""
    return 1 < len(values) <= MODES_MAX and all(type(value) is int for value in values)


def components(program: Program, loop: Loop, seen_modes: Modes = MappingProxyType({})) -> list[Expr]:
    """What may fall in a turn of the loop, the likeliest first, each once. Modes are also known from what runs have shown."""
    scope = program.info.scope(loop)
    distinct: dict[str, Expr] = {}
    for expr in _tried(program, loop, {**seen_modes, **_modes(program, loop)}):
        if node_count(expr) > NODES_MAX or check_expression(expr, scope)[1]:
            continue
        distinct.setdefault(print_expression(expr), expr)
        if len(distinct) == COMPONENTS_MAX:
            break
    return list(distinct.values())


def _tried(program: Program, loop: Loop, modes: Modes) -> Iterator[Expr]:
    distances = list(_distances(loop.statement.test))
    yield from distances
    variables = program.info.functions[loop.function].variables
    moved = changed(loop.statement.body)
    ordered = sorted(loop.columns, key=lambda name: name not in moved)
    numeric = [Name(name) for name in ordered if variables[name] in (Type.INT, Type.NAT, Type.RAT)][:VARIABLES_MAX]
    yield from numeric
    yield from (_less(Number(0), name) for name in numeric)
    inner = [
        distance
        for statement in statements(loop.statement.body)
        for expr in statement_expressions(statement)
        for distance in _distances(expr)
    ]
    yield from inner
    # What grows until a test inside becomes true comes nearer to it.
    for distance in inner[:INNER_MAX]:
        if isinstance(distance, Binary) and distance.op == "-":
            yield _less(distance.right, distance.left)
    yield from _around_wheels((loop.statement.test, *inner))
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
    yield from (Binary("+", *pair) for pair in combinations([*distances, *inner][:SUMMED_MAX], 2))
    # Where numbers change places, as much of them as counts falls.
    if 1 < len(distances) <= SUMMED_MAX:
        yield left_nested("+", [Call("max", (Number(0), distance)) for distance in distances])
    # What moves away from the middle of two bounds comes nearer to one of them: the lesser distance falls.
    yield from (Call(nearer, pair) for pair in combinations(distances[:NEARER_MAX], 2) for nearer in ("min", "max"))
    yield from _in_modes(modes, [*distances, *inner, *numeric])
    yield from _by_signs([name for name in numeric if name.name not in moved][:SIGNS_MAX], distances)
    yield from _while_given(loop, numeric, [*distances, *inner])
    for name in ordered:
        if variables[name] is Type.BOOL:
            yield from (Name(name), Unary("!", Name(name)))
    for statement in (loop.statement, *statements(loop.statement.body)):
        for expr in statement_expressions(statement):
            for part in expressions(expr):
                if isinstance(part, Compare):
                    yield from (part, Unary("!", part))
                    yield from _sides(part)
    for first in numeric:
        yield from (compare(first, op, Number(0)) for op in (">", "<", "="))
    for index, first in enumerate(numeric):
        for second in numeric[index + 1 :]:
            yield Binary("*", first, second)


def _around_wheels(exprs: Iterable[Expr]) -> Iterator[Expr]:
    """How far a remainder is from another in either direction: what counts up modulo k comes nearer to it in every turn."""
    for expr in exprs:
        for part in expressions(expr):
            if isinstance(part, Binary) and part.op == "%":
                yield from (part, Binary("%", _less(Number(0), part.left), part.right))
            if isinstance(part, Compare) and isinstance(part.operands[0], Binary) and part.operands[0].op == "%":
                wheel, wanted = part.operands[0], part.operands[1]
                yield Binary("%", _less(wanted, wheel.left), wheel.right)
                yield Binary("%", _less(wheel.left, wanted), wheel.right)


def _in_modes(modes: Modes, exprs: list[Expr]) -> Iterator[Expr]:
    """Products that count in some modes of the loop only."""
    for name, values in modes.items():
        for value in values:
            for mode in (_less(Name(name), number(value)), _less(number(value), Name(name))):
                yield from (Binary("*", mode, expr) for expr in exprs[:MODE_DISTANCES_MAX] if expr != Name(name))


def _by_signs(fixed: list[Name], distances: list[Expr]) -> Iterator[Expr]:
    """Products that count only where a number that no turn changes is positive, or only where it is negative: such as a step."""
    for name in fixed:
        sign = Call("max", (number(-1), Call("min", (Number(1), name))))
        for mode in (Binary("+", sign, Number(1)), Binary("-", Number(1), sign)):
            yield from (Binary("*", mode, distance) for distance in distances[:NEARER_MAX])


def _while_given(loop: Loop, numeric: list[Name], exprs: list[Expr]) -> Iterator[Expr]:
    """Flags and products for variables that the loop sets to nothing but a number of the text: until then they are as they came."""
    given: dict[str, set[int | None]] = {}
    for statement in statements(loop.statement.body):
        if isinstance(statement, Assign):
            given.setdefault(statement.target.name, set()).add(whole_literal(statement.value))
        elif isinstance(statement, Cassign):
            given |= {target.name: {None} for target in statement.targets}
    for name in numeric:
        values = given.get(name.name, set())
        if len(values) == 1 and None not in values:
            off = _less(name, number(next(value for value in values if value is not None)))
            yield compare(off, "!=", Number(0))
            yield from (Binary("*", Call("abs", (off,)), Binary("+", expr, Number(1))) for expr in exprs[:MODE_DISTANCES_MAX])


def _sides(part: Compare) -> Iterator[Expr]:
    """On which side of an equation a state is: what jumps over the value that ends the loop changes it once."""
    for link in links(part):
        if link.ops[0] in ("=", "!="):
            yield from (compare(link.operands[0], op, link.operands[1]) for op in (">", "<"))


def _modes(program: Program, loop: Loop) -> dict[str, list[int]]:
    """The variables that the loop changes and that the text gives at most a few values, all of them numbers."""
    given: dict[str, set[int | None]] = {}
    for statement in statements(program.info.functions[loop.function].function.body):
        match statement:
            case Assign(target, value):
                given.setdefault(target.name, set()).add(whole_literal(value))
            case Var(targets, _, value) if value is not None:
                for target in targets:
                    given.setdefault(target.name, set()).add(whole_literal(value))
            case Cassign(targets, _):
                for target in targets:
                    given.setdefault(target.name, set()).add(None)
    moved = changed(loop.statement.body)
    return {
        name: sorted(value for value in values if value is not None)
        for name, values in given.items()
        if name in moved and name in loop.columns and None not in values and 1 < len(values) <= MODES_MAX
    }


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
