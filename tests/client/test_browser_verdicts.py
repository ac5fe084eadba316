"""The game in a real browser: every kind of verdict has a message of its own, evidence, and a way on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.engine import test_stories
from tests.support.browser.visitors import Visitor, VisitorMaker
from tests.support.servers.fault_helpers import MANY_SECONDS_IN_TANGLE, TANGLE

if TYPE_CHECKING:
    from tests.support.servers.servers import StartServer

pytest_plugins = ["tests.support.browser.browsers"]

INDUCTIVE = "Inductive invariants"
POTENTIAL = "Potential invariants"
UNKNOWN = "Not decided"
STORIES = Path(__file__).parents[1] / "engine" / "stories"
WRONG = next(story for story in test_stories.read_stories(STORIES / "kinds.md") if story.name.endswith("A wrong guarantee"))


def headline(kind: str, expression: str) -> str:
    return {
        "type-tautology": f"{expression} is always true, whatever the program does.",
        "displaced": f"{expression} is true, and you know it already.",
        "displaced-potential": f"{expression} says the same as something that waits to be proved.",
        "non-invariant": f"{expression} is not an invariant.",
        "inductive": f"Well done: {expression} is an inductive invariant.",
        "potential": f"{expression} is not proved yet. It may well be true.",
        "unknown": f"About {expression} nothing could be found out.",
    }[kind]


def look(visitor: Visitor) -> str:
    """The first sign and the colours of the message."""
    appearance: str = visitor.message.get_by_role("heading").first.evaluate(
        """each => [each.textContent.trim()[0], getComputedStyle(each).color, getComputedStyle(each.parentElement).backgroundColor]
          .join(' ')"""
    )
    return appearance


def listed(text: str) -> list[str]:
    return [fact.text for fact in test_stories.facts(text)]


def test_the_papers_integer_square_root(visitor: Visitor) -> None:
    """The game makes the promotions and removals of the paper's story, and the screen tells them."""
    story = next(
        candidate for candidate in test_stories.read_stories(STORIES / "papers.md") if "integer square root" in candidate.name
    )
    visitor.open("int-square-root")
    for step in story.steps:
        (text,), expected = step.texts, step.expected
        expression = test_stories.canonical(text)
        solved = expected.get("solved") == "yes"
        visitor.propose(text, "Solved! The guarantee is proved." if solved else headline(expected["kind"], expression))
        assert visitor.facts(INDUCTIVE) == listed(expected["inductive"])
        assert visitor.facts(POTENTIAL) == listed(expected.get("potential", "none"))
        for fact in listed(expected.get("removed", "none")):
            expect(visitor.message).to_contain_text(f"{fact} was removed: it follows from ")
        if "promoted" in expected:
            others = [fact for fact in listed(expected["promoted"]) if fact != expression]
            expect(visitor.message).to_contain_text(f"With its help {' and '.join(others)} is proved, too: promoted.")
        if solved:
            expect(visitor.message).to_contain_text(f"Well done: {expression}")
    expect(visitor.message).to_contain_text("You have earned a gem.")
    expect(visitor.button("Next level", visitor.message)).to_be_visible()


def test_kinds_without_a_counterexample(visitor: Visitor) -> None:
    """One follows from the types, and one is implied by a fact on the list, which says the same in other words."""
    visitor.open("multiply")
    visitor.propose("res - n <= res", headline("type-tautology", "res - n <= res"))
    expect(visitor.message).to_contain_text("It follows from the types of the variables alone")
    visitor.propose("cnt <= m", headline("inductive", "cnt <= m"))
    assert visitor.facts(INDUCTIVE) == ["cnt <= m"]
    visitor.propose("m >= cnt", headline("displaced", "m >= cnt"))
    expect(visitor.message).to_contain_text("It follows from cnt <= m.")
    visitor.propose("res <= n * m", headline("potential", "res <= n * m"))
    assert visitor.facts(POTENTIAL) == ["res <= n * m"]
    visitor.propose("n * m >= res", headline("displaced-potential", "n * m >= res"))
    expect(visitor.message).to_contain_text("it is equivalent to res <= n * m")
    expect(visitor.message).to_contain_text("Still to rule out")
    visitor.propose("res = n * cnt", "Solved! The guarantee is proved.")
    expect(visitor.message).to_contain_text("res <= n * m was removed")
    assert (visitor.facts(INDUCTIVE), visitor.facts(POTENTIAL)) == (["cnt <= m", "res = n * cnt"], [])


def test_a_false_guess_shows_its_run_which_can_be_tried(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("res >= cnt", headline("non-invariant", "res >= cnt"))
    run = visitor.message.get_by_role("table", name="The run that breaks it")
    expect(run).to_be_visible()
    expect(visitor.entry).to_have_value("res >= cnt")
    visitor.button("Try this input", visitor.message).first.click()
    expect(visitor.page.get_by_label("Input n")).to_have_value("0")
    expect(visitor.page.get_by_text(re.compile(r"Holds in \d+ of \d+ rows, first failure: row \d+"))).to_be_visible()


def test_a_run_that_starts_variables_unusually_can_be_tried(visitor: Visitor) -> None:
    """The table shows exactly that run, and the button for the default one brings the other back."""
    visitor.open("handfuls")
    visitor.propose("take <= 3", headline("non-invariant", "take <= 3"))
    expect(visitor.message).to_contain_text("It starts with take = 4")
    visitor.button("Try this run", visitor.message).click()
    expect(visitor.page.get_by_text(re.compile(r"Holds in \d+ of \d+ rows?, first failure: row 1\b"))).to_be_visible()
    expect(visitor.trace.get_by_role("row").filter(has_text="4").first).to_be_visible()
    visitor.button("Default trace", visitor.trace).click()
    expect(visitor.page.get_by_text("but another run has refuted it.").first).to_be_visible()


def test_nobody_is_invited_to_propose_again_what_was_refuted(visitor: Visitor) -> None:
    visitor.open("multiply")
    invited = visitor.page.get_by_text("Press Enter to propose it.")
    refuted = visitor.page.get_by_text("but another run has refuted it.").first
    visitor.propose("res >= cnt", headline("non-invariant", "res >= cnt"))
    expect(refuted).to_be_visible()
    expect(invited).to_have_count(0)
    assert visitor.axe() == []
    visitor.type("res >= cnt - 1000")
    expect(invited.first).to_be_visible()
    visitor.type("res>=cnt")
    expect(refuted).to_be_visible()
    # The remark does not keep anybody from asking again, and the answer is the same.
    visitor.propose("cnt >= 0", headline("inductive", "cnt >= 0"))
    visitor.propose("res >= cnt", headline("non-invariant", "res >= cnt"))


def test_a_potential_invariant_shows_the_turn_that_breaks_it(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("res <= n * m", headline("potential", "res <= n * m"))
    turn = visitor.message.get_by_role("table", name="One turn of the loop")
    expect(turn).to_be_visible()
    expect(turn.get_by_role("columnheader")).to_contain_text(["n", "m", "res", "cnt"])
    expect(turn.get_by_role("row")).to_have_count(3)
    visitor.propose("cnt >= 0", headline("inductive", "cnt >= 0"))
    visitor.button("Why is res <= n * m not inductive yet?").click()
    visitor.said("Why res <= n * m is not inductive yet")
    expect(turn).to_be_visible()
    # The values that a turn changes are marked, and not by colour alone.
    expect(turn.get_by_text("changed").first).to_be_attached()
    visitor.button("Copy as SIP", visitor.message).first.click()
    expect(visitor.page.get_by_text("Copied.").first).to_be_attached()
    copied: str = visitor.page.evaluate("navigator.clipboard.readText()")
    assert all(re.fullmatch(r"n = -?\d+ & m = -?\d+ & res = -?\d+ & cnt = -?\d+", line) for line in copied.split("\n")), copied
    assert len(copied.split("\n")) == 2
    visitor.button("Back to the state to rule out", visitor.message).click()
    visitor.said("A state to rule out")


def test_what_is_not_known_does_not_look_false(visitor: Visitor) -> None:
    visitor.open("casting-out-nines")
    visitor.propose("x <= n", headline("unknown", "x <= n"))
    expect(visitor.message).to_contain_text("That does not mean that it is false.")
    assert visitor.facts(POTENTIAL) == []
    assert visitor.facts(UNKNOWN) == ["x <= n"]
    unknown = look(visitor)
    visitor.inputs(n="9")
    visitor.propose("x % 9 = 0", headline("non-invariant", "x % 9 = 0"))
    false = look(visitor)
    visitor.propose("x % 9 = n % 9", "Solved! The guarantee is proved.")
    assert len({unknown, false, look(visitor)}) == 3


def test_a_program_that_breaks_its_promise(visitor: Visitor) -> None:
    visitor.open_program(WRONG.program.text)
    visitor.said("This program does not keep its promise.")
    visitor.button("Try this input", visitor.message).click()
    expect(visitor.trace).to_contain_text("The run stopped:")


def test_another_state_to_rule_out(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.said("Look for what stays true.")
    state = visitor.message.get_by_role("table", name="A state to rule out")
    before = state.inner_text()
    visitor.button("Another state", visitor.message).click()
    visitor.said("A state to rule out")
    expect(state).not_to_have_text(before)


def test_reset_asks_first(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("cnt <= m", headline("inductive", "cnt <= m"))
    visitor.button("Reset level").click()
    visitor.button("Keep them").click()
    assert visitor.facts(INDUCTIVE) == ["cnt <= m"]
    visitor.button("Reset level").click()
    visitor.button("Yes, start again").click()
    visitor.said("Look for what stays true.")
    assert visitor.facts(INDUCTIVE) == []


def test_several_loops(visitor: Visitor) -> None:
    """Each loop has a tab, a trace and an entry of its own. A fact at one loop proves what waits at another."""
    visitor.open("small-change")
    tabs = visitor.page.get_by_role("tablist", name="Loops").get_by_role("tab")
    expect(tabs).to_have_count(2)
    visitor.type("le")
    tabs.nth(0).focus()
    visitor.page.keyboard.press("ArrowRight")
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    expect(visitor.entry).to_have_value("")
    visitor.propose("left >= 0", headline("potential", "left >= 0"))
    assert visitor.facts(POTENTIAL) == ["left >= 0"]
    tabs.nth(0).click()
    expect(visitor.entry).to_have_value("le")
    visitor.propose("left >= 0", headline("inductive", "left >= 0"))
    expect(visitor.message).to_contain_text("With its help left >= 0 (loop 2) is proved, too")
    expect(tabs.nth(1)).to_contain_text("1 proved, 0 potential")


def test_hints_come_one_at_a_time_and_lead_to_a_fact(visitor: Visitor) -> None:
    visitor.open("multiply")
    hints = visitor.region("Hints")
    items = hints.get_by_role("listitem")
    while "Propose:" not in hints.inner_text():
        before = items.count()
        assert before < 8
        visitor.button(re.compile("^A hint"), hints).click()
        expect(items).to_have_count(before + 1)
    assert items.count() >= 3
    visitor.button("Put it into the box", hints).click()
    expect(visitor.page.get_by_text("Holds in all 8 rows").first).to_be_visible()
    visitor.page.keyboard.press("Enter")
    visitor.said(re.compile("^Well done"))


@pytest.fixture
def hasty(start_server: StartServer) -> str:
    """A server that gives up after two seconds."""
    return start_server("--deadline-seconds", "2", "--rate-player", "0", "--rate-address", "0", "--log-level", "error").url


def test_an_analysis_that_runs_out_of_time(visit: VisitorMaker, hasty: str) -> None:
    visitor = visit(hasty)
    visitor.open_program(TANGLE)
    visitor.type(MANY_SECONDS_IN_TANGLE)
    expect(visitor.page.get_by_text("Holds in all")).to_be_visible()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text("Thinking …").first).to_be_visible()
    visitor.said(re.compile("^The analysis of .* ran out of its limits.$"))
    expect(visitor.message).to_contain_text("It took longer than this server allows.")
    expect(visitor.message).to_contain_text("That says nothing about the expression. It is not kept.")
    expect(visitor.button("Try again", visitor.message)).to_be_visible()
    expect(visitor.entry).to_have_value(MANY_SECONDS_IN_TANGLE)
    visitor.propose("x <= n", "Solved! The guarantee is proved.")
