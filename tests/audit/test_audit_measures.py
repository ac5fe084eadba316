"""The second verifier and the end of programs: no measure is confirmed that does not fall, or that has no value somewhere."""

from __future__ import annotations

import pytest

from idg.audit import CONFIRMED, CONTRADICTED, NOT_DECIDED, audit_measures, audit_recursion, audit_staying
from idg.sip.program import load
from idg.sip.text.expressions import parse_measure

MAIN = " fn main(n: nat): nat { return f(n); }"
HALVING = "fn f(n: nat): nat { var r: nat := 0; if (n > 0) { r := f(n // 2); } return r; }" + MAIN
MUTUAL = (
    "fn f(n: nat): nat { var r: nat := 0; if (n > 1) { r := g(n - 2); } return r; } fn g(n: nat): nat { return f(n + 1); }" + MAIN
)
ACKERMANN = (
    "fn f(n, m: nat): nat { var r: nat := m + 1; if (n > 0) { if (m = 0) { r := f(n - 1, 1); } "
    "else { r := f(n - 1, f(n, m - 1)); } } return r; } fn main(n: nat): nat { return f(n, n); }"
)
UP = (
    "fn f(n, m: int): int { {pre} var r: int := 0; if (n < m) { r := f(n + 1, m); } return r; } "
    "fn main(n: nat): int { return f(0, n); }"
)
COUNTED = (
    "fn f(n: nat): nat { var i: int := 0; while (i < 3) { i := i + 1; } var r: nat := 0; "
    "if (n > 0) { r := f(n + i - 4); } return r; }" + MAIN
)
"""The argument of the call is at least 0 and smaller where i is known to be 3 or less after the loop."""


@pytest.mark.parametrize(
    ("text", "measures", "confirmed"),
    [
        (HALVING, {"f": "n"}, True),
        (HALVING.replace("n > 0", "n >= 0"), {"f": "n"}, False),
        (HALVING.replace("n // 2", "n"), {"f": "n"}, False),
        (HALVING, {}, False),
        (HALVING, {"f": "n, n"}, True),
        (HALVING, {"f": "n > 0"}, False),
        # The measure has no value for n = 5.
        (HALVING, {"f": "n + 0 // (n - 5)"}, False),
        (MUTUAL, {"f": "2 * n", "g": "2 * n + 3"}, True),
        (MUTUAL, {"f": "n", "g": "n"}, False),
        (MUTUAL, {"f": "2 * n"}, False),
        (MUTUAL, {"f": "2 * n", "g": "2 * n + 3, 1"}, False),
        (ACKERMANN, {"f": "n, m"}, True),
        (ACKERMANN, {"f": "m, n"}, False),
        (ACKERMANN, {"f": "n"}, False),
        (UP.replace("{pre}", ""), {"f": "m - n"}, True),
        (UP.replace("{pre}", "").replace("n < m", "n <= m"), {"f": "m - n"}, True),
        (UP.replace("{pre}", "").replace("n < m", "n != m"), {"f": "m - n"}, False),
        (UP.replace("{pre}", "pre(n <= m);").replace("n < m", "n != m"), {"f": "m - n"}, True),
        # A contract that no call can keep shows nothing.
        ("fn f(n: nat): nat { post(false); return f(n); }" + MAIN, {"f": "n"}, False),
        ("fn f(n: nat): nat { post(result < 0); return f(f(n)); }" + MAIN, {"f": "n"}, False),
        # What falls is compared with what the caller was given, and not with what it has made of it.
        ("fn f(n: nat): nat { n := n + 2; var r: nat := 0; if (n > 1) { r := f(n - 1); } return r; }" + MAIN, {"f": "n"}, False),
        # A call that is evaluated only where the first part is false.
        ("fn f(n: nat): nat { var r: nat := 0; if (n = 0 | f(n - 1) > 0) { r := 1; } return r; }" + MAIN, {"f": "n"}, True),
        ("fn f(n: nat): nat { var r: nat := 0; if (n > 0 | f(n) > 0) { r := 1; } return r; }" + MAIN, {"f": "n"}, False),
        (COUNTED, {"f": "n"}, False),
        # A run that does not keep the caller's promise stops before the call.
        ("fn f(n: int): int { pre(n >= 0); return f(n - 1); } fn main(n: nat): int { return f(n); }", {"f": "n"}, True),
        # The plain form needs no measure.
        ("fn f(n: nat): nat { var r: nat := 0; if (n > 0) { r := f(n - 1); } return r; }" + MAIN, {}, True),
        # Fractions count only where they fall by 1 or more.
        (
            "fn f(x: rat): rat { var r: rat := 0; if (x > 0) { r := f(x / 2); } return r; } fn main(n: nat): rat { return f(n); }",
            {"f": "x"},
            False,
        ),
        (
            "fn f(x: rat): rat { var r: rat := 0; if (x > 0) { r := f(x - 1); } return r; } fn main(n: nat): rat { return f(n); }",
            {"f": "x"},
            True,
        ),
    ],
)
def test_recursion_is_confirmed_only_where_the_measure_falls(text: str, measures: dict[str, str], confirmed: bool) -> None:
    read = {name: parse_measure(measure) for name, measure in measures.items()}
    assert (audit_recursion(load(text), (), read).answer == CONFIRMED) is confirmed


def test_facts_of_loops_help_to_confirm_recursion() -> None:
    read = {"f": parse_measure("n")}
    assert audit_recursion(load(COUNTED), [(1, "i <= 3")], read).answer == CONFIRMED


def test_a_measure_without_a_value_is_not_confirmed() -> None:
    """The turn in which x stays 0 stops nowhere in the program itself, so it must not stop in what is audited."""
    text = "fn main(n: int) { var x: int := n; while (x >= 0) { if (x > 0) { x := x - 1; } } }"
    program = load(text)
    assert audit_measures(program, (), {1: parse_measure("x * x // x")}).answer == CONTRADICTED
    ending = load(text.replace("x >= 0", "x > 0"))
    assert audit_measures(ending, (), {1: parse_measure("x * x // x")}).answer != CONFIRMED
    # No run that is made comes to where this has no value.
    assert audit_measures(ending, (), {1: parse_measure("x + 0 // (x - 10^12)")}).answer != CONFIRMED
    assert audit_measures(ending, (), {1: parse_measure("x")}).answer == CONFIRMED


@pytest.mark.parametrize("claim", ["d != 10^12", "1 // (d - 10^12) != 10^20"])
def test_no_claim_confirms_a_measure(claim: str) -> None:
    """Runs pass over a claim that is false or has no value. With d = 10^12 both programs go on for ever."""
    loop = f"fn main(n: nat, d: int) {{ var i: int := n; while (i > 0) {{ claim({claim}); i := i - (d - 10^12)^2; }} }}"
    assert audit_measures(load(loop), (), {1: parse_measure("i")}).answer == CONTRADICTED
    assert audit_measures(load(loop.replace("claim", "assert")), (), {1: parse_measure("i")}).answer == CONFIRMED
    calls = (
        f"fn f(n: int, d: int): int {{ claim({claim}); var r: int := 0; "
        "if (n > 0) { r := f(n - (d - 10^12)^2, d); } return r; } "
        "fn main(n: nat, d: int): int { return f(n, d); }"
    )
    assert audit_recursion(load(calls), (), {"f": parse_measure("n")}).answer == CONTRADICTED
    assert audit_recursion(load(calls.replace("claim", "assert")), (), {"f": parse_measure("n")}).answer == CONFIRMED


def test_a_fact_that_is_not_kept_confirms_no_recursion() -> None:
    assert audit_recursion(load(COUNTED), [(1, "i <= 2")], {"f": parse_measure("n")}).answer == CONTRADICTED


@pytest.mark.parametrize(
    ("body", "kept", "answer"),
    [
        ("while (x > 0) { x := x + y; }", "y >= 0", CONFIRMED),
        ("assert(x > 9); while (x > 0) { x := x + y; }", "y >= 0", CONFIRMED),
        # The test is not kept, or the fact is not, or a turn fails, in a helper too, or may take a way out.
        ("while (x > 0) { x := x + y; }", "y >= -1", CONTRADICTED),
        ("while (x > 0) { x := x + y; y := y - 1; }", "y >= 0", CONTRADICTED),
        ("while (x > 0) { x := x + y; assert(x < 10^12); }", "y >= 0", CONTRADICTED),
        ("while (x > 0) { x := x + y + 0 // (x - 10^12); }", "y >= 0", CONTRADICTED),
        ("while (x > 0) { x := x + y; claim(x < 10^12); }", "y >= 0", CONTRADICTED),
        ("while (x > 0) { x := f(x); }", "y >= 0", CONTRADICTED),
        ("while (x > 0) { if (x = 10^12) { break; } x := x + y; }", "y >= 0", NOT_DECIDED),
    ],
)
def test_that_a_run_stays_in_a_loop_is_confirmed_only_where_every_turn_keeps_it(body: str, kept: str, answer: str) -> None:
    helper = "fn f(n: int): int { assert(n < 10^12); return n + 1; } "
    program = load(f"{helper}fn main(x, y: int) {{ {body} }}")
    level = next(loop.number for loop in program.loops)
    assert audit_staying(program, (), level, [program.proposal(kept, level)]).answer == answer
