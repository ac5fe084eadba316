"""Runs that never end: they come back to a state, or stay where every turn keeps the test true."""

from __future__ import annotations

import pytest

from idg.engine.session import Session
from idg.sip.limits import RunLimits
from idg.sip.program import load
from idg.sip.record import replace

LONG = RunLimits(steps_max=60_000, rows_max=60_000)


@pytest.mark.parametrize(
    "text",
    [
        "fn main(n: int) { while (n != 0) { n := 0 - n; } }",
        "fn main(n: int) { while (n >= 0) { n := n + 1; } }",
        "fn main(n: int) { while (n != 0) { n := n - 2; } }",
        "fn main(x, y: int) { while (x < 100) { if (y > 0) { x := x + y; } y := y - 1; } }",
        "fn main(n: nat) { var i: nat := 0; while (i < n) { while (i >= 3) { i := i + 1; } i := i + 1; } }",
        "fn main(n: int) { while (n > 0) { cassign([n], true); } }",
        "fn main(x: int) { var go: bool; cassign([go], true); while (go) { x := x + 1; cassign([go], true); } }",
    ],
)
def test_a_run_that_never_ends_is_found(text: str) -> None:
    session = Session(load(text))
    ending = session.ending()
    assert ending.status == "never ends"
    never = ending.never
    assert never is not None
    chosen = [[value] for value in never.chosen.values()] * 200
    run = session.program.run(never.inputs, limits=replace(LONG, rows_max=100) if chosen else LONG, choices=chosen)
    assert run.outcome.kind == "bound"
    trace = run.of(never.loop)
    assert dict(zip(trace.columns, trace.rows[never.row], strict=True)) == dict(never.state)
    if never.again:
        assert trace.rows[never.again] == trace.rows[never.row]
    for text in never.stays:
        assert trace.evaluate(text).values[never.row :] == [True] * (len(trace.rows) - never.row)


@pytest.mark.parametrize(
    "text",
    [
        "fn main(n: nat) { while (n > 0) { n := n - 1; } }",
        # The assert ends the run.
        "fn main(n: int) { while (n > 0) { n := n + 1; assert(n < 100); } }",
        "fn main(n: int) { pre(n < 50); while (n > 0) { n := n + 1 + 0 * (100 // (50 - n)); } }",
        # The choice is not free: from 5 on there is none that goes on.
        "fn main(n: int) { var m: int; m := 1; while (m > 0) { cassign([m], m > n & m < 5); n := m; } }",
        "fn main(n: int) { var b: bool; b := true; while (b) { var c: bool; b := !c; n := n + 1; } }",
        # The assume blocks every run that goes on.
        "fn main(n: int) { while (n > 0) { n := n + 1; assume(n < 10); } }",
        # A turn that leaves the loop keeps nothing.
        "fn main(n: int) { while (n >= 0) { if (n > 1000000) { break; } n := n + 1; } }",
        "fn main(n: int): int { while (n >= 0) { if (n > 1000000) { return n; } n := n + 1; } return 0; }",
        # The helper fails.
        "fn f(n: int): int { assert(n < 50); return n + 1; } fn main(n: int) { while (n > 0) { n := f(n); } }",
        # It takes long, and it ends.
        "fn main(n: int) { var i: int := 0; while (i < 1000000) { i := i + 1; } }",
    ],
)
def test_a_run_that_may_end_is_not_called_endless(text: str) -> None:
    assert Session(load(text)).ending().status != "never ends"
