"""Soundness, tested by searching for the opposite of everything that the prover and the engine say."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from idg.engine.engine import Engine
from idg.engine.results import Kind, inductive_facts
from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.normal import canonical, parts
from idg.prover.prove import DEFAULT, QUICK, Effort, Prover
from idg.sip.program import load
from idg.sip.syntax import Type
from idg.sip.text.expressions import parse_expression
from idg.sip.values import Value
from idg.vc.query import Query
from tests.support.attack.attack import EngineAttack, Report, attack_answer, attack_engine, proof_is_complete
from tests.support.attack.queries.attack_queries import STAGES, attack_queries
from tests.support.attack.queries.prover_examples import EXAMPLES, Example
from tests.support.volume import volume

QUERIES = volume(3_000, 40_000)
"""Queries that are attacked in all batches together."""
BATCH_QUERIES = 1_000
"""Queries of one batch. There are enough of them that every batch has many proofs and refutations."""
ANSWERS_MIN = 100
"""So many of each there must be: of forty batches the one with the fewest has 180 refutations."""
BATCHES = QUERIES // BATCH_QUERIES
PROGRAMS = volume(15, 80)
"""Random programs. The queries about them are counted, too."""
HELPER_PROGRAMS = volume(6, 60)
"""Random programs whose helpers have loops without given invariants."""
ALONE = ("algebra", "residues", "congruences", "cases", "enumerator", "z3", "reals")


@dataclass
class Case:
    """A program about one rule of the verification conditions; see rules.toml."""

    rule: str
    program: str
    invariants: list[str] = field(default_factory=list)
    fails: list[dict[str, int]] = field(default_factory=list)


_RULES = tomllib.loads((Path(__file__).parent / "rules.toml").read_text())
RIGHT = [Case(**row) for row in _RULES["right"]]
WRONG = [Case(**row) for row in _RULES["wrong"]]


@cache
def attacked_programs(batch: int) -> Report:
    """What the attack on the random programs of a batch came to. Two tests look at it."""
    report = Report()
    for seed in range(batch, PROGRAMS, BATCHES):
        attack_engine(report, seed)
    return report


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_answer_is_shown_to_be_wrong(batch: int) -> None:
    report = deepcopy(attacked_programs(batch))
    seed = batch
    while report.queries < QUERIES // BATCHES:
        attack_queries(report, seed)
        seed += BATCHES
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    # Without enough answers of each kind the attack would show nothing.
    assert report.queries >= QUERIES // BATCHES
    assert report.answers["Proved"] > ANSWERS_MIN, report.answers
    assert report.answers["Refuted"] > ANSWERS_MIN, report.answers


@pytest.mark.parametrize(("attack", "seed"), [(attack_engine, 1_000_129), (attack_engine, 1_000_163), (attack_queries, 1_032_287)])
def test_a_call_whose_helper_fails_shows_nothing_about_a_query(attack: Callable[[Report, int], None], seed: int) -> None:
    """`make soak` took these for wrong proofs: after `a := dec2(i)`, `a >= a` was false where the run ends in dec2."""
    report = Report()
    attack(report, seed)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert report.queries


@pytest.mark.parametrize("seed", [1_001_548, 1_001_555])
def test_no_redundant_fact_is_kept(seed: int) -> None:
    """`make soak` met these.

    In the first a fact stayed because the smallest implication of it rests on a given invariant, though another one does not. In
    the second `c / (abs(n) + 1) = c / (abs(n) + 1)` stayed where `c` is the value of a call, because of a state in which that
    call fails: which answer a prover gave depended on whether it had met that state before.
    """
    report = Report()
    attack_engine(report, seed)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))


def test_a_state_in_which_a_call_fails_refutes_nothing() -> None:
    program = load("fn half(k: int): int { assert(k % 2 = 0); return k // 2; }\nfn main(n: int): int { return half(n); }")
    for goal in ("half(x) = half(x)", "half(x) > 0"):
        query = Query({"x": Type.INT}, (), parse_expression(goal), program.info)
        for known_states in ([], [{"x": 1}]):
            answer = Prover(QUICK).prove(query, known_states=known_states)
            if goal == "half(x) > 0":
                assert isinstance(answer, Refuted)
                assert answer.state["x"] in (0, -2)
            else:
                assert isinstance(answer, Proved)


def test_a_batch_whose_facts_grow_too_large_when_turns_are_substituted_is_judged() -> None:
    """`make soak` met a program for which `propose_many` ended in a traceback (ProgramTooLarge)."""
    report = Report()
    attack_engine(report, 1_001_679)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))


def test_facts_about_loops_of_helpers_are_attacked() -> None:
    report = Report()
    for seed in range(HELPER_PROGRAMS):
        attack_engine(report, seed, looping=True)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert {"inductive", "non-invariant"} <= report.answers.keys(), report.answers


def test_the_attacks_see_all_kinds() -> None:
    answers = sum((Counter(attacked_programs(batch).answers) for batch in range(BATCHES)), Counter[str]())
    kinds = {"inductive", "displaced", "non-invariant", "potential", "type-tautology", "solved", "state"}
    assert kinds <= answers.keys(), answers


FALSE_EXAMPLES = [
    Example(variables, tuple(filter(None, hypotheses.split("; "))), goal, False)
    for variables, hypotheses, goal in (
        ("x, y: int", "x >= 0; y >= 0", "0 <= x <= y"),
        ("x, y: int", "x <= y; y <= x", "x = 0"),
        ("x: int", "x = 0 | x = 5", "x = 0"),
        ("x: int", "x = 5 | x = 0", "x = 0"),
        ("x: int", "", "gcd(x, 0) = x"),
        ("x: int", "", "x % -3 = x % 3"),
        ("x: int", "", "x % -3 >= 0"),
        ("x: int", "", "x // -2 = x // 2"),
        ("x: int", "x % 3 = 1", "x % -3 = -1"),
        ("x: int", "x % 4 = 2", "x // 2 % 4 = 1"),
        ("x, y: int", "x % 4 = 0; y = x // 2", "y % 4 = 0"),
        ("x, y: int", "x % 2 = 0; x % 2 = 1 -> y % 2 = 0", "y % 2 = 0"),
        ("x: int", "x % 2 = 0 -> x % 4 = 0", "x % 4 = 0"),
        ("x, y: int", "x % 2 = 1 -> y % 2 = 0", "y % 2 = 0"),
        ("x, y, z: int", "2 * x = y; y <= 2 * z + 1", "x < z"),
        ("x: rat", "0 < x", "x >= 1"),
        ("x: rat, k: int", "2 * x = k", "k % 2 = 0"),
        ("x, y: int", "x * y = 6; x > 0", "y != 6"),
        ("x, y: int", "x != y", "x < y"),
        ("x: nat", "", "x > 0"),
        ("x, y: int", "abs(x) = abs(y)", "x = y"),
        ("x, y, z: int", "z = min(x, y)", "z = x"),
        ("x, y: int", "x % y = 5 - x; y = 5", "x > 5"),
    )
]


@pytest.mark.parametrize("example", [*EXAMPLES, *FALSE_EXAMPLES], ids=str)
def test_the_prover_never_says_the_opposite(example: Example) -> None:
    answer = Prover(QUICK).prove(example.query())
    assert not isinstance(answer, Refuted if example.valid else Proved), answer


@pytest.mark.parametrize("example", [*EXAMPLES, *FALSE_EXAMPLES], ids=str)
def test_no_stage_alone_says_the_opposite(example: Example) -> None:
    """Asks each stage, although in a proof it would not be asked, because the stages before it answer."""
    query = example.query()
    for part in parts(query):
        form = canonical(part.query)
        for stage in STAGES:
            if stage.name not in ALONE:
                continue
            answer = stage.attempt(form.query, stage.budget(DEFAULT))
            assert not (example.valid and isinstance(answer, Refuted)), stage.name
            if not example.valid and isinstance(answer, Proved) and len(parts(query)) == 1:
                pytest.fail(f"{stage.name} proves {query}")
            report = Report()
            attack_answer(report, form.query, answer, random.Random(0), total=True)
            assert not report.disagreements, "\n".join(map(str, report.disagreements))


def _session(case: Case) -> tuple[Engine, bool]:
    engine = Engine(load(case.program))
    feedback, books = engine.feedback(engine.start())
    solved = proof_is_complete(feedback)
    for invariant in case.invariants:
        loop, text = (int(invariant[0]), invariant[2:]) if invariant[1] == ":" else (1, invariant)
        result = engine.propose(books, text, loop)
        books, solved = result.books, proof_is_complete(result.feedback)
    return engine, solved


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.rule)
def test_right_programs_are_solved(case: Case) -> None:
    engine, solved = _session(case)
    assert solved, [(obligation.cause, obligation.status) for obligation in engine.feedback(engine.start())[0].obligations]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.rule)
def test_wrong_programs_are_never_solved(case: Case) -> None:
    engine, solved = _session(case)
    assert not solved
    for inputs in case.fails:
        assert engine.program.run(inputs).outcome.kind == "failed"


@pytest.mark.parametrize("case", [*RIGHT, *WRONG], ids=lambda case: case.rule)
def test_nothing_is_shown_to_be_wrong_about(case: Case) -> None:
    report = Report(case.rule)
    attack = EngineAttack(report, case.program, random.Random(case.rule))
    attack.attack(3)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))


def test_a_bound_refutes_nothing() -> None:
    """2^(1000 i) is too large to be computed in the 66th turn, but that does not make it less than 1."""
    program = load("fn main(n: nat): int { var i: int := 0; while (i < n) { i := i + 1; } return i; }")
    engine = Engine(program)
    result = engine.propose(engine.start(), "2^(1000 * i) >= 1")
    assert result.kind is not Kind.NON_INVARIANT


def test_a_bound_refutes_no_query() -> None:
    query = Example("x: nat", ("x >= 70000",), "2^x % 2 = 0").query()
    assert not isinstance(Prover().prove(query), Refuted)


COUNTING = "fn main(n: nat): int { var i: int := 0; while (i < n) { i := i + 1; } return i; }"


def _kinds(text: str, *proposals: str) -> list[Kind]:
    engine = Engine(load(text))
    books, kinds = engine.start(), []
    for proposal in proposals:
        result = engine.propose(books, proposal)
        books = result.books
        kinds.append(result.kind)
    return kinds


def test_what_a_run_refutes_is_no_invariant() -> None:
    assert _kinds(COUNTING, "i < 3", "10 // i > 0", "i >= 0") == [Kind.NON_INVARIANT, Kind.NON_INVARIANT, Kind.INDUCTIVE]


def test_an_inductive_invariant_holds_on_entry() -> None:
    """Runs from such large inputs are not tried, so only the proof can see that they exist."""
    text = "fn main(n: nat): int { var i: int := n; while (i > 0) { i := i - 1; } return i; }"
    assert Kind.INDUCTIVE not in _kinds(text, "i != 123456789", "i < 123456789")


def test_an_inductive_invariant_is_kept_by_the_body() -> None:
    assert Kind.INDUCTIVE not in _kinds(COUNTING, "i < 123456789", "i != 123456789")


DEPENDENT = """fn main(n: nat): int {
  var i, a, b: int := 0;
  while (i < n) { i := i + 1; a := b; if (b = 7) { b := BROKEN; } }
  return a;
}"""


@pytest.mark.parametrize("proposals", [("a != 8", "b != 8"), ("b != 8", "a != 8")])
def test_dependent_invariants_are_promoted_together_or_not_at_all(proposals: tuple[str, str]) -> None:
    """b != 8 holds in every run, and a != 8 follows from it. That can be proved only if 7 is not followed by 8."""
    broken = DEPENDENT.replace("BROKEN", "8")
    assert _kinds(broken, *proposals) == [Kind.POTENTIAL, Kind.POTENTIAL]
    engine = Engine(load(broken))
    batch = engine.propose_many(engine.start(), [(1, proposal) for proposal in proposals])
    assert inductive_facts(batch.books) == ()
    engine = Engine(load(DEPENDENT.replace("BROKEN", "9")))
    batch = engine.propose_many(engine.start(), [(1, proposal) for proposal in proposals])
    assert {fact.text for fact in inductive_facts(batch.books)} == {"a != 8", "b != 8"}


def test_one_of_two_equivalent_invariants_stays() -> None:
    engine = Engine(load(COUNTING))
    batch = engine.propose_many(engine.start(), [(1, "i >= 0"), (1, "i + 1 >= 1")])
    assert [fact.text for fact in inductive_facts(batch.books)] == ["i + 1 >= 1"]
    assert [removal.fact.text for removal in batch.removed] == ["i >= 0"]


def test_a_transition_is_one_turn_of_the_loop() -> None:
    engine = Engine(load(COUNTING))
    result = engine.propose(engine.start(), "i != 123456789")
    assert result.transition is not None
    assert (result.transition.before["i"], result.transition.after["i"]) == (123456788, 123456789)


class _Clueless(Prover):
    def prove(self, query: Query, effort: Effort | None = None, known_states: Sequence[Mapping[str, Value]] = ()) -> Answer:
        return Unknown(("nothing",))


def test_what_cannot_be_proved_is_not_accepted() -> None:
    engine = Engine(load(COUNTING), _Clueless())
    result = engine.propose(engine.start(), "i >= 0")
    assert result.kind is Kind.UNKNOWN
    assert inductive_facts(result.books) == ()
    wrong = Engine(load(next(case.program for case in RIGHT if case.rule == "loop exit")), _Clueless())
    assert not wrong.feedback(wrong.start())[0].solved
