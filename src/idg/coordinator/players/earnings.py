"""What players have earned, put together from the tallies of their rooms."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from idg.coordinator.players.scores import Score, Tally, score, total
from idg.coordinator.rooms.live_room import LiveRoom, Situation
from idg.coordinator.rooms.open_rooms import Hall
from idg.coordinator.store import RoomRow, Store

ROOMS_MAX = 2_000
"""Rooms of a player that count, the newest ones."""
TALLIES_KEPT = 5_000
"""Players with a program each, whose tallies are remembered."""


class Earnings:
    def __init__(self, store: Store, hall: Hall) -> None:
        self.store = store
        self.hall = hall
        self._tallies: OrderedDict[tuple[str, str], dict[str, Tally]] = OrderedDict()
        """Player and program → tallies by room."""

    async def rooms(self, player: str) -> list[RoomRow]:
        """All rooms the player ever was in."""
        return await self.store.rooms_of(player, ROOMS_MAX, left=True)

    async def all_scores(self, player: str) -> dict[str, Any]:
        """Level by level, and own programs apart: the total counts levels only."""
        tallies: dict[str, list[Tally]] = {}
        levels: dict[str, str] = {}
        for row in await self.rooms(player):
            tallies.setdefault(row.program, []).append(Situation.read(row.state).tally)
            if row.level is not None:
                levels[row.program] = row.level
        scores = {program: score(player, found) for program, found in tallies.items()}
        return {
            "levels": {levels[program]: each.as_json() for program, each in scores.items() if program in levels},
            "programs": {program: each.as_json() for program, each in scores.items() if program not in levels},
            "total": total(each for program, each in scores.items() if program in levels),
        }

    async def score(self, player: str, live: LiveRoom) -> Score:
        """For the program of a room, all rooms of the player included."""
        key = (player, live.entry.hash)
        found = self._tallies.get(key)
        if found is None:
            found = {row.id: Situation.read(row.state).tally for row in await self.rooms(player) if row.program == live.entry.hash}
            self._tallies[key] = found
            if len(self._tallies) > TALLIES_KEPT:
                self._tallies.popitem(last=False)
        # What was earned meanwhile in another room that is in memory counts, too.
        for room in found:
            other = self.hall.get(room)
            if other is not None:
                found[room] = other.situation.tally
        found[live.id] = live.situation.tally
        return score(player, found.values())

    def forget(self, player: str, live: LiveRoom) -> None:
        """The player has a room that was made elsewhere than in a game."""
        self._tallies.pop((player, live.entry.hash), None)


def earned(before: Score, after: Score) -> dict[str, Any]:
    """What the latest move brought."""
    return {
        "coins": after.coins - before.coins,
        "gem": after.gem and not before.gem,
        "medals": [each for each in after.medals if each not in before.medals],
    }
