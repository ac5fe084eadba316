"""Expressions of the program → expressions over symbols, with the conditions under which they have a value.

A call of a helper stays a call. What is known about its value is added as facts: its contract and, where it has no loop, what its
body says. Nothing is known about calls of helpers that are not trusted. The body of a helper that calls itself is unfolded once,
and where its contract speaks of the helper itself, nothing is said about that inner call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.checking.types import arithmetic_type, builtin_type, fits, is_integer
from idg.sip.operators import FUNCTIONS
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Function, Index, Name, Number, Old, Quantified, Span, Type, Unary
from idg.sip.trees.build import ZERO, arithmetic, compare, compare_decided
from idg.sip.trees.logic import FALSE, TRUE, conjoin, implies, negate
from idg.sip.trees.stores import cell, length, same_arrays, without_swaps
from idg.sip.trees.traverse import names
from idg.vc.helpers import Helpers
from idg.vc.query import Requirement
from idg.vc.ranges import Range, counter_type

UNFOLDINGS_MAX = 60
"""Contracts and bodies of helpers that are written out for the calls in one expression. Nothing is said about further calls: ten
helpers, each of which calls the one before twice, would make a thousand of them."""
UNFOLDING_DEPTH_MAX = 12
"""Contracts and bodies inside each other that are written out. Python could not go much deeper than some dozens."""


CALL = "call"
"""The cause of what else is to be shown of calls."""


class Condition(Record):
    """Something that must hold for an expression to have a value."""

    expr: Expr
    cause: str
    """The cause for which a run stops where it does not hold: zero-divisor, negative-exponent, narrowing, callee-pre or index."""
    span: Span
    call: str = ""
    """The helper of which it is not known that this call of it has a value. Then `expr` says that the call is not evaluated. That
    is enough for the expression to have a value, but does not follow from it: such a condition may be shown but never assumed."""


class Translated(Record):
    """An expression over symbols."""

    expr: Expr
    type: Type
    conditions: tuple[Condition, ...] = ()
    """What must hold for the expression to have a value."""
    whole: tuple[Expr, Expr] | None = None
    """For a / b with whole a and b: the condition a % b = 0, and a // b, which is the value where it holds."""

    def requirements(self, cause: str, span: Span) -> tuple[Requirement, ...]:
        """What must be proved where the expression is checked for this cause: that it has a value, and that it is true."""
        return (*(Requirement(condition.cause, condition.span) for condition in self.conditions), Requirement(cause, span))


class CallFact(Record):
    """Something that is known about a call, or about a value that is narrowed."""

    expr: Expr
    source: str
    """As in a hypothesis."""
    rests_on: tuple[Requirement, ...] = ()
    """As in a hypothesis."""


class Unfolding:
    """What may still be written out about the calls in one expression."""

    def __init__(self) -> None:
        self.left = UNFOLDINGS_MAX
        self.depth = 0
        self.facts: dict[tuple[str, tuple[Expr, ...], tuple[str, ...]], list[Expr]] = {}
        """What a helper's body says about a call, for the helper, the arguments and the helpers that are being unfolded."""

    def spend(self) -> bool:
        """Whether one more contract or body may be written out."""
        self.left -= 1
        return self.left >= 0 and self.depth < UNFOLDING_DEPTH_MAX

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Inside, a contract or a body is being written out."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


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
        helpers: Helpers,
        unfolding: Unfolding,
    ) -> None:
        self.info = info
        self.helpers = helpers
        self.unfolding = unfolding
        self.types = types
        self.values = values
        self.entry = entry
        self.fresh = fresh
        self.unfold = unfold
        """Gives the facts about a call that the helper's body tells."""
        self.facts: list[CallFact] = []
        self.context: tuple[Expr, ...] = ()
        """What decides whether the expression is evaluated: in `a & b`, b is evaluated only where a is true."""
        self.passed: list[Expr] = []
        """Conditions of what is evaluated earlier. A later call is reached only where they hold."""
        self.executed = True
        """Whether the program itself evaluates the expression: then its calls ended. Calls in a proposal may not end."""
        self.ended: frozenset[Call] = frozenset()
        """Calls that the program has evaluated on the way."""
        self.evaluated: list[Call] = []
        """Calls that are evaluated wherever the whole expression is."""
        self.describing: frozenset[str] = frozenset()
        """The helpers whose posts are being written out."""
        self.requiring: frozenset[str] = frozenset()
        """The helpers whose pres are being written out."""
        self.bound: frozenset[str] = frozenset()
        """The names over which the quantifiers around the expression range."""
        self.bind: Callable[[str, frozenset[str]], str] = lambda name, _: name
        """Gives the name of a quantifier's variable, inside of quantifiers over these names."""
        self.needed_of_call: Callable[[Translator, Function, tuple[Expr, ...]], Expr] | None = None
        """What else is to be shown of each call, for its function and its arguments; None where nothing is."""

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
            case Index():
                return self.cell(expr)
            case Quantified():
                return self.quantified(expr)

    def cell(self, expr: Index) -> Translated:
        """A read, which has a value where the array has such a cell."""
        array, place = self.translate(expr.array), self.translate(expr.index)
        assert array.type.element is not None, "the checker lets only arrays be read"
        conditions = [*place.conditions, self.condition(has_cell(array.expr, place), "index", expr.span)]
        return Translated(cell(array.expr, place.expr), array.type.element, _needed(conditions))

    def quantified(self, expr: Quantified) -> Translated:
        """All instances are evaluated, so that all of them must have values. Nothing is said about calls in them."""
        low, high = self.translate(expr.low), self.translate(expr.high)
        inner = copy(self)
        variable = Name(self.bind(expr.variable.name, self.bound))
        inner.bound = self.bound | {variable.name}
        inner.values = {**self.values, expr.variable.name: variable}
        inner.types = {**self.types, expr.variable.name: counter_type(low.type)}
        inner.facts, inner.passed, inner.evaluated = [], [], []
        body = inner.translate(expr.body)
        where = Range(variable, low.expr, high.expr)
        conditions = [*low.conditions, *high.conditions]
        for condition in body.conditions:
            told = where.everywhere(condition.expr)
            conditions.append(Condition(told, condition.cause, condition.span, condition.call))
            if not condition.call:
                self.passed.append(implies(conjoin(self.context), told))
        kind = {"sum": body.type, "count": Type.NAT}.get(expr.word, Type.BOOL)
        return Translated(Quantified(expr.word, variable, low.expr, high.expr, body.expr), kind, _needed(conditions))

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
        if operands[0].type.element:
            return self.arrays_compared(expr)
        conditions = [*operands[0].conditions, *operands[1].conditions]
        for index in range(2, len(expr.operands)):
            so_far = Compare(tuple(operand.expr for operand in operands), expr.ops[: index - 1])
            operands.append(self.translate_where(so_far, expr.operands[index]))
            conditions += (_where(so_far, condition) for condition in operands[index].conditions)
        return Translated(Compare(tuple(operand.expr for operand in operands), expr.ops), Type.BOOL, _needed(conditions))

    def arrays_compared(self, expr: Compare) -> Translated:
        """A chain of arrays that are equal or not: their lengths and their cells are compared."""
        arrays = [self.translate(operand).expr for operand in expr.operands]
        links = []
        for place, op in enumerate(expr.ops):
            same = same_arrays(arrays[place], arrays[place + 1], Name(self.bind("k", self.bound)))
            links.append(same if op == "=" else negate(same))
        return Translated(conjoin(links), Type.BOOL)

    def call(self, expr: Call) -> Translated:
        if expr.function in FUNCTIONS:
            arguments = [self.translate(argument) for argument in expr.arguments]
            if expr.function == "len":
                return Translated(length(arguments[0].expr), Type.NAT)
            if expr.function == "permutation":
                left, right = (without_swaps(argument.expr) for argument in arguments)
                return Translated(TRUE if left == right else Call("permutation", (left, right)), Type.BOOL)
            conditions = [condition for argument in arguments for condition in argument.conditions]
            if expr.function == "sorted":
                conditions.append(self.condition(_has_range(*arguments), "index", expr.span))
            kind = builtin_type(expr.function, [argument.type for argument in arguments])
            return Translated(Call(expr.function, tuple(argument.expr for argument in arguments)), kind, _needed(conditions))
        function = self.info.functions[expr.function].function
        if self.bound:
            return self.call_of_instances(expr, function)
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
        pres = self.requirements(function, tuple(fitted), expr.span)
        conditions += pres
        if self.needed_of_call is not None:
            conditions.append(self.condition(self.needed_of_call(self, function, tuple(fitted)), CALL, expr.span))
        assert function.result is not None
        needed_before = [*fitting, *(pre.expr for pre in pres)]
        before = [expr for expr in dict.fromkeys((*self.passed, *self.context)) if expr not in needed_before]
        # Where the pres cannot be written out, nothing is known about the call.
        allowed = FALSE if any(pre.call for pre in pres) else conjoin(needed_before)
        value = self.value_of_call(function, tuple(fitted), conjoin(fitting), allowed, before)
        if isinstance(value, Call) and not self.executed and not self.gives_value(value):
            conditions.append(Condition(FALSE, "callee-pre", expr.span, function.name))
        if isinstance(value, Call) and not self.context:
            self.evaluated.append(value)
        return Translated(value, function.result, _needed(conditions))

    def call_of_instances(self, expr: Call, function: Function) -> Translated:
        """A call inside of a quantifier: many calls at once, of which nothing is known."""
        arguments = [self.translate(argument) for argument in expr.arguments]
        conditions = [condition for argument in arguments for condition in argument.conditions]
        conditions.append(Condition(FALSE, "callee-pre", expr.span, function.name))
        if self.needed_of_call is not None:
            conditions.append(Condition(FALSE, CALL, expr.span))
        assert function.result is not None
        return Translated(Call(function.name, tuple(argument.expr for argument in arguments)), function.result, _needed(conditions))

    def gives_value(self, call: Call) -> bool:
        """Whether the call is known to have a value wherever the callee's pres hold."""
        helpers = self.helpers
        return call.function in helpers.trusted and (call.function in helpers.ending or call in self.ended)

    def requirements(self, function: Function, arguments: tuple[Expr, ...], span: Span) -> list[Condition]:
        """The conditions that a call satisfies the callee's pres."""
        if not function.pres:
            return []
        if function.name in self.requiring or not self.unfolding.spend():
            return [Condition(FALSE, "callee-pre", span, function.name)]
        given = {param.name: value for param, value in zip(function.params, arguments, strict=True)}
        conditions: list[Condition] = []
        for pre in function.pres:
            inner = self.inner(function, given, given)
            inner.requiring = self.requiring | {function.name}
            with self.unfolding.deeper():
                translated = inner.translate(pre)
            conditions += (condition for condition in translated.conditions if condition.call)
            conditions.append(self.condition(_with_value(translated), "callee-pre", span))
        return conditions

    def narrowed(self, value: Translated, target: Type, span: Span) -> tuple[Expr, list[Condition]]:
        """The value as one of the target type, and the conditions under which it is."""
        if target.element or fits(value.type, target):
            return value.expr, []
        expr = value.expr
        conditions: list[Condition] = []
        if value.type is Type.RAT:
            if value.whole is not None:
                whole, expr = value.whole
            else:
                whole, expr = Call("iswhole", (value.expr,)), self.fresh("whole", Type.INT)
                self.facts.append(CallFact(implies(whole, compare(expr, "=", value.expr)), "narrowing"))
            conditions.append(self.condition(whole, "narrowing", span))
        if target is Type.NAT:
            conditions.append(self.condition(compare_decided(expr, ">=", Number(0)), "narrowing", span))
        return expr, conditions

    def value_of_call(self, function: Function, arguments: tuple[Expr, ...], fit: Expr, allowed: Expr, before: list[Expr]) -> Expr:
        """The call, or a symbol for its value, with the facts about it.

        `fit`: the arguments are of their parameters' types; `allowed`: they also satisfy the pres. Of other calls nothing is known.
        `before`: what holds where the call is evaluated.
        """
        unknown = allowed == FALSE or not self.may_be_described(function.name)
        if function.name in self.helpers.uncertain:
            # A call that never ends has no value. So the facts say nothing of a call that is not evaluated.
            fit, allowed = (conjoin([*before, condition]) for condition in (fit, allowed))
        chooses = function.name in self.info.choosing
        call = Call(function.name, arguments)
        value: Expr = self.fresh(function.name, function.result or Type.INT) if chooses else call
        if unknown:
            return value
        if not chooses and function.name in self.helpers.unfoldable:
            with self.unfolding.deeper():
                told = self.unfold(function, arguments, call)
            # These facts say nothing where the body breaks something on the way, so they rest on nothing.
            self.facts += (CallFact(implies(fit, fact), f"body of {function.name}") for fact in told)
        assigned = self.info.functions[function.name].assigned
        given = {param.name: argument for param, argument in zip(function.params, arguments, strict=True)}
        for post in function.posts:
            # A caller does not know what a parameter of the helper holds at its end.
            if names(post) & assigned & given.keys():
                continue
            inner = self.inner(function, given | {"result": value}, given)
            inner.describing = self.describing | {function.name}
            with self.unfolding.deeper():
                translated = inner.translate(post)
            fact = implies(allowed, _with_value(translated))
            self.facts.append(CallFact(fact, f"post of {function.name}", translated.requirements("post", post.span)))
        if function.result is Type.NAT and isinstance(value, Call):
            self.facts.append(CallFact(implies(allowed, compare(value, ">=", Number(0))), f"type of {function.name}"))
        return value

    def may_be_described(self, name: str) -> bool:
        """Whether the helper's contract and body say something about a call of it here."""
        if name not in self.helpers.trusted or name in self.describing:
            return False
        return (self.executed or name in self.helpers.ending) and self.unfolding.spend()

    def inner(self, function: Function, values: Environment, entry: Environment) -> Translator:
        """A translator for the contract of a helper that is called, in the caller's terms."""
        types = {**self.info.functions[function.name].variables}
        inner = Translator(self.info, types, values, entry, self.fresh, self.unfold, self.helpers, self.unfolding)
        inner.facts, inner.context, inner.executed, inner.ended = self.facts, self.context, self.executed, self.ended
        inner.describing, inner.requiring = self.describing, self.requiring
        inner.passed = list(self.passed)
        inner.needed_of_call = self.needed_of_call
        inner.bound, inner.bind = self.bound, self.bind
        return inner


def _has_range(array: Translated, low: Translated, high: Translated) -> Expr:
    """The condition that the array has the cells of a range in which neighbours are compared."""
    inside = (compare(ZERO, "<=", low.expr), compare(high.expr, "<", length(array.expr)))
    return implies(compare(low.expr, "<", high.expr), conjoin(inside[low.type is Type.NAT :]))


def has_cell(array: Expr, place: Translated) -> Expr:
    """The condition that the array has a cell at this place."""
    if place.type is Type.NAT or isinstance(place.expr, Number):
        return compare(place.expr, "<", length(array))
    return Compare((ZERO, place.expr, length(array)), ("<=", "<"))


def _with_value(translated: Translated) -> Expr:
    """The expression together with the conditions under which it has a value, as far as they can be said."""
    return conjoin([*(condition.expr for condition in translated.conditions if not condition.call), translated.expr])


def _where(context: Expr, condition: Condition) -> Condition:
    """The condition, which is needed only where the context holds."""
    return Condition(implies(context, condition.expr), condition.cause, condition.span, condition.call)


def _needed(conditions: list[Condition]) -> tuple[Condition, ...]:
    """The conditions that are not plainly true, each once."""
    return tuple(condition for condition in dict.fromkeys(conditions) if condition.expr != TRUE)
