"""`idg league`: lets agents play a set of programs, and prints a table of what each one solved."""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from time import process_time

from idg.agents.sdk.errors import PlayError
from idg.cli.colours import headed
from idg.cli.errors import SUCCESS, UsageError
from idg.cli.live import live_bar
from idg.cli.playing.agents import GameReport, game_report, load_agent
from idg.engine.wire.codec import encode
from idg.sip.record import Record

START_SECONDS_MAX = 60.0
"""How long a process may take to start and to import what it needs; a busy machine takes several seconds."""
END_SECONDS_MAX = 5.0
"""How long a process that has closed its pipe may take to end."""
NAME_CHARS_MAX = 30
"""The width of a program's name in the table, in characters; longer names are cut in the middle."""
NAME_END_CHARS = 8
"""How many characters are kept of the end of a name that is cut."""


class Contest(Record):
    """A program to be played: a level, or a text with its name."""

    name: str
    level: str | None
    source: str


class Played(Record):
    """How one agent's game on one program went."""

    agent: str
    program: str
    outcome: str
    """'solved', 'open', 'failed' (the agent raised an error) or 'time'"""
    cpu_seconds: float | None
    proposals: int | None
    message: str


class Ready(Record):
    """An agent's process says that it waits for a program."""


class GameFailed(Record):
    """An agent's process says that there is no result: the program cannot be played, or the agent raised an error."""

    message: str


def run(options: argparse.Namespace) -> int:
    contests = _contests(options)
    for name in options.agents:
        load_agent(name)
    if options.seconds <= 0:
        raise UsageError("--seconds must be more than 0")
    agents = list(dict.fromkeys(options.agents))
    played: list[Played] = []
    bar = live_bar("games")
    bar(0, len(agents) * len(contests))
    for agent, name in zip(agents, _names(agents), strict=True):
        for game in _played(agent, name, contests, options.seconds, max(1, options.processes or os.cpu_count() or 1)):
            played.append(game)
            bar(len(played), len(agents) * len(contests))
    print(json.dumps([encode(game) for game in played], ensure_ascii=False, indent=1) if options.json else headed(table(played)))
    return SUCCESS


def _names(agents: Sequence[str]) -> list[str]:
    """The names in the table: the file's name without its folder, unless two agents would have the same name."""
    stems = Counter(Path(agent).stem for agent in agents)
    return [Path(agent).stem if stems[Path(agent).stem] == 1 else agent for agent in agents]


def _contests(options: argparse.Namespace) -> list[Contest]:
    from idg.levels import all_levels, find_level

    if options.programs is not None:
        if options.level:
            raise UsageError("give levels or a folder of programs, not both")
        files = sorted(path for path in Path(options.programs).glob("*") if path.suffix in (".sip", ".c", ".py"))
        if not files:
            raise UsageError(f"there is no .sip, .c or .py file in '{options.programs}'")
        stems = Counter(path.stem for path in files)
        contests = [_contest(path, path.name if stems[path.stem] > 1 else path.stem) for path in files]
        readable = [contest for contest in contests if contest is not None]
        if not readable:
            raise UsageError(f"nothing is left to play: no .sip, .c or .py file in '{options.programs}' can be read")
        return readable
    if not options.level:
        return [Contest(level.id, level.id, "") for level in all_levels()]
    chosen = []
    for name in options.level:
        level = find_level(name)
        if level is None:
            raise UsageError(f"there is no level '{name}' ('idg levels' lists them)")
        chosen.append(Contest(level.id, level.id, ""))
    return chosen


def _contest(file: Path, name: str) -> Contest | None:
    """The program of a file. None if it cannot be read or is outside the subset of C; the reason is printed on standard error."""
    from idg.cli.programs.importing import imported
    from idg.cli.programs.texts import read_text

    try:
        return Contest(name, None, read_text(str(file)) if file.suffix == ".sip" else imported(str(file), notes=False).source)
    except UsageError as error:
        print(f"{error} (left out)", file=sys.stderr)
    except SystemExit:
        # `imported` has printed the reason and its place.
        pass
    return None


class _AgentProcess:
    """A process in which one agent plays one program after the other. It is started again after it had to be killed."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self._context = multiprocessing.get_context("spawn")
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe()
        self.process = self._context.Process(target=_play_all, args=(self.agent, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def play(self, contest: Contest, seconds: float) -> GameReport | GameFailed | None:
        """What the process says about the game. None if the agent took too long."""
        ended = ""
        try:
            if self._received(START_SECONDS_MAX) is not None:
                self.pipe.send((contest.level, contest.source, contest.name))
                reply = self._received(seconds)
                if isinstance(reply, GameReport | GameFailed):
                    return reply
        except (EOFError, OSError):
            self.process.join(END_SECONDS_MAX)
            ended = f"its process ended (exit code {self.process.exitcode})"
        self.end()
        self._start()
        return GameFailed(ended) if ended else None

    def _received(self, seconds: float) -> Ready | GameReport | GameFailed | None:
        if not self.pipe.poll(seconds):
            return None
        reply: Ready | GameReport | GameFailed = self.pipe.recv()
        return reply

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _play_all(agent: str, pipe: Connection) -> None:
    """What the agent's process repeats: it says that it is ready, receives a program, plays it and says how that went."""
    from idg.agents.sdk.player import Player

    # What an agent prints must not get into the table.
    sys.stdout = sys.stderr
    play = load_agent(agent)
    player = Player.local()
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            pipe.send(Ready())
            level, source, title = pipe.recv()
            start = process_time()
            try:
                game = player.open(level) if level is not None else player.open(program=source, title=title)
            except PlayError as error:
                pipe.send(GameFailed(_first_line(f"{error}{_why_not(source)}")))
                continue
            try:
                play(game)
                pipe.send(game_report(game, process_time() - start))
            except Exception as error:
                pipe.send(GameFailed(_first_line("".join(traceback.format_exception_only(error)))))


def _first_line(message: str) -> str:
    return next(iter(message.strip().splitlines()), "")


def _why_not(source: str) -> str:
    """Why a correct program cannot be played, if we know: it has loops but no guarantee. Else an empty text."""
    from idg.sip.errors import SipError
    from idg.sip.program import load

    with contextlib.suppress(SipError):
        program = load(source)
        if program.loops and not program.guarantee:
            return ": a program to be played ends with an assert or has a post; asserts inside loops are no guarantee"
    return ""


def _played(agent: str, name: str, contests: Sequence[Contest], seconds: float, processes: int) -> Iterator[Played]:
    """The games of one agent, in the order of the programs. So many of them are played side by side, each in a process."""
    idle: SimpleQueue[_AgentProcess] = SimpleQueue()
    started = [_AgentProcess(agent) for _ in range(min(processes, len(contests)))]
    for process in started:
        idle.put(process)

    def play(contest: Contest) -> Played:
        process = idle.get()
        try:
            return _told(name, contest, process.play(contest, seconds), seconds)
        finally:
            idle.put(process)

    threads = ThreadPoolExecutor(len(started))
    try:
        yield from threads.map(play, contests)
    finally:
        # Whoever is interrupted does not wait for the games.
        threads.shutdown(wait=False, cancel_futures=True)
        for process in started:
            process.process.kill()
        threads.shutdown()
        for process in started:
            process.end()


def _told(name: str, contest: Contest, reply: GameReport | GameFailed | None, seconds: float) -> Played:
    if reply is None:
        return Played(name, contest.name, "time", None, None, f"no end within {seconds:g} seconds")
    if isinstance(reply, GameFailed):
        return Played(name, contest.name, "failed", None, None, reply.message)
    return Played(name, contest.name, "solved" if reply.solved else "open", reply.cpu_seconds, reply.proposals, "")


def table(played: Sequence[Played]) -> str:
    """A table with a row for each program and a column for each agent, then a row of sums, then why games failed."""
    agents = list(dict.fromkeys(game.agent for game in played))
    programs = list(dict.fromkeys(game.program for game in played))
    cells = {(game.agent, game.program): _cell(game) for game in played}
    rows = [[_shown(program), *(cells.get((agent, program), "") for agent in agents)] for program in programs]
    rows = [["program", *agents], *rows, ["solved", *(_sum(played, agent) for agent in agents)]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    failed = [f"{game.agent} failed on {game.program}: {game.message}" for game in played if game.outcome == "failed"]
    return "\n".join([*lines, *([""] if failed else []), *failed])


def _shown(name: str) -> str:
    """A name as the table shows it. The end is kept, because it tells a .sip file from a .c file."""
    return name if len(name) <= NAME_CHARS_MAX else f"{name[: NAME_CHARS_MAX - NAME_END_CHARS - 1]}…{name[-NAME_END_CHARS:]}"


def _cell(played: Played) -> str:
    if played.cpu_seconds is None:
        return played.outcome
    return f"{played.outcome}, {played.cpu_seconds:.2f} s, {played.proposals} proposals"


def _sum(played: Sequence[Played], agent: str) -> str:
    own = [game for game in played if game.agent == agent]
    solved = [game for game in own if game.outcome == "solved"]
    seconds = [game.cpu_seconds for game in solved if game.cpu_seconds is not None]
    if not seconds:
        return f"0 of {len(own)}"
    proposals = sum(game.proposals or 0 for game in own)
    return f"{len(solved)} of {len(own)}, median {median(seconds):.2f} s, max {max(seconds):.2f} s, {proposals} proposals"
