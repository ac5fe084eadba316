"""How records become answers, and how the description of the API tells of them.

The records of `idg.engine.wire` say what the answers of the server look like. The description of the API (OpenAPI) is made from
them, so that the two cannot differ. The records below are those that only the web needs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, cast

from fastapi import FastAPI, Response

from idg.coordinator.players.progress import ImportedRoom
from idg.coordinator.rooms.questions import dumps
from idg.coordinator.store import PlayerRow
from idg.engine.wire.codec import encode, schema
from idg.engine.wire.rooms import PlayerAnswer
from idg.sip.record import Record

_described: dict[str, type[Record]] = {}
"""The records that `told` has named."""


class Empty(Record):
    """An answer without content."""


class CodeAnswer(Record):
    """A code with which others join a room, or with which a player continues on another device."""

    code: str
    expires: float | None
    """Until when it can be used, in seconds since 1970; None for the code of a room, which stays."""


class ImportedRooms(Record):
    """What became of a progress file."""

    rooms: tuple[ImportedRoom, ...]


class Health(Record):
    """Whether the server works."""

    status: Literal["ok", "failing"]
    database: bool
    """Whether the database answers."""
    workers: int
    workers_ready: int
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


def player_answer(player: PlayerRow, token: str | None = None) -> PlayerAnswer:
    return PlayerAnswer(player.id, player.name, player.agent, token)


def record_text(record: Record) -> str:
    return dumps(encode(record))


def json_response(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="application/json")


def record_response(record: Record, status: int = 200) -> Response:
    return json_response(record_text(record), status)


def content_of(kind: type[Record]) -> dict[str, object]:
    """The `content` of a response in OpenAPI that has such a record as JSON."""
    _described[kind.__name__] = kind
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}


def told(kind: type[Record]) -> dict[int | str, dict[str, Any]]:
    """For `responses` of a route: it answers with such a record."""
    return {200: {"description": (kind.__doc__ or "").strip(), "content": content_of(kind)}}


class DescribedApi(FastAPI):
    """An application whose description contains the records that `told` and `content_of` name."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            description = super().openapi()
            definitions = json.dumps(schema(*_described.values())["$defs"]).replace("#/$defs/", "#/components/schemas/")
            description["components"]["schemas"] |= cast(dict[str, object], json.loads(definitions))
        return self.openapi_schema or {}
