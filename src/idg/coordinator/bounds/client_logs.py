"""How lines of clients' logs are stored, so that all of them count: a client's own, and those that we write about participants."""

from __future__ import annotations

from collections.abc import Sequence

from idg.coordinator.bounds.quotas import Quotas
from idg.coordinator.store import NewLog, Store


async def store_logs(store: Store, quotas: Quotas, player: str, session: str, rows: Sequence[NewLog]) -> None:
    """ApiError where the logs are full. What is stored counts for the player and for their address."""
    quotas.totals.require("logs")
    await store.put_logs(player, session, rows)
    quotas.stored("logs", player, len(rows), sum(len(row.body) for row in rows))
