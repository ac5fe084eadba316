"""Thousands of mutated requests for every route of the OpenAPI description: only clear refusals, and never a mistake."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from requests import Request
from schemathesis.core.result import Ok
from yarl import URL

from idg.cli.main import main
from idg.coordinator.web.requests.caller import COOKIE
from tests.support.servers.clients import UNLIMITED, Answer, Client, client, error_of
from tests.support.servers.hostile.malformed import damaged, mutated
from tests.support.servers.hostile.worst_work import STUDY, STUDY_TOML
from tests.support.volume import LONG, volume

pytest_plugins = ["tests.support.servers.servers", "tests.support.servers.databases"]

QUICK = settings(
    max_examples=volume(4, 32), database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
REQUESTS = {"sqlite": volume(1_600, 80_000), "postgresql": volume(600, 20_000)}
"""How many requests each database gets."""
LAST_REQUESTS = 100
"""How many of them leave the room or forget the player. They come last, because the others need both."""
LAST = ("/leave", "/forget")
AT_ONCE = 24
"""Requests that are under way at the same time."""
MEANT = ("busy", "no-answer")
"""Codes of answers with the status 503 that a server under load may give."""
EXPRESSIONS = ("cnt <= m", "res = n * cnt", "cnt >= 0", "res >= cnt & n > 1", "cnt % 2 = 0 -> res = 0", "abs(res) <= n * m")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
SAFER_METHODS = tuple(method for method in METHODS if method != "DELETE")
"""Where others would find nothing any more."""
PARTS = (
    "",
    ".",
    "..",
    "%00",
    "%ff",
    "%",
    "%2f..%2f",
    "%F0%9F%98%80",
    "x" * 300,
    "null",
    "-1",
    "{room}",
    "me",
    "0" * 32,
    "a;b",
    "~",
)
QUERIES = ("after", "limit", "x", "after[]", "%00", "", "after&after")
VALUES = ("0", "-1", "1e3", "9" * 30, "", "%00", "%ff", "NaN", "x" * 2_000, "0x10", "+1", "１", " 1", "true", "1&after=2")
HEADERS = (
    ("Content-Type", "application/json; charset=utf-16"), ("Content-Type", "text/plain"), ("Content-Type", "application/jsonx"),
    ("Content-Type", ""), ("Content-Encoding", "gzip"), ("Expect", "100-continue"),
    ("Expect", "nothing"), ("Range", "bytes=0-0, 5-9999999999"), ("If-None-Match", "*"), ("Accept", "image/png"),
    ("Cookie", "idg_token="), ("Cookie", "\"; idg_token=\"\\000\"; =;;;"), ("Authorization", "Bearer"),
    ("Authorization", "Basic eDp4"),
    ("Authorization", "Bearer " + "x" * 5_000), ("Authorization", "Bearer \xff\xfe"), ("X-IDG-Session", "x" * 65),
    ("X-IDG-Session", "a b"), ("X-IDG-Session", "\xe9"), ("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-Proto", "https"),
    ("Origin", "null"), ("Host", "evil.example"), ("Connection", "Upgrade, close"), ("Upgrade", "h2c"), ("TE", "trailers"),
    ("X-Large", "x" * 30_000), ("X-HTTP-Method-Override", "DELETE"),
)  # fmt: skip


@cache
def bases(description: str, number: int) -> list[tuple[str, Any]]:
    """The requests that schemathesis makes from the description, right ones and wrong ones. Making them takes longer than sending
    them, so in `make test` both databases get the same ones."""
    cases: list[tuple[str, Any]] = []
    schema = schemathesis.openapi.from_dict(json.loads(description))
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        for mode in schemathesis.GenerationMode:
            strategy = operation.as_strategy(generation_mode=mode)

            # A request without parameters cannot be wrong.
            with contextlib.suppress(Unsatisfiable):
                cases += ((operation.path, case) for case in drawn(strategy, number))
    return cases


def drawn(strategy: Any, number: int) -> list[Any]:
    cases: list[Any] = []

    @seed(number)
    @settings(QUICK)
    @given(strategy)
    def collect(case: Any) -> None:
        cases.append(case)

    collect()
    return cases


class FuzzedRequest:
    """A request that is ready to be sent."""

    def __init__(self, path: str, method: str, url: URL, headers: dict[str, str], body: bytes, token: str) -> None:
        self.token = token
        self.path = path
        """The address of its route in the description."""
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body

    def changed(self, pick: random.Random) -> FuzzedRequest:
        """The request with a random change."""
        method, url, headers, body = self.method, self.url, self.headers, self.body
        match pick.randrange(10):
            case 0:
                method = pick.choice(METHODS if not self.path.startswith("/api/classes/") else SAFER_METHODS)
            case 1:
                parts = url.raw_path.split("/")
                parts[pick.randrange(1, len(parts))] = pick.choice(PARTS)
                url = URL(f"{url.origin()}{'/'.join(parts)}?{url.raw_query_string}", encoded=True)
            case 2:
                url = URL(f"{url.origin()}{url.raw_path}?{pick.choice(QUERIES)}={pick.choice(VALUES)}", encoded=True)
            case 3:
                headers = headers | dict(pick.sample(HEADERS, pick.choice((1, 1, 2, 4))))
            case _:
                body = _changed_body(body, pick)
        return FuzzedRequest(self.path, method, url, headers, body, self.token)


def _changed_body(body: bytes, pick: random.Random) -> bytes:
    try:
        value = json.loads(body)
    except ValueError:
        return damaged(body, pick)
    match pick.randrange(4):
        case 0:
            return damaged(body, pick)
        case 1 if isinstance(value, dict) and "expression" in value:
            text = damaged(pick.choice(EXPRESSIONS).encode(), pick).decode("latin-1")
            return json.dumps(value | {"expression": text}).encode()
        case _:
            return json.dumps(mutated(value, pick)).encode()


def prepared(case: Any, path: str, url: str, places: dict[str, str], token: str, pick: random.Random) -> FuzzedRequest:
    kwargs = case.as_transport_kwargs(base_url=url)
    request = Request(**{name: value for name, value in kwargs.items() if name != "verify"}).prepare()
    body: Any = request.body or b""
    headers = {
        name: str(value) for name, value in request.headers.items()
        if name.lower() in ("content-type", "x-idg-session") and str(value).isascii() and str(value).isprintable()
    }  # fmt: skip
    address = str(request.url)
    if pick.random() < 0.7:
        filled = path
        for name, value in places.items():
            filled = filled.replace(f"{{{name}}}", value)
        address = url + filled + (address[address.index("?") :] if "?" in address else "")
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else bytes(body)
    return FuzzedRequest(path, str(request.method), URL(address, encoded=True), headers, content, token)


def requests(first: list[FuzzedRequest], count: int, pick: random.Random) -> Iterator[FuzzedRequest]:
    """The first requests and random changes of them, `count` in all. Those that end something come last."""
    early = [request for request in first if not is_late(request)]
    late = [request for request in first if is_late(request)]
    yield from early
    for _ in range(count - len(early) - LAST_REQUESTS):
        yield pick.choice(early).changed(pick)
    for _ in range(LAST_REQUESTS):
        yield pick.choice(late).changed(pick) if pick.random() < 0.5 else pick.choice(late)


def is_late(request: FuzzedRequest) -> bool:
    return request.method == "DELETE" or request.path.endswith(LAST)


OF_STUDENTS = ("/api/classes/{class_id}/me", "/api/classes/{class_id}/assignments/")
"""How the routes of a student's own class begin; some of those of teachers begin like them."""


class Cast:
    """Those who make the requests: somebody with a room and a class, a student of it, and participants of a study."""

    def __init__(self, teacher: str, student: str, participants: list[str]) -> None:
        self.teacher = teacher
        self.student = student
        self.participants = participants

    def token(self, path: str, pick: random.Random) -> str:
        """The token of somebody for whom the route is meant, mostly."""
        if pick.random() < 0.1:
            return pick.choice([self.teacher, self.student, *self.participants])
        if path.startswith("/api/studies/"):
            return pick.choice(self.participants)
        is_students = path.startswith("/api/classes/{class_id}/") and path.endswith(
            ("/me", "/hand-in", "/items/{item}/certificate")
        )
        return self.student if is_students else self.teacher


async def come(url: str, ann: Client, token: str) -> tuple[Cast, dict[str, str]]:
    """The cast, and what stands for the names in the paths of the description."""
    opened = await ann.open("multiply", shared=True)
    places = {"room": opened["room"]["room"], "program": opened["program"]["program"], "level": "multiply", "study": STUDY}
    made = (await ann.post("/api/classes", {"title": "All"})).ok()
    places |= {"class_id": made["class_id"], "student": "1", "number": "1", "item": "1"}
    (await ann.post(f"/api/classes/{made['class_id']}/assignments", {"title": "A", "items": [{"level": "multiply"}]})).ok()
    async with client(url) as student:
        joined = (await student.post("/api/classes/join", {"code": made["code"], "name": "Emmy"})).ok()
        await student.propose(await student.room("multiply"), "cnt <= m")
    participants = []
    for pid in ("a", "b"):
        async with client(url) as who:
            answer = await who.post(f"/api/studies/{STUDY}/participants", {"pid": pid, "consent": "1"})
            assert answer.ok()["study"] == STUDY
            participants.append(next(cookie.value for cookie in who.session.cookie_jar if cookie.key == COOKIE))
    return Cast(token, joined["token"], participants), places


@pytest.mark.parametrize("database", REQUESTS)
def test_thousands_of_requests_and_no_mistake(request: Any, start_server: Any, database: str, tmp_path: Path) -> None:
    url = request.getfixturevalue(f"{database}_url")
    server = start_server(*UNLIMITED, "--workers", "1", "--log-level", "warning", "--database", url)
    definition = tmp_path / "study.toml"
    definition.write_text(STUDY_TOML, encoding="utf-8")
    assert main(["study", "open", str(definition), "--database", url]) == 0
    number = list(REQUESTS).index(database)
    pick = random.Random(number)

    async def story() -> Counter[int]:
        async with client(server.url) as ann:
            token = (await ann.become())["token"]
            cast, places = await come(server.url, ann, token)
            answer = await ann.get("/api/openapi.json")
            description = answer.ok()
            cases = bases(answer.text, number if LONG else 0)
            first = [prepared(case, path, server.url, places, cast.token(path, pick), pick) for path, case in cases]
            assert len({request.path for request in first}) == len(description["paths"])
            statuses: Counter[int] = Counter()
            async with client(server.url, token) as player:
                waiting = requests(first, REQUESTS[database], pick)
                await asyncio.gather(*(send_all(player, waiting, statuses) for _ in range(AT_ONCE)))
            assert (await ann.get("/api/health")).ok()["status"] == "ok"
            return statuses

    statuses = asyncio.run(story())
    assert statuses.total() >= REQUESTS[database]
    assert set(statuses) >= {200, 401, 404, 405, 422}
    server.stop()
    assert not server.complaints, "".join(server.complaints)


async def send_all(player: Client, waiting: Iterator[FuzzedRequest], statuses: Counter[int]) -> None:
    for request in waiting:
        described = (request.method, str(request.url)[:200], request.headers, request.body[:300], len(request.body))
        try:
            answer = await answered(player, request)
        except aiohttp.ClientError as failure:
            raise AssertionError(described) from failure
        statuses[answer.status] += 1
        if answer.status != 200:
            error = error_of(answer)
            assert answer.status < 500 or error["code"] in MEANT, (described, answer.status, answer.text[:300])


async def answered(player: Client, request: FuzzedRequest) -> Answer:
    body = io.BytesIO(request.body) if request.body else None
    headers = {"Authorization": f"Bearer {request.token}"} | request.headers
    skipped = ["Content-Type"]
    async with player.session.request(
        request.method, request.url, data=body, headers=headers, skip_auto_headers=skipped
    ) as response:
        return Answer(response.status, response.headers, await response.text())
