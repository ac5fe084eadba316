"""Takes files away from this process, except those that it may import (Landlock, a part of Linux since 5.13)."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""The numbers of Landlock's system calls, which are the same on all architectures."""
_VERSION_ASKED = 1
"""The flag with which the first call tells its version instead of making a set of rules."""
_BENEATH = 1
"""The kind of a rule that grants access to a file, or to a folder with all that is in it."""
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""Version → how many kinds of access to files it knows. All of them are taken away."""
_NETWORK_RIGHTS_SINCE, _NETWORK_RIGHTS = 4, 0b11
"""The version since which TCP can be taken away, and the bits for listening and connecting. The filter of seccomp.py takes away all
sockets; this is a second safeguard."""
_SCOPES_SINCE, _SCOPES = 6, 0b11
"""The version since which other processes can be made unreachable, and the bits for abstract Unix sockets and for signals."""
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
"""The kinds of access that reading a file and listing a folder are."""
_PR_SET_NO_NEW_PRIVS = 38
"""The option of prctl without which Landlock is refused to those who are not root (<linux/prctl.h>)."""

_MODULE_SUFFIXES = (".py", ".so", ".libs", ".dist-info")
"""How the names of files and folders end that belong to modules, besides folders that are packages."""


def readable() -> Iterator[tuple[Path, int]]:
    """What may be read: Python and its modules. With each path: which kinds of access are granted.

    Most is imported before, but a rare branch may import another module, and tracebacks show lines of sources. Folders for modules
    that belong to Python's installation are granted whole. Of others, such as those that PYTHONPATH names, only the names and the
    modules are, because somebody may keep other things beside them.
    """
    prefixes = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    for entry in dict.fromkeys(Path(name).resolve() for name in sys.path if name):
        if entry.is_file() or any(entry.is_relative_to(prefix) for prefix in prefixes):
            yield entry, _READ_FILE | _READ_FOLDER
        elif entry.is_dir():
            yield entry, _READ_FOLDER
            for child in entry.iterdir():
                if child.suffix in _MODULE_SUFFIXES or (child / "__init__.py").is_file():
                    yield child, _READ_FILE | _READ_FOLDER


def restrict(libc: ctypes.CDLL) -> str:
    """Take everything away that `readable` does not name, for good. Returns why that was impossible, or an empty text."""
    version = _call(libc, _CREATE_RULESET, None, 0, _VERSION_ASKED)
    if version < 1:
        return f"Landlock is missing: {os.strerror(ctypes.get_errno())}"
    file_rights = (1 << _FILE_RIGHTS[max(known for known in _FILE_RIGHTS if known <= version)]) - 1
    attributes = struct.pack("=Q", file_rights)
    if version >= _NETWORK_RIGHTS_SINCE:
        attributes += struct.pack("=Q", _NETWORK_RIGHTS)
    if version >= _SCOPES_SINCE:
        attributes += struct.pack("=Q", _SCOPES)
    rules = _call(libc, _CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        return f"Landlock made no rules: {os.strerror(ctypes.get_errno())}"
    try:
        for path, rights in readable():
            _grant(libc, rules, path, rights)
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or _call(libc, _RESTRICT_SELF, rules, 0):
            return f"Landlock refused the rules: {os.strerror(ctypes.get_errno())}"
    finally:
        os.close(rules)
    return ""


def _grant(libc: ctypes.CDLL, rules: int, path: Path, rights: int) -> None:
    """Grant access. What is missing needs none, and what cannot be granted is missing later, where the worker would be told so."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        _call(libc, _ADD_RULE, rules, _BENEATH, struct.pack("=Qi", rights if path.is_dir() else rights & _READ_FILE, opened), 0)
    finally:
        os.close(opened)


def _call(libc: ctypes.CDLL, number: int, *arguments: int | bytes | None) -> int:
    """A system call; -1 and the error number of ctypes where it fails."""
    libc.syscall.restype = ctypes.c_long
    given = [ctypes.c_long(argument) if isinstance(argument, int) else ctypes.c_char_p(argument) for argument in arguments]
    result: int = libc.syscall(ctypes.c_long(number), *given)
    return result
