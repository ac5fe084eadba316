"""How lines of the log are written, as text or as JSON. Apart from serve.py, because a node should not import a web framework."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

from idg.coordinator.logs.log_limits import LimitedHandler
from idg.coordinator.logs.request_ids import request_id
from idg.coordinator.settings import Settings

PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
"""The attributes that every log record has; all others are details of one message."""


def _details(record: logging.LogRecord) -> dict[str, object]:
    """The details of a message, with the id of the request that is being served."""
    id = request_id.get()
    return ({"request": id} if id else {}) | {name: value for name, value in vars(record).items() if name not in PLAIN}


class JsonFormatter(logging.Formatter):
    """Writes one JSON object a line: time, level, logger, message, and the details of the message."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry |= _details(record)
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        details = " ".join(f"{name}={value}" for name, value in _details(record).items())
        text = f"{datetime.now():%H:%M:%S} {record.levelname.lower()} {record.getMessage()}{' ' + details if details else ''}"
        return text if not record.exc_info else f"{text}\n{self.formatException(record.exc_info)}"


class RefusedSockets(logging.Filter):
    """Drops a message in which uvicorn complains of a WebSocket that we refused on purpose, with an answer of our own."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.msg != "ASGI callable returned without completing handshake."


def set_up_logging(settings: Settings) -> None:
    handler = LimitedHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if settings.log_format == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    logging.getLogger("uvicorn.error").addFilter(RefusedSockets())
    for name in ("uvicorn", "uvicorn.error", "asyncio", "alembic"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
