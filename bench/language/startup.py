"""Measures `idg check` on a small file from start to end, against an empty Python process."""

from __future__ import annotations

import compileall
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.timing import Figure
from tests.support.programs.known_levels import known_level

ROUNDS = 25
"""Rounds, of which the best counts."""


def figures() -> list[Figure]:
    level = known_level("int-square-root")
    idg = shutil.which("idg", path=str(Path(sys.executable).parent))
    assert idg is not None, "run `make setup` first"
    # If Python is told to write no bytecode, it would compile the sources that changed since `make setup` in every round.
    compileall.compile_dir(Path(__file__).parents[2] / "src", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "level.sip"
        file.write_text(level.source, encoding="utf-8")
        commands = {"ours": [idg, "check", str(file)], "empty": [sys.executable, "-c", "pass"]}
        # This measures wall time, because a user waits for it and a child's CPU time is measured too coarsely here. The commands
        # take turns, and the best of many rounds counts.
        times = dict.fromkeys(commands, float("inf"))
        for _ in range(ROUNDS):
            for name, command in commands.items():
                start = time.perf_counter()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                times[name] = min(times[name], time.perf_counter() - start)
    return [
        Figure(
            "idg check on a small file",
            "python -c pass",
            times["ours"],
            times["empty"],
            "at most 5",
            times["ours"] <= 5 * times["empty"],
        )
    ]
