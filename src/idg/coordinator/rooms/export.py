"""The log for studies: events, and what clients logged, as JSON lines or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime

from idg.coordinator.store import Store
from idg.engine.wire.codec import encode
from idg.sip.record import Record

PAGE = 100
"""How many rows are read from the store at once. An event may have a megabyte."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t")
"""A spreadsheet takes a text that starts with one of these for a formula."""


class ExportedEvent(Record):
    """An event of a room. The fields are the columns of the export."""

    id: int
    time: str
    room: str | None
    number: int | None
    player: str | None
    session: str
    variant: str
    level: str | None
    program: str | None
    engine: str | None
    kind: str
    request: str | None
    answers: int | None
    body: object


class ExportedLog(Record):
    """A line of a client's log. The fields are the columns of the export."""

    id: int
    time: str
    player: str
    session: str
    kind: str
    body: object


async def event_rows(store: Store, after: int = 0) -> AsyncIterator[ExportedEvent]:
    """All events whose id is larger than `after`, in the order of their ids."""
    while True:
        page = await store.all_events(after, PAGE)
        for placed in page:
            event = placed.event
            yield ExportedEvent(
                event.id,
                _iso(event.time),
                event.room,
                event.number,
                event.player,
                event.session,
                event.variant,
                placed.level,
                placed.program,
                placed.engine,
                event.kind,
                event.request,
                event.answers,
                json.loads(event.body),
            )
            after = event.id
        if len(page) < PAGE:
            return


async def log_rows(store: Store) -> AsyncIterator[ExportedLog]:
    """What clients logged, in the order in which it was stored."""
    after = 0
    while True:
        page = await store.all_logs(after, PAGE)
        for log in page:
            yield ExportedLog(log.id, _iso(log.time), log.player, log.session, log.kind, json.loads(log.body))
            after = log.id
        if len(page) < PAGE:
            return


def json_line(row: ExportedEvent | ExportedLog) -> bytes:
    return (json.dumps(encode(row), ensure_ascii=False) + "\n").encode()


def csv_head(kind: type[ExportedEvent] | type[ExportedLog]) -> bytes:
    """The line with the names of the columns."""
    return _csv_line(kind.__match_args__)


def csv_line(row: ExportedEvent | ExportedLog) -> bytes:
    """Bodies stand in their column as JSON."""
    return _csv_line(tuple(map(_cell, encode(row).values())))


def _csv_line(cells: tuple[object, ...]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets a quote in front."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(FORMULA_STARTS) else text


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
