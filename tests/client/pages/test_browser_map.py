"""The map in a real browser: as a picture and as a list, islands that open later, patterns; keyboard, widths, languages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from idg.coordinator.catalog import variation_entries
from idg.levels import all_levels
from idg.levels.daily import all_variations
from idg.levels.patterns import PATTERNS
from tests.support.browser.visitors import Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

BROKEN_WORDS = """
all => all.flatMap((name) => [...name.textContent.matchAll(/[^\\s\\u00ad-]+/g)].filter(({ index, 0: word, input }) => {
  const range = document.createRange()
  // The hyphen that is shown at the end of a line belongs to the place after the soft hyphen.
  range.setStart(name.firstChild, index + (input[index - 1] === '\\u00ad' ? 1 : 0))
  range.setEnd(name.firstChild, index + word.length)
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
}).map(([word]) => word))
"""
"""The words of labels that go over two lines without a hyphen."""

WIDE = {"width": 1400, "height": 900}
"""A window in which the way is a picture."""
SOLVE = """async (levels) => {
  for (const [level, facts] of levels) {
    const send = (path, body) => fetch(path, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
    })
    const opened = await (await send('/api/rooms', { level, variant: 'code' })).json()
    await send(`/api/rooms/${opened.room.room}/batches`, { proposals: facts })
    const save = JSON.parse(localStorage['idg.save'] ?? '{"format": "idg-save", "version": 1}')
    const { player, name } = opened.player
    localStorage['idg.save'] = JSON.stringify({ ...save, player: { player, name }, tutorial: { step: 0, done: true } })
  }
}"""
"""Solves levels as a player who has played before."""

SOLVE_PROGRAM = """async ([program, proposals]) => {
  const send = async (path, body) => (await fetch(path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  })).json()
  const { room } = await send('/api/rooms', { program, variant: 'code' })
  await send(`/api/rooms/${room.room}/batches`, { proposals })
  return (await (await fetch(`/api/rooms/${room.room}`)).json()).solved
}"""
"""Solves the player's room of a program, and tells whether it is solved."""


def solve(visitor: Visitor, *levels: str) -> None:
    rows = [
        (level.id, [{"loop": fact.loop, "expression": fact.expr} for fact in level.solution])
        for level in all_levels()
        if level.id in levels
    ]
    visitor.go("/")
    visitor.page.evaluate(SOLVE, rows)
    visitor.go("/")


def wide(visitor: Visitor) -> Visitor:
    visitor.page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})
    return visitor


def test_every_level_is_a_link_on_the_map_and_in_the_list(visitor: Visitor) -> None:
    wide(visitor).go("/")
    for view in ("Map", "List"):
        visitor.button(view).click()
        for level in all_levels():
            assert visitor.page.locator(f'main a[href="/level/{level.id}"]').count() >= 1, (view, level.id)
    assert visitor.axe() == []
    visitor.page.reload()
    expect(visitor.button("List")).to_have_attribute("aria-pressed", "true")


def test_an_island_that_opens_later_says_so_and_can_be_played_all_the_same(visitor: Visitor) -> None:
    wide(visitor).go("/")
    lamp = visitor.page.get_by_role("link", name=re.compile("^Gears: opens later"))
    lamp.click()
    card = visitor.region("Gears")
    expect(card).to_contain_text("opens when 4 lamps on “First lamps” are lit")
    expect(card.get_by_role("link", name="Play it anyway")).to_have_attribute("href", "/level/gears")
    visitor.page.get_by_role("checkbox", name="Open all islands").check()
    expect(visitor.page.get_by_role("link", name=re.compile("^Gears: open,"))).to_be_visible()
    visitor.page.get_by_role("link", name=re.compile("^Gears: open,")).click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Gears")


def test_lamps_are_lit_patterns_are_collected_and_the_next_island_opens(visitor: Visitor) -> None:
    solve(wide(visitor), "egg-boxes", "candle", "mult-by-add", "multiply")
    expect(visitor.page.get_by_text(f"4 of {len(all_levels())} lamps lit")).to_be_visible()
    expect(visitor.page.get_by_role("link", name=re.compile("^Multiply: lit, ., of|^Multiply: lit"))).to_be_visible()
    expect(visitor.page.get_by_role("link", name=re.compile("^Gears: open"))).to_be_visible()
    patterns = visitor.region("Patterns you have collected")
    expect(patterns).to_contain_text(f"3 of {len(PATTERNS)}")
    expect(patterns).to_contain_text("product · in 2 proofs")
    expect(patterns).to_contain_text("limit · in 2 proofs")
    expect(patterns).to_contain_text("case · island 5")
    assert visitor.axe() == []
    visitor.page.get_by_role("link", name="Table game: Multiply without its program").click()
    expect(visitor.page).to_have_url(re.compile("variant=trace"))


def test_the_papers_levels_are_a_set(visitor: Visitor) -> None:
    wide(visitor).go("/")
    visitor.page.get_by_role("link", name="The paper’s twelve").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("The paper’s twelve")
    papers = {f"/level/{level.id}" for level in all_levels() if level.paper}
    listed = visitor.page.locator("main ol a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert set(listed) == papers
    visitor.page.get_by_role("link", name="Show the whole way").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("The way")


def test_todays_level_is_played_from_its_card_and_ticks_its_day(visitor: Visitor) -> None:
    solve(wide(visitor), "egg-boxes")
    told = visitor.page.evaluate("async () => (await fetch('/api/daily')).json()")
    # The variation of one day, so that the test does not depend on the day on which it runs.
    ferry = variation_entries()["ferry"]
    today = {**told["today"], "program": ferry.hash, "level": None, "variation": "ferry", "title": "Ferry"}
    week = [*told["week"][:-1], {"date": today["date"], "program": ferry.hash}]
    visitor.page.route("**/api/daily", lambda route: route.fulfill(json={"today": today, "week": week}))
    visitor.go("/")
    card = visitor.region("Today’s level")
    expect(card).to_contain_text("Same for everyone, new every day. Today: Ferry.")
    expect(card.locator(".week span")).to_have_count(7)
    expect(card.locator(".today")).to_have_count(1)
    expect(card.locator(".today.solved")).to_have_count(0)
    card.get_by_role("link", name="Play").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Ferry")
    expect(visitor.page).to_have_url(re.compile(rf"/program/{ferry.hash}\?day="))
    [variation] = [variation for variation in all_variations() if variation.id == "ferry"]
    proposals = [{"loop": fact.loop, "expression": fact.expr} for fact in variation.solution]
    solved = visitor.page.evaluate(SOLVE_PROGRAM, [ferry.hash, proposals])
    assert solved
    visitor.go("/")
    expect(card.locator(".today.solved")).to_have_count(1)
    expect(card.get_by_role("link", name="Look at it again")).to_be_visible()
    assert visitor.axe() == []


def test_by_keyboard_alone_in_the_order_of_play(visitor: Visitor) -> None:
    solve(wide(visitor), "egg-boxes")
    first = visitor.page.get_by_role("link", name=re.compile("^Egg boxes: lit"))
    visitor.tab_to(first)
    visitor.page.keyboard.press("Tab")
    expect(visitor.page.get_by_role("link", name=re.compile("^Candle: next"))).to_be_focused()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Candle")


def test_a_wrong_code_is_told(visitor: Visitor) -> None:
    visitor.expected = re.compile("status of 404")
    visitor.go("/")
    visitor.page.get_by_role("textbox", name="Code of the class or room").fill("abcd-efgh")
    visitor.button("Join").click()
    expect(visitor.page).to_have_url(re.compile("/class/abcdefgh$"))
    expect(visitor.page.get_by_role("alert")).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_nothing_is_cut_off_at_any_width(locale: str, visit: VisitorMaker) -> None:
    visitor = visit(locale=locale)
    solve(visitor, "egg-boxes", "candle", "mult-by-add", "multiply")
    for width in (320, 390, 640, 1100, 1400, 1920):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        expect(visitor.page.locator('main a[href="/level/gears"]').first).to_be_visible()
        assert visitor.sideways() <= 0, width
        cut = visitor.page.locator("main :is(a, p, h1, h2, span, small, code, button)").evaluate_all(
            "all => all.filter((each) => getComputedStyle(each).overflow !== 'visible' && each.clientWidth"
            " && !each.closest('.sr-only') && each.scrollWidth > each.clientWidth + 1).map((each) => each.outerHTML.slice(0, 90))"
        )
        assert cut == [], width
        outside = visitor.page.locator("main a").evaluate_all(
            "all => all.filter((each) => { const box = each.getBoundingClientRect();"
            " return box.width && (box.left < 0 || box.right > innerWidth) }).map((each) => each.href)"
        )
        assert outside == [], width


def test_the_win_tells_the_patterns_and_goes_on_along_the_way(visitor: Visitor) -> None:
    """After Multiply stands a side lamp with the same idea, which Next leaves out. A pattern is new once."""
    patterns = visitor.page.locator(".win .pattern")
    visitor.open("multiply")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    visitor.propose("res = n * cnt", "Proved.")
    expect(patterns).to_have_text([re.compile("product, new$"), re.compile("limit, new$")])
    expect(visitor.page.get_by_role("link", name="Next: Head start")).to_be_visible()
    visitor.button("Share").click()
    expect(visitor.button("Copied. Paste it wherever you like.")).to_be_visible()
    told = f"IDG, Multiply: proved with 2 facts in 2 tries. {visitor.url}/level/multiply"
    assert visitor.page.evaluate("navigator.clipboard.readText()") == told
    visitor.go("/")
    expect(visitor.page.get_by_role("region", name="Patterns you have collected")).to_contain_text("2 of ")
    visitor.open("egg-boxes")
    visitor.propose("eggs = size * boxes", "Proved.")
    expect(patterns).to_have_text([re.compile("product$")])


def test_labels_of_lamps_do_not_cover_each_other(visit: VisitorMaker) -> None:
    visitor = visit(locale="de-DE")
    solve(visitor, "egg-boxes", "candle", "mult-by-add", "multiply", "mult-by-1000")
    for width in (1100, 1400):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        expect(visitor.page.locator("main .post").first).to_be_visible()
        covered = visitor.page.locator("main .post .name").evaluate_all(
            "all => all.flatMap((one, at) => all.slice(at + 1).filter((other) => {"
            " const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();"
            " return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;"
            "}).map((other) => `${one.textContent} / ${other.textContent}`))"
        )
        assert covered == [], width
        broken = visitor.page.locator("main .post .name").evaluate_all(BROKEN_WORDS)
        assert broken == [], width
