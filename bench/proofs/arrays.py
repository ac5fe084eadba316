"""Measures arrays on the programs of students: proofs, proposals, facts left out, and the second verifier, in CPU seconds."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Iterator, Sequence

from bench.timing import Figure
from idg.audit import CONFIRMED, audit, condition_script
from idg.audit.conditions import conditions_of
from idg.engine.engine import Engine
from idg.engine.results import Fact
from idg.engine.verify import verify
from idg.prover.prove import Prover
from idg.sip.errors import SipError
from tests.support.programs.student_programs import StudentProgram, student_programs

CELLS_SHOWN_MAX = 4
"""Cells of an array in a state that counts as small."""
Z3_RLIMIT = 2_000_000
"""What z3 may spend on one condition, in its own count of resources."""
MEDIAN_MAX, P95_MAX, SECONDS_MAX = 0.03, 0.15, 2.0
"""The goals for proposals, in CPU seconds."""
AUDIT_MEDIAN_MAX, AUDIT_SECONDS_MAX = 0.2, 2.0
"""The goals for the second verifier on one program, in CPU seconds."""


def figures() -> Iterator[Figure]:
    students = [student for student in student_programs() if judged(student)]
    everything = len(student_programs())
    yield Figure(
        "arrays: programs of students that are judged", "all", len(students), everything, "all", len(students) == everything, ""
    )
    yield conditions_proved(students)
    yield from proposals(students)
    yield left_out(students)
    yield from audited()


def judged(student: StudentProgram) -> bool:
    """Whether the engine knows all constructs of the program."""
    try:
        Engine(student.program)
    except SipError:
        return False
    return True


def conditions_proved(students: Sequence[StudentProgram]) -> Figure:
    """The checks of the programs with all of their invariants, and z3 with quantifiers on the conditions of the same programs."""
    proved = total = known = asked = 0
    ours = theirs = 0.0
    for student in students:
        start = time.process_time()
        checks = verify(student.given, Prover())
        ours += time.process_time() - start
        total += len(checks)
        proved += sum(check.status == "proved" for check in checks)
        texts = [condition_script(condition, student.given) for condition in conditions_of(student.given, {})]
        start = time.process_time()
        known += sum(map(z3_proves, texts))
        theirs += time.process_time() - start
        asked += len(texts)
    name = f"arrays: {proved} of {total} checks proved; z3: {known} of {asked} conditions of the second verifier"
    return Figure(name, "z3.Solver() with quantifiers", ours, theirs, "all proved", proved == total)


def z3_proves(text: str) -> bool:
    import z3

    solver = z3.Solver()
    solver.set("rlimit", Z3_RLIMIT)
    solver.from_string(text)
    return bool(solver.check() == z3.unsat)


def proposals(students: Sequence[StudentProgram]) -> Iterator[Figure]:
    """Each invariant is proposed in the order of the text. The runs, which are made once for a program, are not counted."""
    seconds: list[float] = []
    solved = 0
    for student in students:
        engine = Engine(student.program)
        assert engine.inquiry.runs.reached is not None
        books = engine.start()
        is_solved = False
        for loop, text in student.facts:
            gc.collect()
            start = time.process_time()
            verdict = engine.propose(books, text, loop)
            seconds.append(time.process_time() - start)
            books = verdict.books
            is_solved = verdict.feedback.solved
        solved += is_solved
    count = len(students)
    yield Figure("arrays: programs solved by proposals", "all", solved, count, "all", solved == count, "")
    median, p95 = statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]
    told = f"arrays: one of {len(seconds)} proposals"
    yield Figure(f"{told}, median", "goal", median, MEDIAN_MAX, "at most 1", median <= MEDIAN_MAX)
    yield Figure(f"{told}, 95th percentile", "goal", p95, P95_MAX, "at most 1", p95 <= P95_MAX)
    yield Figure(f"{told}, slowest", "goal", max(seconds), SECONDS_MAX, "at most 1", max(seconds) <= SECONDS_MAX)


def left_out(students: Sequence[StudentProgram]) -> Figure:
    """Without one invariant: a small state is shown, or all is proved without it."""
    explained = total = redundant = 0
    seconds: list[float] = []
    for student in students:
        engine = Engine(student.program)
        facts = [Fact(loop, engine.inquiry.fact(loop, text).text) for loop, text in student.facts]
        for omitted in range(len(facts)):
            start = time.process_time()
            batch = engine.propose_many(engine.start(), [(fact.loop, fact.text) for fact in facts if fact != facts[omitted]])
            seconds.append(time.process_time() - start)
            shown = batch.feedback.to_rule_out
            small = shown is not None and all(
                len(value) <= CELLS_SHOWN_MAX for value in shown.state.values() if isinstance(value, tuple)
            )
            total += 1
            redundant += batch.feedback.solved
            explained += batch.feedback.solved or small
    took = f"median {statistics.median(seconds):.3f} s, slowest {max(seconds):.2f} s"
    name = f"arrays: {total} invariants left out, {redundant} redundant; {took}"
    return Figure(name, "all", explained, total, "a small state, or redundant", explained == total, "")


def audited() -> Iterator[Figure]:
    """The second verifier on all programs."""
    seconds: list[float] = []
    confirmed = 0
    for student in student_programs():
        start = time.process_time()
        confirmed += audit(student.given).answer == CONFIRMED
        seconds.append(time.process_time() - start)
    count, median = len(seconds), statistics.median(seconds)
    yield Figure("arrays: confirmed by the second verifier", "all", confirmed, count, "all", confirmed == count, "programs")
    yield Figure(
        "arrays: second verifier, median of a program", "goal", median, AUDIT_MEDIAN_MAX, "at most 1", median <= AUDIT_MEDIAN_MAX
    )
    slowest = max(seconds)
    met = slowest <= AUDIT_SECONDS_MAX
    yield Figure("arrays: second verifier, slowest program", "goal", slowest, AUDIT_SECONDS_MAX, "at most 1", met)
