"""Seeded inputs for a program: most are small, some are large, and some lie at the edges of their types."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from idg.sip.program import Program
from idg.sip.syntax import Type
from idg.sip.values import Scalar, Value

EDGES = (0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 25, 26, 63, 64, 65, 99, 100, 101, 255, 256, 999, 1000, 1001, 1024)
LENGTHS = (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 6)
"""How many cells an array has; some of these numbers are likelier."""


def seeded_inputs(rng: random.Random, program: Program, count: int) -> Iterator[dict[str, Value]]:
    for _ in range(count):
        reach = rng.choice((2, 5, 12, 30, 100, 1_000))
        yield {name: seeded_value(rng, kind, reach) for name, kind in program.params.items()}


def seeded_value(rng: random.Random, kind: Type, reach: int) -> Value:
    """A value of the type. Arrays are short, and some of them rise."""
    if kind.element is None:
        return seeded_scalar(rng, kind, reach)
    near = rng.choice((1, 2, reach))
    cells = [seeded_scalar(rng, kind.element, near) for _ in range(rng.choice(LENGTHS))]
    return tuple(sorted(cells) if rng.random() < 0.3 else cells)


def seeded_scalar(rng: random.Random, kind: Type, reach: int) -> Scalar:
    if kind is Type.BOOL:
        return rng.random() < 0.5
    number = rng.choice(EDGES) if rng.random() < 0.2 else rng.randint(0, reach)
    if kind is not Type.NAT and rng.random() < 0.4:
        number = -number
    return Fraction(number, rng.randint(1, 9)) if kind is Type.RAT else number
