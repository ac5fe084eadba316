"""Every screen in a real browser, in four widths, at 200 %, and in both languages: no text is cut off, nothing scrolls sideways,
there is a way on, and axe finds nothing. Of the main screens all parts and views are looked at, of the others the open one.

A page is loaded once. Then its language, its size and its colours are changed, as a person would: what is on it stays. The theme
changes colours only, which a test checks in the style sheets, so nearly all texts are measured in the light. Nothing moves on these
pages, as for people who ask their system for that: drawing what moves took a seventh of the time. Other modules look at movement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.support.browser.visitors import GONE, Visitor, VisitorMaker
from tools.pictures.screens import SCREENS, Screen

if TYPE_CHECKING:
    from tests.support.servers.servers import Server

pytest_plugins = ["tests.support.browser.browsers"]

SIZES = {1400: 900, 1120: 800, 390: 844, 320: 640}
"""The width of a window → its height."""
WIDEST, NARROW = 1400, 390
ZOOMED = {"width": 640, "height": 400}
"""The size in which a window of 1280 × 800 pixels shows a page at 200 %."""
REFUSED = {"no-such-level": re.compile("status of 404"), "gone": GONE}
"""The screens whose requests fail, and what the browser then complains about."""
BOARD_WIDTH_MIN = 1100
"""From this width on the board shows all of its parts at once."""
VIEWS = ("view-code", "view-table", "view-facts")
LANGUAGES = ("en", "de")
STYLES = Path(__file__).resolve().parents[3] / "client/src"
THEME_RULE = re.compile(r"([^{}]*data-theme[^{}]*)\{([^}]*)\}")
"""A rule of a style sheet that depends on the theme: its selectors and its declarations."""

CUT_OFF = """
async () => {
  await document.fonts.ready
  for (let frame = 0; frame < 2; frame++) await new Promise((done) => requestAnimationFrame(done))
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
  const sideways = document.scrollingElement.scrollWidth - document.documentElement.clientWidth
  return [...new Set(found), ...(sideways > 0 ? [`the page scrolls sideways by ${sideways} pixels`] : [])]
}
"""
"""Waits until the page is settled, and finds texts that cannot be read whole. What scrolls in its own box can be read whole."""
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
Step = Callable[[Visitor], None]
Json = dict[str, Any]


def entry(visitor: Visitor) -> Locator:
    return visitor.page.locator(".entry input")


def mistake(visitor: Visitor) -> None:
    visitor.open("int-square-root")
    entry(visitor).fill("sqrt > (cnt+1)^2 &")
    expect(visitor.page.locator(".say .wrong")).to_be_visible()


def room(visitor: Visitor) -> None:
    visitor.go("/")
    opened = visitor.page.request.post(
        "/api/rooms", data={"level": "multiply", "shared": True}, headers={"Origin": visitor.url}
    ).json()
    visitor.go(f"/room/{opened['room']['code']}")
    expect(entry(visitor)).to_be_visible()
    expect(visitor.page.locator(".room-bar")).to_be_visible()


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
    """One of the parts of the teacher's page that is open, by the place of its button."""

    def show(visitor: Visitor) -> None:
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


def shared_screen(name: str) -> Step:
    """One of the screens that pictures are made of, too."""
    screen: Screen = SCREENS[name]
    return lambda visitor: screen(visitor.page)


BOTH = ("levels", "new-level", "typing", "transition", "solved", "tutorial", "own", "settings", "glossary", "together")
"""The main ones among the screens that pictures are made of."""
READ = (
    "no-such-level", "tutorial-guess", "own-problems", "own-ready", "own-c", "number", "wrong-name", "chart", "reference",
    "loops", "arrays", "partner",
)  # fmt: skip
"""Screens on the way to which no fact is proposed. One visitor sees all of them."""
MAIN: dict[str, tuple[Step, ...]] = {name: (shared_screen(name),) for name in BOTH} | {
    "mistake": (mistake,),
    "room": (room,),
    "join": (page_at("/class"),),
    "teach": (page_at("/teach"),),
    "taught": (taught, new_assignment, taught_part(2, "main textarea"), taught_part(3, "main table"), taught_part(4, "p.code")),
    "own class": (own_class,),
    "replay": (replayed,),
}
"""The main screens. Some have parts, which are shown one after the other on the same page."""


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


@pytest.fixture(scope="module")
def shared_reader(chromium: Browser, server: Server) -> Iterator[Visitor]:
    visitor = Visitor(chromium, server.url, still=True)
    yield visitor
    visitor.close()


@pytest.fixture
def reader(shared_reader: Visitor) -> Iterator[Visitor]:
    """A visitor who leaves nothing in a game that another test could see. Only the page is new: the browser still has its parts."""
    shared_reader.page.close()
    shared_reader.page = shared_reader.new_page()
    yield shared_reader
    complaints, shared_reader.complaints = shared_reader.complaints, []
    assert not complaints, "\n".join(complaints)


def show_theme(visitor: Visitor, theme: str) -> None:
    visitor.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", theme)


@pytest.mark.parametrize("name", [name for name in SCREENS if name not in BOTH])
def test_screen(name: str, visit: VisitorMaker, reader: Visitor) -> None:
    visitor = reader if name in READ else visit(still=True)
    visitor.expected = REFUSED.get(name)
    SCREENS[name](visitor.page)
    assert next_actions(visitor, name) > 0
    assert visitor.axe() == []
    show_theme(visitor, "dark")
    assert visitor.axe(colours_only=True) == []
    # A browser without a connection has no sentences of another language.
    assert unreadable(visitor, ("en",) if name == "gone" else LANGUAGES) == []
    if visitor is reader:
        speak(visitor, "en")


def unreadable(visitor: Visitor, languages: tuple[str, ...]) -> list[str]:
    """The texts of the screen that are cut off somewhere, in the view that is open."""
    faults: list[str] = []
    for language in languages:
        speak(visitor, language)
        for width, height in [*SIZES.items(), (ZOOMED["width"], ZOOMED["height"])]:
            visitor.page.set_viewport_size({"width": width, "height": height})
            faults += [f"{language} {width}: {text}" for text in visitor.page.evaluate(CUT_OFF)]
    return faults


def next_actions(visitor: Visitor, name: str) -> int:
    """The number of things that can be done next."""
    if name == "thinking":
        return visitor.button("Stop waiting").count()
    if name == "reset":
        return visitor.page.get_by_role("alertdialog").get_by_role("button", disabled=False).count()
    area = visitor.page.get_by_role("main")
    return area.get_by_role("button", disabled=False).count() + area.get_by_role("link").count()


@pytest.mark.parametrize("name", MAIN)
def test_main_screen(name: str, visit: VisitorMaker) -> None:
    visitor = visit(still=True, size={"width": WIDEST, "height": SIZES[WIDEST]})
    faults: list[str] = []
    for part, step in enumerate(MAIN[name], 1):
        step(visitor)
        assert next_actions(visitor, name) > 0
        for language in LANGUAGES:
            visitor.page.set_viewport_size({"width": WIDEST, "height": SIZES[WIDEST]})
            speak(visitor, language)
            faults += [f"part {part}, {language} {text}" for text in faults_at_all_sizes(visitor, language)]
        visitor.page.set_viewport_size({"width": WIDEST, "height": SIZES[WIDEST]})
        speak(visitor, "en")
    assert not faults, "\n".join(faults)


def faults_at_all_sizes(visitor: Visitor, language: str) -> list[str]:
    """Measures all texts, and asks axe about the widest page in English, in light and dark, and about a dark phone in German."""
    page = visitor.page
    faults: list[str] = []
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for view in views(visitor, width):
            if view:
                page.locator(f".phone-bar [aria-controls='{view}']").click()
                expect(page.locator(f"#{view}")).to_be_visible()
            faults += [f"{width} {view or ''}: {text}" for text in page.evaluate(CUT_OFF)]
        in_light = (width, language) == (WIDEST, "en")
        if in_light:
            faults += [f"{width} light: {text}" for text in visitor.axe()]
        if in_light or (width, language) == (NARROW, "de"):
            show_theme(visitor, "dark")
            faults += [f"{width} dark: {text}" for text in page.evaluate(CUT_OFF) + visitor.axe(colours_only=in_light)]
            show_theme(visitor, "light")
    page.set_viewport_size({"width": ZOOMED["width"], "height": ZOOMED["height"]})
    sideways = visitor.sideways()
    return faults + ([f"at 200 % the page scrolls sideways by {sideways} pixels"] if sideways > 0 else [])


def test_the_theme_changes_colours_only() -> None:
    """Where it does, no text can be cut off in one theme and not in the other."""
    rules = [
        (file.name, selectors.strip(), declarations)
        for file in STYLES.rglob("*")
        if file.suffix in (".css", ".svelte")
        for selectors, declarations in THEME_RULE.findall(
            re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        )
    ]
    assert rules
    shown = re.compile(r"#[0-9a-f]{3,8}|rgb\([^)]*\)|(?:(?:0|-?\d+px) ){2,4}rgb\([^)]*\)(?:, (?:(?:0|-?\d+px) ){2,4}rgb\([^)]*\))*")
    for file, selectors, declarations in rules:
        for declaration in filter(None, map(str.strip, declarations.split(";"))):
            name, _, value = declaration.partition(":")
            assert name == "color-scheme" or (name.startswith("--") and shown.fullmatch(value.strip())), (
                file,
                selectors,
                declaration,
            )
    assert not [
        file
        for file in STYLES.rglob("*")
        if file.suffix in (".css", ".svelte") and "@media (prefers-color" in file.read_text("utf-8")
    ]


def test_the_script_finds_texts_that_are_cut_off(chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 1400, "height": SIZES[1400]})
    page.set_content(BAD_PAGE)
    faults: list[str] = page.evaluate(CUT_OFF)
    page.close()
    sideways = faults.pop()
    assert re.fullmatch(r"the page scrolls sideways by \d+ pixels", sideways), sideways
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
    SCREENS["transition"](visitor.page)
    for words in (".tile .fact", ".tile .why"):
        part = visitor.page.locator(words).first
        part.hover()
        expect(part).to_have_css("text-decoration-line", "underline")
        expect(part).to_have_css("background-color", "rgba(0, 0, 0, 0)")
