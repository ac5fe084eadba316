"""The stage of algebra: what it must prove, what it must not, and a search for wrong proofs."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from idg.prover.algebra import identities as algebra
from idg.prover.algebra import polynomials
from idg.prover.algebra.linear import Inequality, contradiction
from idg.prover.algebra.polynomials import atom
from idg.prover.answers import Proved
from idg.sip.syntax import Type
from idg.sip.text.expressions import parse_expression
from idg.vc.query import Hypothesis, Query
from tests.support.attack.queries.prover_examples import make_query
from tests.support.attack.queries.random_queries import RandomQueries, counterexample
from tests.support.volume import volume

RANDOM_QUERIES = volume(900, 6_000)
"""Random queries in all, shared by the six seeds of the test."""

PROVED: list[tuple[str, str, str, set[int]]] = [
    # equations
    ("cnt, sqr, odd, n: int", "sqr = (cnt+1)^2; odd = 2*cnt+1; sqr <= n", "sqr + (odd+2) = (cnt+1+1)^2", {0, 1}),
    ("a, cnt, res: int", "2*a = cnt*(cnt+1); res = cnt^3", "res + 6*a + 1 = (cnt+1)^3", {0, 1}),
    ("r, c: int", "6*r = c*(c+1)*(2*c+1)", "6*(r+(c+1)*(c+1)) = (c+1)*(c+2)*(2*(c+1)+1)", {0}),
    ("p, s, r, q: int", "1 = p*s - r*q", "1 = (p - q)*s - (r - s)*q", {0}),
    ("x, y, z: int", "x*y = 1; y*z = 1", "x = z", {0, 1}),
    ("x, y: rat", "x = y / 3", "3 * x = y", {0}),
    ("x, y: rat", "x * 0.5 = y", "x = 2 * y", {0}),
    ("x, y, z: int", "x != 0; x*y = x*z", "y = z", {0, 1}),
    ("a, b: int, x: rat", "b > 0; x = a / b", "b * x = a", {0, 1}),
    ("x, y, z: int", "x = y = z", "x = z", {0}),
    # equations from inequalities
    ("res, n, cnt, m: int", "res = n*cnt; cnt <= m; cnt >= m", "res = n*m", {0, 1, 2}),
    ("res, n, cnt, m: int", "res = n*cnt; cnt <= m; cnt > m - 1", "res = n*m", {0, 1, 2}),
    ("x, y, c, k: int", "2*x - y*y - y = 0; c <= k; c = y; !(c < k)", "2*x - k*k - k = 0", {0, 1, 2, 3}),
    # inequalities
    ("cnt, n, sqr: int", "cnt^2 <= n; sqr = (cnt+1)^2; sqr > n", "n < (cnt+1)^2", {1, 2}),
    ("x, y: int", "x < y; y < x + 2", "2 * y = 2 * x + 2", {0, 1}),
    ("x, y: int", "2 * x < 2 * y + 1", "x <= y", {0}),
    ("x: rat", "x > 0", "2 * x > x", {0}),
    ("x, y: int", "x >= 1; y >= 1", "x*y >= 1", {0, 1}),
    ("x, y: int", "x >= 1; y >= x", "x*y >= x*x", {0, 1}),
    ("x, y: int", "x >= 0; y >= 0; x*x < y*y", "x < y", {1, 2}),
    ("x, y: rat", "", "x*x + y*y >= 2*x*y", set()),
    ("x: int", "", "x*x >= x", set()),
    ("x, n: int", "x * x <= n", "n >= 0", {0}),
    ("x, n: int", "x*x <= n; x >= 1000", "n >= 1000000", {0, 1}),
    ("x, y: nat", "", "x * y + 1 > 0", set()),
    ("a: nat, r: int, x: rat", "a = 2*x + r*r - r; x > 0; !(x > r)", "r*r + r >= a & r*r - r < a", {0, 1, 2}),
    # disequations
    ("a, y: int", "a < y; !(a + 1 = y)", "a + 1 < y", {0, 1}),
    ("x: int", "x != 0", "x*x >= 1", {0}),
    ("x, y: int", "x = y + 1", "x != y", {0}),
    ("x, y: int", "x > y", "x != y", {0}),
    # connectives
    ("p, q: bool", "p; p -> q", "q", {0, 1}),
    ("p, q: bool", "p = q; q", "p", {0, 1}),
    ("x, y: int", "x = 0 | y = 0", "x*y = 0", {0}),
    ("x, y: int", "x > 3 -> y > x; x >= 5", "y >= 6", {0, 1}),
    ("x: int", "x >= 3", "x = 3 | x > 3", {0}),
    ("x: int", "x < 1; x > -1; x = 7", "false", {0, 2}),
    ("x: int", "", "x > 2 -> x >= 3", set()),
    ("x, y: int", "2 * x = 4 * y + 1", "false", {0}),
    # terms that are no polynomials
    ("x: int", "x % 2 = 0", "(x // 2) * 2 = x", {0}),
    ("x: int", "", "0 <= x % 7 < 7", set()),
    ("x, y: int", "", "(x + 6 * y) // 3 = x // 3 + 2 * y", set()),
    ("x: int", "", "-3 < x % -3 <= 0", set()),
    ("a, b, z, x, y: int", "z + x*y = a*b; y % 2 = 1", "z + x + 2*x*((y-1)//2) = a*b", {0, 1}),
    ("a, b: nat", "b >= 1", "a % b < b & a = b*(a//b) + a % b", {0}),
    ("k: nat, x: int", "x = 2^k", "2*x = 2^(k+1)", {0}),
    ("k, x: int", "x = 2^k; k >= 0", "2*x = 2^(k+1)", {0, 1}),
    ("k, m, x: int", "x = 3^k; k <= m; !(k < m)", "x = 3^m", {0, 1, 2}),
    ("k: nat, x, y: int", "y = x^(2*k)", "y = (x*x)^k", {0}),
    ("k: nat, x, y: int", "y = (x^3)^k", "x*y = x^(3*k + 1)", {0}),
    ("k: nat, x, y: int", "y = x^(2*k + 1)", "x*y = (x^2)^(k + 1)", {0}),
    ("e, r, x, y: int", "e >= 0; e % 2 = 0; y = r * x^e", "y = r * (x*x)^(e // 2)", {0, 1, 2}),
    ("e, r, x, y: int", "e >= 0; e % 2 != 0; y = r * x^e", "y = r * x * (x*x)^((e - 1) // 2)", {0, 1, 2}),
    ("a, b: int", "abs(a) <= b", "a <= b & -a <= b", {0}),
    ("a, b: int", "a <= b", "max(a, b) = b & min(a, b) = a", {0}),
    ("a, b, x, y: int", "a = x + y - x; gcd(a, b) = 3", "gcd(b, y) = 3", {0, 1}),
]

NOT_PROVED: list[tuple[str, str, str]] = [
    ("cnt, sqr, odd: int", "sqr = (cnt+1)^2; odd = 2*cnt", "sqr + (odd+2) = (cnt+1+1)^2"),
    ("x, y, z: int", "x*y = x*z", "y = z"),
    ("res, n, cnt, m: int", "res = n*cnt; cnt <= m; cnt > m - 2", "res = n*m"),
    ("x, y: rat", "x < y; y < x + 2", "y = x + 1"),
    ("x, y: rat", "x < y", "x + 1 <= y"),
    ("x: rat", "", "x*x >= x"),
    ("x, y: int", "x >= -1; y >= 1", "x*y >= -1"),
    ("x, y: int", "x*x < y*y", "x < y"),
    ("x: rat", "x != 0", "x*x >= 1"),
    ("a, b: int", "a <= b", "a*a <= b*b"),
    ("x, y: int", "x = 0 | y = 0", "x = 0"),
    ("p, q: bool", "p -> q; q", "p"),
    ("x, y: int", "x < y", "false"),
    ("x, y: rat", "2 * x = 4 * y + 1", "false"),
    ("k, x: int", "x = 2^k", "2*x = 2^(k+1)"),
    ("k: nat, x: int", "x > 1", "(x*x)^k = x^(k + 2)"),
    ("e, x: int", "e >= 0; x > 1", "(x*x)^(e // 2) = x^e"),
    ("k, x: int", "x > 1", "(x*x)^k = x^(2*k)"),
    ("a, b: int, x: rat", "x = a / b", "b * x = a"),
    ("a, b: nat", "", "a = b*(a//b) + a % b"),
    ("x, y: int", "", "(x + y) // 3 = x // 3 + y // 3"),
    ("x: int", "", "x // 2 + x // 2 = x"),
    ("a, b: int", "a <= b", "max(a, b) = a"),
    ("x: int", "x > 2 | x < 2", "x > 2"),
    ("x: int", "", "x = 3 | x > 3"),
]


def split(text: str) -> list[str]:
    return text.split("; ") if text else []


@pytest.mark.parametrize(("variables", "hypotheses", "goal", "core"), PROVED)
def test_proved(variables: str, hypotheses: str, goal: str, core: set[int]) -> None:
    query = make_query(variables, split(hypotheses), goal)
    answer = algebra.attempt(query)
    assert answer is not None
    assert answer.core == core
    alone = Query(query.variables, tuple(query.hypotheses[index] for index in sorted(answer.core)), query.goal)
    assert algebra.attempt(alone) is not None


@pytest.mark.parametrize(("variables", "hypotheses", "goal"), NOT_PROVED)
def test_not_proved(variables: str, hypotheses: str, goal: str) -> None:
    assert algebra.attempt(make_query(variables, split(hypotheses), goal)) is None


@pytest.mark.parametrize("seed", range(6))
def test_random_proofs_stand(seed: int) -> None:
    queries, random = RandomQueries(seed), Random(seed)
    proved = 0
    for _ in range(RANDOM_QUERIES // 6):
        query = queries.query()
        answer = algebra.attempt(query)
        if answer is not None:
            proved += 1
            state = counterexample(query, answer, random)
            assert state is None, f"{query}\n{answer}\n{state}"
    assert proved > RANDOM_QUERIES // 6 // 5


def test_a_redundant_hypothesis_does_no_harm() -> None:
    base = "z = 6*n + 6; y = 3*n*n + 3*n + 1; x = n*n*n"
    for extra in ("", "; y*z - 18*x - 12*y + 2*z - 6 = 0; z*z - 12*y - 6*z + 12 = 0"):
        answer = algebra.attempt(make_query("n, x, y, z: int", split(base + extra), "x + y = (n + 1)*(n + 1)*(n + 1)"))
        assert answer == Proved("algebra", frozenset({1, 2}))


@pytest.mark.parametrize(
    "text",
    [
        "x^1000000 = 1",
        "(x + y + z + 1)^40 > 0",
        f"x = {'9' * 1000}",
        "2^(2^100000) > x",
        " + ".join(f"x^{exponent}" for exponent in range(1, 45)) + " = 0",
        "(" * 60 + "x" + " + 1)" * 60 + " = x",
        " & ".join(f"x * y^{exponent} <= z^{exponent} - {exponent}" for exponent in range(1, 30)),
    ],
)
def test_large_input_is_given_up(text: str) -> None:
    kinds = dict.fromkeys("xyz", Type.INT)
    hypotheses = tuple(Hypothesis(parse_expression(text)) for text in (text, "x = y"))
    algebra.attempt(Query(kinds, hypotheses, parse_expression(text)))
    answer = algebra.attempt(Query(kinds, hypotheses, parse_expression("y = x")))
    assert answer is not None
    algebra.attempt(Query(kinds, (), parse_expression(text)))


def test_many_variables() -> None:
    names = [f"v{index}" for index in range(40)]
    hypotheses = tuple(Hypothesis(parse_expression(f"{left} <= {right}")) for left, right in pairwise(names))
    answer = algebra.attempt(Query(dict.fromkeys(names, Type.INT), hypotheses, parse_expression("v0 <= v2")))
    assert answer == Proved("algebra", frozenset({0, 1}))


def test_polynomials() -> None:
    x, y = atom(0), atom(1)
    total = polynomials.add({x: 1}, {y: 2, 0: -1})
    assert polynomials.power(total, 2) == polynomials.multiply(total, total)
    assert polynomials.substitute({x + x: 1, y: 1}, 0, {y: 1, 0: 1}, 2) == ({y + y: 1, y: 6, 0: 1}, 4)
    assert polynomials.reduce_by({x + x + y: 3, x: 1}, {x + y: -2, 0: 1}, x + y) == ({x: 5}, 2)
    assert list(polynomials.atoms_of(polynomials.support({x + y + y: 1}))) == [0, 1]
    assert polynomials.divides(x + y, x + x + y)
    assert not polynomials.divides(x + x, x + y + y)


def test_linear_contradictions() -> None:
    x, y = atom(0), atom(1)
    below, above, unrelated = (
        Inequality({x: -1, y: 1}, False, 1),
        Inequality({x: 1, y: -1, 0: -1}, False, 2),
        Inequality({x: 1}, False, 4),
    )
    assert contradiction([below, unrelated, above]) == 3
    assert contradiction([below, unrelated]) is None
    assert contradiction([Inequality({x: 2, y: -2}, False, 1), Inequality({x: -3, y: 3}, True, 2)]) == 3
    assert contradiction([Inequality({x: 2, y: -2}, False, 1), Inequality({x: -3, y: 3}, False, 2)]) is None


def test_of_many_goals_those_that_follow_at_once_are_told() -> None:
    """A disjunction follows by one of its parts, or by one from the negations of the others. Nothing is said without a proof."""
    query = make_query("x, y, n: int", ["x = 2 * y", "y >= 3", "y <= n | n < 0"], "true")
    goals = {
        "x >= 6": True,
        "x >= 7": False,
        "x >= 6 | n = 5": True,
        "n = 5 | y > 2 & x > 5": True,
        "x < n + 6 | n < x": True,
        "x < n | n < x": False,
        "n > 5 | n < 5": False,
        "x % 2 = 0 | n = 1": True,
        "y <= n | n < 0": False,
    }
    kinds = {"x": Type.INT, "y": Type.INT, "n": Type.INT}
    told = algebra.follows(query, [make_query("x, y, n: int", [], goal).goal for goal in goals])
    assert query.variables == kinds
    for goal, (text, follows) in zip(told, goals.items(), strict=True):
        assert goal == follows, text
