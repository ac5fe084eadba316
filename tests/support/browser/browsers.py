"""Real browsers for tests. A test module gets the fixtures by naming this module in `pytest_plugins`.

The module `visitors` says what people do in a browser. Chromium lives as long as a test module, because Playwright's event loop
would get in the way of other modules that have event loops of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.support.browser.visitors import WAIT_MS_MAX, Visitor, VisitorMaker
from tools import ensure_chromium

if TYPE_CHECKING:
    from tests.support.servers.servers import Server

pytest_plugins = ["tests.support.servers.servers"]

PAGE = Path(__file__).parents[3] / "src/idg/coordinator/static/index.html"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if not PAGE.exists():
        pytest.fail("the browser client is not built: run `make setup`", pytrace=False)
    try:
        path = ensure_chromium.ensure()
    except ensure_chromium.ChromiumMissing as missing:
        pytest.fail(str(missing), pytrace=False)
    expect.set_options(timeout=WAIT_MS_MAX)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ensure_chromium.FLAGS), headless=True)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[VisitorMaker]:
    """Makes visitors with cookies and a saved game of their own. When the test has ended, no browser may have complained."""
    visitors: list[Visitor] = []

    def make(url: str | None = None, **options: object) -> Visitor:
        visitors.append(Visitor(chromium, url or server.url, **options))  # type: ignore[arg-type]
        return visitors[-1]

    yield make
    complaints = [complaint for person in visitors for complaint in person.complaints]
    for person in visitors:
        person.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def visitor(visit: VisitorMaker) -> Visitor:
    return visit()
