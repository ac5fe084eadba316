"""Typing in a real browser: rows are coloured at every key, without a request; errors, completion, history, columns."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.support.browser.visitors import GONE, PHONE, WIDE, Visitor, VisitorMaker

pytest_plugins = ["tests.support.browser.browsers"]

HIGH_OR_CUT_OFF = """
all => all.filter((gate) => gate.getBoundingClientRect().height > 36 || gate.scrollWidth > gate.clientWidth + 1)
  .map((gate) => gate.textContent)
"""
"""The gates that have more than one line, or whose text is wider than they are."""
BEYOND_THE_TABLE = """
all => all.map((words) => words.getBoundingClientRect().right
  - words.closest('.trace-scroll').getBoundingClientRect().right)
"""
"""By how many pixels the words of ghosts end beyond what is seen of the table."""


def rows(visitor: Visitor) -> Locator:
    """The rows of the run, without the head and the ghosts."""
    return visitor.trace.locator("tr[data-row]")


def status(visitor: Visitor, text: str | re.Pattern[str]) -> None:
    expect(visitor.page.get_by_text(text).first).to_be_visible()


def hold_proposals(visitor: Visitor) -> list[Route]:
    """Holds back all further proposals until the test lets them through."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.page.route(re.compile("/proposals$"), hold)
    return held


def test_rows_are_coloured_at_every_key_without_any_request(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.page.wait_for_load_state("networkidle")
    visitor.entry.focus()
    before = visitor.calls()
    visitor.page.keyboard.type("cnt < m")
    status(visitor, "False in row 8 of this table.")
    visitor.page.keyboard.press("Backspace")
    visitor.page.keyboard.press("Backspace")
    visitor.page.keyboard.type("= m")
    status(visitor, re.compile("Enter proposes it.|rules out no ghost"))
    expect(rows(visitor).get_by_role("img", name="holds")).to_have_count(8)
    visitor.type("cnt < 3")
    status(visitor, "False in row 4 of this table.")
    assert rows(visitor).get_by_role("img", name="holds").all_inner_texts() == ["✓"] * 3
    assert rows(visitor).get_by_role("img", name="fails").all_inner_texts() == ["✗"] * 5
    assert visitor.calls() == before


def test_enter_proposes_only_what_holds_in_all_rows(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.page.wait_for_load_state("networkidle")
    before = visitor.calls()
    propose = visitor.button(re.compile("Propose"))
    for text, why in (
        ("cnt < m", "False in row 8 of this table."),
        ("cnt + 1", "A number cannot be proposed. Compare it with something."),
        ("cnt <", "This cannot be read yet."),
        ("", "Type a fact first."),
    ):
        visitor.type(text)
        visitor.page.keyboard.press("Escape")
        expect(propose).to_have_attribute("aria-disabled", "true")
        visitor.page.keyboard.press("Enter")
        status(visitor, why)
    assert visitor.calls() == before


def test_a_duplicate_is_not_sent(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    visitor.propose("res <= n*m", "Not proved yet: res <= n * m")
    visitor.page.wait_for_load_state("networkidle")
    before = visitor.calls()
    for text, words in (("(cnt)<=m", "This is proved already."), ("res<=n*m", "This is waiting for its proof already.")):
        visitor.type(text)
        status(visitor, words)
        visitor.page.keyboard.press("Enter")
    assert visitor.calls() == before


def test_arrow_keys_bring_back_earlier_proposals(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.propose("cnt >= 0", "Proved: cnt >= 0")
    visitor.propose("cnt <= m", "Proved: cnt <= m")
    visitor.type("res")
    visitor.page.keyboard.press("Escape")
    visitor.page.keyboard.press("ArrowUp")
    expect(visitor.entry).to_have_value("cnt <= m")
    visitor.page.keyboard.press("ArrowUp")
    expect(visitor.entry).to_have_value("cnt >= 0")
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("ArrowDown")
    expect(visitor.entry).to_have_value("res")


def test_an_error_has_its_place_and_a_suggestion(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.type("cmt <= m")
    visitor.page.keyboard.press("Escape")
    error = visitor.page.locator(f"#{visitor.entry.get_attribute('aria-describedby')}")
    expect(error).to_contain_text("cmt")
    expect(error).to_contain_text("cnt")
    expect(visitor.entry).to_have_attribute("aria-invalid", "true")
    marked = error.locator("mark")
    expect(marked).to_have_text("cmt")
    visitor.button("cnt", error).click()
    expect(visitor.entry).to_have_value("cnt <= m")
    expect(visitor.entry).to_be_focused()
    visitor.type("cnt <=")
    expect(error).to_have_text("Something is missing after <=.")


def test_the_rest_of_a_name_stands_in_the_box(visitor: Visitor) -> None:
    """It covers nothing, the right arrow takes it, and a complete name has none."""
    visitor.open("multiply")
    rest = visitor.page.locator(".rest")
    visitor.type("c")
    expect(rest).to_have_text("cnt")
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.entry).to_have_value("cnt")
    expect(visitor.entry).to_be_focused()
    expect(rest).to_have_text("cnt")
    visitor.type("n")
    expect(rest).to_have_text("n")


def test_numbers_and_parts_are_columns(visitor: Visitor) -> None:
    """A numeric expression shows its value in every row, as a calculator does.

    So do the parts of a condition, and they can be kept.
    """
    visitor.open("multiply")
    visitor.type("n + cnt")
    head = visitor.trace.get_by_role("columnheader")
    expect(head.filter(has_text="Value")).to_be_visible()
    status(visitor, "A number. Compare it with something.")
    visitor.type("n * cnt")
    status(visitor, "In every row the same as a column. Which one? Write that they are equal.")
    expect(rows(visitor).nth(7)).to_contain_text("42")
    visitor.button("Keep as a column").click()
    visitor.type("res = n * cnt + 0")
    expect(head.filter(has_text="n * cnt")).to_be_visible()
    # The parts are in a pop-up, so that none of them is cut off. Ghosts have values there, too.
    visitor.button("Parts as columns", visitor.trace).click()
    part = visitor.page.get_by_role("group", name="Parts as columns").get_by_role("button", name="n * cnt + 0", exact=True)
    part.click()
    expect(head.filter(has_text="n * cnt + 0")).to_be_visible()
    expect(visitor.trace.locator("[data-ghost=A] .extra")).to_have_text(["42", "42"])
    visitor.button("Remove the column n * cnt").click()
    expect(head.filter(has_text="n * cnt")).to_have_count(1)


def test_other_inputs_and_back_to_the_default_trace(visitor: Visitor) -> None:
    visitor.open("multiply")
    expect(rows(visitor)).to_have_count(8)
    visitor.inputs(m="2")
    expect(rows(visitor)).to_have_count(3)
    visitor.type("cnt <= 2")
    expect(visitor.page.get_by_role("group", name="What your fact would do")).to_contain_text("3 of 3 ✓")
    visitor.page.get_by_role("tablist", name="Runs").get_by_role("tab").first.click()
    expect(rows(visitor)).to_have_count(8)
    status(visitor, "False in row 4 of this table.")


def test_inputs_that_do_not_fit_are_refused_in_words(visitor: Visitor) -> None:
    visitor.expected = re.compile("status of 422")
    visitor.open("multiply")
    visitor.type("cnt <= 7")
    visitor.inputs(m="-1")
    status(visitor, re.compile("The program cannot be run with these inputs."))
    expect(visitor.entry).to_have_value("cnt <= 7")
    expect(rows(visitor)).to_have_count(8)
    visitor.inputs(m="1")
    expect(rows(visitor)).to_have_count(2)


def test_a_long_trace_scrolls_and_only_what_is_seen_is_in_the_page(visitor: Visitor) -> None:
    visitor.open("multiply")
    visitor.inputs(m="99999")
    expect(visitor.trace).to_contain_text("The first 1,000 of 100,000 rows.")
    visitor.button("Show more rows").click()
    expect(visitor.trace.get_by_role("table")).to_have_attribute("aria-rowcount", re.compile(r"^10000\d$"))
    assert rows(visitor).count() < 200
    visitor.type("cnt != 70000")
    status(visitor, "False in row 70,001 of this table.")
    visitor.button("Next failing row").click()
    expect(rows(visitor).get_by_role("img", name="fails")).to_be_visible()
    assert rows(visitor).count() < 200


def test_the_first_state_to_rule_out_comes_with_the_first_answer(visitor: Visitor) -> None:
    """Opening a level takes one request for the game."""
    visitor.expected = re.compile("ERR_FAILED")
    requests: list[str] = []

    def watch(route: Route) -> None:
        requests.append(f"{route.request.method} {route.request.url.removeprefix(visitor.url)}")
        if len(requests) == 1:
            route.continue_()
        else:
            route.abort()

    visitor.page.route(re.compile(r"/api/(rooms|levels|programs)"), watch)
    visitor.open("int-square-root")
    expect(visitor.trace.locator("[data-ghost=A]")).to_be_visible()
    expect(rows(visitor).first).to_be_visible()
    assert requests[0] == "POST /api/rooms"


def test_gates_have_one_line_and_ghosts_words_are_as_wide_as_what_is_seen(visit: VisitorMaker) -> None:
    """In German, at the narrowest widths of both layouts. A table with five columns and a result scrolls sideways there."""
    visitor = visit(locale="de-DE", still=True)
    visitor.go("/level/rain-barrel")
    entry = visitor.page.locator(".entry input")
    for fact in ("barrel >= 0", "hour < hours -> barrel >= rain + rain", "hour = hours"):
        entry.fill(fact)
        for width in (1100, 1280, 1400, 390, 320):
            visitor.page.set_viewport_size({"width": width, "height": 800})
            gates = visitor.page.locator(".gate")
            assert gates.evaluate_all(HIGH_OR_CUT_OFF) == [], (fact, width)
            over: list[float] = visitor.page.locator(".ghosts .words").evaluate_all(BEYOND_THE_TABLE)
            assert over, width
            assert max(over) <= 0, width


@pytest.mark.parametrize(
    "size",
    [{"width": 1440, "height": 900}, WIDE, {"width": 1100, "height": 800}, PHONE, {"width": 320, "height": 640}],
    ids=["widest", "wide", "narrowest", "phone", "small phone"],
)
def test_nothing_moves_while_something_is_typed_or_a_verdict_is_awaited(visit: VisitorMaker, size: dict[str, int]) -> None:
    """What a text means stands beside the gates on a wide screen, and below them on a narrower one."""
    visitor = visit(phone=size is PHONE, size=size)
    # Long before the proposal is sent, because the browser may let a request pass that follows at once.
    held = hold_proposals(visitor)
    visitor.open("multiply")
    expect(visitor.message.get_by_role("heading")).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.wait_for_timeout(600)
    assert visitor.page.evaluate("PerformanceObserver.supportedEntryTypes.includes('layout-shift')")
    visitor.page.evaluate("""() => {
      window.shifts = []
      const told = ({ value, sources }) => `${value} ${sources.map(({ node }) => node?.className ?? node?.nodeName)}`
      new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(told))).observe({ type: 'layout-shift' })
    }""")
    # A number, a mistake, a fact that is false in a row, one that rules out no ghost.
    for text in ("n * cnt", "cnt <", "cnt < m", "cnt >= 0", "cnt <= m"):
        visitor.type(text)
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator(".say")).to_contain_text("Thinking …")
    visitor.page.wait_for_timeout(700)
    assert visitor.page.evaluate("window.shifts") == []
    expect(visitor.button("Stop waiting")).to_be_visible()
    held[0].continue_()
    visitor.said("Proved: cnt <= m")


def test_waiting_can_be_stopped(visitor: Visitor) -> None:
    visitor.open("multiply")
    hold_proposals(visitor)
    visitor.type("cnt <= m")
    visitor.page.keyboard.press("Enter")
    visitor.button("Stop waiting").click()
    expect(visitor.button("Stop waiting")).to_have_count(0)
    expect(visitor.entry).to_have_value("cnt <= m")
    visitor.page.unroute(re.compile("/proposals$"))
    visitor.propose("cnt >= 0", "Proved: cnt >= 0")


def test_enter_while_the_engine_thinks_waits_for_its_turn(visitor: Visitor) -> None:
    """What is proposed meanwhile is sent after the answer; the same fact is not sent twice."""
    visitor.open("multiply")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    visitor.page.route(re.compile("/proposals$"), hold_the_first)
    visitor.type("cnt <= m")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text("Thinking …").first).to_be_visible()
    visitor.page.keyboard.press("Enter")
    visitor.type("cnt >= 0")
    visitor.page.keyboard.press("Enter")
    expect(visitor.entry).to_have_value("")
    expect(visitor.region("Notebook")).to_contain_text("waits for its turn")
    held[0].continue_()
    visitor.said("Proved: cnt >= 0")
    assert len([call for call in visitor.calls() if call.startswith("POST") and call.endswith("/proposals")]) == 2


def test_the_last_rows_of_a_table_are_not_left_out(visitor: Visitor) -> None:
    """A table begins with 1,000 rows. A run of 1,000 turns has one more, which comes by itself; a much longer run is cut."""
    visitor.open_program("fn main(n: nat) { var i: int := 0; while (i < 1000 + n) { i := i + 1; } assert(i = 1000 + n); }")
    visitor.inputs(n="0")
    expect(visitor.trace).to_contain_text("1,001 rows.")
    visitor.inputs(n="500")
    expect(visitor.trace).to_contain_text("The first 1,000 of 1,501 rows.")
    visitor.button("Show more rows").click()
    expect(visitor.trace).to_contain_text("1,501 rows.")
    # The table that a level is opened with has all of its rows, too.
    visitor.open_program("fn main() { var i: int := 0; while (i < 1000) { i := i + 1; } assert(i = 1000); }")
    expect(visitor.trace).to_contain_text("1,001 rows.")


def test_the_empty_box_teaches_nothing_false_or_trivial(visitor: Visitor) -> None:
    """One run cannot tell whether an example is true, so the box asks in words."""
    visitor.open("head-start")
    expect(visitor.entry).to_have_attribute("placeholder", "what do the rows have in common?")


def test_typing_without_a_connection(visitor: Visitor) -> None:
    """Rows are coloured and mistakes are named all the same, and nothing is thrown."""
    visitor.expected = GONE
    visitor.open("multiply")
    visitor.page.wait_for_load_state("networkidle")
    visitor.context.set_offline(True)
    visitor.type("cnt <")
    expect(visitor.page.locator(".say")).to_contain_text("Something is missing after <")
    visitor.type("cnt < 3")
    status(visitor, "False in row 4 of this table.")
    # Parts that are opened for the first time say that they cannot be loaded, and come when the connection is back.
    missing = "This part could not be loaded. Is there a connection?"
    visitor.button("Signs and words").click()
    expect(visitor.region("Program")).to_contain_text(missing)
    visitor.button("Chart").click()
    expect(visitor.trace).to_contain_text(missing)
    visitor.button("Try again", visitor.trace).click()
    expect(visitor.button("Try again", visitor.trace)).to_have_attribute("aria-disabled", "false")
    visitor.context.set_offline(False)
    expect(visitor.button("Insert ->")).to_be_visible()
    expect(visitor.page.get_by_text(missing)).to_have_count(0)
    # The chart opens with the variables that change, and not empty.
    expect(visitor.page.get_by_role("img", name="res, cnt over the turns").locator("polyline")).to_have_count(2)


def test_pop_ups_of_terms_are_never_cut_off(visit: VisitorMaker) -> None:
    for size in ({"width": 1280, "height": 800}, {"width": 390, "height": 844}):
        visitor = visit(size=size)
        visitor.open("multiply")
        if size["width"] < 1100:
            visitor.page.get_by_role("tab", name=re.compile("^Facts")).click()
        for term in visitor.page.locator(".term button:visible").all():
            term.focus()
            tip = visitor.page.locator(".popup:popover-open")
            expect(tip).to_be_visible()
            box = tip.bounding_box()
            assert box is not None
            assert min(box["x"], box["y"]) >= 0
            assert box["x"] + box["width"] <= size["width"]
            assert box["y"] + box["height"] <= size["height"]
            visitor.page.keyboard.press("Escape")
            expect(tip).to_have_count(0)
