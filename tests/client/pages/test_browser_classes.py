"""A lesson in real browsers: a teacher and three students, from making the class to the replay of a board."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, expect

from tests.support.browser.visitors import Visitor, VisitorMaker
from tests.support.servers.platforms import LearningPlatform, platform_in_a_thread

pytest_plugins = ["tests.support.browser.browsers"]


def entry(who: Visitor) -> Locator:
    return who.page.locator(".entry input")


def propose(who: Visitor, text: str, kind: str) -> None:
    entry(who).fill(text)
    entry(who).press("Enter")
    expect(who.page.locator(f"section[data-kind='{kind}']")).to_be_visible()


def made_class(teacher: Visitor) -> str:
    """Makes a class with one assignment, as a teacher does; returns the code for students."""
    teacher.go("/")
    teacher.page.get_by_role("link", name="For teachers: classes").click()
    teacher.page.get_by_label("Title of the class").fill("Loops 1b")
    teacher.button("Make a class").click()
    expect(teacher.page.get_by_role("heading", name="Loops 1b", level=1)).to_be_visible()
    expect(teacher.page.get_by_text(re.compile(r"/teach#[\w-]{20,}$"))).to_be_visible()
    code = teacher.page.locator("p.code").inner_text()
    teacher.button("Assignments").click()
    form = teacher.page.locator("form.card")
    form.get_by_label("Title").fill("First lamps")
    form.get_by_label("Add a level").select_option("multiply")
    expect(form.get_by_role("listitem")).to_have_count(1)
    teacher.button("Save", form).click()
    expect(teacher.page.get_by_role("heading", name="First lamps")).to_be_visible()
    return code


def joins(who: Visitor, name: str) -> str:
    """On the page of the class's code; returns the personal code."""
    who.page.get_by_label("Your name").fill(name)
    who.button("Join").click()
    expect(who.page.get_by_role("heading", name=f"Welcome, {name}")).to_be_visible()
    code = who.page.locator("strong.code").inner_text()
    who.page.get_by_role("link", name="To your class").click()
    expect(who.page.get_by_role("heading", name="First lamps")).to_be_visible()
    return code


def cell(teacher: Visitor, name: str) -> Locator:
    return teacher.page.get_by_role("button", name=f"{name}, Multiply: details")


def test_a_lesson_with_a_teacher_and_three_students(visit: VisitorMaker, tmp_path: Path) -> None:
    teacher, ada, bob, cleo = visit(), visit(), visit(phone=True), visit()
    code = made_class(teacher)

    ada.go(f"/class/{code}")
    personal = joins(ada, "Ada")
    bob.go("/")
    bob.page.get_by_label("Code of the class or room").fill(f"{code[:4]} {code[4:].lower()}")
    bob.button("Join").click()
    joins(bob, "Bob")
    cleo.go(f"/class/{code}")
    joins(cleo, "Cleo")

    ada.page.get_by_role("link", name="Multiply", exact=True).click()
    expect(entry(ada)).to_be_visible()
    propose(ada, "cnt <= m", "inductive")
    expect(entry(ada)).to_have_value("")
    propose(ada, "res = n * cnt", "solved")
    bob.page.get_by_role("link", name="Multiply", exact=True).click()
    expect(entry(bob)).to_be_visible()
    propose(bob, "cnt <= 7", "non-invariant")

    teacher.button("Live").click()
    expect(cell(teacher, "Ada")).to_contain_text("Proved")
    expect(cell(teacher, "Bob")).to_contain_text("1 fact")
    expect(cell(teacher, "Cleo")).to_contain_text("Not begun")
    expect(teacher.page.get_by_text("1 of 3 proved")).to_be_visible()
    expect(teacher.page.get_by_role("heading", name="Commonest false facts of the class: Multiply")).to_be_visible()
    teacher.button("What the class found").click()
    expect(teacher.page.get_by_text("Together, the facts of the class prove the guarantee.")).to_be_visible()
    assert not teacher.axe()

    # A hint for Bob reaches Bob and nobody else.
    form = teacher.page.locator("form.card")
    form.get_by_role("combobox", name="To").select_option(label="Bob")
    form.get_by_role("textbox", name="Text").fill("Look at the last row.")
    teacher.button("Send").click()
    expect(teacher.page.get_by_text("It was sent.")).to_be_visible()
    bob.page.reload()
    expect(bob.page.get_by_text("Look at the last row.")).to_be_visible()
    cleo.page.reload()
    expect(cleo.page.get_by_role("heading", name="First lamps")).to_be_visible()
    expect(cleo.page.get_by_text("Look at the last row.")).to_have_count(0)

    hands_in(ada, tmp_path)
    replays(teacher)
    without_names(teacher)

    # Ada goes on at another device, and Cleo's computer is nobody's after the lesson.
    cleo.button("Leave the class on this device").click()
    expect(cleo.page.get_by_label("Code of the class or room")).to_be_visible()
    cleo.page.get_by_label("Code of the class or room").fill(personal)
    cleo.button("Join").click()
    expect(cleo.page.get_by_text("You are Ada.")).to_be_visible()


def hands_in(ada: Visitor, tmp_path: Path) -> None:
    """Proved before, handed in now, with a certificate."""
    ada.go("/class")
    expect(ada.page.locator("li").filter(has_text="Multiply")).to_contain_text("Proved")
    ada.button("Hand in").click()
    expect(ada.page.get_by_role("status").filter(has_text="1 level was handed in.").first).to_be_visible()
    expect(ada.page.locator("li").filter(has_text="Multiply")).to_contain_text("points")
    assert not ada.axe()
    with ada.page.expect_download() as started:
        ada.page.get_by_role("link", name="Certificate").click()
    file = tmp_path / "certificate.json"
    started.value.save_as(file)
    certificate: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert (certificate["name"], certificate["proof"]["credited"]) == ("Ada", True)


def replays(teacher: Visitor) -> None:
    """Ada's board, from its end back to its beginning and on, step by step."""
    cell(teacher, "Ada").click()
    expect(teacher.page.get_by_role("heading", name="Ada · Multiply · Proved")).to_be_visible()
    teacher.button("Replay the board").click()
    page = teacher.page
    expect(page.get_by_role("heading", name="Replay: Ada, Multiply", level=1)).to_be_visible()
    slider = page.get_by_role("slider", name="Moment of the game")
    answer = page.locator("section[data-solved]")
    expect(answer).to_have_attribute("data-solved", "true")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("The beginning: no fact yet.")).to_be_visible()
    expect(answer).to_have_attribute("data-solved", "false")
    teacher.button("One step on").click()
    expect(answer).to_contain_text("Ada proposed cnt <= m")
    proof = page.get_by_role("group", name="Your proof")
    expect(proof.get_by_role("listitem").filter(has_text="cnt <= m")).to_be_visible()
    expect(proof.get_by_role("listitem").filter(has_text="res = n * cnt")).to_have_count(0)
    board = page.locator(".moment")
    # The board is the student's: the program with its eye, the table with a ghost below its rows, the parts of the goal.
    expect(board.get_by_role("heading", name="Program")).to_be_visible()
    expect(board.locator("[data-ghost]").first).to_be_visible()
    expect(board.get_by_role("row").nth(8)).to_contain_text("42")
    expect(page.locator(".goal-parts .part.lit")).to_have_count(0)
    expect(board.get_by_role("button", name="Another ghost")).to_be_hidden()
    assert not teacher.axe()
    teacher.button("One step on").click()
    expect(answer).to_contain_text("Ada proposed res = n * cnt")
    expect(answer).to_have_attribute("data-solved", "true")
    expect(board.locator("[data-ghost]")).to_have_count(0)
    expect(page.locator(".goal-parts .part.lit")).to_have_count(1)
    page.get_by_role("link", name="Back to the class").click()
    expect(cell(teacher, "Ada")).to_be_visible()


def without_names(teacher: Visitor) -> None:
    """For the beamer: no name is on the page. The points have names again."""
    teacher.page.get_by_label("For the beamer, without names").check()
    table = teacher.page.get_by_role("table")
    expect(table).to_contain_text("Student 1")
    for name in ("Ada", "Bob", "Cleo"):
        expect(table).not_to_contain_text(name)
    teacher.button("Points").click()
    expect(teacher.page.get_by_role("row").filter(has_text="Ada")).to_be_visible()
    with teacher.page.expect_download() as started:
        teacher.page.get_by_role("link", name="CSV for a spreadsheet").click()
    assert started.value.suggested_filename == "idg-gradebook.csv"


def test_a_wrong_code_is_told(visitor: Visitor) -> None:
    visitor.expected = re.compile("404")
    visitor.go("/class/ABCDEFGH")
    expect(visitor.page.get_by_text("There is no class and no room with this code.")).to_be_visible()
    expect(visitor.page.get_by_label("Code of the class, or your own code")).to_be_visible()


def from_platform(who: Visitor, platform: LearningPlatform, subject: str) -> None:
    """Opens the activity in the course, follows the link in its frame, and comes in; the browser's page is then the new one."""
    who.page.goto(f"{platform.url}/course?{urlencode({'tool': who.url, 'subject': subject})}")
    link = who.page.frame_locator("iframe").get_by_role("link", name="Open IDG in a new tab")
    with who.page.expect_popup() as popup:
        link.click()
    who.page = popup.value


def test_from_a_learning_platform_into_the_class(visit: VisitorMaker, server: Any) -> None:
    with platform_in_a_thread(server.data) as platform:
        teacher, ada = visit(), visit()
        from_platform(teacher, platform, "t-1")
        expect(teacher.page.get_by_text("You come as Emmy Noether, who teaches this class.")).to_be_visible()
        assert teacher.axe() == []
        teacher.button("Go on as Emmy Noether").click()
        expect(teacher.page.get_by_role("heading", name="Loops <b>1b</b>", level=1)).to_be_visible()
        teacher.button("Students").click()
        teacher.button("Read the list of members").click()
        expect(teacher.page.get_by_text("Grace Hopper")).to_be_visible()
        assert teacher.axe() == []
        from_platform(ada, platform, "s-1")
        expect(ada.button("Go on as Ada")).to_be_visible()
        assert "#" not in ada.page.url, "the ticket does not stay in the address"
        ada.button("Go on as Ada").click()
        expect(ada.page.get_by_text("You are Ada.")).to_be_visible()
