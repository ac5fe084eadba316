"""Reads what players write. What is short is read at once; everything else is left to a text worker, a process of its own.

The event loop serves everybody, so nothing may hold it up that grows with what somebody sends. A thread would not help: it holds
the loop up, too, because Python runs one thread at a time. All texts of players come through here, and a test holds that.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from idg.coordinator.cache import BytesCache, text_bytes
from idg.coordinator.errors import accepted
from idg.coordinator.pool.computing.calls import AboutBody, AboutNewProgram, AboutTexts, ProposedText
from idg.coordinator.pool.computing.text_calls import canonical_texts
from idg.coordinator.pool.jobs import Asker, Job, Pool
from idg.engine.wire.codec import Json, encode
from idg.sip.program import Program, load
from idg.sip.record import Record

if TYPE_CHECKING:
    from idg.coordinator.catalog import CatalogEntry

CHARS_IN_LOOP_MAX = 400
"""How many characters of expressions one request may have that are read in the event loop: about 2 ms."""
PROGRAM_CHARS_IN_LOOP_MAX = 1_500
"""How long a program may be that is parsed in the event loop, so that short expressions about it can be read there: about 5 ms."""
BODY_BYTES_IN_LOOP_MAX = 8_192
"""How long the body of a request may be that is read in the event loop before a text worker has checked it."""
CHARS_A_JOB_MAX = 50_000
"""About how many characters of expressions a text worker gets at once, so that others get their turn after half a second."""
CANONICAL_BYTES_MAX = 16 * 2**20
"""Memory for canonical forms of texts that were proposed before."""
VIEWS_BYTES_MAX = 16 * 2**20
"""Memory for what is told of programs."""
PROGRAMS_BYTES_MAX = 32 * 2**20
"""Memory for short programs that are parsed."""
PROGRAM_BYTES_A_CHAR = 300
"""About how much memory a parsed program takes for each character of its text."""


class Texts:
    """Callers say for whom they ask (`asker`), because those who ask take turns."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._canonical: BytesCache[tuple[str, int, str], str] = BytesCache(CANONICAL_BYTES_MAX)
        """Program, loop and proposed text → its canonical form."""
        self._views: BytesCache[str, str] = BytesCache(VIEWS_BYTES_MAX)
        self._programs: BytesCache[str, Program] = BytesCache(PROGRAMS_BYTES_MAX)

    async def canonical(self, entry: CatalogEntry, proposals: Sequence[ProposedText], asker: Asker) -> list[str]:
        """The proposed texts in canonical form. ApiError says which one is no proposal, and why."""
        forms = [self._canonical.get((entry.hash, proposed.loop, proposed.text)) for proposed in proposals]
        unknown = [proposed for proposed, form in zip(proposals, forms, strict=True) if form is None]
        fresh: list[str] = []
        if sum(len(proposed.text) for proposed in unknown) <= CHARS_IN_LOOP_MAX:
            program = self._short_program(entry) if unknown else None
        else:
            program = None
        if program is not None:
            fresh = canonical_texts(program, unknown)
        else:
            for chunk in _chunks(unknown):
                fresh += (await self._ask("canonical", AboutTexts(entry.source, tuple(chunk)), asker))["texts"]
        for proposed, form in zip(unknown, fresh, strict=True):
            self._canonical.put((entry.hash, proposed.loop, proposed.text), form, text_bytes(proposed.text, form))
        rest = iter(fresh)
        return [next(rest) if form is None else form for form in forms]

    def _short_program(self, entry: CatalogEntry) -> Program | None:
        """The program, where it is a level or short."""
        if entry.program is not None or len(entry.source) > PROGRAM_CHARS_IN_LOOP_MAX:
            return entry.program
        program = self._programs.get(entry.hash)
        return program or self._programs.put(entry.hash, load(entry.source), len(entry.source) * PROGRAM_BYTES_A_CHAR)

    async def view(self, entry: CatalogEntry, asker: Asker) -> str:
        """The JSON of a `ProgramAnswer` without inputs and trace. ApiError says why the program cannot be played."""
        view = self._views.get(entry.hash)
        if view is None:
            answer = await self._ask("view", AboutNewProgram(entry.source, entry.title), asker)
            view = self._views.put(entry.hash, answer["view"], text_bytes(answer["view"]))
        return view

    async def check_body(self, model: str, body: bytes, asker: Asker) -> None:
        """ApiError says what is wrong with the body of a request; a short one is checked by whoever reads it."""
        if len(body) > BODY_BYTES_IN_LOOP_MAX:
            await self._ask("check_body", AboutBody(model, base64.b64encode(body).decode()), asker)

    async def _ask(self, call: str, arguments: Record, asker: Asker) -> Json:
        return accepted(await self.pool.ask(Job(call, encode(arguments), asker)))


def _chunks(proposals: Sequence[ProposedText]) -> Iterator[list[ProposedText]]:
    chunk: list[ProposedText] = []
    chars = 0
    for proposed in proposals:
        chunk.append(proposed)
        chars += len(proposed.text)
        if chars >= CHARS_A_JOB_MAX:
            yield chunk
            chunk, chars = [], 0
    if chunk:
        yield chunk


def single(loop: int, text: str) -> list[ProposedText]:
    """One proposed text, which the request has in its field `expression`."""
    return [ProposedText(loop, text, "expression")]
