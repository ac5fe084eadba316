"""The first turns of the loops, without any invariant: the states that runs reach at a loop's head, and how they get there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record
from idg.sip.syntax import Expr, While
from idg.sip.trees.logic import negate
from idg.sip.trees.traverse import called
from idg.sip.values import Value
from idg.vc.helpers import Helpers
from idg.vc.paths import Path
from idg.vc.query import Query
from idg.vc.symbolic import NO_INVARIANTS, Executor, ProgramTooLarge

UNROLLED_PATHS_MAX = 40
"""Paths after one turn. Where there are more, no further turn is followed."""
OTHER_TURNS_MAX = 3
"""Turns of each loop on the way to the one that is looked at."""
ARRIVALS_MAX = 40
"""Paths to the head of the loop that is looked at. Each becomes a question to a solver."""


class _Enough(Exception):
    """Enough paths arrive at the loop head, so no more are looked for."""


class _Unroller(Executor):
    """Follows the first turns of all loops, and keeps the paths that arrive at the head of one of them."""

    def __init__(self, info: ModuleInfo, target: int, turns_max: int, helpers: Helpers | None) -> None:
        self.target = info.loops[target - 1]
        super().__init__(info, info.functions[self.target.function], NO_INVARIANTS, helpers)
        self.turns_max = turns_max
        self.arrivals: list[Path] = []
        """The paths that arrive at the loop head, those with the fewest turns first as far as one loop decides it."""

    def loop(self, loop: While, paths: list[Path]) -> list[Path]:
        looked_at = loop is self.target.statement
        leaving: list[Path] = []
        for _ in range((self.turns_max if looked_at else OTHER_TURNS_MAX) + 1):
            if looked_at:
                self.arrivals += paths
                if len(self.arrivals) >= ARRIVALS_MAX:
                    raise _Enough
            going_on: list[Path] = []
            for path in paths:
                test, at_test = self.translate(loop.test, path)
                for condition in test.conditions:
                    if not condition.call:
                        at_test = self.assume(at_test, condition.expr, "has a value")
                going_on += self.follow(at_test, test.expr)
                leaving += self.follow(at_test, negate(test.expr))
            paths, broken = self.body(loop, going_on)
            leaving += broken
            if not paths or len(paths) > UNROLLED_PATHS_MAX:
                break
        # What comes after an outermost loop does not lead back to it.
        return [] if looked_at and self.target.outer is None else leaving[:UNROLLED_PATHS_MAX]


class Arrival(Record):
    """One way to the loop head, and the queries that an expression holds there."""

    path: Path
    queries: tuple[Query, ...]


class Unrolled(Record):
    """That an expression holds at a loop head, on each of the first paths to it."""

    executor: Executor
    arrivals: tuple[Arrival, ...]

    def inputs(self, state: Mapping[str, Value]) -> dict[str, Value]:
        """The inputs of the run that a refuting state of one of the queries describes."""
        return self.executor.inputs(state)

    def choices(self, arrival: Arrival, state: Mapping[str, Value]) -> tuple[tuple[Value, ...], ...]:
        """The choices of that run, in order. None are known where a helper chooses, because its choices are not in the state."""
        if called(self.executor.function.function) & self.executor.info.choosing:
            return ()
        return self.executor.choices(arrival.path, state)


def unrolled(info: ModuleInfo, loop: int, expr: Expr, turns_max: int, helpers: Helpers | None = None) -> Unrolled:
    """The queries that the expression holds at the head of the loop, after at most so many of its turns."""
    executor = _Unroller(info, loop, turns_max, helpers)
    with suppress(ProgramTooLarge, _Enough):
        # The turns that were followed before the program became too large are enough.
        executor.run()
    arrivals = []
    with suppress(ProgramTooLarge):
        # The expression grows, too, when many turns are substituted into it; the first ones are enough then.
        for path in executor.arrivals[:ARRIVALS_MAX]:
            arrivals.append(Arrival(path, tuple(executor.holds(expr, path))))
    return Unrolled(executor, tuple(arrivals))
