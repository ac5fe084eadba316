"""What players have earned, computed from the tallies of all their rooms."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from idg.coordinator.cache import BytesCache
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.scores import NOTHING_EARNED, Holdings, ListedScore, PlayerScores, Tally, level_score, total
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.live.open_rooms import OpenRooms
from idg.coordinator.rooms.room_state import read_tally
from idg.coordinator.store import RoomOutline, Store
from idg.engine.wire.rooms import Earned, Score

ROOMS_MAX = 2_000
"""How many rooms of a player count; the newest ones do."""
TALLIES_SECONDS = 30.0
"""How long tallies are remembered. The player may have played elsewhere, and news of that may get lost."""


class KnownTallies:
    """The tallies of one player's rooms of one program, as we know them."""

    def __init__(self, rooms: dict[str, tuple[int, Tally]]) -> None:
        self.rooms = rooms
        """Room → its version, and the tally with it."""
        self.until = time.monotonic() + TALLIES_SECONDS
        """When they are read from the store again, by the monotonic clock; 0 for the next time."""
        self._bytes = {room: tally.bytes for room, (_, tally) in rooms.items()}
        self.bytes = sum(self._bytes.values())
        """About how much memory the tallies take."""

    def put(self, room: str, version: int, tally: Tally) -> None:
        """The room has this tally; an older one than we know is passed over."""
        known, before = self.rooms.get(room, (0, None))
        if version < known or tally is before:
            return
        self.rooms[room] = (version, tally)
        self.bytes += tally.bytes - self._bytes.get(room, 0)
        self._bytes[room] = tally.bytes
        if len(self.rooms) > ROOMS_MAX:
            self.until = 0.0  # The store tells which are the newest.


class Earnings:
    """Scores of players. The tallies of rooms that were played before are read from the store now and then."""

    def __init__(self, store: Store, open_rooms: OpenRooms, bytes_max: int) -> None:
        """`bytes_max`: memory for tallies of players who play."""
        self.store = store
        self.open_rooms = open_rooms
        self.is_alone: Callable[[], bool] = lambda: True
        """Whether no other coordinator lives, so that players cannot play elsewhere. The coordinator sets it."""
        self._tallies: BytesCache[tuple[str, str], KnownTallies] = BytesCache(bytes_max)
        """Player and program → the tallies."""

    async def rooms(self, player: str) -> list[RoomOutline]:
        """All rooms in which the player is or was, newest first."""
        rows = await self.store.rooms_of(player, ROOMS_MAX, left=True)
        for row in rows:
            self.open_rooms.is_current(row)  # What an older engine gave counts until the room is judged again, which begins here.
        return rows

    async def all_scores(self, player: str) -> PlayerScores:
        """The scores by level and by own program. The total counts levels only."""
        tallies: dict[str, dict[str, Tally]] = {}
        levels: dict[str, str] = {}
        async for row in with_pauses(await self.rooms(player)):
            tallies.setdefault(row.program, {})[row.id] = read_tally(row.tally)
            if row.level is not None:
                levels[row.program] = row.level
        holdings = {program: Holdings(player, of_rooms) for program, of_rooms in tallies.items()}
        of_levels: dict[str, list[Holdings]] = {}
        for program, level in levels.items():
            of_levels.setdefault(level, []).append(holdings[program])
        by_level = {level: level_score(versions) for level, versions in of_levels.items()}
        by_program = {program: held.score() for program, held in holdings.items() if program not in levels}
        return PlayerScores(_listed(by_level), _listed(by_program), total(by_level.values()))

    async def score(self, player: str, live: LiveRoom) -> Score:
        """The player's score for the program of a room, from all rooms in which they play it."""
        tallies = await self.prepare(player, live)
        return self._elsewhere(player, live, tallies).with_room(live.state.tally, live.id).score()

    async def prepare(self, player: str, live: LiveRoom) -> KnownTallies:
        """The tallies of the player's rooms of a program. They are kept, so that `earned` can be asked."""
        key = (player, live.entry.hash)
        tallies = self._tallies.get(key)
        if tallies is None or not self._are_new(tallies):
            rows = [row for row in await self.rooms(player) if row.program == live.entry.hash]
            tallies = KnownTallies({row.id: (row.version, read_tally(row.tally)) async for row in with_pauses(rows)})
            self._tallies.put(key, tallies, tallies.bytes)
        return tallies

    def _are_new(self, tallies: KnownTallies) -> bool:
        return time.monotonic() < tallies.until or (tallies.until > 0 and self.is_alone())

    def _elsewhere(self, player: str, live: LiveRoom, tallies: KnownTallies) -> Holdings:
        """What the player has in other rooms. What was earned there meanwhile counts, too, where they are in memory."""
        holdings = Holdings(player)
        for room in tuple(tallies.rooms):
            if room != live.id:
                other = self.open_rooms.get(room)
                if other is not None:
                    tallies.put(room, other.version, other.state.tally)
                holdings.add(tallies.rooms[room][1], room)
        return holdings

    def earned(self, player: str, live: LiveRoom, before: Tally, after: Tally) -> tuple[Earned, Score] | None:
        """What a move earned that led from one tally of the room to another, and the score after it; None where nobody has
        prepared it.

        This must be asked when the room moves on, before anything else does. Then all that is reported adds up to the score.
        """
        key = (player, live.entry.hash)
        tallies = self._tallies.get(key)
        if tallies is None:
            return None
        tallies.put(live.id, live.version, after)
        self._tallies.put(key, tallies, tallies.bytes)  # It has grown, by a room or by what was played in this one.
        elsewhere = self._elsewhere(player, live, tallies)
        holdings = elsewhere.with_room(after, live.id)
        if before.same_for(player, after):  # As with most moves whose verdict is known.
            return NOTHING_EARNED, holdings.score()
        return holdings.earned_since(elsewhere.with_room(before, live.id)), holdings.score()

    def moved(self, live: LiveRoom) -> None:
        """Every score counts what the room has now, because it was judged again."""
        for (_, program), tallies in self._tallies.items():
            if program == live.entry.hash and live.id in tallies.rooms:
                tallies.put(live.id, live.version, live.state.tally)

    def forget(self, player: str, program: str) -> None:
        """Read the tallies from the store again, because the player has got something that was not earned by playing here."""
        tallies = self._tallies.get((player, program))
        if tallies is not None:
            tallies.until = 0.0  # They are kept until then, so that a move that is under way can tell what it earns.

    def forget_all(self) -> None:
        for _, tallies in self._tallies.items():
            tallies.until = 0.0


def _listed(scores: Mapping[str, Score]) -> dict[str, ListedScore]:
    return {name: ListedScore(score.coins, score.gem, score.medals, score.spent, score.ends) for name, score in scores.items()}
