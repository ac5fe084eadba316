"""The canonical text of expressions and programs. Parsing it gives the same tree again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from idg.sip.operators import AGGREGATES, BODY_PRECEDENCE, COMPARISON_PRECEDENCE, INFIX, OPEN_PRECEDENCE, PREFIX
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
    Module,
    Name,
    Number,
    Old,
    Param,
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

if TYPE_CHECKING:
    from fractions import Fraction

INDENT = "  "
_ATOM = 100
"""The precedence of what never needs brackets: higher than that of any operator."""


def print_expression(expr: Expr) -> str:
    return _expression(expr)[0]


def _expression(expr: Expr) -> tuple[str, int]:
    """The text and the precedence of its outermost operator."""
    match expr:
        case Number(value):
            return print_number(value), _ATOM
        case Boolean(value):
            return ("true" if value else "false"), _ATOM
        case Name(name):
            return name, _ATOM
        case Old(name):
            return f"old({name})", _ATOM
        case Call("sorted", (array, start, end)):
            return f"sorted({print_expression(array)}, {_range(start, end)})", _ATOM
        case Call(function, arguments):
            return f"{function}({', '.join(map(print_expression, arguments))})", _ATOM
        case Index(array, place):
            return f"{print_expression(array)}[{print_expression(place)}]", _ATOM
        case Quantified(word, variable, start, end, body):
            return f"{word} {variable.name} in {_range(start, end)}: {_within(body, BODY_PRECEDENCE[word])}", OPEN_PRECEDENCE
        case Unary(op, operand):
            precedence = PREFIX[op].precedence
            # `!(x = y)` rather than the equivalent `!x = y`, which most people misread.
            least = COMPARISON_PRECEDENCE + 1 if op == "!" and isinstance(operand, Compare) else precedence
            return op + _within(operand, least), precedence
        case Binary(op, left, right):
            operator = INFIX[op]
            low, high = operator.precedence, operator.precedence + 1
            to_left = operator.associativity == "left"
            first, second = _within(left, low if to_left else high), _within(right, high if to_left else low)
            space = "" if op == "^" else " "
            return f"{first}{space}{op}{space}{second}", low
        case Compare(operands, ops):
            texts = [_within(operand, COMPARISON_PRECEDENCE + 1) for operand in operands]
            if isinstance(operands[-1], Quantified) and operands[-1].word in AGGREGATES:
                texts[-1] = print_expression(operands[-1])  # Nothing that may follow a comparison belongs to the body.
            parts = (f" {op} {text}" for op, text in zip(ops, texts[1:], strict=True))
            return texts[0] + "".join(parts), COMPARISON_PRECEDENCE


def _range(start: Expr, end: Expr) -> str:
    return f"{_within(start, COMPARISON_PRECEDENCE + 1)}..{_within(end, COMPARISON_PRECEDENCE + 1)}"


def _within(expr: Expr, least: int) -> str:
    """The text, in brackets where its outermost operator binds less tightly than `least`."""
    text, precedence = _expression(expr)
    return f"({text})" if precedence < least else text


def print_number(value: int | Fraction) -> str:
    """The text of a literal. A Fraction is written as a decimal where that is finite and not too long, and else as a quotient."""
    if isinstance(value, int):
        return str(value)
    digits, scale = 0, 1
    while scale % value.denominator:
        digits, scale = digits + 1, scale * 10
        if digits > 1000:
            return f"({value.numerator} / {value.denominator})"
    whole = str(value.numerator * (scale // value.denominator)).rjust(digits + 1, "0")
    return f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole


def print_program(module: Module) -> str:
    return "\n".join("".join(f"{line}\n" for line in function_lines(function)) for function in module.functions)


def function_lines(function: Function) -> Iterator[str]:
    yield function_head(function)
    for word, clauses in (("pre", function.pres), ("post", function.posts)):
        for clause in clauses:
            yield f"{INDENT}{word}({print_expression(clause)});"
    if function.measure:
        yield INDENT + function_measure(function)
    yield from _block_lines(function.body, INDENT)
    yield "}"


def function_measure(function: Function) -> str:
    return f"decreases({print_measure(function.measure)});"


def print_measure(measure: tuple[Expr, ...]) -> str:
    """The components of a measure, as they stand after `decreases`."""
    return ", ".join(map(print_expression, measure))


def function_head(function: Function) -> str:
    kind = f": {function.result}" if function.result else ""
    return f"fn {function.name}({print_params(function.params)}){kind} {{"


def print_params(params: tuple[Param, ...]) -> str:
    """The parameters with their types, where neighbours share one: `a, b: nat, c: int`."""
    shown = []
    for index, param in enumerate(params):
        last = index + 1 == len(params) or params[index + 1].type is not param.type
        shown.append(f"{param.name}: {param.type}" if last else param.name)
    return ", ".join(shown)


def _block_lines(block: Block, indent: str) -> Iterator[str]:
    for statement in block.statements:
        yield from statement_lines(statement, indent)


def statement_lines(statement: Stmt, indent: str = "") -> Iterator[str]:
    match statement:
        case If(branches, otherwise):
            word = "if"
            for branch in branches:
                yield f"{indent}{word} ({print_expression(branch.test)}) {{"
                yield from _block_lines(branch.body, indent + INDENT)
                word = "} else if"
            if otherwise.statements:
                yield f"{indent}}} else {{"
                yield from _block_lines(otherwise, indent + INDENT)
            yield f"{indent}}}"
        case While(_, _, body):
            yield indent + loop_head(statement)
            yield from _block_lines(body, indent + INDENT)
            yield f"{indent}}}"
        case _:
            yield indent + simple_statement(statement)


def loop_head(loop: While) -> str:
    given = f"[{print_expression(loop.invariant)}] " if loop.invariant else ""
    measure = f"decreases {print_measure(loop.measure)} " if loop.measure else ""
    return f"while {given}({print_expression(loop.test)}) {measure}{{"


def simple_statement(statement: Stmt) -> str:
    """A statement that is not made of blocks, with its semicolon."""
    match statement:
        case Var(names, kind, value):
            given = f" := {print_expression(value)}" if value else ""
            shown = f"{kind.element}[{print_expression(statement.length)}]" if statement.length else str(kind)
            return f"var {', '.join(name.name for name in names)}: {shown}{given};"
        case Assign(target, value):
            return f"{target.name} := {print_expression(value)};"
        case SetCell(array, index, value):
            return f"{array.name}[{print_expression(index)}] := {print_expression(value)};"
        case Swap(array, left, right):
            return f"swap({array.name}, {print_expression(left)}, {print_expression(right)});"
        case Print(values):
            return f"print({', '.join(map(print_expression, values))});"
        case Assume(condition):
            return f"assume({print_expression(condition)});"
        case Assert(condition):
            return f"assert({print_expression(condition)});"
        case Claim(condition):
            return f"claim({print_expression(condition)});"
        case Cassign(targets, condition):
            return f"cassign([{', '.join(target.name for target in targets)}], {print_expression(condition)});"
        case Return(value):
            return f"return {print_expression(value)};"
        case Break():
            return "break;"
        case If() | While():
            raise TypeError(f"{type(statement).__name__} is made of blocks")
