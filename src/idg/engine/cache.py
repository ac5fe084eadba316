"""Verdicts seen before. A class that plays the same levels costs little more than one player."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from typing import Generic, TypeVar

from idg.engine.books import Books

ENGINE_VERSION = "3"
"""Changes whenever the same question may get another answer."""
VERDICTS_MAX = 10_000

_V = TypeVar("_V")


def verdict_key(program: str, books: Books, question: str) -> str:
    """The same for the same program, books and question, on every machine."""
    text = json.dumps([ENGINE_VERSION, program, books.as_json(), question], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class VerdictCache(Generic[_V]):
    """A bounded memory of answers, the least recently used forgotten first."""

    def __init__(self, verdicts_max: int = VERDICTS_MAX) -> None:
        self.verdicts_max = verdicts_max
        self.hits = 0
        self.misses = 0
        self._verdicts: OrderedDict[str, _V] = OrderedDict()

    def get(self, key: str) -> _V | None:
        found = self._verdicts.get(key)
        if found is None:
            self.misses += 1
            return None
        self.hits += 1
        self._verdicts.move_to_end(key)
        return found

    def put(self, key: str, verdict: _V) -> _V:
        self._verdicts[key] = verdict
        if len(self._verdicts) > self.verdicts_max:
            self._verdicts.popitem(last=False)
        return verdict
