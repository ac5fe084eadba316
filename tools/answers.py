"""Records what the command line answers on many programs, and compares two recordings byte by byte.

A change that must not change any answer is checked by recording before and after it:

    python -m tools.answers record before.jsonl --tree OLD_CHECKOUT
    python -m tools.answers record after.jsonl
    python -m tools.answers compare before.jsonl after.jsonl

The programs are the levels and, where ../shared is there, the corpus from outside. For each loop the known invariants are proposed,
each followed by a wrong neighbour; then the built-in agent solves the program. Both go through `idg … --json` in processes of their
own, so any two versions that have these commands can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from idg.levels import all_levels
from tools import ROOT

CORPUS = ROOT.parent / "shared" / "corpus"
SUITES = ("invgame", "nla", "code2inv")
SECONDS_MAX = 600
"""Wall-clock seconds for one command; only guards against hanging."""
PARALLEL = 2
"""Commands that run at the same time. Answers do not depend on it."""

Proposals = dict[int, list[str]]
"""Loop → expressions to propose there, in order."""


def with_neighbours(expressions: list[str]) -> list[str]:
    """Each expression, followed by the same one with its first whole number increased by one, where it has one."""
    proposals = []
    for expression in expressions:
        proposals.append(expression)
        neighbour = re.sub(r"(?<![\w.])\d+(?![\w.])", lambda number: str(int(number[0]) + 1), expression, count=1)
        if neighbour != expression:
            proposals.append(neighbour)
    return proposals


def programs(quick: bool) -> Iterator[tuple[str, str, Proposals]]:
    """Name, text and proposals of each program."""
    for level in all_levels():
        known: Proposals = {}
        for fact in level.solution:
            known.setdefault(fact.loop, []).append(fact.expr)
        yield f"level {level.id}", level.source, known
    if quick or not CORPUS.is_dir():
        return
    for suite in SUITES:
        for entry in json.loads((CORPUS / f"{suite}.json").read_text(encoding="utf-8")):
            known = {}
            for invariant in entry["known_invariants"]:
                known.setdefault(invariant["loop"], []).append(invariant["expr"])
            yield f"{suite} {entry['id']}", entry["sip"], known


def answer(tree: Path, arguments: list[str]) -> str:
    """What `idg` of that tree prints, its exit code included."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    command = [sys.executable, "-m", "idg", *arguments]
    result = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=SECONDS_MAX)
    return f"{result.stdout}{result.stderr}exit code {result.returncode}\n"


def answers_about(tree: Path, name: str, text: str, proposals: Proposals) -> list[str]:
    """One JSON line for each question about the program."""
    with tempfile.TemporaryDirectory(prefix="idg-answers-") as folder:
        file = Path(folder) / "program.sip"
        file.write_text(text, encoding="utf-8")
        questions = []
        for loop, expressions in sorted(proposals.items()):
            flags = [part for expression in with_neighbours(expressions) for part in ("-e", expression)]
            questions.append((f"propose {loop}", ["propose", str(file), "--loop", str(loop), "--json", *flags]))
        questions.append(("prove", ["prove", str(file), "--json"]))
        questions.append(("solve", ["solve", str(file), "--json", "--seconds", str(SECONDS_MAX)]))
        return [
            json.dumps({"program": name, "question": question, "answer": without_times(answer(tree, arguments), folder)})
            for question, arguments in questions
        ]


def without_times(printed: str, folder: str) -> str:
    """The answer without what may differ between two runs: seconds, and the name of the temporary folder."""
    return re.sub(r'("seconds"): [\d.e-]+', r"\1: 0", printed.replace(folder, ""))


def record(target: Path, tree: Path, quick: bool) -> None:
    with target.open("w", encoding="utf-8") as file, ThreadPoolExecutor(PARALLEL) as threads:
        for lines in threads.map(lambda program: answers_about(tree, *program), list(programs(quick))):
            file.writelines(f"{line}\n" for line in lines)
            file.flush()


def compare(before: Path, after: Path) -> int:
    """Prints every answer that differs; the number of them."""
    old, new = (
        {(row["program"], row["question"]): row["answer"] for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
        for path in (before, after)
    )
    shared = [key for key in new if key in old]
    differing = [key for key in shared if old[key] != new[key]]
    for program, question in differing:
        print(f"{program}, {question}:\n- {old[program, question]}+ {new[program, question]}")
    print(f"{len(shared)} answers compared, {len(differing)} differ")
    return len(differing)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="ask everything and write the answers")
    recording.add_argument("target", type=Path)
    recording.add_argument("--tree", type=Path, default=ROOT, help="the checkout to ask; this one by default")
    recording.add_argument("--quick", action="store_true", help="the levels only")
    comparing = commands.add_parser("compare", help="compare two recordings")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.target, arguments.tree.resolve(), arguments.quick)
        return 0
    return 1 if compare(arguments.before, arguments.after) else 0


if __name__ == "__main__":
    raise SystemExit(main())
