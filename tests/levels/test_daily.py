"""Today's level: the same for all on a day, none again within a week, and every variation is proved by its facts and no fewer."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from idg.coordinator.pool.computing.analyses import assess
from idg.coordinator.pool.computing.calls import AboutProgram
from idg.levels import WORDS, all_levels, find_level
from idg.levels.daily import DAYS_APART, Variation, all_variations, daily, daily_catalogue
from idg.levels.patterns import patterns_of
from idg.sip.syntax import Type
from idg.sip.text.expressions import parse_expression
from idg.sip.text.formatter import format_program
from idg.sip.text.printer import print_expression
from idg.sip.values import read_value
from tools.daily import faults, proves

VARIATIONS = pytest.mark.parametrize("variation", all_variations(), ids=lambda variation: variation.id)
FIRST = date(2026, 11, 2)
"""The first of the days that are looked at, and how many there are."""
DAYS = 400
CLIMB = 3
"""The difficulty of a climb."""
DIFFICULTIES_APART_MAX = 2
"""How far the difficulty that a player is told may be from the agent's: the agent finds other things hard than people do."""


def test_the_catalogue_has_the_side_lamps_and_the_variations() -> None:
    ids = [entry.id for entry in daily_catalogue()]
    assert {level.id for level in all_levels() if level.beside} <= set(ids)
    assert len(all_variations()) >= 10
    assert len(ids) == len(set(ids)) >= 2 * DAYS_APART
    assert not {variation.id for variation in all_variations()} & {level.id for level in all_levels()}
    sources = [level.source for level in all_levels()] + [variation.source for variation in all_variations()]
    assert len(set(sources)) == len(sources), "each is a program of its own"


def test_the_level_of_a_day_depends_on_the_day_and_the_catalogue_alone() -> None:
    catalogue = daily_catalogue()
    for days in range(DAYS):
        day = FIRST + timedelta(days=days)
        assert daily(day, catalogue) == daily(day, tuple(reversed(catalogue)))
    assert daily(date(2026, 11, 18), catalogue).id == "every-third-seat", "players on servers of the same version get the same"


def test_no_level_comes_again_within_a_week_and_each_comes_in_every_round() -> None:
    for catalogue in (daily_catalogue(), daily_catalogue()[: 2 * DAYS_APART], daily_catalogue()[:-1]):
        ids = [daily(FIRST + timedelta(days=days), catalogue).id for days in range(DAYS)]
        for index in range(DAYS - DAYS_APART):
            assert len(set(ids[index : index + DAYS_APART])) == DAYS_APART
        assert all(set(ids[index : index + 2 * len(catalogue)]) == {entry.id for entry in catalogue} for index in range(100))
    assert ids[: len(catalogue)] != ids[len(catalogue) : 2 * len(catalogue)], "each round has an order of its own"


def test_a_catalogue_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="needs 14"):
        daily(FIRST, daily_catalogue()[:13])


@VARIATIONS
def test_the_row_is_complete_and_fits_the_program(variation: Variation) -> None:
    program = variation.program()
    assert format_program(variation.source) == variation.source
    assert 1 <= variation.difficulty <= len(WORDS)
    assert 2 <= variation.minutes <= 5
    assert 30 <= len(variation.text) <= 400
    assert variation.proved.startswith("When the loop ends"), "partial correctness"
    assert variation.proved.endswith(".")
    for inputs in (variation.inputs, *variation.tries):
        assert inputs.keys() == program.params.keys()
        for name, value in inputs.items():
            read_value(value, program.params[name])
        assert program.run(inputs).outcome.kind == "returned", inputs
    assert len(variation.tries) >= 2
    for fact in variation.solution:
        assert program.expression(fact.expr, fact.loop)[1] is Type.BOOL
        assert print_expression(parse_expression(fact.expr)) == fact.expr


@VARIATIONS
def test_its_patterns_are_known_from_the_way(variation: Variation) -> None:
    assert find_level(variation.of) is not None
    program = variation.program()
    fixed = [name for name in program.params if name not in program.info.level.assigned]
    used = patterns_of([(fact.loop, parse_expression(fact.expr)) for fact in variation.solution], fixed)
    assert used
    assert used <= {pattern for level in all_levels() if level.difficulty <= CLIMB for pattern in level.patterns}


@VARIATIONS
def test_its_facts_prove_it_none_can_be_left_out_and_nothing_alone_does_not(variation: Variation) -> None:
    assert not faults(variation)
    assert not proves(variation.program(), ())


@VARIATIONS
def test_the_agent_solves_it_and_finds_it_about_as_hard(variation: Variation) -> None:
    assessed = assess(AboutProgram(variation.source))
    assert assessed.outcome == "solved"
    assert assessed.difficulty is not None
    assert abs(assessed.difficulty - variation.difficulty) <= DIFFICULTIES_APART_MAX
