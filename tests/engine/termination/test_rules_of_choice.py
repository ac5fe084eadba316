"""Runs that never end: what is chosen and assumed in them, inputs from the program's numbers, and what is not believed."""

from __future__ import annotations

import pytest

from idg.agents.termination import decide_ending
from idg.engine.engine import Engine
from idg.engine.results import SecondCheck
from idg.engine.termination.never_ending import searching
from idg.engine.termination.results import Ending
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load

FAR = RunLimits(steps_max=20_000, rows_max=20_000)


def ending_of(program: Program) -> Ending:
    engine = Engine(program)
    return decide_ending(engine, engine.start()).ending


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("fn main(x: int) { while (x > 0) { x := x + 1; } }", {}),
        ("fn main(x: int) { while (x >= 0) { if (x != 7919) { x := x - 1; } } }", {}),
        ("fn main(x: int) { var y: int := 0; while (x > 0) { x := x - 1; y := y + 2; } while (y != 7) { y := y + 1; } }", {}),
        # What is assumed holds in the run, and what it chooses is allowed.
        ("fn main(x: int) { assume(x > 3); while (x > 0) { assume(x < 20 | x > 30); x := x + 40; } }", {}),
        ("fn main(x: int) { var d: int := 0; while (x > 0) { cassign([d], 2 <= d <= 5); x := x + d; } }", {"d": "2"}),
        # The choice must depend on other variables.
        ("fn main(x, y: int) { while (x > y) { cassign([y], true); x := x - 1; } }", {"y": "x - 2"}),
        # The sum of both grows, so no state comes again, whatever is chosen.
        (
            "fn main(x, y: int) { var b: bool := true; while (x > 0 & y > 0) { cassign([b], true); "
            "if (b) { x := x - 1; y := y + 2; } else { x := x + 2; y := y - 1; } } }",
            {"b": "x > y"},
        ),
    ],
)
def test_never_ends(text: str, chosen: dict[str, str]) -> None:
    ending = ending_of(load(text))
    assert ending.never is not None
    assert ending.never.chosen == chosen


@pytest.mark.parametrize(
    "text",
    [
        # A run goes on where a claim is false. Proofs that take it for true say nothing of such a run.
        "fn main(x, n: int) { pre(n = 0 - 1); claim(n > 0); while (x > 0) { x := x + n; } }",
        "fn main(x: int) { while (x > 0) { x := x - 1; claim(x > 0); } }",
        "fn main(n, x: int) { pre(n = 0 - 1); x := 10000000; claim(n > 0); while (x > 0) { x := x + n; } }",
        # A turn fails in the end, beyond what runs show.
        "fn main(x: int) { x := 0; while (x >= 0) { x := x + 1; assert(x < 10000000); } }",
        # Each turn fails or is not allowed, so that every run stops.
        "fn main(x: int) { while (x > 0) { x := x + 1; assert(x < 9); } }",
        "fn main(x: int) { while (true) { assume(x > 0); x := x - 1; } }",
        "fn main(x: int) { var d: int := 0; while (x > 0) { cassign([d], d > 3 & d < 3); } }",
        "fn main(x: nat) { while (true) { x := x - 1; } }",
        "fn main(x: int) { while (true) { x := x - 1; x := x + 0 * (10 // (x - x)); } }",
        # The loop is not reached.
        "fn main(x: int) { if (x > 0 & x < 0) { while (true) { x := x; } } }",
        "fn main(x: int) { assume(false); while (true) { x := x; } }",
        "fn main(x: int) { pre(x > x + 1); while (true) { x := x; } }",
        # A helper that fails.
        "fn f(x: int): int { assert(x < 5); return x + 1; } fn main(x: int) { while (x > 0) { x := f(x); } }",
    ],
)
def test_what_ends_is_not_called_endless(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first verifier says so alone; the second is asked in tests/audit."""
    monkeypatch.setattr(searching, "second_check_of_staying", lambda *_: SecondCheck.NOT_DECIDED)
    program = load(text)
    assert ending_of(program).never is None
    for value in (-3, 0, 1, 4, 12):
        inputs = {name: -1 if name == "n" else value for name in program.params}
        if str(program.params["x"]) != "nat" or value >= 0:
            run = program.run(inputs, limits=FAR)
            # Where nothing may be chosen, a run looks for a choice until its bound; and some runs are long.
            assert run.outcome.kind != "bound" or "cassign" in run.message or "10000000" in text


@pytest.mark.parametrize(
    "text",
    [
        # A loop inside that does not end is not hidden by the measure of the loop around it.
        "fn main(n: nat) { var i: int := n; while (i > 0) { while (i > 0) { i := i + 1; } i := i - 1; } }",
        # A rat that falls by less and less, a nat that wraps nowhere, a bool that falls only once.
        "fn main(x: rat) { pre(x > 0); while (x > 0) { x := x / 2; } }",
        "fn main(b: bool) { while (b) { b := !b; b := !b; } }",
        # A contract that no call keeps, and a helper that does not return, prove nothing.
        "fn f(n: int): int { post(result < n); while (true) { n := n; } return n; } "
        "fn main(x: int) { while (x > 0) { x := f(x); } }",
        "fn f(n: int): int { post(result < n); return f(n); } fn main(x: int) { while (x > 0) { x := f(x); } }",
        "fn f(n: int): int { post(false); return f(n + 1); } fn main(x: int) { while (x > 0) { x := f(x); } }",
        # Claims and asserts that are false.
        "fn main(x: int) { while (x != 0) { claim(x > 0); x := x - 1; } }",
        "fn main(x, y: int) { while (x > 0) { claim(y > 0); x := x - y; } }",
        # Mutual recursion in which only one of two calls falls.
        "fn f(n: nat): nat { var r: nat := 0; if (n > 0) { r := f(n - 1) + g(n); } return r; } "
        "fn g(n: nat): nat { return f(n); } fn main(n: nat): nat { return f(n); }",
    ],
)
def test_what_may_not_end_is_not_said_to_end(text: str) -> None:
    assert ending_of(load(text)).status != "ends"
