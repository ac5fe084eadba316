"""The engine's data and its session: books as JSON, evidence that can be checked, feedback, questions on demand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import idg
from idg.engine.books import Books, LoopBooks, books_from_json
from idg.engine.engine import Engine
from idg.engine.judging.promote import implied_by
from idg.engine.results import Fact, Kind, inductive_facts, potential_facts
from idg.engine.session import Session
from idg.sip.program import Program, load
from idg.sip.values import scalar
from tests.support.programs.known_levels import known_level

DOCS = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")


def program(name: str) -> Program:
    level = known_level(name)
    return level.program()


def session(name: str, *texts: str) -> Session:
    played = Session(program(name))
    for text in texts:
        played.propose(text)
    return played


# The books


def test_books_are_json_and_back() -> None:
    played = session("half-the-cake", "left > 0", "eaten <= 1", "i <= n", "left * 2^i = 1")
    text = json.dumps(played.books.as_json())
    back = books_from_json(json.loads(text))
    assert back == played.books
    assert json.dumps(back.as_json()) == text
    assert played.books.shown
    assert session("light-switch").books.as_json()["shown"][0]["state"]["on"] in ("true", "false")


def test_books_of_another_version_are_refused() -> None:
    with pytest.raises(ValueError, match="version 99"):
        books_from_json({**Books((LoopBooks(),)).as_json(), "version": 99})


def test_any_engine_takes_over_from_the_books_alone() -> None:
    texts = ["odd >= 1", "sqr = (cnt+1)^2", "odd = 2*cnt+1", "cnt^2 <= n"]
    engine = Engine(program("int-square-root"))
    books = engine.start()
    for text in texts:
        continued = engine.propose(books, text)
        taken_over = Engine(program("int-square-root")).propose(books_from_json(books.as_json()), text)
        assert (continued.kind, continued.promoted, continued.removed, continued.books) == (
            taken_over.kind,
            taken_over.promoted,
            taken_over.removed,
            taken_over.books,
        )
        assert continued.feedback == taken_over.feedback
        books = continued.books
    assert continued.feedback.solved


def test_a_proposal_leaves_the_books_that_it_was_given_alone() -> None:
    engine = Engine(program("multiply"))
    books = engine.start()
    before = books.as_json()
    assert engine.propose(books, "cnt <= m").books != books
    assert books.as_json() == before


def test_refused_kinds_leave_the_lists_as_they_are() -> None:
    played = session("multiply", "cnt <= m", "res <= n * m")
    for text in ("cnt <= 7", "n >= 0", "cnt <= m + 1", "n * m >= res"):
        before = played.books.loops
        played.propose(text)
        assert played.books.loops == before, text


# Evidence


@pytest.mark.parametrize(("name", "text"), [
    ("multiply", "cnt <= 7"), ("multiply", "res < 1000"), ("int-square-root", "cnt <= 3"), ("closing-in", "hi < 50"),
    ("handfuls", "take <= 2"), ("half-the-cake", "left > 1/1000"), ("two-stacks", "left <= old(left)"),
    ("rain-barrel", "barrel < 777"),
])  # fmt: skip
def test_a_refutation_is_a_run(name: str, text: str) -> None:
    answer = session(name).propose(text).result
    assert answer.kind is Kind.NON_INVARIANT
    refutation = answer.refutation
    assert refutation is not None
    run = program(name).run(refutation.inputs, seed=refutation.seed)
    assert run.evaluate(text).failing[0] == refutation.row
    assert tuple(run.trace.rows[: refutation.row + 1]) == refutation.rows
    assert run.trace.columns == refutation.columns


@pytest.mark.parametrize(("text", "inputs", "row"), [
    ("n = 6", {"n": 0, "m": 0}, 0), ("cnt <= 7", {"n": 0, "m": 8}, 8), ("res <= 3", None, 1),
])  # fmt: skip
def test_the_refuting_run_is_short(text: str, inputs: dict[str, int] | None, row: int) -> None:
    refutation = session("multiply").propose(text).result.refutation
    assert refutation is not None
    assert refutation.row == row
    assert inputs is None or refutation.inputs == inputs


def test_a_literal_far_away_is_refuted_too() -> None:
    for text in ("cnt <= 777", "cnt != 1234", "n != 54321 | cnt = 0"):
        assert session("multiply").propose(text).result.kind is Kind.NON_INVARIANT, text


@pytest.mark.parametrize("name", ["m", "n_0"])
def test_inputs_that_a_solver_finds_refute_whatever_the_variables_are_called(name: str) -> None:
    """Only n = 100007 refutes it, and no run starts from there. The engine once took n_0 for the name of n's entry value."""
    loop = f"while (n < {name}) {{ n := n + 1; }} assert(n >= {name});"
    engine = Engine(load(f"fn main(n: int) {{ var {name}: int; {name} := 3 * n; n := 0; {loop} }}"))
    result = engine.propose(engine.start(), f"{name} != 300021")
    assert result.kind is Kind.NON_INVARIANT
    assert result.refutation is not None
    assert result.refutation.inputs == {"n": 100007}


def test_a_transition_breaks_the_proposal_and_nothing_else() -> None:
    played = session("int-square-root", "odd >= 1")
    transition = played.propose("sqr = (cnt+1)^2").result.transition
    assert transition is not None
    before, after = ({name: scalar(value) for name, value in state.items()} for state in (transition.before, transition.after))
    assert before["odd"] >= 1
    assert before["sqr"] == (before["cnt"] + 1) ** 2
    assert before["sqr"] <= before["n"]
    assert after["sqr"] == before["sqr"] + before["odd"] + 2
    assert after["sqr"] != (after["cnt"] + 1) ** 2
    assert "One turn" in str(played.why("sqr = (cnt+1)^2"))


def test_what_is_removed_is_implied_by_what_is_said() -> None:
    played = session("int-square-root", "odd >= 1", "cnt >= 0", "odd % 2 = 1", "sqr = (cnt+1)^2", "sqr >= odd")
    result = played.propose("odd = cnt*2+1").result
    assert len(result.removed) == 3
    for removal in result.removed:
        assert removal.fact not in removal.by
        assert implied_by(played.engine.inquiry, removal.by, removal.fact) is not None
        for left_out in removal.by:
            fewer = [fact for fact in removal.by if fact != left_out]
            assert implied_by(played.engine.inquiry, fewer, removal.fact) is None, "not minimal"


def test_old_values_are_part_of_a_state() -> None:
    """Without them the engine once showed the state left = 0, right = 0, which every player has seen in a run."""
    shown = session("two-stacks").feedback.to_rule_out
    assert shown is not None
    assert set(shown.state) == {"left", "right", "old(left)", "old(right)"}
    state = {name: scalar(value) for name, value in shown.state.items()}
    assert max(state["left"], state["right"]) != (state["old(left)"] + state["old(right)"] + 1) // 2


def test_a_number_too_large_to_be_computed_refutes_nothing() -> None:
    assert session("multiply").propose("2^(n*m) >= 1").result.kind is not Kind.NON_INVARIANT


def test_a_wrong_given_invariant_is_not_solved() -> None:
    assert not Session("fn main(n: nat) { var i: int; i := 0; while [i = 7] (i < n) { i := i + 1; } assert(true); }").solved


def test_a_run_refutes_even_where_the_program_is_too_large() -> None:
    branches = "".join(f"if (n > {bound}) {{ i := i + 1; }} else {{ i := i + 2; }} " for bound in range(9))
    played = Session(f"fn main(n: nat) {{ var i: int; i := 0; while (i < n) {{ {branches} }} assert(i >= n); }}")
    assert played.propose("i <= 3").result.kind is Kind.NON_INVARIANT


# Solved


def test_solved_includes_every_obligation() -> None:
    """The guarantee holds, but the divisor, the narrowing, the callee's pre and the assert inside need facts of their own."""
    text = """fn f(x: int): int { pre(x >= 0); return x + 1; }
    fn main(n: nat) {
      var i: int;
      var k: nat;
      i := 0;
      while (i < n) {
        STATEMENT
        i := i + 1;
      }
      assert(true);
    }"""
    statements = {
        "zero-divisor": "print(10 // (i + 1));", "narrowing": "k := i;", "callee-pre": "k := f(i);", "assert": "assert(i >= 0);",
        "negative-exponent": "print(2^i);", "claim": "claim(i != -3);",
    }  # fmt: skip
    for cause, statement in statements.items():
        played = Session(text.replace("STATEMENT", statement))
        assert not played.solved, cause
        assert {obligation.cause for obligation in played.feedback.obligations if obligation.status != "proved"} == {cause}
        shown = played.feedback.to_rule_out
        assert shown is not None
        assert (shown.cause, shown.inside) == (cause, True)
        assert played.propose("i >= 0").result.feedback.solved, cause


def test_solved_includes_the_helpers() -> None:
    helper = "fn f(x: int): int { post(result > x); return x; } "
    played = Session(helper + "fn main(n: nat) { var i: int; i := f(0); while (i < n) { i := i + 1; } }")
    assert not played.solved
    assert [(obligation.cause, obligation.status, obligation.function) for obligation in played.feedback.obligations] == [
        ("post", "refuted", "f")
    ]


def test_explain_names_what_each_proof_uses() -> None:
    played = session("int-square-root", "odd = 2*cnt+1", "sqr = (cnt+1)^2", "cnt^2 <= n")
    assert played.solved
    [post] = played.engine.explain(played.books).obligations
    assert {fact.text for fact in post.uses} == {"sqr = (cnt + 1)^2", "cnt^2 <= n"}
    assert "'cnt^2 <= n'" in str(played.explain())


def test_what_is_proved_with_potential_ones_says_so() -> None:
    played = session("int-square-root", "sqr = (cnt+1)^2", "cnt^2 <= n")
    assert not played.solved
    assert played.feedback.potential_suffices
    assert [fact.text for fact in played.feedback.waits_for] == ["sqr = (cnt + 1)^2", "cnt^2 <= n"]
    shown = played.feedback.to_rule_out
    assert shown is not None, "what the proved facts alone allow is still offered"
    assert shown.proved_only
    assert "What is missing?\nWhat is proved so far allows this state" in str(played)


def test_another_state_is_another_until_there_is_none() -> None:
    played = session("int-square-root")
    seen = []
    for _ in range(6):
        shown = played.feedback.to_rule_out
        assert shown is not None
        assert not played.feedback.no_other
        assert shown.state not in seen
        seen.append(shown.state)
        played.another_state()
    played = Session("fn main(b: bool) { var c, d: bool; c := b; d := b; while (c) { c := false; d := false; } assert(!d); }")
    states = []
    while not played.feedback.no_other and played.feedback.to_rule_out is not None:
        states.append(tuple(played.feedback.to_rule_out.state.items()))
        message = str(played.another_state())
        assert len(states) <= 2, "c is false and d is true in only two states"
    assert len(set(states)) == len(states) == 2
    assert "No other state was found." in message


# Many at once


def test_a_batch_of_true_and_false_ones() -> None:
    texts = [f"cnt >= {-number}" for number in range(12)] + [f"cnt <= {number}" for number in range(12)]
    texts += ["odd = 2*cnt+1", "sqr = (cnt+1)^2", "cnt^2 <= n"]
    one_by_one, together = session("int-square-root", *texts), session("int-square-root")
    batch = together.propose_many(texts)
    assert batch.feedback.solved
    assert set(together.inductive) == set(one_by_one.inductive)
    kinds = {fact.text: kind for fact, kind in batch.kinds}
    assert all(kinds[f"cnt <= {number}"] is Kind.NON_INVARIANT for number in range(12))
    assert list(kinds) == [fact.text for fact, _ in batch.kinds]
    assert potential_facts(batch.books) == ()


def test_a_batch_with_a_wrong_text_changes_nothing() -> None:
    played = session("multiply")
    before = played.books
    with pytest.raises(idg.SipError):
        played.propose_many(["cnt <= m", "cnt <="])
    assert played.books == before


def test_an_empty_batch_and_one_with_copies() -> None:
    played = session("multiply")
    assert played.propose_many([]).kinds == ()
    assert played.propose_many(["cnt <= m", "cnt<=m", "(cnt <= m)"]).kinds == ((Fact(1, "cnt <= m"), Kind.INDUCTIVE),)
    assert inductive_facts(played.books) == (Fact(1, "cnt <= m"),)


# Messages and documents


def test_every_answer_reads_well() -> None:
    played = session("int-square-root")
    texts = ("odd >= 1", "odd >= 0", "n >= 0", "sqr = (cnt+1)^2", "(cnt+1)^2 = sqr", "cnt <= 3", "odd = 2*cnt+1", "cnt^2 <= n")
    for text in texts:
        answer = played.propose(text)
        assert answer.message.headline.endswith((".", ":"))
        assert "'" in answer.message.headline
        assert not re.search(r"Fact\(|Fraction|None|Kind", str(answer)), str(answer)
        assert answer.kind in repr(answer)
        assert answer._repr_html_().startswith("<")
    assert "Solved" in str(played)
    assert [verdict.fact.text for verdict in played.history][:2] == ["odd >= 1", "odd >= 0"]


def test_the_engine_page_has_a_heading_for_every_kind() -> None:
    headings = re.findall(r"^### (.*)$", DOCS, re.MULTILINE)
    assert [heading for heading in headings if heading in {str(kind) for kind in Kind}] == [str(kind) for kind in Kind]


def test_the_engine_page_names_every_field() -> None:
    answer = session("int-square-root").propose("cnt <= 3").as_json()
    for name in (*answer, *Books((LoopBooks(),)).as_json()):
        assert f"`{name}`" in DOCS, name


@pytest.mark.parametrize("guard", ["assert", "assume"])
def test_a_state_in_which_a_call_has_no_value_is_not_shown(guard: str) -> None:
    source = (
        f"fn f(x: int): int {{ {guard}(x > 0); return x; }}"
        " fn main(n: int): int { post(result <= 5); var i, y: int; y := f(n); i := 0; while (i < 5) { i := i + 1; } return i; }"
    )
    engine = Engine(load(source))
    feedback, books = engine.feedback(engine.start())
    assert not feedback.solved
    engine.propose(books, "y <= 3")


def test_the_run_that_fails_is_told_with_its_seed() -> None:
    program = load(
        "fn main(n: nat) { var c, i: int; cassign([c], 0 <= c & c <= 9); i := 0; while (i < n) { i := i + 1; } assert(c != 5); }"
    )
    engine = Engine(program)
    failing = engine.feedback(engine.start())[0].failing
    assert failing is not None
    assert program.run(failing.inputs, seed=failing.seed).outcome.kind == "failed"
