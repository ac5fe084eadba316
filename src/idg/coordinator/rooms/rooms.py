"""Rooms: one or more players on one program. Every move is an event, and everyone in the room sees it."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.errors import ApiError
from idg.coordinator.players.scores import HINT_COINS
from idg.coordinator.pool.jobs import Busy, CallError, Closed, Failed
from idg.coordinator.rooms.judging import Judging, Mover, books_question, start_question
from idg.coordinator.rooms.live_room import LiveRoom, Situation
from idg.coordinator.rooms.open_rooms import Hall
from idg.coordinator.rooms.questions import Question, Questions, dumps
from idg.coordinator.store import CodeTaken, Event, NewEvent, RoomRow, Store
from idg.engine.version import ENGINE_VERSION

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""None that look alike."""
CODE_CHARS = 6
ROOMS_SEARCHED_MAX = 200
NO_HINT = {
    "taken": "all hints about the next fact were given: the last one says it; propose it",
    "solved": "the guarantee is proved: there is nothing left to hint at",
    "refuted": "this program does not keep its promise, so no facts can prove it",
    "open": "our agent has not found a proof from here, so it has no hint to give; look at the state to rule out",
}
"""Why there is none."""


class Rooms:
    def __init__(self, hall: Hall, store: Store, questions: Questions, judging: Judging, clock: Callable[[], float]) -> None:
        self.hall = hall
        self.store = store
        self.questions = questions
        self.judging = judging
        self.clock = clock

    async def create(self, entry: CatalogEntry, mover: Mover, variant: str, shared: bool) -> LiveRoom:
        start = await self.questions.ask(start_question(entry), f"player {mover.player}", mover.agent)
        situation = Situation.first(start)
        level = None if entry.level is None else entry.level.id
        while True:
            row = RoomRow(
                id=secrets.token_urlsafe(16),
                code=new_code() if shared else None,
                program=entry.hash,
                level=level,
                variant=variant,
                owner=mover.player,
                engine=ENGINE_VERSION,
                version=0,
                last_event=0,
                state=situation.text(),
                time=self.clock(),
            )
            loaded = self._event("loaded", mover, variant, dumps({"level": level, "program": entry.hash}))
            try:
                events = await self.store.create_room(row, [loaded])
            except CodeTaken:
                continue
            live = LiveRoom(row, entry, await self.store.members(row.id))
            live.take(events)
            return self.hall.keep(live)

    async def own(self, entry: CatalogEntry, player: str, variant: str) -> LiveRoom | None:
        """The player's newest room of this program that nobody else can join."""
        for row in await self.store.rooms_of(player, ROOMS_SEARCHED_MAX):
            if (row.program, row.variant, row.owner, row.code) == (entry.hash, variant, player, None):
                return await self.hall.fresh(row.id, player)
        return None

    async def share(self, live: LiveRoom) -> str:
        """The code by which others can join."""
        while live.code is None:
            try:
                live.code = await self.store.set_code(live.id, new_code())
            except CodeTaken:
                continue
        return live.code

    async def of_code(self, code: str) -> LiveRoom:
        row = await self.store.room_by_code(code)
        live = None if row is None else await self.hall.live(row.id)
        if live is None:
            hint = f"codes have {CODE_CHARS} letters and digits; ask for it again"
            raise ApiError("wrong-code", "there is no room with this code", hint=hint)
        return live

    async def join(self, live: LiveRoom, mover: Mover) -> None:
        event = self._event("joined", mover, live.variant)
        await self._membership(live, await self.store.join(live.id, mover.player, event.time, event))

    async def leave(self, live: LiveRoom, mover: Mover) -> None:
        event = self._event("left", mover, live.variant)
        await self._membership(live, await self.store.leave(live.id, mover.player, event.time, event))

    async def _membership(self, live: LiveRoom, events: Sequence[Event]) -> None:
        if events:
            live.members = {each.player: each for each in await self.store.members(live.id)}
            self.hall.publish(live, events)
            live.moved()

    # moves

    async def propose(self, live: LiveRoom, mover: Mover, loop: int, text: str, request: str | None) -> Event:
        """The judged event."""
        body = dumps({"expression": live.entry.canonical(text, loop), "loop": loop, "text": text})
        return await self.judging.propose(live, self._event("proposed", mover, live.variant, body, request), mover.agent)

    async def propose_many(
        self, live: LiveRoom, mover: Mover, proposals: Sequence[tuple[int, str]], request: str | None, imported: bool = False
    ) -> Event:
        """Many at once are one Promote."""
        facts = [
            {"expression": live.entry.canonical(text, loop, f"proposals.{at}.expression"), "loop": loop}
            for at, (loop, text) in enumerate(proposals)
        ]
        body = dumps({"proposals": facts, "imported": True} if imported else {"proposals": facts})
        return await self.judging.propose(live, self._event("proposed", mover, live.variant, body, request), mover.agent)

    async def reset(self, live: LiveRoom, mover: Mover) -> Event:
        start = await self.questions.ask(start_question(live.entry), live.id, mover.agent)
        event = self._event("reset", mover, live.variant, f'{{"feedback":{start.feedback}}}')
        async with live.turn:
            while True:
                version, standing = live.standing
                stored = await self._swap(live, version, standing.reset(start), event)
                if stored is not None:
                    return stored

    async def another_state(self, live: LiveRoom, mover: Mover) -> Event:
        """Another state to rule out."""
        async with live.turn:
            while True:
                version, standing = live.standing
                found = await self.questions.ask(books_question(live.entry, standing, "feedback", "", {}), live.id, mover.agent)
                event = self._event("feedback", mover, live.variant, found.feedback)
                stored = await self._swap(live, version, standing.shown(found), event)
                if stored is not None:
                    return stored

    async def transition(self, live: LiveRoom, mover: Mover, loop: int, text: str) -> Event:
        """Why a potential invariant is not inductive yet."""
        expression = live.entry.canonical(text, loop)
        if expression not in live.situation.loops[loop - 1]["potential"]:
            text = f"'{expression}' is not among the potential invariants of loop {loop}"
            raise ApiError("not-potential", text, where={"field": "expression"})
        arguments = {"loop": loop, "expression": expression}
        question = books_question(live.entry, live.situation, "transition", f"{loop} {expression}", arguments)
        found = await self.questions.ask(question, live.id, mover.agent)
        return await self.note(live, self._event("transition", mover, live.variant, found.answer))

    async def hint(self, live: LiveRoom, mover: Mover, balance: Callable[[], Awaitable[int]]) -> Event:
        """The next step to a fact that helps; it costs at most the player's balance."""
        async with live.turn:
            while True:
                version, standing = live.standing
                answer = json.loads((await self.questions.ask(hint_question(live.entry, standing), live.id, mover.agent)).answer)
                step = None if answer["hint"] is None else standing.next_hint(answer)
                if step is None:
                    raise ApiError("no-hint", NO_HINT["taken" if answer["hint"] is not None else answer["outcome"]])
                body = step | {"coins": min(HINT_COINS[step["step"]], max(0, await balance()))}
                event = self._event("hint", mover, live.variant, dumps(body))
                stored = await self._swap(live, version, standing.hinted(mover.player, answer, body), event)
                if stored is not None:
                    return stored

    async def prepare_hint(self, live: LiveRoom) -> None:
        """Find out now what a hint would say, so that asking is instant."""
        with contextlib.suppress(Busy, Failed, CallError, Closed):
            await self.questions.ask(hint_question(live.entry, live.situation), live.id, agent=True)

    async def explanation(self, live: LiveRoom, mover: Mover) -> str:
        """Which invariants each proof uses, as JSON."""
        question = books_question(live.entry, live.situation, "explain", "", {})
        return (await self.questions.ask(question, live.id, mover.agent)).answer

    async def traced(self, live: LiveRoom, mover: Mover, body: str) -> None:
        await self.note(live, self._event("traced", mover, live.variant, body))

    async def note(self, live: LiveRoom, event: NewEvent) -> Event:
        """An event that does not change the books."""
        stored = await self.store.append(live.id, [event])
        self.hall.publish(live, stored)
        return stored[0]

    async def _swap(self, live: LiveRoom, version: int, situation: Situation, event: NewEvent) -> Event | None:
        """The room's next situation; None where the room was read again because it has moved on."""
        stored = await self.store.judge(live.id, version, situation.text(), [event])
        if stored is None:
            await self.hall.reload(live)
            return None
        live.move_on(version, situation)
        self.hall.publish(live, stored)
        return stored[0]

    def _event(
        self, kind: str, mover: Mover, variant: str, body: str = "{}", request: str | None = None, answers: int | None = None
    ) -> NewEvent:
        return NewEvent(kind, self.clock(), mover.player, mover.session, variant, request, answers, body)


def hint_question(entry: CatalogEntry, standing: Situation) -> Question:
    plan = standing.hints["plan"]
    return books_question(entry, standing, "hint", dumps(plan), {"plan": plan})


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))
