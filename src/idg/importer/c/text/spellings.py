"""The names that C verification suites use for assert, assume, a value that may be anything, and an error."""

from __future__ import annotations

import re

from idg.importer.c.numbers.c_types import BOOL, CHAR, INT, LONG, SHORT, UCHAR, UINT, ULONG, USHORT, CType
from idg.sip.record import Record

ASSERT = frozenset({"assert", "__VERIFIER_assert", "sassert", "static_assert", "vassert", "__CPROVER_assert"})
ASSUME = frozenset({
    "assume", "__VERIFIER_assume", "assume_abort_if_not", "vassume", "__CPROVER_assume", "klee_assume", "static_assume",
})  # fmt: skip
EMPTY_BY_CUSTOM = frozenset({"vassume", "vassert"})
"""Functions that a suite defines with an empty body, and whose arguments other tools read."""
ERROR = frozenset({"reach_error", "__VERIFIER_error", "__assert_fail", "error", "ERROR", "__error__"})
STOP = frozenset({"abort", "exit", "_exit"})
"""Functions that end the run without reporting an error. What comes after them does not matter."""
GIVING = ("malloc", "alloca", "__builtin_alloca")
"""Functions that give memory whose cells may hold anything."""
SILENT = re.compile(r"vtrace\w*|vdistr\w*|puts|putchar|fflush|srand|setbuf")
"""Functions that change nothing that a program can observe, apart from what their arguments do."""
LOUD = re.compile(
    r"die|fail|panic|err|abort|exit|quit|halt|stop|crash|throw|raise|trap|terminat|jmp|assert|assume|check|verif|(?<!de)bug|unreachable",
    re.IGNORECASE,
)
"""Words in the names of functions that may end the run or report an error."""
UNKNOWN = re.compile(r"(?:unknown|nondet|nd)\d*")
RANDOM = ("rand", "random")
NONDET = re.compile(r"__VERIFIER_nondet_(\w+)|nondet_(\w+)|unknown_(\w+)|(\w+)_nondet")
ERROR_LABEL = re.compile(r"_*err(?:or)?\d*", re.IGNORECASE)


class ValueRange(Record):
    """The values that a call such as unknown() may give: its C type, and narrower bounds where it has them."""

    ctype: CType
    low: int | None = None
    high: int | None = None


_KINDS = {
    "int": INT, "long": LONG, "longlong": LONG, "loff_t": LONG, "s32": INT, "s64": LONG, "int32": INT, "int64": LONG, "uint": UINT,
    "unsigned": UINT, "ulong": ULONG, "ulonglong": ULONG, "u32": UINT, "u64": ULONG, "size_t": ULONG, "unsigned_int": UINT,
    "sector_t": ULONG, "uint32": UINT, "uint64": ULONG, "char": CHAR, "short": SHORT, "uchar": UCHAR, "u8": UCHAR,
    "unsigned_char": UCHAR, "ushort": USHORT, "u16": USHORT, "unsigned_short": USHORT, "bool": BOOL, "_Bool": BOOL,
}  # fmt: skip
"""The words that follow `nondet_` in the names of functions that may give any value."""


def unknown_of(name: str) -> ValueRange | None:
    """The values that a call of this name may give; None where the name does not mean such a call."""
    match = NONDET.fullmatch(name)
    kind = next((group for group in match.groups() if group), "") if match else ""
    if kind in _KINDS:
        return ValueRange(_KINDS[kind])
    if UNKNOWN.fullmatch(name):
        return ValueRange(INT)
    if name in RANDOM:
        return ValueRange(INT if name == "rand" else LONG, 0, 2**31 - 1)
    if name == "getchar":
        return ValueRange(INT, -1, 255)
    return None


def is_known(name: str) -> bool:
    """Whether a function of this name is read by its name, not by its body."""
    return name in ASSERT | ASSUME | ERROR | STOP or unknown_of(name) is not None or SILENT.fullmatch(name) is not None


CONSTANTS = {
    "INT_MAX": 2**31 - 1, "INT_MIN": -(2**31), "UINT_MAX": 2**32 - 1, "LONG_MAX": 2**63 - 1, "LONG_MIN": -(2**63),
    "ULONG_MAX": 2**64 - 1, "SHRT_MAX": 2**15 - 1, "SHRT_MIN": -(2**15), "CHAR_MAX": 127, "CHAR_MIN": -128, "UCHAR_MAX": 255,
    "USHRT_MAX": 2**16 - 1, "LLONG_MAX": 2**63 - 1, "LLONG_MIN": -(2**63), "INT32_MAX": 2**31 - 1, "INT32_MIN": -(2**31),
    "UINT32_MAX": 2**32 - 1, "ULLONG_MAX": 2**64 - 1, "INT64_MAX": 2**63 - 1, "INT64_MIN": -(2**63), "UINT64_MAX": 2**64 - 1,
    "SIZE_MAX": 2**64 - 1, "SCHAR_MAX": 127, "SCHAR_MIN": -128, "UINT8_MAX": 255, "UINT16_MAX": 65535,
    "RAND_MAX": 2**31 - 1, "EXIT_SUCCESS": 0, "EXIT_FAILURE": 1, "EOF": -1, "true": 1, "false": 0,
}  # fmt: skip
"""Constants of the standard headers, for texts that do not define them themselves. The sizes are those of 64-bit Linux."""

CONSTANT_TYPES = {
    "UINT_MAX": UINT, "LONG_MAX": LONG, "LONG_MIN": LONG, "ULONG_MAX": ULONG, "LLONG_MAX": LONG, "LLONG_MIN": LONG,
    "UINT32_MAX": UINT, "ULLONG_MAX": ULONG, "INT64_MAX": LONG, "INT64_MIN": LONG, "UINT64_MAX": ULONG, "SIZE_MAX": ULONG,
}  # fmt: skip
"""The types of those constants that are not int."""

TYPEDEFS = {
    "bool": "_Bool", "size_t": "unsigned long", "int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long",
    "uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int", "uint64_t": "unsigned long",
    "uint": "unsigned int", "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned int", "u64": "unsigned long",
}  # fmt: skip
"""Types of the standard headers, as C types that the parser knows."""
