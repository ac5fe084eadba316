"""The SDK for agents: a player of a server, in a few calls.

from idg.agents import Player

game = Player("http://127.0.0.1:7400", name="My agent").open("multiply")
game.propose("res = n * cnt")
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from time import sleep
from typing import Protocol, TypeVar

from idg.agents.sdk.connection import PATIENCE_SECONDS, TIMEOUT_SECONDS, Connection, Done
from idg.agents.sdk.errors import PlayError
from idg.agents.sdk.following import MESSAGE_BYTES_MAX, Following
from idg.agents.sdk.game import Game
from idg.agents.sdk.local import LocalPlayer
from idg.agents.sdk.moves import TRACE_PAGE_ROWS_MAX, GameState, LevelInfo, state_of
from idg.engine.wire.answers import (
    BatchAnswer,
    Explanation,
    FeedbackAnswer,
    LoopTrace,
    ProposalAnswer,
    TraceAnswer,
    TransitionAnswer,
)
from idg.engine.wire.board import BoardAnswer
from idg.engine.wire.codec import Json
from idg.engine.wire.endings import EndlessJudged, MeasureJudged
from idg.engine.wire.events import EventPage, GivenHint, Reset, RoomEvent
from idg.engine.wire.programs import LevelList, ProgramAnswer
from idg.engine.wire.rooms import JudgedMove, OpenedRoom, PlayerToken, RoomAnswer
from idg.needs import require
from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.values import ValueJson

EVENTS_PAGE = 500
"""Events that are asked for at once, as many as a server gives."""
ROOM_CODE = re.compile(r"[A-Za-z0-9]{4,12}")

B = TypeVar("B", bound=Record)


class Playing(Protocol):
    """What `Player` and `LocalPlayer` have in common."""

    def levels(self) -> tuple[LevelInfo, ...]: ...
    def open(self, level: str | None = None, *, program: Program | str | None = None, title: str = "A program") -> Game: ...
    def close(self) -> None: ...


class Player:
    """A player of the server at this address. For one thread.

    Without a `token` it becomes a new player, who is marked as an agent. With the token of an earlier one it is that player again.
    A call that finds the server away or busy is made again for up to `patience_seconds`. A server that is there but does not answer
    within `timeout_seconds` is not asked again: the call raises TookTooLong.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        name: str | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self.connection = Connection(url, token, patience_seconds, timeout_seconds)
        """The connection to the server."""
        self.name = name

    @staticmethod
    def local() -> LocalPlayer:
        """A player in this process, without a server. The calls are the same."""
        return LocalPlayer()

    @property
    def token(self) -> str:
        """The secret by which the server knows the player again. Whoever has it is this player."""
        if self.connection.token is None:
            body: Json = {"agent": True} if self.name is None else {"agent": True, "name": self.name}
            player = self.connection.post("/api/players", PlayerToken, body)
            self.connection.token = player.token
            self.name = player.name
        assert self.connection.token is not None
        return self.connection.token

    def levels(self) -> tuple[LevelInfo, ...]:
        """The levels that can be played, in the order of play."""
        return tuple(
            LevelInfo(level.level, level.title, level.world, level.difficulty, level.story, level.loops)
            for level in self.connection.get("/api/levels", LevelList).levels
        )

    def open(
        self,
        level: str | None = None,
        *,
        program: Program | str | None = None,
        room: str | None = None,
        title: str = "A program",
        variant: str = "code",
        shared: bool = False,
        resume: bool = False,
    ) -> Game:
        """A game on a level, on a program or its text, or in a room: by its code, or by its id where you are in it already.

        `resume` goes on in your newest room of that program; `shared` makes a room that others can join.
        """
        if sum(choice is not None for choice in (level, program, room)) != 1:
            raise PlayError("bad-request", "say one of: a level, a program, a room")
        assert self.token
        if room is not None:
            opened = self._enter(room)
        else:
            wanted: Json = {"variant": variant, "shared": shared, "resume": resume}
            if level is not None:
                wanted["level"] = level
            else:
                source = program.text if isinstance(program, Program) else program
                submitted = self.connection.post("/api/programs", ProgramAnswer, {"source": source, "title": title})
                wanted["program"] = submitted.program
            opened = self.connection.post("/api/rooms", OpenedRoom, wanted)
        backend = RoomBackend(self.connection, opened.room.room, opened.room.program)
        return Game(backend, opened.program, opened.trace, state_of(opened.room), opened.room.room, opened.room.code)

    def _enter(self, room: str) -> OpenedRoom:
        """Enters the room that has this code or this id."""
        if ROOM_CODE.fullmatch(room) is not None:
            return self.connection.post("/api/rooms/join", OpenedRoom, {"code": room})
        return self.connection.get(f"/api/rooms/{room}/open", OpenedRoom)

    def close(self) -> None:
        """Close the connection to the server."""
        self.connection.close()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class RoomBackend:
    """A room of a server. Proposals carry a request id, so that one that is sent again is not carried out again."""

    def __init__(self, connection: Connection, room: str, program: str) -> None:
        self.connection = connection
        self.path = f"/api/rooms/{room}"
        self.room = room
        self.program = program

    def propose(self, loop: int, expression: str) -> ProposalAnswer:
        judged = self._proposed(loop, expression)
        return replace(_body(judged.event, ProposalAnswer), coins=judged.earned.coins)

    def propose_measure(self, loop: int, text: str) -> MeasureJudged:
        return _body(self._proposed(loop, text).event, MeasureJudged)

    def claim_endless(self, text: str) -> EndlessJudged:
        return _body(self._proposed(1, text).event, EndlessJudged)

    def _proposed(self, loop: int, text: str) -> JudgedMove:
        body = {"loop": loop, "expression": text, "request": _request_id()}
        return self.connection.post(f"{self.path}/proposals", JudgedMove, body)

    def propose_many(self, proposals: Sequence[tuple[int, str]]) -> BatchAnswer:
        facts = [{"loop": loop, "expression": text} for loop, text in proposals]
        judged = self.connection.post(f"{self.path}/batches", JudgedMove, {"proposals": facts, "request": _request_id()})
        return replace(_body(judged.event, BatchAnswer), coins=judged.earned.coins)

    def trace(self, inputs: Mapping[str, ValueJson], loop: int | None, seed: int, rows_max: int) -> TraceAnswer:
        body: dict[str, object] = {"inputs": dict(inputs), "seed": seed}
        first = self._trace_page(body | {"loop": loop, "room": self.room}, rows_max)
        return replace(first, loops=tuple(self._whole(body, loop_trace, rows_max) for loop_trace in first.loops))

    def _trace_page(self, body: dict[str, object], rows: int) -> TraceAnswer:
        limit = min(rows, TRACE_PAGE_ROWS_MAX)
        return self.connection.post(f"/api/programs/{self.program}/traces", TraceAnswer, body | {"limit": limit})

    def _whole(self, body: dict[str, object], first: LoopTrace, rows_max: int) -> LoopTrace:
        """The trace of a loop with as many rows as are wanted; `first` has the first ones."""
        rows, outer_rows = list(first.rows), list(first.outer_rows or ())
        wanted = min(rows_max, first.rows_total)
        while len(rows) < wanted:
            page = self._trace_page(body | {"loop": first.loop, "offset": len(rows)}, wanted - len(rows))
            if not page.loops[0].rows:
                break
            rows += page.loops[0].rows
            outer_rows += page.loops[0].outer_rows or ()
        return replace(first, rows=tuple(rows), outer_rows=None if first.outer_rows is None else tuple(outer_rows))

    def transition(self, loop: int, expression: str) -> TransitionAnswer:
        body = {"loop": loop, "expression": expression}
        return _body(self.connection.post(f"{self.path}/transitions", RoomEvent, body), TransitionAnswer)

    def another_state(self) -> FeedbackAnswer:
        return _body(self.connection.post(f"{self.path}/feedback", RoomEvent), FeedbackAnswer)

    def hint(self) -> GivenHint:
        return _body(self.connection.post(f"{self.path}/hints", RoomEvent), GivenHint)

    def explain(self) -> Explanation:
        return self.connection.get(f"{self.path}/explanation", Explanation)

    def board(self) -> BoardAnswer:
        return self.connection.get(f"{self.path}/board", BoardAnswer)

    def state(self) -> GameState:
        return state_of(self.connection.get(self.path, RoomAnswer))

    def events(self, after: int) -> Sequence[RoomEvent]:
        events: list[RoomEvent] = []
        while True:
            page = self.connection.get(f"{self.path}/events?after={after}&limit={EVENTS_PAGE}", EventPage).events
            events += page
            if len(page) < EVENTS_PAGE:
                return events
            after = page[-1].number

    def follow(self, after: int) -> Iterator[RoomEvent]:
        require("server", "following a room of a server")
        from websockets.exceptions import ConnectionClosed, InvalidHandshake
        from websockets.sync.client import connect

        following = self.following(after)
        while following.goes_on:
            try:
                with connect(following.url, additional_headers=following.headers, max_size=MESSAGE_BYTES_MAX, proxy=None) as socket:
                    for text in socket:
                        yield from following.heard(text)
                following.closed(socket.close_code, socket.close_reason or "")
            except ConnectionClosed as error:
                following.closed(None if error.rcvd is None else error.rcvd.code, "" if error.rcvd is None else error.rcvd.reason)
            except (OSError, InvalidHandshake) as error:
                following.closed(None, str(error))
            sleep(following.pause_seconds)

    def following(self, after: int) -> Following:
        """The events of the room from the one after this number on, as far as they are heard."""
        return Following(self.connection, f"{self.path}/socket", after)

    def reset(self) -> FeedbackAnswer:
        return _body(self.connection.post(f"{self.path}/reset", RoomEvent), Reset).feedback

    def leave(self) -> None:
        try:
            self.connection.post(f"{self.path}/leave", Done)
        except PlayError as error:
            # Left already, by a call whose answer was lost.
            if error.code != "not-found":
                raise


def _body(event: RoomEvent, kind: type[B]) -> B:
    if not isinstance(event.body, kind):
        raise PlayError("not-understood", f"the server answered with an event of the kind {event.kind}")
    return event.body


def _request_id() -> str:
    return uuid.uuid4().hex
