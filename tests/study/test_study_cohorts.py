"""Simulated cohorts: a planted effect is found, and where there is none, no more false alarms are raised than alpha allows."""

from __future__ import annotations

import pytest
from scipy import stats

from idg.study.analysis.results import WinRateResult, analyse
from idg.study.cohort import build_cohort
from idg.study.definition import read_definition
from idg.study.simulating.simulated import EFFECT, NO_EFFECT, ArmParameters, CohortParameters, simulated_rows
from tests.support.study.six_participants import TOML
from tests.support.volume import volume

SEEDS = volume(20, 200)
PLAYERS = 120
ALARM_CHANCE = 1e-4
"""A test of what is random may fail by chance. It fails only where chance would make it so less often than this."""
DEFINITION = read_definition(TOML.replace('name = "six"', 'name = "six"\nmetrics = ["win-rate", "kinds"]\nblock = 4'))


def outcome(seed: int, arms: tuple[ArmParameters, ArmParameters], spread: float = 0.0) -> tuple[WinRateResult, float | None]:
    rows = simulated_rows(DEFINITION, CohortParameters(PLAYERS, *arms, spread=spread, attempts=3, seed=seed))
    results = analyse(build_cohort(DEFINITION, rows))
    assert results.win is not None
    assert results.kinds is not None
    return results.win, results.kinds.all_kinds.p


def significant(p: float | None) -> bool:
    return p is not None and p < 0.05


def alarms_allowed(count: int, alpha: float) -> int:
    """So many of `count` tests may be significant without an effect before we call it wrong."""
    return int(stats.binom.isf(ALARM_CHANCE, count, alpha))


def test_a_planted_effect_is_found() -> None:
    outcomes = [outcome(seed, EFFECT) for seed in range(SEEDS)]
    assert sum(significant(win.everybody_test.p) for win, _ in outcomes) >= 0.9 * SEEDS
    assert sum(significant(kinds) for _, kinds in outcomes) >= 0.9 * SEEDS
    assert all((win.everybody_test.effect or 0) > 0 for win, _ in outcomes), "and in the right direction"


def test_without_an_effect_there_are_no_more_false_alarms_than_alpha_allows() -> None:
    outcomes = [outcome(seed, NO_EFFECT) for seed in range(SEEDS)]
    allowed = alarms_allowed(SEEDS, 0.05)
    for name, count in {
        "win rate": sum(significant(win.test.p) for win, _ in outcomes),
        "win rate of everybody": sum(significant(win.everybody_test.p) for win, _ in outcomes),
        "by participant": sum(significant(win.by_participant.p) for win, _ in outcomes),
        "kinds": sum(significant(kinds) for _, kinds in outcomes),
    }.items():
        assert count <= allowed, f"{name}: {count} of {SEEDS}"


def test_where_abilities_differ_the_test_by_participant_still_keeps_alpha() -> None:
    count = sum(significant(outcome(seed, NO_EFFECT, spread=2.0)[0].by_participant.p) for seed in range(SEEDS))
    assert count <= alarms_allowed(SEEDS, 0.05)


def test_the_parameters_are_met() -> None:
    rows = simulated_rows(DEFINITION, CohortParameters(600, *EFFECT, attempts=3))
    results = analyse(build_cohort(DEFINITION, rows))
    assert results.win is not None
    rates = [arm.solved / arm.attempted for arm in results.win.everybody]
    assert rates == pytest.approx([0.55, 0.18], abs=0.06)
    assert simulated_rows(DEFINITION, CohortParameters(5, *EFFECT)) == simulated_rows(DEFINITION, CohortParameters(5, *EFFECT))
