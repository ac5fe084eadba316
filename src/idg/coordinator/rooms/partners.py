"""The computer as a partner in rooms. It is a member like any other: what it proposes is judged, stored and shown as proposals are.

It makes one move at a time, at a pace that people can follow, and only after one of them has found a fact or has asked it to; asked
to solve the program, it goes on by itself until that is done. It ends when nobody else is in the room. After a restart of the
server it comes back when it is asked again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Literal

from idg.coordinator.errors import ApiError
from idg.coordinator.players.players import COMPUTER, Players
from idg.coordinator.pool.computing.calls import PartnerMove
from idg.coordinator.pool.jobs import Busy, CallError, Closed, Failed
from idg.coordinator.pool.queueing.shares import Shares
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.rooms.judging.question_kinds import partner_question
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.room_state import RoomState
from idg.coordinator.rooms.rooms import Rooms, TellsTooMuch
from idg.coordinator.store import StoreUnavailable, UnitRefused
from idg.engine.results import Fact
from idg.engine.wire.codec import decode
from idg.engine.wire.events import GivenHint
from idg.engine.wire.rooms import DraftAnswer, PartnerAnswer, PartnerMode, PartnerSays, PartnerWord
from idg.sip.record import replace

NAME = "Computer"
"""The name of these players."""
ALONE_SECONDS = 30.0
"""How long the computer stays in a room in which nobody else is, because people reload pages."""
ELSEWHERE_MAX = 10_000
"""At most this many rooms are remembered in which the computer plays along at other coordinators: the latest."""
LOOK_SECONDS = 5.0
"""How often it looks whether anybody is there, besides when something happens."""
TOO_MANY_RETRY_SECONDS = 60.0
"""Seconds after which one may ask again where the computer plays along in too many rooms."""
WHERE_TO_LOOK = ("variable", "together", "shape", "falls", "endless")
"""The steps of hints that the computer gives as a hint giver: they say where to look, and never what to propose."""
NO_ANSWER = (ApiError, UnitRefused, StoreUnavailable, Busy, Failed, CallError)
"""Why a move cannot be made; it says so and waits to be asked again."""

log = logging.getLogger("idg.partners")


class Partner:
    """The computer in one room."""

    def __init__(
        self, rooms: Rooms, live: LiveRoom, player: str, mode: PartnerMode, address: str, seconds: float, tell: Callable[[], None]
    ) -> None:
        """`address` is that of the person who asked for it: what it computes counts for that address. `tell` is called with each
        change of `answer`."""
        self.rooms = rooms
        self.live = live
        self.seconds = seconds
        self.actor = ActingPlayer(player, agent=True, address=address)
        self.answer = PartnerAnswer(player, mode, paused=False, thinking=False, says=None)
        self._tell = tell
        self._plan: tuple[Fact, ...] = ()
        """What proves the program, or that it ends, as it found out with its last move."""
        self._said = 0
        self._asked = False
        """Whether somebody has asked for a move since the last one."""
        self._lead = self._leads()
        """The people may be ahead by this many facts before the computer makes a move."""
        self._is_alone_since: float | None = None
        self._happened = asyncio.Event()

    def set(self, mode: PartnerMode, paused: bool) -> None:
        if mode != self.answer.mode or (self.answer.paused and not paused):
            self._lead = self._leads()  # What was found meanwhile is not made up for.
        self._change(replace(self.answer, mode=mode, paused=paused, says=self.answer.says if mode == self.answer.mode else None))
        self._happened.set()

    def ask(self) -> None:
        """Make a move now, although it may not be its turn."""
        self._asked = True
        self._happened.set()

    def say(self, kind: PartnerWord, hint: GivenHint | None = None, fact: Fact | None = None, helps: Fact | None = None) -> None:
        self._said += 1
        self._change(replace(self.answer, thinking=False, says=PartnerSays(kind, self._said, hint, fact, helps)))

    def _change(self, answer: PartnerAnswer) -> None:
        if answer != self.answer:
            self.answer = answer
            self._tell()

    async def play(self) -> None:
        """Returns when nobody is in the room any more."""
        listener = self._happened.set
        self.live.listeners.add(listener)
        self.live.presence.arrive(self.answer.player)
        try:
            while not self._is_left_alone():
                if self._is_to_move():
                    await self._move()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._happened.wait()
                self._happened.clear()
        finally:
            self.live.listeners.discard(listener)
            self.live.presence.depart(self.answer.player)
            self.live.signals.clear(self.answer.player)

    def _is_left_alone(self) -> bool:
        """Whether the others have gone for good, or it is a member no more."""
        present = {*self.live.presence.here, *self.live.presence.elsewhere} - {self.answer.player}
        if any(not self.live.presence.members[player].agent for player in present if player in self.live.presence.members):
            self._is_alone_since = None
        elif self._is_alone_since is None:
            self._is_alone_since = time.monotonic()
        alone = self._is_alone_since is not None and time.monotonic() - self._is_alone_since > ALONE_SECONDS
        return alone or not self.live.is_member(self.answer.player)

    def _leads(self) -> int:
        """How many more facts of this sitting the others have found than the computer."""
        own = sum(author == self.answer.player for author in self.live.state.authors.values())
        return len(self.live.state.authors) - 2 * own

    def _wants_ending(self) -> bool:
        """Whether the second mark is wanted: the level asks for it, or somebody has said something about the end."""
        level = self.live.entry.level
        return bool(self.live.state.ending) or (level is not None and level.ending != "")

    def _is_done(self) -> bool:
        """Whether the room has all the marks that are wanted."""
        state = self.live.state
        return state.solved and (bool(state.tally.ends) or not self._wants_ending())

    def _is_to_move(self) -> bool:
        self._lead = min(self._lead, self._leads())  # After a reset, or a move that was asked for, the count begins anew.
        if self.answer.mode == "hints" or self.answer.paused or self.live.state.is_full:
            return False
        if self.answer.mode == "solve":
            return True
        if self._is_done():
            return self._asked
        state = self.live.state
        waits = bool(state.potential()) or any(not measure.proved for measure in state.measures())
        is_wanted = self.answer.mode == "turns" or waits
        return self._asked or (is_wanted and self._leads() > self._lead)

    async def _move(self) -> None:
        mode = self.answer.mode
        assert mode != "hints"
        self._change(replace(self.answer, thinking=True))
        try:
            await asyncio.sleep(self.seconds)
            if not self._is_to_move() or self.answer.mode != mode:
                return  # Somebody has paused it meanwhile, or solved the program.
            state = self.live.state
            move = await self._next_move(state, mode)
            if move.is_proved:
                self._end_with("solved")
            elif move.fact is None:
                self._end_with("refuted" if move.outcome == "refuted" else "nothing")
            elif await self._propose(state, move.fact, move.helps) and self.live.state.digest == state.digest:
                self._end_with("trouble")  # A limit ended the analysis. The same proposal would not fare better.
        except NO_ANSWER:
            self._end_with("trouble")
        finally:
            self._asked = False
            self._lead = self._leads()
            self._change(replace(self.answer, thinking=False))
            if self.answer.mode == "solve":
                self._happened.set()

    def _end_with(self, word: PartnerWord) -> None:
        """There is nothing more to do for now. Whoever wants it to solve a program asks for it each time."""
        self.say(word)
        if self.answer.mode == "solve":
            self._change(replace(self.answer, mode="turns"))

    async def _next_move(self, state: RoomState, mode: PartnerMode) -> PartnerMove:
        await self.rooms.rejudging.settle(self.live)
        way: Literal["turns", "helper"] = "helper" if mode == "helper" else "turns"
        question = partner_question(self.live.entry, state, self._plan, way, self._wants_ending())
        answered = await self.rooms.questions.ask(question, self.actor.asking(self.live.id))
        move = decode(PartnerMove, json.loads(answered.answer))
        self._plan = move.plan
        return move

    async def _propose(self, state: RoomState, fact: Fact, helps: Fact | None) -> bool:
        """It shows what it is about to propose first, as people do who type; false where something came in between."""
        self.say("next", fact=fact, helps=helps)
        self._change(replace(self.answer, thinking=True))
        self.live.signals.show(self.answer.player, DraftAnswer(fact.loop, fact.text), None, None)
        try:
            await asyncio.sleep(self.seconds)
            is_still_wanted = not self.answer.paused and self.live.state.digest == state.digest and not self._is_done()
            if is_still_wanted:
                await self.rooms.propose(self.live, self.actor, fact.loop, fact.text, None)
            return is_still_wanted
        finally:
            self.live.signals.show(self.answer.player, None, None, None)


class Partners:
    """All rooms in which the computer plays along at this coordinator."""

    def __init__(self, rooms: Rooms, players: Players, partners_max: int, seconds: float) -> None:
        self.rooms = rooms
        self.players = players
        self.seconds = seconds
        self.shares = Shares(partners_max)
        """Who has asked for how many, so that nobody can take the computer away from all others."""
        self.told: Callable[[str, PartnerAnswer | None], None] = lambda room, answer: None
        """Is told what the computer does in a room, so that others can be told. The coordinator sets it."""
        self._partners: dict[str, tuple[Partner, asyncio.Task[None]]] = {}
        self._elsewhere: OrderedDict[str, PartnerAnswer] = OrderedDict()
        """Room → what the computer does there at another coordinator, as far as we have heard."""

    def __len__(self) -> int:
        return len(self._partners)

    async def set(self, live: LiveRoom, actor: ActingPlayer, mode: PartnerMode, paused: bool) -> PartnerAnswer:
        """Have the computer play along in this way."""
        if live.id not in self._partners:
            self._require_place(actor)
            player = await self._player(live, actor)
            if live.id not in self._partners:  # Somebody else may have asked meanwhile.
                self._require_place(actor)
                self._begin(live, player, mode, actor)
        partner, _ = self._partners[live.id]
        partner.set(mode, paused)
        return partner.answer

    def _require_place(self, actor: ActingPlayer) -> None:
        if not self.shares.admits(actor.address, actor.player):
            text = "the computer plays along in as many rooms as it may on this server, or for you or your address"
            raise ApiError("too-many-partners", text, retry_after_seconds=TOO_MANY_RETRY_SECONDS)

    def _begin(self, live: LiveRoom, player: str, mode: PartnerMode, actor: ActingPlayer) -> None:
        partner = Partner(self.rooms, live, player, mode, actor.address, self.seconds, lambda: self._show(live, partner.answer))
        task = asyncio.create_task(partner.play())
        self.shares.take(actor.address, actor.player)
        task.add_done_callback(lambda _: self.shares.give_back(actor.address, actor.player))
        self._elsewhere.pop(live.id, None)
        self._partners[live.id] = (partner, task)
        task.add_done_callback(lambda _: self._ended(live, partner, task))
        self._show(live, partner.answer)

    async def _player(self, live: LiveRoom, actor: ActingPlayer) -> str:
        """The computer as a member of the room: the one who was there before, or a new one."""
        known = next((player for player in live.presence.members if player.startswith(COMPUTER)), None)
        player = known or (await self.players.create(NAME, agent=True, address=actor.address, prefix=COMPUTER))[0].id
        if not live.is_member(player):
            await self.rooms.join(live, ActingPlayer(player, agent=True, address=actor.address))
        return player

    async def ask(self, live: LiveRoom, actor: ActingPlayer, balance: Callable[[], Awaitable[int]]) -> PartnerAnswer:
        """Ask the computer for a hint, or for a move, as it plays. Where it plays at another coordinator, it goes on here."""
        known = live.partner or self._elsewhere.get(live.id)
        if live.id not in self._partners and known is not None:
            await self.set(live, actor, known.mode, known.paused)
        if live.id not in self._partners:
            raise ApiError("no-partner", "the computer does not play along in this room")
        partner, _ = self._partners[live.id]
        if partner.answer.mode == "hints":
            await self._hint(partner, live, actor, balance)
        else:
            partner.ask()
        return partner.answer

    async def _hint(self, partner: Partner, live: LiveRoom, actor: ActingPlayer, balance: Callable[[], Awaitable[int]]) -> None:
        """The person who asks gets the hint as any other, and pays for it; the computer says it."""
        try:
            event = await self.rooms.hint(live, actor, balance, WHERE_TO_LOOK)
        except TellsTooMuch:
            partner.say("enough")
        else:
            partner.say("hint", hint=decode(GivenHint, json.loads(event.body)))

    async def end(self, live: LiveRoom) -> None:
        """The computer stops playing along, here or at another coordinator, and leaves the room."""
        _, task = self._partners.pop(live.id, (None, None))
        self._elsewhere.pop(live.id, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        player = next((player for player in live.presence.members if player.startswith(COMPUTER)), None)
        if player is not None and live.is_member(player):
            # At another coordinator it ends when it is a member no more.
            self._show(live, None)
            await self.rooms.leave(live, ActingPlayer(player, agent=True))

    def here(self, room: str) -> PartnerAnswer | None:
        """What the computer does in the room, where it plays along at this coordinator."""
        partner, _ = self._partners.get(room, (None, None))
        return None if partner is None else partner.answer

    def heard(self, room: str, answer: PartnerAnswer | None) -> None:
        """What the computer does in the room at another coordinator, from which we take it that it is not to do it here."""
        self._elsewhere.pop(room, None)
        if answer is None:
            return
        self._elsewhere[room] = answer
        if len(self._elsewhere) > ELSEWHERE_MAX:
            self._elsewhere.popitem(last=False)
        _, task = self._partners.pop(room, (None, None))
        if task is not None:
            task.cancel()

    def _ended(self, live: LiveRoom, partner: Partner, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Closed):
            log.error("the computer could not go on in a room", exc_info=error, extra={"room": live.id})
        if self._partners.get(live.id, (None, None))[0] is partner:
            del self._partners[live.id]
            self._show(live, None)

    def _show(self, live: LiveRoom, answer: PartnerAnswer | None) -> None:
        live.show_partner(answer)
        self.told(live.id, answer)

    async def close(self) -> None:
        tasks = [task for _, task in self._partners.values()]
        self._partners.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
