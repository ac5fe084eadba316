"""Terms of SMT-LIB as expressions of SIP. Whole numbers and truth values are read; anything else is refused.

SIP has no conditional expression. A number that depends on conditions is carried as its cases until a comparison is reached, which
then is a disjunction over the cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise, product

from idg.importer.horn.sexprs import SAtom, SExpr, SList, SPlace, head_of, items_of, refusal, symbol_of
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Expr, Name, Type
from idg.sip.trees.build import compare, negative, number, whole_literal
from idg.sip.trees.logic import both_folded, conjoin, either, implies, negate

CASES_MAX = 64
"""How many cases one number may have."""
TERMS_MAX = 50_000
"""How many terms are read for one problem; defined functions are read again wherever they are used."""
SORTS = {"Int": Type.INT, "Bool": Type.BOOL}
SORT_NAMES = {kind: name for name, kind in SORTS.items()}
TRUE, FALSE = Boolean(True), Boolean(False)
COMPARISONS = {"=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Cases(Record):
    """A whole number: its value in each case. The conditions exclude each other, and one of them holds."""

    cases: tuple[tuple[Expr, Expr], ...]


Meaning = Expr | Cases
"""A truth value, or a whole number."""


class DefinedFunction(Record):
    params: tuple[tuple[str, Type], ...]
    result: Type
    body: SExpr


class TermReader:
    """Reads terms, with the functions that the text defines."""

    def __init__(self) -> None:
        self.functions: dict[str, DefinedFunction] = {}
        self.read = 0

    def define(self, command: SList) -> None:
        """`(define-fun name ((x Int) …) Int body)`."""
        _, name, params, result, body = items_of(command, "(define-fun name (parameters) sort body)", 5)
        defined = DefinedFunction(sorted_names(params), sort_of(result), body)
        word = symbol_of(name, "the name of a function")
        if word in self.functions:
            raise refusal(name.place, f"{word} is defined already")
        self.functions[word] = defined

    def condition(self, expr: SExpr, names: Mapping[str, Meaning]) -> Expr:
        meaning = self.meaning(expr, names)
        if isinstance(meaning, Cases):
            raise refusal(expr.place, "here should stand a condition, and this is a number")
        return meaning

    def cases(self, expr: SExpr, names: Mapping[str, Meaning]) -> Cases:
        meaning = self.meaning(expr, names)
        if not isinstance(meaning, Cases):
            raise refusal(expr.place, "here should stand a number, and this is a condition")
        return meaning

    def meaning(self, expr: SExpr, names: Mapping[str, Meaning]) -> Meaning:
        self.read += 1
        if self.read > TERMS_MAX:
            raise refusal(expr.place, f"the problem has more than {TERMS_MAX:,} terms, counted with all definitions")
        if isinstance(expr, SAtom):
            return self.atom(expr, names)
        if not expr.items:
            raise refusal(expr.place, "an empty list is no term")
        word, given = head_of(expr), expr.items[1:]
        if word == "let":
            return self.let(expr, names)
        if word == "!" and given:  # An annotation says nothing about the meaning.
            return self.meaning(given[0], names)
        if word in self.functions:
            return self.call(word, given, names, expr.place)
        operation = _OPERATIONS.get(word)
        if operation is None or not given:
            raise refusal(expr.place, f"{word or 'this'} is not read", "whole numbers and truth values without quantifiers are")
        return operation(self, expr, given, names)

    def atom(self, expr: SAtom, names: Mapping[str, Meaning]) -> Meaning:
        if expr.text in names:
            return names[expr.text]
        if not expr.quoted:
            if expr.text.isdecimal() and expr.text.isascii():
                return one_case(number(int(expr.text)))
            if expr.text in ("true", "false"):
                return TRUE if expr.text == "true" else FALSE
        if expr.text in self.functions:
            return self.call(expr.text, (), names, expr.place)
        raise refusal(expr.place, f"{expr.text} is not declared here, or is no whole number")

    def let(self, expr: SList, names: Mapping[str, Meaning]) -> Meaning:
        _, bindings, body = items_of(expr, "(let ((name term) …) term)", 3)
        bound = dict(names)
        for binding in items_of(bindings, "((name term) …)"):
            name, value = items_of(binding, "(name term)", 2)
            bound[symbol_of(name, "a name")] = self.meaning(value, names)
        return self.meaning(body, bound)

    def call(self, word: str, given: Sequence[SExpr], names: Mapping[str, Meaning], place: SPlace) -> Meaning:
        function = self.functions[word]
        if len(given) != len(function.params):
            raise refusal(place, f"{word} has {len(function.params)} parameters, and gets {len(given)} values")
        values: dict[str, Meaning] = {}
        for (name, kind), value in zip(function.params, given, strict=True):
            values[name] = self.condition(value, names) if kind is Type.BOOL else self.cases(value, names)
        return self.condition(function.body, values) if function.result is Type.BOOL else self.cases(function.body, values)


def sorted_names(params: SExpr) -> tuple[tuple[str, Type], ...]:
    """`((x Int) (b Bool))`."""
    pairs = [items_of(param, "(name sort)", 2) for param in items_of(params, "((name sort) …)")]
    told = tuple((symbol_of(name, "a name"), sort_of(sort)) for name, sort in pairs)
    if len(dict(told)) < len(told):
        raise refusal(params.place, "a name stands twice in this list")
    return told


def sort_of(expr: SExpr) -> Type:
    if not isinstance(expr, SAtom) or expr.text not in SORTS:
        raise refusal(expr.place, "only the sorts Int and Bool are read")
    return SORTS[expr.text]


def one_case(value: Expr) -> Cases:
    return Cases(((TRUE, value),))


def meaning_of(name: str, kind: Type) -> Meaning:
    """What a variable is read as."""
    return Name(name) if kind is Type.BOOL else one_case(Name(name))


def combined(parts: Sequence[Cases], value: Callable[..., Expr], place: SPlace) -> Cases:
    """The value of an operation in each combination of the cases of its operands."""
    count = 1
    for part in parts:
        count *= len(part.cases)
    if count > CASES_MAX:
        raise refusal(place, f"a number depends on conditions in more than {CASES_MAX} ways")
    return Cases(
        tuple(
            (conjoin(condition for condition, _ in chosen if condition != TRUE), value(*(number for _, number in chosen)))
            for chosen in product(*(part.cases for part in parts))
        )
    )


def is_true(compared: Cases) -> Expr:
    """The condition that the value, a truth value in each case, is true."""
    told: Expr = FALSE
    for condition, value in compared.cases:
        told = either(told, both_folded(condition, value)) if told != FALSE else both_folded(condition, value)
    return told


_Operation = Callable[[TermReader, SList, Sequence[SExpr], Mapping[str, Meaning]], Meaning]


def _connective(join: Callable[[Expr, Expr], Expr], from_right: bool = False) -> _Operation:
    def meaning(reader: TermReader, expr: SList, given: Sequence[SExpr], names: Mapping[str, Meaning]) -> Meaning:
        first, *others = [reader.condition(one, names) for one in (reversed(given) if from_right else given)]
        for other in others:
            first = join(other, first) if from_right else join(first, other)
        return first

    return meaning


def _not(reader: TermReader, expr: SList, given: Sequence[SExpr], names: Mapping[str, Meaning]) -> Meaning:
    _counted(expr, given, 1)
    return negate(reader.condition(given[0], names))


def _ite(reader: TermReader, expr: SList, given: Sequence[SExpr], names: Mapping[str, Meaning]) -> Meaning:
    _counted(expr, given, 3)
    test = reader.condition(given[0], names)
    yes, no = reader.meaning(given[1], names), reader.meaning(given[2], names)
    if isinstance(yes, Cases) and isinstance(no, Cases):
        told = [(both_folded(test, condition), value) for condition, value in yes.cases]
        told += [(both_folded(negate(test), condition), value) for condition, value in no.cases]
        if len(told) > CASES_MAX:
            raise refusal(expr.place, f"a number depends on conditions in more than {CASES_MAX} ways")
        return Cases(tuple(told))
    if isinstance(yes, Cases) or isinstance(no, Cases):
        raise refusal(expr.place, "one branch is a number, and the other one a condition")
    return either(both_folded(test, yes), both_folded(negate(test), no))


def _comparison(reader: TermReader, expr: SList, given: Sequence[SExpr], names: Mapping[str, Meaning]) -> Meaning:
    op = COMPARISONS[head_of(expr)]
    if len(given) < 2:
        raise refusal(expr.place, f"{op} needs two operands")
    meanings = [reader.meaning(one, names) for one in given]
    if op == "=" and not any(isinstance(one, Cases) for one in meanings):
        pairs = [compare(left, "=", right) for left, right in pairwise(one for one in meanings if not isinstance(one, Cases))]
        return conjoin(pairs)
    numbers = [reader.cases(one, names) for one in given] if any(not isinstance(one, Cases) for one in meanings) else meanings
    return conjoin(
        is_true(combined([left, right], lambda one, other: compare(one, op, other), expr.place))
        for left, right in pairwise(one for one in numbers if isinstance(one, Cases))
    )


def _distinct(reader: TermReader, expr: SList, given: Sequence[SExpr], names: Mapping[str, Meaning]) -> Meaning:
    meanings = [reader.meaning(one, names) for one in given]
    return conjoin(_different(left, right, expr.place) for left, right in combinations(meanings, 2))


def _different(left: Meaning, right: Meaning, place: SPlace) -> Expr:
    if isinstance(left, Cases) and isinstance(right, Cases):
        return is_true(combined([left, right], lambda one, other: compare(one, "!=", other), place))
    if isinstance(left, Cases) or isinstance(right, Cases):
        raise refusal(place, "a number is compared with a condition")
    return negate(compare(left, "=", right))


def _arithmetic(reader: TermReader, expr: SList, given: Sequence[SExpr], names: Mapping[str, Meaning]) -> Meaning:
    op = head_of(expr)
    first, *others = [reader.cases(one, names) for one in given]
    if not others:
        return combined([first], negative, expr.place) if op == "-" else first
    for other in others:
        first = combined([first, other], lambda left, right: Binary(op, left, right), expr.place)
    return first


def _division(reader: TermReader, expr: SList, given: Sequence[SExpr], names: Mapping[str, Meaning]) -> Meaning:
    """SMT-LIB and SIP agree where the divisor is positive. In SMT-LIB remainders are never negative, so a negative divisor only
    gives the opposite quotient. Whatever SMT-LIB says of a divisor that is zero is not said in SIP."""
    _counted(expr, given, 2)
    left, right = (reader.cases(one, names) for one in given)
    if any(not whole_literal(value) for _, value in right.cases):
        raise refusal(expr.place, "a divisor is read only where it is a number other than 0, as it stands")

    def divided(one: Expr, other: Expr) -> Expr:
        divisor = whole_literal(other)
        assert divisor
        if head_of(expr) == "mod":
            return Binary("%", one, number(abs(divisor)))
        quotient = Binary("//", one, number(abs(divisor)))
        return quotient if divisor > 0 else negative(quotient)

    return combined([left, right], divided, expr.place)


def _absolute(reader: TermReader, expr: SList, given: Sequence[SExpr], names: Mapping[str, Meaning]) -> Meaning:
    _counted(expr, given, 1)
    return combined([reader.cases(given[0], names)], lambda value: Call("abs", (value,)), expr.place)


def _counted(expr: SList, given: Sequence[SExpr], count: int) -> None:
    if len(given) != count:
        raise refusal(expr.place, f"{head_of(expr)} with {len(given)} operands is not read")


_OPERATIONS: dict[str, _Operation] = {
    "and": _connective(both_folded),
    "or": _connective(either),
    "=>": _connective(implies, from_right=True),
    "xor": _connective(lambda left, right: negate(compare(left, "=", right))),
    "not": _not,
    "ite": _ite,
    "distinct": _distinct,
    "+": _arithmetic,
    "-": _arithmetic,
    "*": _arithmetic,
    "div": _division,
    "mod": _division,
    "abs": _absolute,
    **dict.fromkeys(COMPARISONS, _comparison),
}
