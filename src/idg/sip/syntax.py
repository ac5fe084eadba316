"""The syntax of SIP as frozen dataclasses.

Spans do not take part in equality: two trees are equal when they mean the same text up to layout, spelling and comments.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

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


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number:
    """An int (type nat) or, for a literal such as 0.5 that is not whole, a Fraction (type rat). Never negative."""

    value: int | Fraction
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Boolean:
    value: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Old:
    """A parameter's value at entry."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Unary:
    op: str
    """'-' or '!'"""
    operand: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Binary:
    op: str
    """One of -> | & + - * / // % ^"""
    left: Expr
    right: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Compare:
    """A chain a op b op c …, with one operator less than operands."""

    operands: tuple[Expr, ...]
    ops: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a built-in function or a helper."""

    function: str
    arguments: tuple[Expr, ...]
    span: Span = _span()


Expr = Number | Boolean | Name | Old | Unary | Binary | Compare | Call


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Var:
    names: tuple[Name, ...]
    type: Type
    value: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assign:
    target: Name
    value: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Branch:
    test: Expr
    body: Block
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class If:
    """One branch for the `if`, one for each `else if`; `otherwise` is empty where there is no `else`."""

    branches: tuple[Branch, ...]
    otherwise: Block
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class While:
    invariant: Expr | None
    """The given invariant, where the program states one."""
    test: Expr
    body: Block
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Print:
    values: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assume:
    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assert:
    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Claim:
    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Cassign:
    targets: tuple[Name, ...]
    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr
    span: Span = _span()


Stmt = Var | Assign | If | While | Print | Assume | Assert | Claim | Cassign | Return


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    params: tuple[Param, ...]
    result: Type | None
    pres: tuple[Expr, ...]
    posts: tuple[Expr, ...]
    body: Block
    span: Span = _span()
    name_span: Span = _span()


@dataclass(frozen=True, slots=True)
class Module:
    """What a text parses to: helpers first, the level last."""

    functions: tuple[Function, ...]
    span: Span = _span()
