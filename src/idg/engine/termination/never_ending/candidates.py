"""What the turns of a run that never ends might keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from idg.engine.inquiry import Inquiry
from idg.engine.termination.never_ending.choosing import literals
from idg.sip.checking.analysis import Loop
from idg.sip.running.runner import Row
from idg.sip.syntax import Binary, Compare, Expr, Name, Number, Type
from idg.sip.trees.build import compare, number
from idg.sip.trees.entry import entry_column
from idg.sip.trees.logic import implies, left_nested, negate
from idg.sip.trees.traverse import expressions, links, statement_expressions, statements
from idg.sip.values import scalar

MODULI = (2, 3)
"""Numbers by which a variable may always leave the same remainder."""
MODES_MAX = 3
"""Values of a variable that is taken for a mode of the loop."""
IN_MODE_MAX = 40
"""Facts that are looked at in each mode."""


def candidates_in_modes(inquiry: Inquiry, loop: Loop, rows: Sequence[Row]) -> Iterator[Expr]:
    """What might be kept in one mode of the loop: a variable that has few values in these rows says in which it is."""
    modes = _modes(loop, rows)
    plain = list(dict.fromkeys(islice(candidates(inquiry, loop, rows), IN_MODE_MAX))) if modes else []
    for name, values in modes.items():
        yield left_nested("|", [compare(Name(name), "=", number(value)) for value in values])
        for value in values:
            mode = compare(Name(name), "=", number(value))
            yield from (implies(mode, expr) for expr in plain)


def _modes(loop: Loop, rows: Sequence[Row]) -> dict[str, list[int]]:
    modes: dict[str, list[int]] = {}
    for name, values in zip(loop.columns, zip(*rows, strict=True), strict=False):
        few = {value for value in values if type(value) is int}
        if len(few) == len(set(values)) and 1 < len(few) <= MODES_MAX:
            modes[name] = sorted(few)
    return modes


def candidates(inquiry: Inquiry, loop: Loop, rows: Sequence[Row]) -> Iterator[Expr]:
    """What might be kept: the comparisons of the program and their negations, Boolean variables, and how numbers compare with each
    other and with the numbers of the program."""
    level = inquiry.program.info.level
    for statement in statements(level.function.body):
        for expr in statement_expressions(statement):
            for part in expressions(expr):
                if isinstance(part, Compare):
                    for single in links(part):
                        yield from (single, negate(single))
    runs = inquiry.runs
    columns = (*loop.columns, *map(entry_column, runs.assigned_params))
    numeric = [name for name, kind in zip(columns, runs.kinds(loop.number), strict=True) if kind in (Type.INT, Type.NAT, Type.RAT)]
    numeric = [name for name in numeric if name in loop.columns]
    kinds_of = inquiry.program.info.functions[loop.function].variables
    values = dict(zip(columns, rows[0], strict=True))
    for name in loop.columns:
        if kinds_of[name] is Type.BOOL:
            yield from (Name(name), negate(Name(name)))
    for name in numeric:
        for bound in (0, 1):
            yield compare(Name(name), ">=", Number(bound))
        yield compare(Name(name), "<=", Number(0))
        value = values[name]
        if isinstance(value, int):
            yield compare(Name(name), "=", number(value))
            if value < 0:
                yield compare(Name(name), "<", Number(0))
    for position, name in enumerate(numeric):
        for other in numeric[position + 1 :]:
            yield from (compare(Name(name), op, Name(other)) for op in ("<", "<=", "=", ">=", ">"))
        for other in numeric[position + 1 :]:
            difference = values[name], values[other]
            for modulus in MODULI if all(isinstance(value, int) for value in difference) else ():
                rest = (scalar(difference[0]) - scalar(difference[1])) % modulus
                yield compare(Binary("%", Binary("-", Name(name), Name(other)), number(modulus)), "=", number(rest))
    for name in numeric:
        for bound in literals(inquiry.program):
            yield from (compare(Name(name), op, number(bound)) for op in (">", "<"))
        value = values[name]
        for modulus in MODULI if isinstance(value, int) else ():
            yield compare(Binary("%", Name(name), number(modulus)), "=", number(scalar(value) % modulus))
