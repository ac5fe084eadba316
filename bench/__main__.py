"""Runs the benchmarks that are named, or all of them:

python -m bench [runs parsing startup engine facts audit arrays ends editor quality ghosts coordinator classroom cluster scale
    agents browser news coordinators]
"""

from __future__ import annotations

import sys

from bench import agents, ends
from bench.language import editor, parsing, runs, startup
from bench.proofs import arrays, audit, engine, facts, ghosts, quality
from bench.servers import browser, classroom, cluster, coordinator, coordinators, news, scale
from bench.timing import Figure, record
from idg.prover.solvers import load_solvers

SUITES = {
    "runs": runs.figures,
    "parsing": parsing.figures,
    "startup": startup.figures,
    "engine": engine.figures,
    "facts": facts.figures,
    "audit": audit.figures,
    "arrays": arrays.figures,
    "ends": ends.figures,
    "editor": editor.figures,
    "quality": quality.figures,
    "ghosts": ghosts.figures,
    "coordinator": coordinator.figures,
    "classroom": classroom.figures,
    "cluster": cluster.figures,
    "scale": scale.figures,
    "agents": agents.figures,
    "browser": browser.figures,
    "news": news.figures,
    "coordinators": coordinators.figures,
}


def main() -> int:
    wanted = sys.argv[1:] or list(SUITES)
    unknown = [name for name in wanted if name not in SUITES]
    if unknown:
        print(f"there is no benchmark {unknown[0]}; known: {', '.join(SUITES)}", file=sys.stderr)
        return 2
    load_solvers()  # Otherwise the first proof that needs one would count its import.
    figures: list[Figure] = []
    for name in wanted:
        for figure in SUITES[name]():
            print(figure, flush=True)
            figures.append(figure)
    record(figures, " ".join(["python -m bench", *sys.argv[1:]]))
    return 0 if all(figure.met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
