"""Calls for the pool's tests, of the same shape as idg.coordinator.pool.computing.analyses. Some of them do what no call should."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

Json = dict[str, Any]


def echo(arguments: Json) -> Json:
    return arguments


def process(arguments: Json) -> Json:
    return {"pid": os.getpid()}


def note(arguments: Json) -> Json:
    """Writes a line to a file and waits until another file exists, so that a test can see and control the order of jobs."""
    with Path(arguments["log"]).open("a") as log:
        log.write(f"{arguments['name']} {os.getpid()}\n")
    while "gate" in arguments and not Path(arguments["gate"]).exists():
        time.sleep(0.005)
    return {"name": arguments["name"], "pid": os.getpid()}


def sleep(arguments: Json) -> Json:
    time.sleep(arguments["seconds"])
    return {"pid": os.getpid()}


def burn(arguments: Json) -> Json:
    """Takes so much processor time."""
    end = time.process_time() + arguments["seconds"]
    while time.process_time() < end:
        sum(range(1000))
    return {}


def hang(arguments: Json) -> Json:
    """Hangs in native code with the GIL held, and ignores every signal that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    while True:
        ctypes.PyDLL(None).sleep(1000)


def backtrack(arguments: Json) -> Json:
    return {"matches": re.match(r"(a+)+$", "a" * 60 + "b") is not None}


def eat(arguments: Json) -> Json:
    held = []
    while True:
        held.append(bytes(os.urandom(2**20)) * 8)


def eat_and_hide(arguments: Json) -> Json:
    """Aborts in native code, as GMP does when it gets no memory."""
    os.write(2, b"GNU MP: Cannot reallocate memory (old_size=16 new_size=3422552104)\n")
    os.abort()


def swell(arguments: Json) -> Json:
    """Keeps memory between calls."""
    _KEPT.append(bytearray(arguments["mb"] * 2**20))
    return {"pid": os.getpid()}


_KEPT: list[bytearray] = []


def leave(arguments: Json) -> NoReturn:
    os._exit(7)


def crash(arguments: Json) -> Json:
    os.write(2, b"last words\n")
    os.kill(os.getpid(), signal.SIGSEGV)
    return {}


def crash_once(arguments: Json) -> Json:
    """Dies at the first call and answers the second."""
    mark = Path(arguments["mark"])
    if not mark.exists():
        mark.touch()
        os._exit(1)
    return {"survived": True}


def fail(arguments: Json) -> NoReturn:
    raise ValueError(arguments.get("message", "no such thing"))


def quit_politely(arguments: Json) -> NoReturn:
    sys.exit(3)


def junk(arguments: Json) -> Json:
    print('{"id": 1, "answer": {}}', flush=True)
    os.write(1, b"junk\n" * 1000)
    os.write(2, b"grumble\n" * 50_000)
    subprocess.run(["echo", "more junk"], check=True)
    return {"stdin": os.read(0, 100).decode()}


def long(arguments: Json) -> Json:
    return {"text": "x" * arguments["length"]}


def not_json(arguments: Json) -> Json:
    return {"set": {1, 2}}


def no_dict(arguments: Json) -> Any:
    return [1]


def forge(arguments: Json) -> Json:
    """Writes to the descriptor of the pool's own protocol."""
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, arguments["line"].encode())
        except OSError:
            continue
    return {}


def close_all(arguments: Json) -> Json:
    """Stays alive, but can never be heard again."""
    os.closerange(0, 64)
    time.sleep(1000)
    return {}


CALLS: dict[str, Callable[[Json], Json]] = {
    call.__name__: call
    for call in (
        echo,
        burn,
        process,
        note,
        sleep,
        hang,
        backtrack,
        eat,
        eat_and_hide,
        swell,
        leave,
        crash,
        crash_once,
        fail,
        quit_politely,
        junk,
        long,
        not_json,
        no_dict,
        forge,
        close_all,
    )
}


def warm() -> None:
    """Does what the test asks of it when a worker warms up: nothing, hang, write to the protocol, or fail until a file exists."""
    match os.environ.get("PYTHON_HOSTILE_WARM", "").partition(":"):
        case "hang", _, _:
            time.sleep(1000)
        case "talk", _, _:
            forge({"line": "hello\n"})
        case "until", _, path if not Path(path).exists():
            raise RuntimeError("not yet")


if "PYTHON_HOSTILE_THREAD" in os.environ:
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
