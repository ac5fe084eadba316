"""Measures proposals among many facts in CPU seconds, against the same proposals with no other facts, and pools of facts."""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from collections.abc import Sequence

from bench.proofs.engine import equivalent
from bench.timing import Figure
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact, inductive_facts, potential_facts
from idg.levels import Level, all_levels
from idg.sip.program import Program
from idg.sip.syntax import Type
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
WITHDRAWN = 3
"""Facts of each kind that are taken out of these books, one at a time, and proposed again."""
FAR = (1_000, 1_000_000)
"""Numbers that no run at hand reaches. Facts about them fill the books where the crowd has too few potential facts."""
FAR_BATCH = 100
"""Such facts that are settled together."""
FAR_BATCHES_MAX = 10
"""How many such batches are settled at most."""
POOLED = ("int-square-root", "wanderer", "gears")
"""Levels on which the facts of a thousand players are pooled."""


def figures() -> list[Figure]:
    return [among_many(), *map(pooled, POOLED), same_as_one_by_one()]


def crowded_books(program: Program) -> Books:
    """Books with many facts of a crowd, and with facts about large numbers where the crowd has too few potential ones."""
    engine = Engine(program)
    books = engine.start()
    for seed in range(CROWDS_MAX):
        if len(inductive_facts(books)) >= INDUCTIVE:
            break
        books = engine.propose_many(books, crowd(program, PLAYERS_EACH, seed), search=False).books
    rng = random.Random(0)
    for _ in range(FAR_BATCHES_MAX):
        if len(potential_facts(books)) >= POTENTIAL:
            break
        books = engine.propose_many(books, [far_fact(program, rng) for _ in range(FAR_BATCH)], search=False).books
    return books


def far_fact(program: Program, rng: random.Random) -> tuple[int, str]:
    """A fact that holds in all runs at hand, and that a turn from another state breaks: a term never is a large number."""
    loop = rng.choice(program.loops)
    variables = program.info.functions[loop.function].variables
    columns = [name for name in loop.columns if not variables[name].element and variables[name] is not Type.BOOL]
    first, second = rng.choice(columns), rng.choice(columns)
    term = rng.choice((f"{first} + {second}", f"{first} * {second}", f"2 * {first} - {second}", f"{first} * {first} + {second}"))
    return loop.number, f"{term} != {rng.randint(*FAR)}"


def without(books: Books, fact: Fact) -> Books:
    """The books of players who did not propose this fact yet."""
    loop = books.loops[fact.loop - 1]
    kept = [tuple(text for text in texts if text != fact.text) for texts in (loop.inductive, loop.potential)]
    return books.with_loop(fact.loop, inductive=kept[0], potential=kept[1])


def withdrawn(books: Books) -> list[Fact]:
    """Some facts of each kind."""
    rng = random.Random(1)
    inductive, potential = inductive_facts(books), potential_facts(books)
    return [fact for facts in (inductive, potential) for fact in rng.sample(facts, min(WITHDRAWN, len(facts)))]


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


def among_many(names: Sequence[str] = ()) -> Figure:
    """The median over levels, all or those with these names, of what their proposals take, in relation to the same with none."""
    ratios, counts = [], []
    for level in all_levels():
        if not names or level.id in names:
            program = level.program()
            books = crowded_books(program)
            counts.append((len(inductive_facts(books)), len(potential_facts(books))))
            asked = [(books, fact) for fact in proposals(level, program)]
            asked += ((without(books, fact), fact) for fact in withdrawn(books))
            ours = [seconds(program, others, fact) for others, fact in asked]
            theirs = [seconds(program, Engine(program).start(), fact) for _, fact in asked]
            ratios.append(statistics.median(ours) / statistics.median(theirs))
            print(f"{level.id}: {counts[-1]}, {ratios[-1]:.1f} times, slowest {max(ours):.2f} s", file=sys.stderr)
    ratio = statistics.median(ratios)
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
