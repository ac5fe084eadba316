"""Levels by their names, for tests and benchmarks that know which level they want."""

from __future__ import annotations

from idg.levels import Level, find_level


def known_level(name: str) -> Level:
    level = find_level(name)
    assert level is not None, f"there is no level {name}"
    return level
