"""The patterns of facts: the table that the client is held to, the levels' own patterns, and texts that would take long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idg.levels import Level, all_levels
from idg.levels.patterns import PATTERNS, patterns_of
from idg.sip.text.expressions import parse_expression

TABLE = json.loads((Path(__file__).parents[2] / "spec" / "patterns.json").read_text(encoding="utf-8"))
EXTRA = {"closing-in": {"at-least"}}
"""Forms that a solution has besides the level's patterns."""


@pytest.mark.parametrize("row", TABLE, ids=lambda row: " ; ".join(fact["text"] for fact in row["facts"]))
def test_the_table(row: dict[str, list[dict[str, str]]]) -> None:
    facts = [(int(fact["loop"]), parse_expression(fact["text"])) for fact in row["facts"]]
    assert sorted(patterns_of(facts, [str(name) for name in row["fixed"]])) == sorted(map(str, row["patterns"]))


@pytest.mark.parametrize("level", all_levels(), ids=lambda level: level.id)
def test_a_level_names_the_patterns_of_its_solution(level: Level) -> None:
    facts = [(fact.loop, parse_expression(fact.expr)) for fact in level.solution]
    assert patterns_of(facts, level.fixed) == set(level.patterns) | EXTRA.get(level.id, set())


def test_each_pattern_is_introduced_on_the_way() -> None:
    assert {pattern for level in all_levels() for pattern in level.patterns} == set(PATTERNS)


@pytest.mark.parametrize(
    "text",
    [
        "x = (a + b + c + d + e)^6 + 1",
        "x = " + " * ".join(["(a + b + c + d)"] * 50),
        "x = " + " + ".join(["a * b * c * d * e * f"] * 90),
    ],
)
def test_a_long_fact_has_no_pattern(text: str) -> None:
    assert patterns_of([(1, parse_expression(text))], []) == set()
