"""Whether recursion ends: from each call to the calls that it makes within its group, a measure falls.

In these conditions nothing is assumed of calls within the group. That such a call came to an end is what is to be shown, so its
contract must not help to show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from idg.engine.inquiry import Inquiry
from idg.engine.results import Fact
from idg.prover.answers import Proved
from idg.sip.record import replace
from idg.sip.syntax import Expr, Name, Type
from idg.vc.measures import falls_in_calls
from idg.vc.symbolic import ProgramTooLarge

TRIED_MAX = 16
"""Choices of parameters, one for each function of a group, that are tried as measures where none are stated."""

Measures = Mapping[str, Sequence[Expr]]
"""For each function of a group, the components of its measure."""


def group_ends(inquiry: Inquiry, group: frozenset[str], facts: Sequence[Fact]) -> bool:
    """Whether calls within the group cannot go on for ever; `facts`: what is proved."""
    if group <= inquiry.program.info.calls.ending():
        return True
    return any(_fall(inquiry, measures, facts) for measures in islice(_measures(inquiry, group), TRIED_MAX))


def _measures(inquiry: Inquiry, group: frozenset[str]) -> Iterator[Measures]:
    """The measures that the functions state or, where none states one, a parameter of each function."""
    functions = [inquiry.program.info.functions[name].function for name in sorted(group)]
    if any(function.measure for function in functions):
        yield {function.name: function.measure for function in functions}
        return
    params = [[(Name(param.name),) for param in function.params if param.type is not Type.BOOL] for function in functions]
    for chosen in product(*params):
        yield {function.name: measure for function, measure in zip(functions, chosen, strict=True)}


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
