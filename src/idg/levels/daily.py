"""Today's level: the same for everybody on a day. It is a side lamp, or a variation of a level from daily.toml."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path

from idg.levels import Level, SolutionFact, all_levels
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.values import ValueJson

_HERE = Path(__file__).parent
DAYS_APART = 7
"""No level comes again within so many days."""


class Variation(Record):
    """A level with other numbers or in other clothes. It has no lamp on the way, and is played as a program."""

    id: str
    of: str
    """The id of the level that it varies."""
    title: str
    difficulty: int
    """From 1 to 5, as for levels."""
    minutes: int
    text: str
    """The story, for the player."""
    proved: str
    """What a proof says, in plain words and no more."""
    source: str
    inputs: Mapping[str, ValueJson]
    tries: tuple[Mapping[str, ValueJson], ...]
    solution: tuple[SolutionFact, ...]
    """Invariants that prove the guarantee; none can be left out. No player gets to see them."""

    def program(self) -> Program:
        program = load(self.source)
        program.first_inputs = self.inputs
        return program


@cache
def all_variations() -> tuple[Variation, ...]:
    rows = tomllib.loads((_HERE / "daily.toml").read_text(encoding="utf-8"))["variation"]
    return tuple(
        Variation(
            id=row["id"],
            of=row["of"],
            title=row["title"],
            difficulty=row["difficulty"],
            minutes=row["minutes"],
            text=row["text"],
            proved=row["proved"],
            source=row["source"],
            inputs=row["inputs"],
            tries=tuple(row["try"]),
            solution=tuple(SolutionFact(**fact) for fact in row["solution"]),
        )
        for row in rows
    )


@cache
def daily_catalogue() -> tuple[Level | Variation, ...]:
    """What can be today's level."""
    return (*(level for level in all_levels() if level.beside is not None), *all_variations())


def daily(day: date, catalogue: Sequence[Level | Variation]) -> Level | Variation:
    """The level of this day. It depends on nothing but the day and the catalogue, whatever the order of the catalogue.

    The catalogue is played in rounds. It falls into two halves that stay the same; in each round first the one half is played in an
    order of this round, then the other. So between two days with the same level lies a whole half.
    """
    known = sorted(catalogue, key=lambda entry: _shuffled("half", entry))
    if len(known) < 2 * DAYS_APART:
        raise ValueError(f"the catalogue has {len(known)} levels, and needs {2 * DAYS_APART}")
    rounds, place = divmod(day.toordinal(), len(known))
    middle = len(known) // 2
    half = known[:middle] if place < middle else known[middle:]
    half.sort(key=lambda entry: _shuffled(str(rounds), entry))
    return half[place if place < middle else place - middle]


def _shuffled(round_name: str, entry: Level | Variation) -> bytes:
    return hashlib.sha256(f"{round_name} {entry.id}".encode()).digest()
