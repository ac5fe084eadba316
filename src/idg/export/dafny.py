"""Dafny: methods with contracts. Numbers are its unbounded `int` and exact `real`; arrays are its sequences, which are values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from idg.audit.terms import ARRAYS, BOOL, CELLS, INT, REAL, LogicTerm
from idg.export.lowering.lowered import (
    Aggregate,
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
    operations,
)
from idg.export.names import safe_names
from idg.export.printing import InfixTerms, all_names, commented, indented
from idg.export.words import DAFNY_WORDS

SORTS = {BOOL: "bool", INT: "int", REAL: "real"}
NOTHING = {BOOL: "false", INT: "0", REAL: "0.0"}
"""What a sum reads where there is no cell. That there is one is asserted before the sum."""
SORTS |= {array: f"seq<{SORTS[cell]}>" for cell, array in ARRAYS.items()}

HELPERS = {
    "floor.div": (
        "floor_div",
        "function method floor_div(x: int, y: int): int {\n  if y > 0 then x / y else if y < 0 then (-x) / (-y) else 0\n}",
    ),
    "floor.mod": (
        "floor_mod",
        "function method floor_mod(x: int, y: int): int {\n  if y > 0 then x % y else if y < 0 then -((-x) % (-y)) else 0\n}",
    ),
    "quotient": ("quotient", "function method quotient(x: real, y: real): real { if y == 0.0 then 0.0 else x / y }"),
    "pow.int": (
        "pow_int",
        "function method pow_int(base: int, exponent: int): int\n"
        "  decreases exponent\n"
        "{\n"
        "  if exponent <= 0 then 1 else base * pow_int(base, exponent - 1)\n"
        "}",
    ),
    "pow.rat": (
        "pow_real",
        "function method pow_real(base: real, exponent: int): real\n"
        "  decreases exponent\n"
        "{\n"
        "  if exponent <= 0 then 1.0 else base * pow_real(base, exponent - 1)\n"
        "}",
    ),
    "gcd": (
        "gcd",
        "function method gcd(a: int, b: int): int\n"
        "  decreases (if a < 0 then 1 else 0) + (if b < 0 then 1 else 0), a + b\n"
        "{\n"
        "  if a < 0 then gcd(-a, b) else if b < 0 then gcd(a, -b)\n"
        "  else if a == 0 || a == b then b else if b == 0 then a\n"
        "  else if a > b then gcd(a - b, b) else gcd(a, b - a)\n"
        "}",
    ),
    "ispow": (
        "is_power",
        "function method is_power(x: int, base: int): bool\n"
        "  decreases if x < 0 then -x else x\n"
        "{\n"
        "  x == 1 ||\n"
        "  (if -1 <= base <= 1 then x == base\n"
        "   else x != 0 && floor_mod(x, base) == 0 &&\n"
        "     -abs_int(x) < floor_div(x, base) < abs_int(x) && is_power(floor_div(x, base), base))\n"
        "}",
    ),
}
"""A function of terms → its name here, and its definition. Powers have the value 1 where SIP's have none; that is never relied on,
because the exponent is asserted not to be negative. The same holds for divisions by zero."""


class DafnyTerms(InfixTerms):
    infix: Mapping[str, str] = {
        "+": "+", "-": "-", "*": "*", "div": "/", "mod": "%", "=": "==", "<": "<", "<=": "<=", "and": "&&", "or": "||", "=>": "==>",
    }  # fmt: skip
    functions: Mapping[str, str] = {name: told for name, (told, _) in HELPERS.items()}

    def to_real(self, text: str) -> str:
        return f"({text} as real)"

    def is_int(self, text: str) -> str:
        return f"({text} == ({text}.Floor as real))"

    def to_int(self, text: str) -> str:
        return f"{text}.Floor"

    def length(self, array: LogicTerm) -> str:
        return f"|{self(array)}|"

    def permuted(self, left: LogicTerm, right: LogicTerm) -> str:
        return f"(multiset({self(left)}) == multiset({self(right)}))"

    def guards(self, name: str, low: LogicTerm, high: LogicTerm) -> list[str]:
        return [f"{self.inner(low)} <= {name} <= {self.inner(high)}"]


class TotalTerms(DafnyTerms):
    """Terms where nothing was asserted before: in the definitions of sums and counts."""

    def cell(self, array: LogicTerm, index: LogicTerm) -> str:
        place = self(index)
        return f"(if 0 <= {place} < {self.length(array)} then {super().cell(array, index)} else {NOTHING[CELLS[array.sort]]})"


def dafny(program: LoweredProgram) -> str:
    names = safe_names(all_names(program), DAFNY_WORDS)
    used = operations(program)
    if "ispow" in used:
        used |= {"floor.div", "floor.mod"}
    definitions = [text for name, (_, text) in HELPERS.items() if name in used]
    if "ispow" in used:
        definitions.insert(0, "function method abs_int(x: int): int { if x < 0 then -x else x }")
    definitions += [_aggregate(aggregate, TotalTerms(names)) for aggregate in program.aggregates]
    writer = _Writer(DafnyTerms(names), program)
    return "\n\n".join([*definitions, *("\n".join(writer.method(function)) for function in program.functions)]) + "\n"


def _aggregate(aggregate: Aggregate, terms: DafnyTerms) -> str:
    name, low, high = (terms.names[word] for word in (aggregate.name, aggregate.low, aggregate.high))
    params = ", ".join([f"{low}: int", f"{high}: int", *(f"{terms.names[x.name]}: {SORTS[x.sort]}" for x in aggregate.params)])
    shorter = terms.applied(name, list(map(terms, aggregate.before())))
    return (
        f"function method {name}({params}): {SORTS[aggregate.sort]}\n  decreases {high} - {low} + 1\n{{\n"
        f"  if {high} < {low} then {NOTHING[aggregate.sort]} else {shorter} + {terms.inner(aggregate.last())}\n}}"
    )


class _Writer:
    def __init__(self, terms: DafnyTerms, program: LoweredProgram) -> None:
        self.terms = terms
        self.ends = {function.name: function.ends for function in program.functions}

    def method(self, function: LoweredFunction) -> list[str]:
        names = self.terms.names
        params = ", ".join(f"{names[param.name]}: {SORTS[param.sort]}" for param in function.params)
        returns = f" returns ({names['result']}: {SORTS[function.result]})" if function.result else ""
        clauses = [f"requires {self.terms(term)}" for term in function.requires]
        clauses += [f"ensures {self.terms(term)}" for term in function.ensures]
        clauses += [] if function.ends else ["decreases *"]
        declared = [f"var {names[variable.name]}: {SORTS[variable.sort]};" for variable in function.locals]
        body = [*declared, *self.block(function.body)]
        return [f"method {names[function.name]}({params}){returns}", *indented(clauses), "{", *indented(body), "}"]

    def block(self, body: Iterable[LoweredStatement]) -> list[str]:
        return [line for statement in body for line in self.statement(statement)]

    def statement(self, statement: LoweredStatement) -> list[str]:
        terms, names = self.terms, self.terms.names
        match statement:
            case SetTo(target, value):
                return [f"{names[target]} := {terms(value)};"]
            case Forget(targets):
                return [f"{names[target.name]} := *;" for target in targets]
            case Suppose(condition):
                return [f"assume {terms(condition)};"]
            case Oblige(condition, why):
                return [f"assert {terms(condition)};  // {commented(why)}"]
            case Decide(test, yes, no):
                otherwise = ["} else {", *indented(self.block(no))] if no else []
                return [f"if {terms(test)} {{", *indented(self.block(yes)), *otherwise, "}"]
            case Repeat(test, invariants, measure, body):
                clauses = [f"invariant {terms(term)}" for term in invariants]
                clauses.append(f"decreases {', '.join(map(terms, measure)) or '*'}")
                return [f"while {terms(test)}", *indented(clauses), "{", *indented(self.block(body)), "}"]
            case CallOf(target, function, arguments):
                return [f"{names[target]} := {names[function]}({', '.join(map(terms, arguments))});"]
            case LeaveLoop():
                return ["break;"]
            case LeaveFunction():
                return ["return;"]
