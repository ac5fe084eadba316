"""Boogie: procedures with contracts. That a measure falls is asserted at the end of each turn, because Boogie has no measures.

An array is a map and a number, its length, with a variable for each. Boogie has neither sums nor permutations, and makes no
inductions: the text gets functions with axioms, which are all theorems about finite arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from idg.audit.terms import ARRAYS, BOOL, CELLS, INT, REAL, LogicTerm, parts
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
    SortedVariable,
    Suppose,
    operations,
    terms_of,
)
from idg.export.lowering.measures import asserting_measures
from idg.export.names import safe_names, unused
from idg.export.printing import InfixTerms, all_names, commented, indented
from idg.export.words import BOOGIE_WORDS

SORTS = {BOOL: "bool", INT: "int", REAL: "real"}
SORTS |= {array: f"[int]{SORTS[cell]}" for cell, array in ARRAYS.items()}
ZERO = {INT: "0", REAL: "0.0"}


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


OCCURRENCES = """\
// How often the value stands in the first n cells.
function occurrences_SORT(a: [int]SORT, v: SORT, n: int): int;
axiom (forall a: [int]SORT, v: SORT, n: int :: { occurrences_SORT(a, v, n) } n <= 0 ==> occurrences_SORT(a, v, n) == 0);
axiom (forall a: [int]SORT, v: SORT, i: int, w: SORT, n: int :: { occurrences_SORT(a[i := w], v, n) }
  0 <= i && i < n ==> occurrences_SORT(a[i := w], v, n)
    == occurrences_SORT(a, v, n) - (if a[i] == v then 1 else 0) + (if w == v then 1 else 0));
function {:inline} permutation_SORT(a: [int]SORT, m: int, b: [int]SORT, n: int): bool {
  m == n && (forall v: SORT :: { occurrences_SORT(a, v, m) } { occurrences_SORT(b, v, n) }
    occurrences_SORT(a, v, m) == occurrences_SORT(b, v, n))
}"""

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

    def length(self, array: LogicTerm) -> str:
        while array.op == "store":
            array = array.args[0]
        return self.names[length_name(array.name)]

    def permuted(self, left: LogicTerm, right: LogicTerm) -> str:
        given = ", ".join(text for array in (left, right) for text in self.argument(array))
        return f"permutation_{SORTS[CELLS[left.sort]]}({given})"

    def same_arrays(self, left: LogicTerm, right: LogicTerm) -> str:
        index = unused("k", self.names.values())
        cells = f"{self.inner(left)}[{index}] == {self.inner(right)}[{index}]"
        everywhere = f"(forall {index}: int :: 0 <= {index} && {index} < {self.length(left)} ==> {cells})"
        return f"({self.length(left)} == {self.length(right)} && {everywhere})"

    def argument(self, term: LogicTerm) -> list[str]:
        """The term as an argument: an array is two."""
        return [self.inner(term), self.length(term)] if term.sort in CELLS else [self.inner(term)]


def length_name(array: str) -> str:
    """The key under which the name of the variable for the array's length is kept. No variable of a program has such a name."""
    return f"{array}.length"


def _flat(variables: Iterable[SortedVariable]) -> list[SortedVariable]:
    """The variables, and those for the lengths of arrays."""
    lengths = {variable: SortedVariable(length_name(variable.name), INT) for variable in variables}
    return [flat for variable, size in lengths.items() for flat in ((variable, size) if variable.sort in CELLS else (variable,))]


def boogie(program: LoweredProgram) -> str:
    program = asserting_measures(program)
    terms = BoogieTerms(_names(program))
    used = operations(program)
    if "ispow" in used:
        used |= {"floor.div", "floor.mod"}
    definitions = [text for name, (_, text) in HELPERS.items() if name in used]
    permuted = {part.args[0].sort for term in terms_of(program) for part in parts(term) if part.op == "permutation"}
    definitions += [OCCURRENCES.replace("SORT", SORTS[CELLS[array]]) for array in sorted(permuted)]
    definitions += [_aggregate(aggregate, terms) for aggregate in program.aggregates]
    return "\n\n".join([*definitions, *("\n".join(_procedure(function, terms)) for function in program.functions)]) + "\n"


def _names(program: LoweredProgram) -> Mapping[str, str]:
    """The names, and those of the variables for lengths."""
    names = dict(safe_names(all_names(program), BOOGIE_WORDS))
    variables = [variable for function in program.functions for variable in (*function.params, *function.locals)]
    variables += [param for aggregate in program.aggregates for param in aggregate.params]
    taken = {*names.values(), *BOOGIE_WORDS, *(f"{names[aggregate.name]}_inner" for aggregate in program.aggregates)}
    for array in dict.fromkeys(variable.name for variable in variables if variable.sort in CELLS):
        names[length_name(array)] = unused(f"{names[array]}_length", taken)
        taken.add(names[length_name(array)])
    return names


def _params(variables: Sequence[SortedVariable], names: Mapping[str, str]) -> str:
    return ", ".join(f"{names[variable.name]}: {SORTS[variable.sort]}" for variable in _flat(variables))


def _aggregate(aggregate: Aggregate, terms: BoogieTerms) -> str:
    names = terms.names
    given = (SortedVariable(aggregate.low, INT), SortedVariable(aggregate.high, INT), *aggregate.params)
    shorter = ", ".join(text for term in aggregate.before() for text in terms.argument(term))
    value = f"if {names[aggregate.high]} < {names[aggregate.low]} then {ZERO[aggregate.sort]}"
    value += f" else NAME_({shorter}) + {terms.inner(aggregate.last())}"
    arguments, params = ", ".join(names[variable.name] for variable in _flat(given)), _params(given, names)
    inner = f"{names[aggregate.name]}_inner({arguments})"
    # One level down the recursion is at its end, or it stays a name.
    low, high, only = names[aggregate.low], names[aggregate.high], terms.inner(aggregate.last())
    short = f"({high} < {low} ==> {inner} == {ZERO[aggregate.sort]}) && ({high} == {low} ==> {inner} == {only})"
    definition = _recursive(names[aggregate.name], params, SORTS[aggregate.sort], arguments, value)
    return f"{definition}\naxiom (forall {params} :: {{ {inner} }} {short});"


def _procedure(function: LoweredFunction, terms: BoogieTerms) -> list[str]:
    names = terms.names
    params = _params(function.params, names)
    returns = f" returns ({names['result']}: {SORTS[function.result]})" if function.result else ""
    clauses = [f"requires {terms(term)};" for term in function.requires]
    clauses += [f"ensures {terms(term)};" for term in function.ensures]
    declared = [f"var {names[variable.name]}: {SORTS[variable.sort]};" for variable in _flat(function.locals)]
    body = [*declared, *_block(function.body, terms)]
    return [f"procedure {names[function.name]}({params}){returns}", *indented(clauses), "{", *indented(body), "}"]


def _block(body: Iterable[LoweredStatement], terms: BoogieTerms) -> list[str]:
    return [line for statement in body for line in _statement(statement, terms)]


def _statement(statement: LoweredStatement, terms: BoogieTerms) -> list[str]:
    names = terms.names
    match statement:
        case SetTo(target, value):
            copied = value.sort in CELLS and terms.length(value) != names[length_name(target)]
            size = [f"{names[length_name(target)]} := {terms.length(value)};"] if copied else []
            return [f"{names[target]} := {terms(value)};", *size]
        case Forget(targets):
            return [f"havoc {', '.join(names[target.name] for target in _flat(targets))};"]
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
            given = ", ".join(text for argument in arguments for text in terms.argument(argument))
            return [f"call {names[target]} := {names[function]}({given});"]
        case LeaveLoop():
            return ["break;"]
        case LeaveFunction():
            return ["return;"]
