"""Measures on noisy machines: contestants take turns, CPU time is counted, and the best of several rounds is kept."""

from __future__ import annotations

import gc
import json
import platform
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).with_name("results.jsonl")


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    rival: str
    ours: float
    """Given in `unit`; mostly CPU seconds."""
    theirs: float
    goal: str
    met: bool
    unit: str = "s"

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    def __str__(self) -> str:
        mark = "met" if self.met else "MISSED"
        return (
            f"{self.name}\n    ours {self._shown(self.ours)}, {self.rival} {self._shown(self.theirs)}: "
            f"ratio {self.ratio:.3g} (goal: {self.goal}) {mark}"
        )

    def _shown(self, value: float) -> str:
        return _seconds(value) if self.unit == "s" else f"{value:g}"


def _seconds(value: float) -> str:
    return f"{value:.3f} s" if value >= 0.1 else f"{value * 1e3:.2f} ms" if value >= 1e-4 else f"{value * 1e6:.1f} µs"


def best(contestants: Mapping[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """The least CPU seconds of each contestant. They take turns, so that a slow phase of the machine meets all of them."""
    seconds = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, work in contestants.items():
            gc.collect()
            start = time.process_time()
            kept = work()
            seconds[name] = min(seconds[name], time.process_time() - start)
            del kept
    return seconds


def record(figures: list[Figure], command: str) -> None:
    row = {
        "command": command,
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "figures": [
            {
                "name": figure.name,
                "rival": figure.rival,
                "unit": figure.unit,
                "ours": figure.ours,
                "theirs": figure.theirs,
                "ratio": round(figure.ratio, 4),
                "goal": figure.goal,
                "met": figure.met,
            }
            for figure in figures
        ],
    }
    with RESULTS.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"\nappended to {RESULTS.relative_to(RESULTS.parents[1])}", file=sys.stderr)
