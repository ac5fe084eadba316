"""What agents get to see besides the answers of the engine and of the server (idg.engine.wire), and what a server takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from idg.engine.results import Fact
from idg.engine.wire.answers import FeedbackAnswer
from idg.engine.wire.endings import ListedMeasure
from idg.engine.wire.events import EndMark
from idg.engine.wire.rooms import RoomAnswer
from idg.sip.record import Record
from idg.sip.values import Value

EXPRESSION_CHARS_MAX = 10_000
"""Characters of one expression."""
BATCH_MAX = 300
"""Proposals in one batch."""
BATCH_CHARS_MAX = 100_000
"""Characters of all proposals in one batch together."""
TRACE_ROWS_MAX = 100_000
"""Rows of each loop in one trace."""
TRACE_PAGE_ROWS_MAX = 10_000
"""Rows of each loop that a server tells at once; `trace` asks several times where more are wanted."""


class Limits(Record):
    """What a server takes; a test compares it with the server."""

    expression_chars_max: int = EXPRESSION_CHARS_MAX
    batch_max: int = BATCH_MAX
    """Proposals in one batch; `propose_many` sends several batches where there are more."""
    batch_chars_max: int = BATCH_CHARS_MAX
    trace_rows_max: int = TRACE_ROWS_MAX
    trace_page_rows_max: int = TRACE_PAGE_ROWS_MAX


def batches(proposals: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """The proposals in batches that a server takes."""
    batch: list[tuple[int, str]] = []
    chars = 0
    for loop, text in proposals:
        if batch and (len(batch) == BATCH_MAX or chars + len(text) > BATCH_CHARS_MAX):
            yield batch
            batch, chars = [], 0
        batch.append((loop, text))
        chars += len(text)
    yield batch


class LevelInfo(Record):
    """A level that can be played."""

    level: str
    title: str
    world: str
    difficulty: int
    """From 1 to 5."""
    story: str
    loops: int


class LoopInfo(Record):
    """A loop of the program that is played."""

    number: int
    outer: int | None
    """The loop around it."""
    columns: tuple[str, ...]
    """The variables visible at its head."""
    test: str
    function: str
    """The function that it belongs to: the level, or one of its helpers."""


class CheckedExpression(Record):
    """An expression on all the states at a loop head that were looked at."""

    expression: str
    loop: int
    holds: bool
    """It is an expression of the loop, and it is true in every state. Where there is no state it does not hold."""
    states: int
    failing: Mapping[str, Value] | None
    """The first state in which it is not true."""
    problem: str
    """Why it is no Boolean expression of the loop; empty where it is one."""


class GameState(Record):
    """Where a game stands."""

    inductive: tuple[Fact, ...]
    potential: tuple[Fact, ...]
    authors: Mapping[Fact, str]
    """Fact → the player who proposed it first, where that is known."""
    solved: bool
    feedback: FeedbackAnswer
    last_event: int
    unknown: tuple[Fact, ...] = ()
    """The facts about which nothing could be established."""
    measures: tuple[ListedMeasure, ...] = ()
    """The measures on the books: those that are proved to fall, and those that wait."""
    ends: EndMark = ""
    """The second mark: 'ends' where every run is proved to end, 'never ends' where a run is shown that never does."""


def state_of(room: RoomAnswer) -> GameState:
    facts = (*room.inductive, *room.potential, *room.unknown)
    return GameState(
        tuple(owned.fact for owned in room.inductive),
        tuple(owned.fact for owned in room.potential),
        {owned.fact: owned.player for owned in facts if owned.player},
        room.solved,
        room.feedback,
        room.last_event,
        tuple(owned.fact for owned in room.unknown),
        tuple(ListedMeasure(owned.loop, owned.text, owned.proved) for owned in room.measures),
        room.ends,
    )
