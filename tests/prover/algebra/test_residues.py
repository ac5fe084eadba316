"""The stage of remainders: what it must prove, what it must not, and a search for wrong proofs."""

from __future__ import annotations

from random import Random

import pytest

from idg.prover.algebra import residues
from idg.sip.syntax import Type
from idg.sip.text.expressions import parse_expression
from idg.vc.query import Hypothesis, Query
from tests.support.attack.queries.prover_examples import make_query
from tests.support.attack.queries.random_queries import RandomQueries, counterexample
from tests.support.volume import volume

RANDOM_QUERIES = volume(900, 6_000)
"""Random queries in all, shared by the six seeds of the test."""

PROVED: list[tuple[str, str, str, set[int]]] = [
    ("x: int", "", "(x*(x+1)) % 2 = 0", set()),
    ("x: int", "", "x*x % 4 = 0 | x*x % 4 = 1", set()),
    ("x: int", "", "x*x % 4 != 2", set()),
    ("x: int", "", "(x^3 - x) % 6 = 0", set()),
    ("x: int", "", "(x*(x+1)*(2*x+1)) % 6 = 0", set()),
    ("x, y: int", "", "x*x - 2 != 4*y", set()),
    ("x, y: int", "x = 2*y", "x % 2 = 0", {0}),
    ("x, y: int", "x = 2*y + 1", "x % 2 = 1", {0}),
    ("x: int", "x % 2 = 1", "x*x % 8 = 1", {0}),
    ("x: int", "x % 6 = 5", "x % 3 = 2 & x % 2 = 1", {0}),
    ("x, y: int", "x >= 0; x % 2 = 0; y = x", "(y + 2) % 2 = 0", {1, 2}),
    ("x: int", "x % 4 = 2", "(x // 2) % 2 = 1", {0}),
    ("x: int", "", "(x % 6) % 3 = x % 3", set()),
    ("x: int", "x % 2 = 0", "(-x) % -2 = 0", {0}),
    ("x: int", "", "x % -3 <= 0", set()),
    ("x: int", "", "x % 5 >= 0 & x % 5 < 5", set()),
    ("x, y: int", "x % 9 = y % 9", "(10*x) % 9 = y % 9", {0}),
    ("x, y: int", "2*x = 2*y", "x % 2 = y % 2", {0}),
    ("b: bool, c: int", "b = (c % 2 = 0)", "b -> c % 2 = 0", {0}),
    ("b: bool, c: int", "b -> c % 2 = 0; !b -> c % 2 = 1", "!b -> (c + 1) % 2 = 0", {1}),
    ("x: int", "x = 3*(x // 3)", "x % 3 = 0", {0}),
    ("n, a, b, c, d: int", "a = 2*n; b = a + 2; c = b*b; d = c + 4*a", "d % 4 = 0", {0, 1, 2, 3}),
    ("x, y, z: int", "x*x + y*y = 4*z + 3", "false", {0}),
    ("x, g: int", "g = 2 * gcd(x, 7)", "g % 2 = 0", {0}),
]

NOT_PROVED: list[tuple[str, str, str]] = [
    ("x: int", "", "x*x % 3 != 1"),
    ("x: int", "x % 2 = 0", "x % 4 = 0"),
    ("x: rat", "", "x*x != 2"),
    ("x: int, r: rat", "x = 2*r", "x % 2 = 0"),
    ("x: int", "", "(x // 2) % 2 = x % 2"),
    ("x: int", "", "x % -3 < 0"),
    ("x: int", "", "x % 5 > 0"),
    ("x, y: int", "x % 9 = y % 9", "x = y"),
    ("x, y: int", "x % 3 = y % 3", "x % 9 = y % 9"),
    ("b: bool, c: int", "b -> c % 2 = 0", "!b -> c % 2 = 1"),
    ("x, y: int", "x = 2*y", "x % 2 = 0 & y % 2 = 0"),
    ("x, y: int", "", "x % y < y"),
    ("x, y: int", "", "x != y"),
    ("x, y, z: int", "x*x + y*y = 4*z + 2", "false"),
]


def split(text: str) -> list[str]:
    return text.split("; ") if text else []


@pytest.mark.parametrize(("variables", "hypotheses", "goal", "core"), PROVED)
def test_proved(variables: str, hypotheses: str, goal: str, core: set[int]) -> None:
    query = make_query(variables, split(hypotheses), goal)
    answer = residues.attempt(query)
    assert answer is not None
    assert answer.core == core


@pytest.mark.parametrize(("variables", "hypotheses", "goal"), NOT_PROVED)
def test_not_proved(variables: str, hypotheses: str, goal: str) -> None:
    assert residues.attempt(make_query(variables, split(hypotheses), goal)) is None


def test_whole_quotients() -> None:
    query = Query({"x": Type.INT}, (), parse_expression("iswhole(x*(x + 1) / 2)"))
    assert residues.attempt(query) is not None
    assert residues.attempt(Query({"x": Type.RAT}, (), query.goal)) is None
    assert residues.attempt(Query({"x": Type.INT}, (), parse_expression("iswhole(x*(x + 1) / 4)"))) is None


class RemainderQueries(RandomQueries):
    """Random queries with remainders nearly everywhere."""

    def comparison(self) -> str:
        pick = self.random
        left, right = self.number(3), self.number(1)
        if pick.random() < 0.7:
            modulus = pick.choice(["2", "3", "4", "6", "(-2)", "(-4)"])
            return f"({left}) % {modulus} {pick.choice(['=', '=', '!=', '<='])} {pick.choice([f'({right}) % {modulus}', '0', '1'])}"
        return f"{left} {pick.choice(['=', '!='])} {right}"


@pytest.mark.parametrize("seed", range(6))
def test_random_proofs_stand(seed: int) -> None:
    queries, random = RemainderQueries(seed), Random(seed)
    proved = 0
    for _ in range(RANDOM_QUERIES // 6):
        query = queries.query()
        answer = residues.attempt(query)
        if answer is not None:
            proved += 1
            state = counterexample(query, answer, random)
            assert state is None, f"{query}\n{answer}\n{state}"
    assert proved > RANDOM_QUERIES // 6 // 10


LARGE = ["x^1000000 % 2 = 1", f"x % {'9' * 500} = 0", "x % 0 = 0", "x % 997 != 5", "x // 8 // 8 // 8 % 8 != 5"]


@pytest.mark.parametrize("text", LARGE)
def test_large_input_is_given_up(text: str) -> None:
    goal = parse_expression(text)
    assert residues.attempt(Query({"x": Type.INT}, (Hypothesis(parse_expression("x % 1000003 = 1")),), goal)) is None
