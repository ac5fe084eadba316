"""Own programs in C, titles that are taken, and own worlds as links and files, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from tests.support.browser.visitors import PHONE, Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

C = """int main(int n) {
  int i = 0;
  while (i < n) i++;
  assert(i >= n);
}
"""
COUNT = """fn main(n: nat) {
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert(i = n);
}
"""
DOUBLE = COUNT.replace("i + 1", "i + 2").replace("i = n", "i >= n")

PYTHON = "def count(n: int):\n    i = 0\n    while i < n:\n        i += 1\n    assert i >= n\n"


def paste(visitor: Visitor, source: str, title: str | None = None) -> None:
    """Replaces the text of the editor by pasting."""
    visitor.page.get_by_role("textbox", name="Program", exact=True).click()
    visitor.page.keyboard.press("Control+a")
    visitor.page.evaluate("text => navigator.clipboard.writeText(text)", source)
    visitor.page.keyboard.press("Control+v")
    if title is not None:
        visitor.page.get_by_label("Title", exact=True).fill(title)


def submit(visitor: Visitor) -> None:
    visitor.button("Make it a level").click()
    expect(visitor.page.get_by_role("heading", name="Your level is ready.")).to_be_visible()


def everywhere_readable(visitor: Visitor) -> None:
    """Checks that axe objects to nothing in light and dark, and that on phones nothing scrolls sideways."""
    assert visitor.axe() == []
    visitor.page.emulate_media(color_scheme="dark")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert visitor.axe(colours_only=True) == []
    for width in (PHONE["width"], 320):
        visitor.page.set_viewport_size({"width": width, "height": PHONE["height"]})
        assert visitor.sideways() <= 0


def test_a_c_text_becomes_a_level_with_notes_beside_it(visitor: Visitor) -> None:
    visitor.go("/own")
    visitor.button("Paste C").click()
    panel = visitor.region("A program in C")
    panel.get_by_label("C text").fill(C.replace("i++", "goto x"))
    visitor.expected = re.compile("status of 422")
    visitor.button("Read it", panel).click()
    expect(panel).to_contain_text("Line 3, column 17 cannot be read:")
    selected = panel.get_by_label("C text").evaluate("area => area.value.slice(area.selectionStart)")
    assert selected.startswith("goto x")
    panel.get_by_label("C text").fill(C)
    visitor.button("Read it", panel).click()
    expect(panel.get_by_role("heading", name="How it was read")).to_be_visible()
    expect(panel).to_contain_text("C's int is read as SIP's int, which has no bound: nothing overflows")
    expect(visitor.page.get_by_text("This is a program. It can become a level.")).to_be_visible()
    everywhere_readable(visitor)
    visitor.page.get_by_label("Title", exact=True).fill("From C")
    submit(visitor)
    # Another text of C has no notes until it is read.
    panel.get_by_label("C text").fill(f"{C}\n")
    expect(panel.get_by_role("heading", name="How it was read")).to_have_count(0)


def test_c_in_the_editor_is_recognised(visitor: Visitor) -> None:
    visitor.go("/own")
    paste(visitor, C)
    expect(visitor.page.get_by_text("This looks like C.")).to_be_visible()
    visitor.button("Read it as C").click()
    panel = visitor.region("A program in C")
    expect(panel.get_by_label("C text")).to_have_value(C)
    visitor.button("Read it", panel).click()
    expect(visitor.page.get_by_text("This is a program. It can become a level.")).to_be_visible()


def test_a_python_text_becomes_a_level_that_is_shown_as_python_and_c(visitor: Visitor) -> None:
    visitor.go("/own")
    paste(visitor, PYTHON)
    expect(visitor.page.get_by_text("This looks like Python.")).to_be_visible()
    visitor.button("Read it as Python").click()
    panel = visitor.region("A program in Python")
    expect(panel.get_by_label("Python text")).to_have_value(PYTHON)
    visitor.button("Read it", panel).click()
    visitor.page.get_by_label("Title", exact=True).fill("From Python")
    submit(visitor)
    visitor.page.get_by_role("link", name="Play it").click()
    visitor.button("Python, C").click()
    shown = visitor.region("The program in another language")
    expect(shown).to_contain_text("def count(n: int) -> None:")
    visitor.button("C", shown).click()
    expect(shown).to_contain_text("void count(long long n) {")
    everywhere_readable(visitor)


def test_two_programs_do_not_share_a_title_silently(visitor: Visitor) -> None:
    visitor.go("/own")
    listed = visitor.region("Programs you have made or played")
    paste(visitor, f"# one\n{COUNT}", "Counting")
    submit(visitor)
    paste(visitor, f"# two\n{COUNT}", " counting ")
    visitor.button("Make it a level").click()
    asked = visitor.page.get_by_role("alertdialog")
    expect(asked).to_contain_text("You already have a program called “Counting”.")
    assert visitor.axe() == []
    visitor.page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    visitor.button("Make it a level").click()
    visitor.button("Call this one “counting 2”", asked).click()
    expect(listed.get_by_role("link")).to_have_text(["counting 2", "Counting"])
    paste(visitor, f"# three\n{COUNT}", "Counting")
    visitor.button("Make it a level").click()
    visitor.button("Put it in place of the old one in my list", asked).click()
    expect(listed.get_by_role("link")).to_have_text(["Counting", "counting 2"])
    # Without a title each gets one of its own, and nothing is asked.
    for number in (4, 5):
        paste(visitor, f"# {number}\n{COUNT}", "")
        submit(visitor)
    expect(listed.get_by_role("link")).to_have_text(["A program 2", "A program", "Counting", "counting 2"])


def make_world(visitor: Visitor) -> None:
    visitor.go("/own")
    for source, title in ((COUNT, "Up by one"), (DOUBLE, "Up by two")):
        paste(visitor, f"# {title} in a world\n{source}", title)
        submit(visitor)
    visitor.page.get_by_role("link", name="Make a world").click()
    visitor.page.get_by_label("Title of the world").fill("Steps")
    visitor.page.get_by_label("What it is about").fill("Counting in steps.")
    for title in ("Up by two", "Up by one"):
        visitor.page.get_by_label("Add a program").select_option(label=title)
    visitor.page.get_by_label("New idea of level 1").fill("larger steps")
    visitor.page.get_by_label("Story of level 1").fill("Two at a time.")
    visitor.button("Move level 2 up").click()
    expect(visitor.page.get_by_label("Title of level 1", exact=True)).to_have_value("Up by one")
    everywhere_readable(visitor)
    visitor.page.set_viewport_size({"width": 1280, "height": 800})
    visitor.button("Done").click()
    expect(visitor.page.get_by_role("heading", level=1, name="Steps")).to_be_visible()


def play_the_first_level(visitor: Visitor) -> None:
    visitor.page.get_by_role("link", name="Start", exact=True).click()
    expect(visitor.entry).to_be_visible()
    expect(visitor.page.get_by_role("navigation", name="Steps")).to_contain_text("Level 1 of 2")


def lit(page: Page, count: int) -> None:
    expect(page.get_by_text(f"{count} of 2 lamps lit")).to_be_visible()


def test_a_world_is_made_shared_by_its_link_and_played(visit: VisitorMaker) -> None:
    teacher, pupil = visit(), visit()
    make_world(teacher)
    link = teacher.page.get_by_label("Link to share")
    expect(link).to_have_value(re.compile(r"/world#[\w-]+$"))
    everywhere_readable(teacher)
    pupil.go(link.input_value())
    expect(pupil.page.get_by_role("heading", level=1, name="Steps")).to_be_visible()
    expect(pupil.page.get_by_text("Two at a time.")).to_be_visible()
    lit(pupil.page, 0)
    play_the_first_level(pupil)
    pupil.propose("i <= n", "Proved.")
    expect(pupil.page.locator(".lead")).to_contain_text("when the program ends, i equals n.")
    # The win leads on within the world.
    pupil.page.locator(".actions").get_by_role("link", name=re.compile("^Next: ")).click()
    expect(pupil.page.get_by_role("navigation", name="Steps")).to_contain_text("Level 2 of 2")
    expect(pupil.page.get_by_role("navigation", name="Steps")).to_contain_text("larger steps")
    pupil.page.get_by_role("link", name="Steps", exact=True).click()
    lit(pupil.page, 1)
    expect(pupil.page.get_by_role("link", name="Go on", exact=True)).to_be_visible()


def test_a_world_as_a_file(visit: VisitorMaker, tmp_path: Path) -> None:
    teacher, pupil = visit(), visit()
    make_world(teacher)
    with teacher.page.expect_download() as downloading:
        teacher.button("Save as a file").click()
    saved = tmp_path / "world.json"
    downloading.value.save_as(saved)
    world = json.loads(saved.read_text(encoding="utf-8"))
    assert (world["format"], world["version"], [level["title"] for level in world["levels"]]) == (
        "idg-world",
        1,
        ["Up by one", "Up by two"],
    )
    pupil.go("/own")
    pupil.page.get_by_label("Open a file …").set_input_files(saved)
    expect(pupil.page.get_by_role("heading", level=1, name="Steps")).to_be_visible()
    play_the_first_level(pupil)

    # What is wrong in a file is told, and nothing of it is kept.
    def refused(content: str, words: str) -> None:
        pupil.go("/own")
        file: FilePayload = {"name": "w.json", "mimeType": "application/json", "buffer": content.encode()}
        pupil.page.get_by_label("Open a file …").set_input_files(file)
        expect(pupil.region("Your worlds").get_by_role("alert")).to_contain_text(words)
        expect(pupil.region("Your worlds").get_by_role("listitem")).to_have_count(1)

    pupil.expected = re.compile("status of 422")
    refused("fn main", "it is not JSON")
    refused(json.dumps({**world, "version": 2}), "of another version")
    levels = world["levels"]
    wrong = {**levels[1], "source": "fn main("}
    refused(json.dumps({**world, "levels": [levels[0], wrong]}), "Level 2, “Up by two”, cannot be played")
    refused(json.dumps({**world, "levels": [levels[0], levels[0]]}), "Level 2 is the same program as an earlier one")


def test_a_broken_link_is_said(visitor: Visitor) -> None:
    visitor.go("/world#abc")
    expect(visitor.page.get_by_role("alert")).to_have_text(re.compile("^This link leads to no world"))
    visitor.go("/world/wunknown")
    expect(visitor.page.get_by_role("alert")).to_have_text(re.compile("^This browser does not know this world"))


def test_unknown_addresses_say_so(visitor: Visitor) -> None:
    for path in ("/nowhere", "/level", "/own/x", "/nothing"):
        visitor.go(path)
        expect(visitor.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
        expect(visitor.page.get_by_text(path, exact=True)).to_be_visible()
    everywhere_readable(visitor)
    visitor.page.get_by_role("link", name="To the start").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    expect(visitor.page).to_have_url(re.compile("/$"))
