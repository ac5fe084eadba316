"""`idg solve`: the built-in agent plays a program and tells what it found."""

from __future__ import annotations

import argparse
import json
import sys
import time

from idg.agents import Agent, LocalDoor, Outcome
from idg.cli.main import NEGATIVE, SUCCESS, UsageError
from idg.cli.texts import load_program
from idg.engine.state import values_to_json
from idg.sip.describe import describe_values
from idg.sip.program import Program

SECONDS_MAX = 86_400.0


def solve(options: argparse.Namespace) -> int:
    """Exit code 0: solved; 1: refuted or open."""
    if not 0 < options.seconds <= SECONDS_MAX:
        raise UsageError(f"--seconds must be more than 0 and at most {SECONDS_MAX:.0f}, found {options.seconds:g}")
    program = load_program(options.file)
    start = time.monotonic()
    live = not options.json and sys.stderr.isatty()
    agent = Agent(
        LocalDoor(program), seed=options.seed, should_stop=lambda: time.monotonic() - start > options.seconds,
        tell=_live if live else lambda _: None,
    )
    outcome = agent.play()
    seconds = time.monotonic() - start
    if live:
        _live("")
    if options.json:
        print(json.dumps(as_json(outcome, seconds, options.log), ensure_ascii=False, indent=1))
    else:
        print(_text(outcome, program, seconds, options.log))
    return SUCCESS if outcome.outcome == "solved" else NEGATIVE


def _live(line: str) -> None:
    """One line that is written over and over."""
    print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def as_json(outcome: Outcome, seconds: float, log: bool) -> dict[str, object]:
    found: dict[str, object] = {
        "outcome": outcome.outcome,
        "invariants": [{"loop": at, "expressions": list(each)} for at, each in enumerate(outcome.invariants, 1)],
        "run": None if outcome.run is None else {"inputs": values_to_json(outcome.run), "seed": outcome.run_seed},
        "seconds": round(seconds, 3), "proposals": outcome.proposals, "rounds": outcome.rounds, "fuel": outcome.fuel,
    }
    if log:
        found["log"] = [
            {"round": each.round, "loop": each.loop, "expression": each.text, "source": each.source, "kind": each.kind}
            for each in outcome.log
        ]
    return found


def _text(outcome: Outcome, program: Program, seconds: float, log: bool) -> str:
    lines = [f"{each.round}, loop {each.loop}: {each.text}  [{each.kind}; {each.source}]" for each in outcome.log] if log else []
    spent = f"{outcome.proposals} proposals, {seconds:.2f} s"
    match outcome.outcome:
        case "solved":
            lines.append(f"solved: the guarantee holds in every run ({spent})")
        case "refuted":
            lines.append(f"refuted: a run breaks the guarantee ({spent})")
            assert outcome.run is not None
            run = program.run(outcome.run, seed=outcome.run_seed, record=False)
            lines.append(f"  inputs:{describe_values(outcome.run, ' ') or ' none'}; choices by seed {outcome.run_seed}")
            lines.append(f"  {run.message}")
        case _:
            lines.append(f"open: neither proved nor refuted ({spent})")
    for number, texts in enumerate(outcome.invariants, 1):
        heading = "  invariants" if len(outcome.invariants) == 1 else f"  invariants of loop {number}"
        if texts:
            lines += [f"{heading}:", *(f"    {each}" for each in texts)]
    return "\n".join(lines)
