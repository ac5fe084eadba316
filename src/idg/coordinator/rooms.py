"""Rooms: one or more players on one program. Every move is an event, and everyone in the room sees it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from idg.coordinator.catalog import Entry
from idg.coordinator.errors import ApiError
from idg.coordinator.hall import Hall
from idg.coordinator.judging import Judging, Mover, books_question, start_question
from idg.coordinator.live import LiveRoom, Situation
from idg.coordinator.questions import Questions, dumps
from idg.coordinator.store import CodeTaken, Event, NewEvent, RoomRow, Store
from idg.engine.cache import ENGINE_VERSION

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""None that look alike."""
CODE_CHARS = 6
ROOMS_SEARCHED_MAX = 200


class Rooms:
    def __init__(self, hall: Hall, store: Store, questions: Questions, judging: Judging, clock: Callable[[], float]) -> None:
        self.hall = hall
        self.store = store
        self.questions = questions
        self.judging = judging
        self.clock = clock

    async def create(self, entry: Entry, mover: Mover, variant: str, shared: bool) -> LiveRoom:
        start = await self.questions.ask(start_question(entry), f"player {mover.player}", mover.agent)
        situation = Situation.first(start)
        level = None if entry.level is None else entry.level.id
        while True:
            row = RoomRow(
                id=secrets.token_urlsafe(16), code=new_code() if shared else None, program=entry.hash, level=level, variant=variant,
                owner=mover.player, engine=ENGINE_VERSION, version=0, last_event=0, state=situation.text(), time=self.clock(),
            )
            loaded = self._event("loaded", mover, variant, dumps({"level": level, "program": entry.hash}))
            try:
                events = await self.store.create_room(row, [loaded])
            except CodeTaken:
                continue
            live = LiveRoom(row, entry, await self.store.members(row.id))
            live.take(events)
            return self.hall.keep(live)

    async def own(self, entry: Entry, player: str, variant: str) -> LiveRoom | None:
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

    async def join(self, code: str, mover: Mover) -> LiveRoom:
        row = await self.store.room_by_code(code)
        live = None if row is None else await self.hall.live(row.id)
        if live is None:
            hint = f"codes have {CODE_CHARS} letters and digits; ask for it again"
            raise ApiError("wrong-code", "there is no room with this code", hint=hint)
        event = self._event("joined", mover, live.variant)
        await self._membership(live, await self.store.join(live.id, mover.player, event.time, event))
        return live

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



def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))
