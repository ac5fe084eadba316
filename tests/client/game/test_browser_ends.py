"""The end of programs in a real browser: measures fall from row to row, the second lamp, a run that never ends."""

from __future__ import annotations

import os
import re

from playwright.sync_api import expect

from tests.support.browser.visitors import Visitor

pytest_plugins = ["tests.support.browser.browsers"]

SHOTS = os.environ.get("IDG_SHOTS", "")
"""A folder for pictures of what these tests see; none are taken where it is empty."""


def shot(visitor: Visitor, name: str) -> None:
    if SHOTS:
        visitor.page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


def second_lamp(visitor: Visitor, ends: str) -> None:
    expect(visitor.page.locator(".second-lamp").first).to_have_attribute("data-ends", ends)


def test_a_measure_falls_from_row_to_row_and_lights_the_second_lamp(visitor: Visitor) -> None:
    visitor.open("two-ropes")
    second_lamp(visitor, "open")
    visitor.type("decreases x")
    rows = visitor.trace.locator("tbody.real tr")
    expect(rows.nth(1)).to_have_class(re.compile("hold"))
    expect(rows.nth(2)).to_have_class(re.compile("fail"))
    expect(visitor.page.locator(".say")).to_contain_text("Does not fall from row 2 to row 3")
    visitor.type("decreases y, x")
    expect(rows.nth(0).locator(".result")).to_contain_text("(30, 42)")
    visitor.type("decreases x +")
    expect(visitor.entry).to_have_attribute("data-reading", "wrong")
    visitor.type("decreases x + y")
    expect(visitor.page.locator(".say")).to_contain_text("Falls in every turn here")
    shot(visitor, "measure-typed")
    visitor.propose("decreases x + y", re.compile("Not proved yet: x \\+ y falls"))
    ghost = visitor.trace.locator("[data-ghost=C]")
    expect(ghost).to_be_visible()
    expect(visitor.page.locator(".tile.measure.open")).to_contain_text("x + y")
    shot(visitor, "measure-waits")
    assert visitor.axe() == []
    # The first lamp is lit by one fact, and the measure waits for another one.
    visitor.type("y > 0")
    visitor.entry.press("Enter")
    expect(visitor.page.locator(".win")).to_be_visible()
    second_lamp(visitor, "open")
    visitor.button("Light the second lamp").click()
    visitor.type("x > 0")
    visitor.entry.press("Enter")
    expect(visitor.page.locator(".win")).to_be_visible()
    second_lamp(visitor, "ends")
    # The measure needs this fact, so the picture must not say that nothing does.
    expect(visitor.page.locator(".picture .unneeded")).to_contain_text("y > 0 true, but not needed for the goal")
    shot(visitor, "measure-win")
    assert visitor.axe() == []
    visitor.back_to_board()
    expect(visitor.page.locator(".tile.measure.solid")).to_contain_text("x + y")
    visitor.go("/")
    expect(visitor.page.locator("a[href='/level/two-ropes'] .second.lit").first).to_be_attached()


def test_a_measure_that_a_run_refutes_shows_the_turn(visitor: Visitor) -> None:
    visitor.open("thrown-ball")
    visitor.inputs(start="0", throw="5")
    expect(visitor.trace.locator("tbody.real tr")).to_have_count(1)
    visitor.propose("decreases height", re.compile("It does not always fall: height"))
    expect(visitor.trace.locator("tr.marked")).to_be_visible()
    expect(visitor.message).to_contain_text("look at the turn from row")


def test_a_run_that_never_ends_is_found_and_confirmed(visitor: Visitor) -> None:
    visitor.open("frog-pond")
    visitor.propose("endless goal = 8", re.compile("This run ends: goal = 8"))
    visitor.inputs(goal="3")
    shot(visitor, "endless-run")
    visitor.button("This run never ends").click()
    visitor.said(re.compile("It never ends: goal = 3"))
    second_lamp(visitor, "never ends")
    expect(visitor.message).to_contain_text("Rows 1 and 6 are the same")
    assert visitor.axe() == []
    shot(visitor, "endless-found")
