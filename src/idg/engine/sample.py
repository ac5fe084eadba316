"""Candidate states around the traces: a fixed sample for each loop, by which the information in a fact is measured.

A fact that rules out many states that nothing ruled out before is worth more than the tenth bound on the same counter.
"""

from __future__ import annotations

import random
from fractions import Fraction

from idg.engine.results import Fact
from idg.engine.runs import RUN_LIMITS, RunPool
from idg.prover.check import fails
from idg.sip.running.runner import Row, evaluate_rows
from idg.sip.syntax import Expr, Type
from idg.sip.values import Value

STATES_MAX = 1_000
BASES_MAX = 250
"""Reached states that the sample is taken around."""
TRIES_MAX = 12_000


def sample(runs: RunPool, loop: int) -> tuple[Row, ...]:
    """States that no run is known to reach, near reached ones: one or two variables changed. The same on every machine."""
    table = runs.reached[loop - 1]
    if not table:
        return ()
    reached = runs.states[loop - 1]
    bases = [each.row for each in table[:: max(1, len(table) // BASES_MAX)]][:BASES_MAX]
    kinds = runs.kinds(loop)
    pick = random.Random(loop)
    found: dict[Row, None] = {}
    for attempt in range(TRIES_MAX):
        state = list(bases[attempt % len(bases)])
        for _ in range(pick.choice((1, 1, 2))):
            at = pick.randrange(len(state)) if state else 0
            if state:
                state[at] = _changed(state[at], kinds[at], state, pick)
        row = tuple(state)
        if row not in reached:
            found[row] = None
            if len(found) == STATES_MAX:
                break
    return tuple(found)


def _changed(value: Value, kind: Type, state: list[Value], pick: random.Random) -> Value:
    if kind is Type.BOOL:
        return not value
    numbers = [each for each in state if not isinstance(each, bool)]
    number: Value = value
    match pick.randrange(5):
        case 0 | 1:
            number = value + pick.choice((-3, -2, -1, 1, 2, 3))
        case 2:
            number = pick.choice(numbers) + pick.choice((-1, 0, 1))
        case 3:
            number = value * 2 + pick.choice((-1, 0, 1))
        case _:
            number = pick.randint(-8, 40)
    if kind is Type.RAT:
        return _plain(number + pick.choice((Fraction(0), Fraction(0), Fraction(1, 2))))
    whole = number.numerator // number.denominator
    return abs(whole) if kind is Type.NAT else whole


def _plain(number: int | Fraction) -> Value:
    return number.numerator if number.denominator == 1 else number


def ruled_out(runs: RunPool, states: tuple[Row, ...], fact: Fact, expr: Expr) -> int:
    """The states of the sample that the fact rules out: bit k for state k."""
    values = evaluate_rows(runs.compiled(fact.loop, expr), list(states), {}, RUN_LIMITS)
    return sum(1 << at for at, value in enumerate(values) if fails(value))
