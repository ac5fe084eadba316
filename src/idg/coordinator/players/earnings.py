"""What players have earned, computed from the tallies of all their rooms."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from idg.coordinator.players.scores import NOTHING_EARNED, ListedScore, PlayerScores, Tally, score, total
from idg.coordinator.rooms.live_room import LiveRoom
from idg.coordinator.rooms.open_rooms import OpenRooms
from idg.coordinator.rooms.room_state import read_state
from idg.coordinator.store import RoomRow, Store
from idg.engine.wire.rooms import Earned, Score

ROOMS_MAX = 2_000
"""How many rooms of a player count; the newest ones do."""
TALLIES_KEPT = 5_000
"""For how many pairs of a player and a program the tallies are remembered."""


class Earnings:
    """Scores of players. The tallies of rooms that were played before are read from the store once."""

    def __init__(self, store: Store, open_rooms: OpenRooms) -> None:
        self.store = store
        self.open_rooms = open_rooms
        self._tallies: OrderedDict[tuple[str, str], dict[str, Tally]] = OrderedDict()
        """Player and program → the tallies by room."""

    async def rooms(self, player: str) -> list[RoomRow]:
        """All rooms in which the player is or was, newest first."""
        rows = await self.store.rooms_of(player, ROOMS_MAX, left=True)
        for row in rows:
            self.open_rooms.is_current(row)  # What an older engine gave counts until the room is judged again, which begins here.
        return rows

    async def all_scores(self, player: str) -> PlayerScores:
        """The scores by level and by own program. The total counts levels only."""
        tallies: dict[str, list[Tally]] = {}
        levels: dict[str, str] = {}
        for row in await self.rooms(player):
            tallies.setdefault(row.program, []).append(read_state(row.state).tally)
            if row.level is not None:
                levels[row.program] = row.level
        scores = {program: score(player, of_rooms) for program, of_rooms in tallies.items()}
        by_level = {levels[program]: earned for program, earned in scores.items() if program in levels}
        by_program = {program: earned for program, earned in scores.items() if program not in levels}
        return PlayerScores(_listed(by_level), _listed(by_program), total(by_level.values()))

    async def score(self, player: str, live: LiveRoom) -> Score:
        """The player's score for the program of a room, from all rooms in which they play it."""
        key = (player, live.entry.hash)
        if key not in self._tallies:
            rows = await self.rooms(player)
            self._tallies[key] = {row.id: read_state(row.state).tally for row in rows if row.program == live.entry.hash}
            if len(self._tallies) > TALLIES_KEPT:
                self._tallies.popitem(last=False)
        return self._score(player, live, live.state.tally)

    def _score(self, player: str, live: LiveRoom, tally: Tally) -> Score:
        """The score with this tally of the room."""
        tallies = self._tallies[player, live.entry.hash]
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
        if (player, live.entry.hash) not in self._tallies:
            return NOTHING_EARNED
        old, new = self._score(player, live, before), self._score(player, live, after)
        medals = tuple(medal for medal in new.medals if medal not in old.medals)
        return Earned(new.coins - old.coins, new.gem and not old.gem, medals)

    def moved(self, live: LiveRoom) -> None:
        """Every score counts what the room has now, because it was judged again."""
        for (_, program), tallies in self._tallies.items():
            if program == live.entry.hash and live.id in tallies:
                tallies[live.id] = live.state.tally

    def forget(self, player: str, live: LiveRoom) -> None:
        """Read the tallies from the store again, because the player has got a room that was not opened by playing."""
        self._tallies.pop((player, live.entry.hash), None)


def _listed(scores: Mapping[str, Score]) -> dict[str, ListedScore]:
    return {name: ListedScore(score.coins, score.gem, score.medals, score.spent) for name, score in scores.items()}
