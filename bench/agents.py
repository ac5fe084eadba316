"""Measures what the built-in agent solves and how many CPU seconds it takes.

The agent's time covers loading, runs, proposals and proofs, but not imports. Its rival is z3's Spacer alone. The two take turns, so
that a slow phase of the machine meets both. Spacer's time covers loading, making the Horn clauses and z3, but not our engine's
check of the answer. An invariant of Spacer counts as a decision only if that check accepts it. Its answer "unsafe" comes without a
run that shows it, so it counts unless the program is known to be right.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from bench.holdout import p90
from bench.timing import Figure
from idg.agents import Agent, LocalEngine
from idg.engine.judging import second_check
from idg.levels import all_levels
from idg.prover import horn
from idg.sip.program import load
from idg.sip.text.printer import print_expression

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
NO_RLIMIT = 0
"""z3 takes 0 to mean no limit of resources. In the comparison only the seconds limit Spacer."""


class Suite(NamedTuple):
    """A set of programs with its goals: how many are solved and refuted, and the median and the most CPU seconds of a program."""

    name: str
    solved: int
    refuted: int
    median_seconds: float
    most_seconds: float


SUITES = (Suite("code2inv", 124, 9, 0.07, 1.0), Suite("nla", 28, 0, 0.3, 10.0), Suite("invgame", 16, 0, 0.15, 0.8))


class Played(NamedTuple):
    name: str
    outcome: str
    seconds: float
    proposals: int
    trivial: bool
    wrong: bool
    """Whether the outcome contradicts what is known about the program."""


def play(name: str, text: str, valid: bool | None = None, trivial: bool = False, spacer_first: bool = False) -> Played:
    # The second verifier remembers its answers, also those of the game before.
    second_check.forget()
    start = time.process_time()
    outcome = Agent(LocalEngine(load(text)), spacer_first=spacer_first).play()
    seconds = time.process_time() - start
    wrong = (outcome.outcome == "solved" and valid is False) or (outcome.outcome == "refuted" and valid is True)
    return Played(name, outcome.outcome, seconds, outcome.proposals, trivial, wrong)


class Asked(NamedTuple):
    """What Spacer said about one program, and whether that counts as a decision."""

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
    parts = [
        (loop, print_expression(invariant)) for loop, invariants in enumerate(answer.invariants, 1) for invariant in invariants
    ]
    engine.propose_many(parts, thorough=True)
    return Asked(engine.feedback().solved, answer.status, seconds)


def of_suite(suite: Suite) -> list[Figure]:
    entries = json.loads((CORPUS / f"{suite.name}.json").read_text())
    games: list[Played] = []
    with_spacer: list[Played] = []
    spacer_answers: list[Asked] = []
    for entry in entries:
        known = entry["id"], entry["sip"], entry["valid"], bool(entry["trivial"])
        games.append(play(*known))
        with_spacer.append(play(*known, spacer_first=True))
        spacer_answers.append(ask_spacer(entry["sip"], entry["valid"], suite.most_seconds))
    named = suite._replace(name=f"{suite.name}, Spacer asked first")
    return [
        *figures_of(suite, games),
        *figures_of(named, with_spacer),
        *against_spacer(suite, games, spacer_answers),
        *against_spacer(named, with_spacer, spacer_answers),
    ]


def against_spacer(suite: Suite, games: list[Played], spacer_answers: list[Asked]) -> list[Figure]:
    """Compares the programs that the agent and Spacer leave undecided, and the seconds on the programs that Spacer decides."""
    left = sum(game.outcome == "open" or game.wrong for game in games)
    rival_left = sum(not answer.decided for answer in spacer_answers)
    refused = sum(answer.status == "refused" for answer in spacer_answers)
    total = len(games)
    rival = f"Spacer alone, at most {suite.most_seconds:g} s each ({refused} not linear, not asked)"
    comparison = (
        f"agent {total - left} of {total}, Spacer {total - rival_left} of {total} (accepted by our engine, or called unsafe)"
    )
    figures = []
    if rival_left:
        name = f"{suite.name}, programs left undecided: {comparison}"
        figures.append(Figure(name, rival, left, rival_left, "none", left == 0, "programs"))
    pairs = [(game.seconds, answer.seconds) for game, answer in zip(games, spacer_answers, strict=True) if answer.decided]
    if pairs:
        ours, theirs_ = zip(*pairs, strict=True)
        for statistic, value_of in (("median", statistics.median), ("longest", max), ("all", sum)):
            name = f"agent on {suite.name}, the {len(pairs)} that Spacer decides: {statistic}"
            figures.append(
                Figure(name, "Spacer, without a proof by our engine", value_of(ours), value_of(theirs_), "told, no goal", True)
            )
    return figures


def figures_of(suite: Suite, games: list[Played]) -> list[Figure]:
    counts = {outcome: sum(game.outcome == outcome for game in games) for outcome in ("solved", "refuted", "open")}
    trivial = sum(game.trivial and game.outcome == "solved" for game in games)
    seconds = [game.seconds for game in games]
    median, most = statistics.median(seconds), max(seconds)
    complete = counts["solved"] >= suite.solved and counts["refuted"] >= suite.refuted and not any(game.wrong for game in games)
    outcomes = f"{counts['solved']} solved ({trivial} of them trivial), {counts['refuted']} refuted, {counts['open']} open"
    left = [game.name for game in games if game.outcome == "open" or game.wrong]
    if left:
        print(f"(open or wrong: {', '.join(left)})")
    slowest = max(games, key=lambda game: game.seconds).name
    return [
        Figure(
            f"agent on {suite.name}, median; {outcomes}",
            f"{suite.median_seconds} s of CPU",
            median,
            suite.median_seconds,
            f"{suite.solved} solved, {suite.refuted} refuted, at most that",
            complete and median <= suite.median_seconds,
        ),
        Figure(f"agent on {suite.name}, nine tenths", "told, no goal", p90(seconds), suite.most_seconds, "told, no goal", True),
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
    rows = figures_of(Suite("our levels", len(levels), 0, 0.25, 3.0), levels)
    if CORPUS.is_dir():
        for suite in SUITES:
            rows += of_suite(suite)
    return rows
