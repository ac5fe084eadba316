"""Reads the JSON of request bodies strictly: what two programs could read differently, or a database cannot store, is refused.

Every body passes `strict_json`, and texts of callers enter the server in no other way: whatever stands in an address or a header is
compared with a pattern. Text workers read bodies, too, so this module knows no framework.
"""

from __future__ import annotations

import json
import re
from typing import Any

from idg.coordinator.errors import ApiError

NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""The character NUL as JSON writes it. The backslash before the `u` must not itself be escaped."""


def invalid(first: Any, skipped: int = 0) -> ApiError:
    """The error for the first problem that Pydantic reports. The first `skipped` parts of its place do not belong to the body."""
    place = ".".join(str(part) for part in first["loc"][skipped:]) or "body"
    if first["type"] == "json_invalid":
        return unreadable(first["ctx"].get("error", first["msg"]))
    return ApiError("bad-request", f"{place}: {first['msg']}", field=place)


def unreadable(reason: str) -> ApiError:
    return ApiError("bad-request", f"the body cannot be read as JSON: {reason}", field="body")


def strict_json(body: bytes) -> Any:
    """The value of a body. JSONDecodeError says what is wrong, also where Python's own reader would accept it or fail otherwise."""
    try:
        value = json.loads(body.decode(), object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
        # JSON has no raw control characters and UTF-8 no surrogates, so only an escape can bring in what is looked for.
        if b"\\u" in body:
            _check_characters(value)
        return value
    except json.JSONDecodeError:
        raise
    except UnicodeDecodeError:
        message = "it is not UTF-8"
    except RecursionError:
        message = "it is nested too deeply"
    except ValueError as error:
        message = str(error) if isinstance(error, _NotStrict) else "a number has too many digits"
    raise json.JSONDecodeError(message, "", 0)


def _check_characters(value: object) -> None:
    """_NotStrict where a text has a character that a database or UTF-8 cannot hold."""
    written = json.dumps(value, ensure_ascii=False)
    if NUL.search(written):
        raise _NotStrict("a text has the character NUL (\\u0000), which no text may have here")
    try:
        written.encode()
    except UnicodeEncodeError:
        raise _NotStrict("a text has half of a character (a lone surrogate such as \\ud800)") from None


class _NotStrict(ValueError):
    """The JSON is refused although Python's reader would accept it."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise _NotStrict("a name comes twice in an object")
    return values


def _constant(text: str) -> object:
    raise _NotStrict(f"{text} is no number in JSON")


def _float(text: str) -> float:
    number = float(text)
    if abs(number) == float("inf"):
        raise _NotStrict("a number is too large")
    return number
