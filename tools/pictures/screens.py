"""Every screen of the browser client, and how a person gets there. Pictures are made of them, and tests look at all of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Route, expect

from tools.pictures.screen_examples import C_PROGRAM, HELPER_PROGRAM, PARTICIPANT, STUDY, TABLE, WRONG_PROGRAM

Screen = Callable[[Page], None]


def entry(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Your fact", exact=True)


def message(page: Page) -> Locator:
    return page.get_by_role("region", name="Answer", exact=True)


def level(page: Page, name: str = "multiply", query: str = "") -> None:
    page.goto(f"/level/{name}{query}")
    expect(entry(page)).to_be_visible()


def propose(page: Page, text: str, headline: str) -> None:
    entry(page).fill(text)
    entry(page).press("Enter")
    expect(message(page).get_by_role("heading").first).to_have_accessible_name(re.compile(headline))


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def choose(page: Page, name: str) -> None:
    """Presses a button of the level's menu, or one that is beside it on a wide screen and in it on a phone."""
    if not page.get_by_role("button", name=name, exact=True).first.is_visible():
        press(page, "Level menu")
    press(page, name)


def submitted(page: Page, source: str) -> str:
    """Submits a program and returns its hash."""
    answer = page.request.post("/api/programs", data={"source": source})
    assert answer.ok, answer.text()
    program: str = answer.json()["program"]
    return program


def heading(page: Page, path: str, text: str | re.Pattern[str]) -> None:
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def levels(page: Page) -> None:
    heading(page, "/", "The way")
    expect(page.get_by_role("link", name="Multiply").first).to_be_visible()


def played_levels(page: Page) -> None:
    solved(page)
    levels(page)


def tutorial(page: Page) -> None:
    page.goto("/tutorial")
    expect(page.get_by_role("textbox", name="How many eggs are in row 5?")).to_be_visible()


def tutorial_guess(page: Page) -> None:
    tutorial(page)
    press(page, "Skip this step")
    page.get_by_role("textbox", name="eggs equals").fill("6 * boxes")
    expect(page.locator(".told")).to_contain_text("Good for the first run, not for the second.")


def glossary(page: Page) -> None:
    heading(page, "/glossary", "Words and signs")


def own(page: Page) -> None:
    heading(page, "/own", "Your own programs")


def own_problems(page: Page) -> None:
    own(page)
    page.get_by_label("Start from").select_option(label="Counting up")
    editor = page.get_by_role("textbox", name="Program", exact=True)
    editor.press("Control+End")
    page.keyboard.type("\nfn broken( {")
    expect(page.get_by_text(re.compile(r"^Line \d+, column \d+")).first).to_be_visible()


def own_ready(page: Page) -> None:
    own(page)
    page.get_by_label("Start from").select_option(label="Counting up")
    press(page, "Make it a level")
    expect(page.get_by_role("heading", name="Your level is ready.")).to_be_visible()


def own_c(page: Page) -> None:
    own(page)
    press(page, "Paste C")
    panel = page.get_by_role("region", name="A program in C")
    panel.get_by_label("C text").fill(C_PROGRAM)
    panel.get_by_role("button", name="Read it").click()
    expect(panel.get_by_role("heading", name="How it was read")).to_be_visible()


def settings(page: Page) -> None:
    heading(page, "/settings", "Settings and progress")


def study(page: Page) -> None:
    """Studies are opened on the command line, so here the answers of a server with one are made up."""

    def answer(route: Route) -> None:
        asked = route.request.url.partition("/api/studies/spring")[2]
        told = {"": STUDY, "/levels/1": TABLE, "/answers": PARTICIPANT | {"finished": True, "code": "K7PQ4MXW"}}
        route.fulfill(json=told.get(asked, PARTICIPANT))

    page.route(re.compile("/api/studies/spring"), answer)
    page.route("**/api/logs", lambda route: route.fulfill(json={}))
    page.goto("/study/spring?pid=p1")
    expect(page.get_by_role("button", name="Begin", exact=True)).to_be_visible()


def study_background(page: Page) -> None:
    study(page)
    page.get_by_role("checkbox").check()
    press(page, "Begin")
    expect(page.get_by_role("heading", name="A few questions about you")).to_be_visible()


def study_levels(page: Page) -> None:
    study_background(page)
    press(page, "Go on")
    expect(page.get_by_role("heading", name="Levels", exact=True)).to_be_visible()


def study_table(page: Page) -> None:
    study_levels(page)
    page.get_by_role("link", name="Play level 1").click()
    expect(entry(page)).to_be_visible()


def study_questions(page: Page) -> None:
    study_levels(page)
    page.get_by_role("link", name="Finish").first.click()
    expect(page.get_by_role("heading", name="A few questions at the end")).to_be_visible()


def study_finished(page: Page) -> None:
    study_questions(page)
    press(page, "Send and finish")
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()


def new_level(page: Page) -> None:
    level(page)


def typing(page: Page) -> None:
    level(page)
    entry(page).fill("cnt < m")
    expect(page.get_by_text("False in row 8 of this table.").first).to_be_visible()


def number(page: Page) -> None:
    level(page)
    entry(page).fill("n + cnt")
    expect(page.get_by_text(re.compile("^A number")).first).to_be_visible()


def wrong_name(page: Page) -> None:
    level(page)
    entry(page).fill("cmt <= ")
    expect(entry(page)).to_have_attribute("aria-invalid", "true")


def completion(page: Page) -> None:
    level(page)
    entry(page).press_sequentially("res = c")
    expect(page.locator(".rest")).to_have_text("res = cnt")


def inductive(page: Page) -> None:
    level(page)
    propose(page, "cnt <= m", "^Proved: ")


def non_invariant(page: Page) -> None:
    level(page)
    propose(page, "res >= cnt", "^False: ")


def potential(page: Page) -> None:
    level(page)
    propose(page, "res <= n * m", "^Not proved yet: ")


def view(page: Page, name: str) -> None:
    """Goes to a view of the board, which a wide screen shows anyway."""
    if page.locator(".board[data-view=all]").count() == 0:
        page.get_by_role("tablist", name="Parts of the board").get_by_role("tab", name=name).click()


def transition(page: Page) -> None:
    inductive(page)
    propose(page, "res <= n * m", "^Not proved yet: ")
    view(page, "Facts")
    press(page, "Why is res <= n * m not proved yet?")
    expect(message(page).get_by_role("button", name="Back to the ghost")).to_be_visible()


def tautology(page: Page) -> None:
    level(page)
    propose(page, "res - n <= res", "^Always true: ")


def displaced(page: Page) -> None:
    inductive(page)
    propose(page, "m >= cnt", "^Already known: ")


def displaced_potential(page: Page) -> None:
    potential(page)
    propose(page, "n * m >= res", "^Already waiting: ")


def unknown(page: Page) -> None:
    level(page, "casting-out-nines")
    propose(page, "x <= n", "^Not decided: ")


def solved(page: Page) -> None:
    inductive(page)
    propose(page, "res = n * cnt", r"^Proved\.$")


def chain(page: Page) -> None:
    """A win in which the last fact lets two that waited be proved."""
    level(page, "int-square-root")
    for waiting in ("sqr = (cnt + 1)^2", "cnt^2 <= n"):
        propose(page, waiting, f"^Not proved yet: {re.escape(waiting)}$")
    propose(page, "odd = 2 * cnt + 1", r"^Proved\.$")
    expect(page.locator(".chain")).to_contain_text("so cnt^2 <= n could be proved")


def together(page: Page) -> None:
    solved(page)
    heading(page, "/together/multiply", re.compile("Multiply"))
    expect(page.get_by_role("listitem").filter(has_text="res = n * cnt").first).to_be_visible()


def explanation(page: Page) -> None:
    solved(page)
    press(page, "See the proof")
    expect(page.get_by_role("button", name="Hide the proof")).to_be_visible()


def suffices(page: Page) -> None:
    level(page)
    propose(page, "cnt < m | res = n * m", "^Not proved yet: ")
    expect(page.locator("[data-status=waits]").first).to_be_attached()


def chart(page: Page) -> None:
    level(page)
    press(page, "Chart")
    expect(page.get_by_role("img", name="res, cnt over the turns")).to_be_visible()


def hints(page: Page) -> None:
    level(page)
    view(page, "Facts")
    page.get_by_role("button", name=re.compile("^A small hint")).click()
    for count in (1, 2):
        page.get_by_role("button", name=re.compile("^Tell me")).click()
        expect(page.get_by_role("dialog", name="Hints").get_by_role("listitem")).to_have_count(count)


def reference(page: Page) -> None:
    level(page)
    view(page, "Code")
    press(page, "Signs and words")
    press(page, "Insert ->")
    expect(page.get_by_text("Example:").first).to_be_visible()


def arrays(page: Page) -> None:
    """A draft about every box, which is false in a row: the first box that breaks it is painted."""
    level(page, "tallest-tower")
    entry(page).fill("forall k in 0..i: towers[k] <= tallest")
    expect(page.locator(".array-cell.painted").first).to_be_attached()


def measure(page: Page) -> None:
    """A measure that waits for a fact: its values fall from row to row, and ghost C breaks it."""
    level(page, "two-ropes")
    propose(page, "decreases x + y", "^Not proved yet: ")
    entry(page).fill("decreases x + y")
    expect(page.locator("[data-ghost=C]")).to_be_attached()


def both_lamps(page: Page) -> None:
    measure(page)
    entry(page).fill("y > 0")
    entry(page).press("Enter")
    press(page, "Light the second lamp")
    propose(page, "x > 0", r"^Proved\.$")
    expect(page.locator(".second-lamp").first).to_have_attribute("data-ends", "ends")


def take_proof(page: Page) -> None:
    solved(page)
    press(page, "Take the proof with you")
    expect(page.get_by_role("button", name=re.compile("^Dafny")).first).to_be_visible()


def partner(page: Page) -> None:
    level(page, "int-square-root")
    choose(page, "Play with the computer")
    expect(page.get_by_role("region", name="Computer")).to_be_visible()


def failing(page: Page) -> None:
    page.goto(f"/program/{submitted(page, WRONG_PROGRAM)}")
    expect(message(page).get_by_role("heading").first).to_have_accessible_name("The program breaks its promise.")


def loops(page: Page) -> None:
    level(page, "small-change")
    page.get_by_role("tablist", name="Loops").get_by_role("tab").nth(1).click()
    expect(page.get_by_role("tablist", name="Loops").get_by_role("tab").nth(1)).to_have_attribute("aria-selected", "true")


def helper_loop(page: Page) -> None:
    page.goto(f"/program/{submitted(page, HELPER_PROGRAM)}")
    page.get_by_role("tab", name=re.compile("Loop 2 in double")).click()
    expect(page.get_by_text("The table shows the call double(")).to_be_visible()
    propose(page, "old(x) < 1000", "^False: ")


def helper_solved(page: Page) -> None:
    helper_loop(page)
    propose(page, "y + 2 * x = 2 * old(x)", "^Proved: ")
    page.get_by_role("tablist", name="Loops").get_by_role("tab", name="Loop 1").click()
    propose(page, "i <= n", "^Proved: ")
    # The room tells the verdict before its own answer comes. Until then nothing can be proposed.
    expect(entry(page)).to_have_value("")
    propose(page, "s = i * (i + 1)", r"^Proved\.$")


def square_root(page: Page) -> None:
    """In the middle of a game: a proved fact, one that waits, a kept run, both ghosts, and a draft. It is the picture of docs/."""
    level(page, "int-square-root")
    propose(page, "odd >= 1", "^Proved: odd >= 1")
    propose(page, "cnt <= 6", "^False: ")
    propose(page, "sqr = (cnt+1)^2", "^Not proved yet: ")
    page.get_by_role("tablist", name="Runs").get_by_role("tab").first.click()
    entry(page).fill("odd = 2 * cnt + 1")
    expect(page.get_by_text(re.compile("^Rules out ghost")).first).to_be_visible()


def thinking(page: Page) -> None:
    level(page)

    def hold(_: Route) -> None:
        """Leaves the request without an answer."""

    page.route(re.compile("/proposals$"), hold)
    entry(page).fill("cnt <= m")
    entry(page).press("Enter")
    expect(page.get_by_role("button", name="Stop waiting")).to_be_visible()


def reset(page: Page) -> None:
    inductive(page)
    choose(page, "Reset level")
    expect(page.get_by_role("button", name="Yes, start again")).to_be_visible()


def trace_game(page: Page) -> None:
    level(page, query="?variant=trace")


def room(page: Page) -> None:
    inductive(page)
    choose(page, "Play together")
    press(page, "Make a link")
    expect(page.get_by_label("Link").first).to_be_visible()


def no_such_level(page: Page) -> None:
    page.goto("/level/none-of-ours")
    expect(page.get_by_text("There is no such level here.")).to_be_visible()


def gone(page: Page) -> None:
    level(page)
    page.context.set_offline(True)
    entry(page).fill("cnt <= m")
    entry(page).press("Enter")
    expect(message(page).get_by_role("heading").first).to_have_accessible_name("The server cannot be reached.")


_GAME: tuple[Screen, ...] = (
    tutorial,
    tutorial_guess,
    new_level,
    typing,
    number,
    wrong_name,
    completion,
    inductive,
    non_invariant,
    potential,
    transition,
    tautology,
    displaced,
    displaced_potential,
    unknown,
    solved,
    chain,
    failing,
    arrays,
    measure,
    both_lamps,
    take_proof,
    partner,
    loops,
    helper_loop,
    helper_solved,
    square_root,
    thinking,
    reset,
    trace_game,
    room,
    gone,
    explanation,
    suffices,
    chart,
    hints,
    reference,
)
_OTHERS: tuple[Screen, ...] = (
    levels,
    played_levels,
    glossary,
    own,
    own_problems,
    own_ready,
    own_c,
    settings,
    study,
    study_background,
    study_levels,
    study_table,
    study_questions,
    study_finished,
    no_such_level,
    together,
)


def _named(screens: tuple[Screen, ...]) -> dict[str, Screen]:
    return {screen.__name__.replace("_", "-"): screen for screen in screens}


GAME = _named(_GAME)
"""The states of a game: whatever the message window can show."""
SCREENS = _named(_OTHERS) | GAME
