"""A newcomer in a real browser, who knows nothing but what the screen shows and asks: the beginning and the first lamps.

No fact is written down here. What is typed is read off the page: numbers of the table, columns, the goal, questions.
"""

from __future__ import annotations

import re
import time
from itertools import pairwise

from playwright.sync_api import Locator, expect

from tests.support.browser.visitors import Visitor, VisitorMaker
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.browser.browsers"]

Columns = dict[str, list[str]]
"""The columns of a table: name → values in the rows of the run."""


def gets_gem(visitor: Visitor, level: str) -> None:
    """Waits until the player has proved the level."""
    end = time.monotonic() + HANG_SECONDS
    while not visitor.page.request.get("/api/players/me/scores").json()["levels"].get(level, {"gem": False})["gem"]:
        assert time.monotonic() < end, f"{level} was not proved"
        visitor.page.wait_for_timeout(200)


# what can be read off a table


def same(columns: Columns, value: str) -> list[str]:
    """The columns that have this value in every row."""
    return [name for name, values in columns.items() if set(values) == {value}]


def step(values: list[str]) -> int:
    """How much a column grows from row to row."""
    [by] = {int(later) - int(earlier) for earlier, later in pairwise(values)}
    return by


def like(columns: Columns, wanted: list[str]) -> str:
    """The column with these values."""
    [name] = (name for name, values in columns.items() if values == wanted)
    return name


# the keyboard


def write(visitor: Visitor, text: str) -> None:
    """Types in place of what stands in the field that has the focus."""
    expect(visitor.page.locator(":focus")).to_have_role("textbox")
    for key in ("Control+a", "Delete"):
        visitor.page.keyboard.press(key)
    visitor.page.keyboard.type(text)


def enter(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Enter")


def go_on(visitor: Visitor) -> None:
    """Presses Enter on the button that has the focus."""
    expect(visitor.button("Go on")).to_be_focused()
    enter(visitor)


def choose(visitor: Visitor, target: Locator) -> None:
    visitor.tab_to(target)
    enter(visitor)


# the beginning


def question(visitor: Visitor, title: str | re.Pattern[str]) -> None:
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(title)


def told(visitor: Visitor, words: str | re.Pattern[str]) -> None:
    expect(visitor.page.locator(".told")).to_contain_text(words)


def sheet(visitor: Visitor, body: str) -> Columns:
    """The columns of the table of the beginning, in one of its parts."""
    expect(visitor.page.locator(f".sheet {body}").first).to_be_visible()
    names = visitor.page.locator(".sheet thead th:not(.name):not(.you)").all_inner_texts()
    rows = [row.locator("td:not(.you)").all_inner_texts() for row in visitor.page.locator(f".sheet {body} tr:not(.apart)").all()]
    return {name: [row[index].strip() for row in rows] for index, name in enumerate(names)}


def predict(visitor: Visitor) -> int:
    """Goes on with the last column as it went so far; returns by how much it grows."""
    question(visitor, "What comes next?")
    *known, empty = list(sheet(visitor, "tbody.run").values())[-1]
    assert empty == ""
    grows = step(known)
    write(visitor, str(int(known[-1]) + grows))
    enter(visitor)
    go_on(visitor)
    return grows


def say_the_rule(visitor: Visitor, grows: int) -> str:
    """Says how the number was found: so much for every one of the column that counts. Returns the rule."""
    question(visitor, re.compile("^You knew it would be .* How?"))
    first = sheet(visitor, "tbody.run")
    [counts] = (name for name, values in first.items() if values == [str(number) for number in range(len(values))])
    write(visitor, f"{grows} * {counts}")
    # That is the first guess of most people. A second run meets it, and the screen asks for a column.
    told(visitor, "Good for the first run, not for the second. Which column could stand where you wrote a number?")
    [column] = same(first, str(grows))
    rule = f"{column} * {counts}"
    write(visitor, rule)
    told(visitor, "Yes: in both runs.")
    enter(visitor)
    return rule


def meet_the_ghost(visitor: Visitor, rule: str) -> None:
    """Looks whether the rule is true for the ghost."""
    question(visitor, "Meet a ghost")
    expect(visitor.page.get_by_text(re.compile("^Your rule is .*What is it for the ghost?"))).to_be_visible()
    values = {name: int(value) for name, [value] in sheet(visitor, "tbody.ghost").items()}
    left, right = rule.split(" * ")
    is_true = list(values.values())[-1] == values[left] * values[right]
    choose(visitor, visitor.button(re.compile("^True:" if is_true else "^False:")))
    told(visitor, "Right.")
    go_on(visitor)


def find_the_goal(visitor: Visitor) -> str:
    """Chooses the first line, hears what to look for, and chooses that. Returns what the goal says the eggs are."""
    question(visitor, "Where the numbers come from")
    lines = visitor.page.get_by_role("list", name="Program").get_by_role("button")
    choose(visitor, lines.first)
    told(visitor, "Look for the line that asserts something.")
    choose(visitor, lines.filter(has_text="assert"))
    told(visitor, re.compile("When the loop ends, .* must hold"))
    goal = visitor.page.locator(".told code").first.inner_text()
    go_on(visitor)
    return goal


def say_a_limit(visitor: Visitor, goal: str) -> None:
    question(visitor, "How many eggs at most?")
    told(visitor, f"How many are there in the end? The goal says it: {goal}.")
    write(visitor, goal.partition(" = ")[2])
    told(visitor, "Propose it")
    enter(visitor)
    told(visitor, "Not proved yet.")
    go_on(visitor)


def light_the_lamp(visitor: Visitor, rule: str) -> None:
    """The rule stands there already: the screen says what it would do and asks to propose it."""
    question(visitor, "Light the lamp")
    expect(visitor.page.locator(":focus")).to_have_value(re.compile(f"= {re.escape(rule)}$"))
    told(visitor, re.compile(r"True in every row, and (\d) of \1 ghost rows would go.*Propose it"))
    enter(visitor)
    question(visitor, "The lamp is lit!")


# the board


def table(visitor: Visitor) -> Columns:
    names = visitor.trace.locator("thead th button").all_inner_texts()
    rows = [row.locator("td").all_inner_texts() for row in visitor.trace.locator("tbody.real tr[data-row]").all()]
    return {name: [row[index] for row in rows] for index, name in enumerate(names)}


def line(visitor: Visitor, words: str | re.Pattern[str]) -> str:
    """Waits until the line under the entry says this, and returns it."""
    said = visitor.page.locator(".say")
    expect(said).to_contain_text(words)
    return said.inner_text()


def asked_about(visitor: Visitor, words: str) -> list[str]:
    """The columns that the first answer asks about, with these words."""
    expect(visitor.entry).to_be_focused()
    expect(visitor.message).to_contain_text(re.compile(words))
    return visitor.message.locator("p code").all_inner_texts()


def replace_the_number(visitor: Visitor, number: str, before: Columns) -> None:
    """Proposes the typed fact, is shown the run that breaks it, and puts a column where the answer asks for one."""
    line(visitor, "Enter proposes it.")
    enter(visitor)
    visitor.said(re.compile("^False: "))
    expect(visitor.message).to_contain_text(f"Which column could stand where you wrote {number}?")
    # The column must have had this number in the first run, in every row.
    [column] = same(before, number)
    expect(visitor.entry).to_be_focused()
    write(visitor, re.sub(rf"\b{number}\b", column, visitor.entry.input_value()))
    line(visitor, "Rules out ghost A. Enter proposes it.")
    enter(visitor)
    visitor.said(re.compile("^Proved"))


def play_what_moves_apart(visitor: Visitor) -> None:
    """Two columns are named, and what they make together is asked for. The first guess: their sum."""
    grows, shrinks = asked_about(visitor, "grows while .* shrinks. What do they make together")
    first = table(visitor)
    visitor.page.keyboard.type(f"{grows} + {shrinks}")
    # It is the same in every row, so the guess is that it is always this number.
    number = line(visitor, "in every row. What else has this value?").split()[0]
    visitor.page.keyboard.type(f" = {number}")
    replace_the_number(visitor, number, first)


def play_what_moves_together(visitor: Visitor) -> None:
    """Two columns are named, and what makes one out of the other is asked for. The first guess: so much every time."""
    one, other = asked_about(visitor, "grow together. What makes one out of the other")
    first = table(visitor)
    number = str(step(first[other]) // step(first[one]))
    visitor.page.keyboard.type(f"{number} * {one}")
    line(visitor, "In every row the same as a column. Which one?")
    column = like(first, [str(int(number) * int(value)) for value in first[one]])
    visitor.page.keyboard.type(f" = {column}")
    replace_the_number(visitor, number, first)


def test_a_newcomer_who_does_what_the_screen_asks_reaches_the_second_lamp_by_keyboard_alone(visitor: Visitor) -> None:
    visitor.go("/")
    choose(visitor, visitor.page.locator("main").locator("a[href='/tutorial']").first)
    rule = say_the_rule(visitor, predict(visitor))
    meet_the_ghost(visitor, rule)
    say_a_limit(visitor, find_the_goal(visitor))
    light_the_lamp(visitor, rule)
    expect(visitor.page.locator("main")).to_contain_text("for every size and every number of boxes")
    gets_gem(visitor, "egg-boxes")
    choose(visitor, visitor.page.get_by_role("link", name=re.compile("^Next lamp: ")))
    play_what_moves_apart(visitor)
    gets_gem(visitor, "candle")


def test_whoever_goes_straight_to_the_first_lamp_is_led_by_questions_too(visitor: Visitor) -> None:
    visitor.go("/")
    choose(visitor, visitor.page.get_by_role("link", name="or go straight to the first lamp"))
    play_what_moves_together(visitor)
    gets_gem(visitor, "egg-boxes")


def test_a_level_is_played_to_its_end_by_touch_on_a_phone(visit: VisitorMaker) -> None:
    visitor = visit(phone=True)
    visitor.open("candle")
    page = visitor.page
    keys = page.get_by_role("group", name="Keys")
    for key in ("burnt", "+", "left", "=", "length"):
        keys.get_by_role("button", name=key, exact=True).tap()
    expect(visitor.entry).to_have_value("burnt + left = length")
    wide = "keys => keys.filter(key => key.scrollWidth > key.clientWidth).map(key => key.textContent)"
    assert keys.get_by_role("button").evaluate_all(wide) == [], "names that are wider than their keys"
    # Two rows of keys are enough, also for the longest names of the way, so that the table is seen.
    lines = "keys => new Set(keys.map(key => Math.round(key.getBoundingClientRect().top))).size"
    assert keys.get_by_role("button").evaluate_all(lines) == 2
    # The goal is one tap away, and a tap beside it closes it: it covers the entry.
    goal = page.get_by_role("dialog", name="Goal")
    page.get_by_role("button", name=re.compile("^Goal 0 of 1")).tap()
    expect(goal).to_contain_text("burnt = length")
    visitor.trace.locator("tbody.real tr").first.tap()
    expect(goal).to_be_hidden()
    visitor.button("Propose").tap()
    expect(page.get_by_role("heading", name="Proved.")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Next: ")).tap()
    expect(page).to_have_url(re.compile("/level/mult-by-add$|/level/counting"))
    expect(visitor.entry).to_be_visible()
