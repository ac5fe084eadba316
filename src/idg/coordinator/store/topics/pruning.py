"""Units of work that delete what nobody uses any more: rooms as a whole, programs, players, and codes that have expired.

Events are append-only. The database lets those of a room be deleted only after the room was entered among the pruned ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, exists, func, insert, select

from idg.coordinator.store.records import IdleRoom
from idg.coordinator.store.schema import (
    assigned_items,
    class_students,
    class_teachers,
    events,
    lti_teachers,
    members,
    players,
    programs,
    pruned,
    rooms,
    teachers,
    tokens,
)

_ROWS_MAX: Any = bindparam("rows_max")
_last = events.alias("last")
_IDLE = (
    select(
        rooms.c.id,
        rooms.c.program,
        rooms.c.level,
        rooms.c.state,
        rooms.c.last_event,
        _last.c.time,
        select(func.count()).select_from(members).where(members.c.room == rooms.c.id).scalar_subquery(),
    )
    .join(_last, (_last.c.room == rooms.c.id) & (_last.c.number == rooms.c.last_event))
    .where(
        rooms.c.id > bindparam("after_id"),
        _last.c.time < bindparam("before"),
        # Rooms of students are kept as long as their class.
        ~exists().where(class_students.c.player == rooms.c.owner),
    )
    .order_by(rooms.c.id)
    .limit(_ROWS_MAX)
)
_LOCK = select(rooms.c.last_event).where(rooms.c.id == bindparam("room")).with_for_update()
_REMEMBER = insert(pruned)
_DELETE_EVENTS = delete(events).where(events.c.room == bindparam("in_room"))
_DELETE_MEMBERS = delete(members).where(members.c.room == bindparam("in_room"))
_DELETE_ROOM = delete(rooms).where(rooms.c.id == bindparam("by_id"))

_BEFORE = bindparam("before", type_=programs.c.time.type)
_UNUSED_PROGRAMS: Select[Any] = (
    select(programs.c.hash)
    .where(
        programs.c.player.is_not(None),
        programs.c.time < _BEFORE,
        ~exists().where(rooms.c.program == programs.c.hash),
        ~exists().where(assigned_items.c.program == programs.c.hash),
    )
    .order_by(programs.c.hash)
    .limit(_ROWS_MAX)
)
_DELETE_PROGRAMS = delete(programs).where(programs.c.hash.in_(bindparam("hashes", expanding=True)))
_IDLE_PLAYERS: Select[Any] = (
    select(players.c.id)
    .where(
        players.c.time < _BEFORE,
        ~exists().where(members.c.player == players.c.id),
        ~exists().where(rooms.c.owner == players.c.id),
        *(~exists().where(table.c.player == players.c.id) for table in (class_students, class_teachers, teachers, lti_teachers)),
    )
    .order_by(players.c.id)
    .limit(_ROWS_MAX)
)
_DELETE_TOKENS = delete(tokens).where(tokens.c.player.in_(bindparam("ids", expanding=True)))
_DELETE_PLAYERS = delete(players).where(players.c.id.in_(bindparam("ids", expanding=True)))
_EXPIRED = tokens.c.expires < bindparam("now")


def idle_rooms(connection: Connection, before: float, after_id: str, limit: int) -> list[IdleRoom]:
    """Rooms in which nothing happened since a time, in the order of their ids."""
    values = {"before": before, "after_id": after_id, "rows_max": limit}
    return [IdleRoom(*row) for row in connection.execute(_IDLE, values)]


def delete_room(connection: Connection, room: IdleRoom, time: float) -> bool:
    """Deletes a room with its events, and remembers that; false where something has happened in it meanwhile."""
    if connection.execute(_LOCK, {"room": room.id}).scalar() != room.last_event:
        return False
    values = {"room": room.id, "program": room.program, "level": room.level, "events": room.last_event, "last": room.last}
    connection.execute(_REMEMBER, {**values, "time": time})
    connection.execute(_DELETE_EVENTS, {"in_room": room.id})
    connection.execute(_DELETE_MEMBERS, {"in_room": room.id})
    connection.execute(_DELETE_ROOM, {"by_id": room.id})
    return True


def count_unused(connection: Connection, before: float, now: float) -> tuple[int, int, int]:
    """How many programs, players and codes could be deleted now."""
    numbers = [
        connection.execute(select(func.count()).select_from(statement.limit(None).subquery()), {"before": before}).scalar_one()
        for statement in (_UNUSED_PROGRAMS, _IDLE_PLAYERS)
    ]
    codes = connection.execute(select(func.count()).select_from(tokens).where(_EXPIRED), {"now": now}).scalar_one()
    return numbers[0], numbers[1], codes


def delete_unused_programs(connection: Connection, before: float, limit: int) -> int:
    """Deletes players' programs that were submitted before a time and that no room plays; returns how many."""
    hashes = _first_column(connection, _UNUSED_PROGRAMS, before, limit)
    connection.execute(_DELETE_PROGRAMS, {"hashes": hashes})
    return len(hashes)


def delete_idle_players(connection: Connection, before: float, limit: int) -> int:
    """Deletes players who came before a time and were never in a room that is still there; returns how many."""
    ids = _first_column(connection, _IDLE_PLAYERS, before, limit)
    connection.execute(_DELETE_TOKENS, {"ids": ids})
    connection.execute(_DELETE_PLAYERS, {"ids": ids})
    return len(ids)


def drop_expired(connection: Connection, now: float) -> int:
    """Deletes codes that have expired; returns how many."""
    return connection.execute(delete(tokens).where(_EXPIRED), {"now": now}).rowcount


def _first_column(connection: Connection, statement: Select[Any], before: float, limit: int) -> Sequence[str]:
    return connection.execute(statement, {"before": before, "rows_max": limit}).scalars().all()
