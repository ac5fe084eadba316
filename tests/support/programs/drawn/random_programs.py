"""Random well-typed expressions, programs and inputs, as syntax trees, for differential and round-trip tests.

Every choice is one draw from a `random.Random`, with the simplest alternative first, so that Hypothesis' `st.randoms`
can drive the generator and shrink to small programs. The weights are set so that about half of the runs return and the
others spread over the causes of docs/language.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from idg.sip import syntax as sip
from idg.sip.syntax import Binary, Block, Call, Expr, Function, Module, Name, Number, Stmt, Type, Unary
from tests.support.programs.drawn.random_expressions import (
    NUMBER_TYPES,
    Expressions,
    Functions,
    Names,
    Scalar,
    Scope,
    Value,
    chance,
    compare,
    pick,
)

if TYPE_CHECKING:
    import random

STATEMENT_KINDS = (
    (5, "var"), (10, "assign"), (4, "if"), (7, "while"), (2, "print"), (3, "assert"), (1, "assume"), (1, "claim"),
    (2, "cassign"),
)  # fmt: skip
VARIABLES = ("x", "y", "z", "a", "b", "c", "m", "n", "p", "q", "r", "s", "t", "u", "v", "w")
LEVEL = "main"
BLOCK_LEVELS = 3
"""Levels to which blocks nest."""
SPEC_COUNTS = ((5, 0), (4, 1), (1, 2))
"""Weights of the numbers of pres, and of posts, of a function."""


@dataclass
class Body:
    """Makes the statements of one function."""

    rng: random.Random
    name: str
    params: tuple[sip.Param, ...]
    functions: Functions
    choosing: set[str]
    """The functions that have no determined value because they, or functions they call, use cassign.

    Specifications must not call them.
    """
    chooses: bool
    """Whether this function may use cassign."""
    declared: int = 0
    result: Type | None = None
    """The type of the function, where it has one."""
    loops: int = 0
    """Loops around the statement that is being made."""
    counters: set[str] = field(default_factory=set)
    """Loop counters. The bodies of their loops do not change them, so that most loops end."""

    def fresh(self) -> str:
        index, self.declared = self.declared, self.declared + 1
        return VARIABLES[index] if index < len(VARIABLES) else f"{VARIABLES[index % 16]}{index // 16}"

    def plain(self, scope: Scope) -> Expressions:
        return Expressions(self.rng, scope, self.functions)

    def spec(self, scope: Scope, *, olds: bool = True) -> Expressions:
        functions = tuple(function for function in self.functions if function.name not in self.choosing)
        return Expressions(self.rng, scope, functions, self.olds() if olds else ())

    def olds(self) -> Names:
        return tuple(param.name for param in self.params)

    def block(self, scope: Scope, size: int, level: int) -> Block:
        return Block(tuple(self.statements(dict(scope), size, level)))

    def statements(self, scope: Scope, size: int, level: int) -> list[Stmt]:
        """Up to `size` statements, mostly many of them. Hypothesis shrinks to none. Variables are declared in the given scope."""
        result: list[Stmt] = []
        for _ in range(max(self.rng.randint(0, size), self.rng.randint(0, size))):
            result += self.statement(scope, size, level)
            if result and isinstance(result[-1], sip.Return | sip.Break):
                break  # Nothing may follow.
        return result

    def statement(self, scope: Scope, size: int, level: int) -> list[Stmt]:
        kind = pick(self.rng, STATEMENT_KINDS)
        if kind in ("if", "while") and level >= BLOCK_LEVELS:
            kind = "assign"
        expression_size = self.rng.randint(1, 7)
        if level and chance(self.rng, 6):
            return self.leaving(scope, expression_size)
        match kind:
            case "var":
                return [self.var(scope, expression_size)]
            case "assign":
                return self.assign(scope, expression_size)
            case "if":
                return [self.if_(scope, size - 1, level + 1)]
            case "while":
                return self.loop(scope, size - 1, level + 1)
            case "print":
                wants = [self.rng.choice((*NUMBER_TYPES, Type.BOOL)) for _ in range(self.rng.randint(0, 3))]
                return [sip.Print(tuple(self.plain(scope).make(want, expression_size // 2) for want in wants))]
            case "assert":
                return [sip.Assert(self.spec(scope).condition(expression_size, 88))]
            case "assume":
                # Only in an assume may old() stand together with a call of a function that chooses.
                assumed = Expressions(self.rng, scope, self.functions, self.olds())
                return [sip.Assume(assumed.condition(expression_size, 85))]
            case "claim":
                return [sip.Claim(self.spec(scope).condition(expression_size, 50))]
            case _:
                return self.cassign(scope)

    def leaving(self, scope: Scope, size: int) -> list[Stmt]:
        """A return or a break, where one may stand."""
        if self.loops and (self.result is None or chance(self.rng, 60)):
            return [sip.Break()]
        return [] if self.result is None else [sip.Return(self.plain(scope).assigned(self.result, size))]

    def var(self, scope: Scope, size: int) -> Stmt:
        type_ = self.rng.choice((Type.INT, Type.NAT, Type.RAT, Type.BOOL))
        value = None if chance(self.rng, 30) else self.plain(scope).assigned(type_, size)
        names = [self.fresh() for _ in range(2 if chance(self.rng, 25) else 1)]
        scope.update(dict.fromkeys(names, type_))
        return sip.Var(tuple(Name(name) for name in names), type_, value)

    def assign(self, scope: Scope, size: int) -> list[Stmt]:
        targets = [name for name in scope if name not in self.counters]
        if not targets:
            return []
        target = self.rng.choice(targets)
        return [sip.Assign(Name(target), self.plain(scope).assigned(scope[target], size))]

    def if_(self, scope: Scope, size: int, level: int) -> Stmt:
        count = pick(self.rng, ((6, 1), (3, 2), (1, 3)))
        tests = [self.plain(scope).make(Type.BOOL, self.rng.randint(1, 6)) for _ in range(count)]
        branches = tuple(sip.Branch(test, self.block(scope, size // 2, level)) for test in tests)
        return sip.If(branches, self.block(scope, size // 2, level) if chance(self.rng, 50) else Block(()))

    def loop(self, scope: Scope, size: int, level: int) -> list[Stmt]:
        self.loops += 1
        made = self.any_loop(scope, size, level)
        self.loops -= 1
        return made

    def any_loop(self, scope: Scope, size: int, level: int) -> list[Stmt]:
        if chance(self.rng, 10):
            # This loop may never end.
            test = self.plain(scope).make(Type.BOOL, 4)
            return [sip.While(self.invariant(scope, None), test, self.block(scope, size, level))]
        start, test, step = self.counting(scope)
        inner = self.statements(dict(scope), size // 2, level)
        leaves = bool(inner) and isinstance(inner[-1], sip.Return | sip.Break)
        body = Block(tuple(inner) if leaves else (*inner, step))
        known = compare(Number(0), "<=", step.target)
        self.counters.discard(step.target.name)
        return [*start, sip.While(self.invariant(scope, known), test, body)]

    def counting(self, scope: Scope) -> tuple[list[Stmt], Expr, sip.Assign]:
        """The counter's declaration, the loop's test and the step of a loop that counts up, down, or by halving."""
        end = self.plain(scope).argument(Type.NAT, 3)
        type_ = self.rng.choice((Type.INT, Type.NAT))
        name = Name(self.fresh())
        scope[name.name] = type_
        self.counters.add(name.name)
        match pick(self.rng, ((5, "up"), (3, "down"), (1, "halve"))):
            case "up":
                start: Expr | None = Number(self.rng.randint(0, 2)) if chance(self.rng, 60) else None
                by_one = start is None and chance(self.rng, 30)
                test: Expr = compare(name, "!=" if by_one else self.rng.choice(("<", "<=")), end)
                step: Expr = Binary("+", name, Number(1 if by_one else self.rng.randint(1, 2)))
            case "down":
                start, test, step = end, compare(name, ">", Number(0)), Binary("-", name, Number(1))
            case _:
                start, test, step = end, compare(name, ">", Number(1)), Binary("//", name, Number(2))
        if chance(self.rng, 15):
            test = Binary("&", test, self.plain(scope).make(Type.BOOL, 3))
        return [sip.Var((name,), type_, start)], test, sip.Assign(name, step)

    def invariant(self, scope: Scope, known: Expr | None) -> Expr | None:
        if not chance(self.rng, 50):
            return None
        if known is not None and chance(self.rng, 50):
            return known
        return self.spec(scope).condition(self.rng.randint(1, 6), 85)

    def cassign(self, scope: Scope) -> list[Stmt]:
        targets = [name for name in scope if name not in self.counters and name != "result"]
        if not targets or not self.chooses:
            return []
        first = self.rng.choice(targets)
        others = [name for name in targets if name != first]
        names = [first, self.rng.choice(others)] if others and chance(self.rng, 30) else [first]
        maker = self.spec(scope, olds=False)
        if scope[first] is Type.BOOL or chance(self.rng, 15):
            condition = maker.make(Type.BOOL, 4)
        else:
            small = Binary("%", maker.make(Type.INT, 3), Number(self.rng.randint(1, 9)))
            value = Binary("+", Name(first), Number(1)) if chance(self.rng, 30) else Name(first)
            condition = compare(value, self.rng.choice((">=", ">", "=", "!=")), small)
        return [sip.Cassign(tuple(Name(name) for name in names), condition)]

    def ending(self, scope: Scope, result: Type, *, recursive: bool, assigns: bool) -> Stmt:
        """The statement that gives the function its value: a return, an assignment, or a recursion on the first parameter."""
        maker = self.plain(scope)
        value = maker.assigned(result, self.rng.randint(1, 6))
        if not assigns:
            return sip.Return(value)
        base = sip.Assign(Name("result"), value)
        if not recursive:
            return base
        depth = Name(self.params[0].name)
        others = tuple(maker.assigned(param.type, 2) for param in self.params[1:])
        again = Call(self.name, (Binary("-", depth, Number(1)), *others))
        combined = Unary("!", again) if result is Type.BOOL else Binary("+", again, maker.make(result, 2))
        deeper = Block((sip.Assign(Name("result"), combined),))
        return sip.If((sip.Branch(compare(depth, "=", Number(0)), Block((base,))),), deeper)


def random_function(rng: random.Random, name: str, helpers: Functions, choosing: set[str], size: int) -> Function:
    level = name == LEVEL
    count = 0 if chance(rng, 4) else rng.randint(1, 4 if level else 3)
    types = [rng.choice((Type.NAT, Type.INT, Type.RAT, Type.BOOL)) for _ in range(count)]
    params = tuple(sip.Param(VARIABLES[index], type_) for index, type_ in enumerate(types))
    result = None if chance(rng, 12 if level else 4) else rng.choice((Type.INT, Type.NAT, Type.RAT, Type.BOOL))
    recursive = result is not None and types[:1] == [Type.NAT] and chance(rng, 8 if level else 50)
    assigns = recursive or chance(rng, 40)
    visible = {param.name: param.type for param in params}
    body = Body(rng, name, params, helpers, choosing, chance(rng, 60 if level else 15), len(params), result)
    if body.chooses or choosing:
        choosing.add(name)  # This may add it needlessly, but never too late.
    scope = dict(visible)
    if result is not None and assigns:
        scope["result"] = result
    statements = body.statements(scope, size, 0)
    if result is not None:
        statements.append(body.ending(scope, result, recursive=recursive, assigns=assigns))
    before = body.spec(visible, olds=False)
    pres = tuple(before.condition(rng.randint(1, 4), 90 if level else 60) for _ in range(pick(rng, SPEC_COUNTS)))
    at_end = visible if result is None else {**visible, "result": result}
    posts = tuple(body.spec(at_end).condition(rng.randint(1, 6), 92) for _ in range(pick(rng, SPEC_COUNTS)))
    return Function(name, params, result, pres, posts, Block(tuple(statements)))


# The interface


def random_expression(
    rng: random.Random, scope: Scope, want: Type | None, size: int, functions: Functions = (), params: Names = ()
) -> Expr:
    """An expression of a type that fits the wanted one. `params` are the names of the scope that may be written in old()."""
    wanted = rng.choice((*NUMBER_TYPES, Type.BOOL)) if want is None else want
    return Expressions(rng, scope, functions, params).make(wanted, size)


def random_program(rng: random.Random, size: int = 9) -> Module:
    """A program whose level has up to `size` statements in a block; its helpers are smaller."""
    functions: Functions = ()
    choosing: set[str] = set()
    for index in range(pick(rng, ((3, 0), (4, 1), (4, 2)))):
        functions += (random_function(rng, f"helper{index + 1}", functions, choosing, size // 2),)
    return Module((*functions, random_function(rng, LEVEL, functions, choosing, size)))


def random_value(rng: random.Random, type_: Type) -> Scalar:
    if type_ is Type.BOOL:
        return rng.choice((False, True))
    small = rng.randint(0, 10)
    value = pick(rng, ((90, small), (4, 10**6), (3, 2 ** rng.randint(0, 70)), (3, rng.randint(0, 1000))))
    if type_ is not Type.NAT and chance(rng, 40):
        value = -value
    return Fraction(value, rng.randint(1, 7)) if type_ is Type.RAT and chance(rng, 60) else value


def random_inputs(rng: random.Random, function: Function) -> dict[str, Value]:
    return {param.name: random_value(rng, param.type) for param in function.params}
