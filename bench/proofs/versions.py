"""Measures proposals of recorded games against another version of the engine: `python -m bench.proofs.versions FOLDER`.

FOLDER is a checkout of the other version, such as `git worktree add FOLDER b05175f` (version 0.1). Processes of the two versions
play the same games in turns. Both are given the texts of the programs, because levels may differ between versions.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from bench.proofs.games import Game, program_of, recorded_games
from bench.timing import Figure, record

ROOT = Path(__file__).parents[2]
SEED = 12
GAMES_A_LEVEL = 2
ROUNDS = 3
"""How often each version plays each game; the least CPU seconds of each proposal count."""
SLOWER_MAX = 1.1
"""How much longer the median proposal may take than in the other version."""
PLAYER = """
import json, sys, time
from idg.engine.session import Session
from idg.sip.errors import SipError
played = []
for text, moves in json.load(sys.stdin):
    session = Session(text)
    seconds = []
    played.append(seconds)
    for loop, expression in moves:
        start = time.process_time()
        try:
            session.propose(expression, loop)
        except SipError:
            continue
        finally:
            seconds.append(time.process_time() - start)
        if session.solved:
            break
print(json.dumps(played))
"""
"""Plays games and prints the CPU seconds of each proposal of each. It uses nothing but what both versions have."""


def played(source: Path, games: list[Game]) -> list[list[float]]:
    """The CPU seconds of each proposal of each game, in a process of the version in this folder."""
    asked = [(program_of(game.level).text, [(move.loop, move.expression) for move in game.moves]) for game in games]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONHASHSEED": "0"}
    process = subprocess.run(
        [sys.executable, "-c", PLAYER], input=json.dumps(asked), env=environment, capture_output=True, text=True, check=True
    )
    return [list(map(float, seconds)) for seconds in json.loads(process.stdout)]


def figure(rival: Path) -> list[Figure]:
    games = recorded_games(SEED, GAMES_A_LEVEL)
    rounds = [(played(ROOT / "src", games), played(rival / "src", games)) for _ in range(ROUNDS)]
    ours: list[float] = []
    theirs: list[float] = []
    for game in range(len(games)):
        least = [[min(times) for times in zip(*(made[side][game] for made in rounds), strict=True)] for side in (0, 1)]
        both = min(map(len, least))  # A version that solves the game earlier is not asked the rest.
        ours += least[0][:both]
        theirs += least[1][:both]
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    results = []
    for name, value in (("median", statistics.median), ("mean", statistics.mean)):
        a, b = value(ours), value(theirs)
        met = a <= SLOWER_MAX * b
        results.append(Figure(f"{len(ours)} proposals of recorded games, {name}", "the other version", a, b, "at most 1.1", met))
    results.append(Figure("the same, median of the ratios", "1", ratio, 1.0, "at most 1.1", ratio <= SLOWER_MAX, "times"))
    return results


def main() -> int:
    figures = figure(Path(sys.argv[1]))
    for one in figures:
        print(one, flush=True)
    record(figures, " ".join(["python -m bench.proofs.versions", *sys.argv[1:]]))
    return 0 if all(one.met for one in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
