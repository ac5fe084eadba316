"""Breaks the engine on purpose: `make mutants` applies each mutation of mutants.toml to a copy of the tree, where a test must fail.

Exit code 1 means that a mutant survived, so that a rule is not tested, or that a mutant no longer fits the sources.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = ROOT / "tools" / "mutants.toml"
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

    def problem(self) -> str:
        """Why the mutation does not fit the sources; '' if it fits."""
        count = (ROOT / "src" / "idg" / self.file).read_text().count(self.old)
        return "" if count == 1 else f"its old text occurs {count} times in {self.file}"


def read_list() -> tuple[dict[str, list[str]], list[Mutant]]:
    document = tomllib.loads(LIST.read_text())
    return document["tests"], [Mutant(**row) for row in document["mutant"]]


def copy_tree(target: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        elif source.exists():
            shutil.copy(source, target / name)


def limit_cpu() -> None:
    """Called in the process of the tests: it ends after so much work, however long that takes beside other processes."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS_MAX, CPU_SECONDS_MAX + 10))


def run_tests(folder: Path, arguments: list[str]) -> tuple[bool, str]:
    """Whether all tests pass, and the first line that reports a failure."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
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
        passed, failure = run_tests(folder, arguments)
    except CouldNotRun as error:
        return str(error)
    return "" if passed else failure or "they fail"


def try_mutant(mutant: Mutant, groups: dict[str, list[str]]) -> str:
    """'' if a test fails, as it should; otherwise what is wrong with the mutant."""
    problem = mutant.problem()
    started = time.monotonic()
    if not problem:
        with tempfile.TemporaryDirectory(prefix="idg-mutant-") as name:
            folder = Path(name)
            copy_tree(folder)
            path = folder / "src" / "idg" / mutant.file
            path.write_text(path.read_text().replace(mutant.old, mutant.new))
            try:
                passed, failure = run_tests(folder, groups[mutant.tests])
                problem = "no test fails" if passed else ""
            except CouldNotRun as error:
                problem = str(error)
    verdict = f"SURVIVED ({problem})" if problem else f"noticed: {failure[:100]}"
    print(f"{time.monotonic() - started:5.1f} s  {mutant.file}: {mutant.why}: {verdict}", flush=True)
    return problem


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="mutants with this text in their description or file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    groups, mutants = read_list()
    chosen = [mutant for mutant in mutants if options.only in f"{mutant.file} {mutant.why}"]
    with tempfile.TemporaryDirectory(prefix="idg-mutant-") as name:
        folder = Path(name)
        copy_tree(folder)
        wanted = {mutant.tests for mutant in chosen}
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda group: (group, unmutated(folder, groups[group])), sorted(wanted)))
    failing = [(group, failure) for group, failure in results if failure]
    if failing:
        print(f"without any mutation the tests fail: {failing}", file=sys.stderr)
        return 2
    with ThreadPoolExecutor(options.jobs) as pool:
        problems = [problem for problem in pool.map(lambda mutant: try_mutant(mutant, groups), chosen) if problem]
    print(f"{len(chosen) - len(problems)} of {len(chosen)} mutants noticed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
