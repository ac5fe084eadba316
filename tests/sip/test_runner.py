"""The compiled runner against the simple interpreter, on random programs and inputs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest

from idg.sip.checking.analysis import check_module
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.running.chooser import ChoiceExhausted, ChoiceRequest, Chooser, SeededChooser
from idg.sip.running.runner import Undefined
from idg.sip.running.trace import Run
from idg.sip.syntax import Boolean, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression, print_program
from idg.sip.values import Scalar, Value, fit
from tests.support.programs.drawn.random_programs import random_expression, random_inputs, random_program, random_value
from tests.support.programs.simple import simple_interpreter as simple
from tests.support.programs.simple.module_alone import module_alone
from tests.support.programs.simple.simple_numbers import Stop
from tests.support.volume import volume

PROGRAMS = volume(600, 20_000)
"""Random programs in all. Each is run on one input, once with and once without a record of its rows."""
BATCH_PROGRAMS = 500
"""Programs of one batch. There are enough of them that every batch has runs that return and runs that end in each common way."""
BATCHES = PROGRAMS // BATCH_PROGRAMS
LIMITS = RunLimits(steps_max=300, rows_max=200, call_depth_max=12, prints_max=20)
"""Limits of most runs. They are small, so that many runs reach one."""
TIGHT = RunLimits(
    steps_max=200, rows_max=60, call_depth_max=12, prints_max=20, choice_tries_max=40, cells_max=150, printed_chars_max=60
)
"""Still smaller limits, also of choices, cells and printed characters, for the runs with the seeded chooser."""
ALONE_EVERY = 3
"""Of every third program, the helpers with loops are run alone, too."""
ROWS = 6
"""Random rows on which an expression is evaluated."""

_CANDIDATES: dict[Type, tuple[Scalar, ...]] = {
    Type.BOOL: (False, True),
    Type.NAT: (0, 1, 2, 5),
    Type.INT: (0, 1, -1, 3, -4),
    Type.RAT: (0, Fraction(1, 2), -1, Fraction(-7, 3)),
}


def choose(
    names: tuple[str, ...], types: tuple[Type, ...], holds: Callable[[tuple[Scalar, ...]], bool]
) -> tuple[Scalar, ...] | None:
    return next((values for values in itertools.product(*(_CANDIDATES[kind] for kind in types)) if holds(values)), None)


def chooser(request: ChoiceRequest) -> tuple[Scalar, ...] | None:
    return choose(request.names, request.types, request.holds)


def seeded(seed: int) -> tuple[Chooser, simple.Chooser]:
    """The same seeded search for both implementations, without what needs the state or equations."""
    ours, theirs = SeededChooser(seed), SeededChooser(seed)

    def simply(names: tuple[str, ...], types: tuple[Type, ...], holds: simple.Holds) -> tuple[Scalar, ...] | None:
        try:
            return theirs(ChoiceRequest(names, types, Boolean(True), {}, holds, (), TIGHT.choice_tries_max))
        except ChoiceExhausted:
            raise simple.OutOfTries from None

    return lambda request: ours(replace(request, state={}, definitions=())), simply


def assert_same_run(
    program: Program, inputs: dict[str, Value], limits: RunLimits, choosers: Callable[[], tuple[Chooser, simple.Chooser]]
) -> Run:
    ours, theirs = choosers()
    expected = simple.interpret(module_alone(program), inputs, limits, theirs)
    actual = program.run(inputs, limits=limits, chooser=ours)
    outcome = actual.outcome
    shown = f"{program.text}\ninputs: {inputs}\nexpected: {expected}\nactual: {outcome}"
    assert (outcome.kind, outcome.cause or None) == (expected.kind, expected.cause), shown
    assert outcome.kind == "returned" or outcome.span == expected.span, shown
    assert outcome.value == expected.value, shown
    assert outcome.values.items() <= (expected.state or {}).items(), shown
    assert actual.printed == expected.printed, shown
    for trace, (columns, rows, outer) in zip(actual.level_traces, expected.loops, strict=True):
        assert trace.columns == columns, shown
        assert trace.rows == rows, shown
        assert trace.outer_rows == [row for row in outer if row is not None], shown
    bare = program.run(inputs, limits=limits, chooser=choosers()[0], record=False)
    if outcome.cause != "rows":
        assert bare.outcome == outcome, shown
        assert bare.printed == actual.printed, shown
    return actual


def assert_choices_satisfy(program: Program, inputs: dict[str, Value], seed: int) -> None:
    """Checks the whole seeded search, equations included: the simple interpreter agrees with every choice it makes."""
    search = SeededChooser(seed)
    answers: list[tuple[Scalar, ...] | None] = []

    def kept(request: ChoiceRequest) -> tuple[Scalar, ...] | None:
        answers.append(search(request))
        return answers[-1]

    outcome = program.run(inputs, limits=LIMITS, chooser=kept).outcome
    if outcome.kind == "bound" or not answers or None in answers:
        return
    waiting = iter(answers)

    def replayed(_names: tuple[str, ...], _types: tuple[Type, ...], holds: simple.Holds) -> tuple[Scalar, ...] | None:
        values = next(waiting)
        assert values is not None
        assert holds(values), (program.text, inputs, values)
        return values

    expected = simple.interpret(program.module, inputs, LIMITS, replayed)
    assert (outcome.kind, outcome.value) == (expected.kind, expected.value), (program.text, inputs)


def assert_same_evaluation(rng: random.Random, run: Run) -> None:
    """Compares compiled code with the simple interpreter: a random expression on random rows of the first loop."""
    program, trace = run.program, run.trace
    info = program.info
    scope = {name: info.level.variables[name] for name in trace.columns}
    helpers = tuple(function for function in program.module.functions if function.result and function.name not in info.choosing)
    text = print_expression(random_expression(rng, scope, None, rng.randint(1, 12), helpers, tuple(program.params)))
    trace.rows = [tuple(fit(random_value(rng, kind), kind) for kind in scope.values()) for _ in range(ROWS)]
    functions = {function.name: function for function in program.module.functions}
    for row, actual in zip(trace.rows, trace.evaluate(text).values, strict=True):
        state = dict(zip(scope, row, strict=True))
        shown = f"{text}\n{state}\nold: {run.inputs}\n{program.text}"
        expected: Scalar | Stop
        try:
            expected = simple.evaluate(parse_expression(text), state, dict(run.inputs), scope, functions, run.limits)
        except Stop as stop:
            expected = stop
        if isinstance(expected, Stop):
            assert isinstance(actual, Undefined), shown
            assert (actual.cause, actual.span) == (expected.cause, expected.span), shown
            assert actual.values.items() <= (expected.state or {}).items(), shown
        else:
            assert actual == expected, shown


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_programs_run_as_the_simple_interpreter_says(batch: int) -> None:
    seen: dict[str, int] = {}
    for seed in range(batch, PROGRAMS, BATCHES):
        rng = random.Random(seed)
        # The program goes through its text, so that positions are compared as well.
        text = print_program(random_program(rng))
        program = load(text)
        inputs = random_inputs(rng, program.level)
        run = assert_same_run(program, inputs, LIMITS, lambda: (chooser, choose))
        cause = run.outcome.cause or run.outcome.kind
        seen[cause] = seen.get(cause, 0) + 1
        if program.level.name in program.info.choosing:
            assert_same_run(program, inputs, TIGHT, partial(seeded, seed))
            assert_choices_satisfy(program, inputs, seed)
        if program.info.level.loops:
            assert_same_evaluation(rng, run)
        for name in {loop.function for loop in program.loops} - {program.level.name} if seed % ALONE_EVERY == 0 else ():
            alone = program.alone(name)
            assert_same_run(alone, random_inputs(rng, alone.level), LIMITS, lambda: (chooser, choose))
    # A generator that only makes programs which return at once would test nothing.
    assert seen["returned"] > 100, seen
    assert {"assert", "zero-divisor", "narrowing", "steps"} <= seen.keys(), seen


def test_random_programs_are_well_typed() -> None:
    for seed in range(300):
        module = random_program(random.Random(seed))
        assert check_module(module)[1] == [], print_program(module)
