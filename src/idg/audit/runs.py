"""Runs of the program on small inputs and any choices: an invariant or obligation that fails in one of them is contradicted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from idg.audit.conditions import Invariants
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.running.chooser import ExploringChooser
from idg.sip.running.compiler import Compiled, compile_rows
from idg.sip.running.runner import RunStart, Undefined, evaluate_rows
from idg.sip.running.runtime import FAILED
from idg.sip.syntax import Expr, Span, Type
from idg.sip.text.printer import print_expression
from idg.sip.values import Scalar, State, Value

RUNS = 40
"""Runs of one program."""
LIMITS = RunLimits(steps_max=300, rows_max=300)
"""What one of them may spend."""
REACHES = (1, 3, 8, 40, 1_000)
"""Sizes of inputs; larger ones come later."""
LENGTH_MAX = 4
"""Cells of an array that is an input."""


class BrokenRun(Record):
    """A run in which something fails that was claimed to hold."""

    what: str
    text: str
    span: Span
    start: RunStart
    """What repeats the run: `program.repeat(start)`. It is one of the level, or of a helper by itself."""
    state: State
    """The variables where it fails."""


def broken_run(program: Program, invariants: Invariants) -> BrokenRun | None:
    """The first run that breaks an obligation or a claimed invariant. A helper is also run by itself if it has such invariants."""
    helpers = dict.fromkeys(loop.function for loop in program.loops if loop.number in invariants)
    for function in dict.fromkeys([program.level.name, *helpers]):
        broken = _broken_run(program.alone(function), invariants)
        if broken is not None:
            helper = "" if function == program.level.name else function
            return replace(broken, start=replace(broken.start, function=helper))
    return None


def _broken_run(program: Program, invariants: Invariants) -> BrokenRun | None:
    @cache
    def compiled(columns: tuple[str, ...], expr: Expr) -> Compiled:
        return compile_rows(program.info, columns, program.params, expr)

    for seed, inputs in enumerate(_inputs(program)):
        run = program.run(inputs, limits=LIMITS, seed=seed, chooser=ExploringChooser(seed))
        for trace in run.level_traces:
            for expr in invariants.get(trace.loop, ()):
                values = evaluate_rows(compiled(trace.columns, expr), trace.rows, run.inputs, trace.evaluation_limits)
                row = next((row for row, value in enumerate(values) if _is_broken(value)), None)
                if row is not None:
                    span = program.loop(trace.loop).statement.test.span
                    state = dict(zip(trace.columns, trace.rows[row], strict=True))
                    return BrokenRun("invariant", print_expression(expr), span, run.start, state)
        if run.outcome.kind == "failed":
            span = run.outcome.span
            text = program.text[span.start : span.end]
            return BrokenRun(run.outcome.cause, text, span, run.start, run.outcome.values)
    return None


def _is_broken(value: Scalar | Undefined) -> bool:
    return value is False or (isinstance(value, Undefined) and value.cause in FAILED)


def _inputs(program: Program) -> Iterator[dict[str, Value]]:
    choices = random.Random(program.level.name)
    for index in range(RUNS):
        reach = REACHES[index * len(REACHES) // RUNS]
        length = choices.randint(0, LENGTH_MAX)
        # Half of the time all arrays have one length, which many programs ask for.
        lengths = {name: length if index % 2 else choices.randint(0, LENGTH_MAX) for name in program.params}
        yield {name: _value(choices, kind, reach, lengths[name]) for name, kind in program.params.items()}


def _value(choices: random.Random, kind: Type, reach: int, length: int) -> Value:
    """A value of this type; an array of this length. Every third array rises."""
    if kind.element is None:
        return _scalar(choices, kind, reach)
    cells = [_scalar(choices, kind.element, reach) for _ in range(length)]
    return tuple(sorted(cells) if choices.random() < 1 / 3 else cells)


def _scalar(choices: random.Random, kind: Type, reach: int) -> Scalar:
    if kind is Type.BOOL:
        return choices.random() < 0.5
    whole = choices.randint(0 if kind is Type.NAT else -reach, reach)
    return Fraction(whole, choices.randint(1, 4)) if kind is Type.RAT else whole
