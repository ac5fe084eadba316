"""How many participants a study needs, or how likely it is to find an effect: planning, before anybody has played."""

from __future__ import annotations

import math

from scipy import stats

from idg.sip.record import Record, replace

PARTICIPANTS_MAX = 10_000_000
"""Where more would be needed in an arm, the effect is too small to plan for."""


class PowerPlan(Record):
    """What is assumed, and what follows."""

    first: float
    second: float
    """The win rates that are expected in the two arms."""
    attempts: float
    """Attempted levels of a participant, on average."""
    likeness: float
    """How alike the attempts of one participant are: the intraclass correlation, from 0 to 1."""
    alpha: float
    ratio: float
    """Participants of the second arm for each of the first."""
    design_effect: float
    """How much the likeness makes attempts worth less: 1 + (attempts - 1) · likeness."""
    cohens_h: float


def plan(
    first: float, second: float, attempts: float = 1.0, likeness: float = 0.0, alpha: float = 0.05, ratio: float = 1.0
) -> PowerPlan:
    h = 2 * math.asin(math.sqrt(first)) - 2 * math.asin(math.sqrt(second))
    return PowerPlan(first, second, attempts, likeness, alpha, ratio, 1 + (attempts - 1) * likeness, h)


def power_of(plan: PowerPlan, participants: float) -> float:
    """The chance to find the effect with so many participants in the first arm: two shares compared, two-sided, normal
    approximation, on as many independent attempts as theirs are worth."""
    size = participants * plan.attempts / plan.design_effect
    other = size * plan.ratio
    if size <= 0:
        return plan.alpha
    pooled = (plan.first + plan.ratio * plan.second) / (1 + plan.ratio)
    deviation_null = math.sqrt(pooled * (1 - pooled) * (1 / size + 1 / other))
    deviation = math.sqrt(plan.first * (1 - plan.first) / size + plan.second * (1 - plan.second) / other)
    if deviation == 0:
        return 1.0 if plan.first != plan.second else plan.alpha
    bound = float(stats.norm.isf(plan.alpha / 2)) * deviation_null
    difference = abs(plan.first - plan.second)
    return float(stats.norm.sf((bound - difference) / deviation) + stats.norm.cdf((-bound - difference) / deviation))


def participants_for(plan: PowerPlan, power: float) -> int | None:
    """The fewest participants in the first arm that reach this power; None where none of any reasonable number do."""
    if plan.first == plan.second:
        return None
    low, high = 0, 1
    while power_of(plan, high) < power:
        low, high = high, high * 2
        if high > PARTICIPANTS_MAX:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if power_of(plan, middle) < power:
            low = middle
        else:
            high = middle
    return high


def smallest_difference(plan: PowerPlan, participants: int, power: float) -> float | None:
    """The smallest second win rate above or below the first that is found with this power, as a difference; None where none is."""
    for step in range(1, 1000):
        difference = step / 1000
        for second in (plan.first - difference, plan.first + difference):
            if 0 <= second <= 1 and power_of(replace(plan, second=second), participants) >= power:
                return difference
    return None
