"""The attack on single parts: stages of the prover alone, the engine without its runs, programs made wrong on purpose."""

from __future__ import annotations

import pytest

from idg.agents import Agent, LocalEngine
from idg.audit import CONFIRMED, audit
from idg.engine.engine import Engine
from idg.engine.results import Kind, inductive_facts
from idg.levels import all_levels
from idg.prover.prove import Prover
from idg.sip.errors import SipError
from idg.sip.program import load
from idg.sip.text.expressions import parse_expression
from tests.support.attack.attack import EFFORT, Report, proof_is_complete
from tests.support.attack.encoding.own_cells import Beyond
from tests.support.attack.encoding.own_encoding import at_head, cvc5_says_sat, walked, z3_model
from tests.support.attack.queries.mutated_theorems import attack_theorem, theorems, violation
from tests.support.attack.queries.prover_examples import INVALID, LEMMAS, VALID
from tests.support.attack.unaided import FAR, UnaidedEngine, attack_unaided
from tests.support.attack.wrong_programs import WrongProgram, wrong_programs
from tests.support.volume import volume

THEOREMS = volume(100, 6_000)
"""True theorems that are mutated and put to stages of the prover alone."""
UNAIDED_PROGRAMS = volume(8, 400)
"""Random programs about which an engine without runs is asked."""
WRONG_PROGRAMS = volume(10, 80)
"""Programs made wrong on purpose."""
NOT_REFUTED_MAX = 2
"""Of the wrong programs, so many may stay open: 78 of 80 are to be refuted. None may be solved."""


# Single stages


def test_no_stage_alone_proves_a_theorem_that_was_made_false() -> None:
    report = Report()
    for seed in range(THEOREMS):
        attack_theorem(report, seed)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    # Without enough answers the attack would show nothing.
    for stage in ("algebra", "residues"):
        assert report.answers[f"{stage}: Proved"] > THEOREMS // 30, report.answers
    assert report.answers["enumerator: Refuted"] > THEOREMS // 5, report.answers
    assert report.answers["theorems: asked of z3"] > THEOREMS // 2, report.answers


def test_the_encoding_of_the_tests_knows_what_is_true() -> None:
    """On the table of examples: nothing valid is violated, and of what is not valid nearly everything is."""
    everything = frozenset(range(10))
    for query in theorems():
        try:
            formula = violation(query, everything & frozenset(range(len(query.hypotheses))))
        except Beyond:
            continue
        assert z3_model(formula, 20_000) is None, query
    violated = total = 0
    for example in INVALID:
        query = example.query()
        try:
            formula = violation(query, frozenset(range(len(query.hypotheses))))
        except Beyond:
            continue
        total += 1
        violated += z3_model(formula) is not None and cvc5_says_sat(formula)
    assert total >= len(INVALID) * 2 // 3
    assert violated >= total * 9 // 10
    assert len(theorems()) > len(VALID) + len(LEMMAS) + 100


# The engine without its runs


def test_what_is_accepted_without_runs_is_true() -> None:
    report = Report()
    for seed in range(UNAIDED_PROGRAMS):
        attack_unaided(report, seed)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    for answer in ("accepted, asked of z3", "implied, asked of z3", "solved, asked of z3", "inductive", "potential"):
        assert report.answers.get(f"unaided: {answer}", 0) >= UNAIDED_PROGRAMS // 3, (answer, report.answers)


def test_what_is_accepted_at_loops_of_helpers_without_runs_is_true() -> None:
    report = Report()
    for seed in range(UNAIDED_PROGRAMS):
        attack_unaided(report, seed, looping=True)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert {"unaided: accepted, asked of z3", "unaided: inductive", "unaided: potential"} <= report.answers.keys(), report.answers


COUNTING = "fn main(n: nat): int { var i: int := 0; while (i < n) { i := i + 1; } return i; }"


@pytest.mark.parametrize("text", [f"i < {FAR}", f"i != {FAR}", f"i <= {FAR} | n < 5", f"i % {FAR} = i", f"i * i < {FAR} * {FAR}"])
def test_without_runs_nothing_false_far_away_is_accepted(text: str) -> None:
    engine = UnaidedEngine(load(COUNTING), Prover(EFFORT))
    verdict = engine.propose(engine.start(), text)
    assert verdict.kind in (Kind.POTENTIAL, Kind.UNKNOWN)
    assert inductive_facts(verdict.books) == ()


def test_the_encoding_of_the_tests_notices_what_is_false_far_away() -> None:
    """Otherwise the attack on the engine without runs could not fail there."""
    program = load(COUNTING)
    for text, true in ((f"i < {FAR}", False), ("0 <= i <= n", True), (f"i != {FAR}", False)):
        violated = [z3_model(goal.violation()) is not None for goal in walked(program, [(1, program.proposal(text))]).goals]
        assert any(violated) is not true, text
    walk = walked(program, [(1, program.proposal("0 <= i <= n"))])
    assert z3_model(at_head(walk, 1, program.proposal("i > 5 -> n > 5"))) is None
    assert z3_model(at_head(walk, 1, program.proposal(f"n < {FAR}"))) is not None


def test_the_levels_are_proved_by_the_encoding_of_the_tests() -> None:
    """With their solutions z3 finds nothing that fails; without them it does: the encoding is neither too weak nor too strong."""
    encoded = open_without = 0
    for level in all_levels():
        program = level.program()
        facts = [(fact.loop, parse_expression(fact.expr)) for fact in level.solution]
        try:
            walk, bare = walked(program, facts), walked(program, ())
        except Beyond:
            continue
        encoded += 1
        for goal in walk.goals:
            assert z3_model(goal.violation(), 100_000) is None, (level.id, goal.what, goal.text)
        open_without += any(z3_model(goal.violation(), 100_000) is not None for goal in bare.goals)
    assert encoded >= 20
    assert open_without >= encoded * 3 // 4


# Programs made wrong on purpose


@pytest.fixture(scope="module")
def made_wrong() -> list[WrongProgram]:
    return wrong_programs(WRONG_PROGRAMS)


def test_programs_made_wrong_are_refuted_and_never_solved(made_wrong: list[WrongProgram]) -> None:
    assert len(made_wrong) == WRONG_PROGRAMS
    open_ones = []
    for wrong in made_wrong:
        result = Agent(LocalEngine(wrong.program), fuel_max=6_000).play()
        assert result.outcome != "solved", wrong
        if result.outcome == "refuted":
            assert result.run is not None
            assert wrong.program.repeat(result.run).outcome.kind == "failed", wrong
        else:
            open_ones.append(str(wrong))
    assert len(open_ones) <= NOT_REFUTED_MAX, open_ones


def test_programs_made_wrong_are_not_proved_even_without_runs(made_wrong: list[WrongProgram]) -> None:
    """The facts that prove the right program are proposed; neither verifier may believe the wrong one."""
    for wrong in made_wrong:
        engine: Engine = UnaidedEngine(wrong.program, Prover(EFFORT))
        books = engine.start()
        facts = []
        for loop, text in wrong.facts:
            try:
                books = engine.propose(books, text, loop).books
            except SipError:
                continue
            facts.append((loop, text))
        assert not proof_is_complete(engine.feedback(books)[0]), wrong
        assert audit(wrong.program, facts).answer != CONFIRMED, wrong
