"""Expressions of SIP in the signs of another language, with few brackets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

from idg.export.names import unused
from idg.sip import syntax as sip
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.checking.types import BOOL, INT, NAT, RAT, arithmetic_type, builtin_type, wider
from idg.sip.operators import FUNCTIONS
from idg.sip.record import Record
from idg.sip.syntax import Expr, Type


class ViewRefused(Exception):
    """The program cannot be said in the language so that it means the same. The message is for people."""


NO_ARRAYS = "arrays and quantifiers have no view yet"


class Spelled(Record):
    text: str
    level: int
    """How tightly its outermost operator binds."""


OR, AND, NOT, COMPARISON, SUM, PRODUCT, PREFIX, POWER, ATOM = range(1, 10)
"""The levels of operators, those that bind most loosely first. Python and C agree on their order, but for `NOT`."""


class ViewTerms:
    """Writes the expressions of one function. A subclass has the signs of its language, and says what differs in more."""

    signs: Mapping[str, str] = {}
    words: Collection[str] = ()
    """Names that a variable of a quantifier cannot have."""
    true, false = "true", "false"
    not_level = NOT

    def __init__(self, info: ModuleInfo, types: Mapping[str, Type], names: Mapping[str, str], entries: Mapping[str, str]) -> None:
        self.info, self.types = info, types
        self.names = names
        """The name in the view for each variable of the function, and for each function."""
        self.entries = entries
        """The name in the view for the entry value of each parameter."""
        self.used: set[str] = set()
        """The helpers of the view that occurred."""

    def text(self, expr: Expr, level: int = 0) -> str:
        """The expression as an operand whose place wants operators of at least this level."""
        spelled = self.spelled(expr)
        return spelled.text if spelled.level >= level else f"({spelled.text})"

    def spelled(self, expr: Expr) -> Spelled:
        match expr:
            case sip.Number(value):
                return self.number(value)
            case sip.Boolean(value):
                return Spelled(self.true if value else self.false, ATOM)
            case sip.Name(name):
                return Spelled(self.names[name], ATOM)
            case sip.Old(name):
                return Spelled(self.entries[name], ATOM)
            case sip.Unary("!", operand):
                return Spelled(f"{self.signs['!']}{self.text(operand, self.not_level)}", self.not_level)
            case sip.Unary(_, operand):
                # Two signs of minus beside each other are another operator of C.
                return Spelled(f"-{self.text(operand, POWER)}", PREFIX)
            case sip.Binary("&" | "|" as op, left, right):
                level = AND if op == "&" else OR
                return Spelled(f"{self.text(left, level)} {self.signs[op]} {self.text(right, level + 1)}", level)
            case sip.Binary("->", left, right):
                negated = f"{self.signs['!']}{self.text(left, self.not_level)}"
                return Spelled(f"{negated} {self.signs['|']} {self.text(right, AND)}", OR)
            case sip.Binary("+" | "-" | "*" as op, left, right):
                level = PRODUCT if op == "*" else SUM
                return Spelled(f"{self.text(left, level)} {op} {self.text(right, level + 1)}", level)
            case sip.Binary():
                return self.divided(expr)
            case sip.Compare():
                return self.compared(expr)
            case sip.Call(function) if function in FUNCTIONS:
                return self.builtin(expr)
            case sip.Call():
                return self.called(expr)
            case sip.Index():
                return self.cell(expr)
            case sip.Quantified():
                return self.quantified(expr)

    def call(self, function: str, *arguments: Expr) -> Spelled:
        """A call of a helper of the view, or of a function that the language has."""
        self.used.add(function)
        return Spelled(f"{function}({', '.join(map(self.text, arguments))})", ATOM)

    def called(self, expr: sip.Call) -> Spelled:
        """A call of a helper of the program."""
        params = self.info.functions[expr.function].function.params
        given = [self.fitting(argument, param.type) for argument, param in zip(expr.arguments, params, strict=True)]
        return Spelled(f"{self.names[expr.function]}({', '.join(given)})", ATOM)

    def kind(self, expr: Expr) -> Type:
        match expr:
            case sip.Number(value):
                return NAT if isinstance(value, int) else RAT
            case sip.Name(name) | sip.Old(name):
                return self.types[name]
            case sip.Unary("-", operand):
                return wider(self.kind(operand), INT)
            case sip.Binary("+" | "-" | "*" | "/" | "//" | "%" | "^" as op, left, right):
                return arithmetic_type(op, self.kind(left), self.kind(right))
            case sip.Call(function, arguments) if function in FUNCTIONS:
                return builtin_type(function, [self.kind(argument) for argument in arguments])
            case sip.Call(function):
                return self.info.functions[function].function.result or BOOL
            case sip.Index(array):
                return self.kind(array).element or BOOL
            case sip.Quantified("sum", variable, low, _, body):
                with self.bound(variable.name, low):
                    return self.kind(body)
            case sip.Quantified("count"):
                return NAT
        return BOOL

    @contextmanager
    def bound(self, variable: str, low: Expr) -> Iterator[str]:
        """Makes the variable of a quantifier known, over numbers from `low` on; gives its name in the view."""
        names, types = self.names, self.types
        name = unused(variable, {*self.words, *names.values()})
        self.names, self.types = {**names, variable: name}, {**types, variable: NAT if self.kind(low) is NAT else INT}
        try:
            yield name
        finally:
            self.names, self.types = names, types

    def fitting(self, expr: Expr, kind: Type) -> str:
        """The value as one of this type, which is checked where the language does not see it."""
        raise NotImplementedError

    def number(self, value: int | Fraction) -> Spelled:
        raise NotImplementedError

    def divided(self, expr: sip.Binary) -> Spelled:
        """A quotient, a remainder or a power."""
        raise NotImplementedError

    def cell(self, expr: sip.Index) -> Spelled:
        raise ViewRefused(NO_ARRAYS)

    def quantified(self, expr: sip.Quantified) -> Spelled:
        """A statement about all numbers of a range, or a sum or a count over them."""
        raise ViewRefused(NO_ARRAYS)

    def compared(self, expr: sip.Compare) -> Spelled:
        raise NotImplementedError

    def builtin(self, expr: sip.Call) -> Spelled:
        raise NotImplementedError
