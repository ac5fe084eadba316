"""The stage of cases: min, max and abs by the signs that decide them."""

from __future__ import annotations

import pytest

from idg.prover.algebra import cases
from idg.prover.answers import Proved
from idg.prover.prove import Prover
from idg.vc.query import Query
from tests.support.attack.queries.prover_examples import make_query

HALF = "max(a, 0) // 2 - max(-a, 0) // 2"
"""What a / 2 means in C."""


@pytest.mark.parametrize(
    ("variables", "hypotheses", "goal"),
    [
        ("a: int", ["a % 2 = 0"], f"2 * ({HALF}) = a"),
        ("a: int", [], "max(a, 0) - max(-a, 0) = a"),
        (
            "a, b, p, q, x, y: int",
            ["a % 2 = 0", "b % 2 = 0", "q + a * b * p = x * y"],
            f"q + ({HALF}) * (b // 2) * (4 * p) = x * y",
        ),
        ("x, y: int", [], "abs(x) * abs(x) = x * x"),
        ("x, y: rat", ["x >= 0"], "min(x, y) * max(x, y) = x * y"),
        ("x, y: int", ["abs(x - y) = 0"], "x = y"),
    ],
)
def test_proved_by_cases(variables: str, hypotheses: list[str], goal: str) -> None:
    query = make_query(variables, hypotheses, goal)
    answer = cases.attempt(query)
    assert isinstance(answer, Proved)
    kept = tuple(query.hypotheses[index] for index in sorted(answer.core))
    assert isinstance(Prover().prove(Query(query.variables, kept, query.goal, query.info)), Proved), "its core suffices"


@pytest.mark.parametrize(
    ("variables", "hypotheses", "goal"),
    [
        ("a: int", [], f"2 * ({HALF}) = a"),
        ("x, y: int", [], "max(x, y) = x"),
        ("x: int", ["x >= -3"], "abs(x) = x"),
        ("x: int", ["x > 2"], "x > 1"),
        ("x, y, z, u, v: int", [], "max(x, y) + max(y, z) + max(z, u) + max(u, v) >= x + y + z + u"),
    ],
)
def test_not_proved_or_not_its_business(variables: str, hypotheses: list[str], goal: str) -> None:
    assert cases.attempt(make_query(variables, hypotheses, goal)) is None
