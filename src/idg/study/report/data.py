"""A report as JSON, and its tables as CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable
from typing import Any

from idg import __version__
from idg.sip.record import Record
from idg.study.analysis.figures import KINDS
from idg.study.analysis.results import StudyResults
from idg.study.cohort import Attempt


def as_json(results: StudyResults) -> str:
    """Everything that the report says, with every attempt; infinite and missing values are null."""
    cohort = results.cohort
    answer = {
        "idg": __version__,
        "definition": plain(cohort.definition),
        "keep_long": cohort.keep_long,
        "enrolled": _by_arm(cohort.enrolled.values()),
        "analysed": _by_arm(cohort.arms.values()),
        "steps": plain(cohort.steps),
        "tutorial_rows": cohort.tutorial_rows,
        "agent_rows": cohort.agent_rows,
        "batches": cohort.batches,
        "long": [_attempt(visit) for visit in cohort.long],
        "quickest": _attempt(results.quickest) if results.quickest else None,
        "quick": [_attempt(visit) for visit in results.quick],
        "win_rate": plain(results.win),
        "kind_names": list(KINDS),
        "kinds": plain(results.kinds),
        "prove_ratio": plain(results.prove),
        "levels": plain(results.levels),
        "survival": plain(results.survival),
        "attempts": [_attempt(attempt) for attempt in cohort.attempts],
        "answers": [{"participant": row.participant, "arm": row.arm, "answers": dict(row.body)} for row in cohort.answers],
    }
    return json.dumps(answer, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def plain(value: object) -> Any:
    """Records, tuples and numbers as JSON has them."""
    if isinstance(value, Record):
        return {name: plain(getattr(value, name)) for name in value.__match_args__}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _by_arm(arms: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for arm in arms:
        counts[arm] = counts.get(arm, 0) + 1
    return dict(sorted(counts.items()))


ATTEMPT_COLUMNS = (
    "participant", "arm", "level", "counts", "solved", "helped", "active_seconds", "seen_seconds", "raw_seconds", "sessions",
    "breaks", "proposals", "requests",
)  # fmt: skip


def _attempt(attempt: Attempt) -> dict[str, object]:
    time = attempt.time
    values = (
        attempt.participant,
        attempt.arm,
        attempt.level,
        attempt.counts,
        attempt.solved,
        attempt.helped,
        time.seconds,
        time.seen_seconds,
        time.raw_seconds,
        time.sessions,
        len(time.idle),
        len(attempt.proposals),
        attempt.requests,
    )
    return dict(zip(ATTEMPT_COLUMNS, values, strict=True))


def visits_csv(results: StudyResults) -> str:
    """One row for each level that a participant opened. `analysed` says whether it counts in the figures."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow((*ATTEMPT_COLUMNS, "analysed"))
    for visit in results.cohort.visits:
        values = ("yes" if value is True else "no" if value is False else value for value in _attempt(visit).values())
        analysed = visit.counts and visit.participant in results.cohort.arms
        writer.writerow((*values, "yes" if analysed else "no"))
    return file.getvalue()
