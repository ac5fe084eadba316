"""`idg trace` runs a program and shows its states; `idg eval` evaluates expressions in each of them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping

from idg.cli.colours import coloured
from idg.cli.errors import NEGATIVE, SUCCESS, UsageError, tell_as_json
from idg.cli.programs.texts import load_program, reading_asked
from idg.cli.results import as_json
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.running.tables import ROWS_SHOWN, evaluation_table, run_text, trace_table, trace_title
from idg.sip.running.trace import Run, Trace
from idg.sip.text.printer import print_expression
from idg.sip.values import InputError, ValueJson

_OUTSIDE_ARRAYS = re.compile(r",(?![^\[\]]*\])")
"""The commas between values. Those between the cells of an array stand in square brackets."""


def trace(options: argparse.Namespace) -> int:
    run = _run(options)
    traces = _traces(run, options.loop)
    code = NEGATIVE if run.outcome.kind == "failed" else SUCCESS
    if options.json:
        result = run.as_json()
        result["loops"] = [trace.as_json() for trace in traces]
        print(as_json(code == SUCCESS, result, indent=None))
    elif options.loop is None:
        print(run_text(run, _rows(options), coloured))
    else:
        if traces[0].function != run.program.level.name:
            print(trace_title(traces[0], run))
        print(coloured(trace_table(traces[0], _rows(options))))
        print(f"\n{run.message}")
    return code


def evaluate(options: argparse.Namespace) -> int:
    run = _run(options)
    loop = 1 if options.loop is None else options.loop
    [trace] = _traces(run, loop)
    evaluations, problems = [], []
    for text in options.expression:
        try:
            evaluations.append(trace.evaluate(text))
        except SipError as error:
            print(error.render(), file=sys.stderr)
            problems += error.as_json()
    if problems:
        tell_as_json(options, problems)
        return NEGATIVE
    code = NEGATIVE if not trace.rows or any(evaluation.failing for evaluation in evaluations) else SUCCESS
    if options.json:
        result = run.as_json()
        result["loops"] = [trace.as_json()]
        result["evaluations"] = [evaluation.as_json() for evaluation in evaluations]
        print(as_json(code == SUCCESS, result, indent=None))
    else:
        print(coloured(evaluation_table(evaluations, _rows(options))))
        for evaluation in evaluations:
            print(f"{print_expression(evaluation.expr)}: {evaluation.summary()}")
        if run.outcome.kind != "returned" and trace.rows:
            print(f"the run: {run.message}")
    return code


def _run(options: argparse.Namespace) -> Run:
    program = load_program(options.file, reading_asked(options, options.file))
    if options.steps is not None and options.steps < 0:
        raise UsageError(f"--steps needs a number from 0 on, found {options.steps}")
    steps = options.steps if options.steps is not None else RunLimits().steps_max
    limits = RunLimits(steps_max=steps, rows_max=max(steps, RunLimits().rows_max) if options.steps else RunLimits().rows_max)
    try:
        return program.run(_inputs(options, program), limits=limits, seed=options.seed, choices=_choices(options.choices))
    except InputError as error:
        raise UsageError(str(error)) from None


def _choices(text: str) -> list[list[str]]:
    """The choices that an option tells: `4; 2, 3; [1, 2]` is the value 4, then 2 and 3 at once, then an array."""
    return [[value.strip() for value in _OUTSIDE_ARRAYS.split(values)] for values in text.split(";")] if text.strip() else []


def _inputs(options: argparse.Namespace, program: Program) -> Mapping[str, ValueJson]:
    given: dict[str, ValueJson] = {}
    for argument in options.inputs:
        name, equals, value = argument.partition("=")
        if not equals or not name or not value:
            example = f"{next(iter(program.params), 'n')}=46"
            raise UsageError(f"expected an input such as {example}, found '{argument}'")
        if name in given:
            raise UsageError(f"the input {name} is given twice")
        given[name] = value
    return {**_level_defaults(options.file, program), **given}


def _level_defaults(file: str, program: Program) -> Mapping[str, ValueJson]:
    """The inputs of a level's first trace, where the program is a level given by its name; else none."""
    if file == "-" or file.endswith(".sip"):
        return {}
    from idg.levels import find_level

    level = find_level(file)
    return dict(level.inputs) if level and level.source == program.text else {}


def _traces(run: Run, loop: int | None) -> tuple[Trace, ...]:
    if loop is None:
        return run.traces
    try:
        return (run.of(loop),)
    except LookupError as error:
        raise UsageError(str(error)) from None


def _rows(options: argparse.Namespace) -> int | None:
    if options.rows is None:
        return ROWS_SHOWN
    if options.rows == "all":
        return None
    if options.rows.isdecimal() and int(options.rows) > 0:
        return int(options.rows)
    raise UsageError(f"--rows needs a number or all, found '{options.rows}'")
