"""News between coordinators by NATS: plain subjects without JetStream, because news may get lost and must be quick."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

import nats.errors
from nats.aio.msg import Msg

from idg.coordinator.cluster.broker import Broker
from idg.coordinator.cluster.coordinators.news import NEWS, ROOMS, Hearing, N, kind_of, subject_of
from idg.coordinator.pool.json_text import dumps
from idg.engine.wire.codec import WireError, decode, encode
from idg.sip.record import Record

UNSENT_MAX = 10_000
"""How many news may wait to be sent. The oldest get lost beyond that: whoever misses them looks into the store."""

log = logging.getLogger("idg.coordinator.cluster.news")


class NatsNews:
    is_shared = True

    def __init__(self, broker: Broker, coordinator: str) -> None:
        self.broker = broker
        self.coordinator = coordinator
        self.told = self.heard = self.lost = 0
        """How many news we told, heard of others, and could not tell or understand."""
        self._hearings: dict[type[Record], list[Hearing[Any]]] = {}
        self._on_gap: list[Callable[[], None]] = []
        self._unsent: deque[Record] = deque()
        self._waiting = asyncio.Event()
        self._sender: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, broker: Broker, coordinator: str) -> NatsNews:
        news = cls(broker, coordinator)
        for subjects in (ROOMS, NEWS):
            await broker.client.subscribe(f"{subjects}.*", cb=news._take)
        broker.on_reconnect(news._missed)
        news._sender = asyncio.create_task(news._send())
        return news

    def tell(self, news: Record) -> None:
        if len(self._unsent) >= UNSENT_MAX:
            self._unsent.popleft()
            self.lost += 1
        self._unsent.append(news)
        self._waiting.set()

    def hear(self, kind: type[N], hearing: Hearing[N]) -> None:
        self._hearings.setdefault(kind, []).append(hearing)

    def on_gap(self, callback: Callable[[], None]) -> None:
        self._on_gap.append(callback)

    def _missed(self) -> None:
        for callback in self._on_gap:
            callback()

    async def _send(self) -> None:
        """Sends news in the order in which they were told. Without a connection they are lost, because later they are no news."""
        while True:
            await self._waiting.wait()
            self._waiting.clear()
            while self._unsent:
                news = self._unsent.popleft()
                if not self.broker.connected:
                    self.lost += 1
                    continue
                try:
                    await self.broker.client.publish(subject_of(news), dumps([self.coordinator, encode(news)]).encode())
                    self.told += 1
                except (OSError, nats.errors.Error):
                    self.lost += 1
                except Exception:
                    self.lost += 1
                    log.exception("news could not be told")

    async def _take(self, message: Msg) -> None:
        try:
            sender, body = json.loads(message.data)
            kind = kind_of(message.subject)
            if kind is None or sender == self.coordinator:
                return
            news = decode(kind, body)
        except (WireError, ValueError, TypeError) as error:
            # Perhaps a coordinator of another version. What it stores is read from the store nevertheless.
            self.lost += 1
            log.warning("news that cannot be understood", extra={"subject": message.subject, "error": str(error)})
            return
        self.heard += 1
        for hearing in self._hearings.get(kind, ()):
            try:
                hearing(sender, news)
            except Exception:
                log.exception("news could not be taken", extra={"subject": message.subject})

    def counts(self) -> dict[str, float]:
        return {"told": self.told, "heard": self.heard, "lost": self.lost}

    async def close(self) -> None:
        """What was told is sent first."""
        while self._unsent and self.broker.connected:
            await asyncio.sleep(0)
        if self._sender is not None:
            self._sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sender
