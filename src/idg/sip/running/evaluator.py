"""Evaluates expressions in single states: the exact check behind every counterexample.

Compiled expressions are remembered: the same hypotheses are evaluated again and again while the books change little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.limits import RunLimits
from idg.sip.running.compiler import Compiled, compile_states
from idg.sip.running.runner import Row, Undefined, evaluate_rows
from idg.sip.syntax import Boolean, Expr, Name, Number, Type
from idg.sip.traverse import names
from idg.sip.values import Value

DEFAULT_LIMITS = RunLimits(steps_max=100_000)
COMPILED_MAX = 4_096
"""Expressions whose code is remembered."""


class _Same:
    """Compares by identity, for what is not hashable by value."""

    def __init__(self, info: ModuleInfo | None) -> None:
        self.info = info

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.info is other.info

    def __hash__(self) -> int:
        return id(self.info)


@lru_cache(COMPILED_MAX)
def _compiled(expr: Expr, variables: tuple[tuple[str, Type], ...], info: _Same) -> Compiled:
    return compile_states(info.info, dict(variables), expr)


class Evaluator:
    """Expressions over given variables."""

    def __init__(self, exprs: Sequence[Expr], variables: Mapping[str, Type], info: ModuleInfo | None = None) -> None:
        self.names = tuple(variables)
        self._parts = [self._part(expr, variables, info) for expr in exprs]

    def _part(self, expr: Expr, variables: Mapping[str, Type], info: ModuleInfo | None) -> tuple[Compiled, list[int]]:
        """The expression's code over just its own variables, and where these stand in a row."""
        own = names(expr)
        places = [at for at, name in enumerate(self.names) if name in own]
        return _compiled(expr, tuple((self.names[at], variables[self.names[at]]) for at in places), _Same(info)), places

    def on(self, state: Mapping[str, Value], limits: RunLimits = DEFAULT_LIMITS) -> list[Value | Undefined]:
        """The value of each expression in the state."""
        row: Row = tuple(state[name] for name in self.names)
        return [self.rows(at, [row], limits)[0] for at in range(len(self._parts))]

    def rows(self, at: int, rows: list[Row], limits: RunLimits = DEFAULT_LIMITS) -> list[Value | Undefined]:
        """The values of the expression with this index on many rows."""
        compiled, places = self._parts[at]
        return evaluate_rows(compiled, [tuple(row[place] for place in places) for row in rows], {}, limits)


def evaluate(
    expr: Expr, state: Mapping[str, Value], variables: Mapping[str, Type], info: ModuleInfo | None = None
) -> Value | Undefined:
    match expr:
        case Name(name):
            return state[name]
        case Number(value) | Boolean(value):
            return value
        case _:
            return Evaluator([expr], variables, info).on(state)[0]


def forget() -> None:
    """Drop the remembered code, for measuring from a cold start."""
    _compiled.cache_clear()
