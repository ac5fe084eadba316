"""Paths through a function, what must be ensured on them, and loops that are cut at their heads."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from idg.sip.record import Record
from idg.sip.syntax import Call, Expr, Name, Span, While
from idg.sip.trees.traverse import height, node_count
from idg.vc.query import Hypothesis, Requirement

TERM_NODES_MAX = 3_000
"""Nodes of one expression over symbols. A prover would find nothing about larger ones."""
TERM_LEVELS_MAX = 120
"""Height of the tree of one expression over symbols. Python could not compile much higher ones."""


def is_too_large(expr: Expr) -> bool:
    """Whether an expression over symbols is too large for conditions."""
    return node_count(expr) > TERM_NODES_MAX or height(expr) > TERM_LEVELS_MAX


class Path(Record):
    """One way through the statements so far."""

    values: Mapping[str, Expr]
    """What the program's variables hold at its end, as expressions over symbols."""
    hypotheses: tuple[Hypothesis, ...] = ()
    heads: Mapping[int, Mapping[str, Expr]] = MappingProxyType({})
    """For each loop whose head the path has passed, the values of the variables there when it passed it last."""
    last: int = 0
    """The number of the loop whose head the path passed last; 0 where it passed none."""
    inside: bool = False
    """Whether the path then entered the body of that loop."""
    choices: tuple[tuple[Name, ...], ...] = ()
    """What the function itself chose since the path passed a loop's head last, or since its start, in order: by cassign, and the
    initial values that nothing determines."""
    ended: frozenset[Call] = frozenset()
    """Calls of helpers, over symbols, that were evaluated on the way: each of them has a value."""


class Obligation(Record):
    """Something that the program must ensure, on one path to it."""

    cause: str
    span: Span
    path: Path
    goal: Expr
    call: str = ""
    """As in a condition: the helper of which it is not known that this call of it has a value."""

    @property
    def requirement(self) -> Requirement:
        return Requirement(self.cause, self.span)


class Cut(Record):
    """A loop that is cut at its head."""

    number: int
    statement: While
    entries: tuple[Path, ...]
    """Paths that arrive at the head from before the loop."""
    heads: tuple[Path, ...]
    """Paths that are at the head in any turn: the assigned variables are symbols, and the invariants are hypotheses."""
    ends: tuple[Path, ...]
    """Paths that are at the end of the body, from which the head is reached again. They started there with a true test."""
