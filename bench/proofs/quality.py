"""Measures how many lemmas are proved and how readable counterexamples are."""

from __future__ import annotations

import statistics
import time

from bench.proofs.engine import naive
from bench.timing import Figure
from idg.engine.engine import Engine
from idg.engine.results import ToRuleOut
from idg.levels import Level, all_levels
from idg.prover.answers import Proved
from idg.prover.prove import Prover

LEMMAS_NEEDED = 48
"""Lemmas that must be proved to meet the goal."""
LARGEST_MEDIAN_MAX = 24
"""Bound on the median, over all states, of the largest numerator or denominator in a state. It was 12 while the smallest states
were shown. Now a state is near a row of the table that the player looks at, whose numbers are larger."""


def figures() -> list[Figure]:
    return [lemmas(), states_to_rule_out()]


def lemmas() -> Figure:
    """Measures the proofs of textbook lemmas: parity, squares, floor and remainder laws, means."""
    from tests.support.attack.queries.prover_examples import LEMMAS

    queries = [lemma.query() for lemma in LEMMAS]
    start = time.process_time()
    proved = sum(isinstance(Prover().prove(query), Proved) for query in queries)
    ours = time.process_time() - start
    start = time.process_time()
    decided = naive(queries)
    theirs = time.process_time() - start
    name = f"textbook lemmas: {proved} of {len(queries)} proved (z3.Solver(): {decided})"
    return Figure(name, "z3.Solver() on the same", ours, theirs, f"at least {LEMMAS_NEEDED} proved", proved >= LEMMAS_NEEDED)


def states_to_rule_out() -> Figure:
    """Measures the values in the first state of each level, and in the states shown while one fact of its solution is left out."""
    values, largest = [], []
    for level in all_levels():
        for shown in _states(level):
            numbers = [value for value in shown.state.values() if not isinstance(value, bool | tuple)]
            values += numbers
            largest.append(max(max(abs(value.numerator), value.denominator) for value in numbers))
    short = sum(abs(value.numerator) <= 99 and value.denominator <= 99 for value in values) / len(values)
    median = statistics.median(largest)
    name = f"{len(largest)} states to rule out, {short:.0%} of values with at most two digits; median of the largest value"
    goal = f"at most {LARGEST_MEDIAN_MAX}, 90 % short"
    return Figure(name, "the bound", median, LARGEST_MEDIAN_MAX, goal, median <= LARGEST_MEDIAN_MAX and short >= 0.9, unit="")


def _states(level: Level) -> list[ToRuleOut]:
    engine = Engine(level.program())
    states = [engine.feedback(engine.start())[0].to_rule_out]
    for left_out in level.solution:
        books = engine.start()
        for fact in level.solution:
            if fact != left_out:
                result = engine.propose(books, fact.expr, fact.loop)
                books = result.books
                states.append(result.feedback.to_rule_out)
    return [state for state in states if state is not None]
