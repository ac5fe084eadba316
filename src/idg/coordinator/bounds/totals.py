"""How much is stored, by table, and how much may be: a table that is full takes nothing more, so that nobody can fill the disk.

The tables are measured in the database now and then. In between, what this coordinator stores is added.
"""

from __future__ import annotations

import asyncio
import time

from idg.coordinator.errors import ApiError
from idg.coordinator.store import Size, Store

SHARES = {
    "events": 0.45, "rooms": 0.14, "programs": 0.10, "verdicts": 0.10, "logs": 0.08, "players": 0.03, "tokens": 0.02,
    "members": 0.01, "hand_ins": 0.02, "classes": 0.002, "class_students": 0.008, "assigned_items": 0.02, "class_messages": 0.02,
}  # fmt: skip
"""Table → the share that it may have of the bytes that the setting `data_mb` allows."""
ROW_BYTES = 300
"""What a row counts besides its long text: the other columns, and its entries in indexes. It bounds the number of rows, too."""
MEASURED_SECONDS_MIN = 60.0
"""The least pause between two measurements."""
PAUSES_A_MEASUREMENT = 100
"""A pause is at least so many times as long as the measurement before it: measuring takes a hundredth of the time at most."""
KEPT_OF_VERDICTS = 0.9
"""What is left of the share of the stored answers when the oldest are deleted because they are too many."""
VERDICTS_A_STEP = 500
"""How many stored answers are deleted at once; others are written in between."""
BYTES_A_MEGABYTE = 2**20
"""How many bytes a megabyte has in the settings."""


class Totals:
    def __init__(self, store: Store, data_mb: int) -> None:
        self.store = store
        self.limits = {table: int(share * data_mb * BYTES_A_MEGABYTE) for table, share in SHARES.items()}
        """Table → how many bytes it may have; all are 0 where there is no limit."""
        self.sizes: dict[str, Size] = {table: Size(0, 0) for table in SHARES}
        self.refused = 0
        """How often something was refused because its table is full."""

    def bytes(self, table: str) -> int:
        """How many bytes a table counts."""
        return self.sizes[table].bytes + ROW_BYTES * self.sizes[table].rows

    def require(self, table: str) -> None:
        """ApiError where the table is full."""
        if self.limits[table] and self.bytes(table) >= self.limits[table]:
            self.refused += 1
            raise ApiError(
                "storage-full",
                f"this server stores as many {table} as it may",
                hint="whoever runs it can delete old rooms with 'idg prune', or raise the setting data_mb",
            )

    def grow(self, table: str, rows: int, text_bytes: int) -> None:
        """Something was stored."""
        size = self.sizes[table]
        self.sizes[table] = Size(size.rows + rows, size.bytes + text_bytes)

    async def tend(self) -> None:
        """Measure again and again, and delete the oldest stored answers when they are too many."""
        while True:
            start = time.monotonic()
            self.sizes |= await self.store.sizes()
            await self.trim_verdicts()
            await asyncio.sleep(max(MEASURED_SECONDS_MIN, PAUSES_A_MEASUREMENT * (time.monotonic() - start)))

    async def trim_verdicts(self) -> Size:
        """Delete the oldest stored answers where they are more than their share; returns what was deleted."""
        trimmed = Size(0, 0)
        limit = self.limits["verdicts"]
        if limit and self.bytes("verdicts") > limit:
            while self.bytes("verdicts") > KEPT_OF_VERDICTS * limit:
                deleted = await self.store.forget_oldest_verdicts(VERDICTS_A_STEP)
                if not deleted.rows:
                    break
                self.grow("verdicts", -deleted.rows, -deleted.bytes)
                trimmed = Size(trimmed.rows + deleted.rows, trimmed.bytes + deleted.bytes)
        return trimmed
