"""Whether recursion ends: from each call to the calls that it makes within its group, a measure falls.

These conditions assume nothing about calls within the group. What has to be shown is that such a call comes to an end, so its
contract must not help to show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations, product

from idg.engine.inquiry import Inquiry
from idg.engine.results import Fact
from idg.prover.answers import Proved
from idg.sip.record import replace
from idg.sip.syntax import Binary, Call, Compare, Expr, Function, Name, Number, Type, Unary
from idg.sip.trees.traverse import expressions, links, statement_expressions, statements
from idg.sip.trees.traverse import names as names_of
from idg.vc.measures import falls_in_calls
from idg.vc.symbolic import ProgramTooLarge

TRIED_MAX = 120
"""Choices of measures, one for each function of a group, that are tried where none are stated."""
SINGLE_MAX = 10
"""Components that are tried for a function, the simplest first."""

Measures = Mapping[str, Sequence[Expr]]
"""For each function of a group, the components of its measure."""


def falling_measures(inquiry: Inquiry, group: frozenset[str], facts: Sequence[Fact]) -> Measures | None:
    """Measures that show that calls within the group cannot go on for ever. There are none in the answer if the text alone shows
    it; the answer is None if nothing shows it. `facts`: what is proved."""
    if group <= inquiry.program.info.calls.ending():
        return {}
    tried = islice(_measures(inquiry, group), TRIED_MAX)
    return next((measures for measures in tried if _fall(inquiry, measures, facts)), None)


def _measures(inquiry: Inquiry, group: frozenset[str]) -> Iterator[Measures]:
    """The measures that the functions state or, where none states one, a parameter of each function."""
    functions = [inquiry.program.info.functions[name].function for name in sorted(group)]
    if any(function.measure for function in functions):
        yield {function.name: function.measure for function in functions}
        return
    single = [list(islice(_components(function), SINGLE_MAX)) for function in functions]
    # One after the other, so that functions with the same parameters get measures of the same shape first.
    for length in (1, 2):
        options = [[*permutations(components, length)] for components in single]
        for same in zip(*options, strict=False):
            yield {function.name: measure for function, measure in zip(functions, same, strict=True)}
        for chosen in product(*options) if len(functions) > 1 else ():
            yield {function.name: measure for function, measure in zip(functions, chosen, strict=True)}


def _components(function: Function) -> Iterator[Expr]:
    """What may fall from call to call: parameters, how they differ, and what the function's tests compare with parameters."""
    names = [Name(param.name) for param in function.params if param.type in (Type.INT, Type.NAT, Type.RAT)]
    yield from names
    known = {name.name for name in names}
    distinct: dict[Expr, None] = {}
    for statement in statements(function.body):
        for expr in statement_expressions(statement):
            for part in expressions(expr):
                for link in links(part) if isinstance(part, Compare) else ():
                    left, right = link.operands
                    for first, second in ((left, right), (right, left)):
                        if second != Number(0) and {*names_of(first), *names_of(second)} <= known:
                            distinct.setdefault(Binary("-", first, second))
    yield from (expr for expr in distinct if _is_plain(expr))
    yield from (Call("abs", (name,)) for name in names)
    yield from (Binary("-", first, second) for first in names for second in names if first != second)
    yield from (Binary("-", Number(0), name) for name in names)


def _is_plain(expr: Expr) -> bool:
    """Whether it is made of numbers and parameters by adding, subtracting and multiplying, so that it always has a value."""
    return all(
        isinstance(part, Name | Number) or (isinstance(part, Binary | Unary) and part.op in ("+", "-", "*"))
        for part in expressions(expr)
    )


def _fall(inquiry: Inquiry, measures: Measures, facts: Sequence[Fact]) -> bool:
    """Whether the measures fall in all calls within the group."""
    info = inquiry.program.info
    for name in measures:
        helpers = inquiry.helpers(name, facts)
        trusted = replace(helpers, trusted=helpers.trusted - measures.keys())
        invariants = {
            loop.number: tuple(inquiry.expr(fact) for fact in facts if fact.loop == loop.number)
            for loop in info.functions[name].loops
        }
        try:
            queries = falls_in_calls(info, invariants, name, trusted, measures)
        except ProgramTooLarge:
            return False
        if not isinstance(inquiry.check(queries).answer, Proved):
            return False
    return True
