"""Hostile and careless callers get clear refusals from a running server. It makes no mistake, and nothing is stored or lost."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Sequence
from typing import Any

import aiohttp
import pytest
from yarl import URL

from idg.coordinator.web.requests.guard import HEADERS
from tests.support.servers.clients import COUNTING, UNLIMITED, Answer, Json, client, closed_with, error_of
from tests.support.servers.hostile.malformed import NO_LIST, NO_NUMBER, NO_TEXT, TEXTS, without, wrong_bytes, wrong_values

pytest_plugins = ["tests.support.servers.servers"]

FREE = UNLIMITED
OWN = COUNTING.replace("(i < n)", "(i < 2 * n)").replace("(i = n)", "(i = 2 * n)")
FACT = {"loop": 1, "expression": "cnt <= m", "kind": "inductive"}
FILE: Json = {
    "format": "idg-progress", "version": 1, "name": "Ann", "exported": 5.5, "engine": "1",
    "rooms": [
        {"source": OWN, "title": "Mine", "facts": [{"loop": 1, "expression": "i <= 2 * n", "kind": "inductive"}]},
        {"level": "multiply", "variant": "code", "solved": True, "facts": [FACT]},
    ],
}  # fmt: skip
BATCH: Json = {"rows": [{"kind": "focus", "time": 1.0}, {"kind": "pause", "time": 2.0, "body": {"seconds": 1.5, "where": "input"}}]}


def malformed_files() -> list[tuple[str, bytes]]:
    fact: tuple[str | int, ...] = ("rooms", 1, "facts", 0)
    bodies = [*wrong_bytes(FILE), *wrong_values(FILE, {
        ("format",): (*NO_TEXT, None, "", "other", "IDG-PROGRESS"),
        ("version",): (0, 2, -1, 10**30, "1", 1.5, None, []),
        ("name",): (5, [], "x" * 41, "", "a\nb", "\ud800"),
        ("exported",): ("now", -1, 1e300, None, []),
        ("engine",): ("x" * 41, 5, None),
        ("rooms",): (*NO_LIST, [FILE["rooms"][1]] * 201, [None], [[]], ["multiply"]),
        ("rooms", 0, "source"): (*NO_TEXT, "", "nonsense", COUNTING[:40], "fn f() { }", "\0", "x" * 400_000, "\ud800"),
        ("rooms", 1, "level"): (*NO_TEXT, "", "no-such-level", "Multiply", "../multiply", "x" * 61, "\0"),
        ("rooms", 1, "variant"): (*NO_TEXT[:3], "", "other"),
        ("rooms", 1, "solved"): ("true", 1, None, []),
        ("rooms", 1, "source"): (COUNTING,),
        ("rooms", 1, "facts"): (*NO_LIST, [FACT] * 101, ["cnt <= m"], [None]),
        (*fact, "loop"): (*NO_NUMBER, 0, 2, -1, 1001, 10**30, 1.5, True),
        (*fact, "expression"): (*NO_TEXT, *TEXTS, "cnt <=", "nosuch > 0", "cnt + 1", "(" * 5_000, "cnt := 1"),
        (*fact, "kind"): (*NO_TEXT[:3], "", "non-invariant", "Inductive"),
    })]  # fmt: skip
    needed = (("format",), ("version",), ("rooms",), ("rooms", 1, "level"), ("rooms", 1, "facts"), (*fact, "loop"), (*fact, "kind"))
    for place in needed:
        bodies.append((f"without {place}", json.dumps(without(FILE, place)).encode()))
    return bodies


def malformed_logs() -> list[tuple[str, bytes]]:
    body: tuple[str | int, ...] = ("rows", 1, "body")
    bodies = [*wrong_bytes(BATCH), *wrong_values(BATCH, {
        ("rows",): (*NO_LIST, [], [BATCH["rows"][0]] * 201, [None], [[]], ["focus"]),
        ("rows", 0, "kind"): (*NO_TEXT, None, "", "Focus", "shell", "x" * 1_000, "\ud800"),
        ("rows", 0, "time"): (*NO_NUMBER, -1, 1e300, 10**30, True),
        ("rows", 0, "player"): ("somebody",),
        ("rows", 0, "session"): ("s",),
        body: ([], "", 5, None, True, {str(number): number for number in range(21)}, {"x" * 41: 1}, {"\ud800": 1}),
        ("rows", 1, "time"): ("now", {}, -0.5),
        (*body, "where"): (None, [], {}, "x" * 1_001),
        (*body, "seconds"): (None, [], {}, [1], {"a": 1}, "x" * 1_001, "\ud800", 10**400, -(10**400)),
    })]  # fmt: skip
    for place in (("rows",), ("rows", 0, "kind"), ("rows", 1, "time")):
        bodies.append((f"without {place}", json.dumps(without(BATCH, place)).encode()))
    return bodies


async def rows(server: Any) -> Json:
    async with client(server.url, server.admin_token) as admin:
        rows: Json = (await admin.get("/api/admin/stats")).ok()["rows"]
        return {name: rows[name] for name in ("programs", "players", "rooms", "events", "logs")}


@pytest.mark.parametrize(("path", "bodies"), [
    ("/api/players/me/progress", malformed_files()), ("/api/logs", malformed_logs()),
], ids=["files", "logs"])  # fmt: skip
def test_malformed_files_and_logs_are_refused_whole(server: Any, path: str, bodies: Sequence[tuple[str, bytes]]) -> None:
    assert len(bodies) >= 100

    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become("Ann")
            await ann.judged(await ann.room("multiply"), "res = n * cnt")
            kept = (await ann.get("/api/players/me/progress")).ok()["rooms"]
            before = await rows(server)
            for name, body in bodies:
                answer = await ann.post(path, body)
                assert 400 <= answer.status < 500, (name, answer.status, answer.text[:300])
                assert error_of(answer)["code"] in ("bad-request", "bad-file", "too-large"), (name, answer.text[:300])
            whole = json.dumps(FILE if "progress" in path else BATCH).encode()
            for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json", ""):
                (await ann.post(path, whole, headers={"Content-Type": kind})).refused("wrong-content-type")
            (await ann.post(path)).refused("bad-request", "body")
            assert await rows(server) == before
            assert (await ann.get("/api/players/me/progress")).ok()["rooms"] == kept
            # The right body is accepted.
            (await ann.post(path, whole)).ok()
            assert await rows(server) != before

    asyncio.run(story())


# What the guard refuses


def test_bodies_are_bounded(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become()
            room = await ann.room()
            for path, most in (
                ("/api/players", 64 * 1024), ("/api/programs", 500_000), ("/api/logs", 256_000),
                ("/api/players/me/progress", 400_000), (f"/api/rooms/{room}/batches", 400_000),
                (f"/api/rooms/{room}/proposals", 64 * 1024),
            ):  # fmt: skip
                for size, code in ((most + 1, "too-large"), (most, "bad-request")):
                    kind = {"Content-Type": "application/json"}
                    (await ann.ask("POST", path, data=io.BytesIO(b" " * size), headers=kind)).refused(code)

                async def chunks(most: int = most) -> Any:
                    for _ in range(most // 10_000 + 2):
                        yield b" " * 10_000

                chunked = await ann.ask("POST", path, data=chunks(), headers={"Content-Type": "application/json"})
                chunked.refused("too-large")
            assert (await ann.get("/api/players/me")).status == 200

    asyncio.run(story())


def test_only_the_servers_own_names(server: Any) -> None:
    port = URL(server.url).port

    async def story() -> None:
        async with client(server.url) as ann:
            for host in ("evil.example", f"evil.example:{port}", "", "127.0.0.1.evil.example", "[::2]", "127.0.0.2", "[", "é"):
                (await ann.get("/api/ping", headers={"Host": host})).refused("wrong-host")
                (await ann.get("/", headers={"Host": host})).refused("wrong-host")
            for host in ("localhost", f"localhost:{port}", "127.0.0.1", "[::1]", f"[::1]:{port}"):
                (await ann.get("/api/ping", headers={"Host": host})).ok()
            room = await ann.room()
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await ann.watch(room, headers={"Host": "evil.example"})
            assert refused.value.status == 421

    asyncio.run(story())


def test_pages_of_other_sites_can_do_nothing(server: Any) -> None:
    own_host = server.url.removeprefix("http://")

    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become("Ann")
            room = await ann.room()
            for origin in (
                "http://evil.example",
                f"http://{own_host}.evil.example",
                "null",
                "http://[",
                "https://",
                f"http://x@{own_host}",
            ):
                headers = {"Origin": origin}
                for method, path, body in (
                    ("POST", "/api/players", {}), ("PATCH", "/api/players/me", {"name": "Eve"}),
                    ("POST", f"/api/rooms/{room}/reset", None), ("POST", "/api/players/me/forget", None),
                    ("POST", f"/api/rooms/{room}/proposals", {"expression": "cnt <= m"}),
                ):  # fmt: skip
                    (await ann.ask(method, path, body, headers=headers)).refused("wrong-origin")
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await ann.watch(room, headers=headers)
                assert refused.value.status == 403
                seen = await ann.get("/api/players/me", headers=headers)
                assert not [name for name in seen.headers if name.lower().startswith("access-control")]
            preflight = await ann.ask("OPTIONS", "/api/players", headers={
                "Origin": "http://evil.example", "Access-Control-Request-Method": "POST",
            })  # fmt: skip
            error_of(preflight)
            assert not [name for name in preflight.headers if name.lower().startswith("access-control")]
            (await ann.ask("PATCH", "/api/players/me", {"name": "Anna"}, headers={"Origin": f"http://{own_host}"})).ok()
            async with ann.watch(room, headers={"Origin": f"http://{own_host}"}) as socket:
                assert (await socket.receive()).type is aiohttp.WSMsgType.TEXT
            assert len(await ann.events(room)) == 1

    asyncio.run(story())


def test_every_answer_has_the_security_headers(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            created = await ann.post("/api/players", {})
            answers = [
                created, await ann.get("/api/ping"), await ann.get("/"), await ann.get("/no/such.file"), await ann.get("/api/none"),
                await ann.post("/api/players", b"{"), await ann.get("/api/ping", headers={"Host": "evil.example"}),
                await ann.post("/api/players", b" " * 100_000), await ann.ask("DELETE", "/api/players"), await ann.get("/metrics"),
                await ann.propose(await ann.room(), "cnt <= m"),
            ]  # fmt: skip
            for answer in answers:
                for name, value in HEADERS:
                    assert answer.headers.getall(name.decode()) == [value.decode()]
                assert "server" not in answer.headers
            assert "script-src 'self'" in created.headers["content-security-policy"]
            cookie = created.headers["set-cookie"].lower()
            assert {"httponly", "samesite=lax", "path=/"} <= set(cookie.split("; "))
            assert "secure" not in cookie.split("; ")

    asyncio.run(story())


def test_paths_that_mean_nothing(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            for path in ("/%00", "/" + "a" * 300, "/a" * 2_000, "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/none.js",
                         "/..%2f..%2fapp.py", "/api", "/api/", "/api/none", "/%ff", "/x.php"):  # fmt: skip
                async with ann.session.get(URL(server.url + path, encoded=True)) as response:
                    answer = Answer(response.status, response.headers, await response.text())
                assert answer.status in (200, 404, 503), (path, answer.status)
                assert "root:" not in answer.text
                if path.startswith("/api"):
                    answer.refused("no-route")
            (await ann.post("/api/none", {})).refused("wrong-method")
            (await ann.ask("DELETE", "/api/rooms")).refused("wrong-method")
            (await ann.ask("PUT", "/api/ping")).refused("wrong-method")

    asyncio.run(story())


def test_rates_are_limited(start_server: Any) -> None:
    server = start_server("--rate-player", "1", "--rate-address", "10", "--workers", "1", "--secure", "true")

    async def story() -> None:
        async with client(server.url) as ann:
            created = await ann.post("/api/players", {})
            assert "secure" in created.headers["set-cookie"].lower().split("; ")
            token = created.ok()["token"]
            async with client(server.url, token) as player:
                answers = [await player.get("/api/players/me") for _ in range(25)]
            statuses = [answer.status for answer in answers]
            assert statuses[:10] == [200] * 10
            answers[-1].refused("too-fast")
            # Many are sent at once, until they are more than ten a second, however slow this machine is.
            refused = None
            for _ in range(50):
                answers = await asyncio.gather(*(ann.get("/api/ping") for _ in range(40)))
                refused = next((answer for answer in answers if answer.status == 429), None)
                if refused is not None:
                    break
            assert refused is not None
            refused.refused("too-fast")
            # After the pause that the server named, the player is welcome again.
            await asyncio.sleep(int(refused.headers["retry-after"]) + 1)
            assert (await ann.get("/api/ping")).status == 200

    asyncio.run(story())


def test_a_busy_server_says_so_and_recovers(start_server: Any) -> None:
    server = start_server(*FREE, "--queue-max", "1", "--workers", "1")
    slow = COUNTING.replace("i := i + 1;", "i := i + 1; i := i + 0;" * 3)

    async def story() -> None:
        async with client(server.url) as ann:
            program = (await ann.post("/api/programs", {"source": slow})).ok()["program"]
            path = f"/api/programs/{program}/traces"
            runs = await asyncio.gather(
                *(ann.post(path, {"inputs": {"n": "90000"}, "seed": seed, "limit": 1}) for seed in range(12))
            )
            assert {run.status for run in runs} == {200, 503}
            for run in runs:
                if run.status == 503:
                    run.refused("busy")
            room = await ann.room("int-square-root")
            texts = [f"sqr * odd <= (n + {number})^5" for number in range(6)]
            proposals = await asyncio.gather(*(ann.propose(room, text) for text in texts))
            assert {answer.status for answer in proposals} == {200, 503}
            # Refused proposals were not stored, and all stored ones were judged.
            kinds = [event["kind"] for event in await ann.events(room)]
            accepted = sum(answer.status == 200 for answer in proposals)
            assert (kinds.count("proposed"), kinds.count("judged")) == (accepted, accepted)
            assert (await ann.propose(room, "odd = 2*cnt+1")).status == 200
            assert (await ann.get("/api/health")).ok()["status"] == "ok"

    asyncio.run(story())


def test_a_caller_who_goes_away_leaves_no_mess(start_server: Any) -> None:
    server = start_server(*FREE, "--workers", "1", "--log-level", "warning")

    async def story() -> None:
        async with client(server.url) as ann:
            program = (await ann.post("/api/programs", {"source": COUNTING})).ok()["program"]
            tasks = [
                asyncio.create_task(ann.post(f"/api/programs/{program}/traces", {"inputs": {"n": "90000"}, "seed": seed}))
                for seed in range(6)
            ]
            await asyncio.sleep(0.3)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            (await ann.post(f"/api/programs/{program}/traces", {"inputs": {"n": "3"}})).ok()

    asyncio.run(story())
    assert server.stop() == 0
    assert not server.complaints, "".join(server.complaints)


def test_limits_of_one_analysis_are_told(start_server: Any) -> None:
    """A run that takes longer than the limit is refused with the reason, and the server goes on."""
    server = start_server(*FREE, "--workers", "1", "--deadline-seconds", "0.1", "--log-level", "error")

    async def story() -> None:
        async with client(server.url) as ann:
            source = COUNTING.replace("i := i + 1;", "i := i + 1; i := i + 0 * (i ^ 2000);")
            answer = await ann.post("/api/programs", {"source": source})
            if answer.status == 200:
                runs = f"/api/programs/{answer.json['program']}/traces"
                answer = await ann.post(runs, {"inputs": {"n": "99000"}})
            assert "0.1 s" in answer.refused("no-answer")["message"]
            assert (await ann.get("/api/health")).ok()["status"] == "ok"

    asyncio.run(story())


def test_sockets_of_nobody(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as nobody:
            for room in ("x", "x" * 22, "%00%00%00%00%00%00%00%00", "é" * 10, "x" * 3_000):
                url = URL(f"{server.url}/api/rooms/{room}/socket", encoded=room.isascii())
                async with nobody.session.ws_connect(url) as socket:
                    assert await closed_with(socket) == 4404, room

    asyncio.run(story())
