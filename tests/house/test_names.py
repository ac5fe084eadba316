"""Each class name stands for one thing and says what it is."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "idg"
PICTURES = {"Mind", "Door", "Hall", "Lane", "Purse", "Crew"}
"""Words that once stood for things that they only resemble. A newcomer cannot guess what such a class does."""
PRONOUNS = {"each", "found", "at", "got", "it", "thing"}
"""Words that could stand for anything. A variable is called by a noun, such as `fact`, `rows` or `index`."""
PRONOUNS_IN_SOURCES = PRONOUNS | {"here", "there", "which", "them", "ours"}
"""Words that no variable of the sources is called by. Benchmarks and tests may compare `ours` with `theirs`."""
FIELDS = {("src/idg/engine/wire/rooms.py", "here")}
"""Fields of records that have such a name in the API."""
STILL_TWICE: set[str] = set()
"""Names that still stand for two things. This set only shrinks."""
STILL_PICTURES: set[str] = set()
"""Classes that still have the name of a picture. This set only shrinks."""


@cache
def modules_by_class() -> dict[str, tuple[str, ...]]:
    """Class name → the modules that define such a class. Names that begin with `_` are of no concern outside of their module."""
    modules: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(str(path.relative_to(SOURCE)))
    return {name: tuple(paths) for name, paths in modules.items()}


def words(name: str) -> set[str]:
    """The words of a class name: `LocalDoor` has Local and Door."""
    return set(re.findall(r"[A-Z][a-z0-9]*", name))


def test_a_class_name_names_one_thing() -> None:
    twice = {name: paths for name, paths in modules_by_class().items() if len(paths) > 1 and name not in STILL_TWICE}
    assert not twice


def test_a_class_name_is_no_picture() -> None:
    pictures = {name: paths for name, paths in modules_by_class().items() if words(name) & PICTURES and name not in STILL_PICTURES}
    assert not pictures


def variables(path: Path) -> Iterator[tuple[str, int]]:
    """The names of variables and parameters in a file, with the lines where they stand."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno


def test_no_variable_is_called_by_a_pronoun() -> None:
    pronouns = {
        f"{path.relative_to(ROOT)}:{line}"
        for folder in ("src", "tests", "bench", "tools", "examples")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name, line in variables(path)
        if name in (PRONOUNS_IN_SOURCES if folder == "src" else PRONOUNS)
        and (path.relative_to(ROOT).as_posix(), name) not in FIELDS
    }
    assert not pronouns
