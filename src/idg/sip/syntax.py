"""The syntax of SIP as frozen records.

Spans do not take part in equality: two trees are equal when they mean the same text up to layout, spelling and comments.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

from idg.sip.record import Record

if TYPE_CHECKING:
    from fractions import Fraction


class Span(NamedTuple):
    """Half-open range of offsets (in code points) into the source text."""

    start: int
    end: int


NOWHERE = Span(0, 0)


class Type(enum.Enum):
    BOOL = "bool"
    NAT = "nat"
    INT = "int"
    RAT = "rat"

    def __str__(self) -> str:
        return self.value


class Number(Record):
    """An int (type nat) or, for a literal such as 0.5 that is not whole, a Fraction (type rat). Never negative."""

    value: int | Fraction
    span: Span = NOWHERE


class Boolean(Record):
    value: bool
    span: Span = NOWHERE


class Name(Record):
    name: str
    span: Span = NOWHERE


class Old(Record):
    """A parameter's value at entry."""

    name: str
    span: Span = NOWHERE


class Unary(Record):
    op: str
    """'-' or '!'"""
    operand: Expr
    span: Span = NOWHERE


class Binary(Record):
    op: str
    """One of -> | & + - * / // % ^"""
    left: Expr
    right: Expr
    span: Span = NOWHERE


class Compare(Record):
    """A chain a op b op c …, with one operator less than operands."""

    operands: tuple[Expr, ...]
    ops: tuple[str, ...]
    span: Span = NOWHERE


class Call(Record):
    """A call of a built-in function or a helper."""

    function: str
    arguments: tuple[Expr, ...]
    span: Span = NOWHERE


Expr = Number | Boolean | Name | Old | Unary | Binary | Compare | Call


class Block(Record):
    statements: tuple[Stmt, ...]
    span: Span = NOWHERE


class Var(Record):
    names: tuple[Name, ...]
    type: Type
    value: Expr | None
    span: Span = NOWHERE


class Assign(Record):
    target: Name
    value: Expr
    span: Span = NOWHERE


class Branch(Record):
    test: Expr
    body: Block
    span: Span = NOWHERE


class If(Record):
    """One branch for the `if`, one for each `else if`; `otherwise` is empty where there is no `else`."""

    branches: tuple[Branch, ...]
    otherwise: Block
    span: Span = NOWHERE


class While(Record):
    invariant: Expr | None
    """The given invariant, where the program states one."""
    test: Expr
    body: Block
    span: Span = NOWHERE


class Print(Record):
    values: tuple[Expr, ...]
    span: Span = NOWHERE


class Assume(Record):
    condition: Expr
    span: Span = NOWHERE


class Assert(Record):
    condition: Expr
    span: Span = NOWHERE


class Claim(Record):
    condition: Expr
    span: Span = NOWHERE


class Cassign(Record):
    targets: tuple[Name, ...]
    condition: Expr
    span: Span = NOWHERE


class Return(Record):
    value: Expr
    span: Span = NOWHERE


Stmt = Var | Assign | If | While | Print | Assume | Assert | Claim | Cassign | Return


class Param(Record):
    name: str
    type: Type
    span: Span = NOWHERE


class Function(Record):
    name: str
    params: tuple[Param, ...]
    result: Type | None
    pres: tuple[Expr, ...]
    posts: tuple[Expr, ...]
    body: Block
    span: Span = NOWHERE
    name_span: Span = NOWHERE


class Module(Record):
    """What a text parses to: helpers first, the level last."""

    functions: tuple[Function, ...]
    span: Span = NOWHERE
