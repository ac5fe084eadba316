"""The store: everything that the coordinator keeps, in SQLite or PostgreSQL.

Times are seconds since the epoch, given by the caller; bodies, states and answers are JSON texts that the store does not read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError

from idg.coordinator.store import catalog, history, people, rooms
from idg.coordinator.store.migrate import migrate
from idg.coordinator.store.records import (
    OWN_PROPOSAL,
    CodeTaken,
    Event,
    Log,
    Member,
    NewEvent,
    NewLog,
    PlacedEvent,
    PlayerRow,
    ProgramRow,
    RoomRow,
    StoreError,
    UnitRefused,
)
from idg.coordinator.store.writer import Runner, SqliteRunner, Unit
from idg.needs import require

T = TypeVar("T")

ROWS_MAX = 100_000
IDS_MAX = 500


class Store:
    """Every method is one unit of work: it happens as a whole or not at all, and is on disk when the method returns."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._read = runner.read

    @classmethod
    async def open(cls, url: str) -> Store:
        """Opens `sqlite:////folder/idg.db`, a bare path, or `postgresql://user@host/database`, migrated to the newest schema."""
        runner = await asyncio.to_thread(_runner, url, asyncio.get_running_loop())
        try:
            await runner.write(migrate)
        except BaseException:
            await runner.close()
            raise
        return cls(runner)

    async def close(self) -> None:
        await self._runner.close()

    async def _write(self, unit: Unit[T]) -> T:
        try:
            return await self._runner.write(unit)
        except IntegrityError as error:
            raise UnitRefused(f"the database refused this: {error.orig}") from error

    async def _write_events(self, room: str | None, new: Sequence[NewEvent], unit: Unit[T]) -> T:
        for event in new:
            if event.request is not None and (event.player is None or room is None):
                raise ValueError("an event with a request needs a player and a room: they make the request one of its kind")
        try:
            return await self._write(unit)
        except UnitRefused:
            # What was in the way is stored for good (events are append-only), so it can be looked for now.
            if room is not None:
                await self._read(lambda connection: rooms.refuse_known(connection, room, new))
            raise

    # Programs

    async def put_program(self, program: ProgramRow) -> None:
        """Kept once: the first of its hash stays."""
        await self._write(lambda connection: catalog.put_program(connection, program))

    async def program(self, program_hash: str) -> ProgramRow | None:
        return await self._read(lambda connection: catalog.program(connection, program_hash))

    # Players

    async def new_player(self, player: PlayerRow, token_hash: str, time: float) -> None:
        await self._write(lambda connection: people.new_player(connection, player, token_hash, time))

    async def player(self, player: str) -> PlayerRow | None:
        return await self._read(lambda connection: people.player(connection, player))

    async def player_by_token(self, token_hash: str, now: float) -> PlayerRow | None:
        return await self._read(lambda connection: people.player_by_token(connection, token_hash, now))

    async def rename(self, player: str, name: str) -> None:
        await self._write(lambda connection: people.rename(connection, player, name))

    async def put_token(self, player: str, token_hash: str, kind: str, expires: float | None, time: float) -> None:
        """Kind: `bearer`, or `code` for one that is good for one use."""
        await self._write(lambda connection: people.put_token(connection, player, token_hash, kind, expires, time))

    async def take_code(self, code_hash: str, now: float) -> PlayerRow | None:
        """Whose code it is, once. An expired one is nobody's."""
        return await self._write(lambda connection: people.take_code(connection, code_hash, now))

    async def drop_token(self, token_hash: str) -> None:
        await self._write(lambda connection: people.drop_token(connection, token_hash))

    # Rooms

    async def create_room(self, room: RoomRow, events: Sequence[NewEvent]) -> list[Event]:
        """The owner becomes a member. The events get the numbers from 1, whatever `last_event` says."""
        try:
            return await self._write_events(room.id, events, lambda connection: rooms.create_room(connection, room, events))
        except UnitRefused as error:
            if room.code is not None and await self.room_by_code(room.code) is not None:
                raise CodeTaken(room.code) from error
            raise

    async def room(self, room: str) -> RoomRow | None:
        return await self._read(lambda connection: rooms.room(connection, room))

    async def room_by_code(self, code: str) -> RoomRow | None:
        return await self._read(lambda connection: rooms.room_by_code(connection, code))

    async def set_code(self, room: str, code: str) -> str:
        """The room's code: this one, unless it has one already. CodeTaken where another room has it."""
        try:
            return await self._write(lambda connection: rooms.set_code(connection, room, code))
        except UnitRefused as error:
            raise CodeTaken(code) from error

    async def rooms_of(self, player: str, limit: int, left: bool = False) -> list[RoomRow]:
        """The player's rooms, newest first; with `left`, also those that the player has left."""
        return await self._read(lambda connection: rooms.rooms_of(connection, player, limit, left))

    async def members(self, room: str) -> list[Member]:
        """In order of joining; those who left too, with the time when they did."""
        return await self._read(lambda connection: rooms.members_of(connection, room))

    async def is_member(self, room: str, player: str) -> bool:
        return await self._read(lambda connection: rooms.is_member(connection, room, player))

    async def join(self, room: str, player: str, time: float, event: NewEvent) -> list[Event]:
        """Nothing happens where the player is a member already."""
        return await self._write_events(room, [event], lambda connection: rooms.join(connection, room, player, time, event))

    async def leave(self, room: str, player: str, time: float, event: NewEvent) -> list[Event]:
        """Nothing happens where the player is no member."""
        return await self._write_events(room, [event], lambda connection: rooms.leave(connection, room, player, time, event))

    async def heads(self, room_ids: Iterable[str]) -> dict[str, int]:
        """The last event's number of each room that exists."""
        ids = list(room_ids)
        found: dict[str, int] = {}
        for start in range(0, len(ids), IDS_MAX):
            some = ids[start : start + IDS_MAX]
            found |= await self._read(lambda connection, some=some: rooms.heads(connection, some))  # type: ignore[misc]
        return found

    # Events

    async def append(self, room: str | None, events: Sequence[NewEvent]) -> list[Event]:
        """Gives the room's next numbers; events of no room have none. Duplicate where a request is stored already."""
        return await self._write_events(room, events, lambda connection: rooms.append(connection, room, events))

    async def judge(self, room: str, version: int, state: str | None, events: Sequence[NewEvent]) -> list[Event] | None:
        """Stores an answer, only where the room is of the version that it was judged on; None where it has moved on.

        A new state makes a new version. Where the answer changes nothing, `state` is None and the version stays.
        AlreadyAnswered where another one answered what these events answer.
        """
        return await self._write_events(room, events, lambda connection: rooms.judge(connection, room, version, state, events))

    async def propose_and_judge(
        self, room: str, proposed: NewEvent, version: int, state: str | None, judged: Sequence[NewEvent]
    ) -> list[Event] | None:
        """A proposal and its answer, known already, at once; as `judge`. What answers it says `answers=OWN_PROPOSAL`."""
        if not any(event.answers == OWN_PROPOSAL for event in judged):
            raise ValueError("one of the judged events must answer the proposal")
        events = [proposed, *judged]
        return await self._write_events(room, events, lambda connection: rooms.judge(connection, room, version, state, events))

    async def events(self, room: str, after: int, limit: int) -> list[Event]:
        return await self._read(lambda connection: history.events_after(connection, room, after, limit))

    async def event(self, room: str, number: int) -> Event | None:
        return await self._read(lambda connection: history.event(connection, room, number))

    async def event_by_request(self, room: str, player: str, request: str) -> Event | None:
        return await self._read(lambda connection: history.event_by_request(connection, room, player, request))

    async def answer_to(self, room: str, number: int) -> Event | None:
        return await self._read(lambda connection: history.answer_to(connection, room, number))

    async def unanswered(self, before_time: float, limit: int, since: float = 0.0) -> list[Event]:
        """Proposals of all rooms that nothing answers, oldest first. `since` spares those who ask often the whole history."""
        return await self._read(lambda connection: history.unanswered(connection, since, before_time, limit))

    async def events_of_player(
        self, player: str, kinds: Sequence[str], after_id: int = 0, limit: int = ROWS_MAX
    ) -> list[PlacedEvent]:
        return await self._read(lambda connection: history.events_of_player(connection, player, kinds, after_id, limit))

    async def events_of_program(
        self, program_hash: str, kinds: Sequence[str], limit: int = ROWS_MAX, after_id: int = 0
    ) -> list[Event]:
        """Of all rooms that play the program."""
        return await self._read(lambda connection: history.events_of_program(connection, program_hash, kinds, after_id, limit))

    async def all_events(self, after_id: int, limit: int) -> list[PlacedEvent]:
        """In order of ids, for export. On PostgreSQL an event under way may still get a lower id than the last one seen."""
        return await self._read(lambda connection: history.all_events(connection, after_id, limit))

    # Verdicts and logs

    async def verdict(self, key: str) -> str | None:
        return await self._read(lambda connection: catalog.verdict(connection, key))

    async def put_verdict(self, key: str, engine: str, answer: str, time: float) -> None:
        """Kept once: the first of its key stays."""
        await self._write(lambda connection: catalog.put_verdict(connection, key, engine, answer, time))

    async def forget_verdicts(self, engine_other_than: str) -> int:
        return await self._write(lambda connection: catalog.forget_verdicts(connection, engine_other_than))

    async def put_logs(self, player: str, session: str, rows: Sequence[NewLog]) -> None:
        await self._write(lambda connection: catalog.put_logs(connection, player, session, rows))

    async def logs_of(self, player: str, after_id: int = 0, limit: int = ROWS_MAX) -> list[Log]:
        return await self._read(lambda connection: catalog.logs_of(connection, player, after_id, limit))

    async def all_logs(self, after_id: int, limit: int) -> list[Log]:
        return await self._read(lambda connection: catalog.all_logs(connection, after_id, limit))

    async def counts(self) -> dict[str, int]:
        """Rows of each table."""
        return await self._read(catalog.counts)


def _runner(url: str, loop: asyncio.AbstractEventLoop) -> Runner:
    if "://" not in url:
        return _sqlite_runner(Path(url).expanduser(), loop)
    try:
        found = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(f"this is no address of a database: {error}") from error
    if found.drivername == "sqlite" and found.database not in (None, "", ":memory:"):
        return _sqlite_runner(Path(str(found.database)), loop)
    if found.drivername in ("postgresql", "postgres"):
        require("postgres", "a PostgreSQL database")
        from idg.coordinator.store.postgres import PostgresRunner  # asyncpg and asyncio's engine only where they are needed

        return PostgresRunner(_for_asyncpg(found))
    raise StoreError(
        f"a database of the kind {found.drivername!r} was named; expected a path, sqlite:////folder/idg.db, "
        "or postgresql://user@host/database"
    )


def _for_asyncpg(url: URL) -> URL:
    """The address as asyncpg reads it: it calls libpq's `sslmode` just `ssl`."""
    query = {("ssl" if name == "sslmode" else name): value for name, value in url.query.items()}
    return url.set(drivername="postgresql+asyncpg", query=query)


def _sqlite_runner(path: Path, loop: asyncio.AbstractEventLoop) -> Runner:
    if not path.parent.is_dir():
        raise StoreError(f"the folder {path.parent} for the database does not exist; make it, or name another one")
    try:
        return SqliteRunner(path, loop)
    except DBAPIError as error:
        raise StoreError(f"{path} cannot be opened as a database: {error.orig}") from error
