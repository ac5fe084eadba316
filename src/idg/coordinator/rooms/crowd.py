"""The collective view of a level: what the proposals of all players prove together."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.players import COMPUTER
from idg.coordinator.pool.jobs import Asker
from idg.coordinator.rooms.judging.question_kinds import crowd_question
from idg.coordinator.rooms.judging.questions import Questions
from idg.coordinator.store import Store
from idg.engine.results import Fact, Kind
from idg.engine.wire.answers import CrowdAnswer
from idg.engine.wire.codec import decode, decode_any
from idg.engine.wire.events import ProposalVerdict, judged_facts
from idg.engine.wire.rooms import CrowdView

USEFUL_KINDS = (Kind.INDUCTIVE, Kind.POTENTIAL, Kind.DISPLACED, Kind.DISPLACED_POTENTIAL, Kind.UNKNOWN)
"""The kinds of proposals that may help in a proof."""
EVENTS_PAGE = 50
"""How many events are read from the store at once. An event may have a megabyte."""
IDS_OPEN = 500
"""How far below the highest id that was seen an event may still appear. Several writers, at this coordinator and at others, get ids
before they commit."""
TEXT_CHARS_MAX = 200
"""How long an expression may be that is counted; longer ones are hardly proposed twice."""
USEFUL_MAX = 2_000
"""How many distinct expressions of a program are counted, the first ones."""
CANDIDATES_MAX = 400
"""How many distinct facts are combined, the most proposed ones."""


class Proposals:
    """Everything that was proposed about one program so far."""

    def __init__(self) -> None:
        self.last_id = 0
        """The highest id of the events that were counted."""
        self.recent: set[int] = set()
        """The ids of those that were counted, as far as lower ones may still come."""
        self.judged = 0
        self.useful: Counter[tuple[int, str]] = Counter()
        """Loop and expression → how often it was proposed."""
        self.players: set[str] = set()
        self.turn = asyncio.Lock()
        """Held by whoever reads what is new, so that many who ask at once do not all read it."""

    def is_new(self, event_id: int) -> bool:
        """Whether an event is not counted yet. From now on it is."""
        if event_id in self.recent or event_id <= self.last_id - IDS_OPEN:
            return False
        self.last_id = max(self.last_id, event_id)
        self.recent.add(event_id)
        if len(self.recent) > 2 * IDS_OPEN:
            self.recent = {known for known in self.recent if known > self.last_id - IDS_OPEN}
        return True

    def take(self, verdict: ProposalVerdict, player: str | None) -> None:
        for judged in judged_facts(verdict):
            self.judged += 1
            fact = (judged.loop, judged.text)
            counted = fact in self.useful or (len(self.useful) < USEFUL_MAX and len(judged.text) <= TEXT_CHARS_MAX)
            if judged.kind in USEFUL_KINDS and counted:
                self.useful[fact] += 1
        if player is not None and not player.startswith(COMPUTER):
            self.players.add(player)

    def most_proposed(self) -> list[Fact]:
        """The candidates, the most proposed first and ties in alphabetical order: the same log makes the same question."""
        ranked = sorted(self.useful, key=lambda fact: (-self.useful[fact], fact))
        return [Fact(loop, text) for loop, text in ranked[:CANDIDATES_MAX]]


class Crowd:
    """Reads what was proposed from the log, and asks the engine what it proves."""

    def __init__(self, store: Store, questions: Questions) -> None:
        self.store = store
        self.questions = questions
        self._proposals: dict[str, Proposals] = {}

    async def view(self, entry: CatalogEntry, asker: Asker) -> CrowdView:
        """The largest inductive subset of what was proposed, and whether it proves the guarantee."""
        proposals = self._proposals.setdefault(entry.hash, Proposals())
        async with proposals.turn:
            await self._read(entry, proposals)
        question = crowd_question(entry, proposals.most_proposed())
        answered = await self.questions.ask(question, asker, patient=True)
        answer = decode(CrowdAnswer, json.loads(answered.answer))
        return CrowdView(
            answer.solved,
            answer.inductive,
            answer.candidates,
            len(proposals.players),
            proposals.judged,
            len(proposals.useful),
            answer.resting,
        )

    async def _read(self, entry: CatalogEntry, proposals: Proposals) -> None:
        """Read what was proposed since we looked last."""
        last = proposals.last_id if self.store.has_ids_in_order else max(0, proposals.last_id - IDS_OPEN)
        while True:
            events = await self.store.events_of_program(entry.hash, ["judged"], EVENTS_PAGE, last)
            async for event in with_pauses(events):
                last = event.id
                if proposals.is_new(event.id):
                    proposals.take(decode_any(ProposalVerdict, json.loads(event.body)), event.player)
            if len(events) < EVENTS_PAGE:
                return
