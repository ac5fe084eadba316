"""Units of work that read events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, bindparam, exists, or_, select

from idg.coordinator.store.records import Event, PlacedEvent
from idg.coordinator.store.schema import events, participants, players, rooms

ROWS_MAX = 100_000
"""How many rows a unit returns where the caller names no limit."""

_ROWS_MAX: BindParameter[int] = bindparam("rows_max")
_IN_ROOM = events.c.room == bindparam("in_room")
_OF_KINDS = events.c.kind.in_(bindparam("kinds", expanding=True))
_AFTER_ID = events.c.id > bindparam("after_id")

_EVENTS = select(events).where(_IN_ROOM, events.c.number > bindparam("after")).order_by(events.c.number).limit(_ROWS_MAX)
_EVENT = select(events).where(_IN_ROOM, events.c.number == bindparam("numbered"))
_BY_REQUEST = select(events).where(_IN_ROOM, events.c.player == bindparam("of_player"), events.c.request == bindparam("by_request"))
# The newest event of a kind; 1 is how many are wanted.
_LAST_OF_KIND = select(events).where(_IN_ROOM, events.c.kind == bindparam("of_kind")).order_by(events.c.number.desc()).limit(1)
_ANSWER = select(events).where(_IN_ROOM, events.c.answers == bindparam("to"))

_later = events.alias("later")
_UNANSWERED = (
    select(events)
    .where(
        # A literal and not a parameter, because the index of proposals serves only queries that contain its condition literally.
        events.c.kind == bindparam("proposal", "proposed", literal_execute=True),
        events.c.time >= bindparam("since"),
        or_(
            events.c.coordinator.is_(None) & (events.c.time < bindparam("before")),
            events.c.coordinator.is_not(None) & (events.c.time < bindparam("late")),
            events.c.coordinator.is_not(None) & events.c.coordinator.not_in(bindparam("living", expanding=True)),
        ),
        events.c.room.is_not(None),
        ~exists().where(_later.c.room == events.c.room, _later.c.answers == events.c.number),
    )
    .order_by(events.c.time, events.c.id)
    .limit(_ROWS_MAX)
)

_PLACED: Select[Any] = select(events, rooms.c.program, rooms.c.level, rooms.c.engine).outerjoin(rooms, rooms.c.id == events.c.room)
_owner = participants.alias("owner")
_STUDIED: Select[Any] = (
    select(
        *(events, rooms.c.program, rooms.c.level, rooms.c.engine, _owner.c.study),
        *(participants.c.number, participants.c.pid, participants.c.arm, players.c.agent, rooms.c.purpose),
    )
    .outerjoin(rooms, rooms.c.id == events.c.room)
    .outerjoin(_owner, _owner.c.player == rooms.c.owner)
    .outerjoin(participants, participants.c.player == events.c.player)
    .outerjoin(players, players.c.id == events.c.player)
)
_OF_PLAYER = _PLACED.where(events.c.player == bindparam("of_player"), _OF_KINDS, _AFTER_ID).order_by(events.c.id).limit(_ROWS_MAX)
_OF_PROGRAM = (
    select(events)
    .join(rooms, rooms.c.id == events.c.room)
    .where(rooms.c.program == bindparam("of_program"), _OF_KINDS, _AFTER_ID)
    .order_by(events.c.id)
    .limit(_ROWS_MAX)
)
_ALL = _STUDIED.where(_AFTER_ID).order_by(events.c.id).limit(_ROWS_MAX)


def _one(connection: Connection, statement: Select[Any], values: dict[str, object]) -> Event | None:
    row = connection.execute(statement, values).first()
    return Event(*row) if row else None


def _placed(connection: Connection, statement: Select[Any], values: dict[str, object]) -> list[PlacedEvent]:
    rows = connection.execute(statement, values)
    return [PlacedEvent(Event(*fields), program, level, engine) for *fields, program, level, engine in rows]


def events_after(connection: Connection, room: str, after: int, limit: int) -> list[Event]:
    rows = connection.execute(_EVENTS, {"in_room": room, "after": after, "rows_max": limit})
    return [Event(*row) for row in rows]


def event(connection: Connection, room: str, number: int) -> Event | None:
    return _one(connection, _EVENT, {"in_room": room, "numbered": number})


def event_by_request(connection: Connection, room: str, player: str, request: str) -> Event | None:
    return _one(connection, _BY_REQUEST, {"in_room": room, "of_player": player, "by_request": request})


def last_of_kind(connection: Connection, room: str, kind: str) -> Event | None:
    """The newest event of this kind in the room."""
    return _one(connection, _LAST_OF_KIND, {"in_room": room, "of_kind": kind})


def answer_to(connection: Connection, room: str, number: int) -> Event | None:
    return _one(connection, _ANSWER, {"in_room": room, "to": number})


def unanswered(
    connection: Connection, before: float, limit: int, since: float = 0.0, living: Sequence[str] = (), late: float | None = None
) -> list[Event]:
    """Proposals of all rooms from before a time that no event answers, oldest first. Those who ask often give `since`, so that the
    database need not look through the whole history.

    What one of the living coordinators has stored is left to it, unless it came before `late`.
    """
    values = {"since": since, "before": before, "rows_max": limit, "living": list(living), "late": before if late is None else late}
    rows = connection.execute(_UNANSWERED, values)
    return [Event(*row) for row in rows]


def events_of_player(
    connection: Connection, player: str, kinds: Sequence[str], after_id: int = 0, limit: int = ROWS_MAX
) -> list[PlacedEvent]:
    return _placed(connection, _OF_PLAYER, {"of_player": player, "kinds": kinds, "after_id": after_id, "rows_max": limit})


def events_of_program(
    connection: Connection, program: str, kinds: Sequence[str], limit: int = ROWS_MAX, after_id: int = 0
) -> list[Event]:
    """Events of all rooms that play the program."""
    rows = connection.execute(_OF_PROGRAM, {"of_program": program, "kinds": kinds, "after_id": after_id, "rows_max": limit})
    return [Event(*row) for row in rows]


def all_events(connection: Connection, after_id: int, limit: int) -> list[PlacedEvent]:
    """All events in the order of their ids, for export. On PostgreSQL an event that is being stored may still get a lower id than
    the last one seen."""
    rows = connection.execute(_ALL, {"after_id": after_id, "rows_max": limit})
    return [
        PlacedEvent(Event(*fields), program, level, engine, study, number, pid, arm, bool(agent), purpose)
        for *fields, program, level, engine, study, number, pid, arm, agent, purpose in rows
    ]
