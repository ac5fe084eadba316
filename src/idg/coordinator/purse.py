"""What players have earned, put together from the tallies of their rooms."""

from __future__ import annotations

from typing import Any

from idg.coordinator.live import LiveRoom, Situation
from idg.coordinator.scores import Score, Tally, score, total
from idg.coordinator.store import RoomRow, Store

ROOMS_MAX = 2_000
"""Rooms of a player that count, the newest ones."""


class Purse:
    def __init__(self, store: Store) -> None:
        self.store = store

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
        if player not in live.elsewhere:
            others = [row for row in await self.rooms(player) if row.program == live.entry.hash and row.id != live.id]
            live.elsewhere[player] = tuple(Situation.read(row.state).tally for row in others)
        return score(player, (*live.elsewhere[player], live.situation.tally))


def earned(before: Score, after: Score) -> dict[str, Any]:
    """What the latest move brought."""
    return {
        "coins": after.coins - before.coins, "gem": after.gem and not before.gem,
        "medals": [each for each in after.medals if each not in before.medals],
    }
