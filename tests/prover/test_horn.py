"""Horn clauses: what is asked, what is refused, and that formulas keep their meaning when they are read back."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import z3

from idg.agents import LocalEngine
from idg.levels import all_levels
from idg.prover import horn
from idg.prover.horn import formulas
from idg.prover.smt.encoder import Encoder, constant
from idg.sip.program import load
from idg.sip.syntax import Name, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.trees.logic import TRUE, conjoin

LINEAR = {
    "one loop": "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }",
    "a changed parameter": "fn f(n: nat) { var c: nat; c := 0; while (n > 0) { n := n - 1; c := c + 1; } assert(n = 0); }",
    "a Boolean": (
        "fn f(n: nat) { var i: int; var up: bool; i := 0; up := true; while (i < n) { cassign([up], up | i > 3); i := i + 1; }"
        " assert(n < 2 -> up); }"
    ),
    "two loops": (
        "fn f(n: nat) { var i, j: int; i := 0; j := 0; while (i < n) { i := i + 1; } while (j < i) { j := j + 1; }"
        " assert(j >= n); }"
    ),
    "nested": (
        "fn f(n: nat) { var i, j, k: int; i := 0; k := 0; while (i < n) { j := 0; while (j < 3) { j := j + 1; k := k + 1; }"
        " i := i + 1; } assert(k >= 0); }"
    ),
    "a remainder": "fn f(n: nat) { var i: int; i := -4; while (i < n) { i := i + 2; } assert(i % 2 = 0); }",
}


@pytest.mark.parametrize("name", LINEAR)
def test_the_engine_accepts_what_comes_from_linear_programs(name: str) -> None:
    program = load(LINEAR[name])
    answer = horn.ask(program)
    assert answer.status == "safe"
    assert horn.ask(program) == answer
    engine = LocalEngine(program)
    parts = [(loop, print_expression(part)) for loop, invariant in enumerate(answer.invariants, 1) for part in invariant]
    engine.propose_many(parts, thorough=True)
    assert engine.feedback().solved


@pytest.mark.parametrize(
    "text",
    [
        "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i * i >= 0); }",
        "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i % (n + 1) >= 0); }",
        "fn f(n: nat) { var x: rat; x := n; while (x > 1) { x := x / 2; } assert(x <= 1); }",
        "fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(gcd(i, 2) >= 0); }",
        "fn g(n: nat): nat { return n; } fn f(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(g(n) <= i); }",
    ],
)
def test_what_is_not_linear_is_refused(text: str) -> None:
    assert horn.ask(load(text)) == horn.HornAnswer("refused")


def test_the_square_root_that_spacer_got_wrong_is_refused() -> None:
    [level] = [candidate for candidate in all_levels() if candidate.id == "int-square-root"]
    assert horn.ask(level.program()).status == "refused"


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        ("x // 2 = -4 & x % 2 = 1", "safe"),
        ("x // 2 = -3", "unsafe"),
        ("x // -2 = 3 & x % -2 = -1", "safe"),
        ("x // -2 = 4", "unsafe"),
    ],
)
def test_division_floors(claim: str, status: str) -> None:
    assert horn.ask(load(f"fn f() {{ var x: int; x := 0; while (x > -7) {{ x := x - 1; }} assert({claim}); }}")).status == status


def test_the_budget_ends_it() -> None:
    hard = "fn f() { var x, y: int; x := 0; y := 50; while (x < 100) { x := x + 1; if (x > 50) { y := y + 1; } } assert(y = 100); }"
    assert horn.ask(load(hard), rlimit=5_000).status == "unknown"


READ = [
    "x < y",
    "x >= y + 1",
    "x + 1 <= y",
    "2 * x - 3 * y > 4",
    "x = y",
    "x != 2",
    "x >= -2 & x <= 2",
    "!(x < y | y < 1)",
    "b -> x > 0",
    "b = (x > y)",
    "!b & x % 3 = 1",
    "x // 2 <= y",
    "-x >= 2",
    "3 >= x + y",
    "x - x = 0 | b",
    "!(b -> x <= y)",
    "x + 3 >= 0",
]


@pytest.mark.parametrize("text", READ)
def test_formulas_read_back_mean_the_same(text: str) -> None:
    variables = {"x": Type.INT, "y": Type.INT, "b": Type.BOOL}
    context: Any = z3.Context()
    encoder = Encoder(variables, None)
    declared = "".join(f"(declare-const {constant(name)} {encoder.sort(kind)})" for name, kind in variables.items())
    encoded = encoder.boolean(parse_expression(text))
    [formula] = z3.parse_smt2_string(f"{declared}(assert {encoded})", ctx=context)
    constants = [z3.Int("v_x", context), z3.Int("v_y", context), z3.Bool("v_b", context)]
    opened = z3.substitute(formula, *((term, z3.Var(index, term.sort())) for index, term in enumerate(constants)))
    read = conjoin(formulas.read_conjuncts(opened, [Name("x"), Name("y"), Name("b")]))
    program = load("fn f(x, y: int, b: bool) { var i: int; i := 0; while (i < 1) { i := i + 1; } assert(true); }")
    for x, y, b in itertools.product(range(-4, 5), range(-4, 5), (False, True)):
        trace = program.run({"x": x, "y": y, "b": b}).of(1)
        assert trace.values(read) == trace.values(parse_expression(text)), (print_expression(read), x, y, b)


def test_what_it_reads_reads_well() -> None:
    x: Any = z3.Var(0, z3.IntSort())
    y: Any = z3.Var(1, z3.IntSort())
    formula = z3.And(z3.Not(x <= -1), z3.Not(y - x >= 1), x - y <= 0, x + y >= 3, z3.Not(x * x > 5), z3.BoolVal(True))
    conditions = [print_expression(condition) for condition in formulas.read_conjuncts(formula, [Name("x"), Name("y")])]
    assert conditions == ["x >= 0", "y <= x", "x <= y", "x + y >= 3"]
    assert list(formulas.read_conjuncts(z3.BoolVal(True), [])) == []
    assert conjoin([]) == TRUE
