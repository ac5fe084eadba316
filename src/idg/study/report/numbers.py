"""Numbers and tests as a reader of a report sees them."""

from __future__ import annotations

from idg.study.analysis.significance import ConfidenceInterval, SignificanceTest

P_TOLD_MIN = 0.001
"""Smaller p-values are told with a power of ten."""


def share(value: float | None) -> str:
    return "no data" if value is None else f"{value:.3f}"


def percent(value: float | None) -> str:
    return "no data" if value is None else f"{100 * value:.1f} %"


def interval(value: ConfidenceInterval | None) -> str:
    return "–" if value is None else f"{value.low:.3f} to {value.high:.3f}"


def seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f} s"


def p_value(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if value >= P_TOLD_MIN else f"{value:.2e}"


def verdict(test: SignificanceTest, alpha: float) -> str:
    """What the test says at this alpha, and no more."""
    if test.p is None:
        return f"cannot be computed: {test.note}"
    if test.p < alpha:
        return f"a difference, significant at alpha = {alpha:g}"
    return f"no significant difference at alpha = {alpha:g}"
