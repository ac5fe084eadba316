"""The beginning in a real browser: every stage, wrong guesses, the table game, rooms apart. A newcomer has a module of its own."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.browser.visitors import PHONE, Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

LINES = """keys => keys.map((key) => {
  const range = document.createRange()
  range.selectNodeContents(key)
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
})"""
"""In how many lines the text of each key stands."""


def question(visitor: Visitor, title: str) -> None:
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(title)


def told(visitor: Visitor, headline: str) -> None:
    """Waits until this is told about the guess or the answer."""
    expect(visitor.page.locator(".told b")).to_have_text(headline)


def blank(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("textbox", name=re.compile("^(eggs equals|eggs is at most|Your fact)$"))


def predict(visitor: Visitor) -> None:
    question(visitor, "What comes next?")
    visitor.page.get_by_role("textbox", name="How many eggs are in row 5?").fill("24")
    visitor.button("I think so").click()
    visitor.button("Go on").click()


def say_the_rule(visitor: Visitor) -> None:
    question(visitor, "You knew it would be 24. How?")
    blank(visitor).fill("size * boxes")
    visitor.button("That’s it").click()


def meet_the_ghost(visitor: Visitor) -> None:
    question(visitor, "Meet a ghost")
    visitor.button("False: the ghost would go").click()
    told(visitor, "Right.")
    visitor.button("Go on").click()


def find_the_goal(visitor: Visitor) -> None:
    question(visitor, "Where the numbers come from")
    visitor.button("assert(eggs = size * want);").click()
    visitor.button("Go on").click()


def say_a_limit(visitor: Visitor) -> None:
    question(visitor, "How many eggs at most?")
    blank(visitor).fill("size * want")
    visitor.button("Propose it").click()
    told(visitor, "Not proved yet.")
    visitor.button("Go on").click()


def light_the_lamp(visitor: Visitor) -> None:
    question(visitor, "Light the lamp")
    expect(blank(visitor)).to_have_value("eggs = size * boxes")
    visitor.button("Propose it").click()
    question(visitor, "The lamp is lit!")


def test_guesses_that_do_not_fit_are_met_by_rows_and_runs(visitor: Visitor) -> None:
    visitor.go("/tutorial")
    box = visitor.page.get_by_role("textbox", name="How many eggs are in row 5?")
    for wrong in ("25", "many", "23"):
        box.fill(wrong)
        box.press("Enter")
        told(visitor, "A number is wanted here." if wrong == "many" else f"It is not {wrong}.")
    visitor.button("Show me").click()
    visitor.button("Go on").click()
    # A rule for one run meets a second one.
    second = visitor.page.get_by_role("rowheader", name="The same program, started with size = 4, want = 3")
    blank(visitor).fill("boxes + 5")
    told(visitor, "Fits 1 of 5 rows.")
    expect(second).to_have_count(0)
    blank(visitor).fill("6 * boxes")
    told(visitor, "Good for the first run, not for the second.")
    expect(second).to_be_visible()
    blank(visitor).press("Enter")
    question(visitor, "You knew it would be 24. How?")
    blank(visitor).fill("eggs")
    told(visitor, "That explains eggs by eggs.")
    visitor.button("Give me a hint").click()
    visitor.button("Give me a hint").click()
    visitor.button("Write it for me").click()
    expect(blank(visitor)).to_have_value("size * boxes")
    blank(visitor).press("Enter")
    question(visitor, "Meet a ghost")
    visitor.button("True: the ghost stays").click()
    told(visitor, "Look at the row once more.")
    visitor.button("Go on").click()
    visitor.button("while (boxes != want) {").click()
    told(visitor, "This line says how long it goes on.")
    find_the_goal(visitor)
    # A limit that a run exceeds is refuted by that run, which stays on the table.
    blank(visitor).fill("30")
    blank(visitor).press("Enter")
    told(visitor, "A run breaks it.")
    expect(visitor.page.get_by_role("rowheader", name=re.compile("^The run that shows it:"))).to_be_visible()
    say_a_limit(visitor)
    # What was said is still there after a reload.
    question(visitor, "Light the lamp")
    visitor.page.reload()
    light_the_lamp(visitor)
    visitor.button("Start over").click()
    question(visitor, "What comes next?")


def test_the_beginning_can_be_skipped_and_has_a_room_of_its_own(visitor: Visitor) -> None:
    visitor.go("/tutorial")
    question(visitor, "What comes next?")
    for title in ("You knew it would be 24. How?", "Meet a ghost", "Where the numbers come from", "How many eggs at most?"):
        visitor.button("Skip this step").click()
        question(visitor, title)
        if title == "Meet a ghost":
            told(visitor, "There it is, in violet.")
    visitor.button("One step back").click()
    visitor.button("Skip this step").click()
    say_a_limit(visitor)
    # What was said in the beginning is not on the level's board.
    opened = visitor.page.request.post("/api/rooms", data={"level": "egg-boxes"}, headers={"Origin": visitor.url}).json()
    assert opened["room"]["potential"] == opened["room"]["inductive"] == []
    visitor.go("/own")
    expect(visitor.region("Programs you have made or played")).to_contain_text("None yet.")
    visitor.go("/tutorial")
    visitor.button("I know this, skip").click()
    expect(visitor.page).to_have_url(re.compile("/$"))


def test_the_beginning_of_the_table_game(visitor: Visitor) -> None:
    visitor.go("/tutorial?variant=trace")
    predict(visitor)
    say_the_rule(visitor)
    question(visitor, "Find another one")
    blank(visitor).fill("boxes <= want")
    visitor.button("Propose it").click()
    told(visitor, "It counts.")
    expect(visitor.page.locator("main")).not_to_contain_text("while")
    visitor.button("Go on").click()
    question(visitor, "You can play the table game.")


def test_whoever_joined_a_room_first_is_welcomed_all_the_same(visit: VisitorMaker) -> None:
    host, guest = visit(), visit()
    host.go("/")
    room = host.page.request.post("/api/rooms", data={"level": "multiply", "shared": True}, headers={"Origin": host.url}).json()
    guest.go(f"/room/{room['room']['code']}")
    expect(guest.entry).to_be_visible()
    guest.go("/")
    expect(guest.page.locator("main").locator("a[href='/tutorial']").first).to_be_visible()


@pytest.mark.parametrize("width", [PHONE["width"], 320])
def test_every_stage_on_a_phone_in_the_dark(visit: VisitorMaker, width: int) -> None:
    visitor = visit(phone=True, dark=True, still=True, size={"width": width, "height": PHONE["height"]})
    visitor.go("/tutorial")
    for stage in (predict, say_the_rule, meet_the_ghost, find_the_goal, say_a_limit, light_the_lamp):
        stage(visitor)
        assert visitor.axe() == []
        assert visitor.sideways() <= 0
        # The names on the keys are whole: they used to break into `siz` and `e`.
        assert visitor.page.locator(".keys .name").evaluate_all(LINES) in ([], [1, 1, 1], [1, 1, 1, 1])
