"""Inputs of runs: all small ones, random ones in growing sizes, and those of the run whose table is shown first."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping
from fractions import Fraction

from idg.engine.states.array_inputs import array_inputs_near, random_array_inputs, small_array_inputs
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.syntax import Type
from idg.sip.values import Value, cells

SMALL_RUNS_MAX = 150
"""The number of inputs in the box of small inputs, which is as large as this allows. If even the smallest box has more, up to three
times as many of its inputs are used."""
RANDOM_RUNS = 60
"""Inputs that are drawn at random."""
LARGE = (2_500, 10_000, 10**6)
"""Large inputs, for all parameters at once and for each one alone. Few programs show something new only beyond these."""
FIRST_ROWS_MIN, FIRST_ROWS_MAX = 5, 12
"""How many rows the trace that is shown first should have, at least and at most."""
FIRST_LIMITS = RunLimits(steps_max=2_000, rows_max=500, choice_tries_max=500)
"""The limits of runs that are tried as the first trace, and of the early runs."""
LITERAL_INPUT_MAX = 10**12
"""The largest input that is chosen because of a number in an expression."""
FIRST_TRIED_MAX = 300
"""Inputs that are tried for the first trace."""
SPARSE = (8, 15, 16, 17, 24, 25, 26, 31, 32, 48, 49, 50, 64, 81, 99, 100, 101, 255, 256, 1000, 1023, 1024)
"""A quarter of the random numbers are from here: powers and their neighbours, where programs often change their behaviour."""


def input_weight(inputs: Mapping[str, Value]) -> int:
    """How large inputs are: the sum of their numerators, without sign, and denominators."""
    return sum(abs(number.numerator) + number.denominator for value in inputs.values() for number in cells(value))


def fitting(value: int | Fraction, kind: Type) -> Value:
    """The number as a value of the type: rounded down where it must be whole, and 0 where it must not be negative."""
    if kind is Type.BOOL:
        return value != 0
    if kind is not Type.RAT:
        value = value.numerator // value.denominator
    return max(0, value) if kind is Type.NAT else value


def small_inputs(params: Mapping[str, Type]) -> Iterable[dict[str, Value]]:
    """All inputs from a box around 0, which is as large as SMALL_RUNS_MAX allows; with arrays, some with short arrays."""
    if _has_arrays(params):
        yield from small_array_inputs(params, SMALL_RUNS_MAX)
        return
    domains: list[tuple[Value, ...]] = []
    for radius in (12, 8, 5, 4, 3, 2, 1):
        domains = [_domain(kind, radius) for kind in params.values()]
        count = 1
        for domain in domains:
            count *= len(domain)
        if count <= SMALL_RUNS_MAX:
            break
    for values in itertools.islice(itertools.product(*domains), SMALL_RUNS_MAX * 3):
        yield dict(zip(params, values, strict=True))


def inputs_near(params: Mapping[str, Type], literals: Iterable[Fraction]) -> Iterable[dict[str, Value]]:
    """Inputs near numbers that an expression has."""
    if _has_arrays(params):
        for literal in literals:
            yield from array_inputs_near(params, min(literal, Fraction(LITERAL_INPUT_MAX)))
        return
    numeric = [name for name, kind in params.items() if kind is not Type.BOOL]
    for literal, name, other in itertools.product(literals, numeric, (1, 2)):
        for near in (literal, literal + 1, literal - 1, literal**2, (literal + 1) ** 2):
            if near > LITERAL_INPUT_MAX:
                continue
            inputs: dict[str, Value] = {param: fitting(other, kind) for param, kind in params.items()}
            inputs[name] = fitting(near, params[name])
            yield inputs


def _has_arrays(params: Mapping[str, Type]) -> bool:
    return any(kind.element for kind in params.values())


def _domain(kind: Type, radius: int) -> tuple[Value, ...]:
    if kind is Type.BOOL:
        return (False, True)
    if kind is Type.NAT:
        return tuple(range(radius + 1))
    whole: tuple[Value, ...] = tuple(range(-(radius // 2), radius + 1))
    return (*whole, Fraction(1, 2), Fraction(-3, 2)) if kind is Type.RAT else whole


def random_inputs(params: Mapping[str, Type], pick: random.Random) -> Iterable[dict[str, Value]]:
    if not params:
        return
    if _has_arrays(params):
        yield from random_array_inputs(params, RANDOM_RUNS, pick)
        return
    for large in LARGE:
        yield {name: fitting(large, kind) for name, kind in params.items()}
        for one in params:
            yield {name: fitting(large if name == one else 3, kind) for name, kind in params.items()}
    for number in range(RANDOM_RUNS):
        reach = (20, 60, 200)[number % 3]
        yield {name: _random_value(kind, reach, pick) for name, kind in params.items()}


def _random_value(kind: Type, reach: int, pick: random.Random) -> Value:
    if kind is Type.BOOL:
        return pick.random() < 0.5
    number = pick.choice(SPARSE) if pick.random() < 0.25 else pick.randint(0, reach)
    if kind is not Type.NAT and pick.random() < 0.3:
        number = -number
    return number if kind is not Type.RAT else Fraction(number, pick.randint(1, 5))


def first_inputs(program: Program) -> dict[str, Value]:
    """Inputs for a program that comes without any. Their trace is easy to look at: neither empty nor long, where possible."""

    def rank(given: Mapping[str, Value]) -> tuple[bool, int, int, int]:
        run = program.run(given, limits=FIRST_LIMITS)
        rows = max((len(trace.rows) for trace in run.level_traces), default=0)
        far = max(0, FIRST_ROWS_MIN - rows, rows - FIRST_ROWS_MAX)
        # Zeros, ones and equal values hide what depends on what.
        dull = sum(-1 <= number <= 1 for value in given.values() for number in cells(value)) + len(given) - len(set(given.values()))
        return run.outcome.kind != "returned" or not rows, far, dull, input_weight(given)

    candidates = itertools.chain(random_inputs(program.params, random.Random(1)), small_inputs(program.params))
    return min(itertools.islice(candidates, FIRST_TRIED_MAX), key=rank)
