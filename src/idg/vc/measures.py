"""Verification conditions of measures: in every turn of a loop the measure falls.

A measure is a list of components, the weightiest first. It falls in a turn if one component falls that was at least 0 before the
turn, and all components before it are as they were. Later components may do what they like. So a loop in whose every turn the
measure falls makes finitely many turns: of the components that fall infinitely often take the first. From some turn on no earlier
one falls, so only its own falls change it, and a whole number cannot fall again and again from values that are at least 0. A
Boolean falls from true to false. Of a rational number, a fall counts only if it is by 1 or more.

That a turn came to its end means that the calls that it made have returned, and conditions about the turn may use that. It says
nothing about calls that do not return: whether a program ends also depends on all functions that it calls (termination/ending.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from types import MappingProxyType

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record, replace
from idg.sip.syntax import Binary, Expr, Function, Number, Type
from idg.sip.trees.build import compare
from idg.sip.trees.logic import FALSE, TRUE, conjoin, either, negate
from idg.vc.helpers import Helpers
from idg.vc.paths import Path
from idg.vc.query import Query
from idg.vc.symbolic import Analysis, Executor, Invariants
from idg.vc.translate import CALL, Translated, Translator


class TurnQuery(Record):
    """A query about one way through the body of a loop."""

    query: Query
    path: Path


def falls_in_every_turn(analysis: Analysis, loop: int, measure: Sequence[Expr]) -> list[TurnQuery]:
    """The queries that the measure has a value before and after each turn, and falls."""
    return [
        TurnQuery(query, path) for path in analysis.cut(loop).ends for query in _falls_on(analysis, path, path.heads[loop], measure)
    ]


def _falls_on(analysis: Analysis, path: Path, head: Mapping[str, Expr], measure: Sequence[Expr]) -> list[Query]:
    executor = analysis.executor
    end = path.values
    queries: list[Query] = []
    sides: list[list[Translated]] = []
    for values in (head, end):
        side: list[Translated] = []
        for component in measure:
            translated, path = executor.translate(component, replace(path, values=values), executed=False)
            side.append(translated)
            for condition in translated.conditions:
                queries.append(executor.query(path.hypotheses, condition.expr, condition.call))
                if not condition.call:
                    path = executor.assume(path, condition.expr, "has a value")
        sides.append(side)
    return [*queries, executor.query(path.hypotheses, falling(*sides))]


def falling(before: Sequence[Translated], after: Sequence[Translated]) -> Expr:
    """The condition that the measure falls from these values to those."""
    ways: list[Expr] = []
    unchanged: list[Expr] = []
    for old, new in zip(before, after, strict=True):
        ways.append(conjoin([*unchanged, *_falls(old, new)]))
        unchanged.append(compare(new.expr, "=", old.expr))
    return reduce(either, ways)


def _falls(before: Translated, after: Translated) -> list[Expr]:
    if before.type is Type.BOOL:
        return [before.expr, negate(after.expr)]
    if Type.RAT in (before.type, after.type):
        return [compare(before.expr, ">=", Number(0)), compare(Binary("+", after.expr, Number(1)), "<=", before.expr)]
    return [compare(before.expr, ">=", Number(0)), compare(after.expr, "<", before.expr)]


# Recursion


def falls_in_calls(
    info: ModuleInfo, invariants: Invariants, function: str, helpers: Helpers, measures: Mapping[str, Sequence[Expr]]
) -> list[Query]:
    """The queries that in each call that the function makes within its group, the callee's measure is below the function's own.

    `measures`: those of the group's functions. No function of the group may be trusted: that its call came to an end is not known
    here.
    """
    assert not helpers.trusted & measures.keys(), "what is to be shown must not be assumed"
    executor = _RecursionExecutor(info, info.functions[function], invariants, helpers)
    executor.measures = measures
    executor.run()
    return [
        executor.query(obligation.path.hypotheses, obligation.goal, obligation.call)
        for obligation in executor.obligations
        if obligation.cause == CALL
    ]


class _RecursionExecutor(Executor):
    """Executes a function, and asks of each call within the group that the measure falls."""

    measures: Mapping[str, Sequence[Expr]] = MappingProxyType({})

    def translator(self, path: Path) -> Translator:
        translator = super().translator(path)
        translator.needed_of_call = self.needed_of_call
        return translator

    def needed_of_call(self, translator: Translator, callee: Function, arguments: tuple[Expr, ...]) -> Expr:
        if callee.name not in self.measures:
            return TRUE
        own = self.function.function
        given = {param.name: argument for param, argument in zip(callee.params, arguments, strict=True)}
        before = self._measured(translator, own, self.entry)
        after = self._measured(translator, callee, given)
        kinds = [[part.type is Type.BOOL for part in side] for side in (before, after)]
        if not before or kinds[0] != kinds[1]:
            return FALSE  # There is no measure, or two that cannot be compared.
        conditions = [condition for side in (before, after) for part in side for condition in part.conditions]
        if any(condition.call for condition in conditions):
            return FALSE
        return conjoin([*(condition.expr for condition in conditions), falling(before, after)])

    def _measured(self, translator: Translator, function: Function, values: Mapping[str, Expr]) -> list[Translated]:
        inner = translator.inner(function, values, values)
        inner.executed = False
        inner.needed_of_call = None
        return [inner.translate(component) for component in self.measures[function.name]]
