"""Takes system calls away from this process, by a filter program that Linux runs before each call (seccomp).

The filter names what a Python process with solvers needs, and refuses everything else. A list of what is forbidden would be
shorter, but each new version of Linux adds ways to do old things.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

# The numbers of system calls, for x86-64 and for 64-bit ARM; "-" where an architecture has no such call.
_HARMLESS = """
    futex 202 98            read 0 63               write 1 64              mmap 9 222              munmap 11 215
    brk 12 214              madvise 28 233          mprotect 10 226         mremap 25 216           mincore 27 232
    sched_yield 24 124      pread64 17 67           pwrite64 18 68          readv 19 65             writev 20 66
    lseek 8 62              close 3 57              dup 32 23               dup2 33 -               dup3 292 24
    poll 7 -                ppoll 271 73            select 23 -             pselect6 270 72         nanosleep 35 101
    clock_nanosleep 230 115 clock_gettime 228 113   clock_getres 229 114    gettimeofday 96 169     time 201 -
    times 100 153           getrusage 98 165        getrandom 318 278       restart_syscall 219 128 membarrier 324 283
    rt_sigaction 13 134     rt_sigprocmask 14 135   rt_sigreturn 15 139     sigaltstack 131 132     rt_sigpending 127 136
    rt_sigsuspend 130 133   rt_sigtimedwait 128 137 setitimer 38 103        getitimer 36 102        timer_create 222 107
    timer_settime 223 110   timer_gettime 224 108   timer_getoverrun 225 109 timer_delete 226 111   exit 60 93
    exit_group 231 94       set_robust_list 273 99  rseq 334 293            set_tid_address 218 96  getpid 39 172
    gettid 186 178          getppid 110 173         getuid 102 174          geteuid 107 175         getgid 104 176
    getegid 108 177         uname 63 160            sysinfo 99 179          getcpu 309 168          getrlimit 97 163
    setrlimit 160 164       sched_getaffinity 204 123 sched_getparam 143 121 sched_getscheduler 145 120 fadvise64 221 223
    fstat 5 80              newfstatat 262 79       stat 4 -                lstat 6 -               statx 332 291
    access 21 -             faccessat 269 48        faccessat2 439 439      readlink 89 -           readlinkat 267 78
    getcwd 79 17            getdents64 217 61
"""
"""Calls that are allowed whatever their arguments. `stat` tells the size of any file; opening one is among the calls below."""
_CHECKED = """
    open 2 -  openat 257 56  clone 56 220  kill 62 129  tkill 200 130  tgkill 234 131  prlimit64 302 261  fcntl 72 25  ioctl 16 29
    prctl 157 167
"""
"""Calls that are allowed with some arguments; `_conditions` says which."""
_CLONE3 = 435
"""The number of clone3 on both architectures. A filter cannot see its arguments, so it is said not to exist. Libraries then use
clone."""
_KNOWN_MAX = 450
"""The highest number of a call that was known when this list was written. Later ones are said not to exist, because libraries then
fall back on older ones, while a refusal may make them give up."""
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine → its column above, and the number by which a filter knows it (<linux/audit.h>)."""

_OPEN_CHANGES = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC
"""Flags of an opening that may change something: any access but reading, making a file, emptying it."""
_CLONE_THREAD = 0x0001_0000
"""The flag of a clone that makes a thread of this process, and not another process (<linux/sched.h>)."""
_CLONE_NAMESPACES = 0x7E02_0080
"""The flags of a clone that would make namespaces."""
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 1030)
"""Duplicating descriptors and reading and setting their flags. Others, such as F_SETOWN, can send signals to other processes."""
_IOCTL_COMMANDS = (0x5401, 0x5413, 0x5450, 0x5451)
"""Is a descriptor a terminal, and of which size (TCGETS, TIOCGWINSZ); is it kept when a program is started (FIONCLEX, FIOCLEX)."""
_PRCTL_OPTIONS = (15, 16, 0x5356_4D41)
"""Names of threads and of memory (PR_SET_NAME, PR_GET_NAME, PR_SET_VMA)."""

_LOAD, _EQUAL, _GREATER, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
"""Instructions of filters: load a word of the call, compare it with a constant in three ways, decide (<linux/bpf_common.h>)."""
_NUMBER_OFFSET, _MACHINE_OFFSET, _ARGUMENTS_OFFSET, _ARGUMENT_BYTES = 0, 4, 16, 8
"""Where a filter finds the call's number, the machine and the arguments, in bytes (struct seccomp_data)."""
_ALLOW, _ERRNO = 0x7FFF_0000, 0x0005_0000
"""Decisions: let the call through; let it fail with the error number that is added."""
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
"""Options of prctl: this process can never get more rights; it gets a filter; the kind of filter (<linux/prctl.h>)."""

Instruction = tuple[int, int, int, int]
"""Code, how many instructions are skipped if the comparison holds, how many if not, constant."""

_DENY: Instruction = (_RETURN, 0, 0, _ERRNO | errno.EPERM)
"""Decides that a call fails because it is not allowed."""
_MISSING: Instruction = (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)
"""Decides that a call fails because it does not exist."""
_PASS: Instruction = (_RETURN, 0, 0, _ALLOW)
"""Decides that a call is let through."""


class _Program(ctypes.Structure):
    """struct sock_fprog of <linux/filter.h>."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def numbers(table: str, column: int) -> dict[str, int]:
    """Call → its number, from a table of this module."""
    words = table.split()
    rows = zip(words[::3], words[1::3], words[2::3], strict=True)
    return {row[0]: int(row[1 + column]) for row in rows if row[1 + column] != "-"}


def _one_of(argument: int, *values: int) -> list[Instruction]:
    comparisons = [instruction for value in values for instruction in ((_EQUAL, 0, 1, value), _PASS)]
    return [_load_argument(argument), *comparisons, _DENY]


def _none_of_bits(argument: int, bits: int) -> list[Instruction]:
    return [_load_argument(argument), (_ANY_BIT, 0, 1, bits), _DENY, _PASS]


def _load_argument(argument: int) -> Instruction:
    """Loads the lower half of an argument, which is all that the calls above look at; both architectures store it first."""
    return _LOAD, 0, 0, _ARGUMENTS_OFFSET + _ARGUMENT_BYTES * argument


def _conditions(pid: int) -> dict[str, list[Instruction]]:
    """Call → instructions that decide by its arguments."""
    own = _one_of(0, pid)
    thread = [_load_argument(0), (_ANY_BIT, 0, 1, _CLONE_NAMESPACES), _DENY, (_ANY_BIT, 0, 1, _CLONE_THREAD), _PASS, _DENY]
    return {
        "open": _none_of_bits(1, _OPEN_CHANGES),
        "openat": _none_of_bits(2, _OPEN_CHANGES),
        "clone": thread,
        "kill": own,
        "tkill": own,
        "tgkill": own,
        "prlimit64": _one_of(0, 0, pid),
        "fcntl": _one_of(1, *_FCNTL_COMMANDS),
        "ioctl": _one_of(1, *_IOCTL_COMMANDS),
        "prctl": _one_of(0, *_PRCTL_OPTIONS),
    }


def filter_program(machine: str, pid: int) -> list[Instruction]:
    """The filter for the process `pid`. It decides by the machine, the call's number, and in some cases by one argument."""
    column, audit_number = _ARCHITECTURES[machine]
    program: list[Instruction] = [
        (_LOAD, 0, 0, _MACHINE_OFFSET),
        (_EQUAL, 1, 0, audit_number),
        _DENY,  # A call in the manner of another architecture, which has other numbers.
        (_LOAD, 0, 0, _NUMBER_OFFSET),
        (_GREATER, 0, 1, _KNOWN_MAX),
        _MISSING,
        (_EQUAL, 0, 1, _CLONE3),
        _MISSING,
    ]
    for number in numbers(_HARMLESS, column).values():
        program += [(_EQUAL, 0, 1, number), _PASS]
    conditions = _conditions(pid)
    for name, number in numbers(_CHECKED, column).items():
        program += [(_EQUAL, 0, len(conditions[name]), number), *conditions[name]]
    return [*program, _DENY]


def restrict(libc: ctypes.CDLL) -> str:
    """Install the filter for this process, for good. Returns why that was impossible, or an empty text."""
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return f"the system calls of {machine} are not known"
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in filter_program(machine, os.getpid()))
    program = _Program(len(code) // struct.calcsize("=HBBI"), code)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0):
        return f"seccomp refused the filter: {os.strerror(ctypes.get_errno())}"
    return ""
