"""Random programs with arrays and quantifiers: a random program of numbers, in which some parts are replaced.

Every function gets the same arrays as further parameters, and every call passes them on. So the programs of random_programs.py stay
what they are for everybody else, and whatever they test is tested here with arrays in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from idg.sip import syntax as sip
from idg.sip.record import replace
from idg.sip.syntax import (
    ARRAYS_OF,
    BASIC_TYPES,
    Binary,
    Call,
    Compare,
    Expr,
    Function,
    Index,
    Module,
    Name,
    Number,
    Quantified,
    Type,
)
from idg.sip.trees.build import map_expressions
from idg.sip.trees.traverse import bound_names, operands_of, statements
from tests.support.programs.drawn.random_expressions import Value, chance, compare
from tests.support.programs.drawn.random_programs import random_value

if TYPE_CHECKING:
    import random

ARRAYS = {f"{kind}s": ARRAYS_OF[kind] for kind in BASIC_TYPES}
"""The arrays of every function, by their names."""
PARAMS = tuple(sip.Param(name, kind) for name, kind in ARRAYS.items())
CELLS_MAX = 4
"""Cells of a random array."""
LEVELS_MAX = 2
"""Quantifiers inside each other."""


def with_arrays(rng: random.Random, module: Module) -> Module:
    """The program with arrays: other values, and perhaps no end, but as well-formed as before."""
    functions = {function.name for function in module.functions}
    return Module(tuple(_function(rng, function, functions) for function in module.functions))


def _function(rng: random.Random, function: Function, functions: set[str]) -> Function:
    variables = {param.name: param.type for param in function.params}
    for statement in statements(function.body):
        if isinstance(statement, sip.Var):
            variables |= {name.name: statement.type for name in statement.names}
    whole = [Name(param.name) for param in function.params if param.type in (Type.NAT, Type.INT)]
    maker = _Maker(rng, variables, whole, functions)
    return replace(
        function,
        params=(*function.params, *PARAMS),
        pres=tuple(map(maker.changed, function.pres)),
        posts=tuple(map(maker.changed, function.posts)),
        body=map_expressions(function.body, maker.changed),
    )


def array_inputs(rng: random.Random, params: Mapping[str, Type]) -> dict[str, Value]:
    inputs: dict[str, Value] = {}
    for name, kind in params.items():
        if kind.element is None:
            inputs[name] = random_value(rng, kind)
        else:
            count = rng.randint(2 if chance(rng, 85) else 0, CELLS_MAX)
            inputs[name] = tuple(random_value(rng, kind.element) for _ in range(count))
    return inputs


def expression_with_arrays(rng: random.Random, expr: Expr, variables: Mapping[str, Type], functions: Collection[str]) -> Expr:
    """The expression with cells, lengths and quantifiers; `functions` have the arrays as further parameters."""
    scalars = {name: kind for name, kind in variables.items() if kind.element is None}
    whole = [Name(name) for name, kind in scalars.items() if kind in (Type.NAT, Type.INT)]
    return _Maker(rng, scalars, whole, set(functions)).changed(expr)


@dataclass
class _Maker:
    """Replaces parts of expressions by others of the same type."""

    rng: random.Random
    variables: dict[str, Type]
    whole: list[Name]
    """The parameters that are whole numbers."""
    functions: set[str]
    bound: list[str] = field(default_factory=list)
    """The names over which a quantifier ranges whose body is being made."""

    def changed(self, expr: Expr) -> Expr:
        match expr:
            case Name(name) if name in self.variables and chance(self.rng, 8):
                return self.cell(self.variables[name])
            case Number(value) if isinstance(value, int) and chance(self.rng, 5):
                return self.rng.choice([Call("len", (self.array(),)), self.cell(Type.NAT), *map(Name, self.bound)])
            case sip.Unary(op, operand):
                # A minus before a literal is part of it, and a negative literal may not be an exponent.
                return expr if isinstance(operand, Number) else sip.Unary(op, self.changed(operand))
            case Binary("^", left, right):
                return Binary("^", self.changed(left), right)
            case Binary(op, left, right):
                return self.wrapped(Binary(op, self.changed(left), self.changed(right)))
            case Compare(operands, ops):
                return self.wrapped(Compare(tuple(map(self.changed, operands)), ops))
            case Call(function, arguments):
                changed = tuple(map(self.changed, arguments))
                return Call(function, (*changed, *map(Name, ARRAYS)) if function in self.functions else changed)
            case _:
                return expr

    def wrapped(self, expr: Expr) -> Expr:
        """The condition under a quantifier, sometimes; numbers stay as they are."""
        logical = isinstance(expr, Compare) or (isinstance(expr, Binary) and expr.op in ("&", "|", "->"))
        inside = _quantifiers(expr)
        if not logical or inside >= LEVELS_MAX or not chance(self.rng, 20):
            return expr
        # A quantifier inside may be named after one that it has lost since.
        name = f"k{1 + max((int(bound[1:]) for bound in bound_names(expr)), default=0)}"
        low = self.rng.choice((Number(0), Number(0), Number(1)))
        array = self.array()
        high = self.rng.choice((Binary("-", Call("len", (array,)), Number(1)), Number(self.rng.randint(0, 1)), self.small()))
        self.bound.append(name)
        extra: Expr = compare(self.cell(Type.INT), self.rng.choice(("<", "<=", "=", "!=")), Name(name))
        self.bound.pop()
        return Quantified(self.rng.choice(("forall", "exists")), Name(name), low, high, self.joined(expr, extra))

    def joined(self, left: Expr, right: Expr) -> Expr:
        return self.rng.choice((right, Binary("->", left, right), Binary("|", right, left)))

    def small(self) -> Expr:
        """A small whole number."""
        numbers: list[Expr] = [*self.whole, Number(2)]
        return Binary("%", self.rng.choice(numbers), Number(self.rng.randint(1, 3)))

    def array(self) -> Name:
        return Name(self.rng.choice(list(ARRAYS)))

    def cell(self, kind: Type) -> Expr:
        array = Name(f"{kind}s")
        bound: list[Expr] = [*map(Name, self.bound)]
        last = Binary("-", Call("len", (array,)), Number(1))
        places = [Number(0), Number(0), Number(1), last, self.small(), *bound, *bound]
        return Index(array, self.rng.choice(places))


def _quantifiers(expr: Expr) -> int:
    """How many quantifiers stand inside each other."""
    return isinstance(expr, Quantified) + max(map(_quantifiers, operands_of(expr)), default=0)
