"""Tests of significance by scipy, each with an effect size and its confidence interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import optimize, stats

from idg.sip.record import Record

CONFIDENCE = 0.95
"""The level of every confidence interval."""
RESAMPLES = 2_000
"""How many resamples a bootstrap takes, and how many shuffles a permutation test."""
SEED = 20_240_101
"""The seed of bootstraps and permutations, so that the same data give the same report."""


class ConfidenceInterval(Record):
    low: float
    high: float


class SignificanceTest(Record):
    """The outcome of one test."""

    name: str
    statistic: float | None
    p: float | None
    """None where the test cannot be made; `note` says why."""
    effect_name: str
    effect: float | None
    interval: ConfidenceInterval | None
    n: tuple[int, ...]
    """The sizes of the samples."""
    note: str = ""


def wilson(successes: int, total: int) -> ConfidenceInterval | None:
    """Wilson's interval of a share; None where there is nothing."""
    if not total:
        return None
    interval = stats.binomtest(successes, total).proportion_ci(CONFIDENCE, method="wilson")
    return ConfidenceInterval(float(interval.low), float(interval.high))


def difference_of_shares(first: tuple[int, int], second: tuple[int, int]) -> tuple[float, ConfidenceInterval] | None:
    """The difference of two shares (successes, total) with Newcombe's interval, which is made of Wilson's two."""
    one, two = wilson(*first), wilson(*second)
    if one is None or two is None:
        return None
    p, q = first[0] / first[1], second[0] / second[1]
    low = p - q - math.hypot(p - one.low, two.high - q)
    high = p - q + math.hypot(one.high - p, q - two.low)
    return p - q, ConfidenceInterval(low, high)


def mann_whitney(
    first: Sequence[float], second: Sequence[float], clusters: tuple[Sequence[str], Sequence[str]]
) -> SignificanceTest:
    """Whether the times of one sample tend to be smaller. The effect is the rank-biserial correlation, positive where those of the
    first are smaller. Its interval is a bootstrap of whole clusters (participants), because their values are not independent."""
    name, effect_name = "Mann-Whitney U, two-sided", "rank-biserial correlation"
    sizes = (len(first), len(second))
    if not first or not second:
        return SignificanceTest(name, None, None, effect_name, None, None, sizes, "one of the samples is empty")
    values = np.array([*first, *second])
    if len(set(values.tolist())) == 1:
        return SignificanceTest(name, None, None, effect_name, 0.0, None, sizes, "all values are equal")
    result = stats.mannwhitneyu(first, second, alternative="two-sided", method="asymptotic", use_continuity=True)
    statistic = float(result.statistic)
    effect = 1 - 2 * statistic / (len(first) * len(second))
    return SignificanceTest(
        name, statistic, float(result.pvalue), effect_name, effect, _rank_interval(first, second, clusters), sizes
    )


def _rank_interval(
    first: Sequence[float], second: Sequence[float], clusters: tuple[Sequence[str], Sequence[str]]
) -> ConfidenceInterval | None:
    """A percentile bootstrap. For each pair of clusters it is known once how many comparisons the first wins."""
    one, two = _grouped(first, clusters[0]), _grouped(second, clusters[1])
    if len(one) < 2 or len(two) < 2:
        return None
    # By ranks, because infinite values cannot be subtracted.
    ranks = stats.rankdata([*first, *second], method="dense")
    values, others = np.asarray(ranks[: len(first)]), np.asarray(ranks[len(first) :])
    signs = np.sign(others[None, :] - values[:, None])
    wins = np.array([[signs[np.ix_(rows, columns)].sum() for columns in two] for rows in one])
    sizes = np.array([len(rows) for rows in one]), np.array([len(columns) for columns in two])
    generator = np.random.default_rng(SEED)
    effects = []
    for _ in range(RESAMPLES):
        chosen = np.bincount(generator.integers(len(one), size=len(one)), minlength=len(one))
        others_chosen = np.bincount(generator.integers(len(two), size=len(two)), minlength=len(two))
        effects.append((chosen @ wins @ others_chosen) / ((chosen @ sizes[0]) * (others_chosen @ sizes[1])))
    low, high = np.quantile(effects, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return ConfidenceInterval(float(low), float(high))


def _grouped(values: Sequence[float], clusters: Sequence[str]) -> list[list[int]]:
    """The indices of the values of each cluster."""
    groups: dict[str, list[int]] = {}
    for index, cluster in enumerate(clusters):
        groups.setdefault(cluster, []).append(index)
    assert len(values) == len(clusters)
    return list(groups.values())


def permutation_of_participants(first: Sequence[float], second: Sequence[float]) -> SignificanceTest:
    """Whether the means of two samples differ, by shuffling who is in which: one value for each participant."""
    name, effect_name = "permutation of participants, two-sided", "difference of means"
    sizes = (len(first), len(second))
    if not first or not second:
        return SignificanceTest(name, None, None, effect_name, None, None, sizes, "one of the samples is empty")
    values = np.array([*first, *second], dtype=float)
    observed = float(np.mean(first) - np.mean(second))
    generator = np.random.default_rng(SEED)
    size, total = len(first), values.sum()
    sums = np.array([generator.permutation(values)[:size].sum() for _ in range(RESAMPLES)])
    differences = sums / size - (total - sums) / len(second)
    # The observed order is one of the orders, too. Sums in another order may differ in the last digits.
    extreme = int(np.sum(np.abs(differences) >= abs(observed) - 1e-12))
    p = (extreme + 1) / (RESAMPLES + 1)
    return SignificanceTest(name, observed, p, effect_name, observed, _mean_interval(first, second), sizes)


def _mean_interval(first: Sequence[float], second: Sequence[float]) -> ConfidenceInterval | None:
    """Welch's interval of the difference of two means."""
    if len(first) < 2 or len(second) < 2:
        return None
    errors = [float(np.var(sample, ddof=1)) / len(sample) for sample in (first, second)]
    error = sum(errors)
    if error == 0:
        return None
    degrees = error**2 / sum(part**2 / (len(sample) - 1) for part, sample in zip(errors, (first, second), strict=True))
    wide = float(stats.t.ppf((1 + CONFIDENCE) / 2, degrees)) * math.sqrt(error)
    difference = float(np.mean(first) - np.mean(second))
    return ConfidenceInterval(difference - wide, difference + wide)


def chi_squared(table: Sequence[Sequence[int]]) -> SignificanceTest:
    """Pearson's test of independence, with Yates' correction where the table is 2×2, and Cramér's V."""
    name, effect_name = "Pearson's chi-squared", "Cramér's V"
    counts = np.array(table, dtype=float)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0] if counts.size else counts
    total = int(counts.sum())
    if total == 0 or min(counts.shape) < 2:
        note = "a table with fewer than two rows or columns that are not empty"
        return SignificanceTest(name, None, None, effect_name, None, None, (total,), note)
    result = stats.chi2_contingency(counts, correction=True)
    statistic, degrees = float(result.statistic), int(result.dof)
    small = int((result.expected_freq < 5).sum())
    notes = [f"{degrees} degree{'s' * (degrees != 1)} of freedom"]
    if degrees == 1:
        notes.append("Yates' correction")
    if small:
        notes.append(f"{small} of {counts.size} expected counts are below 5")
    strength = total * (min(counts.shape) - 1)
    interval = _v_interval(statistic, degrees, strength)
    effect = math.sqrt(statistic / strength)
    return SignificanceTest(name, statistic, float(result.pvalue), effect_name, effect, interval, (total,), "; ".join(notes))


def _v_interval(statistic: float, degrees: int, strength: int) -> ConfidenceInterval:
    """Smithson's interval of Cramér's V, from that of the noncentrality of the distribution of chi-squared."""

    def noncentrality(tail: float) -> float:
        def above(value: float) -> float:
            return float(stats.ncx2.cdf(statistic, degrees, value) if value > 0 else stats.chi2.cdf(statistic, degrees)) - tail

        if above(0.0) <= 0:
            return 0.0
        largest = max(4 * statistic, 50.0)
        while above(largest) > 0:
            largest *= 2
        return float(optimize.brentq(above, 0.0, largest))

    low, high = noncentrality((1 + CONFIDENCE) / 2), noncentrality((1 - CONFIDENCE) / 2)
    return ConfidenceInterval(
        math.sqrt((low + degrees) / strength) if low > 0 else 0.0, min(1.0, math.sqrt((high + degrees) / strength))
    )
