"""The API's description of itself and docs/api.md, compared with the code and with a running server."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from idg.cli.main import main
from idg.coordinator.catalog import LanguageReference
from idg.coordinator.cluster.coordinators.leases import SharedLimits
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import CODES
from idg.coordinator.players.progress import ProgressFile
from idg.coordinator.players.scores import PlayerScores
from idg.coordinator.settings import Settings
from idg.coordinator.web import models
from idg.coordinator.web.answers import CodeAnswer, Health
from idg.coordinator.web.app import create_app
from idg.coordinator.web.describing.description import answer_schemas, api_name, examples, field_docstrings
from idg.coordinator.web.describing.operations import NAMES, example_of
from idg.engine.wire.answers import Explanation
from idg.engine.wire.board import BoardAnswer
from idg.engine.wire.codec import decode, encode
from idg.engine.wire.events import EventPage
from idg.engine.wire.programs import DailyAnswer, LevelList, ProgramAnswer
from idg.engine.wire.rooms import CrowdView, JudgedMove, OpenedRoom, PlayerAnswer, RoomAnswer, RoomList
from idg.sip.record import Record
from tests.support.servers.clients import Json, client

pytest_plugins = ["tests.support.servers.servers"]

ROOT = Path(__file__).parents[3]
API_PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


CODES_NEEDED = {
    "/api/lti/ticket",
    "/api/lti/enter",
    *("/api/players/continue", "/api/rooms/join"),
    *("/api/classes/teach", "/api/classes/entrance", "/api/classes/join", "/api/classes/continue"),
}
"""Routes that need a code. Those of the examples belong to nobody."""


def described(server: Any) -> Json:
    async def ask() -> Json:
        async with client(server.url) as ann:
            description: Json = (await ann.get("/api/openapi.json")).ok()
            return description

    return asyncio.run(ask())


def operations(description: Json) -> list[tuple[str, str, Json]]:
    return [
        (method.upper(), path, operation) for path, methods in description["paths"].items() for method, operation in methods.items()
    ]


def test_the_description_is_complete(server: Any) -> None:
    description = described(server)
    listed = operations(description)
    assert len(listed) >= 30
    for method, path, operation in listed:
        assert operation["summary"], (method, path)
        for parameter in operation.get("parameters", ()):
            assert parameter["schema"].get("examples") or parameter.get("examples") or "example" in parameter, (path, parameter)
        statuses = {int(status) for status in operation["responses"]}
        assert statuses >= {404, 422, 429, 503}, (path, statuses)
        named = operation["responses"]["404"]["$ref"].rsplit("/", 1)[-1]
        refused = description["components"]["responses"][named]["content"]["application/json"]["schema"]["$ref"]
        assert refused.endswith("/ErrorView")
        contents = [operation["responses"]["200"]["content"], operation.get("requestBody", {}).get("content", {})]
        for content in (shown for kinds in contents for kind, shown in kinds.items() if kind == "application/json"):
            assert content["example"] or content["schema"]["$ref"].endswith("/Empty"), (method, path)
    names = [operation["operationId"] for _, _, operation in listed]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in names)
    assert {(method.upper(), path) for path, named in NAMES.items() for method in named} == {row[:2] for row in listed}


def test_the_description_says_who_may_call(server: Any) -> None:
    """Without a token, exactly those operations refuse that are said to need a player or the admin token."""
    description = described(server)
    schemes = set(description["components"]["securitySchemes"])
    refused: dict[tuple[str, str], bool] = {}

    async def story() -> None:
        for method, path, operation in operations(description):
            filled = path
            for parameter in operation.get("parameters", ()):
                filled = filled.replace(f"{{{parameter['name']}}}", str(parameter["schema"]["examples"][0]))
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            query = "?to=dafny" if path.endswith("/rooms/{room}/export") else ""
            async with client(server.url) as nobody:
                answer = await nobody.ask(method, filled + query, content.get("example"))
            refused[method, path] = any(f'"{code}"' in answer.text for code in ("no-token", "not-admin"))

    asyncio.run(story())
    for method, path, operation in operations(description):
        assert {name for choice in operation["security"] for name in choice} <= schemes
        assert refused[method, path] == bool(operation["security"] and {} not in operation["security"]), (method, path)


def test_the_page_to_read_names_everything_and_loads_nothing(server: Any) -> None:
    description = described(server)

    async def ask() -> tuple[Any, Any]:
        async with client(server.url) as ann:
            return await ann.get("/api/docs"), await ann.get("/api/docs.css")

    page, style = asyncio.run(ask())
    assert page.headers["content-security-policy"].startswith("default-src 'self'")
    assert style.status == 200
    targets = set(re.findall(r' id="([^"]+)"', page.text))
    assert {operation["operationId"] for _, _, operation in operations(description)} <= targets
    assert set(description["components"]["schemas"]) <= targets
    assert set(re.findall(r'href="#([^"]+)"', page.text)) <= targets
    assert set(re.findall(r'(?:href|src)="([^#"]+)"', page.text)) == {"/api/docs.css", "/api/openapi.json"}
    assert "<script" not in page.text
    assert " style=" not in page.text
    assert "url(" not in style.text


def test_the_descriptions_examples_are_accepted(server: Any) -> None:
    description = described(server)
    accepted: set[str] = set()

    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become("Ann")
            opened = await ann.open("multiply", shared=True)
            room = opened["room"]["room"]
            level = (await ann.get("/api/levels/multiply")).ok()
            made = (await ann.post("/api/classes", {"title": "Loops"})).ok()
            async with client(server.url) as student:
                (await student.post("/api/classes/join", {"code": made["code"], "name": "Ada"})).ok()
            for method, path, operation in operations(description):
                if "requestBody" not in operation:
                    continue
                body = example_of(
                    operation["requestBody"]["content"]["application/json"]["schema"], description["components"]["schemas"]
                )
                filled = path.replace("{room}", room).replace("{program}", level["program"])
                filled = filled.replace("{study}", "none").replace("{number}", "1")
                filled = filled.replace("{class_id}", made["class_id"]).replace("{student}", "1")
                async with client(server.url) as newcomer:
                    # The codes of the examples belong to nobody. Everything else must be accepted.
                    caller = newcomer if path in ("/api/players", *CODES_NEEDED) else ann
                    answer = await caller.ask(method, filled, body)
                if path in CODES_NEEDED:
                    answer.refused("wrong-code")
                elif path.startswith("/api/admin"):
                    answer.refused("not-admin")
                elif path.endswith("/transitions"):
                    answer.refused("not-potential")
                elif path.startswith("/api/studies"):
                    # The body was read; there is no study here. test_studies.py takes part in one.
                    answer.refused("not-found" if path.endswith("/participants") else "not-in-study")
                else:
                    answer.ok()
                    accepted.add(path)

    asyncio.run(story())
    bodies = {path for _, path, operation in operations(description) if "requestBody" in operation}
    bodies = {path for path in bodies if not path.startswith(("/api/studies", "/api/admin"))} - CODES_NEEDED
    assert len(bodies - accepted) == 1, "one fact is not potential"
    assert {"/api/players", "/api/programs", "/api/rooms", "/api/rooms/{room}/proposals"} <= accepted


def test_answers_are_the_records_that_the_description_names(server: Any) -> None:
    """Decoding is strict: a field that is missing, unknown or of another type is an error."""
    kinds: dict[str, type[Record]] = {
        "/api/levels": LevelList,
        "/api/levels/multiply": ProgramAnswer,
        "/api/daily": DailyAnswer,
        "/api/reference": LanguageReference,
        "/api/rooms": RoomList,
        "/api/rooms/{room}": RoomAnswer,
        "/api/rooms/{room}/open": OpenedRoom,
        "/api/rooms/{room}/events": EventPage,
        "/api/rooms/{room}/explanation": Explanation,
        "/api/rooms/{room}/board": BoardAnswer,
        "/api/levels/multiply/crowd": CrowdView,
        "/api/players/me": PlayerAnswer,
        "/api/players/me/scores": PlayerScores,
        "/api/players/me/progress": ProgressFile,
        "/api/health": Health,
    }
    described_paths = described(server)["paths"]

    async def story() -> None:
        async with client(server.url) as ann:
            room = await ann.room("multiply")
            decode(JudgedMove, (await ann.propose(room, "res = n * cnt")).ok())
            decode(CodeAnswer, (await ann.post(f"/api/rooms/{room}/share", {})).ok())
            for path, kind in kinds.items():
                decode(kind, (await ann.get(path.replace("{room}", room))).ok())
                operation = described_paths[path.replace("multiply", "{level}")]["get"]
                [content] = operation["responses"]["200"]["content"].values()
                assert content["schema"]["$ref"] == f"#/components/schemas/{api_name(kind)}"

    asyncio.run(story())


def references(description: Any) -> set[str]:
    """The names of all schemas that a part of the description refers to."""
    if isinstance(description, dict):
        own = {description["$ref"].rsplit("/", 1)[-1]} if isinstance(description.get("$ref"), str) else set()
        return own.union(*map(references, description.values()))
    return set().union(*map(references, description)) if isinstance(description, list) else set()


def test_every_answer_is_described_with_an_example(server: Any) -> None:
    description = described(server)
    schemas = description["components"]["schemas"]
    assert references(description) <= {*schemas, *description["components"]["responses"]}
    for method, path, operation in operations(description):
        if path not in ("/metrics", "/api/admin/events") and not path.endswith((".csv", "/export")):  # text, CSV and JSON lines
            schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            assert schemas[schema["$ref"].rsplit("/", 1)[-1]]["examples"], (method, path)


def test_the_examples_of_answers_are_such_records() -> None:
    for example in examples():
        assert decode(type(example), encode(example)) == example
    kinds = [type(example) for example in examples()]
    assert len(set(kinds)) == len(kinds)


def test_the_names_of_schemas_stay(server: Any) -> None:
    """Programs may have been generated from the description. These were the schemas of answers before the records were."""
    names = (
        "CodeView EarnedView Empty ErrorView EventView FactView HistoryView ImportedView JudgedView Listed OpenedRoomView "
        "PlayerToken PlayerView RoomView ScoreView ScoresView"
    )
    assert set(names.split()) <= set(described(server)["components"]["schemas"])
    bodies = {name for name, kind in vars(models).items() if isinstance(kind, type)}
    assert not bodies & set(answer_schemas()), "a body and an answer have the same name"


def test_docstrings_of_fields_describe_them() -> None:
    assert dict(field_docstrings(RoomAnswer))["hints"] == "Given in this sitting."
    assert answer_schemas()["RoomView"]["properties"]["hints"]["description"] == "Given in this sitting."


def routes() -> set[tuple[str, str]]:
    """All routes of the application, except its description, the files of the client, and the pages for learning platforms."""
    parts = SimpleNamespace(settings=Settings(), readings=lambda: (), limits=SharedLimits(), address_rates=None)
    app = create_app(cast(Coordinator, parts))
    routes: set[tuple[str, str]] = set()
    waiting: list[Any] = list(app.routes)
    for route in waiting:
        if hasattr(route, "original_router"):
            waiting += route.original_router.routes
        elif route.path not in ("/api/openapi.json", "/api/docs", "/api/docs.css", "/{path:path}") and not route.path.startswith(
            "/lti/"
        ):
            routes |= {(method, route.path) for method in getattr(route, "methods", None) or {"WebSocket"}}
    return routes


def test_the_page_knows_every_route(server: Any) -> None:
    written = set(re.findall(r"^### `(\w+) (/\S*)`$", API_PAGE, re.MULTILINE))
    assert written == routes()
    assert {(method, path) for method, path, _ in operations(described(server))} <= routes()


def test_the_page_knows_every_code() -> None:
    written = dict(re.findall(r"^### `([a-z-]+)` \((\d+)\)$", API_PAGE, re.MULTILINE))
    assert written == {code: str(status) for code, (status, _) in CODES.items()}
    for _, text in CODES.values():
        assert text in API_PAGE


def test_the_page_knows_every_kind_of_event() -> None:
    folder = ROOT / "src/idg/coordinator/rooms"
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    used = set(re.findall(r'(?:_event|NewEvent)\("(\w+)"', source))
    assert used == set(re.findall(r"^### Event `(\w+)`$", API_PAGE, re.MULTILINE))


def test_every_code_is_used() -> None:
    folder = ROOT / "src/idg/coordinator"
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.py")) if file.name != "errors.py")
    used = set(re.findall(r'"([a-z-]+)"', source)) | {"bad-text", "not-found"}
    assert set(CODES) <= used


def test_a_proof_is_exported_once_it_is_one(server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> tuple[str, Json]:
        async with client(server.url) as ann, client(server.url) as eve:
            await eve.become("Eve")
            room = await ann.room("multiply")
            await ann.judged(room, "res = n * cnt")
            path = f"/api/rooms/{room}/export"
            (await ann.get(f"{path}?to=dafny")).refused("no-export")
            await ann.judged(room, "cnt <= m")
            (await eve.get(f"{path}?to=dafny")).refused("not-found")
            (await ann.get(f"{path}?to=coq")).refused("bad-request")
            assert (await ann.get(f"{path}?to=smtlib")).ok()["file"] == "multiply.smt2"
            proof = (await ann.get(f"{path}?to=dafny")).ok()
            await ann.judged(room, "decreases m - cnt")
            assert "    decreases m - cnt\n" in (await ann.get(f"{path}?to=dafny")).ok()["text"]
            return room, proof

    room, proof = asyncio.run(story())
    assert proof["command"].startswith("dafny /compile:0 multiply.dfy")
    # The command line proves the room's facts anew, and looks for measures only where it is asked to.
    assert main(["export", room, "--to", "dafny", "--data", str(server.data)]) == 0
    assert capsys.readouterr().out == proof["text"]
