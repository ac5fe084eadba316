"""The lesson plans say what the engine answers to common mistakes; it is asked. Their levels and their minutes are checked, too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from idg.engine.session import Session
from idg.levels import all_levels
from tests.support.programs.known_levels import known_level

ROOT = Path(__file__).parents[2]
LESSONS = (ROOT / "docs" / "lessons.md").read_text(encoding="utf-8")
MINUTES = 45
"""How long a lesson is."""
ANSWERS = re.findall(r"^\| `([\w-]+)` \| `([^`]+)` \| ([\w-]+) \| .+ \|$", LESSONS, re.MULTILINE)
"""Level, proposal and answer of each row of the tables of common mistakes."""


def test_there_are_answers_for_every_lesson() -> None:
    lessons = LESSONS.split("\n## Lesson ")[1:]
    assert len(lessons) == 3
    for lesson in lessons:
        assert len(re.findall(r"^\| `[\w-]+` \|", lesson, re.MULTILINE)) >= 5


@pytest.mark.parametrize(("level", "proposal", "answer"), ANSWERS)
def test_the_engine_answers_as_the_plan_says(level: str, proposal: str, answer: str) -> None:
    assert Session(known_level(level).program()).propose(proposal).kind == answer


def test_the_minutes_of_each_lesson_follow_each_other() -> None:
    for lesson in LESSONS.split("\n## Lesson ")[1:]:
        spans = [(int(start), int(end)) for start, end in re.findall(r"^\| (\d+)–(\d+) \|", lesson, re.MULTILINE)]
        assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
        assert spans[-1][1] == MINUTES


def test_every_level_that_is_named_exists() -> None:
    titles = {level.title for level in all_levels()}
    named = [title for levels in re.findall(r"Levels: ([^.]+)\.", LESSONS) for title in re.findall(r"\*([^*]+)\*", levels)]
    assert len(named) >= 9
    assert set(named) <= titles
    homework = [
        title for line in re.findall(r"^Homework: (.+)$", LESSONS, re.MULTILINE) for title in re.findall(r"\*([^*]+)\*", line)
    ]
    assert homework
    assert set(homework) <= titles


def test_the_slides_are_separated_as_slide_tools_read_them() -> None:
    slides = (ROOT / "examples" / "slides.md").read_text(encoding="utf-8").split("\n---\n")
    assert slides[0].startswith("---\nmarp: true")
    assert len(slides) == 7
    assert all(slide.strip().startswith("# ") for slide in slides[1:])
