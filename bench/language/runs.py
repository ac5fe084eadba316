"""Measures the runner: a million turns of int-square-root, and an expression on 10,000 rows."""

from __future__ import annotations

from collections.abc import Callable

from bench.timing import Figure, best
from idg.sip.limits import RunLimits
from idg.sip.values import Value
from tests.support.programs.known_levels import known_level

TURNS = 1_000_000
"""Turns of the loop for which both contestants run."""
SIMPLE_TURNS = 20_000
"""Turns for both contestants where one is the simple interpreter, which would need a quarter of a minute for a million."""
ROWS = 10_000
"""Rows of the trace on which the expression is evaluated."""
CONJUNCTS = "sqr = (cnt + 1)^2 & odd = 2 * cnt + 1 & cnt^2 <= n"


def by_hand(n: int) -> tuple[int, list[tuple[int, int, int, int]]]:
    """What a programmer would write to get the same rows."""
    rows = []
    cnt, sqr, odd = 0, 1, 1
    rows.append((n, cnt, sqr, odd))
    while sqr <= n:
        cnt = cnt + 1
        odd = odd + 2
        sqr = sqr + odd
        rows.append((n, cnt, sqr, odd))
    return cnt, rows


def figures() -> list[Figure]:
    level = known_level("int-square-root")
    program = level.program()
    n = TURNS**2
    limits = RunLimits(steps_max=2 * TURNS, rows_max=2 * TURNS)
    run = program.run(n=n, limits=limits)
    assert run.outcome.value == TURNS
    assert run.trace.rows == by_hand(n)[1]
    times = best({"ours": lambda: program.run(n=n, limits=limits), "hand": lambda: by_hand(n)})
    hand = Figure(
        "int-square-root, a million turns, rows recorded",
        "the same loop by hand in Python",
        times["ours"],
        times["hand"],
        "at most 2.5",
        times["ours"] <= 2.5 * times["hand"],
    )
    return [hand, against_simple(), on_rows()]


def against_simple() -> Figure:
    from tests.support.programs.simple import simple_interpreter

    level = known_level("int-square-root")
    program = level.program()
    n = SIMPLE_TURNS**2 - 1
    inputs: dict[str, Value] = {"n": n}
    assert simple_interpreter.interpret(program.module, inputs).loops[0][1] == program.run(n=n).trace.rows
    simple = lambda: simple_interpreter.interpret(program.module, inputs)  # noqa: E731
    times = best({"ours": lambda: program.run(n=n), "simple": simple}, rounds=3)
    return Figure(
        f"int-square-root, {SIMPLE_TURNS:,} turns, rows recorded",
        "the simple interpreter of tests/",
        times["ours"],
        times["simple"],
        "at least 20 times quicker",
        times["simple"] >= 20 * times["ours"],
    )


def on_rows() -> Figure:
    level = known_level("int-square-root")
    trace = level.program().run(n=ROWS**2 - 1).trace
    assert len(trace) == ROWS
    rule: Callable[..., bool] = lambda n, cnt, sqr, odd: sqr == (cnt + 1) ** 2 and odd == 2 * cnt + 1 and cnt**2 <= n  # noqa: E731
    assert trace.evaluate(CONJUNCTS).values == [rule(*row) for row in trace.rows]
    # Our time includes parsing, checking and compiling the expression.
    times = best({"ours": lambda: trace.evaluate(CONJUNCTS), "lambda": lambda: [rule(*row) for row in trace.rows]}, rounds=15)
    return Figure(
        f"three conjuncts on {ROWS:,} rows",
        "a hand-written lambda",
        times["ours"],
        times["lambda"],
        "at most 2",
        times["ours"] <= 2 * times["lambda"],
    )
