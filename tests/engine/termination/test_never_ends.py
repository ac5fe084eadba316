"""Runs that never end: they come back to a state, or stay where every turn keeps the test true."""

from __future__ import annotations

import pytest

from idg.engine.results import SecondCheck
from idg.engine.session import Session
from idg.engine.termination.messages import ending_message
from idg.engine.termination.never_ending import searching
from idg.engine.termination.reports import ending_report
from idg.sip.limits import RunLimits
from idg.sip.program import load
from idg.sip.record import replace
from idg.sip.running.evaluator import evaluate
from idg.sip.syntax import Type
from idg.sip.text.expressions import parse_expression

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


CALLS = "fn main(n: int): int { return f(n); }"


@pytest.mark.parametrize(
    "text",
    [
        "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n // 2); } return r; } " + CALLS,
        "fn f(n: int): int { post(false); return f(n); } " + CALLS,
        # Through another function, and in a turn of a loop.
        "fn f(n: int): int { var r: int := 0; if (n > 1) { r := g(n - 2); } return r; } fn g(n: int): int { return f(n + 2); } "
        "fn main(n: nat) { var i: nat := 0; while (i < n) { i := i + 1; assert(f(i) = 0); } }",
    ],
)
def test_a_call_that_makes_itself_again_never_ends(text: str) -> None:
    session = Session(load(text))
    ending = session.ending()
    assert ending.status == "never ends"
    never = ending.never
    assert never is not None
    calls = session.program.run(never.inputs).open_calls
    assert calls.count((never.function, dict(never.state))) > 1
    assert f"A call of {never.function} makes a call of {never.function}" in str(ending_message(ending, session.program))
    report = ending_report(ending, session.program).run
    assert report is not None
    assert (report.function, report.loop, report.state) == (never.function, 0, never.state)


FROM_ZERO = "fn main(n: int): int { return f(0, n); }"


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("fn f(n: int): int { return f(n + 1); } " + CALLS, ()),
        ("fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n - 1); } return r; } " + CALLS, ("n < 0",)),
        ("fn f(i, n: int): int { var r: int := 0; if (i != n) { r := f(i + 1, n); } return r; } " + FROM_ZERO, ("i > n",)),
        # Through another function.
        (
            "fn e(n: int): bool { var r: bool := true; if (n != 0) { r := o(n - 1); } return r; } "
            "fn o(n: int): bool { var r: bool := false; if (n != 0) { r := e(n - 1); } return r; } "
            "fn main(n: int): bool { return e(n); }",
            ("n < 0",),
        ),
        # What the caller claims does not stop the run.
        (
            "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n - 1); } return r; } "
            "fn main(n: int): int { claim(n >= 0); return f(n); }",
            ("n < 0",),
        ),
    ],
)
def test_calls_with_other_arguments_each_time_never_end(text: str, stays: tuple[str, ...]) -> None:
    session = Session(load(text))
    never = session.ending().never
    assert never is not None
    assert never.stays == stays
    assert not never.is_same_call
    run = session.program.run(never.inputs)
    assert run.outcome.cause == "call-depth"
    calls = [arguments for _, arguments in run.open_calls]
    for kept in stays:
        variables = dict.fromkeys(never.state, Type.INT)
        assert all(evaluate(parse_expression(kept), call, variables) is True for call in calls[calls.index(dict(never.state)) :])
    report = ending_report(session.ending(), session.program).run
    assert report is not None
    assert (report.function, report.stays, report.is_same_call) == (never.function, stays, False)


@pytest.mark.parametrize(
    ("text", "calls", "told"),
    [
        # The calls come to an end, at a loop that has none.
        ("fn f(n: int): int { if (n = 0) { while (true) { n := n + 1; } } return f(n - 1); } ", "f(n + 100000)", ("f", "loop")),
        # f is called only now and then, but a call of g may be one of f before it is another one of g.
        (
            "fn f(n: int): int { return g(n - 1); } fn g(n: int): int { if (n % 1000 = 0) { return f(n); } return g(n - 1); } ",
            "g(n + 100000)",
            ("f or g",),
        ),
    ],
)
def test_of_calls_that_do_not_return_no_more_is_said_than_was_proved(text: str, calls: str, told: tuple[str, ...]) -> None:
    session = Session(load(text + f"fn main(n: nat): int {{ return {calls}; }}"))
    ending = session.ending()
    assert ending.never is not None
    message = str(ending_message(ending, session.program))
    assert all(word in message for word in told), message
    assert ("makes calls inside of calls for ever" in message) == ("loop" not in told)


@pytest.mark.parametrize(
    "text",
    [
        # The run ends at the assert, at the division, in the other function, or where the claim inside of the calls says nothing.
        "fn f(n: int): int { var r: int := 0; assert(n > -70000); if (n != 0) { r := f(n - 1); } return r; } " + CALLS,
        "fn f(n: int): int { var r: int := 0; r := 5 // (n + 70000); if (n != 0) { r := f(n - 1); } return r; } " + CALLS,
        "fn g(n: int): int { assert(n > -70000); return n; } "
        "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(g(n) - 1); } return r; } " + CALLS,
        "fn f(n: int): int { var r: int := 0; claim(n >= 0 | n < -70000); if (n != 0 & n > -70000) { r := f(n - 1); } return r; } "
        + CALLS,
        "fn f(n: nat): int { return f(n - 1); } fn main(n: nat): int { return f(n); }",
    ],
)
def test_calls_that_end_far_away_are_not_called_endless(text: str) -> None:
    assert Session(load(text)).ending().status != "never ends"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n - 1); } return r; } fn main(n: nat): int { return f(n); }",
            "It was proved that f is called only where 'n >= 0' holds.",
        ),
        (
            "fn ack(m, n: int): int { var r: int; if (m = 0) { r := n + 1; } else if (n = 0) { r := ack(m - 1, 1); } "
            "else { r := ack(m, n - 1); r := ack(m - 1, r); } return r; } fn main(m, n: nat): int { return ack(m, n); }",
            "It was proved that ack is called only where 'm >= 0 & n >= 0' holds, and returns only where 'result >= 0' holds.",
        ),
        (
            "fn f(i, n: int): int { var r: int := 0; if (i != n) { r := f(i + 1, n); } return r; } "
            "fn main(n: nat): int { return f(0, n); }",
            "It was proved that f is called only where 'i <= n' holds.",
        ),
    ],
)
def test_calls_end_by_contracts_that_the_program_does_not_state(text: str, told: str) -> None:
    session = Session(load(text))
    ending = session.ending()
    assert (ending.status, ending.second_check) == ("ends", SecondCheck.CONFIRMED)
    assert told in str(ending_message(ending, session.program))


@pytest.mark.parametrize(
    "text",
    [
        # One of the callers does not keep to the contract: the level, another helper, or the function itself.
        "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n - 1); } return r; } fn main(n: int): int { return f(n); }",
        "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n - 1); } return r; } fn g(n: int): int { return f(n - 3); } "
        "fn main(n: nat): int { return g(n); }",
        "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n - 2); } return r; } fn main(n: nat): int { return f(n); }",
        # A claim does not stop the run, so it keeps nobody to a contract.
        "fn f(n: int): int { var r: int := 0; if (n != 0) { r := f(n - 1); } return r; } "
        "fn main(n: int): int { claim(n >= 0); return f(n); }",
        # The result is not what the contract would need.
        "fn f(n: int): int { var r: int := -1; if (n != 0) { r := f(f(n - 1)); } return r; } fn main(n: nat): int { return f(n); }",
    ],
)
def test_contracts_that_somebody_breaks_prove_no_end(text: str) -> None:
    assert Session(load(text)).ending().status != "ends"


@pytest.mark.parametrize(
    "text",
    [
        # The same call again, but after the first has returned.
        "fn f(n: int): int { var r: int := 0; if (n > 0) { r := f(n - 1); r := f(n - 1); } return r; } " + CALLS,
        # It is deep, and it ends: g stands between the calls of f, at a depth at which f was called before.
        "fn f(n: int): int { var r: int := 0; if (n > 0) { r := f(n - 1); } return r; } fn g(n: int): int { return f(n); } "
        "fn main(n: int): int { var r: int := f(300); return g(300); }",
        # What is called depends on a choice.
        "fn f(n: int): int { var m: int; cassign([m], m >= 0); var r: int := 0; if (m > n) { r := f(n); } return r; } " + CALLS,
        "fn f(n: int): int { assume(n < 0); return f(n); } " + CALLS,
    ],
)
def test_calls_that_are_not_made_again_are_not_called_endless(text: str) -> None:
    assert Session(load(text)).ending().status != "never ends"


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
        # A turn fails inside of a helper, which is not proved, when i has come to 10^12.
        "fn f(x: int): int { assert(x != 10^12); return x; } "
        "fn main(n: nat) { var i: int := n; var y: int := 0; while (i > 0) { y := f(i); i := i + 1; } }",
    ],
)
def test_a_run_that_may_end_is_not_called_endless(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first verifier says so alone; the second is asked in tests/audit."""
    monkeypatch.setattr(searching, "second_check_of_staying", lambda *_: SecondCheck.NOT_DECIDED)
    assert Session(load(text)).ending().status != "never ends"


@pytest.mark.parametrize(
    "text",
    [
        # Up and down between two walls, one of which is an input.
        "fn main(x, n: int) { while (0 < x & x < n) { var up: bool; cassign([up], true); "
        "if (up) { x := x + 1; } else { x := x - 1; } } }",
        # What is chosen must be different each time.
        "fn main(x: int) { while (x != 0) { var y: int; cassign([y], y != x & y > -3 & y < 3); x := y; } }",
        # In a helper, and beside what is assumed.
        "fn f(x: int): int { var y: int; cassign([y], y * y < 5); return x + y; } "
        "fn main(x: int) { while (x > 0 & x < 9) { var old_x: int := x; x := f(x); assume(x != old_x); } }",
    ],
)
def test_choices_that_lead_back_to_a_state_are_made_again_and_again(text: str) -> None:
    session = Session(load(text))
    ending = session.ending()
    never = ending.never
    assert never is not None
    assert never.repeats > 0
    told = [list(chosen.values) for chosen in never.choices if not chosen.initial]
    split = len(told) - sum(not chosen.initial for chosen in never.choices[-never.repeats :])
    choices = [*told[:split], *told[split:] * 30]
    run = session.program.run(never.inputs, limits=replace(LONG, rows_max=50), choices=choices)
    assert run.outcome.kind == "bound"
    rows = run.of(never.loop).rows
    assert rows[never.row] == rows[never.again] == rows[2 * never.again - never.row]
    assert "again and again" in str(ending_message(ending, session.program))
    report = ending_report(ending, session.program).run
    assert report is not None
    assert report.repeats == never.repeats


def test_the_second_verifier_confirms_what_turns_keep() -> None:
    """That d is one of its two values is needed here."""
    text = (
        "fn main(n: int) { var x, d: int; x := 0; d := 1; n := 5; while (x <= n) { x := x + d; "
        "if (x = n) { d := -1; n := n + 1; } if (x = 0) { d := 1; } } }"
    )
    ending = Session(load(text)).ending()
    assert ending.never is not None
    assert "d = -1 | d = 1" in ending.never.stays
    assert ending.second_check is SecondCheck.CONFIRMED


def test_what_the_second_verifier_contradicts_is_not_called_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(load("fn main(n: int) { while (n >= 0) { n := n + 1; } }"))
    monkeypatch.setattr(searching, "second_check_of_staying", lambda *_: SecondCheck.NOT_DECIDED)
    assert "rests on one proof" in str(ending_message(session.ending(), session.program))
    monkeypatch.setattr(searching, "second_check_of_staying", lambda *_: SecondCheck.CONTRADICTED)
    assert session.ending().status == "open"


STAYING = (
    "fn main(x: int) { while (x != 0) { x := x - 1; } }",
    "fn main(x, n: int) { pre(n > 2); while (x < n) { if (x % 2 = 0) { x := x - n; } x := x - 1; assert(x < n); } }",
    "fn g(a: int): int { post(result >= a); return a + 1; } fn main(x: int) { while (x > 0) { x := g(x); } }",
    "fn main(n: nat) { var a: int[n + 1]; var i: int := 0; while (i >= 0) { i := i + 1; a[0] := i; } }",
    "fn main(a: int[], i: int) { pre(len(a) = 2 & a[0] > 3); while (i < a[0] | i > 5) { i := i - a[0]; } }",
    "fn main(b: bool, x: int) { while (b | x > 3) { x := x - 1; } }",
    "fn main(x: int) { x := x + 1; while (x > 0) { x := x + 1; } }",
)


@pytest.mark.parametrize("text", STAYING)
def test_the_second_verifier_confirms_that_runs_stay_in_a_loop(text: str) -> None:
    ending = Session(load(text)).ending()
    assert (ending.status, ending.second_check) == ("never ends", SecondCheck.CONFIRMED)
