"""What one client may hold of a running server: connections, memory and time, before it has made a right request."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from yarl import URL

from idg.coordinator.connections import protocols
from idg.coordinator.connections.descriptors import DESCRIPTORS_A_CONNECTION, RESERVED, RESERVED_A_WORKER
from idg.coordinator.errors import CODES
from idg.coordinator.web.requests.guard import BODIES_BYTES_MAX_OF_ADDRESS, body_bytes_max
from tests.support.servers.clients import UNLIMITED, client, events_until, limited_command
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.servers"]

FREE = (*UNLIMITED, "--workers", "1", "--log-level", "warning")
HALF_REQUESTS = 260
"""So many requests that never end stopped the server once."""
OPEN_FILES = 300
PLACES = (OPEN_FILES - RESERVED - RESERVED_A_WORKER) // DESCRIPTORS_A_CONNECTION
ADDRESS_PLACES = 60
EVE, MALLORY = "127.0.0.2", "127.0.0.3"
"""Addresses of this machine from which attackers come, while the tests' own clients come from 127.0.0.1."""
HEADERS = b"Host: 127.0.0.1\r\nContent-Type: application/json\r\n"
POST = b"POST /api/players HTTP/1.1\r\n" + HEADERS + b"Content-Length: "
PING = b"GET /api/ping HTTP/1.1\r\n" + HEADERS
UPGRADE = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
MEGABYTE = 1024 * 1024
PING_SECONDS = 2
"""How long the impatient server waits for an answer to a ping, which our own clients must give even on a busy machine."""


@pytest.fixture(scope="module")
def impatient(start_module_server: Any) -> Any:
    """A server that waits for nobody for more than a second or two."""
    times = (flag for name in ("head", "body", "stall") for flag in (f"--{name}-seconds", "1"))
    server = start_module_server(*FREE, *times, "--ping-seconds", str(PING_SECONDS))
    yield server
    server.stop()
    assert not server.complaints, "".join(server.complaints)


@pytest.fixture(scope="module")
def small(start_module_server: Any) -> Any:
    """A server that may have few files open, and keeps ten minutes of patience."""
    times = (flag for name in ("head", "body", "stall") for flag in (f"--{name}-seconds", "600"))
    bounds = ("--connections-address", str(ADDRESS_PLACES), "--waiting-mb", "3")
    server = start_module_server(*FREE, *bounds, *times, open_files=OPEN_FILES)
    yield server
    server.stop()
    assert not server.complaints, "".join(server.complaints)


def connect(server: Any, address: str = EVE) -> socket.socket:
    url = URL(server.url)
    assert url.host is not None
    assert url.port is not None
    return socket.create_connection((url.host, url.port), HANG_SECONDS, (address, 0))


@contextlib.contextmanager
def connected(server: Any, count: int, address: str = EVE) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(connect(server, address)) for _ in range(count)]


def read_all(connection: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def read_one(connection: socket.socket) -> bytes:
    """One whole answer."""
    answer = b""
    while True:
        head, blank_line, body = answer.partition(b"\r\n\r\n")
        length = re.search(rb"\r\ncontent-length: (\d+)", head)
        if blank_line and length is not None and len(body) >= int(length[1]):
            return answer
        part = connection.recv(65536)
        assert part, answer
        answer += part


def refused(answer: bytes) -> str:
    """The code of a refusal, which has the one shape of errors and closes the connection."""
    head, _, body = answer.partition(b"\r\n\r\n")
    error = json.loads(body)
    assert set(error) == {"code", "message", "where", "hint"}, answer
    assert head.startswith(b"HTTP/1.1 %d " % CODES[error["code"]][0]), answer
    assert b"\r\nconnection: close\r\n" in head, answer
    assert b"\r\ncontent-security-policy: " in head, answer
    if CODES[error["code"]][0] in (429, 503):
        assert re.search(rb"\r\nretry-after: [1-9]", head), answer
    code: str = error["code"]
    return code


def send(connection: socket.socket, data: bytes) -> None:
    """Send as much as the server takes."""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        connection.sendall(data)


def exchange(server: Any, data: bytes) -> bytes:
    with connect(server) as connection:
        send(connection, data)
        return read_all(connection)


def readings(server: Any) -> dict[str, float]:
    """The figures about connections that the server tells, by what they count."""

    async def ask() -> str:
        async with client(server.url) as ann:
            return (await ann.get("/metrics")).text

    pattern = r'idg_(?:connections_refused_total|now)\{which="([a-z_-]+)"\} (\S+)'
    return {which: float(value) for which, value in re.findall(pattern, asyncio.run(ask()))}


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG_SECONDS
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def resident_bytes(server: Any) -> int:
    [line] = [line for line in Path(f"/proc/{server.pid}/status").read_text().splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) * 1024


# Requests that never end


def test_half_sent_requests_hold_no_connection(impatient: Any) -> None:
    """Each of them held a connection for ever."""
    with connected(impatient, HALF_REQUESTS) as connections:
        for number, connection in enumerate(connections):
            connection.sendall((PING, b"", b"\r\n", b"G", POST + b"9\r\n\r\n{", PING + b"Content-Length: 9\r\n\r\n{")[number % 6])
        answers = [read_all(connection) for connection in connections]
    for number, answer in enumerate(answers):
        if number % 6 == 1:
            assert answer == b"", "nothing was asked"
        elif number % 6 == 5:
            assert answer.count(b"HTTP/1.1 ") == 1, "pings are answered before their body arrives, and nothing is answered twice"
        else:
            assert refused(answer) == "too-slow", answer
    until(lambda: readings(impatient)["connections"] <= 2)
    assert readings(impatient)["head-time"] >= HALF_REQUESTS // 6


def test_slow_requests_hold_no_connection(impatient: Any) -> None:
    """Bytes that come one by one do not help."""
    slow = [PING, POST + b"50000\r\n\r\n"]
    with connected(impatient, len(slow)) as connections:
        for connection, start in zip(connections, slow, strict=True):
            connection.sendall(start)

        def have_ended() -> bool:
            for connection in connections:
                send(connection, b"x")
            return readings(impatient)["connections"] <= 1

        until(have_ended)
        for connection in connections:
            answer = read_all(connection)
            assert not answer or refused(answer) == "too-slow"


def test_whoever_takes_no_answer_is_cut_off(impatient: Any) -> None:
    """Answers were kept for a client that never read them, with its connection."""
    before = readings(impatient).get("stalled", 0)
    url = URL(impatient.url)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((url.host, url.port))
        connection.sendall((b"GET /api/openapi.json HTTP/1.1\r\n" + HEADERS + b"\r\n") * protocols.PIPELINED_MAX)
        until(lambda: readings(impatient).get("stalled", 0) > before)


def test_answers_that_nobody_takes_do_not_fill_the_memory(small: Any) -> None:
    """A thousand connections that asked for a megabyte and took nothing filled a gigabyte for half a minute, again and again."""
    asked = b"GET /api/openapi.json HTTP/1.1\r\n" + HEADERS + b"\r\n"
    whole = exchange(small, asked.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    url = URL(small.url)
    with contextlib.ExitStack() as stack:
        for _ in range(3 * MEGABYTE // len(whole) + 10):
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.bind((EVE, 0))
            connection.connect((url.host, url.port))
            connection.sendall(asked)
        until(lambda: readings(small).get("waiting", 0) > 0)
        now = readings(small)
        assert now["waiting_bytes"] <= 3 * MEGABYTE / 2
        with connect(small, MALLORY) as other:
            other.sendall(asked)
            assert len(read_one(other)) >= len(whole) - 100, "others get theirs"
    until(lambda: readings(small)["waiting_bytes"] == 0)


# Heads


def test_heads_are_bounded(impatient: Any) -> None:
    """60 MB of headers took 277 MB of memory."""
    before = resident_bytes(impatient)
    filler = b"a" * (60 * MEGABYTE)
    chunked = b"POST /api/players HTTP/1.1\r\n" + HEADERS + b"Transfer-Encoding: chunked\r\n\r\n"
    for data in (
        PING + b"X: " + filler, PING + b"X: " + filler[:40_000] + b"\r\n\r\n", PING + b"X: y\r\n" * 200 + b"\r\n",
        b"GET /" + filler,
        PING + b"X: y\r\n" * (2 * MEGABYTE), b"GET /" + filler[:40_000] + b" HTTP/1.1\r\n" + HEADERS + b"\r\n",
        chunked + b"2\r\n{}\r\n0\r\nX: " + filler, chunked + b"2;x=" + filler,
        PING + UPGRADE + b"X: " + filler[:9_000] + b"\r\n\r\n",
    ):  # fmt: skip
        answer = exchange(impatient, data)
        assert not answer or refused(answer) == "head-too-large", (data[:100], answer)
    assert refused(exchange(impatient, PING + b"X: " + filler[:40_000] + b"\r\n\r\n")) == "head-too-large"
    assert resident_bytes(impatient) - before < 40 * MEGABYTE
    # A browser's many cookies are no attack.
    assert b" 200 OK\r\n" in exchange(impatient, PING + b"Cookie: " + filler[:20_000] + b"\r\nConnection: close\r\n\r\n")


def test_what_is_no_http_is_refused(impatient: Any) -> None:
    for data in (
        b"hello\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET / HTTP/9.9\r\n\r\n", PING + b": x\r\n\r\n", PING + b"a b: x\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\n" + HEADERS + b"\r\n", b"CONNECT a:1 HTTP/1.1\r\n" + HEADERS + b"\r\n",
        PING + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", PING + b"Content-Length: -1\r\n\r\n",
        PING + UPGRADE + b"X: a\x01b\r\n\r\n",
    ):  # fmt: skip
        assert refused(exchange(impatient, data)) == "bad-http", data


def test_connections_end_after_requests_whose_end_is_unclear(impatient: Any) -> None:
    """What came after them was taken for their body, or they were cut off by it."""
    unclear = (b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", b"Content-Length: 99\r\nExpect: 100-continue\r\n\r\n")
    for start in unclear:
        with connect(impatient) as connection:
            connection.sendall(PING + start)
            assert connection.recv(15) == b"HTTP/1.1 200 OK"
            send(connection, PING + b"\r\n")
            rest = read_all(connection)
            assert b"connection: close\r\n" in rest
            assert b"HTTP/1.1" not in rest


def test_a_request_that_has_begun_survives_the_answer_to_the_one_before(impatient: Any) -> None:
    """Nothing of an answered request is kept while its connection is idle; but this one is not idle."""
    with connect(impatient) as connection:
        connection.sendall(PING + b"\r\n" + PING + b"X-Request-Id: second\r\n")
        assert read_one(connection).startswith(b"HTTP/1.1 200 OK\r\n")
        connection.sendall(b"Connection: close\r\n\r\n")
        assert b"x-request-id: second\r\n" in read_all(connection)


def test_an_idle_connection_can_be_used_again(impatient: Any) -> None:
    """It was closed after the time in which a request must arrive, although none had begun."""
    with connect(impatient) as connection:
        for pause_seconds in (0, 3):
            time.sleep(pause_seconds)
            connection.sendall(PING + b"\r\n")
            assert read_one(connection).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize("last", [b"Connection: close\r\n", b"Connection: Upgrade, close\r\nUpgrade: h2c\r\n"])
def test_whoever_is_refused_while_sending_can_read_it(impatient: Any, last: bytes) -> None:
    """The connection was closed with bytes on their way, so that it was reset and the client had no answer."""
    with connect(impatient) as connection:
        head = b"POST /api/players/me/progress HTTP/1.1\r\n" + HEADERS + last
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % MEGABYTE)
        select.select([connection], [], [], HANG_SECONDS)  # The answer is there.
        connection.sendall(bytes(MEGABYTE))
        connection.shutdown(socket.SHUT_WR)
        assert json.loads(read_all(connection).partition(b"\r\n\r\n")[2])["code"] == "too-large"


def test_requests_sent_ahead_are_bounded(impatient: Any) -> None:
    before = readings(impatient).get("pipelined", 0)
    few = PING + b"\r\n"
    answer = exchange(impatient, few * (protocols.PIPELINED_MAX - 1) + PING + b"Connection: close\r\n\r\n")
    assert answer.count(b"HTTP/1.1 200 OK") == protocols.PIPELINED_MAX
    exchange(impatient, few * 2_000)
    assert readings(impatient)["pipelined"] == before + 1


# WebSockets


def frame(kind: int, content: bytes = b"", final: bool = True) -> bytes:
    """A frame as a client sends it, masked with zeros."""
    assert len(content) < 126
    return struct.pack("!BB4x", kind | (0x80 if final else 0), len(content) | 0x80) + content


@contextlib.contextmanager
def raw_socket(server: Any) -> Iterator[socket.socket]:
    """The WebSocket of a room, which answers no pings by itself."""

    async def open_room() -> tuple[str, str]:
        async with client(server.url) as ann:
            token: str = (await ann.become())["token"]
            return token, await ann.room("multiply")

    token, room = asyncio.run(open_room())
    with connect(server) as connection:
        path = f"GET /api/rooms/{room}/socket HTTP/1.1\r\nAuthorization: Bearer {token}\r\n"
        connection.sendall(path.encode() + HEADERS + UPGRADE + b"\r\n")
        assert connection.recv(12) == b"HTTP/1.1 101"
        yield connection


def test_sockets_of_which_nobody_answers_pings_are_closed(impatient: Any) -> None:
    with raw_socket(impatient) as connection:
        assert struct.pack("!H", 1011) + b"keepalive ping timeout" in read_all(connection)


def test_sockets_that_answer_pings_stay(impatient: Any) -> None:
    async def story() -> None:
        async with client(impatient.url) as ann:
            room = await ann.room("multiply")
            async with ann.watch(room) as socket:
                reading = asyncio.create_task(events_until(socket, 3))
                await asyncio.sleep(3.5 * PING_SECONDS)  # Three pings, which aiohttp answers while it reads.
                await ann.propose(room, "cnt <= m")
                assert [event["kind"] for event in await reading] == ["loaded", "proposed", "judged"]

    asyncio.run(story())


@pytest.mark.parametrize("sent", [
    frame(9, b"x" * 100) * 2_000, frame(1, final=False) + frame(0, final=False) * 40_000, frame(1, b"x" * 100) * 2_000,
], ids=["pings", "pieces", "messages"])  # fmt: skip
def test_sockets_are_not_flooded(impatient: Any, sent: bytes) -> None:
    """Pongs were queued for a client that does not read, and empty pieces of a message kept, without bound."""
    before = readings(impatient).get("socket-bytes", 0)
    with raw_socket(impatient) as connection:
        send(connection, sent)
        read_all(connection)
    assert readings(impatient)["socket-bytes"] == before + 1


# Connections and descriptors


def test_connections_of_an_address_are_bounded(small: Any) -> None:
    with connected(small, ADDRESS_PLACES):
        until(lambda: readings(small)["connections"] > ADDRESS_PLACES)
        with connect(small) as one_more:
            assert refused(read_all(one_more)) == "too-many-connections"
    until(lambda: readings(small)["connections"] <= 1)
    assert b" 200 OK\r\n" in exchange(small, PING + b"Connection: close\r\n\r\n")


def test_descriptors_never_run_out(small: Any) -> None:
    """Once they had, every read failed until a restart, because the readers of the database were opened when first needed."""

    async def story() -> None:
        # She keeps her connection: she could not get another one.
        async with client(small.url, reused_seconds=HANG_SECONDS) as ann:
            room = await ann.room("multiply")
            with connected(small, ADDRESS_PLACES - 1), connected(small, PLACES - ADDRESS_PLACES, MALLORY):
                while True:
                    with connect(small, MALLORY) as one_more:
                        one_more.settimeout(1)
                        with contextlib.suppress(TimeoutError):
                            assert refused(read_all(one_more)) == "busy"
                            break
                # Whoever has a connection is served: reads, writes, files, and even a new worker.
                for _ in range(20):
                    (await ann.get("/api/rooms")).ok()
                os.kill(worker_of(small), signal.SIGKILL)
                await ann.judged(room, "res = n * cnt")
                assert (await ann.get("/")).status in (200, 503)
                with connected(small, 200, MALLORY) as many:
                    assert all(refused(read_all(connection)) == "busy" for connection in many)
            (await ann.get("/api/rooms")).ok()
        async with client(small.url) as bob:
            assert (await bob.get("/api/health")).ok()["status"] == "ok"

    asyncio.run(story())
    small.complaints[:] = [line for line in small.complaints if "worker" not in line]


def worker_of(server: Any) -> int:
    """The process of the server's worker."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return int(children[0])


def test_a_socket_takes_one_task(small: Any) -> None:
    """It took two: one that waited for the client's end, and one that waited for the room."""
    before, count = readings(small)["tasks"], 8
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(raw_socket(small))
        until(lambda: readings(small)["sockets"] == count)
        until(lambda: readings(small)["tasks"] < before + 1.5 * count)


def test_a_full_server_closes_an_idle_connection_for_a_new_one(start_server: Any) -> None:
    server = start_server(*FREE, "--connections-address", "2")
    with connected(server, 2) as connections:
        for connection in connections:
            connection.sendall(PING + b"\r\n")
            assert read_one(connection).startswith(b"HTTP/1.1 200 OK\r\n")

        def is_served() -> bool:
            answer = exchange(server, PING + b"Connection: close\r\n\r\n")
            return b" 200 OK\r\n" in answer or refused(answer) != "too-many-connections"

        until(is_served)
        assert connections[0].recv(1) == b"", "the one that has been idle for longer"
        assert readings(server)["made-way"] >= 1


def test_a_server_that_may_open_too_few_files_does_not_start(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "idg", "serve", "--port", "0", "--data", str(tmp_path)]
    ended = subprocess.run(limited_command(command, RESERVED), capture_output=True, text=True, timeout=HANG_SECONDS)
    assert ended.returncode == 2
    assert "allow more (ulimit -n " in ended.stderr


def test_half_sent_bodies_are_bounded_in_memory(small: Any) -> None:
    """Bodies of one address may be long and many, but not both."""
    size = body_bytes_max("/api/players/me/progress") - 1
    count = BODIES_BYTES_MAX_OF_ADDRESS // size + 1
    request = f"POST /api/players/me/progress HTTP/1.1\r\nContent-Length: {size + 1}\r\n".encode() + HEADERS
    head = request + b"Connection: close\r\n\r\n"  # Otherwise the server keeps an answered connection for a while.
    with connected(small, count) as connections:
        for connection in connections:
            send(connection, head + b" " * size)
        answered, _, _ = select.select(connections, [], [], HANG_SECONDS)
        assert [connection.recv(12) for connection in answered] == [b"HTTP/1.1 429"]
    until(lambda: readings(small)["connections"] <= 1)
    # The others' bytes are counted no longer.
    answer = exchange(small, head + b" " * (size + 1))
    assert b" 429 " not in answer.partition(b"\r\n")[0]
