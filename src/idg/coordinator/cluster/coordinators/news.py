"""News between the coordinators of one database: short messages, each of which may get lost.

The store is the truth, and whoever hears news reads it there. Lost news only makes a coordinator later: it looks into the store now
and then anyway, and nothing that it remembers counts for long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from idg.engine.wire.rooms import MemberSignal, PartnerAnswer
from idg.sip.record import Record

ROOMS = "idg.rooms"
"""The subjects of rooms begin with this; the room's id follows."""
NEWS = "idg.news"
"""The subjects of all other news begin with this; the kind of the news follows."""


class RoomMoved(Record):
    """Something was stored in a room."""

    room: str
    head: int = 0
    """The number of the last event that was stored; 0 where there is no event, but something else of the room has changed."""
    version: int = 0
    """The room's version with it."""
    program: str = ""
    earned: tuple[str, ...] = ()
    """The players whose scores for the program may have changed by it."""


class RoomsDeleted(Record):
    """Nobody had come back to these rooms."""

    rooms: tuple[str, ...] = ()
    with_players: bool = False
    """Whether players were deleted, too."""


class PlayerRenamed(Record):
    player: str
    name: str


class TokenRevoked(Record):
    """A token is good no longer."""

    hash: str


class Beat(Record):
    """A coordinator is there."""

    change: int
    """The number of the last `WhoCame` that it has told. Whoever has heard another number last has missed one."""


class Ended(Record):
    """A coordinator has ended."""


class WhoCame(Record):
    """Who came into rooms at a coordinator or went from them, since the last message of this kind."""

    change: int
    """Counts these messages, from 1."""
    came: Mapping[str, tuple[str, ...]]
    """Room → players."""
    went: Mapping[str, tuple[str, ...]]


class WhoIsHere(Record):
    """A part of the list of those who are in rooms at a coordinator. The parts are told in order."""

    change: int
    """The number of the last `WhoCame` before it."""
    part: int
    """The number of this part, from 1."""
    parts: int
    rooms: Mapping[str, tuple[str, ...]]
    """Room → players."""


class WhoIsThere(Record):
    """Asks coordinators to tell who is in rooms at them."""

    asked: str = ""
    """The coordinator that is asked; empty for all."""


class RoomSignal(Record):
    """What a member of a room shows the others. It is told only where some of them are in the room at other coordinators."""

    room: str
    signal: MemberSignal


class RoomPartner(Record):
    """What the computer does as a partner in a room, at the coordinator that tells it; None where it stops."""

    room: str
    partner: PartnerAnswer | None


KINDS: dict[str, type[Record]] = {
    "deleted": RoomsDeleted,
    "renamed": PlayerRenamed,
    "revoked": TokenRevoked,
    "beat": Beat,
    "ended": Ended,
    "came": WhoCame,
    "here": WhoIsHere,
    "asked": WhoIsThere,
    "signal": RoomSignal,
    "partner": RoomPartner,
}
"""The last part of a subject under `NEWS` → what is told there."""
SUBJECTS: dict[type[Record], str] = {kind: f"{NEWS}.{name}" for name, kind in KINDS.items()}
"""What is told → its subject."""

N = TypeVar("N", bound=Record)
Hearing = Callable[[str, N], None]
"""Is called with the id of the coordinator that tells something, and with what it tells."""


def subject_of(news: Record) -> str:
    return f"{ROOMS}.{news.room}" if isinstance(news, RoomMoved) else SUBJECTS[type(news)]


def kind_of(subject: str) -> type[Record] | None:
    """What is told on a subject; None where we do not know it."""
    start, _, name = subject.rpartition(".")
    return RoomMoved if start == ROOMS else KINDS.get(name) if start == NEWS else None


class News(Protocol):
    """How coordinators tell each other news."""

    coordinator: str
    """Our own id, by which others know us."""
    is_shared: bool
    """Whether anybody can hear us. Otherwise the store must be looked at more often."""

    def tell(self, news: Record) -> None:
        """Tell all other coordinators. It returns at once and never fails."""

    def hear(self, kind: type[N], hearing: Hearing[N]) -> None:
        """Have this called with all news of a kind that other coordinators tell."""

    def on_gap(self, callback: Callable[[], None]) -> None:
        """Have this called whenever news may have been missed."""

    def counts(self) -> dict[str, float]:
        """How many news were told, were heard of others, and were lost, for the metrics."""

    async def close(self) -> None: ...


class NoNews:
    """There are no other coordinators, or they can be heard of through the store only."""

    coordinator = ""
    is_shared = False

    def tell(self, news: Record) -> None:
        """Nobody hears it."""

    def hear(self, kind: type[N], hearing: Hearing[N]) -> None:
        """Nobody tells anything."""

    def on_gap(self, callback: Callable[[], None]) -> None:
        """Nothing can be missed."""

    def counts(self) -> dict[str, float]:
        return {}

    async def close(self) -> None: ...
