"""The board, which says what carries what: it agrees with the verdicts, its proofs hold alone, and its states are checked."""

from __future__ import annotations

import logging

import pytest

from idg.engine.engine import Engine
from idg.engine.inquiry import Inquiry
from idg.engine.judging.belief import obligation_query
from idg.engine.results import Board, Fact, GoalPart, inductive_facts, waiting_facts
from idg.engine.session import Session
from idg.levels import Level, all_levels
from idg.prover.answers import Proved
from idg.prover.prove import Prover
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.trees.split import promised, split, turned
from idg.vc.query import Requirement
from tests.support.programs.known_levels import known_level

LEVELS = pytest.mark.parametrize("level", all_levels(), ids=lambda level: level.id)


def texts(facts: tuple[Fact, ...]) -> list[str]:
    return [fact.text for fact in facts]


def part_of(board: Board, text: str) -> GoalPart:
    return next(part for part in board.parts if part.text == text)


def proves(program: Program, part: GoalPart, facts: tuple[Fact, ...]) -> bool:
    """Whether these facts alone prove the part, asked of a new prover about the program in which the part leads."""
    home = next((one.turn for one in promised(program) if (one.cause, one.expr.span) == (part.cause, part.span)), 0)
    inquiry = Inquiry(turned(program, home), Prover())
    function = part.function or program.level.name
    analysis = inquiry.analysis(function, facts, facts)
    mine = [one for one in analysis.obligations if one.requirement == Requirement(part.cause, part.span)]
    return isinstance(inquiry.check([obligation_query(analysis, one) for one in mine]).answer, Proved)


@LEVELS
def test_the_board_of_each_level_agrees_with_its_verdicts(level: Level, caplog: pytest.LogCaptureFixture) -> None:
    """After each fact of the solution: solved means that all parts are proved, and every proof and every state holds."""
    session = Session(level.source)
    program = session.program
    for fact in (None, *level.solution):
        if fact is not None:
            session.propose(fact.expr, fact.loop)
        board = session.board()
        assert session.solved == all(part.status == "proved" for part in board.parts)
        assert board.parts
        assert [part.number for part in board.parts] == list(range(1, len(board.parts) + 1))
        inductive, waiting = inductive_facts(session.books), waiting_facts(session.books)
        assert tuple(proved.fact for proved in board.proved) == inductive
        assert tuple(one.fact for one in board.waiting) == waiting
        for part in board.parts:
            assert set(part.uses) <= set(inductive)
            assert set(part.waits_for) <= set(waiting)
            if part.status == "proved":
                assert proves(program, part, part.uses)
                assert not any(proves(program, part, tuple(set(part.uses) - {one})) for one in part.uses), part
            elif part.status == "waits":
                assert part.waits_for
                assert proves(program, part, (*part.uses, *part.waits_for))
                assert not proves(program, part, inductive)
            else:
                shown = part.to_rule_out
                assert part.status == "open", "every state of a level can be found"
                assert shown is not None
                assert (shown.cause, shown.span) == (part.cause, part.span)
                row = tuple(shown.state.values())
                runs = session.engine.inquiry.runs_at(shown.loop)
                assert row not in runs.states[shown.loop]
                for known in inductive if shown.proved_only else (*inductive, *waiting):
                    if known.loop == shown.loop:
                        assert runs.truths(known.loop, parse_expression(known.text), [row]) == [True]
        for proved in board.proved:
            assert proved.fact not in proved.uses
            assert set(proved.parts) == {part.number for part in board.parts if proved.fact in part.uses}
    assert session.solved
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR], "no claim was a mistake of ours"
    needed = [(proved.fact.loop, proved.fact.text) for proved in session.board().proved if proved.needed]
    engine = Engine(level.program())
    assert engine.propose_many(engine.start(), needed).feedback.solved, "what is needed proves the level alone"


def test_parts_and_facts_of_the_square_root() -> None:
    session = Session(known_level("int-square-root").source)
    session.propose("cnt^2 <= n")
    board = session.board()
    lower, upper = part_of(board, "cnt^2 <= n"), part_of(board, "n < (cnt + 1)^2")
    assert (lower.number, upper.number, lower.loop) == (1, 2, 1)
    assert lower.status == "waits"
    assert texts(lower.waits_for) == ["cnt^2 <= n"]
    shown = session.feedback.to_rule_out
    assert upper.status == "open"
    assert shown is not None
    assert upper.to_rule_out == replace(shown, span=upper.span), "the state on the board is the one that was shown"
    [waiting] = board.waiting
    assert waiting.parts == (1,)
    assert waiting.why.transition is not None

    session.propose("sqr = (cnt + 1)^2")
    board = session.board()
    first, second = board.waiting
    assert texts(first.why.waits_for) == ["sqr = (cnt + 1)^2"], "a turn keeps it as soon as the other one holds"
    assert second.parts == (1, 2), "it serves part 2 itself, and part 1 through the other fact"
    upper = part_of(board, "n < (cnt + 1)^2")
    assert upper.status == "waits"
    assert texts(upper.waits_for) == ["sqr = (cnt + 1)^2"], "not for the other fact that waits"

    session.propose("odd = 2 * cnt + 1")
    board = session.board()
    assert session.solved
    assert {part.status for part in board.parts} == {"proved"}
    uses = {proved.fact.text: texts(proved.uses) for proved in board.proved}
    assert uses == {"odd = 2 * cnt + 1": [], "cnt^2 <= n": ["sqr = (cnt + 1)^2"], "sqr = (cnt + 1)^2": ["odd = 2 * cnt + 1"]}
    assert {proved.fact.text: proved.parts for proved in board.proved if proved.parts} == {
        "cnt^2 <= n": (1,),
        "sqr = (cnt + 1)^2": (2,),
    }
    assert all(proved.needed for proved in board.proved)


def test_a_fact_that_no_proof_uses_is_not_needed() -> None:
    session = Session("fn main(n: nat) { var i, j: int := 0; while (i < n) { i := i + 1; j := j + 2; } assert(i = n); }")
    session.propose_many(["i <= n", "j = 2 * i"])
    needed = {proved.fact.text: proved.needed for proved in session.board().proved}
    assert session.solved
    assert needed == {"i <= n": True, "j = 2 * i": False}


@pytest.mark.parametrize(
    ("condition", "parts"),
    [
        ("a <= b & (b < c & c = 1)", ["a <= b", "b < c", "c = 1"]),
        ("0 <= a < b", ["0 <= a", "a < b"]),
        ("a = 1 | b = 2 & c = 3", ["a = 1 | b = 2 & c = 3"]),
        ("a = 1 -> b = 1 & c = 1", ["a = 1 -> b = 1 & c = 1"]),
        ("b != 0 & a / b = 1 & c = 1", ["b != 0 & a / b = 1", "c = 1"]),
        ("a % 2 = 0 & c = a // 3", ["a % 2 = 0", "c = a // 3"]),
        ("0 < a / b < c", ["0 < a / b < c"]),
    ],
)
def test_promises_are_taken_apart_where_the_order_does_not_matter(condition: str, parts: list[str]) -> None:
    assert [print_expression(part) for part in split(parse_expression(condition))] == parts


def test_a_part_that_takes_another_one_for_granted_is_not_called_proved() -> None:
    """The second assert follows from the first one, of which nothing is proved."""
    session = Session(
        "fn main(n: nat) { var i, j: int := 0; while (i < n) { i := i + 1; j := j + 1; } assert(j = n); assert(2 * j = 2 * n); }"
    )
    first, second = session.board().parts
    assert first.status == "open"
    assert first.to_rule_out is not None
    assert second.status == "waits"
    assert second.rests_on == (1,)
    assert not second.waits_for
    session.propose_many(["i = j", "i <= n"])
    assert {part.status for part in session.board().parts} == {"proved"}


def test_conjuncts_of_one_assert_do_not_take_each_other_for_granted() -> None:
    session = Session(
        "fn main(n: nat) { var i, j: int := 0; while (i < n) { i := i + 1; j := j + 1; } assert(j = n & 2 * j = 2 * n); }"
    )
    assert [part.status for part in session.board().parts] == ["open", "open"]


def test_a_part_that_a_run_breaks_shows_the_run() -> None:
    session = Session("fn main(n: nat) { var i: int := 0; while (i < n) { i := i + 1; } assert(i = n & i < 3); }")
    right, wrong = session.board().parts
    assert (right.status, right.failing) == ("open", None), "the run breaks only the other part"
    assert wrong.failing is not None
    session.propose("i <= n")
    right, wrong = session.board().parts
    assert right.status == "proved"
    assert texts(right.uses) == ["i <= n"]
    assert wrong.status == "open"
    assert wrong.to_rule_out is None
    assert wrong.failing is not None
    assert session.program.repeat(wrong.failing.start).outcome.cause == "assert"


def test_what_else_must_be_ensured_is_a_part_only_where_somebody_has_to_prove_it() -> None:
    source = "fn main(n: nat) { var i: int := 0; var m: nat := n; while (m > 0) { i := i + 1; m := m - 1; } assert(i = n); }"
    session = Session(source)
    assert [part.cause for part in session.board().parts] == ["assert"], "m - 1 fits wherever m > 0"
    session = Session(source.replace("(m > 0)", "(i < n)"))
    board = session.board()
    assert [part.cause for part in board.parts] == ["assert", "narrowing"]
    assert board.parts[1].status == "open"
    session.propose("i + m = n")
    assert session.solved == all(part.status == "proved" for part in session.board().parts)


def test_parts_of_helpers_wait_for_facts_of_their_loops() -> None:
    source = """fn twice(k: nat): int {
  post(result = 2 * k);
  var i, r: int := 0;
  while (i < k) { i := i + 1; r := r + 2; }
  return r;
}
fn main(n: nat) {
  var x, y: int := 0;
  while (x < n) { x := x + 1; y := y + twice(1); }
  assert(y = 2 * x);
}
"""
    session = Session(source)
    helper = session.board().parts[-1]
    assert (helper.function, helper.text, helper.status) == ("twice", "r = 2 * k", "open")
    session.propose("r = 2 * i", 2)
    helper = session.board().parts[-1]
    assert helper.status == "open", "i may be more than k"
    session.propose("i <= k", 2)
    session.propose("y = 2 * x", 1)
    assert session.solved
    assert {part.status for part in session.board().parts} == {"proved"}


def test_a_part_that_calls_a_helper_waits_for_what_would_prove_the_helper() -> None:
    session = Session(
        """fn twice(k: nat): int {
  post(result = 2 * k);
  var i, r: int := 0;
  while (i < k) { i := i + 1; r := r + 2; }
  return r;
}
fn main(n: nat) { var x: int := 0; while (x < n) { x := x + 1; } assert(twice(n) = 2 * n); }
"""
    )
    session.propose("i < k | r = 2 * k", 2)
    calling = part_of(session.board(), "twice(n) = 2 * n")
    assert calling.status == "waits"
    assert texts(calling.waits_for) == ["i < k | r = 2 * k"]


def test_a_program_that_is_too_large_has_a_board_that_says_so() -> None:
    branches = " ".join(f"if (n = {k}) {{ i := i + 1; }}" for k in range(12))
    session = Session(load(f"fn main(n: nat) {{ var i: int := 0; while (i < n) {{ i := i + 1; {branches} }} assert(i >= n); }}"))
    board = session.board()
    assert board.too_large
    assert not board.parts


def test_a_part_about_cells_says_that_they_exist() -> None:
    body = "s := s + a[i]; a[i + 1] := s; swap(a, i, n); if (a[a[i]] > 3) { i := i + 1; }"
    text = f"fn main(a: int[], n: int) {{ var i, s: int; i := 0; while (i < n) {{ {body} }} assert(i >= n); }}"
    parts = [part.text for part in Session(load(text)).board().parts if part.cause == "index"]
    assert parts == ["0 <= i < len(a)", "0 <= i + 1 < len(a)", "0 <= i < len(a) & 0 <= n < len(a)", "0 <= a[i] < len(a)"]
