"""Every level is played once by the built-in agent. The proof is checked from scratch, and hints are made from it."""

from __future__ import annotations

from functools import cache

import pytest

from idg.agents import AgentResult
from idg.agents.hints import FUEL_MAX, Plan, make_plan, next_hint
from idg.engine.engine import Engine
from idg.engine.results import Fact, Kind
from idg.levels import all_levels
from tests.support.programs.agent_games import half_finished, play, proved_from_scratch
from tests.support.programs.known_levels import known_level
from tests.support.volume import volume

STATES = volume(1, 10)
"""Half-finished books of each level from which hints are asked."""
HINTS_MAX = 12
"""Hints within which a level must be solved."""
LEVELS = [level.id for level in all_levels()]


@cache
def played(level: str) -> AgentResult:
    """A game with the fuel that a plan of hints has. It is played once, and all tests of this module look at it."""
    return play(known_level(level).program(), fuel_max=FUEL_MAX)


def plan_of(level: str) -> Plan:
    """The plan that `make_plan` makes at the start of the level, by playing the same game."""
    result = played(level)
    return Plan(result.outcome, tuple(Fact(loop, text) for loop, texts in enumerate(result.invariants, 1) for text in texts))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_solved_and_proved_from_scratch(level: str) -> None:
    outcome = played(level)
    assert outcome.outcome == "solved"
    proved_from_scratch(known_level(level).program(), outcome)


def test_what_is_kept_is_little() -> None:
    sizes = [sum(map(len, played(level).invariants)) for level in LEVELS]
    assert max(sizes) <= 8
    assert sum(sizes) <= 3 * len(sizes)


@pytest.mark.parametrize("level", ["int-square-root", "two-stacks", "lost-key"])
def test_a_plan_from_the_start_is_what_the_agent_proposes(level: str) -> None:
    engine = Engine(known_level(level).program())
    assert make_plan(engine.program, engine.start()) == plan_of(level)


@pytest.mark.parametrize("level", LEVELS)
def test_hints_are_true_and_new_and_lead_to_the_end(level: str) -> None:
    engine, plan = Engine(known_level(level).program()), plan_of(level)
    assert plan.outcome == "solved", "the agent finds a proof of every level"
    for seed in range(STATES):
        books = half_finished(engine, known_level(level), seed)
        feedback, books = engine.feedback(books)
        for _ in range(HINTS_MAX):
            if feedback.solved:
                break
            hint = next_hint(engine, books, plan.facts, feedback)
            assert hint is not None, "while the level is not solved there is something to hint at"
            steps = [step.step for step in hint.steps]
            assert steps[-3:] == ["shape", "template", "invariant"]
            assert hint.steps[-1].expression == hint.target.text
            assert hint.target.text not in hint.steps[-2].message, "the template does not give it away"
            result = engine.propose(books, hint.target.text, hint.target.loop)
            assert result.kind in (Kind.INDUCTIVE, Kind.POTENTIAL), "true, and not implied by what the player has"
            feedback, books = engine.feedback(result.books)
        assert feedback.solved, f"following the hints from books {seed} solves the level"
