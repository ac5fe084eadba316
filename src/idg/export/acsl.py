"""ACSL: the program as C with the annotations of Frama-C.

WP, the prover of Frama-C, is told to read numbers of C as exact ones (`-wp-model Typed+nat+real`): a `long long` is a whole number
without bounds then, a `double` a real number. Without that, the same text would be about numbers that wrap around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from idg.audit.terms import BOOL, INT, REAL, LogicTerm, negation
from idg.export.lowering.lowered import (
    CallOf,
    Decide,
    Forget,
    LeaveFunction,
    LeaveLoop,
    LoweredFunction,
    LoweredProgram,
    LoweredStatement,
    Oblige,
    Repeat,
    SetTo,
    Suppose,
    nested,
    operations,
    written,
)
from idg.export.lowering.measures import asserting_measures
from idg.export.names import safe_names, unused
from idg.export.printing import InfixTerms, all_names, commented, indented
from idg.export.words import ACSL_WORDS
from idg.sip.record import replace

SORTS = {BOOL: "_Bool", INT: "long long", REAL: "double"}
ANY = {BOOL: "any_bool", INT: "any_int", REAL: "any_real"}
"""The functions that give any value of a sort."""
LITERAL_MAX = 2**63 - 1
"""The largest number that C has a literal for."""
EXACT_DOUBLE_MAX = 2**53
"""Whole numbers up to this one are exact as literals of type double."""
NOTHING = "\\nothing"
NO_EFFECT = ("exits \\false;", f"assigns {NOTHING};")
"""What holds of every function: it neither ends the program nor changes anything outside."""

HELPERS = {
    "floor.div": (
        "floor_div",
        "logic integer floor_div(integer x, integer y) =\n  y == 0 ? 0 : x % y == 0 || (x % y > 0) == (y > 0) ? x / y : x / y - 1;",
    ),
    "floor.mod": ("floor_mod", "logic integer floor_mod(integer x, integer y) = x - y * floor_div(x, y);"),
    "quotient": ("quotient", "logic real quotient(real x, real y) = y == 0.0 ? 0.0 : x / y;"),
    "pow.int": ("pow_int", "logic integer pow_int(integer b, integer e) = e <= 0 ? 1 : b * pow_int(b, e - 1);"),
    "pow.rat": ("pow_real", "logic real pow_real(real b, integer e) = e <= 0 ? 1.0 : b * pow_real(b, e - 1);"),
    "gcd": (
        "gcd",
        "logic integer gcd(integer a, integer b) =\n"
        "  a < 0 ? gcd(-a, b) : b < 0 ? gcd(a, -b) : a == 0 || a == b ? b : b == 0 ? a\n"
        "  : a > b ? gcd(a - b, b) : gcd(a, b - a);",
    ),
    "ispow": (
        "is_power",
        "predicate is_power(integer x, integer b) =\n"
        "  x == 1 || (-1 <= b <= 1 ? x == b : x != 0 && floor_mod(x, b) == 0 && is_power(floor_div(x, b), b));",
    ),
}
"""A function of terms → its name here, and its definition. All are total, and each recursion ends: nothing is an axiom."""
NEEDED = {
    "ispow": ("floor.div", "floor.mod"),
    "floor.mod": ("floor.div",),
    "div": ("floor.div",),
    "mod": ("floor.div", "floor.mod"),
}
"""An operation → what its definition uses besides."""


class AcslTerms(InfixTerms):
    """Terms in annotations, where whole numbers have no bounds and real numbers are exact."""

    infix: Mapping[str, str] = {"+": "+", "-": "-", "*": "*", "=": "==", "<": "<", "<=": "<=", "and": "&&", "or": "||", "=>": "==>"}
    functions: Mapping[str, str] = {name: told for name, (told, _) in HELPERS.items()} | {"div": "floor_div", "mod": "floor_mod"}
    constants: Mapping[str, str] = {"true": "\\true", "false": "\\false"}

    def __call__(self, term: LogicTerm) -> str:
        return f"({super().__call__(term)} != 0)" if term.op == "symbol" and term.sort == BOOL else super().__call__(term)

    def to_real(self, text: str) -> str:
        return f"((real) {text})"

    def is_int(self, text: str) -> str:
        return f"((real) \\floor({text}) == {text})"

    def to_int(self, text: str) -> str:
        return f"\\floor({text})"

    def choice(self, condition: str, yes: str, no: str) -> str:
        return f"({condition} ? {yes} : {no})"


class CodeTerms(AcslTerms):
    """Terms in the code itself."""

    infix: Mapping[str, str] = {"+": "+", "-": "-", "*": "*", "=": "==", "<": "<", "<=": "<=", "and": "&&", "or": "||"}
    constants: Mapping[str, str] = {"true": "1", "false": "0"}
    equivalent = "=="

    def __call__(self, term: LogicTerm) -> str:
        if term.op == "symbol":
            return self.names[term.name]
        return f"!{self.inner(term.args[0])} || {self.inner(term.args[1])}" if term.op == "=>" else super().__call__(term)

    def to_real(self, text: str) -> str:
        return f"((double) {text})"


def acsl(program: LoweredProgram) -> str:
    program = _plain_measures(program)
    names = {**safe_names(all_names(program), ACSL_WORDS)}
    used = operations(program)
    for _ in NEEDED:
        used |= {needed for operation in used for needed in NEEDED.get(operation, ())}
    definitions = [f"/*@ {text} */".replace("\n", "\n    ") for name, (_, text) in HELPERS.items() if name in used]
    writer = _Writer(names)
    functions = ["\n".join(writer.function(function)) for function in program.functions]
    declared = [_any(sort) for sort in SORTS if any(f"{ANY[sort]}(" in text for text in functions)]
    return "\n\n".join([*definitions, *declared, *functions]) + "\n"


def _plain_measures(program: LoweredProgram) -> LoweredProgram:
    """ACSL's `loop variant` has one component. In functions with a measure of several, asserts say that measures fall."""
    asserting = asserting_measures(program).functions
    functions = tuple(
        replace(rewritten, ends=False) if _has_long_measure(function) else function
        for function, rewritten in zip(program.functions, asserting, strict=True)
    )
    return replace(program, functions=functions)


def _has_long_measure(function: LoweredFunction) -> bool:
    return any(isinstance(statement, Repeat) and len(statement.measure) > 1 for statement in nested(function.body))


def _any(sort: str) -> str:
    clauses = " ".join(("terminates \\true;", *NO_EFFECT))
    return f"/*@ {clauses} */\n{SORTS[sort]} {ANY[sort]}(void);  // any value"


class _Writer:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.terms = AcslTerms(names)
        self.code = CodeTerms(names)
        self.names = names
        self.contract = AcslTerms({**names, "result": "\\result"})
        self.taken = set(names.values())

    def function(self, function: LoweredFunction) -> list[str]:
        names = self.names
        params = ", ".join(f"{SORTS[param.sort]} {names[param.name]}" for param in function.params) or "void"
        clauses = [f"requires {self.contract(term)};" for term in function.requires]
        # Without a measure for each loop nothing is said about its end.
        clauses += ["terminates \\true;" if function.ends else "terminates \\false;", *NO_EFFECT]
        clauses += [f"ensures {self.contract(term)};" for term in function.ensures]
        declared = [f"{SORTS[variable.sort]} {names[variable.name]};" for variable in function.locals]
        declared += [f"{SORTS[function.result]} {names['result']};"] if function.result else []
        left = bool(function.body) and isinstance(function.body[-1], LeaveFunction)
        ending = [] if left or not function.result else [f"return {names['result']};"]
        head = f"{SORTS[function.result] if function.result else 'void'} {names[function.name]}({params})"
        body = [*declared, *self.block(function.body, bool(function.result)), *ending]
        return ["/*@", *indented(clauses), "*/", f"{head} {{", *indented(body), "}"]

    def block(self, body: Iterable[LoweredStatement], gives: bool) -> list[str]:
        """`gives`: whether the function that is written has a result."""
        return [line for statement in body for line in self.statement(statement, gives)]

    def statement(self, statement: LoweredStatement, gives: bool) -> list[str]:
        names = self.names
        match statement:
            case SetTo(target, value):
                return self.computed([value], lambda told: [f"{names[target]} = {told[0]};"])
            case Forget(targets):
                return [f"{names[target.name]} = {ANY[target.sort]}();" for target in targets]
            case Suppose(condition):
                return [f"//@ admit {self.terms(condition)};"]
            case Oblige(condition, why):
                return [f"// {commented(why)}", f"//@ assert {self.terms(condition)};"]
            case Decide(test, yes, no):
                inside = indented(self.block(yes, gives))
                otherwise = ["} else {", *indented(self.block(no, gives))] if no else []
                return self.computed([test], lambda told: [f"if ({told[0]}) {{", *inside, *otherwise, "}"])
            case Repeat():
                return self.repeated(statement, gives)
            case CallOf(target, function, arguments):
                return self.computed(arguments, lambda told: [f"{names[target]} = {names[function]}({', '.join(told)});"])
            case LeaveLoop():
                return ["break;"]
            case LeaveFunction():
                return [f"return {names['result']};" if gives else "return;"]

    def repeated(self, loop: Repeat, gives: bool) -> list[str]:
        changing = [self.names[name] for name in written(loop.body)]
        clauses = [f"loop invariant {self.terms(term)};" for term in loop.invariants]
        clauses.append(f"loop assigns {', '.join(changing or [NOTHING])};")
        clauses += [f"loop variant {self.terms(component)};" for component in loop.measure]
        body = self.block(loop.body, gives)
        if _in_code(loop.test):
            head = self.code(loop.test)
        else:
            head, body = "1", [*self.computed([negation(loop.test)], lambda told: [f"if ({told[0]}) {{", "  break;", "}"]), *body]
        return ["/*@", *indented(clauses), "*/", f"while ({head}) {{", *indented(body), "}"]

    def computed(self, terms: Sequence[LogicTerm], lines: Callable[[list[str]], list[str]]) -> list[str]:
        """The lines, which get the terms in code. What code cannot compute is chosen, and assumed to equal its term."""
        before: list[str] = []
        told: list[str] = []
        for term in terms:
            if _in_code(term):
                told.append(self.code(term))
                continue
            name = unused("chosen", {*self.taken, *told})
            same = f"({name} != 0) <==>" if term.sort == BOOL else f"{name} =="
            before += [f"{SORTS[term.sort]} {name} = {ANY[term.sort]}();", f"//@ admit {same} {self.terms.inner(term)};"]
            told.append(name)
        return ["{", *indented([*before, *lines(told)]), "}"] if before else lines(told)


def _in_code(term: LogicTerm) -> bool:
    """Whether C has all operations of the term, and its numbers are exact there."""
    if term.op == "number":
        largest = LITERAL_MAX if term.sort == INT else EXACT_DOUBLE_MAX
        return max(abs(term.value.numerator), term.value.denominator) <= largest
    return term.op not in ("call", "div", "mod", "is_int", "to_int") and all(map(_in_code, term.args))
