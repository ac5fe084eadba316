"""Verification conditions of a program by weakest preconditions.

A function is walked from its end to its start: each statement turns the conditions that must hold after it into those that must
hold before it. A condition is a goal under hypotheses. In it a symbol `x` stands for the value of x before the statements walked
so far. An assignment gives its variable a new symbol, which is equal to the value. A loop gives new symbols to all variables that
it changes, of which only the invariants are known. A choice gives new symbols of which only its condition is known.

Evaluating an expression is a list of steps in the order of evaluation. A step is an obligation (a divisor is not zero), a fact
(what a helper's post says of its value), or a case (a test). What follows an obligation may assume it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from idg.audit import helpers
from idg.audit.operations import floored, power
from idg.audit.terms import (
    ARRAYS,
    BOOL,
    FALSE,
    INT,
    REAL,
    TRUE,
    LogicTerm,
    arithmetic,
    bound,
    call,
    choice,
    compare,
    conjunction,
    disjunction,
    implication,
    length,
    negation,
    number,
    parts,
    quantified,
    real,
    select,
    substitute,
    symbol,
    within,
)
from idg.sip import syntax as sip
from idg.sip.arrays import READ_ONLY, no_arrays, refuse_arrays
from idg.sip.errors import line_and_column
from idg.sip.program import Program
from idg.sip.syntax import ARRAYS_OF, NOWHERE, Block, Expr, Function, Span, Stmt, Type
from idg.sip.text.printer import print_expression
from idg.sip.traverse import changed, conjuncts

SORTS = {Type.BOOL: BOOL, Type.NAT: INT, Type.INT: INT, Type.RAT: REAL}
SORTS |= {array: ARRAYS[SORTS[element]] for element, array in ARRAYS_OF.items() if element}
CONDITIONS_MAX = 600
"""Conditions of one function. Each way through its `if`s has its own."""
STEPS_MAX = 4_000
"""Steps of one expression, helpers that are unfolded included."""
DEPTH_MAX = 5
"""How deep calls inside of contracts and unfolded bodies are looked into. Beyond that nothing is known of a call."""
RECURSIVE_DEPTH_MAX = 2
"""The same for recursive helpers."""
TERM_PARTS_MAX = 30
"""Terms with fewer parts may stand several times in another one."""
OPAQUE = "?"
"""How symbols begin of which no state can say what their true value is."""

Invariants = Mapping[int, Sequence[Expr]]
"""For each loop, by its number: what is claimed to hold whenever a run reaches its head."""


class TooLarge(Exception):
    """The program is beyond what is looked at."""


class Step(NamedTuple):
    formula: LogicTerm
    what: str = ""
    """Of an obligation: what is obliged, for example 'zero-divisor'."""
    text: str = ""
    span: Span = NOWHERE
    case: bool = False
    """Whether this is a test. Facts and obligations hold in every run that comes here, a test in some."""


class ProofCondition(NamedTuple):
    function: str
    what: str
    text: str
    """The expression of the program that it is about."""
    span: Span
    hypotheses: tuple[Step, ...]
    goal: LogicTerm


class _Place(NamedTuple):
    """Where an expression is evaluated."""

    function: Function
    types: Mapping[str, Type]
    values: Mapping[str, LogicTerm]
    """What names stand for. A name that is missing stands for the symbol of that name."""
    entry: Mapping[str, LogicTerm]
    executed: bool = True
    """Whether runs evaluate it. Claims and proposed invariants are not run, so there a call is not known to end."""
    depth: int = 0


def conditions_of(program: Program, invariants: Invariants) -> list[ProofCondition]:
    """All conditions of all functions. The program is correct if they are all valid. Raises TooLarge.

    Raises SipError where the program has arrays in a way that is not known here.
    """
    refuse_arrays(program, READ_ONLY)
    functions = [info.function for info in program.info.functions.values()]
    return [condition for function in functions for condition in _Walk(program, invariants).function(function)]


def assumed(steps: Iterable[Step]) -> list[Step]:
    """The steps of an expression that had a value. That its calls end says nothing more about them."""
    return [step._replace(what="") for step in steps if step.what != "call-ends"]


def guarded(steps: Iterable[Step], condition: LogicTerm) -> list[Step]:
    return [step._replace(formula=implication(condition, step.formula)) for step in steps]


def entry_symbols(function: Function) -> dict[str, LogicTerm]:
    """The values of the parameters when the function is entered."""
    return {param.name: symbol(f"{param.name}.in", SORTS[param.type]) for param in function.params}


def typed(value: LogicTerm, kind: Type) -> list[Step]:
    """What the type says of a value: a nat is not negative, nor is the length of an array. Its cells say it where they are read."""
    if kind is Type.NAT:
        return [Step(compare(">=", value, number(0)))]
    return [Step(compare(">=", length(value), number(0)))] if kind.element else []


class _Walk:
    def __init__(self, program: Program, invariants: Invariants) -> None:
        self.text = program.text
        self.info = program.info
        self.functions = {name: info.function for name, info in program.info.functions.items()}
        self.invariants = invariants
        self.used: Counter[str] = Counter()
        self.place: _Place
        self.at_return: list[ProofCondition] = []
        """What must hold where the function returns."""
        self.bound: list[LogicTerm] = []
        """The variables of the quantifiers around the expression, outermost first."""
        self.after_loops: list[list[ProofCondition]] = []
        """For each loop around the statement, outermost first: what must hold after the loop."""

    # Functions

    def function(self, function: Function) -> list[ProofCondition]:
        entry = entry_symbols(function)
        self.place = self.inside(function, entry)
        steps = [step for post in function.posts for step in self.required(post, "post", self.place)]
        self.at_return = self.before(steps, [])
        conditions = self.block(function.body, self.at_return)
        if function.result:
            conditions = self.chosen(["result"], function.span, conditions)
        known = [step for pre in function.pres for step in self.known(pre, self.place)]
        conditions = self.renamed(self.before(known, conditions), entry)
        conditions = self.before([step for param in function.params for step in typed(entry[param.name], param.type)], conditions)
        # Now every symbol has a place in its name. A bare one would be a variable that was mixed up with another function's.
        formulas = [step.formula for condition in conditions for step in (*condition.hypotheses, Step(condition.goal))]
        symbols = {part.name for formula in formulas for part in parts(formula) if part.op == "symbol"}
        assert all("." in name for name in symbols), symbols
        return conditions

    def inside(self, function: Function, entry: Mapping[str, LogicTerm], depth: int = 0) -> _Place:
        return _Place(function, self.info.functions[function.name].variables, {}, entry, depth=depth)

    def required(self, expr: Expr, what: str, place: _Place) -> list[Step]:
        """The steps that oblige an expression to have a value and to be true."""
        steps: list[Step] = []
        value = self.evaluate(expr, place, steps)
        return [*steps, Step(value, what, print_expression(expr), expr.span)]

    def known(self, expr: Expr, place: _Place) -> list[Step]:
        return assumed(self.required(expr, "known", place))

    # Conditions

    def before(self, steps: Sequence[Step], conditions: list[ProofCondition]) -> list[ProofCondition]:
        """What must hold before the steps so that they are allowed and the conditions hold after them."""
        for step in reversed(steps):
            if step.formula == TRUE:
                continue
            conditions = [condition._replace(hypotheses=(*assumed([step]), *condition.hypotheses)) for condition in conditions]
            if step.what:
                function = self.place.function.name
                conditions.insert(0, ProofCondition(function, step.what, step.text, step.span, (), step.formula))
        if len(conditions) > CONDITIONS_MAX:
            raise TooLarge(f"{self.place.function.name} has more than {CONDITIONS_MAX} conditions")
        return conditions

    def renamed(self, conditions: list[ProofCondition], values: Mapping[str, LogicTerm]) -> list[ProofCondition]:
        done: dict[LogicTerm, LogicTerm] = {}
        return [
            condition._replace(
                hypotheses=tuple(step._replace(formula=substitute(step.formula, values, done)) for step in condition.hypotheses),
                goal=substitute(condition.goal, values, done),
            )
            for condition in conditions
        ]

    def fresh(self, name: str, kind: Type, span: Span) -> LogicTerm:
        """A symbol that occurs nowhere else. Its name tells the line in which it gets its value.

        Inside of a quantifier it is a function of the bound variables: there may be another value for each instance.
        """
        name = f"{name}.line{line_and_column(self.text, span.start)[0]}"
        self.used[name] += 1
        name = name if self.used[name] == 1 else f"{name}.{self.used[name]}"
        return call(name, SORTS[kind], *self.bound) if self.bound else symbol(name, SORTS[kind])

    def chosen(self, names: Iterable[str], span: Span, conditions: list[ProofCondition]) -> list[ProofCondition]:
        """The variables may have any values of their types."""
        kinds = {name: self.place.types[name] for name in names}
        values = {name: self.fresh(name, kind, span) for name, kind in kinds.items()}
        known = [step for name, kind in kinds.items() for step in typed(values[name], kind)]
        return self.before(known, self.renamed(conditions, values))

    def assigned(
        self, names: Iterable[str], value: Expr, kind: Type, conditions: list[ProofCondition], span: Span
    ) -> list[ProofCondition]:
        steps: list[Step] = []
        term = self.stored(value, kind, self.place, steps)
        values = {name: self.fresh(name, kind, span) for name in names}
        definitions = [Step(compare("=", new, term)) for new in values.values()]
        return self.before([*steps, *definitions], self.renamed(conditions, values))

    # Statements

    def block(self, block: Block, conditions: list[ProofCondition]) -> list[ProofCondition]:
        for statement in reversed(block.statements):
            conditions = self.statement(statement, conditions)
        return conditions

    def statement(self, statement: Stmt, after: list[ProofCondition]) -> list[ProofCondition]:
        place, types = self.place, self.place.types
        match statement:
            case sip.Var(targets, _, None):
                return self.chosen([target.name for target in targets], statement.span, after)
            case sip.Var(targets, kind, value):
                assert value is not None
                return self.assigned([target.name for target in targets], value, kind, after, statement.span)
            case sip.Assign(target, value):
                return self.assigned([target.name], value, types[target.name], after, statement.span)
            case sip.Return(value):
                return self.assigned(["result"], value, types["result"], self.at_return, statement.span)
            case sip.Break():
                return self.after_loops[-1]
            case sip.If(branches, otherwise):
                conditions = self.block(otherwise, after)
                for branch in reversed(branches):
                    steps: list[Step] = []
                    test = self.evaluate(branch.test, place, steps)
                    yes = self.before([Step(test, case=True)], self.block(branch.body, after))
                    no = self.before([Step(negation(test), case=True)], conditions)
                    conditions = self.before(steps, [*yes, *no])
                return conditions
            case sip.While():
                return self.loop(statement, after)
            case sip.Print(values):
                steps = []
                for value in values:
                    self.evaluate(value, place, steps)
                return self.before(steps, after)
            case sip.Assume(condition):
                steps = []
                value_term = self.evaluate(condition, place, steps)
                return self.before([*steps, Step(value_term)], after)
            case sip.Assert(condition):
                return self.before(self.required(condition, "assert", place), after)
            case sip.Claim(condition):
                return self.before(self.required(condition, "claim", place._replace(executed=False)), after)
            case sip.Cassign(targets, condition):
                after = self.before(self.known(condition, place), after)
                return self.chosen([target.name for target in targets], statement.span, after)
        raise AssertionError(statement)

    def loop(self, loop: sip.While, after: list[ProofCondition]) -> list[ProofCondition]:
        number_of_loop = next(
            loop_info.number for loop_info in self.info.functions[self.place.function.name].loops if loop_info.statement is loop
        )
        claimed = self.place._replace(executed=False)
        facts = [(expr, self.place) for expr in (conjuncts(loop.invariant) if loop.invariant is not None else ())]
        facts += [(expr, claimed) for expr in self.invariants.get(number_of_loop, ())]

        def obliged(what: str) -> list[Step]:
            steps = [step for expr, place in facts for step in self.required(expr, what, place)]
            return [step._replace(span=loop.test.span, what=step.what and what) for step in steps]

        known = [step for expr, place in facts for step in self.known(expr, place)]
        steps: list[Step] = []
        test = self.evaluate(loop.test, self.place, steps)
        self.after_loops.append(after)
        turn = self.block(loop.body, self.before(obliged("invariant kept"), []))
        self.after_loops.pop()
        turn = self.before([*known, *steps, Step(test, case=True)], turn)
        end = self.before([*known, *assumed(steps), Step(negation(test), case=True)], after)
        return [
            *self.before(obliged("invariant on entry"), []),
            *self.chosen(sorted(changed(loop.body)), loop.test.span, [*turn, *end]),
        ]

    # Expressions

    def evaluate(self, expr: Expr, place: _Place, steps: list[Step]) -> LogicTerm:
        """The value of the expression as a term. Adds what must hold so that it has one, and what is then known."""
        if len(steps) > STEPS_MAX:
            raise TooLarge("an expression calls too many helpers")
        match expr:
            case sip.Number(value):
                return number(value)
            case sip.Boolean(value):
                return TRUE if value else FALSE
            case sip.Name(name):
                return place.values.get(name) or symbol(name, SORTS[place.types[name]])
            case sip.Old(name):
                return place.entry[name]
            case sip.Unary("!", operand):
                return negation(self.evaluate(operand, place, steps))
            case sip.Unary(_, operand):
                return arithmetic("-", number(0), self.evaluate(operand, place, steps))
            case sip.Binary("&" | "|" | "->" as op, left, right):
                first, inner = self.evaluate(left, place, steps), list[Step]()
                second = self.evaluate(right, place, inner)
                steps += guarded(inner, negation(first) if op == "|" else first)
                if op == "->":
                    return implication(first, second)
                return conjunction(first, second) if op == "&" else disjunction(first, second)
            case sip.Binary(op, left, right):
                return self.arithmetic(op, self.evaluate(left, place, steps), self.evaluate(right, place, steps), expr, steps)
            case sip.Compare(operands, ops):
                holds, low = TRUE, self.evaluate(operands[0], place, steps)
                for op, operand in zip(ops, operands[1:], strict=True):
                    inner = []
                    high = self.evaluate(operand, place, inner)
                    steps += guarded(inner, holds)
                    holds, low = conjunction(holds, compare(op, low, high)), high
                return holds
            case sip.Call(function, arguments) if function in self.functions:
                return self.helper_call(expr, self.functions[function], place, steps)
            case sip.Call("len", [array]):
                return length(self.evaluate(array, place, steps))
            case sip.Call(function, arguments):
                return self.builtin(function, [self.evaluate(argument, place, steps) for argument in arguments], expr.span, steps)
            case sip.Index():
                return self.cell(expr, place, steps)
            case sip.Quantified("sum" | "count"):
                no_arrays(expr)
            case sip.Quantified(word, variable, low, high, body):
                first, last = self.evaluate(low, place, steps), self.evaluate(high, place, steps)
                index = bound(f"{variable.name}.bound{len(self.bound)}")
                self.bound.append(index)
                inner = []
                says = self.evaluate(body, place._replace(values={**place.values, variable.name: index}), inner)
                self.bound.pop()
                # Every instance must have a value, also of an exists.
                steps += [step._replace(formula=quantified("forall", index, first, last, step.formula)) for step in inner]
                return quantified(word, index, first, last, says)

    def cell(self, expr: sip.Index, place: _Place, steps: list[Step]) -> LogicTerm:
        array, index = self.evaluate(expr.array, place, steps), self.evaluate(expr.index, place, steps)
        inside = within(number(0), index, arithmetic("-", length(array), number(1)))
        steps.append(Step(inside, "index", print_expression(expr), expr.span))
        value = select(array, index)
        if place.types[expr.array.name].element is Type.NAT:
            steps.append(Step(compare(">=", value, number(0))))
        return value

    def arithmetic(self, op: str, left: LogicTerm, right: LogicTerm, expr: sip.Binary, steps: list[Step]) -> LogicTerm:
        if op in ("+", "-", "*"):
            return arithmetic(op, left, right)
        text = print_expression(expr.right)
        if op == "^":
            steps.append(Step(compare(">=", right, number(0)), "negative-exponent", text, expr.span))
            return power(self.named(left, expr.span, steps), right)
        steps.append(Step(compare("!=", right, number(0)), "zero-divisor", text, expr.span))
        if op != "/":
            return floored(op, left, right)
        left, right = real(left), real(right)
        if right.op == "number" and right.value:
            return arithmetic("*", number(1 / Fraction(right.value), REAL), left)
        return call("quotient", REAL, left, right)

    def builtin(self, name: str, args: list[LogicTerm], span: Span, steps: list[Step]) -> LogicTerm:
        if name in ("gcd", "ispow"):
            return call(name, INT if name == "gcd" else BOOL, *args)
        first, *others = (self.named(arg, span, steps) for arg in args)
        for other in [arithmetic("-", number(0), first)] if name == "abs" else others:
            first = self.named(choice(compare("<=" if name == "min" else ">=", first, other), first, other), span, steps)
        return first

    def named(self, term: LogicTerm, span: Span, steps: list[Step]) -> LogicTerm:
        """The term or, where it is large, a symbol that is equal to it. So terms that contain it several times stay small."""
        if len(list(islice(parts(term), TERM_PARTS_MAX))) < TERM_PARTS_MAX:
            return term
        name = self.fresh("value", Type.INT if term.sort == INT else Type.RAT, span)
        steps.append(Step(compare("=", name, term)))
        return name

    def stored(self, expr: Expr, kind: Type, place: _Place, steps: list[Step]) -> LogicTerm:
        """The value of the expression as one of this type, with the obligation that it is one."""
        text = print_expression(expr)
        if isinstance(expr, sip.Binary) and expr.op == "/" and kind in (Type.NAT, Type.INT):
            inner: list[Step] = []
            left, right = self.evaluate(expr.left, place, inner), self.evaluate(expr.right, place, inner)
            if left.sort == right.sort == INT:
                steps += [*inner, Step(compare("!=", right, number(0)), "zero-divisor", print_expression(expr.right), expr.span)]
                steps.append(Step(compare("=", floored("%", left, right), number(0)), "narrowing", text, expr.span))
                return self.natural(floored("//", left, right), kind, expr, steps)
        term = self.evaluate(expr, place, steps)
        if kind is Type.RAT:
            return real(term)
        if term.sort == REAL:
            whole = self.fresh("whole", Type.INT, expr.span)
            steps.append(Step(LogicTerm("is_int", BOOL, (term,)), "narrowing", text, expr.span))
            steps.append(Step(compare("=", real(whole), term)))
            term = whole
        return self.natural(term, kind, expr, steps)

    def natural(self, term: LogicTerm, kind: Type, expr: Expr, steps: list[Step]) -> LogicTerm:
        if kind is Type.NAT:
            steps.append(Step(compare(">=", term, number(0)), "narrowing", print_expression(expr), expr.span))
        return term

    # Calls of helpers

    def helper_call(self, expr: sip.Call, function: Function, place: _Place, steps: list[Step]) -> LogicTerm:
        text = print_expression(expr)
        params = zip(function.params, expr.arguments, strict=True)
        given = {param.name: self.stored(argument, param.type, place, steps) for param, argument in params}
        assert function.result is not None
        inner = self.inside(function, given, place.depth + 1)._replace(values=given, executed=place.executed)
        opaque = self.opaque(function.name, function.result, expr.span)
        recursive = function.name in helpers.callees(function, self.functions)
        too_deep = place.depth >= (RECURSIVE_DEPTH_MAX if recursive else DEPTH_MAX)
        ends = place.executed or helpers.evidently_ends(function, self.functions)
        if too_deep or not ends:
            # Nobody can prove this symbol. So where it is an obligation, the answer is at best "not decided".
            steps.append(Step(self.opaque("ends", Type.BOOL, expr.span), "call-ends", text, expr.span))
        determined = helpers.determined(function, self.functions)
        value = call(f"{function.name}.call", opaque.sort, *given.values()) if determined else opaque
        if too_deep:
            return value
        for pre in function.pres:
            obliged = self.required(pre, "callee-pre", inner)
            steps += [step._replace(what=step.what and "callee-pre", text=text, span=expr.span) for step in obliged]
        if ends:
            steps += self.facts_of_call(function, inner, value, expr.span)
        return value

    def opaque(self, name: str, kind: Type, span: Span) -> LogicTerm:
        new = self.fresh(name, kind, span)
        return new._replace(name=OPAQUE + new.name)

    def facts_of_call(self, function: Function, inner: _Place, value: LogicTerm, span: Span) -> list[Step]:
        """What is known of the value of a call that ended."""
        facts = typed(value, function.result) if function.result else []
        assigned = [param for param in function.params if param.name in changed(function.body)]
        final = {param.name: self.opaque(param.name, param.type, span) for param in assigned}
        after = inner._replace(values={**inner.values, **final, "result": value})
        facts += [step for post in function.posts for step in self.known(post, after)]
        recursive = function.name in helpers.callees(function, self.functions)
        if helpers.unfoldable(function) and (inner.depth == 1 or not recursive):
            facts += self.unfolded(function, inner, value)
        return facts

    def unfolded(self, function: Function, inner: _Place, value: LogicTerm) -> list[Step]:
        """What the body tells of the value: on each way through it, all that holds there if its cases are those of this call."""
        outer = self.place, self.at_return, self.after_loops
        entry = entry_symbols(function)
        self.place = self.inside(function, entry, inner.depth)
        same = Step(compare("=", symbol("result", value.sort), symbol("result.of.call", value.sort)), "unfolded")
        self.at_return, self.after_loops = self.before([same], []), []
        ways = self.chosen(["result"], function.span, self.block(function.body, self.at_return))
        self.place, self.at_return, self.after_loops = outer
        # Only now the caller's terms come in. Its variables may have the names of the helper's.
        given = {**inner.entry, **{entry[name].name: term for name, term in inner.entry.items()}, "result.of.call": value}
        facts: dict[LogicTerm, None] = {}
        for way in self.renamed([way for way in ways if way.what == "unfolded"], given):
            case = TRUE
            for step in (*way.hypotheses, Step(way.goal)):
                if step.case:
                    case = conjunction(case, step.formula)
                else:
                    facts[implication(case, step.formula)] = None
        return [Step(fact) for fact in facts]
