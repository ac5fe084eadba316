"""The programs that rooms can play: the levels, their variations, and players' own.

A program is known by the hash of its text and kept once.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache, cached_property, lru_cache

from idg.coordinator.cache import BytesCache, text_bytes
from idg.coordinator.pool.jobs import Asker
from idg.coordinator.pool.json_text import dumps, record_text
from idg.coordinator.store import ProgramRow, Store
from idg.coordinator.texts import Texts
from idg.engine.wire.programs import (
    DailyAnswer,
    DailyDay,
    DailyLevel,
    LevelList,
    ListedLevel,
    ListedWorld,
    ProgramAnswer,
    program_answer,
    program_hash,
)
from idg.levels import Level, all_levels
from idg.levels.daily import Variation, all_variations, daily, daily_catalogue
from idg.sip.operators import BUILTINS, OPERATORS, WORDS
from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.text.expressions import parse_expression
from idg.sip.trees.traverse import conjunct_count
from idg.sip.values import ValueJson

SOURCES_BYTES_MAX = 32 * 2**20
"""Memory for the texts of players' own programs."""


class CatalogEntry:
    """A program that can be played."""

    program: Program | None = None
    """The program itself, where it is built in. Programs of players are left to workers, because they may be long."""
    inputs: Mapping[str, ValueJson] | None = None
    """The inputs of the first trace, where the program is built in."""

    def __init__(self, source: str, title: str) -> None:
        self.source = source
        self.hash = program_hash(source)
        self.title = title
        self.level: Level | None = None
        self.par: int | None = None
        """The number of invariants of the shortest known proof; None where none is known."""


class BuiltInEntry(CatalogEntry):
    """A level or a variation of one."""

    program: Program
    inputs: Mapping[str, ValueJson]

    def __init__(self, of: Level | Variation) -> None:
        super().__init__(of.source, of.title)
        self.par = sum(conjunct_count(parse_expression(fact.expr)) for fact in of.solution)
        self.program = of.program()
        self.inputs = of.inputs
        self.answer: ProgramAnswer = replace(
            program_answer(self.program, self.source, self.title),
            story=of.text,
            proved=of.proved,
            difficulty=of.difficulty,
            inputs=of.inputs,
            tries=of.tries,
        )
        """What a client needs to show the program and to check expressions by itself."""

    @cached_property
    def view(self) -> str:
        """The JSON of the answer."""
        return record_text(self.answer)


class LevelEntry(BuiltInEntry):
    """A level."""

    def __init__(self, level: Level) -> None:
        super().__init__(level)
        self.level = level
        self.answer = replace(self.answer, level=level.id, idea=level.idea, world=level.world.id, guarantee_text=level.guarantee)
        self.answer = replace(self.answer, ending=level.ending, nudge=level.nudge)


class VariationEntry(BuiltInEntry):
    """A variation of a level, which is no level itself."""

    def __init__(self, variation: Variation) -> None:
        super().__init__(variation)
        self.answer = replace(self.answer, variation=variation.id)


@cache
def level_entries() -> dict[str, LevelEntry]:
    return {level.id: LevelEntry(level) for level in all_levels()}


@cache
def variation_entries() -> dict[str, VariationEntry]:
    return {variation.id: VariationEntry(variation) for variation in all_variations()}


@cache
def built_in_hashes() -> dict[str, BuiltInEntry]:
    entries: list[BuiltInEntry] = [*variation_entries().values(), *level_entries().values()]
    return {entry.hash: entry for entry in entries}


@cache
def level_list() -> LevelList:
    """All levels in the order of play."""
    levels = all_levels()
    worlds = {level.world.id: level.world for level in levels}
    return LevelList(
        tuple(ListedWorld(world.id, world.title, world.text, world.table) for world in worlds.values()),
        tuple(_listed(level) for level in levels),
    )


@cache
def level_list_text() -> str:
    """The same as JSON. It never changes, and everybody asks for it."""
    return record_text(level_list())


def _listed(level: Level) -> ListedLevel:
    entry = level_entries()[level.id]
    return ListedLevel(
        level=level.id,
        title=level.title,
        world=level.world.id,
        difficulty=level.difficulty,
        story=level.text,
        loops=len(entry.program.loops),
        program=entry.hash,
        minutes=level.minutes,
        idea=level.idea,
        icon=level.icon,
        patterns=level.patterns,
        after=level.after,
        fixed=level.fixed,
        beside=level.beside,
        paper=level.paper,
        ending=level.ending,
    )


def daily_answer(time: float) -> DailyAnswer:
    """Today's level at this time, in seconds since 1970, and the days of its week up to it."""
    return _daily_answer(datetime.fromtimestamp(time, UTC).date())


@lru_cache(maxsize=2)
def _daily_answer(today: date) -> DailyAnswer:
    week = [today - timedelta(days=back) for back in reversed(range(today.weekday() + 1))]
    chosen = daily(today, daily_catalogue())
    is_level = isinstance(chosen, Level)
    return DailyAnswer(
        DailyLevel(
            date=today.isoformat(),
            program=program_hash(chosen.source),
            level=chosen.id if is_level else None,
            variation=None if is_level else chosen.id,
            title=chosen.title,
            story=chosen.text,
            difficulty=chosen.difficulty,
            minutes=chosen.minutes,
        ),
        tuple(DailyDay(day.isoformat(), program_hash(daily(day, daily_catalogue()).source)) for day in week),
    )


class ExplainedOperator(Record):
    """An operator of the language; the alternatives are other ways to write it."""

    token: str
    alternatives: tuple[str, ...]
    explanation: str
    example: str


class ExplainedFunction(Record):
    """A built-in function of the language."""

    name: str
    explanation: str
    example: str


class ExplainedWord(Record):
    """A word of the language, such as `true`."""

    token: str
    explanation: str
    example: str


class LanguageReference(Record):
    """What can be written in expressions, with explanations."""

    operators: tuple[ExplainedOperator, ...]
    functions: tuple[ExplainedFunction, ...]
    words: tuple[ExplainedWord, ...]


@cache
def reference() -> LanguageReference:
    return LanguageReference(
        tuple(
            ExplainedOperator(operator.token, tuple(operator.alternatives), operator.explanation, operator.example)
            for operator in OPERATORS
        ),
        tuple(ExplainedFunction(function.name, function.explanation, function.example) for function in BUILTINS),
        tuple(ExplainedWord(word.token, word.explanation, word.example) for word in WORDS),
    )


async def stored_entry(store: Store, hash: str) -> CatalogEntry | None:
    """The program with this hash: one that is built in, or one that a player has stored."""
    entry = built_in_hashes().get(hash)
    if entry is not None:
        return entry
    row = await store.program(hash)
    return None if row is None else CatalogEntry(row.source, row.title)


class Catalog:
    """All programs that can be played."""

    def __init__(self, store: Store, texts: Texts) -> None:
        self.store = store
        self.texts = texts
        self._own: BytesCache[str, CatalogEntry] = BytesCache(SOURCES_BYTES_MAX)
        """Some of the players' own programs, by their hash."""

    async def start(self, time: float) -> None:
        """Put the levels and variations into the store, because rooms refer to programs that are stored."""
        for entry in built_in_hashes().values():
            await self.store.put_program(ProgramRow(entry.hash, entry.source, entry.title, None, time))

    def level(self, name: str) -> LevelEntry | None:
        return level_entries().get(name)

    async def program(self, hash: str) -> CatalogEntry | None:
        entry = self._own.get(hash)
        if entry is None:
            entry = await stored_entry(self.store, hash)
            if entry is not None and not isinstance(entry, BuiltInEntry):
                self._keep(entry)
        return entry

    async def checked(self, source: str, title: str, asker: Asker) -> CatalogEntry:
        """The entry for a program, whether it is stored already or not. ApiError says why it cannot be played."""
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        known = await self.program(program_hash(source))
        if known is not None:
            return known
        entry = CatalogEntry(source, title)
        await self.texts.view(entry, asker)
        return entry

    def is_stored(self, entry: CatalogEntry) -> bool:
        """Whether it is known to be stored."""
        return isinstance(entry, BuiltInEntry) or self._own.get(entry.hash) is not None

    async def put(self, entry: CatalogEntry, player: str, time: float) -> None:
        """Store a program that a player has submitted, unless it is stored already."""
        await self.store.put_program(ProgramRow(entry.hash, entry.source, entry.title, player, time))
        self._keep(entry)

    async def view(self, entry: CatalogEntry, inputs: Mapping[str, ValueJson], asker: Asker) -> str:
        """The JSON of a `ProgramAnswer` without the trace."""
        if isinstance(entry, BuiltInEntry):
            return entry.view
        view = await self.texts.view(entry, asker)
        return f'{view[:-1]},"inputs":{dumps(inputs)}}}'

    def _keep(self, entry: CatalogEntry) -> None:
        self._own.put(entry.hash, entry, text_bytes(entry.source, entry.title))
