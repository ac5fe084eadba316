"""Runs the server. The API, the WebSockets and the built client share one port."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import webbrowser
from collections.abc import Callable, Iterator
from functools import partial

import anyio.to_thread
import uvicorn

from idg.coordinator.connections.accepting import Acceptor
from idg.coordinator.connections.descriptors import connections_allowed
from idg.coordinator.connections.protocols import BoundedHttp, BoundedSocket
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.event_loop import new_loop
from idg.coordinator.logs.log_lines import set_up_logging
from idg.coordinator.settings import SettingError, Settings
from idg.coordinator.web.app import create_app

BACKLOG = 2048
"""How many connections may wait to be accepted."""
BUFFER_BYTES = 128 * 1024
"""How many bytes the system keeps of a connection for us to read, and as many for the client to take. By itself it would keep
several megabytes of each, and we would not see that a client takes nothing."""
KEEP_ALIVE_SECONDS = 75
"""Seconds after which an idle HTTP connection is closed. A player who thinks for ten seconds then needs no new one for the next
proposal, which would cost more than the proposal; and proxies, which keep theirs for 60 seconds, close before we do. Where places
become scarce, idle connections make way before (`connections/places.py`)."""
COLLECTION_THRESHOLDS = 2_000, 5, 2_000
"""New objects after which the youngest generation of the garbage collector is collected, and collections of one generation after
which the next older one is. The oldest is collected rarely, for the reason that `spare_collections` gives."""
SOCKET_MESSAGE_BYTES_MAX = 4096
"""How long a message of a client on its WebSocket may be. Clients have no reason to send any."""
SHUTDOWN_SECONDS = 3
"""How long requests under way may take when the server ends."""
START_POLL_SECONDS = 0.01
"""How often we look whether uvicorn has started."""


def bind(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        bound.setsockopt(socket.SOL_SOCKET, buffer, BUFFER_BYTES)  # Accepted connections inherit it.
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


def run(settings: Settings, announce: Callable[[Coordinator, str], None], open_browser: bool = False, page: str = "") -> None:
    """Serve until SIGINT or SIGTERM arrives, and then end cleanly.

    `announce` is called with the address when the server is reachable; with `open_browser`, a browser then opens `page`.
    """
    set_up_logging(settings)
    settings.choose_provers()
    connections_max = connections_allowed(settings)
    bound = bind(settings)
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(settings, bound, connections_max, announce, page if open_browser else None))


class _UvicornServer(uvicorn.Server):
    """We handle the signals ourselves, because uvicorn would end before the rooms are closed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _serve(
    settings: Settings, bound: socket.socket, connections_max: int, announce: Callable[[Coordinator, str], None], page: str | None
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    coordinator = await Coordinator.open(settings)
    coordinator.places.most = connections_max
    try:
        config = uvicorn_config(coordinator)
        server = _UvicornServer(config)
        serving = asyncio.create_task(server.serve(sockets=[]))  # We accept the connections ourselves, too.
        while not server.started and not serving.done():
            await asyncio.sleep(START_POLL_SECONDS)
        await anyio.to_thread.run_sync(list)  # Files are sent through it, and its first use imports for tens of milliseconds.
        new_protocol = partial(BoundedHttp, config=config, server_state=server.server_state, app_state={})
        acceptor = Acceptor(bound, coordinator.places, lambda place: new_protocol(place=place))
        watching = asyncio.create_task(coordinator.places.watch())
        spare_collections()
        coordinator.loop_watch.start()
        url = address(settings, bound)
        announce(coordinator, url)
        if page is not None:
            with contextlib.suppress(webbrowser.Error):
                await asyncio.to_thread(webbrowser.open, url + page)
        stopping, refused = asyncio.create_task(stop.wait()), asyncio.create_task(coordinator.refused())
        await asyncio.wait([serving, stopping, refused], return_when=asyncio.FIRST_COMPLETED)
        is_refused = refused.done()
        stopping.cancel()
        refused.cancel()
        acceptor.close()
        bound.close()
        server.should_exit = True
        await coordinator.drain()
        await serving
        watching.cancel()
        if is_refused:
            raise SettingError(f"NATS refuses this server: {refused.result()}")
    finally:
        await coordinator.close()


def spare_collections() -> None:
    """Make full garbage collections rare and short.

    A full collection walks all objects, and the server stands still meanwhile: for tenths of a second where a thousand players are
    connected. What exists at the start is therefore never walked again. Cycles usually become garbage while they are young, and
    young objects are still collected often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTION_THRESHOLDS)
    gc.enable()


def uvicorn_config(coordinator: Coordinator) -> uvicorn.Config:
    settings = coordinator.settings
    return uvicorn.Config(
        create_app(coordinator),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws=BoundedSocket,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.ping_seconds,
        ws_max_size=SOCKET_MESSAGE_BYTES_MAX,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
