"""Evaluates expressions in single states: the exact check behind every counterexample.

Compiled expressions are remembered, because the same hypotheses are evaluated again and again while the books change little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.limits import RunLimits
from idg.sip.running.compiler import Compiled, compile_states
from idg.sip.running.runner import Row, Undefined, evaluate_rows
from idg.sip.syntax import Boolean, Expr, Name, Number, Type
from idg.sip.trees.traverse import names
from idg.sip.values import Scalar, Value, scalar

DEFAULT_LIMITS = RunLimits(steps_max=100_000)
"""What the helpers that an expression calls may spend."""
COMPILED_MAX = 4_096
"""Expressions whose code is remembered; the one that was not used for longest is dropped."""


class _Same:
    """Makes a ModuleInfo a key of the cache by its identity, because it cannot be hashed by its value."""

    def __init__(self, info: ModuleInfo | None) -> None:
        self.info = info

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.info is other.info

    def __hash__(self) -> int:
        return id(self.info)


@lru_cache(COMPILED_MAX)
def _compiled(expr: Expr, variables: tuple[tuple[str, Type], ...], info: _Same) -> Compiled:
    return compile_states(info.info, dict(variables), expr)


def picking(places: Sequence[int]) -> Callable[[Row], Row]:
    """Takes the values at these places from a row."""
    match places:
        case []:
            return lambda _: ()
        case [place]:
            return lambda row: (row[place],)
        case _:
            return itemgetter(*places)


_Part = tuple[Compiled, Callable[[Row], Row]]
"""The code of an expression over just its own variables, and what takes their values from a row."""


class Evaluator:
    """Evaluates expressions over given variables."""

    def __init__(self, exprs: Sequence[Expr], variables: Mapping[str, Type], info: ModuleInfo | None = None) -> None:
        self.names = tuple(variables)
        self._exprs = exprs
        self._variables = variables
        self._info = info
        self._parts: list[_Part | None] = [None] * len(exprs)

    def _part(self, index: int) -> _Part:
        part = self._parts[index]
        if part is None:
            part = self._parts[index] = self._new_part(self._exprs[index], self._variables, self._info)
        return part

    def _new_part(self, expr: Expr, variables: Mapping[str, Type], info: ModuleInfo | None) -> _Part:
        own = names(expr)
        places = [place for place, name in enumerate(self.names) if name in own]
        kinds = tuple((self.names[place], variables[self.names[place]]) for place in places)
        return _compiled(expr, kinds, _Same(info)), picking(places)

    def on(self, state: Mapping[str, Value], limits: RunLimits = DEFAULT_LIMITS) -> list[Scalar | Undefined]:
        """The value of each expression in the state."""
        row: Row = tuple(state[name] for name in self.names)
        return [self.rows(index, [row], limits)[0] for index in range(len(self._parts))]

    def value(self, index: int, row: Row, limits: RunLimits = DEFAULT_LIMITS) -> Scalar | Undefined:
        """The value of the expression with this index on one row."""
        return self.rows(index, [row], limits)[0]

    def rows(self, index: int, rows: list[Row], limits: RunLimits = DEFAULT_LIMITS) -> list[Scalar | Undefined]:
        """The values of the expression with this index on many rows."""
        if not rows:
            return []
        compiled, picked = self._part(index)
        return evaluate_rows(compiled, list(map(picked, rows)), {}, limits)


def evaluate(
    expr: Expr, state: Mapping[str, Value], variables: Mapping[str, Type], info: ModuleInfo | None = None
) -> Scalar | Undefined:
    """The value of one expression, which is no array, in one state."""
    match expr:
        # Names and literals need no code.
        case Name(name):
            return scalar(state[name])
        case Number(value) | Boolean(value):
            return value
        case _:
            return Evaluator([expr], variables, info).on(state)[0]


def forget() -> None:
    """Drops the remembered code, for measuring from a cold start."""
    _compiled.cache_clear()
