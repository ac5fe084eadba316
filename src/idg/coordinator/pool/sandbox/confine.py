"""Confines this process, an engine worker, and finds out by trying what is held.

A solver is a large program in C++ that reads what strangers write. If one can be made to run code of a player's, that code is in a
process that has a pipe to the coordinator and nothing else. Landlock takes the files away and seccomp the system calls. Both work
without any rights, also in containers, where user namespaces are often forbidden.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterable
from typing import Literal

from idg.sip.record import Record

SandboxSetting = Literal["auto", "required", "off"]
"""auto: take away what the system can; required: a worker from which not everything is taken does not start; off: take nothing."""
HELD = "held"
"""The word for something that a worker cannot do."""
OFF = "off"
"""The word for everything where the sandbox is switched off."""


class Sandbox(Record):
    """What engine workers cannot do: each part is `held`, `off`, or says why it is not held."""

    network: str
    """No sockets of any kind."""
    files: str
    """No file can be read, except those of Python and its modules; none can be changed or made."""
    processes: str
    """No process can be started, and none can be signalled or looked into, except the worker itself."""

    @property
    def parts(self) -> dict[str, str]:
        return {"network": self.network, "files": self.files, "processes": self.processes}

    @property
    def all_held(self) -> bool:
        return all(part == HELD for part in self.parts.values())


NOT_KNOWN = Sandbox(*["not known: no engine worker is ready"] * 3)
"""What is said before the first worker is ready."""


def weakest(sandboxes: Iterable[Sandbox]) -> Sandbox:
    """What holds for all of several workers: where one is not confined as it should be, what it says."""
    told = list(sandboxes)
    return next((sandbox for sandbox in told if not sandbox.all_held), told[0] if told else NOT_KNOWN)


def confine(setting: SandboxSetting) -> Sandbox:
    """Confine this process for good, as far as the system can. It must have no second thread yet, because threads are confined one
    by one; those that are started later are confined like the one that starts them."""
    if setting == "off":
        return Sandbox(OFF, OFF, OFF)
    if sys.platform != "linux":
        reason = f"not held: IDG knows no sandbox on {sys.platform}"
        return Sandbox(reason, reason, reason)
    # Imported here, because these modules need Linux.
    from idg.coordinator.pool.sandbox import landlock, seccomp

    if len(os.listdir("/proc/self/task")) > 1:
        reason = "not held: the worker had a second thread before it was confined"
        return Sandbox(reason, reason, reason)
    libc = ctypes.CDLL(None, use_errno=True)
    without_files = landlock.restrict(libc)
    without_calls = seccomp.restrict(libc)
    return Sandbox(
        network=_told(_opens_a_socket(), without_calls),
        files=_told(_reads_or_writes_a_file(), without_files or without_calls),
        processes=_told(_reaches_a_process(), without_calls),
    )


def _told(possible: bool, why: str) -> str:
    return HELD if not possible and not why else f"not held: {why or 'it was still possible when it was tried'}"


def _opens_a_socket() -> bool:
    import socket

    return any(
        _succeeds(lambda family=family: socket.socket(family, socket.SOCK_DGRAM).close())  # type: ignore[misc]
        for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX)
    )


def _reads_or_writes_a_file() -> bool:
    readings = (lambda path=path: os.close(os.open(path, os.O_RDONLY)) for path in ("/", "/etc/passwd", "/proc/self/environ"))
    return any(map(_succeeds, readings)) or _succeeds(lambda: os.close(os.open(os.devnull, os.O_WRONLY)))


def _reaches_a_process() -> bool:
    return _succeeds(_fork) or _succeeds(lambda: os.kill(os.getppid(), 0))


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _succeeds(attempt: Callable[[], object]) -> bool:
    with contextlib.suppress(OSError):
        attempt()
        return True
    return False
