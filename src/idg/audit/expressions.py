"""Expressions as terms: what a value is, what it takes to have one, and what is then known.

Evaluating an expression is a list of steps in the order of evaluation. A step is an obligation (a divisor is not zero), a fact
(what a helper's post says of its value), or a case (a test). What follows an obligation may assume it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from idg.audit.operations import floored, power
from idg.audit.terms import (
    ARRAYS,
    BOOL,
    CELLS,
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
    symbol,
    within,
)  # fmt: skip
from idg.sip import syntax as sip
from idg.sip.errors import line_and_column
from idg.sip.program import Program
from idg.sip.syntax import ARRAYS_OF, NOWHERE, Expr, Function, Span, Type
from idg.sip.text.printer import print_expression

SORTS = {Type.BOOL: BOOL, Type.NAT: INT, Type.INT: INT, Type.RAT: REAL}
SORTS |= {array: ARRAYS[SORTS[element]] for element, array in ARRAYS_OF.items() if element}
STEPS_MAX = 4_000
"""Steps of one expression, helpers that are unfolded included."""
TERM_PARTS_MAX = 30
"""Terms with fewer parts may stand several times in another one."""
OPAQUE = "?"
"""How symbols begin of which no state can say what their true value is."""


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


class EvaluationPlace(NamedTuple):
    """Where an expression is evaluated."""

    function: Function
    types: Mapping[str, Type]
    values: Mapping[str, LogicTerm]
    """What names stand for. A name that is missing stands for the symbol of that name."""
    entry: Mapping[str, LogicTerm]
    executed: bool = True
    """Whether runs evaluate it. Claims and proposed invariants are not run, so there a call is not known to end."""
    depth: int = 0


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
        return [Step(compare(value, ">=", number(0)))]
    return [Step(compare(length(value), ">=", number(0)))] if kind.element else []


def cell_exists(array: LogicTerm, index: LogicTerm, expr: sip.Index) -> Step:
    """The obligation that the array has this cell."""
    inside = within(number(0), index, arithmetic("-", length(array), number(1)))
    return Step(inside, "index", print_expression(expr), expr.span)


class ExpressionWalk:
    """Evaluates the expressions of a program."""

    def __init__(self, program: Program) -> None:
        self.text = program.text
        self.info = program.info
        self.functions = {name: info.function for name, info in program.info.functions.items()}
        self.used: Counter[str] = Counter()
        self.bound: list[LogicTerm] = []
        """The variables of the quantifiers around the expression, outermost first."""

    def helper_call(self, expr: sip.Call, function: Function, place: EvaluationPlace, steps: list[Step]) -> LogicTerm:
        """The value of a call of a helper."""
        raise NotImplementedError

    def required(self, expr: Expr, what: str, place: EvaluationPlace) -> list[Step]:
        """The steps that oblige an expression to have a value and to be true."""
        steps: list[Step] = []
        value = self.evaluate(expr, place, steps)
        return [*steps, Step(value, what, print_expression(expr), expr.span)]

    def known(self, expr: Expr, place: EvaluationPlace) -> list[Step]:
        return assumed(self.required(expr, "known", place))

    def fresh(self, name: str, kind: Type, span: Span) -> LogicTerm:
        """A symbol that occurs nowhere else. Its name tells the line in which it gets its value.

        Inside of a quantifier it is a function of the bound variables: there may be another value for each instance.
        """
        name = f"{name}.line{line_and_column(self.text, span.start)[0]}"
        self.used[name] += 1
        name = name if self.used[name] == 1 else f"{name}.{self.used[name]}"
        return call(name, SORTS[kind], *self.bound) if self.bound else symbol(name, SORTS[kind])

    def evaluate(self, expr: Expr, place: EvaluationPlace, steps: list[Step]) -> LogicTerm:
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
                    holds, low = conjunction(holds, self.compared(op, low, high)), high
                return holds
            case sip.Call(function, arguments) if function in self.functions:
                return self.helper_call(expr, self.functions[function], place, steps)
            case sip.Call("len", [array]):
                return length(self.evaluate(array, place, steps))
            case sip.Call("sorted" | "permutation"):
                return self.about_arrays(expr, place, steps)
            case sip.Call(function, arguments):
                return self.builtin(function, [self.evaluate(argument, place, steps) for argument in arguments], expr.span, steps)
            case sip.Index():
                return self.cell(expr, place, steps)
            case sip.Quantified(word, variable, low, high, body):
                first, last = self.evaluate(low, place, steps), self.evaluate(high, place, steps)
                index = self.next_bound(variable.name)
                self.bound.append(index)
                inner = []
                says = self.evaluate(body, place._replace(values={**place.values, variable.name: index}), inner)
                self.bound.pop()
                # Every instance must have a value, also of an exists.
                steps += [step._replace(formula=quantified("forall", index, first, last, step.formula)) for step in inner]
                return quantified(word, index, first, last, says)

    def compared(self, op: str, left: LogicTerm, right: LogicTerm) -> LogicTerm:
        """The comparison; arrays are equal if they have the same length and the same cells."""
        if left.sort not in CELLS:
            return compare(left, op, right)
        index = self.next_bound("cell")
        last = arithmetic("-", length(left), number(1))
        cells = quantified("forall", index, number(0), last, compare(select(left, index), "=", select(right, index)))
        same = conjunction(compare(length(left), "=", length(right)), cells)
        return same if op == "=" else negation(same)

    def about_arrays(self, expr: sip.Call, place: EvaluationPlace, steps: list[Step]) -> LogicTerm:
        """`sorted(a, lo..hi)` and `permutation(a, b)`. To be sorted, a range of two cells or more must exist."""
        args = [self.evaluate(argument, place, steps) for argument in expr.arguments]
        if expr.function == "permutation":
            return LogicTerm("permutation", BOOL, tuple(args))
        array, low, high = args
        in_array = conjunction(compare(number(0), "<=", low), compare(high, "<", length(array)))
        steps.append(Step(implication(compare(low, "<", high), in_array), "index", print_expression(expr), expr.span))
        return LogicTerm("sorted", BOOL, (array, low, high))

    def next_bound(self, name: str) -> LogicTerm:
        """A bound variable. Its name says how many quantifiers are around it, so none catches the variable of another."""
        return bound(f"{name}.bound{len(self.bound)}")

    def cell(self, expr: sip.Index, place: EvaluationPlace, steps: list[Step]) -> LogicTerm:
        array, index = self.evaluate(expr.array, place, steps), self.evaluate(expr.index, place, steps)
        steps.append(cell_exists(array, index, expr))
        value = select(array, index)
        if place.types[expr.array.name].element is Type.NAT:
            steps.append(Step(compare(value, ">=", number(0))))
        return value

    def arithmetic(self, op: str, left: LogicTerm, right: LogicTerm, expr: sip.Binary, steps: list[Step]) -> LogicTerm:
        if op in ("+", "-", "*"):
            return arithmetic(op, left, right)
        text = print_expression(expr.right)
        if op == "^":
            steps.append(Step(compare(right, ">=", number(0)), "negative-exponent", text, expr.span))
            return power(self.named(left, expr.span, steps), right)
        steps.append(Step(compare(right, "!=", number(0)), "zero-divisor", text, expr.span))
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
            first = self.named(choice(compare(first, "<=" if name == "min" else ">=", other), first, other), span, steps)
        return first

    def named(self, term: LogicTerm, span: Span, steps: list[Step]) -> LogicTerm:
        """The term or, where it is large, a symbol that is equal to it. So terms that contain it several times stay small."""
        if len(list(islice(parts(term), TERM_PARTS_MAX))) < TERM_PARTS_MAX:
            return term
        name = self.fresh("value", Type.INT if term.sort == INT else Type.RAT, span)
        steps.append(Step(compare(name, "=", term)))
        return name

    def stored(self, expr: Expr, kind: Type, place: EvaluationPlace, steps: list[Step]) -> LogicTerm:
        """The value of the expression as one of this type, with the obligation that it is one."""
        text = print_expression(expr)
        if isinstance(expr, sip.Binary) and expr.op == "/" and kind in (Type.NAT, Type.INT):
            inner: list[Step] = []
            left, right = self.evaluate(expr.left, place, inner), self.evaluate(expr.right, place, inner)
            if left.sort == right.sort == INT:
                steps += [*inner, Step(compare(right, "!=", number(0)), "zero-divisor", print_expression(expr.right), expr.span)]
                steps.append(Step(compare(floored("%", left, right), "=", number(0)), "narrowing", text, expr.span))
                return self.natural(floored("//", left, right), kind, expr, steps)
        term = self.evaluate(expr, place, steps)
        if kind is Type.RAT:
            return real(term)
        if term.sort == REAL:
            whole = self.fresh("whole", Type.INT, expr.span)
            steps.append(Step(LogicTerm("is_int", BOOL, (term,)), "narrowing", text, expr.span))
            steps.append(Step(compare(real(whole), "=", term)))
            term = whole
        return self.natural(term, kind, expr, steps)

    def natural(self, term: LogicTerm, kind: Type, expr: Expr, steps: list[Step]) -> LogicTerm:
        if kind is Type.NAT:
            steps.append(Step(compare(term, ">=", number(0)), "narrowing", print_expression(expr), expr.span))
        return term
