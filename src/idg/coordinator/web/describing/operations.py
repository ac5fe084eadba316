"""What the description of the API says of operations besides their routes: names, who may call them, examples, and refusals once.

Generated clients call their functions by these names, so a name that was given stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from idg.coordinator.web.requests.caller import COOKIE, admin, caller, known_player, visitor
from idg.engine.wire.codec import Json

NAMES: dict[str, dict[str, str]] = {
    "/api/levels": {"get": "list_levels"},
    "/api/levels/{level}": {"get": "read_level"},
    "/api/levels/{level}/crowd": {"get": "read_crowd"},
    "/api/daily": {"get": "read_daily_level"},
    "/api/programs": {"post": "submit_program"},
    "/api/programs/from-c": {"post": "read_c_text"},
    "/api/programs/from-python": {"post": "read_python_text"},
    "/api/programs/{program}/view": {"get": "show_program"},
    "/api/programs/{program}": {"get": "read_program"},
    "/api/programs/{program}/assessment": {"get": "assess_program"},
    "/api/programs/{program}/traces": {"post": "run_program"},
    "/api/reference": {"get": "read_reference"},
    "/api/rooms": {"post": "open_room", "get": "list_rooms"},
    "/api/rooms/join": {"post": "join_room"},
    "/api/rooms/{room}": {"get": "read_room"},
    "/api/rooms/{room}/open": {"get": "reopen_room"},
    "/api/rooms/{room}/share": {"post": "share_room"},
    "/api/rooms/{room}/leave": {"post": "leave_room"},
    "/api/rooms/{room}/events": {"get": "list_events"},
    "/api/rooms/{room}/proposals": {"post": "propose"},
    "/api/rooms/{room}/batches": {"post": "propose_many"},
    "/api/rooms/{room}/transitions": {"post": "read_transition"},
    "/api/rooms/{room}/feedback": {"post": "read_another_state"},
    "/api/rooms/{room}/hints": {"post": "ask_for_hint"},
    "/api/rooms/{room}/partner": {"post": "change_partner"},
    "/api/rooms/{room}/partner/ask": {"post": "ask_partner"},
    "/api/rooms/{room}/explanation": {"get": "explain_proof"},
    "/api/rooms/{room}/board": {"get": "read_board"},
    "/api/rooms/{room}/export": {"get": "export_proof"},
    "/api/rooms/{room}/reset": {"post": "reset_room"},
    "/api/players": {"post": "create_player"},
    "/api/players/me": {"get": "read_player", "patch": "rename_player"},
    "/api/players/me/codes": {"post": "make_player_code"},
    "/api/players/continue": {"post": "continue_as_player"},
    "/api/players/me/forget": {"post": "forget_player"},
    "/api/players/me/scores": {"get": "read_scores"},
    "/api/players/me/progress": {"get": "export_progress", "post": "import_progress"},
    "/api/logs": {"post": "send_logs"},
    "/api/studies/{study}": {"get": "read_study"},
    "/api/studies/{study}/participants": {"post": "enrol_in_study"},
    "/api/studies/{study}/me": {"get": "read_participant"},
    "/api/studies/{study}/background": {"post": "answer_background"},
    "/api/studies/{study}/answers": {"post": "answer_questions"},
    "/api/studies/{study}/withdraw": {"post": "withdraw_from_study"},
    "/api/studies/{study}/levels/{number}": {"post": "open_table_game"},
    "/api/studies/{study}/levels/{number}/proposals": {"post": "propose_in_table_game"},
    "/api/studies/{study}/levels/{number}/traces": {"post": "run_table_game"},
    "/api/classes": {"get": "list_classes", "post": "make_class"},
    "/api/classes/teach": {"post": "teach_class"},
    "/api/classes/entrance": {"post": "read_class_entrance"},
    "/api/classes/join": {"post": "join_class"},
    "/api/classes/continue": {"post": "continue_in_class"},
    "/api/classes/leave": {"post": "leave_class"},
    "/api/classes/{class_id}/me": {"get": "read_attended_class"},
    "/api/classes/{class_id}/assignments/{number}/hand-in": {"post": "hand_in_assignment"},
    "/api/classes/{class_id}/assignments/{number}/items/{item}/certificate": {"get": "read_certificate"},
    "/api/classes/{class_id}": {"get": "read_taught_class", "patch": "change_class", "delete": "delete_class"},
    "/api/classes/{class_id}/links": {"post": "renew_class_links"},
    "/api/classes/{class_id}/roster": {"post": "add_to_roster"},
    "/api/classes/{class_id}/students/{student}": {"patch": "rename_student", "delete": "remove_student"},
    "/api/classes/{class_id}/students/{student}/code": {"post": "make_student_code"},
    "/api/classes/{class_id}/assignments": {"post": "make_assignment"},
    "/api/classes/{class_id}/assignments/{number}": {"put": "change_assignment", "delete": "delete_assignment"},
    "/api/classes/{class_id}/table": {"get": "read_class_table"},
    "/api/classes/{class_id}/assignments/{number}/items/{item}/pooled": {"get": "read_pooled_facts"},
    "/api/classes/{class_id}/students/{student}/rooms": {"get": "list_student_rooms"},
    "/api/classes/{class_id}/students/{student}/rooms/{room}": {"get": "read_student_room"},
    "/api/classes/{class_id}/students/{student}/rooms/{room}/events": {"get": "list_student_events"},
    "/api/classes/{class_id}/students/{student}/assignments/{number}/items/{item}/certificate": {"get": "read_student_certificate"},
    "/api/classes/{class_id}/messages": {"post": "send_class_message"},
    "/api/classes/{class_id}/platform": {"get": "read_platform"},
    "/api/classes/{class_id}/platform/members": {"post": "list_platform_members"},
    "/api/classes/{class_id}/platform/scores": {"post": "send_platform_scores"},
    "/api/classes/{class_id}/gradebook": {"get": "read_gradebook"},
    "/api/classes/{class_id}/gradebook.csv": {"get": "download_gradebook"},
    "/api/classes/{class_id}/export": {"get": "export_class"},
    "/api/ping": {"get": "ping"},
    "/api/health": {"get": "read_health"},
    "/metrics": {"get": "read_metrics"},
    "/api/admin/stats": {"get": "read_stats"},
    "/api/admin/teachers": {"post": "make_teacher"},
    "/api/admin/events": {"get": "export_events"},
    "/api/lti/ticket": {"post": "read_launch_ticket"},
    "/api/lti/enter": {"post": "enter_by_launch"},
}
"""Path → method → the operation's name."""

TEXTS = {
    "read_metrics": "text/plain",
    "export_events": "application/jsonl",
    "download_gradebook": "text/csv",
    "export_class": "application/jsonl",
}
"""Operations that answer with a text → its media type."""
PLAYER: list[Json] = [{"token": []}, {"cookie": []}]
"""Who needs to be a player says so by the token, in either way."""
SCHEMES: Json = {
    "token": {"type": "http", "scheme": "bearer", "description": "The token of a player, which `POST /api/players` gives."},
    "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "The same token, as browsers send it."},
    "admin": {"type": "http", "scheme": "bearer", "description": "The admin token, which the server prints at its start."},
}
FROM_THIS_MACHINE: list[Json] = [{}, {"admin": []}]
"""Nothing is needed from this machine, and from elsewhere the admin token."""
REFUSED_STATUS_MIN = 400
"""The smallest HTTP status that means a refusal."""


def complete(description: Json, routes: list[APIRoute]) -> None:
    """Adds to the description what the framework does not know.

    A test holds that every operation has a name; a server describes those that have none, too. Types such as `int[]` get names,
    because generators would take `int` and `int[]` for one.
    """
    needed = {(route.path_format, method.lower()): _security(route.dependant) for route in routes for method in route.methods or ()}
    components = description["components"]
    components["securitySchemes"] = SCHEMES
    components["responses"] = refused = dict[str, Json]()
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            name = operation["operationId"] = NAMES.get(path, {}).get(method, operation["operationId"])
            operation["security"] = FROM_THIS_MACHINE if name == "read_metrics" else needed[path, method]
            for status, response in operation["responses"].items():
                if int(status) >= REFUSED_STATUS_MIN:
                    refused.setdefault(f"Status{status}", response)
                    operation["responses"][status] = {"$ref": f"#/components/responses/Status{status}"}
                elif name in TEXTS:
                    response["content"] = {TEXTS[name]: {"schema": {"type": "string"}}}
            for content in _contents(operation):
                content["example"] = example_of(content["schema"], components["schemas"])
    for schema in components["schemas"].values():
        for field in schema.get("properties", {}).values():
            if "int[]" in field.get("enum", ()):
                field["x-enum-varnames"] = [value.replace("[]", "_array").upper() for value in field["enum"]]
    for name in [name for name, schema in components["schemas"].items() if "oneOf" in schema]:
        _name_variants(name, components["schemas"])


def _security(needs: Dependant) -> list[Json]:
    calls = set(_calls(needs))
    if admin in calls:
        return [{"admin": []}]
    if calls & {caller, known_player}:
        return list(PLAYER)
    return [{}, *PLAYER] if visitor in calls else []


def _calls(needs: Dependant) -> Iterator[Any]:
    for dependency in needs.dependencies:
        yield dependency.call
        yield from _calls(dependency)


def _contents(operation: Json) -> Iterator[Json]:
    """The bodies of an operation: what is sent, and what is answered where nothing is refused."""
    sent = operation.get("requestBody", {}).get("content", {})
    answered = operation["responses"]["200"].get("content", {})
    for kind, content in (*sent.items(), *answered.items()):
        if kind == "application/json":
            yield content


def example_of(schema: Json, schemas: Json) -> Any:
    """What a reader of the description would make up: the first example of each field."""
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rsplit("/", 1)[-1]], schemas)
    if "examples" in schema:
        return schema["examples"][0]
    return {name: example_of(field, schemas) for name, field in schema.get("properties", {}).items()}


def _name_variants(name: str, schemas: Json) -> None:
    """Gives each form of a schema a name of its own, by the field that tells the forms apart: an EventView of the kind `judged` is
    an EventViewJudged. Generated clients have classes of these names."""
    variants = schemas[name]["oneOf"]
    tags = [field for field in variants[0]["properties"] if all("const" in one["properties"].get(field, ()) for one in variants)]
    mapping = {}
    for variant in variants:
        tag = variant["properties"][tags[0]]["const"]
        own = name + "".join(part.capitalize() for part in tag.split("-"))
        schemas[own] = variant
        mapping[tag] = f"#/components/schemas/{own}"
    schemas[name]["oneOf"] = [{"$ref": reference} for reference in mapping.values()]
    schemas[name]["discriminator"] = {"propertyName": tags[0], "mapping": mapping}
