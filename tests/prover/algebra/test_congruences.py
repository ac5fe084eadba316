"""Euclid's laws: remainders by divisors that are not literals."""

from __future__ import annotations

import itertools
import random

import pytest

from idg.prover.algebra import congruences
from idg.prover.answers import Proved
from idg.prover.check import refutes
from idg.prover.prove import Prover
from idg.vc.query import Query
from tests.support.attack.queries.prover_examples import Example
from tests.support.volume import volume

DIVISION = ("x = y * q + r", "0 <= r", "r < y")
LAWS = [
    Example("x, y, q, r: int", ("y > 0", *DIVISION), "r = x % y"),
    Example("x, y, q, r: int", ("y > 0", *DIVISION), "q = x // y"),
    Example("x, y, q, r: nat", ("x = q * y + r", "r < y"), "x // y = q & x % y = r"),
    Example("x, y, q, r: int", ("y < 0", "x = y * q + r", "r <= 0", "r > y"), "r = x % y"),
    Example("x, y, q, r: int", ("y < 0", "x = y * q + r", "r <= 0", "r > y"), "q = x // y"),
    Example("x, y, q, r: int", ("y < 0", "x = y * q + r", "0 <= r", "r < -y"), "r = x % (-y)"),
    Example("x, y, q, r: int", ("y < 0", "x = y * q + r", "0 <= r", "r < -y"), "-q = x // (-y)"),
    Example("x, y, q, r: int", ("x >= 0", "y > 0", *DIVISION), "r = max(x, 0) % abs(y)"),
    Example("x, y, q, r: int", ("x <= 0", "y < 0", "-x = -y * q + r", "0 <= r", "r < -y"), "r = max(-x, 0) % abs(y)"),
    Example("x, y, k: int", ("y != 0",), "(x + k * y) % y = x % y"),
    Example("x, y, k: int", ("y > 0",), "(x + k * y) // y = x // y + k"),
    Example("x, y, r: int", ("y > 0", "r % y = x % y", "r >= y"), "(r - y) % y = x % y"),
    Example("x, y, r: int", ("y > 0", "r % y = x % y", "0 <= r", "r < y"), "r = x % y"),
    Example("x, y, z: int", ("y > 0", "x % y = 0", "z % y = 0"), "(x + z) % y = 0"),
    Example("x, y, z: int", ("y > 0", "x % y = 0"), "x * z % y = 0"),
    Example("x, y, a, b: int", ("y != 0", "x % y = a % y"), "(x + b) % y = (a + b) % y"),
    Example("x, y, a, b: int", ("y != 0", "x % y = a % y"), "x * b % y = a * b % y"),
    Example("x, y, a, b: int", ("y + a != 0", "x = (y + a) * b^2"), "x % (y + a) = 0"),
    Example("x, y: int", ("y != 0",), "x = y * (x // y) + x % y"),
]
FALSE = [
    Example("x, y, q, r: int", ("x = y * q + r", "0 <= r", "r < y + 1"), "r = x % y"),
    Example("x, y, q, r: int", ("y > 0", "x = y * q + r", "r < y"), "r = x % y"),
    Example("x, y, q, r: int", ("y < 0", "x = y * q + r", "0 <= r", "r < -y"), "r = x % y"),
    Example("x, y: int", (), "(x + y) % y = x % y"),
    Example("x, y: int", ("y != 0", "2 * x = y"), "x % y = 0"),
    Example("x, y, z: int", ("y != 0", "x % z = 0"), "x % y = 0"),
    Example("x, y, z: int", ("y != 0", "z != 0"), "x % y = x % z"),
    Example("a, y: int, x: rat", ("y != 0", "a = y * x"), "a % y = 0"),
    Example("x, y, z: int", ("y != 0", "x * z = 0 & y = z"), "x % y = z % y + 1"),
    Example("x, y: int", ("y > 0",), "(x + y) % (2 * y) = x % (2 * y)"),
]


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_euclids_laws_are_proved(law: Example) -> None:
    answer = Prover().prove(law.query())
    assert isinstance(answer, Proved)
    # The hypotheses that it names are enough.
    query = law.query()
    core = tuple(query.hypotheses[index] for index in sorted(answer.core))
    assert isinstance(Prover().prove(Query(query.variables, core, query.goal)), Proved)


@pytest.mark.parametrize("claim", FALSE, ids=str)
def test_what_only_looks_like_a_law_is_not_proved(claim: Example) -> None:
    assert congruences.attempt(claim.query()) is None


def test_the_stage_proves_nothing_that_is_false_in_a_small_state() -> None:
    pick = random.Random(3)
    proofs = 0
    for _ in range(volume(600, 20_000)):
        query = _random_claim(pick).query()
        answer = congruences.attempt(query)
        if answer is None:
            continue
        proofs += 1
        core = tuple(query.hypotheses[index] for index in sorted(answer.core))
        smaller = Query(query.variables, core, query.goal)
        for values in itertools.islice(itertools.product((0, 1, -1, 2, -2, 3), repeat=len(query.variables)), 1_300):
            state = dict(zip(query.variables, values, strict=True))
            assert not refutes(smaller, state), (smaller, state)
    assert proofs > 20


def _random_claim(pick: random.Random) -> Example:
    """A claim about remainders by d, with hypotheses that make it true now and then."""

    def term() -> str:
        return pick.choice(("a", "b", "c", "0", "1", "a + b", "a - d", "c * d", "b + c * d", "2 * a", "a * b", "d * d - c"))

    def equation() -> str:
        left, right = term(), term()
        return pick.choice((f"({left}) % d = ({right}) % d", f"{left} = {right}", f"({left}) // d = {right}", f"({left}) % d = 0"))

    hypotheses = [pick.choice(("d > 0", "d < 0", "d != 0", "d >= 0")), *(equation() for _ in range(pick.randrange(3)))]
    if pick.random() < 0.4:
        hypotheses += pick.choice((("0 <= b", "b < d"), ("b <= 0", "d < b"), ("0 <= b", "b <= d")))
    goal = pick.choice((f"({term()}) % d = ({term()}) % d", f"({term()}) % d = b", f"({term()}) % d = 0"))
    return Example("a, b, c, d: int", tuple(hypotheses), goal)
