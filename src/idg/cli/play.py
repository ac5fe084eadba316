"""`idg play`: a level in the terminal. Look at the trace, try expressions on it, change the inputs."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterable

from idg.cli.levels import level_list, stars
from idg.cli.main import SUCCESS, UsageError
from idg.levels import Level, all_levels, find_level
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.printer import print_expression
from idg.sip.program import Program
from idg.sip.syntax import Assert, Expr, Return, Type
from idg.sip.tables import Table, evaluation_table, text_table, trace_table
from idg.sip.trace import Run
from idg.sip.values import InputError, Value, format_value

ROWS_SHOWN = 24
OTHER_RUNS = 60
"""Further runs on which a fact that holds in the trace is tried."""
OTHER_LIMITS = RunLimits(steps_max=20_000, rows_max=2_000)
SMALL = 12
LARGE = 1_000

HELP = """\
  Type an expression over the variables of the table:
    res = n * cnt        a Boolean one is checked in every row: ✓ holds, ✗ fails
    n * cnt              a numeric one shows its value in every row
  or a command:
    :run n=3 m=4         show the trace for these inputs          :run        the level's own inputs
    :trace               show the trace again                     :program    show the program again
    :facts               what held in every run so far            :loop 2     look at another loop
    :levels              list the levels                          :level 5    go to another level   :next
    :help   :quit"""


def play(options: argparse.Namespace) -> int:
    print("The Invariant Discovery Game, in the terminal\n")
    if options.level is None:
        level = _ask_for_level()
    else:
        level = find_level(options.level)
        if level is None:
            raise UsageError(f"there is no level '{options.level}' ('idg levels' lists them)")
    while level is not None:
        level = Sitting(level).play()
    print("Bye.")
    return SUCCESS


def _ask_for_level() -> Level | None:
    print(level_list())
    while True:
        answer = _ask("\nWhich level (name or number, Enter for the first)? ")
        if answer is None or answer in (":quit", ":q", "quit"):
            return None
        level = find_level(answer or "1")
        if level is not None:
            print()
            return level
        print(f"There is no level '{answer}'.")


def _ask(prompt: str) -> str | None:
    """A line from the player; None at the end of the input."""
    try:
        answer = input(prompt)
    except EOFError:
        print()
        return None
    if not sys.stdin.isatty():
        print(answer)
    return answer.strip()


class Sitting:
    """One player at one level."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.program: Program = level.program()
        self.loop = 1
        self.run: Run = self.program.run(level.inputs)
        self.facts: list[tuple[int, str]] = []
        """Loop and canonical text of what held in every run tried, in the order of its discovery."""

    def play(self) -> Level | None:
        """Until the player leaves; the level to go to next, if any."""
        level = self.level
        print(f"{level.title}  {stars(level)}\n{level.text}\n")
        self.show_program()
        self.show_trace()
        print("\nFind facts that hold every time the loop comes round. :help explains.")
        while True:
            line = _ask(f"\n{level.id}> ")
            if line is None or line in (":quit", ":q", ":exit", "quit", "exit"):
                return None
            if line.startswith(":"):
                command, _, rest = line[1:].partition(" ")
                going_to = self.command(command, rest.strip())
                if going_to is not None:
                    print()
                    return going_to
            elif line:
                self.expression(line)

    def command(self, command: str, rest: str) -> Level | None:
        """Carry out a command; returns a level to go to."""
        match command:
            case "help" | "h" | "?":
                print(HELP)
            case "program" | "p":
                self.show_program()
            case "trace" | "t":
                self.show_trace()
            case "run" | "r":
                self.change_inputs(rest)
            case "loop":
                self.change_loop(rest)
            case "facts" | "f":
                self.show_facts()
            case "levels":
                print(level_list())
            case "level":
                found = find_level(rest)
                if found is None:
                    print(f"There is no level '{rest}'. :levels lists them.")
                return found
            case "next" | "n":
                levels = all_levels()
                at = levels.index(self.level) + 1
                if at < len(levels):
                    return levels[at]
                print("This is the last level.")
            case _:
                print(f"There is no command ':{command}'.\n{HELP}")
        return None

    def show_program(self) -> None:
        marks: dict[int, str] = {}
        for loop in self.program.loops:
            which = f" loop {loop.number}" if len(self.program.loops) > 1 else ""
            marks[_line(self.level.source, loop.statement.span.start)] = f"[[I]]{which}"
        for statement in self.program.level.body.statements[-1:]:
            if isinstance(statement, Assert | Return):
                marks[_line(self.level.source, statement.span.start)] = "[[G]]"
        lines = self.level.source.rstrip().splitlines()
        width = max(map(len, lines))
        for number, line in enumerate(lines, 1):
            print(f"  {number:>2}  {line:<{width}}  {marks.get(number, '')}".rstrip())
        print(f"\n  [[G]] the guarantee: {self.level.guarantee}")

    def show_trace(self) -> None:
        trace = self.run.of(self.loop)
        inputs = ", ".join(f"{name} = {format_value(value)}" for name, value in self.run.inputs.items())
        which = f" at loop {self.loop}" * (len(self.program.loops) > 1)
        print(f"\nThe states{which} [[I]]{' for ' + inputs if inputs else ''}:\n")
        print(text_table(trace_table(trace, ROWS_SHOWN)))
        print(f"\nThe run: {self.run.message}.")

    def change_inputs(self, rest: str) -> None:
        given = dict(self.level.inputs)
        for each in rest.replace(",", " ").split():
            name, equals, value = each.partition("=")
            if not equals:
                print(f"Expected inputs such as {' '.join(f'{name}={value}' for name, value in given.items())}, found '{each}'.")
                return
            given[name] = value
        try:
            run = self.program.run(given)
        except InputError as error:
            print(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        self.run = run
        self.show_trace()

    def change_loop(self, rest: str) -> None:
        if not rest.isdecimal() or not 1 <= int(rest) <= len(self.program.loops):
            print(f"This program has {len(self.program.loops)} loop{'s' * (len(self.program.loops) > 1)}; say :loop 1.")
            return
        self.loop = int(rest)
        self.show_trace()

    def show_facts(self) -> None:
        if not self.facts:
            print("Nothing yet: type an expression that holds in every row.")
        for loop, text in self.facts:
            print(f"  loop {loop}: {text}" if len(self.program.loops) > 1 else f"  {text}")

    def expression(self, text: str) -> None:
        trace = self.run.of(self.loop)
        try:
            found = trace.evaluate(text)
        except SipError as error:
            print(error)
            return
        print(coloured(evaluation_table([found], ROWS_SHOWN)))
        if found.type is not Type.BOOL:
            return
        print(f"\nIt {found.summary()}.")
        if found.holds:
            self.try_elsewhere(found.expr, text)

    def try_elsewhere(self, expr: Expr, text: str) -> None:
        """A fact must hold in every run, not only in the one on the table."""
        rows = runs = 0
        for inputs in other_inputs(self.program, self.level):
            run = self.program.run(inputs, limits=OTHER_LIMITS, seed=runs)
            if run.outcome.kind == "ignored":
                continue
            values = run.of(self.loop).values(expr)
            runs, rows = runs + 1, rows + len(values)
            failing = next((at for at, value in enumerate(values) if value is not True), None)
            if failing is not None:
                shown = " ".join(f"{name}={format_value(value)}" for name, value in run.inputs.items())
                which = shown or "other choices"
                print(f"But another run shows that it is not always so: with {which} it fails in row {failing + 1}.")
                if shown:
                    print(f"Look at it with :run {shown}")
                return
        fact = (self.loop, print_expression(expr))
        if fact in self.facts:
            print("You had that one already.")
            return
        self.facts.append(fact)
        print(f"It also holds in {rows:,} rows of {runs} other runs.")
        print("Kept as a fact (:facts shows all); runs alone do not prove it.")


def other_inputs(program: Program, level: Level) -> Iterable[dict[str, Value | str]]:
    """Inputs worth trying, then seeded random ones, small and large."""
    yield dict(level.inputs)
    for each in level.tries:
        yield dict(each)
    pick = random.Random(level.id)
    for number in range(OTHER_RUNS):
        reach = SMALL if number % 4 else LARGE
        yield {name: random_value(pick, kind, reach) for name, kind in program.params.items()}


def random_value(pick: random.Random, kind: Type, reach: int) -> Value | str:
    if kind is Type.BOOL:
        return pick.random() < 0.5
    number = pick.randint(0 if kind is Type.NAT else -reach, reach)
    return f"{number}/{pick.randint(1, 6)}" if kind is Type.RAT else number


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def coloured(table: Table) -> str:
    """Rows that hold in blue, rows that fail in orange, where the terminal can show it; the signs say it anyway."""
    text = text_table(table)
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    lines = text.split("\n")
    at = 2
    gaps = dict(table.gaps)
    for number, mark in enumerate(table.marks):
        at += number in gaps
        if mark is not None:
            lines[at] = f"\x1b[{'34' if mark else '33'}m{lines[at]}\x1b[0m"
        at += 1
    return "\n".join(lines)
