"""What is computed about an edited program, in a process that can be ended at any moment (processes.py).

Each function takes texts and gives records, because both travel between processes. Nothing is called proved here that the engine
did not prove, and where everything is proved, the second verifier is asked, just as `idg prove` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import Literal

from idg.agents.built_in.agent import Agent
from idg.agents.built_in.engine_access import LocalEngine
from idg.agents.hints import make_plan, next_hint
from idg.engine.engine import Engine
from idg.engine.judging.second_check import second_check
from idg.engine.results import Fact, ProofStatus, SecondCheck
from idg.engine.states.inputs import first_inputs
from idg.engine.telling.messages import rests_on_note
from idg.engine.verify import Check, verify
from idg.lsp.insertions import TextInsertion, inserted, insertions, stated_conjuncts
from idg.prover.prove import Prover
from idg.sip.errors import SipError
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.running.describe import describe_values
from idg.sip.syntax import Span
from idg.sip.values import Value, short_value
from idg.vc.symbolic import ProgramTooLarge

AGENT_SECONDS = 60.0
"""CPU seconds that the agent may search before it says that the program is still open."""
TABLE_ROWS_MAX = 12
"""Rows of a loop's table that a hover shows."""

Tell = Callable[[str], None]
"""Takes a line that says what a job is doing."""


class CheckedPlace(Record):
    """One thing to be proved, where it stands, and what is known of it."""

    what: str
    """As in `Check`: 'entry' or 'step' of an invariant, 'measure', or the cause of an obligation."""
    text: str
    span: Span
    status: ProofStatus
    rests_on: str
    """For a proved one: the unproved things that the proof assumes, in words; empty where there are none."""
    state: str
    """For a refuted one: the state that nothing excludes; empty where none can be told."""
    after: str
    """For a refuted step: the state after the turn."""
    run: str | None
    """Inputs of a run that really fails there; None where no such run is known."""
    tried: tuple[str, ...]


class FileAnalysis(Record):
    """What is known of a program with the invariants that its text states."""

    checks: tuple[CheckedPlace, ...]
    second: SecondCheck
    """What the second verifier says; it is asked where every check is proved."""
    too_large: str = ""
    """Why nothing can be said: the program is beyond what is analysed."""

    @property
    def all_proved(self) -> bool:
        return bool(self.checks) and all(check.status == "proved" for check in self.checks)

    @property
    def proved(self) -> bool:
        """Whether `idg prove` would end with success."""
        return self.second in (SecondCheck.CONFIRMED, SecondCheck.NOT_DECIDED)


def analysed(text: str, tell: Tell) -> FileAnalysis:
    """Checks a program that is known to be a correct text."""
    program = load(text)
    try:
        checks = verify(program, Prover())
    except ProgramTooLarge as error:
        return FileAnalysis((), SecondCheck.NOT_ASKED, str(error))
    except SipError as error:  # It has arrays or quantifiers.
        return FileAnalysis((), SecondCheck.NOT_ASKED, error.problems[0].message)
    complete = bool(checks) and all(check.status == "proved" for check in checks)
    second = second_check(program, ()) if complete else SecondCheck.NOT_ASKED
    return FileAnalysis(tuple(_place(check, program) for check in checks), second)


def _place(check: Check, program: Program) -> CheckedPlace:
    def told(state: Mapping[str, Value] | None) -> str:
        return "" if state is None else describe_values(state)

    rests_on = rests_on_note(check.rests_on, program) if check.rests_on else ""
    run = None if check.run is None else told(check.run) or "any run"
    return CheckedPlace(
        check.what, check.text, check.span, check.status, rests_on, told(check.before), told(check.after), run, check.tried
    )


class LoopTable(Record):
    """The first rows of a loop in the run that is shown where nobody asks for another one."""

    loop: int
    inputs: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    """How many rows there are in all."""
    ended: str
    """How the run ended."""


def loop_tables(text: str, tell: Tell) -> tuple[LoopTable, ...]:
    """The table of each loop, in the order of their numbers."""
    program = load(text)
    run = program.run(first_inputs(program) if program.params else {})
    return tuple(
        LoopTable(
            trace.loop,
            describe_values(run.inputs),
            tuple(trace.columns),
            tuple(tuple(map(short_value, row)) for row in trace.rows[:TABLE_ROWS_MAX]),
            len(trace.rows),
            run.message,
        )
        for trace in run.traces
    )


class ProvedInsertion(Record):
    """Invariants that can be put into the text, and that are proved there: each holds on entry and is kept by every turn."""

    facts: tuple[Fact, ...]
    parts: tuple[TextInsertion, ...]
    proves_all: bool
    """Whether the program is proved with them, and the second verifier does not contradict that."""


class AgentAnswer(Record):
    """What the agent came to."""

    outcome: Literal["solved", "refuted", "open"]
    insertion: ProvedInsertion | None
    """What it has found and what is proved; None where there is nothing to put in."""
    message: str
    """For a refuted program: the run that breaks it."""


def agent_tried(text: str, tell: Tell) -> AgentAnswer:
    """Lets the agent look for the invariants that are missing."""
    program, start = load(text), process_time()
    engine = LocalEngine(program, should_stop=lambda: process_time() - start > AGENT_SECONDS)
    result = Agent(engine, tell=tell).play()
    facts = [Fact(number, expression) for number, texts in enumerate(result.invariants, 1) for expression in texts]
    message = ""
    if result.outcome == "refuted" and result.run is not None:
        message = f"{describe_values(result.run.inputs) or 'any run'}: {result.message}"
    return AgentAnswer(result.outcome, proved_insertion(program, facts), message)


class EditorHint(Record):
    """A hint, step by step."""

    target: Fact | None
    """The fact that the steps lead to; None where there is no hint."""
    steps: tuple[str, ...]
    """From a variable to look at to the invariant itself; where there is no hint, the one sentence that says why."""
    insertion: ProvedInsertion | None
    """The fact as an insertion, where it is proved, alone or together with others of the same plan."""


def hint_made(text: str, tell: Tell) -> EditorHint:
    """Makes a hint towards a proof, from what the text states."""
    program = load(text)
    engine = Engine(program)
    feedback, books = engine.feedback(engine.start())
    if feedback.solved:
        return EditorHint(None, ("Everything is proved: there is nothing to hint at.",), None)
    if feedback.nothing_to_prove:
        return EditorHint(None, ("This program promises nothing: there is nothing to prove.",), None)
    plan = make_plan(program, books)
    if plan.outcome == "refuted":
        return EditorHint(None, ("A run breaks this program: no invariant can prove it.",), None)
    hint = next_hint(engine, books, plan.facts, feedback)
    if hint is None:
        return EditorHint(None, ("No hint was found: the agent does not know a proof either.",), None)
    insertion = proved_insertion(program, [hint.target]) or proved_insertion(program, plan.facts)
    return EditorHint(hint.target, tuple(step.message for step in hint.steps), insertion)


def proved_insertion(program: Program, facts: Sequence[Fact]) -> ProvedInsertion | None:
    """The facts as an insertion, if the text with them in it proves every one of them; None otherwise, or if all are there already.

    The new text is verified as a whole, so what is offered is what `idg prove` will say of it."""
    parts = insertions(program, facts)
    if not parts:
        return None
    text = inserted(program.text, parts)
    try:
        changed = load(text)
        checks = verify(changed, Prover())
    except (ProgramTooLarge, SipError):
        return None
    before = stated_conjuncts(program)
    new = {span for fact, span in stated_conjuncts(changed).items() if fact not in before}
    if not all(check.status == "proved" and not check.rests_on for check in checks if check.span in new):
        return None
    complete = all(check.status == "proved" for check in checks)
    second = second_check(changed, ()) if complete else SecondCheck.NOT_ASKED
    if second is SecondCheck.CONTRADICTED:
        return None
    return ProvedInsertion(tuple(facts), parts, complete)
