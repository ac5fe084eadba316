"""What all participants of an arm prove together: their proposals are pooled and judged by the engine at once."""

from __future__ import annotations

from collections.abc import Sequence

from idg.engine.engine import Engine
from idg.levels import find_level

BATCH = 100
"""How many facts are given to the engine at a time. What was not accepted waits and is judged again with the next ones."""


def proved_together(level: str, facts: Sequence[tuple[int, str]]) -> bool | None:
    """Whether the greatest inductive subset of the facts proves the level's guarantee; None where there is no such level."""
    known = find_level(level)
    if known is None:
        return None
    engine = Engine(known.program())
    books = engine.start()
    for start in range(0, len(facts), BATCH):
        verdict = engine.propose_many(books, facts[start : start + BATCH])
        books = verdict.books
        if verdict.feedback.solved:
            return True
    return False
