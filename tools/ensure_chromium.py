"""Finds Chromium, and installs Debian's package where it is missing: `python -m tools.ensure_chromium` prints where it is."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs that will do. The first is Chromium without windows: each visit of a test takes it a third less processor time."""
PACKAGES = ("chromium-headless-shell", "chromium")
"""The packages with such a program, the best first. Not every system has the first one."""
FONTS = "fonts-dejavu-core"
"""The package with the fonts that pages are shown in."""
FEATURES_OFF = (
    # Two pages of the browser's own in each window, for the list below its address bar. They took half of the processor time of a
    # test's visit.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    # What Playwright switches off by itself, by the same flag, of which the last one counts.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""Features of Chromium that nobody who looks at our pages needs."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES_OFF)}",
)
"""Flags of every start. They let Chromium run as root and without a graphics card, and keep it from making requests of its own."""
INSTALL_SECONDS_MAX = 900
"""Wall-clock seconds for one command of the installation; only guards against hanging."""


class ChromiumMissing(Exception):
    """Chromium is missing and cannot be installed here."""


def find() -> Path | None:
    program = next(filter(None, map(shutil.which, NAMES)), None)
    return Path(program) if program else None


def ensure() -> Path:
    """Safe when several processes ask at once: one installs, the others wait."""
    installed = find()
    if installed is not None:
        return installed
    with Path(tempfile.gettempdir(), f"idg-chromium-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return find() or install()


def install() -> Path:
    as_root = root_prefix()
    if as_root is None:
        raise ChromiumMissing(_advice("apt-get, or the right to use it, is missing here"))
    installs = (["install", "-y", "--no-install-recommends", package, FONTS] for package in PACKAGES)
    for arguments in (["update"], *installs):
        if find() is not None:
            break
        command = [*as_root, "apt-get", *arguments]
        print(" ".join(command), file=sys.stderr, flush=True)
        # An update fails if one of several sources fails. Only the install shows whether the package can be had.
        process = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            timeout=INSTALL_SECONDS_MAX,
            check=False,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        )
    installed = find()
    if installed is None:
        raise ChromiumMissing(_advice(f"apt-get install ended with {process.returncode}"))
    return installed


def root_prefix() -> list[str] | None:
    """The words to put before apt-get; None if it cannot be used without a password."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    allowed = subprocess.run(["sudo", "-n", "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return ["sudo", "-n"] if allowed.returncode == 0 else None


def _advice(why: str) -> str:
    return (
        f"Chromium is missing and could not be installed ({why}). The browser client is tested in it. "
        f"Install the package `chromium` of your system so that one of {', '.join(NAMES)} is on the PATH, and start again."
    )


def main() -> int:
    try:
        print(ensure())
    except ChromiumMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
