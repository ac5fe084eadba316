"""Caches of the coordinator. What they hold depends on what players send, so they are bounded in bytes and not in entries."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

ENTRY_BYTES = 600
"""What an entry takes besides the bytes that are named for it: its key, its place in the table, and the objects around the texts.
So even a cache of empty things has a bounded number of entries."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BytesCache(Generic[K, V]):
    """Remembers values up to a number of bytes, and forgets the one first that was used least recently."""

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self.bytes = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: K) -> V | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: K, value: V, value_bytes: int) -> V:
        """Remember a value, instead of the one that the key had before; `value_bytes` is about how much memory it takes."""
        self.pop(key)
        self._entries[key] = (value, value_bytes + ENTRY_BYTES)
        self.bytes += value_bytes + ENTRY_BYTES
        while self.bytes > self.bytes_max:
            _, (_, dropped) = self._entries.popitem(last=False)
            self.bytes -= dropped
        return value

    def pop(self, key: K) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.bytes -= entry[1]

    def items(self) -> list[tuple[K, V]]:
        return [(key, value) for key, (value, _) in self._entries.items()]


def text_bytes(*texts: str) -> int:
    """How much memory texts take at most: Python needs up to four bytes for a character where one of them is rare."""
    return sum(len(text) if text.isascii() else 4 * len(text) for text in texts)
