"""Makes up what players propose: seeded games for each level.

A game has the facts of the solution, facts near them, wrong guesses, and texts that are no expressions.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache

from idg.levels import Level, all_levels
from idg.sip.errors import SipError
from idg.sip.program import Program
from tests.support.programs.known_levels import known_level

LEVELS_PLAYED = 12
"""Levels of which games are made."""
WRONG_TEXTS = ("", " +", " = = 1", ")", " <= unknown_name", " & ")
"""Endings that make a text wrong. The empty one would leave the text valid, so its last character is removed instead."""


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
    """Games of every level that is played. The same seed gives the same games."""
    chooser = random.Random(seed)
    return [new_game(chooser, level) for level in levels_played() for _ in range(games_a_level)]


def new_game(chooser: random.Random, level: Level) -> Game:
    """A game of guesses with the solution's facts among them, so that most games end in a proof."""
    solution = [Move(fact.loop, fact.expr) for fact in level.solution]
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
    """Facts that are weaker or stronger than this one, or off by one."""
    parts = re.fullmatch(r"([^=<>!&|]+)(=|<=|>=)([^=<>!&|]+)", fact.expression)
    if parts is None:
        return []
    left, sign, right = (part.strip() for part in parts.groups())
    signs = {"=": ("<=", ">="), "<=": ("<", "="), ">=": (">", "=")}[sign]
    texts = [f"{left} {near_sign} {right}" for near_sign in signs] + [f"{left} {sign} {right} + 1", f"{left} <= {right} + 10"]
    return [Move(fact.loop, text) for text in texts]


def _guesses(level: Level) -> list[Move]:
    """Comparisons of the loop's variables with one another and with small numbers."""
    guesses: list[Move] = []
    for trace in program_of(level.id).run(level.inputs).traces:
        for name in trace.columns:
            operands = [*(column for column in trace.columns if column != name), "0", "1"]
            texts = [f"{name} {sign} {operand}" for sign in ("=", "<=", ">=") for operand in operands]
            texts += [f"{name} = 2 * {operand}" for operand in operands]
            moves = (Move(trace.loop, text) for text in texts)
            guesses += (move for move in moves if is_expression(level.id, move))
    return guesses


def is_expression(level: str, move: Move) -> bool:
    """Whether the text is an expression. If not, as where it compares a boolean with a number, the engine is never asked."""
    try:
        program_of(level).expression(move.expression, move.loop)
    except SipError:
        return False
    return True


@cache
def program_of(level: str) -> Program:
    row = known_level(level)
    return row.program()


def _malformed(chooser: random.Random, text: str) -> str:
    return text + chooser.choice(WRONG_TEXTS) if chooser.random() < 0.7 else text[: max(1, len(text) - 2)]
