"""Which arm the next participant gets: by chance or in balanced blocks, from the study's seed alone, so that it can be repeated."""

from __future__ import annotations

import random

from idg.study.definition import StudyDefinition


def assigned_arm(definition: StudyDefinition, number: int) -> str:
    """The arm of the participant with this number, counted from 0 in the order in which they came."""
    names = [arm.name for arm in definition.arms for _ in range(arm.share)]
    if not definition.block:
        return random.Random(f"{definition.seed} {number}").choice(names)
    block, place = divmod(number, definition.block)
    order = names * (definition.block // len(names))
    random.Random(f"{definition.seed} block {block}").shuffle(order)
    return order[place]
