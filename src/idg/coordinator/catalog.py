"""Programs that rooms play on: the levels, and players' own, kept once by the hash of their text."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from functools import cache
from typing import Any

from idg.coordinator.errors import ApiError, text_error
from idg.coordinator.store import ProgramRow, Store
from idg.levels import Level, all_levels
from idg.sip.errors import SipError, where_json
from idg.sip.operators import BUILTINS, OPERATORS, WORDS
from idg.sip.program import Program, load
from idg.sip.syntax import Expr, Span
from idg.sip.text.printer import print_expression

PROGRAMS_KEPT = 500
"""Players' programs kept parsed."""
PROPOSALS_KEPT = 2_000
"""Texts of proposals to one program whose canonical form is remembered."""


def program_hash(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:32]


class CatalogEntry:
    """A program that can be played."""

    def __init__(self, source: str, title: str, level: Level | None) -> None:
        self.source = source
        self.hash = program_hash(source)
        self.title = title
        self.level = level
        self.program: Program = load(source)
        self.par = len(level.solution) if level is not None else None
        """The fewest invariants known to prove it."""
        self._canonical: OrderedDict[tuple[int, str], str] = OrderedDict()

    def canonical(self, text: str, loop: int, field: str = "expression") -> str:
        """The proposal in canonical form, or the ApiError that says why it is none."""
        key = (loop, text)
        found = self._canonical.get(key)
        if found is None:
            self.check_loop(loop)
            try:
                found = print_expression(self.program.proposal(text, loop))
            except SipError as error:
                raise text_error(error, field) from None
            self._canonical[key] = found
            if len(self._canonical) > PROPOSALS_KEPT:
                self._canonical.popitem(last=False)
        return found

    def check_loop(self, loop: int) -> None:
        try:
            self.program.loop(loop)
        except LookupError as error:
            raise ApiError("no-such-loop", str(error), where={"field": "loop"}) from None

    def as_json(self) -> dict[str, Any]:
        """What a client needs to show it and to check expressions by itself."""
        program, level = self.program, self.level
        function = program.level
        found: dict[str, Any] = {
            "program": self.hash,
            "title": self.title,
            "source": self.source,
            "level": None if level is None else level.id,
            "params": [{"name": name, "type": str(kind)} for name, kind in program.params.items()],
            "assigned_params": [name for name in program.params if name in program.info.level.assigned],
            "chooses": function.name in program.info.choosing,
            "helpers": [each.name for each in program.module.functions[:-1]],
            "loops": [self._loop_json(number) for number in range(1, len(program.loops) + 1)],
            "guarantee": self._guarantee_json(),
            "pres": [self._place_json(each) for each in function.pres],
        }
        if level is not None:
            found |= {
                "story": level.text,
                "difficulty": level.difficulty,
                "world": level.world.id,
                "inputs": level.inputs,
                "tries": list(level.tries),
                "guarantee_text": level.guarantee,
            }
        else:
            found["guarantee_text"] = " & ".join(print_expression(each) for each in program.guarantee)
        return found

    def _loop_json(self, number: int) -> dict[str, Any]:
        loop = self.program.loop(number)
        kinds = self.program.info.level.variables
        statement = loop.statement
        return {
            "number": number,
            "outer": loop.outer,
            "columns": [{"name": name, "type": str(kinds[name])} for name in loop.columns],
            "where": where_json(self.source, statement.span),
            "test": self._place_json(statement.test),
            "body": where_json(self.source, statement.body.span),
        }

    def _guarantee_json(self) -> dict[str, Any]:
        """The promised expressions, and the place where they must hold: the end of the level, or the first final assert."""
        function = self.program.level
        statements = function.body.statements
        if function.posts or not statements:
            where = statements[-1].span if statements else function.body.span
        else:
            where = statements[-max(1, len(self.program.guarantee))].span
        return {"expressions": [self._place_json(each) for each in self.program.guarantee], "where": where_json(self.source, where)}

    def _place_json(self, expr: Expr) -> dict[str, Any]:
        span: Span = expr.span
        return {"text": print_expression(expr), "where": where_json(self.source, span)}


@cache
def level_entries() -> dict[str, CatalogEntry]:
    return {level.id: CatalogEntry(level.source, level.title, level) for level in all_levels()}


@cache
def reference() -> dict[str, Any]:
    """The operators, functions and words of the language, with explanations."""
    return {
        "operators": [
            {"token": each.token, "alternatives": list(each.alternatives), "explanation": each.explanation, "example": each.example}
            for each in OPERATORS
        ],
        "functions": [{"name": each.name, "explanation": each.explanation, "example": each.example} for each in BUILTINS],
        "words": [{"token": each.token, "explanation": each.explanation, "example": each.example} for each in WORDS],
    }


class Catalog:
    def __init__(self, store: Store) -> None:
        self.store = store
        self._by_hash = {entry.hash: entry for entry in level_entries().values()}
        self._own: OrderedDict[str, CatalogEntry] = OrderedDict()

    async def start(self, time: float) -> None:
        """Rooms refer to programs of the store, so the levels are there, too."""
        for entry in self._by_hash.values():
            await self.store.put_program(ProgramRow(entry.hash, entry.source, entry.title, None, time))

    def level(self, name: str) -> CatalogEntry | None:
        return level_entries().get(name)

    async def program(self, hash: str) -> CatalogEntry | None:
        found = self._by_hash.get(hash) or self._own.get(hash)
        if found is None:
            row = await self.store.program(hash)
            if row is None:
                return None
            found = self._keep(CatalogEntry(row.source, row.title, None))
        return found

    async def checked(self, source: str, title: str) -> CatalogEntry:
        """A program that can be played, be it stored or not; the ApiError that says why it cannot."""
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        found = await self.program(program_hash(source))
        if found is not None:
            return found
        try:
            found = CatalogEntry(source, title, None)
        except SipError as error:
            raise text_error(error, "source") from None
        _check_playable(found.program)
        return found

    async def put(self, entry: CatalogEntry, player: str, time: float) -> CatalogEntry:
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
            where={"field": "source"},
            hint="the last function of the text is the one that is played; give it a while loop",
        )
    if not program.guarantee:
        raise ApiError(
            "bad-text",
            f"'{name}' promises nothing, so there is nothing to prove",
            where={"field": "source"},
            hint="end it with assert(…), or start it with post(…)",
        )
