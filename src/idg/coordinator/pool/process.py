"""One engine worker as the pool sees it: its process, what it says, and its end.

A worker answers one request at a time. Whoever sends a request gives the function that is called with the reply, so the answer goes
straight to the one who asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import cast

from idg.coordinator.pool import worker as worker_module
from idg.coordinator.pool.jobs import PoolSettings
from idg.coordinator.pool.sandbox.confine import Sandbox

STDERR_BYTES_MAX = 4096
"""How many of the last bytes of a worker's standard error are kept, for the log."""
LAST_WORDS_SECONDS = 1.0
"""How long we wait after a process has exited until its output is closed, too. A child of the worker may hold it open for longer;
then what was read so far counts as everything."""
MEMORY_WORDS = re.compile(rb"bad_alloc|out of memory|allocate memory|MemoryError", re.IGNORECASE)
"""What processes write before they abort for want of memory: C++, z3, GMP, cvc5's allocator and Python."""
_Z3_OUT_OF_MEMORY = 101
"""The exit code of z3 when it gets no more memory."""


class Phase(Enum):
    STARTING = "starting"
    IDLE = "idle"
    BUSY = "busy"
    DOOMED = "doomed"
    """The pool has ended it, or it is gone. Whatever it still says is ignored."""


class NoReply(Enum):
    """Why a request gets no reply."""

    TOO_LONG = "too long"
    """The worker has said more than `answer_bytes_max`."""
    ENDED = "ended"
    """The process is gone."""


_PASSED_ON = ("PYTHON", "LC_", "LANG", "LD_", "DYLD_", "PATH", "SYSTEMROOT", "MALLOC_", "GLIBC_TUNABLES")
"""How the names of environment variables begin that workers get. Others may hold secrets, such as the admin token."""


def worker_environment(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(_PASSED_ON)}


Reply = bytes | NoReply
"""A line of JSON, or the reason why there is none."""
OnReply = Callable[["WorkerProcess", Reply], None]


class WorkerProcess(asyncio.SubprocessProtocol):
    """A child process. It makes no decisions: the functions given to it do.

    `on_unasked` is called when the process says something although nothing was asked, and `on_exit` when it is gone unless it was
    doomed before. A request that is under way then gets its reply, `NoReply.ENDED`, before `on_exit` is called.
    """

    def __init__(
        self, answer_bytes_max: int, on_unasked: Callable[[WorkerProcess], None], on_exit: Callable[[WorkerProcess], None]
    ) -> None:
        self.phase = Phase.STARTING
        self.pid = 0
        self.served = 0
        """How many requests it got."""
        self.begun = False
        """Whether it has read the latest request."""
        self.stderr = b""
        self.start_timer: asyncio.TimerHandle | None = None
        """Ends a process that does not become ready."""
        self.resident_at_start_bytes = 0
        self.sandbox: Sandbox | None = None
        """What it said when it was ready about what it cannot do."""
        self.released: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the process is gone and its pipes are closed, or when it could not be started."""
        self._answer_bytes_max = answer_bytes_max
        self._on_unasked = on_unasked
        self._on_exit = on_exit
        self._on_reply: OnReply | None = None
        self._parts: list[bytes] = []
        self._parts_bytes = 0
        self._transport: asyncio.SubprocessTransport | None = None
        self._exited = self._silent = self._over = False

    async def start(self, settings: PoolSettings, on_reply: OnReply) -> None:
        """Start the process. The reply is what it says when it is ready. OSError where the system refuses."""
        self._on_reply = on_reply
        command = [
            # -P: nothing that lies in the working directory is imported.
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
            "--sandbox",
            settings.sandbox,
            "--prover",
            settings.provers.prover,
            "--second-opinion",
            settings.provers.second_opinion,
        ]
        try:
            # In a session of its own, Ctrl-C in the terminal reaches only the pool, and the whole group can be killed.
            await asyncio.get_running_loop().subprocess_exec(
                lambda: self,
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
                env=worker_environment(os.environ),
            )
        except OSError:
            self.phase = Phase.DOOMED
            self.released.set_result(None)
            raise

    def send(self, line: bytes, on_reply: OnReply) -> None:
        """Send a request to a ready worker. `on_reply` is called once, unless the worker is doomed before."""
        self.phase = Phase.BUSY
        self.served += 1
        self.begun = False
        self._on_reply = on_reply
        self._stdin.write(line)

    def doom(self) -> None:
        """End the process, and ignore whatever it still says."""
        self.phase = Phase.DOOMED
        self._on_reply = None
        if self.start_timer is not None:
            self.start_timer.cancel()
        self.kill()

    def kill(self) -> None:
        if self._exited or self._transport is None:
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._transport.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)

    def alive(self) -> bool:
        """Whether the process runs. The system is asked, because the loop hears of an exit a little later."""
        if self._exited or self._silent:
            return False
        if not hasattr(os, "waitid"):
            return True
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def resident_bytes(self) -> int | None:
        """The memory in use; None where the system does not say, or the process is gone."""
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGESIZE")
        except (OSError, IndexError):
            return None

    def died_of_memory(self) -> bool:
        return self._exit_code() == _Z3_OUT_OF_MEMORY or MEMORY_WORDS.search(self.stderr) is not None

    def obituary(self) -> str:
        """How the process ended, for logs."""
        code = self._exit_code()
        how = "is ending" if code is None else f"ended by signal {-code}" if code < 0 else f"exited with {code}"
        said = self.stderr.decode(errors="replace").strip()
        return f"worker {self.pid} {how} after {self.served} requests" + (f"; it said: {said}" if said else "")

    def _exit_code(self) -> int | None:
        return None if self._transport is None else self._transport.get_returncode()

    def _reply(self, reply: Reply) -> None:
        on_reply, self._on_reply = self._on_reply, None
        if on_reply is not None:
            on_reply(self, reply)
        elif reply is not NoReply.ENDED:
            self._on_unasked(self)

    # The methods that asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._stdin = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        self.pid = self._transport.get_pid()
        if self.phase is Phase.DOOMED:
            self.kill()

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
            self._reply(NoReply.TOO_LONG)
        elif data.endswith(b"\n"):
            line = b"".join(self._parts) if len(self._parts) > 1 else data
            self._parts = []
            self._parts_bytes = 0
            self._reply(line)

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
        if not self.released.done():
            self.released.set_result(None)

    def _finish(self) -> None:
        if self._over:
            return
        self._over = True
        if self.phase is not Phase.DOOMED:
            self._reply(NoReply.ENDED)
            self._on_exit(self)
        self.phase = Phase.DOOMED
        self._parts = []
        if self._transport is not None:
            self._transport.close()
