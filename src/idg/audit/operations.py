"""Operators of SIP as terms: those that SMT-LIB lacks, and those to which it gives another meaning."""

from __future__ import annotations

from fractions import Fraction

from idg.audit.terms import INT, LogicTerm, arithmetic, call, number

EXPONENT_MAX, LITERAL_EXPONENT_MAX = 12, 2_000
"""Literal exponents up to the first are written as products; powers of literals with exponents up to the second are computed."""


def power(base: LogicTerm, exponent: LogicTerm) -> LogicTerm:
    """The base to the power of the exponent."""
    if base.op == exponent.op == "number" and 0 <= exponent.value <= LITERAL_EXPONENT_MAX:
        return number(Fraction(base.value) ** int(exponent.value), base.sort)
    if exponent.op != "number" or not 0 <= exponent.value <= EXPONENT_MAX:
        return call("pow.int" if base.sort == INT else "pow.rat", base.sort, base, exponent)
    product = number(1, base.sort)
    for index in range(int(exponent.value)):
        product = arithmetic("*", product, base) if index else base
    return product


def floored(op: str, left: LogicTerm, right: LogicTerm) -> LogicTerm:
    """`//` or `%`, which round down for every divisor."""
    if right.op == "number" and right.value > 0:
        return LogicTerm("div" if op == "//" else "mod", INT, (left, right))
    return call("floor.div" if op == "//" else "floor.mod", INT, left, right)
