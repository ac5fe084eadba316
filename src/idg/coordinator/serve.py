"""Running the server: one port for the API, the WebSockets and the built client."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import uvicorn

from idg.coordinator.coordinator import Coordinator
from idg.coordinator.settings import SettingError, Settings
from idg.coordinator.web.app import create_app

BACKLOG = 2048
KEEP_ALIVE_SECONDS = 5
"""An idle HTTP connection takes 13 kB: a player who thinks needs only the WebSocket."""
COLLECTION_THRESHOLDS = 2_000, 5, 2_000
SOCKET_MESSAGE_BYTES_MAX = 4096
"""Clients have nothing to say on their sockets."""
PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonFormatter(logging.Formatter):
    """One object a line: time, level, where, what, and the details."""

    def format(self, record: logging.LogRecord) -> str:
        found: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        found |= {name: value for name, value in vars(record).items() if name not in PLAIN}
        if record.exc_info:
            found["error"] = self.formatException(record.exc_info)
        return json.dumps(found, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        details = " ".join(f"{name}={value}" for name, value in vars(record).items() if name not in PLAIN)
        text = f"{datetime.now():%H:%M:%S} {record.levelname.lower()} {record.getMessage()}{' ' + details if details else ''}"
        return text if not record.exc_info else f"{text}\n{self.formatException(record.exc_info)}"


class RefusedSockets(logging.Filter):
    """uvicorn takes a WebSocket that is refused with an answer of its own for a mistake."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.msg != "ASGI callable returned without completing handshake."


def set_up_logging(settings: Settings) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if settings.log_format == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    logging.getLogger("uvicorn.error").addFilter(RefusedSockets())
    for name in ("uvicorn", "uvicorn.error", "asyncio", "alembic"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def bind(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError as error:
        bound.close()
        raise SettingError(
            f"cannot listen at {settings.host}, port {settings.port}: {error.strerror}; say --port 0 for a free one"
        ) from None
    bound.listen(BACKLOG)
    bound.setblocking(False)
    return bound


def address(settings: Settings, bound: socket.socket) -> str:
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}/"


def new_loop() -> asyncio.AbstractEventLoop:
    """uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def run(settings: Settings, announce: Callable[[Coordinator, str], None], open_browser: bool = False, page: str = "") -> None:
    """Serve until SIGINT or SIGTERM; then end cleanly."""
    set_up_logging(settings)
    bound = bind(settings)
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(settings, bound, announce, page if open_browser else None))


async def _serve(settings: Settings, bound: socket.socket, announce: Callable[[Coordinator, str], None], page: str | None) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    coordinator = await Coordinator.open(settings)
    try:
        server = uvicorn.Server(uvicorn_config(coordinator))
        # Signals are ours: uvicorn would end before the rooms have.
        server.capture_signals = contextlib.nullcontext  # type: ignore[assignment, method-assign]
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        spare_collections()
        url = address(settings, bound)
        announce(coordinator, url)
        if page is not None:
            with contextlib.suppress(webbrowser.Error):
                await asyncio.to_thread(webbrowser.open, url + page)
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        server.should_exit = True
        await coordinator.drain()
        await serving
    finally:
        await coordinator.close()


def spare_collections() -> None:
    """A full collection stops the server while it walks all objects, for tenths of a second where a thousand players are connected.
    So it skips what was there from the start, and is rare; cycles are garbage while they are young, and collected then."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTION_THRESHOLDS)


def uvicorn_config(coordinator: Coordinator) -> uvicorn.Config:
    settings = coordinator.settings
    return uvicorn.Config(
        create_app(coordinator),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=SOCKET_MESSAGE_BYTES_MAX,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
