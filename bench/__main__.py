"""Runs the benchmarks that are named, or all of them:

python -m bench [runs parsing startup engine audit quality coordinator agents browser]
"""

from __future__ import annotations

import sys

from bench import agents, audit, browser, coordinator, engine, parsing, quality, runs, startup
from bench.timing import Figure, record

SUITES = {
    "runs": runs.figures,
    "parsing": parsing.figures,
    "startup": startup.figures,
    "engine": engine.figures,
    "audit": audit.figures,
    "quality": quality.figures,
    "coordinator": coordinator.figures,
    "agents": agents.figures,
    "browser": browser.figures,
}


def main() -> int:
    wanted = sys.argv[1:] or list(SUITES)
    unknown = [name for name in wanted if name not in SUITES]
    if unknown:
        print(f"there is no benchmark {unknown[0]}; known: {', '.join(SUITES)}", file=sys.stderr)
        return 2
    figures: list[Figure] = []
    for name in wanted:
        for figure in SUITES[name]():
            print(figure, flush=True)
            figures.append(figure)
    record(figures, " ".join(["python -m bench", *sys.argv[1:]]))
    return 0 if all(figure.met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
