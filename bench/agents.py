"""What the built-in agent solves, and the CPU seconds it takes: loading, runs, proposals and proofs; imports left out.

Beside it z3's Spacer alone, in turns with the agent, so that a slow phase of the machine meets both: loading, the Horn clauses and
z3, but not our engine's check of its answer. An invariant of Spacer counts as a decision only where that check accepts it, and its
"unsafe", which shows no run, where the program is not known to be right.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from bench.timing import Figure
from idg.agents import Agent, LocalEngine
from idg.levels import all_levels
from idg.prover import horn, nullspace
from idg.prover.smt import cvc5_stage, z3_stage
from idg.sip.program import load
from idg.sip.text.printer import print_expression

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
WARM = (cvc5_stage, nullspace, z3_stage)
"""Imported before the clock starts."""


NO_RLIMIT = 0
"""z3's word for none: in the comparison Spacer has the whole budget of seconds."""


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
    outcome = Agent(LocalEngine(load(text))).play()
    seconds = time.process_time() - start
    wrong = (outcome.outcome == "solved" and valid is False) or (outcome.outcome == "refuted" and valid is True)
    return Played(name, outcome.outcome, seconds, outcome.proposals, trivial, wrong)


class Asked(NamedTuple):
    """Spacer on one program."""

    decided: bool
    status: str
    seconds: float


def ask_spacer(text: str, valid: bool | None, budget_seconds: float) -> Asked:
    start = time.process_time()
    program = load(text)
    answer = horn.ask(program, NO_RLIMIT, int(budget_seconds * 1000))
    seconds = time.process_time() - start
    if answer.status != "safe":
        return Asked(answer.status == "unsafe" and valid is not True, answer.status, seconds)
    engine = LocalEngine(program)
    parts = [(loop, print_expression(each)) for loop, found in enumerate(answer.invariants, 1) for each in found]
    engine.propose_many(parts, thorough=True)
    return Asked(engine.feedback().solved, answer.status, seconds)


def of_suite(suite: Suite) -> list[Figure]:
    entries = json.loads((CORPUS / f"{suite.name}.json").read_text())
    found: list[Played] = []
    asked: list[Asked] = []
    for each in entries:
        found.append(play(each["id"], each["sip"], each["valid"], bool(each["trivial"])))
        asked.append(ask_spacer(each["sip"], each["valid"], suite.most_seconds))
    return [*figures_of(suite, found), *against_spacer(suite, found, asked)]


def against_spacer(suite: Suite, found: list[Played], asked: list[Asked]) -> list[Figure]:
    """What each leaves undecided, and the seconds on the programs that Spacer decides."""
    left = sum(each.outcome == "open" or each.wrong for each in found)
    rival_left = sum(not each.decided for each in asked)
    refused = sum(each.status == "refused" for each in asked)
    total = len(found)
    rival = f"Spacer alone, at most {suite.most_seconds:g} s each ({refused} not linear, not asked)"
    told = f"agent {total - left} of {total}, Spacer {total - rival_left} of {total} (accepted by our engine, or called unsafe)"
    figures = []
    if rival_left:
        name = f"{suite.name}, programs left undecided: {told}"
        figures.append(Figure(name, rival, left, rival_left, "none", left == 0, "programs"))
    both = [(mine.seconds, theirs.seconds) for mine, theirs in zip(found, asked, strict=True) if theirs.decided]
    if both:
        ours, theirs_ = zip(*both, strict=True)
        for what, of in (("median", statistics.median), ("longest", max), ("all", sum)):
            name = f"agent on {suite.name}, the {len(both)} that Spacer decides: {what}"
            figures.append(Figure(name, "Spacer, without a proof by our engine", of(ours), of(theirs_), "told, no goal", True))
    return figures


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
        Figure(
            f"agent on {suite.name}, median; {told}",
            f"{suite.median_seconds} s of CPU",
            median,
            suite.median_seconds,
            f"{suite.solved} solved, {suite.refuted} refuted, at most that",
            complete and median <= suite.median_seconds,
        ),
        Figure(
            f"agent on {suite.name}, the longest: {slowest}",
            f"{suite.most_seconds} s of CPU",
            most,
            suite.most_seconds,
            "at most that",
            most <= suite.most_seconds,
        ),
    ]


def figures() -> list[Figure]:
    levels = [play(level.id, level.source, True) for level in all_levels()]
    found = figures_of(Suite("our levels", len(levels), 0, 0.5, 8.0), levels)
    if CORPUS.is_dir():
        for suite in SUITES:
            found += of_suite(suite)
    return found
