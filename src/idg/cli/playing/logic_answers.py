"""What `idg solve` says of a problem of SyGuS or of Horn clauses: the answer in the problem's own language, checked on its text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from idg.agents import AgentResult
from idg.audit.smt import cvc5_answer, z3_answer
from idg.cli.errors import ProgramRefused, told_problem
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.syntax import Expr

if TYPE_CHECKING:
    from idg.importer.horn import AnswerForm

RLIMIT = 20_000_000
"""What z3 may spend on one condition of the problem, in its own count of resources."""


class LogicAnswer(Record):
    """A solution of a problem of SyGuS or of Horn clauses."""

    definition: str
    """The predicates that the problem asks for: a `define-fun` for each, in lines."""
    confirmed: bool
    """Whether solvers confirmed it on the problem's own text; otherwise that check did not finish."""


def logic_answer(file: str, form: AnswerForm, outcome: AgentResult, program: Program) -> LogicAnswer:
    """The invariants of a solved program as the definitions that the problem asks for.

    Where that is no solution of the problem's own text, the process ends: the exit code is NEGATIVE."""
    facts = [[program.proposal(text, loop) for text in texts] for loop, texts in enumerate(outcome.invariants, 1)]
    definition = form.written(facts)
    answers = {solver_answer(script) for script in form.scripts(definition)}
    if "sat" in answers:
        definition = form.written(facts, _never_holding(form, facts))
        answers = {solver_answer(script) for script in form.scripts(definition)}
    if "sat" in answers:
        print(f"{file}: refused, because the invariants that prove its reading are no solution of its own text:", file=sys.stderr)
        print(*indented(definition, "  "), sep="\n", file=sys.stderr)
        hint = "they need what SMT-LIB's whole numbers cannot say, or the reader made a mistake (please report it with the file)"
        print(f"  hint: {hint}", file=sys.stderr)
        raise ProgramRefused(
            [told_problem("no-solution", f"the invariants are no solution of its own text: {definition}", hint=hint)]
        )
    return LogicAnswer(definition, "unknown" not in answers)


def _never_holding(form: AnswerForm, facts: Sequence[Sequence[Expr]]) -> set[str]:
    """The predicates that no clause makes true, given what the facts say about the other ones. The proof of a program needs no
    facts at a loop that no run reaches, but a solution has to say that the loop's predicate holds nowhere."""
    never = {predicate.name for predicate in form.predicates if predicate.loop is not None}
    while never:
        scripts = form.scripts(form.written(facts, never))
        heads = [obligation.head for obligation in form.obligations]
        asked = ((head, script) for head, script in zip(heads, scripts, strict=True) if head in never)
        held = {head for head, script in asked if solver_answer(script) != "unsat"}
        if not held:
            break
        never -= held
    return never


def solver_answer(script: str) -> str:
    """What z3 says of a script or, where it does not know, cvc5."""
    answer, _ = z3_answer(script, RLIMIT)
    return cvc5_answer(script) if answer == "unknown" else answer


def printed_answer(form: AnswerForm, outcome: AgentResult, answer: LogicAnswer | None) -> str:
    """What a solver of such problems prints: for SyGuS the definition, for Horn clauses `sat` with it, and `unsat` where a run
    refutes the problem."""
    if answer is not None and answer.confirmed:
        return f"(\n{answer.definition}\n)" if form.form == "sygus" else f"sat\n(\n{answer.definition}\n)"
    if outcome.outcome == "refuted":
        return "infeasible" if form.form == "sygus" else "unsat"
    return "fail" if form.form == "sygus" else "unknown"


def answer_lines(answer: LogicAnswer) -> list[str]:
    check = (
        "solvers confirm it on the problem's own text" if answer.confirmed else "the check on the problem's own text did not finish"
    )
    return ["  the answer:", *indented(answer.definition, "    "), f"  {check}"]


def indented(text: str, indent: str) -> list[str]:
    return [indent + line for line in text.splitlines()]
