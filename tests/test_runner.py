"""The compiled runner against the simple interpreter, on random programs and inputs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction

import pytest
import simple_interpreter as simple
from random_programs import random_inputs, random_program

from idg.sip.analysis import check_module
from idg.sip.chooser import ChoiceRequest
from idg.sip.limits import RunLimits
from idg.sip.printer import print_program
from idg.sip.program import Program, load
from idg.sip.syntax import Module, Type
from idg.sip.values import Value

PROGRAMS = 10_000
"""Random programs in all; each is run on one input, recorded and not."""
BATCHES = 20
LIMITS = RunLimits(steps_max=300, rows_max=200, call_depth_max=12, prints_max=20)

_CANDIDATES: dict[Type, tuple[Value, ...]] = {
    Type.BOOL: (False, True), Type.NAT: (0, 1, 2, 5), Type.INT: (0, 1, -1, 3, -4),
    Type.RAT: (0, Fraction(1, 2), -1, Fraction(-7, 3)),
}


def choose(names: tuple[str, ...], types: tuple[Type, ...], holds: Callable[[tuple[Value, ...]], bool]) -> tuple[Value, ...] | None:
    return next((each for each in itertools.product(*(_CANDIDATES[kind] for kind in types)) if holds(each)), None)


def chooser(request: ChoiceRequest) -> tuple[Value, ...] | None:
    return choose(request.names, request.types, request.holds)


def assert_same_run(program: Program, module: Module, inputs: dict[str, Value], limits: RunLimits) -> str:
    expected = simple.interpret(module, inputs, limits, choose)
    actual = program.run(inputs, limits=limits, chooser=chooser)
    outcome = actual.outcome
    shown = f"{print_program(module)}\ninputs: {inputs}\nexpected: {expected}\nactual: {outcome}"
    assert (outcome.kind, outcome.cause or None) == (expected.kind, expected.cause), shown
    assert outcome.kind == "returned" or outcome.span == expected.span, shown
    assert outcome.value == expected.value, shown
    assert actual.printed == expected.printed, shown
    for trace, (columns, rows, outer) in zip(actual.traces, expected.loops, strict=True):
        assert trace.columns == columns, shown
        assert trace.rows == rows, shown
        assert trace.outer_rows == [each for each in outer if each is not None], shown
    bare = program.run(inputs, limits=limits, chooser=chooser, record=False)
    if outcome.cause != "rows":
        assert bare.outcome == outcome, shown
        assert bare.printed == actual.printed, shown
    return outcome.cause or outcome.kind


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_programs_run_as_the_simple_interpreter_says(batch: int) -> None:
    seen: dict[str, int] = {}
    for seed in range(batch, PROGRAMS, BATCHES):
        rng = random.Random(seed)
        # Through the text, so that positions are compared as well.
        text = print_program(random_program(rng))
        program = load(text)
        cause = assert_same_run(program, program.module, random_inputs(rng, program.level), LIMITS)
        seen[cause] = seen.get(cause, 0) + 1
    # A generator that only makes programs which return at once would test nothing.
    assert seen["returned"] > 100, seen
    assert {"assert", "zero-divisor", "narrowing", "steps"} <= seen.keys(), seen


def test_random_programs_are_well_typed() -> None:
    for seed in range(300):
        module = random_program(random.Random(seed))
        assert check_module(module)[1] == [], print_program(module)
