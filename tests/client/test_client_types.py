"""The client's network calls say of each route the answer that the server's own description says.

What the answers look like needs no test here: client/src/wire.ts is written from the same records (tests/house/test_spec.py), and
`npm run check` holds the client to it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from idg.coordinator.web.describing.description import DescribedApi, api_name, examples
from idg.coordinator.web.routes import catalog, classes, lti, play, player, server, teaching

CLIENT = Path(__file__).resolve().parents[2] / "client/src"
NET = (CLIENT / "net.ts", CLIENT / "calls.ts", CLIENT / "classes/calls.ts", CLIENT / "components/board/proof/proof-file.ts")
CALL = re.compile(r"Promise<(?P<answer>[^=]+)> =>\s*request\(\s*'(?P<method>[A-Z]+)',\s*(?P<path>'[^']*'|`[^`]*`)")
RECORDS = {api_name(type(example)): type(example).__name__ for example in examples()}
"""Name in the server's description → the record, whose name the client's type has."""
CALLS_MIN = 50
"""How many calls the client makes at least. If fewer are found, the pattern no longer fits the file."""


def described() -> dict[tuple[str, str], str]:
    """Method and path → the name of the record that the server answers with."""
    api = DescribedApi()
    for module in (catalog, play, player, classes, teaching, lti, server):
        api.router.routes.extend(module.router.routes)
    paths: dict[str, dict[str, Any]] = api.openapi()["paths"]
    return {
        (method.upper(), plain(path.removeprefix("/api"))): record_of(operation)
        for path, operations in paths.items()
        for method, operation in operations.items()
    }


def record_of(operation: dict[str, Any]) -> str:
    content = operation["responses"]["200"].get("content", {}).get("application/json", {})
    name = str(content.get("schema", {}).get("$ref", "")).rsplit("/", 1)[-1]
    return RECORDS.get(name, name)


def plain(path: str) -> str:
    """The path without its query; each of its parameters is written {}."""
    return re.sub(r"\$?\{[^}]*\}", "{}", path.split("?")[0])


def calls() -> dict[tuple[str, str], str]:
    """Method and path → the type that the client says the answer has."""
    return {
        (call["method"], plain(call["path"][1:-1])): record_named(call["answer"])
        for file in NET
        for call in CALL.finditer(file.read_text(encoding="utf-8"))
    }


def record_named(answer: str) -> str:
    """`EventWith<'hint'>` is an event of a certain kind; `JudgedMove & …` says more about a JudgedMove."""
    if answer.startswith("EventWith<"):
        return "RoomEvent"
    return "Empty" if answer == "object" else answer.split(" & ")[0]


def test_every_call_of_the_client_has_the_answer_that_the_server_describes() -> None:
    told, expected = calls(), described()
    assert len(told) >= CALLS_MIN
    differing = {route: (record, expected.get(route)) for route, record in told.items() if record != expected.get(route)}
    assert not differing, f"route → (the client's type, the server's): {differing}"
