"""Clients of a running server, for tests: people, agents, and sockets that look at a room."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from idg.coordinator.errors import CODES
from tests.support.waiting import HANG_SECONDS

Json = dict[str, Any]
UNLIMITED = tuple(
    part
    for name in (
        "rate-player",
        "rate-address",
        "players-a-day",
        "rooms-a-day",
        "programs-a-day",
        "classes-a-day",
        "stored-mb-a-day",
    )
    for part in (f"--{name}", "0")
)
"""The flags of a server on which tests may be as fast, and make as much, as they like."""
COUNTING = "fn main(n: nat) {\n  var i: int;\n  i := 0;\n  while (i < n) {\n    i := i + 1;\n  }\n  assert(i = n);\n}\n"


REUSED_SECONDS = 1
"""How long a client keeps a connection that it does not use. The server keeps one for longer, so that no request is sent on a
connection that the server is closing at the same moment, however busy this machine is."""


def limited_command(command: list[str], open_files: int) -> list[str]:
    """The command, run by a process that may have only so many files open."""
    limit = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({open_files},) * 2)"
    return [sys.executable, "-c", f"{limit}; os.execv(sys.argv[1], sys.argv[1:])", *command]


class Answer:
    """An HTTP answer, read to its end."""

    def __init__(self, status: int, headers: Any, text: str) -> None:
        self.status = status
        self.headers = headers
        self.text = text

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    def ok(self) -> Any:
        assert self.status == 200, f"{self.status}: {self.text[:1000]}"
        return self.json

    def refused(self, code: str, field: str | None = None) -> Json:
        """Checks that the answer is an error of the API's one JSON shape with this code, and returns it."""
        error = error_of(self)
        assert error["code"] == code, self.text[:1000]
        if field is not None:
            assert error["where"] is not None, self.text[:1000]
            assert error["where"]["field"] == field, self.text[:1000]
        return error


def error_of(answer: Answer) -> Json:
    """Checks the API's one JSON shape of errors (`problems` only for texts), and returns the error."""
    assert answer.headers["content-type"].startswith("application/json"), answer.text[:1000]
    error: Json = answer.json
    assert set(error) - {"problems"} == {"code", "message", "where", "hint"}, error
    assert error["code"] in CODES, error
    assert answer.status == CODES[error["code"]][0], error
    assert isinstance(error["message"], str), error
    assert error["message"], error
    assert isinstance(error["hint"], str)
    assert error["where"] is None or isinstance(error["where"]["field"], str), error
    assert "Traceback" not in answer.text
    if answer.status in (429, 503):
        assert re.fullmatch(r"[1-9]\d*", answer.headers["retry-after"]), answer.headers
    for problem in error.get("problems", ()):
        assert set(problem) == {"code", "message", "where", "hint"}, problem
    return error


class Client:
    """One player on one device. It keeps cookies, as a browser does, unless it has a bearer token."""

    def __init__(self, url: str, session: aiohttp.ClientSession, token: str | None = None) -> None:
        self.url = url
        self.session = session
        self.token = token

    async def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, **more: Any) -> Answer:
        sent = dict(headers or {})
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            more["data"] = json.dumps(body).encode() if not isinstance(body, bytes) else body
            sent.setdefault("Content-Type", "application/json")
        async with self.session.request(method, self.url + path, headers=sent, **more) as response:
            return Answer(response.status, response.headers, await response.text())

    async def get(self, path: str, **more: Any) -> Answer:
        return await self.ask("GET", path, **more)

    async def post(self, path: str, body: Any = None, **more: Any) -> Answer:
        return await self.ask("POST", path, body, **more)

    async def become(self, name: str | None = None, agent: bool = False) -> Json:
        player: Json = (await self.post("/api/players", {"agent": agent} if name is None else {"name": name, "agent": agent})).ok()
        return player

    async def open(self, level: str = "multiply", **more: Any) -> Json:
        opened: Json = (await self.post("/api/rooms", {"level": level, **more})).ok()
        return opened

    async def room(self, level: str = "multiply", **more: Any) -> str:
        room: str = (await self.open(level, **more))["room"]["room"]
        return room

    async def propose(self, room: str, expression: str, loop: int = 1, request: str | None = None) -> Answer:
        body: Json = {"expression": expression, "loop": loop}
        return await self.post(f"/api/rooms/{room}/proposals", body if request is None else body | {"request": request})

    async def judged(self, room: str, expression: str, loop: int = 1) -> Json:
        """Proposes an expression; returns the body of the verdict and what it earned."""
        judged: Json = (await self.propose(room, expression, loop)).ok()
        body: Json = judged["event"]["body"]
        return body | {"earned": judged["earned"], "score": judged["score"]}

    async def events(self, room: str) -> list[Json]:
        """The whole history of the room."""
        events: list[Json] = []
        while True:
            last = events[-1]["number"] if events else 0
            page = (await self.get(f"/api/rooms/{room}/events?after={last}&limit=500")).ok()
            events += page["events"]
            if not page["events"]:
                return events

    def watch(self, room: str, after: int | None = 0, **more: Any) -> Any:
        """The room's socket, for `async with`."""
        query = "" if after is None else f"?after={after}"
        headers: dict[str, str] = more.pop("headers", {})
        if self.token is not None:
            headers = {"Authorization": f"Bearer {self.token}"} | headers
        return self.session.ws_connect(f"{self.url}/api/rooms/{room}/socket{query}", headers=headers, **more)


@asynccontextmanager
async def client(
    url: str, token: str | None = None, address: str | None = None, reused_seconds: float = REUSED_SECONDS
) -> AsyncIterator[Client]:
    """A client with a bearer token, or else with cookies as a browser has them.

    Its requests seem to come from `address` if the server believes what proxies on this machine say (`--proxies 127.0.0.1`).
    It keeps a connection that it does not use for `reused_seconds`.
    """
    jar = aiohttp.CookieJar(unsafe=True) if token is None else aiohttp.DummyCookieJar()
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=reused_seconds)
    headers = {} if address is None else {"X-Forwarded-For": address}
    async with aiohttp.ClientSession(cookie_jar=jar, connector=connector, headers=headers) as session:
        yield Client(url, session, token)


async def next_message(socket: aiohttp.ClientWebSocketResponse) -> Json:
    message = await asyncio.wait_for(socket.receive(), HANG_SECONDS)
    assert message.type is aiohttp.WSMsgType.TEXT, message
    content: Json = json.loads(message.data)
    assert content["type"] in ("event", "here", "changed", "signals", "partner"), content
    return content


async def members_until(socket: aiohttp.ClientWebSocketResponse, accepted: Callable[[dict[str, Json]], bool]) -> dict[str, Json]:
    """Reads what a new socket tells about members until it is accepted; the members by their names of that time."""
    members: dict[str, Json] = {}
    while not members or not accepted({member["name"]: member for member in members.values()}):
        message = await next_message(socket)
        if message["type"] == "here":
            members = {}
        for member in message.get("members", ()):
            members[member["player"]] = member
    return {member["name"]: member for member in members.values()}


async def events_until(socket: aiohttp.ClientWebSocketResponse, number: int) -> list[Json]:
    """Reads events from a socket until the one with this number has come."""
    events: list[Json] = []
    while not events or events[-1]["number"] < number:
        message = await next_message(socket)
        if message["type"] == "event":
            events.append(message["event"])
    return events


async def closed_with(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    """Waits until the server closes the socket, and returns the code with which it does so."""
    while True:
        message = await asyncio.wait_for(socket.receive(), HANG_SECONDS)
        if message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING):
            return socket.close_code


async def figures(url: str) -> dict[str, float]:
    """The metrics of a server that have a label `which`, by name and label."""
    async with client(url) as watcher:
        text = (await watcher.get("/metrics")).text
    return {
        f"{name} {which}": float(value) for name, which, value in re.findall(r'^(\w+)\{which="(\w+)"\} (\S+)$', text, re.MULTILINE)
    }
