"""The exact check that every refuting state passes before it leaves the prover."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from idg.sip.running.evaluator import Evaluator
from idg.sip.running.runner import Undefined
from idg.sip.running.runtime import KIND_OF_CAUSE
from idg.sip.values import InputError, Value, fit_value
from idg.vc.query import Query


def refutes(query: Query, state: Mapping[str, Value]) -> bool:
    """Whether every hypothesis is true in the state and the goal fails there. A state of wrong types refutes nothing.

    Nor does a state in which a call of the goal fails inside of the helper. Nobody asks for a value that a helper need not have: a
    call that the program has passed did return, so no run comes to this state.
    """
    try:
        fitted = {name: fit_value(state[name], kind) for name, kind in query.variables.items()}
    except InputError:
        return False
    evaluator = query_evaluator(query)
    row = tuple(fitted.values())
    goal = evaluator.value(len(query.hypotheses), row)
    in_helper = isinstance(goal, Undefined) and goal.in_program
    if in_helper or not fails(goal):
        return False
    return all(evaluator.value(index, row) is True for index in range(len(query.hypotheses)))


def query_evaluator(query: Query) -> Evaluator:
    """Evaluates the hypotheses of a query and, after them, its goal. The latest one is kept: one query meets many states."""
    for known, evaluator in _LATEST:
        if known is query:
            return evaluator
    exprs = [hypothesis.expr for hypothesis in query.hypotheses]
    evaluator = Evaluator([*exprs, query.goal], query.variables, query.info)
    _LATEST.append((query, evaluator))
    return evaluator


_LATEST: deque[tuple[Query, Evaluator]] = deque(maxlen=1)
"""The query that was evaluated last."""


def fails(value: Value | Undefined) -> bool:
    """Whether the value of a condition shows that it does not hold.

    It is False, or there is none, because of a division by zero, say. Where evaluation only reached a bound, nothing is known.
    """
    return value is False or (isinstance(value, Undefined) and KIND_OF_CAUSE[value.cause] == "failed")


def failing(values: Iterable[Value | Undefined]) -> Iterator[int]:
    """The places of the values that show that a condition does not hold. Nearly all are true, so these are passed over first."""
    return (place for place, value in enumerate(values) if value is not True and fails(value))
