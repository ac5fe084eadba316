"""Looking into syntax trees: what occurs in an expression, a statement or a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Boolean,
    Break,
    Call,
    Cassign,
    Claim,
    Compare,
    Expr,
    Function,
    If,
    Index,
    Name,
    Number,
    Old,
    Print,
    Quantified,
    Return,
    SetCell,
    Span,
    Stmt,
    Swap,
    Unary,
    Var,
    While,
)

_OPERANDS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Name: lambda _: (),
    Number: lambda _: (),
    Boolean: lambda _: (),
    Old: lambda _: (),
    Unary: lambda expr: (expr.operand,),
    Binary: attrgetter("left", "right"),
    Compare: attrgetter("operands"),
    Call: attrgetter("arguments"),
    Index: attrgetter("array", "index"),
    Quantified: attrgetter("low", "high", "body"),
}
"""What gives the direct operands. A table is quicker than a `match`, and this is asked for every node of every condition."""


def operands_of(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands."""
    return _OPERANDS[expr.__class__](expr)


def expressions(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it; of several operands, the last one first."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += _OPERANDS[part.__class__](part)


def names(expr: Expr) -> frozenset[str]:
    """The variables whose current values the expression uses: `x + old(n)` uses x, but not n. A quantifier's own name is none."""
    used = set()
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Name):
            used.add(part.name)
        elif isinstance(part, Binary):
            waiting.append(part.left)
            waiting.append(part.right)
        elif isinstance(part, Quantified):
            # The same name may be free elsewhere in the expression.
            used |= names(part.body) - {part.variable.name}
            waiting += (part.low, part.high)
        else:
            waiting += _OPERANDS[part.__class__](part)
    return frozenset(used)


def bound_names(expr: Expr) -> frozenset[str]:
    """The names over which quantifiers of the expression range. They are no variables of the program."""
    bound = set()
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Quantified):
            bound.add(part.variable.name)
        waiting += _OPERANDS[part.__class__](part)
    return frozenset(bound)


def names_and_olds(expr: Expr) -> frozenset[str]:
    """The variables that occur in the expression, also as old(n): in `x + old(n)` these are x and n."""
    return names(expr).union(part.name for part in expressions(expr) if isinstance(part, Old))


def names_in_order(expr: Expr) -> Iterator[str]:
    """The variables that the expression uses, from left to right, each as often as it occurs."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Name):
            yield part.name
        elif isinstance(part, Quantified):
            yield from (*names_in_order(part.low), *names_in_order(part.high))
            yield from (name for name in names_in_order(part.body) if name != part.variable.name)
        else:
            waiting += operands_of(part)[::-1]


def uses(expr: Expr, name: str) -> bool:
    """Whether the expression uses the current value of this variable."""
    return name in names(expr)


def occurs(expr: Expr, name: str) -> bool:
    """Whether a variable of this name stands anywhere in the expression, even as that of a quantifier."""
    return any(isinstance(part, Name) and part.name == name for part in expressions(expr))


def is_within(expr: Expr, nodes_max: int, levels_max: int) -> bool:
    """Whether the tree has at most so many nodes and levels. Callers that go through trees by recursion bound its depth so."""
    waiting = [(expr, 1)]
    nodes = 0
    while waiting:
        part, level = waiting.pop()
        nodes += 1
        if level > levels_max or nodes > nodes_max:
            return False
        waiting += [(part, level + 1) for part in _OPERANDS[part.__class__](part)]
    return True


def node_count(expr: Expr) -> int:
    """The number of nodes of the tree."""
    count = 0
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        count += 1
        waiting += _OPERANDS[part.__class__](part)
    return count


def height(expr: Expr) -> int:
    """The number of nodes on the longest way from the root of the tree to a leaf."""
    return 1 + max((height(operand) for operand in operands_of(expr)), default=0)


def conjuncts(expr: Expr) -> list[Expr]:
    """The operands of the conjunctions at the top: a, b and c for `a & (b & c)`. Nothing else is taken apart."""
    if isinstance(expr, Binary) and expr.op == "&":
        return [*conjuncts(expr.left), *conjuncts(expr.right)]
    return [expr]


def links(chain: Compare) -> list[Compare]:
    """The comparisons that a chain stands for: `a < b` and `b = c` for `a < b = c`."""
    return [Compare(chain.operands[index : index + 2], (op,)) for index, op in enumerate(chain.ops)]


def conjunct_count(expr: Expr) -> int:
    """How many conditions a conjunction joins; a chain `a <= b < c` is two."""
    return sum(len(part.ops) if isinstance(part, Compare) else 1 for part in conjuncts(expr))


def statements(block: Block) -> Iterator[Stmt]:
    """Every statement of the block and of the blocks inside it, in the order of the text."""
    for statement in block.statements:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)


def blocks(statement: Stmt) -> tuple[Block, ...]:
    """The blocks directly inside the statement."""
    match statement:
        case If(branches, otherwise):
            return (*(branch.body for branch in branches), otherwise)
        case While(_, _, body):
            return (body,)
        case _:
            return ()


def always_returns(block: Block) -> bool:
    """Whether no run comes to the end of the block, because each way through it plainly ends in a return."""
    last = block.statements[-1] if block.statements else None
    return isinstance(last, Return) or (isinstance(last, If) and all(map(always_returns, blocks(last))))


def is_in_test(loop: While, span: Span) -> bool:
    """Whether something stands in the test of the loop. A turn begins with the test, so what fails there fails in the turn."""
    return loop.test.span.start <= span.start and span.end <= loop.test.span.end


def is_in_claim(functions: Iterable[Function], span: Span) -> bool:
    """Whether something stands in a claim, or in a given invariant. Runs do not evaluate claims, so none stops at what is wrong
    in one, and proofs take a given invariant for true wherever the loop is reached."""
    claims: list[Expr] = []
    for part in (part for function in functions for part in statements(function.body)):
        if isinstance(part, Claim):
            claims.append(part.condition)
        elif isinstance(part, While) and part.invariant is not None:
            claims.append(part.invariant)
    return any(claim.span.start <= span.start and span.end <= claim.span.end for claim in claims)


def can_be_left(loop: While) -> bool:
    """Whether a turn of the loop may leave it, by a break or a return, while its test is true."""
    inner = {id(part) for other in statements(loop.body) if isinstance(other, While) for part in statements(other.body)}
    return any(isinstance(part, Return) or (isinstance(part, Break) and id(part) not in inner) for part in statements(loop.body))


def statement_expressions(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions of the statement itself, not of the blocks inside it."""
    match statement:
        case Var(_, _, value):
            return tuple(part for part in (value, statement.length) if part is not None)
        case Assign(_, value) | Return(value):
            return (value,)
        case SetCell(_, index, value):
            return (index, value)
        case Swap(_, left, right):
            return (left, right)
        case If(branches):
            return tuple(branch.test for branch in branches)
        case While(invariant, test):
            return (*(() if invariant is None else (invariant,)), test, *statement.measure)
        case Print(values):
            return values
        case Assume(condition) | Assert(condition) | Claim(condition) | Cassign(_, condition):
            return (condition,)
        case Break():
            return ()


def function_expressions(function: Function) -> Iterator[Expr]:
    """Every expression of a function, contract included."""
    yield from function.pres
    yield from function.posts
    yield from function.measure
    for statement in statements(function.body):
        yield from statement_expressions(statement)


def called(function: Function) -> frozenset[str]:
    """The functions that this one calls directly, built-in ones included."""
    return frozenset(
        part.function for expr in function_expressions(function) for part in expressions(expr) if isinstance(part, Call)
    )


def assigned(function: Function) -> frozenset[str]:
    """The variables to which the body gives a value, also by `var x: int := 0;` (but not the ones that it merely declares)."""
    initialised = {
        name.name
        for statement in statements(function.body)
        if isinstance(statement, Var) and statement.value is not None
        for name in statement.names
    }
    return changed(function.body) | initialised


def changed(block: Block) -> frozenset[str]:
    """The variables that the block assigns or chooses, arrays of which it sets cells among them; declarations do not count."""
    return changed_as_a_whole(block) | cells_changed(block)


def cells_changed(block: Block) -> frozenset[str]:
    """The arrays of which the block sets or swaps cells."""
    return frozenset(statement.array.name for statement in statements(block) if isinstance(statement, SetCell | Swap))


def changed_as_a_whole(block: Block) -> frozenset[str]:
    """The variables that the block assigns or chooses. An array of which it only sets cells keeps its length and is not told."""
    targets: set[str] = set()
    for statement in statements(block):
        if isinstance(statement, Assign):
            targets.add(statement.target.name)
        elif isinstance(statement, Cassign):
            targets.update(target.name for target in statement.targets)
    return frozenset(targets)


def undetermined(function: Function) -> frozenset[str]:
    """The variables, declared without a value, that may be read or stand at a loop head before the body gives them a value.

    What a run does may depend on the values that these start with.
    """
    seen: set[str] = set()
    _follow_unset(function.body, set(), seen)
    return frozenset(seen)


def _follow_unset(block: Block, unset: set[str], seen: set[str]) -> None:
    """Follows the block. `unset`: the variables that may have no value yet, changed to what is so at its end; `seen`: see above."""
    for statement in block.statements:
        if isinstance(statement, Cassign):
            unset -= {target.name for target in statement.targets}
        for expr in statement_expressions(statement):
            seen |= names(expr) & unset
        match statement:
            case Var(targets, _, None):
                unset |= {target.name for target in targets}
            case Assign(target):
                unset.discard(target.name)
            case If():
                branches = [(inner, set(unset)) for inner in blocks(statement)]
                for inner, branch_unset in branches:
                    _follow_unset(inner, branch_unset, seen)
                still_unset = {name for _, branch_unset in branches for name in branch_unset}
                unset.clear()
                unset |= still_unset
            case While(_, _, body):
                seen |= unset
                _follow_unset(body, set(unset), seen)
            case _:
                pass
