"""The store of the coordinator: programs, players, rooms, events, verdicts, logs; on SQLite or PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idg.coordinator.store.records import (
    OWN_PROPOSAL,
    AlreadyAnswered,
    CodeTaken,
    CoordinatorRow,
    Duplicate,
    Event,
    IdleRoom,
    Log,
    Member,
    NewEvent,
    NewLog,
    NoSuchRoom,
    NotMember,
    ParticipantRow,
    PlacedEvent,
    PlacedLog,
    PlayerDeleted,
    PlayerRow,
    ProgramRow,
    RoomFull,
    RoomOutline,
    RoomRow,
    Size,
    StoreBusy,
    StoreError,
    StoreUnavailable,
    StudyRecord,
    UnitRefused,
)

if TYPE_CHECKING:
    from idg.coordinator.store.store import Store

__all__ = [
    "OWN_PROPOSAL",
    "AlreadyAnswered",
    "CodeTaken",
    "CoordinatorRow",
    "Duplicate",
    "Event",
    "IdleRoom",
    "Log",
    "Member",
    "NewEvent",
    "NewLog",
    "NoSuchRoom",
    "NotMember",
    "ParticipantRow",
    "PlacedEvent",
    "PlacedLog",
    "PlayerDeleted",
    "PlayerRow",
    "ProgramRow",
    "RoomFull",
    "RoomOutline",
    "RoomRow",
    "Size",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreUnavailable",
    "StudyRecord",
    "UnitRefused",
]


def __getattr__(name: str) -> object:
    """The store brings SQLAlchemy along, half of what a text worker would import: only whoever asks for a Store pays for it."""
    if name == "Store":
        from idg.coordinator.store.store import Store

        return Store
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
