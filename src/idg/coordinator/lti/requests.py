"""Requests to platforms: bounded in time, size and number, never redirected, and only to hosts that were registered."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from idg.coordinator.lti.platforms import is_of
from idg.coordinator.lti.refusals import ServiceFailed
from idg.coordinator.store.lti_records import PlatformRow
from idg.sip.record import Record

if TYPE_CHECKING:
    import aiohttp

REQUEST_SECONDS = 10.0
"""How long a request to a platform may take, from the connection to the last byte."""
ANSWER_BYTES_MAX = 1_000_000
"""How long the answer of a platform may be."""
REQUESTS_MAX = 8
"""How many requests to platforms are under way at the same time."""
TRIES = 3
"""How often a request is made that changes nothing, where the platform does not answer or says that it cannot now."""
PAUSE_SECONDS = 0.2
"""The pause before the second try; before each further one it is twice as long."""
FOR_NOW = (408, 425, 429, 500, 502, 503, 504)
"""Statuses with which a platform says that it cannot now."""


class PlatformAnswer(Record):
    """What a platform has answered, and the address of the next page where it says that there is one."""

    content: Any
    next_url: str | None


class PlatformClient:
    """Opened with the first request, because most servers have no platform. Only then is aiohttp imported, which takes a tenth of a
    second, and in a thread, so that the event loop goes on meanwhile."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None
        self._places = asyncio.Semaphore(REQUESTS_MAX)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def ask(
        self,
        platform: PlatformRow,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        repeatable: bool = False,
    ) -> PlatformAnswer:
        """ServiceFailed where the platform does not answer as it should. A `repeatable` one is made again where that may help."""
        if not is_of(platform, url):
            raise ServiceFailed(f"{url[:200]!r} is at no host that is registered for the platform {platform.name}", for_good=True)
        pause = PAUSE_SECONDS
        for tried in range(1, TRIES + 1):
            try:
                return await self._once(method, url, dict(headers or {}), body)
            except ServiceFailed as error:
                if error.for_good or not repeatable or tried == TRIES:
                    raise
            await asyncio.sleep(pause)
            pause *= 2
        raise AssertionError("the last try returns or raises")

    async def _once(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> PlatformAnswer:
        await asyncio.to_thread(importlib.import_module, "aiohttp")
        import aiohttp

        if self._session is None:
            # A proxy of the environment is used as other programs use it; cookies of a platform are not kept.
            self._session = aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=REQUEST_SECONDS), cookie_jar=aiohttp.DummyCookieJar(), trust_env=True
            )
        async with self._places:
            try:
                async with self._session.request(method, url, headers=headers, data=body, allow_redirects=False) as response:
                    read = await response.content.read(0)
                    while len(read) <= ANSWER_BYTES_MAX and (part := await response.content.read(ANSWER_BYTES_MAX)):
                        read += part
                    status, following = response.status, response.links.get("next")
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                raise ServiceFailed(f"the platform cannot be reached: {type(error).__name__}") from None
            except ValueError as error:
                raise ServiceFailed(f"the platform cannot be asked: {error}", for_good=True) from None
        if len(read) > ANSWER_BYTES_MAX:
            raise ServiceFailed(f"the platform's answer has more than {ANSWER_BYTES_MAX:,} bytes", for_good=True)
        if not 200 <= status < 300:
            told = read[:200].decode(errors="replace")
            raise ServiceFailed(f"the platform answered {status}: {told}", for_good=status not in FOR_NOW, status=status)
        return PlatformAnswer(_json(read), None if following is None else str(following["url"]))


def _json(read: bytes) -> Any:
    if not read.strip():
        return None
    try:
        return json.loads(read)
    except (ValueError, RecursionError):
        raise ServiceFailed("the platform's answer is not JSON", for_good=True) from None
