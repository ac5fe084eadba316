"""The programs that rooms can play: the levels, and players' own. A program is known by the hash of its text and kept once."""

from __future__ import annotations

from collections import OrderedDict
from functools import cache, cached_property

from idg.coordinator.errors import ApiError, text_error
from idg.coordinator.store import ProgramRow, Store
from idg.engine.wire.programs import LevelList, ListedLevel, ListedWorld, ProgramAnswer, program_answer, program_hash
from idg.levels import Level, all_levels
from idg.sip.errors import SipError
from idg.sip.operators import BUILTINS, OPERATORS, WORDS
from idg.sip.program import Program, load
from idg.sip.record import Record, replace
from idg.sip.text.printer import print_expression

PROGRAMS_KEPT = 500
"""How many of the players' own programs are kept in memory, parsed."""
PROPOSALS_KEPT = 2_000
"""For how many proposed texts of one program the canonical form is remembered."""


class CatalogEntry:
    """A program that can be played."""

    def __init__(self, source: str, title: str, level: Level | None) -> None:
        self.source = source
        self.hash = program_hash(source)
        self.title = title
        self.level = level
        self.program: Program = load(source)
        self.par = len(level.solution) if level is not None else None
        """The number of invariants of the shortest known proof; None where none is known."""
        self._canonical: OrderedDict[tuple[int, str], str] = OrderedDict()

    def canonical(self, text: str, loop: int, field: str = "expression") -> str:
        """The proposed text in canonical form. ApiError says why it is no proposal; `field` is where the request has the text."""
        key = (loop, text)
        canonical = self._canonical.get(key)
        if canonical is None:
            self.check_loop(loop)
            try:
                canonical = print_expression(self.program.proposal(text, loop))
            except SipError as error:
                raise text_error(error, field) from None
            self._canonical[key] = canonical
            if len(self._canonical) > PROPOSALS_KEPT:
                self._canonical.popitem(last=False)
        return canonical

    def check_loop(self, loop: int) -> None:
        """ApiError where the program has no loop of this number."""
        try:
            self.program.loop(loop)
        except LookupError as error:
            raise ApiError("no-such-loop", str(error), field="loop") from None

    @cached_property
    def answer(self) -> ProgramAnswer:
        """What a client needs to show the program and to check expressions by itself."""
        answer = program_answer(self.program, self.source, self.title)
        level = self.level
        if level is None:
            return answer
        return replace(
            answer,
            level=level.id,
            story=level.text,
            difficulty=level.difficulty,
            world=level.world.id,
            inputs=level.inputs,
            tries=level.tries,
            guarantee_text=level.guarantee,
        )


@cache
def level_entries() -> dict[str, CatalogEntry]:
    return {level.id: CatalogEntry(level.source, level.title, level) for level in all_levels()}


@cache
def level_list() -> LevelList:
    """All levels in the order of play."""
    levels = all_levels()
    worlds = {level.world.id: ListedWorld(level.world.id, level.world.title, level.world.text) for level in levels}
    listed = []
    for level in levels:
        entry = level_entries()[level.id]
        loops = len(entry.program.loops)
        listed.append(ListedLevel(level.id, level.title, level.world.id, level.difficulty, level.text, loops, entry.hash))
    return LevelList(tuple(worlds.values()), tuple(listed))


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


class Catalog:
    """All programs that can be played."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._by_hash = {entry.hash: entry for entry in level_entries().values()}
        """The levels."""
        self._own: OrderedDict[str, CatalogEntry] = OrderedDict()
        """Some of the players' own programs, by their hash."""

    async def start(self, time: float) -> None:
        """Put the levels into the store, because rooms refer to programs that are stored."""
        for entry in self._by_hash.values():
            await self.store.put_program(ProgramRow(entry.hash, entry.source, entry.title, None, time))

    def level(self, name: str) -> CatalogEntry | None:
        return level_entries().get(name)

    async def program(self, hash: str) -> CatalogEntry | None:
        entry = self._by_hash.get(hash) or self._own.get(hash)
        if entry is None:
            row = await self.store.program(hash)
            if row is None:
                return None
            entry = self._keep(CatalogEntry(row.source, row.title, None))
        return entry

    async def checked(self, source: str, title: str) -> CatalogEntry:
        """The entry for a program, whether it is stored already or not. ApiError says why it cannot be played."""
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        known = await self.program(program_hash(source))
        if known is not None:
            return known
        try:
            entry = CatalogEntry(source, title, None)
        except SipError as error:
            raise text_error(error, "source") from None
        _check_playable(entry.program)
        return entry

    async def put(self, entry: CatalogEntry, player: str, time: float) -> CatalogEntry:
        """Store a program that a player has submitted, unless it is stored already."""
        if entry.hash not in self._by_hash and entry.hash not in self._own:
            await self.store.put_program(ProgramRow(entry.hash, entry.source, entry.title, player, time))
            self._keep(entry)
        return entry

    def _keep(self, entry: CatalogEntry) -> CatalogEntry:
        self._own[entry.hash] = entry
        if len(self._own) > PROGRAMS_KEPT:
            self._own.popitem(last=False)
        return entry


def _check_playable(program: Program) -> None:
    name = program.level.name
    if not program.loops:
        raise ApiError(
            "bad-text",
            f"'{name}' has no loop, so there is no invariant to find",
            field="source",
            hint="the last function of the text is the one that is played; give it a while loop",
        )
    if not program.guarantee:
        raise ApiError(
            "bad-text",
            f"'{name}' promises nothing, so there is nothing to prove",
            field="source",
            hint="end it with assert(…), or start it with post(…)",
        )
