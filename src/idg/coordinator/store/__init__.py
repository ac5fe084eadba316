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
    Player,
    ProgramRow,
    Refused,
    RoomRow,
    StoreBusy,
    StoreError,
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
    "Player",
    "ProgramRow",
    "Refused",
    "RoomRow",
    "Store",
    "StoreBusy",
    "StoreError",
]
