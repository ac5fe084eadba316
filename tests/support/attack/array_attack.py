"""Attacks on what the prover and the engine say about arrays: random facts about them, and loops over them with planted facts."""

from __future__ import annotations

import random

from idg.engine.judging.belief import obligation_query
from idg.prover.answers import Proved
from idg.sip.errors import SipError
from idg.sip.program import Program, load
from tests.support.attack.array_loops import ArrayLoop, array_loop
from tests.support.attack.array_programs import queries_as_program
from tests.support.attack.attack import EFFORT, AttackedProver, EngineAttack, Report
from tests.support.attack.encoding.own_cells import Beyond
from tests.support.attack.encoding.own_encoding import walked, z3_model

AGGREGATES_SHARE = 0.4
"""Share of the attacks that are about sums, counts, sorted ranges and permutations."""
ENCODING_RLIMIT = 60_000
"""z3's own count of resources for one goal of the tests' own encoding."""


class ArrayAttack(EngineAttack):
    """Attacks everything that the engine says about several proposals for a program with a loop over arrays."""

    def __init__(self, report: Report, loop: ArrayLoop, rng: random.Random) -> None:
        super().__init__(report, loop.text, rng)
        self.loop = loop

    def candidates(self, loop: int, count: int) -> list[str]:
        return self.loop.facts(self.rng, count)


def attack_array_loops(report: Report, seed: int, count: int = 4) -> None:
    """Attacks the engine with one program that has a loop over arrays, and some proposals."""
    rng = random.Random(f"array loops {seed}")
    report.seed = f"array loops {seed}"
    loop = array_loop(rng, rng.random() < AGGREGATES_SHARE)
    try:
        attack = ArrayAttack(report, loop, rng)
    except SipError:
        report.count("array loops: refused")
        return
    attack.attack(count)


def attack_array_facts(report: Report, seed: int) -> None:
    """Attacks the prover with the obligations of a program without loops, some facts about arrays and one that may follow."""
    rng = random.Random(f"array facts {seed}")
    report.seed = f"array facts {seed}"
    try:
        program = load(queries_as_program(rng, rng.random() < AGGREGATES_SHARE))
        proved = all_proved(program, AttackedProver(report, rng, program, EFFORT))
    except SipError:
        report.count("array facts: refused")
        return
    if proved:
        report.count("array facts: all proved")
        check_by_encoding(report, program)


def all_proved(program: Program, prover: AttackedProver) -> bool:
    """Whether the prover proves all obligations of the program's level. All are asked, so that each answer is attacked."""
    from idg.engine.inquiry import Inquiry

    analysis = Inquiry(program, prover).analysis(program.level.name, (), ())
    answers = [prover.prove(obligation_query(analysis, obligation)) for obligation in analysis.obligations]
    return all(isinstance(answer, Proved) for answer in answers)


def check_by_encoding(report: Report, program: Program) -> None:
    """Reports short arrays for which an obligation of a program fails of which all obligations were proved."""
    try:
        goals = walked(program, ()).goals
    except (Beyond, SipError):
        return
    for goal in goals:
        model = z3_model(goal.violation(), ENCODING_RLIMIT)
        if model is not None:
            report.wrong(f"all is proved, but z3 says no: {goal.what} {goal.text}", program.text, model)
