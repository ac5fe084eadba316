"""C's arithmetic as SIP expressions: the types in which C computes, its rounding, and its shifts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from idg.importer.c.numbers.c_types import INT, CType, Integers, common, literal_type, promoted
from idg.importer.c.numbers.terms import CHECK, TypedExpr, computed, converted, literal_value, marked
from idg.importer.c.text.source import refuse
from idg.sip.syntax import Binary, Call, Expr, Number, Type, Unary
from idg.sip.trees.build import compare, negative, number, whole_literal

QUOTIENTS = (
    "C's / rounds to zero, SIP's // rounds down: where numbers may be negative, "
    "a / b is read as max(a, 0) // b - max(-a, 0) // b for a positive b"
)
REMAINDERS = (
    "C's % has the sign of a, SIP's that of b: where numbers may be negative, "
    "a % b is read as max(a, 0) % b - max(-a, 0) % b for a positive b"
)
ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}
"""The characters that C writes with a backslash, and their numbers."""
CHARACTER_MAX = 127
"""The largest number of a character. Whether larger ones are negative depends on the compiler."""
Noting = Callable[[Any, str, str], None]
"""Notes a reading: the node, the text, and a word under which it is noted only once."""


class Arithmetic:
    """`exact` is the arithmetic of annotations, whose numbers are those of mathematics: no width, no conversions."""

    def __init__(
        self, integers: Integers, note: Noting, oblige: Callable[[Expr], None] = lambda _: None, exact: bool = False
    ) -> None:
        self.integers = integers
        self.note = note
        self.oblige = oblige
        """Makes an obligation of a condition, before what is computed."""
        self.exact = exact

    def converted(self, value: TypedExpr, ctype: CType) -> TypedExpr:
        return value if self.exact else converted(value, ctype, self.integers)

    def computed(self, expr: Expr, kind: Type, ctype: CType) -> TypedExpr:
        return TypedExpr(expr, kind, ctype) if self.exact else computed(expr, kind, ctype, self.integers)

    def literal(self, node: Any) -> TypedExpr:
        text = node.value.lower()
        if node.type == "char":
            code = character_code(node.value)
            if code is None:
                raise refuse(node, f"the character {node.value} is not read", "write its number")
            return literal_value(code)
        if node.type in ("string", "float", "double", "long double"):
            raise refuse(node, f"{node.value} is no whole number; only whole numbers are read")
        digits = text.rstrip("ul")
        decimal = digits.isdecimal() and not digits.startswith("0")
        octal = digits.startswith("0") and digits.isdecimal()
        try:
            value = int(digits, 8) if octal else int(digits, 0)
        except ValueError:
            raise refuse(node, "this number is too long") from None
        ctype = INT if self.exact else literal_type(value, decimal, text[len(digits) :])
        if ctype is None:
            raise refuse(node, "this number is too large for a type of C, or too long")
        return literal_value(value, ctype)

    def common_of(self, left: TypedExpr, right: TypedExpr) -> tuple[TypedExpr, TypedExpr]:
        """Both numbers after C has converted them to the type in which it computes with them."""
        ctype = common(left.ctype, right.ctype)
        return self.converted(left, ctype), self.converted(right, ctype)

    def negative(self, value: TypedExpr) -> TypedExpr:
        ctype = promoted(value.ctype)
        known = whole_literal(value.expr)
        if known is not None:
            return literal_value(-known if self.exact or ctype.signed else ctype.wrapped(-known), ctype)
        return self.computed(Unary("-", value.expr), Type.INT, ctype)

    def complement(self, value: TypedExpr) -> TypedExpr:
        """~a, which has the value -a - 1 in a signed type and 2^bits - 1 - a in an unsigned one. It never leaves the type."""
        ctype = promoted(value.ctype)
        if ctype.signed or self.exact:
            known = whole_literal(value.expr)
            if known is not None:
                return literal_value(-known - 1, ctype)
            return TypedExpr(Binary("-", Unary("-", value.expr), Number(1)), Type.INT, ctype)
        known = whole_literal(value.expr)
        if known is not None:
            return literal_value(ctype.high - known, ctype)
        return TypedExpr(Binary("-", Number(ctype.high), value.expr), Type.NAT, ctype)

    def binary(self, node: Any, op: str, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        if op in ("<<", ">>"):
            return self._shift(node, op, left, right)
        if op == "&":
            return self._masked(node, left, right)
        if op not in ("+", "-", "*", "/", "%"):
            hint = "a & 1, a << 3 and a >> 3 are read; others can often be written with / and %"
            raise refuse(node, f"the operator {op} is not read on bits", hint)
        ctype = common(left.ctype, right.ctype)
        left, right = self.common_of(left, right)
        kind = Type.NAT if left.type is right.type is Type.NAT else Type.INT
        match op:
            case "+" | "*":
                return self.computed(Binary(op, left.expr, right.expr), kind, ctype)
            case "-":
                return self.computed(Binary(op, left.expr, right.expr), Type.INT, ctype)
            case "/":
                return self._quotient(node, left, right, ctype)
        return self._remainder(node, left, right, ctype)

    def _shift(self, node: Any, op: str, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        ctype = promoted(left.ctype)
        known = whole_literal(right.expr)
        if known is None or not 0 <= known < ctype.bits:
            raise refuse(node, f"the operator {op} is not read on bits unless it shifts by a number from 0 to {ctype.bits - 1}")
        if op == "<<":
            self.note(node, "a << k is read as a * 2^k", "<<")
            shifted = left.expr
            if ctype.signed and not self.exact and self.integers is Integers.CHECK and left.type is not Type.NAT:
                # C leaves open what a shift of a negative number to the left gives.
                shifted = marked(CHECK, CType(ctype.bits - 1, False), shifted)
            return self.computed(Binary("*", shifted, Number(2**known)), left.type, ctype)
        self.note(node, "a >> k is read as a // 2^k, which rounds down", ">>")
        return TypedExpr(Binary("//", left.expr, Number(2**known)), left.type, ctype)

    def _masked(self, node: Any, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        """a & 7 is a % 8 for every a, because C's numbers are two's complements."""
        ctype = common(left.ctype, right.ctype)
        for value, mask in ((left, whole_literal(right.expr)), (right, whole_literal(left.expr))):
            if mask is not None and mask > 0 and mask & (mask + 1) == 0:
                self.note(node, f"a & {mask} is read as a % {mask + 1}", "&")
                return TypedExpr(Binary("%", value.expr, Number(mask + 1)), Type.NAT, ctype)
        raise refuse(
            node, "the operator & is not read on bits", "a & 1 and a & 7 are read; others can often be written with / and %"
        )

    def _quotient(self, node: Any, left: TypedExpr, right: TypedExpr, ctype: CType) -> TypedExpr:
        """C's quotient, which is rounded towards zero."""
        if left.type is right.type is Type.NAT:
            return TypedExpr(Binary("//", left.expr, right.expr), Type.NAT, ctype)
        self.note(node, QUOTIENTS, "/")
        size = self._size(right)
        minus = negative(left.expr)
        rounded: Expr = Binary("-", Binary("//", _positive(left.expr), size), Binary("//", _positive(minus), size))
        known = whole_literal(right.expr)
        if known is not None and known < 0:
            rounded = Unary("-", rounded)
        elif right.type is not Type.NAT and known is None:
            rounded = Binary("*", rounded, Binary("//", right.expr, size))
        if (known is None and right.type is not Type.NAT) or known == -1:
            return self.computed(rounded, Type.INT, ctype)
        return TypedExpr(rounded, Type.INT, ctype)

    def _remainder(self, node: Any, left: TypedExpr, right: TypedExpr, ctype: CType) -> TypedExpr:
        """C's remainder, which has the sign of what is divided."""
        size = self._size(right)
        if left.type is Type.NAT:
            return TypedExpr(Binary("%", left.expr, size), Type.NAT, ctype)
        self.note(node, REMAINDERS, "%")
        self._oblige_quotient(left, right)
        minus = negative(left.expr)
        return TypedExpr(Binary("-", Binary("%", _positive(left.expr), size), Binary("%", _positive(minus), size)), Type.INT, ctype)

    def plain_remainder(self, left: TypedExpr, right: TypedExpr) -> Expr:
        """A remainder of which only matters whether it is zero."""
        self._oblige_quotient(left, right)
        return Binary("%", left.expr, right.expr)

    def _oblige_quotient(self, left: TypedExpr, right: TypedExpr) -> None:
        """The least number has no quotient by -1, and then C leaves open what the remainder is."""
        may_be_wrong = left.ctype.signed and left.type is not Type.NAT and whole_literal(right.expr) in (None, -1)
        if self.integers is Integers.CHECK and not self.exact and may_be_wrong and right.type is not Type.NAT:
            self.oblige(Binary("|", compare(left.expr, "!=", number(left.ctype.low)), compare(right.expr, "!=", number(-1))))

    def _size(self, value: TypedExpr) -> Expr:
        """The absolute value."""
        known = whole_literal(value.expr)
        if known is not None:
            return Number(abs(known))
        return value.expr if value.type is Type.NAT else Call("abs", (value.expr,))

    def absolute(self, value: TypedExpr, ctype: CType) -> TypedExpr:
        """What abs (int) and labs (long) give."""
        value = self.converted(value, ctype)
        return self.computed(Call("abs", (value.expr,)), Type.NAT, ctype)


def _positive(expr: Expr) -> Expr:
    """The maximum of the number and zero."""
    known = whole_literal(expr)
    return Number(max(known, 0)) if known is not None else Call("max", (expr, Number(0)))


def character_code(text: str) -> int | None:
    """The number of a character in quotes, such as 'a', '\\n' and '\\0'; None where it is no single character of ASCII."""
    inner = text[1:-1]
    if len(inner) == 1:
        return ord(inner) if inner.isascii() else None
    if not inner.startswith("\\"):
        return None
    body = inner[1:]
    if body in ESCAPES:
        return ESCAPES[body]
    base, digits = (16, body[1:]) if body.startswith("x") else (8, body)
    try:
        code = int(digits, base) if digits.isascii() and digits.isalnum() else CHARACTER_MAX + 1
    except ValueError:
        return None
    return code if code <= CHARACTER_MAX else None
