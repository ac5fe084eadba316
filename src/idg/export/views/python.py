"""Python: numbers are exact there, too. A rat is a Fraction."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Mapping, Sequence
from fractions import Fraction

from idg.export.names import unused
from idg.export.views.terms import ATOM, COMPARISON, POWER, PREFIX, PRODUCT, SUM, Spelled, ViewTerms
from idg.export.views.walk import ProgramView, indented
from idg.sip import syntax as sip
from idg.sip.checking.analysis import FunctionInfo
from idg.sip.checking.types import BOOL, INT, NAT, RAT
from idg.sip.syntax import Expr, Type
from idg.sip.trees.traverse import expressions

HELPERS = {
    "whole": """\
def whole(value):
    \"\"\"The value as an int, which it must be.\"\"\"
    assert value.denominator == 1
    return value.numerator""",
    "natural": """\
def natural(value):
    \"\"\"The value as a natural number, which it must be.\"\"\"
    assert value.denominator == 1 and value >= 0
    return value.numerator""",
    "power": """\
def power(base, exponent):
    assert exponent >= 0
    return base**exponent""",
    "is_power": """\
def is_power(number, base):
    \"\"\"Whether number is base to the power of a natural number.\"\"\"
    while abs(base) > 1 and number != 0 and number % base == 0 and number != 1:
        number //= base
    return number == 1 or (abs(base) <= 1 and number == base)""",
}
"""The helpers of views in Python."""
TYPES = {BOOL: "bool", NAT: "int", INT: "int", RAT: "Fraction"}
WORDS = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *HELPERS, "Fraction", "gcd"})


class PythonTerms(ViewTerms):
    signs: Mapping[str, str] = {"!": "not ", "&": "and", "|": "or", "=": "=="}
    words = WORDS
    true, false = "True", "False"

    def number(self, value: int | Fraction) -> Spelled:
        if isinstance(value, int):
            return Spelled(str(value), ATOM)
        self.used.add("Fraction")
        return Spelled(f"Fraction({value.numerator}, {value.denominator})", ATOM)

    def divided(self, expr: sip.Binary) -> Spelled:
        left, right = expr.left, expr.right
        if expr.op == "^":
            if self.kind(right) is not NAT:
                return self.call("power", left, right)
            return Spelled(f"{self.text(left, ATOM)}**{self.text(right, POWER)}", POWER)
        if expr.op == "/" and not (self.is_fraction(left) or self.is_fraction(right)):
            if self.kind(left) is not RAT and self.kind(right) is not RAT:
                return self.call("Fraction", left, right)
            return Spelled(f"{self.call('Fraction', left).text} / {self.text(right, PREFIX)}", PRODUCT)
        return Spelled(f"{self.text(left, PRODUCT)} {expr.op} {self.text(right, PREFIX)}", PRODUCT)

    def compared(self, expr: sip.Compare) -> Spelled:
        first, *others = (self.text(operand, SUM) for operand in expr.operands)
        return Spelled(
            " ".join([first, *(f"{self.signs.get(op, op)} {other}" for op, other in zip(expr.ops, others, strict=True))]),
            COMPARISON,
        )

    def cell(self, expr: sip.Index) -> Spelled:
        return Spelled(f"{self.text(expr.array)}[{self.index(expr.index)}]", ATOM)

    def index(self, expr: Expr) -> str:
        """The number of a cell. Python would count from the end where it is negative."""
        return self.text(expr) if self.kind(expr) is NAT else self.call("natural", expr).text

    def quantified(self, expr: sip.Quantified) -> Spelled:
        """Lists are made, and not only gone through, because every instance must have a value."""
        numbers = self._numbers(expr.low, expr.high)
        with self.bound(expr.variable.name, expr.low) as name:
            body = self.text(expr.body)
        if expr.word == "count":
            return Spelled(f"sum([1 for {name} in {numbers} if {body}])", ATOM)
        word = {"forall": "all", "exists": "any", "sum": "sum"}[expr.word]
        return Spelled(f"{word}([{body} for {name} in {numbers}])", ATOM)

    def _numbers(self, low: Expr, high: Expr) -> str:
        match high:
            case sip.Binary("-", before, sip.Number(1)):
                end = self.text(before)
            case sip.Number(int() as last):
                end = str(last + 1)
            case _:
                end = f"{self.text(high, SUM)} + 1"
        return f"range({end})" if low == sip.Number(0) else f"range({self.text(low)}, {end})"

    def builtin(self, expr: sip.Call) -> Spelled:
        match expr:
            case sip.Call("sorted", (sip.Name() | sip.Old() as array, low, high)):
                # Each cell but the last is compared with the next one.
                variable = sip.Name("k" if "k" not in self.names else unused("k", self.names))
                following = sip.Index(array, sip.Binary("+", variable, sip.Number(1)))
                pairs = sip.Compare((sip.Index(array, variable), following), ("<=",))
                return self.quantified(sip.Quantified("forall", variable, low, sip.Binary("-", high, sip.Number(1)), pairs))
            case sip.Call("permutation", (one, other)):
                return Spelled(f"sorted({self.text(one)}) == sorted({self.text(other)})", COMPARISON)
        return self.call("is_power" if expr.function == "ispow" else expr.function, *expr.arguments)

    def fitting(self, expr: Expr, kind: Type) -> str:
        own = self.kind(expr)
        if kind.element:
            return self.text(expr)
        if kind is RAT:
            return self.text(expr) if self.is_fraction(expr) else self.call("Fraction", expr).text
        if kind is BOOL or own is NAT or (own is INT and kind is INT):
            return self.text(expr)
        return self.call("natural" if kind is NAT else "whole", expr).text

    def is_fraction(self, expr: Expr) -> bool:
        """Whether the value is a Fraction wherever it is evaluated, and never an int."""
        match expr:
            case sip.Number() | sip.Name() | sip.Old():
                return self.kind(expr) is RAT
            case sip.Unary("-", operand) | sip.Binary("^", operand):
                return self.is_fraction(operand)
            case sip.Binary("+" | "-" | "*", left, right):
                return self.is_fraction(left) or self.is_fraction(right)
            case sip.Call("min" | "max" | "abs", arguments):
                return all(map(self.is_fraction, arguments))
            case sip.Quantified():
                return False  # An empty sum is an int.
        return self.kind(expr) is RAT


def _type(kind: Type) -> str:
    return f"list[{TYPES[kind.element]}]" if kind.element else TYPES[kind]


class PythonView(ProgramView):
    terms: PythonTerms
    language = "Python"
    knows_arrays = True
    words = WORDS
    blank = "\n\n\n"

    def terms_of(self, info: FunctionInfo, names: Mapping[str, str], entries: Mapping[str, str]) -> PythonTerms:
        return PythonTerms(self.program.info, info.variables, names, entries)

    def head(self) -> list[str]:
        kinds = {kind.element or kind for info in self.program.info.functions.values() for kind in info.variables.values()}
        imports = ["from fractions import Fraction"] if "Fraction" in self.used or RAT in kinds else []
        imports += ["from math import gcd"] if "gcd" in self.used else []
        return [*(["\n".join(imports)] if imports else []), *(text for name, text in HELPERS.items() if name in self.used)]

    def defined(self, function: sip.Function, body: list[str]) -> list[str]:
        params = ", ".join(f"{self.names[param.name]}: {_type(param.type)}" for param in function.params)
        natural = [f"assert {self.names[param.name]} >= 0" for param in function.params if param.type is NAT]
        arrays = [self.names[param.name] for param in function.params if param.type.element is NAT]
        natural += [f"assert all([cell >= 0 for cell in {array}])" for array in arrays]
        result = TYPES[function.result] if function.result else "None"
        lines = [*natural, *body]
        return [f"def {self.names[function.name]}({params}) -> {result}:", *indented(_not_empty(lines))]

    def declared(self, info: FunctionInfo) -> list[str]:
        return []

    def copied(self, name: str, param: sip.Param) -> str:
        return f"{name} = {self.names[param.name]}{'.copy()' if param.type.element else ''}"

    def set_cell(self, array: sip.Name, index: Expr, value: Expr) -> list[str]:
        cell = self.info.variables[array.name].element
        assert cell is not None
        return [f"{self.names[array.name]}[{self.terms.index(index)}] = {self.terms.fitting(value, cell)}"]

    def swapped(self, array: sip.Name, left: Expr, right: Expr) -> list[str]:
        name, indices = self.names[array.name], [self.terms.index(left), self.terms.index(right)]
        before: list[str] = []
        if any(isinstance(part, sip.Index | sip.Quantified) for index in (left, right) for part in expressions(index)):
            # Python would compute the second index anew, after the first cell has changed.
            taken = {*WORDS, *self.names.values()}
            held = [unused(word, taken) for word in ("first", "second")]
            before, indices = [f"{', '.join(held)} = {', '.join(indices)}"], held
        one, other = (f"{name}[{index}]" for index in indices)
        return [*before, f"{one}, {other} = {other}, {one}"]

    def stored(self, targets: Sequence[str], kind: Type, value: Expr) -> list[str]:
        if kind.element:
            return [f"{self.names[target]} = {self.terms.text(value)}.copy()" for target in targets]
        return [f"{' = '.join(self.names[target] for target in targets)} = {self.terms.fitting(value, kind)}"]

    def asserted(self, condition: Expr) -> list[str]:
        return [f"assert {self.terms.text(condition)}"]

    def supposed(self, condition: Expr) -> list[str]:
        test = self.terms.text(sip.Unary("!", condition))
        return [f"if {test}:", *indented(["raise SystemExit  # assume: such runs do not count"])]

    def printed(self, values: Sequence[Expr]) -> list[str]:
        return [f"print({', '.join(self._shown(value) for value in values)})"]

    def _shown(self, value: Expr) -> str:
        text = self.terms.text(value)
        return f'"true" if {text} else "false"' if self.terms.kind(value) is BOOL else text

    def decided(self, tests: Sequence[tuple[str, list[str]]], otherwise: list[str]) -> list[str]:
        lines: list[str] = []
        for index, (test, body) in enumerate(tests):
            lines += [f"{'elif' if index else 'if'} {test}:", *indented(_not_empty(body))]
        return [*lines, *(["else:", *indented(_not_empty(otherwise))] if otherwise else [])]

    def looped(self, test: str, body: list[str]) -> list[str]:
        return [f"while {test}:", *indented(_not_empty(body))]

    def returned(self, value: str) -> list[str]:
        return [f"return {value}"]

    def comment(self, text: str) -> str:
        return f"# {text}"


def _not_empty(body: list[str]) -> list[str]:
    return body if any(not line.lstrip().startswith("#") for line in body) else [*body, "pass"]
