"""One word an idea: the glossary of ARCHITECTURE.md tells the truth about the classes."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from functools import cache

from tests.house.test_names import modules_by_class
from tools import ROOT


@cache
def rows() -> list[list[str]]:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    [section] = re.findall(r"## Glossary\n(.*?)\n## ", text, re.DOTALL)
    table = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def test_every_class_of_the_glossary_is_where_it_says() -> None:
    places = [place for row in rows() for place in re.findall(r"`(idg\.[\w.]+)`", row[2])]
    assert len(places) >= 20
    for place in places:
        module, _, name = place.rpartition(".")
        assert hasattr(importlib.import_module(module), name), place


def test_words_and_places_stand_in_the_glossary_once() -> None:
    for column in (0, 2):
        counts = Counter(row[column] for row in rows())
        assert not [cell for cell, count in counts.items() if count > 1]


def test_no_class_has_a_retired_name() -> None:
    retired = {name for row in rows() for name in re.findall(r"`(\w+)`", row[3])}
    assert not retired & set(modules_by_class())


def test_the_map_names_every_folder_of_the_package() -> None:
    """And no folder that is not there."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    [section] = re.findall(r"## The map\n(.*?)\n## ", text, re.DOTALL)
    named = set(re.findall(r"(\w+)/", section))
    folders = {path.parent.name for path in (ROOT / "src" / "idg").rglob("__init__.py")} - {"idg"}
    assert not folders - named
    roots = [ROOT / name for name in ("src", "tests", "bench", "tools")]
    gone = {name for name in named if not (ROOT / name).is_dir() and not any(any(root.rglob(name)) for root in roots)}
    assert not gone
