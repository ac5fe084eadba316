"""All figures and tests of a study, from its cohort. The report prints them, and nothing is computed elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from idg.sip.record import Record
from idg.study.analysis.figures import (
    KindCounts,
    LevelFigures,
    ProveRatio,
    WinRate,
    kind_counts,
    pooled_facts,
    prove_ratio,
    quick_solvings,
    quickest,
    solving_sample,
    win_rate,
    win_rate_of,
)
from idg.study.analysis.significance import (
    ConfidenceInterval,
    SignificanceTest,
    chi_squared,
    difference_of_shares,
    mann_whitney,
    permutation_of_participants,
    wilson,
)
from idg.study.analysis.survival import SurvivalCurve, log_rank, survival_curve
from idg.study.cohort import Attempt, Cohort

GRID_SECONDS = 1500
"""Up to which active second the win rate is told, second by second."""

Pooling = Callable[[str, Sequence[tuple[int, str]]], bool | None]
"""Says whether some facts prove a level together."""


class WinRateResult(Record):
    """The win rates of both arms and how they differ."""

    arms: tuple[WinRate, ...]
    at_end: tuple[float | None, ...]
    """W(1500 s) of each arm."""
    intervals: tuple[ConfidenceInterval | None, ...]
    grid: tuple[tuple[float | None, ...], ...]
    """W(t) of each arm for t = 0, 1, …, 1500 s."""
    difference: float | None
    difference_interval: ConfidenceInterval | None
    test: SignificanceTest
    by_participant: SignificanceTest
    everybody: tuple[WinRate, ...]
    """The same with the attempts of participants who solved nothing: whom the study leaves out depends on the outcome."""
    everybody_test: SignificanceTest


class KindsResult(Record):
    arms: tuple[KindCounts, ...]
    all_kinds: SignificanceTest
    useful: SignificanceTest


class ProveResult(Record):
    arm: str
    levels: tuple[ProveRatio, ...]
    total: ProveRatio
    test: SignificanceTest
    difference: float | None
    difference_interval: ConfidenceInterval | None
    share_with_request: float | None
    share_interval: ConfidenceInterval | None


class SurvivalResult(Record):
    curves: tuple[SurvivalCurve | None, ...]
    test: SignificanceTest


class StudyResults(Record):
    """Everything that a report says; None where the definition does not ask for it."""

    cohort: Cohort
    quickest: Attempt | None
    quick: tuple[Attempt, ...]
    win: WinRateResult | None
    kinds: KindsResult | None
    prove: ProveResult | None
    levels: tuple[LevelFigures, ...] | None
    survival: SurvivalResult | None


def analyse(cohort: Cohort, pooling: Pooling | None = None) -> StudyResults:
    """`pooling` says what an arm proves together; without it, that figure is left out."""
    wanted = cohort.definition.metrics
    return StudyResults(
        cohort=cohort,
        quickest=quickest(cohort.attempts),
        quick=quick_solvings(cohort),
        win=_win(cohort) if "win-rate" in wanted else None,
        kinds=_kinds(cohort) if "kinds" in wanted else None,
        prove=_prove(cohort) if "prove-ratio" in wanted else None,
        levels=_levels(cohort, pooling) if "levels-solved" in wanted else None,
        survival=_survival(cohort) if "survival" in wanted else None,
    )


def arm_names(cohort: Cohort) -> tuple[str, str]:
    first, second = cohort.definition.arms
    return first.name, second.name


def _pair(cohort: Cohort) -> tuple[tuple[Attempt, ...], tuple[Attempt, ...]]:
    """The attempts of both arms."""
    first, second = arm_names(cohort)
    return cohort.of_arm(first), cohort.of_arm(second)


def _win(cohort: Cohort) -> WinRateResult:
    arms = tuple(win_rate(cohort, arm) for arm in arm_names(cohort))
    counts = [(arm.solved_by(GRID_SECONDS), arm.attempted) for arm in arms]
    difference = difference_of_shares(counts[0], counts[1])
    first, second = _pair(cohort)
    everybody = _everybody(cohort)
    return WinRateResult(
        arms=arms,
        at_end=tuple(arm.rate(GRID_SECONDS) for arm in arms),
        intervals=tuple(wilson(solved, attempted) for solved, attempted in counts),
        grid=tuple(tuple(arm.rate(second) for second in range(GRID_SECONDS + 1)) for arm in arms),
        difference=difference[0] if difference else None,
        difference_interval=difference[1] if difference else None,
        test=_solving_test(first, second),
        by_participant=permutation_of_participants(_shares(first), _shares(second)),
        everybody=tuple(win_rate_of(arm.arm, attempts) for arm, attempts in zip(arms, everybody, strict=True)),
        everybody_test=_solving_test(*everybody),
    )


def _solving_test(first: Sequence[Attempt], second: Sequence[Attempt]) -> SignificanceTest:
    clusters = [attempt.participant for attempt in first], [attempt.participant for attempt in second]
    return mann_whitney(solving_sample(first), solving_sample(second), clusters)


def _everybody(cohort: Cohort) -> tuple[tuple[Attempt, ...], tuple[Attempt, ...]]:
    """The attempts of all participants who did not withdraw and were not too long, whether or not they solved something."""
    left_out = {name for step in cohort.steps if not step.by_outcome for name in step.left_out}
    kept = [visit for visit in cohort.visits if visit.counts and visit.participant not in left_out]
    first, second = arm_names(cohort)
    return tuple(visit for visit in kept if visit.arm == first), tuple(visit for visit in kept if visit.arm == second)


def _shares(attempts: Sequence[Attempt]) -> list[float]:
    """The share of the attempted levels that each participant solved."""
    solved: dict[str, list[bool]] = {}
    for attempt in attempts:
        solved.setdefault(attempt.participant, []).append(attempt.solved)
    return [sum(outcomes) / len(outcomes) for outcomes in solved.values()]


def _kinds(cohort: Cohort) -> KindsResult:
    arms = tuple(kind_counts(cohort, arm) for arm in arm_names(cohort))
    return KindsResult(
        arms, chi_squared([list(arm.counts) for arm in arms]), chi_squared([[arm.useful, arm.total - arm.useful] for arm in arms])
    )


def _prove(cohort: Cohort) -> ProveResult | None:
    """The figures of the first arm that shows the program; only there do trace requests say something."""
    arm = next((arm.name for arm in cohort.definition.arms if arm.variant == "code"), None)
    if arm is None:
        return None
    attempts = cohort.of_arm(arm)
    total = prove_ratio(attempts)
    shares = difference_of_shares((total.with_solved, total.with_attempted), (total.without_solved, total.without_attempted))
    asked, attempted = total.with_attempted, len(attempts)
    return ProveResult(
        arm=arm,
        levels=tuple(prove_ratio(attempts, level) for level in cohort.definition.levels),
        total=total,
        test=chi_squared(total.table),
        difference=shares[0] if shares else None,
        difference_interval=shares[1] if shares else None,
        share_with_request=asked / attempted if attempted else None,
        share_interval=wilson(asked, attempted),
    )


def _levels(cohort: Cohort, pooling: Pooling | None) -> tuple[LevelFigures, ...]:
    figures = []
    for arm in arm_names(cohort):
        for level in cohort.definition.levels:
            attempts = [attempt for attempt in cohort.of_arm(arm) if attempt.level == level]
            facts = pooled_facts(cohort, arm, level)
            proposals = sum(len(visit.proposals) for visit in cohort.visits if _belongs(cohort, visit, arm, level))
            solved = sum(attempt.solved for attempt in attempts)
            collective = None if pooling is None else pooling(level, facts)
            figures.append(LevelFigures(level, arm, len(attempts), solved, proposals, len(facts), collective))
    return tuple(figures)


def _belongs(cohort: Cohort, visit: Attempt, arm: str, level: str) -> bool:
    return visit.participant in cohort.arms and visit.arm == arm and visit.level == level


def _survival(cohort: Cohort) -> SurvivalResult:
    first, second = _pair(cohort)
    names = arm_names(cohort)
    curves = tuple(survival_curve(arm, attempts) for arm, attempts in zip(names, (first, second), strict=True))
    return SurvivalResult(curves, log_rank(first, second))
