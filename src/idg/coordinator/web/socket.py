"""The WebSocket of a room. It tells everything that happens there, in order, from the event that the client saw last."""

from __future__ import annotations

import contextlib
import re
from asyncio import sleep
from collections.abc import Callable, Mapping

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from idg.coordinator.bounds.rate_limits import LOOP_SECONDS_A_PERMIT, Buckets
from idg.coordinator.connections.protocols import WAKE
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.event_loop import Metered
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.live.open_rooms import TELLING_SECONDS
from idg.coordinator.rooms.live.open_sockets import TooManySockets
from idg.coordinator.store import StoreUnavailable
from idg.coordinator.web.models import Signal
from idg.coordinator.web.requests.addresses import address_of
from idg.coordinator.web.requests.caller import known_player
from idg.coordinator.web.requests.strict_json import strict_json
from idg.engine.wire.rooms import DraftAnswer, PointedRow, SocketPartner

PAGE = 200
"""How many events are read from the history at once."""
AFTER_MAX = 2**53
"""Numbers of events are below this, because JavaScript's numbers are exact only below it."""
ROOM = re.compile(r"[A-Za-z0-9_-]{8,64}")
NOT_ALLOWED, WRONG_REQUEST, TRY_LATER = 4404, 4400, 1013
"""The codes with which a socket is closed: there is no such room for this player; the query is wrong; the server is full, or its
database cannot be used."""

router = APIRouter()


async def socket(websocket: WebSocket) -> None:
    """Messages: {"type": "event", "event": …}; {"type": "here", "members": […]} with all members, once; and {"type": "changed",
    "members": […]} with those who came, went, or have another name.

    `?after=N` resumes after event N. Nothing is missed and nothing comes twice, because each socket remembers how far it is in the
    room's events. {"type": "signals", "signals": […]} tells what other members show at the moment, and {"type": "partner",
    "partner": …} what the computer does as a partner. Clients send what their players show (`models.Signal`). What cannot be
    understood, or comes too fast, is passed over.
    """
    coordinator: Coordinator = websocket.app.state.coordinator
    room: str = websocket.path_params["room"]
    waking = websocket.scope["extensions"].pop(WAKE, None)
    if waking is None:
        return  # The client has gone already.
    await websocket.accept()
    try:
        after = int(websocket.query_params.get("after", "0"))
        if not 0 <= after < AFTER_MAX:
            raise ValueError
    except ValueError:
        await websocket.close(WRONG_REQUEST, "after must be the number of an event")
        return
    try:
        with coordinator.sockets.one():
            player = await known_player(websocket)
            if not ROOM.fullmatch(room):
                raise not_found("room")
            websocket.scope["headers"].clear()  # Nobody needs them from now on, and sockets last long.
            websocket.__dict__.pop("_headers", None)
            with coordinator.sockets.one_of(player.id):
                live = await coordinator.open_rooms.fresh(room, player.id)
                with coordinator.sockets.one_in(room):
                    await _serve(coordinator, websocket, waking, live, player.id, after)
    except TooManySockets as error:
        await websocket.close(TRY_LATER, str(error))
    except ApiError as error:
        with contextlib.suppress(RuntimeError):
            await websocket.close(TRY_LATER if error.status == 429 else NOT_ALLOWED, error.message)
    except StoreUnavailable as error:
        with contextlib.suppress(RuntimeError):
            await websocket.close(TRY_LATER, error.reason)


# `FastPath` serves it before it comes here. The route is for whoever looks at the routes.
router.add_websocket_route("/api/rooms/{room}/socket", socket)


async def _serve(
    coordinator: Coordinator,
    websocket: WebSocket,
    waking: Mapping[str, Callable[..., None]],
    live: LiveRoom,
    player: str,
    after: int,
) -> None:
    wake, hear = waking["wake"], waking["hear"]
    address, buckets = address_of(websocket.scope), coordinator.address_rates
    live.presence.arrive(player)
    live.listeners.add(wake)
    hear(lambda text: None if _is_too_dear(buckets, address, live) else _hear(coordinator, live, player, text))
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await _send(coordinator, websocket, live, player, after, address)
    finally:
        live.listeners.discard(wake)
        hear(lambda text: None)
        live.presence.depart(player)
        if player not in live.presence.here:
            live.signals.clear(player)


def _is_too_dear(buckets: Buckets, address: str, live: LiveRoom) -> bool:
    """Whether what a member shows is passed over, because the address has made the event loop do enough. Otherwise it counts for as
    many requests as it takes long to tell everybody."""
    if buckets.wait(address):
        return True
    buckets.spend(address, len(live.listeners) * TELLING_SECONDS / LOOP_SECONDS_A_PERMIT)
    return False


def _hear(coordinator: Coordinator, live: LiveRoom, player: str, text: bytes) -> None:
    """Take what a member shows the others."""
    if coordinator.signal_rates.take(player) or not live.is_member(player):
        return
    try:
        signal = Signal.model_validate(strict_json(text))
    except ValueError:
        return  # Perhaps a client of another version.
    phrase = signal.phrase if signal.phrase is None or not coordinator.phrase_rates.take(player) else None
    draft = None if signal.draft is None else DraftAnswer(signal.draft.loop, signal.draft.text)
    row = None
    if signal.row is not None:
        choices = tuple(tuple(values) for values in signal.row.choices)
        row = PointedRow(signal.row.loop, signal.row.row, signal.row.inputs, signal.row.seed, choices)
    live.signals.show(player, draft, row, phrase)


async def _tell(coordinator: Coordinator, websocket: WebSocket, live: LiveRoom, cursor: int) -> int:
    """Tell the next events; the number of the last one that was told."""
    for number, text in await coordinator.open_rooms.history(live, cursor, PAGE):
        await websocket.send_text(f'{{"type": "event", "event": {text}}}')
        cursor = number
    return cursor


async def _tell_old(coordinator: Coordinator, websocket: WebSocket, live: LiveRoom, cursor: int, address: str) -> int:
    """The same for events that have to be read from the store, which counts for the address. What it owes it waits for."""
    work = Metered(_tell(coordinator, websocket, live, cursor))
    told = await work
    coordinator.address_rates.spend(address, work.seconds / LOOP_SECONDS_A_PERMIT)
    owed = coordinator.places.owes(address)
    if owed:
        await sleep(owed)
    return told


async def _send(coordinator: Coordinator, websocket: WebSocket, live: LiveRoom, player: str, cursor: int, address: str) -> None:
    """Send what happens in the room until the client goes. `receive` returns when it goes, or when the room wakes us."""
    shown: int | None = None
    seen: int | None = None
    partner = 0
    while True:
        while cursor < live.head:
            if live.since(cursor) is None:
                cursor = await _tell_old(coordinator, websocket, live, cursor, address)
            else:
                cursor = await _tell(coordinator, websocket, live, cursor)
        if shown != live.presence.number:
            messages, shown = live.presence.messages(shown), live.presence.number
            for message in messages:
                await websocket.send_text(message)
        if seen != live.signals.number:
            signals, seen = live.signals.message(seen, player), live.signals.number
            if signals is not None:
                await websocket.send_text(signals)
        if partner != live.partner_changes:
            partner = live.partner_changes
            await websocket.send_text(record_text(SocketPartner("partner", live.partner), spaced=True))
        if not live.is_member(player):
            await websocket.close(NOT_ALLOWED, "you left the room")
            return
        told = shown == live.presence.number and seen == live.signals.number and partner == live.partner_changes
        if told and cursor >= live.head and (await websocket.receive())["type"] == "websocket.disconnect":
            return
