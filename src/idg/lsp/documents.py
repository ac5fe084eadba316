"""The programs that are open in the editor, and what is known of each: always of its present text, never of an older one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any, TypeVar

from idg.lsp.jobs import (
    AgentAnswer,
    EditorHint,
    FileAnalysis,
    LoopTable,
    ProvedInsertion,
    Tell,
    agent_tried,
    analysed,
    hint_made,
    loop_tables,
)
from idg.lsp.positions import TextPositions
from idg.lsp.processes import JobFailed, JobProcesses
from idg.lsp.reading import Language, NotRead, ReadPositions, ReadText, language_of, reading
from idg.sip.errors import SipError
from idg.sip.program import Program, load

TYPING_SECONDS = 0.3
"""Two edits that follow each other so quickly mean that somebody is typing."""
PAUSE_SECONDS = 0.1
"""While somebody is typing: how long nothing may be typed before an analysis begins. Otherwise each keystroke would begin one, and
the next one would end it. A single edit is analysed at once."""
ANALYSES_KEPT = 64
"""Texts whose analyses are remembered: undoing an edit, or opening a file again, is answered at once."""

Answer = TypeVar("Answer")


class EditedText:
    """One version of a document. A newer version makes a new one, and everything that is under way for the old one is ended."""

    def __init__(self, uri: str, version: int | None, text: str, pause_seconds: float, language: Language) -> None:
        """`pause_seconds`: how long the analysis waits for a newer version."""
        self.uri = uri
        self.version = version
        self.text = text
        self.pause_seconds = pause_seconds
        self.language = language
        self.positions = TextPositions(text)
        self.places: TextPositions | ReadPositions = self.positions
        """Where in the document the places of the program are."""
        self.program: Program | None = None
        """None until it was read, or where the text is no program."""
        self.read: ReadText | NotRead | None = None
        """How a text in another language was read."""
        self.problems: SipError | None = None
        self.analysis: FileAnalysis | None = None
        """None until it is known."""
        self.failure = ""
        """Why there is no analysis."""
        self.offered: list[ProvedInsertion] = []
        """What hints and the agent have come to: each was verified in this very text."""
        self.tables: tuple[LoopTable, ...] | None = None
        self.hint: EditorHint | None = None
        self.under_way: set[asyncio.Task[Any]] = set()
        self.settled = asyncio.Event()
        """Set when the text was analysed, or when it never will be."""

    def spawn(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Begins work that ends with this version of the document."""
        task = asyncio.ensure_future(work)
        self.under_way.add(task)
        task.add_done_callback(self.under_way.discard)
        return task

    def abandon(self) -> None:
        for task in tuple(self.under_way):
            task.cancel()
        self.settled.set()


class OpenDocuments:
    """The present version of each open document."""

    def __init__(self, shown: Callable[[EditedText], None], offered: Callable[[], None]) -> None:
        """`shown` is called whenever there is something new to show of a text, `offered` when there is a new quick fix."""
        self._shown = shown
        self._offered = offered
        self._texts: dict[str, EditedText] = {}
        self._jobs = JobProcesses()
        self._analyses: OrderedDict[str, FileAnalysis] = OrderedDict()
        self._edited_last: dict[str, float] = {}
        """When each document was last edited."""
        self._hints_shown: dict[tuple[str, str], int] = {}
        """For each document and fact: how many steps of the hint were shown."""

    def warm_up(self) -> None:
        self._jobs.warm_up()

    def get(self, uri: str) -> EditedText | None:
        return self._texts.get(uri)

    def edited(self, uri: str, version: int | None, text: str, told: str = "") -> None:
        """A document was opened or changed. `told`: its language, which an editor tells where it opens a document."""
        before = self._texts.get(uri)
        language = language_of(uri, told) if before is None or told else before.language
        self.closed(uri)
        now = monotonic()
        pause = PAUSE_SECONDS if now - self._edited_last.get(uri, 0.0) < TYPING_SECONDS else 0.0
        self._edited_last[uri] = now
        edited = self._texts[uri] = EditedText(uri, version, text, pause, language)
        edited.spawn(self._look_at(edited))

    def closed(self, uri: str) -> None:
        before = self._texts.pop(uri, None)
        if before is not None:
            before.abandon()

    def close_all(self) -> None:
        for uri in tuple(self._texts):
            self.closed(uri)
        self._jobs.close()

    async def _look_at(self, edited: EditedText) -> None:
        text = await self._program_text(edited)
        try:
            edited.program = None if text is None else await asyncio.to_thread(load, text)
        except SipError as error:
            edited.problems = error
        if edited.program is not None:
            edited.analysis = self._analyses.get(edited.program.text)
        self._shown(edited)
        if edited.program is not None and edited.analysis is None:
            await asyncio.sleep(edited.pause_seconds)
            try:
                edited.analysis = await self._jobs.run(analysed, edited.program.text)
                self._remember(edited)
            except JobFailed as error:
                edited.failure = str(error)
            self._shown(edited)
        edited.settled.set()

    async def _program_text(self, edited: EditedText) -> str | None:
        """The text of the program in SIP; None where a text in another language is not read."""
        if edited.language == "SIP":
            return edited.text
        await asyncio.sleep(edited.pause_seconds)
        edited.read = await reading(self._jobs, edited.language, edited.uri, edited.text)
        if isinstance(edited.read, NotRead):
            return None
        edited.places = ReadPositions(edited.read.program, edited.positions)
        return edited.read.program

    def _remember(self, edited: EditedText) -> None:
        assert edited.analysis is not None
        assert edited.program is not None
        self._analyses[edited.program.text] = edited.analysis
        if len(self._analyses) > ANALYSES_KEPT:
            self._analyses.popitem(last=False)

    async def tables(self, edited: EditedText) -> tuple[LoopTable, ...]:
        """The tables of the loops, which are made when somebody first looks at one."""
        if edited.tables is None:
            edited.tables = await edited.spawn(self._jobs.run(loop_tables, edited.text))
        return edited.tables

    async def next_hint(self, edited: EditedText) -> str:
        """The next step of the hint. Its last step is the invariant itself, which is then offered as a quick fix."""
        assert edited.program is not None
        if edited.hint is None:
            edited.hint = await edited.spawn(self._jobs.run(hint_made, edited.program.text))
        hint = edited.hint
        if hint.target is None:
            return hint.steps[0]
        # The hint is made anew for each text, and goes on where it was if it leads to the same fact.
        key = (edited.uri, hint.target.text)
        shown = min(self._hints_shown.get(key, 0) + 1, len(hint.steps))
        self._hints_shown[key] = shown
        if shown == len(hint.steps):
            self._offer(edited, hint.insertion)
        return f"Hint {shown} of {len(hint.steps)}: {hint.steps[shown - 1]}"

    async def agent(self, edited: EditedText, tell: Tell) -> AgentAnswer:
        """Lets the agent try. What it finds and what is proved is offered as a quick fix."""
        assert edited.program is not None
        answer = await edited.spawn(self._jobs.run(agent_tried, edited.program.text, tell))
        self._offer(edited, answer.insertion)
        return answer

    def _offer(self, edited: EditedText, insertion: ProvedInsertion | None) -> None:
        """Offers a quick fix. An insertion is made of SIP, so nothing is inserted into texts of other languages."""
        if insertion is not None and insertion not in edited.offered and edited.language == "SIP":
            edited.offered.append(insertion)
            self._offered()
