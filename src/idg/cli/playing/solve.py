"""`idg solve`: the built-in agent plays a program; the command prints the invariants that it found."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Mapping
from time import process_time
from typing import TYPE_CHECKING

from idg.agents import AgentResult, LocalEngine
from idg.agents.built_in.results import HowItEnded
from idg.agents.termination import decide_ending
from idg.cli.errors import INTERRUPTED, NEGATIVE, SUCCESS, UsageError
from idg.cli.live import live_line
from idg.cli.playing.logic_answers import LogicAnswer, answer_lines, logic_answer, printed_answer
from idg.cli.playing.side_by_side import GameAsked, SideBySide
from idg.cli.programs.texts import is_c, is_foreign, is_logic, load_program, reading_asked
from idg.cli.results import as_json
from idg.engine.results import Fact, Feedback, SecondCheck, inductive_facts
from idg.engine.telling.messages import feedback_message, rests_on_note
from idg.engine.termination.messages import ending_message
from idg.engine.termination.reports import ending_report
from idg.engine.termination.results import Ending
from idg.engine.wire.answers import ObligationAnswer, RestingFactAnswer, StateToRuleOut
from idg.engine.wire.build import explanation, resting_facts, state_answer
from idg.engine.wire.codec import Layout, encode
from idg.engine.wire.endings import EndingReport
from idg.sip.program import Program, load
from idg.sip.record import Record, replace
from idg.sip.running.describe import describe_values
from idg.sip.running.runner import RunStart
from idg.sip.values import Value, format_value

if TYPE_CHECKING:
    from idg.importer import Imported

SECONDS_MAX = 86_400.0
"""The longest time limit, one day, in seconds."""
ENDING_SHARE = 0.5
"""The part of the seconds that is used, with `--terminates`, before the game, which often uses all of them."""


def solve(options: argparse.Namespace) -> int:
    """The exit code is 0 if the program is solved, 1 if it is refuted or still open, or if a C file was read wrongly.

    With `--terminates` it is 0 only if the program is also proved to end. After Ctrl-C it is INTERRUPTED, and what was found until
    then is printed as usual.
    """
    if not 0 < options.seconds <= SECONDS_MAX:
        raise UsageError(f"--seconds must be more than 0 and at most {SECONDS_MAX:.0f}, found {options.seconds:g}")
    program, imported = _program(options)
    tell = live_line(not options.json)
    asked = GameAsked(program, options.seed, options.seconds, spacer_first=not options.terminates)
    games = SideBySide(asked, tell, options.processes > 1)
    usual = signal.signal(signal.SIGINT, games.interrupt)
    ending = None
    try:
        if options.terminates:
            ending = _ending_first(program, games)
        outcome, seconds = games.play()
    finally:
        signal.signal(signal.SIGINT, usual)
    if games.interrupted and outcome.outcome == "open":
        outcome = replace(outcome, stopped=True)
    engine = games.engine
    left = engine.left() if outcome.outcome == "open" else None
    if games.interrupted:
        ending = None
    elif ending is not None and ending.status == "open" and inductive_facts(engine.books):
        ending = decide_ending(engine.engine, engine.books, engine.should_stop).ending
    tell("")
    if imported is not None and is_c(options.file) and outcome.outcome == "solved":
        from idg.cli.programs.importing import confirmed

        imported = confirmed(options.file, imported)
    form = None if imported is None else imported.answer
    answer = None
    if form is not None and outcome.outcome == "solved":
        answer = logic_answer(options.file, form, outcome, program)
    good = outcome.outcome == "solved"
    if ending is not None and (ending.status != "ends" or (left is not None and left.nothing_to_prove)):
        good = ending.status == "ends"
    code = INTERRUPTED if games.interrupted else SUCCESS if good else NEGATIVE
    if options.answer and form is not None:
        print(printed_answer(form, outcome, answer))
    elif options.json:
        asked_for = AskedGame(options.seed, seconds, options.log)
        report = solve_report(outcome, left, program, asked_for, imported)
        report = replace(report, interrupted=games.interrupted, answer=answer)
        if ending is not None:
            assumed = tuple(sentence for sentence in report.assumed if sentence != ENDS_ASSUMED)
            report = replace(report, ending=ending_report(ending, program), assumed=assumed)
        print(as_json(code == SUCCESS, encode(report)))
    else:
        print(_text(outcome, left, program, seconds, options.log, games.interrupted))
        if answer is not None:
            print("\n".join(answer_lines(answer)))
        if ending is not None:
            print(f"{ending.status}: {ending_message(ending, program)}")
    return code


def _ending_first(program: Program, games: SideBySide) -> Ending:
    """Whether the program ends, as far as that is found in a part of the time: the game may need all that is left."""
    stop = process_time() + games.asked.seconds * ENDING_SHARE
    engine = LocalEngine(program, lambda: games.interrupted or process_time() > stop)
    return decide_ending(engine.engine, engine.books, engine.should_stop).ending


def _program(options: argparse.Namespace) -> tuple[Program, Imported | None]:
    """The program of the file and, for a file of another language, how it was read."""
    reading = reading_asked(options, options.file)
    if options.answer and not is_logic(options.file):
        raise UsageError("--answer is for problems of SyGuS (.sl) and of Horn clauses (.smt2)")
    if not is_foreign(options.file):
        return load_program(options.file), None
    if options.terminates and is_logic(options.file):
        raise UsageError("a problem in logic does not ask whether something ends")
    from idg.cli.programs.importing import imported

    result = imported(options.file, reading)
    if options.terminates and result.stays:
        text = "a run of C stays here for ever, and this was read as its end: it cannot be asked whether the program ends"
        raise UsageError(f"{options.file}: line {result.stays}: {text}")
    return load(result.source), result


class CReading(Record):
    """How a C file was read."""

    int: str
    """What signed arithmetic means: 'math', 'check' or 'machine'."""
    notes: tuple[str, ...]


class LoopInvariants(Record):
    """The inductive invariants of a loop."""

    loop: int
    expressions: tuple[str, ...]


class BreakingRun(Record):
    """A run that breaks the program's promise, or of a helper alone that breaks the helper's."""

    inputs: Mapping[str, Value]
    seed: int
    """The seed of the run's choices."""
    choices: tuple[tuple[Value, ...], ...]
    """What it chose first, in order: by cassign, and for variables that are declared without a value."""
    message: str
    """How it fails."""
    function: str = ""
    """For a helper that is run alone: its name."""


class LoggedProposal(Record):
    """What the agent proposed, why, and what the engine called it."""

    round: str
    loop: int
    text: str
    source: str
    kind: str

    layout = Layout(names={"text": "expression"})


class AskedGame(Record):
    """How a game was asked for, and what it took."""

    seed: int
    seconds: float
    logged: bool


INTEGERS_ASSUMED = {
    "math": "signed numbers of C have no bound here: that an operation overflows is left out",
    "check": "signed numbers of C have no bound here: that no operation overflows is among what is proved",
    "machine": "signed numbers of C wrap round at the width of their type",
}
"""What each reading of C takes for granted about signed arithmetic."""
ENDS_ASSUMED = "whether every run ends is not asked"
NUMBERS_ASSUMED = "int and nat have no bound, and rat is exact"


class SolveReport(Record):
    """What `idg solve --json` prints."""

    outcome: HowItEnded
    invariants: tuple[LoopInvariants, ...]
    run: BreakingRun | None
    """For a refuted program; for an open one where a helper fails, that run of the helper alone."""
    left: str | None
    """For an open program: the state that is left, in plain English."""
    seconds: float
    """CPU seconds of the search, of both processes where there were two."""
    proposals: int
    rounds: int
    fuel: int
    seed: int
    """The same seed gives the same game, unless the time was up."""
    candidates: int
    """Different expressions that were looked at, also those that a state refuted before they were proposed."""
    round_names: tuple[str, ...]
    """The rounds that were played, in order."""
    assumed: tuple[str, ...]
    """What the outcome takes for granted, in plain English; for a C or Python file also how it was read."""
    log: tuple[LoggedProposal, ...] | None = None
    """What happened in each round; only with `--log`."""
    second_check: SecondCheck = SecondCheck.NOT_ASKED
    """For a solved program: what the second verifier says of the proof."""
    nothing_to_prove: bool = False
    """Whether the program promises nothing, so that there is nothing to solve."""
    c: CReading | None = None
    """How a C file was read."""
    resting: tuple[RestingFactAnswer, ...] = ()
    """For an open program: the invariants that rest on something that is not proved."""
    ending: EndingReport | None = None
    """With `--terminates`: whether every run ends."""
    state: StateToRuleOut | None = None
    """For an open program: the state that is left."""
    obligations: tuple[ObligationAnswer, ...] = ()
    """For an open program: what is proved and what is not. Together with the invariants this is the best partial proof."""
    stopped: bool = False
    """For an open program: whether the search was ended before its end, by the time, the fuel or Ctrl-C."""
    interrupted: bool = False
    """Whether Ctrl-C ended the search."""
    answer: LogicAnswer | None = None
    """For a solved problem of SyGuS or of Horn clauses."""


def solve_report(
    outcome: AgentResult, left: Feedback | None, program: Program, played: AskedGame, imported: Imported | None = None
) -> SolveReport:
    logged = (LoggedProposal(entry.round, entry.loop, entry.text, entry.source, entry.kind) for entry in outcome.log)
    shown = None if left is None else left.to_rule_out
    return SolveReport(
        outcome.outcome,
        tuple(LoopInvariants(number, texts) for number, texts in enumerate(outcome.invariants, 1)),
        None if outcome.run is None else _breaking_run(outcome.run, outcome.message),
        None if left is None else str(feedback_message(left, program)),
        round(played.seconds, 3),
        outcome.proposals,
        outcome.rounds,
        outcome.fuel,
        played.seed,
        outcome.tried,
        outcome.round_names,
        _assumed(imported),
        tuple(logged) if played.logged else None,
        outcome.second_check,
        left is not None and left.nothing_to_prove,
        None if imported is None or imported.language != "C" else CReading(imported.integers, tuple(map(str, imported.notes))),
        () if left is None else resting_facts(left, program),
        state=None if shown is None else state_answer(shown, program),
        obligations=() if left is None else explanation(left, program).obligations,
        stopped=outcome.stopped,
    )


def _assumed(imported: Imported | None) -> tuple[str, ...]:
    if imported is None:
        return ENDS_ASSUMED, NUMBERS_ASSUMED
    integers = [INTEGERS_ASSUMED[imported.integers]] if imported.language == "C" else []
    return (ENDS_ASSUMED, NUMBERS_ASSUMED, *integers, *map(str, imported.notes))


def _breaking_run(start: RunStart, message: str) -> BreakingRun:
    return BreakingRun(start.inputs, start.seed, start.choices, message, start.function)


def _run_told(run: RunStart, message: str, program: Program) -> list[str]:
    """The lines that say how a run starts and how it fails."""
    chooses = f"; choices by seed {run.seed}" if (run.function or program.level.name) in program.info.choosing else ""
    lines = [f"  {'arguments' if run.function else 'inputs'}:{describe_values(run.inputs, ' ') or ' none'}{chooses}"]
    if run.choices:
        lines.append(f"  choices: {'; '.join(', '.join(map(format_value, values)) for values in run.choices)}")
    return [*lines, f"  {message}"]


def _text(outcome: AgentResult, left: Feedback | None, program: Program, seconds: float, log: bool, interrupted: bool) -> str:
    entries = outcome.log if log else ()
    lines = [f"{entry.round}, loop {entry.loop}: {entry.text}  [{entry.kind}; {entry.source}]" for entry in entries]
    spent = f"{outcome.proposals} proposals, {seconds:.2f} s"
    match outcome.outcome:
        case "solved":
            lines.append(f"solved: the guarantee holds in every run ({spent})")
            confirmed = outcome.second_check is SecondCheck.CONFIRMED
            lines.append("  the second verifier confirms it" if confirmed else "  proved; the second check did not finish")
        case "refuted":
            lines.append(f"refuted: a run breaks the guarantee ({spent})")
            assert outcome.run is not None
            lines += _run_told(outcome.run, outcome.message, program)
        case _ if outcome.run is not None:
            helper = outcome.run.function
            lines.append(f"open: it cannot be proved, because the helper {helper} fails when it is called so ({spent})")
            lines += _run_told(outcome.run, outcome.message, program)
            lines.append(f"  No run of the program is known that calls it so. Where none does, a pre of {helper} can say it.")
        case _:
            ended = "it was interrupted" if interrupted else "the CPU time was up"
            why = f"{ended} before it was proved or refuted" if outcome.stopped else "neither proved nor refuted"
            lines.append("nothing to prove" if left is not None and left.nothing_to_prove else f"open: {why} ({spent})")
            if left is not None:
                lines += (f"  {line}" for line in str(feedback_message(left, program)).splitlines())
    notes = {resting.fact: f"  ({rests_on_note(resting.rests_on, program)})" for resting in (left.resting if left else ())}
    for number, texts in enumerate(outcome.invariants, 1):
        heading = "  invariants" if len(outcome.invariants) == 1 else f"  invariants of loop {number}"
        if texts:
            lines += [f"{heading}:", *(f"    {text}{notes.get(Fact(number, text), '')}" for text in texts)]
    return "\n".join(lines)
