"""What players type about the end of programs: canonical forms, runs that are said never to end, and games in this process."""

from __future__ import annotations

import pytest

from idg.agents import Player
from idg.agents.mcp.tools import Tools
from idg.agents.sdk.errors import PlayError
from idg.cli.playing.terminal import OwnProgram, TerminalGame
from idg.engine.books import books_from_json
from idg.engine.engine import Engine
from idg.engine.session import Session
from idg.engine.termination.results import EndlessKind
from idg.engine.termination.texts import canonical_proposal, is_endless_text, is_fact_text, is_measure_text
from idg.sip.errors import InputError, SipError
from idg.sip.program import load

COUNTING = "fn main(n: nat) { var i: int := 0; while (i < n) { i := i + 1; } assert(i = n); }"
NAMED = (
    "fn main(n: nat) { var decreases, endless: int := 0; while (decreases < n) { decreases := decreases + 1; } assert(n >= 0); }"
)
TWO_STEPS = "fn main(n: int) { var i: int := n; while (i != 0) { i := i - 2; } assert(i = 0); }"
TURNING = "fn main() { var x: int := 1; while (x != 0) { x := -x; } assert(x = 0); }"
CELLS = "fn main(a: int[], n: nat) { var i: int := 0; while (i < len(a) + n) { i := i + 1; } assert(i >= 0); }"
CHOOSING = "fn main(n: int) { var x: int := 0; while (n != 0) { cassign([x], true); n := n - x * x; } assert(n = 0); }"


@pytest.mark.parametrize(
    ("program", "text", "canonical", "kind"),
    [
        (COUNTING, "decreases n-i", "decreases n - i", "measure"),
        (COUNTING, " decreases (n)-i, i", "decreases n - i, i", "measure"),
        (COUNTING, "decreases -i", "decreases -i", "measure"),
        (COUNTING, "decreases !(i < n)", "decreases !(i < n)", "measure"),
        (COUNTING, "endless n=3", "endless n = 3", "endless"),
        (COUNTING, "endless: n = 03", "endless n = 3", "endless"),
        (CELLS, "endless a = [1,2], n = 3", "endless a = [1, 2], n = 3", "endless"),
        (CELLS, "endless n = 3, a = 1, -2", "endless a = [1, -2], n = 3", "endless"),
        (CELLS, "endless a = [] n = 0", "endless a = [], n = 0", "endless"),
        (TURNING, "endless", "endless ()", "endless"),
        (COUNTING, "i<=n", "i <= n", "fact"),
        (NAMED, "decreases-1>=0-1", "decreases - 1 >= 0 - 1", "fact"),
        (NAMED, "decreases != n", "decreases != n", "fact"),
        (NAMED, "decreases^2 >= 0", "decreases^2 >= 0", "fact"),
        (NAMED, "endless = 0", "endless = 0", "fact"),
    ],
)
def test_proposals_are_told_apart_by_their_canonical_form(program: str, text: str, canonical: str, kind: str) -> None:
    loaded = load(program)
    assert canonical_proposal(loaded, text, 1) == canonical
    assert canonical_proposal(loaded, canonical, 1) == canonical
    told = {"measure": is_measure_text(canonical), "endless": is_endless_text(canonical), "fact": is_fact_text(canonical)}
    assert [name for name, is_one in told.items() if is_one] == [kind]


@pytest.mark.parametrize(
    "text", ["endless", "endless i = 3", "endless n", "endless n = 3, n = 4", "endless n = -1", "endless n = x", "endless 3"]
)
def test_a_run_is_named_by_its_inputs(text: str) -> None:
    with pytest.raises(InputError):
        canonical_proposal(load(COUNTING), text, 1)


def test_a_measure_needs_components() -> None:
    with pytest.raises(SipError):
        canonical_proposal(load(COUNTING), "decreases", 1)


@pytest.mark.parametrize(
    ("program", "text", "kind"),
    [
        (TURNING, "endless ()", EndlessKind.NEVER_ENDS),  # It comes back to its first state.
        (TWO_STEPS, "endless n = 3", EndlessKind.NEVER_ENDS),  # It passes 0 and goes on below it.
        (TWO_STEPS, "endless n = -2", EndlessKind.NEVER_ENDS),
        (TWO_STEPS, "endless n = 100", EndlessKind.RUN_ENDS),
        (TWO_STEPS, "endless n = 20000", EndlessKind.RUN_ENDS),  # Long, but it ends.
        (TWO_STEPS, "endless n = 2000000", EndlessKind.NOT_SHOWN),  # It ends, after a million turns.
        (COUNTING, "endless n = 5", EndlessKind.RUN_ENDS),
    ],
)
def test_what_is_said_of_a_run_is_judged(program: str, text: str, kind: EndlessKind) -> None:
    engine = Engine(load(program))
    verdict = engine.propose_endless(engine.start(), text)
    assert verdict.kind is kind
    assert (verdict.never is not None) == (kind is EndlessKind.NEVER_ENDS)
    assert (engine.known_ending(verdict.books).status == "never ends") == (kind is EndlessKind.NEVER_ENDS)
    assert books_from_json(verdict.books.as_json()) == verdict.books


def test_nothing_is_said_of_a_run_that_makes_choices() -> None:
    engine = Engine(load(CHOOSING))
    verdict = engine.propose_endless(engine.start(), "endless n = 3")
    assert (verdict.kind, verdict.because != "") == (EndlessKind.NOT_SHOWN, True)


def test_a_game_in_this_process_has_measures_and_the_second_mark() -> None:
    game = Player.local().open(program=COUNTING)
    assert (game.measures, game.ends) == ((), "")
    assert str(game.propose_measure("i").kind) == "does-not-fall"
    answer = game.propose_measure("decreases n - i")
    assert (str(answer.kind), game.ends) == ("falls", "ends")
    assert [(listed.text, listed.proved) for listed in game.state().measures] == [("n - i", True)]
    assert [event.kind for event in game.events()][-1] == "ended"
    assert not game.solved
    with pytest.raises(PlayError):
        game.propose("decreases n - i")
    game.reset()
    batch = game.propose_many(["decreases n - i", "i <= n"])
    assert [claim.kind for claim in batch.moves] == ["falls"]
    assert (game.solved, game.ends, game.measures[0].text) == (True, "ends", "n - i")
    turning = Player.local().open(program=TURNING)
    assert str(turning.claim_endless({}).kind) == "never-ends"
    assert turning.ends == "never ends"


def test_a_model_can_propose_measures_and_name_runs() -> None:
    tools = Tools(Player.local())
    tools.add_program(COUNTING, "counting")
    told = tools.propose("counting", ["decreases n - i"])
    assert (told.judged[0].kind, told.ends, told.judged[0].expression) == ("falls", "ends", "decreases n - i")
    assert tools.claim_endless("counting", {"n": "3"}).judged[0].kind == "run-ends"


def test_the_terminal_game_takes_measures_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    game = TerminalGame(OwnProgram("counting", COUNTING, {"n": "3"}, "i = n"))
    game.expression("decreases n - i")
    output = capsys.readouterr().out
    assert "'n - i' falls in every turn" in output
    assert "Every run ends" in output
    game.show_facts()
    assert "n - i: falls" in capsys.readouterr().out
    game.expression("endless n = 2")
    assert "does not go on for ever" in capsys.readouterr().out
    game.expression("endless m = 2")
    assert "Not possible" in capsys.readouterr().out


def test_a_session_judges_runs() -> None:
    session = Session(TURNING)
    assert "for ever" in str(session.claim_endless("endless"))
    assert session.known_ending().status == "never ends"
