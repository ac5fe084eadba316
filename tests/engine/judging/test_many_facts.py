"""Many facts: what is decided for all of them together is what is decided one by one, whatever was asked before."""

from __future__ import annotations

import itertools
import random

import pytest

from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.inquiry import CROWD, Inquiry
from idg.engine.judging.many import not_implied, refuted_near_runs, seeded
from idg.engine.judging.promote import Promotion, implied_by, promote, remove_displaced
from idg.engine.judging.rows import Passage
from idg.engine.results import Fact, Kind, inductive_facts, potential_facts
from idg.engine.session import SessionAnswer
from idg.levels import Level, all_levels
from idg.prover.prove import Prover
from idg.sip.program import Program, load
from idg.sip.syntax import Type
from idg.sip.values import fit
from tests.support.programs.crowd import crowd
from tests.support.programs.known_levels import known_level
from tests.support.programs.one_by_one import equivalent_one_by_one, kept_one_by_one, promoted_one_by_one
from tests.support.volume import volume

FACTS_EACH = volume(CROWD + 2, 60)
"""True facts of a crowd that are put together for each program: more than are few."""
PROGRAMS = volume(12, 100)
"""Random programs."""
REDUNDANT = volume(3, 60)
"""Random programs in which facts that others imply are removed."""
LEVELS = all_levels()[:: volume(4, 1)]
"""The levels for which the crowd's facts are decided: every fourth one, and all in `make soak`."""
ASKED_AGAIN = volume(2, 4)
"""Of how many facts of a crowd a warm engine is asked, besides those of the solution."""

DOWN = """fn main(n: nat) {
  var x, y, z: int;
  x := 0;
  y := 0;
  z := 0;
  while (z < n) {
    x := x + y;
    if (z = 791900) { y := y - 1; }
    z := z + 1;
  }
  assert(z >= 0);
}
"""
"""At first x >= 0 is proved from y >= 0, which only an unusual turn breaks."""


def true_facts(program: Program, seed: int = 0) -> list[Fact]:
    """Facts that no run at hand refutes, at the loops of the level."""
    inquiry = Inquiry(program, Prover())
    facts = (inquiry.fact(loop, text) for loop, text in crowd(program, 10 * FACTS_EACH, seed))
    own = (fact for fact in facts if inquiry.function_at(fact.loop) == program.level.name)
    true = (fact for fact in own if inquiry.runs_at(fact.loop).refute(fact.loop, inquiry.expr(fact)) is None)
    return list(dict.fromkeys(itertools.islice(true, FACTS_EACH)))


def same_as_one_by_one(program: Program, facts: list[Fact]) -> None:
    promotion = promote(Inquiry(program, Prover()), (), facts, ())
    plain = promoted_one_by_one(Inquiry(program, Prover()), (), facts)
    # Where a prover is silent, the two ways may differ. What has a state that breaks it is never promoted, and never lost.
    silent = {failure.fact for failure in promotion.failures if failure.state is None}
    assert set(promotion.promoted) - silent == set(plain) - silent
    assert {failure.fact for failure in promotion.failures} == set(facts) - set(promotion.promoted)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_a_crowd_is_decided_as_one_by_one_on_levels(level: Level) -> None:
    program = level.program()
    solution = [Inquiry(program, Prover()).fact(fact.loop, fact.expr) for fact in level.solution]
    facts = list(dict.fromkeys((*true_facts(program), *solution)))
    same_as_one_by_one(program, facts)


def random_loop(rng: random.Random) -> Program:
    """A loop of three variables with a branch."""
    names = ("x", "y", "z")

    def sums() -> str:
        return f"{rng.choice(names)} + {rng.choice((*names, '1', '2', 'n'))}"

    starts = "".join(f"  {name} := {rng.choice(('0', '1', 'n', '2 * n'))};\n" for name in names)
    body = "".join(f"    {rng.choice(names)} := {sums()};\n" for _ in range(rng.randint(1, 3)))
    test = f"{rng.choice(names)} < {rng.choice(names)} + {rng.randint(0, 3)}"
    branch = f"    if ({test}) {{ {rng.choice(names)} := {sums()}; }}\n"
    return load(
        f"fn main(n: nat) {{\n  var x, y, z, i: int;\n{starts}  i := 0;\n  while (i < n) {{\n{body}{branch}    i := i + 1;\n  }}\n"
        "  assert(i = n);\n}\n"
    )


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_a_crowd_is_decided_as_one_by_one_in_random_games(seed: int) -> None:
    program = random_loop(random.Random(seed))
    same_as_one_by_one(program, true_facts(program, seed))


@pytest.mark.parametrize("seed", range(REDUNDANT))
def test_what_others_imply_goes_as_one_by_one(seed: int) -> None:
    """The same facts stay, those that a state shows to be needed among them; and each fact that goes follows from what is told."""
    program = random_loop(random.Random(seed))
    facts = true_facts(program, seed)
    inquiry = Inquiry(program, Prover())
    kept, removed = remove_displaced(inquiry, facts, Promotion((), (), ()))
    plain, silent = kept_one_by_one(Inquiry(program, Prover()), facts)
    assert silent or list(kept) == plain
    assert {*kept, *(removal.fact for removal in removed)} == set(facts)
    assert len(kept) + len(removed) == len(facts)
    assert not_implied(inquiry, facts, {"main": seeded(inquiry, "main", facts, turns=False)}) <= set(kept)
    for removal in removed:
        assert implied_by(Inquiry(program, Prover()), removal.by, removal.fact, minimal=False) is not None


def test_a_proof_falls_with_a_fact_that_it_used() -> None:
    program = load(DOWN)
    inquiry = Inquiry(program, Prover())
    facts = [inquiry.fact(1, text) for text in ("x >= 0", "y >= 0", *(f"z >= -{bound}" for bound in range(CROWD)))]
    promotion = promote(inquiry, (), facts, ())
    assert [failure.fact for failure in promotion.failures] == facts[:2]
    assert all(failure.state is not None for failure in promotion.failures)
    assert set(promotion.promoted) == set(facts[2:])


def books_of_a_crowd(program: Program) -> Books:
    engine = Engine(program)
    return engine.propose_many(engine.start(), [(fact.loop, fact.text) for fact in true_facts(program)], search=False).books


@pytest.mark.parametrize("name", ["int-square-root", "wanderer", "thermostat", "there-and-back"])
def test_a_warm_engine_judges_among_many_facts_like_a_fresh_one(name: str) -> None:
    level = known_level(name)
    program = level.program()
    books = books_of_a_crowd(program)
    assert len(inductive_facts(books)) + len(potential_facts(books)) > CROWD // 2
    warm = Engine(program)
    for fact in (*true_facts(program, seed=1)[:ASKED_AGAIN], *(warm.inquiry.fact(fact.loop, fact.expr) for fact in level.solution)):
        fresh = Engine(program)
        answers = [engine.propose(books, fact.text, fact.loop) for engine in (fresh, warm, warm)]
        told = [(SessionAnswer(answer, program).as_json(), answer.books.as_json()) for answer in answers]
        assert told[0] == told[1] == told[2], fact.text


def test_what_many_facts_imply_is_displaced() -> None:
    """By some of them that do imply it; and a fact that they do not imply is not displaced, in whatever order they are asked."""
    program = known_level("int-square-root").program()
    engine = Engine(program)
    inquiry = engine.inquiry
    known = [inquiry.fact(1, f"odd != {number} | cnt >= 1") for number in range(2, 40, 2)]
    known += [inquiry.fact(1, "odd % 2 = 1"), inquiry.fact(1, "cnt >= 0")]
    weaker, stronger = inquiry.fact(1, "odd * odd % 4 = 1"), inquiry.fact(1, "odd = 2 * cnt + 1")
    for _ in range(2):
        assert implied_by(inquiry, known[:-2], weaker) is None
        by = implied_by(inquiry, known, weaker)
        assert by is not None
        assert inquiry.fact(1, "odd % 2 = 1") in by
        assert implied_by(inquiry, known, stronger) is None


@pytest.mark.parametrize("name", ["int-square-root", "wanderer", "euclid"])
def test_a_state_near_runs_saves_no_question_whose_answer_is_yes(name: str) -> None:
    """Where such a state says that facts do not imply another one, a prover that never sees these states proves nothing."""
    program = known_level(name).program()
    inquiry, unaided = Inquiry(program, Prover()), Inquiry(program, Prover())
    facts = true_facts(program)[:12]
    assert inquiry.runs.reached
    saved = 0
    for place, fact in enumerate(facts):
        known = facts[:place]
        if refuted_near_runs(inquiry, known, fact, known, making=True):
            saved += 1
            assert not unaided.runs_at(fact.loop).were_made
            assert implied_by(unaided, known, fact) is None
    assert saved


def test_an_int_that_stands_for_a_nat_is_never_negative() -> None:
    """Nobody assigns z in the loop, so z is the parameter n there. A state with n = -1 made this tautology an inductive fact."""
    program = load(
        "fn main(n: nat) {\n  var z, i: int;\n  z := n;\n  i := 0;\n  while (i < z) { i := i + 1; }\n  assert(i = n);\n}\n"
    )
    engine = Engine(program)
    assert engine.propose(engine.start(), "n + 1 > 0").kind is Kind.TAUTOLOGY
    for turns in (False, True):
        passages = seeded(engine.inquiry, "main", (), turns).passages
        assert passages
        assert all(fit(row[0], Type.NAT) == row[0] for passage in passages for row in passage.passed.values())


def test_a_table_that_starts_with_another_leaves_it_as_it_is() -> None:
    program = known_level("int-square-root").program()
    inquiry = Inquiry(program, Prover())
    fact = inquiry.fact(1, "odd = 2 * cnt + 1")
    shared = seeded(inquiry, "main", (), turns=True)
    before, count = shared.of(fact), len(shared.passages)
    own = shared.extended()
    own.add([Passage({1: (5, 1, 3, 9)}, 1, (5, 2, 5, 16), {}, False)])
    assert len(own.passages) == count + 1
    assert own.holds(fact, count) == (own.of(fact).true >> count & 1)
    assert own.of(fact).true & ((1 << count) - 1) == before.true
    assert (len(shared.passages), shared.of(fact)) == (count, before)


def test_why_a_fact_of_a_crowd_waits_is_told() -> None:
    """Facts that a state dropped together with others have a turn of their own that breaks them, or facts they wait for."""
    program = known_level("wanderer").program()
    books = books_of_a_crowd(program)
    engine = Engine(program)
    waiting = potential_facts(books)
    assert waiting
    for fact in waiting[:6]:
        why = engine.why_not(books, fact.text, fact.loop)
        assert why.transition is not None or why.waits_for
        assert engine.propose(books, fact.text, fact.loop).kind is Kind.DISPLACED_POTENTIAL


def test_what_says_the_same_as_potential_facts_is_found_among_many() -> None:
    """Asked of each of 300 potential facts, this took up to ninety times as long as with none."""
    program = known_level("gears").program()
    engine = Engine(program)
    inquiry = engine.inquiry
    assert inquiry.runs.reached
    inductive = [inquiry.fact(1, text) for text in ("big <= n", "small >= big")]
    # The first two together say what the solution says; the others are weaker.
    texts = ["2 * small >= 3 * big", "2 * small <= 3 * big", *(f"2 * small = 3 * big | n = {k}" for k in range(2 * CROWD))]
    potential = [inquiry.fact(1, text) for text in texts]
    books = engine.start().with_loop(
        1, inductive=tuple(fact.text for fact in inductive), potential=tuple(fact.text for fact in potential)
    )
    for text in ("2 * small = 3 * big", "2 * small >= 3 * big & n >= 0", "4 * small >= 6 * big", "2 * small = 3 * big | n = 500"):
        fact = inquiry.fact(1, text)
        expected = equivalent_one_by_one(inquiry, inductive, potential, fact)
        verdict = engine.propose(books, text)
        assert (verdict.kind is Kind.DISPLACED_POTENTIAL) == expected, text
        assert verdict.kind is not Kind.DISPLACED_POTENTIAL or all(
            implied_by(inquiry, (*inductive, fact), other) is not None for other in verdict.implied_by
        )
        assert not expected or implied_by(inquiry, (*inductive, *verdict.implied_by), fact) is not None
