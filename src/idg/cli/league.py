"""`idg league`: agents on a set of programs, and a table of what each one solved."""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from idg.agents.sdk.connection import PlayError
from idg.cli.agents import game_json, load_agent
from idg.cli.errors import SUCCESS, UsageError
from idg.sip.record import Record

START_SECONDS_MAX = 60.0
"""For a process to start and import what it needs, on a busy machine."""
NAME_CHARS_MAX = 30
NAME_END_CHARS = 8


class Contest(Record):
    """A program to be played: a level, or a text with its name."""

    name: str
    level: str | None
    source: str


class Played(Record):
    agent: str
    program: str
    outcome: str
    """'solved', 'open', 'failed' (the agent raised an error) or 'time'"""
    cpu_seconds: float | None
    proposals: int | None
    message: str

    def as_json(self) -> dict[str, object]:
        return {
            "agent": self.agent,
            "program": self.program,
            "outcome": self.outcome,
            "cpu_seconds": self.cpu_seconds,
            "proposals": self.proposals,
            "message": self.message,
        }


def run(options: argparse.Namespace) -> int:
    contests = _contests(options)
    for each in options.agents:
        load_agent(each)
    if options.seconds <= 0:
        raise UsageError("--seconds must be more than 0")
    agents = list(dict.fromkeys(options.agents))
    played: list[Played] = []
    for agent, name in zip(agents, _names(agents), strict=True):
        for each in _played(agent, name, contests, options.seconds):
            played.append(each)
            if not options.json and sys.stderr.isatty():
                print(f"{each.agent}: {each.program}: {each.outcome}", file=sys.stderr)
    print(json.dumps([each.as_json() for each in played], ensure_ascii=False, indent=1) if options.json else table(played))
    return SUCCESS


def _names(agents: Sequence[str]) -> list[str]:
    """Short, unless two would have the same."""
    stems = Counter(Path(each).stem for each in agents)
    return [Path(each).stem if stems[Path(each).stem] == 1 else each for each in agents]


def _contests(options: argparse.Namespace) -> list[Contest]:
    from idg.levels import all_levels, find_level

    if options.programs is not None:
        if options.level:
            raise UsageError("give levels or a folder of programs, not both")
        files = sorted(each for each in Path(options.programs).glob("*") if each.suffix in (".sip", ".c"))
        if not files:
            raise UsageError(f"there is no .sip or .c file in '{options.programs}'")
        stems = Counter(each.stem for each in files)
        contests = [_contest(each, each.name if stems[each.stem] > 1 else each.stem) for each in files]
        readable = [each for each in contests if each is not None]
        if not readable:
            raise UsageError(f"nothing is left to play: no .sip or .c file in '{options.programs}' can be read")
        return readable
    if not options.level:
        return [Contest(each.id, each.id, "") for each in all_levels()]
    found = []
    for name in options.level:
        level = find_level(name)
        if level is None:
            raise UsageError(f"there is no level '{name}' ('idg levels' lists them)")
        found.append(Contest(level.id, level.id, ""))
    return found


def _contest(file: Path, name: str) -> Contest | None:
    """None for a file that cannot be read, or is outside the subset of C; why was said on standard error."""
    from idg.cli.importing import imported
    from idg.cli.texts import read_text

    try:
        return Contest(name, None, read_text(str(file)) if file.suffix == ".sip" else imported(str(file), notes=False).source)
    except UsageError as error:
        print(f"{error} (left out)", file=sys.stderr)
    except SystemExit:
        # The reason was printed with its place.
        pass
    return None


class _Seat:
    """A process in which one agent plays; started again when it had to be ended."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self._context = multiprocessing.get_context("spawn")
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe()
        self.process = self._context.Process(target=_play_all, args=(self.agent, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def play(self, contest: Contest, seconds: float) -> dict[str, Any] | None:
        """What the agent did, or None: it took too long, or its process ended."""
        with contextlib.suppress(EOFError, OSError):
            if self._received(START_SECONDS_MAX) is not None:
                self.pipe.send((contest.level, contest.source, contest.name))
                found = self._received(seconds)
                if found is not None:
                    return found
        self.end()
        self._start()
        return None

    def _received(self, seconds: float) -> dict[str, Any] | None:
        if not self.pipe.poll(seconds):
            return None
        found: dict[str, Any] = self.pipe.recv()
        return found

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _play_all(agent: str, pipe: Connection) -> None:
    """In the seat's process: says that it is ready, gets a program, plays it, tells how that went."""
    from idg.agents.sdk.player import Player

    # What agents print must not get into the table.
    sys.stdout = sys.stderr
    play = load_agent(agent)
    player = Player.local()
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            pipe.send({"ready": True})
            level, source, title = pipe.recv()
            start = process_time()
            try:
                game = player.open(level) if level is not None else player.open(program=source, title=title)
            except PlayError as error:
                pipe.send({"error": _first_line(f"{error}{_why_not(source)}")})
                continue
            try:
                play(game)
                pipe.send(game_json(game, process_time() - start))
            except Exception as error:
                pipe.send({"error": _first_line("".join(traceback.format_exception_only(error)))})


def _first_line(message: str) -> str:
    return next(iter(message.strip().splitlines()), "")


def _why_not(source: str) -> str:
    """What a program lacks that is correct, and cannot be played."""
    from idg.sip.errors import SipError
    from idg.sip.program import load

    with contextlib.suppress(SipError):
        program = load(source)
        if program.loops and not program.guarantee:
            return ": a program to be played ends with an assert or has a post; asserts inside loops are no guarantee"
    return ""


def _played(agent: str, name: str, contests: Sequence[Contest], seconds: float) -> Iterator[Played]:
    seat = _Seat(agent)
    try:
        for each in contests:
            found = seat.play(each, seconds)
            if found is None:
                yield Played(name, each.name, "time", None, None, f"no end within {seconds:g} seconds")
            elif "error" in found:
                yield Played(name, each.name, "failed", None, None, found["error"])
            else:
                outcome = "solved" if found["solved"] else "open"
                yield Played(name, each.name, outcome, found["cpu_seconds"], found["proposals"], "")
    finally:
        seat.end()


def table(played: Sequence[Played]) -> str:
    """A row a program, a column an agent; then the sums, and why games failed."""
    agents = list(dict.fromkeys(each.agent for each in played))
    programs = list(dict.fromkeys(each.program for each in played))
    cells = {(each.agent, each.program): _cell(each) for each in played}
    rows = [[_shown(program), *(cells.get((agent, program), "") for agent in agents)] for program in programs]
    rows = [["program", *agents], *rows, ["solved", *(_sum(played, agent) for agent in agents)]]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    failed = [f"{each.agent} failed on {each.program}: {each.message}" for each in played if each.outcome == "failed"]
    return "\n".join([*lines, *([""] if failed else []), *failed])


def _shown(name: str) -> str:
    """With its end, where the kind of the file stands."""
    return name if len(name) <= NAME_CHARS_MAX else f"{name[: NAME_CHARS_MAX - NAME_END_CHARS - 1]}…{name[-NAME_END_CHARS:]}"


def _cell(played: Played) -> str:
    if played.cpu_seconds is None:
        return played.outcome
    return f"{played.outcome}, {played.cpu_seconds:.2f} s, {played.proposals} proposals"


def _sum(played: Sequence[Played], agent: str) -> str:
    own = [each for each in played if each.agent == agent]
    solved = [each for each in own if each.outcome == "solved"]
    seconds = [each.cpu_seconds for each in solved if each.cpu_seconds is not None]
    if not seconds:
        return f"0 of {len(own)}"
    proposals = sum(each.proposals or 0 for each in own)
    return f"{len(solved)} of {len(own)}, median {median(seconds):.2f} s, max {max(seconds):.2f} s, {proposals} proposals"
