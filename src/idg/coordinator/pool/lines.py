"""The lines that the coordinator and its workers exchange. Long parts of them are JSON that is passed on without being read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class JsonText(str):
    """A text that is JSON already. It is passed on unread, and has no character that ends a part of a line: JSON escapes them."""

    __slots__ = ()


SEPARATOR = "\t"
"""Stands between the parts of a line. JSON escapes tabs in strings, and `dumps` writes none elsewhere."""


def object_text(values: Mapping[str, object]) -> str:
    """The JSON of an object whose names are identifiers; values that are `JsonText` are put into it as they are."""
    fields = [f'"{name}":{value if isinstance(value, JsonText) else json.dumps(value)}' for name, value in values.items()]
    return "{" + ",".join(fields) + "}"


def with_texts(head: dict[str, object], values: Mapping[str, object]) -> str:
    """A line for `read_with_texts`: `head` as JSON, with `values` as its "answer". Texts follow it as parts of their own, so that
    whoever reads the line does not read them."""
    texts = {name: value for name, value in values.items() if isinstance(value, JsonText)}
    others = {name: value for name, value in values.items() if name not in texts}
    if not texts:
        return json.dumps({**head, "answer": others}, separators=(",", ":"))
    first = json.dumps({**head, "answer": others, "texts": list(texts)}, separators=(",", ":"))
    return SEPARATOR.join((first, *texts.values()))


def read_with_texts(line: str) -> Any:
    """The head of a line, with its texts in its "answer". ValueError where the line is no such thing."""
    first, *texts = line.removesuffix("\n").split(SEPARATOR)
    head = json.loads(first)
    if texts or (isinstance(head, dict) and "texts" in head):
        names, answer = head.pop("texts"), head["answer"]
        answer |= {name: JsonText(text) for name, text in zip(names, texts, strict=True)}
    return head
