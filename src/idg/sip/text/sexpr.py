"""Canonical S-expressions of syntax trees: the form in which spec/vectors says what a text must parse to.

spec/README.md describes it. Every tree has exactly one S-expression. It is one line, with one blank between its parts.
"""

from __future__ import annotations

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

_UNARY = {"-": "neg", "!": "not"}
"""The prefix minus needs a name that differs from the infix one, and the other prefix operator has one likewise."""


def expression_sexpr(expr: Expr) -> str:
    match expr:
        case Number(value):
            return str(value)
        case Boolean(value):
            return "true" if value else "false"
        case Name(name):
            return name
        case Old(name):
            return _form("old", name)
        case Unary(op, operand):
            return _form(_UNARY[op], expression_sexpr(operand))
        case Binary(op, left, right):
            return _form(op, expression_sexpr(left), expression_sexpr(right))
        case Compare(operands, ops):
            first, *others = map(expression_sexpr, operands)
            pairs = (f"{op} {operand}" for op, operand in zip(ops, others, strict=True))
            return _form("chain", first, *pairs)
        case Call(function, arguments):
            return _form("call", function, *map(expression_sexpr, arguments))
        case Index(array, index):
            return _form("cell", expression_sexpr(array), expression_sexpr(index))
        case Quantified(word, variable, low, high, body):
            return _form(word, variable.name, *map(expression_sexpr, (low, high, body)))


def module_sexpr(module: Module) -> str:
    return _form("program", *map(_function, module.functions))


def _function(function: Function) -> str:
    return _form(
        "fn",
        function.name,
        _form("params", *(f"({param.name} {param.type})" for param in function.params)),
        *([_form("result", str(function.result))] if function.result else []),
        *(_form("pre", expression_sexpr(pre)) for pre in function.pres),
        *(_form("post", expression_sexpr(post)) for post in function.posts),
        *_measure(function.measure),
        _form("body", *_statements(function.body)),
    )


def _statements(block: Block) -> list[str]:
    return [_statement(statement) for statement in block.statements]


def _statement(statement: Stmt) -> str:
    match statement:
        case Var(names, kind, value):
            given = [] if value is None else [expression_sexpr(value)]
            length = [] if statement.length is None else [_form("length", expression_sexpr(statement.length))]
            return _form("var", _names(names), str(kind), *length, *given)
        case Assign(target, value):
            return _form("assign", target.name, expression_sexpr(value))
        case SetCell(array, index, value):
            return _form("set", array.name, expression_sexpr(index), expression_sexpr(value))
        case Swap(array, left, right):
            return _form("swap", array.name, expression_sexpr(left), expression_sexpr(right))
        case If(branches, otherwise):
            cases = (_form("case", expression_sexpr(branch.test), *_statements(branch.body)) for branch in branches)
            # An empty else means the same as none, and the tree does not tell them apart.
            last = [_form("else", *_statements(otherwise))] if otherwise.statements else []
            return _form("if", *cases, *last)
        case While(invariant, test, body):
            given = [] if invariant is None else [_form("invariant", expression_sexpr(invariant))]
            tested = _form("test", expression_sexpr(test))
            return _form("while", *given, tested, *_measure(statement.measure), _form("body", *_statements(body)))
        case Print(values):
            return _form("print", *map(expression_sexpr, values))
        case Assume(condition):
            return _form("assume", expression_sexpr(condition))
        case Assert(condition):
            return _form("assert", expression_sexpr(condition))
        case Claim(condition):
            return _form("claim", expression_sexpr(condition))
        case Cassign(targets, condition):
            return _form("cassign", _names(targets), expression_sexpr(condition))
        case Return(value):
            return _form("return", expression_sexpr(value))
        case Break():
            return _form("break")


def _measure(measure: tuple[Expr, ...]) -> list[str]:
    return [_form("decreases", *map(expression_sexpr, measure))] if measure else []


def _names(names: tuple[Name, ...]) -> str:
    return f"({' '.join(name.name for name in names)})"


def _form(head: str, *parts: str) -> str:
    return f"({' '.join((head, *parts))})"
