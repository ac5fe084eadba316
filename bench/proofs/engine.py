"""Measures the engine in CPU seconds: a play-through, proof sets, batches, and the same conditions put to other provers."""

from __future__ import annotations

import json
import random
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import z3

from bench.timing import Figure, best
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.inquiry import Inquiry
from idg.engine.judging.belief import obligation_query
from idg.engine.judging.promote import implied_by
from idg.engine.results import Kind, inductive_facts
from idg.engine.session import Session
from idg.engine.states.runs import RunPool
from idg.prover.answers import Answer, Proved, Unknown
from idg.prover.plugins.acl2 import Acl2
from idg.prover.prove import Prover
from idg.prover.smt.encoder import Unsupported, script
from idg.sip.program import Program, load
from idg.sip.running import evaluator
from idg.vc.query import Query
from tests.support.programs.known_levels import known_level

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
PLAY_THROUGH = ("odd >= 1", "cnt >= 0", "odd % 2 = 1", "sqr = (cnt+1)^2", "sqr >= odd", "odd = cnt*2+1", "cnt^2 <= n")
WRONG = (
    "n = 6",
    "cnt <= 7",
    "n != 0",
    "odd < 100",
    "sqr < 50",
    "cnt = 0",
    "odd = cnt + 1",
    "sqr = cnt^2",
    "n > cnt",
    "odd % 3 = 1",
)
NAIVE_TIMEOUT_MS = 10_000
"""Milliseconds after which z3 alone gives up a query."""


class RecordingProver(Prover):
    """Keeps every query that it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Query] = []

    def prove(self, query: Query, *arguments: Any, **named: Any) -> Answer:
        self.asked.append(query)
        return super().prove(query, *arguments, **named)


def square_root() -> Program:
    level = known_level("int-square-root")
    return level.program()


def play(prover: Prover | None = None) -> Session:
    session = Session(square_root(), prover)
    for text in PLAY_THROUGH:
        session.propose(text)
    assert session.solved
    return session


def naive(queries: list[Query]) -> int:
    """Puts each query to a fresh z3.Solver(), which is what one would try first; returns how many queries it decides."""
    decided = 0
    for query in queries:
        try:
            text = script(query)
        except Unsupported:
            continue
        solver: Any = z3.Solver(ctx=z3.Context())
        solver.set("timeout", NAIVE_TIMEOUT_MS)
        plain = [f"(assert {assertion})" for assertion in (*text.assertions, *text.hypotheses)]
        solver.from_string("\n".join([*text.declarations, *plain]))
        decided += str(solver.check()) != "unknown"
    return decided


def play_through() -> Figure:
    """Measures the play-through against z3 on all of its questions. The rival has no runs, so it has to answer those, too, that
    states near runs answer before our prover is asked.
    """
    asked, every = RecordingProver(), RecordingProver()
    play(prover=asked)
    with patch.object(RunPool, "were_made", False):
        play(prover=every)
    times = best({"ours": play, "naive": lambda: naive(every.asked)}, rounds=5)
    questions = f"{len(every.asked)} questions, {len(asked.asked)} of them to our prover"
    name = f"int-square-root play-through, {len(PLAY_THROUGH)} proposals, {questions}"
    return Figure(
        name,
        "z3.Solver() on the same questions",
        times["ours"],
        times["naive"],
        "at most a third",
        times["ours"] <= times["naive"] / 3,
    )


def refuted_by_runs() -> Figure:
    engine = Engine(square_root())
    books = engine.start()
    engine.propose(books, "n = 7")
    spent = []
    for text in WRONG * 3:
        start = time.process_time()
        result = engine.propose(books, text)
        spent.append(time.process_time() - start)
        assert result.kind is Kind.NON_INVARIANT, text
    median = statistics.median(spent)
    return Figure("a proposal refuted by a run, median", "2 ms of CPU", median, 0.002, "under 2 ms", median < 0.002)


def batches() -> list[Figure]:
    """Measures a batch in the order of an agent's templates (bounds and inequalities before equations), and the same shuffled."""
    as_made = batch_candidates()
    shuffled = random.Random(0).sample(as_made, len(as_made))
    return [batch(as_made, "bounds before equations"), batch(shuffled, "shuffled")]


def batch(candidates: list[str], order: str) -> Figure:
    def together() -> tuple[Engine, Books]:
        evaluator.forget()
        engine = Engine(square_root())
        return engine, engine.propose_many(engine.start(), [(1, text) for text in candidates]).books

    def one_by_one() -> tuple[Engine, Books]:
        evaluator.forget()
        engine = Engine(square_root())
        books = engine.start()
        for text in candidates:
            books = engine.propose(books, text).books
        return engine, books

    (engine, first), (_, second) = together(), one_by_one()
    is_same = equivalent(engine, first, second)
    times = best({"ours": together, "theirs": one_by_one}, rounds=2)
    name = f"a batch of {len(candidates)} candidates, {order}; same final invariants: {is_same}"
    met = is_same and times["ours"] <= times["theirs"] / 5
    return Figure(name, "the same one by one", times["ours"], times["theirs"], "at most a fifth", met)


def equivalent(engine: Engine, first: Books, second: Books) -> bool:
    a, b = inductive_facts(first), inductive_facts(second)
    return all(implied_by(engine.inquiry, b, fact) is not None for fact in a) and all(
        implied_by(engine.inquiry, a, fact) is not None for fact in b
    )


def batch_candidates() -> list[str]:
    """300 true and false candidates, template by template: bounds and inequalities, remainders, implications, then equations."""
    names, ops = ("cnt", "odd", "sqr", "n"), ("<=", ">=", "<", "!=")
    inequalities = [f"{a} {op} {b}" for a in names for b in ("0", "1", *names) for op in ops if a != b]
    inequalities += [f"cnt^2 <= n + {c}" for c in range(6)] + [f"sqr <= n + {k} * cnt + {c}" for k in range(5) for c in range(5)]
    inequalities += [f"{a} * {b} >= {c}" for a in names[:3] for b in names[:3] for c in (0, 1, 2)]
    inequalities += [f"{a} + {b} >= {c}" for a in names for b in names[:3] for c in (0, 1, 2, 3)]
    inequalities += [f"{k} * sqr >= odd + {c}" for k in (1, 2) for c in (-1, 0, 1)]
    inequalities += [f"n >= {k} * cnt - {c}" for k in (1, 2, 3) for c in range(16)]
    inequalities += [f"odd % {m} = {r}" for m in (2, 3, 4) for r in range(m)]
    inequalities += [f"sqr <= n -> {a} <= n + {c}" for a in names[:3] for c in (0, 1, 2)]
    inequalities += [f"sqr^2 = (cnt + 1)^{k} | odd > {k}" for k in (2, 3, 4)]
    equations = [f"odd = {k} * cnt + {c}" for k in range(4) for c in range(4)] + [f"sqr = (cnt + {c})^2" for c in range(4)]
    equations += [f"sqr = cnt^2 + {k} * cnt + {c}" for k in range(4) for c in range(4)]
    equations += [f"4 * sqr = odd^2 + {k} * odd + {c}" for k in range(3) for c in range(3)]
    return [*inequalities[: 300 - len(equations)], *equations]


def proof_sets() -> list[Figure]:
    """Measures the proposals of all proof sets of nla and invgame, made one by one."""
    spent, unknown = [], 0
    for suite in ("nla", "invgame"):
        for entry in json.loads((CORPUS / f"{suite}.json").read_text()):
            if not entry["proof_set"]:
                continue
            session = Session(load(entry["sip"]))
            for fact in entry["proof_set"]:
                start = time.process_time()
                answer = session.propose(fact["expr"], fact["loop"])
                spent.append(time.process_time() - start)
                unknown += answer.result.kind is Kind.UNKNOWN
            assert session.solved, entry["id"]
    median, most = statistics.median(spent), max(spent)
    return [
        Figure(
            f"{len(spent)} proposals of proof sets, the longest; unknown: {unknown}",
            "1.5 s of CPU",
            most,
            1.5,
            "at most 1.5 s, 0 unknown",
            most <= 1.5 and not unknown,
        ),
        Figure("proposals of proof sets, median", "50 ms of CPU", median, 0.05, "under 50 ms", median < 0.05),
    ]


def corpus_conditions() -> list[list[Query]]:
    """For each program of nla, invgame and code2inv, its verification conditions with its proof set."""
    conditions_of_programs = []
    for suite in ("nla", "invgame", "code2inv"):
        for entry in json.loads((CORPUS / f"{suite}.json").read_text()):
            if entry["proof_set"]:
                inquiry = Inquiry(load(entry["sip"]), Prover())
                facts = [inquiry.fact(row["loop"], row["expr"]) for row in entry["proof_set"]]
                analysis = inquiry.analysis(inquiry.program.level.name, facts, facts)
                queries = [query for fact in facts for query in _both(analysis, fact, inquiry.expr(fact))]
                conditions_of_programs.append(
                    queries + [obligation_query(analysis, obligation) for obligation in analysis.obligations]
                )
    return conditions_of_programs


def conditions() -> list[Figure]:
    spent, unknown = [], 0
    for queries in corpus_conditions():
        prover = Prover()
        for query in queries:
            start = time.process_time()
            answer = prover.prove(query)
            spent.append(time.process_time() - start)
            unknown += isinstance(answer, Unknown)
    spent.sort()
    median, high = statistics.median(spent), spent[int(len(spent) * 0.99)]
    return [
        Figure(
            f"{len(spent)} verification conditions, median; unknown: {unknown}",
            "2 ms of CPU",
            median,
            0.002,
            "at most 2 ms, 0 unknown",
            median <= 0.002 and not unknown,
        ),
        Figure("verification conditions, 99th percentile", "60 ms of CPU", high, 0.06, "at most 60 ms", high <= 0.06),
    ]


def against_acl2() -> list[Figure]:
    """Puts the same conditions to ACL2 with arithmetic-5. The CPU time of its process counts, without that of its start."""
    if not Acl2.available():
        print("(acl2 is not installed: no comparison with it)")
        return []
    queries = [query for conditions_of_program in corpus_conditions() for query in conditions_of_program]
    start = time.process_time()
    ours = [Prover().prove(query) for query in queries]
    spent = time.process_time() - start
    empty = _children_seconds(lambda acl2: [acl2.prove(queries[0])])[0]
    theirs, answers = _children_seconds(lambda acl2: [acl2.prove(query) for query in queries])
    missed = sum(isinstance(b, Proved) and not isinstance(a, Proved) for a, b in zip(ours, answers, strict=True))
    proved = sum(isinstance(answer, Proved) for answer in answers)
    name = f"{len(queries)} valid conditions in total (ACL2 proves {proved}; {missed} of those unknown to us)"
    theirs = max(theirs - empty, 1e-9)
    return [
        Figure(
            name,
            "ACL2 with arithmetic-5",
            spent,
            theirs,
            "at least 7 times less CPU, 0 unknown",
            spent * 7 <= theirs and not missed,
        )
    ]


def _children_seconds(work: Callable[[Acl2], list[Answer]]) -> tuple[float, list[Answer]]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Acl2() as acl2:
        answers = work(acl2)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, answers


def _both(analysis: Any, fact: Any, expr: Any) -> list[Query]:
    return [*analysis.entry(fact.loop, expr), *analysis.step(fact.loop, expr)]


def figures() -> list[Figure]:
    results = [play_through(), refuted_by_runs(), *batches()]
    if CORPUS.is_dir():
        results += [*proof_sets(), *conditions(), *against_acl2()]
    return results
