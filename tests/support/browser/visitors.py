"""What a person does in the browser client, told by the roles and labels of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

AXE = Path(__file__).parents[3] / "client/node_modules/axe-core/axe.min.js"
AXE_RULES_OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe, among those that are on by default, whose answer depends on the colours of a page."""
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
WAIT_MS_MAX = 120_000
"""How many milliseconds a test waits for anything in a browser. This only guards against hanging: a busy machine answers late."""
_TELL_VIOLATIONS = """
addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`))
"""
_MOVED = """
() => Promise.all(document.getAnimations().filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
  .map((animation) => animation.finished.catch(() => {})))
"""
"""Waits until everything that moves and comes to an end has ended: colours that fade are not those of the page."""
GONE = re.compile(r"ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED|WebSocket connection to")


class Visitor:
    """One person at one browser. Keeps everything that the browser complains about."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        phone: bool = False,
        dark: bool = False,
        still: bool = False,
        locale: str = "en-GB",
        size: dict[str, int] | None = None,
        scale: float = 1,
    ) -> None:
        self.url = url
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.expected: re.Pattern[str] | None = None
        """The complaints of the browser that the test expects."""
        viewport = size or (PHONE if phone else WIDE)
        self.context = browser.new_context(
            base_url=url,
            locale=locale,
            viewport={"width": viewport["width"], "height": viewport["height"]},
            has_touch=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            device_scale_factor=scale,
            permissions=["clipboard-read", "clipboard-write"],
            accept_downloads=True,
        )
        self.context.set_default_timeout(WAIT_MS_MAX)
        self.context.add_init_script(_TELL_VIOLATIONS)
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("request", self._asked)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (self.expected and self.expected.search(message.text)):
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _asked(self, request: Request) -> None:
        self.requests.append(f"{request.method} {request.url.removeprefix(self.url)}")

    def calls(self) -> list[str]:
        """The requests to the API so far. Scripts that a page loads when they are first needed are left out."""
        return [request for request in self.requests if " /api/" in request]

    def close(self) -> None:
        self.context.close()

    # going somewhere

    def go(self, path: str) -> None:
        self.page.goto(path)

    def open(self, level: str) -> None:
        """Opens a level and waits until it can be played."""
        self.go(f"/level/{level}")
        expect(self.entry).to_be_visible()

    def open_program(self, source: str) -> str:
        """Submits a program and opens it; returns its hash."""
        submitted = self.page.request.post(f"{self.url}/api/programs", data={"source": source}, headers={"Origin": self.url})
        assert submitted.ok, submitted.text()
        program: str = submitted.json()["program"]
        self.go(f"/program/{program}")
        expect(self.entry).to_be_visible()
        return program

    # parts of the game's screen

    @property
    def entry(self) -> Locator:
        return self.page.get_by_role("textbox", name="Your fact", exact=True)

    @property
    def message(self) -> Locator:
        return self.region("Answer")

    @property
    def trace(self) -> Locator:
        return self.region("Table")

    def region(self, name: str) -> Locator:
        return self.page.get_by_role("region", name=name, exact=True)

    def button(self, name: str | re.Pattern[str], inside: Locator | None = None) -> Locator:
        return (inside or self.page).get_by_role("button", name=name, exact=isinstance(name, str))

    def facts(self, name: str) -> list[str]:
        """The expressions on the tiles of `Proved facts` or `Not proved yet`. After a win the board is shown again first."""
        self.back_to_board()
        region = self.page.get_by_role("region", name=re.compile(f"^{name}"))
        expect(region).to_be_visible()
        return region.locator(":scope > ul .fact").all_inner_texts()

    def back_to_board(self) -> None:
        """Leaves the screen of the proved goal, if it is shown."""
        improve = self.button("Improve")
        if improve.count():
            improve.click()
            expect(self.entry).to_be_visible()

    # playing

    def type(self, text: str) -> None:
        """Replaces the text of the entry box, key by key. After a win the board is shown again first."""
        self.back_to_board()
        self.entry.focus()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text)

    def propose(self, text: str, headline: str | re.Pattern[str]) -> None:
        self.type(text)
        self.page.keyboard.press("Enter")
        self.said(headline)

    def inputs(self, **values: str) -> None:
        """Runs the program with these values, entered in the form of a new run."""
        self.button("+ Run", self.trace).click()
        boxes = [(self.page.get_by_label(f"Input {name}", exact=True), value) for name, value in values.items()]
        for box, value in boxes:
            box.fill(value)
        boxes[-1][0].press("Enter")

    def said(self, headline: str | re.Pattern[str]) -> None:
        """Waits until the message window has this headline."""
        expect(self.message.get_by_role("heading").first).to_have_accessible_name(headline)

    def tab_to(self, target: Locator, steps_max: int = 80, back: bool = False) -> None:
        """Moves the focus to the target by the Tab key alone."""
        expect(target).to_be_visible()
        for _ in range(steps_max):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"no Tab leads to {target}")

    # checks

    def sideways(self) -> int:
        """The number of pixels by which the page scrolls sideways."""
        pixels: int = self.page.evaluate("document.scrollingElement.scrollWidth - document.documentElement.clientWidth")
        return pixels

    def axe(self, *, colours_only: bool = False) -> list[str]:
        """What axe objects to, one line each. If a page was checked in light, only its colours need to be checked in dark.

        The script comes by the debugger's protocol, because the policy of our pages would not let it in by a tag. It does not load
        style sheets and media once more, which took a fifth of its time. The rules that read them are off by default, or about
        sounds that play by themselves, and our pages have none.
        """
        if not self.page.evaluate("'axe' in window"):
            console = self.context.new_cdp_session(self.page)
            console.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8"), "silent": True})
            console.detach()
        self.page.evaluate(_MOVED)
        only = {"runOnly": {"type": "rule", "values": AXE_RULES_OF_COLOURS}} if colours_only else {}
        report: dict[str, Any] = self.page.evaluate(
            "options => axe.run(document, options)", {"resultTypes": ["violations"], "preload": False, **only}
        )
        return [
            f"{rule['id']}: {rule['help']}: {node['html'][:300]} {json.dumps([any_['message'] for any_ in node['any']])[:300]}"
            for rule in report["violations"]
            for node in rule["nodes"]
        ]


VisitorMaker = Callable[..., Visitor]
