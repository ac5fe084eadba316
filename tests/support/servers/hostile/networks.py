"""A network of its own for a process, as another computer would have: a network namespace with one cable to this machine.

Where the cable is cut, packets are lost without a word, and no connection is closed. It takes root and the command `ip`. Its
addresses are of the range that is kept for tests of networks (RFC 2544), so no other traffic goes there.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from types import TracebackType


class NoNetworks(Exception):
    """This machine does not let us make networks; the message says why."""


class OwnNetwork:
    """A namespace with the addresses `here`, at our end of its cable, and `there`, at its own end."""

    def __init__(self) -> None:
        number = secrets.randbelow(2**14)
        base = f"198.{18 + number // 2**13}.{number // 32 % 256}"
        first = number % 32 * 4
        self.here, self.there = f"{base}.{first + 1}", f"{base}.{first + 2}"
        self.name = f"idg-{os.getpid()}-{number}"
        token = secrets.token_hex(4)
        self._cable, self._far_end = f"idgh{token}", f"idgt{token}"
        """The names of its two ends; Linux allows 15 characters."""
        if shutil.which("ip") is None:
            raise NoNetworks("there is no command 'ip'")
        try:
            _ip("netns", "add", self.name)
            _ip("link", "add", self._cable, "type", "veth", "peer", "name", self._far_end, "netns", self.name)
            _ip("address", "add", f"{self.here}/30", "dev", self._cable)
            _ip("link", "set", self._cable, "up")
            self._inside("address", "add", f"{self.there}/30", "dev", self._far_end)
            self._inside("link", "set", self._far_end, "up")
            self._inside("link", "set", "lo", "up")
        except NoNetworks:
            self.end()
            raise

    @property
    def prefix(self) -> list[str]:
        """Words before a command by which it runs in this network."""
        return ["ip", "netns", "exec", self.name]

    def cut(self) -> None:
        self._inside("link", "set", self._far_end, "down")

    def heal(self) -> None:
        self._inside("link", "set", self._far_end, "up")

    def end(self) -> None:
        for command in (["link", "delete", self._cable], ["netns", "delete", self.name]):
            subprocess.run(["ip", *command], capture_output=True)

    def __enter__(self) -> OwnNetwork:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def _inside(self, *arguments: str) -> None:
        _ip("-n", self.name, *arguments)


def _ip(*arguments: str) -> None:
    result = subprocess.run(["ip", *arguments], capture_output=True, text=True)
    if result.returncode:
        raise NoNetworks(f"ip {' '.join(arguments)}: {result.stderr.strip()}")
