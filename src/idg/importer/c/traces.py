"""Traces as the reader sees them: prints that show variables, and the values that runs get at the same places.

The text with traces is compiled, and read as SIP, so that runs of both can be compared (twins/). A value that may be anything comes
from a function of a seed, of the place in the text, and of the number of traces so far. So it does not matter in which order, or
whether, such values are asked for between two traces.
"""

from __future__ import annotations

from idg.importer.c.numbers.c_types import CType
from idg.sip.record import Record
from idg.sip.syntax import Assign, Block, Branch, Cassign, If, Number, Print, Stmt, Var, While
from idg.sip.trees.traverse import names

TRACE_MARK = 10**40
"""The first number of a traced line in SIP is this plus the number of the trace. So the line is none of a printf."""
_BITS = (1 << 64) - 1
"""All 64 bits: the arithmetic below is that of unsigned numbers of 64 bits."""


class InputSite(Record):
    """A place in the text from which a value comes that may be anything, and the bounds of such values."""

    line: int
    column: int
    low: int
    high: int
    fixed: bool
    """Whether the value is the same whatever was traced before."""
    target: CType
    """The type of the variable in SIP, to which the value is converted."""


class Tracing:
    """What the reader of a tree with traces needs to know, and where it notes the sites of choices."""

    def __init__(self) -> None:
        self.sites: dict[str, InputSite] = {}
        self.counter = ""
        """The variable of the SIP program that counts the traces."""


def is_trace(statement: Stmt) -> bool:
    return isinstance(statement, Print) and isinstance(statement.values[0], Number) and statement.values[0].value >= TRACE_MARK


def value_at(seed: int, site: InputSite, traced: int) -> int:
    """The value that comes from a site after so many traces. The C program computes the same."""
    first = _mixed(_mixed(_mixed(_mixed(seed) + site.line) + site.column) + (0 if site.fixed else traced))
    second = _mixed(first)
    case = first % 16
    signed = site.low < 0
    if case < 8:
        value = second % 8 - (2 if signed else 0)
    elif case < 12:
        value = second % 41 - (20 if signed else 0)
    elif case < 14:
        value = second % 2001 - (1000 if signed else 0)
    elif case == 14:
        value = site.high - second % 3 if (second >> 8) & 1 else site.low + second % 3
    else:
        value = site.low + second % (site.high - site.low + 1)
    return value if site.low <= value <= site.high else site.low + second % (site.high - site.low + 1)


def _mixed(number: int) -> int:
    """A step of SplitMix64, a generator of random numbers."""
    number = (number + 0x9E3779B97F4A7C15) & _BITS
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _BITS
    return number ^ (number >> 31)


# Traces in SIP


def with_assigned_only(body: tuple[Stmt, ...], known: set[str]) -> tuple[Stmt, ...]:
    """The statements, in which traces show only variables that surely have a value; each gets its index in front."""
    return _filtered(body, set(known))[0]


def _filtered(body: tuple[Stmt, ...], known: set[str]) -> tuple[tuple[Stmt, ...], set[str]]:
    result: list[Stmt] = []
    for statement in body:
        match statement:
            case Assign(target):
                known = known | {target.name}
            case Cassign(targets) | Var(targets):
                known = known | {target.name for target in targets}
            case Print((Number(mark), *values)) if is_trace(statement):
                shown = [(index, value) for index, value in enumerate(values) if names(value) <= known]
                pairs = [part for index, value in shown for part in (Number(index), value)]
                statement = Print((Number(mark), *pairs))
            case If(branches, otherwise):
                parts = [_filtered(branch.body.statements, known) for branch in branches]
                last, after = _filtered(otherwise.statements, known)
                made = tuple(Branch(branch.test, Block(part[0])) for branch, part in zip(branches, parts, strict=True))
                statement = If(made, Block(last))
                known = after.intersection(*(part[1] for part in parts))
            case While(invariant, test, inner):
                statement = While(invariant, test, Block(_filtered(inner.statements, known)[0]), measure=statement.measure)
        result.append(statement)
    return tuple(result), known
