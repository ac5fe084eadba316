"""`idg audit`: the second verifier alone, on a program with the invariants that it states or is given."""

from __future__ import annotations

import argparse
import os
import sys

from idg.audit import CONFIRMED, CONTRADICTED, Audit, AuditedCondition, audit, condition_script
from idg.cli.colours import signed
from idg.cli.errors import NEGATIVE, SUCCESS, UsageError, tell_as_json
from idg.cli.programs.texts import load_program, reading_asked
from idg.cli.results import as_json
from idg.sip.errors import SipError, line_and_column, where_json
from idg.sip.program import Program
from idg.sip.running.describe import describe_values
from idg.sip.values import format_value, values_json

_SIGN = {"confirmed": "✓", "contradicted": "✗", "not decided": "?"}


def run(options: argparse.Namespace) -> int:
    """The exit code is 0 if everything is confirmed, else 1."""
    program = load_program(options.file, reading_asked(options, options.file))
    loop = 1 if options.loop is None else options.loop
    try:
        result = audit(program, [(loop, text) for text in options.expression or ()])
    except LookupError as error:
        raise UsageError(str(error)) from None
    except SipError as error:
        print(error.render(), file=sys.stderr)
        tell_as_json(options, error.as_json())
        return NEGATIVE
    if options.smtlib:
        _write_scripts(options.smtlib, result, program)
    confirmed = result.answer == CONFIRMED and bool(result.conditions)
    print(as_json(confirmed, audit_fields(result, program)) if options.json else signed(_text(result, program)))
    return SUCCESS if confirmed else NEGATIVE


def audit_fields(result: Audit, program: Program) -> dict[str, object]:
    conditions = []
    for audited in result.conditions:
        function, what, text, span = audited.condition[:4]
        row: dict[str, object] = {"function": function, "what": what, "expression": text, "where": where_json(program.text, span)}
        row |= {"answer": audited.answer, "by": audited.by}
        conditions.append(row if audited.state is None else row | {"state": values_json(audited.state)})
    shown: dict[str, object] = {"answer": result.answer, "conditions": conditions, "run": None}
    if result.run is not None:
        shown["run"] = {
            "what": result.run.what,
            "expression": result.run.text,
            "where": where_json(program.text, result.run.span),
            "function": result.run.start.function or program.level.name,
            "inputs": values_json(result.run.start.inputs),
            "choices": [list(map(format_value, values)) for values in result.run.start.choices],
            "state": values_json(result.run.state),
        }
    return shown | ({"too_large": result.too_large} if result.too_large else {})


def _text(result: Audit, program: Program) -> str:
    """One line for each thing that is checked, however many ways lead to it, and the answer."""
    groups: dict[str, list[AuditedCondition]] = {}
    for audited in result.conditions:
        function, what, text, span = audited.condition[:4]
        line = line_and_column(program.text, span.start)[0]
        where = f"{function}, line {line}" if len(program.module.functions) > 1 else f"line {line}"
        groups.setdefault(f"{where}: {what}: {text}", []).append(audited)
    lines = []
    for name, members in groups.items():
        answers = [member.answer for member in members]
        answer = next((answer for answer in (CONTRADICTED, "not decided") if answer in answers), CONFIRMED)
        lines.append(f"{_SIGN[answer]} {name}  [{answer}]")
        state = next((member.state for member in members if member.state is not None), None)
        if state is not None:
            lines.append(f"    contradicted by {describe_values(state)}")
    if result.run is not None:
        run_of = f"a run of {result.run.start.function}" if result.run.start.function else "a run"
        lines.append(f"✗ {run_of} breaks it: {result.run.what}: {result.run.text}")
        lines.append(f"    inputs:{describe_values(result.run.start.inputs, ' ') or ' none'}")
        if result.run.start.choices:
            lines.append(f"    choices: {'; '.join(', '.join(map(format_value, values)) for values in result.run.start.choices)}")
        lines.append(f"    there {describe_values(result.run.state)}")
    return "\n".join([*lines, "", _summary(result)])


def _summary(result: Audit) -> str:
    count, left = len(result.conditions), len(result.left)
    if result.answer == CONTRADICTED:
        return f"contradicted: {'a run breaks what is claimed' if result.run else 'these invariants do not prove the program'}"
    if result.too_large:
        return f"not decided: {result.too_large}"
    if not count:
        return "nothing to confirm: the program has no obligation"
    return f"confirmed: all {count} conditions hold" if not left else f"not decided: {left} of {count} conditions are left"


def _write_scripts(folder: str, result: Audit, program: Program) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
        for number, audited in enumerate(result.conditions, 1):
            with open(os.path.join(folder, f"condition-{number:03}.smt2"), "w", encoding="utf-8") as opened:
                opened.write(condition_script(audited.condition, program))
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror or error}") from None
