"""Terms of first-order logic with integers and rationals: what verification conditions are made of.

Every operation is total here, as in SMT-LIB. That a SIP expression has a value is a condition of its own (conditions.py). The
functions `div` and `mod` have a positive literal as their divisor; then they round down in SMT-LIB as in SIP. The names of calls:

    floor.div, floor.mod, quotient      //, % and / by a divisor that is no positive literal; any value where it is zero
    pow.int, pow.rat, gcd, ispow        as in SIP; any value of a power with a negative exponent
    NAME.call                           the value of the helper NAME, where a call of it ends

An array has a sort of SMT-LIB's arrays, and its length is a symbol of its own (NAME.len). Cells outside of 0..len - 1 exist in
SMT-LIB and mean nothing here. `forall`, `exists`, `sum` and `count` have three operands: the range, and the body in which a bound
variable occurs. `sorted` has an array and a range, `permutation` two arrays. What solvers are told of these is in aggregates.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from idg.sip.values import Scalar, State, Value, cells, scalar

BOOL, INT, REAL = "Bool", "Int", "Real"
ARRAYS = {sort: f"(Array Int {sort})" for sort in (BOOL, INT, REAL)}
"""For each sort of cells, the sort of their arrays."""
CELLS = {array: sort for sort, array in ARRAYS.items()}
QUANTIFIERS = frozenset({"forall", "exists"})
FORMULAS_KEPT = 2_048
"""Formulas of which it is kept what is asked again for each condition that they are hypotheses of."""
EVALUATED_BITS_MAX = 10_000
"""Bits of a power that is still computed when a condition is evaluated in a state."""
EVALUATED_RANGE_MAX = 1_000
"""Numbers of a range that are still looked at one by one when a condition is evaluated in a state."""


class LogicTerm(NamedTuple):
    op: str
    """'symbol', 'bound' (a variable of a quantifier), 'number', 'true', 'false', 'call', 'len', or an operation of SMT-LIB."""
    sort: str
    args: tuple[LogicTerm, ...] = ()
    name: str = ""
    """The name of a symbol, a bound variable or a called function; for a quantifier, the name of its variable."""
    value: int | Fraction = 0
    """The value of a number."""


TRUE, FALSE = LogicTerm("true", BOOL), LogicTerm("false", BOOL)


def number(value: int | Fraction, sort: str = "") -> LogicTerm:
    whole = value.denominator == 1
    return LogicTerm("number", sort or (INT if whole else REAL), value=value.numerator if whole else value)


def symbol(name: str, sort: str) -> LogicTerm:
    return LogicTerm("symbol", sort, name=name)


def call(name: str, sort: str, *args: LogicTerm) -> LogicTerm:
    return LogicTerm("call", sort, args, name)


def select(array: LogicTerm, index: LogicTerm) -> LogicTerm:
    return LogicTerm("select", CELLS[array.sort], (array, index))


def store(array: LogicTerm, index: LogicTerm, value: LogicTerm) -> LogicTerm:
    """The array with one cell changed."""
    return LogicTerm("store", array.sort, (array, index, value))


def length(array: LogicTerm) -> LogicTerm:
    return LogicTerm("len", INT, (array,))


def bound(name: str) -> LogicTerm:
    return LogicTerm("bound", INT, name=name)


def quantified(op: str, variable: LogicTerm, low: LogicTerm, high: LogicTerm, body: LogicTerm) -> LogicTerm:
    """What is said of, or computed from, all whole numbers from low to high: 'forall', 'exists', 'sum' or 'count'."""
    if op in QUANTIFIERS and body == (TRUE if op == "forall" else FALSE):
        return body
    sort = BOOL if op in QUANTIFIERS else INT if op == "count" else body.sort
    return LogicTerm(op, sort, (low, high, body), variable.name)


def within(low: LogicTerm, middle: LogicTerm, high: LogicTerm) -> LogicTerm:
    return conjunction(compare(low, "<=", middle), compare(middle, "<=", high))


def instance(term: LogicTerm, number: LogicTerm) -> LogicTerm:
    """The body of a quantifier for this number, which has no bound variable of its own."""
    return _bound_replaced(term.args[2], term.name, number)


def _bound_replaced(term: LogicTerm, name: str, value: LogicTerm) -> LogicTerm:
    if term.op == "bound":
        return value if term.name == name else term
    if not term.args:
        return term
    return term._replace(args=tuple(_bound_replaced(arg, name, value) for arg in term.args))


def real(term: LogicTerm) -> LogicTerm:
    if term.sort == REAL:
        return term
    return number(term.value, REAL) if term.op == "number" else LogicTerm("to_real", REAL, (term,))


def same_sort(left: LogicTerm, right: LogicTerm) -> tuple[LogicTerm, LogicTerm]:
    return (left, right) if left.sort == right.sort else (real(left), real(right))


_FOLDED: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}


def arithmetic(op: str, left: LogicTerm, right: LogicTerm) -> LogicTerm:
    """`left op right` for one of + - *."""
    left, right = same_sort(left, right)
    if left.op == right.op == "number":
        return number(_FOLDED[op](Fraction(left.value), Fraction(right.value)), left.sort)
    return LogicTerm(op, left.sort, (left, right))


def compare(left: LogicTerm, op: str, right: LogicTerm) -> LogicTerm:
    """`left op right` for one of = != < <= > >=; the term has only =, < and <=."""
    if op in (">", ">="):
        left, right, op = right, left, {">": "<", ">=": "<="}[op]
    if op == "!=":
        return negation(compare(left, "=", right))
    left, right = same_sort(left, right)
    if left == right:
        return FALSE if op == "<" else TRUE
    if left.op == right.op == "number":
        low, high = left.value, right.value
        return TRUE if (low == high if op == "=" else low < high or (op == "<=" and low == high)) else FALSE
    return LogicTerm(op, BOOL, (left, right))


def negation(term: LogicTerm) -> LogicTerm:
    if term in (TRUE, FALSE):
        return FALSE if term == TRUE else TRUE
    return term.args[0] if term.op == "not" else LogicTerm("not", BOOL, (term,))


def conjunction(*terms: LogicTerm) -> LogicTerm:
    parts = [part for term in terms for part in (term.args if term.op == "and" else (term,)) if part != TRUE]
    if FALSE in parts:
        return FALSE
    return TRUE if not parts else parts[0] if len(parts) == 1 else LogicTerm("and", BOOL, tuple(parts))


def disjunction(left: LogicTerm, right: LogicTerm) -> LogicTerm:
    if TRUE in (left, right):
        return TRUE
    return right if left == FALSE else left if right == FALSE else LogicTerm("or", BOOL, (left, right))


def implication(condition: LogicTerm, conclusion: LogicTerm) -> LogicTerm:
    if condition == TRUE or conclusion == TRUE:
        return conclusion
    return TRUE if condition == FALSE else LogicTerm("=>", BOOL, (condition, conclusion))


def choice(condition: LogicTerm, yes: LogicTerm, no: LogicTerm) -> LogicTerm:
    yes, no = same_sort(yes, no)
    return LogicTerm("ite", yes.sort, (condition, yes, no))


def substitute(term: LogicTerm, values: Mapping[str, LogicTerm], known: dict[LogicTerm, LogicTerm]) -> LogicTerm:
    """The term with symbols replaced by terms of the same sort. `known` remembers parts that were done before with these values."""
    if term.op == "symbol":
        return values.get(term.name, term)
    if not term.args:
        return term
    if term not in known:
        known[term] = term._replace(args=tuple(substitute(arg, values, known) for arg in term.args))
    return known[term]


def parts(term: LogicTerm) -> Iterator[LogicTerm]:
    """The term and everything inside it, each as often as it occurs."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.args[::-1]


@lru_cache(FORMULAS_KEPT)
def operations(formula: LogicTerm) -> frozenset[str]:
    """The operations that occur in the formula."""
    return frozenset(part.op for part in parts(formula))


@lru_cache(FORMULAS_KEPT)
def formula_text(formula: LogicTerm) -> str:
    """The same as `smtlib`, kept because a formula is a hypothesis of many conditions."""
    return smtlib(formula)


def has_bound(term: LogicTerm) -> bool:
    """Whether a bound variable occurs in the term."""
    return any(part.op == "bound" for part in parts(term))


def smtlib(term: LogicTerm) -> str:
    """The term as SMT-LIB writes it."""
    match term.op:
        case "symbol" | "bound":
            return term.name
        case "len":
            return smtlib(length_symbol(term))
        case "all":
            [variable] = {part for part in parts(term) if part.op == "bound" and part.name == term.name}
            patterns = " ".join(f":pattern ({smtlib(pattern)})" for pattern in term.args[1:])
            return f"(forall (({variable.name} {variable.sort})) (! {smtlib(term.args[0])} {patterns}))"
        case "forall" | "exists":
            low, high, body = term.args
            ranged = implication if term.op == "forall" else conjunction
            return f"({term.op} (({term.name} Int)) {smtlib(ranged(within(low, bound(term.name), high), body))})"
        case "number":
            over, under = abs(term.value.numerator), term.value.denominator
            digits = str(over) if term.sort == INT else f"{over}.0" if under == 1 else f"(/ {over}.0 {under}.0)"
            return digits if term.value >= 0 else f"(- {digits})"
        case "true" | "false":
            return term.op
        case _:
            name = term.name or term.op
            return f"({name} {' '.join(map(smtlib, term.args))})" if term.args else name


def length_symbol(term: LogicTerm) -> LogicTerm:
    """The symbol, or the call, that stands for the length of an array in SMT-LIB."""
    [array] = term.args
    return array._replace(name=f"{array.name}.len", sort=INT)


def degree_max(formulas: Iterable[LogicTerm]) -> int:
    """The highest degree of a polynomial, if each symbol is replaced by the term that an equation before says it is; at least 1."""
    formulas = list(formulas)
    if not any("*" in operations(formula) for formula in formulas):
        return 1
    degrees: dict[str, int] = {}

    def degree(term: LogicTerm) -> int:
        if term.op in ("symbol", "bound"):
            return degrees.get(term.name, 1)
        inner = [degree(arg) for arg in term.args]
        return sum(inner) if term.op == "*" else max(inner, default=0)

    highest = 1
    for formula in formulas:
        highest = max(highest, degree(formula))
        if formula.op == "=" and formula.args[0].op == "symbol":
            degrees[formula.args[0].name] = max(degree(formula.args[1]), degrees.get(formula.args[0].name, 1))
    return highest


def over_reals(term: LogicTerm) -> LogicTerm:
    """The formula over real numbers: if that is unsatisfiable, so is the formula. Raises NoMeaning where it needs whole ones."""
    if term.op in ("div", "mod", "is_int", "select", "len", "bound", "sorted", "permutation"):
        raise NoMeaning(term.op)
    if term.op == "to_real":
        return over_reals(term.args[0])
    return term._replace(sort=REAL if term.sort == INT else term.sort, args=tuple(map(over_reals, term.args)))


class NoMeaning(Exception):
    """A term cannot be evaluated exactly, for example because it calls a helper that does not end."""


def evaluate(term: LogicTerm, state: State, helper: Callable[[str, list[Value]], Scalar]) -> Scalar:
    """The exact value, with every function's true meaning. `helper` gives the values of calls of helpers.

    A state gives a bound variable its value, too, while its quantifier's body is evaluated.
    """
    match term.op:
        case "symbol" | "bound":
            return scalar(state[term.name])
        case "len":
            return len(_array(term.args[0], state, helper))
        case "select":
            array, index = _array(term.args[0], state, helper), int(evaluate(term.args[1], state, helper))
            if not 0 <= index < len(array):
                raise NoMeaning("select")
            return array[index]
        case "forall" | "exists" | "sum" | "count":
            low, high = (int(evaluate(arg, state, helper)) for arg in term.args[:2])
            if high - low > EVALUATED_RANGE_MAX:
                raise NoMeaning(term.op)
            instances = (evaluate(term.args[2], {**state, term.name: index}, helper) for index in range(low, high + 1))
            return _RANGED[term.op](instances)
        case "sorted":
            low, high = (int(evaluate(arg, state, helper)) for arg in term.args[1:])
            array = _array(term.args[0], state, helper)
            if low < high and not 0 <= low < high < len(array):
                raise NoMeaning("sorted")
            return all(array[index] <= array[index + 1] for index in range(low, high))
        case "permutation":
            left, right = (_array(arg, state, helper) for arg in term.args)
            return sorted(left) == sorted(right)
        case "=" if term.args[0].sort in CELLS:
            left, right = (_array(arg, state, helper) for arg in term.args)
            return left == right
        case "number":
            return term.value
        case "true" | "false":
            return term.op == "true"
        case "and" | "or":
            return (all if term.op == "and" else any)(evaluate(arg, state, helper) for arg in term.args)
        case "=>":
            return not evaluate(term.args[0], state, helper) or evaluate(term.args[1], state, helper)
        case "ite":
            return evaluate(term.args[1 if evaluate(term.args[0], state, helper) else 2], state, helper)
    if term.op == "call" and term.name.endswith(".call"):
        return helper(term.name.removesuffix(".call"), [_argument(arg, state, helper) for arg in term.args])
    values = [evaluate(arg, state, helper) for arg in term.args]
    return _known(term.name, values) if term.op == "call" else _OPERATIONS[term.op](*values)


def _array(term: LogicTerm, state: State, helper: Callable[[str, list[Value]], Scalar]) -> tuple[Scalar, ...]:
    """The cells of an array: a symbol, or one with a cell changed."""
    if term.op == "symbol":
        return cells(state[term.name])
    if term.op != "store":
        raise NoMeaning(term.op)
    array, index = _array(term.args[0], state, helper), int(evaluate(term.args[1], state, helper))
    if not 0 <= index < len(array):
        raise NoMeaning("store")
    return (*array[:index], evaluate(term.args[2], state, helper), *array[index + 1 :])


def _argument(term: LogicTerm, state: State, helper: Callable[[str, list[Value]], Scalar]) -> Value:
    return _array(term, state, helper) if term.sort in CELLS else evaluate(term, state, helper)


_RANGED: dict[str, Callable[[Iterable[Scalar]], Scalar]] = {
    "forall": all,
    "exists": any,
    "sum": lambda values: sum(values, Fraction(0)),
    "count": lambda values: sum(value is True for value in values),
}
"""What is computed from the instances of a range."""
_OPERATIONS: dict[str, Callable[..., Scalar]] = {
    **_FOLDED,
    "/": lambda left, right: Fraction(left) / right,
    "div": lambda left, right: left // right,
    "mod": lambda left, right: left % right,
    "=": lambda left, right: left == right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    "not": lambda value: not value,
    "to_real": lambda value: value,
    "is_int": lambda value: Fraction(value).denominator == 1,
}
"""What the operations of SMT-LIB compute."""


FUNCTIONS = frozenset({"floor.div", "floor.mod", "quotient", "pow.int", "pow.rat", "gcd", "ispow"})
"""The functions of which laws are known: those of SIP that SMT-LIB lacks."""


def _known(name: str, values: list[Scalar]) -> Scalar:
    if name not in FUNCTIONS:
        raise NoMeaning(name)
    left, right = values
    if name.startswith("pow."):
        base = Fraction(left)
        if right < 0 or (abs(base) != 1 and (base.numerator * base.denominator).bit_length() * right > EVALUATED_BITS_MAX):
            raise NoMeaning(name)
        return base ** int(right)
    if name == "gcd":
        return gcd(int(left), int(right))
    if name == "ispow":
        return is_power(int(left), int(right))
    if right == 0:
        raise NoMeaning(name)
    return Fraction(left) / right if name == "quotient" else left // right if name == "floor.div" else left % right


def is_power(value: int, base: int) -> bool:
    """Whether value = base^j for some j >= 0."""
    while abs(base) > 1 and value != 0 and value % base == 0:
        value //= base
    return value == 1 or (abs(base) <= 1 and value == base)
