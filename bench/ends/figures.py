"""Figures about the end of programs: what is decided of each suite, how quickly, and how long Dafny takes for the same measures."""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

from bench.ends.suites import Answered, Asked, all_programs, decide
from bench.timing import Figure
from idg.engine.engine import Engine
from idg.engine.results import inductive_facts
from idg.export.exporting import ExportRefused, export
from idg.sip.program import Program
from idg.sip.syntax import Cassign, Expr
from idg.sip.trees.traverse import statements, undetermined

MEDIAN_MAX, MEASURE_MEDIAN_MAX = 0.3, 0.01
"""The goals for the medians, in CPU seconds: of deciding a program, and of judging a measure that is proposed."""
SHARE_MIN = 0.95
"""The goal for the share of programs without choices that are decided."""
DAFNY_PROGRAMS_MAX = 12
"""Programs that Dafny is given; it takes seconds for each."""
DAFNY_SECONDS_MAX = 60
"""Seconds after which Dafny is stopped."""


def figures() -> Iterator[Figure]:
    answers = [(asked, decide(asked)) for asked in all_programs()]
    for suite in dict.fromkeys(asked.suite for asked, _ in answers):
        yield _of_suite(suite, [pair for pair in answers if pair[0].suite == suite])
    plain = [answer for _, answer in answers if not _chooses(answer.program)]
    decided = sum(answer.status != "open" for answer in plain) / len(plain)
    name = f"programs without choices: {decided:.1%} of {len(plain)} decided"
    yield Figure(name, "the goal", decided, SHARE_MIN, f"at least {SHARE_MIN:.0%}", decided >= SHARE_MIN, unit="")
    ending = [answer for _, answer in answers if answer.status == "ends" and any(own.measure for own in answer.books.loops)]
    seconds = statistics.median(map(_judged, ending))
    name = f"a measure that is proposed, median of {len(ending)} programs"
    yield Figure(name, "the goal", seconds, MEASURE_MEDIAN_MAX, "at most 10 ms", seconds <= MEASURE_MEDIAN_MAX)
    yield from _beside_dafny([answer for asked, answer in answers if asked.suite == "own" and answer in ending])


def _of_suite(suite: str, answers: Sequence[tuple[Asked, Answered]]) -> Figure:
    statuses = [answer.status for _, answer in answers]
    wrong = [asked.name for asked, answer in answers if asked.answer and answer.status not in (asked.answer, "open")]
    seconds = [answer.seconds for _, answer in answers]
    told = ", ".join(f"{statuses.count(status)} {status}" for status in ("ends", "never ends", "open"))
    decided = len(statuses) - statuses.count("open")
    name = f"{suite}: {decided} of {len(statuses)} decided ({told}), slowest {max(seconds):.2f} s, median"
    median = statistics.median(seconds)
    goal = f"a median of at most {MEDIAN_MAX} s, nothing wrong"
    name += f"; WRONG: {', '.join(wrong)}" if wrong else ""
    return Figure(name, "the goal", median, MEDIAN_MAX, goal, median <= MEDIAN_MAX and not wrong)


def _chooses(program: Program) -> bool:
    return any(isinstance(part, Cassign) for part in statements(program.level.body)) or bool(undetermined(program.level))


def _judged(answer: Answered) -> float:
    """CPU seconds for judging the first measure of the program, by an engine that has made its runs."""
    loop = next(number for number, own in enumerate(answer.books.loops, 1) if own.measure)
    text = answer.books.loops[loop - 1].measure
    engine = Engine(answer.program)
    books = answer.books.with_measures(loop, "", ())
    engine.propose_measure(books, "0", loop)  # Now the runs are made.
    start = process_time()
    engine.propose_measure(books, text, loop)
    return process_time() - start


def _beside_dafny(answers: Sequence[Answered]) -> Iterator[Figure]:
    """Proofs with measures and facts given: ours, and those of Dafny where it is installed.

    The programs promise nothing, so that both prove the same: the facts that are kept to end do not prove guarantees.
    """
    dafny = shutil.which("dafny")
    if dafny is None:
        return
    ours: list[float] = []
    theirs: list[float] = []
    proved = 0
    for answer in answers:
        if len(ours) == DAFNY_PROGRAMS_MAX:
            break
        facts = [(fact.loop, fact.text) for fact in inductive_facts(answer.books)]
        measures = [(number, own.measure) for number, own in enumerate(answer.books.loops, 1) if own.measure]
        try:
            text = _for_dafny(answer.program, facts, measures)
        except ExportRefused:
            continue
        engine = Engine(answer.program)
        start = process_time()
        books = engine.propose_many(engine.start(), facts).books
        for loop, measure in measures:
            books = engine.propose_measure(books, measure, loop).books
        ours.append(process_time() - start)
        seconds, verified = _dafny(dafny, text)
        theirs.append(seconds)
        proved += verified
    if ours:
        name = f"{len(ours)} programs with measures and facts given, median of a program (Dafny verifies {proved} of them)"
        median, other = statistics.median(ours), statistics.median(theirs)
        yield Figure(name, "Dafny", median, other, "quicker than Dafny", median < other)


def _for_dafny(program: Program, facts: list[tuple[int, str]], measures: list[tuple[int, str]]) -> str:
    invariants: dict[int, list[Expr]] = {}
    for loop, text in facts:
        invariants.setdefault(loop, []).append(program.proposal(text, loop))
    return export(program, invariants, {loop: program.measure(text, loop) for loop, text in measures}, "dafny")


def _dafny(dafny: str, text: str) -> tuple[float, bool]:
    """CPU seconds of Dafny, its start included, and whether it verifies the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.dfy"
        path.write_text(text, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [dafny, "/compile:0", f"/timeLimit:{DAFNY_SECONDS_MAX}", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, " 0 errors" in done.stdout
