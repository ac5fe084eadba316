"""The exact check that every refuting state passes before it leaves the prover."""

from __future__ import annotations

from collections.abc import Mapping

from idg.sip.evaluator import Evaluator
from idg.sip.values import InputError, Value, fit
from idg.vc.query import Query


def refutes(query: Query, state: Mapping[str, Value]) -> bool:
    """Whether every hypothesis is true in the state and the goal is not: false, or without a value."""
    try:
        fitted = {name: fit(state[name], kind) for name, kind in query.variables.items()}
    except InputError:
        return False
    exprs = [each.expr for each in query.hypotheses]
    *hypotheses, goal = Evaluator([*exprs, query.goal], query.variables, query.info).on(fitted)
    return all(value is True for value in hypotheses) and goal is not True
