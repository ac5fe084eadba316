"""The main screens at four widths, in light and dark, in both languages: no text is cut off, and axe finds nothing.

A page is loaded once. Then its language, its size and its colours are changed, as a person would: what is on it stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.support.browser.visitors import Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

SIZES = {1400: 900, 1120: 800, 390: 844, 320: 640}
"""The width of a window → its height."""
BOARD_WIDTH_MIN = 1100
"""From this width on the board shows all of its parts at once."""
VIEWS = ("view-code", "view-table", "view-facts")
LANGUAGES = ("en", "de")

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
Json = dict[str, Any]


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


def new_class(visitor: Visitor) -> Json:
    """A class with a list of names and an assignment, made by the visitor."""
    visitor.go("/")
    headers = {"Origin": visitor.url}
    made: Json = visitor.page.request.post("/api/classes", data={"title": "Loops 1b"}, headers=headers).json()
    path = f"/api/classes/{made['class_id']}"
    names = "name\nAda Lovelace\nEmmy Noether\nAnne-Marie von und zu Langenfeld-Oberhof"
    assignment = {"title": "First lamps", "text": "Look at the table first.", "items": [{"level": "multiply"}, {"level": "cube"}]}
    assert visitor.page.request.post(f"{path}/roster", data={"csv": names}, headers=headers).ok
    assert visitor.page.request.post(f"{path}/assignments", data=assignment, headers=headers).ok
    return made


def taught(visitor: Visitor) -> None:
    made = new_class(visitor)
    visitor.go(f"/teach/{made['class_id']}")
    expect(visitor.page.get_by_role("table")).to_be_visible()


def taught_part(tab: int, shown: str) -> Step:
    """One of the parts of the teacher's page, by the place of its button."""

    def show(visitor: Visitor) -> None:
        taught(visitor)
        visitor.page.locator(".tabs button").nth(tab).click()
        expect(visitor.page.locator(shown).first).to_be_visible()

    return show


def new_assignment(visitor: Visitor) -> None:
    taught_part(1, "main .card")(visitor)
    visitor.page.locator("main button.primary").click()
    expect(visitor.page.locator("form.card")).to_be_visible()


def own_class(visitor: Visitor) -> None:
    made = new_class(visitor)
    visitor.go(f"/class/{made['code']}")
    visitor.page.locator("#student-name").fill("Grace")
    visitor.page.locator("main form button").click()
    visitor.page.locator("main a.button").click()
    expect(visitor.page.locator("section.assignment")).to_be_visible()


def replayed(visitor: Visitor) -> None:
    """The board of a student who plays on another device, replayed by the teacher."""
    made = new_class(visitor)
    headers = {"Origin": visitor.url}
    other = visitor.context.browser
    assert other is not None
    device = other.new_context(base_url=visitor.url)
    device.request.post("/api/classes/join", data={"code": made["code"], "name": "Grace"}, headers=headers)
    room = device.request.post("/api/rooms", data={"level": "multiply"}, headers=headers).json()["room"]["room"]
    for fact in ("cnt <= 7", "res <= n * m"):
        device.request.post(f"/api/rooms/{room}/proposals", data={"expression": fact}, headers=headers)
    device.close()
    visitor.go(f"/teach/{made['class_id']}?student=4&room={room}")
    expect(visitor.page.locator("section[data-solved]")).to_be_visible()


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
    "join": page_at("/class"),
    "teach": page_at("/teach"),
    "taught": taught,
    "assignments": new_assignment,
    "students": taught_part(2, "main textarea"),
    "grades": taught_part(3, "main table"),
    "class": taught_part(4, "p.code"),
    "own class": own_class,
    "replay": replayed,
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


def speak(visitor: Visitor, language: str) -> None:
    """Chooses a language by the button in the bar, unless the page is in this language."""
    button = visitor.page.locator(f".bar button[lang='{language}']")
    if button.count():
        button.click()
    expect(visitor.page.locator("html")).to_have_attribute("lang", language)
    expect(button).to_have_count(0)


@pytest.mark.parametrize("name", SCREENS)
def test_no_text_is_cut_off(name: str, visit: VisitorMaker) -> None:
    visitor = visit(still=True, size={"width": 1400, "height": SIZES[1400]})
    SCREENS[name](visitor)
    faults: list[str] = []
    for language in LANGUAGES:
        visitor.page.set_viewport_size({"width": 1400, "height": SIZES[1400]})
        speak(visitor, language)
        faults += [f"{language} {text}" for text in faults_at_all_sizes(visitor)]
    assert not faults, "\n".join(faults)


def faults_at_all_sizes(visitor: Visitor) -> list[str]:
    page = visitor.page
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
    return faults


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
