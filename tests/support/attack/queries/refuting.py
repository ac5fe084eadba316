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
from idg.sip.syntax import Expr, Type
from idg.sip.values import Scalar, Value
from idg.vc.query import Query
from tests.support.attack.encoding.own_cells import Beyond, Encoded
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


class Violations:
    """Formulas that say of queries that they are violated.

    To make terms of z3 takes most of the time of an attack on arrays, and queries of one program share most hypotheses. So terms of
    hypotheses are kept, for as long as queries have the same variables.
    """

    def __init__(self) -> None:
        self.begin({})

    def begin(self, variables: Mapping[str, Type]) -> None:
        self.variables = dict(variables)
        self.encoding = Encoding()
        fresh = {name: self.encoding.fresh(name, kind) for name, kind in variables.items()}
        self.terms = {name: term for name, (term, _) in fresh.items()}
        self.typed = [fits for _, fits in fresh.values()]
        self.known: dict[int, tuple[Expr, object, tuple[object, ...]]] = {}
        """By the identity of an expression: the expression, that it holds, and the limits within which the formula says so."""

    def of(self, query: Query) -> tuple[object, dict[str, object]]:
        """The formula that the hypotheses hold and the goal has a value and is false, and the terms of its variables.

        Arrays have at most as many cells as the tests' own encoding looks at. Raises `Beyond`.
        """
        if query.variables != self.variables:
            self.begin(query.variables)
        hypotheses = [self.held(hypothesis.expr) for hypothesis in query.hypotheses]
        goal, limits = self.read(query.goal)
        within = [*limits, *(limit for _, some in hypotheses for limit in some)]
        holds = (hold for hold, _ in hypotheses)
        return z3.And(*self.typed, *holds, goal.defined, z3.Not(goal.value), *within), dict(self.terms)

    def held(self, expr: Expr) -> tuple[object, tuple[object, ...]]:
        if id(expr) not in self.known:
            encoded, limits = self.read(expr)
            self.known[id(expr)] = (expr, encoded.holds, limits)
        return self.known[id(expr)][1:]

    def read(self, expr: Expr) -> tuple[Encoded, tuple[object, ...]]:
        self.encoding.limits = []
        encoded = self.encoding.read(expr, Place(self.terms, {}))
        return encoded, tuple(self.encoding.limits)


def refuting_state(query: Query, rng: random.Random, violations: Violations | None = None) -> Mapping[str, Value] | None:
    """Searches by the enumerator, by random states, and in a small share of the cases by cvc5."""
    if speaks_of_arrays(query):
        return _short_arrays(query, rng, violations or Violations())
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


def _short_arrays(query: Query, rng: random.Random, violations: Violations) -> Mapping[str, Value] | None:
    """A state with short arrays: a random one, or one that z3 finds by the tests' own encoding."""
    for state in _random_states(query, rng, SHORT_STATES, (1, 2, 2, 3, 4)):
        return state
    try:
        formula, terms = violations.of(query)
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
