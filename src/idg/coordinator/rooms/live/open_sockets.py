"""How many WebSockets are open, of all players and of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

OF_ROOM_MAX = 500
"""How many sockets of one room may be open at the same time. Each event is told on all of them, one after the other."""


class TooManySockets(Exception):
    """There are as many sockets as there may be; the message is for whoever opens one more."""


class OpenSockets:
    def __init__(self, total_max: int, of_player_max: int) -> None:
        self.total_max = total_max
        self.of_player_max = of_player_max
        self.total = 0
        self._of_player: Counter[str] = Counter()
        self._of_room: Counter[str] = Counter()

    @contextmanager
    def one(self) -> Iterator[None]:
        """One more socket is open meanwhile."""
        if self.total >= self.total_max:
            raise TooManySockets("as many sockets are open as this server allows")
        self.total += 1
        try:
            yield
        finally:
            self.total -= 1

    @contextmanager
    def one_of(self, player: str) -> Iterator[None]:
        """The player has one more socket meanwhile."""
        if self._of_player[player] >= self.of_player_max:
            raise TooManySockets("you have as many sockets open as this server allows for a player")
        with _counted(self._of_player, player):
            yield

    @contextmanager
    def one_in(self, room: str) -> Iterator[None]:
        """The room has one more socket meanwhile."""
        if self._of_room[room] >= OF_ROOM_MAX:
            raise TooManySockets("as many sockets are open in this room as this server allows")
        with _counted(self._of_room, room):
            yield


@contextmanager
def _counted(counts: Counter[str], key: str) -> Iterator[None]:
    counts[key] += 1
    try:
        yield
    finally:
        counts[key] -= 1
        if not counts[key]:
            del counts[key]
