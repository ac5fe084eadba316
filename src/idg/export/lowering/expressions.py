"""Evaluating an expression: statements before the place that needs its value, and the value as a term.

There is an assert for each divisor, each exponent, each cell and each value that must fit, and a call for each helper. Where `&`,
`|`, `->` or a chain may stop early, the asserts are implications and the calls stand in a branch. The term that is left is total.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from idg.audit.expressions import SORTS
from idg.audit.terms import (
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
    quantified,
    real,
    select,
    symbol,
)  # fmt: skip
from idg.export.lowering.arrays import everywhere
from idg.export.lowering.lowered import CallOf, Decide, ExportRefused, LoweredStatement, Oblige
from idg.export.names import unused
from idg.sip import syntax as sip
from idg.sip.syntax import Expr, Type
from idg.sip.text.printer import print_expression

if TYPE_CHECKING:
    from idg.export.lowering.lowering import FunctionLowering

PRODUCT_EXPONENT_MAX = 12
"""Literal exponents up to this one are written as products, which other tools understand better than a power."""
TERM_NODES_MAX = 20_000
"""Parts of one term, counted as a tree. Nested min, max and powers repeat their operands, so small texts can become large."""


class ExpressionLowering:
    """Evaluates one expression."""

    def __init__(self, lowering: FunctionLowering, values: Mapping[str, LogicTerm], code: bool) -> None:
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
                    holds, low = conjunction(holds, compare(low, link, high)), high
                return holds
            case sip.Call(function, arguments) if function in self.lowering.helpers:
                return self.helper(expr, out)
            case sip.Call("len", [array]):
                return length(self.term(array, out))
            case sip.Call("sorted"):
                return self.in_order(expr, out)
            case sip.Call("permutation", [left, right]):
                return LogicTerm("permutation", BOOL, (self.term(left, out), self.term(right, out)))
            case sip.Call(function, arguments):
                return _builtin(function, [self.term(argument, out) for argument in arguments])
            case sip.Index(array, place):
                cells, index = self.term(array, out), self.term(place, out)
                out += self.cell_exists(cells, index, print_expression(expr))
                return select(cells, index)
            case sip.Quantified():
                return self.quantified(expr, out)

    def cell_exists(self, cells: LogicTerm, index: LogicTerm, text: str) -> list[LoweredStatement]:
        inside = conjunction(compare(number(0), "<=", index), compare(index, "<", length(cells)))
        return obliged(inside, f"cell {text}")

    def quantified(self, expr: sip.Quantified, out: list[LoweredStatement]) -> LogicTerm:
        """A quantifier, a sum or a count. Its body must have a value for each number of the range."""
        first, last = self.term(expr.low, out), self.term(expr.high, out)
        variable = self.bound(expr.variable.name)
        inner: list[LoweredStatement] = []
        # The body is no place for statements, so a call of a helper is refused there.
        inside = ExpressionLowering(self.lowering, {**self.values, expr.variable.name: variable}, False)
        says = inside.term(expr.body, inner)
        for step in inner:
            assert isinstance(step, Oblige)
            out += obliged(everywhere(variable, first, last, step.condition), step.why)
        return quantified(expr.word, variable, first, last, says)

    def in_order(self, expr: sip.Call, out: list[LoweredStatement]) -> LogicTerm:
        """`sorted(a, lo..hi)`. Neighbours are in order if and only if all pairs are, and other provers see more in pairs."""
        cells, low, high = (self.term(argument, out) for argument in expr.arguments)
        in_array = conjunction(compare(number(0), "<=", low), compare(high, "<", length(cells)))
        out += obliged(implication(compare(low, "<", high), in_array), print_expression(expr))
        first, second = self.bound("p"), self.bound("q")
        after, ordered = arithmetic("+", first, number(1)), compare(select(cells, first), "<=", select(cells, second))
        return quantified("forall", first, low, high, quantified("forall", second, after, high, ordered))

    def bound(self, name: str) -> LogicTerm:
        """A variable of a quantifier, with a name that nothing else has here."""
        return bound(unused(name, {*self.lowering.taken, *self.values, *(value.name for value in self.values.values())}))

    def arithmetic(self, expr: sip.Binary, out: list[LoweredStatement]) -> LogicTerm:
        left, right = self.term(expr.left, out), self.term(expr.right, out)
        if expr.op in ("+", "-", "*"):
            return arithmetic(expr.op, left, right)
        text = print_expression(expr)
        if expr.op == "^":
            out += obliged(compare(right, ">=", number(0)), f"exponent of {text}")
            return _power(left, right)
        out += obliged(compare(right, "!=", number(0)), f"divisor of {text}")
        if expr.op != "/":
            return _floored(expr.op, left, right)
        left, right = real(left), real(right)
        if right.op == "number" and right.value:
            return arithmetic("*", number(1 / Fraction(right.value), REAL), left)
        return call("quotient", REAL, left, right)

    def stored(self, expr: Expr, kind: Type, out: list[LoweredStatement]) -> LogicTerm:
        """The value as one of this type, with the obligation that it is one."""
        if kind.element:
            return self.term(expr, out)
        text = f"{print_expression(expr)} is {'an' if kind is Type.INT else 'a'} {kind}"
        if kind in (Type.NAT, Type.INT) and isinstance(expr, sip.Binary) and expr.op == "/":
            left, right = self.term(expr.left, out), self.term(expr.right, out)
            out += obliged(compare(right, "!=", number(0)), f"divisor of {print_expression(expr)}")
            if left.sort == right.sort == INT:
                out += obliged(compare(_floored("%", left, right), "=", number(0)), text)
                return self.natural(_floored("//", left, right), kind, text, out)
            term = call("quotient", REAL, real(left), real(right))
        else:
            term = self.term(expr, out)
        if kind is Type.RAT:
            return real(term)
        if term.sort == REAL:
            out += obliged(LogicTerm("is_int", BOOL, (term,)), text)
            term = LogicTerm("to_int", INT, (term,))
        return self.natural(term, kind, text, out)

    def natural(self, term: LogicTerm, kind: Type, text: str, out: list[LoweredStatement]) -> LogicTerm:
        # Variables and temporary ones of the type nat never hold anything else.
        plain = term.op == "symbol" and self.lowering.is_nat(term.name)
        if kind is Type.NAT and not plain:
            out += obliged(compare(term, ">=", number(0)), text)
        return term

    def helper(self, expr: sip.Call, out: list[LoweredStatement]) -> LogicTerm:
        if not self.code:
            raise ExportRefused(
                f"{print_expression(expr)} is a call of a helper in a fact, a contract, a quantifier or the test of a loop"
            )
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
        asserts = [statement for statement in inner if isinstance(statement, Oblige)]
        return [part for one in asserts for part in obliged(implication(condition, one.condition), one.why)]
    return [Decide(condition, tuple(inner), ())]


def size(term: LogicTerm, known: dict[int, int] | None = None) -> int:
    """How many parts the term has, written out. Shared parts are counted once for each place, and visited once."""
    known = {} if known is None else known
    if id(term) not in known:
        known[id(term)] = 1 + sum(size(arg, known) for arg in term.args)
    return known[id(term)]


def obliged(condition: LogicTerm, why: str) -> list[LoweredStatement]:
    return [] if condition == TRUE else [Oblige(condition, why)]


def _builtin(name: str, args: list[LogicTerm]) -> LogicTerm:
    if name in ("gcd", "ispow"):
        return call(name, INT if name == "gcd" else BOOL, *args)
    first, *others = args
    for other in [arithmetic("-", number(0), first)] if name == "abs" else others:
        first = choice(compare(first, "<=" if name == "min" else ">=", other), first, other)
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
