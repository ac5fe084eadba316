"""What holds for all tests: garbage is collected less often, engines share the runs of programs, and the order of the tests keeps
all processes busy to the end."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from tests.support.shared_runs import share_runs

GC_THRESHOLDS = (20_000, 20, 20)
"""How many new objects start a garbage collection, and how many collections of one generation start one of the next. With Python's
own thresholds, garbage collection takes a sixth of the time of the tests; with 100,000 objects it takes no less than with these."""
LONG_FIRST = (
    "coordinator/cluster/test_cluster_faults.py",
    "client/pages/test_browser_grid.py",
    "engine/attacks/test_soundness.py",
    "coordinator/test_faults.py",
    "engine/judging/test_many_facts.py",
    "client/game/test_browser_rooms.py",
    "engine/test_engine_corpus.py",
    "agents/built_in/test_every_level.py",
    "cli/test_server_cli.py",
    "coordinator/bounds/test_fairness.py",
    "client/game/test_browser_verdicts.py",
    "engine/telling/test_board.py",
    "coordinator/cluster/test_cluster_rooms.py",
    "client/game/test_browser_typing.py",
    "engine/judging/test_belief.py",
    "coordinator/api/test_api_fuzz.py",
    "client/test_client_core.py",
    "house/test_package.py",
    "coordinator/bounds/test_event_loop.py",
    "engine/telling/test_true_feedback.py",
    "coordinator/api/test_generated_client.py",
    "client/pages/test_browser_study.py",
    "prover/quantifiers/test_quantifiers.py",
    "engine/termination/test_attack_on_endings.py",
    "coordinator/api/test_api_arrays.py",
    "importer/test_horn.py",
)
"""The modules that take longest, some that wait beside some that compute. `make test` gives whole modules to its processes, so that
what the tests of a module share is made once. Where a long module comes last, a core has nothing to do meanwhile."""
WITH_SERVERS = ("coordinator", "client", "cli", "house")
"""Folders whose tests start servers and browsers, and wait for them. They come before those that only compute."""
FOLDER = Path(__file__).parent

gc.set_threshold(*GC_THRESHOLDS)
share_runs()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the modules with the longest tests first, and then those with servers. Otherwise the order stays."""
    places = {FOLDER / name: place for place, name in enumerate(LONG_FIRST)}
    assert all(path.exists() for path in places)
    folders = {FOLDER / name for name in WITH_SERVERS}
    assert all(folder.is_dir() for folder in folders)

    def place(item: pytest.Item) -> int:
        return places.get(item.path, len(places) + (not folders.intersection(item.path.parents)))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """What is there when all tests are collected stays until the end, so garbage collections need not visit it."""
    gc.collect()
    gc.freeze()
