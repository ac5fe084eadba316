"""Calls for the test of the sandbox: those of the engine, and `attempt`, which tries what a confined worker must not do."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import threading
from collections.abc import Callable
from typing import Any

from idg.coordinator.pool.computing import analyses

Json = dict[str, Any]
_libc = ctypes.CDLL(None, use_errno=True)
_CLONE3, _IO_URING_SETUP, _OPENAT2 = 435, 425, 437
"""System calls whose numbers are the same on all architectures."""
_CLONE_NEWUSER = 0x1000_0000
_PTRACE_ATTACH = 16
_IPC_PRIVATE, _IPC_CREATE = 0, 0o1000


def _checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _open(path: str, flags: int) -> None:
    os.close(os.open(path, flags, 0o600))


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _spawn() -> None:
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)


def _socket_pair() -> None:
    for end in socket.socketpair():
        end.close()


def _connect(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)):
        pass


def _look_into(victim: int) -> None:
    """Reads memory of another process; an empty piece is enough to be allowed or refused."""
    _checked(_libc.process_vm_readv(victim, None, 0, None, 0, 0))


def _in_a_thread(attempt: Callable[[], None]) -> None:
    errors: list[OSError] = []

    def run() -> None:
        try:
            attempt()
        except OSError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]


def _attempts(given: Json) -> dict[str, Callable[[], object]]:
    """Name → an attempt, which raises OSError where it is refused. `given` has: a file and its folder, a port, a process."""
    file, folder, port, victim = given["file"], given["folder"], given["port"], given["victim"]
    return {
        "a TCP socket": lambda: socket.socket().close(),
        "a UDP socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "a Unix socket": lambda: socket.socket(socket.AF_UNIX).close(),
        "a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
        "a pair of sockets": _socket_pair,
        "a connection": lambda: _connect(port),
        "read /etc/passwd": lambda: _open("/etc/passwd", os.O_RDONLY),
        "read the file": lambda: _open(file, os.O_RDONLY),
        "read the file in a thread": lambda: _in_a_thread(lambda: _open(file, os.O_RDONLY)),
        "read the file by way of /proc": lambda: _open(f"/proc/self/root{file}", os.O_RDONLY),
        "list the folder": lambda: os.listdir(folder),
        "read the environment": lambda: _open("/proc/self/environ", os.O_RDONLY),
        "read another's environment": lambda: _open(f"/proc/{victim}/environ", os.O_RDONLY),
        "write the file": lambda: _open(file, os.O_WRONLY),
        "empty the file": lambda: os.truncate(file, 1),
        "change its mode": lambda: os.chmod(file, 0o600),
        "change its time": lambda: os.utime(file),
        "link it": lambda: os.link(file, f"{folder}/link"),
        "make a file": lambda: _open(f"{folder}/made", os.O_WRONLY | os.O_CREAT),
        "make a folder": lambda: os.mkdir(f"{folder}/subfolder"),
        "rename a folder": lambda: os.rename(f"{folder}/subfolder", f"{folder}/renamed"),
        "remove a folder": lambda: os.rmdir(f"{folder}/renamed"),
        "make a pipe with a name": lambda: os.mkfifo(f"{folder}/pipe"),
        "go to the folder": lambda: os.chdir(folder),
        "a file in memory": lambda: os.close(os.memfd_create("memory")),
        "fork": _fork,
        "fork in a thread": lambda: _in_a_thread(_fork),
        "start a program": _spawn,
        "signal a process": lambda: os.kill(victim, 0),
        "signal all processes of the group": lambda: os.killpg(os.getpid(), 0),
        "get hold of a process": lambda: os.close(os.pidfd_open(victim)),
        "limit a process": lambda: resource.prlimit(victim, resource.RLIMIT_NOFILE),
        "bind a process to processors": lambda: os.sched_setaffinity(victim, os.sched_getaffinity(0)),
        "slow a process down": lambda: os.setpriority(os.PRIO_PROCESS, victim, 1),
        "look into a process": lambda: _look_into(victim),
        "have another signalled": lambda: fcntl.fcntl(2, fcntl.F_SETOWN, victim),
    }


def _hopeless(given: Json) -> dict[str, Callable[[], object]]:
    """The same for attempts that would do harm where they succeed, or that some systems refuse to everybody."""
    victim = given["victim"]
    return {
        "become another program": lambda: os.execv("/bin/true", ["true"]),
        "debug a process": lambda: _checked(_libc.ptrace(_PTRACE_ATTACH, victim, None, None)),
        "end a process": lambda: os.kill(victim, signal.SIGKILL),
        "a namespace": lambda: _checked(_libc.unshare(_CLONE_NEWUSER)),
        "a ring of calls": lambda: _checked(_libc.syscall(_IO_URING_SETUP, 1, None)),
        "clone3": lambda: _checked(_libc.syscall(_CLONE3, None, 0)),
        "openat2": lambda: _checked(_libc.syscall(_OPENAT2, -1, None, None, 0)),
        "shared memory": lambda: _checked(_libc.shmget(_IPC_PRIVATE, 4096, _IPC_CREATE | 0o600)),
        "chroot": lambda: os.chroot("/"),
    }


def attempt(arguments: Json) -> Json:
    """Tries everything, in order; the answer has for each attempt the name of the error, or an empty text where it succeeded."""
    given = arguments["given"]
    attempts = _attempts(given) | (_hopeless(given) if arguments["hopeless"] else {})
    outcome = {}
    for name, action in attempts.items():
        try:
            action()
            outcome[name] = ""
        except OSError as error:
            outcome[name] = errno.errorcode.get(error.errno or 0, str(error))
    return {"outcome": outcome}


def surroundings(arguments: Json) -> Json:
    """What the worker has: its environment, and what its descriptors lead to."""
    targets = [os.readlink(f"/proc/self/fd/{number}") for number in range(64) if os.path.lexists(f"/proc/self/fd/{number}")]
    return {"environment": dict(os.environ), "descriptors": targets}


CALLS: dict[str, Callable[[Json], Json]] = {"attempt": attempt, "surroundings": surroundings, **analyses.CALLS}
prepare, warm = analyses.prepare, analyses.warm
