"""An engine worker: a child process that reads requests and writes answers, each as one JSON line, until its input ends.

The pool starts it with `python -m idg.coordinator.pool.worker --calls MODULE --memory-mb N`. MODULE has `CALLS` (name → function
of JSON arguments to a JSON answer). It may have `prepare()`, which imports what is otherwise imported late, and `warm()`, which
does what would make the first call slow. A worker holds nothing that an answer depends on. Between these two, when everything is
imported, the worker confines itself (sandbox/confine.py); its first words say what that holds.

    {"id": 7, "call": "propose", "arguments": {…}}   →   {"id": 7, "answer": {…}}, and long texts after it (`with_texts`)
                                                         {"id": 7, "error": {"type": …, "message": …, "traceback": …}}
                                                         {"id": 7, "memory": true}, after which it exits

As soon as a request is read, the worker writes the byte TAKEN. If a worker dies without having written it, its job was never
begun. An answer has "retire": true where the worker has grown so much that the next call should be given to another one.
"""

from __future__ import annotations

import argparse
import contextlib
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
from typing import Any, BinaryIO, get_args

from idg.coordinator.pool.lines import with_texts
from idg.coordinator.pool.sandbox.confine import Sandbox, SandboxSetting, confine
from idg.engine.version import engine_version
from idg.prover.plugins.chosen import ChosenProvers, choose_provers

if sys.platform != "win32":
    import resource

Json = dict[str, Any]
Calls = dict[str, Callable[[Json], Json]]

TAKEN = b"+"
"""The byte that a worker writes when it has read a request."""
MESSAGE_CHARACTERS_MAX = 2_000
"""Characters of an exception's message that are told to the pool: the first ones."""
TRACEBACK_CHARACTERS_MAX = 4_000
"""Characters of a traceback that are told to the pool: the last ones."""
_NO_MEMORY = re.compile(r"(b')?(out of memory|std::bad_alloc)'?")
"""The whole message of a solver's exception when it gets no more memory. It must be the whole, because messages quote players."""
_PR_SET_PDEATHSIG = 1
"""Linux' number, in <linux/prctl.h>, of the request to get a signal when the parent process dies."""
_MEGABYTE = 2**20
"""How many bytes a megabyte has in the settings."""


class Memory:
    """A limit on the memory that calls may take beyond what the warm worker has.

    It does not count what the warm worker has, because the libraries of the solvers alone map more than some limits allow. It is
    made before the worker is confined, because it opens a file, and `begin` is called when the worker is warm.
    """

    def __init__(self, megabytes: int) -> None:
        self._room = megabytes * _MEGABYTE
        self._baseline = 0
        try:
            self._statm = os.open("/proc/self/statm", os.O_RDONLY)
        except OSError:
            # Where it is not known how much is mapped already, no limit makes sense. Only the pool watches the memory then.
            self._room = 0

    def begin(self) -> None:
        """What is mapped now is not counted; from now on there is a limit."""
        self._baseline = self._mapped()
        if self._room:
            self._limit(self._baseline + self._room)

    def swollen(self) -> bool:
        """Whether half of the room is gone between calls. Caches and fragments must not make the next call fail."""
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
    """Moves the two ends of the protocol to descriptors of their own, so that nothing which a call prints gets in between."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return open(requests, "rb"), answers


def die_with_parent(parent: int) -> None:
    """Ends this process when the pool's is gone, also during a call that lets no thread run. Only Linux can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if parent and os.getppid() != parent:
            os._exit(0)


def end_with_input(requests: int) -> None:
    """Ends this process when nobody can ask it any more, by a thread that waits for that."""
    if hasattr(select, "poll"):
        threading.Thread(target=_watch, args=(requests,), daemon=True).start()


def _watch(requests: int) -> None:
    poll = select.poll()
    poll.register(requests, 0)  # No events are asked for, so the call below returns only when the other end is closed.
    poll.poll()
    os._exit(0)


def no_core_files() -> None:
    """A worker that crashes leaves no image of its memory behind, which would fill the disk."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def let_sender_finish() -> None:
    """Whoever sends a request goes on with its own work first. Otherwise Linux often begins the call at once, on the processor of
    the coordinator, which then stands still for half a millisecond. Our share of the processors stays the same."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def answer(calls: Calls, line: bytes, memory: Memory) -> tuple[bytes, bool]:
    """The answer to a request, and whether the worker can go on."""
    request = json.loads(line)
    number = request["id"]
    try:
        call = calls.get(request["call"])
        if call is None:
            raise LookupError(f"no call {request['call']!r}; there are {', '.join(sorted(calls))}")
        result = call(request["arguments"])
        if not isinstance(result, dict):
            raise TypeError(f"the call {request['call']!r} answered with {type(result).__name__}, not with a dict")
        head: Json = {"id": number, "retire": True} if memory.swollen() else {"id": number}
        return with_texts(head, result).encode() + b"\n", True
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


def _listed(sandbox: Sandbox) -> str:
    return "; ".join(f"{name}: {part}" for name, part in sandbox.parts.items())


def main() -> None:
    parser = argparse.ArgumentParser(prog="idg.coordinator.pool.worker", description="An engine worker; the pool starts it.")
    parser.add_argument("--calls", required=True, help="the module with CALLS")
    parser.add_argument("--memory-mb", type=int, default=0, help="what calls may take beyond the warm worker; 0: no limit")
    parser.add_argument("--parent", type=int, default=0, help="the process without which this one must not live")
    parser.add_argument("--prover", default="", help="the prover that is asked alone; ours where none is named")
    parser.add_argument("--second-opinion", default="", help="a prover that may contradict")
    parser.add_argument("--sandbox", choices=get_args(SandboxSetting), default="auto", help="whether the worker confines itself")
    arguments = parser.parse_args()
    requests, answers = take_stdio()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(arguments.parent)
    no_core_files()
    let_sender_finish()
    module = importlib.import_module(arguments.calls)
    calls: Calls = module.CALLS
    getattr(module, "prepare", lambda: None)()
    choose_provers(ChosenProvers(arguments.prover, arguments.second_opinion))
    engine = engine_version()  # When all is imported: what is replaced from now on does not change what this process computes.
    memory = Memory(arguments.memory_mb)
    sandbox = confine(arguments.sandbox)
    if arguments.sandbox == "required" and not sandbox.all_held:
        sys.exit("the sandbox is required, and this system does not hold it: " + _listed(sandbox))
    end_with_input(requests.fileno())
    getattr(module, "warm", lambda: None)()
    gc.freeze()  # What is imported stays, so garbage collections need not visit it.
    memory.begin()
    _write(answers, _encode({"ready": True, "engine": engine, "sandbox": sandbox.parts}))
    going_on = True
    while going_on and (line := requests.readline()):
        _write(answers, TAKEN)
        said, going_on = answer(calls, line, memory)
        _write(answers, said)
    os._exit(0)  # This leaves out native destructors, which may hang.


if __name__ == "__main__":
    main()
