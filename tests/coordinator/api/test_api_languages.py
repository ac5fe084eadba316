"""Texts of C and Python over HTTP, and programs shown in these languages."""

from __future__ import annotations

import asyncio
from typing import Any

from idg.engine.wire.codec import decode
from idg.engine.wire.programs import ReadProgram
from tests.coordinator.api.test_api import count
from tests.support.servers.clients import client

pytest_plugins = ["tests.support.servers.servers"]


def test_c_is_read_as_a_program(server: Any) -> None:
    c = "int main(int n) {\r\n  int i = 0;\r\n  while (i < n) i++;\r\n  assert(i >= n);\r\n}\r\n"

    async def story() -> None:
        async with client(server.url) as ann:
            rows = await count(server, "programs")
            reading = decode(ReadProgram, (await ann.post("/api/programs/from-c", {"source": c})).ok())
            assert reading.source.startswith("fn main(n: int) {")
            assert [note.text for note in reading.notes] == ["C's int is read as SIP's int, which has no bound: nothing overflows"]
            assert await count(server, "programs") == rows, "reading stores nothing"
            (await ann.post("/api/programs", {"source": reading.source})).ok()
            checked = (await ann.post("/api/programs/from-c", {"source": c, "integers": "check"})).ok()
            assert "2147483647" in checked["source"]
            error = (await ann.post("/api/programs/from-c", {"source": c.replace("i++", "goto x")})).refused("bad-text", "source")
            assert (error["where"]["line"], error["where"]["column"]) == (3, 17)
            assert c.replace("\r", "").replace("i++", "goto x")[error["where"]["start"] :].startswith("goto x")
            (await ann.post("/api/programs/from-c", {"source": " " * 100_001})).refused("bad-request", "source")
            (await ann.post("/api/programs/from-c", {"source": c, "integers": "float"})).refused("bad-request", "integers")

    asyncio.run(story())


def test_python_is_read_and_programs_are_shown_in_other_languages(server: Any) -> None:
    python = "def f(n: int):\r\n    i = 0\r\n    while i < n:\r\n        i += 1\r\n    assert i >= n\r\n"

    async def story() -> None:
        async with client(server.url) as ann:
            source = (await ann.post("/api/programs/from-python", {"source": python})).ok()["source"]
            assert source.startswith("fn f(n: int) {")
            error = (await ann.post("/api/programs/from-python", {"source": python.replace("i += 1", "import os")})).refused(
                "bad-text"
            )
            assert (error["where"]["line"], error["where"]["column"]) == (4, 9)
            program = (await ann.post("/api/programs", {"source": source})).ok()["program"]
            path = f"/api/programs/{program}/view"
            shown = (await ann.get(f"{path}?as=python")).ok()
            assert (shown["language"], shown["text"]) == (
                "python",
                python.replace("\r", "").replace("f(n: int)", "f(n: int) -> None").replace("+= 1", "= i + 1"),
            )
            assert "long long n" in (await ann.get(f"{path}?as=c")).ok()["text"]
            assert (await ann.get(f"{path}?as=sip")).ok()["text"] == source
            (await ann.get(f"{path}?as=rust")).refused("bad-request", "as")
            (await ann.get(f"/api/programs/{'0' * 32}/view?as=c")).refused("not-found")
            choosing = (await ann.get("/api/levels/wanderer")).ok()["program"]
            told = (await ann.get(f"/api/programs/{choosing}/view?as=c")).refused("no-view")
            assert "cassign chooses any values for step" in told["message"]

    asyncio.run(story())
