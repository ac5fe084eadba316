"""The loops of a program for the simple interpreter: their columns and their tables. Written from docs/language.md alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from idg.sip import syntax as sip
from idg.sip.syntax import Block
from tests.support.programs.simple.simple_numbers import Value

Names = tuple[str, ...]
PYTHON_FRAMES_MAX = 200_000
"""Enough for 200 nested calls of SIP, each in an expression of 100 levels in 40 blocks, at two Python frames a level."""


@dataclass
class Loop:
    """A loop of the level and its table."""

    columns: Names
    outer: Loop | None
    rows: list[tuple[Value, ...]] = field(default_factory=list)
    outer_rows: list[int | None] = field(default_factory=list)


def loops_of(block: Block, visible: Names, outer: Loop | None) -> Iterator[tuple[int, Loop]]:
    """The loops of a block in the order of their `while`, with the variables visible at each."""
    for statement in block.statements:
        if isinstance(statement, sip.Var):
            visible += tuple(name.name for name in statement.names)
        elif isinstance(statement, sip.If):
            for branch in statement.branches:
                yield from loops_of(branch.body, visible, outer)
            yield from loops_of(statement.otherwise, visible, outer)
        elif isinstance(statement, sip.While):
            loop = Loop(visible, outer)
            yield id(statement), loop
            yield from loops_of(statement.body, visible, loop)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Lets Python recurse deeply, so that SIP's bounds are met before Python's own.

    All calls here are Python to Python and use no C stack.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, PYTHON_FRAMES_MAX))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
