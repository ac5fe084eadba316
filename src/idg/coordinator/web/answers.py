"""How records become answers, and the records that only the web needs. All other answers are records of `idg.engine.wire`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from fastapi import Response

from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.progress import ImportedRoom, Seal
from idg.coordinator.pool.json_text import dumps, record_text
from idg.coordinator.pool.sandbox.confine import Sandbox
from idg.coordinator.store import PlayerRow
from idg.engine.wire.codec import encode
from idg.engine.wire.rooms import PlayerAnswer, PlayerToken
from idg.sip.record import Record, replace


class Empty(Record):
    """An answer without content."""


class CodeAnswer(Record):
    """A code with which others join a room, or with which a player continues on another device."""

    code: str
    expires: float | None
    """Until when it can be used, in seconds since 1970; null for the code of a room, which stays."""


class ImportedRooms(Record):
    """What became of a progress file."""

    rooms: tuple[ImportedRoom, ...]
    seal: Seal
    """Whether the file had the seal of this server, so that what was earned and spent came back with it."""


class Health(Record):
    """Whether the server works."""

    status: Literal["ok", "failing"]
    problem: str
    """What is wrong, as a sentence; empty where nothing is."""
    database: bool
    """Whether the database can be written."""
    workers: int
    workers_ready: int
    sandbox: Sandbox
    version: str
    engine: str


class ServerStats(Record):
    """Figures for the person who runs the server."""

    rows: Mapping[str, int]
    """Table → how many rows it has."""
    readings: Mapping[str, Mapping[str, float]]
    """The figures of the metrics."""
    started: float
    """When the coordinator was started, in seconds since 1970."""


def player_answer(player: PlayerRow) -> PlayerAnswer:
    return PlayerAnswer(player.id, player.name, player.agent)


def player_token(player: PlayerRow, token: str) -> PlayerToken:
    return PlayerToken(player.id, player.name, player.agent, token)


def json_response(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(text, status, headers, "application/json")


async def long_record_response(record: Record, *lists: str) -> Response:
    """The answer for a record of which these fields are long lists of records. Others get their turn while it is written."""
    texts = {name: dumps(value) for name, value in encode(replace(record, **dict.fromkeys(lists, ()))).items()}
    for name in lists:
        texts[name] = f"[{','.join([record_text(item) async for item in with_pauses(getattr(record, name))])}]"
    return json_response(f"{{{','.join(f'{dumps(name)}:{text}' for name, text in texts.items())}}}")


def record_response(record: Record, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return json_response(record_text(record), status, headers)
