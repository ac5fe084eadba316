"""Attacks on the engine when proofs are all it has: its runs are switched off, and everything that it accepts is checked by others.

Programs and proposals have thresholds such as 10^12, which no run reaches, so only the proofs can tell right from wrong there.
Whatever the engine accepts is tried on real runs and asked of z3 by an encoding of the tests' own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import z3

from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact, Kind, Refutation, SecondCheck, Verdict, inductive_facts
from idg.engine.states.runs import FailedRun, Ranked, ReachedState, RunPool
from idg.prover.prove import Prover
from idg.sip.errors import SipError
from idg.sip.program import Program, load
from idg.sip.running.runner import Choices, Row
from idg.sip.syntax import Type
from idg.sip.values import Value
from tests.support.attack.array_attack import AGGREGATES_SHARE
from tests.support.attack.array_loops import ArrayLoop, array_loop
from tests.support.attack.attack import EFFORT, EngineAttack, Report, proof_is_complete
from tests.support.attack.attack_programs import ProgramMaker
from tests.support.attack.encoding.own_cells import Beyond
from tests.support.attack.encoding.own_encoding import Walk, at_head, walked, z3_model
from tests.support.attack.encoding.own_expressions import Place

FAR = 10**12
"""What no run reaches in its turns, and no input is near to unless an expression says so."""
FAR_SHARE = 0.5
"""Share of the programs in which one small number is replaced by a far one."""


class NoRuns(RunPool):
    """Runs that show nothing: no state was reached, and no run fails or confirms anything."""

    @cached_property
    def _gathered(self) -> tuple[dict[int, Ranked], list[FailedRun], dict[str, list[dict[str, Value]]]]:
        return self._no_states(), [], {}

    @cached_property
    def _explored(self) -> tuple[dict[int, tuple[ReachedState, ...]], list[FailedRun]]:
        return self._ordered(self._no_states()), []

    @cached_property
    def early_failure(self) -> FailedRun | None:
        return None

    def failing_from(self, loop: int, state: Row) -> FailedRun | None:
        return None

    def failing_with(self, inputs: Mapping[str, Value], choices: Choices) -> FailedRun | None:
        return None


class UnaidedEngine(Engine):
    """An engine that judges by proofs alone."""

    def __init__(self, program: Program, prover: Prover) -> None:
        super().__init__(program, prover)
        runs = NoRuns(program)
        self.inquiry.runs = runs
        self.inquiry._helper_runs = {name: NoRuns(program.alone(name), runs) for name in program.info.functions}

    def _refuted_by_search(self, proved: Sequence[Fact], fact: Fact) -> Refutation | None:
        """Nothing: no run could confirm what a search finds, and the search is most of the work."""
        return None


def with_far_number(text: str, rng: random.Random) -> str:
    """The program with one of its numbers made so large that no run comes near it."""
    places = list(re.finditer(r"(?<![\w.^])\d(?![\w.])", text))
    if not places:
        return text
    place = rng.choice(places)
    return f"{text[: place.start()]}{FAR + int(place.group())}{text[place.end() :]}"


def far_candidates(names: Iterable[str], texts: list[str], rng: random.Random) -> list[str]:
    """Facts that are false, if at all, only where no run comes, and true facts that are weakened or broken there."""
    names = list(names)
    far = [f"{name} {rng.choice(('<', '!=', '<=', '>=', '>'))} {rng.choice(('', '-'))}{FAR + rng.randint(-2, 2)}" for name in names]
    if texts and names:
        name, text = rng.choice(names), rng.choice(texts)
        far.append(f"{name} < {FAR} -> {text}")
        far.append(f"({text}) & {name} != {FAR}")
        far.append(f"{name} >= {FAR} | {text}")
    return far


class UnaidedAttack(EngineAttack):
    """Attacks an engine that has no runs. Its rows, which are those of the attack's own runs, are real."""

    def __init__(self, report: Report, text: str, rng: random.Random) -> None:
        super().__init__(report, text, rng)
        self.engine = UnaidedEngine(self.program, Prover(EFFORT))

    def attack(self, count: int) -> None:
        books = self.engine.start()
        for loop, text in self.proposals(count):
            try:
                result = self.engine.propose(books, text, loop)
            except SipError:
                continue
            self.report.count(f"unaided: {result.kind}")
            self.check(result)
            self.check_by_encoding(result, inductive_facts(books))
            books = result.books
        self.check_proof(books)

    def proposals(self, count: int) -> list[tuple[int, str]]:
        proposals: list[tuple[int, str]] = []
        for number, loop in enumerate(self.program.loops, 1):
            types = self.types(number)
            texts = self.candidates(number, count)
            numbers = [name for name in loop.columns if types[name] is not Type.BOOL and types[name].element is None]
            texts += far_candidates(numbers, texts, self.rng)
            proposals += ((number, text) for text in texts)
        self.rng.shuffle(proposals)
        return proposals[: 2 * count]

    def check(self, result: Verdict) -> None:
        super().check(result)
        if result.feedback.second_check is SecondCheck.CONTRADICTED:
            self.wrong("all is proved, but the second verifier contradicts it", result)

    # by z3, with an encoding of our own

    def walked(self, function: str, facts: Iterable[Fact]) -> Walk | None:
        """The level, or a helper alone, with the facts at its own loops."""
        own = [(fact.loop, self.expr(fact)) for fact in facts if self.program.loops[fact.loop - 1].function == function]
        try:
            return walked(self.program.alone(function), own)
        except Beyond:
            self.report.count("unaided: not encoded")
            return None

    def check_by_encoding(self, result: Verdict, before: tuple[Fact, ...]) -> None:
        """Asks about a fact that was called implied, by the types or by the facts that were known before."""
        if result.kind not in (Kind.TAUTOLOGY, Kind.DISPLACED):
            return
        fact = result.fact
        walk = self.walked(self.alone(fact.loop).level.name, before)
        if walk is None:
            return
        try:
            if result.kind is Kind.DISPLACED:
                formula = at_head(walk, fact.loop, self.expr(fact))
            else:
                formula = self.somewhere_false(walk, fact)
        except Beyond:
            return
        self.report.count("unaided: implied, asked of z3")
        model = z3_model(formula)
        if model is not None:
            self.wrong(f"{result.kind} after {before}, but z3 says no: {fact}", model)

    def somewhere_false(self, walk: Walk, fact: Fact) -> object:
        """The formula that the fact does not hold in some state of the variables' types."""
        alone = self.alone(fact.loop)
        level = alone.info.level
        terms = {name: walk.encoding.fresh(name, level.variables[name]) for name in self.program.loops[fact.loop - 1].columns}
        entry = {
            name: terms[name] if name not in level.assigned else walk.encoding.fresh(f"old.{name}", kind)
            for name, kind in alone.params.items()
        }
        typed = [condition for _, condition in (*terms.values(), *entry.values())]
        state = {name: term for name, (term, _) in terms.items()}
        place = Place(state, {name: term for name, (term, _) in entry.items()})
        holds = walk.encoding.read(self.expr(fact), place).holds
        return z3.And(*typed, z3.Not(holds), *walk.encoding.limits)

    def check_proof(self, books: Books) -> None:
        """Asks whether the accepted facts are inductive together, and, where all is proved, about every obligation."""
        accepted = inductive_facts(books)
        feedback, _ = self.engine.feedback(books)
        claimed = {"entry": "accepted", "kept": "accepted"}
        walks = [walk for name in self.program.info.functions if (walk := self.walked(name, accepted)) is not None]
        for goal in (goal for walk in walks for goal in walk.goals):
            claim = claimed.get(goal.what, "solved" if proof_is_complete(feedback) else "")
            if not claim:
                continue
            self.report.count(f"unaided: {claim}, asked of z3")
            model = z3_model(goal.violation())
            if model is not None:
                self.wrong(f"{claim} with {accepted}, but z3 says no: {goal.what} at loop {goal.loop}, {goal.text}", model)


def attack_unaided(report: Report, seed: int, count: int = 5, looping: bool = False) -> None:
    """Attacks the engine without its runs, with a random program and some proposals; `looping`: its helpers have loops."""
    rng = random.Random(f"unaided {seed}")
    report.seed = f"unaided {seed}"
    text = ProgramMaker(rng).program(looping)
    if rng.random() < FAR_SHARE:
        text = with_far_number(text, rng)
    try:
        load(text)
    except SipError:
        return
    UnaidedAttack(report, text, rng).attack(count)


class UnaidedArrayAttack(UnaidedAttack):
    """The same about a program with a loop over arrays."""

    def __init__(self, report: Report, loop: ArrayLoop, rng: random.Random) -> None:
        super().__init__(report, loop.text, rng)
        self.loop = loop

    def candidates(self, loop: int, count: int) -> list[str]:
        return self.loop.facts(self.rng, count)


def attack_unaided_arrays(report: Report, seed: int, count: int = 5) -> None:
    """Attacks the engine without its runs, with a program that has a loop over arrays."""
    rng = random.Random(f"unaided arrays {seed}")
    report.seed = f"unaided arrays {seed}"
    try:
        attack = UnaidedArrayAttack(report, array_loop(rng, rng.random() < AGGREGATES_SHARE), rng)
    except SipError:
        report.count("unaided arrays: refused")
        return
    attack.attack(count)
