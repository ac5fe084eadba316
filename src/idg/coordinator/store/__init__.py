"""The store of the coordinator: programs, players, rooms, events, verdicts, logs; on SQLite or PostgreSQL."""

from idg.coordinator.store.records import (
    OWN_PROPOSAL,
    AlreadyAnswered,
    CodeTaken,
    Duplicate,
    Event,
    Log,
    Member,
    NewEvent,
    NewLog,
    NoSuchRoom,
    PlacedEvent,
    PlayerRow,
    ProgramRow,
    RoomRow,
    StoreBusy,
    StoreError,
    UnitRefused,
)
from idg.coordinator.store.store import Store

__all__ = [
    "OWN_PROPOSAL",
    "AlreadyAnswered",
    "CodeTaken",
    "Duplicate",
    "Event",
    "Log",
    "Member",
    "NewEvent",
    "NewLog",
    "NoSuchRoom",
    "PlacedEvent",
    "PlayerRow",
    "ProgramRow",
    "RoomRow",
    "Store",
    "StoreBusy",
    "StoreError",
    "UnitRefused",
]
