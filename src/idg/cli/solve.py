"""`idg solve`: the built-in agent plays a program; the command prints the invariants that it found."""

from __future__ import annotations

import argparse
import json
import time

from idg.agents import Agent, AgentResult, LocalEngine
from idg.cli.errors import NEGATIVE, SUCCESS, UsageError
from idg.cli.live import live_line
from idg.cli.texts import load_program
from idg.engine.books import values_to_json
from idg.engine.messages import feedback_message
from idg.engine.results import Feedback
from idg.sip.program import Program
from idg.sip.running.describe import describe_values

SECONDS_MAX = 86_400.0
"""The longest time limit, one day, in seconds."""


def solve(options: argparse.Namespace) -> int:
    """The exit code is 0 if the program is solved, 1 if it is refuted or still open."""
    if not 0 < options.seconds <= SECONDS_MAX:
        raise UsageError(f"--seconds must be more than 0 and at most {SECONDS_MAX:.0f}, found {options.seconds:g}")
    program = load_program(options.file)
    start = time.monotonic()
    tell = live_line(not options.json)
    engine = LocalEngine(program, should_stop=lambda: time.monotonic() - start > options.seconds)
    outcome = Agent(engine, seed=options.seed, tell=tell).play()
    left = engine.look_again() if outcome.outcome == "open" else None
    seconds = time.monotonic() - start
    tell("")
    if options.json:
        print(json.dumps(as_json(outcome, left, program, seconds, options.log), ensure_ascii=False, indent=1))
    else:
        print(_text(outcome, left, program, seconds, options.log))
    return SUCCESS if outcome.outcome == "solved" else NEGATIVE


def as_json(outcome: AgentResult, left: Feedback | None, program: Program, seconds: float, log: bool) -> dict[str, object]:
    result: dict[str, object] = {
        "outcome": outcome.outcome,
        "invariants": [{"loop": number, "expressions": list(texts)} for number, texts in enumerate(outcome.invariants, 1)],
        "run": None
        if outcome.run is None
        else {"inputs": values_to_json(outcome.run), "seed": outcome.run_seed, "message": outcome.message},
        "left": None if left is None else str(feedback_message(left, program)),
        "seconds": round(seconds, 3),
        "proposals": outcome.proposals,
        "rounds": outcome.rounds,
        "fuel": outcome.fuel,
    }
    if log:
        result["log"] = [
            {"round": entry.round, "loop": entry.loop, "expression": entry.text, "source": entry.source, "kind": entry.kind}
            for entry in outcome.log
        ]
    return result


def _text(outcome: AgentResult, left: Feedback | None, program: Program, seconds: float, log: bool) -> str:
    entries = outcome.log if log else ()
    lines = [f"{entry.round}, loop {entry.loop}: {entry.text}  [{entry.kind}; {entry.source}]" for entry in entries]
    spent = f"{outcome.proposals} proposals, {seconds:.2f} s"
    match outcome.outcome:
        case "solved":
            lines.append(f"solved: the guarantee holds in every run ({spent})")
        case "refuted":
            lines.append(f"refuted: a run breaks the guarantee ({spent})")
            assert outcome.run is not None
            chooses = f"; choices by seed {outcome.run_seed}" if program.level.name in program.info.choosing else ""
            lines.append(f"  inputs:{describe_values(outcome.run, ' ') or ' none'}{chooses}")
            lines.append(f"  {outcome.message}")
        case _:
            why = "the time was up before it was proved or refuted" if outcome.stopped else "neither proved nor refuted"
            lines.append(f"open: {why} ({spent})")
            if left is not None:
                lines += (f"  {line}" for line in str(feedback_message(left, program)).splitlines())
    for number, texts in enumerate(outcome.invariants, 1):
        heading = "  invariants" if len(outcome.invariants) == 1 else f"  invariants of loop {number}"
        if texts:
            lines += [f"{heading}:", *(f"    {text}" for text in texts)]
    return "\n".join(lines)
