"""C's whole numbers: their widths on a 64-bit system, and the type of each expression of C."""

from __future__ import annotations

import enum

from idg.sip.record import Record
from idg.sip.syntax import Type


class Integers(enum.Enum):
    """What `--int` chooses: how signed arithmetic is read. Unsigned arithmetic and conversions always keep C's meaning."""

    MATH = "math"
    """Signed numbers have no bound, and nothing overflows."""
    CHECK = "check"
    """That a signed operation does not overflow is an obligation."""
    MACHINE = "machine"
    """Signed operations wrap round, as with `gcc -fwrapv`."""


class CType(Record):
    """A type of whole numbers. One bit without a sign is _Bool."""

    bits: int
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - self.signed)) - 1

    @property
    def sip(self) -> Type:
        """The type of a SIP variable with values of this type."""
        return Type.BOOL if self.bits == 1 else Type.INT if self.signed else Type.NAT

    def wrapped(self, value: int) -> int:
        """What a conversion makes of a number: the same modulo 2^bits (0 or 1 for _Bool)."""
        if self.bits == 1:
            return int(value != 0)
        return (value - self.low) % (1 << self.bits) + self.low

    def __str__(self) -> str:
        names = {1: "_Bool", 8: "char", 16: "short", 32: "int", 64: "long"}
        sign = "signed " if self.signed and self.bits == 8 else "" if self.signed or self.bits == 1 else "unsigned "
        return sign + names[self.bits]


BOOL = CType(1, False)
"""One bit, unsigned."""
# The widths, in bits, of a 64-bit system. A plain char is signed there.
CHAR, SHORT, INT, LONG = CType(8, True), CType(16, True), CType(32, True), CType(64, True)
# The same widths without a sign.
UCHAR, USHORT, UINT, ULONG = CType(8, False), CType(16, False), CType(32, False), CType(64, False)


def promoted(ctype: CType) -> CType:
    """What C makes of a type narrower than int before it computes."""
    return INT if ctype.bits < INT.bits else ctype


def common(left: CType, right: CType) -> CType:
    """The type in which C computes an operation on both ("the usual arithmetic conversions")."""
    left, right = promoted(left), promoted(right)
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    return left if not left.signed else right


def is_bounded(ctype: CType, integers: Integers) -> bool:
    """Whether the values of a variable of this type stay within its bounds in SIP. Under `math`, int and long have none."""
    return integers is not Integers.MATH or not ctype.signed or ctype.bits < INT.bits


def fits(source: CType, target: CType) -> bool:
    """Whether every value of the one type is a value of the other."""
    return target.low <= source.low and source.high <= target.high


def literal_type(value: int, decimal: bool, suffix: str) -> CType | None:
    """The type of a literal; None where it has none."""
    unsigned, long = "u" in suffix, "l" in suffix
    for ctype in (INT, UINT, LONG, ULONG):
        if (long and ctype.bits < LONG.bits) or (unsigned and ctype.signed) or (decimal and not unsigned and not ctype.signed):
            continue
        if value <= ctype.high:
            return ctype
    return None


def named_type(words: list[str]) -> CType | None:
    """The type that the words of a declaration name, such as `unsigned long int`; None where they name no whole number."""
    rest = sorted(words)
    if rest == ["_Bool"]:
        return BOOL
    signed = "unsigned" not in rest
    sizes = [word for word in rest if word not in ("int", "signed", "unsigned")]
    if not rest or rest.count("int") > 1 or rest.count("signed") + rest.count("unsigned") > 1 or ("char" in rest and "int" in rest):
        return None
    bits = {(): 32, ("long",): 64, ("long", "long"): 64, ("short",): 16, ("char",): 8}.get(tuple(sizes))
    return None if bits is None else CType(bits, signed)


class CSignature(Record):
    """What calls of a function need to know that calls itself."""

    name: str
    """Its name in SIP."""
    params: tuple[CType, ...]
    returns: CType
