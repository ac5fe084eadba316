"""Units of work on rooms and their events.

Whatever gives numbers to events begins with an UPDATE of the room's row. The lock of that row makes all writers of one room take
turns, in this process and in others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, case, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from idg.coordinator.store.databases.statements import Statement
from idg.coordinator.store.records import (
    OWN_PROPOSAL,
    TALLY_START,
    AlreadyAnswered,
    CodeTaken,
    Duplicate,
    Event,
    Member,
    NewEvent,
    NoSuchRoom,
    NotMember,
    RoomFull,
    RoomOutline,
    RoomRow,
)
from idg.coordinator.store.schema import events, members, players, rooms
from idg.coordinator.store.topics import history
from idg.coordinator.store.units import Conflict

IDS_MAX = 500
"""How many rooms one statement asks about, because databases bound the number of parameters of a statement."""

_HERE = rooms.c.id == bindparam("room")
_COUNTED = rooms.c.last_event + bindparam("count")
"""The number of the room's last event after `count` more of them."""
_ON_VERSION = (_HERE, rooms.c.version == bindparam("seen"))

_COUNT = Statement[int](update(rooms).where(_HERE).values(last_event=_COUNTED).returning(rooms.c.last_event))
_COUNT_ON_VERSION = Statement[int](update(rooms).where(*_ON_VERSION).values(last_event=_COUNTED).returning(rooms.c.last_event))
# Stores a new state of a room, which thereby gets the next version, unless somebody else has changed the room since.
_MOVE = Statement[int](
    update(rooms)
    .where(*_ON_VERSION)
    .values(last_event=_COUNTED, version=rooms.c.version + 1, state=bindparam("new_state"))
    .returning(rooms.c.last_event)
)
# The same for a room that another engine has judged again.
_MOVE_TO_ENGINE = (
    update(rooms)
    .where(*_ON_VERSION)
    .values(last_event=_COUNTED, version=rooms.c.version + 1, state=bindparam("new_state"), engine=bindparam("new_engine"))
    .returning(rooms.c.last_event)
)
_SET_CODE = update(rooms).where(_HERE).values(code=func.coalesce(rooms.c.code, bindparam("new_code"))).returning(rooms.c.code)
_INSERT_EVENT = Statement[int](insert(events).returning(events.c.id), [column.name for column in events.c if column.name != "id"])
_INSERT_ROOM = insert(rooms)
_LOCK = select(rooms.c.id).where(_HERE).with_for_update()

_MEMBERSHIP = (members.c.room == bindparam("in_room"), members.c.player == bindparam("of_player"))
_MEMBER = select(members.c.left).where(*_MEMBERSHIP)
_IS_MEMBER = Statement(select(func.count()).select_from(members).where(*_MEMBERSHIP, members.c.left.is_(None)))
_MEMBERS_COUNT = select(func.count()).select_from(members).where(members.c.room == bindparam("in_room"))
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


def outlined(dialect: str, *more: ColumnElement[Any]) -> Select[Any]:
    """The outlines of rooms, after these columns."""
    # The database's function for the place of a text in another one.
    find = func.instr if dialect == "sqlite" else func.strpos
    place = find(rooms.c.state, TALLY_START)
    tally = case((place > 0, func.substr(rooms.c.state, place)), else_=rooms.c.state)
    listed = (getattr(rooms.c, field) for field in RoomOutline.__match_args__ if field != "tally")
    return select(*more, *listed, tally)


def _outlines(dialect: str) -> Select[Any]:
    """The rooms of a player, newest first."""
    return (
        outlined(dialect)
        .join(members, members.c.room == rooms.c.id)
        .where(members.c.player == bindparam("of_player"))
        .order_by(rooms.c.time.desc(), rooms.c.id)
        .limit(bindparam("rows_max"))
    )


_ALL_ROOMS_OF = {dialect: _outlines(dialect) for dialect in ("sqlite", "postgresql")}
_ROOMS_OF = {dialect: query.where(members.c.left.is_(None)) for dialect, query in _ALL_ROOMS_OF.items()}
_HEADS = select(rooms.c.id, rooms.c.last_event).where(rooms.c.id.in_(bindparam("ids", expanding=True)))


def _insert_events(connection: Connection, room: str | None, first: int | None, new: Sequence[NewEvent]) -> list[Event]:
    """Stores events with the numbers from `first` on; outside of rooms they have none."""
    for event in new:
        if event.request is not None and (event.player is None or room is None):
            raise ValueError("an event with a request needs a player and a room: they make the request one of its kind")
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
            "coordinator": event.coordinator,
        }
        try:
            row_id = _INSERT_EVENT.value(connection, values)
        except IntegrityError as error:
            if room is None:
                raise
            raise Conflict(error, partial(refuse_known, room=room, new=new)) from error
        stored.append(Event(row_id, *values.values()))  # type: ignore[arg-type]
        if number is not None:
            number += 1
    return stored


def _require_member(connection: Connection, room: str, player: str | None) -> None:
    """NotMember where the player is not in the room now. It is asked while the room's row is locked. Whoever joins or leaves locks
    it, too, so the answer is right until this unit ends."""
    if player is not None and not _IS_MEMBER.value(connection, {"in_room": room, "of_player": player}):
        raise NotMember(room, player)


def append(connection: Connection, room: str | None, new: Sequence[NewEvent], by: str | None = None) -> list[Event]:
    """Stores events with the room's next numbers; events of no room have none. Duplicate where a request is stored already.

    With `by`, only where this player is in the room; otherwise NotMember."""
    if room is None:
        return _insert_events(connection, None, None, new)
    last = _COUNT.value(connection, {"room": room, "count": len(new)})
    if last is None:
        raise NoSuchRoom(room)
    _require_member(connection, room, by)
    return _insert_events(connection, room, last - len(new) + 1, new)


def judge(
    connection: Connection, room: str, version: int, state: str | None, new: Sequence[NewEvent], by: str | None = None
) -> list[Event] | None:
    """Stores an answer, but only where the room still has the version on which it was judged; None where it has moved on.

    A new state makes a new version. Where the answer changes nothing, `state` is None and the version stays.
    AlreadyAnswered where another event answers what these events answer. With `by`, NotMember where this player is not in the room.
    """
    values: dict[str, object] = {"room": room, "count": len(new), "seen": version}
    if state is None:
        last = _COUNT_ON_VERSION.value(connection, values)
    else:
        last = _MOVE.value(connection, {**values, "new_state": state})
    if last is not None:
        _require_member(connection, room, by)
        return _insert_events(connection, room, last - len(new) + 1, new)
    # A writer who comes too late with something that is stored already must hear that, or it would try again on the newer version.
    refuse_known(connection, room, new)
    if connection.execute(_ROOM, {"room": room}).first() is None:
        raise NoSuchRoom(room)
    return None


def propose_and_judge(
    connection: Connection, room: str, proposed: NewEvent, version: int, state: str | None, judged: Sequence[NewEvent]
) -> list[Event] | None:
    """Stores a proposal together with its answer, for an answer that is known at once; otherwise as `judge`.

    The event that answers the proposal has `answers=OWN_PROPOSAL`. NotMember where the player who proposes is not in the room.
    """
    if not any(event.answers == OWN_PROPOSAL for event in judged):
        raise ValueError("one of the judged events must answer the proposal")
    return judge(connection, room, version, state, [proposed, *judged], proposed.player)


def judge_again(
    connection: Connection, room: str, version: int, state: str, engine: str, new: Sequence[NewEvent]
) -> list[Event] | None:
    """Stores what an engine of another version has made of the room's log; None where the room has moved on meanwhile."""
    values = {"room": room, "count": len(new), "seen": version, "new_state": state, "new_engine": engine}
    last = connection.execute(_MOVE_TO_ENGINE, values).scalar()
    return None if last is None else _insert_events(connection, room, last - len(new) + 1, new)


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
    """Stores a room with its owner as its member. The events get the numbers from 1, whatever `last_event` of the row says.

    CodeTaken where another room has its code.
    """
    values: dict[str, object] = {field: getattr(row, field) for field in row.__match_args__}
    try:
        connection.execute(_INSERT_ROOM, values | {"last_event": len(new)})
    except IntegrityError as error:
        raise Conflict(error, partial(_refuse_taken_code, code=row.code)) from error
    connection.execute(_INSERT_MEMBER, {"room": row.id, "player": row.owner, "time": row.time, "left": None})
    return _insert_events(connection, row.id, 1, new)


def _refuse_taken_code(connection: Connection, code: str | None) -> None:
    if code is not None and room_by_code(connection, code) is not None:
        raise CodeTaken(code)


def set_code(connection: Connection, room: str, code: str) -> str:
    """The room's code: this one, unless the room has one already. CodeTaken where another room has this code."""
    try:
        kept: str | None = connection.execute(_SET_CODE, {"room": room, "new_code": code}).scalar()
    except IntegrityError as error:
        raise CodeTaken(code) from error
    if kept is None:
        raise NoSuchRoom(room)
    return kept


def _lock(connection: Connection, room: str) -> None:
    if connection.execute(_LOCK, {"room": room}).first() is None:
        raise NoSuchRoom(room)


def join(connection: Connection, room: str, player: str, time: float, event: NewEvent, members_max: int) -> list[Event]:
    """Makes the player a member and stores the event; does nothing where the player is a member already.

    RoomFull where the room has so many members, those who left included: everyone who opens the room is told of them all.
    """
    _lock(connection, room)
    known = connection.execute(_MEMBER, {"in_room": room, "of_player": player}).first()
    if known is None:
        members_now: int = connection.execute(_MEMBERS_COUNT, {"in_room": room}).scalar_one()
        if members_now >= members_max:
            raise RoomFull(members_now)
        connection.execute(_INSERT_MEMBER, {"room": room, "player": player, "time": time, "left": None})
    elif known.left is None:
        return []
    else:
        connection.execute(_RETURN_MEMBER, {"in_room": room, "of_player": player, "since": time})
    return append(connection, room, [event])


def leave(connection: Connection, room: str, player: str, time: float, event: NewEvent) -> list[Event]:
    """Ends the membership and stores the event; does nothing where the player is no member."""
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


def rooms_of(connection: Connection, player: str, limit: int, left: bool = False) -> list[RoomOutline]:
    """The rooms of a player, newest first; with `left`, also those that the player has left."""
    query = (_ALL_ROOMS_OF if left else _ROOMS_OF)[connection.dialect.name]
    return [RoomOutline(*row) for row in connection.execute(query, {"of_player": player, "rows_max": limit})]


def members_of(connection: Connection, room: str) -> list[Member]:
    """The members in the order of joining. Those who left are among them, with the time when they did."""
    return [Member(*row) for row in connection.execute(_MEMBERS, {"in_room": room})]


def is_member(connection: Connection, room: str, player: str) -> bool:
    row = connection.execute(_MEMBER, {"in_room": room, "of_player": player}).first()
    return row is not None and row.left is None


def heads(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """The number of the last event of each of these rooms that exists."""
    numbers: dict[str, int] = {}
    for start in range(0, len(ids), IDS_MAX):
        rows = connection.execute(_HEADS, {"ids": ids[start : start + IDS_MAX]})
        numbers |= {row.id: row.last_event for row in rows}
    return numbers
