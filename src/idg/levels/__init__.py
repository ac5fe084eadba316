"""The levels: .sip files beside this module, described by levels.toml in the order of play."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from idg.sip.program import Program, load
from idg.sip.record import Record

_HERE = Path(__file__).parent
NUMBER_CHARS_MAX = 10
"""A level's number is not longer, and Python refuses to read very long ones."""


class World(Record):
    id: str
    title: str
    text: str


class SolutionFact(Record):
    loop: int
    expr: str


class Level(Record):
    id: str
    title: str
    world: World
    difficulty: int
    """From 1, the tutorial, to 5."""
    text: str
    """The story, for the player."""
    inputs: dict[str, str]
    """Of the trace that is shown first."""
    tries: tuple[dict[str, str], ...]
    """Further inputs worth trying."""
    guarantee: str
    """As shown to the player, over the variables at the end of the program."""
    solution: tuple[SolutionFact, ...]
    """Invariants that prove the guarantee. For tests only: no player gets to see it."""

    @property
    def source(self) -> str:
        return (_HERE / f"{self.id}.sip").read_text(encoding="utf-8")

    def program(self) -> Program:
        return load(self.source)


@cache
def all_levels() -> tuple[Level, ...]:
    """In the order of play."""
    manifest = tomllib.loads((_HERE / "levels.toml").read_text(encoding="utf-8"))
    worlds = {each["id"]: World(**each) for each in manifest["world"]}
    return tuple(_level(each, worlds) for each in manifest["level"])


def _level(row: dict[str, Any], worlds: dict[str, World]) -> Level:
    return Level(
        id=row["id"],
        title=row["title"],
        world=worlds[row["world"]],
        difficulty=row["difficulty"],
        text=row["text"],
        inputs=row["inputs"],
        tries=tuple(row["try"]),
        guarantee=row["guarantee"],
        solution=tuple(SolutionFact(**each) for each in row["solution"]),
    )


def find_level(name: str) -> Level | None:
    """By its id, or by its number in the order of play, from 1."""
    levels = all_levels()
    if name.isdecimal():
        if len(name) > NUMBER_CHARS_MAX:
            return None
        return levels[int(name) - 1] if 1 <= int(name) <= len(levels) else None
    return next((each for each in levels if each.id == name), None)
