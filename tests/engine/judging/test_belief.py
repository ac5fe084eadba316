"""Nothing is believed before it is proved: contracts and bodies of helpers, the values of calls, claims."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence

import pytest

from idg.engine.books import books_from_json
from idg.engine.engine import Engine
from idg.engine.judging.reliance import reliance, rests_on_no_more
from idg.engine.results import Fact, Kind, Verdict
from idg.engine.session import Session
from idg.engine.telling.messages import message
from idg.engine.verify import verify
from idg.prover.answers import Answer, Proved
from idg.prover.check import refutes
from idg.prover.prove import Effort, Prover
from idg.sip.program import load
from idg.sip.values import Value
from idg.vc.query import Query
from tests.support.volume import volume

COUNT = "fn main(n: nat) { var i: int := 0; while (i < n) { i := i + 1; } assert(i = n); }"
CHAIN = volume(12, 29)
"""Helpers that each speak of the one before, four times. There are 16 million ways even through the shorter chain, and to try all
of them would take hours."""


def judged(helpers: str, *proposals: str, level: str = COUNT) -> list[Verdict]:
    engine = Engine(load(helpers + level))
    books = engine.start()
    verdicts = []
    for text in proposals:
        verdict = engine.propose(books, text)
        books = verdict.books
        verdicts.append(verdict)
    return verdicts


def kinds(helpers: str, *proposals: str, level: str = COUNT) -> list[str]:
    return [str(verdict.kind) for verdict in judged(helpers, *proposals, level=level)]


# helpers are believed only once they are proved

FALSE_POST = "fn f(x: int): int { post(result < 10^12); return x; }\n"


def test_the_false_post_of_a_helper_that_is_never_called_proves_nothing() -> None:
    first, second = judged(FALSE_POST, "f(i) = i & i >= 0", "i < 10^12")
    assert (first.kind, second.kind) == (Kind.UNKNOWN, Kind.POTENTIAL)
    assert first.because == "f is not proved yet: the guarantee in line 1"
    assert "f is not proved yet" in str(message(first, load(FALSE_POST + COUNT)))


def test_a_proved_helper_is_believed() -> None:
    helper = "fn f(x: int): int { post(result >= x); return x + 1; }\n"
    assert kinds(helper, "f(i) > i", "i >= 0 & f(i) = i + 1") == ["type-tautology", "inductive"]


def test_a_helper_that_calls_one_that_is_not_proved_is_not_believed() -> None:
    (verdict,) = judged(FALSE_POST + "fn g(x: int): int { return f(x); }\n", "g(i) = g(i)")
    assert verdict.kind is Kind.UNKNOWN
    assert verdict.because == "g calls f, and f is not proved yet: the guarantee in line 1"


def test_level_code_that_calls_an_unproved_helper_learns_nothing() -> None:
    level = "fn main(n: nat) { var i: int := 0; var y: int := 0; while (i < n) { y := f(i); i := i + 1; } assert(y >= 0); }"
    (verdict,) = judged(FALSE_POST, "y < 10^12", level=level)
    assert verdict.kind is Kind.UNKNOWN  # The run ends in f before it could show a y of 10^12.
    assert "f is not proved yet" in verdict.because


def test_in_its_own_proof_the_contract_is_the_induction_hypothesis() -> None:
    helper = (
        "fn sum(n: nat): int { post(2 * result = n * (n + 1)); if (n = 0) { result := 0; } else { result := n + sum(n - 1); } }\n"
    )
    assert kinds(helper, "i >= 0", "2 * sum(max(i, 0)) = i * (i + 1)") == ["inductive", "displaced"]
    assert [check.status for check in verify(load(helper + COUNT), Prover())][:1] == ["proved"]


def test_a_whole_group_of_mutually_recursive_helpers_is_believed_or_none() -> None:
    helpers = """
fn even(n: nat): bool { post(result = (n % 2 = 0)); if (n = 0) { result := true; } else { result := odd(n - 1); } }
fn odd(n: nat): bool { post(result = (n % 2 = 1)); if (n = 0) { result := false; } else { result := even(n - 1); } }
"""
    assert kinds(helpers, "i >= 0", "even(max(i, 0)) | odd(max(i, 0))") == ["inductive", "type-tautology"]
    wrong = helpers.replace("result := even(n - 1)", "result := even(n - 1) & n < 10^12")
    first, *_ = judged(wrong, "even(max(i, 0)) | !even(max(i, 0))")
    assert first.kind is Kind.UNKNOWN
    assert first.because.startswith("even calls odd, and odd is not proved yet")


# a call has a value only if the callee gives it one


@pytest.mark.parametrize(
    ("helper", "proposal", "because"),
    [
        ("fn inv(x: int): int { return 10 // (x - 10^12); }\n", "inv(i) = inv(i)", "inv is not proved yet: the division in line 1"),
        ("fn g(x: int): nat { return x + 10^12; }\n", "g(i) >= 0", "g is not proved yet: the assignment in line 1"),
        (
            "fn h(x: int): int { var y: int := x; while (y != 10^12) { y := y + 1; } return y; }\n",
            "h(i) = h(i)",
            "it is not known that every call of h ends",
        ),
        (
            "fn r(x: int): int { if (x != 10^12) { result := r(x + 1); } }\n",
            "r(i) = r(i)",
            "it is not known that every call of r ends",
        ),
    ],
)
def test_a_call_without_a_known_value_is_no_tautology(helper: str, proposal: str, because: str) -> None:
    (verdict,) = judged(helper, proposal)
    assert verdict.kind is Kind.UNKNOWN
    assert verdict.because == because


def test_a_call_that_is_not_evaluated_needs_no_value() -> None:
    helper = "fn inv(x: int): int { return 10 // (x - 10^12); }\n"
    assert kinds(helper, "i >= 0", "i >= 0 | inv(i) = 0") == ["inductive", "displaced"]


def test_what_the_program_has_evaluated_has_a_value() -> None:
    helper = "fn twice(x: int): int { var y: int := x; while (y < 2 * x) { y := y + 1; } return y; }\n"
    level = (
        "fn main(n: nat) { var i: int := 0; var y: int := twice(0); while (i < n) { i := i + 1; y := twice(i); } assert(i >= 0); }"
    )
    assert kinds(helper, "y = twice(i)", "twice(i + 1) = twice(i + 1)", level=level) == ["inductive", "unknown"]


# what verdicts rest on (the stories in stories/reliance.md have the rules, one by one)

FALSE_CLAIM = "fn main(n: nat) { var i: int := 0; while (i < n) { claim(i < 10^12); i := i + 1; } assert(i = n); }"


def test_a_false_claim_is_named_in_words_and_in_the_data() -> None:
    session = Session(FALSE_CLAIM)
    answer = session.propose("i <= 10^12")
    place = {"cause": "claim", "where": {"line": 1, "column": 58, "start": 57, "end": 66}, "expression": "i < 10^12"}
    data = answer.as_json()
    assert data["rests_on"] == [place]
    note = "rests on the claim in line 1, 'i < 10^12'"
    assert data["feedback"]["resting"] == [{"loop": 1, "expression": "i <= 10^12", "rests_on": [place], "message": note}]
    assert f"This {note}, which is not proved yet." in str(answer)
    assert f"  i <= 10^12  ({note})" in str(session)
    session.propose("i >= 0")
    assert "\n  i >= 0\n" in str(session)


def test_a_proof_that_needs_no_assumption_names_none() -> None:
    """Asserts that a proof could use, but need not, are not named: here each says the same as the fact."""
    level = "fn main(n: nat) { var i: int := 0; while (i < n) { assert(i < 10^12); assert(i >= 0); i := i + 1; } assert(i = n); }"
    (verdict,) = judged("", "i >= 0", level=level)
    assert verdict.kind is Kind.INDUCTIVE
    assert not verdict.rests_on


def test_what_a_test_says_after_an_assert_rests_on_nothing() -> None:
    level = (
        "fn main(n: nat) { var i, x: int := 0; while (i < n) { assert(i < 10^12); if (i < 10^12) { x := i; } else { x := 0; } "
        "i := i + 1; } assert(i = n); }"
    )
    (verdict,) = judged("", "x < 10^12", level=level)
    assert (verdict.kind, verdict.rests_on) == (Kind.INDUCTIVE, ())


def test_a_batch_of_many_facts_does_not_use_a_false_claim_silently() -> None:
    """Many facts are seen at once to follow from others; what the claim says is left out there."""
    session = Session("fn main(n: nat) { claim(n < 0); var i: int := 0; while (i < n) { i := i + 1; } assert(i = n); }")
    batch = session.propose_many([f"i < 10^12 + {number}" for number in range(10)])
    told = {resting.fact for resting in batch.feedback.resting} | {removal.fact for removal in batch.removed if removal.rests_on}
    assert told == {fact for fact, kind in batch.kinds if kind is Kind.INDUCTIVE}


def test_obligations_say_what_their_proofs_rest_on() -> None:
    session = Session("fn main(n: nat) { var i: int := 0; while (i < n) { i := i + 1; } claim(i < 10^12); assert(i < 10^12 + 1); }")
    claim, final = session.feedback.obligations
    assert (claim.status, final.status) == ("refuted", "proved")
    assert [place.cause for place in final.rests_on] == ["claim"]
    assert "the assert in line 1: proved. This rests on the claim in line 1, 'i < 10^12', which is not proved yet." in str(
        session.explain()
    )
    assert not session.solved


def test_an_assert_and_a_fact_that_prove_each_other_rest_on_nothing() -> None:
    """The fact is assumed in the proof of the assert, and the assert in that of the fact. That is sound: see ARCHITECTURE.md."""
    session = Session(
        "fn main(n: nat) { var i, x: int := 0; while (i < n) { x := x + i; assert(x >= 0); x := 2 * x; i := i + 1; } "
        "assert(x >= 0); }"
    )
    assert session.propose("x >= 0 & i >= 0").result.rests_on == ()
    assert session.solved


def test_what_rests_on_a_proved_assert_rests_on_what_that_rests_on() -> None:
    level = (
        "fn main(n: nat) { var i: int := 0; while (i < n) { claim(i < 10^12); assert(i < 10^12 + 5); i := i + 1; } assert(i = n); }"
    )
    (verdict,) = judged("", "i <= 10^12 + 5", level=level)
    assert [place.cause for place in verdict.rests_on] == ["claim"]


def test_checks_of_stated_invariants_say_what_they_rest_on() -> None:
    program = load(
        "fn main(n: nat) { var i: int := 0; while [i >= 0 & i <= 10^12] (i < n) { claim(i < 10^12); i := i + 1; } "
        "assert(i <= 10^12 + 5); }"
    )
    rests_on = {(check.what, check.text): [place.cause for place in check.rests_on] for check in verify(program, Prover())}
    assert rests_on == {
        ("entry", "i >= 0"): [],
        ("step", "i >= 0"): [],
        ("entry", "i <= 10^12"): [],
        ("step", "i <= 10^12"): ["claim"],
        ("claim", "i < 10^12"): [],
        ("assert", "i <= 10^12 + 5"): ["claim"],
    }


def test_an_implication_that_rests_on_no_more_is_found() -> None:
    """The second fact implies the first one, but rests on another claim. What the first one rests on implies it, too."""
    text = "fn main(n: int) { claim(n >= 0); claim(n >= 5); var i: int := 0; while (i < 9) { i := i + 1; } assert(i >= 9); }"
    inquiry = Engine(load(text)).inquiry
    facts = weak, strong = Fact(1, "n >= 0"), Fact(1, "n >= 5")
    for fact, other in ((weak, strong), (strong, weak)):
        implied = rests_on_no_more(inquiry, facts, [other], fact)
        assert implied is not None
        by, rests_on = implied
        assert not by
        assert [inquiry.program.quoted(requirement.span) for requirement in rests_on] == [fact.text]


def test_a_fact_whose_proof_is_not_found_again_rests_on_all_that_its_conditions_assume() -> None:
    """It may use any of that, so nothing less is said of it."""
    text = "fn main(n: int) { claim(n >= 0); var i: int := 0; while (i < 9) { i := i + 1; } assert(i >= 9); }"
    inquiry = Engine(load(text)).inquiry
    fact = Fact(1, "i != 7")
    rests_on = reliance(inquiry, [fact]).of([fact])
    assert [inquiry.program.quoted(requirement.span) for requirement in rests_on] == ["n >= 0"]


def test_what_is_proved_is_not_called_an_assumption() -> None:
    session = Session(
        "fn main(n: nat) { var i: int := 0; while (i < n) { assert(i >= -1); claim(i < 10^12); i := i + 1; } assert(i = n); }"
    )
    session.propose("i >= 0")
    assert {place.cause for place in reliance(session.engine.inquiry, session.inductive).assumed} == {"claim"}


def test_a_fact_that_uses_the_proved_post_of_its_own_function_rests_on_nothing() -> None:
    """No proof of the fact does without what the call promises, and the fact proves the promise."""
    session = Session(
        "fn f(n: nat): nat { post(result <= n); var i, y: int := 0; if (n > 0) { y := f(n - 1); } "
        "while (i < n) { i := i + 1; if (y > 0) { y := y - 1; } } return y; }\n"
        "fn main(n: nat) { var i: int := 0; while (i < n) { i := i + 1; } assert(i = n); }"
    )
    weaker = session.propose("y <= n | i > 10^12", 2).result
    assert [place.cause for place in weaker.rests_on] == ["post"]
    verdict = session.propose("0 <= y & y <= n", 2).result
    assert (verdict.kind, verdict.rests_on) == (Kind.INDUCTIVE, ())
    assert not verdict.feedback.resting


class RecordingProver(Prover):
    """A prover that keeps the queries that it has proved."""

    def __init__(self) -> None:
        super().__init__()
        self.proved: list[Query] = []

    def prove(self, query: Query, effort: Effort | None = None, known_states: Sequence[Mapping[str, Value]] = ()) -> Answer:
        answer = super().prove(query, effort, known_states)
        if isinstance(answer, Proved):
            self.proved.append(query)
        return answer


@pytest.mark.parametrize(
    ("check", "value"),
    [
        ("assert(k >= 0);", "f(k)"),
        ("claim(k >= 0);", "f(k)"),
        ("", "f(k)"),
        ("assert(k != 0);", "k // k"),
        ("assert(k >= 0);", "2^k"),
    ],
)
def test_what_says_that_there_is_a_value_stays_in_every_query(check: str, value: str) -> None:
    """An assert that says what the next expression needs was left out of lean proofs, which then spoke of no value at all."""
    level = (
        f"fn main(n: nat, k: int) {{ var i, y: int := 0; while (i < n) {{ {check} y := {value}; i := i + 1; }} assert(i = n); }}"
    )
    prover = RecordingProver()
    engine = Engine(load(f"fn f(x: nat): nat {{ return x + 1; }}\n{level}"), prover)
    verdict = engine.propose(engine.start(), "y >= 0")
    assert verdict.kind is Kind.INDUCTIVE
    assert prover.proved
    for query in prover.proved:
        for values in itertools.product((-1, 0, 1), repeat=len(query.variables)):
            assert not refutes(query, dict(zip(query.variables, values, strict=True))), query


def test_a_level_that_is_too_large_does_not_hide_what_a_helpers_fact_rests_on() -> None:
    branches = "".join(f"if (n > {number}) {{ x := x + 1; }} " for number in range(8))
    helper = "fn h(n: nat): int { var i: int := 0; while (i < n) { assert(i < 10^12); i := i + 1; } return i; }\n"
    engine = Engine(
        load(f"{helper}fn main(n: nat) {{ var x: int := 0; {branches}while (x > 0) {{ x := x - 1; }} assert(x = 0); }}")
    )
    verdict = engine.propose(engine.start(), "i <= 10^12", 2)
    assert verdict.feedback.too_large
    assert (verdict.kind, [place.cause for place in verdict.rests_on]) == (Kind.INDUCTIVE, ["assert"])


# what is unknown is not called potential


def test_an_unknown_fact_has_a_list_of_its_own_and_is_judged_anew_when_it_is_proposed_again() -> None:
    engine = Engine(load(FALSE_POST + COUNT))
    verdict = engine.propose(engine.start(), "f(i) = i & i >= 0")
    (books,) = verdict.books.loops
    assert (verdict.kind, books.potential, books.unknown) == (Kind.UNKNOWN, (), ("f(i) = i & i >= 0",))
    again = engine.propose(verdict.books, "f(i) = i & i >= 0")
    assert (again.kind, again.books.loops) == (Kind.UNKNOWN, verdict.books.loops)
    batch = engine.propose_many(verdict.books, [(1, "f(i) = i & i >= 0"), (1, "i >= 0")])
    assert [kind for _, kind in batch.kinds] == [Kind.UNKNOWN, Kind.INDUCTIVE]
    assert (batch.books.loops[0].potential, batch.books.loops[0].unknown) == ((), ("f(i) = i & i >= 0",))


def test_an_unknown_fact_that_is_refuted_later_leaves_its_list() -> None:
    """Here the books are of a weaker engine, which found no run against the fact."""
    engine = Engine(load(COUNT))
    books = engine.start().with_loop(1, unknown=("i < 3",))
    verdict = engine.propose(books, "i < 3")
    assert (verdict.kind, verdict.books.loops[0].unknown) == (Kind.NON_INVARIANT, ())
    assert verdict.feedback.to_rule_out is not None


def test_an_unknown_fact_is_promoted_when_others_arrive() -> None:
    engine = Engine(load(COUNT))
    books = engine.start().with_loop(1, unknown=("i >= 0",))
    verdict = engine.propose(books, "i <= n")
    assert [fact.text for fact in verdict.promoted] == ["i <= n", "i >= 0"]
    assert verdict.books.loops[0].unknown == ()


def test_books_without_a_list_of_unknown_facts_can_be_read() -> None:
    books = Engine(load(COUNT)).start()
    assert "unknown" not in json.dumps(books.as_json())
    assert books_from_json(json.loads(json.dumps(books.as_json()))) == books
    told = books.with_loop(1, unknown=("i >= 0",))
    assert books_from_json(json.loads(json.dumps(told.as_json()))) == told


# bounded work


def test_natural_recursive_contracts() -> None:
    factorial = """
fn fact(n: nat): int { post(n = 0 | result = n * fact(n - 1)); if (n = 0) { result := 1; } else { result := n * fact(n - 1); } }
fn main(n: nat): int { post(result = fact(n)); var i: nat := 0; var p: int := 1;
  while (i < n) { i := i + 1; p := p * i; } return p; }
"""
    session = Session(factorial)
    assert session.propose("p = fact(i)").kind == "inductive"
    session.propose("i <= n")
    assert session.solved


def test_a_pre_that_speaks_of_its_own_function_is_bounded() -> None:
    helper = "fn f(n: nat): int { pre(n = 0 | f(n - 1) >= 0); return n; }\n"
    (verdict,) = judged(helper, "f(max(i, 0)) >= 0")
    assert verdict.kind is Kind.UNKNOWN


@pytest.mark.parametrize("second", ["x", "x + 1"])
def test_helpers_that_each_call_the_one_before_twice(second: str) -> None:
    chain = "fn f0(x: int): int { post(result = x); return x; }\n" + "".join(
        f"fn f{index}(x: int): int {{ return f{index - 1}(x) + f{index - 1}({second}); }}\n" for index in range(1, 25)
    )
    level = "fn main(n: nat) { var i: int := 0; while (i < n) { i := f0(i) + 1; assert(f24(i) = f24(i)); } assert(i >= 0); }"
    engine = Engine(load(chain + level))
    assert engine.propose(engine.start(), "i >= 0").kind is Kind.INDUCTIVE
    assert engine.propose(engine.start(), "f24(i) >= i").kind in (Kind.UNKNOWN, Kind.POTENTIAL, Kind.NON_INVARIANT)


def test_a_long_chain_of_contracts_is_bounded() -> None:
    chain = "fn f0(x: int): int { return x; }\n" + "".join(
        "fn fA(x: int): int { pre(fB(x) = fB(x)); post(fB(x) = fB(x)); return x; }\n".replace("A", str(index)).replace(
            "B", str(index - 1)
        )
        for index in range(1, CHAIN + 1)
    )
    assert len(judged(chain, f"f{CHAIN}(i) = i")) == 1
