"""JSON as text. The event loop must not read or write what is long, so workers write it, and the coordinator passes it on."""

from __future__ import annotations

import json

from idg.coordinator.pool.lines import JsonText
from idg.engine.wire.codec import encode
from idg.sip.record import Record

dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Writes compact JSON. The order of names is kept, because it is that of the program's variables. There is one encoder, because
`json.dumps` would make one for each text."""


def record_text(record: Record, *, spaced: bool = False) -> str:
    """A record as compact JSON.

    `spaced` puts a space after each comma and colon, and writes letters beyond ASCII as escapes. Some answers have this form, and
    keep it, so that no byte of them changes.
    """
    return json.dumps(encode(record)) if spaced else dumps(encode(record))


def json_text(record: Record) -> JsonText:
    return JsonText(record_text(record))
