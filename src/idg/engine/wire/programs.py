"""A program as players see it: its source, and the places of its loops, tests and promises."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal

from idg.engine.wire.answers import TraceAnswer
from idg.engine.wire.build import where
from idg.engine.wire.codec import Layout
from idg.engine.wire.places import Where
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.syntax import Expr, Type
from idg.sip.text.printer import print_expression
from idg.sip.values import ValueJson

Variant = Literal["code", "trace"]
"""The two ways to play: with the program in view, or with its trace only."""


AskedEnding = Literal["", "ends", "never ends"]
"""The second mark that a level asks for: that every run ends is to be proved, or a run is to be found that never does."""


class SourcePlace(Record):
    """A part of a program: its canonical text, and where it stands in the source."""

    text: str
    where: Where


class TypedName(Record):
    """A variable and its type."""

    name: str
    type: Type


class HelperPlaces(Record):
    """The helper that a loop belongs to: its name and its parameters."""

    name: str
    params: tuple[TypedName, ...]
    assigned_params: tuple[str, ...]
    """Parameters that it changes."""


class LoopPlaces(Record):
    """A loop of a program: its number, the loop around it, its variables and its parts."""

    number: int
    outer: int | None
    columns: tuple[TypedName, ...]
    where: Where
    test: SourcePlace
    body: Where
    helper: HelperPlaces | None = None
    """The helper that it belongs to. The loops of helpers come after those of the level."""


class Guarantee(Record):
    """The promised expressions, and the place where they must hold."""

    expressions: tuple[SourcePlace, ...]
    where: Where


class ProgramAnswer(Record):
    """A program that can be played: what a client needs to show it and to check expressions by itself."""

    program: str
    """The hash of its source."""
    title: str
    source: str
    level: str | None
    params: tuple[TypedName, ...]
    assigned_params: tuple[str, ...]
    """Parameters that the program changes."""
    chooses: bool
    """Whether its runs depend on the seed of their choices."""
    helpers: tuple[str, ...]
    loops: tuple[LoopPlaces, ...]
    guarantee: Guarantee
    pres: tuple[SourcePlace, ...]
    guarantee_text: str
    """The guarantee as it is shown to players."""
    story: str | None = None
    """This and the next six are told of levels and variations only, apart from the inputs."""
    proved: str | None = None
    """What a proof of the guarantee says, in plain words and no more than it says."""
    idea: str | None = None
    """The one new idea of the level, in a few words."""
    difficulty: int | None = None
    world: str | None = None
    inputs: Mapping[str, ValueJson] | None = None
    """The inputs of the first trace, as texts."""
    tries: tuple[Mapping[str, ValueJson], ...] | None = None
    """Further inputs worth trying."""
    variation: str | None = None
    """For a level with other numbers or in other clothes, which can be today's level: its id."""
    trace: TraceAnswer | None = None
    """The first trace, where the answer is about a program and not about a room."""
    ending: AskedEnding = ""
    nudge: str = ""
    """Of a level that asks for its second mark: a little help for it."""

    layout = Layout(
        order=(
            "program", "title", "source", "level", "params", "assigned_params", "chooses", "helpers", "loops", "guarantee", "pres",
            "story", "proved", "idea", "difficulty", "world", "inputs", "tries", "guarantee_text", "variation", "ending",
            "nudge", "trace",
        )
    )  # fmt: skip


class ReadingNote(Record):
    """A reading that was made where C and SIP differ: what was taken for what."""

    line: int
    """The line of the text that was read; 0 where the note is about the whole text."""
    text: str


class ReadProgram(Record):
    """A C or Python text, read as SIP."""

    source: str
    """The SIP program."""
    notes: tuple[ReadingNote, ...]


class ShownProgram(Record):
    """A program as another language shows it."""

    language: str
    text: str


class ListedLevel(Record):
    """A level in the list of all levels."""

    level: str
    title: str
    world: str
    difficulty: int
    """From 1 to 5: a stroll, a walk, a climb, steep, a summit."""
    story: str
    loops: int
    program: str
    """The hash of its source."""
    minutes: int
    """About how long a player takes who has played what comes before."""
    idea: str
    """The one new idea, in a few words."""
    icon: str
    """The name of the idea's sign."""
    patterns: tuple[str, ...]
    """The ids of the patterns that its shortest known proof uses."""
    after: tuple[str, ...]
    """The ids of the levels that prepare it."""
    fixed: tuple[str, ...]
    """Inputs that its program never changes. The form of a fact depends on them."""
    beside: str | None = None
    """For a side lamp, which may be left out: the id of the level that it stands beside."""
    paper: bool = False
    """Whether it is one of the twelve levels of the paper that first described the game."""
    ending: AskedEnding = ""


class ListedWorld(Record):
    """A group of levels."""

    id: str
    title: str
    text: str
    table: str
    """The id of the level of this world that is offered as a table game, without its program."""


class LevelList(Record):
    """All levels in the order of play, and the worlds that group them."""

    worlds: tuple[ListedWorld, ...]
    levels: tuple[ListedLevel, ...]


class DailyLevel(Record):
    """Today's level. It is a level, or a variation of one, which is played as a program."""

    date: str
    """The day in Universal Time, such as "2026-11-18"."""
    program: str
    """The hash of its source."""
    level: str | None
    variation: str | None
    """The id of the variation, where it is one."""
    title: str
    story: str
    difficulty: int
    minutes: int


class DailyDay(Record):
    """A day of this week, and the program that was or is its level."""

    date: str
    program: str


class DailyAnswer(Record):
    """Today's level, the same for everybody, and the days of this week from Monday to today."""

    today: DailyLevel
    week: tuple[DailyDay, ...]


def program_hash(source: str) -> str:
    """The name under which a program is stored and shared."""
    return hashlib.sha256(source.encode()).hexdigest()[:32]


def program_answer(program: Program, source: str, title: str) -> ProgramAnswer:
    """What is told of any program. What only levels have (story, inputs, …) is for the caller to add."""
    function = program.level
    return ProgramAnswer(
        program=program_hash(source),
        title=title,
        source=source,
        level=None,
        params=tuple(TypedName(name, kind) for name, kind in program.params.items()),
        assigned_params=tuple(name for name in program.params if name in program.info.level.assigned),
        chooses=function.name in program.info.choosing,
        helpers=tuple(helper.name for helper in program.module.functions[:-1]),
        loops=tuple(_loop(program, source, number) for number in range(1, len(program.loops) + 1)),
        guarantee=_guarantee(program, source),
        pres=tuple(_place(source, pre) for pre in function.pres),
        guarantee_text=" & ".join(map(print_expression, program.guarantee)),
    )


def _loop(program: Program, source: str, number: int) -> LoopPlaces:
    loop = program.loop(number)
    function = program.info.functions[loop.function]
    kinds = function.variables
    statement = loop.statement
    params = tuple(TypedName(param.name, param.type) for param in function.function.params)
    helper = HelperPlaces(loop.function, params, function.assigned_params)
    return LoopPlaces(
        number,
        loop.outer,
        tuple(TypedName(name, kinds[name]) for name in loop.columns),
        where(source, statement.span),
        _place(source, statement.test),
        where(source, statement.body.span),
        None if loop.function == program.level.name else helper,
    )


def _guarantee(program: Program, source: str) -> Guarantee:
    """What is promised, and where: at the end of the level for postconditions, otherwise from the first final assert on."""
    function = program.level
    statements = function.body.statements
    if function.posts or not statements:
        span = statements[-1].span if statements else function.body.span
    else:
        span = statements[-max(1, len(program.guarantee))].span
    return Guarantee(tuple(_place(source, expr) for expr in program.guarantee), where(source, span))


def _place(source: str, expr: Expr) -> SourcePlace:
    return SourcePlace(print_expression(expr), where(source, expr.span))


class ExportedProof(Record):
    """A proved program in the language of another verifier."""

    target: str
    """Which verifier: dafny, why3, …"""
    file: str
    """A name for the file."""
    command: str
    """How the verifier is called on it."""
    text: str
