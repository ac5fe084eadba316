"""Breaks the engine on purpose: `make mutants` applies each mutation of mutants.toml to a copy of the tree, where a test must fail.

Exit code 1: a mutant survived, so a rule is not tested; or one no longer fits the sources.
"""

from __future__ import annotations

import argparse
import os
import shutil
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
SECONDS_MAX = 240
"""A mutant whose tests take longer counts as noticed: it made something run on."""


@dataclass
class Mutant:
    why: str
    """What is broken."""
    file: str
    """Below src/idg."""
    old: str
    """Occurs exactly once there."""
    new: str
    tests: str
    """The name of a group of tests, quick ones."""

    def problem(self) -> str:
        """Why it does not fit the sources; '' where it does."""
        count = (ROOT / "src" / "idg" / self.file).read_text().count(self.old)
        return "" if count == 1 else f"its old text occurs {count} times in {self.file}"


def read_list() -> tuple[dict[str, list[str]], list[Mutant]]:
    found = tomllib.loads(LIST.read_text())
    return found["tests"], [Mutant(**each) for each in found["mutant"]]


def copy_tree(target: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        elif source.exists():
            shutil.copy(source, target / name)


def run_tests(folder: Path, arguments: list[str]) -> tuple[bool, str]:
    """Whether all pass, and the last lines of what was said."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return False, f"more than {SECONDS_MAX} s"
    said = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode not in (0, 1):
        raise RuntimeError(f"pytest could not run: {done.stdout[-2_000:]}{done.stderr[-2_000:]}")
    return done.returncode == 0, (said or [""])[0]


def try_mutant(mutant: Mutant, groups: dict[str, list[str]]) -> str:
    """'' where a test fails, else what is wrong with the mutant."""
    problem = mutant.problem()
    started = time.monotonic()
    if not problem:
        with tempfile.TemporaryDirectory(prefix="idg-mutant-") as name:
            folder = Path(name)
            copy_tree(folder)
            path = folder / "src" / "idg" / mutant.file
            path.write_text(path.read_text().replace(mutant.old, mutant.new))
            passed, said = run_tests(folder, groups[mutant.tests])
            problem = "no test fails" if passed else ""
    verdict = f"SURVIVED ({problem})" if problem else f"noticed: {said[:100]}"
    print(f"{time.monotonic() - started:5.1f} s  {mutant.file}: {mutant.why}: {verdict}", flush=True)
    return problem


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="mutants with this text in their description or file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    groups, mutants = read_list()
    chosen = [each for each in mutants if options.only in f"{each.file} {each.why}"]
    with tempfile.TemporaryDirectory(prefix="idg-mutant-") as name:
        folder = Path(name)
        copy_tree(folder)
        wanted = {each.tests for each in chosen}
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda group: (group, run_tests(folder, groups[group])), sorted(wanted)))
    failing = [(group, said) for group, (passed, said) in results if not passed]
    if failing:
        print(f"without any mutation the tests fail: {failing}", file=sys.stderr)
        return 2
    with ThreadPoolExecutor(options.jobs) as pool:
        problems = [each for each in pool.map(lambda each: try_mutant(each, groups), chosen) if each]
    print(f"{len(chosen) - len(problems)} of {len(chosen)} mutants noticed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
