"""Terms of first-order logic with integers and rationals: what verification conditions are made of.

Every operation is total here, as in SMT-LIB. That a SIP expression has a value is a condition of its own (conditions.py). The
functions `div` and `mod` have a positive literal as their divisor; then they round down in SMT-LIB as in SIP. The names of calls:

    floor.div, floor.mod, quotient      //, % and / by a divisor that is no positive literal; any value where it is zero
    pow.int, pow.rat, gcd, ispow        as in SIP; any value of a power with a negative exponent
    NAME.call                           the value of the helper NAME, where a call of it ends
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from idg.sip.values import Scalar

BOOL, INT, REAL = "Bool", "Int", "Real"
EVALUATED_BITS_MAX = 10_000
"""Bits of a power that is still computed when a condition is evaluated in a state."""


class LogicTerm(NamedTuple):
    op: str
    """'symbol', 'number', 'true', 'false', 'call', or an operation of SMT-LIB."""
    sort: str
    args: tuple[LogicTerm, ...] = ()
    name: str = ""
    """Of a symbol or a called function."""
    value: int | Fraction = 0
    """Of a number."""


TRUE, FALSE = LogicTerm("true", BOOL), LogicTerm("false", BOOL)


def number(value: int | Fraction, sort: str = "") -> LogicTerm:
    whole = value.denominator == 1
    return LogicTerm("number", sort or (INT if whole else REAL), value=value.numerator if whole else value)


def symbol(name: str, sort: str) -> LogicTerm:
    return LogicTerm("symbol", sort, name=name)


def call(name: str, sort: str, *args: LogicTerm) -> LogicTerm:
    return LogicTerm("call", sort, args, name)


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


def compare(op: str, left: LogicTerm, right: LogicTerm) -> LogicTerm:
    """`left op right` for one of = != < <= > >=; the term has only =, < and <=."""
    if op in (">", ">="):
        left, right, op = right, left, {">": "<", ">=": "<="}[op]
    if op == "!=":
        return negation(compare("=", left, right))
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
    yield term
    for arg in term.args:
        yield from parts(arg)


def smtlib(term: LogicTerm) -> str:
    """The term as SMT-LIB writes it."""
    match term.op:
        case "symbol":
            return term.name
        case "number":
            over, under = abs(term.value.numerator), term.value.denominator
            digits = str(over) if term.sort == INT else f"{over}.0" if under == 1 else f"(/ {over}.0 {under}.0)"
            return digits if term.value >= 0 else f"(- {digits})"
        case "true" | "false":
            return term.op
        case _:
            name = term.name or term.op
            return f"({name} {' '.join(map(smtlib, term.args))})" if term.args else name


def degree_max(formulas: Iterable[LogicTerm]) -> int:
    """The highest degree of a polynomial, if each symbol is replaced by the term that an equation before says it is."""
    degrees: dict[str, int] = {}

    def degree(term: LogicTerm) -> int:
        if term.op == "symbol":
            return degrees.get(term.name, 1)
        inner = [degree(arg) for arg in term.args]
        return sum(inner) if term.op == "*" else max(inner, default=0)

    highest = 0
    for formula in formulas:
        highest = max(highest, degree(formula))
        if formula.op == "=" and formula.args[0].op == "symbol":
            degrees[formula.args[0].name] = max(degree(formula.args[1]), degrees.get(formula.args[0].name, 1))
    return highest


def over_reals(term: LogicTerm) -> LogicTerm:
    """The formula over real numbers: if that is unsatisfiable, so is the formula. Raises NoMeaning where it needs whole ones."""
    if term.op in ("div", "mod", "is_int"):
        raise NoMeaning(term.op)
    if term.op == "to_real":
        return over_reals(term.args[0])
    return term._replace(sort=REAL if term.sort == INT else term.sort, args=tuple(map(over_reals, term.args)))


class NoMeaning(Exception):
    """A term cannot be evaluated exactly, for example because it calls a helper that does not end."""


def evaluate(term: LogicTerm, state: Mapping[str, Scalar], helper: Callable[[str, list[Scalar]], Scalar]) -> Scalar:
    """The exact value, with every function's true meaning. `helper` gives the values of calls of helpers."""
    match term.op:
        case "symbol":
            return state[term.name]
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
    values = [evaluate(arg, state, helper) for arg in term.args]
    if term.op == "call":
        return helper(term.name.removesuffix(".call"), values) if term.name.endswith(".call") else _known(term.name, values)
    return _OPERATIONS[term.op](*values)


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


def _known(name: str, values: list[Scalar]) -> Scalar:
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
