"""What a crowd of seeded players proposes about a program: bounds, comparisons, sums, remainders, and two of them joined by `|`.

Most of it is false, much of the rest is true and not inductive, and hundreds of facts of any kind can be had from any program.
"""

from __future__ import annotations

import random

from idg.sip.program import Program
from idg.sip.syntax import Type

PROPOSALS_EACH = 6
"""Proposals of one player."""


def crowd(program: Program, players: int, seed: int = 0) -> list[tuple[int, str]]:
    """What so many players propose at the loops of the program, each text once."""
    rng = random.Random(seed)
    return list(dict.fromkeys(_proposal(program, rng) for _ in range(players * PROPOSALS_EACH)))


def _proposal(program: Program, rng: random.Random) -> tuple[int, str]:
    loop = rng.choice(program.loops)
    variables = program.info.functions[loop.function].variables
    columns = [name for name in loop.columns if not variables[name].element]
    lengths = [f"len({name})" for name in loop.columns if variables[name].element]
    numbers = [*(name for name in columns if variables[name] is not Type.BOOL), *lengths]
    switches = [name for name in columns if variables[name] is Type.BOOL]
    shape = rng.random()
    count = 1 if shape < 0.4 else 2 if shape < 0.9 else 3
    whole = [name for name in numbers if name in lengths or variables[name] is not Type.RAT]
    return loop.number, " | ".join(_simple(rng, numbers, whole, switches) for _ in range(count))


def _simple(rng: random.Random, numbers: list[str], whole: list[str], switches: list[str]) -> str:
    if switches and rng.random() < 0.2:
        return rng.choice(("", "!")) + rng.choice(switches)
    name, other, third = rng.sample(numbers, 3) if len(numbers) > 2 else rng.choices(numbers, k=3)
    op = rng.choice(("<=", ">=", "<", ">", "!=", "="))
    shape = rng.randrange(5 if whole else 4)
    if shape == 0:
        return f"{name} {op} {rng.randint(-3, 12)}"
    if shape == 1:
        return f"{name} {op} {other} + {rng.randint(0, 6)}"
    if shape == 2:
        return f"{name} + {other} {op} {third} + {rng.randint(0, 4)}"
    if shape == 3:
        return f"{name} * {other} {op} {third} + {rng.randint(0, 4)}"
    return f"{rng.choice(whole)} % {rng.choice((2, 3, 4))} = {rng.randint(0, 2)}"
