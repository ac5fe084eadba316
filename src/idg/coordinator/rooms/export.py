"""The log for studies: events as JSON lines or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

from idg.coordinator.store import Store

PAGE = 1_000
COLUMNS = ("id", "time", "room", "number", "player", "session", "variant", "level", "program", "kind", "request", "answers", "body")


async def event_rows(store: Store, after: int = 0) -> AsyncIterator[dict[str, Any]]:
    """All events in the order of their ids; client logs are another table."""
    while True:
        page = await store.all_events(after, PAGE)
        for placed in page:
            event = placed.event
            yield {
                "id": event.id,
                "time": _iso(event.time),
                "room": event.room,
                "number": event.number,
                "player": event.player,
                "session": event.session,
                "variant": event.variant,
                "level": placed.level,
                "program": placed.program,
                "kind": event.kind,
                "request": event.request,
                "answers": event.answers,
                "body": json.loads(event.body),
            }
            after = event.id
        if len(page) < PAGE:
            return


async def log_rows(store: Store) -> AsyncIterator[dict[str, Any]]:
    """What clients logged."""
    after = 0
    while True:
        page = await store.all_logs(after, PAGE)
        for log in page:
            yield {
                "id": log.id,
                "time": _iso(log.time),
                "player": log.player,
                "session": log.session,
                "kind": log.kind,
                "body": json.loads(log.body),
            }
            after = log.id
        if len(page) < PAGE:
            return


def json_line(row: dict[str, Any]) -> bytes:
    return (json.dumps(row, ensure_ascii=False) + "\n").encode()


def csv_line(values: list[Any]) -> str:
    """Bodies stand in their column as JSON. A text that a spreadsheet would take for a formula gets a quote in front."""
    found = io.StringIO()
    csv.writer(found).writerow([_cell(each) for each in values])
    return found.getvalue()


def _cell(value: Any) -> Any:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
    return f"'{text}" if isinstance(text, str) and text[:1] in ("=", "+", "-", "@", "\t") else text


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
