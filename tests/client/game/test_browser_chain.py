"""The chain of promotions in a real browser: waiting facts are proved one after the other, on the board and at the win."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from tests.support.browser.visitors import Visitor, VisitorMaker
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.browser.browsers"]

_NOTE_MOVES = """
window.moves = []
addEventListener('animationstart', ({ animationName, target }) =>
  moves.push([animationName, target.querySelector?.('code')?.textContent ?? '']))
"""
"""Keeps which animation began on which tile, in the order in which they began."""


def moves(visitor: Visitor, *names: str) -> list[list[str]]:
    """The animations with these names that have begun so far."""
    return [move for move in visitor.page.evaluate("moves") if move[0] in names]


def wait_for_moves(visitor: Visitor, name: str, count: int) -> None:
    """Waits until so many animations of this name have begun."""
    end = time.monotonic() + HANG_SECONDS
    while len(moves(visitor, name)) < count:
        assert time.monotonic() < end, f"{name} began {len(moves(visitor, name))} times, not {count}"
        visitor.page.wait_for_timeout(50)


def test_waiting_facts_travel_to_the_shelf_one_after_the_other(visitor: Visitor) -> None:
    visitor.page.add_init_script(_NOTE_MOVES)
    visitor.open("cube2")
    for waiting in ("res = cnt^3", "a = 3 * cnt^2 + 3 * cnt + 1"):
        visitor.propose(waiting, f"Not proved yet: {waiting}")
    visitor.propose("b = 6 * (cnt + 1)", re.compile("^Proved: "))
    # The order is that of the proofs, not that in which they were proposed.
    wait_for_moves(visitor, "travel", 2)
    assert moves(visitor, "travel") == [["travel", "a = 3 * cnt^2 + 3 * cnt + 1"], ["travel", "res = cnt^3"]]
    expect(visitor.page.locator(".travels")).to_have_count(0)
    assert visitor.facts("Proved facts") == ["res = cnt^3", "a = 3 * cnt^2 + 3 * cnt + 1", "b = 6 * (cnt + 1)"]


def test_a_key_ends_the_way_and_is_typed(visitor: Visitor) -> None:
    visitor.open("cube2")
    visitor.propose("a = 3 * cnt^2 + 3 * cnt + 1", re.compile("^Not proved yet: "))
    # The way ends by itself after a while, which a busy machine may sleep through: here its clock stands still.
    visitor.page.clock.install()
    visitor.page.clock.pause_at(datetime.now(tz=UTC) + timedelta(seconds=1))
    visitor.type("b = 6 * (cnt + 1)")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator(".travels")).to_have_count(1)
    visitor.page.keyboard.type("c")
    expect(visitor.page.locator(".travels")).to_have_count(0)
    # The box is emptied by the answer to the player's own request, which may come after the news of the room.
    expect(visitor.entry).to_have_value(re.compile("c$"))


def test_the_win_tells_the_chain_fact_by_fact_then_the_ghost_goes_and_the_lamp_is_lit(visit: VisitorMaker) -> None:
    visitor, still = visit(), visit(still=True)
    for player in (visitor, still):
        player.page.add_init_script(_NOTE_MOVES)
        player.open("int-square-root")
        for waiting in ("sqr = (cnt + 1)^2", "cnt^2 <= n"):
            player.propose(waiting, f"Not proved yet: {waiting}")
        player.type("odd = 2 * cnt + 1")
        player.page.keyboard.press("Enter")
        expect(player.page.locator(".chain")).to_have_text(
            "The last fact set off a chain: odd = 2 * cnt + 1 was proved, "
            "so sqr = (cnt + 1)^2 could be proved, so cnt^2 <= n could be proved."
        )
    wait_for_moves(visitor, "rise", 1)
    assert moves(visitor, "fill", "leave", "rise") == [
        ["fill", "odd = 2 * cnt + 1"],
        ["fill", "sqr = (cnt + 1)^2"],
        ["fill", "cnt^2 <= n"],
        ["leave", ""],
        ["rise", ""],
    ]
    # Whoever wants no motion sees the end at once.
    assert moves(still, "fill", "leave", "rise", "show", "draw") == []
    expect(still.page.get_by_text("Goal proved")).to_be_visible()
    for value in still.page.locator(".ghost-row .value").all():
        expect(value).to_have_css("text-decoration-line", "line-through")
    # The proof can be taken along.
    still.page.get_by_role("button", name="Take the proof with you").click()
    with still.page.expect_download() as download:
        still.page.get_by_role("button", name="Dafny").click()
    assert download.value.suggested_filename == "int-square-root.dfy"
    assert "invariant odd == ((2 * cnt) + 1)" in download.value.path().read_text(encoding="utf-8")
    expect(still.page.get_by_text("Saved as int-square-root.dfy. Check it by:")).to_be_visible()
