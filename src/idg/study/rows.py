"""The raw data of a study: one row for each event, as `idg export events` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from idg.sip.record import Record


class StudyRow(Record):
    """Something that a participant, or an agent in a participant's room, did."""

    study: str
    participant: str
    """Empty for an agent, and for anybody who is not a participant."""
    arm: str
    agent: bool
    session: str
    """The id of the browser's tab, which is kept when the page is loaded again."""
    level: str
    """Empty where it belongs to no level."""
    time: float
    """By the server's clock, in seconds since 1970."""
    kind: str
    body: Mapping[str, Any]
    room: str = ""
    """Empty for what a browser logged."""
    player: str = ""
    number: int = 0
    answers: int = 0
    """In a verdict, the number of the proposal that it answers."""
    purpose: str = ""
    """`tutorial` in a room that the tutorial made."""


class RowError(Exception):
    """A file that is not an export of a study; the message says which line, and what was expected."""


def read_rows(lines: Iterable[str], source: str) -> list[StudyRow]:
    """The rows of an export in JSON lines, of events or of logs; rows outside of any study are left out."""
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            exported = json.loads(line)
            row = exported_row(exported)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RowError(f"{source}, line {number}: this is no line of 'idg export' ({type(error).__name__}: {error})") from None
        if row is not None:
            rows.append(row)
    return rows


def exported_row(exported: Mapping[str, Any]) -> StudyRow | None:
    """A line of the export as a row; None where it belongs to no study."""
    if not exported["study"]:
        return None
    body = exported["body"]
    return StudyRow(
        study=exported["study"],
        participant=exported["participant"] or "",
        arm=exported["arm"] or "",
        agent=bool(exported["agent"]),
        session=exported["session"] or "",
        level=exported.get("level") or body.get("level") or "",
        time=datetime.fromisoformat(exported["time"]).timestamp(),
        kind=exported["kind"],
        body=body,
        room=exported.get("room") or "",
        player=exported["player"] or "",
        number=exported.get("number") or 0,
        answers=exported.get("answers") or 0,
        purpose=exported.get("purpose") or "",
    )
