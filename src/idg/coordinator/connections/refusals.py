"""Answers that are written to a connection without the web application, because there is no request that it could answer."""

from __future__ import annotations

from http import HTTPStatus

from idg.coordinator.errors import ApiError
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.web.requests.guard import HEADERS, retry_header


def raw_answer(error: ApiError) -> bytes:
    """The bytes of a whole answer, after which the connection is closed."""
    body = record_text(error.answer(), spaced=True).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *retry_header(error),
        *HEADERS,
    ]
    first = f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\n".encode()
    return b"".join([first, *(b"%b: %b\r\n" % header for header in headers), b"\r\n", body])
