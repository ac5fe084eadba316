"""Ways in which one anonymous client could stop or fool the server. Each is tried against a running server, in bounded loops."""

from __future__ import annotations

import ast
import asyncio
import json
import math
import re
import sqlite3
from pathlib import Path
from typing import Any

from idg.coordinator.codes import CODE_CHARS, CODE_LETTERS, new_token
from idg.coordinator.settings import RANGES, flag_name
from idg.coordinator.web.requests.addresses import limited_address
from tests.support.servers.clients import COUNTING, Client, client

pytest_plugins = ["tests.support.servers.servers", "tests.support.servers.databases"]

ROOT = Path(__file__).parents[3]
FREE = ("--rate-player", "0", "--rate-address", "0", "--workers", "1")
CODES_AT_ONCE = 130
"""How many codes are tried at once; some of them must be refused."""


# Texts


def test_no_text_has_a_nul_or_half_a_character(start_server: Any, database_url: str) -> None:
    """PostgreSQL cannot store a NUL, and said so with 500 `internal`."""
    server = start_server(*FREE, "--database", database_url, "--log-level", "warning")

    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become("Ann")
            opened = await ann.open("multiply")
            room, program = opened["room"]["room"], opened["program"]["program"]
            fact = {"loop": 1, "expression": "cnt <= m # *"}
            saved = {"format": "idg-progress", "version": 1, "rooms": [{"source": f"{COUNTING}# *", "facts": []}]}
            for path, body in (
                ("/api/programs", {"source": f"{COUNTING}# *"}), ("/api/programs", {"source": COUNTING, "title": "a*b"}),
                ("/api/players", {"name": "A*n"}), (f"/api/rooms/{room}/proposals", fact),
                (f"/api/rooms/{room}/batches", {"proposals": [fact]}), (f"/api/rooms/{room}/transitions", fact),
                (f"/api/programs/{program}/traces", {"inputs": {"n": "1*", "m": "2"}, "room": room}),
                (f"/api/programs/{program}/traces", {"inputs": {"n*": "1"}}), ("/api/players/me/progress", saved),
                ("/api/logs", {"rows": [{"kind": "error", "time": 1.0, "body": {"text": "a*", "b*": 1}}]}),
                ("/api/rooms/join", {"code": "ABCD*FGH"}), ("/api/rooms", {"level": "mult*"}),
            ):  # fmt: skip
                for character in ("\0", "\ud800", "\udc00", "\udc00\ud800", "\\\0"):
                    escaped = json.dumps(character)[1:-1]
                    answer = await ann.post(path, json.dumps(body).replace("*", escaped).encode())
                    assert "NUL" in (told := answer.refused("bad-request", "body")["message"]) or "surrogate" in told
            # The same texts with harmless escapes are accepted.
            (await ann.post("/api/programs", json.dumps({"source": f"{COUNTING}# \\u0000 \U0001f600"}).encode())).ok()

    asyncio.run(story())
    server.stop()
    assert not server.complaints, "".join(server.complaints)


# Codes


def test_codes_cannot_be_guessed_and_old_ones_still_work(start_server: Any) -> None:
    """Codes of rooms had 29 bits, and joining a room was allowed as often as any request."""
    server = start_server(*FREE)
    assert math.log2(len(CODE_LETTERS)) * CODE_CHARS >= 38
    assert not set(CODE_LETTERS) & set("IL1O0")

    async def wrong(eve: Client, path: str, number: int) -> int:
        answer = await eve.post(path, {"code": f"ABCDE{number:03d}"})
        answer.refused("wrong-code" if answer.status == 404 else "too-fast")
        return answer.status

    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as eve:
            opened = await ann.open("multiply", shared=True)
            room, code = opened["room"]["room"], opened["room"]["code"]
            assert len(code) == CODE_CHARS
            assert set(code) <= set(CODE_LETTERS)
            with sqlite3.connect(server.data / "idg.db") as database:
                database.execute("UPDATE rooms SET code = 'QK7X2M' WHERE id = ?", (room,))
            # A class that joins with the right code is not counted.
            for _ in range(CODES_AT_ONCE):
                assert (await eve.post("/api/rooms/join", {"code": "qk7x2m"})).ok()["room"]["room"] == room
            paths = ("/api/rooms/join", "/api/players/continue")
            for path in paths:
                statuses = await asyncio.gather(*(wrong(eve, path, number) for number in range(CODES_AT_ONCE)))
                assert 429 in statuses
            (await eve.post("/api/rooms/join", {"code": "QK7X2M"})).refused("too-fast")

    asyncio.run(story())


def test_no_id_looks_like_an_option() -> None:
    # About one of 64 did. Then `idg replay ROOM` and `--token TOKEN` refused it, and CI failed now and then.
    tokens = [new_token(16) for _ in range(2_000)]
    assert not [token for token in tokens if token.startswith("-")]
    assert len(set(tokens)) == 2_000
    assert {len(token) for token in tokens} == {22}


def test_an_ipv6_network_is_one_address() -> None:
    assert limited_address("2001:db8:1:2:3::4") == limited_address("2001:db8:1:2::ffff") != limited_address("2001:db8:1:3::4")
    assert limited_address("::ffff:192.0.2.1") == limited_address("192.0.2.1") == "192.0.2.1"
    assert limited_address("not:an:address") == "not:an:address"


# The threat model


def test_the_threat_model_names_bounds_that_exist() -> None:
    page = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    section = page[page.index("## Threat model") :]
    names: set[str] = set()
    for path in (ROOT / "src" / "idg" / "coordinator").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
            names.update(target.id for target in targets if isinstance(target, ast.Name))
    assert (named := set(re.findall(r"`([A-Z][A-Z_]+)`", section)))
    assert named <= names, f"no such constants: {named - names}"
    flags = {flag_name(setting) for setting in RANGES}
    flags -= {"--port", "--workers", "--spares", "--recycle-after"}
    missing = flags - set(re.findall(r"`(--[a-z-]+)`", section))
    assert not missing, f"bounds without a row: {missing}"
