"""The syntax of SIP as frozen records.

Spans take no part in equality: two trees are equal when their texts differ in layout, alternative spellings and comments only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from idg.sip.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from typing import ClassVar, Self


class Span(NamedTuple):
    """A part of the source text: the offsets, in code points, of its first character and of the one after its last."""

    start: int
    end: int


NOWHERE = Span(0, 0)
"""The span of what was not read from a text."""


class Type(Record):
    """A type of values. There is one record for each type, made below, so that types can be compared with `is`."""

    name: str
    """As programs write it."""
    element: Type | None
    """The type of the elements, where this is a type of arrays."""

    if TYPE_CHECKING:
        BOOL: ClassVar[Type]
        NAT: ClassVar[Type]
        INT: ClassVar[Type]
        RAT: ClassVar[Type]

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        # A copy, or one from another process, must be the one record of its type.
        return type_named, (self.name,)


Type.BOOL, Type.NAT, Type.INT, Type.RAT = BASIC_TYPES = tuple(Type(name, None) for name in ("bool", "nat", "int", "rat"))
"""The types whose values are single numbers or truth values."""
ARRAY_TYPES = tuple(Type(f"{element.name}[]", element) for element in BASIC_TYPES)
"""The types of arrays, one for each type of elements."""
ARRAYS_OF = {kind.element: kind for kind in ARRAY_TYPES}
"""For each type of elements, the type of their arrays."""
TYPES = {kind.name: kind for kind in (*BASIC_TYPES, *ARRAY_TYPES)}
"""All types, by their names."""


def type_named(name: str) -> Type:
    """The type that a program means by this name; KeyError where there is none."""
    return TYPES[name]


class Node(Record):
    passed_over = ("span", "name_span")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        """The tree itself, because trees never change and may be deeper than copy can go."""
        return self


class Number(Node):
    """A literal: an int (of type nat) or, where it is not whole as in 0.5, a Fraction (of type rat). It is never negative."""

    value: int | Fraction
    span: Span = NOWHERE


class Boolean(Node):
    value: bool
    span: Span = NOWHERE


class Name(Node):
    name: str
    span: Span = NOWHERE


class Old(Node):
    """The entry value of a parameter, written old(n)."""

    name: str
    span: Span = NOWHERE


class Unary(Node):
    op: str
    """'-' or '!'"""
    operand: Expr
    span: Span = NOWHERE


class Binary(Node):
    op: str
    """One of -> | & + - * / // % ^"""
    left: Expr
    right: Expr
    span: Span = NOWHERE


class Compare(Node):
    """A comparison or a chain of them: a op b op c …, with one operator less than operands."""

    operands: tuple[Expr, ...]
    ops: tuple[str, ...]
    span: Span = NOWHERE


class Call(Node):
    """A call of a built-in function or a helper."""

    function: str
    arguments: tuple[Expr, ...]
    span: Span = NOWHERE


class Index(Node):
    """A cell of an array, written a[i]. The first cell is a[0]. Where the array has no such cell, there is no value."""

    array: Name | Old
    index: Expr
    span: Span = NOWHERE


class Quantified(Node):
    """A statement about all whole numbers from `low` to `high`, or a sum or count over them: forall k in low..high: body."""

    word: str
    """'forall', 'exists', 'sum' or 'count'"""
    variable: Name
    """Its name stands for nothing else in the function, so that it cannot be confused with a variable of the program."""
    low: Expr
    high: Expr
    """The last number; there is none where it is less than `low`."""
    body: Expr
    span: Span = NOWHERE


Expr = Number | Boolean | Name | Old | Unary | Binary | Compare | Call | Index | Quantified


class Block(Node):
    statements: tuple[Stmt, ...]
    span: Span = NOWHERE


class Var(Node):
    names: tuple[Name, ...]
    type: Type
    value: Expr | None
    span: Span = NOWHERE
    length: Expr | None = None
    """For arrays that are declared without a value: how many cells each of them has. The cells have any values of their type."""


class Assign(Node):
    """Gives a variable a value. An array gets all cells of another one and its length: arrays are values, which are copied."""

    target: Name
    value: Expr
    span: Span = NOWHERE


class SetCell(Node):
    """Gives one cell of an array a value: a[i] := e."""

    array: Name
    index: Expr
    value: Expr
    span: Span = NOWHERE


class Swap(Node):
    """Exchanges the values of two cells of an array: swap(a, i, j)."""

    array: Name
    left: Expr
    right: Expr
    span: Span = NOWHERE


class Branch(Node):
    test: Expr
    body: Block
    span: Span = NOWHERE


class If(Node):
    """It has a branch for the `if` and one for each `else if`; `otherwise` is empty where there is no `else`."""

    branches: tuple[Branch, ...]
    otherwise: Block
    span: Span = NOWHERE


class While(Node):
    invariant: Expr | None
    """The given invariant, where the program states one."""
    test: Expr
    body: Block
    span: Span = NOWHERE
    measure: tuple[Expr, ...] = ()
    """The given measure, which falls in every turn, where the program states one: its components, the weightiest first."""


class Print(Node):
    values: tuple[Expr, ...]
    span: Span = NOWHERE


class Assume(Node):
    condition: Expr
    span: Span = NOWHERE


class Assert(Node):
    condition: Expr
    span: Span = NOWHERE


class Claim(Node):
    condition: Expr
    span: Span = NOWHERE


class Cassign(Node):
    targets: tuple[Name, ...]
    condition: Expr
    span: Span = NOWHERE


class Return(Node):
    """Ends the function, wherever it stands. It is the last statement of its block."""

    value: Expr
    span: Span = NOWHERE


class Break(Node):
    """Leaves the innermost loop around it. It is the last statement of its block."""

    span: Span = NOWHERE


Stmt = Var | Assign | SetCell | Swap | If | While | Print | Assume | Assert | Claim | Cassign | Return | Break


class Param(Node):
    name: str
    type: Type
    span: Span = NOWHERE


class Function(Node):
    name: str
    params: tuple[Param, ...]
    result: Type | None
    pres: tuple[Expr, ...]
    posts: tuple[Expr, ...]
    body: Block
    span: Span = NOWHERE
    name_span: Span = NOWHERE
    measure: tuple[Expr, ...] = ()
    """For a recursive function: what falls from a call to the calls that it makes, where the program states it."""


class Module(Node):
    """What a text of a program parses to. The last function is the level, and those before it are its helpers."""

    functions: tuple[Function, ...]
    span: Span = NOWHERE
