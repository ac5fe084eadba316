"""Hooks of MkDocs for the documentation site (mkdocs.yml names this file).

The site has pages that do not live in docs/: ARCHITECTURE.md, CONTRIBUTING.md, CHANGELOG.md, spec/README.md and the example of
an agent. Their links, and links to them, are written for the repository, where `../spec/README.md` is right. The site has one flat
folder of pages, so each link is rewritten here. A link to a file of the repository that is not a page becomes the plain name of the
file.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
ADDED = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "spec/README.md": "spec.md",
    "examples/agent.py": "agent-example.md",
}
"""Path in the repository → page of the site."""
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path, page in ADDED.items():
        files.append(File.generated(config, page, content=_text(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    place = _place(page.file.src_uri)
    return LINK.sub(lambda link: _rewritten(link[1], link[2], place, files), markdown)


def _text(path: str) -> str:
    """A file of the repository as Markdown; code is shown in a block."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return text if path.endswith(".md") else f"# {path}\n\n```python\n{text}```\n"


def _place(page: str) -> str:
    """Where the text of a page lives in the repository."""
    return next((path for path, added in ADDED.items() if added == page), f"docs/{page}")


def _rewritten(words: str, target: str, place: str, files: Files) -> str:
    address, _, anchor = target.partition("#")
    if not address or "://" in address or address.startswith("mailto:"):
        return f"[{words}]({target})"
    path = posixpath.normpath(posixpath.join(posixpath.dirname(place), address))
    page = ADDED.get(path, path.removeprefix("docs/"))
    if files.get_file_from_path(page) is not None:
        return f"[{words}]({page}{'#' * bool(anchor)}{anchor})"
    if (ROOT / path).exists():
        return f"`{path}`"
    return f"[{words}]({target})"  # MkDocs then says that it leads nowhere.
