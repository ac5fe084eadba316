"""Asks the second verifier before anything is called solved."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import lru_cache

from idg.audit import CONFIRMED, CONTRADICTED, Audit, audit, audit_measures, audit_recursion, audit_staying
from idg.engine.results import Fact, SecondCheck
from idg.sip.errors import SipError
from idg.sip.program import Program, load
from idg.sip.syntax import Expr

log = logging.getLogger(__name__)

CHECKS_KEPT = 256
"""Answers that are remembered, for each program with its facts. The same proof is looked at several times in a game."""


def second_check(program: Program, facts: tuple[Fact, ...]) -> SecondCheck:
    """What the second verifier says of the program with these inductive facts, and with the invariants that its text states.

    The facts are given in a fixed order, so that the answer depends on nothing else. A contradiction is a mistake of one of the two
    verifiers. It is logged.
    """
    return _checked(program.text, program.level.name, tuple(sorted(facts, key=lambda fact: (fact.loop, fact.text))))


@lru_cache(CHECKS_KEPT)
def _checked(text: str, function: str, facts: tuple[Fact, ...]) -> SecondCheck:
    try:
        result = audit(load(text).alone(function), [(fact.loop, fact.text) for fact in facts])
    except SipError:
        return SecondCheck.NOT_DECIDED  # It refuses a construct of arrays that it does not know.
    if result.answer == CONTRADICTED:
        log.error("a mistake of ours: the second verifier contradicts %s; the program: %s", _what(result, facts), text)
    return SecondCheck(result.answer)


def second_check_of_measures(
    program: Program, facts: tuple[Fact, ...], measures: tuple[tuple[int, str], ...], functions: Mapping[str, Sequence[Expr]]
) -> SecondCheck:
    """What the second verifier says of measures of loops, given by their numbers and texts, and of recursive functions, given by
    their names, of a program with these inductive facts."""
    told = [(fact.loop, fact.text) for fact in sorted(facts, key=lambda fact: (fact.loop, fact.text))]
    try:
        result = audit_recursion(program, told, functions)
        if measures and result.answer == CONFIRMED:
            result = audit_measures(program, told, {loop: program.measure(text, loop) for loop, text in measures})
    except SipError:
        return SecondCheck.NOT_DECIDED
    if result.answer == CONTRADICTED:
        what = _what(result, facts)
        log.error("a mistake of ours: the second verifier contradicts %s with %s; the program: %s", measures, what, program.text)
    return SecondCheck(result.answer)


def second_check_of_staying(program: Program, facts: tuple[Fact, ...], loop: int, kept: tuple[str, ...]) -> SecondCheck:
    """What the second verifier says about the claim that every turn of a loop keeps these facts and the loop's test."""
    told = [(fact.loop, fact.text) for fact in sorted(facts, key=lambda fact: (fact.loop, fact.text))]
    try:
        result = audit_staying(program, told, loop, [program.proposal(text, loop) for text in kept])
    except SipError:
        return SecondCheck.NOT_DECIDED
    if result.answer == CONTRADICTED:
        log.error("a mistake of ours: the second verifier contradicts that %s stay true; the program: %s", kept, program.text)
    return SecondCheck(result.answer)


def second_check_of_contracts(program: Program, facts: tuple[Fact, ...]) -> SecondCheck:
    """What the second verifier says of the program's contracts: of all pres of calls, and of all posts. Other obligations of the
    program may be open, because a run that breaks one of them ends there."""
    result = audit(program, [(fact.loop, fact.text) for fact in facts])
    of_contracts = {audited.answer for audited in result.conditions if audited.condition.what in ("callee-pre", "post")}
    if result.too_large or of_contracts - {CONFIRMED, CONTRADICTED}:
        return SecondCheck.NOT_DECIDED
    return SecondCheck.CONTRADICTED if CONTRADICTED in of_contracts else SecondCheck.CONFIRMED


def forget() -> None:
    """Forgets all answers, for measurements."""
    _checked.cache_clear()


def _what(result: Audit, facts: tuple[Fact, ...]) -> str:
    if result.run is not None:
        return f"{[fact.text for fact in facts]} by the run {result.run}"
    left = [f"{audited.condition.what} {audited.condition.text} in {audited.state}" for audited in result.left]
    return f"{[fact.text for fact in facts]}: {'; '.join(left)}"
