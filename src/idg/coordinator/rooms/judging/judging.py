"""Judging: a proposal is stored, then judged on the room's books when its turn comes; then its verdict is stored and shown."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence

from idg.coordinator.errors import ApiError
from idg.coordinator.players.earnings import Earnings
from idg.coordinator.players.scores import NOTHING_EARNED
from idg.coordinator.pool.jobs import Asker, Busy, CallError, Closed, Failed
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.pool.queueing.shares import Shares
from idg.coordinator.rooms.judging.limited import limited
from idg.coordinator.rooms.judging.question_kinds import proposal_question
from idg.coordinator.rooms.judging.questions import Answered, Questions
from idg.coordinator.rooms.judging.rejudging import Rejudging
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.live.open_rooms import OpenRooms
from idg.coordinator.rooms.room_state import RoomState
from idg.coordinator.store import AlreadyAnswered, Duplicate, Event, NewEvent, NoSuchRoom, NotMember, Store, StoreUnavailable
from idg.coordinator.store.records import OWN_PROPOSAL
from idg.coordinator.waiting import Gone
from idg.engine.wire.codec import decode_any
from idg.engine.wire.events import Proposal, Proposed
from idg.engine.wire.rooms import Earned, Score
from idg.sip.record import Record, replace

PENDING_A_PLAYER_MAX = 8
"""How many proposals of one player may wait for their verdicts."""
BUSY_RETRY_SECONDS = 1.0
"""Seconds after which a player for whose proposal there was no place may try again."""
QUICK_SECONDS = 0.005
"""How long a proposal waits for its analysis before it is stored without a verdict. Half of all analyses take less than 2 ms,
and then one wait for the disk stores both."""
RESUMED_AT_ONCE = 16
"""How many proposals without a verdict are judged at the same time after a start."""

log = logging.getLogger("idg.judging")


class ActingPlayer(Record):
    """Who makes a move."""

    player: str
    session: str = ""
    """The client's session, for the log."""
    agent: bool = False
    address: str = ""
    """The address from which they ask, as `web.addresses` counts it."""
    gone: Gone | None = None
    """Notices that they have gone before the answer was there."""

    def asking(self, room: str) -> Asker:
        """The player as one who asks the engine something, on behalf of a room."""
        return Asker(room, self.player, self.address, self.agent, self.gone)


class Judged(Record):
    """The event with a verdict, and what the proposal earned the player. Asked again, the same event earns nothing."""

    event: Event
    earned: Earned = NOTHING_EARNED
    score: Score | None = None
    """The player's score after it, where it was computed."""


class Judging:
    def __init__(
        self,
        open_rooms: OpenRooms,
        store: Store,
        questions: Questions,
        earnings: Earnings,
        rejudging: Rejudging,
        admitted_max: int,
        clock: Callable[[], float],
        coordinator: str = "",
    ) -> None:
        self.open_rooms = open_rooms
        self.store = store
        self.questions = questions
        self.earnings = earnings
        self.rejudging = rejudging
        self.clock = clock
        self.coordinator = coordinator
        """Our own id. Others leave the proposals to us that we have stored."""
        self.admitted = Shares(admitted_max)
        """The proposals that are stored and not judged yet."""
        self.pending_max = PENDING_A_PLAYER_MAX
        """How many of them one player may have here."""
        self.kinds: dict[str, int] = {}
        """Kind → how often it was the answer, for the metrics."""
        self._under_way: dict[tuple[str, int], asyncio.Task[Judged]] = {}
        self._begun_early: dict[str, asyncio.Task[Answered]] = {}
        """Room → the analysis of a proposal that is perhaps not stored yet."""

    def divide(self, coordinators: int) -> None:
        """Admit one of so many parts only, because each of so many coordinators admits as much."""
        self.admitted.divide(coordinators)
        self.pending_max = max(1, PENDING_A_PLAYER_MAX // coordinators)

    async def propose(self, live: LiveRoom, proposal: Proposal, proposed: NewEvent, actor: ActingPlayer) -> Judged:
        """Store the proposal, judge it, and store the verdict. `proposed` is the event of the proposal.

        CallerGone where the caller leaves before the verdict is there. It is owed to the room nevertheless, but goes last."""
        try:
            if isinstance(proposal, Proposed) and not live.turn.locked():
                judged = await self._at_once(live, proposal, proposed)
                if judged is not None:
                    return judged
            stored = await self._store(live, proposal, proposed, actor)
            if isinstance(stored, Judged):
                return stored
        except NotMember:
            await self.open_rooms.reload(live)  # They left, at another coordinator or a moment ago.
            raise
        except Duplicate as error:
            return await self._earlier(live, error.event, proposal, proposed.body, actor)
        return await live.awaited(self._task(live, proposal, stored, actor, admitted=True), actor.gone)

    async def _at_once(self, live: LiveRoom, proposal: Proposal, proposed: NewEvent) -> Judged | None:
        """An answer that is known is stored together with its proposal. None where it is not known, or the room has moved on."""
        async with live.turn:
            if live.is_judged_by_another:
                return None
            version, state = live.current
            answered = self.questions.known(proposal_question(live.entry, state, proposal))
            if answered is None:
                return None
            after, events = self._judgement(live, state, proposal, proposed, answered, OWN_PROPOSAL)
            stored = await self.store.propose_and_judge(live.id, proposed, version, after.text(), events)
            if stored is None:
                await self.open_rooms.reload(live)
                return None
            return self._moved(live, version, state, after, answered, stored)

    async def _store(self, live: LiveRoom, proposal: Proposal, proposed: NewEvent, actor: ActingPlayer) -> Event | Judged:
        """Stores the proposal; together with its verdict, where the analysis is quick. Otherwise it is admitted and not judged yet.

        The engine begins before the proposal is stored, so that waiting for the disk and the analysis overlap. `_judge` then asks
        the same question and shares the answer, unless the books have changed in between. So only the first of several proposals in
        a room is begun early, and the others are not stored before it. Where the proposal turns out to be stored already, nobody
        waits for the analysis any more, so it goes last; it is not cancelled, because ending a worker costs more than most answers.
        """
        self._admit(actor)
        is_stored = is_left = False
        try:
            early = self._begun_early.get(live.id)
            if early is not None:
                await asyncio.wait([early], timeout=QUICK_SECONDS)
            elif not live.turn.locked() and not live.is_judged_by_another:
                asker = replace(self._asker(live, actor), is_waiting=lambda: not is_stored or live.callers > 0)
                early = self._begin(live, proposal, asker)
                is_quick = isinstance(proposal, Proposed) and await _is_answered(early, QUICK_SECONDS)
                if is_quick and not live.turn.locked():
                    judged = await self._at_once(live, proposal, proposed)
                    if judged is not None:
                        return judged
            [event] = await self.store.append(live.id, [proposed], proposed.player)
            is_left = True
        finally:
            is_stored = True
            if not is_left:
                self.admitted.give_back(actor.address, actor.player)
        self.open_rooms.publish(live, [event])
        return event

    def _begin(self, live: LiveRoom, proposal: Proposal, asker: Asker) -> asyncio.Task[Answered]:
        """Begin to analyse a proposal that is perhaps not stored yet."""
        early = asyncio.create_task(self.questions.ask(proposal_question(live.entry, live.state, proposal), asker, patient=True))
        self._begun_early[live.id] = early
        early.add_done_callback(lambda task: self._early_done(live.id, task))
        return early

    def _early_done(self, room: str, task: asyncio.Task[Answered]) -> None:
        """What came of it is heard by `_judge`, which asks again; so a failure is passed over here."""
        del self._begun_early[room]
        if not task.cancelled():
            task.exception()

    def _asker(self, live: LiveRoom, actor: ActingPlayer) -> Asker:
        return Asker(live.id, actor.player, actor.address, actor.agent, is_waiting=lambda: live.callers > 0)

    async def _earlier(self, live: LiveRoom, event: Event, proposal: Proposal, body: str, actor: ActingPlayer) -> Judged:
        """The answer to a request that came before: whoever asks again gets it, and nothing is done twice."""
        if event.kind != "proposed" or event.body != body:
            text = "this request id was used before in this room for something else"
            raise ApiError("request-reused", text, field="request")
        assert event.number is not None
        answer = await self.store.answer_to(live.id, event.number)
        if answer is None:
            judged = await live.awaited(self._task(live, proposal, event, actor), actor.gone)
            answer = judged.event
        return Judged(answer)

    def _admit(self, actor: ActingPlayer) -> None:
        if self.admitted.of_player(actor.player) >= self.pending_max:
            raise ApiError(
                "too-fast",
                f"{self.pending_max} of your proposals are waiting for their verdicts",
                retry_after_seconds=1,
                hint="wait for a verdict before the next proposal",
            )
        if not self.admitted.admits(actor.address, actor.player):
            raise Busy(BUSY_RETRY_SECONDS)
        self.admitted.take(actor.address, actor.player)

    def _task(
        self, live: LiveRoom, proposal: Proposal, event: Event, actor: ActingPlayer, admitted: bool = False
    ) -> asyncio.Task[Judged]:
        """One task for each proposal. It goes on when nobody waits any more, because the verdict is owed to the room."""
        assert event.number is not None
        key = (live.id, event.number)
        task = self._under_way.get(key)
        if task is None:
            asker = self._asker(live, actor)
            task = asyncio.create_task(self._judge(live, proposal, event, asker))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._done(key, asker, admitted))
        return task

    def _done(self, key: tuple[str, int], asker: Asker, admitted: bool) -> None:
        task = self._under_way.pop(key)
        if admitted:
            self.admitted.give_back(asker.address, asker.player)
        # The store logs its own faults. A proposal that met one is judged when it is sent again, or swept.
        if not task.cancelled() and task.exception() is not None and not isinstance(task.exception(), Closed | StoreUnavailable):
            log.error("judging failed", exc_info=task.exception(), extra={"room": key[0], "event": key[1]})

    async def _judge(self, live: LiveRoom, proposal: Proposal, event: Event, asker: Asker) -> Judged:
        async with live.turn:
            while True:
                await self.rejudging.ensure(live)
                version, state = live.current
                answered = await self._analyse(live, state, proposal, event, asker)
                after, events = self._judgement(live, state, proposal, event, answered, event.number)
                try:
                    stored = await self.store.judge(live.id, version, after.text(), events)
                except AlreadyAnswered as error:
                    await self.open_rooms.reload(live)
                    return Judged(error.event)
                if stored is not None:
                    return self._moved(live, version, state, after, answered, stored)
                await self.open_rooms.reload(live)

    async def _analyse(self, live: LiveRoom, state: RoomState, proposal: Proposal, event: Event, asker: Asker) -> Answered:
        """The engine's answer, or 'unknown' with the limit that was reached."""
        while True:
            try:
                return await self.questions.ask(proposal_question(live.entry, state, proposal), asker, patient=True)
            except Busy as error:
                await asyncio.sleep(error.retry_after_seconds)
            except Failed as error:
                return limited(state, proposal, error.reason)
            except CallError as error:
                log.error("an analysis raised an error", extra={"room": live.id, "event": event.number, "error": str(error)})
                return limited(state, proposal, "error")

    def _judgement(
        self,
        live: LiveRoom,
        state: RoomState,
        proposal: Proposal,
        proposed: Event | NewEvent,
        answered: Answered,
        answers: int | None,
    ) -> tuple[RoomState, list[NewEvent]]:
        """The room's state after an answer, and the events that say so. `answers` is the number of the proposal's event."""
        player = proposed.player or ""
        after, marks = state.after(player, answered, live.variant, live.entry.par, proposal.imported)
        now = self.clock()
        events = [NewEvent("judged", now, player, proposed.session, live.variant, answers=answers, body=answered.answer)]
        if marks.solved is not None:
            events.append(NewEvent("solved", now, player, proposed.session, live.variant, body=record_text(marks.solved)))
        if marks.ended is not None:
            events.append(NewEvent("ended", now, player, proposed.session, live.variant, body=record_text(marks.ended)))
        return after, events

    def _moved(
        self, live: LiveRoom, version: int, before: RoomState, after: RoomState, answered: Answered, stored: list[Event]
    ) -> Judged:
        """The judgement is stored: the room moves on, everyone is shown the events, and the score is compared with the one before.

        Nothing is awaited in between, so what is reported as earned adds up to the score, however many proposals are under way.
        """
        live.move_on(version, after)
        self.open_rooms.publish(live, stored)
        for judged in () if answered.summary is None else answered.summary.kinds:
            self.kinds[str(judged.kind)] = self.kinds.get(str(judged.kind), 0) + 1
        event = next(event for event in stored if event.kind == "judged")
        earned = self.earnings.earned(event.player or "", live, before.tally, after.tally)
        return Judged(event) if earned is None else Judged(event, *earned)

    async def resume(self, before: float, since: float = 0.0, living: Sequence[str] = (), late: float | None = None) -> int:
        """Judge proposals from between these times that have no verdict; returns how many there were. What living coordinators
        have stored is left to them, unless it came before `late`."""
        count = 0
        while True:
            unanswered = await self.store.unanswered(before, RESUMED_AT_ONCE + len(self._under_way), since, living, late)
            left = [event for event in unanswered if (event.room, event.number) not in self._under_way][:RESUMED_AT_ONCE]
            answers = await asyncio.gather(*map(self._resume, left), return_exceptions=True)
            for event, answer in zip(left, answers, strict=True):
                if isinstance(answer, StoreUnavailable):
                    raise answer
                if isinstance(answer, Exception) and not isinstance(answer, Closed):
                    details = {"room": event.room, "event": event.number}
                    log.error("a proposal without a verdict could not be judged", exc_info=answer, extra=details)
            judged = sum(isinstance(answer, Judged) for answer in answers)
            count += judged
            if not judged:
                return count

    async def _resume(self, event: Event) -> Judged:
        live = await self.open_rooms.live(event.room or "")
        if live is None:
            raise NoSuchRoom(event.room or "")
        # Whoever proposed it has gone, or they would have asked again.
        proposer = ActingPlayer(event.player or "", agent=True)
        return await self._task(live, decode_any(Proposal, json.loads(event.body)), event, proposer)

    async def close(self) -> None:
        """Stop judging; what is not judged yet is stored, and is judged after the next start."""
        for task in self._under_way.values():
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)


async def _is_answered(task: asyncio.Task[Answered], seconds: float) -> bool:
    """Whether there is an answer within so many seconds."""
    await asyncio.wait([task], timeout=seconds)
    return task.done() and not task.cancelled() and task.exception() is None
