"""What players have earned, computed from the tallies of all their rooms."""

from __future__ import annotations

from collections import OrderedDict

from idg.coordinator.players.scores import Earned, PlayerScores, Score, Tally, score, total
from idg.coordinator.rooms.live_room import LiveRoom, Situation
from idg.coordinator.rooms.open_rooms import Hall
from idg.coordinator.store import RoomRow, Store

ROOMS_MAX = 2_000
"""How many rooms of a player count; the newest ones do."""
TALLIES_KEPT = 5_000
"""For how many pairs of a player and a program the tallies are remembered."""


class Earnings:
    """Scores of players. The tallies of rooms that were played before are read from the store once."""

    def __init__(self, store: Store, hall: Hall) -> None:
        self.store = store
        self.hall = hall
        self._tallies: OrderedDict[tuple[str, str], dict[str, Tally]] = OrderedDict()
        """Player and program → the tallies by room."""

    async def rooms(self, player: str) -> list[RoomRow]:
        """All rooms in which the player is or was, newest first."""
        return await self.store.rooms_of(player, ROOMS_MAX, left=True)

    async def all_scores(self, player: str) -> PlayerScores:
        """The scores by level and by own program. The total counts levels only."""
        tallies: dict[str, list[Tally]] = {}
        levels: dict[str, str] = {}
        for row in await self.rooms(player):
            tallies.setdefault(row.program, []).append(Situation.read(row.state).tally)
            if row.level is not None:
                levels[row.program] = row.level
        scores = {program: score(player, of_rooms) for program, of_rooms in tallies.items()}
        by_level = {levels[program]: earned for program, earned in scores.items() if program in levels}
        by_program = {program: earned for program, earned in scores.items() if program not in levels}
        return PlayerScores(by_level, by_program, total(by_level.values()))

    async def score(self, player: str, live: LiveRoom) -> Score:
        """The player's score for the program of a room, from all rooms in which they play it."""
        key = (player, live.entry.hash)
        tallies = self._tallies.get(key)
        if tallies is None:
            rows = await self.rooms(player)
            tallies = {row.id: Situation.read(row.state).tally for row in rows if row.program == live.entry.hash}
            self._tallies[key] = tallies
            if len(self._tallies) > TALLIES_KEPT:
                self._tallies.popitem(last=False)
        # What was earned meanwhile in other rooms that are in memory counts, too.
        for room in tallies:
            other = self.hall.get(room)
            if other is not None:
                tallies[room] = other.situation.tally
        tallies[live.id] = live.situation.tally
        return score(player, tallies.values())

    def forget(self, player: str, live: LiveRoom) -> None:
        """Read the tallies from the store again, because the player has got a room that was not opened by playing."""
        self._tallies.pop((player, live.entry.hash), None)


def earned(before: Score, after: Score) -> Earned:
    """What the latest move earned."""
    medals = tuple(medal for medal in after.medals if medal not in before.medals)
    return Earned(after.coins - before.coins, after.gem and not before.gem, medals)
