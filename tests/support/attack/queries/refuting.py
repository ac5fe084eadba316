"""The search for a state that shows that a query was wrongly called proved."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

import z3

from idg.prover.answers import Refuted
from idg.prover.normal import speaks_of_arrays
from idg.prover.search import enumerator
from idg.prover.smt import cvc5_stage
from idg.sip.running.evaluator import Evaluator
from idg.sip.running.runner import Undefined
from idg.sip.running.runtime import KIND_OF_CAUSE
from idg.sip.values import Scalar, Value
from idg.vc.query import Query
from tests.support.attack.encoding.own_cells import Beyond
from tests.support.attack.encoding.own_encoding import short_arrays_model
from tests.support.attack.encoding.own_expressions import Encoding, Place
from tests.support.programs.drawn.run_inputs import seeded_value

ATTACK_STEPS = 1_500
"""Steps of the enumerator in its attack on a query that was proved."""
STATES = 40
"""Random states that are tried against a query that was proved."""
CVC5_SHARE = 0.01
"""Share of the proved queries that cvc5 attacks as well."""
CVC5_RLIMIT = 10_000
"""cvc5's own count of resources for one attack."""
SHORT_STATES = 120
"""The same for queries about arrays."""
MODEL_RLIMIT = 60_000
"""z3's own count of resources for a query about arrays."""


def is_false(value: Scalar | Undefined) -> bool:
    if isinstance(value, Undefined):
        return KIND_OF_CAUSE[value.cause] == "failed"
    return value is False


def refuting_state(query: Query, rng: random.Random) -> Mapping[str, Value] | None:
    """Searches by the enumerator, by random states, and in a small share of the cases by cvc5."""
    if speaks_of_arrays(query):
        return _short_arrays(query, rng)
    refuted = enumerator.attempt(query, ATTACK_STEPS)
    if refuted is not None:
        return refuted.state
    for state in _random_states(query, rng):
        return state
    if rng.random() < CVC5_SHARE:
        answer = cvc5_stage.attempt(query, CVC5_RLIMIT)
        if isinstance(answer, Refuted):
            return answer.state
    return None


def _short_arrays(query: Query, rng: random.Random) -> Mapping[str, Value] | None:
    """A state with short arrays: a random one, or one that z3 finds by the tests' own encoding."""
    for state in _random_states(query, rng, SHORT_STATES, (1, 2, 2, 3, 4)):
        return state
    try:
        formula, terms = violation(query)
    except Beyond:
        return None
    return short_arrays_model(formula, terms, MODEL_RLIMIT)


def _random_states(
    query: Query, rng: random.Random, count: int = STATES, reaches: Sequence[int] = (1, 2, 3, 5, 12, 1_000)
) -> Iterator[Mapping[str, Value]]:
    rows = []
    for _ in range(count):
        reach = rng.choice(reaches)
        rows.append(tuple(seeded_value(rng, kind, reach) for kind in query.variables.values()))
    evaluator = Evaluator([*(hypothesis.expr for hypothesis in query.hypotheses), query.goal], query.variables, query.info)
    count = len(query.hypotheses)
    rows = [row for row, value in zip(rows, evaluator.rows(count, rows), strict=True) if is_false(value)]
    for index in range(count):
        rows = [row for row, value in zip(rows, evaluator.rows(index, rows), strict=True) if value is True]
    for row in rows:
        yield dict(zip(query.variables, row, strict=True))


def violation(query: Query) -> tuple[object, dict[str, object]]:
    """The formula that the hypotheses hold and the goal has a value and is false, and the terms of its variables.

    Arrays have at most as many cells as the tests' own encoding looks at. Raises `Beyond`.
    """
    encoding = Encoding()
    terms = {name: encoding.fresh(name, kind) for name, kind in query.variables.items()}
    place = Place({name: term for name, (term, _) in terms.items()}, {})
    goal = encoding.read(query.goal, place)
    known = [encoding.read(hypothesis.expr, place).holds for hypothesis in query.hypotheses]
    formula = z3.And(*(typed for _, typed in terms.values()), *known, goal.defined, z3.Not(goal.value), *encoding.limits)
    return formula, {name: term for name, (term, _) in terms.items()}
