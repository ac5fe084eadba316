"""The main screens at four widths, in light and dark, in both languages: no text is cut off, and axe finds nothing.

The steps to a screen do not depend on its words. A page is loaded once for each language, and then resized and recoloured.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.support.browser.visitors import Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

SIZES = {1400: 900, 1120: 800, 390: 844, 320: 640}
"""The width of a window → its height."""
BOARD_WIDTH_MIN = 1100
"""From this width on the board shows all of its parts at once."""
VIEWS = ("view-code", "view-table", "view-facts")
LANGUAGES = {"en": "en-GB", "de": "de-DE"}

CUT_OFF = """
() => {
  const found = []
  const told = (element) => `${element.tagName.toLowerCase()}.${[...element.classList].join('.')}`
  const tell = (why, element, text) => found.push(`${why}: ${told(element)}: ${text.trim().slice(0, 60)}`)
  const hidden = (element) => !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    || element.closest('.sr-only, .skip, svg') || getComputedStyle(element).clipPath.startsWith('inset(50%')
  const scrolls = (value) => value === 'auto' || value === 'scroll'
  const measure = document.createElement('canvas').getContext('2d')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const owners = new Set()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement
    if (!node.data.trim() || hidden(owner)) continue
    owners.add(owner)
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const { left, right, top, bottom, width } of range.getClientRects()) {
      if (!width) continue
      let above = owner
      let sideways = true
      let downwards = true
      for (; above && above !== document.body; above = above.parentElement) {
        const style = getComputedStyle(above)
        if (scrolls(style.overflowX)) sideways = false
        if (scrolls(style.overflowY)) downwards = false
        if (style.display === 'inline') continue
        const box = above.getBoundingClientRect()
        if (sideways && style.overflowX !== 'visible' && (right > box.right + 1 || left < box.left - 1))
          tell(`cut off at the side by ${told(above)}`, owner, node.data)
        // A line is higher than its letters, so that a little of it may lie outside.
        if (downwards && style.overflowY !== 'visible' && (bottom > box.bottom + 4 || top < box.top - 4))
          tell(`cut off below or above by ${told(above)}`, owner, node.data)
        if (style.position === 'fixed') break
      }
      if (sideways && (right > innerWidth + 1 || left < -1)) tell('outside of the window', owner, node.data)
    }
  }
  for (const owner of owners) {
    // The text of a box whose letters are inline belongs to the next box around it.
    let box = owner
    while (getComputedStyle(box).display === 'inline' && box.parentElement) box = box.parentElement
    const style = getComputedStyle(box)
    if (!scrolls(style.overflowX) && box.clientWidth && box.scrollWidth > box.clientWidth + 1)
      tell(`${box.scrollWidth - box.clientWidth} pixels wider than its box`, box, owner.textContent)
    const button = owner.closest('button, a.button')
    if (button && !hidden(button) && getComputedStyle(button).display !== 'inline') {
      const outer = button.getBoundingClientRect()
      const inner = owner.getBoundingClientRect()
      if (inner.right > outer.right + 1 || inner.left < outer.left - 1 || button.scrollWidth > button.clientWidth + 1)
        tell('outside of its button', owner, owner.textContent)
    }
  }
  for (const input of document.querySelectorAll('input[placeholder]')) {
    if (hidden(input) || input.value ) continue
    const style = getComputedStyle(input)
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(input, '::placeholder')
    measure.font = `${fontWeight} ${fontSize} ${fontFamily}`
    const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    if (measure.measureText(input.placeholder).width > room + 1) tell('placeholder cut off', input, input.placeholder)
  }
  return [...new Set(found)]
}
"""
"""Finds texts that cannot be read whole. What scrolls in its own box can be read whole."""
BAD_PAGE = """
<style>
* { font: 16px/20px monospace }
p, div, button { width: 80px; height: 20px; white-space: nowrap; margin: 4px; padding: 0 }
</style>
<p style="overflow: hidden">hidden at the side</p>
<p>wider than a box</p>
<div style="overflow: clip">above<br>below</div>
<button><span>more than a button</span></button>
<input placeholder="longer than the field is" size="5">
<p style="overflow: auto">scrolls, so it is fine</p>
<p class="sr-only" style="overflow: hidden">for screen readers only</p>
<p>is fine</p>
<p style="width: 300px; position: absolute; left: 1350px">outside of it</p>
"""
"""A page with every kind of text that is cut off, and with some that are not."""
_SETTLED = """
() => document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))
"""

Step = Callable[[Visitor], None]


def entry(visitor: Visitor) -> Locator:
    return visitor.page.locator(".entry input")


def open_level(visitor: Visitor, level: str = "multiply") -> None:
    visitor.go(f"/level/{level}")
    expect(entry(visitor)).to_be_visible()
    expect(visitor.page.locator(".answer h2")).to_be_visible()


def propose(visitor: Visitor, text: str, kind: str) -> None:
    """Proposes a fact and waits for the answer of this kind. A box with an answer is empty."""
    entry(visitor).fill(text)
    entry(visitor).press("Enter")
    expect(visitor.page.locator(f"section[data-kind='{kind}']")).to_be_visible()


def level_map(visitor: Visitor) -> None:
    visitor.go("/")
    expect(visitor.page.locator("main a[href='/level/multiply']").first).to_be_visible()


def fresh(visitor: Visitor) -> None:
    open_level(visitor)


def typing(visitor: Visitor) -> None:
    open_level(visitor)
    entry(visitor).fill("cnt < m")
    expect(visitor.page.locator(".say .failing")).to_be_visible()


def mistake(visitor: Visitor) -> None:
    open_level(visitor, "int-square-root")
    entry(visitor).fill("sqrt > (cnt+1)^2 &")
    expect(visitor.page.locator(".say .wrong")).to_be_visible()


def waiting(visitor: Visitor) -> None:
    open_level(visitor)
    propose(visitor, "res <= n * m", "potential")
    visitor.page.locator(".tile.open .why").click()
    expect(visitor.page.locator("section[data-kind='transition']")).to_be_visible()


def win(visitor: Visitor) -> None:
    open_level(visitor)
    propose(visitor, "cnt <= m", "inductive")
    expect(entry(visitor)).to_have_value("")
    propose(visitor, "res = n * cnt", "solved")
    expect(visitor.page.locator(".picture")).to_be_visible()


def room(visitor: Visitor) -> None:
    visitor.go("/")
    opened = visitor.page.request.post(
        "/api/rooms", data={"level": "multiply", "shared": True}, headers={"Origin": visitor.url}
    ).json()
    visitor.go(f"/room/{opened['room']['code']}")
    expect(entry(visitor)).to_be_visible()
    expect(visitor.page.locator(".room-bar")).to_be_visible()


def beginning(visitor: Visitor) -> None:
    visitor.go("/tutorial")
    expect(visitor.page.locator("main input").first).to_be_visible()


def page_at(path: str) -> Step:
    def show(visitor: Visitor) -> None:
        visitor.go(path)
        expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()

    return show


SCREENS: dict[str, Step] = {
    "map": level_map,
    "fresh": fresh,
    "typing": typing,
    "mistake": mistake,
    "waiting": waiting,
    "win": win,
    "room": room,
    "beginning": beginning,
    "own": page_at("/own"),
    "settings": page_at("/settings"),
    "glossary": page_at("/glossary"),
    "together": page_at("/together/multiply"),
}


def cut_off(visitor: Visitor) -> list[str]:
    visitor.page.evaluate(_SETTLED)
    faults: list[str] = visitor.page.evaluate(CUT_OFF)
    sideways = visitor.sideways()
    return faults + ([f"the page scrolls sideways by {sideways} pixels"] if sideways > 0 else [])


def views(visitor: Visitor, width: int) -> list[str | None]:
    """The views that the screen has at this width. The board has three on a narrow one; other screens have one."""
    board = visitor.page.locator(".board")
    if not board.count():
        return [None]
    if width >= BOARD_WIDTH_MIN:
        expect(board).to_have_attribute("data-view", "all")
        return [None]
    expect(visitor.page.locator(".phone-bar")).to_be_visible()
    return [*VIEWS]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCREENS)
def test_no_text_is_cut_off(name: str, language: str, visit: VisitorMaker) -> None:
    visitor = visit(locale=LANGUAGES[language], still=True, size={"width": 1400, "height": SIZES[1400]})
    page = visitor.page
    SCREENS[name](visitor)
    expect(page.locator("html")).to_have_attribute("lang", language)
    faults: list[str] = []
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for view in views(visitor, width):
            if view:
                page.locator(f".phone-bar [aria-controls='{view}']").click()
                expect(page.locator(f"#{view}")).to_be_visible()
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                expect(page.locator("html")).to_have_attribute("data-theme", re.compile(theme))
                faults += [f"{width} {theme} {view or ''}: {text}" for text in cut_off(visitor)]
        if width in (1400, 390):
            faults += [f"{width} dark: {text}" for text in visitor.axe()]
    assert not faults, "\n".join(faults)


def test_the_script_finds_texts_that_are_cut_off(chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 1400, "height": SIZES[1400]})
    page.set_content(BAD_PAGE)
    faults: list[str] = page.evaluate(CUT_OFF)
    page.close()
    assert {text.rpartition(": ")[2] for text in faults} == {
        "hidden at the side",
        "wider than a box",
        "below",
        "more than a button",
        "longer than the field is",
        "outside of it",
    }, faults


def test_facts_keep_their_look_under_the_pointer(visitor: Visitor) -> None:
    """The expression on a tile and its word `Why?` are buttons, but they have no background of their own."""
    waiting(visitor)
    for words in (".tile .fact", ".tile .why"):
        visitor.page.locator(words).hover()
        expect(visitor.page.locator(words)).to_have_css("text-decoration-line", "underline")
        expect(visitor.page.locator(words)).to_have_css("background-color", "rgba(0, 0, 0, 0)")
