"""The attack on arrays: nothing that the prover and the engine say about random facts and loops can be shown to be wrong."""

from __future__ import annotations

import random

import pytest

from idg.engine.states.states import _unlike
from idg.engine.verify import verify
from idg.prover.prove import Prover
from idg.sip.errors import SipError
from idg.sip.program import load
from idg.sip.running.evaluator import evaluate
from idg.sip.syntax import ARRAYS_OF, Name, Number, Type
from idg.sip.trees.stores import stored
from tests.audit.test_audit_arrays import FALSE_PROGRAMS
from tests.support.attack.array_attack import attack_array_facts, attack_array_loops, check_by_encoding
from tests.support.attack.array_loops import array_loop
from tests.support.attack.array_programs import near_wrong, queries_as_program
from tests.support.attack.attack import EFFORT, Report
from tests.support.attack.encoding.own_encoding import walked, z3_model
from tests.support.attack.unaided import attack_unaided_arrays
from tests.support.programs.drawn.run_inputs import seeded_inputs
from tests.support.volume import volume

FACTS = volume(40, 8_000)
"""Programs without loops that are attacked."""
LOOPS = volume(3, 400)
"""Programs with loops that are attacked."""


def test_no_answer_about_facts_on_arrays_is_wrong() -> None:
    report = Report()
    for seed in range(FACTS):
        attack_array_facts(report, seed)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    # Without enough answers of each kind the attack would show nothing.
    assert report.answers["Proved"] > FACTS, report.answers
    assert report.answers["Refuted"] > FACTS // 6, report.answers
    assert report.answers["array facts: all proved"] > FACTS // 6, report.answers


@pytest.mark.parametrize("seed", [10_012_043])
def test_what_the_attack_on_arrays_found(seed: int) -> None:
    """10012043: laws were asked for the type of an array with a cell changed, which stood in a permutation."""
    report = Report()
    attack_array_facts(report, seed)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))


def test_no_answer_about_loops_over_arrays_is_wrong() -> None:
    report = Report()
    for seed in range(LOOPS):
        attack_array_loops(report, seed)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert report.answers["Proved"] > LOOPS, report.answers
    assert report.answers["inductive"] >= LOOPS, report.answers


def test_no_answer_about_arrays_is_wrong_without_runs() -> None:
    """Proofs alone decide, so a wrong one is not hidden by a run that refutes the fact first."""
    report = Report()
    for seed in range(volume(3, 400)):
        attack_unaided_arrays(report, seed)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert report.answers["unaided: inductive"] > 2, report.answers
    assert report.answers["unaided: accepted, asked of z3"] > 2, report.answers


def test_the_encoding_of_the_tests_agrees_with_runs() -> None:
    """Where a run with short arrays fails, the encoding knows that; what it calls right never fails."""
    failed = 0
    for seed in range(volume(15, 1_000)):
        choices = random.Random(f"encoding {seed}")
        try:
            program = load(queries_as_program(choices, choices.random() < 0.5))
        except SipError:  # An array was assigned one of another type.
            continue
        runs = [program.run(inputs) for inputs in seeded_inputs(choices, program, 40)]
        short = [run for run in runs if all(not isinstance(value, tuple) or len(value) <= 3 for value in run.inputs.values())]
        if any(run.outcome.kind == "failed" for run in short):
            failed += 1
            models = [z3_model(goal.violation(), 400_000) for goal in walked(program, ()).goals]
            assert any(model is not None for model in models), program.text
    assert failed


@pytest.mark.parametrize("name", FALSE_PROGRAMS)
def test_wrong_programs_with_arrays_are_not_proved(name: str) -> None:
    """The programs of which the second verifier needs every kind of obligation are put to the first one, too."""
    _, text = FALSE_PROGRAMS[name]
    checks = verify(load(text), Prover(EFFORT))
    assert any(check.status != "proved" for check in checks)


def test_a_wrong_claim_is_reported() -> None:
    report = Report()
    check_by_encoding(report, load("fn main(a: int[]) { pre(len(a) > 1 & sorted(a, 0..len(a) - 1)); assert(a[0] < a[1]); }"))
    assert len(report.disagreements) == 1
    check_by_encoding(report, load("fn main(a: int[]) { pre(len(a) > 1 & sorted(a, 0..len(a) - 1)); assert(a[0] <= a[1]); }"))
    assert len(report.disagreements) == 1


def test_a_state_with_arrays_is_told_from_others() -> None:
    """The attack found that the engine failed where every state nearby had been shown before and one had an array."""
    array = stored(Name("a"), Name("i"), Number(7))
    differs = _unlike({"b": array, "i": Name("i")}, {"b": (5, 7), "i": 1})
    kinds = {"a": ARRAYS_OF[Type.INT], "i": Type.INT}
    for cells, index, expected in (((5, 0), 1, False), ((4, 0), 1, True), ((5, 0, 0), 1, True), ((5, 7), 0, True)):
        assert evaluate(differs, {"a": cells, "i": index}, kinds) is expected


def test_planted_facts_are_made_wrong_by_one() -> None:
    choices = random.Random("near wrong")
    text = "forall k in 0..i - 1: a[k] <= m"
    made = {near_wrong(text, choices).replace(" ", "") for _ in range(60)}
    assert {"forallkin0..i-2:a[k]<=m", "forallkin0..i-1:a[k]<m", "existskin0..i-1:a[k]<=m"} <= made
    assert "forallkin0..i-1:a[k]<=m" not in made
    assert len({array_loop(random.Random(seed)).text for seed in range(30)}) > 20
