"""What this coordinator tells the others, and what it does with their news: rooms that moved, names, tokens, who is where."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any

from idg.coordinator.cluster.coordinators.elsewhere import Elsewhere
from idg.coordinator.cluster.coordinators.news import (
    Beat,
    Ended,
    News,
    PlayerRenamed,
    RoomMoved,
    RoomPartner,
    RoomsDeleted,
    RoomSignal,
    TokenRevoked,
    WhoCame,
    WhoIsHere,
    WhoIsThere,
)
from idg.coordinator.errors import ApiError
from idg.coordinator.players.earnings import Earnings
from idg.coordinator.players.players import Players
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.live.open_rooms import MOVES, OpenRooms
from idg.coordinator.rooms.partners import Partners
from idg.coordinator.store import Event, PlayerRow, StoreUnavailable
from idg.engine.wire.rooms import MemberSignal, PartnerAnswer

BEAT_SECONDS = 2.0
"""How often the others are told that we are there."""
COLLECTED_SECONDS = 0.05
"""How long comings and goings are collected before the others are told of them."""
LISTED_A_MESSAGE = 2_000
"""How many players in rooms one message lists. Each takes some forty bytes, and a message may have a megabyte."""
ROOMS_A_MESSAGE = 2_000
"""How many deleted rooms one message lists."""
FOR_ALL = {"solved", "ended", "rejudged"}
"""The kinds of events with which the scores of all members of a room may change."""


class Neighbours:
    """Connects the news with what it is about. The others are heard from when `run` runs."""

    def __init__(self, news: News, open_rooms: OpenRooms, players: Players, earnings: Earnings, partners: Partners) -> None:
        self.news = news
        self.partners = partners
        self.open_rooms = open_rooms
        self.players = players
        self.earnings = earnings
        self.elsewhere = Elsewhere(self._show, self._ask)
        self._changes = 0
        """How often we have told who came and went."""
        self._came: dict[tuple[str, str], bool] = {}
        """Room and player → whether they came or went, since we have told it last."""
        self._is_listing = False
        """Whether all who are here are told in a moment."""
        self._tasks: set[asyncio.Task[None]] = set()
        open_rooms.moved = self._moved
        open_rooms.came_or_went = self._came_or_went
        open_rooms.elsewhere = self.elsewhere.players
        open_rooms.signalled = self._signalled
        players.renamed = self._renamed
        players.revoked = lambda token_hash: news.tell(TokenRevoked(token_hash))
        news.hear(RoomMoved, self._hear_moved)
        news.hear(RoomsDeleted, self._hear_deleted)
        news.hear(PlayerRenamed, self._hear_renamed)
        news.hear(TokenRevoked, lambda _, revoked: players.take_revoked(revoked.hash))
        news.hear(Beat, lambda sender, beat: self.elsewhere.beat(sender, beat.change, time.monotonic()))
        news.hear(Ended, lambda sender, _: self.elsewhere.forget(sender))
        news.hear(WhoCame, lambda sender, came: self.elsewhere.changed(sender, came, time.monotonic()))
        news.hear(WhoIsHere, lambda sender, report: self.elsewhere.listed(sender, report, time.monotonic()))
        news.hear(WhoIsThere, self._hear_asked)
        news.hear(RoomSignal, self._hear_signal)
        partners.told = self._partner
        news.hear(RoomPartner, self._hear_partner)
        news.on_gap(self._missed)

    async def run(self) -> None:
        """Tell the others that we are there, again and again, and notice those who are silent."""
        if not self.news.is_shared:
            return
        self.news.tell(WhoIsThere())
        while True:
            self.news.tell(Beat(self._changes))
            self.elsewhere.drop_silent(time.monotonic())
            await asyncio.sleep(BEAT_SECONDS)

    # Rooms

    def _moved(self, live: LiveRoom, events: Sequence[Event]) -> None:
        if not self.news.is_shared:
            return
        kinds = {event.kind for event in events}
        earned: tuple[str, ...] = ()
        if kinds & FOR_ALL:
            earned = tuple(live.presence.members)
        elif kinds & MOVES:
            earned = tuple({event.player for event in events if event.player is not None})
        head = max((event.number or 0 for event in events), default=0)
        self.news.tell(RoomMoved(live.id, head, live.version, live.entry.hash, earned))

    def deleted(self, rooms: Sequence[str], with_players: bool) -> None:
        for start in range(0, len(rooms), ROOMS_A_MESSAGE):
            self.news.tell(RoomsDeleted(tuple(rooms[start : start + ROOMS_A_MESSAGE])))
        if with_players:
            self.news.tell(RoomsDeleted(with_players=True))

    def _hear_moved(self, _: str, moved: RoomMoved) -> None:
        for player in moved.earned:
            self.earnings.forget(player, moved.program)
        if moved.head:
            self.open_rooms.announced(moved.room, moved.head)
        elif self.open_rooms.get(moved.room) is not None:
            self._begin(self.open_rooms.changed(moved.room))

    def _hear_deleted(self, _: str, deleted: RoomsDeleted) -> None:
        for room in deleted.rooms:
            self.open_rooms.is_used(room)  # It is forgotten, unless somebody is there and finds out.
        if deleted.with_players:
            self.players.forget_all()

    # Players

    def _renamed(self, player: PlayerRow) -> None:
        self.news.tell(PlayerRenamed(player.id, player.name))

    def _hear_renamed(self, _: str, renamed: PlayerRenamed) -> None:
        self.players.take_name(renamed.player, renamed.name)
        self.open_rooms.renamed(renamed.player, renamed.name)

    # Who is where

    def _came_or_went(self, room: str, player: str, came: bool) -> None:
        if not self.news.is_shared:
            return
        if not self._came:
            asyncio.get_running_loop().call_later(COLLECTED_SECONDS, self._tell_came)
        self._came[room, player] = came

    def _tell_came(self) -> None:
        changed, self._came = self._came, {}
        for start in range(0, len(changed), LISTED_A_MESSAGE):
            part = list(changed.items())[start : start + LISTED_A_MESSAGE]
            self._changes += 1
            came, went = (_by_room(place for place, has_come in part if has_come is wanted) for wanted in (True, False))
            self.news.tell(WhoCame(self._changes, came, went))

    def _hear_asked(self, sender: str, asked: WhoIsThere) -> None:
        if not self._is_listing and asked.asked in ("", self.news.coordinator):
            self._is_listing = True
            asyncio.get_running_loop().call_later(COLLECTED_SECONDS, self._list)

    def _list(self) -> None:
        """Tell all who are here. Those who asked at about the same time share the answer."""
        self._is_listing = False
        if self._came:
            self._tell_came()
        parts: list[dict[str, tuple[str, ...]]] = [{}]
        size = 0
        for live in self.open_rooms.known():
            players = tuple(live.presence.here)
            if not players:
                continue
            if size + len(players) > LISTED_A_MESSAGE and parts[-1]:
                parts.append({})
                size = 0
            parts[-1][live.id] = players
            size += len(players)
        for number, rooms in enumerate(parts, 1):
            self.news.tell(WhoIsHere(self._changes, number, len(parts), rooms))

    def _ask(self, coordinator: str) -> None:
        self.news.tell(WhoIsThere(coordinator))

    def _show(self, room: str) -> None:
        live = self.open_rooms.get(room)
        if live is not None:
            elsewhere = live.presence.elsewhere
            before = {*live.presence.here, *elsewhere}
            live.presence.take_elsewhere(self.elsewhere.players(room))
            present = {*live.presence.here, *live.presence.elsewhere}
            live.signals.keep_only(present)
            if live.partner is not None and live.partner.player in before - present:
                live.show_partner(None)  # Its coordinator has ended.
            if live.presence.elsewhere - elsewhere:
                self._tell_newcomers(live)

    def _tell_newcomers(self, live: LiveRoom) -> None:
        """Somebody came into the room at another coordinator: they are shown what was shown here before."""
        for signal in live.signals.of(live.presence.here):
            self.news.tell(RoomSignal(live.id, signal))
        partner = self.partners.here(live.id)
        if partner is not None:
            self.news.tell(RoomPartner(live.id, partner))

    def _signalled(self, room: str, signal: MemberSignal) -> None:
        if self.news.is_shared and self.elsewhere.players(room):
            self.news.tell(RoomSignal(room, signal))

    def _hear_signal(self, _: str, told: RoomSignal) -> None:
        live = self.open_rooms.get(told.room)
        if live is not None and live.presence.here and live.is_member(told.signal.player):
            live.signals.take(told.signal)

    def _partner(self, room: str, answer: PartnerAnswer | None) -> None:
        if self.news.is_shared:
            self.news.tell(RoomPartner(room, answer))

    def _hear_partner(self, _: str, told: RoomPartner) -> None:
        """The computer plays along at one coordinator only: the one where it was asked last."""
        self.partners.heard(told.room, told.partner)
        live = self.open_rooms.get(told.room)
        if live is not None:
            live.show_partner(told.partner)

    # Gaps

    def _missed(self) -> None:
        """News may have been lost while there was no connection: believe nothing that we only remember."""
        self.players.forget_all()
        self.earnings.forget_all()
        self.news.tell(WhoIsThere())
        self._begin(self.open_rooms.watch())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_if_possible(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.news.tell(Ended())
        await self.news.close()


def _by_room(places: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Room → players, from pairs of them."""
    rooms: dict[str, tuple[str, ...]] = {}
    for room, player in places:
        rooms[room] = (*rooms.get(room, ()), player)
    return rooms


async def _if_possible(work: Coroutine[Any, Any, None]) -> None:
    """Where the store cannot be used now, the rooms are looked at again later."""
    with contextlib.suppress(StoreUnavailable, ApiError):
        await work
