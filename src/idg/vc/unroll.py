"""The first turns of a loop, without any invariant: the states that runs reach after 0, 1, 2, … turns."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record
from idg.sip.syntax import Expr, While
from idg.sip.traverse import statements
from idg.sip.values import Value
from idg.vc.query import Query
from idg.vc.symbolic import NO_INVARIANTS, Executor, Path, ProgramTooLarge

UNROLLED_PATHS_MAX = 40
"""Paths after one turn. Where there are more, no further turn is followed."""


class _Unroller(Executor):
    """Runs up to the first loop and follows its first turns; what comes after the loop is left out."""

    def __init__(self, info: ModuleInfo, turns_max: int) -> None:
        super().__init__(info, info.level, NO_INVARIANTS)
        self.turns_max = turns_max
        self.reached: list[list[Path]] = []
        """For each number of turns, the paths that arrive at the loop head after them."""

    def loop(self, loop: While, paths: list[Path]) -> list[Path]:
        for _ in range(self.turns_max + 1):
            self.reached.append(paths)
            going_on: list[Path] = []
            for path in paths:
                test, here = self.translate(loop.test, path)
                for condition in test.conditions:
                    here = self.assume(here, condition.expr, "has a value")
                going_on += self.follow(here, test.expr)
            paths = self.block(loop.body, going_on)
            if not paths or len(paths) > UNROLLED_PATHS_MAX:
                break
        return []


def can_unroll(info: ModuleInfo, loop: int) -> bool:
    """Whether this is the first loop and has no loop inside. Other loops are left to runs."""
    return loop == 1 and not any(isinstance(statement, While) for statement in statements(info.level.loops[0].statement.body))


class Unrolled(Record):
    """That an expression holds at the loop head, for each number of turns."""

    executor: Executor
    queries: tuple[tuple[Query, ...], ...]
    """For 0, 1, 2, … turns, the queries that the expression holds after them."""

    def inputs(self, state: Mapping[str, Value]) -> dict[str, Value]:
        """The inputs of the run that a refuting state of one of the queries describes."""
        return self.executor.inputs(state)


def unrolled(info: ModuleInfo, expr: Expr, turns_max: int) -> Unrolled:
    """The queries that the expression holds at the head of the first loop, after at most so many turns."""
    executor = _Unroller(info, turns_max)
    with suppress(ProgramTooLarge):
        # The turns that were followed before the program became too large are enough.
        executor.run()
    queries = (tuple(query for path in paths for query in executor.holds(expr, path)) for paths in executor.reached)
    return Unrolled(executor, tuple(queries))
