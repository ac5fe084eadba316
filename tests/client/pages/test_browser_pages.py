"""The other pages in a real browser: tutorial, own programs, settings; languages, themes, phone, zoom, motion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.support.browser.visitors import Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

BROKEN = """fn main(n: nat) {
  var i: int;
  i := 0;
  while (i < n) {
    i := j + 1;
  }
  assert(i = n);
}
"""


def test_a_program_of_ones_own_from_writing_to_playing(visitor: Visitor) -> None:
    visitor.go("/own")
    editor = visitor.page.get_by_role("textbox", name="Program", exact=True)
    editor.click()
    # The text is pasted, because the editor would add brackets to typed text.
    visitor.page.evaluate("text => navigator.clipboard.writeText(text)", BROKEN)
    visitor.page.keyboard.press("Control+v")
    problems = visitor.page.get_by_role("region", name="1 problem")
    expect(problems).to_contain_text("'j' is not declared")
    expect(visitor.button("Make it a level")).to_be_disabled()
    problems.get_by_role("button").click()
    visitor.page.keyboard.press("Delete")
    visitor.page.keyboard.type("i")
    expect(visitor.page.get_by_text("This is a program. It can become a level.")).to_be_visible()
    visitor.page.get_by_label("Title").fill("Counting")
    visitor.button("Make it a level").click()
    link = visitor.page.get_by_label("Link to share").input_value()
    assert link.startswith(f"{visitor.url}/program/")
    visitor.page.get_by_role("link", name="Play it").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Counting")
    visitor.propose("i <= n", "Proved.")
    # No shortest proof of it is known, so the medals that compare with one are not held out.
    expect(visitor.page.locator(".medals li")).to_have_text([re.compile("^ *Without a hint *earned$")])
    visitor.go("/own")
    own_programs = visitor.page.get_by_role("region", name="Programs you have made or played")
    expect(own_programs.get_by_role("link", name="Counting")).to_be_visible()


def test_another_language(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.type("cnt < 3")
    visitor.button("Deutsch").click()
    expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    box = visitor.page.get_by_role("textbox", name="Deine Aussage", exact=True)
    expect(box).to_have_value("cnt < 3")
    expect(box).to_have_accessible_description("Falsch in Zeile 4 dieser Tabelle.")
    visitor.page.reload()
    expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Malnehmen")
    visitor.button("English").click()
    expect(visitor.page.locator("html")).to_have_attribute("lang", "en")
    expect(visitor.entry).to_have_value("cnt < 3")


def test_the_browsers_language_is_spoken_first(visit: VisitorMaker) -> None:
    visitor = visit(locale="de-AT")
    visitor.go("/")
    expect(visitor.page.get_by_role("link", name="Los geht’s")).to_be_visible()


def test_no_caption_pushes_a_variable_out_of_view(visit: VisitorMaker) -> None:
    """German captions of ghosts are long. They wrap, and every column of a short table is seen beside the pinned ones."""
    visitor = visit(locale="de-DE")
    visitor.go("/level/int-square-root")
    entry = visitor.page.get_by_role("textbox", name="Deine Aussage", exact=True)
    entry.fill("sqr = (cnt + 1)^2")
    entry.press("Enter")
    expect(visitor.page.locator("[data-ghost=B]")).to_be_visible()
    for width in (1400, 1120, 390):
        visitor.page.set_viewport_size({"width": width, "height": 900})
        expect(visitor.page.locator(".board")).to_have_attribute("data-view", "all" if width > 1100 else "table")
        hidden = visitor.page.evaluate("""() => {
          const head = [...document.querySelectorAll('.trace-scroll thead th')].map((cell) => cell.getBoundingClientRect())
          const [first, last] = [head[0], head.at(-1)]
          return head.slice(1, -1).filter(({ left, right }) => left < first.right - 1 || right > last.left + 1).length
        }""")
        assert hidden == 0, f"{hidden} columns are hidden at {width} pixels"


def test_four_columns_fit_on_a_phone(visit: VisitorMaker) -> None:
    visitor = visit(phone=True)
    visitor.open("small-change")
    last = visitor.trace.locator("thead th").nth(4)
    expect(last).to_contain_text("left")
    right = last.evaluate("cell => cell.getBoundingClientRect().right")
    assert right <= visitor.trace.locator("thead .result").evaluate("cell => cell.getBoundingClientRect().left") + 1


def test_themes(visit: VisitorMaker) -> None:
    visitor = visit(dark=True)
    visitor.go("/")
    root = visitor.page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    dark = root.evaluate("each => getComputedStyle(each).backgroundColor")
    visitor.button("Dark or light").click()
    expect(root).to_have_attribute("data-theme", "light")
    assert root.evaluate("each => getComputedStyle(each).backgroundColor") != dark
    visitor.page.reload()
    expect(root).to_have_attribute("data-theme", "light")
    visitor.go("/settings")
    visitor.page.get_by_role("radio", name="As the device").first.check()
    expect(root).to_have_attribute("data-theme", "dark")
    # The device changes while the page is open: the page and the button follow.
    button = visitor.button("Dark or light")
    expect(button).to_have_attribute("aria-pressed", "true")
    visitor.page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(root).to_have_attribute("data-theme", "dark")


def test_on_a_phone(visit: VisitorMaker) -> None:
    """Answer, table, entry and keys are there without scrolling. Taps write a fact and propose it. Nothing scrolls sideways."""
    visitor = visit(phone=True)
    visitor.open("multiply")
    keys = visitor.page.get_by_role("group", name="Keys", exact=True)
    headline = visitor.message.get_by_role("heading").first
    first_row = visitor.trace.get_by_role("rowheader", name="1", exact=True)
    for part in (headline, first_row, visitor.entry, visitor.button(re.compile("Propose")), keys):
        expect(part).to_be_in_viewport(ratio=1)
    assert visitor.page.evaluate("scrollY") == 0
    for name in ("cnt", "<=", "n"):
        keys.get_by_role("button", name=name, exact=True).tap()
    expect(visitor.entry).to_have_value("cnt <= n")
    keys.get_by_role("button", name="Delete one sign").tap()
    keys.get_by_role("button", name="m", exact=True).tap()
    expect(visitor.button(re.compile("Propose"))).to_have_attribute("aria-disabled", "false")
    visitor.button(re.compile("Propose")).tap()
    visitor.said("Proved: cnt <= m")
    expect(headline).to_be_in_viewport()
    assert visitor.sideways() <= 0


def test_at_200_percent(visit: VisitorMaker) -> None:
    visitor = visit(size={"width": 640, "height": 400}, scale=2)
    visitor.open("multiply")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    for view in ("Code", "Table", "Facts"):
        visitor.page.get_by_role("tab", name=re.compile(view)).click()
        assert visitor.sideways() <= 0, view
    visitor.propose("res = n * cnt", "Proved.")
    assert visitor.sideways() <= 0


def test_nothing_moves_for_those_who_want_it_so(visit: VisitorMaker) -> None:
    visitor = visit(still=True)
    visitor.open("multiply")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.page.route(re.compile("/proposals$"), hold)
    visitor.type("cnt <= m")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text("Thinking …").first).to_be_visible()
    assert visitor.page.evaluate("document.getAnimations().length") == 0
    held[0].continue_()
    visitor.said("Proved: cnt <= m")
    assert visitor.page.evaluate("document.getAnimations().length") == 0


def test_the_sound_of_a_proved_goal_is_off_unless_it_is_chosen(visit: VisitorMaker) -> None:
    """The win also names the level that comes next, in the language of the page."""
    visitor = visit(still=True)
    visitor.context.add_init_script(
        "window.AudioContext = class extends AudioContext { constructor() { super(); document.body.dataset.heard = 'yes' } }"
    )
    visitor.go("/settings")
    switch = visitor.page.get_by_label("Play a short sound when the goal is proved")
    expect(switch).not_to_be_checked()
    body = visitor.page.locator("body")
    visitor.open("egg-boxes")
    visitor.propose("eggs = size * boxes", "Proved.")
    expect(visitor.message.get_by_role("link", name="Next: Candle")).to_be_visible()
    expect(body).not_to_have_attribute("data-heard", "yes")
    visitor.go("/settings")
    switch.check()
    visitor.open("candle")
    visitor.propose("burnt + left = length", "Proved.")
    expect(body).to_have_attribute("data-heard", "yes")
    visitor.go("/settings")
    expect(switch).to_be_checked()
    visitor.page.get_by_label("Language").select_option("de")
    expect(visitor.page.get_by_label("Einen kurzen Ton spielen, wenn das Ziel bewiesen ist")).to_be_checked()


@pytest.mark.parametrize("path", ["/level/", "/glossary"])
def test_any_path_shows_a_page(visitor: Visitor, path: str) -> None:
    visitor.go(path)
    expect(visitor.page.get_by_role("heading", level=1)).to_be_attached()


def test_words_explain_themselves(visitor: Visitor) -> None:
    visitor.open("multiply")
    term = visitor.button("Proved facts")
    term.focus()
    tip = visitor.page.get_by_role("tooltip")
    expect(tip).to_contain_text("Proved: it holds when the loop is first reached, and each turn")
    expect(term).to_have_accessible_description(re.compile("^Proved: it holds when the loop is first reached"))
    visitor.page.keyboard.press("Escape")
    expect(tip).to_have_count(0)


def test_the_table_game_shows_no_code(visitor: Visitor) -> None:
    visitor.go("/level/multiply?variant=trace")
    expect(visitor.entry).to_be_visible()
    expect(visitor.region("Program")).to_have_count(0)
    expect(visitor.page.get_by_text("In this game there is no code")).to_be_visible()
    assert "while" not in visitor.page.get_by_role("main").inner_text()
    visitor.propose("cnt >= 0", "Proved: cnt >= 0")
    expect(visitor.page.get_by_text("1 of 6 facts accepted")).to_be_visible()
    expect(visitor.entry).to_have_accessible_description("Type what is true in every row.")
    visitor.propose("res <= n * m", "Not proved yet: res <= n * m")
    visitor.button("Why is res <= n * m not proved yet?").click()
    visitor.button("Back", visitor.message).click()
    visitor.said("What holds in every row?")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    visitor.propose("res = n * cnt", "Proved.")
    told = "guarantee|loop test|state to rule out|assert|while"
    assert not re.search(told, visitor.page.get_by_role("main").inner_text())
    visitor.back_to_board()
    # The last fact displaces one of the four, which was accepted all the same.
    expect(visitor.page.get_by_text("4 of 6 facts accepted")).to_be_visible()
    assert not re.search(told, visitor.page.get_by_role("main").inner_text())


def test_the_policy_lets_no_inline_code_in_and_violations_are_heard(visitor: Visitor) -> None:
    """Here somebody violates the policy on purpose. All other tests check that nothing of ours violates it."""
    visitor.go("/")
    expect(visitor.page.get_by_role("heading", level=1)).to_be_attached()
    visitor.page.evaluate("""() => {
      const script = document.createElement('script')
      script.textContent = 'window.slipped = true'
      document.head.append(script)
    }""")
    assert visitor.page.evaluate("window.slipped") is None
    assert any("CSP: script-src" in complaint for complaint in visitor.complaints)
    visitor.complaints.clear()
