"""Who holds how many of a bounded number of places, and whether somebody may have one more.

An address may hold as many places as are still free, and a player as many of these as remain then for others at the same address.
So one address with many players gets half of the places, two of them a third each, and so on; a player alone gets a third. However
many others hold all that they may, somebody who holds nothing finds a place.
"""

from __future__ import annotations

from collections import Counter


class Shares:
    def __init__(self, places: int) -> None:
        self.places = places
        self._whole = places
        self.held = 0
        """How many places are taken."""
        self._addresses: Counter[str] = Counter()
        self._players: Counter[str] = Counter()
        """Address, and player → how many places they hold. Both name only those that hold any."""

    def divide(self, coordinators: int) -> None:
        """Use one part of so many of the places only; a place that is taken stays taken."""
        self.places = max(1, self._whole // coordinators)

    def admits(self, address: str, player: str) -> bool:
        """Whether there is a place. Askers without a name, whose player is empty, are bounded by their address alone."""
        free = self.places - self.held
        return (self._players[player] if player else 0) < free - self._addresses[address]

    def take(self, address: str, player: str) -> None:
        self._change(address, player, 1)

    def give_back(self, address: str, player: str) -> None:
        self._change(address, player, -1)

    def of_player(self, player: str) -> int:
        return self._players[player]

    def _change(self, address: str, player: str, change: int) -> None:
        self.held += change
        self._addresses[address] += change
        self._players[player] += change
        if not self._addresses[address]:
            del self._addresses[address]
        if not self._players[player]:
            del self._players[player]
