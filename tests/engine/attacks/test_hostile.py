"""Hostile input gives a verdict or a SipError within bounds, and never a crash."""

from __future__ import annotations

import pytest

from idg.engine.results import Kind, Verdict
from idg.engine.session import Session
from idg.engine.telling.messages import Message
from idg.sip.errors import SipError
from idg.sip.limits import EXPRESSION_LEVELS_MAX
from idg.sip.program import Program, load
from tests.support.programs.known_levels import known_level

DEEP = EXPRESSION_LEVELS_MAX - 6
"""Levels of an expression that is nearly as deep as the language allows, with room for what stands around it."""
COUNTING = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"


def multiply() -> Program:
    level = known_level("multiply")
    return level.program()


def judged(text: str, program: Program | None = None) -> Verdict:
    answer = Session(program or multiply()).propose(text)
    assert isinstance(answer.message, Message)
    assert str(answer)
    assert answer.as_json()
    return answer.result


# Expressions


@pytest.mark.parametrize("text", [
    "res < 2^(2^40)", "2^(n*m) >= 1", "2^2^2^2^2^2 > res", "n^n^n >= 0", "(n+1)^(m^9) > 0", "2^(2^(2^(res^2 + 20))) >= cnt",
])  # fmt: skip
def test_numbers_beyond_the_bounds_refute_nothing(text: str) -> None:
    """They are true. That the runner cannot compute them does not break them."""
    assert judged(text).kind is not Kind.NON_INVARIANT


@pytest.mark.parametrize(("text", "kind"), [
    ("cnt^1000 >= 0", Kind.TAUTOLOGY),
    ("cnt^1000000 >= cnt", None),
    ("res = 2^100000000", None),
    ("cnt^(10^9) = 0 | cnt > 0", None),
    ("ispow(2^5000, 2) & cnt >= 0", None),
    ("gcd(res^400, cnt^300) >= 0", None),
    (f"res < {'9' * 999}", Kind.NON_INVARIANT),
    (f"res > -{'9' * 999}", Kind.INDUCTIVE),
    (f"cnt != {'7' * 500}", None),
])  # fmt: skip
def test_huge_numbers(text: str, kind: Kind | None) -> None:
    answer = judged(text)
    if text.startswith("res < 9"):
        # It is true in every run that can be carried out, and false in longer ones.
        assert answer.kind in (Kind.NON_INVARIANT, Kind.POTENTIAL, Kind.UNKNOWN)
    elif kind is not None:
        assert answer.kind is kind


@pytest.mark.parametrize("text", [
    f"res < {'9' * 1_000_000}", f"res < {'9' * 1_001}", "(" * 1_400 + "res" + ")" * 1_400 + " >= 0", "-" * 5_000 + "res >= 0",
    "+".join(["res"] * 2_000) + " >= 0", " & ".join(f"res != {-number}" for number in range(1, 1_400)), "res >= 0 " * 60_000,
    "res <", "res + 1", "", "res = true", "x = 1", "while", "res >= 0; assert(true)", "old(res) = 0", "result = 1",
    "main(1, 2) = 3", "1 / -x", "ƒ(x)", "\0", "\ud800",
])  # fmt: skip
def test_what_is_no_expression_is_a_sip_error(text: str) -> None:
    session = Session(multiply())
    before = session.books
    with pytest.raises(SipError) as caught:
        session.propose(text)
    assert caught.value.problems
    assert session.books == before


@pytest.mark.parametrize("text", [
    "(" * DEEP + "res" + ")" * DEEP + " >= 0", "+".join(["res"] * DEEP) + " >= 0", "*".join(["(res + 1)"] * (DEEP // 2)) + " >= 0",
    "*".join(["res"] * DEEP) + " >= 0", "-" * DEEP + "res <= 0 | true", " | ".join(f"res = {number} * n" for number in range(DEEP)),
    " -> ".join(f"cnt > {number}" for number in range(DEEP // 3)), "!" * DEEP + "(res = 0)",
    "min(" + ", ".join(f"cnt + {number}" for number in range(500)) + ") >= 0", " <= ".join(["0", *["cnt"] * 400]),
])  # fmt: skip
def test_deep_and_long_expressions_get_a_verdict(text: str) -> None:
    assert judged(text).kind in Kind


@pytest.mark.parametrize("text", [
    "1/0 = 1/0", "res // 0 = 0", "n % 0 = 0", "1/0 = 1 | true", "(-1)^(-cnt) > 0", "n / m >= 0", "n % m >= 0",
    "(-cnt - 1)^res = 1 & false",
])  # fmt: skip
def test_what_has_no_value_does_not_hold(text: str) -> None:
    assert judged(text).kind is Kind.NON_INVARIANT


@pytest.mark.parametrize("text", ["true | 1/0 = 1", "m = 0 | n / m >= 0", "m > 0 -> n % m < m", "false -> 1 // 0 = 1"])
def test_what_is_not_evaluated_does_no_harm(text: str) -> None:
    assert judged(text).kind is Kind.TAUTOLOGY


# Programs


def test_a_run_that_never_ends() -> None:
    program = load("fn main(n: nat) { var i: int; i := 0; while (true) { i := i + 1; } assert(false); }")
    session = Session(program)
    assert session.solved, "the assert is never reached; termination is not included"
    assert session.propose("i >= 0").result.kind is Kind.INDUCTIVE
    assert session.propose("i <= n").result.kind is Kind.NON_INVARIANT
    assert session.propose("i < 10^30").result.kind in (Kind.POTENTIAL, Kind.UNKNOWN)


def test_runs_that_grow_without_end() -> None:
    program = load("fn main(n: nat) { var x: int; x := 2; while (x != n) { x := x * x; } assert(x = n); }")
    session = Session(program)
    assert session.solved
    assert session.propose("x >= 2").result.kind is Kind.INDUCTIVE
    assert session.propose("x < 100").result.kind is Kind.NON_INVARIANT


def test_assert_false_is_never_solved() -> None:
    session = Session(load(COUNTING.replace("i = n)", "false)")))
    for text in ("i <= n", "i >= 0", "i = n | i < n", "false"):
        assert not session.propose(text).result.feedback.solved
    assert not session.solved


def test_false_is_never_an_invariant_of_a_loop_that_is_reached() -> None:
    assert judged("false").kind is Kind.NON_INVARIANT
    assert judged("cnt < 0 & cnt > 0").kind is Kind.NON_INVARIANT


@pytest.mark.parametrize("before", ["pre(false);", "pre(n < 0);", "pre(n > 3 & n < 3);"])
def test_an_impossible_precondition(before: str) -> None:
    session = Session(load(COUNTING.replace("{ var", "{ " + before + " var", 1).replace("i = n)", "i = n + 1)")))
    assert session.solved
    assert session.propose("i = 99").result.kind is Kind.DISPLACED


@pytest.mark.parametrize("around", ["if (n < 0) { LOOP }", "assume(false); LOOP", "if (false) { LOOP } else { }"])
def test_a_loop_that_is_never_reached(around: str) -> None:
    program = load("fn main(n: nat) { var i: int; i := 0; " + around.replace("LOOP", "while (i < n) { i := i + 1; }") + " }")
    session = Session(program)
    assert session.feedback.nothing_to_prove
    assert session.propose("i = 5").result.kind is Kind.DISPLACED
    assert session.propose("n >= 0").result.kind is Kind.TAUTOLOGY


def test_no_parameters() -> None:
    session = Session("fn main() { var i: int; i := 0; while (i < 10) { i := i + 1; } assert(i = 10); }")
    assert session.feedback.to_rule_out is not None
    assert session.propose("i <= 9").result.kind is Kind.NON_INVARIANT
    assert session.propose("i <= 10").result.feedback.solved


def test_no_loop() -> None:
    assert Session("fn main(n: nat) { assert(n >= 0); }").solved
    session = Session("fn main(n: nat) { assert(n > 0); }")
    assert not session.solved
    assert str(session)
    with pytest.raises(LookupError, match="it has no loop"):
        session.propose("n >= 0")
    with pytest.raises(LookupError, match="no loop 2"):
        Session(COUNTING).propose("i >= 0", 2)


def test_an_empty_body_and_an_empty_program() -> None:
    session = Session("fn main(n: nat) { var i: int; i := 0; while (i < n) { } assert(i >= n); }")
    assert session.solved
    assert session.propose("i = 0").result.kind is Kind.DISPLACED
    assert Session("fn main() { }").feedback.nothing_to_prove
    assert Session("fn main() { while (false) { } }").feedback.nothing_to_prove
    assert Session("fn main() { while (false) { } assert(true); }").solved


def many_branches(count: int) -> str:
    branches = "".join(f"if (n > {bound}) {{ i := i + 1; }} else {{ i := i + 2; }} " for bound in range(count))
    return f"fn main(n: nat) {{ var i: int; i := 0; while (i < n) {{ {branches} }} assert(i >= n); }}"


def test_many_branches() -> None:
    assert Session(many_branches(4)).solved
    session = Session(many_branches(20))
    assert not session.solved
    assert "too large" in str(session)
    for text in ("i >= 0", "i >= 0 | n = 7"):
        answer = session.propose(text)
        assert answer.result.kind is Kind.UNKNOWN
        assert "paths" in str(answer)
    assert session.propose("i <= 3").result.kind is Kind.NON_INVARIANT
    batch = session.propose_many(["i >= 0", "i <= 3"])
    assert not batch.feedback.solved


def repeating(statement: str, count: int) -> Session:
    body = statement * count
    return Session(f"fn main(n: nat) {{ var x, i: int; x := n; i := 0; while (i < n) {{ {body} i := i + 1; }} assert(x >= 0); }}")


def test_terms_that_grow() -> None:
    session = repeating("x := x + x; ", 30)
    assert session.propose("x >= 0").result.kind in (Kind.INDUCTIVE, Kind.UNKNOWN)
    session = repeating("x := x * x; ", 40)
    assert session.propose("x >= 0").result.kind in (Kind.INDUCTIVE, Kind.UNKNOWN)
    assert session.propose("x = 0").result.kind is Kind.NON_INVARIANT


def test_a_division_by_zero_in_the_program() -> None:
    program = load("fn main(x: int, n: nat) { var i: int; i := 0; while (i < n) { i := i + 10 // x; } assert(i >= n); }")
    session = Session(program)
    assert not session.solved
    assert session.propose("x != 0").result.kind is Kind.NON_INVARIANT
    obligations = session.engine.explain(session.books).obligations
    assert any(obligation.cause == "zero-divisor" and obligation.status == "refuted" for obligation in obligations)


def test_recursion_without_end() -> None:
    program = load(
        "fn f(x: int): int { post(result = 1); result := f(x); }"
        "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + f(i); } assert(i = n); }"
    )
    session = Session(program)
    assert session.propose("i <= n").result.kind in (Kind.INDUCTIVE, Kind.UNKNOWN, Kind.POTENTIAL)
    assert session.propose("f(i) = 1").result.kind in Kind


def test_a_cassign_without_values() -> None:
    session = Session("fn main(n: nat) { var i: int; i := 0; while (i < n) { cassign([i], i > i); } assert(i = n); }")
    assert session.propose("i <= n").result.kind in (Kind.INDUCTIVE, Kind.DISPLACED)
    assert session.solved


def test_one_expression_that_is_too_large_does_not_spoil_a_batch() -> None:
    session = repeating("x := x * x; ", 5)
    texts = ["x >= 0", "+".join(["x * x"] * 60) + " >= 0", "i >= 0", "i <= 0"]
    batch = session.propose_many(texts)
    assert [kind for _, kind in batch.kinds] == [Kind.INDUCTIVE, Kind.UNKNOWN, Kind.INDUCTIVE, Kind.NON_INVARIANT]
    assert batch.feedback.solved


def test_a_helper_that_never_ends_proves_nothing_about_a_proposal() -> None:
    """Once `f(i) = 0` was called a tautology, because the body of f, taken for a fact, is contradictory."""
    endless = "fn f(k: nat): int { result := f(k) + 1; }\n"
    loops = "fn f(k: nat): int { post(false); while (true) { } return 0; }\n"
    level = "fn main(n: nat) { var i: nat; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"
    for helper in (endless, loops):
        session = Session(helper + level)
        for text in ("f(i) = 0", "i < 1000000 | f(i) = 0"):
            assert session.propose(text).kind not in ("type-tautology", "displaced", "inductive"), text
        assert session.propose("i <= n").kind == "inductive"
