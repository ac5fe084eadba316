"""Budgets hold: no solver works on for ever. What used to hang is tried in processes of its own that may only work for so long."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from idg.prover.answers import Proved
from idg.prover.smt import z3_stage
from idg.prover.smt.encoder import script
from tests.support.attack.queries.prover_examples import make_query

ROOT = Path(__file__).parents[2]
CPU_SECONDS_MAX = 120
"""What one process may work. Each of them needs about a second."""
HYPOTHESES = ("x * (0 - y) <= 2", "y * y < x", "x - y - (y - x) < z - y - z / -2", "z <= x")
"""Here the bounds of x, y and y * y raise each other, and z3 squares them again and again."""
STAGES = f"""
from idg.prover.prove import DEFAULT, stages
from tests.support.attack.queries.prover_examples import make_query
query = make_query("x: nat, y: nat, z: rat", {list(HYPOTHESES)!r}, "0 = 4 * x // 3")
for stage in stages(DEFAULT):
    print(stage.name, stage.attempt(query, stage.budget(DEFAULT)))
"""
AUDIT = f"""
from idg.audit import audit
from idg.sip.program import load
print(audit(load("fn main(x: nat, y: nat, z: rat) {{ pre({" & ".join(HYPOTHESES)}); assert(0 = 4 * x // 3); }}")).answer)
"""


@pytest.mark.parametrize("code", [STAGES, AUDIT], ids=["stages", "audit"])
def test_bounds_of_products_that_raise_each_other_come_to_an_end(code: str) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS_MAX, CPU_SECONDS_MAX))

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 0, done.stderr
    assert "Refuted" not in done.stdout
    assert "contradicted" not in done.stdout


def test_a_proof_that_uses_the_bound_on_all_numbers_is_none() -> None:
    """The value of b is beyond the bound that z3 is given, so with that bound everything follows."""
    query = make_query("a: int, b: int", ["a = 1000000000", "b = a^5"], "b = 0")
    assert script(query).bound < 10**45
    assert not isinstance(z3_stage.attempt(query), Proved)


@pytest.mark.parametrize(
    ("hypotheses", "goal", "linear"),
    [
        ((), "3 * x - x * 4 < y / 2", True),
        (("x // 3 = 2",), "x % -5 = 1", True),
        ((), "x * y = 0", False),
        ((), "(x + 1)^2 = 1", False),
        (("y > 0",), "x / y = y", False),
        (("y > 0",), "x % y = 1", False),
    ],
)
def test_what_is_not_linear_is_asked_with_a_bound(hypotheses: tuple[str, ...], goal: str, linear: bool) -> None:
    asked = script(make_query("x: int, y: int", list(hypotheses), goal))
    assert asked.is_linear == linear
    assert {"v_x", "v_y"} >= set(asked.numbers) - {name for name in asked.numbers if name.startswith("(floor_")}
    assert asked.bound >= 10**20
