"""Random programs that write arrays: those of random_arrays.py with local arrays, cells that are set, sums and entry values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from idg.sip.record import replace
from idg.sip.syntax import (
    BASIC_TYPES,
    Assert,
    Assign,
    Binary,
    Block,
    Call,
    Compare,
    Expr,
    Function,
    If,
    Index,
    Module,
    Name,
    Number,
    Old,
    Quantified,
    SetCell,
    Stmt,
    Swap,
    Type,
    Var,
    While,
)
from idg.sip.trees.build import map_expressions
from tests.support.programs.drawn.random_arrays import ARRAYS
from tests.support.programs.drawn.random_expressions import chance, compare
from tests.support.programs.drawn.random_programs import random_value

if TYPE_CHECKING:
    import random

LOCAL = "2"
"""What the names of local arrays end with: ints2 is one beside the parameter ints."""
AGGREGATED = "k9"
"""The name over which sums and counts range."""


def with_writes(rng: random.Random, module: Module) -> Module:
    """The program with arrays, changed so that it writes them and speaks of them as a whole."""
    return Module(tuple(_Writer(rng).function(function) for function in module.functions))


@dataclass
class _Writer:
    rng: random.Random
    suffixes: tuple[str, ...] = ("", LOCAL)
    """What may end the name of an array where the writer is: contracts know the parameters only."""

    def function(self, function: Function) -> Function:
        self.suffixes = ("", LOCAL)
        body = map_expressions(function.body, self.changed)
        declared = tuple(self.declaration(kind) for kind in BASIC_TYPES)
        statements = (*declared, *self.statements(body.statements))
        self.suffixes = ("",)
        posts = tuple(self.fact(post) if chance(self.rng, 20) else post for post in function.posts)
        return replace(function, body=Block(statements), posts=posts)

    def declaration(self, kind: Type) -> Stmt:
        name = (Name(f"{kind}s{LOCAL}"),)
        if chance(self.rng, 40):
            return Var(name, ARRAYS[f"{kind}s"], Name(f"{kind}s"))
        whole = Call("len", (Name(f"{self.kind()}s"),))
        lengths: list[Expr] = [whole, whole, Number(self.rng.randint(1, 3)), Binary("-", whole, Number(self.rng.randint(0, 1)))]
        return Var(name, ARRAYS[f"{kind}s"], None, length=self.rng.choice(lengths))

    def statements(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        for statement in statements:
            if chance(self.rng, 35):
                made.append(self.write())
            if chance(self.rng, 5):
                made.append(Assert(self.about()))
            made.append(self.inside(statement))
        return tuple(made)

    def inside(self, statement: Stmt) -> Stmt:
        match statement:
            case If(branches, otherwise):
                taken = tuple(replace(branch, body=Block(self.statements(branch.body.statements))) for branch in branches)
                return If(taken, Block(self.statements(otherwise.statements)))
            case While():
                return replace(statement, body=Block(self.statements(statement.body.statements)))
            case _:
                return statement

    def write(self) -> Stmt:
        kind = self.kind()
        array = self.array(kind)
        match self.rng.randrange(6):
            case 0:
                return Assign(array, self.array(kind))
            case 1 | 2:
                return Swap(array, self.place(kind), self.place(kind))
            case _:
                return SetCell(array, self.place(kind), self.value(kind))

    def value(self, kind: Type) -> Expr:
        cell = Index(self.array(kind), self.place(kind))
        if kind is Type.BOOL:
            truths: list[Expr] = [cell, compare(Index(self.array(Type.INT), Number(0)), "<", Number(2))]
            return self.rng.choice(truths)
        literal = Number(abs(int(random_value(self.rng, Type.NAT))))
        numbers: list[Expr] = [cell, literal, Binary(self.rng.choice("+-*"), cell, literal), self.aggregate(kind)]
        return self.rng.choice(numbers)

    def aggregate(self, kind: Type) -> Expr:
        """A sum of numbers of this type, or how many cells are so."""
        low, high = self.range(kind)
        cell = Index(self.array(kind), Name(AGGREGATED))
        if chance(self.rng, 50):
            return Quantified("count", Name(AGGREGATED), low, high, compare(cell, "<=", Number(self.rng.randint(0, 5))))
        bodies: list[Expr] = [cell, Binary("*", cell, Name(AGGREGATED))]
        return Quantified("sum", Name(AGGREGATED), low, high, self.rng.choice(bodies))

    def range(self, kind: Type) -> tuple[Expr, Expr]:
        last: Expr = Binary("-", Call("len", (self.array(kind),)), Number(1))
        return Number(self.rng.randint(0, 1)), self.rng.choice([last, last, Number(self.rng.randint(0, 2))])

    def about(self) -> Expr:
        """What a fact says of whole arrays."""
        kind = self.rng.choice((Type.NAT, Type.INT, Type.RAT))
        array: Expr = self.array(kind)
        entry: Expr = Old(f"{kind}s")
        either = array if chance(self.rng, 50) else entry
        place = self.place(kind)
        facts: list[Expr] = [
            Call("sorted", (either, *self.range(kind))),
            Call("permutation", (array, entry)),
            Compare((array, entry), (self.rng.choice(("=", "!=")),)),
            Compare((array, self.array(kind), entry), ("=", "=")),
            compare(Call("len", (entry,)), ">=", Number(1)),
            compare(Index(Old(f"{kind}s"), place), "<=", Number(3)),
            compare(self.aggregate(kind), self.rng.choice(("<=", ">=", "!=")), Number(4)),
        ]
        return self.rng.choice(facts)

    def fact(self, expr: Expr) -> Expr:
        return Binary(self.rng.choice(("|", "->", "&")), expr, self.about())

    def changed(self, expr: Expr) -> Expr:
        """The expression with an aggregate in place of a number, sometimes, at the sides of a comparison."""
        match expr:
            case Compare((left, right), ops) if isinstance(right, Number) and chance(self.rng, 10):
                return Compare((left, self.aggregate(self.rng.choice((Type.NAT, Type.INT)))), ops)
            case Binary(op, left, right) if op in ("&", "|", "->"):
                return Binary(op, self.changed(left), self.changed(right))
            case _:
                return expr

    def kind(self) -> Type:
        return self.rng.choice(BASIC_TYPES)

    def array(self, kind: Type) -> Name:
        return Name(f"{kind}s{self.rng.choice(self.suffixes)}")

    def place(self, kind: Type) -> Expr:
        last = Binary("-", Call("len", (self.array(kind),)), Number(1))
        places: list[Expr] = [Number(0), Number(0), Number(0), Number(1), last]
        return self.rng.choice(places)
