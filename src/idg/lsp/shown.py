"""What an editor shows of a whole program: problems, and lines above loops and obligations that say what is proved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from lsprotocol.types import CodeLens, Command, Diagnostic, DiagnosticSeverity, Position, Range

from idg.engine.results import SecondCheck
from idg.lsp.jobs import CheckedPlace, FileAnalysis
from idg.lsp.positions import TextPositions
from idg.sip.errors import SipError
from idg.sip.program import Program
from idg.sip.syntax import Span


class ShownPlaces(Protocol):
    """Where in the document the places of the program are."""

    def range(self, span: Span) -> Range: ...

    def line(self, offset: int) -> int: ...


SOURCE = "idg"
"""How editors call where a problem comes from."""
HINT_COMMAND, AGENT_COMMAND, INSERT_COMMAND = "idg.hint", "idg.agent", "idg.insert"
PROMISES = ("post", "assert", "claim")
"""The obligations that have a line of their own, besides loops. Others are shown only where they are not proved."""
INVARIANT_PARTS = ("entry", "step", "measure")
"""What is checked of the invariant and the measure that a loop states."""
STATE_CHARS_MAX = 120
"""Characters of a state that a line above an obligation shows."""
CONTRADICTED = (
    "The second verifier contradicts the proof, so nothing is called proved. This is a mistake of ours; please report it."
)


def problem_diagnostics(error: SipError, positions: TextPositions) -> list[Diagnostic]:
    """What is wrong with a text that is no program."""
    return [
        Diagnostic(
            positions.range(problem.span),
            problem.message + (f"\nhint: {problem.hint}" if problem.hint else ""),
            DiagnosticSeverity.Error,
            code=problem.code,
            source=SOURCE,
        )
        for problem in error.problems
    ]


def analysis_diagnostics(analysis: FileAnalysis, positions: ShownPlaces) -> list[Diagnostic]:
    """What is not proved of a program, and why."""
    start = Span(0, 0)
    if analysis.too_large:
        told = f"This program cannot be analysed: {analysis.too_large}"
        return [Diagnostic(positions.range(start), told, DiagnosticSeverity.Information, code="too-large", source=SOURCE)]
    if analysis.second is SecondCheck.CONTRADICTED:
        return [Diagnostic(positions.range(start), CONTRADICTED, DiagnosticSeverity.Error, code="contradicted", source=SOURCE)]
    return [
        Diagnostic(positions.range(check.span), _why(check), _severity(check), code=_code(check), source=SOURCE)
        for check in analysis.checks
        if check.status != "proved"
    ]


def _severity(check: CheckedPlace) -> DiagnosticSeverity:
    """A run that fails is an error of the program; a proof that is missing is none."""
    if check.run is not None:
        return DiagnosticSeverity.Error
    return DiagnosticSeverity.Warning if check.status == "refuted" else DiagnosticSeverity.Information


def _code(check: CheckedPlace) -> str:
    return "fails" if check.run is not None else "not-proved" if check.status == "refuted" else "unknown"


_SUBJECT = {
    "entry": "The invariant {text}, when the loop is first reached,", "step": "The invariant {text}, after a turn,",
    "measure": "That the measure {text} falls", "narrowing": "That {text} fits its type",
    "zero-divisor": "That no divisor is zero in {text}", "negative-exponent": "That no exponent is negative in {text}",
    "callee-pre": "The pre of the called function in {text}", "index": "That the array has the cell {text}",
}  # fmt: skip
"""How a sentence about a check begins; about all others it begins with the condition itself."""


def _why(check: CheckedPlace) -> str:
    subject = _SUBJECT.get(check.what, "{text}").format(text=f"'{check.text}'")
    if check.run is not None:
        return f"{subject} does not hold: this run fails: {check.run}"
    if check.status == "unknown":
        tried = f" (tried: {', '.join(check.tried)})" if check.tried else ""
        return f"{subject} is neither proved nor refuted{tried}"
    if check.after:
        return f"{subject} is not proved. What is stated allows this turn: from {check.state} to {check.after}"
    if check.state:
        return f"{subject} is not proved. What is stated does not exclude: {check.state}"
    return f"{subject} is not proved."


def lenses(program: Program, analysis: FileAnalysis | None, positions: ShownPlaces, uri: str) -> Iterator[CodeLens]:
    """The lines above functions, loops and promises. Without an analysis they say only that it is under way."""

    def lens(offset: int, title: str, command: str = "", *arguments: object) -> CodeLens:
        line = positions.line(offset)
        place = Range(Position(line, 0), Position(line, 0))
        return CodeLens(place, Command(title, command, arguments=list(arguments) or None))

    def offers(offset: int) -> Iterator[CodeLens]:
        if program.loops:
            yield lens(offset, "ask for a hint", HINT_COMMAND, uri)
            yield lens(offset, "let the agent try", AGENT_COMMAND, uri)

    level = program.level.span.start
    if analysis is None:
        yield lens(level, "checking …")
        return
    yield lens(level, summary(analysis))
    if analysis.second is SecondCheck.CONTRADICTED or analysis.too_large:
        return
    for loop in program.loops:
        statement = loop.statement
        own = [
            check for check in analysis.checks if check.what in INVARIANT_PARTS and _inside(check.span, _head(program, loop.number))
        ]
        stated = "the loop states no invariant" if statement.invariant is None else ""
        yield lens(statement.span.start, _together(own) if own else stated)
        if not analysis.proved:
            yield from offers(statement.span.start)
    for check in analysis.checks:
        if check.what in PROMISES:
            yield lens(check.span.start, _state_told(check))
            if check.status != "proved" and check.run is None:
                yield from offers(check.span.start)


def _head(program: Program, loop: int) -> Span:
    """The text from a loop's `while` to its body."""
    statement = program.loop(loop).statement
    return Span(statement.span.start, statement.body.span.start)


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _together(checks: list[CheckedPlace]) -> str:
    """What is told of the invariant of a loop: the first thing that is not proved, or that all is."""
    unproved = next((check for check in checks if check.status != "proved"), None)
    if unproved is not None:
        return f"{unproved.text}: {_state_told(unproved)}"
    rests_on = next((check.rests_on for check in checks if check.rests_on), "")
    kinds = {"measure" if check.what == "measure" else "invariant" for check in checks}
    return f"proved, but {rests_on}, which is not proved" if rests_on else f"{' and '.join(sorted(kinds))} proved"


def _state_told(check: CheckedPlace) -> str:
    if check.status == "proved":
        return f"proved, but {check.rests_on}, which is not proved" if check.rests_on else "proved"
    if check.run is not None:
        return _short(f"fails in the run {check.run}")
    if check.status == "unknown":
        return "neither proved nor refuted"
    states = f": {check.state} → {check.after}" if check.after else f": state {check.state}" if check.state else ""
    return _short(f"not proved{states}")


def _short(text: str) -> str:
    return text if len(text) <= STATE_CHARS_MAX else text[: STATE_CHARS_MAX - 1] + "…"


def summary(analysis: FileAnalysis) -> str:
    """What is known of the whole program, in one line."""
    if analysis.too_large:
        return f"cannot be analysed: {analysis.too_large}"
    if analysis.second is SecondCheck.CONTRADICTED:
        return "not proved: the second verifier contradicts the proof"
    if not analysis.checks:
        return "nothing to prove"
    proved = sum(check.status == "proved" for check in analysis.checks)
    if not analysis.all_proved:
        return f"{proved} of {len(analysis.checks)} obligations proved"
    confirmed = "the second verifier confirms it" if analysis.second is SecondCheck.CONFIRMED else "the second check did not finish"
    return f"proved: all {len(analysis.checks)} obligations hold in every run; {confirmed}"
