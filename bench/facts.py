"""Measures proposals among many facts in CPU seconds, against the same proposals with no other facts, and pools of facts."""

from __future__ import annotations

import gc
import statistics
import time

from bench.engine import equivalent
from bench.timing import Figure
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact, inductive_facts, potential_facts
from idg.levels import Level, all_levels
from idg.sip.program import Program
from tests.support.programs.crowd import crowd
from tests.support.programs.known_levels import known_level

INDUCTIVE, POTENTIAL = 100, 300
"""Facts of a crowd that the books have, where the crowd has so many."""
PLAYERS_EACH = 20
"""Players whose proposals come together while such books are made."""
CROWDS_MAX = 25
"""How many such groups of players are asked at most."""
PROPOSED = 4
"""Facts of other players that are proposed to these books, besides those of the level's solution."""
POOLED = ("int-square-root", "wanderer", "gears")
"""Levels on which the facts of a thousand players are pooled."""


def figures() -> list[Figure]:
    return [among_many(), *map(pooled, POOLED), same_as_one_by_one()]


def crowded_books(program: Program) -> Books:
    """Books with many facts of a crowd: once enough are inductive, only potential ones are added."""
    engine = Engine(program)
    books = engine.start()
    for seed in range(CROWDS_MAX):
        settled = engine.propose_many(books, crowd(program, PLAYERS_EACH, seed), search=False).books
        if len(inductive_facts(books)) < INDUCTIVE:
            books = settled
        else:
            for fact in potential_facts(settled):
                own = books.loops[fact.loop - 1].potential
                if fact.text not in own and len(potential_facts(books)) < POTENTIAL:
                    books = books.with_loop(fact.loop, potential=(*own, fact.text))
        if len(inductive_facts(books)) >= INDUCTIVE and len(potential_facts(books)) >= POTENTIAL:
            break
    return books


def proposals(level: Level, program: Program) -> list[Fact]:
    """Facts of the solution, and some of other players that no run at hand refutes."""
    engine = Engine(program)
    own = [engine.inquiry.fact(fact.loop, fact.expr) for fact in level.solution]
    others = (engine.inquiry.fact(loop, text) for loop, text in crowd(program, PLAYERS_EACH, seed=1_000))
    true = (fact for fact in others if engine.inquiry.runs_at(fact.loop).refute(fact.loop, engine.inquiry.expr(fact)) is None)
    return [*own, *(fact for fact, _ in zip(true, range(PROPOSED), strict=False))]


def seconds(program: Program, books: Books, fact: Fact) -> float:
    """CPU seconds of one proposal to an engine that has made its runs, and nothing else."""
    engine = Engine(program)
    assert engine.inquiry.runs.reached
    gc.collect()
    start = time.process_time()
    engine.propose(books, fact.text, fact.loop)
    return time.process_time() - start


def among_many() -> Figure:
    ours, theirs, counts = [], [], []
    for level in all_levels():
        program = level.program()
        books = crowded_books(program)
        counts.append((len(inductive_facts(books)), len(potential_facts(books))))
        facts = proposals(level, program)
        ours.append(statistics.median(seconds(program, books, fact) for fact in facts))
        theirs.append(statistics.median(seconds(program, Engine(program).start(), fact) for fact in facts))
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    inductive, potential = (round(statistics.median(count[place] for count in counts)) for place in (0, 1))
    name = f"a proposal among {inductive} inductive and {potential} potential facts, medians over {len(counts)} levels"
    return Figure(name, "the same with none", ratio, 1.0, "at most 5 times", ratio <= 5, unit="")


def pooled(name: str) -> Figure:
    program = known_level(name).program()
    facts = [(fact.loop, fact.expr) for fact in known_level(name).solution]
    pool = list(dict.fromkeys((*crowd(program, 1_000), *facts)))
    engine = Engine(program)
    start = time.process_time()
    settled = engine.propose_many(engine.start(), pool, search=False)
    spent = time.process_time() - start
    told = f"{len(pool)} pooled facts of 1,000 players on {name}, {len(settled.promoted)} promoted"
    return Figure(told, "10 s of CPU", spent, 10.0, "at most 10 s", spent <= 10)


def same_as_one_by_one() -> Figure:
    """Whether a pool is settled as its facts are when they are proposed one by one, and what both take."""
    program = known_level("int-square-root").program()
    pool = [*crowd(program, PLAYERS_EACH), *((fact.loop, fact.expr) for fact in known_level("int-square-root").solution)]
    engine = Engine(program)
    start = time.process_time()
    together = engine.propose_many(engine.start(), pool).books
    between = time.process_time()
    books = engine.start()
    for loop, text in pool:
        books = engine.propose(books, text, loop).books
    end = time.process_time()
    same = equivalent(engine, together, books)
    ours, theirs = between - start, end - between
    name = f"{len(pool)} pooled facts of {PLAYERS_EACH} players; same final invariants: {same}"
    return Figure(name, "the same one by one", ours, theirs, "the same result, sooner", same and ours < theirs)
