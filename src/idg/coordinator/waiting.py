"""Callers who wait for an answer and may go away before it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

Gone = Callable[[], Awaitable[None]]
"""Returns when the caller has gone."""


class CallerGone(Exception):
    """The caller has gone, so there is nobody to answer."""


async def unless_gone(work: asyncio.Future[T], gone: Gone | None) -> T:
    """The result of work that goes on whatever becomes of the caller; CallerGone where the caller leaves before it is done.
    Without `gone`, nobody notices that."""
    if gone is None:
        return await asyncio.shield(work)
    leaving = asyncio.ensure_future(gone())
    try:
        await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise CallerGone
        return work.result()
    finally:
        leaving.cancel()
