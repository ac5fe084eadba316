"""The client's types of what the server answers, made from the description of the wire: client/src/wire.ts, by `make spec`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from typing import Any

from idg.coordinator.classes.told import (
    Assignment,
    AttendedView,
    Certificate,
    ClassEntrance,
    ClassList,
    ClassTicket,
    EnteredClass,
    Gradebook,
    HandInResults,
    JoinedClass,
    ListedMembers,
    PersonalCode,
    PlatformState,
    PooledFacts,
    RosterAdded,
    SentScores,
    StudentRooms,
    TaughtClass,
    WorkTable,
)
from idg.coordinator.players.scores import PlayerScores
from idg.coordinator.web.answers import CodeAnswer, ImportedRooms
from idg.coordinator.web.describing.description import described_schema
from idg.engine.wire.answers import Assessment, Explanation
from idg.engine.wire.board import BoardAnswer
from idg.engine.wire.events import EventPage
from idg.engine.wire.programs import DailyAnswer, ExportedProof, LevelList, ReadProgram, ShownProgram
from idg.engine.wire.rooms import (
    CrowdView,
    ErrorAnswer,
    JudgedMove,
    OpenedRoom,
    PlayerToken,
    RoomList,
    SocketEvent,
    SocketMembers,
    SocketPartner,
    SocketSignals,
)
from idg.engine.wire.studies import ParticipantAnswer, StudyAnswer, TableGame, TableVerdict
from idg.sip.record import Record

TOLD: tuple[type[Record], ...] = (
    ErrorAnswer,
    LevelList,
    DailyAnswer,
    OpenedRoom,
    RoomList,
    JudgedMove,
    EventPage,
    Explanation,
    ExportedProof,
    BoardAnswer,
    Assessment,
    ReadProgram,
    ShownProgram,
    PlayerScores,
    PlayerToken,
    CodeAnswer,
    ImportedRooms,
    SocketEvent,
    SocketMembers,
    SocketSignals,
    SocketPartner,
    CrowdView,
    ClassList,
    ClassEntrance,
    JoinedClass,
    AttendedView,
    HandInResults,
    Certificate,
    TaughtClass,
    Assignment,
    ClassTicket,
    EnteredClass,
    ListedMembers,
    PlatformState,
    RosterAdded,
    SentScores,
    PersonalCode,
    WorkTable,
    PooledFacts,
    StudentRooms,
    Gradebook,
    StudyAnswer,
    ParticipantAnswer,
    TableGame,
    TableVerdict,
)
"""What the client asks the server for; all other records that it needs are parts of these."""

LINE_CHARS_MAX = 120
"""Characters of a line of the client."""
FIELDS_CHARS_MAX = 90
"""Characters of an object for which there is room after its name on one line."""
UNION_CHARS_MAX = 90
"""Characters of a union for which there is room after the name of a field; a longer one has a line of its own."""
FIELDS_ON_A_LINE_MAX = 2
"""How many fields a type may have that stands on one line."""
HEADER = """\
// What the server answers: the records of src/idg/engine/wire and of src/idg/coordinator. `make spec` writes this file
// from their description, and a test fails while it is not up to date. Values of programs are strings, because the
// numbers of JSON are not exact. Arrays are lists on the wire and strings here, because net.ts joins them.
"""

VALUE = "A value of a program. An array is a list of texts on the wire, and net.ts makes one text of it."
"""What wire.ts says of values."""

Schema = Mapping[str, Any]
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
"""A type of JSON Schema → the type of TypeScript."""


def client_types() -> str:
    """The text of client/src/wire.ts."""
    definitions: Mapping[str, Schema] = described_schema(*TOLD)
    return "\n".join([HEADER, *(_definition(name, described) for name, described in definitions.items())])


def _definition(name: str, described: Schema) -> str:
    comment = _comment(described.get("description", ""))
    if name == "Value":
        return f"{_comment(VALUE)}export type {name} = string\n"
    if "anyOf" in described:
        return f"{comment}export type {name} = {_type(described)}\n"
    if "oneOf" in described:
        shared, options = _factored(described["oneOf"])
        lines = "".join(f"  | {{ {'; '.join(_fields(option))} }}\n" for option in options)
        return f"{comment}export type {name} = {_object(shared)} & (\n{lines})\n"
    return f"{comment}export type {name} = {_object(described)}\n"


def _factored(options: list[Schema]) -> tuple[Schema, list[Schema]]:
    """The fields that all options share, and what is left of each option. A union of small objects is easier to read."""
    first, *others = (
        {name: (field, name in option["required"]) for name, field in option["properties"].items()} for option in options
    )
    shared = [name for name, field in first.items() if all(other.get(name) == field for other in others)]
    return _part(options[0], shared), [
        _part(option, [name for name in option["properties"] if name not in shared]) for option in options
    ]


def _part(described: Schema, names: list[str]) -> Schema:
    return {
        "properties": {name: described["properties"][name] for name in names},
        "required": [name for name in described["required"] if name in names],
    }


def _comment(text: str, indent: str = "") -> str:
    sentence = " ".join(text.split())
    if not sentence:
        return ""
    if len(indent) + len(sentence) + len("/**  */") <= LINE_CHARS_MAX:
        return f"{indent}/** {sentence} */\n"
    lines = textwrap.wrap(sentence, LINE_CHARS_MAX - len(indent) - len(" * "))
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def _object(described: Schema) -> str:
    fields = _fields(described)
    if not fields:
        return "Readonly<Record<string, never>>"
    comments = [_comment(field.get("description", ""), "  ") for field in described["properties"].values()]
    line = f"{{ {'; '.join(fields)} }}"
    if len(fields) <= FIELDS_ON_A_LINE_MAX and len(line) <= FIELDS_CHARS_MAX and not any(comments):
        return line
    return "{\n" + "".join(f"{comment}  {field}\n" for comment, field in zip(comments, fields, strict=True)) + "}"


def _fields(described: Schema) -> list[str]:
    required = set(described["required"])
    return [
        f"readonly {name}{'' if name in required else '?'}: {_type(field)}".replace(": \n", ":\n")
        for name, field in described["properties"].items()
    ]


def _type(described: Schema) -> str:
    if "$ref" in described:
        return str(described["$ref"]).rsplit("/", 1)[-1]
    if "const" in described:
        return _literal(described["const"])
    if "enum" in described:
        return _union([_literal(value) for value in described["enum"]])
    if "anyOf" in described:
        return _union([_type(option) for option in described["anyOf"]])
    if described.get("type") == "array":
        item = _type(described["items"])
        return f"readonly {f'({item})' if item.startswith('readonly') or ' | ' in item else item}[]"
    if described.get("type") == "object":
        return f"Readonly<Record<string, {_type(described['additionalProperties'])}>>"
    return PLAIN[described["type"]] if "type" in described else "unknown"


def _literal(value: object) -> str:
    return json.dumps(value).replace('"', "'")


def _union(options: list[str]) -> str:
    line = " | ".join(options)
    return line if len(line) <= UNION_CHARS_MAX else f"\n    {line}"
