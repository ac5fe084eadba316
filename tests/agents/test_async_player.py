"""The asynchronous SDK: the same calls and answers, side by side, cancelled, and with time limits; refusals by their classes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from idg.agents import (
    AsyncGame,
    AsyncPlayer,
    BadInputs,
    BadText,
    Game,
    NoMoreHints,
    NoSuchLoop,
    NotFound,
    NotWaiting,
    Player,
    PlayError,
    TookTooLong,
    Unreachable,
)
from idg.agents.sdk.asynchronous import play_with
from idg.engine.results import Kind
from tests.support.servers.hostile.fault_helpers import free_port
from tests.support.waiting import HANG_SECONDS

if TYPE_CHECKING:
    from tests.support.servers.servers import Server

pytest_plugins = ["tests.support.servers.servers"]
COUNTING = "fn main(n: nat) {\n  var i: int;\n  i := 0;\n  while (i < n) {\n    i := i + 1;\n  }\n  assert(i = n);\n}\n"


def awaited(play: Callable[[AsyncPlayer], Awaitable[None]], url: str | None) -> None:
    async def run() -> None:
        async with asyncio.timeout(HANG_SECONDS), AsyncPlayer(url, name="Ada") as player:
            await play(player)

    asyncio.run(run())


async def whole_game(player: AsyncPlayer) -> None:
    assert (await player.levels())[0].loops >= 1
    game = await player.open("multiply")
    assert (game.solved, game.guarantee, game.loops[0].test) == (False, "res = n * m", "cnt < m")
    assert [row[-1] for row in (await game.trace({"n": 2, "m": 3})).loops[0].rows] == [0, 1, 2, 3]
    assert [checked.holds for checked in await game.check(["res = n * cnt", "cnt < 2"])] == [True, False]
    assert (await game.propose("res <= n * m")).kind is Kind.POTENTIAL
    assert (await game.transition("res <= n * m")).transition is not None
    assert (await game.another_state()).state is not None
    assert (await game.hint()).step == "variable"
    assert (await game.propose_many(["res = n * cnt", "cnt <= m"])).solved
    assert (game.solved, game.proposals) == (True, 3)
    assert str((await game.propose_measure("m - cnt")).kind) == "falls"
    assert str((await game.claim_endless({"n": 1, "m": 1})).kind) == "run-ends"
    assert (await game.state()).ends == "ends"
    assert all(obligation.status == "proved" for obligation in (await game.explain()).obligations)
    assert (await game.board()).parts
    events = await game.events()
    heard = []
    async for event in game.follow():
        heard.append(event)
        if len(heard) == len(events):
            break
    assert [event.number for event in heard] == [event.number for event in events]
    assert not (await game.reset()).solved
    await game.leave()


def test_a_game_in_this_process() -> None:
    awaited(whole_game, None)


def test_a_game_on_a_server(server: Server) -> None:
    awaited(whole_game, server.url)


def test_games_are_played_side_by_side(server: Server) -> None:
    async def play(player: AsyncPlayer) -> None:
        async def counting(number: int) -> bool:
            game = await player.open(program=COUNTING.replace("i := 0", f"i := 0 * {number}"), title=f"Counting {number}")
            return (await game.propose("i <= n")).solved

        assert all(await asyncio.gather(*map(counting, range(6))))

    awaited(play, server.url)


REFUSED: list[tuple[type[PlayError], str | None, int | None, Callable[[AsyncGame], Awaitable[object]]]] = [
    (BadText, "expression", 1, lambda game: game.propose("res =")),
    (BadText, "proposals.1.expression", 1, lambda game: game.propose_many(["cnt >= 0", "nothing"])),
    (NoSuchLoop, "loop", None, lambda game: game.propose("cnt >= 0", loop=9)),
    (NotWaiting, "expression", None, lambda game: game.transition("cnt >= 0")),
    (BadInputs, "inputs", None, lambda game: game.trace({"n": "1"})),
]


@pytest.mark.parametrize("local", [True, False])
def test_refusals_have_classes_and_say_what_is_to_blame(local: bool, server: Server) -> None:
    async def play(player: AsyncPlayer) -> None:
        game = await player.open("multiply")
        for kind, field, line, call in REFUSED:
            with pytest.raises(kind) as caught:
                await call(game)
            assert caught.value.where is not None, field
            assert (caught.value.where.field, caught.value.where.line) == (field, line)
        with pytest.raises(NotFound):
            await player.open("no-such-level")
        with pytest.raises(BadText) as wrong:
            await player.open(program="fn main( {")
        assert wrong.value.where is not None
        assert (wrong.value.where.field, wrong.value.where.column) == ("source", 10)

    awaited(play, None if local else server.url)


def test_hints_end() -> None:
    async def play(player: AsyncPlayer) -> None:
        game = await player.open(program=COUNTING)
        for _ in range(1 + (await game.hint()).left):
            last = asyncio.ensure_future(game.hint())
            await asyncio.wait([last])
        assert isinstance(last.exception(), NoMoreHints)

    awaited(play, None)


class Silent(BaseHTTPRequestHandler):
    """Takes requests and answers none of them until the test is over."""

    over: threading.Event
    gone: threading.Event

    def do_GET(self) -> None:
        self.connection.settimeout(HANG_SECONDS)
        if not self.rfile.read(1):
            self.gone.set()
        self.over.wait(HANG_SECONDS)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def silent() -> Iterator[tuple[str, type[Silent]]]:
    class Handler(Silent):
        over, gone = threading.Event(), threading.Event()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", Handler
    Handler.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_answer_that_takes_too_long() -> None:
    with silent() as (url, _), Player(url, "token", timeout_seconds=0.2) as player, pytest.raises(TookTooLong) as caught:
        player.levels()
    assert caught.value.code == "timeout"
    assert "timeout_seconds" in caught.value.hint


def test_a_cancelled_call_ends_the_connection() -> None:
    async def run(url: str, handler: type[Silent]) -> None:
        async with AsyncPlayer(url, "token") as player:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await player.levels()
            assert await asyncio.to_thread(handler.gone.wait, HANG_SECONDS)

    with silent() as (url, handler):
        asyncio.run(run(url, handler))


def test_a_cancelled_call_is_not_tried_again() -> None:
    """Nobody waits for it, so the next call of the game need not wait for its tries."""

    async def run() -> None:
        async with AsyncPlayer(f"http://127.0.0.1:{free_port()}", "token", patience_seconds=10 * HANG_SECONDS) as player:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await player.levels()
            player._player.connection.patience_seconds = 0.1  # type: ignore[union-attr]
            async with asyncio.timeout(HANG_SECONDS):
                with pytest.raises(Unreachable):
                    await player.levels()

    asyncio.run(run())


def test_play_may_be_a_coroutine_function() -> None:
    played: list[str] = []

    async def later(game: AsyncGame) -> None:
        await game.propose_many(["res = n * cnt", "cnt <= m"])
        played.append("later")

    def now(game: Game) -> None:
        played.append("now")

    game = Player.local().open("multiply")
    play_with(later, game)
    play_with(now, game)
    assert (game.solved, played) == (True, ["later", "now"])


def test_the_page_on_agents_names_the_asynchronous_calls() -> None:
    text = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    for name in ("AsyncPlayer", "async def play", "BadText", "TookTooLong", "timeout_seconds"):
        assert name in text, name
    calls = {name for name, value in vars(Game).items() if callable(value) and not name.startswith("_")}
    assert calls <= vars(AsyncGame).keys()
