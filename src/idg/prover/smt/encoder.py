"""SIP expressions as SMT-LIB text, which z3 and cvc5 read alike.

It is text and not solver objects for three reasons: a parser in C++ reads it ten times quicker than Python builds terms, one
encoding serves every solver, and people can read a query. Literal denominators are cleared, so that comparisons of whole numbers
stay integer arithmetic; other quotients are multiplied out, with a case distinction on the divisor's sign. `//` and `%` by a
literal are SMT-LIB's div and mod, which round down for a positive divisor. By anything else they are uninterpreted functions, and
so are `^` with a variable exponent, gcd and ispow; laws.py states what is known of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import lcm
from typing import NamedTuple

from idg.prover.fold import is_boolean, kind_of
from idg.prover.quantifiers.aggregates import key
from idg.prover.smt.laws import laws
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.operators import AGGREGATES
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Index, Name, Number, Quantified, Type, Unary
from idg.sip.text.printer import print_expression
from idg.sip.text.sexpr import expression_sexpr
from idg.sip.trees.build import literal
from idg.sip.trees.logic import MIRRORED
from idg.vc.query import Query, used

PRODUCT_EXPONENT_MAX = 12
"""The largest literal exponent of a power that is written as a product; larger ones are left to the laws of powers."""
TEXT_CHARS_MAX = 400_000
"""Characters of a script; longer ones are not put to a solver."""

BOUND_DIGITS = 20
"""The bound of a script has this many digits more than twice the digits of the script's longest number."""

_NONLINEAR = re.compile(r"\(/ |\(\* (?!\d|\(- \d+\))")
"""A quotient, or a product that does not begin with a literal."""
_SORTS = {Type.BOOL: "Bool", Type.NAT: "Int", Type.INT: "Int", Type.RAT: "Real"}


class Unsupported(Exception):
    """The expression has no encoding."""


class Script(Record):
    """A query as SMT-LIB. If the goal does not follow, then the assertions and the hypotheses together are satisfiable."""

    declarations: tuple[str, ...]
    assertions: tuple[str, ...]
    """The negated goal, and what types and laws say."""
    hypotheses: tuple[str, ...]
    variables: tuple[str, ...]
    """The SIP names that occur; their constants are `constant(name)`."""
    numbers: tuple[str, ...]
    """The terms that the solver may give any number: the constants of numbers, and the applications of functions."""

    @property
    def is_linear(self) -> bool:
        """Whether no product or quotient has an unknown number on both sides."""
        return not any(map(_NONLINEAR.search, (*self.assertions, *self.hypotheses)))

    @property
    def bound(self) -> int:
        """A number far beyond all that the script names."""
        digits = (len(number) for formula in (*self.assertions, *self.hypotheses) for number in re.findall(r"\d+", formula))
        return int(10 ** (BOUND_DIGITS + 2 * max(digits, default=0)))

    def text(self) -> str:
        """The whole script. Hypothesis i is asserted to follow from the Boolean constant `h_i`, so that cores can name it."""
        tracked = (
            f"(declare-const h_{index} Bool)(assert (=> h_{index} {formula}))" for index, formula in enumerate(self.hypotheses)
        )
        return "\n".join([*self.declarations, *(f"(assert {formula})" for formula in self.assertions), *tracked])


def constant(name: str) -> str:
    return f"v_{name}"


def script(query: Query, make_encoder: type[Encoder] | None = None) -> Script:
    exprs = [*(hypothesis.expr for hypothesis in query.hypotheses), query.goal]
    encoder = (make_encoder or Encoder)(query.variables, query.info)
    hypotheses = tuple(encoder.boolean(hypothesis.expr) for hypothesis in query.hypotheses)
    assertions = [f"(not {encoder.boolean(query.goal)})"]
    assertions += (encoder.boolean(law) for law in laws(exprs, query.variables, query.info))
    # Of an array, cells and the length occur only. They are functions and constants of their own.
    names = [name for name, kind in used(query.variables, exprs).items() if not kind.element]
    assertions += (f"(>= {constant(name)} 0)" for name in names if query.variables[name] is Type.NAT)
    declarations = [f"(declare-const {constant(name)} {encoder.sort(query.variables[name])})" for name in names]
    numbers = [constant(name) for name in names if query.variables[name] is not Type.BOOL]
    result = Script(
        (*declarations, *encoder.declarations()),
        (*assertions, *encoder.facts),
        hypotheses,
        tuple(names),
        (*numbers, *encoder.applications),
    )
    if sum(map(len, result.assertions)) + sum(map(len, result.hypotheses)) > TEXT_CHARS_MAX:
        raise Unsupported("the formula is too large")
    return result


class Num(NamedTuple):
    """An encoded number: top / (bottom · under)."""

    top: str
    whole: bool
    """Whether top's sort is Int; otherwise it is Real."""
    bottom: int = 1
    under: str = ""
    """A divisor that is no literal, of top's sort; '' where there is none."""
    value: int | None = None
    """The value of top where it is a literal."""


def integer(value: int) -> Num:
    return Num(str(value) if value >= 0 else f"(- {-value})", True, value=value)


class Encoder:
    """Encodes expressions, and collects the functions that they need and facts about these."""

    def __init__(self, variables: Mapping[str, Type], info: ModuleInfo | None) -> None:
        self.variables = variables
        self.info = info
        self.facts: list[str] = []
        self.applications: dict[str, None] = {}
        """The applications of functions whose values are numbers."""
        self._functions: dict[str, str] = {}
        self._open: dict[tuple[Num, str, Num], str] = {}
        self._names: dict[tuple[str, tuple[str, ...]], str] = {}

    def sort(self, kind: Type) -> str:
        if kind.element:
            raise Unsupported("an array as a value")
        return _SORTS[kind]

    def declarations(self) -> list[str]:
        return [f"(declare-fun {name} {signature})" for name, signature in self._functions.items()]

    # Booleans

    def boolean(self, expr: Expr) -> str:
        match expr:
            case Boolean(value):
                return "true" if value else "false"
            case Name(name):
                return constant(name)
            case Unary("!", operand):
                return f"(not {self.boolean(operand)})"
            case Binary("&" | "|" | "->" as op, left, right):
                word = {"&": "and", "|": "or", "->": "=>"}[op]
                return f"({word} {self.boolean(left)} {self.boolean(right)})"
            case Compare(operands, ops):
                links = [self.link(operands[index], op, operands[index + 1]) for index, op in enumerate(ops)]
                return links[0] if len(links) == 1 else f"(and {' '.join(links)})"
            case Call():
                return self.boolean_call(expr)
            case Index():
                return self.cell(expr)[0]
            case Quantified():
                return self.truth(expr)
            case _:
                raise Unsupported(f"no encoding for {print_expression(expr)}")

    def link(self, left: Expr, op: str, right: Expr) -> str:
        if is_boolean(left, self.variables, self.info):
            same = f"(= {self.boolean(left)} {self.boolean(right)})"
            return same if op == "=" else f"(not {same})"
        return self.compare(self.number(left), op, self.number(right))

    def compare(self, a: Num, op: str, b: Num) -> str:
        if a.under or b.under:
            under = a.under if a.under == b.under else _product([number.under for number in (a, b) if number.under])
            tops = self.aligned([a, b])
            cleared = [number._replace(under="", bottom=1) for number in tops]
            positive, zero = self.related(op, *cleared), f"(= {under} 0)"
            # What a quotient by zero is stays open: the comparison has some truth value, the same wherever it occurs.
            unknown = self.function(self._open.setdefault((a, op, b), f"open_{len(self._open)}"), [], "Bool")
            if op in ("=", "!="):
                return f"(ite {zero} {unknown} {positive})"
            return f"(ite (> {under} 0) {positive} (ite {zero} {unknown} {self.related(MIRRORED[op], *cleared)}))"
        return self.related(op, *self.aligned([a, b]))

    def related(self, op: str, a: Num, b: Num) -> str:
        if op == "!=":
            return f"(not (= {a.top} {b.top}))"
        return f"({op} {a.top} {b.top})"

    def boolean_call(self, expr: Call) -> str:
        match expr:
            case Call("iswhole", (argument,)):
                number = self.number(argument)
                if number.whole and not number.under:
                    return "true" if number.bottom == 1 else f"(= {self.modulo(number, number.bottom).top} 0)"
                return f"(is_int {self.real(number)})"
            case Call("ispow", (power, base)):
                return self.function("ispow", ["Int", "Int"], "Bool", self.whole_number(power), self.whole_number(base))
            case Call("permutation"):
                return self.truth(expr)
            case _:
                return self.helper(expr)[0]

    # Numbers

    def number(self, expr: Expr) -> Num:
        match expr:
            case Number(value):
                return integer(value.numerator)._replace(bottom=value.denominator)
            case Name(name):
                return Num(constant(name), self.sort(self.variables[name]) == "Int")
            case Unary("-", operand):
                return self.negative(self.number(operand))
            case Binary("+" | "-" as op, left, right):
                a, b = self.number(left), self.number(right)
                return self.sum(a, b if op == "+" else self.negative(b))
            case Binary("*", left, right):
                return self.product(self.number(left), self.number(right))
            case Binary("/", left, right):
                return self.quotient(self.number(left), self.number(right))
            case Binary("//", left, right):
                return self.floor_quotient(left, right)
            case Binary("%", left, right):
                return self.remainder(left, right)
            case Binary("^", base, exponent):
                return self.power(base, exponent)
            case Call():
                return self.call(expr)
            case Index():
                text, kind = self.cell(expr)
                return Num(text, self.sort(kind) == "Int")
            case Quantified(word) if word in AGGREGATES:
                return self.total(expr)
            case _:
                raise Unsupported(f"no encoding for {print_expression(expr)}")

    def negative(self, a: Num) -> Num:
        if a.value is not None:
            return integer(-a.value)._replace(bottom=a.bottom)
        return a._replace(top=f"(- {a.top})")

    def scaled(self, a: Num, factor: int) -> Num:
        if factor == 1:
            return a
        if a.value is not None:
            return integer(a.value * factor)._replace(bottom=a.bottom, under=a.under)
        return a._replace(top=f"(* {factor if factor >= 0 else f'(- {-factor})'} {a.top})")

    def aligned(self, numbers: Sequence[Num]) -> list[Num]:
        """The same numbers, with tops of one sort and with one denominator."""
        bottom = lcm(*(number.bottom for number in numbers))
        nums = [self.scaled(number, bottom // number.bottom)._replace(bottom=bottom) for number in numbers]
        if not all(num.whole for num in nums):
            nums = [self.widened(num) for num in nums]
        unders = [num.under for num in nums]
        if any(unders) and len(set(unders)) > 1:
            all_under = _product([under for under in unders if under])
            missing = [
                _product([other for index, other in enumerate(unders) if other and index != own]) for own in range(len(unders))
            ]
            nums = [
                Num(_product([num.top, rest]) if rest else num.top, num.whole, bottom, all_under)
                for num, rest in zip(nums, missing, strict=True)
            ]
        return nums

    def widened(self, a: Num) -> Num:
        """The same number, with a top of sort Real."""
        if not a.whole:
            return a
        top = f"{a.value}.0" if a.value is not None and a.value >= 0 else f"(to_real {a.top})"
        return Num(top, False, a.bottom, f"(to_real {a.under})" if a.under else "")

    def sum(self, a: Num, b: Num) -> Num:
        if a.value == 0 and not a.under:
            return b
        if b.value == 0 and not b.under:
            return a
        a, b = self.aligned([a, b])
        return Num(f"(+ {a.top} {b.top})", a.whole, a.bottom, a.under)

    def product(self, a: Num, b: Num) -> Num:
        for one, other in ((a, b), (b, a)):
            if one.value is not None and not one.under:
                product = self.scaled(other, one.value)
                return product._replace(bottom=product.bottom * one.bottom)
        if a.whole != b.whole:
            a, b = self.widened(a), self.widened(b)
        return Num(
            f"(* {a.top} {b.top})", a.whole, a.bottom * b.bottom, _product([factor for factor in (a.under, b.under) if factor])
        )

    def quotient(self, a: Num, b: Num) -> Num:
        if b.value and not b.under:
            result = self.scaled(a, b.bottom if b.value > 0 else -b.bottom)
            return result._replace(bottom=result.bottom * abs(b.value))
        if a.whole != b.whole:
            a, b = self.widened(a), self.widened(b)
        if b.under:
            # a / (c / d) has no value where d is zero, so d must stay a divisor: it becomes a·d² / (c·d).
            top, under = _product([a.top, b.under, b.under]), _product([b.top, b.under])
        else:
            top, under = a.top, b.top
        result = self.scaled(Num(top, a.whole, a.bottom), b.bottom)
        return result._replace(under=_product([factor for factor in (a.under, under) if factor]))

    def plain(self, a: Num) -> Num:
        """The same number without a denominator."""
        return a if a.bottom == 1 and not a.under else Num(self.real(a), False)

    def real(self, a: Num) -> str:
        wide = self.widened(a)
        divisor = _product([factor for factor in (f"{wide.bottom}.0" if wide.bottom != 1 else "", wide.under) if factor])
        return f"(/ {wide.top} {divisor})" if divisor else wide.top

    def whole_number(self, expr: Expr) -> str:
        a = self.plain(self.number(expr))
        return a.top if a.whole else f"(to_int {a.top})"

    def floor_quotient(self, left: Expr, right: Expr) -> Num:
        divisor = literal(right)
        a = self.number(left)
        if isinstance(divisor, int) and divisor != 0 and a.whole and not a.under:
            return self.floored(a if divisor > 0 else self.negative(a), abs(divisor))
        return Num(self.function("floor_div", ["Int", "Int"], "Int", self.whole_number(left), self.whole_number(right)), True)

    def floored(self, a: Num, divisor: int) -> Num:
        return Num(f"(div {a.top} {a.bottom * divisor})", True)

    def remainder(self, left: Expr, right: Expr) -> Num:
        divisor = literal(right)
        a = self.number(left)
        if isinstance(divisor, int) and divisor != 0 and a.whole and not a.under and a.bottom == 1:
            if divisor > 0:
                return self.modulo(a, divisor)
            return self.negative(self.modulo(self.negative(a), -divisor))
        return Num(self.function("floor_mod", ["Int", "Int"], "Int", self.whole_number(left), self.whole_number(right)), True)

    def modulo(self, a: Num, divisor: int) -> Num:
        return Num(f"(mod {a.top} {divisor})", True)

    def power(self, base: Expr, exponent: Expr) -> Num:
        times = literal(exponent)
        a = self.number(base)
        if isinstance(times, int) and 0 <= times <= PRODUCT_EXPONENT_MAX:
            if times == 0:
                return integer(1)
            under = _power(a.under, times) if a.under else ""
            power = Num(_power(a.top, times), a.whole) if a.value is None else integer(a.value**times)
            return power._replace(bottom=a.bottom**times, under=under)
        a = self.plain(a)
        suffix, sort = ("int", "Int") if a.whole else ("real", "Real")
        return Num(self.function(f"pow_{suffix}", [sort, "Int"], sort, a.top, self.whole_number(exponent)), a.whole)

    def call(self, expr: Call) -> Num:
        match expr:
            case Call("abs", (argument,)):
                a = self.number(argument)
                a = self.plain(a) if a.under else a
                return a._replace(top=f"(let ((p {a.top})) (ite (>= p 0) p (- p)))", value=None)
            case Call("min" | "max" as name, arguments):
                numbers = [self.number(argument) for argument in arguments]
                numbers = self.aligned([self.plain(num) if num.under else num for num in numbers])
                nested = numbers[0].top
                for num in numbers[1:]:
                    op = "<=" if name == "min" else ">="
                    nested = f"(let ((p {nested}) (q {num.top})) (ite ({op} p q) p q))"
                return numbers[0]._replace(top=nested, value=None)
            case Call("gcd", (left, right)):
                return Num(self.function("gcd", ["Int", "Int"], "Int", self.whole_number(left), self.whole_number(right)), True)
            case Call("len", (Name(array),)):
                length = self.function(f"len_{array}", [], self.sort(Type.NAT))
                self.facts.append(f"(>= {length} 0)")
                return Num(length, True)
            case _:
                text, kind = self.helper(expr)
                return Num(text, self.sort(kind) == "Int")

    def truth(self, expr: Expr) -> str:
        """A condition of which nothing is known but that it has one truth value."""
        return self.function(self._names.setdefault(("truth", (expression_sexpr(expr),)), f"truth_{len(self._names)}"), [], "Bool")

    def total(self, expr: Quantified) -> Num:
        """A sum or a count: a function of its bounds."""
        kind = kind_of(expr, self.variables, self.info)
        name = self._names.setdefault((key(expr), ()), f"total_{len(self._names)}")
        text = self.function(name, ["Int", "Int"], _SORTS[kind], self.whole_number(expr.low), self.whole_number(expr.high))
        if kind is Type.NAT:
            self.facts.append(f"(>= {text} 0)")
        return Num(text, self.sort(kind) == "Int")

    def cell(self, expr: Index) -> tuple[str, Type]:
        """A cell of an array, and its type. The array is a function from places to cells."""
        kind = self.variables[expr.array.name].element
        assert kind is not None
        text = self.function(f"cell_{expr.array.name}", ["Int"], _SORTS[kind], self.whole_number(expr.index))
        if kind is Type.NAT:
            self.facts.append(f"(>= {text} 0)")
        return text, kind

    def helper(self, expr: Call) -> tuple[str, Type]:
        if self.info is None or expr.function not in self.info.functions:
            raise Unsupported(f"unknown function {expr.function}")
        function = self.info.functions[expr.function].function
        if function.result is None:
            raise Unsupported(f"{expr.function} has no value")
        # An array that is passed is a part of the function's name, so that the same array gives the same value.
        pairs = list(zip(expr.arguments, function.params, strict=True))
        if any(param.type.element and not isinstance(argument, Name) for argument, param in pairs):
            raise Unsupported("an array with other cells as an argument")
        passed = [argument.name for argument, param in pairs if param.type.element and isinstance(argument, Name)]
        scalars = [(argument, param) for argument, param in pairs if not param.type.element]
        arguments = [
            self.boolean(argument)
            if param.type is Type.BOOL
            else self.real(self.number(argument))
            if param.type is Type.RAT
            else self.whole_number(argument)
            for argument, param in scalars
        ]
        sorts = [_SORTS[param.type] for _, param in scalars]
        name = "_of_".join((f"f_{function.name}", *passed))
        return self.function(name, sorts, _SORTS[function.result], *arguments), function.result

    def function(self, name: str, sorts: list[str], result: str, *arguments: str) -> str:
        """An application of an uninterpreted function, which is declared where it has not been yet."""
        self._functions.setdefault(name, f"({' '.join(sorts)}) {result}")
        application = f"({name} {' '.join(arguments)})" if arguments else name
        if result != "Bool":
            self.applications[application] = None
        return application


def _product(factors: Sequence[str]) -> str:
    return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})" if factors else ""


def _power(text: str, times: int) -> str:
    if times == 1:
        return text
    if text.startswith("("):
        return f"(let ((p {text})) (* {' '.join(['p'] * times)}))"
    return f"(* {' '.join([text] * times)})"
