"""Boogie: procedures with contracts. That a measure falls is asserted at the end of each turn, because Boogie has no measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from idg.audit.terms import BOOL, INT, REAL
from idg.export.lowered import (
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
from idg.export.measures import asserting_measures
from idg.export.names import safe_names
from idg.export.printing import InfixTerms, all_names, commented, indented
from idg.export.words import BOOGIE_WORDS

SORTS = {BOOL: "bool", INT: "int", REAL: "real"}


def _recursive(name: str, params: str, result: str, arguments: str, value: str) -> str:
    """A recursive function whose axioms unfold each term of the program once. In `value`, NAME_ is the function one level down."""
    inner = f"{name}_inner"
    bound, told = f"forall {params} :: {{ {name}({arguments}) }}", f"{name}({arguments})"
    return "\n".join(
        (
            f"function {name}({params}): {result};",
            f"function {inner}({params}): {result};",
            f"axiom ({bound} {told} == {inner}({arguments}));",
            f"axiom ({bound} {told} == ({value.replace('NAME_', inner)}));",
        )
    )


HELPERS = {
    "floor.div": (
        "floor_div",
        "function {:inline} floor_div(x: int, y: int): int {\n"
        "  if y > 0 then x div y else if y < 0 then (0 - x) div (0 - y) else 0\n}",
    ),
    "floor.mod": (
        "floor_mod",
        "function {:inline} floor_mod(x: int, y: int): int {\n"
        "  if y > 0 then x mod y else if y < 0 then 0 - ((0 - x) mod (0 - y)) else 0\n}",
    ),
    "quotient": ("quotient", "function {:inline} quotient(x: real, y: real): real { if y == 0.0 then 0.0 else x / y }"),
    "pow.int": ("pow_int", _recursive("pow_int", "b: int, e: int", "int", "b, e", "if e <= 0 then 1 else b * NAME_(b, e - 1)")),
    "pow.rat": (
        "pow_real",
        _recursive("pow_real", "b: real, e: int", "real", "b, e", "if e <= 0 then 1.0 else b * NAME_(b, e - 1)"),
    ),
    "gcd": (
        "gcd",
        _recursive(
            "gcd",
            "a: int, b: int",
            "int",
            "a, b",
            "if a < 0 then NAME_(0 - a, b) else if b < 0 then NAME_(a, 0 - b) else if a == 0 || a == b then b "
            "else if b == 0 then a else if a > b then NAME_(a - b, b) else NAME_(a, b - a)",
        ),
    ),
    "ispow": (
        "is_power",
        _recursive(
            "is_power",
            "x: int, b: int",
            "bool",
            "x, b",
            "x == 1 || (if -1 <= b && b <= 1 then x == b else x != 0 && floor_mod(x, b) == 0 && NAME_(floor_div(x, b), b))",
        ),
    ),
}
"""A function of terms → its name here, and its definition."""


class BoogieTerms(InfixTerms):
    infix: Mapping[str, str] = {
        "+": "+", "-": "-", "*": "*", "div": "div", "mod": "mod", "=": "==", "<": "<", "<=": "<=", "and": "&&", "or": "||",
        "=>": "==>",
    }  # fmt: skip
    functions: Mapping[str, str] = {name: told for name, (told, _) in HELPERS.items()}

    def to_real(self, text: str) -> str:
        return f"real({text})"

    def is_int(self, text: str) -> str:
        return f"(real(int({text})) == {text})"

    def to_int(self, text: str) -> str:
        return f"int({text})"


def boogie(program: LoweredProgram) -> str:
    program = asserting_measures(program)
    terms = BoogieTerms(safe_names(all_names(program.functions), BOOGIE_WORDS))
    used = operations(program)
    if "ispow" in used:
        used |= {"floor.div", "floor.mod"}
    definitions = [text for name, (_, text) in HELPERS.items() if name in used]
    return "\n\n".join([*definitions, *("\n".join(_procedure(function, terms)) for function in program.functions)]) + "\n"


def _procedure(function: LoweredFunction, terms: BoogieTerms) -> list[str]:
    names = terms.names
    params = ", ".join(f"{names[param.name]}: {SORTS[param.sort]}" for param in function.params)
    returns = f" returns ({names['result']}: {SORTS[function.result]})" if function.result else ""
    clauses = [f"requires {terms(term)};" for term in function.requires]
    clauses += [f"ensures {terms(term)};" for term in function.ensures]
    declared = [f"var {names[variable.name]}: {SORTS[variable.sort]};" for variable in function.locals]
    body = [*declared, *_block(function.body, terms)]
    return [f"procedure {names[function.name]}({params}){returns}", *indented(clauses), "{", *indented(body), "}"]


def _block(body: Iterable[LoweredStatement], terms: BoogieTerms) -> list[str]:
    return [line for statement in body for line in _statement(statement, terms)]


def _statement(statement: LoweredStatement, terms: BoogieTerms) -> list[str]:
    names = terms.names
    match statement:
        case SetTo(target, value):
            return [f"{names[target]} := {terms(value)};"]
        case Forget(targets):
            return [f"havoc {', '.join(names[target.name] for target in targets)};"]
        case Suppose(condition):
            return [f"assume {terms(condition)};"]
        case Oblige(condition, why):
            return [f"assert {terms(condition)};  // {commented(why)}"]
        case Decide(test, yes, no):
            otherwise = ["} else {", *indented(_block(no, terms))] if no else []
            return [f"if ({terms(test)}) {{", *indented(_block(yes, terms)), *otherwise, "}"]
        case Repeat(test, invariants, _, body):
            clauses = [f"invariant {terms(term)};" for term in invariants]
            return [f"while ({terms(test)})", *indented(clauses), "{", *indented(_block(body, terms)), "}"]
        case CallOf(target, function, arguments):
            return [f"call {names[target]} := {names[function]}({', '.join(map(terms, arguments))});"]
        case LeaveLoop():
            return ["break;"]
        case LeaveFunction():
            return ["return;"]
