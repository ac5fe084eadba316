"""The collective view of a level: what the proposals of all players prove together."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.rooms.questions import Question, Questions, dumps
from idg.coordinator.store import Store

USEFUL_KINDS = ("inductive", "potential", "displaced", "displaced-potential", "unknown")
EVENTS_PAGE = 5_000
CANDIDATES_MAX = 400
"""Distinct facts that are combined, the most proposed ones."""


class Proposals:
    """Everything proposed about one program so far."""

    def __init__(self) -> None:
        self.last_id = 0
        self.judged = 0
        self.useful: Counter[tuple[int, str]] = Counter()
        self.players: set[str] = set()

    def take(self, body: dict[str, Any], player: str | None) -> None:
        for each in body.get("kinds") or [body]:
            self.judged += 1
            if each["kind"] in USEFUL_KINDS:
                self.useful[each["loop"], each["expression"]] += 1
        if player is not None:
            self.players.add(player)


class Crowd:
    def __init__(self, store: Store, questions: Questions) -> None:
        self.store = store
        self.questions = questions
        self._proposals: dict[str, Proposals] = {}

    async def view(self, entry: CatalogEntry) -> dict[str, Any]:
        """The largest inductive subset of what was proposed, and whether it proves the guarantee."""
        found = self._proposals.setdefault(entry.hash, Proposals())
        while True:
            events = await self.store.events_of_program(entry.hash, ["judged"], EVENTS_PAGE, found.last_id)
            for event in events:
                if event.id > found.last_id:
                    found.take(json.loads(event.body), event.player)
                    found.last_id = event.id
            if len(events) < EVENTS_PAGE:
                break
        # The most proposed first, ties in alphabetical order: the same question for the same log.
        ranked = sorted(found.useful, key=lambda fact: (-found.useful[fact], fact))[:CANDIDATES_MAX]
        proposals = [{"loop": loop, "expression": expression} for loop, expression in ranked]
        question = Question("crowd", entry.hash, "", dumps(proposals), lambda: {"source": entry.source, "proposals": proposals})
        answered = await self.questions.ask(question, f"crowd {entry.hash}", agent=True)
        counts = {"players": len(found.players), "proposals": found.judged, "distinct": len(found.useful)}
        view: dict[str, Any] = json.loads(answered.answer)
        return view | counts
