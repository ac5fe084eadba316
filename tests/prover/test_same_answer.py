"""The answer is a function of the question: a prover that was asked other things before answers like a fresh one."""

from __future__ import annotations

from random import Random

from idg.prover.answers import Answer, Unknown
from idg.prover.prove import QUICK, REFUTING, Prover
from idg.sip.record import replace
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.trees.logic import conjoin
from idg.vc.query import Query
from tests.support.attack.queries.prover_examples import make_query
from tests.support.attack.queries.random_queries import RandomQueries
from tests.support.volume import volume

GROUPS = volume(100, 2_500)
"""Groups of questions, each with a warm prover of its own."""
QUESTIONS = 8
"""Questions of one group. They are conjunctions that share conjuncts."""
EFFORT = replace(QUICK, enumerator_steps=300)
"""So small that the parts of a question are often answered by different stages."""


def questions(seed: int) -> list[Query]:
    """Conjunctions of the same few conditions, under the same hypotheses."""
    maker = RandomQueries(seed)
    first = maker.query()
    goals = [first.goal, *(parse_expression(maker.condition()) for _ in range(4))]
    pick = Random(seed)
    asked = [pick.sample(goals, pick.randint(1, 4)) for _ in range(QUESTIONS)]
    return [replace(first, goal=conjoin(chosen)) for chosen in asked]


def test_a_warm_prover_answers_like_a_fresh_one() -> None:
    kinds: set[str] = set()
    for seed in range(GROUPS):
        group = questions(seed)
        fresh = [Prover(EFFORT).prove(query) for query in group]
        warm = Prover(EFFORT)
        order = list(range(len(group)))
        Random(seed + 1).shuffle(order)
        answers: dict[int, Answer] = {index: warm.prove(group[index]) for index in order}
        for index, query in enumerate(group):
            assert repr(answers[index]) == repr(fresh[index]), f"seed {seed}: {print_expression(query.goal)}"
            kinds.add(type(fresh[index]).__name__)
    assert kinds == {"Proved", "Refuted", "Unknown"}


def test_a_part_whose_state_does_not_refute_the_whole_does_not_end_the_search() -> None:
    """The first part has no value at x = 0 only; the last part is plainly false elsewhere."""
    query = make_query("x: int, a: int", [], "10 // x = 10 // x & a < 5")
    alone = make_query("x: int, a: int", [], "a < 5")
    fresh = Prover(QUICK).prove(query)
    warm = Prover(QUICK)
    warm.prove(alone)
    assert repr(warm.prove(query)) == repr(fresh)


def test_the_order_of_enumerator_and_algebra_changes_no_answer() -> None:
    for seed in range(GROUPS // 4):
        for query in questions(seed)[:2]:
            usual = Prover(EFFORT).prove(query)
            other = Prover(replace(REFUTING, first_enumerator_steps=EFFORT.enumerator_steps)).prove(query)
            assert usual == other or (isinstance(usual, Unknown) and isinstance(other, Unknown)), query
