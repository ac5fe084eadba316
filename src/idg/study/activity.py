"""Active time: how long a participant really played a level, from the signs of life that are left of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from idg.sip.record import Record
from idg.study.definition import StudyRules

SignOfLife = tuple[float, str]
"""A time in seconds, and the session in which something happened then."""


class IdlePeriod(Record):
    """A break between two signs of life of one session."""

    start: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.start


class ActiveTime(Record):
    """What the signs of life of a participant on one level add up to."""

    seconds: float
    """Active: breaks are shortened, and sessions add what nobody saw."""
    seen_seconds: float
    """The same without what sessions add."""
    raw_seconds: float
    """Without any adjustment: from the first to the last sign of each session."""
    sessions: int
    """After tabs that were open at the same time are merged."""
    idle: tuple[IdlePeriod, ...]


def merged_sessions(signs: Iterable[SignOfLife]) -> list[list[float]]:
    """The times of each session. Sessions that overlap, such as two tabs side by side, are one."""
    by_session: dict[str, list[float]] = {}
    for time, session in signs:
        by_session.setdefault(session, []).append(time)
    merged: list[list[float]] = []
    for times in sorted(map(sorted, by_session.values())):
        if merged and times[0] <= merged[-1][-1]:
            merged[-1] = sorted((*merged[-1], *times))
        else:
            merged.append(times)
    return merged


def active_time(signs: Sequence[SignOfLife], rules: StudyRules) -> ActiveTime:
    """The active time of one participant in one level. `signs`: those from the opening to the solving, or to the last one."""
    sessions = merged_sessions(signs)
    seen = raw = 0.0
    idle = []
    for times in sessions:
        for earlier, later in pairwise(times):
            # Times have milliseconds. Rounding takes away what subtracting leaves, so that a gap of 300 s is not a little less.
            gap = round(later - earlier, 3)
            raw += gap
            if gap < rules.gap_seconds:
                seen += gap
            else:
                seen += rules.gap_counts_seconds
                idle.append(IdlePeriod(earlier, later))
    adding = len(sessions) if rules.session_rule == "each" else max(0, len(sessions) - 1)
    seen = round(seen, 3)
    return ActiveTime(seen + adding * rules.session_adds_seconds, seen, round(raw, 3), len(sessions), tuple(idle))
