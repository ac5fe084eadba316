"""A fixed sample of states near the traces of each loop, by which the information in a fact is measured.

A fact that rules out many states which nothing ruled out before is worth more than the tenth bound on the same counter.
"""

from __future__ import annotations

import random
from fractions import Fraction

from idg.engine.results import Fact
from idg.engine.states.array_inputs import changed_arrays
from idg.engine.states.runs import RUN_LIMITS, RunPool
from idg.prover.check import failing
from idg.sip.running.runner import Row, evaluate_rows
from idg.sip.syntax import Expr, Type
from idg.sip.values import Scalar, Value

STATES_MAX = 1_000
"""States in the sample of one loop."""
BASES_MAX = 250
"""Reached states around which the sample is taken."""
TRIES_MAX = 12_000
"""Changes to reached states that are tried for one sample. Many of them lead to states that are reached or known already."""


def sample(runs: RunPool, loop: int) -> tuple[Row, ...]:
    """States that no run is known to reach. Each is a reached state with one or two variables changed.

    The sample is the same on every machine.
    """
    table = runs.reached[loop]
    if not table:
        return ()
    reached = runs.states[loop]
    bases = [base.row for base in table[:: max(1, len(table) // BASES_MAX)]][:BASES_MAX]
    kinds = runs.kinds(loop)
    pick = random.Random(loop)
    states: dict[Row, None] = {}
    for attempt in range(TRIES_MAX):
        state = list(bases[attempt % len(bases)])
        for _ in range(pick.choice((1, 1, 2))):
            position = pick.randrange(len(state)) if state else 0
            if state:
                state[position] = _changed(state[position], kinds[position], state, pick)
        row = tuple(state)
        if row not in reached:
            states[row] = None
            if len(states) == STATES_MAX:
                break
    return tuple(states)


def _changed(value: Value, kind: Type, state: list[Value], pick: random.Random) -> Value:
    if isinstance(value, bool):
        return not value
    if isinstance(value, tuple):
        assert kind.element is not None
        return pick.choice([*changed_arrays(kind.element, value, (-2, -1, 1, 2))])
    numbers = [other for other in state if not isinstance(other, bool | tuple)]
    number: Scalar = value
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
    return sum(1 << index for index in failing(values))
