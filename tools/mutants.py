"""Breaks the engine on purpose: `make mutants` applies each mutation of mutants.toml to a copy of the tree, where a test must fail.

Exit code 1 means that a mutant survived, so that a rule is not tested, or that a mutant no longer fits the sources.

A copy is compiled once and serves many mutants, one after the other. What was seen is kept in .mutants/: mutants that were noticed
on the same sources are not tried again, and the test that noticed a mutant the last time comes first.
"""

from __future__ import annotations

import argparse
import compileall
import hashlib
import json
import os
import queue
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = ROOT / "tools" / "mutants.toml"
SEEN = ROOT / ".mutants" / "seen.json"
COPIED = ("src", "tests", "tools", "docs", "spec", "pyproject.toml", "Makefile")
CPU_SECONDS_MAX = 240
"""CPU seconds for the tests of a mutant. One whose tests take more counts as noticed, because it made something run on."""
SECONDS_MAX = 3_600
"""Wall-clock seconds for them. They are many, because a busy machine must not make a mutant look as if a test had noticed it."""


class CouldNotRun(Exception):
    """Something else than a failing test ended pytest, such as a signal. It says nothing about the mutant."""


@dataclass
class Mutant:
    why: str
    """What the mutation breaks, in words."""
    file: str
    """The path of the file below src/idg."""
    old: str
    """The text to be replaced, which occurs exactly once in the file."""
    new: str
    tests: str
    """The name of the group of quick tests of which one must fail."""

    @property
    def name(self) -> str:
        return f"{self.file}: {self.why}"

    def digest(self) -> str:
        return hashlib.sha256(f"{self.old}\0{self.new}\0{self.tests}".encode()).hexdigest()

    def problem(self) -> str:
        """Why the mutation does not fit the sources; '' if it fits."""
        count = (ROOT / "src" / "idg" / self.file).read_text().count(self.old)
        return "" if count == 1 else f"its old text occurs {count} times in {self.file}"


def read_list() -> tuple[dict[str, list[str]], list[Mutant]]:
    document = tomllib.loads(LIST.read_text())
    return document["tests"], [Mutant(**row) for row in document["mutant"]]


def compiled_copy(folder: Path) -> None:
    """Copies the tree and compiles it, because tests of mutants write no bytecode: it would outlive the mutant."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        elif source.exists():
            shutil.copy(source, folder / name)
    compileall.compile_dir(folder / "src", quiet=1)


def digest() -> str:
    """Of the sources and the tests. What was seen on others says nothing."""
    text = hashlib.sha256()
    for name in ("src", "tests"):
        for path in sorted((ROOT / name).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                text.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return text.hexdigest()


class Seen:
    """Which test noticed each mutant, and on which sources. Resumes a run that was ended."""

    def __init__(self) -> None:
        self.now = digest()
        self.rows: dict[str, dict[str, str]] = json.loads(SEEN.read_text()) if SEEN.exists() else {}

    def done(self, mutant: Mutant) -> bool:
        """Whether the same mutant was noticed on the same sources."""
        row = self.rows.get(mutant.name, {})
        return row.get("sources") == self.now and row.get("mutation") == mutant.digest()

    def test(self, mutant: Mutant) -> str:
        """The test that noticed the mutant the last time; '' if none is known."""
        return self.rows.get(mutant.name, {}).get("test", "")

    def note(self, mutant: Mutant, failure: str) -> None:
        words = failure.split()
        test = words[1] if words[:1] == ["FAILED"] else ""
        self.rows[mutant.name] = {"sources": self.now, "mutation": mutant.digest(), "test": test}
        SEEN.parent.mkdir(exist_ok=True)
        temporary = SEEN.with_suffix(".new")
        temporary.write_text(json.dumps(self.rows, indent=1))
        os.replace(temporary, SEEN)


def limit_cpu() -> None:
    """Called in the process of the tests: it ends after so much work, however long that takes beside other processes."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS_MAX, CPU_SECONDS_MAX + 10))


def run_tests(folder: Path, arguments: list[str], keep_bytecode: bool = False) -> tuple[bool, str]:
    """Whether all tests pass, and the first line that reports a failure."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "" if keep_bytecode else "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments]
    process = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS_MAX, preexec_fn=limit_cpu
    )
    if process.returncode == -signal.SIGXCPU:
        return False, f"more than {CPU_SECONDS_MAX} s of work"
    failures = [line for line in process.stdout.splitlines() if line.startswith(("FAILED ", "ERROR tests"))]
    if process.returncode not in (0, 1):
        told = f"{process.stdout[-2_000:]}{process.stderr[-2_000:]}"
        raise CouldNotRun(f"pytest {' '.join(arguments)} could not run, exit code {process.returncode}: {told}")
    return process.returncode == 0, (failures or [""])[0]


def unmutated(folder: Path, arguments: list[str]) -> str:
    """Why the tests fail although nothing was mutated; '' if they pass."""
    try:
        passed, failure = run_tests(folder, arguments, keep_bytecode=True)
    except CouldNotRun as error:
        return str(error)
    return "" if passed else failure or "they fail"


@contextmanager
def mutated(folder: Path, mutant: Mutant) -> Iterator[None]:
    """The mutation in the copy. Times of the file tell its text from the compiled one, before and after."""
    path = folder / "src" / "idg" / mutant.file
    text, times = path.read_text(), path.stat()
    path.write_text(text.replace(mutant.old, mutant.new))
    os.utime(path, (times.st_atime, times.st_mtime + 10))
    try:
        yield
    finally:
        path.write_text(text)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def failing_test(folder: Path, mutant: Mutant, arguments: list[str], likely: str) -> tuple[bool, str]:
    """Whether all tests of the group pass, and the failure; the test that is likely to fail is tried alone before."""
    with mutated(folder, mutant):
        if likely:
            try:
                passed, failure = run_tests(folder, [likely])
                if not passed:
                    return False, failure
            except CouldNotRun:
                pass  # The test has another name by now.
        return run_tests(folder, arguments)


def try_mutant(mutant: Mutant, tests: list[str], folder: Path, seen: Seen) -> bool:
    """Whether a test fails, as it should."""
    started = time.monotonic()
    problem, failure = mutant.problem(), ""
    if not problem:
        try:
            passed, failure = failing_test(folder, mutant, tests, seen.test(mutant))
            problem = "no test fails" if passed else ""
        except CouldNotRun as error:
            problem = str(error)
    if not problem:
        seen.note(mutant, failure)
    verdict = f"SURVIVED ({problem})" if problem else f"noticed: {failure[:100]}"
    print(f"{time.monotonic() - started:5.1f} s  {mutant.name}: {verdict}", flush=True)
    return not problem


def try_group(group: str, tests: list[str], mutants: list[Mutant], folders: queue.Queue[Path], seen: Seen) -> int:
    """How many mutants of the group were noticed. None counts where the tests fail without them, too."""
    folder = folders.get()
    try:
        failure = unmutated(folder, tests)
        if failure:
            print(f"SURVIVED: all of {group}, whose tests fail without any mutation: {failure}", flush=True)
            return 0
        return sum(try_mutant(mutant, tests, folder, seen) for mutant in mutants)
    finally:
        folders.put(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="mutants with this text in their description or file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--again", action="store_true", help="try mutants again that were noticed on the same sources")
    options = parser.parse_args()
    groups, mutants = read_list()
    chosen = [mutant for mutant in mutants if options.only in mutant.name]
    seen = Seen()
    left = [mutant for mutant in chosen if options.again or not seen.done(mutant)]
    before = len(chosen) - len(left)
    with tempfile.TemporaryDirectory(prefix="idg-mutant-") as name, ThreadPoolExecutor(options.jobs) as pool:
        folders: queue.Queue[Path] = queue.Queue()
        for number in range(options.jobs):
            compiled_copy(Path(name) / str(number))
            folders.put(Path(name) / str(number))
        tasks = [
            pool.submit(try_group, group, tests, [mutant for mutant in left if mutant.tests == group], folders, seen)
            for group, tests in groups.items()
            if any(mutant.tests == group for mutant in left)
        ]
        noticed = before + sum(task.result() for task in tasks)
    print(f"{noticed} of {len(chosen)} mutants noticed, {before} of them in an earlier run on the same sources")
    return 0 if noticed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
