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
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
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
    study: str | None
    """The study of the room's owner."""
    participant: str | None
    """A number in the study, such as p0007; the id of the link only where that is asked for."""
    arm: str | None
    agent: bool
    purpose: str | None
    body: object


class ExportedLog(Record):
    """A line of a client's log. The fields are the columns of the export."""

    id: int
    time: str
    player: str
    session: str
    kind: str
    study: str | None
    participant: str | None
    arm: str | None
    agent: bool
    body: object


def _participant(number: int | None, pid: str | None, with_ids: bool) -> str | None:
    """How a participant is called in an export."""
    if number is None:
        return None
    return pid if with_ids and pid is not None else f"p{number:04d}"


async def event_rows(store: Store, after: int = 0, with_ids: bool = False) -> AsyncIterator[ExportedEvent]:
    """All events whose id is larger than `after`, in the order of their ids. Participants of studies have a number in place of the
    id of their link, unless that is asked for."""
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
                placed.study,
                _participant(placed.participant, placed.pid, with_ids),
                placed.arm,
                placed.agent,
                placed.purpose,
                json.loads(event.body),
            )
            after = event.id
        if len(page) < PAGE:
            return


async def log_rows(store: Store, with_ids: bool = False) -> AsyncIterator[ExportedLog]:
    """What clients logged, in the order in which it was stored."""
    after = 0
    while True:
        page = await store.all_logs(after, PAGE)
        for placed in page:
            log = placed.log
            yield ExportedLog(
                log.id,
                _iso(log.time),
                log.player,
                log.session,
                log.kind,
                placed.study,
                _participant(placed.participant, placed.pid, with_ids),
                placed.arm,
                placed.agent,
                json.loads(log.body),
            )
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


def guarded(cell: object) -> object:
    """A text that a spreadsheet would take for a formula gets a quote in front. Spaces before it do not keep one from that."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA_STARTS) else cell


def _cell(value: object) -> object:
    return guarded(json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value)


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
