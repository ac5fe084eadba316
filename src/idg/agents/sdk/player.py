"""The SDK for agents: a player of a server, in a few calls.

from idg.agents import Player

game = Player("http://127.0.0.1:7400", name="My agent").open("multiply")
game.propose("res = n * cnt")
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from idg.agents.sdk.connection import PATIENCE_SECONDS, Connection, Patience, PlayError, Unreachable
from idg.agents.sdk.game import Game
from idg.agents.sdk.local import LocalPlayer
from idg.agents.sdk.moves import Json, LevelInfo
from idg.needs import require
from idg.sip.program import Program

EVENTS_PAGE = 500
MESSAGE_BYTES_MAX = 2**24
ROOM_CODE = re.compile(r"[A-Za-z0-9]{4,12}")
LEFT, WRONG_REQUEST = 4404, 4400
"""Codes with which a server closes a socket for good."""


class Playing(Protocol):
    """What `Player` and `LocalPlayer` have in common."""

    def levels(self) -> tuple[LevelInfo, ...]: ...
    def open(self, level: str | None = None, *, program: Program | str | None = None, title: str = "A program") -> Game: ...
    def close(self) -> None: ...


class Player:
    """A player of a server. Without a token it becomes a new one, marked as an agent; `token` is for coming back."""

    def __init__(
        self, url: str, token: str | None = None, name: str | None = None, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self._connection = Connection(url, token, patience_seconds)
        self.name = name

    @staticmethod
    def local() -> LocalPlayer:
        """The same calls in this process, without a server."""
        return LocalPlayer()

    @property
    def token(self) -> str:
        """A secret: whoever has it is this player."""
        if self._connection.token is None:
            body: Json = {"agent": True} if self.name is None else {"agent": True, "name": self.name}
            found = self._connection.post("/api/players", body)
            self._connection.token = found["token"]
            self.name = found["name"]
        assert self._connection.token is not None
        return self._connection.token

    def levels(self) -> tuple[LevelInfo, ...]:
        """In the order of play."""
        return tuple(
            LevelInfo(each["level"], each["title"], each["world"], each["difficulty"], each["story"], each["loops"])
            for each in self._connection.get("/api/levels")["levels"]
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
        if sum(each is not None for each in (level, program, room)) != 1:
            raise PlayError("bad-request", "say one of: a level, a program, a room")
        assert self.token
        if room is not None:
            is_code = ROOM_CODE.fullmatch(room) is not None
            opened = self._connection.post("/api/rooms/join", {"code": room}) if is_code else self._reopened(room)
        else:
            wanted: Json = {"variant": variant, "shared": shared, "resume": resume}
            if level is not None:
                wanted["level"] = level
            else:
                source = program.text if isinstance(program, Program) else program
                wanted["program"] = self._connection.post("/api/programs", {"source": source, "title": title})["program"]
            opened = self._connection.post("/api/rooms", wanted)
        return Game(RoomTable(self._connection, opened["room"]["room"], opened["room"]["program"]), opened)

    def _reopened(self, room: str) -> Json:
        return self._connection.get(f"/api/rooms/{room}/open")

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class RoomTable:
    """A room of a server. Proposals carry a request id, so that one that is sent again is not carried out again."""

    def __init__(self, connection: Connection, room: str, program: str) -> None:
        self.connection = connection
        self.path = f"/api/rooms/{room}"
        self.room = room
        self.program = program

    def propose(self, loop: int, expression: str) -> tuple[Json, int]:
        body = {"loop": loop, "expression": expression, "request": _request_id()}
        return _judged(self.connection.post(f"{self.path}/proposals", body))

    def propose_many(self, proposals: Sequence[tuple[int, str]]) -> tuple[Json, int]:
        facts = [{"loop": loop, "expression": text} for loop, text in proposals]
        return _judged(self.connection.post(f"{self.path}/batches", {"proposals": facts, "request": _request_id()}))

    def trace(self, inputs: Mapping[str, str], loop: int | None, seed: int, rows_max: int) -> Json:
        body = {"inputs": dict(inputs), "loop": loop, "seed": seed, "rows_max": rows_max, "room": self.room}
        return self.connection.post(f"/api/programs/{self.program}/traces", body)

    def transition(self, loop: int, expression: str) -> Json:
        found: Json = self.connection.post(f"{self.path}/transitions", {"loop": loop, "expression": expression})["body"]
        return found

    def another_state(self) -> Json:
        found: Json = self.connection.post(f"{self.path}/feedback")["body"]
        return found

    def hint(self) -> Json:
        found: Json = self.connection.post(f"{self.path}/hints")["body"]
        return found

    def explain(self) -> Json:
        return self.connection.get(f"{self.path}/explanation")

    def standing(self) -> Json:
        return self.connection.get(self.path)

    def events(self, after: int) -> list[Json]:
        found: list[Json] = []
        while True:
            page = self.connection.get(f"{self.path}/events?after={after}&limit={EVENTS_PAGE}")["events"]
            found += page
            if len(page) < EVENTS_PAGE:
                return found
            after = page[-1]["number"]

    def follow(self, after: int) -> Iterator[Json]:
        require("server", "following a room of a server")
        from websockets.exceptions import ConnectionClosed, InvalidHandshake
        from websockets.sync.client import connect

        patience = Patience(self.connection.patience_seconds)
        while True:
            url = self.connection.socket_url(f"{self.path}/socket?after={after}")
            try:
                with connect(url, additional_headers=self.connection.headers, max_size=MESSAGE_BYTES_MAX, proxy=None) as socket:
                    for text in socket:
                        message = json.loads(text)
                        patience = Patience(self.connection.patience_seconds)
                        if message["type"] == "event":
                            after = message["event"]["number"]
                            yield message["event"]
                code, reason = socket.close_code, socket.close_reason or ""
            except ConnectionClosed as error:
                code, reason = (1006, "") if error.rcvd is None else (error.rcvd.code, error.rcvd.reason)
            except (OSError, InvalidHandshake) as error:
                code, reason = 1006, str(error)
            if code == LEFT:
                return
            if code == WRONG_REQUEST:
                raise PlayError("bad-request", reason)
            if not patience.pause():
                raise Unreachable(self.connection.url, reason or "the socket is closed each time")

    def reset(self) -> Json:
        found: Json = self.connection.post(f"{self.path}/reset")["body"]["feedback"]
        return found

    def leave(self) -> None:
        try:
            self.connection.post(f"{self.path}/leave")
        except PlayError as error:
            # Left already, by a call whose answer was lost.
            if error.code != "not-found":
                raise


def _judged(found: Json) -> tuple[Json, int]:
    return found["event"]["body"], found["earned"]["coins"]


def _request_id() -> str:
    return uuid.uuid4().hex
