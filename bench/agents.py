"""What the built-in agent solves, and the CPU seconds it takes: loading, runs, proposals and proofs; imports left out."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from bench.timing import Figure
from idg.agents import Agent, LocalDoor
from idg.levels import all_levels
from idg.prover import cvc5_stage, nullspace, z3_stage
from idg.sip.program import load

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
WARM = (cvc5_stage, nullspace, z3_stage)
"""Imported before the clock starts."""


class Suite(NamedTuple):
    name: str
    solved: int
    refuted: int
    median_seconds: float
    most_seconds: float


SUITES = (Suite("code2inv", 124, 9, 0.1, 2.0), Suite("nla", 28, 0, 1.5, 30.0), Suite("invgame", 16, 0, 0.3, 8.0))


class Played(NamedTuple):
    name: str
    outcome: str
    seconds: float
    proposals: int
    trivial: bool
    wrong: bool
    """Contradicts what is known about the program."""


def play(name: str, text: str, valid: bool | None = None, trivial: bool = False) -> Played:
    start = time.process_time()
    outcome = Agent(LocalDoor(load(text))).play()
    seconds = time.process_time() - start
    wrong = (outcome.outcome == "solved" and valid is False) or (outcome.outcome == "refuted" and valid is True)
    return Played(name, outcome.outcome, seconds, outcome.proposals, trivial, wrong)


def of_suite(suite: Suite) -> list[Figure]:
    entries = json.loads((CORPUS / f"{suite.name}.json").read_text())
    found = [play(each["id"], each["sip"], each["valid"], bool(each["trivial"])) for each in entries]
    return figures_of(suite, found)


def figures_of(suite: Suite, found: list[Played]) -> list[Figure]:
    counts = {outcome: sum(each.outcome == outcome for each in found) for outcome in ("solved", "refuted", "open")}
    trivial = sum(each.trivial and each.outcome == "solved" for each in found)
    seconds = [each.seconds for each in found]
    median, most = statistics.median(seconds), max(seconds)
    complete = counts["solved"] >= suite.solved and counts["refuted"] >= suite.refuted and not any(each.wrong for each in found)
    told = f"{counts['solved']} solved ({trivial} of them trivial), {counts['refuted']} refuted, {counts['open']} open"
    left = [each.name for each in found if each.outcome == "open" or each.wrong]
    if left:
        print(f"(open or wrong: {', '.join(left)})")
    slowest = max(found, key=lambda each: each.seconds).name
    return [
        Figure(f"agent on {suite.name}, median; {told}", f"{suite.median_seconds} s of CPU", median, suite.median_seconds,
               f"{suite.solved} solved, {suite.refuted} refuted, at most that", complete and median <= suite.median_seconds),
        Figure(f"agent on {suite.name}, the longest: {slowest}", f"{suite.most_seconds} s of CPU", most, suite.most_seconds,
               "at most that", most <= suite.most_seconds),
    ]


def figures() -> list[Figure]:
    levels = [play(level.id, level.source, True) for level in all_levels()]
    found = figures_of(Suite("our levels", len(levels), 0, 0.5, 8.0), levels)
    if CORPUS.is_dir():
        for suite in SUITES:
            found += of_suite(suite)
    return found
