"""A unit of work that deletes a player with everything that they did: for participants who withdraw, and for classes."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, func, select, update

from idg.coordinator.store.records import IdleRoom
from idg.coordinator.store.schema import events, logs, members, players, rooms, tokens
from idg.coordinator.store.topics.pruning import delete_room

# What the player does at the same moment waits for both locks. A room in which something happened between a look at it and its
# deletion would stay, and its owner could not be deleted.
_LOCK = select(players.c.id).where(players.c.id == bindparam("by_player")).with_for_update()
_OWN_ROOMS = (
    select(rooms.c.id, rooms.c.program, rooms.c.level, rooms.c.state, rooms.c.last_event, rooms.c.time)
    .where(rooms.c.owner == bindparam("by_player"))
    .order_by(rooms.c.id)
    .with_for_update()
)


def forget_player(connection: Connection, player: str, time: float) -> list[str]:
    """Deletes a player: rooms with their events, logs, tokens. Returns the ids of the deleted rooms."""
    connection.execute(_LOCK, {"by_player": player})
    own = connection.execute(_OWN_ROOMS, {"by_player": player}).all()
    for room in own:
        delete_room(connection, IdleRoom(room.id, room.program, room.level, room.state, room.last_event, room.time, 1), time)
    connection.execute(delete(logs).where(logs.c.player == player))
    connection.execute(delete(tokens).where(tokens.c.player == player))
    connection.execute(delete(members).where(members.c.player == player))
    still_named = connection.execute(select(func.count()).select_from(events).where(events.c.player == player)).scalar_one()
    if still_named:
        # In a room of somebody else, whose events stay. Only the name can go.
        connection.execute(update(players).where(players.c.id == player).values(name="somebody"))
    else:
        connection.execute(delete(players).where(players.c.id == player))
    return [room.id for room in own]
