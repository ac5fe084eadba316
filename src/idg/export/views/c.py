"""C: whole numbers as long long, which has bounds, and truth values as bool. There are no exact fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from idg.export.views.terms import AND, ATOM, COMPARISON, PREFIX, PRODUCT, SUM, Spelled, ViewRefused, ViewTerms
from idg.export.views.walk import ProgramView, indented
from idg.export.words import C_WORDS
from idg.sip import syntax as sip
from idg.sip.checking.analysis import FunctionInfo
from idg.sip.checking.types import BOOL, INT, NAT, RAT
from idg.sip.operators import FUNCTIONS
from idg.sip.program import Program
from idg.sip.syntax import Expr, Type
from idg.sip.trees.traverse import expressions, statements

LITERAL_MAX = 2**63 - 1
"""The largest number that has a literal of the type long long."""
HELPERS = {
    "natural": """\
static long long natural(long long value) {
    assert(value >= 0);
    return value;
}""",
    "exactly": """\
static long long exactly(long long a, long long b) {
    assert(b != 0 && a % b == 0);
    return a / b;
}""",
    "floor_div": """\
static long long floor_div(long long a, long long b) {
    assert(b != 0);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}""",
    "floor_mod": """\
static long long floor_mod(long long a, long long b) {
    assert(b != 0);
    return a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b;
}""",
    "power": """\
static long long power(long long base, long long exponent) {
    long long product = 1;
    assert(exponent >= 0);
    while (exponent > 0 && product != 0 && !(base == 1 || base == -1)) {
        product = product * base;
        exponent = exponent - 1;
    }
    return base == -1 && exponent % 2 == 1 ? -1 : product;
}""",
    "absolute": "static long long absolute(long long x) { return x < 0 ? -x : x; }",
    "minimum": "static long long minimum(long long x, long long y) { return x <= y ? x : y; }",
    "maximum": "static long long maximum(long long x, long long y) { return x >= y ? x : y; }",
    "gcd": """\
static long long gcd(long long a, long long b) {
    while (b != 0) {
        long long rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}""",
    "is_power": """\
static bool is_power(long long number, long long base) {
    while ((base > 1 || base < -1) && number != 0 && number != 1 && number % base == 0) {
        number = number / base;
    }
    return number == 1 || (-1 <= base && base <= 1 && number == base);
}""",
}
"""The helpers of views in C."""
TYPES = {BOOL: "bool", NAT: "long long", INT: "long long"}
WORDS = frozenset({*C_WORDS, *HELPERS, "assert", "bool", "true", "false", "exit", "printf", "main"})
FRACTIONS = "C has no exact fractions"


class CTerms(ViewTerms):
    signs: Mapping[str, str] = {"!": "!", "&": "&&", "|": "||", "=": "=="}
    not_level = PREFIX

    def number(self, value: int | Fraction) -> Spelled:
        if not isinstance(value, int):
            raise ViewRefused(f"{FRACTIONS}, such as {value}")
        if value > LITERAL_MAX:
            raise ViewRefused(f"the number {str(value)[:40]} does not fit into a long long")
        return Spelled(str(value), ATOM)

    def divided(self, expr: sip.Binary) -> Spelled:
        left, right = expr.left, expr.right
        if expr.op == "/":
            raise ViewRefused(f"{FRACTIONS}, and a quotient stands where it may be one")
        if expr.op == "^":
            if isinstance(left, sip.Name) and right in (sip.Number(2), sip.Number(3)):
                return Spelled(" * ".join([self.text(left)] * (2 if right == sip.Number(2) else 3)), PRODUCT)
            return self.call("power", left, right)
        # C rounds towards zero, which is down only where nothing is negative.
        if self.kind(left) is NAT and isinstance(right, sip.Number) and right.value > 0:
            return Spelled(f"{self.text(left, PRODUCT)} {'/' if expr.op == '//' else '%'} {self.text(right)}", PRODUCT)
        return self.call("floor_div" if expr.op == "//" else "floor_mod", left, right)

    def compared(self, expr: sip.Compare) -> Spelled:
        middle = expr.operands[1:-1]
        if any(isinstance(part, sip.Call) and part.function not in FUNCTIONS for one in middle for part in expressions(one)):
            raise ViewRefused("C has no chains of comparisons, and a call in the middle of one would be made twice")
        texts = [self.text(operand, SUM) for operand in expr.operands]
        links = [f"{texts[index]} {self.signs.get(op, op)} {texts[index + 1]}" for index, op in enumerate(expr.ops)]
        return Spelled(" && ".join(links), COMPARISON if len(links) == 1 else AND)

    def builtin(self, expr: sip.Call) -> Spelled:
        match expr.function:
            case "min" | "max":
                name = "minimum" if expr.function == "min" else "maximum"
                self.used.add(name)
                text = self.text(expr.arguments[0])
                for argument in expr.arguments[1:]:
                    text = f"{name}({text}, {self.text(argument)})"
                return Spelled(text, ATOM)
            case "abs":
                return self.call("absolute", *expr.arguments)
            case "ispow":
                return self.call("is_power", *expr.arguments)
        return self.call(expr.function, *expr.arguments)

    def fitting(self, expr: Expr, kind: Type) -> str:
        if kind is RAT:
            raise ViewRefused(FRACTIONS)
        if isinstance(expr, sip.Binary) and expr.op == "/" and RAT not in (self.kind(expr.left), self.kind(expr.right)):
            quotient = self.call("exactly", expr.left, expr.right).text
            return quotient if kind is INT else self._natural(quotient)
        text = self.text(expr)
        return self._natural(text) if kind is NAT and self.kind(expr) is not NAT else text

    def _natural(self, text: str) -> str:
        self.used.add("natural")
        return f"natural({text})"


class CView(ProgramView):
    language = "C"
    words = WORDS
    left_loop = "break;"

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        helpers = [info.function for info in program.info.functions.values() if info.function != program.level]
        if any(isinstance(statement, sip.Print) for helper in helpers for statement in statements(helper.body)):
            raise ViewRefused("a helper prints, and C does not say in which order calls in an expression are made")
        if any(RAT in (*info.variables.values(), info.function.result) for info in program.info.functions.values()):
            raise ViewRefused(FRACTIONS)

    def terms_of(self, info: FunctionInfo, names: Mapping[str, str], entries: Mapping[str, str]) -> CTerms:
        return CTerms(self.program.info, info.variables, names, entries)

    def head(self) -> list[str]:
        prints = any(isinstance(statement, sip.Print) for statement in statements(self.program.level.body))
        bodies = [info.function.body for info in self.program.info.functions.values()]
        assumes = any(isinstance(statement, sip.Assume) for body in bodies for statement in statements(body))
        includes = ["<assert.h>", "<stdbool.h>", *(["<stdio.h>"] if prints else []), *(["<stdlib.h>"] if assumes else [])]
        told = "// In SIP, numbers have no bounds. Here they must fit into a long long."
        helpers = [text for name, text in HELPERS.items() if name in self.used]
        infos = [info for name, info in self.program.info.functions.items() if name != self.program.level.name]
        declared = ["\n".join(f"{self.signature(info.function)};" for info in infos)] if infos else []
        return ["\n".join([told, *(f"#include {file}" for file in includes)]), *helpers, *declared]

    def signature(self, function: sip.Function) -> str:
        params = ", ".join(f"{TYPES[param.type]} {self.names[param.name]}" for param in function.params) or "void"
        return f"{TYPES[function.result] if function.result else 'void'} {self.names[function.name]}({params})"

    def defined(self, function: sip.Function, body: list[str]) -> list[str]:
        natural = [f"assert({self.names[param.name]} >= 0);" for param in function.params if param.type is NAT]
        return [f"{self.signature(function)} {{", *indented([*natural, *body]), "}"]

    def declared(self, info: FunctionInfo) -> list[str]:
        params = {param.name for param in info.function.params}
        wanted = [name for name in info.variables if name not in params and (name != "result" or self._names_result(info))]
        kinds = dict.fromkeys(TYPES[info.variables[name]] for name in wanted)
        return [
            f"{kind} {', '.join(self.names[name] for name in wanted if TYPES[info.variables[name]] == kind)};" for kind in kinds
        ]

    def _names_result(self, info: FunctionInfo) -> bool:
        """Whether the variable for the result is used at all."""
        return "result" in info.assigned or bool(info.function.posts)

    def copied(self, name: str, param: sip.Param) -> str:
        return f"{TYPES[param.type]} {name} = {self.names[param.name]};"

    def stored(self, targets: Sequence[str], kind: Type, value: Expr) -> list[str]:
        return [f"{' = '.join(self.names[target] for target in targets)} = {self.terms.fitting(value, kind)};"]

    def asserted(self, condition: Expr) -> list[str]:
        return [f"assert({self.terms.text(condition)});"]

    def supposed(self, condition: Expr) -> list[str]:
        test = self.terms.text(sip.Unary("!", condition))
        return [f"if ({test}) {{", *indented(["exit(0);  // assume: such runs do not count"]), "}"]

    def printed(self, values: Sequence[Expr]) -> list[str]:
        booleans = [self.terms.kind(value) is BOOL for value in values]
        form = '"' + " ".join("%s" if boolean else "%lld" for boolean in booleans) + '\\n"'
        shown = [
            f'{self.terms.text(value, COMPARISON)} ? "true" : "false"' if boolean else self.terms.text(value)
            for value, boolean in zip(values, booleans, strict=True)
        ]
        return [f"printf({', '.join([form, *shown])});"]

    def decided(self, tests: Sequence[tuple[str, list[str]]], otherwise: list[str]) -> list[str]:
        lines: list[str] = []
        for index, (test, body) in enumerate(tests):
            lines += [f"{'} else if' if index else 'if'} ({test}) {{", *indented(body)]
        return [*lines, *(["} else {", *indented(otherwise)] if otherwise else []), "}"]

    def looped(self, test: str, body: list[str]) -> list[str]:
        return [f"while ({test}) {{", *indented(body), "}"]

    def returned(self, value: str) -> list[str]:
        return [f"return {value};"]

    def comment(self, text: str) -> str:
        return f"// {text}"
