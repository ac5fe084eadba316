"""Starts the load generator (`bench.servers.load`), and reads what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from bench.servers.load import PLAYERS


def generate(url: str, part: str) -> dict[str, Any]:
    """What the generator says at the end of `warm`, `alone` or `paced`."""
    process = _start(url, part)
    report = _line(process)
    process.wait()
    return report


class Crowd:
    """Players who are connected when this is made, and play when they are told to."""

    def __init__(self, urls: str, players: int = PLAYERS) -> None:
        self._process = _start(urls, "crowd", str(players))
        self.connected = _line(self._process)

    def play(self) -> dict[str, Any]:
        """Returns when they have played, with what the generator says of it."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        report = _line(self._process)
        self._process.wait()
        return report


def _start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.servers.load", *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _line(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    report: dict[str, Any] = json.loads(process.stdout.readline())
    return report
