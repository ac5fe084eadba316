"""What holds for all tests: garbage is collected less often, and the longest tests come first."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

GC_THRESHOLDS = (20_000, 20, 20)
"""How many new objects start a garbage collection, and how many collections of one generation start one of the next. With Python's
own thresholds, garbage collection takes a sixth of the time of the tests."""
LONG_FIRST = (
    "engine/test_determinism.py",
    "engine/test_engine_corpus.py",
    "coordinator/test_faults.py",
    "coordinator/test_api_fuzz.py",
    "client/test_client_core.py",
    "house/test_package.py",
)
"""Modules with tests of many seconds. Where such a test comes last, one of two processes has nothing to do meanwhile."""
FOLDER = Path(__file__).parent

gc.set_threshold(*GC_THRESHOLDS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the modules with the longest tests first. Otherwise the order stays."""
    places = {FOLDER / name: place for place, name in enumerate(LONG_FIRST)}
    assert all(path.exists() for path in places)
    items.sort(key=lambda item: places.get(item.path, len(places)))


def pytest_collection_finish() -> None:
    """What is there when all tests are collected stays until the end, so garbage collections need not visit it."""
    gc.collect()
    gc.freeze()
