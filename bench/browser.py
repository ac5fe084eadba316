"""Measures the time from a key to the coloured rows in Chromium.

At every key the client judges three conjuncts in all rows of the trace, with exact numbers.
"""

from __future__ import annotations

import statistics

from playwright.sync_api import Page, expect, sync_playwright

from bench.server import BenchServer
from bench.timing import Figure
from tools import ensure_chromium

KEYS = 60
"""Keys whose times are measured in one round."""
ROUNDS = 3
"""Rounds, of which the best counts."""
FRAME_SECONDS = 1 / 60
"""The rival: seconds between two frames of a screen with 60 Hz."""
GOALS = {2_000: 0.016, 20_000: 0.050}
"""Rows of the trace → the seconds that a key may take."""

# A key's time ends when the colour of a row can be read off the page. By then the text is parsed and judged in all rows, and the
# rows are drawn, styled and laid out.
_WATCH = """(entry) => {
  const rows = document.querySelector('table[aria-rowcount]')
  let pressed = 0
  window.times = []
  entry.addEventListener('keydown', () => { pressed = performance.now() }, { capture: true })
  new MutationObserver(() => {
    if (!pressed) return
    for (const row of rows.querySelectorAll('tr')) getComputedStyle(row).backgroundColor
    rows.getBoundingClientRect()
    window.times.push(performance.now() - pressed)
    pressed = 0
  }).observe(rows, { subtree: true, childList: true, attributes: true, characterData: true })
}"""


def figures() -> list[Figure]:
    with BenchServer() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure_chromium.ensure(), args=list(ensure_chromium.FLAGS))
        page = browser.new_page(base_url=server.url, locale="en-GB", viewport={"width": 1280, "height": 800})
        results = [_figure(page, rows, goal) for rows, goal in GOALS.items()]
        browser.close()
    return results


def _figure(page: Page, rows: int, goal: float) -> Figure:
    ours = min(_seconds_a_key(page, rows) for _ in range(ROUNDS))
    name = f"key to colour, {rows:,} rows of trace, 95 of 100 keys (Chromium)"
    return Figure(name, "a frame of 60 Hz", ours, FRAME_SECONDS, f"at most {goal * 1000:.0f} ms", ours <= goal)


def _seconds_a_key(page: Page, rows: int) -> float:
    page.goto("/level/multiply")
    page.get_by_role("button", name="+ Run").click()
    box = page.get_by_label("Input m", exact=True)
    box.fill(str(rows - 1))
    box.press("Enter")
    page.get_by_role("button", name="Show more rows").click()
    expect(page.get_by_role("region", name="Table", exact=True).get_by_text(f"{rows:,} rows")).to_be_visible()
    entry = page.get_by_role("textbox", name="Your fact", exact=True)
    entry.fill("res = n * cnt & cnt <= m & cnt < 1")
    expect(page.get_by_text("False in row 2 of this table.").first).to_be_visible()
    entry.evaluate(_WATCH)
    # The text alternates between `cnt < 1` and `cnt < 10`, so that each key changes the colour of rows that can be seen.
    entry.press("End")
    for key in range(KEYS):
        page.keyboard.press("Backspace" if key % 2 else "0")
    times: list[float] = page.evaluate("window.times")
    assert len(times) == KEYS, f"{KEYS} keys coloured rows {len(times)} times"
    return statistics.quantiles(times, n=20)[-1] / 1000
