"""`idg prove` proves a program with the invariants it states; `idg propose` judges invariants one by one."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import zip_longest
from typing import TYPE_CHECKING

from idg.cli.arguments.prover_arguments import plugin_of, prover_of, told_prover
from idg.cli.colours import signed
from idg.cli.errors import NEGATIVE, SUCCESS, UsageError, tell_as_json
from idg.cli.programs.texts import is_c, load_program, reading_asked
from idg.cli.results import as_json
from idg.engine.judging.second_check import second_check
from idg.engine.results import SecondCheck
from idg.engine.session import Session
from idg.engine.telling.messages import feedback_message, rests_on_told
from idg.engine.termination.messages import ending_message
from idg.engine.verify import Check, verify
from idg.engine.wire.answers import ProofReport
from idg.engine.wire.codec import Json, encode
from idg.prover.answers import Proved, Refuted
from idg.sip.errors import SipError, line_and_column
from idg.sip.program import Program
from idg.sip.record import replace
from idg.sip.running.describe import describe_values
from idg.vc.symbolic import ProgramTooLarge

if TYPE_CHECKING:
    from idg.prover.plugins.interface import ProverPlugin

_WHAT = {
    "entry": "invariant, on entry", "step": "invariant, kept by each turn", "post": "post", "assert": "assert", "claim": "claim",
    "narrowing": "value fits its type", "zero-divisor": "divisor is not zero", "negative-exponent": "exponent is not negative",
    "callee-pre": "pre of the called function", "measure": "measure, falls in every turn or call",
    "index": "the array has this cell",
}  # fmt: skip
"""How the output names each kind of obligation."""
_SIGN = {"proved": "✓", "refuted": "✗", "unknown": "?"}


def prove(options: argparse.Namespace) -> int:
    program = load_program(options.file, reading_asked(options, options.file))
    try:
        checks = verify(program, prover_of(options))
    except ProgramTooLarge as error:
        raise UsageError(f"the program is too large to be analysed: {error}") from None
    if is_c(options.file) and all(check.status == "proved" for check in checks):
        from idg.cli.programs.importing import confirmed, imported

        confirmed(options.file, imported(options.file, reading_asked(options, options.file), notes=False))
    other = plugin_of(options.second_opinion) if options.second_opinion else None
    opinions = [_second_opinion(check, other) for check in checks] if other else []
    second = second_check(program, ()) if checks and all(row.status == "proved" for row in checks) else SecondCheck.NOT_ASKED
    proved = second in (SecondCheck.CONFIRMED, SecondCheck.NOT_DECIDED)
    code = SUCCESS if proved and "disagrees" not in opinions else NEGATIVE
    if options.json:
        answers = (replace(check.answer(program), second_opinion=opinion) for check, opinion in zip_longest(checks, opinions))
        report = ProofReport(proved, tuple(answers), second)
        print(as_json(code == SUCCESS, encode(report) | told_prover(options)))
    else:
        for index, check in enumerate(checks):
            opinion = f"{options.second_opinion} {opinions[index]}" if opinions else ""
            print(signed(_check_text(check, program, options.show_vcs, opinion)))
        print(_summary(checks, second) + (f" (all proofs by {options.prover} alone)" if options.prover else ""))
    return code


def _check_text(check: Check, program: Program, show_vcs: bool, opinion: str) -> str:
    line = line_and_column(program.text, check.span.start)[0]
    where = f"{check.function}, line {line}" if len(program.module.functions) > 1 else f"line {line}"
    lines = [f"{_SIGN[check.status]} {where}: {_WHAT[check.what]}: {check.text}  [{check.status}]"]
    if check.uses:
        lines.append(f"    using {', '.join(check.uses)}")
    lines += (f"    {sentence}" for sentence in rests_on_told(check.rests_on, program))
    if check.run is not None:
        lines.append(f"    a run that fails:{describe_values(check.run, ' ') or ' any'}")
    if check.before is not None:
        start = "a state that is not excluded" if check.after is None else "before the turn"
        lines.append(f"    {start}: {describe_values(check.before) or 'no inputs'}")
    if check.after is not None:
        lines.append(f"    after the turn: {describe_values(check.after)}")
    if check.tried:
        lines.append(f"    tried: {', '.join(check.tried)}")
    if opinion:
        lines.append(f"    {opinion}")
    if show_vcs:
        lines += [f"    {part}" for query in check.queries for part in str(query).splitlines()]
    return "\n".join(lines)


_SECOND_CHECK = {
    SecondCheck.CONFIRMED: "the second verifier confirms it",
    SecondCheck.NOT_DECIDED: "the second check did not finish",
    SecondCheck.CONTRADICTED: "the second verifier contradicts the proof, so it is not believed; this is a mistake of ours",
}


def _summary(checks: list[Check], second: SecondCheck) -> str:
    if not checks:
        return "\nnothing to prove: there are no obligations"
    counts = {status: sum(check.status == status for check in checks) for status in ("proved", "refuted", "unknown")}
    if counts["proved"] == len(checks):
        told = f"proved: all {len(checks)} obligations hold in every run; " if second is not SecondCheck.CONTRADICTED else ""
        return f"\n{told}{_SECOND_CHECK[second]}"
    return f"\n{counts['proved']} of {len(checks)} proved, {counts['refuted']} refuted, {counts['unknown']} unknown"


def _second_opinion(check: Check, plugin: ProverPlugin) -> str:
    """Whether the prover, asked alone about each condition of an obligation, agrees with its status, disagrees, or does not know.

    For example it disagrees with 'proved' if it refutes one of the conditions, and agrees only if it proves all of them."""
    from idg.prover.plugins.registry import asked

    answers = [asked(plugin, query) for query in check.queries]
    if check.status == "proved":
        if any(isinstance(answer, Refuted) for answer in answers):
            return "disagrees"
        return "agrees" if all(isinstance(answer, Proved) for answer in answers) else "does not know"
    if check.status == "refuted" and all(isinstance(answer, Proved) for answer in answers):
        return "disagrees"
    return "agrees" if any(isinstance(answer, Refuted) for answer in answers) else "does not know"


def propose(options: argparse.Namespace) -> int:
    program = load_program(options.file, reading_asked(options, options.file))
    if not program.loops:
        raise UsageError("this program has no loop to propose invariants for")
    loop = 1 if options.loop is None else options.loop
    try:
        program.loop(loop)
    except LookupError as error:
        raise UsageError(str(error)) from None
    session = Session(program, prover_of(options, doubted=True))
    measured = any(program.is_measure(text, loop) for text in options.expression)
    rows: list[Json] = []
    if not options.json:
        print(f"All proofs are by {options.prover} alone.\n" if options.prover else "", end="")
        print(feedback_message(session.feedback, program))
    for text in options.expression:
        try:
            proposed = session.propose_measure if program.is_measure(text, loop) else session.propose
            answer = proposed(text, loop)
        except SipError as error:
            print(error.render(), file=sys.stderr)
            tell_as_json(options, error.as_json())
            return NEGATIVE
        rows.append(answer.as_json() | told_prover(options))
        if not options.json:
            print(f"\n> {text}    [{answer.kind}]\n{answer}")
    if options.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        print(f"\n{session}" if not session.solved else "")
        if measured:
            print(ending_message(session.ending(), program))
    return SUCCESS if session.solved else NEGATIVE
