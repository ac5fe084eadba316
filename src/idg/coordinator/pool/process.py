"""One engine worker seen from the pool: its process, its lines, its death. It decides nothing; its owner does."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from enum import Enum
from pathlib import Path
from typing import Protocol, cast

from idg.coordinator.pool import worker as worker_module
from idg.coordinator.pool.jobs import PoolSettings

STDERR_BYTES_MAX = 4096
LAST_WORDS_SECONDS = 1.0
"""How long a dead worker's output may stay open (a child of its own can hold it) before what it said counts as all."""
MEMORY_WORDS = re.compile(rb"bad_alloc|out of memory|allocate memory|MemoryError", re.IGNORECASE)
"""What processes say before they abort for want of memory: C++, z3, GMP, cvc5's allocator, Python."""
_Z3_OUT_OF_MEMORY = 101


class Phase(Enum):
    STARTING = "starting"
    IDLE = "idle"
    BUSY = "busy"
    DOOMED = "doomed"
    """Ended by the pool, or gone: nothing it says counts any more."""


class Owner(Protocol):
    def appeared(self, worker: WorkerProcess) -> None: ...
    def heard(self, worker: WorkerProcess, line: bytes) -> None: ...
    def overlong(self, worker: WorkerProcess) -> None: ...
    def gone(self, worker: WorkerProcess) -> None: ...
    def released(self, worker: WorkerProcess) -> None: ...


class WorkerProcess(asyncio.SubprocessProtocol):
    def __init__(self, owner: Owner, answer_bytes_max: int) -> None:
        self.phase = Phase.STARTING
        self.pid = 0
        self.served = 0
        self.begun = False
        """Whether it has read the request that was sent last."""
        self.stderr = b""
        self.start_timer: asyncio.TimerHandle | None = None
        self.resident_at_start_bytes = 0
        self._owner = owner
        self._answer_bytes_max = answer_bytes_max
        self._parts: list[bytes] = []
        self._parts_bytes = 0
        self._exited = self._silent = self._over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._stdin = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        self.pid = self._transport.get_pid()
        self._owner.appeared(self)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.stderr = (self.stderr + data)[-STDERR_BYTES_MAX:]
            return
        if self.phase is Phase.DOOMED:
            return
        if self.phase is Phase.BUSY and not self.begun and data.startswith(worker_module.TAKEN):
            self.begun = True
            data = data[len(worker_module.TAKEN) :]
        self._parts.append(data)
        self._parts_bytes += len(data)
        if self._parts_bytes > self._answer_bytes_max:
            self._owner.overlong(self)
        elif data.endswith(b"\n"):
            line = b"".join(self._parts) if len(self._parts) > 1 else data
            self._parts = []
            self._parts_bytes = 0
            self._owner.heard(self, line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._silent = True
            if self._exited:
                self._finish()
            else:
                self.kill()  # It is ending already, or it can never answer again.

    def process_exited(self) -> None:
        self._exited = True
        if self._silent:
            self._finish()
        else:
            asyncio.get_running_loop().call_later(LAST_WORDS_SECONDS, self._finish)

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish()
        self._owner.released(self)

    def _finish(self) -> None:
        if not self._over:
            self._over = True
            self._owner.gone(self)
            self.phase = Phase.DOOMED
            self._parts = []
            self._transport.close()

    def send(self, line: bytes) -> None:
        self.begun = False
        self._stdin.write(line)

    def kill(self) -> None:
        if self._exited:
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._transport.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)

    def alive(self) -> bool:
        """Asked of the system, because news of a death arrives a little later."""
        if self._exited or self._silent:
            return False
        if not hasattr(os, "waitid"):
            return True
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def resident_bytes(self) -> int | None:
        """Memory in use; None where the system does not say, or the process is gone."""
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGESIZE")
        except (OSError, IndexError):
            return None

    def died_of_memory(self) -> bool:
        return self._transport.get_returncode() == _Z3_OUT_OF_MEMORY or MEMORY_WORDS.search(self.stderr) is not None

    def obituary(self) -> str:
        """How the process ended, for logs."""
        code = self._transport.get_returncode()
        how = "is ending" if code is None else f"ended by signal {-code}" if code < 0 else f"exited with {code}"
        said = self.stderr.decode(errors="replace").strip()
        return f"worker {self.pid} {how} after {self.served} requests" + (f"; it said: {said}" if said else "")


async def spawn(owner: Owner, settings: PoolSettings) -> None:
    """Start a worker; it `appeared` to its owner before this returns. OSError where the system refuses."""
    command = [
        # -P: what lies in the working directory is not to be imported.
        sys.executable,
        "-P",
        "-m",
        worker_module.__name__,
        "--calls",
        settings.calls_module,
        "--parent",
        str(os.getpid()),
        "--memory-mb",
        str(settings.memory_mb if settings.limit_addresses else 0),
    ]
    # A session of its own: Ctrl-C in the terminal is the pool's business, and the whole group can be killed.
    await asyncio.get_running_loop().subprocess_exec(
        lambda: WorkerProcess(owner, settings.answer_bytes_max),
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
