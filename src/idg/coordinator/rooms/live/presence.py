"""Who is in a room, and what its sockets are told of it: all members at first, and then only those who changed.

Changes are collected for a moment, so that each socket gets one message when many come or go at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from idg.coordinator.pool.json_text import record_text
from idg.coordinator.store import Member
from idg.engine.wire.rooms import MemberAnswer, SocketMembers

COLLECTED_SECONDS = 0.2
"""How long changes are collected before they are told."""
CHANGES_KEPT = 20
"""How many messages about changes are kept. A socket that is further behind is told all members again."""


class Presence:
    def __init__(self, members: Iterable[Member], wake: Callable[[], None]) -> None:
        self.members: dict[str, Member] = {member.player: member for member in members}
        self.here: dict[str, int] = {}
        """Player → how many of their sockets are open."""
        self.elsewhere: frozenset[str] = frozenset()
        """The players whose sockets are open at other coordinators."""
        self.came_or_went: Callable[[str, bool], None] = lambda player, came: None
        """Is told of players whose first socket was opened here, or whose last one was closed."""
        self.number = 0
        """The number of the last message about changes."""
        self._wake = wake
        self._messages: list[str] = []
        """The last ones of these messages."""
        self._changed: dict[str, None] = {}
        """The players who changed since then."""

    def arrive(self, player: str) -> None:
        self.here[player] = self.here.get(player, 0) + 1
        if self.here[player] == 1:
            self._change(player)
            self.came_or_went(player, True)

    def depart(self, player: str) -> None:
        self.here[player] -= 1
        if not self.here[player]:
            del self.here[player]
            self._change(player)
            self.came_or_went(player, False)

    def take_elsewhere(self, players: frozenset[str]) -> None:
        """These are the players who are in the room at other coordinators."""
        changed = self.elsewhere ^ players
        self.elsewhere = players
        for player in sorted(changed):
            self._change(player)

    def take(self, members: Iterable[Member]) -> None:
        """Take over the members that the store has."""
        for member in members:
            if self.members.get(member.player) != member:
                self.members[member.player] = member
                self._change(member.player)

    def answers(self) -> tuple[MemberAnswer, ...]:
        return tuple(self._answer(player) for player in self.members)

    def messages(self, after: int | None) -> list[str]:
        """What must be told to a socket that has seen the messages up to this number; None stands for one that has seen nothing."""
        if after is None or self.number - after > len(self._messages):
            return [_message(SocketMembers("here", self.answers()))]
        return self._messages[len(self._messages) - (self.number - after) :]

    def _answer(self, player: str) -> MemberAnswer:
        member = self.members[player]
        return MemberAnswer(member.player, member.name, member.agent, self._is_here(player), member.left is not None)

    def _is_here(self, player: str) -> bool:
        return player in self.here or player in self.elsewhere

    def _change(self, player: str) -> None:
        if not self._changed:
            asyncio.get_running_loop().call_later(COLLECTED_SECONDS, self._tell)
        self._changed[player] = None

    def _tell(self) -> None:
        answers = tuple(self._answer(player) for player in self._changed if player in self.members)
        self._changed.clear()
        self.number += 1
        self._messages.append(_message(SocketMembers("changed", answers)))
        del self._messages[:-CHANGES_KEPT]
        self._wake()


def _message(members: SocketMembers) -> str:
    return record_text(members, spaced=True)
