"""A cassign with the condition `true` is chosen by a short cut, which must not show in the run."""

from __future__ import annotations

import pytest

from idg.engine.session import Session
from idg.sip.limits import RunLimits
from idg.sip.program import load
from idg.sip.running.chooser import ChoiceRequest, SeededChooser
from idg.sip.running.trace import Run
from idg.sip.values import Scalar

CHOICES = {
    "a Boolean": ("b: bool", "b"),
    "two Booleans": ("b, c: bool", "b, c"),
    "a whole number": ("x: int", "x"),
    "a nat": ("x: nat", "x"),
    "a fraction": ("x: rat", "x"),
    "several": ("x: int; var b: bool; var y: nat", "x, b, y"),
}


def ran(text: str, seed: int, quick: bool, limits: RunLimits) -> Run:
    search = SeededChooser(seed)

    def slowly(request: ChoiceRequest) -> tuple[Scalar, ...] | None:
        return search(request)

    return load(text).run({"n": 40}, seed=seed, limits=limits, chooser=None if quick else slowly)


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize(
    "limits",
    [RunLimits(), RunLimits(steps_max=61), RunLimits(steps_max=62), RunLimits(choice_tries_max=0), RunLimits(choice_tries_max=1)],
)
def test_the_same_values_steps_and_outcomes(name: str, limits: RunLimits) -> None:
    declared, chosen = CHOICES[name]
    text = f"fn f(n: int) {{ var i: int; var {declared}; i := 0; while (i < n) {{ cassign([{chosen}], true); i := i + 1; }} }}"
    for seed in range(20):
        short_way, long_way = (ran(text, seed, quick, limits) for quick in (True, False))
        assert short_way.of(1).rows == long_way.of(1).rows
        assert short_way.outcome == long_way.outcome


def test_cells_of_a_local_array_are_not_believed_to_be_zero() -> None:
    text = "fn main(n: nat) { pre(n > 1); var b: int[n]; var i: nat := 0; while (i < n) { i := i + 1; } assert(b[0] = 0); }"
    session = Session(load(text))
    verdict = session.propose("forall k in 0..n - 1: b[k] = 0")
    assert verdict.kind == "non-invariant"
    assert "before anything is assigned to it" in str(verdict)
    assert not session.feedback.solved
