"""Evaluates expressions in single states: the exact check behind every counterexample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.sip.analysis import ModuleInfo
from idg.sip.compiler import compile_states
from idg.sip.limits import RunLimits
from idg.sip.runner import Row, Undefined, evaluate_rows
from idg.sip.syntax import Expr, Type
from idg.sip.values import Value

DEFAULT_LIMITS = RunLimits(steps_max=100_000)


class Evaluator:
    """Expressions over given variables, compiled once: `evaluator(states)` gives for each state the tuple of their values."""

    def __init__(self, exprs: Sequence[Expr], variables: Mapping[str, Type], info: ModuleInfo | None = None) -> None:
        self.names = tuple(variables)
        self._compiled = [compile_states(info, variables, expr) for expr in exprs]

    def on(self, state: Mapping[str, Value], limits: RunLimits = DEFAULT_LIMITS) -> list[Value | Undefined]:
        """The value of each expression in the state."""
        row: Row = tuple(state[name] for name in self.names)
        return [evaluate_rows(compiled, [row], {}, limits)[0] for compiled in self._compiled]

    def rows(self, at: int, rows: list[Row], limits: RunLimits = DEFAULT_LIMITS) -> list[Value | Undefined]:
        """The values of the expression with this index on many rows."""
        return evaluate_rows(self._compiled[at], rows, {}, limits)


def evaluate(expr: Expr, state: Mapping[str, Value], variables: Mapping[str, Type], info: ModuleInfo | None = None) -> Value | Undefined:
    return Evaluator([expr], variables, info).on(state)[0]
