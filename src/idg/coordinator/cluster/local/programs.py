"""Programs that a local cluster consists of: where they are, and how they are started and ended."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import randbelow

END_SECONDS_MAX = 15.0
"""How long a program may take to end when it is asked to; then it is killed."""
LOG_CHARS_SHOWN = 2000
"""How many of the last characters of a program's log are shown where it could not be started."""
FIRST_PORT, LAST_PORT = 10_000, 65_535
"""The first port that we take for a server, and the last that there is."""
FIRST_GIVEN_AWAY = 32_768
"""The first port that the system gives away by itself, assumed where the system does not tell."""
PORTS_MIN = 1_000
"""Among how many ports we choose at least."""
PORT_TRIES_MAX = 1_000
"""How many ports are tried until enough free ones are found."""


class ProgramFailed(Exception):
    """A program is missing, or did not start. The message says what it said last."""


def find_program(name: str) -> Path | None:
    """A program of this Python's environment, or one that the PATH leads to."""
    beside = Path(sys.executable).parent / name
    if beside.exists():
        return beside
    path = shutil.which(name)
    return Path(path) if path else None


def dying_with_us(name: str = "KILL") -> list[str]:
    """Words before a command by which it gets a signal when the thread that started it ends; none where the system has no such
    thing."""
    setpriv = shutil.which("setpriv")
    return [setpriv, f"--pdeathsig={name}"] if setpriv else []


def free_ports(count: int) -> list[int]:
    """Ports of this machine that nobody uses at the moment, and that the system gives nobody who does not ask for them by number.

    So no connection that somebody makes can take one before a server listens there, or while the server is started again.
    """
    first, last = _own_ports()
    ports: list[int] = []
    with contextlib.ExitStack() as sockets:
        for _ in range(PORT_TRIES_MAX):
            if len(ports) == count:
                return ports
            listener = sockets.enter_context(socket.socket())
            port = first + randbelow(last - first + 1)
            with contextlib.suppress(OSError):
                listener.bind(("127.0.0.1", port))
                ports.append(port)
    raise ProgramFailed(f"this machine has no {count} free ports between {first} and {last}")


def _own_ports() -> tuple[int, int]:
    """The first and the last of the ports that the system does not give away by itself."""
    try:
        given_away = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        given_away = FIRST_GIVEN_AWAY
    if given_away - FIRST_PORT < PORTS_MIN:
        return FIRST_PORT, LAST_PORT  # Nothing better can be had.
    return FIRST_PORT, given_away - 1


class LocalProgram:
    """A process that can be started, ended, killed and frozen. What it says goes to a file."""

    def __init__(
        self, command: Sequence[str | Path], folder: Path, log: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self.command = command
        self.folder = folder
        self.log = log
        self.environment = dict(environment or {})
        """Variables that it gets besides ours."""
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            # In a session of its own, so that Ctrl-C in a terminal reaches only us: we end the programs in their order.
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | self.environment,
                start_new_session=True,
            )

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, number: int) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def ask_to_end(self) -> None:
        """Ask it to end, and do not wait for that."""
        self.send(signal.SIGTERM)

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Ask it to end, and kill it where it does not."""
        self.send(number)
        if self.process is None:
            return
        try:
            self.process.wait(END_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once, without a word to anybody."""
        self.send(signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def freeze(self) -> None:
        self.send(signal.SIGSTOP)

    def thaw(self) -> None:
        self.send(signal.SIGCONT)

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-LOG_CHARS_SHOWN:] if self.log.exists() else ""
