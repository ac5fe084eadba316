"""Plays the built-in agent on programs that must not be in the repository, or on any folder of C and SIP files.

make holdout FOLDER=programs SECONDS=20

Each program is played in a forked process of its own, which has a limit in CPU seconds. So a crash, a leak or an endless search
concerns one program only, and what others do on the machine hardly matters. The table says what was solved, refuted, left open and
refused by the reader of C, how many CPU seconds that took, and for each undecided program the state that is left. The seconds cover
reading, runs, proposals, proofs and the second verifier, but not the imports, which the forked processes share.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from time import process_time
from typing import NamedTuple

from idg.agents import Agent, LocalEngine
from idg.cli.programs.importing import headers_of
from idg.engine.results import SecondCheck
from idg.engine.telling.messages import feedback_message
from idg.importer import ImportRefused, import_c
from idg.prover.solvers import load_solvers
from idg.sip.errors import SipError
from idg.sip.program import load

DEFAULT_SECONDS = 20.0
"""CPU seconds of the agent's search for one program."""
GRACE_SECONDS = 20
"""CPU seconds after that at which the process is killed: the agent asks between two steps whether its time is up."""
OUTCOMES = ("solved", "trivial", "refuted", "open", "refused", "crashed")
"""`trivial` is solved without an invariant, or promises nothing; `refused` is not read; `crashed` gave no answer."""
UNDECIDED = ("open", "crashed")


class Entry(NamedTuple):
    """A program of a suite."""

    name: str
    text: str
    right: bool | None = None
    """Whether its guarantee holds, where that is known."""
    c_file: str = ""
    """For a C program: its file, beside which headers are looked for."""


class Played(NamedTuple):
    """How the agent's game on one program ended."""

    name: str
    outcome: str
    """One of OUTCOMES."""
    seconds: float
    """CPU seconds of the whole process."""
    told: str = ""
    """The state that is left, the reason of a refusal, or the end of a traceback."""
    confirmed: bool = True
    """Whether the second verifier confirms the proof of a solved program."""
    invariants: tuple[tuple[str, ...], ...] = ()
    wrong: bool = False
    """Whether the outcome contradicts what is known of the program."""


def of_folder(folder: Path) -> list[Entry]:
    """The C and SIP files of a folder and the folders in it, by name."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".c", ".sip") and path.is_file())
    return [
        Entry(
            str(path.relative_to(folder)),
            path.read_text(encoding="utf-8", errors="replace"),
            c_file=str(path) if path.suffix == ".c" else "",
        )
        for path in files
    ]


def play(entry: Entry, seconds: float, seed: int = 0) -> Played:
    """Plays one program in this process. What the agent or a reader raises is not caught here, except a refusal."""
    try:
        program = load(import_c(entry.text, headers_of(entry.c_file, entry.text)).source if entry.c_file else entry.text)
    except ImportRefused as error:
        return Played(entry.name, "refused", process_time(), f"{error.line}:{error.column}: {error.reason}")
    except SipError as error:
        return Played(entry.name, "refused", process_time(), str(error).splitlines()[0])
    start = process_time()
    engine = LocalEngine(program, should_stop=lambda: process_time() - start > seconds)
    result = Agent(engine, seed=seed, grows=True, spacer_first=True).play()
    wrong = (result.outcome == "solved" and entry.right is False) or (result.outcome == "refuted" and entry.right is True)
    spent = process_time()
    if result.outcome == "open":
        left = engine.left()
        if left.nothing_to_prove:
            return Played(entry.name, "trivial", spent, "nothing to prove")
        told = " ".join(str(feedback_message(left, program)).split())
        return Played(entry.name, "open", spent, f"{'(time) ' * result.stopped}{told}", invariants=result.invariants)
    told = "" if result.run is None else result.message
    outcome = "trivial" if result.outcome == "solved" and not any(result.invariants) else result.outcome
    confirmed = result.outcome != "solved" or result.second_check is SecondCheck.CONFIRMED
    return Played(entry.name, outcome, spent, told, confirmed, result.invariants, wrong)


class _Child:
    """A forked process that plays one program and writes the result into a pipe."""

    def __init__(self, entry: Entry, work: Callable[[Entry], Played], seconds: float) -> None:
        self.entry = entry
        self.read_end, write_end = os.pipe()
        self.received = b""
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.read_end)
            _be_child(entry, work, seconds, write_end)
        os.close(write_end)

    def read(self) -> bool:
        """Reads what is there. False: the process has closed its end."""
        part = os.read(self.read_end, 65_536)
        self.received += part
        return bool(part)

    def result(self) -> Played:
        """The result, after the process has closed its end of the pipe."""
        os.close(self.read_end)
        _, status, usage = os.wait4(self.pid, 0)
        seconds = usage.ru_utime + usage.ru_stime
        try:
            fields = json.loads(self.received)
        except ValueError:
            how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit code {os.waitstatus_to_exitcode(status)}"
            return Played(self.entry.name, "crashed", seconds, f"the process ended without a result: {how}")
        fields["invariants"] = tuple(map(tuple, fields["invariants"]))
        return Played(**fields)


def _be_child(entry: Entry, work: Callable[[Entry], Played], seconds: float, write_end: int) -> None:
    """What the forked process does; it never returns."""
    limit = int(seconds) + GRACE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    try:
        played = work(entry)
    except BaseException:
        told = " | ".join(traceback.format_exc().strip().splitlines()[-3:])
        played = Played(entry.name, "crashed", process_time(), told)
    with os.fdopen(write_end, "wb") as pipe:
        pipe.write(json.dumps(played._asdict()).encode())
    os._exit(0)


def play_all(
    entries: Sequence[Entry], seconds: float, jobs: int, work: Callable[[Entry], Played] | None = None
) -> Iterator[Played]:
    """The results, in the order of the entries. `jobs` processes are at work at the same time."""
    work = work or (lambda entry: play(entry, seconds))
    waiting = list(enumerate(entries))[::-1]
    done: dict[int, Played] = {}
    told = 0
    with DefaultSelector() as selector:
        while waiting or selector.get_map():
            while waiting and len(selector.get_map()) < jobs:
                place, entry = waiting.pop()
                child = _Child(entry, work, seconds)
                selector.register(child.read_end, EVENT_READ, (place, child))
            for key, _ in selector.select():
                place, child = key.data
                if not child.read():
                    selector.unregister(child.read_end)
                    done[place] = child.result()
            while told in done:
                yield done[told]
                told += 1


def p90(seconds: Sequence[float]) -> float:
    """The value that nine tenths do not exceed."""
    return sorted(seconds)[max(0, -(-len(seconds) * 9 // 10) - 1)]


def table(played: Sequence[Played]) -> str:
    """The counts, the seconds, and what is left of each undecided or refused program."""
    counts = {outcome: [game for game in played if game.outcome == outcome] for outcome in OUTCOMES}
    lines = [f"{'outcome':<10} {'programs':>8} {'median s':>9} {'p90 s':>9} {'maximum s':>9}"]
    read = [game for game in played if game.outcome != "refused"]
    for name, games in (*counts.items(), ("all read", read)):
        seconds = [game.seconds for game in games]
        figures = (
            f"{statistics.median(seconds):9.3f} {p90(seconds):9.3f} {max(seconds):9.3f}" if seconds else f"{'':9} {'':9} {'':9}"
        )
        lines.append(f"{name:<10} {len(games):>8} {figures}".rstrip())
    decided = sum(game.outcome not in UNDECIDED for game in read)
    lines.append(f"decided: {decided} of {len(read)} ({100 * decided / max(1, len(read)):.1f} %)")
    solved = [game for game in counts["solved"] + counts["trivial"] if game.told != "nothing to prove"]
    lines.append(f"proofs confirmed by the second verifier: {sum(game.confirmed for game in solved)} of {len(solved)}")
    wrong = [game.name for game in played if game.wrong]
    lines += [f"WRONG: {', '.join(wrong)}"] if wrong else []
    for game in played:
        if game.outcome in (*UNDECIDED, "refused") or not game.confirmed:
            kind = game.outcome if game.confirmed else f"{game.outcome}, not confirmed"
            lines.append(f"{kind}: {game.name} ({game.seconds:.2f} s): {game.told}")
            lines += [f"    loop {loop}: {' & '.join(facts)}" for loop, facts in enumerate(game.invariants, 1) if facts]
    return "\n".join(lines)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options that every suite has."""
    parser.add_argument("--seconds", type=float, default=DEFAULT_SECONDS, help="CPU seconds of the search for one program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="programs that are played at the same time")
    parser.add_argument("--json", metavar="FILE", help="also writes one line of JSON for each program")


def report(entries: Sequence[Entry], options: argparse.Namespace) -> int:
    """Plays the entries and prints the table. 0: all that was read is decided, every proof is confirmed, and nothing is wrong."""
    load_solvers()
    played = []
    for game in play_all(entries, options.seconds, max(1, options.jobs)):
        played.append(game)
        if sys.stderr.isatty():
            print(f"{game.name}: {game.outcome}, {game.seconds:.2f} s", file=sys.stderr)
    print(table(played))
    if options.json:
        Path(options.json).write_text(
            "".join(f"{json.dumps(game._asdict(), ensure_ascii=False)}\n" for game in played), encoding="utf-8"
        )
    return 1 if any(game.wrong or not game.confirmed or game.outcome in UNDECIDED for game in played) else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.holdout", description="plays the agent on a folder of C and SIP files")
    parser.add_argument("folder", type=Path)
    arguments(parser)
    options = parser.parse_args()
    entries = of_folder(options.folder) if options.folder.is_dir() else []
    if not entries:
        print(f"there is no .c or .sip file in '{options.folder}'", file=sys.stderr)
        return 2
    return report(entries, options)


if __name__ == "__main__":
    sys.exit(main())
