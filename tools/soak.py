"""Attacks the prover and the engine with a million queries: `make soak`, resumable with the same command.

Progress is kept in .soak/: what is done, and every disagreement with its seed and how to see it again. The work is done by
processes of their own, so that a solver that hangs can be ended and noted. Exit code 1 means that an answer was shown to be wrong.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from idg.cli.live import live_line

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".soak"
SHOW = live_line()
"""Shows how far it is, in a line that is overwritten."""
QUERIES = 1_000_000
"""Queries after which the soak is complete."""
QUERY_SEEDS = 400
"""Seeds of queries in one unit of work. A unit also attacks the engine with one program."""
ARRAY_SHARE = 100
"""For so many seeds of queries there is one program with facts about arrays, because those take a hundred times as long."""
DEAR_UNITS = 5
"""Of so many units one attacks the engine with loops over arrays as well, and without its runs, which takes longest."""
UNIT_CPU_SECONDS = 300
"""CPU seconds after which a unit is taken to hang. It is not the clock that counts: a busy machine is no mistake of ours."""
UNIT_SECONDS = 3_600
"""Wall-clock seconds after which a unit is ended that waits for something and does not work."""
FIRST_SEED = 1_000_000
"""The tests use smaller seeds, so they and the soak never attack with the same queries."""


@dataclass
class Progress:
    next_unit: int = 0
    queries: int = 0
    disagreements: int = 0
    hung: list[int] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


def unit_seeds(first_seed: int, unit: int) -> tuple[int, range]:
    """The seed of the unit's program, and those of its queries."""
    start = first_seed + unit * QUERY_SEEDS
    return first_seed + unit, range(start, start + QUERY_SEEDS)


def work(connection: Connection, first_seed: int) -> None:
    """Runs in a process of its own: receives the numbers of units and sends a report of each."""
    from tests.support.attack.array_attack import attack_array_facts, attack_array_loops
    from tests.support.attack.attack import Report, attack_engine
    from tests.support.attack.queries.attack_queries import attack_queries
    from tests.support.attack.unaided import attack_unaided, attack_unaided_arrays

    def guarded(attack: Any, report: Report, seed: int) -> None:
        try:
            attack(report, seed)
        except Exception:
            report.wrong(f"{attack.__name__} crashed", traceback.format_exc())

    while True:
        unit = connection.recv()
        limit_cpu()
        report = Report()
        program_seed, query_seeds = unit_seeds(first_seed, unit)
        guarded(attack_engine, report, program_seed)
        for seed in query_seeds:
            guarded(attack_queries, report, seed)
        if unit % DEAR_UNITS == 0:
            for attack in (attack_array_loops, attack_unaided, attack_unaided_arrays):
                guarded(attack, report, program_seed)
        for seed in query_seeds[::ARRAY_SHARE]:
            guarded(attack_array_facts, report, seed)
        connection.send((report.queries, report.answers, [str(disagreement) for disagreement in report.disagreements]))


def limit_cpu() -> None:
    """Lets this process work for one unit more; the system ends it where it works longer."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime) + UNIT_CPU_SECONDS, hard))


class Worker:
    def __init__(self, first_seed: int) -> None:
        self.first_seed = first_seed
        self.start()

    def start(self) -> None:
        self.connection, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=work, args=(theirs, self.first_seed), daemon=True)
        self.process.start()
        theirs.close()
        self.unit = -1
        self.deadline = 0.0

    def give(self, unit: int) -> None:
        self.unit = unit
        self.deadline = time.monotonic() + UNIT_SECONDS
        self.connection.send(unit)

    def restart(self) -> None:
        self.process.kill()
        self.process.join()
        self.start()


class Soak:
    def __init__(self, folder: Path, queries: int, workers: int, first_seed: int) -> None:
        self.folder = folder
        self.queries = queries
        self.path = folder / f"progress-{first_seed}.json"
        self.log = folder / f"disagreements-{first_seed}.txt"
        self.progress = Progress(**json.loads(self.path.read_text())) if self.path.exists() else Progress()
        self.workers = [Worker(first_seed) for _ in range(workers)]
        self.first_seed = first_seed
        self.started = time.monotonic() - self.progress.seconds

    def run(self) -> int:
        units = self.units()
        units_done: set[int] = set()
        for worker in self.workers:
            worker.give(next(units))
        while self.progress.queries < self.queries:
            for worker in self.finished():
                units_done.add(worker.unit)
                while self.progress.next_unit in units_done:
                    units_done.remove(self.progress.next_unit)
                    self.progress.next_unit += 1
                worker.give(next(units))
            self.show()
        self.show("\n")
        return 1 if self.progress.disagreements else 0

    def units(self) -> Iterator[int]:
        unit = self.progress.next_unit
        while True:
            yield unit
            unit += 1

    def finished(self) -> list[Worker]:
        """Waits for at most a second, notes what workers report, and returns those that are done with their unit."""
        ready = wait([worker.connection for worker in self.workers], timeout=1)
        free_workers = []
        for worker in self.workers:
            if worker.connection in ready:
                try:
                    self.note(*worker.connection.recv())
                except EOFError:
                    worker.process.join()
                    if worker.process.exitcode == -signal.SIGXCPU:
                        self.hang(worker, f"a unit took more than {UNIT_CPU_SECONDS} s of work")
                    else:
                        self.fail(worker, "a worker died")
                free_workers.append(worker)
            elif time.monotonic() > worker.deadline:
                self.hang(worker, f"a unit took more than {UNIT_SECONDS} s")
                free_workers.append(worker)
        return free_workers

    def hang(self, worker: Worker, cause: str) -> None:
        self.progress.hung.append(worker.unit)
        self.fail(worker, cause, disagrees=False)

    def fail(self, worker: Worker, cause: str, disagrees: bool = True) -> None:
        program_seed, query_seeds = unit_seeds(self.first_seed, worker.unit)
        self.write(f"{cause}: engine {program_seed}, queries {query_seeds.start} to {query_seeds.stop - 1}\n", disagrees)
        worker.restart()

    def note(self, queries: int, answers: dict[str, int], disagreements: list[str]) -> None:
        self.progress.queries += queries
        for name, count in answers.items():
            self.progress.answers[name] = self.progress.answers.get(name, 0) + count
        for disagreement in disagreements:
            self.write(disagreement, True)

    def write(self, text: str, disagrees: bool) -> None:
        self.progress.disagreements += disagrees
        SHOW("")
        print(text, file=sys.stderr)
        with self.log.open("a") as log:
            print(text, file=log)

    def show(self, end: str = "") -> None:
        """Prints the progress on one line and writes it to the file."""
        self.progress.seconds = time.monotonic() - self.started
        temporary = self.path.with_suffix(".new")
        temporary.write_text(json.dumps(asdict(self.progress)))
        os.replace(temporary, self.path)
        share = min(1.0, self.progress.queries / self.queries)
        rate = self.progress.queries / max(1.0, self.progress.seconds)
        wrong = f"{self.progress.disagreements} disagreement(s), {len(self.progress.hung)} hung"
        line = f"{self.progress.queries:>9,} of {self.queries:,} queries ({share:.1%}), {rate:.0f}/s, {wrong} "
        if end:
            SHOW("")
            print(line, end=end, flush=True)
        else:
            SHOW(line)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="the first seed; each has its own progress")
    parser.add_argument("--restart", action="store_true", help="forget the progress")
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    if options.restart:
        for path in FOLDER.glob(f"*-{options.seed}.*"):
            path.unlink()
    soak = Soak(FOLDER, options.queries, options.workers, options.seed)
    try:
        return soak.run()
    except KeyboardInterrupt:
        print("\nto be continued with the same command")
        return 130
    finally:
        for worker in soak.workers:
            worker.process.kill()


if __name__ == "__main__":
    sys.exit(main())
