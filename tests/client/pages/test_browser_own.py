"""The assessment that our agent gives of a player's own programs, in a real browser and with the real agent."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.support.browser.visitors import GONE, PHONE, Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

SUM = """fn main(n: nat): int {
  post(2 * result = n * (n + 1));
  var i, sum: int;
  i := 0;
  sum := 0;
  while (i < n) {
    i := i + 1;
    sum := sum + i;
  }
  return sum;
}
"""
WRONG_SUM = SUM.replace("n * (n + 1)", "n * n")
DIVIDES_BY_ZERO = """fn main(n: nat) {
  var i, q: int;
  i := n;
  q := 0;
  while (i >= 0) {
    q := 10 // i;
    i := i - 1;
  }
  assert(i < 0);
}
"""
OPEN = """fn main(n: nat) {
  var x, i: int;
  x := 27;
  i := 0;
  while (i < n) {
    if (x % 2 = 0) { x := x // 2; } else { x := 3 * x + 1; }
    i := i + 1;
  }
  assert(x != 29);
}
"""
"""The guarantee is true: the Collatz sequence from 27 never meets 29. The agent tries all its ideas within half a second."""


def assessment(visitor: Visitor) -> Locator:
    return visitor.region("What our agent makes of it")


def write(visitor: Visitor, source: str) -> None:
    """Replaces the text of the editor. The text is pasted, because the editor would add brackets to typed text."""
    visitor.page.get_by_role("textbox", name="Program", exact=True).click()
    visitor.page.keyboard.press("Control+a")
    visitor.page.evaluate("text => navigator.clipboard.writeText(text)", source)
    visitor.page.keyboard.press("Control+v")
    expect(visitor.page.get_by_text("This is a program. It can become a level.")).to_be_visible()


def submit(visitor: Visitor, source: str, title: str = "") -> None:
    visitor.go("/own")
    write(visitor, source)
    if title:
        visitor.page.get_by_label("Title").fill(title)
    visitor.button("Make it a level").click()
    expect(visitor.page.get_by_role("heading", name="Your level is ready.")).to_be_visible()


def assessed_as(visitor: Visitor, headline: str) -> Locator:
    panel = assessment(visitor)
    expect(panel.get_by_role("heading", level=3)).to_have_accessible_name(headline)
    return panel


def accessible(visitor: Visitor) -> None:
    """Checks that axe objects to nothing in light and dark, and that on a phone nothing scrolls sideways."""
    assert visitor.axe() == []
    visitor.page.emulate_media(color_scheme="dark")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert visitor.axe(colours_only=True) == []
    visitor.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert visitor.sideways() <= 0


def test_a_proved_program_has_a_difficulty(visitor: Visitor) -> None:
    submit(visitor, SUM)
    panel = assessed_as(visitor, "Our agent has proved the guarantee.")
    expect(panel).to_contain_text(re.compile("Difficulty: (very easy|easy|medium|hard|very hard)."))
    needed = r"It needed \d+ facts? with squares or products, found in \d+ rounds? of trying."
    expect(panel).to_contain_text(re.compile(needed))
    heard = visitor.page.locator("[aria-live=polite][aria-atomic=true]")
    expect(heard).to_contain_text(re.compile("^Our agent has proved the guarantee. Difficulty"))
    accessible(visitor)


def test_a_wrong_guarantee_is_said_with_its_run(visitor: Visitor) -> None:
    submit(visitor, WRONG_SUM)
    panel = assessed_as(visitor, "The guarantee is wrong.")
    expect(panel).to_contain_text("Started with n = 1, the guarantee in line 2 becomes false: 2 * result = n * n.")
    run = panel.get_by_role("table", name="The run, at the loop head")
    expect(run.get_by_role("row").nth(1)).to_have_text(re.compile(r"Row 1\s*1\s*0\s*0"))
    place = panel.get_by_role("table", name="Where it fails")
    expect(place.get_by_role("columnheader")).to_have_text(["n", "result"])
    expect(place.get_by_role("row").nth(1)).to_contain_text("line 2")
    expect(panel).to_contain_text("Nobody can win this level: what is not true cannot be proved.")
    accessible(visitor)


def test_a_program_that_goes_wrong_on_its_way(visitor: Visitor) -> None:
    submit(visitor, DIVIDES_BY_ZERO)
    panel = assessed_as(visitor, "This program goes wrong.")
    expect(panel).to_contain_text("Started with n = 0, the division in line 6 goes wrong: 10 // i.")


def test_what_our_agent_cannot_prove_is_not_called_wrong(visitor: Visitor) -> None:
    submit(visitor, OPEN)
    panel = assessed_as(visitor, "Our agent could not prove the guarantee.")
    expect(panel).to_contain_text("That does not mean that it is wrong: no run that breaks it was found, either.")
    expect(panel).to_contain_text("The loop would end there, and the assert in line 9 would be false.")
    state = panel.get_by_role("table", name=re.compile("^A state to rule out"))
    expect(state.get_by_role("columnheader")).to_have_text(["n", "x", "i"])
    expect(state.get_by_role("row").nth(1)).to_contain_text("29")
    accessible(visitor)


def test_another_text_has_no_assessment_until_it_is_submitted(visitor: Visitor) -> None:
    submit(visitor, WRONG_SUM)
    assessed_as(visitor, "The guarantee is wrong.")
    write(visitor, SUM)
    expect(assessment(visitor)).to_have_count(0)
    visitor.button("Make it a level").click()
    assessed_as(visitor, "Our agent has proved the guarantee.")


def test_a_program_that_is_opened_again_is_assessed(visitor: Visitor) -> None:
    # The comment makes it a new program, because a program keeps the title that it came with first.
    submit(visitor, f"# Opened again\n{WRONG_SUM}", "A sum")
    assessed_as(visitor, "The guarantee is wrong.")
    visitor.page.reload()
    expect(assessment(visitor)).to_have_count(0)
    visitor.button("Edit A sum").click()
    assessed_as(visitor, "The guarantee is wrong.")
    # The list is kept even without the cookie.
    visitor.context.clear_cookies()
    visitor.expected = re.compile("status of 401")
    visitor.page.reload()
    visitor.button("Edit A sum").click()
    assessed_as(visitor, "The guarantee is wrong.")


@pytest.mark.parametrize("phone", [False, True])
def test_nothing_moves_when_the_answer_comes(visit: VisitorMaker, phone: bool) -> None:
    visitor = visit(phone=phone)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.page.route(re.compile("/assessment$"), hold)
    submit(visitor, SUM)
    expect(assessment(visitor)).to_contain_text("Our agent tries to prove it …")
    assert visitor.axe() == []
    play = visitor.page.get_by_role("link", name="Play it")
    parts = (play, assessment(visitor), visitor.region("Programs you have made or played"))
    before = [part.bounding_box() for part in parts]
    held[0].continue_()
    assessed_as(visitor, "Our agent has proved the guarantee.")
    assert [part.bounding_box() for part in parts] == before


def refuse(status: int, code: str, message: str, after: str = "") -> dict[str, object]:
    problem = {"code": code, "message": message, "where": None, "hint": ""}
    return {"status": status, "json": problem, "headers": {"Retry-After": after} if after else {}}


def test_a_busy_server_is_asked_again(visitor: Visitor) -> None:
    """The client asks again by itself after the time that the server names, or at once by the button."""
    visitor.expected = re.compile("status of 503|status of 429")
    answers = [refuse(503, "busy", "all engine workers are busy", "1"), refuse(429, "too-fast", "you are too fast", "300")]

    def answer(route: Route) -> None:
        if answers:
            route.fulfill(**answers.pop(0))  # type: ignore[arg-type]
        else:
            route.continue_()

    visitor.page.route(re.compile("/assessment$"), answer)
    submit(visitor, SUM)
    panel = assessed_as(visitor, "Too fast for the server.")
    expect(panel).to_contain_text("Next try in 300 s.")
    accessible(visitor)
    visitor.button("Try again", panel).click()
    assessed_as(visitor, "Our agent has proved the guarantee.")


def test_without_an_answer_there_is_a_way_on(visitor: Visitor) -> None:
    visitor.expected = re.compile(f"status of 503|status of 404|{GONE.pattern}")
    answers = [refuse(503, "no-answer", "there is no answer: time", "5"), refuse(404, "not-found", "there is no such program")]

    def answer(route: Route) -> None:
        if answers:
            route.fulfill(**answers.pop(0))  # type: ignore[arg-type]
        else:
            route.abort("connectionrefused")

    visitor.page.route(re.compile("/assessment$"), answer)
    submit(visitor, SUM)
    panel = assessed_as(visitor, "Our agent came to no end within the limits of this server.")
    expect(panel).to_contain_text("That says nothing about the program.")
    visitor.button("Try again", panel).click()
    assessed_as(visitor, "The server does not have this program any more.")
    visitor.button("Try again", panel).click()
    assessed_as(visitor, "The server cannot be reached.")
    visitor.page.unroute(re.compile("/assessment$"))
    visitor.button("Try again", panel).click()
    assessed_as(visitor, "Our agent has proved the guarantee.")


def test_in_german(visit: VisitorMaker) -> None:
    visitor = visit(locale="de-DE")
    visitor.go("/own")
    visitor.page.get_by_role("textbox", name="Programm", exact=True).click()
    visitor.page.evaluate("text => navigator.clipboard.writeText(text)", WRONG_SUM)
    visitor.page.keyboard.press("Control+v")
    visitor.button("Daraus ein Level machen").click()
    panel = visitor.region("Was unser Agent davon hält")
    expect(panel).to_contain_text("Die Garantie ist falsch.")
    expect(panel).to_contain_text("Startet man es mit n = 1, wird die Garantie in Programmzeile 2 falsch: 2 * result = n * n.")
    visitor.button("English").click()
    assessed_as(visitor, "The guarantee is wrong.")
