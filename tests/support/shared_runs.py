"""The runs of a program, made once for all tests of a process.

Each engine makes the runs of its program anew, which takes up to half a second. They depend on the program alone, and tests make
engines for the same levels again and again, so tests share them. `made_anew` is for tests whose point is that runs are made.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from idg.engine.states.runs import FailedRun, Ranked, ReachedState, RunPool
from idg.sip.values import Value

KEPT_MAX = 100
"""Programs and helpers whose runs are kept in a process. There are fewer levels."""

Calls = dict[str, list[dict[str, Value]]]
Gathered = tuple[dict[int, Ranked], list[FailedRun], Calls]


class _Ordered(dict[int, tuple[ReachedState, ...]]):
    """The states that runs reach, in the order in which an engine keeps them. All states of all runs would take too much memory."""


_kept: OrderedDict[object, tuple[_Ordered, list[FailedRun], Calls]] = OrderedDict()
_sharing = [True]


def share_runs() -> None:
    """From now on, engines of this process share the runs of programs with the same text."""
    make = RunPool.__dict__["_gathered"].func
    order = RunPool._ordered

    def gathered(pool: RunPool) -> Any:
        if not _sharing[0]:
            return make(pool)
        inputs = str(pool._solved)
        key = (pool.program.text, pool.program.level.name, pool.checked is pool.program, pool.caller is None, inputs)
        if key not in _kept:
            tables, failures, calls = make(pool)
            _kept[key] = (_Ordered(order(pool, tables)), failures, calls)
            if len(_kept) > KEPT_MAX:
                _kept.popitem(last=False)
        _kept.move_to_end(key)
        pool._go_on()
        return _kept[key]

    def ordered(pool: RunPool, tables: dict[int, Ranked] | _Ordered) -> dict[int, tuple[ReachedState, ...]]:
        return dict(tables) if isinstance(tables, _Ordered) else order(pool, tables)

    shared = cached_property(gathered)
    shared.__set_name__(RunPool, "_gathered")
    RunPool._gathered = shared  # type: ignore[assignment]
    RunPool._ordered = ordered  # type: ignore[assignment]


@contextmanager
def made_anew() -> Iterator[None]:
    """Engines that first look at their runs meanwhile make them themselves."""
    _sharing[0] = False
    try:
        yield
    finally:
        _sharing[0] = True
