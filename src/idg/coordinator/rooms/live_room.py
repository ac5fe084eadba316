"""A room that somebody is in: its books, what happened last, and who waits for the next event."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.players.scores import HINT_COINS, Tally
from idg.coordinator.rooms.questions import Answered, digest, dumps
from idg.coordinator.store import Event, Member, RoomRow

RECENT_EVENTS_MAX = 40
"""Events a room keeps in memory; older ones are read from the store."""
HINTS_KEPT = 50
KEPT_KINDS = ("inductive", "potential", "unknown")
"""Kinds that put the proposal on the books."""


def event_json(event: Event) -> str:
    """As everyone in the room sees it."""
    # By hand, because it is the most frequent text of all. Kinds, players and requests have no character that JSON escapes.
    player = "null" if event.player is None else f'"{event.player}"'
    request = "" if event.request is None else f', "request": "{event.request}"'
    answers = "" if event.answers is None else f', "answers": {event.answers}'
    head = f'"number": {event.number}, "kind": "{event.kind}", "player": {player}, "time": {event.time!r}{request}{answers}'
    return f'{{{head}, "body": {event.body}}}'


def fact_key(fact: dict[str, Any]) -> str:
    return f"{fact['loop']}: {fact['expression']}"


class Situation:
    """Where a room stands: stored as one text with the room's version, changed by its events."""

    def __init__(
        self,
        books: str,
        books_digest: str,
        feedback: str,
        authors: dict[str, str],
        tally: Tally,
        hints: dict[str, Any] | None = None,
    ) -> None:
        self.books = books
        self.digest = books_digest
        self.feedback = feedback
        self.authors = authors
        """'1: i <= n' → the player who proposed it first in this sitting."""
        self.tally = tally
        self.hints: dict[str, Any] = hints or {"plan": [], "target": None, "taken": 0, "given": []}
        """The agent's plan, the fact that the hints are about, how many of its steps were taken, and the hints of this sitting."""

    @classmethod
    def read(cls, text: str) -> Situation:
        found = json.loads(text)
        books = dumps(found["books"])
        return cls(books, digest(books), dumps(found["feedback"]), found["authors"], Tally(found["tally"]), found["hints"])

    @classmethod
    def first(cls, start: Answered) -> Situation:
        return cls(start.books, start.digest, start.feedback, {}, Tally())

    def text(self) -> str:
        tally = dumps(self.tally.as_json())
        head = f'"authors":{dumps(self.authors)},"books":{self.books},"feedback":{self.feedback}'
        return f'{{{head},"hints":{dumps(self.hints)},"tally":{tally}}}'

    def copy(self) -> Situation:
        return Situation(self.books, self.digest, self.feedback, dict(self.authors), Tally(self.tally.as_json()), self.hints)

    @property
    def loops(self) -> list[dict[str, list[str]]]:
        found: list[dict[str, list[str]]] = json.loads(self.books)["loops"]
        return found

    def after(
        self, player: str, answered: Answered, variant: str, par: int | None, imported: bool = False
    ) -> tuple[Situation, str | None]:
        """The situation after an answer, and the body of the event 'solved' where it solves the program."""
        found = self.copy()
        found.tally.imported = found.tally.imported or imported
        found._take(player, answered, variant)
        facts = answered.facts or {}
        if not facts["solved"] or found.tally.solved:
            return found, None
        credited = found._credited(player, facts["inductive"])
        found.tally.proved(credited, len(facts["inductive"]), par)
        return found, dumps({"credited": credited, "inductive": facts["inductive"]})

    def next_hint(self, answer: dict[str, Any]) -> dict[str, Any] | None:
        """The step that follows those given about the same fact; None where all were."""
        steps, taken = answer["hint"]["steps"], self._taken(answer)
        return None if taken == len(steps) else steps[taken] | {"loop": answer["hint"]["loop"], "left": len(steps) - taken - 1}

    def hinted(self, player: str, answer: dict[str, Any], body: dict[str, Any]) -> Situation:
        """After a hint was given."""
        found = self.copy()
        target = {"loop": answer["hint"]["loop"], "expression": answer["hint"]["expression"]}
        given = [*self.hints["given"], body][-HINTS_KEPT:]
        found.hints = {"plan": answer["plan"], "target": target, "taken": self._taken(answer) + 1, "given": given}
        found.tally.hinted(player, body["coins"])
        return found

    def _taken(self, answer: dict[str, Any]) -> int:
        target = self.hints["target"]
        same = target is not None and all(target[name] == answer["hint"][name] for name in ("loop", "expression"))
        taken: int = self.hints["taken"] if same else 0
        return taken

    def shown(self, answered: Answered) -> Situation:
        """After another state to rule out was shown."""
        found = self.copy()
        found.books, found.digest, found.feedback = answered.books, answered.digest, answered.feedback
        return found

    def reset(self, start: Answered) -> Situation:
        """A new sitting."""
        found = Situation(start.books, start.digest, start.feedback, {}, self.copy().tally)
        found.tally.reset()
        return found

    def _take(self, player: str, answered: Answered, variant: str) -> None:
        """A proposal's answer, or a batch's."""
        facts = answered.facts or {}
        if facts["changed"]:
            self.books, self.digest, self.feedback = answered.books, answered.digest, answered.feedback
            for each in facts.get("kinds") or [facts]:
                if each["kind"] in KEPT_KINDS:
                    self.authors.setdefault(fact_key(each), player)
        self.tally.judged(player, facts, variant)

    def _credited(self, player: str, inductive: Sequence[dict[str, Any]]) -> list[str]:
        """Who has a part in a proof: the authors of its invariants, and who completed it."""
        return sorted({player, *(self.authors[fact_key(each)] for each in inductive if fact_key(each) in self.authors)})

    def facts_json(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {"inductive": [], "potential": []}
        for number, loop in enumerate(self.loops, 1):
            for name, facts in found.items():
                facts += (
                    {"loop": number, "expression": each, "player": self.authors.get(f"{number}: {each}")} for each in loop[name]
                )
        return found


class LiveRoom:
    def __init__(self, row: RoomRow, entry: CatalogEntry, members: Iterable[Member]) -> None:
        self.id = row.id
        self.entry = entry
        self.variant = row.variant
        self.level = row.level
        self.owner = row.owner
        self.code = row.code
        self.engine = row.engine
        self.time = row.time
        self.version = row.version
        self.situation = Situation.read(row.state)
        self.members: dict[str, Member] = {each.player: each for each in members}
        self.turn = asyncio.Lock()
        self.head = row.last_event
        """The number of the last event that everyone here may be shown."""
        self.recent: deque[tuple[int, str]] = deque(maxlen=RECENT_EVENTS_MAX)
        self.here: dict[str, int] = {}
        """Player → sockets."""
        self.presence = 0
        """Counts the comings and goings."""
        self._early: dict[int, Event] = {}
        self._waiters: set[asyncio.Future[None]] = set()

    def refresh(self, row: RoomRow) -> None:
        """Somebody else wrote to the room; or we did, since the row was read."""
        if row.version > self.version:
            self.version, self.code, self.situation = row.version, row.code, Situation.read(row.state)

    @property
    def standing(self) -> tuple[int, Situation]:
        """The version and the situation that belong together. Whoever judges takes both before asking the engine and stores the
        answer on that very version: the room may be read again while they wait."""
        return self.version, self.situation

    def move_on(self, version: int, situation: Situation) -> None:
        """Our own write to the room, on this version."""
        if self.version <= version:
            self.version, self.situation = version + 1, situation

    def take(self, events: Sequence[Event]) -> bool:
        """Show these events, in the order of their numbers; false where earlier ones are still missing."""
        for event in events:
            assert event.number is not None
            if event.number > self.head:
                self._early[event.number] = event
        moved = False
        while self.head + 1 in self._early:
            self.head += 1
            self.recent.append((self.head, event_json(self._early.pop(self.head))))
            moved = True
        if moved:
            self.wake()
        return not self._early

    def since(self, number: int) -> list[tuple[int, str]] | None:
        """Events after this one, or None where memory does not reach back so far."""
        if number >= self.head:
            return []
        if not self.recent or self.recent[0][0] > number + 1:
            return None
        return [each for each in self.recent if each[0] > number]

    def wake(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    async def wait(self) -> None:
        """Until there is an event, or somebody comes or goes."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            await waiter
        finally:
            self._waiters.discard(waiter)

    def arrive(self, player: str) -> None:
        self.here[player] = self.here.get(player, 0) + 1
        self.moved()

    def depart(self, player: str) -> None:
        self.here[player] -= 1
        if not self.here[player]:
            del self.here[player]
        self.moved()

    def moved(self) -> None:
        """Somebody came or went."""
        self.presence += 1
        self.wake()

    @property
    def idle(self) -> bool:
        return not self.here and not self.turn.locked()

    def is_member(self, player: str) -> bool:
        member = self.members.get(player)
        return member is not None and member.left is None

    def members_json(self) -> list[dict[str, Any]]:
        return [
            {
                "player": each.player,
                "name": each.name,
                "agent": each.agent,
                "here": each.player in self.here,
                "left": each.left is not None,
            }
            for each in self.members.values()
        ]

    def as_json(self) -> dict[str, Any]:
        situation = self.situation
        return {
            "room": self.id,
            "code": self.code,
            "program": self.entry.hash,
            "level": self.level,
            "variant": self.variant,
            "owner": self.owner,
            "engine": self.engine,
            "version": self.version,
            "last_event": self.head,
            **situation.facts_json(),
            "solved": situation.tally.solved,
            "feedback": json.loads(situation.feedback),
            "hints": situation.hints["given"],
            "hint_coins": HINT_COINS,
            "members": self.members_json(),
        }
