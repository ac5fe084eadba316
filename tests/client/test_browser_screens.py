"""Every screen in a real browser: axe finds nothing in light and dark, nothing scrolls sideways, and there is a way on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.visitors import GONE, PHONE, Visitor
from tools.screens import SCREENS

pytest_plugins = ["tests.support.browser.browsers"]

ZOOMED = {"width": 640, "height": 400}
"""The size in which a window of 1280 × 800 pixels shows a page at 200 %."""
REFUSED = {"no-such-level": re.compile("status of 404"), "gone": GONE}


@pytest.mark.parametrize("name", SCREENS)
def test_screen(name: str, visitor: Visitor) -> None:
    visitor.expected = REFUSED.get(name)
    page = visitor.page
    SCREENS[name](page)
    assert next_actions(visitor, name) > 0
    assert visitor.axe() == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert visitor.axe(colours_only=True) == []
    for size in (ZOOMED, PHONE):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert visitor.sideways() <= 0, f"{size['width']} pixels wide"


def next_actions(visitor: Visitor, name: str) -> int:
    """The number of things that can be done next."""
    if name == "thinking":
        return visitor.button("Stop waiting").count()
    if name == "reset":
        return visitor.page.get_by_role("alertdialog").get_by_role("button", disabled=False).count()
    area = visitor.page.get_by_role("main")
    return area.get_by_role("button", disabled=False).count() + area.get_by_role("link").count()
