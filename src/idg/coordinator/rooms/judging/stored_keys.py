"""Which answers are certainly not in the store, so that a new question need not wait for a look there.

A Bloom filter of the keys: a few bits for each key, at places that the key names. Where one of them is not set, the key was never
stored. It knows what was stored when we started, and what we have stored since. So it decides only where nobody else stores.
"""

from __future__ import annotations

from idg.coordinator.event_loop import with_pauses
from idg.coordinator.store import Store

PLACE_BITS = 23
"""Each place is a number of so many bits: the filter takes a megabyte."""
PLACES = 4
"""How many places a key names. Of a million keys, which is more than a full store has, one in fifty others seems to be stored."""
KEY_DIGITS = PLACES * PLACE_BITS // 4 + 1
"""How many hexadecimal digits of a key name its places."""
KEYS_PAGE = 2_000
"""How many keys are read from the store at once."""
_PLACE_MASK = (1 << PLACE_BITS) - 1
"""The bits of one place."""


class StoredKeys:
    def __init__(self) -> None:
        self._bits = bytearray(1 << (PLACE_BITS - 3))
        self._is_complete = False
        """Whether all keys that are stored are in it."""

    def add(self, key: str) -> None:
        for place in _places(key):
            self._bits[place >> 3] |= 1 << (place & 7)

    def may_have(self, key: str) -> bool:
        """False only where the key is not stored."""
        return not self._is_complete or all(self._bits[place >> 3] & 1 << (place & 7) for place in _places(key))

    def give_up(self) -> None:
        """Somebody else may have stored something."""
        self._is_complete = False

    async def load(self, store: Store) -> None:
        """Take over the keys that are stored. What is stored meanwhile has to be added, too."""
        last = ""
        while True:
            page = await store.verdict_keys(last, KEYS_PAGE)
            async for key in with_pauses(page):
                self.add(key)
                last = key
            if len(page) < KEYS_PAGE:
                self._is_complete = True
                return


def _places(key: str) -> tuple[int, ...]:
    number = int(key[:KEY_DIGITS], 16)
    return tuple(number >> PLACE_BITS * index & _PLACE_MASK for index in range(PLACES))
