"""The wrong guesses that levels invite: the engine refutes each with a run, and the run named for it does break the guess."""

from __future__ import annotations

from functools import cache

import pytest

from idg.engine.engine import Engine
from idg.engine.results import Kind
from idg.levels import all_levels
from tests.support.programs.known_levels import known_level

SEEDS = 400
"""Seeds within which a run of a program that chooses breaks the guess."""

GUESSES: tuple[tuple[str, int, str, str], ...] = (
    ("egg-boxes", 1, "eggs = 6 * boxes", "0 1"),
    ("candle", 1, "burnt + left = 7", "0"),
    ("mult-by-add", 1, "i < j * k", "0 0"),
    ("mult-by-add", 1, "i <= 12", "3 5"),
    ("multiply", 1, "cnt < m", "0 0"),
    ("mult-by-1000", 1, "res = 3 * cnt", "0"),
    ("head-start", 1, "pos >= 10", "-1"),
    ("year-of-saving", 1, "balance >= start", "0 -1"),
    ("square-times-2", 1, "res = 2 * cnt^2", "2"),
    ("square-times-const", 1, "res = j * cnt^2", "1 2"),
    ("gears", 1, "small <= 15", "6"),
    ("two-stacks", 1, "left >= right", "0 1"),
    ("sharing-out", 1, "sweets = 5 * each + left", "1 1"),
    ("merry-go-round", 1, "seat = i", "5"),
    ("stack-of-squares", 1, "blocks = side^2", "2"),
    ("rain-barrel", 1, "barrel >= 0", "0 1 -1"),
    ("two-by-two", 1, "aboard <= 14", "8"),
    ("growing-fields", 1, "harvest = width * length", "2"),
    ("growing-square", 1, "area = n * side", "2"),
    ("odd-tiles", 1, "odd <= 13", "7"),
    ("summation", 1, "i <= n", "0"),
    ("summation2", 1, "i <= n", "0"),
    ("mult-of-6", 1, "2 * res = cnt * (cnt + 1)", "2"),
    ("int-square-root", 1, "cnt <= 6", "49"),
    ("cube", 1, "a = cnt", "2"),
    ("cube2", 1, "b = 6 * cnt", "0"),
    ("tide-mark", 1, "start <= sea", "0 1"),
    ("wanderer", 1, "abs(place) <= 3", "4"),
    ("handfuls", 1, "apples <= 2 * trips + left", "3"),
    ("bean-can", 1, "w % 2 = 1", "1 0"),
    ("light-switch", 1, "on = (n % 2 = 1)", "1"),
    ("canal-lock", 1, "upper = high", "1"),
    ("thermostat", 1, "heating -> temp <= 20", "7"),
    ("there-and-back", 2, "steps = far", "1"),
    ("floor-tiles", 2, "tiles = row * col", "1 1"),
    ("small-change", 2, "5 * fives + left = price", "1"),
    ("doubling-division", 1, "r < d", "1 1"),
    ("digit-by-digit", 1, "rest + done = n", "10"),
    ("binary-product", 1, "dig * cnt = a * b", "1 1"),
    ("rice-on-a-chessboard", 1, "total <= 63", "7"),
    ("half-the-cake", 1, "left = 1 / (i + 1)", "2"),
    ("knock-out", 1, "playing % 2 = 0", "1"),
    ("casting-out-nines", 1, "x % 9 = 0", "1"),
    ("euclid", 1, "gcd(x, y) = 6", "1 1"),
    ("closing-in", 1, "lo <= 6", "55"),
    ("gcd-and-lcm", 1, "x * (u + v) = 2 * a * b", "1 2"),
    ("rabbit-pairs", 1, "b^2 = a^2 + a * b + 1", "1"),
    ("folding-paper", 1, "length >= 2", "1"),
    ("two-ropes", 1, "x >= 6", "1 1"),
    ("thrown-ball", 1, "speed >= 0", "1 0"),
    ("hydra", 1, "n + h <= 5", "6 0"),
    ("frog-pond", 1, "stone <= goal", "3"),
    ("painted-fence", 1, "forall k in 0..i: fence[k] = colour", "1 2"),
    ("tallest-tower", 1, "forall k in 0..len(towers) - 1: towers[k] <= tallest", "1,2"),
    ("lost-key", 1, "forall k in 0..i: drawers[k] != key", "[] 1"),
    ("photocopy", 1, "forall k in 0..i: copy[k] = page[k]", "[]"),
    ("till", 1, "total = sum k in 0..i: prices[k]", "1"),
    ("traffic-count", 1, "seen <= 3", "2,2,2,2 2"),
    ("in-line", 1, "forall k in 1..i - 1: queue[k - 1] <= queue[k]", "2,1"),
    ("both-ways", 1, "same -> word[0] = word[len(word) - 1]", "[]"),
    ("sheep-and-goats", 1, "forall k in m..len(field) - 1: field[k] >= line", "1 4"),
    ("bookshelf", 1, "forall k in lo..len(shelf) - 1: shelf[k] >= book", "1 4"),
    ("about-turn", 1, "forall k in i..len(row) - 1: row[k] = old(row)[k]", "1,2,3"),
    ("seesaw", 1, "left < right", "1 1"),
    ("hand-of-cards", 2, "sorted(cards, 0..i)", "2,1"),
)
"""Level, loop, the wrong guess, and inputs of a run that breaks it, in the order of the parameters."""


@cache
def engine(level: str) -> Engine:
    return Engine(known_level(level).program())


def test_every_level_has_a_wrong_guess() -> None:
    assert {level for level, *_ in GUESSES} == {level.id for level in all_levels()}


@pytest.mark.parametrize(("level", "loop", "guess", "inputs"), GUESSES, ids=lambda value: str(value))
def test_the_engine_refutes_the_guess_and_the_run_breaks_it(level: str, loop: int, guess: str, inputs: str) -> None:
    judge = engine(level)
    result = judge.propose(judge.start(), guess, loop)
    assert result.kind is Kind.NON_INVARIANT
    program = judge.program
    given = dict(zip(program.params, inputs.split(), strict=True))
    seeds = SEEDS if program.level.name in program.info.choosing else 1
    assert any(program.run(given, seed=seed).of(loop).evaluate(guess).failing for seed in range(seeds)), given
