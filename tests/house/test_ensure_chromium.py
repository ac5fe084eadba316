"""Chromium is found, or installed once, or an error says plainly that it is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def start(folder: Path) -> subprocess.Popen[str]:
    """Starts the command on a machine that has only the programs of this folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "tools.ensure_chromium"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PATH": str(folder), "TMPDIR": str(folder)},
    )


def apt(folder: Path, on_install: str) -> None:
    """Makes an apt-get that counts its calls, and a sudo that asks for no password."""
    script(folder / "apt-get", f'echo "$1" >> "{folder}/calls"\nif [ "$1" = install ]; then {on_install}; fi')
    script(folder / "sudo", 'shift\n[ "$1" = true ] && exit 0\nexec "$@"')


def test_what_is_there_is_taken(tmp_path: Path) -> None:
    apt(tmp_path, "exit 1")
    script(tmp_path / "chromium", "")
    started = start(tmp_path)
    assert started.communicate() == (f"{tmp_path / 'chromium'}\n", "")
    assert started.returncode == 0
    assert not (tmp_path / "calls").exists()


def test_it_is_installed_once_for_all_who_wait(tmp_path: Path) -> None:
    apt(tmp_path, f'/bin/sleep 0.3; echo > "{tmp_path}/chromium"; /bin/chmod 755 "{tmp_path}/chromium"')
    started = [start(tmp_path) for _ in range(3)]
    for process in started:
        output, complained = process.communicate()
        assert (process.returncode, output) == (0, f"{tmp_path / 'chromium'}\n"), complained
    assert (tmp_path / "calls").read_text().split() == ["update", "install"]


def test_where_it_cannot_be_installed_that_is_said(tmp_path: Path) -> None:
    started = start(tmp_path)
    output, complained = started.communicate()
    assert (started.returncode, output) == (1, "")
    assert "Chromium is missing and could not be installed (apt-get" in complained
    assert "Install the package `chromium`" in complained


def test_where_the_install_fails_that_is_said(tmp_path: Path) -> None:
    apt(tmp_path, "exit 100")
    started = start(tmp_path)
    _, complained = started.communicate()
    assert started.returncode == 1
    assert "apt-get install ended with 100" in complained
