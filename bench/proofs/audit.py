"""Measures the second verifier: which levels and proof sets from outside it confirms, and in how many CPU seconds."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from bench.timing import Figure
from idg.audit import CONFIRMED, audit
from idg.levels import all_levels
from idg.sip.program import Program, load

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
SUITES = ("invgame", "nla", "code2inv")
MEDIAN_MAX, SECONDS_MAX = 0.2, 2.0
"""The goals for one program, in CPU seconds: the median of all programs, and the slowest one."""


def proofs() -> Iterator[tuple[str, Program, list[tuple[int, str]]]]:
    """Programs with invariants that prove them: first the levels, then the proof sets, where they are at hand."""
    for level in all_levels():
        yield "levels", level.program(), [(fact.loop, fact.expr) for fact in level.solution]
    for suite in SUITES if CORPUS.is_dir() else ():
        for entry in json.loads((CORPUS / f"{suite}.json").read_text()):
            if entry["proof_set"] is not None:
                yield suite, load(entry["sip"]), [(fact["loop"], fact["expr"]) for fact in entry["proof_set"]]


def figures() -> Iterator[Figure]:
    seconds: list[float] = []
    confirmed: dict[str, list[bool]] = {}
    for suite, program, facts in proofs():
        start = time.process_time()
        answer = audit(program, facts).answer
        seconds.append(time.process_time() - start)
        confirmed.setdefault(suite, []).append(answer == CONFIRMED)
    for suite, answers in confirmed.items():
        count, total = float(sum(answers)), float(len(answers))
        yield Figure(f"audit: confirmed of {suite}", "all", count, total, "all", count == total, "programs")
    median = statistics.median(seconds)
    yield Figure("audit: one program, median", "goal", median, MEDIAN_MAX, "at most 1", median <= MEDIAN_MAX)
    yield Figure("audit: one program, slowest", "goal", max(seconds), SECONDS_MAX, "at most 1", max(seconds) <= SECONDS_MAX)
