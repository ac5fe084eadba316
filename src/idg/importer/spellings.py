"""The names that C verification suites use for assert, assume, a value that may be anything, and an error."""

from __future__ import annotations

import re

from idg.sip.record import Record
from idg.sip.syntax import Type

ASSERT = frozenset({"assert", "__VERIFIER_assert", "sassert", "static_assert", "vassert", "__CPROVER_assert"})
ASSUME = frozenset({
    "assume", "__VERIFIER_assume", "assume_abort_if_not", "vassume", "__CPROVER_assume", "klee_assume", "static_assume",
})  # fmt: skip
ERROR = frozenset({"reach_error", "__VERIFIER_error", "__assert_fail", "error", "ERROR", "__error__"})
STOP = frozenset({"abort", "exit", "_exit"})
"""Functions that end the run without reporting an error. What comes after them does not matter."""
SILENT = re.compile(r"vtrace\w*|vdistr\w*|puts|putchar|fflush|srand|setbuf")
"""Functions that change nothing that a program can observe."""
LOUD = re.compile(
    r"die|fail|panic|err|abort|exit|quit|halt|stop|crash|throw|raise|trap|terminat|jmp|assert|assume|check|verif|(?<!de)bug|unreachable",
    re.IGNORECASE,
)
"""Words in the names of functions that may end the run or report an error."""
UNKNOWN = re.compile(r"(?:unknown|nondet|nd)\d*")
RANDOM = ("rand", "random")
NONDET = re.compile(r"__VERIFIER_nondet_(\w+)|nondet_(\w+)|unknown_(\w+)|(\w+)_nondet")
ERROR_LABEL = re.compile(r"_*err(?:or)?\d*", re.IGNORECASE)

CHAR, SHORT = 8, 16
"""Bits of the types that are narrower than int. Values of these types that may be anything stay within their bounds."""


class ValueRange(Record):
    """The values that a call such as unknown() may give: any of a type, between bounds where the type is narrow."""

    type: Type
    low: int | None = None
    high: int | None = None


_SIGNED = {"int", "long", "longlong", "loff_t", "s32", "s64", "int32", "int64"}
_UNSIGNED = {"uint", "unsigned", "ulong", "ulonglong", "u32", "u64", "size_t", "unsigned_int", "sector_t", "uint32", "uint64"}
# A type that is narrower than int → its smallest and its largest value.
_NARROW = {
    "char": (-(2 ** (CHAR - 1)), 2 ** (CHAR - 1) - 1), "short": (-(2 ** (SHORT - 1)), 2 ** (SHORT - 1) - 1),
    "uchar": (0, 2**CHAR - 1), "u8": (0, 2**CHAR - 1), "unsigned_char": (0, 2**CHAR - 1),
    "ushort": (0, 2**SHORT - 1), "u16": (0, 2**SHORT - 1), "unsigned_short": (0, 2**SHORT - 1),
}  # fmt: skip


def unknown_of(name: str) -> ValueRange | None:
    """The values that a call of this name may give; None where the name does not mean such a call."""
    match = NONDET.fullmatch(name)
    kind = next((group for group in match.groups() if group), "") if match else ""
    if kind in ("bool", "_Bool"):
        return ValueRange(Type.BOOL)
    if kind in _SIGNED or UNKNOWN.fullmatch(name):
        return ValueRange(Type.INT)
    if kind in _UNSIGNED or name in RANDOM:
        return ValueRange(Type.NAT)
    if kind in _NARROW:
        low, high = _NARROW[kind]
        return ValueRange(Type.NAT if low == 0 else Type.INT, low, high)
    return None


def is_known(name: str) -> bool:
    """Whether a function of this name is read by its name, not by its body."""
    return name in ASSERT | ASSUME | ERROR | STOP or unknown_of(name) is not None or SILENT.fullmatch(name) is not None


CONSTANTS = {
    "INT_MAX": 2**31 - 1, "INT_MIN": -(2**31), "UINT_MAX": 2**32 - 1, "LONG_MAX": 2**63 - 1, "LONG_MIN": -(2**63),
    "ULONG_MAX": 2**64 - 1, "SHRT_MAX": 2**15 - 1, "SHRT_MIN": -(2**15), "CHAR_MAX": 127, "CHAR_MIN": -128, "UCHAR_MAX": 255,
    "USHRT_MAX": 2**16 - 1, "LLONG_MAX": 2**63 - 1, "LLONG_MIN": -(2**63), "INT32_MAX": 2**31 - 1, "INT32_MIN": -(2**31),
    "RAND_MAX": 2**31 - 1, "EXIT_SUCCESS": 0, "EXIT_FAILURE": 1, "true": 1, "false": 0,
}  # fmt: skip
"""Constants of the standard headers, for texts that do not define them themselves. The sizes are those of 64-bit Linux."""

TYPEDEFS = {
    "bool": "_Bool", "size_t": "unsigned long", "int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long",
    "uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int", "uint64_t": "unsigned long",
    "uint": "unsigned int", "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned int", "u64": "unsigned long",
}  # fmt: skip
"""Types of the standard headers, as C types that the parser knows."""
