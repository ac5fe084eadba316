"""Programs made wrong on purpose, one change each: a comparison, a number, two assignments the wrong way round.

All changes of a program are tried in their order, and those stay that a run shows to be wrong, confirmed by the simple interpreter.
Of these the ones that the fewest runs show come first, because they are the hardest to notice.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from idg.levels import all_levels
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.running.runner import RunStart
from idg.sip.running.trace import Run
from tests.levels.test_corpus import FOLDER, entries
from tests.support.attack.attack import replayed
from tests.support.programs.drawn.run_inputs import seeded_inputs

RUNS = 60
"""Seeded runs of a changed program, of which at least one must fail."""
LIMITS = RunLimits(steps_max=300, rows_max=300, choice_tries_max=300)
"""Limits of such a run, so that an endless one ends soon."""
OPPOSITES = {"<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "=": ("<=", "!="), "!=": ("=",)}
COMPARISON = re.compile(r" (<=|>=|!=|<|>|=) ")
LITERAL = re.compile(r"(?<![\w.^])\d+(?![\w.])")
ASSIGNMENT = re.compile(r"^ *\w+ := .*;$")


Facts = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class RightProgram:
    name: str
    text: str
    facts: Facts = ()
    """Facts that prove it, each with its loop."""


@dataclass(frozen=True)
class WrongProgram:
    origin: str
    change: str
    program: Program
    start: RunStart
    """What repeats a run that fails."""
    failing_runs: int
    facts: Facts = ()
    """What proves the program before the change, where that is known."""

    def __str__(self) -> str:
        return f"{self.origin}: {self.change}"


def changes(text: str) -> Iterator[tuple[str, str]]:
    """What is changed and the text after it, for every single change."""
    lines = text.splitlines()
    for number, line in enumerate(lines):

        def told(new: str, number: int = number) -> tuple[str, str]:
            return f"line {number + 1} is {new.strip()}", "\n".join([*lines[:number], new, *lines[number + 1 :]])

        for sign in COMPARISON.finditer(line):
            for other in OPPOSITES[sign.group(1)]:
                yield told(f"{line[: sign.start()]} {other} {line[sign.end() :]}")
        for literal in LITERAL.finditer(line):
            for value in (int(literal.group()) + 1, int(literal.group()) - 1, 7):
                if value >= 0 and value != int(literal.group()):
                    yield told(f"{line[: literal.start()]}{value}{line[literal.end() :]}")
        if number and ASSIGNMENT.match(line) and ASSIGNMENT.match(lines[number - 1]):
            swapped = [*lines[: number - 1], line, lines[number - 1], *lines[number + 1 :]]
            yield f"lines {number} and {number + 1} are swapped", "\n".join(swapped)


def shown_wrong(origin: RightProgram, change: str, text: str) -> WrongProgram | None:
    """The changed program, where runs show that it is wrong."""
    try:
        program = load(text)
    except SipError:
        return None
    failing: list[Run] = []
    for seed, inputs in enumerate(seeded_inputs(random.Random(change), program, RUNS)):
        if program.run(inputs, limits=LIMITS, seed=seed, record=False).outcome.kind == "failed":
            failing.append(program.run(inputs, limits=LIMITS, seed=seed))
    if not failing:
        return None
    run = failing[0]
    assert replayed(program, run.inputs, run.choices).kind == "failed", (text, run.inputs)
    start = RunStart(run.inputs, run.seed, tuple(chosen.values for chosen in run.choices))
    return WrongProgram(origin.name, change, program, start, len(failing), origin.facts)


def wrong_versions(origin: RightProgram, count: int) -> list[WrongProgram]:
    """The versions that the fewest runs show to be wrong."""
    tried = (shown_wrong(origin, change, changed) for change, changed in changes(origin.text))
    return sorted((wrong for wrong in tried if wrong is not None), key=lambda wrong: wrong.failing_runs)[:count]


def right_programs() -> list[RightProgram]:
    """The levels and, where it is there, the corpus."""
    programs = [
        RightProgram(level.id, str(level.program()), tuple((fact.loop, fact.expr) for fact in level.solution))
        for level in all_levels()
    ]
    for suite in ("nla", "invgame", "code2inv") if FOLDER.is_dir() else ():
        for entry in entries(suite):
            if entry["valid"] is not False:
                facts = tuple((fact["loop"], fact["expr"]) for fact in entry["proof_set"] or ())
                programs.append(RightProgram(entry["id"], str(load(entry["sip"])), facts))
    return programs


def wrong_programs(count: int, versions: int = 2) -> list[WrongProgram]:
    """So many wrong programs. They come from programs that are spread over all the right ones, at first two from each."""
    programs = right_programs()
    versions = max(versions, -(-count // len(programs)) + 1)
    every = max(1, len(programs) * versions // count)
    chosen: list[WrongProgram] = []
    for program in (*programs[::every], *programs):
        if len(chosen) < count and program.name not in {wrong.origin for wrong in chosen}:
            chosen += wrong_versions(program, versions)
    return chosen[:count]
