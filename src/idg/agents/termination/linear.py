"""Measures of linear loops: the turns of a loop as linear inequalities, and the ranking functions of these as measures.

The turns are those of the verification conditions, with the facts that are proved. What is not linear in them is an unknown of its
own, of which at most a little is known; what is not read at all is left out. So a function that is found need not be a measure, and
the engine judges it like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, product

from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import inductive_facts
from idg.prover.ranking import ONE, Linear, LinearTurn, RankingFunction, nested_functions, ranking_functions
from idg.sip.checking.analysis import Loop
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Type, Unary
from idg.sip.text.printer import print_expression, print_measure
from idg.sip.trees.build import literal
from idg.sip.trees.logic import negate_inward
from idg.sip.trees.traverse import links
from idg.vc.paths import Path
from idg.vc.symbolic import ProgramTooLarge

CASES_MAX = 12
"""Cases into which the conditions of one way through the body are split. Conditions that would make more are left out."""
TURNS_MAX = 40
"""Turns, each case of each way, for which functions are sought."""
NESTED_TURNS_MAX = 12
"""The same for functions that fall in phases. All of them are sought at once, with all turns."""
VARIABLES_MAX = 12
"""Variables of which functions are sought; loops with more are not looked at."""


def linear_measure(engine: Engine, books: Books, loop: Loop) -> str | None:
    """A measure made of linear functions that fall in the turns of the loop, as far as they are linear."""
    kinds = engine.program.info.functions[loop.function].variables
    variables = [name for name in loop.columns if kinds[name] in (Type.INT, Type.NAT)]
    if not 0 < len(variables) <= VARIABLES_MAX or Type.RAT in kinds.values():
        return None
    known = inductive_facts(books)
    try:
        ends = engine.inquiry.analysis(loop.function, known, known).cut(loop.number).ends
    except ProgramTooLarge:
        return None
    naturals = [name for name in variables if kinds[name] is Type.NAT]
    turns = [turn for path in ends for turn in _turns(path, loop.number, variables, naturals)]
    functions = ranking_functions(turns, variables) if 0 < len(turns) <= TURNS_MAX else []
    functions = functions or (nested_functions(turns, variables) if 0 < len(turns) <= NESTED_TURNS_MAX else [])
    components = tuple(_component(function, index + 1 == len(functions)) for index, function in enumerate(functions))
    return print_measure(components) if components else None


def _component(function: RankingFunction, is_last: bool) -> Expr:
    """The function, clipped where it may become negative in turns that are left to later components."""
    terms = [(factor, Name(name)) for name, factor in function.factors.items()]
    terms.sort(key=lambda term: term[0] < 0)
    total: Expr | None = None
    for factor, name in terms:
        size: Expr = name if abs(factor) == 1 else Binary("*", Number(abs(factor)), name)
        if total is None:
            total = size if factor > 0 else Unary("-", size)
        else:
            total = Binary("+" if factor > 0 else "-", total, size)
    total = _plus(total or Number(0), function.constant)
    return total if function.is_bounded or is_last else Call("max", (Number(0), _plus(total, 1)))


def _plus(expr: Expr, value: int) -> Expr:
    return Binary("+" if value > 0 else "-", expr, Number(abs(value))) if value else expr


def _turns(path: Path, loop: int, variables: Sequence[str], naturals: Sequence[str]) -> Iterator[LinearTurn]:
    reader = _Reader()
    before = {name: reader.form(path.heads[loop][name]) for name in variables}
    after = {name: reader.form(path.values[name]) for name in variables}
    cases: list[list[Linear]] = [[]]
    for hypothesis in path.hypotheses:
        ways = list(islice(reader.cases(hypothesis.expr), CASES_MAX + 1))
        if len(cases) * len(ways) <= CASES_MAX:
            cases = [[*case, *way] for case in cases for way in ways]
    always = [*reader.laws, *(before[name] for name in naturals)]
    yield from (LinearTurn([*case, *always], before, after) for case in cases)


class _Reader:
    """Reads expressions over symbols as linear forms."""

    def __init__(self) -> None:
        self.laws: list[Linear] = []
        """What is at least 0 by the meaning of the unknowns that stand for other terms."""
        self._known: set[str] = set()

    def form(self, expr: Expr) -> Linear:
        value = literal(expr)
        if value is not None:
            return {ONE: Fraction(value)}
        match expr:
            case Name(name):
                return {name: Fraction(1)}
            case Unary("-", operand):
                return _scaled(self.form(operand), Fraction(-1))
            case Binary("+" | "-" as op, left, right):
                return _sum(self.form(left), self.form(right), Fraction(1 if op == "+" else -1))
            case Binary("*", left, right):
                for factor, other in ((left, right), (right, left)):
                    value = literal(factor)
                    if value is not None:
                        return _scaled(self.form(other), Fraction(value))
            case Binary("//" | "%" as op, left, right):
                divisor = literal(right)
                if isinstance(divisor, int) and divisor > 0:
                    return self._divided(op, left, divisor)
            case Call("max" | "min" | "abs" as function, arguments):
                return self._extreme(function, expr, [self.form(argument) for argument in arguments])
        return {_unknown(expr): Fraction(1)}

    def _divided(self, op: str, dividend: Expr, divisor: int) -> Linear:
        form = self.form(dividend)
        name = _unknown(Binary("//", dividend, Number(divisor)))
        quotient: Linear = {name: Fraction(1)}
        rest = _sum(form, quotient, Fraction(-divisor))
        if name not in self._known:
            self._known.add(name)
            self.laws += [rest, _sum({ONE: Fraction(divisor - 1)}, rest, Fraction(-1))]
        return quotient if op == "//" else rest

    def _extreme(self, function: str, expr: Expr, arguments: list[Linear]) -> Linear:
        name = _unknown(expr)
        extreme: Linear = {name: Fraction(1)}
        if name not in self._known:
            self._known.add(name)
            parts = [*arguments, _scaled(arguments[0], Fraction(-1))] if function == "abs" else arguments
            sign = Fraction(-1 if function == "min" else 1)
            self.laws += (_scaled(_sum(extreme, part, Fraction(-1)), sign) for part in parts)
        return extreme

    def cases(self, expr: Expr) -> Iterator[list[Linear]]:
        """Ways in which the condition may hold, one of which does; a part that is not read is left out."""
        match expr:
            case Boolean(value):
                yield from [[]] if value else []
            case Compare():
                for ways in product(*(self._compared(link) for link in links(expr))):
                    yield [form for way in ways for form in way]
            case Binary("&", left, right):
                for first in self.cases(left):
                    yield from ([*first, *second] for second in self.cases(right))
            case Binary("|", left, right):
                yield from self.cases(left)
                yield from self.cases(right)
            case Binary("->", left, right):
                yield from self.cases(negate_inward(left))
                yield from self.cases(right)
            case Unary("!", operand):
                opposite = negate_inward(operand)
                yield from [[]] if opposite == expr else self.cases(opposite)
            case _:
                yield []

    def _compared(self, link: Compare) -> list[list[Linear]]:
        left, right = (self.form(operand) for operand in link.operands)
        larger, smaller = _sum(left, right, Fraction(-1)), _sum(right, left, Fraction(-1))
        match link.ops[0]:
            case ">=":
                return [[larger]]
            case "<=":
                return [[smaller]]
            case ">":
                return [[_less_one(larger)]]
            case "<":
                return [[_less_one(smaller)]]
            case "=":
                return [[larger, smaller]]
        return [[_less_one(larger)], [_less_one(smaller)]]


def _unknown(expr: Expr) -> str:
    """The name of the unknown that stands for a term. Names of symbols have no brackets."""
    return f"({print_expression(expr)})"


def _scaled(form: Linear, factor: Fraction) -> Linear:
    return {name: value * factor for name, value in form.items()}


def _sum(left: Linear, right: Linear, factor: Fraction) -> Linear:
    total: dict[str, Fraction] = dict(left)
    for name, value in right.items():
        total[name] = total.get(name, Fraction(0)) + value * factor
    return {name: value for name, value in total.items() if value}


def _less_one(form: Linear) -> Linear:
    return _sum(form, {ONE: Fraction(1)}, Fraction(-1))
