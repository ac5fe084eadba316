"""Expressions of the program → expressions over symbols, with the conditions under which they have a value.

A call of a helper stays a call. What is known about its value is added as facts: its contract and, where it has no loop, what its
body says. The body of a helper that calls itself is unfolded once.
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
    """The cause for which a run stops where it does not hold: zero-divisor, negative-exponent, narrowing or callee-pre."""
    span: Span


class Translated(Record):
    """An expression over symbols."""

    expr: Expr
    type: Type
    conditions: tuple[Condition, ...] = ()
    """What must hold for the expression to have a value."""
    whole: tuple[Expr, Expr] | None = None
    """For a / b with whole a and b: the condition a % b = 0, and a // b, which is the value where it holds."""


Environment = Mapping[str, Expr]
"""For each variable of the program, what it holds as an expression over symbols."""


class Translator:
    """Translates expressions in one environment. Facts about the calls in them are collected in `facts`."""

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
        """Gives the facts about a call that the helper's body tells."""
        self.facts: list[tuple[Expr, str]] = []
        """Facts, each with its source."""
        self.context: tuple[Expr, ...] = ()
        """What decides whether the expression is evaluated: in `a & b`, b is evaluated only where a is true."""
        self.passed: list[Expr] = []
        """Conditions of what is evaluated earlier. A later call is reached only where they hold."""
        self.executed = True
        """Whether the program itself evaluates the expression: then its calls ended. Calls in a proposal may not end."""

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
            # The right side is evaluated only where the left side does not decide the result.
            context = left.expr if op in ("->", "&") else Unary("!", left.expr)
            right = self.translate_where(context, expr.right)
            later = tuple(_where(context, condition) for condition in right.conditions)
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
        """Translates what is evaluated only where `context` holds."""
        before, self.context = self.context, (*self.context, context)
        translated = self.translate(expr)
        self.context = before
        return translated

    def chain(self, expr: Compare) -> Translated:
        operands = [self.translate(operand) for operand in expr.operands[:2]]
        conditions = [*operands[0].conditions, *operands[1].conditions]
        for index in range(2, len(expr.operands)):
            so_far = Compare(tuple(operand.expr for operand in operands), expr.ops[: index - 1])
            operands.append(self.translate_where(so_far, expr.operands[index]))
            conditions += (_where(so_far, condition) for condition in operands[index].conditions)
        return Translated(Compare(tuple(operand.expr for operand in operands), expr.ops), Type.BOOL, _needed(conditions))

    def call(self, expr: Call) -> Translated:
        if expr.function in FUNCTIONS:
            arguments = [self.translate(argument) for argument in expr.arguments]
            conditions = [condition for argument in arguments for condition in argument.conditions]
            kind = builtin_type(expr.function, [argument.type for argument in arguments])
            return Translated(Call(expr.function, tuple(argument.expr for argument in arguments)), kind, _needed(conditions))
        function = self.info.functions[expr.function].function
        conditions = []
        # The arguments as values of their parameters' types, and the conditions under which they are.
        fitted: list[Expr] = []
        fitting: list[Expr] = []
        for param, source in zip(function.params, expr.arguments, strict=True):
            argument = self.translate(source)
            conditions += argument.conditions
            value, needed = self.narrowed(argument, param.type, source.span)
            fitted.append(value)
            conditions += needed
            fitting += (condition.expr for condition in needed)
        given = {param.name: value for param, value in zip(function.params, fitted, strict=True)}
        pres = [self.about_call(pre, function, given, given) for pre in function.pres]
        conditions += [self.condition(pre, "callee-pre", expr.span) for pre in pres]
        assert function.result is not None
        before = [expr for expr in dict.fromkeys((*self.passed, *self.context)) if expr not in (*fitting, *pres)]
        value = self.value_of_call(function, tuple(fitted), conjoin(fitting), conjoin([*fitting, *pres]), before)
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
        """The call, or a symbol for its value, with the facts about it.

        `fit`: the arguments are of their parameters' types; `allowed`: they also satisfy the pres. Of other calls nothing is known.
        `before`: what holds where the call is evaluated.
        """
        if may_run_on(self.info, function):
            # A call that never ends has no value. So the facts say nothing of a call that is not evaluated.
            fit, allowed = (conjoin([*before, condition]) for condition in (fit, allowed))
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
            # A caller does not know what a parameter of the helper holds at its end.
            if names(post) & assigned & given.keys():
                continue
            fact = self.about_call(post, function, given | {"result": value}, given)
            self.facts.append((implies(allowed, fact), f"post of {function.name}"))
        if function.result is Type.NAT and isinstance(value, Call):
            self.facts.append((implies(allowed, compare(value, ">=", Number(0))), f"type of {function.name}"))
        return value

    def about_call(self, clause: Expr, function: Function, values: Environment, entry: Environment) -> Expr:
        """A pre or post in the caller's terms, together with the conditions under which it has a value."""
        types = {**self.info.functions[function.name].variables}
        inner = Translator(self.info, types, values, entry, self.fresh, self.unfold)
        inner.facts, inner.context, inner.executed = self.facts, self.context, self.executed
        inner.passed = list(self.passed)
        translated = inner.translate(clause)
        return conjoin([*(condition.expr for condition in translated.conditions), translated.expr])


def unfoldable(info: ModuleInfo, function: Function) -> bool:
    """Whether the body tells the value of a call: it has no loop and no choice, and neither have the functions that it calls."""
    if any(isinstance(statement, While | Cassign) for statement in statements(function.body)):
        return False
    others = sorted(called(function) & info.functions.keys() - {function.name})
    return all(unfoldable(info, info.functions[name].function) for name in others)


def may_run_on(info: ModuleInfo, function: Function) -> bool:
    """Whether a call may fail to return a value, as far as can be seen: there is a loop, an assume or a choice, or recursion."""
    if function.name in called(function) or _has_loop_or_choice(function):
        return True
    return any(may_run_on(info, info.functions[name].function) for name in called(function) & info.functions.keys())


def evidently_ends(info: ModuleInfo, function: Function) -> bool:
    """Whether every call plainly ends.

    There is no loop, assume or choice, and each recursive call passes x - 1 or less for the same nat x, which is never assigned.
    """
    if _has_loop_or_choice(function):
        return False
    others = sorted(called(function) & info.functions.keys() - {function.name})
    if not all(evidently_ends(info, info.functions[name].function) for name in others):
        return False
    recursive = [
        part
        for expr in function_expressions(function)
        for part in expressions(expr)
        if isinstance(part, Call) and part.function == function.name
    ]
    assigned = info.functions[function.name].assigned
    unchanged = [place for place, param in enumerate(function.params) if param.type is Type.NAT and param.name not in assigned]
    return not recursive or any(
        all(_smaller(call.arguments[place], function.params[place].name) for call in recursive) for place in unchanged
    )


def _has_loop_or_choice(function: Function) -> bool:
    """Whether the body has a statement because of which a call may return no value: a loop, an assume or a choice."""
    return any(isinstance(statement, While | Assume | Cassign) for statement in statements(function.body))


def _smaller(argument: Expr, name: str) -> bool:
    """Whether the argument is `name - k` with a literal k of at least 1."""
    match argument:
        case Binary("-", Name(of), Number(less)):
            return of == name and less >= 1
        case _:
            return False


def _where(context: Expr, condition: Condition) -> Condition:
    """The condition, which is needed only where the context holds."""
    return Condition(implies(context, condition.expr), condition.cause, condition.span)


def _needed(conditions: list[Condition]) -> tuple[Condition, ...]:
    """The conditions that are not plainly true, each once."""
    return tuple(condition for condition in dict.fromkeys(conditions) if condition.expr != TRUE)
