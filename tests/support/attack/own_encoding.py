"""Programs and expressions as z3 formulas, written from docs/language.md for the tests alone.

Nothing here comes from vc, prover, engine or audit, so a mistake of theirs is not repeated. A program is walked forwards once. At
an `if` the two states are merged; at a loop everything that its body assigns becomes unknown, except for what the given facts say.
The formulas say exactly what the language means, so an answer `sat` shows a state in which something fails. What is not covered
raises `Beyond`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import cvc5
import z3

from idg.sip import syntax as sip
from idg.sip.program import Program
from idg.sip.syntax import Expr, Type
from tests.support.attack.own_cells import CELLS_MAX, RANGE, Beyond, Cells, Encoded, aggregate, either

EXPONENT_MAX = 6
"""The largest literal exponent that is multiplied out."""
INLINED_MAX = 3
"""How deep calls of helpers are inlined."""
RLIMIT = 400_000
"""z3's own count of resources for one question."""
CVC5_RLIMIT = 20_000
"""cvc5's own count of resources for one question."""

IN_HELPER = "~"
"""Marks the names of unknowns that a helper makes, which must not be left in the value of a call."""

State = dict[str, Any]
"""The z3 term of each variable; of an array, its `Cells`."""


@dataclass(frozen=True)
class Goal:
    """Something that must hold wherever a run arrives, and the condition under which one does."""

    what: str
    """'entry', 'kept' (facts at a loop) or the kind of an obligation of the program."""
    loop: int
    text: str
    arrives: Any
    must_hold: Any
    limits: Sequence[Any]
    """The encoding's."""

    def violation(self) -> Any:
        return z3.And(self.arrives, z3.Not(self.must_hold), *self.limits)


@dataclass
class Place:
    """Where expressions are read: the state, the entry values, and how deep calls are inlined."""

    state: State
    entry: Mapping[str, Any]
    depth: int = 0


def whole(term: Any) -> bool:
    return bool(term.sort().kind() == z3.Z3_INT_SORT)


def fitting(term: Any, kind: Type) -> tuple[Any, Any]:
    """The term as a value of the type, and the condition under which it fits."""
    if kind is Type.BOOL or kind.element is not None:
        return term, z3.BoolVal(True)
    if kind is Type.RAT:
        return (z3.ToReal(term) if whole(term) else term), z3.BoolVal(True)
    fits = z3.BoolVal(True) if whole(term) else z3.IsInt(term)
    term = term if whole(term) else z3.ToInt(term)
    return term, z3.And(fits, term >= 0) if kind is Type.NAT else fits


class Encoding:
    """Reads expressions and, for a program, collects what must hold if the given facts are known at its loops."""

    def __init__(self, program: Program | None = None) -> None:
        self.functions = {function.name: function for function in program.module.functions} if program else {}
        self.count = 0
        self.limits: list[Any] = []
        """Conditions under which the formulas say what the language means; only states that satisfy them are looked at."""

    def fresh(self, name: str, kind: Type) -> tuple[Any, Any]:
        """A new unknown of the type, and what the type says of it."""
        self.count += 1
        if kind.element is not None:
            return self.fresh_array(name, kind.element)
        sort = {Type.BOOL: z3.BoolSort(), Type.RAT: z3.RealSort()}.get(kind, z3.IntSort())
        term = z3.Const(f"{name}.{self.count}", sort)
        return term, term >= 0 if kind is Type.NAT else z3.BoolVal(True)

    def fresh_array(self, name: str, element: Type) -> tuple[Any, Any]:
        cells = [self.fresh(f"{name}.{place}", element) for place in range(CELLS_MAX)]
        length = z3.Const(f"{name}.len.{self.count}", z3.IntSort())
        return Cells(tuple(term for term, _ in cells), length), z3.And(
            length >= 0, length <= CELLS_MAX, *(cell_fits for _, cell_fits in cells)
        )

    # expressions

    def read(self, expr: Expr, place: Place) -> Encoded:
        match expr:
            case sip.Number(value):
                number = z3.IntVal(value) if isinstance(value, int) else z3.RealVal(Fraction(value))
                return Encoded(number, z3.BoolVal(True))
            case sip.Boolean(value):
                return Encoded(z3.BoolVal(value), z3.BoolVal(True))
            case sip.Name(name):
                return Encoded(place.state[name], z3.BoolVal(True))
            case sip.Old(name):
                return Encoded(place.entry[name], z3.BoolVal(True))
            case sip.Unary(op, operand):
                inner = self.read(operand, place)
                return Encoded(z3.Not(inner.value) if op == "!" else -inner.value, inner.defined)
            case sip.Binary():
                return self.binary(expr, place)
            case sip.Compare():
                return self.chain(expr, place)
            case sip.Call():
                return self.call(expr, place)
            case sip.Index(array, position):
                index = self.read(position, place)
                cell = self.read(array, place).value.read(index.value)
                return Encoded(cell.value, z3.And(index.defined, cell.defined))
            case sip.Quantified():
                return self.quantified(expr, place)

    def quantified(self, expr: sip.Quantified, place: Place) -> Encoded:
        low, high = self.read(expr.low, place), self.read(expr.high, place)
        defined = [low.defined, high.defined]
        instances: list[tuple[Any, Any]] = []
        self.limits.append(z3.Or(high.value < low.value, z3.And(low.value >= RANGE[0], high.value <= RANGE[-1])))
        for number in RANGE:
            inside = z3.And(low.value <= number, number <= high.value)
            before = len(self.limits)
            body = self.read(expr.body, Place({**place.state, expr.variable.name: z3.IntVal(number)}, place.entry, place.depth))
            self.limits[before:] = [z3.Implies(inside, limit) for limit in self.limits[before:]]
            defined.append(z3.Implies(inside, body.defined))
            instances.append((inside, body.value))
        return Encoded(aggregate(expr.word, instances), z3.And(*defined))

    def binary(self, expr: sip.Binary, place: Place) -> Encoded:
        left, right = self.read(expr.left, place), self.read(expr.right, place)
        both = z3.And(left.defined, right.defined)
        a, b = left.value, right.value
        match expr.op:
            case "&":
                return Encoded(z3.And(a, b), z3.And(left.defined, z3.Implies(a, right.defined)))
            case "|":
                return Encoded(z3.Or(a, b), z3.And(left.defined, z3.Or(a, right.defined)))
            case "->":
                return Encoded(z3.Implies(a, b), z3.And(left.defined, z3.Implies(a, right.defined)))
            case "+":
                return Encoded(a + b, both)
            case "-":
                return Encoded(a - b, both)
            case "*":
                return Encoded(a * b, both)
            case "/":
                a, b = (z3.ToReal(term) if whole(term) else term for term in (a, b))
                return Encoded(a / b, z3.And(both, b != 0))
            case "//" | "%":
                # z3's own division leaves a remainder that is not negative, so it rounds down only where the divisor is positive.
                floor = z3.If(b > 0, a / b, (-a) / (-b))
                return Encoded(floor if expr.op == "//" else a - b * floor, z3.And(both, b != 0))
            case "^":
                return self.power(a, expr.right, both)
        raise Beyond(expr.op)

    def power(self, base: Any, exponent: Expr, defined: Any) -> Encoded:
        if not isinstance(exponent, sip.Number) or not isinstance(exponent.value, int) or exponent.value > EXPONENT_MAX:
            raise Beyond("an exponent")
        product: Any = z3.IntVal(1) if whole(base) else z3.RealVal(1)
        for _ in range(exponent.value):
            product = product * base
        return Encoded(product, defined)

    def chain(self, expr: sip.Compare, place: Place) -> Encoded:
        operands = [self.read(operand, place) for operand in expr.operands]
        value: Any = z3.BoolVal(True)
        defined = operands[0].defined
        for op, left, right in zip(expr.ops, operands, operands[1:], strict=False):
            a, b = left.value, right.value
            link = {
                "=": lambda a=a, b=b: a == b,
                "!=": lambda a=a, b=b: a != b,
                "<": lambda a=a, b=b: a < b,
                "<=": lambda a=a, b=b: a <= b,
                ">": lambda a=a, b=b: a > b,
                ">=": lambda a=a, b=b: a >= b,
            }[op]()
            # A chain stops at its first false comparison. What comes later then needs no value.
            defined = z3.And(defined, z3.Implies(value, right.defined))
            value = z3.And(value, link)
        return Encoded(value, defined)

    def call(self, expr: sip.Call, place: Place) -> Encoded:
        arguments = [self.read(argument, place) for argument in expr.arguments]
        defined = z3.And(*(argument.defined for argument in arguments))
        values = [argument.value for argument in arguments]
        if expr.function == "len":
            return Encoded(values[0].length, defined)
        if expr.function in self.functions:
            return self.inlined(self.functions[expr.function], values, defined, place.depth + 1)
        if expr.function in ("min", "max") and not all(map(whole, values)):
            values = [z3.ToReal(value) if whole(value) else value for value in values]
        match expr.function:
            case "abs":
                return Encoded(z3.If(values[0] >= 0, values[0], -values[0]), defined)
            case "min" | "max":
                best = values[0]
                for value in values[1:]:
                    best = z3.If(value < best if expr.function == "min" else value > best, value, best)
                return Encoded(best, defined)
            case "iswhole":  # It occurs only in queries of the engine.
                return Encoded(z3.BoolVal(True) if whole(values[0]) else z3.IsInt(values[0]), defined)
        raise Beyond(expr.function)

    def inlined(self, function: sip.Function, arguments: Sequence[Any], defined: Any, depth: int) -> Encoded:
        """The value of a call. It has one where the arguments fit, the pres hold, and no obligation of the helper fails."""
        if depth > INLINED_MAX or function.result is None:
            raise Beyond("calls within calls")
        walk = Walk(self, function, {}, depth)
        conditions = [defined]
        for param, argument in zip(function.params, arguments, strict=True):
            walk.state[param.name], fits = fitting(argument, param.type)
            conditions.append(fits)
        walk.entry = dict(walk.state)
        conditions += (self.read(pre, walk.place).holds for pre in function.pres)
        walk.body()
        conditions += (z3.Implies(goal.arrives, goal.must_hold) for goal in walk.goals)
        encoded = Encoded(walk.state["result"], z3.And(*conditions))
        if IN_HELPER in encoded.value.sexpr() + encoded.defined.sexpr():
            raise Beyond("a helper that reads a variable without a value")
        return encoded


class Walk:
    """One function, walked from its start to its end, with facts that are known at its loops."""

    def __init__(self, encoding: Encoding, function: sip.Function, facts: Mapping[int, Sequence[Expr]], depth: int = 0) -> None:
        self.encoding = encoding
        self.function = function
        self.facts = facts
        self.depth = depth
        self.goals: list[Goal] = []
        self.heads: dict[int, tuple[State, Any]] = {}
        """For each loop: the state at its head, and the condition under which a run stands there."""
        self.loop_count = 0
        self.kinds = {param.name: param.type for param in function.params}
        self.state: State = {}
        self.entry: State = {}
        self.arrives: Any = z3.BoolVal(True)
        self.returned: list[tuple[Any, State]] = []
        """The returns that were walked: the condition under which a run comes to one, and its state there."""
        self.left: list[list[tuple[Any, State]]] = []
        """For each open loop the same for the breaks that leave it."""

    @property
    def place(self) -> Place:
        return Place(self.state, self.entry, self.depth)

    def level(self) -> Walk:
        """Walks the function as the level of a program: from any inputs that satisfy the pres."""
        for name, kind in self.kinds.items():
            self.unknown(name, kind)
        self.entry = dict(self.state)
        for pre in self.function.pres:
            self.pass_if(self.encoding.read(pre, self.place).holds)
        self.body()
        return self

    def body(self) -> None:
        if self.function.result is not None:
            self.kinds["result"] = self.function.result
            self.unknown("result", self.function.result)
        names = [*self.state]
        self.block(self.function.body)
        self.join([(self.arrives, self.state), *self.returned], names)
        for post in self.function.posts:
            self.oblige("post", self.encoding.read(post, self.place).holds)

    def unknown(self, name: str, kind: Type) -> None:
        term, fits = self.encoding.fresh(f"{name}{IN_HELPER}" if self.depth else name, kind)
        self.state = {**self.state, name: term}
        self.pass_if(fits)

    def pass_if(self, condition: Any) -> None:
        self.arrives = z3.And(self.arrives, condition)

    def oblige(self, what: str, condition: Any, loop: int = 0, text: str = "") -> None:
        """Notes that the condition must hold here. A run goes on only where it does."""
        self.goals.append(Goal(what, loop, text, self.arrives, condition, self.encoding.limits))
        self.pass_if(condition)

    def value(self, expr: Expr) -> Any:
        """The value of an expression of the code, which is obliged to have one."""
        encoded = self.encoding.read(expr, self.place)
        self.oblige("value", encoded.defined)
        return encoded.value

    def assign(self, name: str, expr: Expr) -> None:
        term, fits = fitting(self.value(expr), self.kinds[name])
        self.oblige("narrowing", fits)
        self.state = {**self.state, name: term}

    def block(self, block: sip.Block) -> None:
        for statement in block.statements:
            self.statement(statement)

    def statement(self, statement: sip.Stmt) -> None:
        match statement:
            case sip.Var(names, kind, value):
                for name in names:
                    self.kinds[name.name] = kind
                    if value is None:
                        self.unknown(name.name, kind)
                    else:
                        self.assign(name.name, value)
            case sip.Assign(target, value):
                self.assign(target.name, value)
            case sip.Return(value):
                self.assign("result", value)
                self.leave(self.returned)
            case sip.Break():
                self.leave(self.left[-1])
            case sip.If():
                self.branches(statement)
            case sip.While():
                self.loop(statement)
            case sip.Print(values):
                for value in values:
                    self.value(value)
            case sip.Assume(condition):
                if self.depth:
                    raise Beyond("an assume in a helper")
                self.pass_if(self.value(condition))
            case sip.Assert(condition):
                self.oblige("assert", self.encoding.read(condition, self.place).holds)
            case sip.Cassign(targets, condition):
                if self.depth:
                    raise Beyond("a choice in a helper")
                for target in targets:
                    self.unknown(target.name, self.kinds[target.name])
                self.pass_if(self.encoding.read(condition, self.place).holds)
            case sip.Claim():
                raise Beyond("a claim")

    def branches(self, statement: sip.If) -> None:
        left = self.arrives
        ends: list[tuple[Any, State]] = []
        bodies: list[tuple[Expr | None, sip.Block]] = [(branch.test, branch.body) for branch in statement.branches]
        before = self.state
        for test, body in [*bodies, (None, statement.otherwise)]:
            self.state, self.arrives = before, left
            if test is not None:
                chosen = self.value(test)
                left = z3.And(self.arrives, z3.Not(chosen))
                self.pass_if(chosen)
            self.block(body)
            ends.append((self.arrives, self.state))
        self.join(ends, before)

    def leave(self, ends: list[tuple[Any, State]]) -> None:
        ends.append((self.arrives, self.state))
        self.arrives = z3.BoolVal(False)

    def join(self, ends: Sequence[tuple[Any, State]], names: Iterable[str]) -> None:
        """Goes on where several ways come together. A run comes on one of them."""
        merged: State = {}
        for name in names:
            term = ends[-1][1][name]
            for arrives, state in reversed(ends[:-1]):
                term = either(arrives, state[name], term)
            merged[name] = term
        self.state = merged
        self.arrives = z3.Or(*(arrives for arrives, _ in ends))

    def loop(self, statement: sip.While) -> None:
        if self.depth:
            raise Beyond("a loop in a helper")
        self.loop_count += 1
        number = self.loop_count
        self.arrive("entry", number, statement)
        for name in sorted(assigned(statement.body) & self.state.keys()):
            self.unknown(name, self.kinds[name])
        for expr in self.known(number, statement):
            self.pass_if(self.encoding.read(expr, self.place).holds)
        self.heads[number] = self.state, self.arrives
        test = self.value(statement.test)
        state, head = self.state, self.arrives
        self.pass_if(test)
        self.left.append([])
        self.block(statement.body)
        self.arrive("kept", number, statement)
        self.join([(z3.And(head, z3.Not(test)), state), *self.left.pop()], [*state])

    def known(self, number: int, statement: sip.While) -> list[Expr]:
        given = [] if statement.invariant is None else [statement.invariant]
        return [*given, *self.facts.get(number, ())]

    def arrive(self, what: str, number: int, statement: sip.While) -> None:
        if statement.invariant is not None:
            self.oblige("invariant", self.encoding.read(statement.invariant, self.place).holds)
        for fact in self.facts.get(number, ()):
            # Facts are not obligations: each one must hold although the others are not assumed yet.
            holds = self.encoding.read(fact, self.place).holds
            self.goals.append(Goal(what, number, repr(fact), self.arrives, holds, self.encoding.limits))


def assigned(block: sip.Block) -> frozenset[str]:
    """The variables that the statements may assign."""
    return frozenset(_assigned(block))


def _assigned(block: sip.Block) -> Iterator[str]:
    for statement in block.statements:
        match statement:
            case sip.Assign(target):
                yield target.name
            case sip.Return():
                yield "result"
            case sip.Var(names):
                yield from (name.name for name in names)
            case sip.Cassign(targets):
                yield from (target.name for target in targets)
            case sip.If(branches, otherwise):
                for body in (*(branch.body for branch in branches), otherwise):
                    yield from _assigned(body)
            case sip.While(_, _, body):
                yield from _assigned(body)
            case _:
                pass


# Questions


def walked(program: Program, facts: Iterable[tuple[int, Expr]]) -> Walk:
    """The program, or a helper alone, walked with these facts at its loops. Raises `Beyond` where it is not covered."""
    by_loop: dict[int, list[Expr]] = {}
    for loop, expr in facts:
        by_loop.setdefault(loop, []).append(expr)
    walk = Walk(Encoding(program), program.level, by_loop)
    walk.loop_count = min((loop.number for loop in program.info.level.loops), default=1) - 1
    return walk.level()


def at_head(walk: Walk, loop: int, expr: Expr) -> Any:
    """The formula that a run stands at the loop's head where the expression does not hold."""
    state, arrives = walk.heads[loop]
    holds = walk.encoding.read(expr, Place(state, walk.entry)).holds
    return z3.And(arrives, z3.Not(holds), *walk.encoding.limits)


def z3_model(formula: Any, rlimit: int = RLIMIT) -> dict[str, str] | None:
    """What satisfies the formula, told by z3; None where nothing does or z3 does not know."""
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.add(formula)
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return {str(name): str(model[name]) for name in model.decls()}


def cvc5_says_sat(formula: Any) -> bool:
    """Whether cvc5 finds something that satisfies the formula, which is handed over as text."""
    solver = z3.Solver()
    solver.add(formula)
    reader = cvc5.Solver(cvc5.TermManager())
    reader.setOption("rlimit", str(CVC5_RLIMIT))
    parser = cvc5.InputParser(reader)
    text = "(set-logic ALL)" + solver.to_smt2().replace("(check-sat)", "")
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "formula")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(reader, parser.getSymbolManager())
    return bool(reader.checkSat().isSat())
