"""The WebSocket of a room. It tells everything that happens there, in order, from the event that the client saw last."""

from __future__ import annotations

import contextlib
import re

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from idg.coordinator.connections.protocols import WAKE
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.rooms.live_room import LiveRoom
from idg.coordinator.rooms.open_sockets import TooManySockets
from idg.coordinator.store import StoreUnavailable
from idg.coordinator.web.caller import known_player

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
    room's events. What clients send is ignored.
    """
    coordinator: Coordinator = websocket.app.state.coordinator
    room: str = websocket.path_params["room"]
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
            with coordinator.sockets.one_of(player.id):
                live = await coordinator.open_rooms.fresh(room, player.id)
                await _serve(coordinator, websocket, live, player.id, after)
    except TooManySockets as error:
        await websocket.close(TRY_LATER, str(error))
    except ApiError as error:
        with contextlib.suppress(RuntimeError):
            await websocket.close(TRY_LATER if error.status == 429 else NOT_ALLOWED, error.message)
    except StoreUnavailable as error:
        with contextlib.suppress(RuntimeError):
            await websocket.close(TRY_LATER, error.reason)


# Starlette's route, because FastAPI's keeps several kilobytes for each socket, for dependencies that there are none of.
router.add_websocket_route("/api/rooms/{room}/socket", socket)


async def _serve(coordinator: Coordinator, websocket: WebSocket, live: LiveRoom, player: str, after: int) -> None:
    wake = websocket.scope["extensions"][WAKE]["wake"]
    live.presence.arrive(player)
    live.listeners.add(wake)
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await _send(coordinator, websocket, live, player, after)
    finally:
        live.listeners.discard(wake)
        live.presence.depart(player)


async def _send(coordinator: Coordinator, websocket: WebSocket, live: LiveRoom, player: str, cursor: int) -> None:
    """Send what happens in the room until the client goes. `receive` returns when it goes, or when the room wakes us."""
    shown: int | None = None
    while True:
        while cursor < live.head:
            for number, text in await coordinator.open_rooms.history(live, cursor, PAGE):
                await websocket.send_text(f'{{"type": "event", "event": {text}}}')
                cursor = number
        if shown != live.presence.number:
            messages, shown = live.presence.messages(shown), live.presence.number
            for message in messages:
                await websocket.send_text(message)
        if not live.is_member(player):
            await websocket.close(NOT_ALLOWED, "you left the room")
            return
        if cursor >= live.head and shown == live.presence.number and (await websocket.receive())["type"] == "websocket.disconnect":
            return
