"""What players in one room show each other while they play, in real browsers: drafts, rows, and who found what."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser.visitors import Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]


def together(visit: VisitorMaker, **of_ben: object) -> tuple[Visitor, Visitor]:
    """Ada, who has opened a room, and Ben, who has joined it."""
    ada, ben = visit(), visit(**of_ben)
    ada.open("multiply")
    ada.button("Play together").click()
    ada.button("Make a link").click()
    link = ada.page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile("/room/"))
    ben.go(link.input_value())
    expect(ben.entry).to_be_visible()
    ben.page.get_by_label("Your name").fill("Ben")
    ben.button("Change").click()
    expect(ada.region("Who is here")).to_contain_text("Ben")
    return ada, ben


def test_drafts_are_seen_with_their_gates_and_colour_the_table(visit: VisitorMaker) -> None:
    ada, ben = together(visit)
    drafts = ada.region("Drafts")
    expect(drafts).to_contain_text("When somebody types, you see it here.")
    ben.type("cnt <=")
    expect(drafts).to_contain_text("not finished")
    ben.type("cnt <= m")
    expect(drafts.get_by_role("button", pressed=True)).to_contain_text("cnt <= m")
    expect(drafts).to_contain_text(re.compile(r"\d+/\d+ ✓"))
    # Ada has typed nothing, so Ben's draft colours her table. To propose it is not hers by that.
    expect(ada.trace).to_contain_text("Ben")
    ada.entry.focus()
    ada.page.keyboard.press("Enter")
    ada.type("cnt >= 7")
    expect(ada.trace).not_to_contain_text("Ben")
    ada.type("")
    expect(ada.trace).to_contain_text("Ben")
    assert ada.axe() == []
    ben.page.keyboard.press("Enter")
    expect(drafts).not_to_contain_text("not finished")
    # Who found it stands on the tile, for both.
    for player, label in ((ada, "Ben"), (ben, "Ben")):
        shelf = player.page.get_by_role("region", name=re.compile("^Proved facts"))
        expect(shelf.get_by_role("img", name=label).first).to_be_visible()
    rooms = ben.page.request.get("/api/rooms").json()["rooms"]
    history = ben.page.request.get(f"/api/rooms/{rooms[0]['room']}/events").json()["events"]
    assert [event["kind"] for event in history].count("proposed") == 1


def test_whoever_has_no_fact_in_the_proof_is_told_whose_they_are(visit: VisitorMaker) -> None:
    ada, ben = together(visit)
    for fact in ("cnt <= m", "res = n * cnt"):
        ben.propose(fact, re.compile("^Proved"))
    expect(ada.message).to_contain_text("Proved by Ben. The gem is for everyone who has a fact in the proof")
    expect(ben.message).not_to_contain_text("Proved by Ben")


def test_players_point_at_rows_and_drafts_can_be_switched_off(visit: VisitorMaker) -> None:
    ada, ben = together(visit)
    ben.button("Point at row 3", ben.trace).click()
    mark = ada.trace.get_by_role("img", name="Ben points here")
    expect(mark).to_be_visible()
    expect(ben.button("Look at this row")).not_to_have_attribute("aria-disabled", "true")
    ben.button("Stop pointing at row 3", ben.trace).click()
    expect(mark).to_have_count(0)
    # What is typed after drafts were switched off is not shown. The row comes later on the same way.
    ada.page.get_by_label("Live drafts").uncheck()
    expect(ada.region("Drafts")).to_contain_text("nobody sees what you type")
    ada.type("cnt >= 0")
    ada.button("Point at row 2", ada.trace).click()
    expect(ben.trace.get_by_role("img", name=re.compile("points here"))).to_be_visible()
    assert "cnt >= 0" not in ben.region("Drafts").inner_text()


def test_rooms_fit_a_phone_in_german(visit: VisitorMaker) -> None:
    ada, ben = visit(), visit(phone=True, locale="de-DE", dark=True)
    ada.open("multiply")
    ada.button("Play together").click()
    ada.button("Make a link").click()
    link = ada.page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile("/room/"))
    ben.go(link.input_value())
    ada.type("cnt <= m")
    drafts = ben.page.get_by_role("region", name="Entwürfe")
    expect(drafts).to_contain_text("cnt <= m")
    expect(drafts).to_contain_text("Läufe ✓")
    assert ben.sideways() == 0
    assert [line for line in ben.axe() if "room-bar" in line or "live-drafts" in line or "partner" in line] == []
    ben.button("Level-Menü").click()
    ben.button("Mit dem Computer spielen").click()
    ben.page.get_by_role("radio", name=re.compile("^Tippgeber")).check()
    expect(ada.region("Computer")).to_contain_text("Ask when you want to know where to look.")
    assert ben.sideways() == 0
    assert [line for line in ben.axe() if "room-bar" in line or "live-drafts" in line or "partner" in line] == []
