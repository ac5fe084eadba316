"""Units of work on players and their tokens. Only the hashes of tokens are stored."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from idg.coordinator.store.records import PlayerRow
from idg.coordinator.store.schema import players, tokens

_BY_HASH = tokens.c.hash == bindparam("by_hash")
_INSERT_PLAYER = insert(players)
_INSERT_TOKEN = insert(tokens)
_PLAYER = select(players).where(players.c.id == bindparam("by_id"))
_BY_TOKEN = (
    select(players)
    .join(tokens, tokens.c.player == players.c.id)
    .where(_BY_HASH, tokens.c.kind == "bearer", or_(tokens.c.expires.is_(None), tokens.c.expires > bindparam("now")))
)
_RENAME = update(players).where(players.c.id == bindparam("by_id")).values(name=bindparam("new_name"))
_TAKE = delete(tokens).where(_BY_HASH, tokens.c.kind == "code").returning(tokens.c.player, tokens.c.expires)
_DROP = delete(tokens).where(_BY_HASH)


def new_player(connection: Connection, player: PlayerRow, token_hash: str, time: float) -> None:
    values = {"id": player.id, "name": player.name, "agent": player.agent, "time": player.time}
    connection.execute(_INSERT_PLAYER, values)
    put_token(connection, player.id, token_hash, "bearer", None, time)


def player(connection: Connection, player: str) -> PlayerRow | None:
    row = connection.execute(_PLAYER, {"by_id": player}).first()
    return PlayerRow(*row) if row else None


def player_by_token(connection: Connection, token_hash: str, now: float) -> PlayerRow | None:
    row = connection.execute(_BY_TOKEN, {"by_hash": token_hash, "now": now}).first()
    return PlayerRow(*row) if row else None


def rename(connection: Connection, player: str, name: str) -> None:
    connection.execute(_RENAME, {"by_id": player, "new_name": name})


def put_token(connection: Connection, player: str, token_hash: str, kind: str, expires: float | None, time: float) -> None:
    """Kind: `bearer`, or `code` for one that is good for one use."""
    connection.execute(_INSERT_TOKEN, {"hash": token_hash, "player": player, "kind": kind, "expires": expires, "time": time})


def take_code(connection: Connection, code_hash: str, now: float) -> PlayerRow | None:
    """The player whose code it is. The code is used up by that; an expired one belongs to nobody."""
    taken = connection.execute(_TAKE, {"by_hash": code_hash}).first()
    if taken is None or (taken.expires is not None and taken.expires <= now):
        return None
    return player(connection, taken.player)


def drop_token(connection: Connection, token_hash: str) -> None:
    connection.execute(_DROP, {"by_hash": token_hash})
