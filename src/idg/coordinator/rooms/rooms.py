"""The moves in rooms: opening, sharing, joining, proposing, asking for help. Each move is an event that everyone there sees."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, Collection, Sequence

from idg.coordinator.bounds.quotas import Quotas
from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.codes import CODE_CHARS, new_code, new_token
from idg.coordinator.errors import ApiError, player_deleted
from idg.coordinator.players.scores import HINT_COINS
from idg.coordinator.pool.computing.calls import ProposedText
from idg.coordinator.pool.jobs import Asker, Busy, CallError, Closed, Failed
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.judging.judging import ActingPlayer, Judged, Judging
from idg.coordinator.rooms.judging.question_kinds import (
    board_question,
    explanation_question,
    export_question,
    feedback_question,
    hint_question,
    start_question,
    transition_question,
)
from idg.coordinator.rooms.judging.questions import Questions
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.live.open_rooms import OpenRooms
from idg.coordinator.rooms.room_state import FACTS_CHARS_MAX, FACTS_MAX, RoomState, first_state
from idg.coordinator.store import (
    CodeTaken,
    Event,
    NewEvent,
    NotMember,
    ProgramRow,
    RoomFull,
    RoomRow,
    Store,
    StoreUnavailable,
    UnitRefused,
)
from idg.coordinator.texts import Texts, single
from idg.engine.results import Fact
from idg.engine.version import engine_version
from idg.engine.wire.answers import NO_HINT, HintAnswer
from idg.engine.wire.codec import decode
from idg.engine.wire.events import (
    CameOrWent,
    EventBody,
    Loaded,
    Proposal,
    Proposed,
    ProposedFact,
    ProposedMany,
    Restored,
    Traced,
    given_hint,
)
from idg.engine.wire.programs import Variant
from idg.sip.record import replace

ROOM_ID_BYTES = 16
"""How many random bytes a room's id has, so that nobody can guess one."""
ROOMS_SEARCHED_MAX = 200
"""Among how many of a player's newest rooms one is looked for that can be resumed."""


class TellsTooMuch(ApiError):
    """The next step of a hint would say more than was asked for."""


class Rooms:
    def __init__(
        self,
        open_rooms: OpenRooms,
        store: Store,
        questions: Questions,
        judging: Judging,
        texts: Texts,
        quotas: Quotas,
        members_max: int,
        clock: Callable[[], float],
    ) -> None:
        self.open_rooms = open_rooms
        self.texts = texts
        self.store = store
        self.questions = questions
        self.judging = judging
        self.rejudging = judging.rejudging
        self.quotas = quotas
        self.members_max = members_max
        self.clock = clock

    async def create(
        self, entry: CatalogEntry, actor: ActingPlayer, variant: Variant, shared: bool, purpose: str | None = None
    ) -> LiveRoom:
        self.quotas.new_room(actor.address, actor.player)
        start = await self.questions.ask(start_question(entry), actor.asking(f"player {actor.player}"))
        state = first_state(start)
        level = None if entry.level is None else entry.level.id
        is_second_try = False
        while True:
            row = RoomRow(
                id=new_token(ROOM_ID_BYTES),
                code=new_code() if shared else None,
                program=entry.hash,
                level=level,
                variant=variant,
                owner=actor.player,
                engine=engine_version(),
                version=0,
                last_event=0,
                state=state.text(),
                time=self.clock(),
                purpose=purpose,
            )
            loaded = self._event("loaded", actor, variant, Loaded(level, entry.hash, engine_version()))
            try:
                events = await self.store.create_room(row, [loaded])
            except CodeTaken:
                continue
            except UnitRefused:
                if is_second_try:
                    raise player_deleted() from None
                # The program was deleted just now, because no room played it.
                is_second_try = True
                await self.store.put_program(ProgramRow(entry.hash, entry.source, entry.title, actor.player, self.clock()))
                continue
            self.quotas.stored("rooms", actor.player, 1, len(row.state))
            live = LiveRoom(row, entry, await self.store.members(row.id))
            self.open_rooms.publish(live, events)
            return self.open_rooms.keep(live)

    async def own(self, entry: CatalogEntry, player: str, variant: Variant, purpose: str | None = None) -> LiveRoom | None:
        """The player's newest room of this program, made for this purpose, that nobody else can join."""
        wanted = (entry.hash, variant, player, None, purpose)
        for row in await self.store.rooms_of(player, ROOMS_SEARCHED_MAX):
            if (row.program, row.variant, row.owner, row.code, row.purpose) == wanted:
                return await self.open_rooms.fresh(row.id, player)
        return None

    async def share(self, live: LiveRoom) -> str:
        """The code by which others can join."""
        while live.code is None:
            try:
                live.code = await self.store.set_code(live.id, new_code())
            except CodeTaken:
                continue
            self.open_rooms.moved(live, ())
        return live.code

    async def of_code(self, code: str) -> LiveRoom:
        row = await self.store.room_by_code(code)
        live = None if row is None else await self.open_rooms.live(row.id)
        if row is None or live is None:
            hint = f"codes have {CODE_CHARS} letters and digits; ask for it again"
            raise ApiError("wrong-code", "there is no room with this code", hint=hint)
        live.code = row.code
        return live

    async def join(self, live: LiveRoom, actor: ActingPlayer) -> None:
        """ApiError where the room has as many members as it may have."""
        self.quotas.totals.require("members")
        event = self._event("joined", actor, live.variant, CameOrWent())
        try:
            events = await self.store.join(live.id, actor.player, event.time, event, self.members_max)
        except RoomFull as error:
            raise ApiError("too-many-members", str(error)) from None
        await self._membership(live, events)

    async def leave(self, live: LiveRoom, actor: ActingPlayer) -> None:
        event = self._event("left", actor, live.variant, CameOrWent())
        await self._membership(live, await self.store.leave(live.id, actor.player, event.time, event))

    async def _membership(self, live: LiveRoom, events: Sequence[Event]) -> None:
        if events:
            live.presence.take(await self.store.members(live.id))
            self.open_rooms.publish(live, events)

    # Proposals.

    async def propose(self, live: LiveRoom, actor: ActingPlayer, loop: int, text: str, request: str | None) -> Judged:
        """The verdict on one proposal."""
        [canonical] = await self.texts.canonical(live.entry, single(loop, text), actor.asking(live.id))
        proposal = Proposed(canonical, loop, text)
        return await self.judging.propose(live, proposal, await self._proposed(live, actor, proposal, request), actor)

    async def propose_many(
        self, live: LiveRoom, actor: ActingPlayer, proposals: Sequence[tuple[int, str]], request: str | None, imported: bool = False
    ) -> Judged:
        """The verdicts on many proposals, which are judged together."""
        proposed = [ProposedText(loop, text, f"proposals.{index}.expression") for index, (loop, text) in enumerate(proposals)]
        canonical = await self.texts.canonical(live.entry, proposed, actor.asking(live.id))
        facts = tuple(ProposedFact(text, given.loop) for text, given in zip(canonical, proposed, strict=True))
        proposal = ProposedMany(facts, imported)
        return await self.judging.propose(live, proposal, await self._proposed(live, actor, proposal, request), actor)

    async def _proposed(self, live: LiveRoom, actor: ActingPlayer, proposal: Proposal, request: str | None) -> NewEvent:
        """The event of a proposal. ApiError where the room is full."""
        if live.state.is_full:
            await self._refuse_new(live, actor, request)
        return replace(self._event("proposed", actor, live.variant, proposal, request), coordinator=self.judging.coordinator)

    async def _refuse_new(self, live: LiveRoom, actor: ActingPlayer, request: str | None) -> None:
        """ApiError because the room is full, unless the request came before: whoever asks again gets its answer."""
        if request is None or await self.store.event_by_request(live.id, actor.player, request) is None:
            text = f"this room has as many expressions as it can hold ({FACTS_MAX}, or {FACTS_CHARS_MAX} characters)"
            raise ApiError("room-full", text, hint="start the program again in this room, or open another room")

    # Other moves.

    async def reset(self, live: LiveRoom, actor: ActingPlayer) -> Event:
        """Begin a new sitting with empty books."""
        start = await self.questions.ask(start_question(live.entry), actor.asking(live.id))
        event = self._text_event("reset", actor, live.variant, f'{{"feedback":{start.feedback}}}')
        async with live.turn_of(actor.gone):
            while True:
                await self.rejudging.ensure(live)
                version, state = live.current
                stored = await self._swap(live, version, state.reset(start), event)
                if stored is not None:
                    return stored

    async def restore(self, live: LiveRoom, actor: ActingPlayer, body: Restored) -> None:
        """What a progress file of ours brings back. Nothing is stored where the room has all of it."""
        event = self._event("restored", actor, live.variant, body)
        async with live.turn_of(actor.gone):
            while True:
                await self.rejudging.ensure(live)
                version, state = live.current
                after = state.restored(actor.player, body, live.entry.hash)
                if after.text() == state.text() or await self._swap(live, version, after, event) is not None:
                    return

    async def another_state(self, live: LiveRoom, actor: ActingPlayer) -> Event:
        """Another state to rule out."""
        async with live.turn_of(actor.gone):
            while True:
                await self.rejudging.ensure(live)
                version, state = live.current
                answered = await self.questions.ask(feedback_question(live.entry, state), actor.asking(live.id))
                event = self._text_event("feedback", actor, live.variant, answered.feedback)
                stored = await self._swap(live, version, state.with_books(answered), event)
                if stored is not None:
                    return stored

    async def transition(self, live: LiveRoom, actor: ActingPlayer, loop: int, text: str) -> Event:
        """Why a fact that is not proved yet is not inductive."""
        [canonical] = await self.texts.canonical(live.entry, single(loop, text), actor.asking(live.id))
        fact = Fact(loop, canonical)
        await self.rejudging.settle(live)
        known = live.state.loops[loop - 1]
        if fact.text not in (*known.potential, *known.unknown):
            text = f"'{fact.text}' is not among the facts of loop {loop} that are not proved yet"
            raise ApiError("not-potential", text, field="expression")
        answered = await self.questions.ask(transition_question(live.entry, live.state, fact), actor.asking(live.id))
        return await self._note(live, self._text_event("transition", actor, live.variant, answered.answer))

    async def hint(
        self, live: LiveRoom, actor: ActingPlayer, balance: Callable[[], Awaitable[int]], steps: Collection[str] = tuple(HINT_COINS)
    ) -> Event:
        """The next step to a fact that helps, or to a measure, if it is one of these. It costs at most the player's `balance`."""
        async with live.turn_of(actor.gone):
            while True:
                await self.rejudging.ensure(live)
                version, state = live.current
                answered = await self.questions.ask(hint_question(live.entry, state), actor.asking(live.id))
                answer = decode(HintAnswer, json.loads(answered.answer))
                following = state.next_hint(answer)
                if following is None:
                    raise ApiError("no-hint", NO_HINT["taken" if answer.hint is not None else answer.outcome])
                if following.step.step not in steps:
                    raise TellsTooMuch("no-hint", NO_HINT["enough"])
                coins = min(HINT_COINS[following.step.step], max(0, await balance()))
                given = given_hint(following.step, following.loop, following.left, coins)
                event = self._event("hint", actor, live.variant, given)
                stored = await self._swap(live, version, state.hinted(actor.player, answer, given), event)
                if stored is not None:
                    return stored

    async def prepare_hint(self, live: LiveRoom) -> None:
        """Find out now what a hint would say, so that asking for it is instant."""
        with contextlib.suppress(Busy, Failed, CallError, Closed, StoreUnavailable):
            await self.questions.ask(hint_question(live.entry, live.state), Asker(live.id, agent=True), patient=True)

    async def explanation(self, live: LiveRoom, actor: ActingPlayer) -> str:
        """Which invariants each proof uses, as the JSON of an `Explanation`."""
        await self.rejudging.settle(live)
        return (await self.questions.ask(explanation_question(live.entry, live.state), actor.asking(live.id))).answer

    async def board(self, live: LiveRoom, actor: ActingPlayer) -> str:
        """Which facts carry which part of the goal, and what waits for what, as the JSON of a `BoardAnswer`."""
        await self.rejudging.settle(live)
        return (await self.questions.ask(board_question(live.entry, live.state), actor.asking(live.id))).answer

    async def export(self, live: LiveRoom, actor: ActingPlayer, target: str) -> str:
        """The proof in the language of another verifier, as the JSON of an `ExportedProof`."""
        await self.rejudging.settle(live)
        question = export_question(live.entry, live.state, live.level or "program", target)
        return (await self.questions.ask(question, actor.asking(live.id))).answer

    async def traced(self, live: LiveRoom, actor: ActingPlayer, traced: Traced) -> None:
        """Show the others which run somebody looks at."""
        await self._note(live, self._event("traced", actor, live.variant, traced))

    async def _note(self, live: LiveRoom, event: NewEvent) -> Event:
        """An event that does not change the books."""
        try:
            stored = await self.store.append(live.id, [event], event.player)
        except NotMember:
            await self.open_rooms.reload(live)
            raise
        self.open_rooms.publish(live, stored)
        return stored[0]

    async def _swap(self, live: LiveRoom, version: int, state: RoomState, event: NewEvent) -> Event | None:
        """Give the room its next state; None where it was read again, because it has moved on meanwhile."""
        try:
            stored = await self.store.judge(live.id, version, state.text(), [event], event.player)
        except NotMember:
            await self.open_rooms.reload(live)
            raise
        if stored is None:
            await self.open_rooms.reload(live)
            return None
        live.move_on(version, state)
        self.open_rooms.publish(live, stored)
        return stored[0]

    def _event(self, kind: str, actor: ActingPlayer, variant: Variant, body: EventBody, request: str | None = None) -> NewEvent:
        return self._text_event(kind, actor, variant, record_text(body), request)

    def _text_event(self, kind: str, actor: ActingPlayer, variant: Variant, body: str, request: str | None = None) -> NewEvent:
        """An event whose body is JSON already."""
        return NewEvent(kind, self.clock(), actor.player, actor.session, variant, request, body=body)
