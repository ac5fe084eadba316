"""The enumerator: its states refute, it finds whatever a plain search of a small box finds, and it counts its steps."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from fractions import Fraction

import pytest

from idg.prover.check import fails, refutes
from idg.prover.search import boxes, enumerator
from idg.sip.checking.analysis import ModuleInfo, check_module
from idg.sip.limits import RunLimits
from idg.sip.program import load
from idg.sip.running.evaluator import Evaluator
from idg.sip.running.runner import Row
from idg.sip.syntax import Binary, Compare, Expr, Name, Number, Type, type_named
from idg.sip.text.expressions import parse_expression
from idg.sip.values import Value, cells, scalar
from idg.vc.query import Hypothesis, Query
from tests.support.programs.drawn.random_expressions import Functions
from tests.support.programs.drawn.random_programs import random_expression, random_program

RANDOM_QUERIES = 1_200
"""Random queries on which the enumerator is compared with a plain search."""
SQUARE_ROOT = "n: nat, cnt: int, sqr: int, odd: int"
SMALL: dict[Type, tuple[Value, ...]] = {
    Type.BOOL: (False, True),
    Type.NAT: (0, 1, 2),
    Type.INT: (0, 1, -1, 2, -2),
    Type.RAT: (0, 1, -1, 2, -2, Fraction(1, 2), Fraction(-1, 2)),
}


def query_of(variables: str, hypotheses: list[str], goal: str, info: ModuleInfo | None = None) -> Query:
    kinds = {name: type_named(kind) for name, kind in (declaration.split(": ") for declaration in variables.split(", "))}
    return Query(kinds, tuple(Hypothesis(parse_expression(text)) for text in hypotheses), parse_expression(goal), info)


def refuting_state(query: Query, steps_max: int = enumerator.STEPS_MAX) -> dict[str, Value] | None:
    answer = enumerator.attempt(query, steps_max)
    if answer is None:
        return None
    assert refutes(query, answer.state)
    assert list(answer.state) == list(query.variables)
    return dict(answer.state)


FALSE = [
    (SQUARE_ROOT, ["odd >= 1", "cnt >= 0", "odd % 2 = 1", "!(sqr <= n)"], "cnt^2 <= n & n < (cnt + 1)^2", 2),
    (SQUARE_ROOT, ["sqr = (cnt + 1)^2", "sqr <= n"], "sqr + (odd + 2) = (cnt + 1 + 1)^2", 2),
    (SQUARE_ROOT, ["odd = 2 * cnt + 1", "!(sqr <= n)", "sqr = (cnt + 1)^2"], "cnt^2 <= n", 9),
    # Solved: linear with a coefficient, with one that may be zero, squares, both sides, remainders, Booleans, fractions.
    ("x: int, y: int", ["3 * x + 2 = y", "y > 40"], "x < 13", 60),
    ("x: int, y: int, z: int", ["x * y = z", "z = 0", "x = 0"], "y < 30", 30),
    ("x: int, y: nat", ["x^2 = y", "y > 50", "x < 0"], "x > -8", 81),
    ("x: int, y: int", ["x^2 - 6 * x = y", "y = 7"], "x > 0", 7),
    ("x: int", ["x % 97 = 13", "x > 500"], "x % 2 = 0", 600),
    ("x: nat, y: nat", ["(y - x) % 7 = 3", "x > 20"], "y % 7 = 3", 80),
    ("p: bool, q: bool, x: int", ["p = (x > 5)", "q != p", "!q"], "x > 9", 9),
    ("x: rat, y: rat", ["x * 2 = y", "y > 0", "y < 1"], "x > 1 / 4", 5),
    ("x: rat", ["x > 100", "x < 101"], "x < 100.5", 220),
    ("x: int, y: rat", ["x = y / 2", "y > 3", "y % 1 >= 0 | true"], "x > 2", 8),
    # Bounds far from zero, with coefficients, on both sides, from known variables.
    ("x: int, y: int", ["x >= 1", "!(y < 1000)"], "x <= y", 1002),
    ("x: int, y: int", ["7 * x >= 1000", "5 * y <= -1000", "x + y < 0"], "x < 150", 400),
    # Chains, implications, disjunctions, goals without a value.
    ("x: int, y: int", ["0 <= x < y < 5"], "x + 3 > y | x = 1", 4),
    ("x: int, y: int", ["x > 0 -> y > 0"], "x = 5 -> y = 1", 5),
    ("x: int, y: nat", ["y >= x"], "x // y <= x", 1),
    ("x: int", ["x < 2"], "2^x <= 2", 1),
    ("x: int, y: int", ["gcd(x, y) = 3", "x > 3", "y > 3"], "max(x, y) <= abs(x)", 9),
    ("x: nat", ["ispow(x, 2)", "x > 1"], "x < 5", 8),
    ("x: nat, y: int", [], "x + y >= 0", 1),
    ("x: nat", [], "false", 0),
]  # fmt: skip


@pytest.mark.parametrize(("variables", "hypotheses", "goal", "largest"), FALSE)
def test_finds_small_states(variables: str, hypotheses: list[str], goal: str, largest: int) -> None:
    state = refuting_state(query_of(variables, hypotheses, goal))
    assert state is not None
    assert max(boxes.readability(cells(value))[0] for value in state.values()) <= largest, state


@pytest.mark.parametrize(
    ("variables", "hypotheses", "goal"),
    [
        (SQUARE_ROOT, ["sqr = (cnt + 1)^2", "odd = 2 * cnt + 1", "sqr <= n"], "sqr + (odd + 2) = (cnt + 1 + 1)^2"),
        ("x: nat", [], "x >= 0"),
        ("x: int", ["x / 0 = 1"], "false"),
        ("x: int", ["x < 0", "2^x = 2^x"], "false"),
        ("x: int, y: int", ["false", "x = y"], "x = 0"),
    ],
)
def test_finds_nothing_where_there_is_nothing(variables: str, hypotheses: list[str], goal: str) -> None:
    assert refuting_state(query_of(variables, hypotheses, goal)) is None


def test_unused_variables_are_zero_and_parts_without_common_variables_are_searched_apart() -> None:
    names = [f"x{index}" for index in range(30)]
    variables = ", ".join(f"{name}: int" for name in names) + ", unused: int, flag: bool"
    state = refuting_state(query_of(variables, [f"{name} > {index}" for index, name in enumerate(names)], "x29 < 30"))
    assert state == {name: index + 1 for index, name in enumerate(names)} | {"unused": 0, "flag": False}


def test_more_loops_than_python_nests() -> None:
    names = [f"x{index}" for index in range(40)]
    variables = ", ".join(f"{name}: int" for name in names)
    assert refuting_state(query_of(variables, [], " + ".join(names) + " < 1")) is not None


def test_states_are_different_small_and_as_many_as_asked_for() -> None:
    query = query_of(SQUARE_ROOT, ["cnt >= 0", "!(sqr <= n)"], "cnt^2 <= n & n < (cnt + 1)^2")
    several = enumerator.states(query, 30_000, 12)
    assert len({tuple(state.values()) for state in several}) == 12
    assert all(refutes(query, state) for state in several)
    assert max(boxes.readability(map(scalar, state.values()))[0] for state in several) <= 5
    single = query_of("x: nat", ["x <= 7"], "x < 7")
    assert enumerator.states(single, 30_000, 12) == [{"x": 7}]


def test_states_to_avoid_are_not_returned() -> None:
    query = query_of("x: int, y: int", ["x + y = 9"], "x > y")
    shown: list[dict[str, Value]] = []
    for _ in range(25):
        answer = enumerator.attempt(query, avoid=lambda state: state in shown)
        assert answer is not None
        assert answer.state not in shown
        shown.append(dict(answer.state))
    answer = enumerator.attempt(query, avoid=lambda state: scalar(state["x"]) > -70)
    assert answer is not None
    assert answer.state["x"] == -70
    assert enumerator.attempt(query_of("x: nat", ["x <= 7"], "x < 7"), avoid=lambda state: state["x"] == 7) is None


HELPERS = """
fn double(x: int): int { return 2 * x; }
fn sum_to(n: nat): nat { var i, s: nat; while (i < n) { i := i + 1; s := s + i; } return s; }
fn forever(x: int): int { while (true) { } return x; }
fn picky(x: nat): nat { pre(x > 3); return x; }
fn main(n: nat) { assert(true); }
"""


@pytest.mark.parametrize(
    ("hypotheses", "goal", "state"),
    [
        (["double(x) > 7"], "x > 4", {"x": 4}),
        (["sum_to(x) = 21"], "x = 5", {"x": 6}),
        (["x = sum_to(4)"], "x = 11", {"x": 10}),
        (["picky(x) = x"], "x > 4", {"x": 4}),
        ([], "picky(x) = x", {"x": 0}),
        (["forever(x) = x"], "false", None),
        ([], "forever(x) = x", None),
    ],
)
def test_helpers_are_called(hypotheses: list[str], goal: str, state: dict[str, Value] | None) -> None:
    assert refuting_state(query_of("x: nat", hypotheses, goal, load(HELPERS).info)) == state


def plain_search(query: Query) -> dict[str, Value] | None:
    """The first refuting state of a small box, by the evaluator alone."""
    rows: list[Row] = list(itertools.product(*(SMALL[kind] for kind in query.variables.values())))
    evaluator = Evaluator([*(hypothesis.expr for hypothesis in query.hypotheses), query.goal], query.variables, query.info)
    limits = RunLimits(steps_max=boxes.CALL_STEPS_MAX - 100)
    for index in range(len(query.hypotheses)):
        rows = [row for row, value in zip(rows, evaluator.rows(index, rows, limits), strict=True) if value is True]
    for row, value in zip(rows, evaluator.rows(len(query.hypotheses), rows, limits), strict=True):
        if fails(value):
            return dict(zip(query.variables, row, strict=True))
    return None


def random_query(rng: random.Random, with_helpers: bool) -> Query:
    kinds = (Type.NAT, Type.INT, Type.INT, Type.RAT, Type.BOOL)
    scope = {name: rng.choice(kinds) for name in "xyzab"[: rng.randint(1, 4)]}
    info, functions = None, Functions()
    if with_helpers:
        module = random_program(rng, 4)
        info, problems = check_module(module)
        assert not problems
        functions = tuple(function for function in module.functions[:-1] if function.result and function.name not in info.choosing)
    exprs = [random_expression(rng, scope, Type.BOOL, rng.randint(2, 8), functions) for _ in range(rng.randint(1, 5))]
    return Query(scope, tuple(map(Hypothesis, exprs[1:])), exprs[0], info)


def test_finds_whatever_a_plain_search_of_a_small_box_finds() -> None:
    common = 0
    for seed in range(RANDOM_QUERIES):
        query = random_query(random.Random(seed), with_helpers=seed % 5 == 0)
        state = refuting_state(query, 200_000)
        if plain_search(query) is not None:
            assert state is not None, f"seed {seed}\n{query}\n{plain_search(query)}"
            common += 1
    assert common > RANDOM_QUERIES // 5


def test_steps_are_counted() -> None:
    hopeless = query_of("x: int, y: int, z: int, u: int, v: int", ["x * y * z * u * v != 0"], "x^2 + y^2 + z^2 + u^2 + v^2 > 0")
    search = enumerator.compile_search(hopeless)
    for steps in (0, 1, 10, 1_000, 20_000):
        run = enumerator.SearchRun(hopeless, search, steps, 1, None)
        assert run.states() == []
        # Each of the nine boxes costs one step more.
        assert -9 <= run.left <= 0
    assert enumerator.attempt(query_of("x: int", ["x > 5"], "x < 6"), 0) is None


HOSTILE = [
    ("x: int, y: int", ["x = 10^1000 * 10^1000 * 10^1000 * 10^1000 * 10^1000 * y"], "y = 0"),
    ("x: int", ["x^1000000000 > 1"], "x = 0"),
    ("x: nat, y: nat, z: nat", ["x^(y^z) > 2^60000"], "z = 0"),
    ("x: int, y: int", ["(" * 45 + "x" + " * y + 1)" * 45 + " = y"], "x = 0"),
    ("a: int, b: int, c: int, d: int, e: int", ["b > a^9", "c > b^9", "d > c^9", "e > d^9", "a > 9"], "e < 0"),
    ("x: rat, y: rat, z: rat", ["x = y / 7 + z / 11", "y = x * x * x + 1 / 13"], "x + y + z > 0"),
]  # fmt: skip


@pytest.mark.parametrize(("variables", "hypotheses", "goal"), HOSTILE)
def test_hostile_queries_end(variables: str, hypotheses: list[str], goal: str) -> None:
    query = query_of(variables, hypotheses, goal)
    state = refuting_state(query)
    assert state is None or refutes(query, state)


@pytest.mark.parametrize("levels", [90, 300, 20_000])
def test_deep_terms_end(levels: int) -> None:
    """Substitution makes terms that are deeper than any that can be written in a program."""
    deep: Expr = Name("x")
    for _ in range(levels):
        deep = Binary("-", Name("y"), Binary("*", Number(1), deep))
    query = Query({"x": Type.INT, "y": Type.INT}, (), Compare((deep, Name("y")), ("=",)))
    state = enumerator.attempt(query)
    assert state is not None or levels > 90


def test_the_same_states_whatever_the_hash_seed() -> None:
    script = (
        "import random, tests.prover.search.test_enumerator as t; from idg.prover.search import enumerator\n"
        "for seed in range(60): print(enumerator.states(t.random_query(random.Random(seed), False), 5_000, 3))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert len(outputs) == 1
