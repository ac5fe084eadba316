"""The load curve, a process of its own: `python -m bench.servers.load_curve URL known|new`. It prints one JSON line for each rate.

Requests are sent at a fixed rate, whether or not earlier ones were answered, and a request's time counts from the moment when it
was due. So a server that falls behind is seen to do so. The rate doubles until the 99th percentile exceeds the bound.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator
from itertools import count, cycle
from urllib.parse import urlsplit

from bench.servers.load import percentile

CONNECTIONS = 48
"""Players who propose, each in a room and with a connection of their own."""
FIRST_RATE = {"known": 100, "new": 10}
"""Proposals a second in the first step."""
STEP_SECONDS = 4.0
"""How long each rate is held."""
P99_SECONDS_MAX = 0.1
"""The curve ends with the first rate whose 99th percentile exceeds this."""
RATE_MAX = 3_200
"""No rate beyond this is tried, because the generator itself would be the bottleneck."""
LEVEL = "int-square-root"
KNOWN = ("cnt >= 0", "sqr > cnt", "odd > 0", "n >= 0")
"""Asked in turn. From the second time on, the books do not change and the answers are known."""
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Connection:
    """A player with a room."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str) -> None:
        self.reader, self.writer, self.host = reader, writer, host
        self.token = self.room = ""

    async def ask(self, path: str, body: object) -> bytes:
        content = json.dumps(body).encode()
        token = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        head = f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\n{token}Content-Type: application/json\r\n"
        self.writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(answer)
        assert length is not None, answer
        received = await self.reader.readexactly(int(length[1]))
        assert answer.startswith(b"HTTP/1.1 200"), answer + received
        return received

    async def start(self) -> None:
        self.token = json.loads(await self.ask("/api/players", {}))["token"]
        self.room = json.loads(await self.ask("/api/rooms", {"level": LEVEL, "resume": False}))["room"]["room"]
        for text in (*KNOWN, *KNOWN):
            await self.propose(text)

    async def propose(self, text: str) -> None:
        await self.ask(f"/api/rooms/{self.room}/proposals", {"loop": 1, "expression": text})


def _texts(kind: str) -> Iterator[str]:
    """Expressions to propose. New ones are false in the first row for small numbers only, so that all of them are judged alike."""
    if kind == "known":
        return cycle(KNOWN)
    return (f"cnt < {1_000_000 + number}" for number in count())


async def _step(free: asyncio.Queue[Connection], rate: int, texts: Iterator[str]) -> list[float]:
    seconds: list[float] = []

    async def send(due: float, text: str) -> None:
        connection = await free.get()
        await connection.propose(text)
        seconds.append(time.monotonic() - due)
        free.put_nowait(connection)

    tasks = []
    start = time.monotonic()
    for number in range(int(rate * STEP_SECONDS)):
        due = start + number / rate
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        tasks.append(asyncio.create_task(send(due, next(texts))))
    await asyncio.gather(*tasks)
    return sorted(seconds)


async def curve(url: str, kind: str) -> None:
    address = urlsplit(url)
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        connection = Connection(*await asyncio.open_connection(address.hostname, address.port), address.netloc)
        await connection.start()
        free.put_nowait(connection)
    texts = _texts(kind)
    rate = FIRST_RATE[kind]
    while rate <= RATE_MAX:
        cpu, start = time.process_time(), time.monotonic()
        seconds = await _step(free, rate, texts)
        share = (time.process_time() - cpu) / (time.monotonic() - start)
        row = {"rate": rate, "p50": percentile(seconds, 0.5), "p99": percentile(seconds, 0.99), "generator_cpu": round(share, 2)}
        print(json.dumps(row), flush=True)
        if row["p99"] > P99_SECONDS_MAX:
            return
        rate *= 2


if __name__ == "__main__":
    asyncio.run(curve(sys.argv[1], sys.argv[2]))
