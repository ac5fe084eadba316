"""The SDK for agents: the same game over HTTP and in-process, and calls that survive a server's restart."""

from __future__ import annotations

import importlib.util
import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from idg.agents.built_in import player as built_in
from idg.agents.mcp.tools import TOOLS
from idg.agents.sdk.connection import Connection
from idg.agents.sdk.errors import PlayError, Unreachable
from idg.agents.sdk.game import Game
from idg.agents.sdk.local import LocalPlayer
from idg.agents.sdk.moves import BATCH_CHARS_MAX, BATCH_MAX, EXPRESSION_CHARS_MAX, TRACE_PAGE_ROWS_MAX, TRACE_ROWS_MAX, batches
from idg.agents.sdk.player import Player, Playing
from idg.coordinator.web import models
from idg.engine.results import Fact, Kind
from idg.engine.wire.answers import FeedbackAnswer, ProposalAnswer
from idg.engine.wire.codec import encode
from idg.engine.wire.events import RoomEvent
from idg.engine.wire.rooms import Earned, JudgedMove, PlayerAnswer, Score
from idg.sip.errors import SipError, problem
from idg.sip.program import Program
from idg.sip.record import replace
from idg.sip.syntax import Span
from idg.sip.values import scalar
from tests.support.programs.known_levels import known_level
from tests.support.servers.hostile.fault_helpers import free_port

if TYPE_CHECKING:
    from tests.support.servers.servers import Server, StartServer

pytest_plugins = ["tests.support.servers.servers"]
EXAMPLE = Path(__file__).parents[2] / "examples" / "agent.py"
COUNTING = "fn main(n: nat) {\n  var i: int;\n  i := 0;\n  while (i < n) {\n    i := i + 1;\n  }\n  assert(i = n);\n}\n"
WRONG = COUNTING.replace("assert(i = n)", "assert(i < 7)")


@pytest.fixture(params=["server", "local"])
def player(request: pytest.FixtureRequest) -> Iterator[Playing]:
    if request.param == "local":
        yield Player.local()
        return
    server: Server = request.getfixturevalue("server")
    remote = Player(server.url, name="Tester")
    yield remote
    remote.close()


# The same over HTTP and in-process


def test_the_levels_are_listed(player: Playing) -> None:
    levels = player.levels()
    assert [row.level for row in levels] == [row.level for row in LocalPlayer().levels()]
    assert levels[0].loops >= 1


def test_a_game_from_opening_to_solved(player: Playing) -> None:
    game = player.open("multiply")
    assert not game.solved
    assert game.guarantee == "res = n * m"
    assert game.loops[0].columns == ("n", "m", "res", "cnt")
    assert game.loops[0].test == "cnt < m"
    assert game.first_trace.loops[0].states()[1] == {"n": 6, "m": 7, "res": 6, "cnt": 1}
    assert game.feedback.state is not None
    assert set(game.feedback.state.values) == {"n", "m", "res", "cnt"}

    answer = game.propose("res <= n*m")
    assert (answer.kind, answer.expression) == (Kind.POTENTIAL, "res <= n * m")
    breaking = game.transition("res <= n * m")
    assert breaking.transition is not None
    assert breaking.transition.before["res"] != breaking.transition.after["res"]

    answer = game.propose("cnt <= 3")
    assert answer.kind is Kind.NON_INVARIANT
    assert answer.run is not None
    assert answer.run.state["cnt"] == 4

    shown = game.feedback.state
    assert game.another_state().state != shown
    batch = game.propose_many(["res = n * cnt", (1, "cnt <= m")])
    assert {judged.fact: judged.kind for judged in batch.kinds} == {
        Fact(1, "res = n * cnt"): Kind.INDUCTIVE,
        Fact(1, "cnt <= m"): Kind.INDUCTIVE,
    }
    assert batch.solved
    assert game.solved
    assert game.proposals == 4
    assert {fact.text for fact in game.inductive} >= {"res = n * cnt", "cnt <= m"}
    assert game.state().solved
    assert all(obligation.status == "proved" for obligation in game.explain().obligations)
    kinds = [event.kind for event in game.events()]
    assert kinds.count("proposed") == kinds.count("judged") == 3
    assert kinds.count("solved") == 1
    last = game.events()[-1].number
    assert [event.number for event in game.events(after=last - 2)] == [last - 1, last]
    assert not game.reset().solved
    assert game.inductive == ()
    game.leave()


def test_a_verdict_that_changes_nothing_keeps_the_state_to_rule_out(player: Playing) -> None:
    game = player.open("multiply")
    shown = game.feedback.state
    assert shown is not None
    assert game.propose("cnt <= 3").kind is Kind.NON_INVARIANT
    assert game.feedback.state == shown == game.state().feedback.state


def test_traces_and_checks(player: Playing) -> None:
    game = player.open("multiply")
    trace = game.trace({"n": 2, "m": "3"})
    assert trace.outcome.kind == "returned"
    assert [row[-1] for row in trace.loops[0].rows] == [0, 1, 2, 3]
    holds, fails, number, none = game.check(["res = n * cnt", "cnt < 7", "cnt + 1", "cnt <="])
    assert (holds.holds, holds.states) == (True, 8 + 4)
    assert (fails.holds, fails.failing) == (False, {"n": 6, "m": 7, "res": 42, "cnt": 7})
    assert "not true or false" in number.problem
    assert none.problem
    [result] = game.check(["cnt < 7"], inputs=[{"n": 1, "m": 1}])
    assert (result.holds, result.states) == (True, 2)
    cut = game.trace({"n": 2, "m": 3}, rows_max=2).loops[0]
    assert (len(cut.rows), cut.rows_total) == (2, 4)


def test_a_long_trace_is_put_together_from_pages(player: Playing) -> None:
    game = player.open("multiply")
    [loop] = game.trace({"n": 2, "m": 12_000}, rows_max=11_500).loops
    assert [row[-1] for row in loop.rows] == list(range(11_500))
    assert (loop.rows_total, loop.offset) == (12_001, 0)


def test_a_program_of_ones_own(player: Playing) -> None:
    # The text is used nowhere else, because a program keeps the title with which the shared server first got it.
    game = player.open(program=COUNTING.replace("i := i + 1;", "i := 1 + i;"), title="Counting, one by one")
    assert game.title == "Counting, one by one"
    assert game.first_trace.outcome.kind == "returned"
    assert game.propose("i <= n").solved


def test_what_could_not_be_decided_is_kept_apart(player: Playing) -> None:
    helper = "fn f(x: int): int { post(result < 10^12); return x; }\n"
    game = player.open(program=helper + COUNTING, title="Counting with a helper that is not proved")
    answer = game.propose("f(i) = i & i >= 0")
    unknown = (Fact(1, "f(i) = i & i >= 0"),)
    assert (str(answer.kind), answer.coins) == ("unknown", 0)
    assert (game.potential, game.unknown, answer.unknown) == ((), unknown, unknown)
    assert game.transition(unknown[0].text).transition is None
    assert game.propose("i >= 0").unknown == unknown
    assert (game.state().potential, game.state().unknown) == ((), unknown)


def test_a_wrong_program_says_which_run_breaks_it(player: Playing) -> None:
    game = player.open(program=WRONG, title="Wrong")
    assert game.feedback.failing is not None
    assert scalar(game.feedback.failing.inputs["n"]) >= 7


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("bad-text", lambda game: game.propose("res =")),
        ("bad-text", lambda game: game.propose_many(["cnt >= 0", "nothing"])),
        ("no-such-loop", lambda game: game.propose("cnt >= 0", loop=9)),
        ("not-potential", lambda game: game.transition("cnt >= 0")),
        ("bad-inputs", lambda game: game.trace({"n": "1"})),
    ],
)
def test_what_is_refused_has_the_same_code_everywhere(player: Playing, code: str, call: Callable[[Game], object]) -> None:
    with pytest.raises(PlayError) as caught:
        call(player.open("multiply"))
    assert caught.value.code == code
    assert caught.value.message


def test_what_cannot_be_opened(player: Playing) -> None:
    for code, wanted in (("not-found", "no-such-level"), ("bad-request", None)):
        with pytest.raises(PlayError) as caught:
            player.open(wanted)
        assert caught.value.code == code
    for source in ("fn main() {}", "fn main( {"):
        with pytest.raises(PlayError) as caught:
            player.open(program=source)
        assert caught.value.code == "bad-text"


def test_the_limits_are_the_servers() -> None:
    assert (BATCH_MAX, EXPRESSION_CHARS_MAX) == (models.BATCH_MAX, models.EXPRESSION_CHARS_MAX)
    assert (BATCH_CHARS_MAX, TRACE_PAGE_ROWS_MAX) == (models.BATCH_CHARS_MAX, models.TRACE_PAGE_ROWS_MAX)
    texts = [(1, "x" * size) for size in (60_000, 50_000, 50_000, 1, *[1] * 400)]
    sent = list(batches(texts))
    assert [proposal for batch in sent for proposal in batch] == texts
    assert [len(batch) for batch in sent] == [1, 2, 300, 101]
    assert TRACE_ROWS_MAX == models.TRACE_ROWS_MAX


def test_the_example_agent_solves_levels(player: Playing) -> None:
    spec = importlib.util.spec_from_file_location("example_agent", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert EXAMPLE.read_text(encoding="utf-8").count("\n") < 60
    for level in ("multiply", "int-square-root", "cube"):
        game = player.open(level)
        module.play(game)
        assert game.solved, level
        assert game.state().solved, level
    for level in ("light-switch", "tallest-tower", "hand-of-cards"):
        module.play(player.open(level))  # Columns of truth values and arrays are left out.


def test_the_built_in_agent_plays_in_a_game(player: Playing) -> None:
    game = player.open("multiply")
    assert built_in.play(game).outcome == "solved"
    assert game.state().solved
    assert not game.potential
    wrong = player.open(program=WRONG, title="Wrong")
    assert built_in.play(wrong).outcome == "refuted"
    assert not wrong.state().inductive


def test_the_built_in_agent_goes_on_from_what_others_found(player: Playing) -> None:
    game = player.open("multiply")
    game.propose("cnt <= m")
    game.propose("res <= n * m")
    before = game.proposals
    assert built_in.play(game).outcome == "solved"
    assert game.solved
    assert "cnt <= m" in [fact.text for fact in game.inductive]
    assert game.proposals == before + 1


def test_the_built_in_agent_leaves_people_their_facts(server: Server) -> None:
    """A fact that somebody has proposed is promoted, and not replaced by the same fact in other words."""
    with Player(server.url, name="Ann") as ann, Player(server.url, name="Robot") as robot:
        game = ann.open("int-square-root", shared=True)
        assert game.code is not None
        assert game.propose("sqr = (cnt + 1)^2").kind == Kind.POTENTIAL
        built_in.play(robot.open(room=game.code))
        room_state = game.state()
        assert room_state.solved
        assert "sqr = (cnt + 1)^2" in [fact.text for fact in room_state.inductive]
        assert len(set(room_state.authors.values())) == 2


# Rooms with others


def test_two_players_in_a_room_see_the_same(server: Server) -> None:
    first, second = Player(server.url, name="First"), Player(server.url, name="Second")
    game = first.open("multiply", shared=True)
    assert game.code is not None
    their_game = second.open(room=game.code)
    assert their_game.room == game.room
    game.propose("cnt <= m")
    assert their_game.propose("res = n * cnt").solved
    room_state = game.state()
    assert room_state.solved
    assert len(set(room_state.authors.values())) == 2
    again = first.open(room=game.room)
    assert again.solved
    with Player(server.url, token=first.token) as returning:
        assert returning.open("multiply").room != game.room
        assert returning.open("multiply", resume=True).solved is False
    for participant in (first, second):
        participant.close()


def test_following_tells_everything_once_until_the_room_is_left(server: Server) -> None:
    watcher, mover = Player(server.url), Player(server.url)
    game = watcher.open("multiply", shared=True)
    their_game = mover.open(room=game.code)
    their_game.propose("cnt <= m")
    events = game.follow()
    seen = [next(events) for _ in game.events()]
    assert [event.kind for event in seen] == ["loaded", "joined", "proposed", "judged"]
    their_game.propose("res = n * cnt")
    seen += [next(events) for _ in range(3)]
    assert [event.number for event in seen] == list(range(1, 8))
    assert seen[-1].kind == "solved"
    assert [event.number for event in islice(game.follow(after=5), 2)] == [6, 7]
    game.leave()
    assert [event.kind for event in events] in (["left"], [])
    game.leave()
    for participant in (watcher, mover):
        participant.close()


def test_a_new_player_is_an_agent_and_can_come_back(server: Server) -> None:
    player = Player(server.url, name="Ada")
    connection = Connection(server.url, player.token)
    account = connection.get("/api/players/me", PlayerAnswer)
    assert (account.name, account.agent) == ("Ada", True)
    connection.close()
    player.close()


# When things go wrong


def test_a_game_survives_the_servers_restart(start_server: StartServer, tmp_path: Path) -> None:
    port = str(free_port())
    server = start_server("--port", port, "--rate-player", "0", "--rate-address", "0", data=tmp_path)
    player = Player(server.url)
    game = player.open("multiply")
    events = game.follow()
    assert next(events).kind == "loaded"
    assert game.propose("cnt <= m").kind is Kind.INDUCTIVE
    server.stop()
    starting = threading.Thread(target=server.start)
    starting.start()
    assert game.propose("res = n * cnt").solved, "tried again until the server was back"
    starting.join()
    kinds = [next(events).kind for _ in range(5)]
    assert kinds == ["proposed", "judged", "proposed", "judged", "solved"], "the socket came back, too"
    events.close()
    server.stop()
    player.close()
    with Player(server.url, patience_seconds=0.3) as impatient, pytest.raises(Unreachable, match="does not answer"):
        impatient.levels()


class Flaky(BaseHTTPRequestHandler):
    """Gives the answers that the test prescribes, one after the other, and keeps what it was asked."""

    answers: list[tuple[int, dict[str, str], bytes] | None]
    asked: list[bytes]

    def do_POST(self) -> None:
        self.asked.append(self.rfile.read(int(self.headers["content-length"])))
        answer = self.answers.pop(0)
        if answer is None:
            self.close_connection = True
            return
        status, headers, body = answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def flaky() -> Iterator[tuple[str, type[Flaky]]]:
    class Handler(Flaky):
        pass

    Handler.answers, Handler.asked = [], []
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", Handler
    server.shutdown()
    thread.join()
    server.server_close()


FEEDBACK = FeedbackAnswer(True, False, None, "Solved.")
ANSWER = ProposalAnswer("x = 1", 1, Kind.INDUCTIVE, (), (), (), (), True, FEEDBACK, "It is.")
JUDGED = JudgedMove(RoomEvent(2, "judged", "p", 1.5, ANSWER), Earned(3, False, ()), Score(3, 0, False, ()))


def test_a_proposal_is_sent_again_with_the_same_request_id(flaky: tuple[str, type[Flaky]]) -> None:
    from idg.agents.sdk.player import RoomBackend

    url, handler = flaky
    busy = b'{"code": "busy", "message": "all workers are busy"}'
    handler.answers = [
        None,
        (503, {"retry-after": "1"}, busy),
        (429, {"retry-after": "0"}, busy),
        (200, {}, json.dumps(encode(JUDGED)).encode()),
    ]
    connection = Connection(url, "token", patience_seconds=20)
    answer = RoomBackend(connection, "a-room-of-ours", "p").propose(1, "x = 1")
    connection.close()
    assert answer == replace(ANSWER, coins=3)
    assert len(handler.asked) == 4
    assert len(set(handler.asked)) == 1
    assert b'"request"' in handler.asked[0]


def test_what_does_not_get_better_is_not_tried_for_ever(flaky: tuple[str, type[Flaky]]) -> None:
    url, handler = flaky
    no_answer = b'{"code": "no-answer", "message": "ended by its limit"}'
    bad_text = b'{"code": "bad-text", "message": "no"}'
    of_another_version = b'{"player": "p", "name": "Ada"}'
    handler.answers = [
        (503, {}, no_answer), (503, {}, no_answer), (422, {}, bad_text), (200, {}, b"<html>"), (200, {}, of_another_version),
    ]  # fmt: skip
    connection = Connection(url, None)
    for code in ("no-answer", "bad-text", "not-json", "not-understood"):
        with pytest.raises(PlayError) as caught:
            connection.post("/x", PlayerAnswer)
        assert caught.value.code == code
    connection.close()
    assert len(handler.asked) == 5


def test_wrong_addresses_are_refused() -> None:
    with pytest.raises(ValueError, match="expected an address"):
        Player("localhost:7400")


def test_what_the_engine_refuses_of_a_program_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine may refuse a program that can be read and run."""

    def refuse(program: Program, level: str | None) -> None:
        raise SipError(program.text, [problem("bad-old", Span(0, 2))])

    monkeypatch.setattr("idg.agents.sdk.local.LocalBackend", refuse)
    with pytest.raises(PlayError) as caught:
        Player.local().open(program=COUNTING)
    assert caught.value.code == "bad-text"


def test_the_page_on_agents_says_what_is_so() -> None:
    page = Path(__file__).parents[2] / "docs" / "agents.md"
    text = page.read_text(encoding="utf-8")
    for tool in TOOLS:
        assert f"`{tool}`" in text, tool
    for call in (name for name in vars(Game) if not name.startswith("_")):
        assert re.search(rf"\b{call}\b", text), call


def test_every_level_opens_in_process() -> None:
    for row in LocalPlayer().levels()[:6]:
        game = LocalPlayer().open(row.level)
        level = known_level(row.level)
        assert game.propose_many([(fact.loop, fact.expr) for fact in level.solution]).solved
