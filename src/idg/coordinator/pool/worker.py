"""An engine worker: a child process that reads one JSON line a request and writes one JSON line an answer, until its input ends.

The pool starts it with `python -m idg.coordinator.pool.worker --calls MODULE --memory-mb N`. MODULE has `CALLS` (name → function
of JSON arguments to a JSON answer) and may have `warm()`, which imports what calls need. It holds nothing that an answer depends
on.

    {"id": 7, "call": "propose", "arguments": {…}}   →   {"id": 7, "answer": {…}}
                                                         {"id": 7, "error": {"type": …, "message": …, "traceback": …}}
                                                         {"id": 7, "memory": true}, after which it exits

Before an answer comes a byte, TAKEN, as soon as the request is read: a job whose worker died without it was never begun.
An answer has "retire": true where the worker has grown so much that the next call should be given to another.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib
import json
import os
import re
import select
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

if sys.platform != "win32":
    import resource

Json = dict[str, Any]
Calls = dict[str, Callable[[Json], Json]]

TAKEN = b"+"
MESSAGE_CHARACTERS_MAX = 2_000
TRACEBACK_CHARACTERS_MAX = 4_000
_NO_MEMORY = re.compile(r"(b')?(out of memory|std::bad_alloc)'?")
"""The whole message of solvers' exceptions when they get no more memory. Part of one will not do: messages quote players."""
_PR_SET_PDEATHSIG = 1
_MEGABYTE = 2**20


class Memory:
    """A limit on what calls may take beyond what the warm worker has: a solver's libraries alone map more than some limits."""

    def __init__(self, megabytes: int) -> None:
        self._room = megabytes * _MEGABYTE
        try:
            self._statm = os.open("/proc/self/statm", os.O_RDONLY)
        except OSError:
            self._room = 0  # Without knowing what is mapped already, no limit on addresses makes sense: the pool watches alone.
        self._baseline = self._mapped()
        if self._room:
            self._limit(self._baseline + self._room)

    def swollen(self) -> bool:
        """Whether half of the room is gone between calls: caches and fragments must not become another call's failure."""
        return self._room > 0 and self._mapped() - self._baseline > self._room // 2

    def lift(self) -> None:
        """Take the limit away, so that there is room to say that it was reached."""
        if self._room:
            self._limit(None)

    def _mapped(self) -> int:
        return int(os.pread(self._statm, 64, 0).split()[0]) * os.sysconf("SC_PAGESIZE") if self._room else 0

    @staticmethod
    def _limit(limit_bytes: int | None) -> None:
        if sys.platform != "win32":
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            if limit_bytes is None:
                limit_bytes = hard
            elif hard != resource.RLIM_INFINITY:
                limit_bytes = min(limit_bytes, hard)
            resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, hard))


def take_stdio() -> tuple[BinaryIO, int]:
    """The protocol's two ends, on descriptors of their own: nothing that a call or native code prints can get between."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return open(requests, "rb"), answers


def die_with_parent(requests: int, parent: int) -> None:
    """End this process when the pool's is gone, also during a call; on Linux also during one that lets no thread run."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if parent and os.getppid() != parent:
            os._exit(0)
    if hasattr(select, "poll"):
        threading.Thread(target=_watch, args=(requests,), daemon=True).start()


def _watch(requests: int) -> None:
    poll = select.poll()
    poll.register(requests, 0)  # No events asked for: it returns when the other end is closed, and only then.
    poll.poll()
    os._exit(0)


def answer(calls: Calls, line: bytes, memory: Memory) -> tuple[bytes, bool]:
    """The answer to a request, and whether the worker can go on."""
    request = json.loads(line)
    number = request["id"]
    try:
        call = calls.get(request["call"])
        if call is None:
            raise LookupError(f"no call {request['call']!r}; there are {', '.join(sorted(calls))}")
        found = call(request["arguments"])
        if not isinstance(found, dict):
            raise TypeError(f"the call {request['call']!r} answered with {type(found).__name__}, not with a dict")
        said: Json = {"id": number, "answer": found}
        if memory.swollen():
            said["retire"] = True
        return _encode(said), True
    except BaseException as error:
        message = _text(error)
        if isinstance(error, MemoryError) or isinstance(error.__context__, MemoryError) or _NO_MEMORY.fullmatch(message):
            memory.lift()
            return _encode({"id": number, "memory": True}), False
        trace = traceback.format_exc(limit=-12)[-TRACEBACK_CHARACTERS_MAX:]
        return _encode({"id": number, "error": {"type": type(error).__name__, "message": message, "traceback": trace}}), True


def _text(error: BaseException) -> str:
    try:
        return str(error)[:MESSAGE_CHARACTERS_MAX]
    except BaseException:
        return ""


def _encode(said: Json) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def _write(answers: int, line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[os.write(answers, rest) :]


def main() -> None:
    parser = argparse.ArgumentParser(prog="idg.coordinator.pool.worker", description="An engine worker; the pool starts it.")
    parser.add_argument("--calls", required=True, help="the module with CALLS")
    parser.add_argument("--memory-mb", type=int, default=0, help="what calls may take beyond the warm worker; 0: no limit")
    parser.add_argument("--parent", type=int, default=0, help="the process without which this one must not live")
    arguments = parser.parse_args()
    requests, answers = take_stdio()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(requests.fileno(), arguments.parent)
    module = importlib.import_module(arguments.calls)
    calls: Calls = module.CALLS
    getattr(module, "warm", lambda: None)()
    gc.freeze()  # What is imported stays: collections need not walk it again and again.
    memory = Memory(arguments.memory_mb)
    _write(answers, _encode({"ready": True}))
    going_on = True
    while going_on and (line := requests.readline()):
        _write(answers, TAKEN)
        said, going_on = answer(calls, line, memory)
        _write(answers, said)
    os._exit(0)  # Not by way of native destructors, which may hang.


if __name__ == "__main__":
    main()
