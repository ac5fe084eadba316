"""The first turns of a loop without any invariant: what a run reaches in exactly k turns."""

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


class _Unroller(Executor):
    """Stops at the first loop and goes round it."""

    def __init__(self, info: ModuleInfo, turns_max: int) -> None:
        super().__init__(info, info.level, NO_INVARIANTS)
        self.turns_max = turns_max
        self.reached: list[list[Path]] = []

    def loop(self, loop: While, paths: list[Path]) -> list[Path]:
        for _ in range(self.turns_max + 1):
            self.reached.append(paths)
            going_on: list[Path] = []
            for path in paths:
                found, here = self.translate(loop.test, path)
                for condition in found.conditions:
                    here = self.assume(here, condition.expr, "has a value")
                going_on += self.follow(here, found.expr)
            paths = self.block(loop.body, going_on)
            if not paths or len(paths) > UNROLLED_PATHS_MAX:
                break
        return []


def can_unroll(info: ModuleInfo, loop: int) -> bool:
    """Only the first loop, and only without loops inside: anything else is left to runs."""
    return loop == 1 and not any(isinstance(each, While) for each in statements(info.level.loops[0].statement.body))


class Unrolled(Record):
    """That an expression holds at the loop head, for each number of turns."""

    executor: Executor
    queries: tuple[tuple[Query, ...], ...]
    """For 0, 1, 2, … turns, the queries that the expression holds after them."""

    def inputs(self, state: Mapping[str, Value]) -> dict[str, Value]:
        """The inputs of the run that a refuting state of one of the queries describes."""
        return self.executor.inputs(state)


def unrolled(info: ModuleInfo, expr: Expr, turns_max: int) -> Unrolled:
    executor = _Unroller(info, turns_max)
    with suppress(ProgramTooLarge):
        # As many turns as there are not too many paths.
        executor.run()
    queries = (tuple(query for path in paths for query in executor.holds(expr, path)) for paths in executor.reached)
    return Unrolled(executor, tuple(queries))
