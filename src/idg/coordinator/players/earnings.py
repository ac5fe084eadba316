"""What players have earned, computed from the tallies of all their rooms."""

from __future__ import annotations

from collections.abc import Mapping

from idg.coordinator.cache import BytesCache
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.scores import NOTHING_EARNED, ListedScore, PlayerScores, Tally, score, total
from idg.coordinator.rooms.live_room import LiveRoom
from idg.coordinator.rooms.open_rooms import OpenRooms
from idg.coordinator.rooms.room_state import read_tally
from idg.coordinator.store import RoomOutline, Store
from idg.engine.wire.rooms import Earned, Score

ROOMS_MAX = 2_000
"""How many rooms of a player count; the newest ones do."""
TALLIES_BYTES_MAX = 32 * 2**20
"""Memory for tallies of players who play."""


class Earnings:
    """Scores of players. The tallies of rooms that were played before are read from the store once."""

    def __init__(self, store: Store, open_rooms: OpenRooms) -> None:
        self.store = store
        self.open_rooms = open_rooms
        self._tallies: BytesCache[tuple[str, str], dict[str, Tally]] = BytesCache(TALLIES_BYTES_MAX)
        """Player and program → the tallies by room."""

    async def rooms(self, player: str) -> list[RoomOutline]:
        """All rooms in which the player is or was, newest first."""
        rows = await self.store.rooms_of(player, ROOMS_MAX, left=True)
        for row in rows:
            self.open_rooms.is_current(row)  # What an older engine gave counts until the room is judged again, which begins here.
        return rows

    async def all_scores(self, player: str) -> PlayerScores:
        """The scores by level and by own program. The total counts levels only."""
        tallies: dict[str, list[Tally]] = {}
        levels: dict[str, str] = {}
        async for row in with_pauses(await self.rooms(player)):
            tallies.setdefault(row.program, []).append(read_tally(row.tally))
            if row.level is not None:
                levels[row.program] = row.level
        scores = {program: score(player, of_rooms) for program, of_rooms in tallies.items()}
        by_level = {levels[program]: earned for program, earned in scores.items() if program in levels}
        by_program = {program: earned for program, earned in scores.items() if program not in levels}
        return PlayerScores(_listed(by_level), _listed(by_program), total(by_level.values()))

    async def score(self, player: str, live: LiveRoom) -> Score:
        """The player's score for the program of a room, from all rooms in which they play it."""
        return self._score(player, live, live.state.tally, await self._tallies_of(player, live.entry.hash))

    async def _tallies_of(self, player: str, program: str) -> dict[str, Tally]:
        """The tallies of the player's rooms of a program, by room."""
        tallies = self._tallies.get((player, program))
        if tallies is None:
            rows = [row for row in await self.rooms(player) if row.program == program]
            tallies = {row.id: read_tally(row.tally) async for row in with_pauses(rows)}
            self._tallies.put((player, program), tallies, sum(tally.bytes for tally in tallies.values()))
        return tallies

    def _score(self, player: str, live: LiveRoom, tally: Tally, tallies: dict[str, Tally]) -> Score:
        """The score with this tally of the room, and what other rooms have."""
        # What was earned meanwhile in other rooms that are in memory counts, too.
        for room in tallies:
            other = self.open_rooms.get(room)
            if other is not None:
                tallies[room] = other.state.tally
        tallies[live.id] = tally
        return score(player, tallies.values())

    def earned(self, player: str, live: LiveRoom, before: Tally, after: Tally) -> Earned:
        """What a move earned that led from one tally of the room to another; nothing where nobody has asked for the score before.

        This must be asked when the room moves on, before anything else does. Then all that is reported adds up to the score.
        """
        tallies = self._tallies.get((player, live.entry.hash))
        if tallies is None:
            return NOTHING_EARNED
        old, new = self._score(player, live, before, tallies), self._score(player, live, after, tallies)
        medals = tuple(medal for medal in new.medals if medal not in old.medals)
        return Earned(new.coins - old.coins, new.gem and not old.gem, medals)

    def moved(self, live: LiveRoom) -> None:
        """Every score counts what the room has now, because it was judged again."""
        for (_, program), tallies in self._tallies.items():
            if program == live.entry.hash and live.id in tallies:
                tallies[live.id] = live.state.tally

    def forget(self, player: str, live: LiveRoom) -> None:
        """Read the tallies from the store again, because the player has got a room that was not opened by playing."""
        self._tallies.pop((player, live.entry.hash))


def _listed(scores: Mapping[str, Score]) -> dict[str, ListedScore]:
    return {name: ListedScore(score.coins, score.gem, score.medals, score.spent) for name, score in scores.items()}
