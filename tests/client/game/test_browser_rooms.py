"""Playing together and going on later, in real browsers: rooms, reloads, a server that comes back, other devices, files."""

from __future__ import annotations

import re
import resource
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.support.browser.visitors import GONE, Visitor, VisitorMaker
from tests.support.servers.hostile.fault_helpers import free_port

if TYPE_CHECKING:
    from tests.support.servers.servers import StartServer

pytest_plugins = ["tests.support.browser.browsers"]

INDUCTIVE = "Proved facts"
SOLVED = "Proved."
SOLVED_BEFORE = "The goal is proved."
"""What the board says where the level was solved before it was opened."""


def shared(visitor: Visitor) -> str:
    """Shares the room by its panel and returns its link."""
    visitor.button("Play together").click()
    visitor.button("Make a link").click()
    link = visitor.page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile("/room/"))
    return link.input_value()


def named(visitor: Visitor, name: str) -> None:
    visitor.page.get_by_label("Your name").fill(name)
    visitor.button("Change").click()
    expect(visitor.page.get_by_text("Your name is changed.").first).to_be_attached()


def solve(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    visitor.propose("res = n * cnt", SOLVED)


def test_two_browsers_in_one_room_see_each_others_moves(visit: VisitorMaker) -> None:
    ada, ben = visit(), visit()
    ada.open("multiply")
    link = shared(ada)
    named(ada, "Ada")
    ben.go(link)
    expect(ben.entry).to_be_visible()
    named(ben, "Ben")
    expect(ada.page.get_by_role("region", name="Play together")).to_contain_text("Ben")
    ben.type("half a thou")
    ada.propose("cnt <= m", "Proved: cnt <= m")
    ben.said("Proved: cnt <= m")
    expect(ben.message).to_contain_text("Ada proposed it.")
    expect(ben.entry).to_have_value("half a thou")
    assert ben.facts(INDUCTIVE) == ["cnt <= m"]
    expect(ben.page.get_by_role("region", name=re.compile(f"^{INDUCTIVE}"))).to_contain_text("found by Ada")
    ben.propose("res = n * cnt", SOLVED)
    ada.said(SOLVED)
    expect(ada.message).to_contain_text(re.compile("Proved together by (Ada and Ben|Ben and Ada)"))
    room = ada.page.get_by_role("region", name="Play together")
    expect(room).to_contain_text("res = n * cnt by Ben")
    expect(room).to_contain_text(re.compile("Solved! Proved by (Ada|Ben)"))
    # Everyone has the gem, the coins and the medals at once; the one who did not make the last move had them after a reload only.
    for player in (ada, ben):
        expect(player.page.get_by_role("img", name=re.compile("^In total: 1 gem, [1-9]"))).to_be_visible()
        expect(player.page.get_by_role("img", name=re.compile("^This level: a gem, [1-9]"))).to_be_visible()
        expect(player.page.locator("li.earned")).to_have_count(3)


def said_in(visitor: Visitor) -> None:
    """Has the page remember all that the bar of the room has ever said, because phrases do not stay."""
    visitor.page.evaluate(
        """() => {
            const bar = document.querySelector('.room-bar')
            new MutationObserver(() => { bar.dataset.said = `${bar.dataset.said ?? ''} ${bar.innerText}` }).observe(
                bar, { subtree: true, childList: true, characterData: true })
        }"""
    )


def test_players_see_who_is_here_and_hear_phrases(visit: VisitorMaker) -> None:
    ada, ben = visit(), visit(phone=True)
    ada.open("multiply")
    link = shared(ada)
    ben.go(link)
    named(ben, "Ben")
    bar = ada.region("Who is here")
    expect(bar.get_by_role("listitem")).to_have_text([re.compile("You$"), re.compile("Ben")])
    said_in(ada)
    ben.button("I am stuck").click()
    expect(bar).to_have_attribute("data-said", re.compile("Ben: I am stuck"))
    assert ben.sideways() == 0
    ben.type("cnt <= m")
    expect(ada.region("Drafts")).to_contain_text("cnt <= m")
    expect(ada.region("Drafts")).to_contain_text(re.compile(r"\d+/\d+ ✓"))
    ada.page.get_by_label("Live drafts").uncheck()
    expect(ada.region("Drafts")).to_contain_text("nobody sees what you type")
    expect(ada.region("Drafts")).not_to_contain_text("cnt <= m")
    assert ada.axe() == []
    assert ben.axe() == []
    ben.button("Leave the room").click()
    ben.button("Yes, leave").click()
    expect(bar.get_by_role("listitem")).to_have_text([re.compile("You$")])
    expect(bar).to_contain_text("Nobody else is here yet.")


def test_the_computer_helps_a_waiting_fact_and_can_be_sent_away(visit: VisitorMaker, start_server: StartServer) -> None:
    server = start_server("--partner-seconds", "0.5", "--log-level", "error")
    ada = visit(server.url)
    ada.open("int-square-root")
    ada.button("Play with the computer").click()
    computer = ada.region("Computer")
    computer.get_by_role("radio", name=re.compile("^Helper")).check()
    expect(computer).to_contain_text("When a fact of yours waits, the computer looks for what it needs.")
    ada.type("sqr = (cnt + 1)^2")
    ada.page.keyboard.press("Enter")
    # What it proposes proves the waiting fact.
    region = ada.page.get_by_role("region", name=re.compile(f"^{INDUCTIVE}"))
    expect(region).to_contain_text("sqr = (cnt + 1)^2")
    expect(region).to_contain_text("found by Computer")
    assert ada.axe() == []
    computer.get_by_role("radio", name=re.compile("^Hint giver")).check()
    ada.button("Ask for a hint", computer).click()
    expect(computer).to_contain_text(re.compile("Look at|Compare|Look for|The goal is proved|Think of"))
    ada.button("Pause", computer).click()
    expect(computer).to_contain_text("It pauses.")
    ada.page.reload()
    expect(computer).to_contain_text("It pauses.")
    ada.button("Send it away", computer).click()
    expect(computer).to_have_count(0)


def test_all_players_together_show_facts_to_those_who_solved(visit: VisitorMaker, start_server: StartServer) -> None:
    server = start_server("--log-level", "error")
    ada, ben = visit(server.url), visit(server.url, phone=True, locale="de-DE")
    ada.go("/together/multiply")
    expect(ada.page.get_by_role("main")).to_contain_text("Nobody has proposed anything here yet.")
    solve(ada)
    ada.go("/together/multiply")
    main = ada.page.get_by_role("main")
    expect(main).to_contain_text("1 player proposed 2 times.")
    expect(main).to_contain_text("Put together, these facts prove the goal.")
    assert main.get_by_role("listitem").locator("code").all_inner_texts() == ["cnt <= m", "res = n * cnt"]
    assert ada.axe() == []
    ben.go("/together/multiply")
    main = ben.page.get_by_role("main")
    expect(main).to_contain_text("Du siehst die Aussagen, wenn du das Level selbst gelöst hast.")
    expect(main.get_by_role("listitem")).to_have_count(0)
    assert "res" not in main.inner_text()
    assert ben.sideways() == 0
    ben.expected = re.compile("status of 404|status of 422")
    ben.go("/together/nothing-like-that")
    expect(ben.page.get_by_role("alert")).to_contain_text("Es gibt kein Level mit diesem Namen.")


def test_the_history_says_who_took_which_hint(visit: VisitorMaker) -> None:
    ada, ben = visit(), visit()
    ada.open("multiply")
    link = shared(ada)
    named(ada, "Ada")
    ben.go(link)
    ada.button(re.compile("^A small hint")).click()
    hints = ada.page.get_by_role("dialog", name="Hints")
    for count, content in enumerate(("which variable to look at", "which variables belong together"), 1):
        ada.button(re.compile("^Tell me"), hints).click()
        expect(hints.get_by_role("listitem")).to_have_count(count)
        for player in (ada, ben):
            expect(player.region("Play together")).to_contain_text(f"Ada took a hint: {content}.")
    ben.page.reload()
    expect(ben.region("Play together")).to_contain_text("Ada took a hint: which variable to look at.")
    assert ben.axe() == []


def test_a_wrong_code_of_a_room(visitor: Visitor) -> None:
    visitor.expected = re.compile("status of 404|status of 422|status of 403")
    visitor.go("/room/NOROOM")
    expect(visitor.page.get_by_role("alert")).to_contain_text("There is no room with this code.")
    expect(visitor.page.get_by_role("main").get_by_role("link", name="All levels")).to_be_visible()


def asked_runs(visitor: Visitor) -> list[object]:
    """The runs that were asked for in the player's newest room, as its log has them."""
    room = visitor.page.request.get("/api/rooms").json()["rooms"][0]["room"]
    events = visitor.page.request.get(f"/api/rooms/{room}/events").json()["events"]
    return [event for event in events if event["kind"] == "traced"]


def test_reload_in_mid_level(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    visitor.inputs(m="2")
    chosen = visitor.trace.get_by_role("tab", name=re.compile(r"^n = 6, m = 2\b"))
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(visitor.trace).to_contain_text("3 rows.")
    visitor.type("res = n * c")
    traced = asked_runs(visitor)
    assert len(traced) == 1
    visitor.page.reload()
    visitor.said("Welcome back.")
    expect(visitor.entry).to_have_value("res = n * c")
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(visitor.trace).to_contain_text("3 rows.")
    # The page shows the run again; nobody asked for it, so the log does not say so.
    assert asked_runs(visitor) == traced
    visitor.button("+ Run", visitor.trace).click()
    expect(visitor.page.get_by_label("Input m", exact=True)).to_have_value("2")
    visitor.page.keyboard.press("Escape")
    assert visitor.facts(INDUCTIVE) == ["cnt <= m"]
    visitor.type("")
    visitor.page.keyboard.press("ArrowUp")
    expect(visitor.entry).to_have_value("cnt <= m")


def test_the_server_goes_and_comes_back_in_mid_level(visit: VisitorMaker, start_server: StartServer) -> None:
    """The text that was typed is kept, the trouble is told plainly, and the proposal is judged once, without another click."""
    server = start_server("--port", str(free_port()), "--log-level", "error")
    visitor = visit(server.url)
    visitor.open("multiply")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    visitor.expected = GONE
    server.stop(signal.SIGINT)
    visitor.type("res = n * cnt")
    visitor.page.keyboard.press("Enter")
    visitor.said("The server cannot be reached.")
    expect(visitor.message).to_contain_text("Your fact is kept. It is sent again as soon as the server answers")
    expect(visitor.page.get_by_role("alert").first).to_contain_text("The server cannot be reached. What you typed is kept")
    expect(visitor.entry).to_have_value("res = n * cnt")
    server.start()
    visitor.said(SOLVED)
    expect(visitor.page.get_by_text("What you typed is kept")).to_have_count(0)
    assert visitor.facts(INDUCTIVE) == ["cnt <= m", "res = n * cnt"]
    rooms = visitor.page.request.get("/api/rooms").json()["rooms"]
    history = visitor.page.request.get(f"/api/rooms/{rooms[0]['room']}/events").json()["events"]
    assert [event["kind"] for event in history].count("proposed") == 2


def test_the_server_cannot_save_for_a_while(visit: VisitorMaker, start_server: StartServer) -> None:
    """The disk is full: the player is told so, the proposal is kept, and it is judged once when there is room again."""
    server = start_server("--log-level", "error")
    visitor, german = visit(server.url), visit(server.url, locale="de-DE")
    visitor.open("multiply")
    german.go("/level/multiply")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    visitor.expected = german.expected = re.compile("status of 503")
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    visitor.type("res = n * cnt")
    visitor.page.keyboard.press("Enter")
    visitor.said("The server cannot save now.")
    expect(visitor.message).to_contain_text("Your fact is kept. It is sent again by itself until the server can save it.")
    expect(visitor.entry).to_have_value("res = n * cnt")
    german.page.get_by_role("textbox", name="Deine Aussage").fill("cnt <= m")
    german.page.keyboard.press("Enter")
    expect(german.page.get_by_role("heading", name="Der Server kann gerade nicht speichern.")).to_be_visible()
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    visitor.said(SOLVED)
    assert visitor.facts(INDUCTIVE) == ["cnt <= m", "res = n * cnt"]
    rooms = visitor.page.request.get("/api/rooms").json()["rooms"]
    history = visitor.page.request.get(f"/api/rooms/{rooms[0]['room']}/events").json()["events"]
    assert [event["kind"] for event in history].count("proposed") == 2


def test_going_on_at_another_device(visit: VisitorMaker) -> None:
    first, second = visit(), visit()
    solve(first)
    first.go("/settings")
    first.button("Make a code").click()
    shown = first.page.get_by_text(re.compile(r"Your code: \S+"))
    code = re.search(r"Your code: ([^\s,]+)", shown.first.inner_text())
    assert code is not None
    second.go("/settings")
    second.page.get_by_label("Code from another device").fill(code[1])
    second.button("Continue here").click()
    expect(second.page.get_by_text("This device plays as you now.").first).to_be_visible()
    second.page.get_by_role("link", name="Levels", exact=True).click()
    expect(second.page.get_by_role("link", name=re.compile(r"^Multiply: lit\b")).first).to_be_visible()
    second.open("multiply")
    second.said(SOLVED_BEFORE)
    assert second.facts(INDUCTIVE) == ["cnt <= m", "res = n * cnt"]


def test_progress_as_a_file(visit: VisitorMaker, tmp_path: Path) -> None:
    first, second = visit(), visit()
    solve(first)
    first.go("/settings")
    with first.page.expect_download() as download:
        first.page.get_by_role("link", name="Save to a file").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    second.go("/settings")
    second.page.get_by_label("Read a file in").set_input_files(file)
    expect(second.page.get_by_text("1 level with 2 facts read in, 1 of them solved.").first).to_be_visible()
    second.open("multiply")
    second.said(SOLVED_BEFORE)
    assert second.facts(INDUCTIVE) == ["cnt <= m", "res = n * cnt"]
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"format": "something else"}')
    second.expected = re.compile("status of 422")
    second.go("/settings")
    second.page.get_by_label("Read a file in").set_input_files(wrong)
    expect(second.page.get_by_text("This is not a progress file of this game.").first).to_be_visible()
