"""The id of the request that is being served. It runs from the browser through the coordinator to the node, in all their logs."""

from __future__ import annotations

import re
from contextvars import ContextVar
from secrets import token_hex

ID_BYTES = 8
"""How many random bytes an id has that we make."""
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""The ids that we take over from clients and proxies."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id for what the current task does; empty where it serves no request."""


def id_of(header: str | None) -> str:
    """The id that a request brings along, or a new one."""
    return header if header and _ACCEPTED.fullmatch(header) else token_hex(ID_BYTES)
