"""Facts about loops of helpers: who may rely on them, and what stays known when facts go. stories/helpers.md tells whole games."""

from __future__ import annotations

from idg.agents import Agent, LocalEngine
from idg.audit import CONFIRMED, audit
from idg.engine.engine import Engine
from idg.engine.inquiry import Inquiry
from idg.engine.judging.promote import Promotion, remove_displaced
from idg.engine.results import Fact, Kind, inductive_facts
from idg.engine.session import Session
from idg.engine.telling.messages import feedback_message
from idg.prover.prove import Prover
from idg.sip.program import load

DOUBLE = """fn double(x: nat): nat { post(result = 2 * x); var y, k: nat := 0; while (k < x) { k := k + 1; y := y + 2; } return y; }
"""
MAIN = "fn main(n: nat) { var i, s: nat := 0; while (i < n) { i := i + 1; s := s + double(i); } assert(s = n * (n + 1)); }"
ABOUT_DOUBLE = (Fact(2, "y = 2 * k"), Fact(2, "k <= x"))


def trusted(text: str, *proved: Fact) -> frozenset[str]:
    return Inquiry(load(text), Prover()).beliefs(proved).helpers.trusted


def test_a_helper_is_believed_once_the_facts_of_its_loops_prove_it() -> None:
    assert trusted(DOUBLE + MAIN) == frozenset()
    assert trusted(DOUBLE + MAIN, *ABOUT_DOUBLE[:1]) == frozenset()
    assert trusted(DOUBLE + MAIN, *ABOUT_DOUBLE) == {"double"}


def test_candidates_never_make_a_helper_believed() -> None:
    """`y < 10^12` at loop 2 would prove the false post. No run refutes it, but it is only a candidate, so nothing follows."""
    text = """fn same(x: nat): nat { post(result < 10^12); var y: nat := 0; while (y < x) { y := y + 1; } return y; }
    fn main(n: nat) { var i, s: nat := 0; s := same(n); while (i < n) { i := i + 1; } assert(s < 10^12); }"""
    engine = Engine(load(text))
    batch = engine.propose_many(engine.start(), [(2, "y < 10^12"), (1, "s < 10^12"), (2, "y <= x")], search=False)
    assert list(inductive_facts(batch.books)) == [Fact(2, "y <= x")]
    books = engine.start()
    for loop, fact in ((2, "y < 10^12"), (1, "s < 10^12")):
        verdict = engine.propose(books, fact, loop)
        assert verdict.kind is not Kind.INDUCTIVE
        books = verdict.books
    assert not engine.feedback(books)[0].solved


CALLER = """fn own(x: nat): nat { post(result = x); var y: nat := 0; while (y < x) { y := y + 1; } return y; }
fn caller(x: nat): nat { post(result = x); return own(x); }
fn main(n: nat) { var i: nat := 0; while (i < n) { i := i + 1; } assert(caller(n) = i); }"""


def test_a_helper_is_not_proved_by_one_that_calls_it() -> None:
    """Once both are proved, a fact at the loop of `own` could be proved by `caller`, and then displace what proves `own`."""
    inquiry = Inquiry(load(CALLER), Prover())
    proved = (Fact(2, "y <= x"),)
    assert inquiry.beliefs(proved).helpers.trusted == {"own", "caller"}
    assert inquiry.helpers("own", proved).trusted == {"own"}
    assert inquiry.helpers("main", proved).trusted == {"own", "caller", "main"}
    session = Session(CALLER)
    session.propose("y <= x", 2)
    answer = session.propose("caller(x) = x", 2)
    assert (answer.kind, answer.result.because) == ("unknown", "it is not known that every call of caller ends")


def test_facts_that_prove_a_helper_stay() -> None:
    """Redundant facts go, also at a helper's loop, but never so many that the helper is no longer proved."""
    program = load(DOUBLE + MAIN)
    inquiry = Inquiry(program, Prover())
    weaker, level = Fact(2, "k <= x + 1"), Fact(1, "s = i * (i + 1)")
    kept, removed = remove_displaced(inquiry, (*ABOUT_DOUBLE, weaker, level), Promotion((), (), ()))
    assert kept == (*ABOUT_DOUBLE, level)
    assert [removal.fact for removal in removed] == [weaker]
    # Whatever the prover says of single facts: what a helper needs comes back.
    asked = inquiry.implied

    def forgetful(analysis, loop, expr):  # type: ignore[no-untyped-def]
        return asked(analysis, loop, program.proposal("k = k", 2)) if loop == 2 else asked(analysis, loop, expr)

    inquiry.implied = forgetful  # type: ignore[method-assign]
    kept, removed = remove_displaced(inquiry, (*ABOUT_DOUBLE, level), Promotion((), (), ()))
    assert kept == (*ABOUT_DOUBLE, level)
    assert not removed


def test_an_unknown_fact_says_which_helper_is_not_proved() -> None:
    session = Session(DOUBLE + MAIN)
    answer = session.propose("s = i * (i + 1)")
    assert (answer.kind, answer.result.because) == ("unknown", "double is not proved yet: the guarantee in line 1")


def test_runs_of_a_helper_alone_are_told_as_such() -> None:
    session = Session(DOUBLE + MAIN)
    answer = session.propose("x < 1000", 2)
    assert answer.result.refutation is not None
    assert answer.result.refutation.function == "double"
    assert session.program.repeat(answer.result.refutation.start).of(2).evaluate("x < 1000").failing
    assert "called with x = 1000, double makes it false" in str(answer)
    assert answer.as_json()["run"]["function"] == "double"
    wrong = Session((DOUBLE + MAIN).replace("result = 2 * x", "result = 2 * x & x < 200"))
    failing = wrong.feedback.failing
    assert failing is not None
    assert failing.function == "double"
    assert wrong.program.repeat(failing.start).outcome.cause == "post"
    assert "double does not keep its promise: called with" in str(feedback_message(wrong.feedback, wrong.program))


def test_the_agent_plays_the_helpers_first() -> None:
    program = load(DOUBLE + MAIN)
    result = Agent(LocalEngine(program)).play()
    assert result.outcome == "solved"
    facts = [(number, text) for number, texts in enumerate(result.invariants, 1) for text in texts]
    assert {number for number, _ in facts} == {1, 2}
    assert audit(program, facts).answer == CONFIRMED


def test_a_helper_that_fails_alone_leaves_the_program_open() -> None:
    """No run of the program calls it so, so the program is not refuted; but it cannot be proved."""
    text = """fn small(x: nat): nat { post(result < 5); var y: nat := 0; while (y < x) { y := y + 1; } return y; }
    fn main(n: nat) { var i: nat := 0; while (i < n) { i := i + 1; } assert(small(3) < 5 & i = n); }"""
    engine = LocalEngine(load(text))
    assert Agent(engine, fuel_max=2_000).play().outcome == "open"
    failing = engine.look_again().failing
    assert failing is not None
    assert failing.function == "small"


def test_the_second_verifier_runs_a_helper_alone() -> None:
    program = load(DOUBLE + MAIN)
    result = audit(program, [(2, "x < 500")])
    assert result.run is not None
    assert result.run.start.function == "double"
    assert program.repeat(result.run.start).of(2).evaluate("x < 500").failing
