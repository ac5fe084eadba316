"""The documentation site: it is built, its links lead somewhere, and it loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
BUILD_SECONDS_MAX = 300
"""Seconds for building the site; only guards against hanging."""
LOADING = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
    "embed": "src",
}
"""Element → the attribute that makes a browser load something at once."""
NOT_LOADED = {"canonical", "next", "prev", "alternate"}
"""Values of `rel` with which a link element only says something about the page."""
REMOTE = re.compile(r"^(?:[a-z]+:)?//", re.IGNORECASE)
REMOTE_IN_STYLE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])\s*((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)


class Reader(HTMLParser):
    """What a page has: places that can be linked to, links that can be followed, and what is loaded with it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.places |= {attributes[name] for name in ("id", "name") if name in attributes}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in LOADING and attributes.get(LOADING[tag]) and not set(attributes.get("rel", "").split()) & NOT_LOADED:
            self.loaded.append(attributes[LOADING[tag]])
        self.loaded += REMOTE_IN_STYLE.findall(attributes.get("style", ""))
        self.loaded += [part.split()[0] for part in attributes.get("srcset", "").split(",") if part.strip()]


class Site:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def pages(self) -> dict[Path, Reader]:
        return {path: Reader(path) for path in sorted(self.folder.rglob("*.html"))}

    def wrong_link(self, page: Reader, link: str) -> str:
        """What is wrong with a link. It is empty if the link leads to another site, or to a file and a place that exist."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return ""
        target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            return "no such file"
        if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in self.pages[target].places:
            return "no such place"
        return ""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site, built as by `make docs`: a broken link in a page, or a name in the reference that does not exist, is an error."""
    folder = tmp_path_factory.mktemp("site").resolve()
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS_MAX,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return Site(folder)


def test_every_page_of_the_docs_is_in_the_site(site: Site) -> None:
    for path in (ROOT / "docs").rglob("*.md"):
        assert (site.folder / path.relative_to(ROOT / "docs").with_suffix(".html")).is_file(), path
    for name in ("architecture", "contributing", "changelog", "spec", "agent-example"):
        assert (site.folder / f"{name}.html").is_file(), name


def test_every_link_leads_to_a_page_and_a_place(site: Site) -> None:
    wrong = [
        f"{page.path.name}: {link}: {problem}"
        for page in site.pages.values()
        if page.path.name != "404.html"  # Its links start at the root of a server, because it is shown for any address.
        for link in page.links
        if (problem := site.wrong_link(page, link))
    ]
    assert len(site.pages) >= 10
    assert not wrong, "\n".join(wrong)


def test_nothing_is_loaded_from_elsewhere(site: Site) -> None:
    remote = [f"{page.path.name}: {address}" for page in site.pages.values() for address in page.loaded if REMOTE.match(address)]
    for path in site.folder.rglob("*.css"):
        remote += [f"{path.name}: {address}" for address in REMOTE_IN_STYLE.findall(path.read_text(encoding="utf-8"))]
    assert not remote, "\n".join(remote)


def test_everything_that_is_loaded_is_there(site: Site) -> None:
    for page in site.pages.values():
        if page.path.name == "404.html":
            continue
        for address in page.loaded:
            assert not site.wrong_link(page, address), f"{page.path.name}: {address}"
