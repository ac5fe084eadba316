"""Programs from outside, if they are there, with what is known about them: proof sets prove, wrong programs stay unproved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from idg.engine.results import Kind
from idg.engine.session import Session
from idg.sip.program import load
from tests.levels.test_corpus import FOLDER, entries
from tests.support.volume import LONG, volume

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the corpus is not beside the project")

Facts = Sequence[tuple[int, str]]
SUITES = ("nla", "invgame", "code2inv")
STEPS = {"nla": 1, "invgame": 1, "code2inv": volume(6, 1)}
"""One program out of so many of a suite is played. Those of code2inv are many and much alike."""
ACCEPTED = (Kind.INDUCTIVE, Kind.DISPLACED, Kind.TAUTOLOGY)


def every_entry() -> list[dict[str, Any]]:
    return [entry for suite in SUITES for entry in entries(suite)] if FOLDER.is_dir() else []


def named(name: str) -> dict[str, Any]:
    [chosen] = [entry for entry in entries("nla") if entry["name"] == name]
    return chosen


def facts(rows: Iterable[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(row["loop"], row["expr"]) for row in rows]


def played(entry: dict[str, Any], proposals: Facts) -> Session:
    """Proposes the facts one by one. None of them may be unknown or refuted."""
    session = Session(entry["sip"])
    for loop, text in proposals:
        kind = session.propose(text, loop).result.kind
        assert kind not in (Kind.UNKNOWN, Kind.NON_INVARIANT), f"{entry['id']}: {text} is {kind}"
    return session


@pytest.mark.parametrize("suite", SUITES)
def test_all_proof_sets_prove(suite: str) -> None:
    count = 0
    for entry in entries(suite)[:: STEPS[suite]]:
        if entry["proof_set"]:
            count += 1
            assert played(entry, facts(entry["proof_set"])).solved, entry["id"]
    assert count >= 15


def test_wrong_programs_are_refuted_by_a_run_and_never_solved() -> None:
    wrong = [entry for entry in every_entry() if entry["valid"] is False]
    assert len(wrong) == 9
    for entry in wrong:
        session = Session(entry["sip"])
        assert not session.solved
        failures = session.engine.inquiry.runs.failures
        assert failures, entry["id"]
        assert failures[0].outcome.cause == "assert"
        program = load(entry["sip"])
        assert program.repeat(failures[0].start, record=False).outcome.kind == "failed", entry["id"]
        batch = session.propose_many([row["expr"] for row in entry["known_invariants"]])
        assert not batch.feedback.solved
        for row in entry["known_invariants"]:
            assert not session.propose(row["expr"]).result.feedback.solved
        assert not session.propose(entry["guarantee"]).result.feedback.solved


def test_what_is_false_on_some_run_is_a_non_invariant() -> None:
    count = 0
    for entry in every_entry():
        session = Session(entry["sip"]) if entry["false_on_some_run"] else None
        for text in entry["false_on_some_run"]:
            assert session is not None
            answer = session.propose(text)
            assert answer.result.kind is Kind.NON_INVARIANT, f"{entry['id']}: {text} is {answer.kind}"
            refutation = answer.result.refutation
            assert refutation is not None
            run = session.program.run(refutation.inputs, seed=refutation.seed)
            assert refutation.row in run.evaluate(text).failing
            count += 1
    assert count >= 29


@pytest.mark.parametrize("suite", SUITES)
def test_what_each_is_alone(suite: str) -> None:
    """The corpus leaves out the precondition.

    So what it calls broken by a turn may be accepted here, but never the other way round.
    """
    for entry in entries(suite)[:: STEPS[suite]]:
        session = Session(entry["sip"])
        empty = session.engine.start()
        for text, alone in entry["alone"].items():
            kind = session.engine.propose(empty, text).kind
            if alone == "inductive":
                assert kind in ACCEPTED, f"{entry['id']}: {text} is {kind}"
            elif alone.startswith("entry proved"):
                assert kind in (*ACCEPTED, Kind.POTENTIAL), f"{entry['id']}: {text} is {kind}"
            else:
                assert kind is Kind.NON_INVARIANT, f"{entry['id']}: {text} is {kind}"


# Programs with several loops

PROVED_WITH_KNOWN = ("cohendiv", "egcd2", "egcd3", "fermat1", "lcm1")
_POWER_OF_FOUR = "q = 1 | q = 4 | q % 16 = 0 & ispow(q // 16, 4)"
POWERS: dict[str, Facts] = {
    "dijkstra": [(1, _POWER_OF_FOUR), (2, _POWER_OF_FOUR), (2, "r >= 0"), (2, "q = 1 | p % 2 = 0")],
    "hard": [(1, "ispow(p, 2)"), (2, "ispow(p, 2)")],
    "divbin": [(1, "ispow(b // B, 2) & b % B = 0"), (2, "ispow(b // B, 2) & b % B = 0")],
}
"""Facts that the documented sets lack: a number that is halved is a power of two (times B), so that halving it is exact. For
dijkstra q is a power of four. It is written in a way that shows that p, whose square is a multiple of q, is even."""
SUPERFLUOUS = "h * h"
"""Marks the cubic equations about h, which are not needed and not all proved."""


@pytest.mark.parametrize("name", PROVED_WITH_KNOWN)
def test_several_loops_are_proved_with_their_known_invariants(name: str) -> None:
    entry = named(name)
    session = played(entry, facts(entry["known_invariants"]))
    assert session.solved
    assert not session.potential


@pytest.mark.parametrize("name", PROVED_WITH_KNOWN)
def test_several_loops_at_once(name: str) -> None:
    entry = named(name)
    session = Session(entry["sip"])
    batch = session.engine.propose_many(session.books, facts(entry["known_invariants"]))
    assert batch.feedback.solved
    assert {kind for _, kind in batch.kinds} == {Kind.INDUCTIVE}


@pytest.mark.parametrize("name", POWERS if LONG else ["hard"])
def test_floor_division_needs_powers(name: str) -> None:
    entry = named(name)
    known = [(loop, text) for loop, text in facts(entry["known_invariants"]) if SUPERFLUOUS not in text]
    without = Session(entry["sip"])
    for loop, text in known:
        without.propose(text, loop)
    assert not without.solved
    session = played(entry, [*POWERS[name], *known])
    assert session.solved
    assert not session.potential


# Greatest common divisors: the guarantees of the corpus leave them out

GCD: dict[str, tuple[str, Facts]] = {
    "egcd": ("a = gcd(x, y)", [(1, "gcd(a, b) = gcd(x, y)"), (1, "a >= 1"), (1, "b >= 1")]),
    "lcm1": ("x = gcd(a, b)", [(loop, text) for loop in (1, 2, 3) for text in ("gcd(x, y) = gcd(a, b)", "x >= 1", "y >= 1")]),
    "lcm2": ("x = gcd(a, b)", [(1, "gcd(x, y) = gcd(a, b)"), (1, "x >= 1"), (1, "y >= 1")]),
    "egcd2": (
        "a = gcd(x, y)",
        [(1, "gcd(a, b) = gcd(x, y)"), (1, "b >= 0"), (1, "a >= 1"), (2, "gcd(b, c) = gcd(x, y)"), (2, "c >= 0")],
    ),
}


@pytest.mark.parametrize("name", GCD)
def test_gcd_programs_are_proved_with_gcd_facts(name: str) -> None:
    entry = named(name)
    guarantee, proposals = GCD[name]
    text = entry["sip"].replace(f"assert({entry['guarantee']})", f"assert({guarantee})")
    assert text != entry["sip"]
    session = played({**entry, "sip": text}, proposals)
    assert session.solved


# A true but useless fact must not cost the proof


REDUNDANT: dict[str, Facts] = {
    "cohencu": [(1, "y * z - 18 * x - 12 * y + 2 * z - 6 = 0"), (1, "z * z - 12 * y - 6 * z + 12 = 0")],
    "freire1": [(1, "x >= 1/2")],
}


@pytest.mark.parametrize("name", REDUNDANT)
@pytest.mark.parametrize("first", [True, False])
def test_redundant_facts_do_not_cost_the_proof(name: str, first: bool) -> None:
    entry = named(name)
    proof, extra = facts(entry["proof_set"]), list(REDUNDANT[name])
    session = played(entry, [*extra, *proof] if first else [*proof, *extra])
    assert session.solved
    assert not session.potential
