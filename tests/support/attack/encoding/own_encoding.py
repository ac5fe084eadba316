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
from idg.sip.trees.traverse import statements
from idg.sip.values import Scalar, Value
from tests.support.attack.encoding.own_cells import CELLS_MAX, Beyond, Cells, Encoded, either
from tests.support.attack.encoding.own_expressions import IN_HELPER, Encoding, Place, State, fitting

INLINED_MAX = 3
"""How deep calls of helpers are inlined."""
RLIMIT = 400_000
"""z3's own count of resources for one question."""
CVC5_RLIMIT = 20_000
"""cvc5's own count of resources for one question."""


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


class ProgramEncoding(Encoding):
    """Reads the expressions of a program; calls of its helpers are written out."""

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

    def forget_cells(self, name: str, length: Any) -> None:
        """The array has any cells, and this length."""
        if self.depth:
            raise Beyond("a local array of a helper")
        term, typed = self.encoding.fresh(name, self.kinds[name])
        self.state = {**self.state, name: Cells(term.terms, length)}
        self.pass_if(z3.And(length <= CELLS_MAX, z3.substitute(typed, (term.length, length))))

    def set_cell(self, name: str, place: Any, value: Any) -> None:
        changed = self.state[name].changed(place, value)
        self.oblige("index", changed.defined)
        self.state = {**self.state, name: changed.value}

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
            case sip.Var(names, kind, None) if statement.length is not None:
                length, fits = fitting(self.value(statement.length), Type.NAT)
                self.oblige("narrowing", fits)
                for name in names:
                    self.kinds[name.name] = kind
                    self.forget_cells(name.name, length)
            case sip.SetCell(array, index, value):
                place = self.value(index)
                element = self.kinds[array.name].element
                assert element is not None
                term, fits = fitting(self.value(value), element)
                self.oblige("narrowing", fits)
                self.set_cell(array.name, place, term)
            case sip.Swap(array, left, right):
                first, second = self.value(left), self.value(right)
                before: Cells = self.state[array.name]
                self.oblige("index", before.read(first).defined)
                self.oblige("index", before.read(second).defined)
                self.set_cell(array.name, first, before.read(second).value)
                self.set_cell(array.name, second, before.read(first).value)
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
        whole = assigned(statement.body)
        for name in sorted(whole & self.state.keys()):
            self.unknown(name, self.kinds[name])
        for name in sorted((cells_set(statement.body) - whole) & self.state.keys()):
            self.forget_cells(name, self.state[name].length)
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


def cells_set(block: sip.Block) -> frozenset[str]:
    """The arrays of which the statements may set cells."""
    return frozenset(part.array.name for part in statements(block) if isinstance(part, sip.SetCell | sip.Swap))


# Questions


def walked(program: Program, facts: Iterable[tuple[int, Expr]]) -> Walk:
    """The program, or a helper alone, walked with these facts at its loops. Raises `Beyond` where it is not covered."""
    by_loop: dict[int, list[Expr]] = {}
    for loop, expr in facts:
        by_loop.setdefault(loop, []).append(expr)
    walk = Walk(ProgramEncoding(program), program.level, by_loop)
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


def short_arrays_model(formula: Any, terms: Mapping[str, Any], rlimit: int = RLIMIT) -> dict[str, Value] | None:
    """Values of the variables with which the formula is true, told by z3; None where there are none or z3 does not know."""
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.add(formula)
    if solver.check() != z3.sat:
        return None
    model = solver.model()

    def scalar_of(term: Any) -> Scalar:
        value = model.eval(term, model_completion=True)
        if z3.is_bool(value):
            return bool(z3.is_true(value))
        number = Fraction(value.as_string())
        return number.numerator if number.denominator == 1 else number

    def value_of(term: Any) -> Value:
        if isinstance(term, Cells):
            return tuple(scalar_of(cell) for cell in term.terms[: int(scalar_of(term.length))])
        return scalar_of(term)

    try:
        return {name: value_of(term) for name, term in terms.items()}
    except ValueError:  # An irrational number.
        return None
