"""Why3: a WhyML module. Numbers are its unbounded `int` and exact `real`, arrays are sequences, which are values.

Powers, gcd, sequences and their permutations are those of Why3's library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

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
from idg.export.words import WHY3_WORDS

SORTS = {BOOL: "bool", INT: "int", REAL: "real"}
SORTS |= {array: f"(seq {SORTS[cell]})" for cell, array in ARRAYS.items()}
USES = {
    "div": ("int.EuclideanDivision",),
    "mod": ("int.EuclideanDivision",),
    "floor.div": ("int.EuclideanDivision",),
    "floor.mod": ("int.EuclideanDivision",),
    "pow.int": ("int.Power",),
    "pow.rat": ("real.PowerInt as PowerOfReal",),
    "gcd": ("number.Gcd",),
    "to_real": ("real.RealInfix", "real.FromInt"),
    "is_int": ("real.RealInfix", "real.FromInt", "real.Truncate"),
    "to_int": ("real.RealInfix", "real.FromInt", "real.Truncate"),
    "quotient": ("real.RealInfix",),
    "permutation": ("seq.Permut",),
}
"""An operation of terms → the modules of Why3's library that it needs."""
DEFINITIONS = {
    "floor.div": "function floor_div (x y: int) : int = if y > 0 then div x y else div (-x) (-y)",
    "floor.mod": "function floor_mod (x y: int) : int = if y > 0 then mod x y else - (mod (-x) (-y))",
    "quotient": "function quotient (x y: real) : real = x /. y",
    "gcd": (
        "lemma gcd_left: forall a b: int [gcd (a - b) b]. gcd (a - b) b = gcd a b\n"
        "lemma gcd_right: forall a b: int [gcd a (b - a)]. gcd a (b - a) = gcd a b\n"
        "lemma gcd_same: forall a: int [gcd a a]. a >= 0 -> gcd a a = a"
    ),
    "ispow": (
        "inductive is_power int int =\n"
        "  | Power_one: forall b: int. is_power 1 b\n"
        "  | Power_next: forall x b: int. is_power x b -> is_power (b * x) b"
    ),
    "permutation": (
        "lemma swap_permutes: forall a: seq 'a, i j: int [set (set a i (get a j)) j (get a i)].\n"
        "  0 <= i < length a -> 0 <= j < length a ->\n"
        "  permut_all (set (set a i (get a j)) j (get a i)) a by exchange (set (set a i (get a j)) j (get a i)) a i j"
    ),
}
CHOSEN = "value"
"""The name of a value that code cannot compute. `any … ensures` would say the same, but obliges provers to show that it exists."""


class Why3Terms(InfixTerms):
    infix: Mapping[str, str] = {
        "+": "+", "-": "-", "*": "*", "=": "=", "<": "<", "<=": "<=", "and": "/\\", "or": "\\/", "=>": "->",
    }  # fmt: skip
    functions: Mapping[str, str] = {
        "div": "div", "mod": "mod", "floor.div": "floor_div", "floor.mod": "floor_mod", "quotient": "quotient", "pow.int": "power",
        "pow.rat": "PowerOfReal.power", "gcd": "gcd", "ispow": "is_power",
    }  # fmt: skip
    atoms = InfixTerms.atoms - {"call"}
    different = "<>"
    equivalent = "<->"

    def between(self, sign: str, args: Iterable[LogicTerm], op: str = "") -> str:
        args = list(args)
        pointed = args[0].sort == REAL and op in ("+", "-", "*", "<", "<=")
        return super().between(f"{sign}." if pointed else sign, args, op)

    def applied(self, function: str, arguments: Sequence[str]) -> str:
        return f"{function} {' '.join(arguments)}"

    def negated(self, term: LogicTerm) -> str:
        return f"not {self.inner(term)}"

    def to_real(self, text: str) -> str:
        return f"(from_int {text})"

    def is_int(self, text: str) -> str:
        return f"(from_int (floor {text}) = {text})"

    def to_int(self, text: str) -> str:
        return f"(floor {text})"

    def number(self, value: int | Fraction, sort: str) -> str:
        return super().number(value, sort).replace(" / ", " /. ")

    def cell(self, array: LogicTerm, index: LogicTerm) -> str:
        return f"(get {self.inner(array)} {self.inner(index)})"

    def changed(self, array: LogicTerm, index: LogicTerm, value: LogicTerm) -> str:
        return f"(set {self.inner(array)} {self.inner(index)} {self.inner(value)})"

    def length(self, array: LogicTerm) -> str:
        return f"(length {self.inner(array)})"

    def permuted(self, left: LogicTerm, right: LogicTerm) -> str:
        return f"(permut_all {self.inner(left)} {self.inner(right)})"

    def with_bound(self, op: str, names: Sequence[str], guards: Sequence[str], body: str) -> str:
        link = "->" if op == "forall" else "/\\"
        both = " /\\ ".join(guards)
        return f"({op} {' '.join(names)}: int. {both} {link} {body})"


class ProgramTerms(Why3Terms):
    """The terms that stand in code, where connectives have other signs."""

    infix: Mapping[str, str] = {"+": "+", "-": "-", "*": "*", "=": "=", "<": "<", "<=": "<=", "and": "&&", "or": "||"}


def why3(program: LoweredProgram) -> str:
    names = dict(safe_names(all_names(program), WHY3_WORDS))
    used = operations(program)
    modules = ["int.Int"]
    if any("(seq " in SORTS[variable.sort] for function in program.functions for variable in (*function.params, *function.locals)):
        modules.append("seq.Seq")
    reals = any(variable.sort == REAL for function in program.functions for variable in (*function.params, *function.locals))
    if reals or any(function.result == REAL for function in program.functions) or "pow.rat" in used:
        modules.append("real.RealInfix")
    for operation, needed in USES.items():
        modules += [module for module in needed if operation in used and module not in modules]
    definitions = [text for operation, text in DEFINITIONS.items() if operation in used]
    definitions += [_aggregate(aggregate, Why3Terms(names)) for aggregate in program.aggregates]
    writer = _Writer(names)
    lines = [f"use {module}" for module in modules]
    for definition in definitions:
        lines += ["", *definition.splitlines()]
    for group in program.groups:
        lines += ["", *writer.group([function for function in program.functions if function.name in group], program)]
    return "\n".join(["module Main", *(f"  {line}" if line else "" for line in lines), "end", ""])


def _aggregate(aggregate: Aggregate, terms: Why3Terms) -> str:
    """A function with axioms, which say what a recursion on the upper end of the range computes."""
    names = terms.names
    name, low, high = (names[word] for word in (aggregate.name, aggregate.low, aggregate.high))
    variables = [(f"{low} {high}", "int"), *((names[param.name], SORTS[param.sort]) for param in aggregate.params)]
    params = " ".join(f"({told}: {sort})" for told, sort in variables)
    told = " ".join([name, low, high, *(names[param.name] for param in aggregate.params)])
    forall = f"forall {', '.join(f'{variable}: {sort}' for variable, sort in variables)} [{told}]."
    shorter = terms.applied(name, list(map(terms.inner, aggregate.before())))
    zero, plus = ("0.0", "+.") if aggregate.sort == REAL else ("0", "+")
    return "\n".join(
        (
            f"function {name} {params} : {SORTS[aggregate.sort]}",
            f"axiom {name}_empty: {forall} {high} < {low} -> {told} = {zero}",
            f"axiom {name}_next: {forall} {low} <= {high} ->",
            f"  {told} = {shorter} {plus} {terms.inner(aggregate.last())}",
        )
    )


class _Writer:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        self.terms = Why3Terms(names)
        self.code = ProgramTerms(names)
        self.contract = Why3Terms({**names, "result": "result"})

    def group(self, functions: Sequence[LoweredFunction], program: LoweredProgram) -> list[str]:
        """Functions that call each other, or one function."""
        lines: list[str] = []
        recursive = program.is_recursive(frozenset(function.name for function in functions))
        for index, function in enumerate(functions):
            lines += self.function(function, "with" if index else "let rec" if recursive else "let")
        return lines

    def function(self, function: LoweredFunction, keyword: str) -> list[str]:
        names = self.names
        params = " ".join(f"({names[param.name]}: {SORTS[param.sort]})" for param in function.params) or "()"
        result = SORTS[function.result] if function.result else "unit"
        clauses = [f"requires {{ {self.contract(term)} }}" for term in function.requires]
        clauses += [f"ensures {{ {self.contract(term)} }}" for term in function.ensures]
        clauses += [] if function.ends else ["diverges"]
        declared = [f"let ref {names[variable.name]} = any {SORTS[variable.sort]} in" for variable in function.locals]
        declared += [f"let ref {names['result']} = any {SORTS[function.result]} in"] if function.result else []
        ending = names["result"] if function.result else "()"
        return [
            f"{keyword} {names[function.name]} {params} : {result}",
            *indented(clauses),
            "=",
            *indented([*declared, *self.block(function.body, ending)]),
        ]

    def block(self, body: Sequence[LoweredStatement], ending: str = "") -> list[str]:
        """The statements with `;` between them."""
        parts = [self.statement(statement) for statement in body]
        parts += [[ending]] if ending else []
        if not parts:
            return ["()"]
        return [line for part in parts[:-1] for line in (*part[:-1], f"{part[-1]};")] + parts[-1]

    def statement(self, statement: LoweredStatement) -> list[str]:
        names = self.names
        match statement:
            case SetTo(target, value):
                return [f"{names[target]} <- {self.value(value)}"]
            case Forget(targets):
                return ["; ".join(f"{names[target.name]} <- any {SORTS[target.sort]}" for target in targets)]
            case Suppose(condition):
                return [f"assume {{ {self.terms(condition)} }}"]
            case Oblige(condition, why):
                return [f"(* {commented(why)} *)", f"assert {{ {self.terms(condition)} }}"]
            case Decide(test, yes, no):
                otherwise = ["end else begin", *indented(self.block(no))] if no else []
                return [f"if {self.value(test)} then begin", *indented(self.block(yes)), *otherwise, "end"]
            case Repeat(test, invariants, measure, body):
                clauses = [f"invariant {{ {self.terms(term)} }}" for term in invariants]
                clauses += [f"variant {{ {', '.join(map(self.terms, measure))} }}"] if measure else []
                return [f"while {self.value(test)} do", *indented([*clauses, *self.block(body)]), "done"]
            case CallOf(target, function, arguments):
                given = " ".join(f"({self.value(argument)})" for argument in arguments) or "()"
                return [f"{names[target]} <- {names[function]} {given}"]
            case LeaveLoop():
                return ["break"]
            case LeaveFunction():
                return [f"return {names['result']}"]

    def value(self, term: LogicTerm) -> str:
        """The term in code. What code cannot compute is chosen so that it equals the term."""
        if _in_code(term):
            return self.code(term)
        link = "<->" if term.sort == BOOL else "="
        return f"(let {CHOSEN} = any {SORTS[term.sort]} in assume {{ {CHOSEN} {link} {self.terms.inner(term)} }}; {CHOSEN})"


def _in_code(term: LogicTerm) -> bool:
    """Whether Why3's code has all operations of the term: integers, connectives and cells."""
    if term.op in ("symbol", "number", "true", "false"):
        return term.sort in (INT, BOOL, *CELLS)
    if term.op in ("len", "select", "store"):
        return all(map(_in_code, term.args))
    if term.op in ("=", "<", "<="):
        return all(arg.sort == INT and _in_code(arg) for arg in term.args)
    return term.op in ("+", "-", "*", "and", "or", "not") and term.sort in (INT, BOOL) and all(map(_in_code, term.args))
