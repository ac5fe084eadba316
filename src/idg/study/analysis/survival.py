"""Survival curves: unsolved attempts are censored, because somebody who stopped might have solved the level later."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np
from scipy import stats

from idg.sip.record import Record
from idg.study.analysis.significance import CONFIDENCE, ConfidenceInterval, SignificanceTest
from idg.study.cohort import Attempt


class SurvivalCurve(Record):
    """Kaplan and Meier's estimate of the share that is not solved yet, after each solving, with a pointwise band."""

    arm: str
    times: tuple[float, ...]
    unsolved: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    median: float | None
    """The first time at which at most a half is unsolved."""


def _censored(attempts: Sequence[Attempt]) -> stats.CensoredData:
    solved = [attempt.time.seconds for attempt in attempts if attempt.solved]
    return stats.CensoredData(uncensored=solved, right=[attempt.time.seconds for attempt in attempts if not attempt.solved])


def survival_curve(arm: str, attempts: Sequence[Attempt]) -> SurvivalCurve | None:
    """None where nothing was solved: there is no step to draw."""
    if not any(attempt.solved for attempt in attempts):
        return None
    curve = stats.ecdf(_censored(attempts)).sf
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # It says that the band has no value where the estimate is 0 or 1; `_filled` gives it one.
        warnings.simplefilter("ignore", RuntimeWarning)
        band = curve.confidence_interval(CONFIDENCE, method="log-log")
    shares = [float(share) for share in curve.probabilities]
    low = _filled(band.low.probabilities, shares)
    high = _filled(band.high.probabilities, shares)
    times = [float(time) for time in curve.quantiles]
    median = next((time for time, share in zip(times, shares, strict=True) if share <= 0.5), None)
    return SurvivalCurve(arm, tuple(times), tuple(shares), low, high, median)


def _filled(bounds: Sequence[float], shares: Sequence[float]) -> tuple[float, ...]:
    """The band has no value where the estimate is 0 or 1; there it is the estimate."""
    return tuple(share if math.isnan(bound) else float(bound) for bound, share in zip(bounds, shares, strict=True))


def log_rank(first: Sequence[Attempt], second: Sequence[Attempt]) -> SignificanceTest:
    """Whether the curves differ. The effect is Peto's ratio of the hazards of solving, the first against the second."""
    name, effect_name, sizes = "log-rank", "hazard ratio (Peto)", (len(first), len(second))
    if not first or not second or not any(attempt.solved for attempt in (*first, *second)):
        return SignificanceTest(name, None, None, effect_name, None, None, sizes, "an arm is empty, or nothing was solved")
    excess, variance = _excess(first, second)
    if variance <= 0:
        return SignificanceTest(name, None, None, effect_name, None, None, sizes, "the curves cannot be compared")
    result = stats.logrank(_censored(first), _censored(second))
    wide = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) / math.sqrt(variance)
    ratio = excess / variance
    return SignificanceTest(
        name,
        float(result.statistic),
        float(result.pvalue),
        effect_name,
        math.exp(ratio),
        ConfidenceInterval(math.exp(ratio - wide), math.exp(ratio + wide)),
        sizes,
    )


def _excess(first: Sequence[Attempt], second: Sequence[Attempt]) -> tuple[float, float]:
    """How many more of the first were solved than expected if both were alike, and the variance of that (hypergeometric)."""
    excess = variance = 0.0
    times = sorted({attempt.time.seconds for attempt in (*first, *second) if attempt.solved})
    for time in times:
        at_risk = [sum(attempt.time.seconds >= time for attempt in arm) for arm in (first, second)]
        solved = [sum(attempt.solved and attempt.time.seconds == time for attempt in arm) for arm in (first, second)]
        total, events = sum(at_risk), sum(solved)
        excess += solved[0] - events * at_risk[0] / total
        if total > 1:
            variance += events * at_risk[0] * at_risk[1] * (total - events) / (total * total * (total - 1))
    return excess, variance
