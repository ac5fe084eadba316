"""Building numbers, comparisons and arithmetic, and rewriting trees. What concerns truth values is in logic.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Boolean,
    Branch,
    Break,
    Call,
    Cassign,
    Claim,
    Compare,
    Expr,
    If,
    Index,
    Name,
    Number,
    Old,
    Print,
    Quantified,
    Return,
    SetCell,
    Stmt,
    Swap,
    Unary,
    Var,
    While,
)
from idg.sip.trees.traverse import expressions

ZERO, ONE = Number(0), Number(1)
"""The literals 0 and 1."""

# Numbers


def number(value: int | Fraction) -> Expr:
    """The literal of a number, which for a negative one is `-` in front of a Number."""
    value = whole_if_possible(value)
    return Number(value) if value >= 0 else Unary("-", Number(-value))


def negative(expr: Expr) -> Expr:
    """The expression with the opposite sign; the literal of the opposite number where it is one of a whole number."""
    known = whole_literal(expr)
    return Unary("-", expr) if known is None else number(-known)


def literal(expr: Expr) -> int | Fraction | None:
    """The number that the expression is, as it stands: 3, -3, 1/2, -1/2. None where it is no literal."""
    match expr:
        case Number(value):
            return value
        case Unary("-", operand):
            inner = literal(operand)
            return None if inner is None else -inner
        case Binary("/", left, right):
            top, bottom = literal(left), literal(right)
            return None if top is None or not bottom else whole_if_possible(Fraction(top) / bottom)
        case _:
            return None


def whole_literal(expr: Expr) -> int | None:
    """The whole number that the expression is, as it stands: 3 or -3. Unlike `literal`, it reads neither 4/2 nor -(-3)."""
    match expr:
        case Number(value) if isinstance(value, int):
            return value
        case Unary("-", Number(value)) if isinstance(value, int):
            return -value
    return None


def whole_if_possible(value: int | Fraction) -> int | Fraction:
    """The same number, as an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


# Comparisons and arithmetic


def compare(left: Expr, op: str, right: Expr) -> Compare:
    """`left op right`, whatever the operands are."""
    return Compare((left, right), (op,))


def equals(expr: Expr, value: int | Fraction) -> Expr:
    """The condition that the expression has this value."""
    if isinstance(value, bool):
        return expr if value else Unary("!", expr)
    return compare(expr, "=", number(value))


def compare_decided(left: Expr, op: str, right: Expr) -> Expr:
    """`left op right`, but true or false where two literals are compared by != or >=.

    The conditions under which an expression has a value are such comparisons. That the divisor 2 is != 0 needs no proof.
    """
    if isinstance(left, Number) and isinstance(right, Number):
        if op == "!=":
            return Boolean(left.value != right.value)
        if op == ">=":
            return Boolean(left.value >= right.value)
    return compare(left, op, right)


def times(left: Expr, right: Expr) -> Expr:
    return Binary("*", left, right)


def arithmetic(op: str, left: Expr, right: Expr) -> Expr:
    """`left op right`, with sums of a term and two constants gathered: (x + 1) + 1 becomes x + 2."""
    if op in ("+", "-") and isinstance(right, Number):
        if isinstance(left, Number) and (op == "+" or left.value >= right.value):
            return Number(_sum(left.value, _signed(op, right.value)))
        if isinstance(left, Binary) and left.op in ("+", "-") and isinstance(left.right, Number):
            total = _sum(_signed(left.op, left.right.value), _signed(op, right.value))
            if total == 0:
                return left.left
            return Binary("+" if total > 0 else "-", left.left, Number(total if total > 0 else -total))
        if right.value == 0:
            return left
    return Binary(op, left, right)


def _sum(left: int | Fraction, right: int | Fraction) -> int | Fraction:
    return whole_if_possible(Fraction(left) + right)


def _signed(op: str, value: int | Fraction) -> int | Fraction:
    return value if op == "+" else -value


# Rewriting expressions


def rewrite(expr: Expr, leaf: Callable[[Name | Old], Expr]) -> Expr:
    """The expression with every name and every old(x) replaced by what `leaf` gives for it.

    Sums of constants that arise are gathered, as by `arithmetic`. Spans are dropped, because they belong to another text.
    """
    match expr:
        case Name() | Old():
            return leaf(expr)
        case Number() | Boolean():
            return expr
        case Unary(op, operand):
            inner = rewrite(operand, leaf)
            if op == "-" and isinstance(inner, Unary) and inner.op == "-":
                return inner.operand
            return Unary(op, inner)
        case Binary(op, left, right):
            return arithmetic(op, rewrite(left, leaf), rewrite(right, leaf))
        case Compare(operands, ops):
            return Compare(tuple(rewrite(operand, leaf) for operand in operands), ops)
        case Call(function, arguments):
            return Call(function, tuple(rewrite(argument, leaf) for argument in arguments))
        case Index(array, index):
            return Index(_array(leaf(array)), rewrite(index, leaf))
        case Quantified(word, variable, low, high, body):
            low, high = rewrite(low, leaf), rewrite(high, leaf)
            variable, body = _rewrite_inside(variable, body, leaf)
            return Quantified(word, variable, low, high, body)


def _array(expr: Expr) -> Name | Old:
    assert isinstance(expr, Name | Old), "an array is replaced by another array only"
    return expr


def _rewrite_inside(variable: Name, body: Expr, leaf: Callable[[Name | Old], Expr]) -> tuple[Name, Expr]:
    """A quantifier's variable and its body after the replacement.

    What comes in may have the variable's name and mean something else. Then the variable gets another name.
    """
    inside = _Inside(variable.name, leaf)
    changed = rewrite(body, inside)
    count = 0
    while inside.captures:
        count += 1
        fresh = Name(f"{variable.name}_{count}")
        if any(isinstance(part, Name) and part.name == fresh.name for part in expressions(body)):
            continue
        inside = _Inside(fresh.name, leaf)
        changed = rewrite(substitute(body, {variable.name: fresh}), inside)
        if not inside.captures:
            return fresh, changed
    return variable, changed


class _Inside:
    """A replacement inside a quantifier: the name over which it ranges stays. It notes whether that name comes in, too."""

    def __init__(self, name: str, leaf: Callable[[Name | Old], Expr]) -> None:
        self.name = name
        self.leaf = leaf
        self.captures = False

    def __call__(self, part: Name | Old) -> Expr:
        if isinstance(part, Name) and part.name == self.name:
            return part
        new = self.leaf(part)
        if new is not part and any(isinstance(inner, Name) and inner.name == self.name for inner in expressions(new)):
            self.captures = True
        return new


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with variables replaced by expressions; old(x) stays. Sums are gathered, as by `rewrite`."""
    return rewrite(expr, lambda leaf: values.get(leaf.name, leaf) if isinstance(leaf, Name) else leaf)


def rename(expr: Expr, new_names: Mapping[str, str]) -> Expr:
    """The expression with every variable called by its new name. Unlike `substitute`, nothing else is changed."""
    match expr:
        case Name(name):
            return Name(new_names[name])
        case Unary(op, operand):
            return Unary(op, rename(operand, new_names))
        case Binary(op, left, right):
            return Binary(op, rename(left, new_names), rename(right, new_names))
        case Compare(operands, ops):
            return Compare(tuple(rename(operand, new_names) for operand in operands), ops)
        case Call(function, arguments):
            return Call(function, tuple(rename(argument, new_names) for argument in arguments))
        case Index(array, index):
            return Index(_array(rename(array, new_names)), rename(index, new_names))
        case Quantified(word, variable, low, high, body):
            inside = {**new_names, variable.name: variable.name}
            return Quantified(word, variable, rename(low, new_names), rename(high, new_names), rename(body, inside))
        case _:
            return expr


def replace_part(expr: Expr, part: Expr, new: Expr) -> Expr:
    """The expression with every subexpression that equals `part` replaced; nothing else is changed."""
    if expr == part:
        return new
    match expr:
        case Unary(op, operand):
            return Unary(op, replace_part(operand, part, new))
        case Binary(op, left, right):
            return Binary(op, replace_part(left, part, new), replace_part(right, part, new))
        case Compare(operands, ops):
            return Compare(tuple(replace_part(operand, part, new) for operand in operands), ops)
        case Call(function, arguments):
            return Call(function, tuple(replace_part(argument, part, new) for argument in arguments))
        case Index(array, index):
            return Index(_array(replace_part(array, part, new)), replace_part(index, part, new))
        case Quantified(word, variable, low, high, body):
            low, high, body = (replace_part(inner, part, new) for inner in (low, high, body))
            return Quantified(word, variable, low, high, body)
        case _:
            return expr


def map_operands(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The expression with each of its direct operands changed. An array that is read and a quantifier's variable stay."""
    match expr:
        case Unary(op, operand):
            return Unary(op, change(operand))
        case Binary(op, left, right):
            return Binary(op, change(left), change(right))
        case Compare(operands, ops):
            return Compare(tuple(map(change, operands)), ops)
        case Call(function, arguments):
            return Call(function, tuple(map(change, arguments)))
        case Index(array, index):
            return Index(array, change(index))
        case Quantified(word, variable, low, high, body):
            return Quantified(word, variable, change(low), change(high), change(body))
        case _:
            return expr


def map_calls(expr: Expr, change: Callable[[Call], Expr]) -> Expr:
    """The expression with every call changed, those in the arguments of others first; nothing else is changed."""
    match expr:
        case Unary(op, operand):
            return Unary(op, map_calls(operand, change))
        case Binary(op, left, right):
            return Binary(op, map_calls(left, change), map_calls(right, change))
        case Compare(operands, ops):
            return Compare(tuple(map_calls(operand, change) for operand in operands), ops)
        case Call(function, arguments):
            return change(Call(function, tuple(map_calls(argument, change) for argument in arguments)))
        case Index(array, index):
            return Index(array, map_calls(index, change))
        case Quantified(word, variable, low, high, body):
            low, high, body = (map_calls(inner, change) for inner in (low, high, body))
            return Quantified(word, variable, low, high, body)
        case _:
            return expr


# Rewriting statements


def map_expressions(block: Block, change: Callable[[Expr], Expr]) -> Block:
    """The block with every expression changed, those of the blocks inside it included."""
    return Block(tuple(_map_statement(statement, change) for statement in block.statements))


def _map_statement(statement: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    match statement:
        case Var(targets, kind, value):
            length = None if statement.length is None else change(statement.length)
            return Var(targets, kind, None if value is None else change(value), length=length)
        case Assign(target, value):
            return Assign(target, change(value))
        case SetCell(array, index, value):
            return SetCell(array, change(index), change(value))
        case Swap(array, left, right):
            return Swap(array, change(left), change(right))
        case If(branches, otherwise):
            changed = tuple(Branch(change(branch.test), map_expressions(branch.body, change)) for branch in branches)
            return If(changed, map_expressions(otherwise, change))
        case While(invariant, test, body):
            given = None if invariant is None else change(invariant)
            measure = tuple(map(change, statement.measure))
            return While(given, change(test), map_expressions(body, change), measure=measure)
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
        case Break():
            return Break()
