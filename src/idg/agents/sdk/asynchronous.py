"""The SDK for agents that are written with `async` and `await`. The calls and answers are those of `Player` and `Game`.

async with AsyncPlayer("http://127.0.0.1:7400") as player:
    game = await player.open("multiply")
    async with asyncio.timeout(10):
        await game.propose("res = n * cnt")

Each game has a thread and a connection of its own, in which its calls are made one after the other; calls of several games are made
side by side. A call that is cancelled is given up at once, and the server is told by the end of the connection. In-process, where
only one call at a time may use the provers, a cancelled call is computed to its end while nobody waits for it.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar, cast

from idg.agents.sdk.connection import PATIENCE_SECONDS, TIMEOUT_SECONDS, Connection
from idg.agents.sdk.errors import PlayError
from idg.agents.sdk.following import MESSAGE_BYTES_MAX
from idg.agents.sdk.game import Game
from idg.agents.sdk.local import LocalPlayer
from idg.agents.sdk.moves import CheckedExpression, GameState, LevelInfo
from idg.agents.sdk.player import Player, RoomBackend
from idg.agents.sdk.view import GameView
from idg.engine.wire.answers import BatchAnswer, Explanation, FeedbackAnswer, ProposalAnswer, TraceAnswer, TransitionAnswer
from idg.engine.wire.board import BoardAnswer
from idg.engine.wire.endings import EndlessJudged, MeasureJudged
from idg.engine.wire.events import GivenHint, RoomEvent
from idg.needs import require
from idg.sip.program import Program
from idg.sip.values import Given

T = TypeVar("T")
Play = Callable[[Game], object]
"""The function `play(game)` that an agent defines; what it returns is ignored."""
AsyncPlay = Callable[["AsyncGame"], Coroutine[Any, Any, object]]
"""The same as `async def play(game)`."""

_PROVERS = threading.Lock()
"""Held by calls of games in this process."""


class _Caller:
    """A thread in which calls are made one after the other."""

    def __init__(self, connection: Connection | None) -> None:
        self._connection = connection
        self._thread = ThreadPoolExecutor(1, "idg-game")

    async def call(self, call: Callable[[], T]) -> T:
        given_up = threading.Event()

        def work() -> T:
            if self._connection is None:
                with _PROVERS:
                    return call()
            self._connection.given_up = given_up
            return call()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except asyncio.CancelledError:
            if self._connection is not None:
                self._connection.give_up(given_up)
            raise

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _connection_of(player: Player | LocalPlayer) -> Connection | None:
    return player.connection if isinstance(player, Player) else None


class AsyncPlayer:
    """`Player` for asynchronous agents: of the server at this address, or in this process. Its games may be played side by side."""

    def __init__(
        self,
        url: str | None,
        token: str | None = None,
        name: str | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self._token = token

        def player() -> Player | LocalPlayer:
            return LocalPlayer() if url is None else Player(url, self._token, name, patience_seconds, timeout_seconds)

        self._make = player
        self._player = player()
        self._caller = _Caller(_connection_of(self._player))
        self._opened: list[tuple[AsyncGame, Player | LocalPlayer]] = []

    @staticmethod
    def local() -> AsyncPlayer:
        """A player in this process, without a server."""
        return AsyncPlayer(None)

    async def token(self) -> str:
        """The secret by which the server knows the player again. Whoever has it is this player."""
        if not isinstance(self._player, Player):
            raise ValueError("a player in this process has no token")
        player = self._player
        self._token = await self._caller.call(lambda: player.token)
        return self._token

    async def levels(self) -> tuple[LevelInfo, ...]:
        """The levels that can be played, in the order of play."""
        return await self._caller.call(self._player.levels)

    async def open(
        self,
        level: str | None = None,
        *,
        program: Program | str | None = None,
        room: str | None = None,
        title: str = "A program",
        shared: bool = False,
        resume: bool = False,
    ) -> AsyncGame:
        """A game on a level, on a program or its text, or in a room of the server, as `Player.open` has it."""
        if isinstance(self._player, Player):
            await self.token()
        player = self._make()
        caller = _Caller(_connection_of(player))
        if isinstance(player, Player):
            call = partial(player.open, level, program=program, room=room, title=title, shared=shared, resume=resume)
        elif room is not None:
            raise PlayError("bad-request", "rooms are on a server")
        else:
            call = partial(player.open, level, program=program, title=title)
        try:
            game = AsyncGame(await caller.call(call), caller)
        except BaseException:
            caller.close()
            player.close()
            raise
        self._opened.append((game, player))
        return game

    def close(self) -> None:
        """Close all connections to the server."""
        for game, player in self._opened:
            game.close()
            player.close()
        self._caller.close()
        self._player.close()

    async def __aenter__(self) -> AsyncPlayer:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class AsyncGame(GameView):
    """`Game` for asynchronous agents: what is known of it is the same, and its calls are awaited."""

    def __init__(self, game: Game, caller: _Caller | None = None) -> None:
        super().__init__(game.program, game.told, game.first_trace, game.room, game.code)
        self._game = game
        self._caller = caller or _Caller(game.backend.connection if isinstance(game.backend, RoomBackend) else None)

    def _known(self) -> GameState:
        return self._game._known()

    @property
    def proposals(self) -> int:
        """How many proposals of this game were judged."""
        return self._game.proposals

    async def state(self) -> GameState:
        return await self._caller.call(self._game.state)

    async def trace(
        self, inputs: Mapping[str, Given], loop: int | None = None, seed: int = 0, rows_max: int = 1_000
    ) -> TraceAnswer:
        return await self._caller.call(lambda: self._game.trace(inputs, loop, seed, rows_max))

    async def check(
        self, expressions: Iterable[str], loop: int = 1, inputs: Iterable[Mapping[str, Given]] | None = None
    ) -> tuple[CheckedExpression, ...]:
        return await self._caller.call(lambda: self._game.check(expressions, loop, inputs))

    async def propose(self, expression: str, loop: int = 1) -> ProposalAnswer:
        return await self._caller.call(lambda: self._game.propose(expression, loop))

    async def propose_many(self, proposals: Iterable[str | tuple[int, str]]) -> BatchAnswer:
        return await self._caller.call(lambda: self._game.propose_many(proposals))

    async def propose_measure(self, measure: str, loop: int = 1) -> MeasureJudged:
        return await self._caller.call(lambda: self._game.propose_measure(measure, loop))

    async def claim_endless(self, inputs: Mapping[str, Given]) -> EndlessJudged:
        return await self._caller.call(lambda: self._game.claim_endless(inputs))

    async def transition(self, expression: str, loop: int = 1) -> TransitionAnswer:
        return await self._caller.call(lambda: self._game.transition(expression, loop))

    async def another_state(self) -> FeedbackAnswer:
        return await self._caller.call(self._game.another_state)

    async def hint(self) -> GivenHint:
        return await self._caller.call(self._game.hint)

    async def explain(self) -> Explanation:
        return await self._caller.call(self._game.explain)

    async def board(self) -> BoardAnswer:
        return await self._caller.call(self._game.board)

    async def events(self, after: int = 0) -> tuple[RoomEvent, ...]:
        return await self._caller.call(lambda: self._game.events(after))

    async def reset(self) -> FeedbackAnswer:
        return await self._caller.call(self._game.reset)

    async def leave(self) -> None:
        await self._caller.call(self._game.leave)

    async def follow(self, after: int = 0) -> AsyncGenerator[RoomEvent, None]:
        """Events as they happen, each once and in order, also when the connection breaks. Ends when the room is left; in-process
        there is nobody to wait for, and it ends with the last event."""
        backend = self._game.backend
        if not isinstance(backend, RoomBackend):
            for event in await self.events(after):
                yield event
            return
        require("server", "following a room of a server")
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidHandshake

        following = backend.following(after)
        while following.goes_on:
            try:
                async with connect(
                    following.url, additional_headers=following.headers, max_size=MESSAGE_BYTES_MAX, proxy=None
                ) as socket:
                    async for text in socket:
                        for event in following.heard(text):
                            yield event
                following.closed(socket.close_code, socket.close_reason or "")
            except ConnectionClosed as error:
                following.closed(None if error.rcvd is None else error.rcvd.code, "" if error.rcvd is None else error.rcvd.reason)
            except (OSError, InvalidHandshake) as error:
                following.closed(None, str(error))
            await asyncio.sleep(following.pause_seconds)

    def close(self) -> None:
        """End the game's thread. The game itself goes on, as a room of a server does."""
        self._caller.close()


def play_with(play: Play | AsyncPlay, game: Game) -> None:
    """Let an agent play a game, whether its `play` is a coroutine function or not."""
    if inspect.iscoroutinefunction(play):
        own = AsyncGame(game)
        try:
            asyncio.run(cast(AsyncPlay, play)(own))
        finally:
            own.close()
    else:
        cast(Play, play)(game)
