"""The value of the condition of an #if, which C computes with 64 bits; unsigned where an operand is."""

from __future__ import annotations

import re

_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
"""Operators, those that bind most loosely first."""
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)")
_MODULUS = 2**64
"""Numbers of the preprocessor have 64 bits: unsigned ones are taken modulo this."""
DEPTH_MAX = 100
"""Brackets and prefix operators within each other."""

Value = tuple[int, bool]
"""A number, and whether it is unsigned."""


class _NoValue(Exception):
    pass


def evaluate(tokens: list[str]) -> int | None:
    """The number that the condition gives; None where it is none that is understood. Names are zero, as in C."""
    reader = _Reader(tokens)
    try:
        value, _ = reader.conditional()
    except (_NoValue, IndexError):
        return None
    return value if reader.index == len(tokens) else None


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.index = 0
        self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.index] if self.index < len(self.tokens) else ""

    def conditional(self) -> Value:
        test = self.binary(0)
        if self.peek() != "?":
            return test
        self.index += 1
        yes = self.conditional()
        if self.peek() != ":":
            raise _NoValue
        self.index += 1
        no = self.conditional()
        return _fit((yes if test[0] else no)[0], yes[1] or no[1])

    def binary(self, level: int) -> Value:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            op = self.peek()
            self.index += 1
            left = _combined(op, left, self.binary(level + 1))
        return left

    def unary(self) -> Value:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise _NoValue
        try:
            return self._unary()
        finally:
            self.depth -= 1

    def _unary(self) -> Value:
        token = self.tokens[self.index]
        self.index += 1
        if token == "(":
            value = self.conditional()
            if self.peek() != ")":
                raise _NoValue
            self.index += 1
            return value
        if token in ("-", "+", "~", "!"):
            number, unsigned = self.unary()
            if token == "!":
                return int(not number), False
            return _fit({"-": -number, "+": number, "~": ~number}[token], unsigned)
        match = _NUMBER.fullmatch(token)
        if match is not None:
            octal = re.fullmatch(r"0[0-7]+", match[1])
            if not octal and re.fullmatch(r"0\d+", match[1]):
                raise _NoValue
            number = int(match[1], 8) if octal else int(match[1], 0)
            if number >= _MODULUS:
                raise _NoValue
            return number, "u" in match[2].lower() or number >= _MODULUS // 2
        if re.fullmatch(r"[A-Za-z_]\w*", token) and self.peek() != "(":
            return 0, False
        raise _NoValue


def _fit(number: int, unsigned: bool) -> Value:
    number %= _MODULUS
    return (number if unsigned or number < _MODULUS // 2 else number - _MODULUS), unsigned


def _combined(op: str, left: Value, right: Value) -> Value:
    if op in ("&&", "||"):
        return int(bool(left[0] and right[0]) if op == "&&" else bool(left[0] or right[0])), False
    if op in ("<<", ">>"):
        if not 0 <= right[0] < 64:
            raise _NoValue
        return _fit(left[0] << right[0] if op == "<<" else left[0] >> right[0], left[1])
    unsigned = left[1] or right[1]
    first, second = _fit(left[0], unsigned)[0], _fit(right[0], unsigned)[0]
    if op in ("==", "!=", "<", ">", "<=", ">="):
        holds = {
            "==": first == second, "!=": first != second, "<": first < second, ">": first > second, "<=": first <= second,
            ">=": first >= second,
        }  # fmt: skip
        return int(holds[op]), False
    if op in ("/", "%"):
        if second == 0:
            raise _NoValue
        quotient = abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1)
        return _fit(quotient if op == "/" else first - second * quotient, unsigned)
    values = {"+": first + second, "-": first - second, "*": first * second, "&": first & second, "|": first | second}
    return _fit(values.get(op, first ^ second), unsigned)
