"""Arrays in a real browser: cells in boxes, marks, painted cells, typed inputs, a level played to its win, a phone."""

from __future__ import annotations

import os
import re

from playwright.sync_api import expect

from tests.support.browser.visitors import Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

SHOTS = os.environ.get("IDG_SHOTS", "")
"""A folder for pictures of what these tests see; none are taken where it is empty."""
MAXIMUM = """fn maximum(a: int[]): int {
  pre(len(a) > 0);
  post(forall k in 0..len(a) - 1: a[k] <= result);
  var m: int := a[0];
  var i: nat := 1;
  while (i < len(a)) {
    if (a[i] > m) {
      m := a[i];
    }
    i := i + 1;
  }
  return m;
}
"""
ZEROS = """fn zeros(a: int[]) {
  var i: nat := 0;
  while (i < len(a)) {
    a[i] := 0;
    i := i + 1;
  }
  assert(forall k in 0..len(a) - 1: a[k] = 0);
}
"""


def shot(visitor: Visitor, name: str) -> None:
    if SHOTS:
        visitor.page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


def test_a_program_with_an_array_is_played_to_its_win(visitor: Visitor) -> None:
    visitor.open_program(MAXIMUM)
    visitor.inputs(a="3, 1, 4, 1, 5")
    rows = visitor.trace.locator("tr[data-row]")
    cells = rows.nth(1).locator(".array-cell")
    expect(cells).to_have_count(5)
    expect(cells.nth(2)).to_have_attribute("title", "a[2] = 4")
    expect(cells.nth(2).locator(".names")).to_have_text("i")
    # The counter stands beside the array when the loop ends, and screen readers hear so.
    expect(rows.nth(4).locator(".array-cell.outside .names")).to_have_text("i")
    expect(rows.nth(4).locator(".array .sr-only")).to_have_text("3, 1, 4, 1, 5; i at 5, beside the array")

    lesson = visitor.region("Facts about many cells")
    lesson.get_by_role("button", name=re.compile("^Type: ")).click()
    expect(visitor.entry).to_have_value("forall k in 0..len(a) - 1: a[k] < 5")
    expect(rows.nth(0).locator(".array-cell.painted")).to_have_attribute("title", "a[4] = 5")
    expect(rows.nth(0).locator(".result")).to_contain_text("k = 4")
    shot(visitor, "arrays-lesson")
    assert visitor.axe() == []
    # Rows of the run are seen above the ghost, whatever stands below the table.
    visible = rows.nth(1).evaluate("row => row.getBoundingClientRect().bottom")
    assert visible < visitor.trace.locator("tbody.ghosts").evaluate("ghosts => ghosts.getBoundingClientRect().top")
    for words in ("A painted cell is the first", "A loop has seen only a part", "Now look for what is true"):
        visitor.button("Next", lesson).click()
        expect(lesson).to_contain_text(words)
    visitor.button("Play", lesson).click()
    expect(lesson).to_have_count(0)

    visitor.type("forall k in 0..i: a[k] <= m")
    say = visitor.page.locator(".say")
    expect(say).to_contain_text("False in row 2 of this table, for k = 2.")
    expect(rows.nth(1).locator(".array-cell.painted")).to_have_attribute("title", "a[2] = 4")
    visitor.type("forall k in 0..i: a[k] <= 9")
    expect(say).to_contain_text("In row 5 there is no a[5]: a has the cells 0 to 4.")
    shot(visitor, "arrays-typed")

    visitor.propose("1 <= i <= len(a)", re.compile("Proved"))
    ghost = visitor.trace.locator("[data-ghost=A]")
    expect(ghost).to_be_visible()
    assert ghost.locator(".array-cell.cell").count() <= 4
    shot(visitor, "arrays-ghost")
    assert visitor.axe() == []
    visitor.type("forall k in 0..i - 1: a[k] <= m")
    expect(ghost.locator(".array-cell.painted")).to_have_count(1)
    visitor.entry.press("Enter")
    expect(visitor.page.locator(".win")).to_be_visible()
    shot(visitor, "arrays-win")
    assert visitor.axe() == []


def test_what_is_typed_for_an_array_is_checked_and_changed_cells_are_bold(visitor: Visitor) -> None:
    visitor.open_program(ZEROS)
    visitor.button("+ Run", visitor.trace).click()
    box = visitor.page.get_by_label("Input a", exact=True)
    box.fill("3, x")
    box.press("Enter")
    expect(visitor.page.get_by_role("alert")).to_have_text(re.compile("a: cell 1 is “x”, but it has to be a whole number."))
    box.fill("7, 8, 9")
    box.press("Enter")
    rows = visitor.trace.locator("tr[data-row]")
    expect(rows).to_have_count(4)
    expect(rows.nth(2).locator(".array-cell.changed")).to_have_attribute("title", "a[1] = 0")
    visitor.button("Chart").click()
    picture = visitor.page.get_by_role("img", name=re.compile("^a in row 1: 7, 8, 9"))
    expect(picture).to_be_visible()
    visitor.page.get_by_role("slider", name="Row").fill("3")
    expect(visitor.page.get_by_role("img", name=re.compile("^a in row 3: 0, 0, 9"))).to_be_visible()
    shot(visitor, "arrays-chart")
    assert visitor.axe() == []


def test_fingers_type_a_quantifier(visit: VisitorMaker) -> None:
    visitor = visit(phone=True, size={"width": 320, "height": 640})
    visitor.open_program(MAXIMUM)
    keys = visitor.page.get_by_role("group", name="Keys")
    for page in ("Numbers and more signs", "Signs for arrays"):
        keys.get_by_role("button", name=page).click()
    keys.get_by_role("button", name="forall", exact=True).click()
    expect(visitor.entry).to_have_value("forall k in 0..")
    for key in ("len(", "a"):
        keys.get_by_role("button", name=key, exact=True).click()
    expect(visitor.entry).to_have_value("forall k in 0..len(a")
    assert visitor.sideways() <= 0
    shot(visitor, "arrays-phone")
