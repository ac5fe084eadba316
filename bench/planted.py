"""Random loops with planted invariants, as many right ones as wrong ones: a suite of our own that the agent was not made for.

python -m bench.planted [--count 300] [--first 0] [--write FOLDER]

Each family draws a loop around an invariant that it holds by construction: linear and polynomial equations, bounds, remainders,
phases, nested loops, loops in sequence, choices, Booleans. Programs with odd numbers are made wrong by one change of the text; it
stays only where a run shows that it is wrong. The same number gives the same program everywhere.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bench import holdout
from bench.holdout import Entry
from bench.planted_families import FAMILIES
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.running.chooser import ExploringChooser
from idg.sip.syntax import Type
from idg.sip.values import Value

COUNT = 300
"""Programs of the suite."""
RIGHT_RUNS = 60
"""Runs of a right program, none of which may fail: a check of the generator, not of the agent."""
WRONG_RUNS = 300
"""Runs of a changed program among which one must fail."""
RUN_LIMITS = RunLimits(steps_max=6_000, rows_max=6_000, choice_tries_max=300)
"""Limits of these runs: four times as many turns as the runs of the engine's set have."""
CHANGES_MAX = 40
"""Changes of one program that are tried; after them another program is drawn."""
NUMBER = re.compile(r"(?<![\w.^])\d+(?![\w.])")
COMPARISON = re.compile(r" (<=|>=|<|>|=) ")
OTHER_SIGNS = {"<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "=": (">=", "<=")}


def planted(number: int) -> Entry:
    """The program with this number. Programs with odd numbers are wrong."""
    pick = random.Random(f"planted {number}")
    family = FAMILIES[number // 2 % len(FAMILIES)]
    name = f"{family.__name__}_{number}"
    while True:
        text = family(pick).text(name)
        if number % 2 == 0:
            assert not _fails(load(text), pick, RIGHT_RUNS), f"a run of a program that should be right fails:\n{text}"
            return Entry(name, text, right=True)
        wrong = list(_changes(text))
        pick.shuffle(wrong)
        for changed in wrong[:CHANGES_MAX]:
            try:
                program = load(changed)
            except SipError:
                continue
            if _fails(program, pick, WRONG_RUNS):
                return Entry(name, changed, right=False)


def _changes(text: str) -> Iterator[str]:
    """The text with one number, one comparison or one variable changed, or with a fault that shows late only."""
    lines = text.splitlines()

    def changed(number: int, line: str) -> str:
        return "\n".join([*lines[:number], line, *lines[number + 1 :], ""])

    for number, line in enumerate(lines):
        if line.lstrip().startswith(("fn ", "pre(", "var ")):
            continue
        for match in NUMBER.finditer(line):
            for value in (int(match.group()) + 1, int(match.group()) - 1):
                if value >= 0:
                    yield changed(number, f"{line[: match.start()]}{value}{line[match.end() :]}")
        for match in COMPARISON.finditer(line):
            for sign in OTHER_SIGNS[match.group(1)]:
                yield changed(number, f"{line[: match.start()]} {sign} {line[match.end() :]}")
        step = re.fullmatch(r"( *)(\w+) := \2 ([-+]) (\d+);", line)
        if step is not None:
            space, name, sign, amount = step.groups()
            for late in (37, 333, 1500):
                reached = f"{name} = {late}" if sign == "+" else f"{name} = {-late}" if late else ""
                extra = f"{space}if ({reached}) {{ {name} := {name} {sign} {int(amount) + 1}; }} else {{ {line.strip()} }}"
                yield changed(number, extra)


def _fails(program: Program, pick: random.Random, runs: int) -> bool:
    """Whether one of these runs fails."""
    for number in range(runs):
        reach = (4, 12, 60, 400, 2_000)[number % 5]
        inputs: dict[str, Value] = {
            name: pick.randint(0 if kind is Type.NAT else -reach, reach) for name, kind in program.params.items()
        }
        chooser = ExploringChooser(number) if number % 2 else None
        if program.run(inputs, limits=RUN_LIMITS, seed=number, chooser=chooser, record=False).outcome.kind == "failed":
            return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.planted", description="plays the agent on random loops")
    parser.add_argument("--count", type=int, default=COUNT, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="only writes the programs into this folder")
    holdout.arguments(parser)
    options = parser.parse_args()
    entries = [planted(number) for number in range(options.first, options.first + options.count)]
    if options.write is None:
        return holdout.report(entries, options)
    options.write.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        comment = "# Right: it was planted." if entry.right else "# Wrong: it was changed, and a run fails."
        (options.write / f"{entry.name}.sip").write_text(f"{comment}\n{entry.text}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
