"""Malformed bodies: texts that are no JSON, and JSON that is right except in one place."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

Place = tuple[str | int, ...]
TEXTS = ("", "x" * 200_000, "\0", "\ud800")
NO_TEXT: tuple[Any, ...] = (5, 1.5, True, [], {}, ["x"], {"x": 1})
NO_NUMBER: tuple[Any, ...] = ("1", "", None, [], {}, [1])
NO_LIST: tuple[Any, ...] = ({}, "", "[]", 5, None, True, {"0": {}})


def with_value(whole: Any, place: Place, value: Any) -> Any:
    changed = copy.deepcopy(whole)
    inner = changed
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return changed


def without(whole: Any, place: Place) -> Any:
    changed = copy.deepcopy(whole)
    inner = changed
    for step in place[:-1]:
        inner = inner[step]
    del inner[place[-1]]
    return changed


def wrong_values(whole: Any, table: dict[Place, tuple[Any, ...]]) -> Iterator[tuple[str, bytes]]:
    """The body with one place made wrong, for each place and each wrong value."""
    for place, values in table.items():
        for value in values:
            yield f"{place} = {str(value)[:30]!r}", json.dumps(with_value(whole, place, value)).encode()


def wrong_bytes(whole: Any) -> Iterator[tuple[str, bytes]]:
    """Texts that are no JSON, or that two readers may read differently."""
    text = json.dumps(whole).encode()
    yield "nothing", b" "
    yield "a piece", text[:-5]
    yield "two", text + text
    yield "more", text + b"x"
    yield "a comma", text[:-1] + b",}"
    yield "single quotes", text.replace(b'"', b"'")
    yield "a comment", b"/* */" + text
    yield "not UTF-8", text.replace(b'"', b'"\xff\xfe', 1)
    yield "UTF-16", json.dumps(whole).encode("utf-16")
    yield "a byte order mark", b"\xef\xbb\xbf" + text
    yield "Latin-1", text[:-1] + ', "é": 1}'.encode("latin-1")
    yield "a control character", text.replace(b'"', b'"\x01', 1)
    yield "deep lists", b"[" * 30_000 + b"]" * 30_000
    yield "deep objects", b'{"a":' * 20_000 + b"1" + b"}" * 20_000
    yield "deep and open", b"[" * 60_000
    yield "deep inside", text[:-1] + b', "deep": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
    for name in (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"9" * 5_000, b"1e", b"01", b"+1", b".5", b"0x10"):
        yield f"the number {name[:10].decode()}", text[:-1] + b', "number": ' + name + b"}"
    yield "a name twice", text[:-1] + b", " + text[1:]
    for value in (b"null", b"true", b"1", b'"x"', b"[]", b"{}", b"[" + text + b"]", b'{"body": ' + text + b"}"):
        yield f"{value[:10].decode()} instead", value
    yield "an unknown field", text[:-1] + b', "unknown": 1}'
    yield "an unknown field with a strange name", text[:-1] + b', "\\ud800": 1}'
    yield "a long unknown field", text[:-1] + b', "' + b"x" * 10_000 + b'": 1}'


def mutated(value: Any, pick: random.Random) -> Any:
    """The JSON value with one or more random changes."""
    strange: list[Any] = [
        None, True, False, 0, -1, 1, 2**31, 2**63, 10**40, 0.5, -1e300, "", "x", "0", "\0", "\u202e", "\ud800", "é" * 50,
        "x" * 3000, [], {}, [[]], {"": None}, "cnt <= m", "true", "NaN", "../../etc/passwd", "'; DROP TABLE rooms; --", "{}", "%00",
    ]  # fmt: skip
    if pick.random() < 0.25 or not isinstance(value, dict | list) or not value:
        return pick.choice(strange)
    changed = copy.deepcopy(value)
    if isinstance(changed, list):
        index = pick.randrange(len(changed))
        match pick.randrange(3):
            case 0:
                changed[index] = mutated(changed[index], pick)
            case 1:
                changed += changed[index : index + 1] * pick.choice((1, 2, 400))
            case _:
                del changed[index]
        return changed
    name = pick.choice(sorted(changed))
    match pick.randrange(6):
        case 0:
            del changed[name]
        case 1:
            changed[pick.choice(["", "x", "loop", "room", "__proto__", "\0"])] = pick.choice(strange)
        case _:
            changed[name] = mutated(changed[name], pick)
    return changed


def damaged(body: bytes, pick: random.Random) -> bytes:
    """The bytes with some random changes."""
    damaged = bytearray(body)
    for _ in range(pick.choice((1, 1, 2, 8))):
        index = pick.randrange(len(damaged) + 1)
        match pick.randrange(3):
            case 0:
                damaged[index:index] = bytes([pick.choice(b'{}[]",:\\0e-\xff\x00 ')])
            case 1:
                del damaged[index : index + pick.choice((1, 1, 5))]
            case _:
                damaged[index : index + 1] = bytes([pick.randrange(256)])
    return bytes(damaged)
