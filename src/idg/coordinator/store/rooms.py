"""Units of work on rooms and their events: plain functions on a connection, run as a whole by the store.

Whatever gives numbers begins with an UPDATE of the room's row: its lock serialises a room, also between processes.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, func, insert, select, update

from idg.coordinator.store import history
from idg.coordinator.store.records import OWN_PROPOSAL, AlreadyAnswered, Duplicate, Event, Member, NewEvent, NoSuchRoom, RoomRow
from idg.coordinator.store.schema import events, members, players, rooms

_HERE = rooms.c.id == bindparam("room")
_COUNTED = rooms.c.last_event + bindparam("count")
_ON_VERSION = (_HERE, rooms.c.version == bindparam("seen"))

_COUNT = update(rooms).where(_HERE).values(last_event=_COUNTED).returning(rooms.c.last_event)
_COUNT_ON_VERSION = update(rooms).where(*_ON_VERSION).values(last_event=_COUNTED).returning(rooms.c.last_event)
_MOVE = (
    update(rooms)
    .where(*_ON_VERSION)
    .values(last_event=_COUNTED, version=rooms.c.version + 1, state=bindparam("new_state"))
    .returning(rooms.c.last_event)
)
_SET_CODE = update(rooms).where(_HERE).values(code=func.coalesce(rooms.c.code, bindparam("new_code"))).returning(rooms.c.code)
_INSERT_EVENT = insert(events).returning(events.c.id)
_INSERT_ROOM = insert(rooms)
_LOCK = select(rooms.c.id).where(_HERE).with_for_update()

_MEMBERSHIP = (members.c.room == bindparam("in_room"), members.c.player == bindparam("of_player"))
_MEMBER = select(members.c.left).where(*_MEMBERSHIP)
_INSERT_MEMBER = insert(members)
_RETURN_MEMBER = update(members).where(*_MEMBERSHIP).values(time=bindparam("since"), left=None)
_LEAVE = update(members).where(*_MEMBERSHIP, members.c.left.is_(None)).values(left=bindparam("until")).returning(members.c.room)
_MEMBERS = (
    select(members, players.c.name, players.c.agent)
    .join(players, players.c.id == members.c.player)
    .where(members.c.room == bindparam("in_room"))
    .order_by(members.c.time, members.c.player)
)

_ROOM = select(rooms).where(_HERE)
_ROOM_BY_CODE = select(rooms).where(rooms.c.code == bindparam("by_code"))
_ALL_ROOMS_OF = (
    select(rooms)
    .join(members, members.c.room == rooms.c.id)
    .where(members.c.player == bindparam("of_player"))
    .order_by(rooms.c.time.desc(), rooms.c.id)
    .limit(bindparam("rows_max"))
)
_ROOMS_OF = _ALL_ROOMS_OF.where(members.c.left.is_(None))
_HEADS = select(rooms.c.id, rooms.c.last_event).where(rooms.c.id.in_(bindparam("ids", expanding=True)))


def _insert_events(connection: Connection, room: str | None, first: int | None, new: Sequence[NewEvent]) -> list[Event]:
    stored = []
    number = first
    for event in new:
        values = {
            "room": room,
            "number": number,
            "player": event.player,
            "kind": event.kind,
            "time": event.time,
            "session": event.session,
            "variant": event.variant,
            "request": event.request,
            "answers": first if event.answers == OWN_PROPOSAL else event.answers,
            "body": event.body,
        }
        row_id = connection.execute(_INSERT_EVENT, values).scalar_one()
        stored.append(Event(row_id, *values.values()))  # type: ignore[arg-type]
        if number is not None:
            number += 1
    return stored


def append(connection: Connection, room: str | None, new: Sequence[NewEvent]) -> list[Event]:
    if room is None:
        return _insert_events(connection, None, None, new)
    last = connection.execute(_COUNT, {"room": room, "count": len(new)}).scalar()
    if last is None:
        raise NoSuchRoom(room)
    return _insert_events(connection, room, last - len(new) + 1, new)


def judge(connection: Connection, room: str, version: int, state: str | None, new: Sequence[NewEvent]) -> list[Event] | None:
    values: dict[str, object] = {"room": room, "count": len(new), "seen": version}
    if state is None:
        last = connection.execute(_COUNT_ON_VERSION, values).scalar()
    else:
        last = connection.execute(_MOVE, {**values, "new_state": state}).scalar()
    if last is not None:
        return _insert_events(connection, room, last - len(new) + 1, new)
    # Whoever comes too late with something known should hear that, and not try again on the newer version.
    refuse_known(connection, room, new)
    if connection.execute(_ROOM, {"room": room}).first() is None:
        raise NoSuchRoom(room)
    return None


def refuse_known(connection: Connection, room: str, new: Sequence[NewEvent]) -> None:
    """Raises Duplicate or AlreadyAnswered where one of the events repeats what is stored."""
    for event in new:
        if event.request is not None and event.player is not None:
            known = history.event_by_request(connection, room, event.player, event.request)
            if known is not None:
                raise Duplicate(known)
    for event in new:
        if event.answers is not None and event.answers != OWN_PROPOSAL:
            known = history.answer_to(connection, room, event.answers)
            if known is not None:
                raise AlreadyAnswered(known)


def create_room(connection: Connection, row: RoomRow, new: Sequence[NewEvent]) -> list[Event]:
    values: dict[str, object] = {field: getattr(row, field) for field in row.__match_args__}
    connection.execute(_INSERT_ROOM, values | {"last_event": len(new)})
    connection.execute(_INSERT_MEMBER, {"room": row.id, "player": row.owner, "time": row.time, "left": None})
    return _insert_events(connection, row.id, 1, new)


def set_code(connection: Connection, room: str, code: str) -> str:
    kept: str | None = connection.execute(_SET_CODE, {"room": room, "new_code": code}).scalar()
    if kept is None:
        raise NoSuchRoom(room)
    return kept


def _lock(connection: Connection, room: str) -> None:
    if connection.execute(_LOCK, {"room": room}).first() is None:
        raise NoSuchRoom(room)


def join(connection: Connection, room: str, player: str, time: float, event: NewEvent) -> list[Event]:
    _lock(connection, room)
    known = connection.execute(_MEMBER, {"in_room": room, "of_player": player}).first()
    if known is None:
        connection.execute(_INSERT_MEMBER, {"room": room, "player": player, "time": time, "left": None})
    elif known.left is None:
        return []
    else:
        connection.execute(_RETURN_MEMBER, {"in_room": room, "of_player": player, "since": time})
    return append(connection, room, [event])


def leave(connection: Connection, room: str, player: str, time: float, event: NewEvent) -> list[Event]:
    _lock(connection, room)
    if connection.execute(_LEAVE, {"in_room": room, "of_player": player, "until": time}).first() is None:
        return []
    return append(connection, room, [event])


def room(connection: Connection, room: str) -> RoomRow | None:
    row = connection.execute(_ROOM, {"room": room}).first()
    return RoomRow(*row) if row else None


def room_by_code(connection: Connection, code: str) -> RoomRow | None:
    row = connection.execute(_ROOM_BY_CODE, {"by_code": code}).first()
    return RoomRow(*row) if row else None


def rooms_of(connection: Connection, player: str, limit: int, left: bool) -> list[RoomRow]:
    rows = connection.execute(_ALL_ROOMS_OF if left else _ROOMS_OF, {"of_player": player, "rows_max": limit})
    return [RoomRow(*row) for row in rows]


def members_of(connection: Connection, room: str) -> list[Member]:
    return [Member(*row) for row in connection.execute(_MEMBERS, {"in_room": room})]


def is_member(connection: Connection, room: str, player: str) -> bool:
    row = connection.execute(_MEMBER, {"in_room": room, "of_player": player}).first()
    return row is not None and row.left is None


def heads(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    return {row.id: row.last_event for row in connection.execute(_HEADS, {"ids": ids})}
