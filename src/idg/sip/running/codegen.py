"""Expressions → Python source.

The code of every part carries a bound on the size of its value, which is computed from the bound on variables before anything runs.
A check is generated only where that bound exceeds what an intermediate result may have. So ordinary expressions run as fast as
hand-written Python, and the bounds are obeyed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from idg.sip.checking.types import BOOL, INT, NAT, RAT, arithmetic_type, builtin_type, fits, wider
from idg.sip.limits import ARRAY_CELLS_MAX, NUMBER_BITS_MAX, QUANTIFIER_RANGE_MAX, VARIABLE_BITS_MAX
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Function, Index, Name, Number, Old, Quantified, Span, Type, Unary
from idg.sip.trees.stores import CHOICE, STORE
from idg.sip.values import bit_size

OR, AND, NOT, COMPARE, SUM, PRODUCT, NEGATION, ATOM = 1, 2, 3, 4, 5, 6, 7, 9
"""Precedences of Python's operators, in their order; ** is between NEGATION and ATOM."""


class Code(NamedTuple):
    """An expression as Python."""

    text: str
    precedence: int
    """The precedence of its outermost operator."""
    type: Type
    bits: int = 1
    """The value has at most this many bits. For Booleans it means nothing."""
    safe: bool = True
    """Whether evaluating it can never raise Stop."""

    def within(self, least: int) -> str:
        """The text, in brackets where its outermost operator binds less tightly than `least`."""
        return f"({self.text})" if self.precedence < least else self.text


class Site(Record):
    """A place in the program where a run can stop."""

    span: Span
    names: tuple[str, ...]
    """The variables that are visible there."""
    at_call: bool = False
    """Whether the called function stops there on behalf of its caller, as for a pre that does not hold."""
    in_program: bool = True
    """Whether the span is in the text of the program. Otherwise it is in that of an expression about its states."""


@dataclass(slots=True)
class CodeBase:
    """What the parts of one compilation share: the functions, the sites, and constants that have no Python literal."""

    functions: Mapping[str, Function]
    sites: list[Site] = field(default_factory=list)
    constants: dict[str, object] = field(default_factory=dict)

    def constant(self, value: object) -> str:
        """A name under which generated code finds the value."""
        name = f"k_{len(self.constants)}"
        self.constants[name] = value
        return name


def row_names(variables: Iterable[str], assigned_params: Iterable[str]) -> list[str]:
    """The Python names of what a row holds: the variables, then the entry values of these parameters."""
    return [*(f"v_{name}" for name in variables), *(f"o_{name}" for name in assigned_params)]


def entry_names(variables: Iterable[str], assigned_params: Iterable[str]) -> dict[str, str]:
    """The Python names under which the values of old(x) are found in a row; a variable that is never assigned keeps its own."""
    return {name: f"v_{name}" for name in variables} | {name: f"o_{name}" for name in assigned_params}


_STORES = {INT: "store_int", NAT: "store_nat", RAT: "store_rat"}
_PYTHON_COMPARISON = {"=": "=="}
_PYTHON_FUNCTIONS = {"ispow": "is_power", "iswhole": "is_whole"}


class ExpressionCompiler:
    def __init__(self, base: CodeBase, variables: Mapping[str, Type], entry_values: Mapping[str, str]) -> None:
        """`entry_values`: for each parameter the Python name under which its entry value is found."""
        self.base = base
        self.variables = variables
        self.entry_values = entry_values
        self.visible: tuple[str, ...] = ()
        """The variables that are visible where the expression stands."""
        self.in_program = True

    def site(self, span: Span, at_call: bool = False) -> int:
        """The number of a new site."""
        self.base.sites.append(Site(span, self.visible, at_call, self.in_program))
        return len(self.base.sites) - 1

    def compile(self, expr: Expr) -> Code:
        match expr:
            case Number(value):
                if isinstance(value, int):
                    text = str(value) if value.bit_length() < 3000 else hex(value)
                    return Code(text, ATOM, NAT, max(1, value.bit_length()))
                return Code(self.base.constant(value), ATOM, RAT, bit_size(value))
            case Boolean(value):
                return Code(str(value), ATOM, BOOL)
            case Name(name):
                return Code(f"v_{name}", ATOM, self.variables[name], VARIABLE_BITS_MAX)
            case Old(name):
                return Code(self.entry_values[name], ATOM, self.variables[name], VARIABLE_BITS_MAX)
            case Unary():
                return self.unary(expr)
            case Compare(operands, ops):
                codes = [self.compile(operand) for operand in operands]
                text = codes[0].within(SUM)
                for op, code in zip(ops, codes[1:], strict=True):
                    text += f" {_PYTHON_COMPARISON.get(op, op)} {code.within(SUM)}"
                return Code(text, COMPARE, BOOL, safe=all(code.safe for code in codes))
            case Binary(op, left, right):
                if op in ("->", "|", "&"):
                    return self.logical(op, self.compile(left), self.compile(right))
                if op == "^":
                    return self.power(expr)
                if op in ("/", "//", "%"):
                    return self.quotient(expr, self.compile(left), self.compile(right))
                return self.arithmetic(expr, self.compile(left), self.compile(right))
            case Call():
                return self.call(expr)
            case Index():
                return self.cell(expr)
            case Quantified():
                return self.quantified(expr)

    def cell(self, expr: Index) -> Code:
        array = self.compile(expr.array)
        assert array.type.element is not None, "the checker lets only arrays be read"
        text = f"cell({array.text}, {self.compile(expr.index).text}, {self.site(expr.span)})"
        return Code(text, ATOM, array.type.element, VARIABLE_BITS_MAX, safe=False)

    def quantified(self, expr: Quantified) -> Code:
        """Every instance is evaluated, so that an instance without a value is met whatever the others are.

        The instances are a generator, because its frame holds the number that a message shows.
        """
        low = self.compile(expr.low)
        site = self.site(expr.span)
        numbers = f"span(R, {self.bounds(low, expr.low, expr.high)}, {site})"
        before, visible, name = self.variables, self.visible, expr.variable.name
        self.variables = {**before, name: NAT if low.type is NAT else INT}
        self.visible = (*visible, name)
        body = self.compile(expr.body)
        self.variables, self.visible = before, visible
        instances = f"{body.text} for v_{name} in {numbers}"
        if expr.word == "count":
            return Code(f"sum({instances})", ATOM, NAT, QUANTIFIER_RANGE_MAX.bit_length(), safe=False)
        if expr.word == "sum":
            bits = body.bits + QUANTIFIER_RANGE_MAX.bit_length()
            if body.type is not RAT and bits <= NUMBER_BITS_MAX:
                return Code(f"sum({instances})", ATOM, body.type, bits, safe=False)
            return Code(f"total(({instances}), {site})", ATOM, body.type, NUMBER_BITS_MAX, safe=False)
        return Code(f"{expr.word}({instances})", ATOM, BOOL, safe=False)

    def bounds(self, low: Code, first: Expr, last: Expr) -> str:
        """The bounds of a range, each as a value that a variable could hold; `low` is the code of the first one."""
        high = self.compile(last)
        return f"{self.stored(low, wide(low.type), first.span)}, {self.stored(high, wide(high.type), last.span)}"

    def unary(self, expr: Unary) -> Code:
        operand = self.compile(expr.operand)
        if expr.op == "!":
            return Code(f"not {operand.within(NOT)}", NOT, BOOL, safe=operand.safe)
        return Code(f"-{operand.within(NEGATION)}", NEGATION, wide(operand.type), operand.bits, operand.safe)

    def logical(self, op: str, left: Code, right: Code) -> Code:
        safe = left.safe and right.safe
        if op == "&":
            return Code(f"{left.within(AND)} and {right.within(NOT)}", AND, BOOL, safe=safe)
        if op == "|":
            return Code(f"{left.within(OR)} or {right.within(AND)}", OR, BOOL, safe=safe)
        return Code(f"not {left.within(NOT)} or {right.within(OR)}", OR, BOOL, safe=safe)

    def arithmetic(self, expr: Binary, left: Code, right: Code) -> Code:
        kind = arithmetic_type(expr.op, left.type, right.type)
        if expr.op == "*":
            precedence, bits = PRODUCT, left.bits + right.bits
        elif kind is RAT:
            precedence, bits = SUM, 2 * (left.bits + right.bits) + 2
        else:
            precedence, bits = SUM, max(left.bits, right.bits) + 1
        text = f"{left.within(precedence)} {expr.op} {right.within(precedence + 1)}"
        return self.bounded(Code(text, precedence, kind, bits, left.safe and right.safe), expr.span)

    def bounded(self, code: Code, span: Span) -> Code:
        """The code, with a check of its value's size where that may be too large."""
        if code.bits <= NUMBER_BITS_MAX:
            return code
        return Code(f"checked({code.text}, {self.site(span)})", ATOM, code.type, NUMBER_BITS_MAX, safe=False)

    def power(self, expr: Binary) -> Code:
        base, exponent = self.compile(expr.left), self.compile(expr.right)
        if isinstance(expr.right, Number) and isinstance(expr.right.value, int):
            bits = base.bits * expr.right.value
            if bits <= NUMBER_BITS_MAX:
                times = expr.right.value
                if base.precedence == ATOM and 2 <= times <= 3 and base.text.startswith("v_"):
                    return Code(" * ".join([base.text] * times), PRODUCT, base.type, bits, base.safe)
                return Code(f"{base.within(ATOM)} ** {times}", NEGATION + 1, base.type, max(1, bits), base.safe)
        text = f"power({base.text}, {exponent.text}, {self.site(expr.span)})"
        return Code(text, ATOM, base.type, NUMBER_BITS_MAX, safe=False)

    def quotient(self, expr: Binary, left: Code, right: Code) -> Code:
        op, literal = expr.op, isinstance(expr.right, Number) and expr.right.value != 0
        kind = arithmetic_type(op, left.type, right.type)
        if op == "/":
            bits = left.bits + right.bits + 1
            checks, site = bits > NUMBER_BITS_MAX, self.site(expr.span)
            text = f"{'divide_checked' if checks else 'divide'}({left.text}, {right.text}, {site})"
            return Code(text, ATOM, RAT, min(bits, NUMBER_BITS_MAX), left.safe and literal and not checks)
        bits = left.bits if op == "//" else right.bits
        if literal:
            return Code(f"{left.within(PRODUCT)} {op} {right.within(NEGATION)}", PRODUCT, kind, bits, left.safe)
        site = self.site(expr.span)
        if left.safe and isinstance(expr.right, Name):
            text = f"({left.within(PRODUCT)} {op} {right.text} if {right.text} else by_zero({site}))"
        else:
            text = f"{'floor_divide' if op == '//' else 'remainder'}({left.text}, {right.text}, {site})"
        return Code(text, ATOM, kind, bits, safe=False)

    def call(self, expr: Call) -> Code:
        if expr.function in self.base.functions:
            return self.helper_call(expr, self.base.functions[expr.function])
        if expr.function == "len":
            return Code(f"len({self.compile(expr.arguments[0]).text})", ATOM, NAT, ARRAY_CELLS_MAX.bit_length())
        if expr.function == STORE:
            written, place, value = (self.compile(argument) for argument in expr.arguments)
            text = f"set_cell({written.text}, {place.text}, {value.text}, {self.site(expr.span)})"
            return Code(text, ATOM, written.type, safe=False)
        if expr.function == CHOICE:
            test, one, other = (self.compile(argument) for argument in expr.arguments)
            kind = BOOL if one.type is BOOL else wider(one.type, other.type)
            text = f"({one.text} if {test.text} else {other.text})"
            return Code(text, ATOM, kind, max(one.bits, other.bits), test.safe and one.safe and other.safe)
        if expr.function == "sorted":
            array, low, high = expr.arguments
            bounds = self.bounds(self.compile(low), low, high)
            return Code(f"is_sorted(R, {self.compile(array).text}, {bounds}, {self.site(expr.span)})", ATOM, BOOL, safe=False)
        if expr.function == "permutation":
            left, right = (self.compile(argument).text for argument in expr.arguments)
            return Code(f"is_permutation(R, {left}, {right}, {self.site(expr.span)})", ATOM, BOOL, safe=False)
        codes = [self.compile(argument) for argument in expr.arguments]
        name = _PYTHON_FUNCTIONS.get(expr.function, expr.function)
        kind = builtin_type(expr.function, [code.type for code in codes])
        text = f"{name}({', '.join(code.text for code in codes)})"
        return Code(text, ATOM, kind, max(code.bits for code in codes), all(code.safe for code in codes))

    def argument(self, expr: Expr, target: Type) -> str:
        """The argument of a call as a value of its parameter's type."""
        if target.element:
            return self.compile(expr).text
        function = self.base.functions.get(expr.function) if isinstance(expr, Call) else None
        if not isinstance(expr, Call) or function is None or function.result is None:
            return self.stored(self.compile(expr), target, expr.span)
        if fits(function.result, target):
            return self.compile(expr).text
        # The call and the check of its result share one bracket, because Python bounds how deep brackets nest.
        return self.called(expr, function, f"{_STORES[target]}_of({self.site(expr.span)}, f_{function.name}, R")

    def helper_call(self, expr: Call, function: Function) -> Code:
        assert function.result is not None, "the checker lets no call of a function without a type pass"
        return Code(self.called(expr, function, f"f_{function.name}(R"), ATOM, function.result, VARIABLE_BITS_MAX, safe=False)

    def called(self, expr: Call, function: Function, start: str) -> str:
        """The call; `start` is what stands before the arguments that every function has."""
        arguments = [self.argument(argument, param.type) for argument, param in zip(expr.arguments, function.params, strict=True)]
        site = self.site(expr.span, at_call=True)
        return ", ".join([start, "D + 1", str(site), *arguments]) + ")"

    def stored(self, code: Code, target: Type, span: Span) -> str:
        """The code's value as one that a variable of the target type may hold."""
        if fits(code.type, target) and code.type is not RAT and (target is BOOL or code.bits <= VARIABLE_BITS_MAX):
            return code.text
        return f"{_STORES[target]}({code.text}, {self.site(span)})"


def wide(kind: Type) -> Type:
    return RAT if kind is RAT else INT
