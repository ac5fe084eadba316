"""An example of an agent: it guesses bounds and equations, keeps those that hold on the traces, and proposes them.

idg agent run examples/agent.py --level multiply
"""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import prod

from idg.agents import Game

STATES_MAX = 60  # states to which equations are fitted


def play(game: Game) -> None:
    for inputs in game.tries:
        game.trace(inputs)
    runs = [game.program.run(inputs) for inputs in (game.first_trace.inputs, *game.tries)]
    for loop in game.loops:
        states = [state for run in runs for state in run.of(loop.number).states()][:STATES_MAX]
        names = [name for name in loop.columns if states and type(states[0][name]) in (int, Fraction)]  # no truth values, no arrays
        guesses = [*bounds(names, game.guarantee, loop.test), *equations(names, states)]
        true = [checked.expression for checked in game.check(guesses, loop.number) if checked.holds]
        if true and game.propose_many([(loop.number, expression) for expression in true]).solved:
            return


def bounds(names: list[str], guarantee: str, test: str) -> list[str]:
    """Comparisons of two variables, or of one with a number; and what the program itself says, a little weaker."""
    pairs = [(x, y) for x in names for y in names if x != y]
    comparisons = [f"{x} {op}" for x, y in pairs for op in (f"<= {y}", f"<= {y} + 1", f"= {y} + 1", ">= 0", ">= 1")]
    return [*dict.fromkeys(comparisons), guarantee, f"{test} | {guarantee}"]


def equations(names: list[str], states: list[dict]) -> list[str]:
    """Polynomials of degree two that are zero in every state seen: the null space of the monomials' values."""
    monomials = [(), *((name,) for name in names), *combinations_with_replacement(names, 2)]
    rows = [[Fraction(prod(state[name] for name in monomial)) for monomial in monomials] for state in states]
    return [equation(vector, monomials) for vector in null_space(rows, len(monomials))]


def null_space(rows: list[list[Fraction]], width: int) -> list[list[Fraction]]:
    """A basis of the vectors that are orthogonal to all rows, by Gauss-Jordan elimination."""
    pivots: dict[int, list[Fraction]] = {}
    for row in rows:
        for column, pivot in pivots.items():
            row = [a - row[column] * b for a, b in zip(row, pivot, strict=True)]
        lead = next((column for column, value in enumerate(row) if value), None)
        if lead is not None:
            row = [value / row[lead] for value in row]
            reduced = {key: [a - old[lead] * b for a, b in zip(old, row, strict=True)] for key, old in pivots.items()}
            pivots = reduced | {lead: row}
    free = [column for column in range(width) if column not in pivots]
    return [[Fraction(i == chosen) if i in free else -pivots[i][chosen] for i in range(width)] for chosen in free]


def equation(vector: list[Fraction], monomials: list[tuple[str, ...]]) -> str:
    terms = [f"({value}) * {' * '.join(names) or 1}" for value, names in zip(vector, monomials, strict=True) if value]
    return f"{' + '.join(terms)} = 0"
