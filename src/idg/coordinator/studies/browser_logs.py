"""What browsers of participants log. Times become those of the server's clock and have to be possible; levels become their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.coordinator.pool.json_text import dumps
from idg.coordinator.store import NewLog
from idg.coordinator.studies.studies import Participation
from idg.sip.record import Record

AGE_SECONDS_MAX = 24 * 3600.0
"""How old a row may be when it arrives. A browser without a connection keeps its rows, but not for days."""
EARLY_SECONDS_MAX = 5.0
"""How far in the future a row may be, because the way to the server takes different times. It counts as now."""
ACTIVE_SECONDS_MAX = 300.0
"""How long the time may be that one row covers. Browsers write one for each minute; a longer one would hide a break."""
OUT_OF_BOUNDS = "times out of bounds"
"""What is stored in place of a row whose times cannot be: that there was one. It names no level and counts nowhere."""

LogBody = Mapping[str, bool | int | float | str]


class BrowserRow(Record):
    """A row as a browser sends it, by its own clock."""

    kind: str
    time: float
    body: LogBody


def checked_rows(taking_part: Participation, rows: Sequence[BrowserRow], sent: float | None, now: float) -> list[NewLog]:
    """What is stored of the rows that came now. `sent` is when they were sent by the clock that they were timed with: the
    difference to ours is what that clock is wrong by, and the way to us."""
    shift = 0.0 if sent is None else now - sent
    return [_checked(taking_part, row, shift, now) for row in rows]


def _checked(taking_part: Participation, row: BrowserRow, shift: float, now: float) -> NewLog:
    time = min(round(row.time + shift, 3), now)
    body = dict(row.body)
    possible = _possible(row.time + shift, now)
    if "from" in body or "to" in body:
        start, end = body.get("from"), body.get("to")
        if _is_number(start) and _is_number(end):
            assert isinstance(start, int | float)
            assert isinstance(end, int | float)
            covers = 0 <= end - start <= ACTIVE_SECONDS_MAX and end <= row.time + EARLY_SECONDS_MAX
            possible = possible and covers and _possible(start + shift, now)
            body["from"], body["to"] = (min(round(time + shift, 3), now) for time in (start, end))
        else:
            possible = False
    if not possible:
        return NewLog(now, "error", dumps({"what": OUT_OF_BOUNDS, "kind": row.kind}))
    if "level" in body:
        level = _level(taking_part, body.pop("level"))
        body |= {} if level is None else {"level": level}
    return NewLog(time, row.kind, dumps(body))


def _possible(time: float, now: float) -> bool:
    return now - AGE_SECONDS_MAX <= time <= now + EARLY_SECONDS_MAX


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _level(taking_part: Participation, level: object) -> str | None:
    """The id of a level of the study that a row names, by its id or, in the arm without code, by its number; None for others."""
    levels = taking_part.definition.levels
    if isinstance(level, int) and not isinstance(level, bool):
        return levels[level - 1] if 1 <= level <= len(levels) else None
    return level if isinstance(level, str) and level in levels else None
