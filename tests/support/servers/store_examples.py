"""A store with two players and a room, and events for it."""

from __future__ import annotations

from idg.coordinator.store import NewEvent, PlayerRow, ProgramRow, RoomRow, Store

ROOM = RoomRow("room", "ABC", "hash", "squares", "code", "ann", "engine-1", 0, 0, "{}", 1.0)
LOADED = NewEvent("loaded", 1.0, "ann")


def proposed(request: str | None = None, time: float = 2.0, player: str = "ann") -> NewEvent:
    return NewEvent("proposed", time, player, "tab", "code", request, body='{"text": "x >= 0"}')


def judged(answers: int, time: float = 3.0) -> NewEvent:
    return NewEvent("judged", time, "ann", answers=answers, body='{"kind": "inductive"}')


async def fill(store: Store) -> None:
    await store.put_program(ProgramRow("hash", "method main() {}", "Squares", None, 1.0))
    for name in ("ann", "bob"):
        await store.new_player(PlayerRow(name, name.title(), False, 1.0), f"token of {name}", 1.0)
    await store.create_room(ROOM, [LOADED])
