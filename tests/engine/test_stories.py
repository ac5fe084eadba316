"""The stories in tests/engine/stories: a program, proposals in order, and what each of them is.

stories/papers.md says how they are written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from idg.engine.judging.promote import implied_by
from idg.engine.results import Fact, Kind, inductive_facts, potential_facts, unknown_facts
from idg.engine.session import Session
from idg.sip.program import Program, load
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from tests.support.programs.known_levels import known_level

FOLDER = Path(__file__).parent / "stories"
EXPECTATIONS = {
    "kind",
    "kinds",
    "promoted",
    "removed",
    "inductive",
    "potential",
    "unknown",
    "implied by",
    "rests on",
    "resting",
    "solved",
}


@dataclass
class Step:
    texts: list[str]
    loop: int
    expected: dict[str, str] = field(default_factory=dict)


@dataclass
class Story:
    name: str
    program: Program
    steps: list[Step]


def stories() -> list[Story]:
    return [story for path in sorted(FOLDER.glob("*.md")) for story in read_stories(path)]


def read_stories(path: Path) -> list[Story]:
    sections = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [read_story(path.stem, section) for section in sections]


def read_story(file: str, text: str) -> Story:
    title, _, body = text.partition("\n")
    level = re.search(r"^level: (\S+)$", body, re.MULTILINE)
    block = re.search(r"^```sip\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
    assert (level is None) != (block is None), f"{title}: a level or a program"
    if block is not None:
        program = load(block[1])
    else:
        assert level is not None
        entry = known_level(level[1])
        program = entry.program()
    steps: list[Step] = []
    for line in body.splitlines():
        if line.startswith("> "):
            proposal, _, loop = line[2:].partition(" @ loop ")
            steps.append(Step([part.strip() for part in proposal.split(";;")], int(loop or 1)))
        elif line.startswith("- "):
            name, _, value = line[2:].partition(": ")
            assert name in EXPECTATIONS, f"{title}: {line}"
            steps[-1].expected[name] = value.strip()
    assert steps, f"{title}: no steps"
    return Story(f"{file}: {title}", program, steps)


def canonical(text: str) -> str:
    return print_expression(parse_expression(text))


def facts(text: str) -> list[Fact]:
    if text == "none":
        return []
    result = []
    for part in text.split(";"):
        expression, _, loop = part.partition("@ loop ")
        result.append(Fact(int(loop or 1), canonical(expression.strip())))
    return result


def check_step(session: Session, step: Step) -> None:
    expected = step.expected
    if len(step.texts) > 1:
        batch = session.propose_many(step.texts, step.loop)
        assert [str(kind) for _, kind in batch.kinds] == expected["kinds"].split("; ")
        promoted, removed = batch.promoted, batch.removed
        implied: tuple[Fact, ...] = ()
        default = [fact for fact, kind in batch.kinds if kind is Kind.INDUCTIVE]
    else:
        result = session.propose(step.texts[0], step.loop).result
        assert str(result.kind) == expected["kind"], step.texts
        assert result.books == session.books
        promoted, removed, implied = result.promoted, result.removed, result.implied_by
        rests_on = [f"{place.cause} {session.program.quoted(place.span)}" for place in result.rests_on]
        assert rests_on == ([] if "rests on" not in expected else expected["rests on"].split("; ")), step.texts
        default = [result.fact] if result.kind is Kind.INDUCTIVE else []
    assert list(promoted) == (facts(expected["promoted"]) if "promoted" in expected else default)
    assert [removal.fact for removal in removed] == facts(expected.get("removed", "none"))
    if "implied by" in expected:
        assert list(implied) == facts(expected["implied by"])
    if "inductive" in expected:
        assert list(inductive_facts(session.books)) == facts(expected["inductive"])
    if "potential" in expected:
        assert list(potential_facts(session.books)) == facts(expected["potential"])
    if "unknown" in expected:
        assert list(unknown_facts(session.books)) == facts(expected["unknown"])
    if "resting" in expected:
        assert [resting.fact for resting in session.feedback.resting] == facts(expected["resting"])
    assert session.solved == (expected.get("solved", "no") == "yes"), step.texts


@pytest.mark.parametrize("story", stories(), ids=lambda story: story.name)
def test_story(story: Story) -> None:
    session = Session(story.program)
    for step in story.steps:
        check_step(session, step)
        for removal in session.history[-1].removed if session.history else ():
            assert implied_by(session.engine.inquiry, removal.by, removal.fact) is not None


def test_the_stories_cover_every_kind() -> None:
    seen = {value for story in stories() for step in story.steps for value in step.expected.get("kind", "").split("; ")}
    assert {str(kind) for kind in Kind} <= seen
    assert len(stories()) >= 20


@pytest.mark.parametrize("story", [story for story in stories() if len(story.steps[0].texts) > 1], ids=lambda story: story.name)
def test_a_batch_leaves_what_one_by_one_leaves(story: Story) -> None:
    together, one_by_one = Session(story.program), Session(story.program)
    together.propose_many(story.steps[0].texts)
    for text in story.steps[0].texts:
        one_by_one.propose(text)
    assert sorted(together.inductive, key=str) == sorted(one_by_one.inductive, key=str)
    assert together.solved == one_by_one.solved
