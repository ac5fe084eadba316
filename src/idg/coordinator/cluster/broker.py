"""The connection to NATS. It is made again whenever it is lost, for as long as it takes, unless NATS refuses us."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Callable
from typing import cast

import nats.errors
from nats.aio.client import Client
from nats.js import JetStreamContext

from idg.coordinator.settings import SettingError, Settings
from idg.sip.record import Record

CONNECT_SECONDS = 2
"""How long one attempt to connect to one server may take."""
FIRST_CONNECT_SECONDS_MAX = 15.0
"""How long we try to reach a first server before we give up; afterwards there is no limit."""
RECONNECT_SECONDS = 0.25
"""How long we wait before we try the same server again."""
PING_SECONDS = 2
"""How often the server is asked for a sign of life."""
PINGS_MISSED_MAX = 2
"""Unanswered pings after which the connection is taken for lost. A server that is frozen or cut off is noticed in this way."""
PENDING_BYTES_MAX = 8 * 2**20
"""How many bytes may wait to be sent while there is no connection; what is published beyond that raises an error."""
ERRORS_MAX = 20
"""How many different errors are logged and remembered until there is a connection again."""
JETSTREAM_SECONDS = 5.0
"""How long JetStream may take to acknowledge something."""

REFUSED_SECONDS_MAX = 30.0
"""How long NATS may refuse us before we give up. While its servers get a new configuration one by one, some may refuse us."""

log = logging.getLogger("idg.coordinator.cluster.broker")


class BrokerSettings(Record):
    """Where NATS is, and as whom we connect. A user and a password can stand in the addresses."""

    servers: tuple[str, ...]
    """Addresses such as nats://user:password@host:4222, or tls://host:4222."""
    ca: str = ""
    """A file with the certificates of the authorities that we trust; empty for those that the system trusts."""
    certificate: str = ""
    key: str = ""
    """Files with our own certificate and its key, where the servers ask for one."""
    nkey: str = ""
    """A file with the seed of our nkey."""
    credentials: str = ""
    """A .creds file: a signed token of a user, and the seed of its nkey."""

    def tls(self) -> ssl.SSLContext | None:
        if not (self.ca or self.certificate or any(server.startswith("tls:") for server in self.servers)):
            return None
        try:
            context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=self.ca or None)
            if self.certificate:
                context.load_cert_chain(self.certificate, self.key or None)
        except (OSError, ssl.SSLError) as error:
            raise SettingError(f"the certificates for NATS cannot be read: {error}") from None
        return context


def broker_settings(settings: Settings) -> BrokerSettings:
    """What the settings of a coordinator or a node say about NATS."""
    return BrokerSettings(
        servers=tuple(server.strip() for server in settings.nats.split(",") if server.strip()),
        ca=settings.nats_ca,
        certificate=settings.nats_certificate,
        key=settings.nats_key,
        nkey=settings.nats_nkey,
        credentials=settings.nats_credentials,
    )


class BrokerUnreachable(Exception):
    """No NATS server could be reached, or none let us in."""


class Broker:
    """A connection to NATS with its JetStream. `client` is the library's own connection."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.client = Client()
        self.reconnections = 0
        """How often the connection was lost and made again."""
        self._on_reconnect: list[Callable[[], None]] = []
        self._errors: list[str] = []
        """The errors since the last connection, each once."""
        self.refused = asyncio.Event()
        """Is set when NATS lets us in no more, for instance because our password was changed. Trying on with the same password is
        of no use, so the process has to end; whoever watches it starts it again."""
        self._closing = False
        self._giving_up: asyncio.TimerHandle | None = None

    @classmethod
    async def open(cls, settings: BrokerSettings, name: str, inboxes: str = "_INBOX") -> Broker:
        """Connect; BrokerUnreachable where that does not succeed within `FIRST_CONNECT_SECONDS_MAX`.

        The subjects at which we get replies begin with `inboxes`."""
        broker = cls(name)
        try:
            async with asyncio.timeout(FIRST_CONNECT_SECONDS_MAX):
                await broker._connect(settings, inboxes)
        except (TimeoutError, OSError, nats.errors.Error) as error:
            with contextlib.suppress(Exception):
                await broker.close()
            # A server that refuses us closes the connection, so other errors follow: the refusal says most.
            refusals = [text for text in broker._errors if is_refusal(text)]
            why = next(iter([*refusals, *reversed(broker._errors)]), "") or str(error) or "there was no answer"
            raise BrokerUnreachable(f"NATS cannot be reached at {shown(settings.servers)}: {why}") from None
        return broker

    async def _connect(self, settings: BrokerSettings, inboxes: str) -> None:
        await self.client.connect(
            servers=list(settings.servers),
            name=self.name,
            tls=settings.tls(),
            connect_timeout=CONNECT_SECONDS,
            reconnect_time_wait=cast(int, RECONNECT_SECONDS),  # It is declared as whole seconds, but any number is slept for.
            max_reconnect_attempts=-1,
            ping_interval=PING_SECONDS,
            max_outstanding_pings=PINGS_MISSED_MAX,
            pending_size=PENDING_BYTES_MAX,
            error_cb=self._failed,
            disconnected_cb=self._disconnected,
            reconnected_cb=self._reconnected,
            closed_cb=self._closed,
            nkeys_seed=settings.nkey or None,
            user_credentials=settings.credentials or None,
            inbox_prefix=inboxes,
        )

    @property
    def jetstream(self) -> JetStreamContext:
        return self.jetstream_within(JETSTREAM_SECONDS)

    def jetstream_within(self, seconds: float) -> JetStreamContext:
        """JetStream, where an answer must come within so many seconds."""
        return self.client.jetstream(timeout=seconds)

    @property
    def clustered(self) -> bool:
        """Whether the server belongs to a cluster of servers."""
        return bool(self.client._server_info.get("cluster"))

    @property
    def connected(self) -> bool:
        return self.client.is_connected

    def on_reconnect(self, callback: Callable[[], None]) -> None:
        """Have this called whenever the connection was lost and is there again."""
        self._on_reconnect.append(callback)

    async def close(self) -> None:
        """Send what waits, and end the connection."""
        self._closing = True
        self._tried_enough()
        if self.client.is_connected:
            with contextlib.suppress(TimeoutError, nats.errors.Error):
                await self.client.flush(CONNECT_SECONDS)
        await self.client.close()

    async def _failed(self, error: Exception) -> None:
        """Errors of single attempts to connect come by the dozen while no server is there: only news is logged."""
        text = str(error) or type(error).__name__
        if text not in self._errors and len(self._errors) < ERRORS_MAX:
            self._errors.append(text)
            log.warning("NATS: %s", text)
        if is_refusal(text) and self._giving_up is None and not self._closing:
            self._giving_up = asyncio.get_running_loop().call_later(REFUSED_SECONDS_MAX, self._give_up)

    async def _disconnected(self) -> None:
        if not self.client.is_closed:
            log.warning("the connection to NATS is lost")

    async def _closed(self) -> None:
        if not self._closing:
            self._give_up()

    def _give_up(self) -> None:
        self._tried_enough()
        if not self.client.is_connected:
            log.error("NATS refuses us: %s", self.refusal)
            self.refused.set()

    def _tried_enough(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None

    @property
    def refusal(self) -> str:
        return "; ".join(self._errors) or "the connection was closed"

    async def _reconnected(self) -> None:
        self.reconnections += 1
        self._errors = []
        self._tried_enough()
        log.info("the connection to NATS is there again")
        for callback in self._on_reconnect:
            callback()


def is_refusal(error: str) -> bool:
    """Whether NATS says by this error that it does not let us in."""
    return "authorization" in error.lower() or "authentication" in error.lower()


def shown(servers: tuple[str, ...]) -> str:
    """The addresses, without users and passwords."""
    return ", ".join(server.rsplit("@", 1)[-1].removeprefix("nats://") for server in servers)
