"""Random small queries, and the search for a state that shows an answer to be wrong."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import prod
from random import Random

from idg.prover.answers import Proved
from idg.sip.running.evaluator import Evaluator
from idg.sip.syntax import Type
from idg.sip.text.expressions import parse_expression
from idg.sip.values import Value, fit
from idg.vc.query import Hypothesis, Query

BOX_STATES_MAX = 2_500
"""States of the small box that are tried; a larger box is sampled."""
FAR_STATES = 200
"""Random states outside of the box that are tried as well."""


class RandomQueries:
    """Makes hypotheses and goals over one to three whole variables and perhaps a rat.

    Divisors are literals, so every expression has a value.
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def query(self) -> Query:
        pick = self.random
        self.whole = ["x", "y", "z"][: pick.randint(1, 3)]
        self.rats = ["r"] if pick.random() < 0.25 else []
        kinds = {name: pick.choice([Type.INT, Type.INT, Type.NAT]) for name in self.whole} | dict.fromkeys(self.rats, Type.RAT)
        hypotheses = tuple(Hypothesis(parse_expression(self.condition())) for _ in range(pick.randint(0, 4)))
        return Query(kinds, hypotheses, parse_expression(self.condition()))

    def condition(self) -> str:
        share = self.random.random()
        if share < 0.75:
            return self.comparison()
        if share < 0.95:
            return f"({self.condition()} {self.random.choice(['|', '&', '->'])} {self.condition()})"
        return f"!({self.condition()})"

    def comparison(self) -> str:
        pick = self.random
        op = pick.choice(["=", "=", "<=", "<", ">=", ">", "!="])
        rational = bool(self.rats) and pick.random() < 0.3
        sides = [self.rational(pick.randint(0, 2)) if rational else self.number(pick.randint(0, 3)) for _ in range(3)]
        return f"{sides[0]} {op} {sides[1]}" + (f" <= {sides[2]}" if pick.random() < 0.06 else "")

    def number(self, levels: int) -> str:
        pick = self.random
        share = pick.random()
        if not levels or share < 0.35:
            return pick.choice(self.whole) if pick.random() < 0.7 else str(pick.randint(0, 4))
        if share < 0.8:
            return f"({self.number(levels - 1)} {pick.choice('+-*')} {self.number(levels - 1)})"
        if share < 0.84:
            return f"{pick.choice(self.whole)}^{pick.randint(0, 3)}"
        if share < 0.9:
            return f"{pick.choice(['max', 'min', 'gcd'])}({self.number(levels - 1)}, {self.number(levels - 1)})"
        if share < 0.92:
            return f"abs({self.number(levels - 1)})"
        return f"({self.number(levels - 1)} {pick.choice(['//', '%'])} {pick.choice(['2', '3', '4', '(-2)', '(-3)'])})"

    def rational(self, levels: int) -> str:
        pick = self.random
        share = pick.random()
        if not levels or share < 0.4:
            return pick.choice([*self.rats, *self.whole])
        if share < 0.85:
            return f"({self.rational(levels - 1)} {pick.choice('+-*')} {self.rational(levels - 1)})"
        return f"({self.rational(levels - 1)} / {pick.choice(['2', '3', '(-2)', '0.5'])})"


def counterexample(query: Query, answer: Proved, random: Random) -> dict[str, Value] | None:
    """Searches a small box and some states further out for one in which the core's hypotheses hold and the goal does not."""
    boxes: list[list[Value]] = []
    for kind in query.variables.values():
        if kind is Type.BOOL:
            boxes.append([False, True])
        elif kind is Type.RAT:
            boxes.append([fit(Fraction(top, bottom), kind) for top in range(-5, 6) for bottom in (1, 2, 3)])
        else:
            boxes.append(list(range(-7 if kind is Type.INT else 0, 8)))
    if prod(map(len, boxes)) <= BOX_STATES_MAX:
        rows = list(itertools.product(*boxes))
    else:
        rows = [tuple(map(random.choice, boxes)) for _ in range(BOX_STATES_MAX)]
    for _ in range(FAR_STATES):
        broken = Fraction(random.randint(-50, 50), random.randint(1, 9))
        far: dict[Type, Value] = {
            Type.BOOL: random.random() < 0.5,
            Type.INT: random.randint(-40, 40),
            Type.NAT: random.randint(0, 60),
        }
        far[Type.RAT] = broken
        rows.append(tuple(fit(far[kind], kind) for kind in query.variables.values()))
    core = [query.hypotheses[index].expr for index in sorted(answer.core)]
    evaluator = Evaluator([*core, query.goal], query.variables, query.info)
    rows = [row for row, value in zip(rows, evaluator.rows(len(core), rows), strict=True) if value is not True]
    for index in range(len(core)):
        rows = [row for row, value in zip(rows, evaluator.rows(index, rows), strict=True) if value is True]
    return dict(zip(query.variables, rows[0], strict=True)) if rows else None
