"""Checks what can be today's level: the engine plays each solution, and the built-in agent says how hard the program is.

    python -m tools.daily [ID …]

A line for each level or variation: the difficulty that its file tells, the agent's outcome, difficulty, rounds and number of facts.
The exit code is 1 if a solution does not prove its program, if a fact of it can be left out, or if the agent does not solve it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from idg.coordinator.pool.computing.analyses import assess
from idg.coordinator.pool.computing.calls import AboutProgram
from idg.engine.engine import Engine
from idg.levels import WORDS, Level, SolutionFact
from idg.levels.daily import Variation, daily_catalogue
from idg.sip.program import Program


def proves(program: Program, facts: Iterable[SolutionFact]) -> bool:
    """Whether these facts prove the program's guarantee."""
    engine = Engine(program)
    return engine.propose_many(engine.start(), [(fact.loop, fact.expr) for fact in facts]).feedback.solved


def faults(entry: Level | Variation) -> list[str]:
    """What the engine finds wrong with the solution."""
    program = entry.program()
    wrong = [] if proves(program, entry.solution) else ["its solution does not prove it"]
    for left_out in entry.solution:
        if proves(program, [fact for fact in entry.solution if fact != left_out]):
            wrong.append(f"it is proved without {left_out.expr}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Check what can be today's level.")
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these levels and variations")
    wanted = parser.parse_args().ids
    failed = False
    for entry in daily_catalogue():
        if wanted and entry.id not in wanted:
            continue
        wrong = faults(entry)
        agent = assess(AboutProgram(entry.source))
        if agent.outcome != "solved":
            wrong.append("the agent does not solve it")
        word = "" if agent.difficulty is None else WORDS[agent.difficulty - 1]
        print(
            f"{entry.id}: told {WORDS[entry.difficulty - 1]}; agent: {agent.outcome} {word}, {agent.rounds} rounds, "
            f"{agent.invariants} facts{''.join(f'; WRONG: {fault}' for fault in wrong)}",
            flush=True,
        )
        failed |= bool(wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
