"""Puts the built browser client into the wheel and the sdist.

The client is not in git. A checkout has its sources, so it is built here, which needs Node; one that is newer than its sources, as
after `make setup`, is taken as it is. An sdist carries the built client, so whoever installs from one needs no Node. An editable
install takes what lies in the tree, because `make setup` makes one before it builds the client.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/idg/coordinator/static/index.html"
SOURCES = (
    "client/*.json", "client/*.ts", "client/*.html", "client/*.js", "client/public/**/*", "client/src/**/*", "spec/**/*",
    "src/idg/__init__.py",
)  # fmt: skip
"""What the client is made from, as in the Makefile; the last one has the version, which the client shows."""
MARK_OF_AN_SDIST = "PKG-INFO"
NEITHER = (
    "the browser client is not built, and Node 20 or newer, which builds it, is not installed; "
    "install Node, or install from a wheel or an sdist, which have the client in them"
)
NO_CLIENT = f"this sdist has no built client ({PAGE}); make it again from a checkout"
FAILED = "the browser client could not be built (see above); 'node client/ensure.mjs' and 'npm --prefix client run build' do it"
OLDER = "the browser client is older than its sources, and Node, which builds it, is not installed: it is taken as it is"


class ClientHook(BuildHookInterface[BuilderConfig]):
    """Called by hatchling before it collects the files of a wheel or an sdist."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        page = root / PAGE
        if version == "editable":
            return
        if (root / MARK_OF_AN_SDIST).is_file():
            if not page.is_file():
                self.app.abort(NO_CLIENT)
        elif is_outdated(root):
            node, npm = shutil.which("node"), shutil.which("npm")
            if node is not None and npm is not None:
                if not build(root, node, npm) or not page.is_file():
                    self.app.abort(FAILED)
            elif page.is_file():
                self.app.display_warning(OLDER)
            else:
                self.app.abort(NEITHER)


def is_outdated(root: Path) -> bool:
    """Whether there is no built client, or one of its sources is newer."""
    page = root / PAGE
    return not page.is_file() or any(path.stat().st_mtime > page.stat().st_mtime for path in _sources(root))


def _sources(root: Path) -> Iterator[Path]:
    return (path for pattern in SOURCES for path in root.glob(pattern) if path.is_file())


def build(root: Path, node: str, npm: str) -> bool:
    """Installs the packages of the client where that is not done, and builds it; whether that worked."""
    commands = ([node, "client/ensure.mjs"], [npm, "--prefix", "client", "run", "--silent", "build"])
    # What they print goes to standard error: installers read standard output.
    return all(subprocess.run(command, cwd=root, stdout=2, check=False).returncode == 0 for command in commands)
