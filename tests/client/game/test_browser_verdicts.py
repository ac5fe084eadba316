"""The game in a real browser: every kind of verdict has a message of its own, evidence, and a way on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

from tests.engine import test_stories
from tests.support.browser.visitors import Visitor, VisitorMaker
from tests.support.servers.hostile.fault_helpers import MANY_SECONDS_IN_TANGLE, TANGLE, SleepingWorkers

if TYPE_CHECKING:
    from tests.support.servers.servers import StartServer

pytest_plugins = ["tests.support.browser.browsers"]

INDUCTIVE = "Proved facts"
POTENTIAL = "Not proved yet"
UNKNOWN = "Not decided"
STORIES = Path(__file__).parents[2] / "engine" / "stories"
WRONG = next(story for story in test_stories.read_stories(STORIES / "kinds.md") if story.name.endswith("A wrong guarantee"))


def headline(kind: str, expression: str) -> str:
    words = {
        "type-tautology": "Always true",
        "displaced": "Already known",
        "displaced-potential": "Already waiting",
        "non-invariant": "False",
        "inductive": "Proved",
        "potential": "Not proved yet",
        "unknown": "Not decided",
    }
    return f"{words[kind]}: {expression}"


def look(visitor: Visitor) -> str:
    """The classes of the first sign of the answer: its shape depends on them."""
    classes: str | None = visitor.message.locator(".verdict").first.get_attribute("class")
    return classes or ""


def ghost(visitor: Visitor, name: str) -> Locator:
    """The row of a ghost in the table."""
    return visitor.trace.locator(f"[data-ghost={name}]")


def details(visitor: Visitor) -> Locator:
    """The answer with its details open."""
    visitor.message.get_by_text("Details").click()
    return visitor.message


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
        visitor.propose(text, "Proved." if solved else headline(expected["kind"], expression))
        assert visitor.facts(INDUCTIVE) == listed(expected["inductive"])
        assert visitor.facts(POTENTIAL) == listed(expected.get("potential", "none"))
        if "promoted" in expected and not solved:
            others = [fact for fact in listed(expected["promoted"]) if fact != expression]
            expect(visitor.message).to_contain_text(f"With its help {' and '.join(others)} is proved, too.")
        for fact in listed(expected.get("removed", "none")) if not solved else ():
            expect(visitor.message).to_contain_text(f"{fact} went off the shelf: ")
    visitor.button("See the proof", visitor.message).click()
    expect(visitor.page.get_by_role("heading", name="Proved.", exact=True)).to_be_visible()
    expect(visitor.page.get_by_text("and the level’s gem")).to_be_visible()
    expect(visitor.message.get_by_role("link", name=re.compile("^Next: [A-Z]"))).to_be_visible()


def test_kinds_without_a_counterexample(visitor: Visitor) -> None:
    """One follows from the types, and one is implied by a fact on the list, which says the same in other words."""
    visitor.open("multiply")
    visitor.propose("res - n <= res", headline("type-tautology", "res - n <= res"))
    expect(visitor.message).to_contain_text("It follows from the types of the variables alone")
    visitor.propose("cnt <= m", headline("inductive", "cnt <= m"))
    assert visitor.facts(INDUCTIVE) == ["cnt <= m"]
    visitor.propose("m >= cnt", headline("displaced", "m >= cnt"))
    expect(visitor.message).to_contain_text("It follows from cnt <= m, so it rules out nothing new.")
    visitor.propose("res <= n * m", headline("potential", "res <= n * m"))
    assert visitor.facts(POTENTIAL) == ["res <= n * m"]
    visitor.propose("n * m >= res", headline("displaced-potential", "n * m >= res"))
    expect(visitor.message).to_contain_text("it says the same as res <= n * m")
    visitor.propose("res = n * cnt", "Proved.")
    expect(visitor.page.get_by_text("went off the shelf")).to_be_visible()
    assert (visitor.facts(INDUCTIVE), visitor.facts(POTENTIAL)) == (["cnt <= m", "res = n * cnt"], [])


def test_a_false_guess_is_shown_with_its_run_which_is_kept(visitor: Visitor) -> None:
    """The run is in the table at once, and stays as a chip on which each new draft is tested."""
    visitor.open("multiply")
    visitor.propose("res >= cnt", headline("non-invariant", "res >= cnt"))
    expect(visitor.entry).to_have_value("res >= cnt")
    chips = visitor.page.get_by_role("tablist", name="Runs").get_by_role("tab")
    expect(chips).to_have_count(2)
    expect(chips.nth(1)).to_have_attribute("aria-selected", "true")
    expect(visitor.page.locator(".say")).to_contain_text(re.compile(r"False in row \d+ of this table"))
    # It is offered only where the table shows another run.
    expect(visitor.button("Show this run")).to_have_count(0)
    chips.nth(0).click()
    expect(chips.nth(0)).to_have_attribute("aria-selected", "true")
    expect(visitor.button("Show this run", visitor.message)).to_be_visible()
    expect(visitor.page.locator(".say")).to_contain_text(re.compile(r"False in row \d+ of the run n = 0"))
    expect(visitor.page.get_by_role("group", name="What your fact would do")).to_contain_text("0 of 1 ✗")
    expect(visitor.button(re.compile("Propose"))).to_have_attribute("aria-disabled", "true")
    assert visitor.axe() == []


def test_a_run_that_starts_variables_unusually_is_shown_as_it_was(visitor: Visitor) -> None:
    visitor.open("handfuls")
    visitor.propose("take <= 3", headline("non-invariant", "take <= 3"))
    expect(details(visitor)).to_contain_text("It starts with take = 4")
    expect(visitor.page.locator(".say")).to_contain_text("False in row 1 of this table")
    visitor.page.get_by_role("tablist", name="Runs").get_by_role("tab").first.click()
    expect(visitor.page.locator(".say")).to_contain_text("False in row 1 of the run")


def test_what_was_answered_before_is_answered_again_without_a_request(visitor: Visitor) -> None:
    """A refuted fact, one that is always true and one that is known are not sent a second time."""
    visitor.open("multiply")
    visitor.propose("res >= cnt", headline("non-invariant", "res >= cnt"))
    visitor.propose("cnt <= m", headline("inductive", "cnt <= m"))
    visitor.propose("res - n <= res", headline("type-tautology", "res - n <= res"))
    visitor.propose("2 * m >= 2 * cnt", headline("displaced", "2 * m >= 2 * cnt"))
    visitor.page.wait_for_load_state("networkidle")
    before = [call for call in visitor.calls() if "proposals" in call]
    for text, words in (
        ("res >= cnt", re.compile("^✗ False in row")),
        ("res - n <= res", re.compile("Always true, whatever the program does")),
        ("2 * m >= 2 * cnt", re.compile("cnt <= m says that already")),
    ):
        visitor.type(text)
        visitor.page.keyboard.press("Enter")
        expect(visitor.page.locator(".say")).to_contain_text(words)
    assert [call for call in visitor.calls() if "proposals" in call] == before


def test_a_fact_that_waits_shows_the_step_that_breaks_it(visitor: Visitor) -> None:
    visitor.open("multiply")
    expect(ghost(visitor, "A")).to_be_visible()
    visitor.propose("res <= n * m", headline("potential", "res <= n * m"))
    expect(visitor.message).to_contain_text("one turn from ghost B would")
    expect(ghost(visitor, "B")).to_contain_text("B before")
    expect(visitor.trace.get_by_role("rowheader", name="B after")).to_be_visible()
    expect(visitor.trace.get_by_text("wrong value").first).to_be_attached()
    visitor.button("Why is res <= n * m not proved yet?").click()
    visitor.button("Back to the ghost", visitor.message).click()
    visitor.said("Rule out ghost A")


def test_a_draft_tells_what_it_would_do_to_the_ghosts(visitor: Visitor) -> None:
    """Before anything is proposed. While a row fails, nothing is said about ghosts."""
    visitor.open("multiply")
    gates = visitor.page.get_by_role("group", name="What your fact would do")
    visitor.type("res = n * cnt & cnt <= m")
    expect(gates).to_contain_text(re.compile("Ghost A *would go"))
    expect(visitor.page.get_by_text("Rules out ghost A. Enter proposes it.").first).to_be_visible()
    visitor.type("m >= m")
    expect(gates).to_contain_text(re.compile("Ghost A *stays"))
    visitor.type("cnt < 3")
    expect(gates).not_to_contain_text("stays")
    expect(gates).not_to_contain_text("would go")


def test_a_draft_that_a_fact_implies_lights_up_its_tile(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("cnt <= m", headline("inductive", "cnt <= m"))
    visitor.type("cnt < m + 5")
    expect(visitor.page.locator(".tile.known")).to_contain_text("cnt <= m")
    visitor.type("cnt < m + 1")
    expect(visitor.page.locator(".say")).to_contain_text("cnt <= m says that already.")


def test_what_is_not_known_does_not_look_false(visitor: Visitor) -> None:
    visitor.open("casting-out-nines")
    visitor.propose("x <= n", headline("unknown", "x <= n"))
    expect(visitor.message).to_contain_text("That does not mean that it is false.")
    assert visitor.facts(POTENTIAL) == []
    assert visitor.facts(UNKNOWN) == ["x <= n"]
    unknown = look(visitor)
    visitor.inputs(n="9")
    expect(visitor.trace.get_by_role("tab", name=re.compile(r"n = 9\b"), selected=True)).to_be_visible()
    visitor.propose("x % 9 = 0", headline("non-invariant", "x % 9 = 0"))
    false = look(visitor)
    visitor.propose("x % 9 = n % 9", "Proved.")
    visitor.back_to_board()
    assert len({unknown, false, look(visitor)}) == 3


def test_a_program_that_breaks_its_promise(visitor: Visitor) -> None:
    visitor.open_program(WRONG.program.text)
    visitor.said("The program breaks its promise.")
    # The inputs are said in the sentence. The table of them stands under the details, where it is not cut off.
    expect(visitor.message).to_contain_text("Started with")
    expect(visitor.message.get_by_role("table")).to_be_hidden()
    visitor.button("Show this run", visitor.message).click()
    expect(visitor.trace).to_contain_text("The run stopped:")


def test_another_ghost(visitor: Visitor) -> None:
    visitor.open("multiply")
    another = visitor.button("Another ghost", visitor.trace)
    before = ghost(visitor, "A").inner_text()
    another.click()
    expect(ghost(visitor, "A")).not_to_have_text(before)


def test_reset_asks_first(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("cnt <= m", headline("inductive", "cnt <= m"))
    visitor.button("Level menu").click()
    visitor.button("Reset level").click()
    visitor.button("Keep them").click()
    assert visitor.facts(INDUCTIVE) == ["cnt <= m"]
    visitor.button("Level menu").click()
    visitor.button("Reset level").click()
    visitor.button("Yes, start again").click()
    visitor.said("Look for what stays true.")
    assert visitor.facts(INDUCTIVE) == []


TEXT_END = """element => {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect().right
}"""
"""Where the text of an element ends on the right."""


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
    assert visitor.facts(POTENTIAL) == []
    # The state to rule out is at the second loop: the table of the first one says so and does not show its values.
    expect(visitor.trace).to_contain_text("Ghost A waits at loop 2.")
    expect(visitor.trace.locator("tr[data-ghost]")).to_have_count(0)
    # Its ghost sits on the sign of the second loop, and not on the number of the line.
    head = visitor.page.locator(".code li").filter(has=visitor.page.locator(".pin .ghost-icon"))
    number, ghost = head.locator(".number").evaluate(TEXT_END), head.locator(".ghost-icon").bounding_box()
    assert ghost is not None
    assert number <= ghost["x"]
    visitor.button("Go to loop 2", visitor.trace).click()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    expect(visitor.trace.locator("tr[data-ghost]")).to_have_count(1)


def test_hints_come_one_at_a_time_and_lead_to_a_fact(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.button(re.compile("^A small hint")).click()
    hints = visitor.page.get_by_role("dialog", name="Hints")
    items = hints.get_by_role("listitem")
    expect(hints).to_be_visible()
    while "Propose:" not in hints.inner_text():
        before = items.count()
        assert before < 8
        visitor.button(re.compile("^Tell me"), hints).click()
        expect(items).to_have_count(before + 1)
    assert items.count() >= 3
    visitor.button("Put it into the box", hints).click()
    expect(visitor.button(re.compile("Propose"))).to_have_attribute("aria-disabled", "false")
    visitor.page.keyboard.press("Enter")
    visitor.said(re.compile("^Proved"))


@pytest.fixture
def hasty(start_server: StartServer, tmp_path: Path) -> str:
    """A server that gives up after two seconds."""
    sleeping = SleepingWorkers(tmp_path, MANY_SECONDS_IN_TANGLE)
    flags = ("--deadline-seconds", "2", "--rate-player", "0", "--rate-address", "0", "--log-level", "error")
    return start_server(*flags, environment=sleeping.environment).url


def test_an_analysis_that_runs_out_of_time(visit: VisitorMaker, hasty: str) -> None:
    visitor = visit(hasty)
    visitor.open_program(TANGLE)
    visitor.type(MANY_SECONDS_IN_TANGLE)
    expect(visitor.button(re.compile("Propose"))).to_have_attribute("aria-disabled", "false")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text("Thinking …").first).to_be_visible()
    visitor.said(re.compile("^No answer: "))
    expect(visitor.message).to_contain_text("It took longer than this server allows.")
    expect(visitor.message).to_contain_text("That says nothing about your fact. It is not kept.")
    expect(visitor.button("Try again", visitor.message)).to_be_visible()
    expect(visitor.entry).to_have_value(MANY_SECONDS_IN_TANGLE)
    visitor.propose("x <= n", "Proved.")
