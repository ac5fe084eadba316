"""How the system divides the processors among this process and others: in which turns, not in which shares.

The event loop and the threads of the store work for a fraction of a millisecond whenever something comes, and engine workers for
seconds without a pause. Where all processors are busy, Linux lets a process that wakes up go on at once only if its turns are
shorter than those of the one that runs. So the server asks for short turns (Linux 6.12 and later; elsewhere this changes nothing).
Unlike a higher priority, that gives it no larger share of the processors: neither workers nor other programs get less.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

SHORT_TURN_NANOSECONDS = 100_000
"""The length of a turn of the event loop: the shortest that Linux allows."""
USUAL_TURN = 0
"""What stands for the length that the system chooses."""
_SET_ATTRIBUTES = {"x86_64": 314, "aarch64": 274}
"""The machine → the number of the system call sched_setattr."""
_ATTRIBUTES = "=IIQiIQQQ"
"""The form of Linux' struct sched_attr: size, policy, flags, nice value, priority, runtime, deadline, period."""


def ask_for_short_turns() -> None:
    """For this thread, and for the threads and processes that it starts from now on."""
    _set_turn(SHORT_TURN_NANOSECONDS)


def take_usual_turns() -> None:
    """For a process whose parent has short turns."""
    _set_turn(USUAL_TURN)


def _set_turn(nanoseconds: int) -> None:
    """Where the system refuses it, everything goes on as before."""
    call = _SET_ATTRIBUTES.get(platform.machine())
    if sys.platform != "linux" or call is None or os.sched_getscheduler(0) != os.SCHED_OTHER:
        return
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    attributes = struct.pack(_ATTRIBUTES, struct.calcsize(_ATTRIBUTES), os.SCHED_OTHER, 0, nice, 0, nanoseconds, 0, 0)
    ctypes.CDLL(None).syscall(call, 0, attributes, 0)
