"""Takes pictures of every screen, light and dark, wide and on a phone, in every language:
`python -m tools.pictures.screenshots FOLDER [SCREEN …]`.

It starts a server of its own with an empty folder. If a screen cannot be shown, it says which and ends with exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from bench.servers.server import BenchServer
from tools import ensure_chromium
from tools.pictures.screens import SCREENS

SIZES = {"wide": (1280, 800), "phone": (390, 844)}
LANGUAGES = ("en", "de")
WITHOUT_SERVER = "gone"
"""The screen without a connection, which cannot fetch the sentences of another language."""
SETTLE_MS = 400
"""Milliseconds that colours and fonts get to come to rest before a picture is taken."""


def picture(browser: Browser, url: str, screen: str, size: str, folder: Path) -> None:
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=url,
        locale="en-GB",
        viewport={"width": width, "height": height},
        has_touch=size == "phone",
        color_scheme="light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    try:
        SCREENS[screen](page)
        for language in LANGUAGES[:1] if screen == WITHOUT_SERVER else LANGUAGES:
            other = page.locator(f".bar button[lang='{language}']")
            if other.count():
                other.click()
            expect(page.locator("html")).to_have_attribute("lang", language)
            page.evaluate("scrollTo(0, 0)")
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                page.wait_for_timeout(SETTLE_MS)
                page.screenshot(path=folder / f"{screen}-{size}-{language}-{theme}.png", full_page=True)
    finally:
        context.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.pictures.screenshots", description="Pictures of every screen.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("screens", nargs="*", metavar="SCREEN", help=f"one or more of {', '.join(SCREENS)}; all by default")
    wanted = parser.parse_args()
    missing = [name for name in wanted.screens if name not in SCREENS]
    if missing:
        parser.error(f"there is no screen {missing[0]}; known: {', '.join(SCREENS)}")
    wanted.folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=20_000)
    failed = 0
    with BenchServer() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure_chromium.ensure(), args=list(ensure_chromium.FLAGS))
        for screen in wanted.screens or SCREENS:
            for size in SIZES:
                try:
                    picture(browser, server.url, screen, size, wanted.folder)
                    print(f"{screen}-{size}", flush=True)
                except Exception as error:  # the other screens are still worth having
                    failed += 1
                    print(f"{screen}-{size} could not be shown: {error}", file=sys.stderr, flush=True)
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
