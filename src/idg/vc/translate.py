"""Expressions of the program → expressions over symbols, with the conditions under which they have a value.

A call of a helper stays a call in the formula; what is known about its value is added as hypotheses: its contract and, where it has
no loop, its body (one unfolding where it calls itself).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from idg.sip.build import arithmetic, compare, compare_decided
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.checking.types import arithmetic_type, builtin_type, fits, is_integer
from idg.sip.logic import TRUE, conjoin, implies
from idg.sip.operators import FUNCTIONS
from idg.sip.record import Record
from idg.sip.syntax import (
    Assume,
    Binary,
    Boolean,
    Call,
    Cassign,
    Compare,
    Expr,
    Function,
    Name,
    Number,
    Old,
    Span,
    Type,
    Unary,
    While,
)
from idg.sip.traverse import called, expressions, function_expressions, names, statements


class Condition(Record):
    """Something that must hold for an expression to have a value."""

    expr: Expr
    cause: str
    """As in the outcomes of runs: zero-divisor, negative-exponent, narrowing, callee-pre."""
    span: Span


class Translated(Record):
    expr: Expr
    type: Type
    conditions: tuple[Condition, ...] = ()
    whole: tuple[Expr, Expr] | None = None
    """For a / b with whole a and b: the condition a % b = 0, and a // b, which is the value then."""


Environment = Mapping[str, Expr]


class Translator:
    """Translates in one environment. Facts about calls are gathered in `facts`."""

    def __init__(
        self,
        info: ModuleInfo,
        types: Mapping[str, Type],
        values: Environment,
        entry: Environment,
        fresh: Callable[[str, Type], Name],
        unfold: Callable[[Function, tuple[Expr, ...], Call], list[Expr]],
    ) -> None:
        self.info = info
        self.types = types
        self.values = values
        self.entry = entry
        self.fresh = fresh
        self.unfold = unfold
        """Facts about a call from the helper's body."""
        self.facts: list[tuple[Expr, str]] = []
        """Each with its source."""
        self.context: tuple[Expr, ...] = ()
        """What holds where the expression being translated is evaluated, because of what stands to its left."""
        self.passed: list[Expr] = []
        """Conditions of what is evaluated earlier: a later call is reached only where they hold."""
        self.executed = True
        """Whether the program evaluates the expression itself: a call that was passed did end. Of a proposal that is not known."""

    def translate(self, expr: Expr) -> Translated:
        match expr:
            case Number(value):
                return Translated(Number(value), Type.NAT if isinstance(value, int) else Type.RAT)
            case Boolean(value):
                return Translated(Boolean(value), Type.BOOL)
            case Name(name):
                return Translated(self.values[name], self.types[name])
            case Old(name):
                return Translated(self.entry[name], self.types[name])
            case Unary(op, operand):
                inner = self.translate(operand)
                kind = Type.BOOL if op == "!" else Type.RAT if inner.type is Type.RAT else Type.INT
                return Translated(Unary(op, inner.expr), kind, inner.conditions)
            case Binary():
                return self.binary(expr)
            case Compare():
                return self.chain(expr)
            case Call():
                return self.call(expr)

    def binary(self, expr: Binary) -> Translated:
        op = expr.op
        left = self.translate(expr.left)
        if op in ("->", "|", "&"):
            # The right side is evaluated only where the left side leaves the result open.
            context = left.expr if op in ("->", "&") else Unary("!", left.expr)
            right = self.translate_where(context, expr.right)
            later = tuple(Condition(implies(context, each.expr), each.cause, each.span) for each in right.conditions)
            return Translated(Binary(op, left.expr, right.expr), Type.BOOL, (*left.conditions, *later))
        right = self.translate(expr.right)
        conditions = [*left.conditions, *right.conditions]
        if op in ("/", "//", "%"):
            conditions.append(self.condition(compare_decided(right.expr, "!=", Number(0)), "zero-divisor", expr.span))
        elif op == "^" and right.type is not Type.NAT:
            conditions.append(self.condition(compare_decided(right.expr, ">=", Number(0)), "negative-exponent", expr.span))
        kind = arithmetic_type(op, left.type, right.type)
        whole = None
        if op == "/" and is_integer(left.type) and is_integer(right.type):
            rest = compare(Binary("%", left.expr, right.expr), "=", Number(0))
            whole = (rest, Binary("//", left.expr, right.expr))
        return Translated(arithmetic(op, left.expr, right.expr), kind, _needed(conditions), whole)

    def condition(self, expr: Expr, cause: str, span: Span) -> Condition:
        self.passed.append(implies(conjoin(self.context), expr))
        return Condition(expr, cause, span)

    def translate_where(self, context: Expr, expr: Expr) -> Translated:
        before, self.context = self.context, (*self.context, context)
        found = self.translate(expr)
        self.context = before
        return found

    def chain(self, expr: Compare) -> Translated:
        operands = [self.translate(each) for each in expr.operands[:2]]
        conditions = [*operands[0].conditions, *operands[1].conditions]
        for at in range(2, len(expr.operands)):
            so_far = Compare(tuple(each.expr for each in operands), expr.ops[: at - 1])
            operands.append(self.translate_where(so_far, expr.operands[at]))
            conditions += (Condition(implies(so_far, each.expr), each.cause, each.span) for each in operands[at].conditions)
        return Translated(Compare(tuple(each.expr for each in operands), expr.ops), Type.BOOL, _needed(conditions))

    def call(self, expr: Call) -> Translated:
        if expr.function in FUNCTIONS:
            arguments = [self.translate(each) for each in expr.arguments]
            conditions = [each for argument in arguments for each in argument.conditions]
            kind = builtin_type(expr.function, [each.type for each in arguments])
            return Translated(Call(expr.function, tuple(each.expr for each in arguments)), kind, _needed(conditions))
        function = self.info.functions[expr.function].function
        conditions = []
        fitted: list[Expr] = []
        fits_: list[Expr] = []
        for param, source in zip(function.params, expr.arguments, strict=True):
            argument = self.translate(source)
            conditions += argument.conditions
            value, condition = self.narrowed(argument, param.type, source.span)
            fitted.append(value)
            conditions += condition
            fits_ += (each.expr for each in condition)
        given = {param.name: value for param, value in zip(function.params, fitted, strict=True)}
        pres = [self.about_call(pre, function, given, given) for pre in function.pres]
        conditions += [self.condition(pre, "callee-pre", expr.span) for pre in pres]
        assert function.result is not None
        before = [each for each in dict.fromkeys((*self.passed, *self.context)) if each not in (*fits_, *pres)]
        value = self.value_of_call(function, tuple(fitted), conjoin(fits_), conjoin([*fits_, *pres]), before)
        return Translated(value, function.result, _needed(conditions))

    def narrowed(self, value: Translated, target: Type, span: Span) -> tuple[Expr, list[Condition]]:
        """The value as one of the target type, and the conditions under which it is."""
        if fits(value.type, target):
            return value.expr, []
        expr = value.expr
        conditions: list[Condition] = []
        if value.type is Type.RAT:
            if value.whole is not None:
                whole, expr = value.whole
            else:
                whole, expr = Call("iswhole", (value.expr,)), self.fresh("whole", Type.INT)
                self.facts.append((implies(whole, compare(expr, "=", value.expr)), "narrowing"))
            conditions.append(self.condition(whole, "narrowing", span))
        if target is Type.NAT:
            conditions.append(self.condition(compare_decided(expr, ">=", Number(0)), "narrowing", span))
        return expr, conditions

    def value_of_call(self, function: Function, arguments: tuple[Expr, ...], fit: Expr, allowed: Expr, before: list[Expr]) -> Expr:
        """`fit`: the arguments are of their parameters' types; `allowed`: that, and the pres. Of other calls nothing is known."""
        if may_run_on(self.info, function):
            # A call that never ends has no value to know something of: where it is not evaluated, nothing is said.
            fit, allowed = (conjoin([*before, each]) for each in (fit, allowed))
        given = {param.name: value for param, value in zip(function.params, arguments, strict=True)}
        if function.name in self.info.choosing:
            value: Expr = self.fresh(function.name, function.result or Type.INT)
        else:
            call = Call(function.name, arguments)
            value = call
            if not self.executed and not evidently_ends(self.info, function):
                return value
            if unfoldable(self.info, function):
                self.facts += ((implies(fit, fact), f"body of {function.name}") for fact in self.unfold(function, arguments, call))
        assigned = self.info.functions[function.name].assigned
        for post in function.posts:
            # What a parameter holds at the end is not the caller's business, and not known to it.
            if names(post) & assigned & given.keys():
                continue
            fact = self.about_call(post, function, given | {"result": value}, given)
            self.facts.append((implies(allowed, fact), f"post of {function.name}"))
        if function.result is Type.NAT and isinstance(value, Call):
            self.facts.append((implies(allowed, compare(value, ">=", Number(0))), f"type of {function.name}"))
        return value

    def about_call(self, clause: Expr, function: Function, values: Environment, entry: Environment) -> Expr:
        """A pre or post in the caller's terms, together with what gives it a value."""
        types = {**self.info.functions[function.name].variables}
        inner = Translator(self.info, types, values, entry, self.fresh, self.unfold)
        inner.facts, inner.context, inner.executed = self.facts, self.context, self.executed
        inner.passed = list(self.passed)
        found = inner.translate(clause)
        return conjoin([*(each.expr for each in found.conditions), found.expr])


def unfoldable(info: ModuleInfo, function: Function) -> bool:
    """Whether the body says what the value is: no loop, no choice, and the same of what it calls besides itself."""
    if any(isinstance(each, While | Cassign) for each in statements(function.body)):
        return False
    others = sorted(called(function) & info.functions.keys() - {function.name})
    return all(unfoldable(info, info.functions[name].function) for name in others)


def may_run_on(info: ModuleInfo, function: Function) -> bool:
    """Whether a call may never end, as far as can be seen: there is a loop, or a function calls itself."""
    if function.name in called(function) or any(isinstance(each, While | Assume | Cassign) for each in statements(function.body)):
        return True
    return any(may_run_on(info, info.functions[name].function) for name in called(function) & info.functions.keys())


def evidently_ends(info: ModuleInfo, function: Function) -> bool:
    """Whether every call plainly ends: no loop, and recursion only with x - 1 or less for one and the same unchanged nat x."""
    if any(isinstance(each, While | Assume | Cassign) for each in statements(function.body)):
        return False
    others = sorted(called(function) & info.functions.keys() - {function.name})
    if not all(evidently_ends(info, info.functions[name].function) for name in others):
        return False
    again = [
        each
        for whole in function_expressions(function)
        for each in expressions(whole)
        if isinstance(each, Call) and each.function == function.name
    ]
    assigned = info.functions[function.name].assigned
    falling = [at for at, param in enumerate(function.params) if param.type is Type.NAT and param.name not in assigned]
    return not again or any(all(_smaller(call.arguments[at], function.params[at].name) for call in again) for at in falling)


def _smaller(argument: Expr, name: str) -> bool:
    match argument:
        case Binary("-", Name(of), Number(less)):
            return of == name and less >= 1
        case _:
            return False


def _needed(conditions: list[Condition]) -> tuple[Condition, ...]:
    return tuple(each for each in dict.fromkeys(conditions) if each.expr != TRUE)
