"""The beginning in a real browser: every stage, a newcomer from the first visit to the second lamp, the table game, rooms apart."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Locator, expect

from tests.support.browser.visitors import PHONE, Visitor, VisitorMaker
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.browser.browsers"]


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


def has_gem(visitor: Visitor, level: str) -> bool:
    levels: dict[str, dict[str, bool]] = visitor.page.request.get("/api/players/me/scores").json()["levels"]
    return level in levels and levels[level]["gem"]


def gets_gem(visitor: Visitor, level: str) -> None:
    """Waits until the player has proved the level."""
    end = time.monotonic() + HANG_SECONDS
    while not has_gem(visitor, level):
        assert time.monotonic() < end, f"{level} was not proved"
        visitor.page.wait_for_timeout(200)


def table(visitor: Visitor) -> dict[str, list[str]]:
    """The columns of the board's table: name → values in the rows of the run."""
    names = visitor.trace.locator("thead th button").all_inner_texts()
    rows = [row.locator("td").all_inner_texts() for row in visitor.trace.locator("tbody.real tr[data-row]").all()]
    return {name: [row[index] for row in rows] for index, name in enumerate(names)}


def line(visitor: Visitor, words: str | re.Pattern[str]) -> str:
    """Waits until the line under the entry says this, and returns it."""
    said = visitor.page.locator(".say")
    expect(said).to_contain_text(words)
    return said.inner_text()


def play_by_what_the_board_says(visitor: Visitor) -> None:
    """Plays a first board with what it shows and asks, and with no other knowledge: guesses, and looks at the answers."""
    expect(visitor.entry).to_be_visible()
    # Two columns are named, and what they make together is asked for. The first guess: their sum.
    expect(visitor.message).to_contain_text(re.compile("grows while .* shrinks. What do they make together"))
    grows, shrinks = visitor.message.locator("p code").all_inner_texts()
    moving = table(visitor)
    assert moving[grows] == moving[shrinks][::-1], "one grows while the other shrinks"
    together = f"{grows} + {shrinks}"
    visitor.page.keyboard.type(together)
    # It is the same in every row, so the guess is that it is always this number. A run says no.
    same = line(visitor, "in every row. What else has this value?").split()[0]
    visitor.page.keyboard.type(f" = {same}")
    line(visitor, "Enter proposes it.")
    visitor.page.keyboard.press("Enter")
    visitor.said(re.compile("^False: "))
    line(visitor, "of this table")
    # The table shows that run. Which column has the value of the sum here, and had it in the first run, too?
    other = table(visitor)
    total = [str(int(up) + int(down)) for up, down in zip(other[grows], other[shrinks], strict=True)]
    (column,) = (name for name in other if other[name] == total and set(moving[name]) == {same})
    expect(visitor.entry).to_be_focused()
    for _ in same:
        visitor.page.keyboard.press("Backspace")
    visitor.page.keyboard.type(column)
    expect(visitor.entry).to_have_value(f"{together} = {column}")
    line(visitor, "Rules out ghost A. Enter proposes it.")
    visitor.page.keyboard.press("Enter")
    visitor.said(re.compile("^Proved"))


def write(visitor: Visitor, text: str) -> None:
    """Types in place of what stands in the field that has the focus, and presses Enter."""
    expect(visitor.page.locator(":focus")).to_have_role("textbox")
    for key in ("Control+a", "Delete"):
        visitor.page.keyboard.press(key)
    visitor.page.keyboard.type(text)
    visitor.page.keyboard.press("Enter")


def go_on(visitor: Visitor, name: str = "Go on") -> None:
    """Presses Enter on the button that has the focus."""
    expect(visitor.button(name)).to_be_focused()
    visitor.page.keyboard.press("Enter")


def choose(visitor: Visitor, target: Locator) -> None:
    visitor.tab_to(target)
    visitor.page.keyboard.press("Enter")


def test_a_newcomer_who_does_what_the_screen_asks_reaches_the_second_lamp_by_keyboard_alone(visitor: Visitor) -> None:
    visitor.go("/")
    choose(visitor, visitor.page.locator("main").locator("a[href='/tutorial']").first)
    question(visitor, "What comes next?")
    expect(visitor.page.get_by_role("textbox", name="How many eggs are in row 5?")).to_be_focused()
    write(visitor, "24")
    go_on(visitor)
    question(visitor, "You knew it would be 24. How?")
    write(visitor, "size * boxes")
    question(visitor, "Meet a ghost")
    choose(visitor, visitor.button("False: the ghost would go"))
    go_on(visitor)
    question(visitor, "Where the numbers come from")
    choose(visitor, visitor.button("assert(eggs = size * want);"))
    go_on(visitor)
    question(visitor, "How many eggs at most?")
    write(visitor, "size * want")
    go_on(visitor)
    question(visitor, "Light the lamp")
    expect(blank(visitor)).to_have_value("eggs = size * boxes")
    expect(blank(visitor)).to_be_focused()
    visitor.page.keyboard.press("Enter")
    question(visitor, "The lamp is lit!")
    expect(visitor.page.locator("main")).to_contain_text("for every size and every number of boxes")
    gets_gem(visitor, "egg-boxes")
    choose(visitor, visitor.page.get_by_role("link", name="Next lamp: Candle"))
    expect(visitor.entry).to_be_focused()
    play_by_what_the_board_says(visitor)
    gets_gem(visitor, "candle")


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
    told(visitor, "That says eggs by eggs.")
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
