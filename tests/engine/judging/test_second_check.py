"""Nothing is called solved before the second verifier was asked."""

from __future__ import annotations

import json

import pytest

from idg.agents import Agent, LocalEngine
from idg.audit import Audit
from idg.cli.main import main
from idg.engine.engine import Engine
from idg.engine.inquiry import CROWD
from idg.engine.judging import second_check as module
from idg.engine.results import Fact, SecondCheck
from idg.engine.session import Session
from idg.engine.telling import feedback
from idg.levels import Level, all_levels
from idg.sip.program import Program
from tests.support.programs.known_levels import known_level


def solved(name: str) -> Session:
    level = known_level(name)
    session = Session(level.program())
    for fact in level.solution:
        session.propose(fact.expr, fact.loop)
    return session


@pytest.mark.parametrize("level", all_levels(), ids=lambda level: level.id)
def test_the_second_verifier_confirms_every_solution(level: Level) -> None:
    session = solved(level.id)
    assert session.solved
    assert session.feedback.second_check is SecondCheck.CONFIRMED


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the second verifier answers, instead of its own answer: the last of the list."""
    given = ["contradicted"]

    def changed(program: object, facts: object) -> Audit:
        return Audit(given[-1], ())

    monkeypatch.setattr(module, "audit", changed)
    module._checked.cache_clear()
    return given


def test_what_it_contradicts_is_never_solved(
    answers: list[str], caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    session = solved("multiply")
    assert not session.solved
    assert {status.status for status in session.feedback.obligations} == {"unknown"}
    assert "a mistake of ours" in caplog.text
    assert "Our second verifier contradicts the proof, so it is not believed." in str(session.another_state())
    assert Agent(LocalEngine(session.program), fuel_max=200).play().outcome == "open"
    assert main(["prove", "multiply"]) != 0
    module._checked.cache_clear()


def test_no_part_of_the_board_is_proved_then(answers: list[str]) -> None:
    parts = solved("multiply").board().parts
    assert parts
    assert {(part.status, part.uses) for part in parts} == {("unknown", ())}
    module._checked.cache_clear()


def test_what_it_does_not_decide_is_told(answers: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    answers.append("not decided")
    session = solved("multiply")
    assert session.solved
    assert "The second check did not finish, so it rests on one proof." in str(session.explain()) + str(session.another_state())
    assert main(["solve", "multiply", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["second_check"] == "not decided"
    assert main(["solve", "multiply"]) == 0
    assert "proved; the second check did not finish" in capsys.readouterr().out
    module._checked.cache_clear()


def test_of_many_facts_it_is_asked_about_those_that_the_proof_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it does not confirm them, it is asked about all, and its answer to that is told."""
    level = known_level("multiply")
    engine = Engine(level.program())
    needed = {engine.inquiry.fact(fact.loop, fact.expr) for fact in level.solution}
    weaker = [Fact(1, engine.inquiry.fact(1, f"cnt >= 0 - {bound}").text) for bound in range(1, CROWD + 2)]
    books = engine.start().with_loop(1, inductive=tuple(fact.text for fact in (*weaker, *needed)))
    asked: list[set[Fact]] = []

    def recorded(program: Program, facts: tuple[Fact, ...]) -> SecondCheck:
        asked.append(set(facts))
        return SecondCheck.CONFIRMED if len(asked) == 1 else SecondCheck.NOT_DECIDED

    monkeypatch.setattr(feedback, "second_check", recorded)
    assert engine.feedback(books)[0].second_check is SecondCheck.CONFIRMED
    assert asked == [needed]
    assert engine.feedback(books)[0].second_check is SecondCheck.NOT_DECIDED
    assert asked == [needed, needed, {*weaker, *needed}]


def test_a_helper_that_is_not_proved_keeps_a_program_from_being_solved(answers: list[str]) -> None:
    """Neither runs nor the second verifier would notice it here: only a helper's own obligations do."""
    answers.append("not decided")
    helper = "fn f(x: nat): nat { post(result < 10^12); return x; }"
    session = Session(f"{helper} fn main(n: nat) {{ var i: nat := 0; while (i < n) {{ i := i + 1; }} assert(i >= n); }}")
    session.propose("i >= 0")
    assert not session.solved
    module._checked.cache_clear()


def test_nothing_to_prove_is_never_solved(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    path = f"{tmp_path}/promises-nothing.sip"
    with open(path, "w", encoding="utf-8") as file:
        file.write("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } }")
    assert main(["solve", path, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["outcome"], report["nothing_to_prove"]) == ("open", True)
    assert main(["propose", path, "-e", "i >= 0", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["solved"] is False
    assert main(["prove", path]) == 1
    assert "nothing to prove" in capsys.readouterr().out
