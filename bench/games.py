"""What players propose: seeded games for each level, of solutions, facts near them, wrong guesses, and texts that are none."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache

from idg.levels import Level, all_levels, find_level
from idg.sip.errors import SipError
from idg.sip.program import Program

LEVELS_PLAYED = 12
WRONG_TEXTS = ("", " +", " = = 1", ")", " <= unknown_name", " & ")
"""What is typed too much; the empty one leaves a valid text, of which the last sign is taken away instead."""


@dataclass(frozen=True, slots=True)
class Move:
    loop: int
    expression: str


@dataclass(frozen=True, slots=True)
class Game:
    level: str
    moves: tuple[Move, ...]


def levels_played() -> tuple[Level, ...]:
    return all_levels()[:LEVELS_PLAYED]


def recorded_games(seed: int, games_a_level: int) -> list[Game]:
    """The same for the same seed."""
    chooser = random.Random(seed)
    return [new_game(chooser, level) for level in levels_played() for _ in range(games_a_level)]


def new_game(chooser: random.Random, level: Level) -> Game:
    """Guesses, with the solution's facts among them: most games end in a proof."""
    solution = [Move(each.loop, each.expr) for each in level.solution]
    chooser.shuffle(solution)
    guesses = _guesses(level)
    moves: list[Move] = []
    for fact in solution:
        moves += (_guess(chooser, guesses, fact) for _ in range(chooser.randint(1, 4)))
        moves.append(fact)
    return Game(level.id, tuple(moves))


def _guess(chooser: random.Random, guesses: list[Move], fact: Move) -> Move:
    near = _near(fact)
    match chooser.randrange(10):
        case 0:
            return Move(fact.loop, _malformed(chooser, fact.expression))
        case 1 | 2 | 3 if near:
            return chooser.choice(near)
        case _:
            return chooser.choice(guesses)


def _near(fact: Move) -> list[Move]:
    """Weaker than the fact, stronger, or off by one."""
    parts = re.fullmatch(r"([^=<>!&|]+)(=|<=|>=)([^=<>!&|]+)", fact.expression)
    if parts is None:
        return []
    left, sign, right = (each.strip() for each in parts.groups())
    signs = {"=": ("<=", ">="), "<=": ("<", "="), ">=": (">", "=")}[sign]
    texts = [f"{left} {each} {right}" for each in signs] + [f"{left} {sign} {right} + 1", f"{left} <= {right} + 10"]
    return [Move(fact.loop, text) for text in texts]


def _guesses(level: Level) -> list[Move]:
    """Comparisons of the loop's variables with one another and with small numbers."""
    found: list[Move] = []
    for trace in program_of(level.id).run(level.inputs).traces:
        for name in trace.columns:
            others = [*(each for each in trace.columns if each != name), "0", "1"]
            texts = [f"{name} {sign} {other}" for sign in ("=", "<=", ">=") for other in others]
            texts += [f"{name} = 2 * {other}" for other in others]
            moves = (Move(trace.loop, text) for text in texts)
            found += (move for move in moves if is_expression(level.id, move))
    return found


def is_expression(level: str, move: Move) -> bool:
    """Others are refused before the engine is asked; booleans, for one, are not compared with numbers."""
    try:
        program_of(level).expression(move.expression, move.loop)
    except SipError:
        return False
    return True


@cache
def program_of(level: str) -> Program:
    found = find_level(level)
    assert found is not None
    return found.program()


def _malformed(chooser: random.Random, text: str) -> str:
    return text + chooser.choice(WRONG_TEXTS) if chooser.random() < 0.7 else text[: max(1, len(text) - 2)]
