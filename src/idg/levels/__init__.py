"""The levels: each is a .sip file beside this module and a row of levels.toml, which has them in the order of play."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from idg.levels.patterns import fixed_names
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.values import ValueJson

_HERE = Path(__file__).parent
NUMBER_CHARS_MAX = 10
"""How many digits a level's number may have when it is asked for, because Python refuses to read very long numbers."""

WORDS = ("stroll", "walk", "climb", "steep", "summit")
"""The words for the difficulties 1 to 5. A difficulty is never shown as stars, which look like something earned."""


class World(Record):
    """A group of levels with something in common, such as a kind of invariant."""

    id: str
    title: str
    text: str
    table: str
    """The level of this world that the map offers as a table game, without its program."""


class SolutionFact(Record):
    """One invariant of a solution, and the number of its loop, from 1."""

    loop: int
    expr: str


class SolutionMeasure(Record):
    """The measure of one loop, as it is proposed after `decreases`."""

    loop: int
    measure: str


LevelEnding = Literal["", "ends", "never ends"]


class Level(Record):
    id: str
    title: str
    world: World
    difficulty: int
    """From 1, a stroll, to 5, a summit; `WORDS` has the words."""
    minutes: int
    """About how long a player takes who has played what comes before."""
    idea: str
    """The one new idea, in a few words."""
    icon: str
    """The name of the idea's sign on the map."""
    patterns: tuple[str, ...]
    """The patterns of the solution's facts, by their ids."""
    after: tuple[str, ...]
    """The ids of the levels that prepare it."""
    beside: str | None
    """For a side lamp, which has the same idea and may be left out: the id of the level that it stands beside."""
    paper: bool
    """Whether it is one of the twelve levels of the paper that first described the game."""
    text: str
    """The story, for the player."""
    proved: str
    """What a proof says, in plain words and no more: partial correctness reads "when the loop ends"."""
    inputs: Mapping[str, ValueJson]
    """The inputs of the trace that is shown first."""
    tries: tuple[Mapping[str, ValueJson], ...]
    """Further inputs worth trying."""
    guarantee: str
    """The guarantee as it is shown to the player, an expression over the variables at the end of the program."""
    solution: tuple[SolutionFact, ...]
    """Invariants that prove the guarantee. Tests use them, and medals use their number; no player gets to see them."""
    ending: LevelEnding = ""
    """Whether the level asks for its second mark: that every run ends is to be proved, or a run is to be found that never does."""
    measures: tuple[SolutionMeasure, ...] = ()
    """Where every run ends: measures that prove it, together with the solution and the helpers."""
    helpers: tuple[SolutionFact, ...] = ()
    """Invariants that only the measures need, besides the solution."""
    endless: Mapping[str, ValueJson] | None = None
    """Where a run never ends: inputs of such a run, as texts."""
    nudge: str = ""
    """A little help for the second mark."""

    @property
    def source(self) -> str:
        return (_HERE / f"{self.id}.sip").read_text(encoding="utf-8")

    def program(self) -> Program:
        program = load(self.source)
        program.first_inputs = self.inputs
        return program

    @property
    def fixed(self) -> tuple[str, ...]:
        """Inputs that the program never changes."""
        return fixed_names(self.program())


@cache
def all_levels() -> tuple[Level, ...]:
    """All levels, in the order of play."""
    manifest = tomllib.loads((_HERE / "levels.toml").read_text(encoding="utf-8"))
    worlds = {row["id"]: World(**row) for row in manifest["world"]}
    return tuple(_level(row, worlds) for row in manifest["level"])


def _level(row: dict[str, Any], worlds: dict[str, World]) -> Level:
    return Level(
        id=row["id"],
        title=row["title"],
        world=worlds[row["world"]],
        difficulty=row["difficulty"],
        minutes=row["minutes"],
        idea=row["idea"],
        icon=row["icon"],
        patterns=tuple(row["patterns"]),
        after=tuple(row["after"]),
        beside=row.get("beside"),
        paper=row.get("paper", False),
        text=row["text"],
        proved=row["proved"],
        inputs=row["inputs"],
        tries=tuple(row["try"]),
        guarantee=row["guarantee"],
        solution=tuple(SolutionFact(**fact) for fact in row["solution"]),
        ending=row.get("ending", ""),
        measures=tuple(SolutionMeasure(**measure) for measure in row.get("measures", ())),
        helpers=tuple(SolutionFact(**fact) for fact in row.get("helpers", ())),
        endless=row.get("endless"),
        nudge=row.get("nudge", ""),
    )


def find_level(name: str) -> Level | None:
    """The level with this id, or with this number in the order of play, counted from 1; None if there is none."""
    levels = all_levels()
    if name.isdecimal():
        if len(name) > NUMBER_CHARS_MAX:
            return None
        return levels[int(name) - 1] if 1 <= int(name) <= len(levels) else None
    return next((level for level in levels if level.id == name), None)
