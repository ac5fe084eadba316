"""Lowers a checked program, with invariants and measures of its loops, to the statements that printers write.

Evaluating an expression becomes statements before the place that needs its value: an assert for each divisor, each exponent and
each value that must fit, and a call for each helper. Where `&`, `|`, `->` or a chain may stop early, the asserts are implications
and the calls stand in a branch. The term that is left is total.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from idg.audit.expressions import SORTS
from idg.audit.terms import (
    BOOL,
    FALSE,
    INT,
    REAL,
    TRUE,
    LogicTerm,
    arithmetic,
    call,
    choice,
    compare,
    conjunction,
    disjunction,
    implication,
    negation,
    number,
    real,
    symbol,
)
from idg.export.lowered import (
    CallOf,
    Decide,
    ExportRefused,
    Forget,
    LeaveFunction,
    LeaveLoop,
    LoweredFunction,
    LoweredProgram,
    LoweredStatement,
    Oblige,
    Repeat,
    SetTo,
    SortedVariable,
    Suppose,
    nested,
)
from idg.export.names import unused
from idg.sip import syntax as sip
from idg.sip.arrays import no_arrays
from idg.sip.checking.analysis import FunctionInfo
from idg.sip.program import Program
from idg.sip.syntax import Block, Expr, Stmt, Type
from idg.sip.text.printer import print_expression
from idg.sip.traverse import changed, conjuncts, names

PRODUCT_EXPONENT_MAX = 12
"""Literal exponents up to this one are written as products, which other tools understand better than a power."""
TERM_NODES_MAX = 20_000
"""Parts of one term, counted as a tree. Nested min, max and powers repeat their operands, so small texts can become large."""

Facts = Mapping[int, Sequence[Expr]]
"""For each loop, by its number: expressions at its head."""


def lowered(program: Program, invariants: Facts, measures: Facts) -> LoweredProgram:
    """The program with these proved invariants and measures, besides the invariants that its text states.

    Raises ExportRefused where a construct has no faithful counterpart.
    """
    graph = program.info.calls
    reached = graph.reached(program.level.name)
    groups = tuple(group for group in graph.groups if group & reached)
    infos = [info for group in groups for name, info in program.info.functions.items() if name in group]
    return LoweredProgram(tuple(_Lowering(program, info, invariants, measures).function() for info in infos), groups)


class _Lowering:
    """Lowers one function."""

    def __init__(self, program: Program, info: FunctionInfo, invariants: Facts, measures: Facts) -> None:
        self.helpers = {name: other.function for name, other in program.info.functions.items()}
        self.info = info
        self.types = info.variables
        self.invariants, self.measures = invariants, measures
        self.loops = {id(loop.statement): loop for loop in info.loops}
        taken = {*self.types, *self.helpers, "result"}
        self.entry: dict[str, str] = {}
        """The variable that has the entry value of each parameter; it is another one where the parameter is assigned."""
        for param in info.function.params:
            self.entry[param.name] = unused(f"{param.name}_at_entry", taken) if param.name in info.assigned else param.name
            taken.add(self.entry[param.name])
        self.taken = taken
        self.temporaries: dict[str, Type] = {}
        """The variables that hold values of calls."""
        self.locals = [
            SortedVariable(name, SORTS[kind])
            for name, kind in self.types.items()
            if name != "result" and self.entry.get(name) != name
        ]

    def function(self) -> LoweredFunction:
        function = self.info.function
        params = tuple(SortedVariable(self.entry[param.name], SORTS[param.type]) for param in function.params)
        at_entry = {param.name: self.old(param.name) for param in function.params}
        natural = [compare(">=", at_entry[param.name], number(0)) for param in function.params if param.type is Type.NAT]
        requires = [*natural, *(part for pre in function.pres for part in self.defined(pre, at_entry))]
        body: list[LoweredStatement] = [
            SetTo(param.name, at_entry[param.name]) for param in function.params if self.entry[param.name] != param.name
        ]
        if function.result:
            body += self.chosen(["result"])
        body += self.block(function.body)
        if not isinstance(function.body.statements[-1] if function.body.statements else None, sip.Return):
            body += self.ended()
        ensures = [compare(">=", symbol("result", INT), number(0))] if function.result is Type.NAT else []
        for post in function.posts:
            # Callers see the entry values only.
            if not names(post) & set(self.info.assigned_params):
                ensures.append(self.evaluate(post, []))
        loops = [loop.number in self.measures for loop in self.info.loops]
        calls = any(isinstance(statement, CallOf) for statement in nested(body))
        return LoweredFunction(
            function.name,
            params,
            SORTS[function.result] if function.result else None,
            _without_true(requires),
            _without_true(ensures),
            tuple(self.locals),
            tuple(body),
            all(loops) and not calls,
        )

    def ended(self) -> list[LoweredStatement]:
        """What must hold wherever the function ends."""
        return [statement for post in self.info.function.posts for statement in self.required(post, "post")]

    def old(self, name: str) -> LogicTerm:
        return symbol(self.entry[name], SORTS[self.types[name]])

    # Statements

    def block(self, block: Block) -> list[LoweredStatement]:
        return [lowered_one for statement in block.statements for lowered_one in self.statement(statement)]

    def statement(self, statement: Stmt) -> list[LoweredStatement]:
        out: list[LoweredStatement] = []
        match statement:
            case sip.Var(targets, _, None):
                return self.chosen([target.name for target in targets])
            case sip.Var(targets, kind, value):
                assert value is not None
                return self.assigned([target.name for target in targets], value, kind)
            case sip.Assign(target, value):
                return self.assigned([target.name], value, self.types[target.name])
            case sip.Return(value):
                returned = [*self.assigned(["result"], value, self.types["result"]), *self.ended()]
                last = statement is self.info.function.body.statements[-1]
                return returned if last else [*returned, LeaveFunction()]
            case sip.Break():
                return [LeaveLoop()]
            case sip.If(branches, otherwise):
                return self.decided(branches, otherwise)
            case sip.While():
                return [self.repeated(statement)]
            case sip.Print(values):
                for value in values:
                    self.evaluate(value, out, code=True)
                return out
            case sip.Assume(condition):
                held = self.evaluate(condition, out, code=True)
                return [*out, Suppose(held)]
            case sip.Assert(condition):
                return self.required(condition, "assert", code=True)
            case sip.Claim(condition):
                return self.required(condition, "claim")
            case sip.Cassign(targets, condition):
                out = self.chosen([target.name for target in targets])
                return [*out, *(Suppose(part) for part in self.defined(condition))]
        raise AssertionError(statement)

    def chosen(self, targets: Iterable[str]) -> list[LoweredStatement]:
        variables = tuple(SortedVariable(name, SORTS[self.types[name]]) for name in targets)
        natural = [variable.name for variable in variables if self.types[variable.name] is Type.NAT]
        return [Forget(variables), *(Suppose(compare(">=", symbol(name, INT), number(0))) for name in natural)]

    def assigned(self, targets: Sequence[str], value: Expr, kind: Type) -> list[LoweredStatement]:
        out: list[LoweredStatement] = []
        term = self.stored(value, kind, out)
        first, *others = targets
        copies = [SetTo(name, symbol(first, term.sort)) for name in others]
        return [*out, SetTo(first, term), *copies]

    def decided(self, branches: Sequence[sip.Branch], otherwise: Block) -> list[LoweredStatement]:
        no = self.block(otherwise)
        for branch in reversed(branches):
            out: list[LoweredStatement] = []
            test = self.evaluate(branch.test, out, code=True)
            no = [*out, Decide(test, tuple(self.block(branch.body)), tuple(no))]
        return no

    def repeated(self, loop: sip.While) -> Repeat:
        known = self.loops[id(loop)]
        facts = [*(conjuncts(loop.invariant) if loop.invariant is not None else ()), *self.invariants.get(known.number, ())]
        changing = changed(loop.body)
        natural = [name for name in known.columns if name in changing and self.types[name] is Type.NAT]
        invariants = [compare(">=", symbol(name, INT), number(0)) for name in natural]
        invariants += [part for fact in facts for part in self.defined(fact)]
        steps: list[LoweredStatement] = []
        test = self.evaluate(loop.test, steps)
        # The test is evaluated whenever the head is reached, so that it has a value is an invariant.
        invariants += _conditions(steps)
        measure = [self.measured(component) for component in self.measures.get(known.number, ())]
        return Repeat(test, _without_true(invariants), tuple(measure), tuple(self.block(loop.body)))

    def measured(self, component: Expr) -> LogicTerm:
        steps: list[LoweredStatement] = []
        term = self.evaluate(component, steps)
        if steps:
            raise ExportRefused(f"the measure {print_expression(component)} does not have a value in every state")
        if term.sort != INT:
            raise ExportRefused(f"the measure {print_expression(component)} is not a whole number")
        return term

    # Expressions

    def required(self, expr: Expr, what: str, code: bool = False) -> list[LoweredStatement]:
        out: list[LoweredStatement] = []
        held = self.evaluate(expr, out, code=code)
        return [*out, Oblige(held, f"{what}: {print_expression(expr)}")]

    def defined(self, expr: Expr, values: Mapping[str, LogicTerm] | None = None) -> list[LogicTerm]:
        """That the expression has a value and is true."""
        steps: list[LoweredStatement] = []
        held = self.evaluate(expr, steps, values)
        return [*_conditions(steps), held]

    def evaluate(
        self, expr: Expr, out: list[LoweredStatement], values: Mapping[str, LogicTerm] | None = None, code: bool = False
    ) -> LogicTerm:
        """The value as a term; adds to `out` what comes before it. `values`: what names stand for where it is not the variable.

        `code`: whether statements can stand before the expression, so that it may call helpers.
        """
        return _Evaluation(self, values or {}, code).term(expr, out)

    def stored(self, expr: Expr, kind: Type, out: list[LoweredStatement]) -> LogicTerm:
        return _Evaluation(self, {}, True).stored(expr, kind, out)

    def temporary(self, function: str, kind: Type) -> str:
        name = unused(f"{function}_value", self.taken)
        self.taken.add(name)
        self.temporaries[name] = kind
        self.locals.append(SortedVariable(name, SORTS[kind]))
        return name

    def is_nat(self, name: str) -> bool:
        return (self.temporaries.get(name) or self.types.get(name)) is Type.NAT


class _Evaluation:
    """Evaluates one expression."""

    def __init__(self, lowering: _Lowering, values: Mapping[str, LogicTerm], code: bool) -> None:
        self.lowering, self.values, self.code = lowering, values, code

    def term(self, expr: Expr, out: list[LoweredStatement]) -> LogicTerm:
        term = self._term(expr, out)
        if size(term) > TERM_NODES_MAX:
            raise ExportRefused(f"an expression becomes too large: {print_expression(expr)[:60]}")
        return term

    def _term(self, expr: Expr, out: list[LoweredStatement]) -> LogicTerm:
        match expr:
            case sip.Number(value):
                return number(value)
            case sip.Boolean(value):
                return TRUE if value else FALSE
            case sip.Name(name):
                return self.values.get(name) or symbol(name, SORTS[self.lowering.types[name]])
            case sip.Old(name):
                return self.lowering.old(name)
            case sip.Unary("!", operand):
                return negation(self.term(operand, out))
            case sip.Unary(_, operand):
                return arithmetic("-", number(0), self.term(operand, out))
            case sip.Binary("&" | "|" | "->" as op, left, right):
                first, inner = self.term(left, out), list[LoweredStatement]()
                second = self.term(right, inner)
                out += guarded(negation(first) if op == "|" else first, inner)
                if op == "->":
                    return implication(first, second)
                return conjunction(first, second) if op == "&" else disjunction(first, second)
            case sip.Binary():
                return self.arithmetic(expr, out)
            case sip.Compare(operands, ops):
                holds, low = TRUE, self.term(operands[0], out)
                for link, operand in zip(ops, operands[1:], strict=True):
                    inner = []
                    high = self.term(operand, inner)
                    out += guarded(holds, inner)
                    holds, low = conjunction(holds, compare(link, low, high)), high
                return holds
            case sip.Call(function, arguments) if function in self.lowering.helpers:
                return self.helper(expr, out)
            case sip.Call(function, arguments):
                return _builtin(function, [self.term(argument, out) for argument in arguments])
            case sip.Index() | sip.Quantified():
                no_arrays(expr)

    def arithmetic(self, expr: sip.Binary, out: list[LoweredStatement]) -> LogicTerm:
        left, right = self.term(expr.left, out), self.term(expr.right, out)
        if expr.op in ("+", "-", "*"):
            return arithmetic(expr.op, left, right)
        text = print_expression(expr)
        if expr.op == "^":
            out += _obliged(compare(">=", right, number(0)), f"exponent of {text}")
            return _power(left, right)
        out += _obliged(compare("!=", right, number(0)), f"divisor of {text}")
        if expr.op != "/":
            return _floored(expr.op, left, right)
        left, right = real(left), real(right)
        if right.op == "number" and right.value:
            return arithmetic("*", number(1 / Fraction(right.value), REAL), left)
        return call("quotient", REAL, left, right)

    def stored(self, expr: Expr, kind: Type, out: list[LoweredStatement]) -> LogicTerm:
        """The value as one of this type, with the obligation that it is one."""
        text = f"{print_expression(expr)} is {'an' if kind is Type.INT else 'a'} {kind}"
        if kind in (Type.NAT, Type.INT) and isinstance(expr, sip.Binary) and expr.op == "/":
            left, right = self.term(expr.left, out), self.term(expr.right, out)
            out += _obliged(compare("!=", right, number(0)), f"divisor of {print_expression(expr)}")
            if left.sort == right.sort == INT:
                out += _obliged(compare("=", _floored("%", left, right), number(0)), text)
                return self.natural(_floored("//", left, right), kind, text, out)
            term = call("quotient", REAL, real(left), real(right))
        else:
            term = self.term(expr, out)
        if kind is Type.RAT:
            return real(term)
        if term.sort == REAL:
            out += _obliged(LogicTerm("is_int", BOOL, (term,)), text)
            term = LogicTerm("to_int", INT, (term,))
        return self.natural(term, kind, text, out)

    def natural(self, term: LogicTerm, kind: Type, text: str, out: list[LoweredStatement]) -> LogicTerm:
        # Variables and temporary ones of the type nat never hold anything else.
        plain = term.op == "symbol" and self.lowering.is_nat(term.name)
        if kind is Type.NAT and not plain:
            out += _obliged(compare(">=", term, number(0)), text)
        return term

    def helper(self, expr: sip.Call, out: list[LoweredStatement]) -> LogicTerm:
        if not self.code:
            raise ExportRefused(f"{print_expression(expr)} is a call of a helper in a fact, a contract or the test of a loop")
        function = self.lowering.helpers[expr.function]
        assert function.result is not None
        given = tuple(
            self.stored(argument, param.type, out) for param, argument in zip(function.params, expr.arguments, strict=True)
        )
        target = self.lowering.temporary(function.name, function.result)
        out.append(CallOf(target, function.name, given))
        return symbol(target, SORTS[function.result])


def guarded(condition: LogicTerm, inner: Sequence[LoweredStatement]) -> list[LoweredStatement]:
    """The statements, which are only reached if the condition holds."""
    if all(isinstance(statement, Oblige) for statement in inner):
        obliged = [statement for statement in inner if isinstance(statement, Oblige)]
        return [part for one in obliged for part in _obliged(implication(condition, one.condition), one.why)]
    return [Decide(condition, tuple(inner), ())]


def size(term: LogicTerm, known: dict[int, int] | None = None) -> int:
    """How many parts the term has, written out. Shared parts are counted once for each place, and visited once."""
    known = {} if known is None else known
    if id(term) not in known:
        known[id(term)] = 1 + sum(size(arg, known) for arg in term.args)
    return known[id(term)]


def _obliged(condition: LogicTerm, why: str) -> list[LoweredStatement]:
    return [] if condition == TRUE else [Oblige(condition, why)]


def _conditions(steps: Iterable[LoweredStatement]) -> list[LogicTerm]:
    """What the steps of an expression without calls oblige."""
    return [step.condition for step in steps if isinstance(step, Oblige)]


def _without_true(terms: Iterable[LogicTerm]) -> tuple[LogicTerm, ...]:
    return tuple(dict.fromkeys(term for term in terms if term != TRUE))


def _builtin(name: str, args: list[LogicTerm]) -> LogicTerm:
    if name in ("gcd", "ispow"):
        return call(name, INT if name == "gcd" else BOOL, *args)
    first, *others = args
    for other in [arithmetic("-", number(0), first)] if name == "abs" else others:
        first = choice(compare("<=" if name == "min" else ">=", first, other), first, other)
    return first


def _power(base: LogicTerm, exponent: LogicTerm) -> LogicTerm:
    if exponent.op != "number" or not 0 <= exponent.value <= PRODUCT_EXPONENT_MAX:
        return call("pow.int" if base.sort == INT else "pow.rat", base.sort, base, exponent)
    product = number(1, base.sort)
    for index in range(int(exponent.value)):
        product = arithmetic("*", product, base) if index else base
    return product


def _floored(op: str, left: LogicTerm, right: LogicTerm) -> LogicTerm:
    if right.op == "number" and right.value > 0:
        return LogicTerm("div" if op == "//" else "mod", INT, (left, right))
    return call("floor.div" if op == "//" else "floor.mod", INT, left, right)
