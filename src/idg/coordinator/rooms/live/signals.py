"""What members of a room show each other at the moment: what they type, where they point, what they say with one click.

Nothing of it is stored or logged. A signal tells all that its member shows, so a lost one does no harm, and a socket that is slow
is told the newest only. Changes are collected for a moment, as those of `presence` are.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection

from idg.coordinator.pool.json_text import record_text
from idg.engine.wire.rooms import DraftAnswer, MemberSignal, Phrase, PointedRow, SaidPhrase
from idg.sip.record import Record, replace

COLLECTED_SECONDS = 0.1
"""How long signals are collected before they are told."""
SHOWN_MAX = 24
"""The signals of at most this many members of a room are shown at the same time; those of others are passed over."""
SAID_SECONDS = 10.0
"""How long a phrase goes along with what its member shows."""
SIGNAL_BYTES = 200
"""About how much memory a signal takes besides its text."""


class ShownSignal(Record):
    number: int
    """The number of the change with which the signal got its present value."""
    text: str
    """The signal, as JSON."""
    for_newcomers: str
    """The same without the phrase, which they were not there to hear."""
    silent: MemberSignal
    """The signal that newcomers are told."""


class Signals:
    def __init__(self, wake: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self.number = 0
        """Counts the times when signals changed."""
        self.told: Callable[[MemberSignal], None] = lambda signal: None
        """Is told of each signal of a member who is here. The room's keeper sets it."""
        self._wake = wake
        self._clock = clock
        self._shown: dict[str, ShownSignal] = {}
        self._said: dict[str, tuple[SaidPhrase, float]] = {}
        """Player → what they said last, and when."""
        self._counted = 0
        """How many phrases were said here."""
        self._is_collecting = False

    def show(self, player: str, draft: DraftAnswer | None, row: PointedRow | None, phrase: Phrase | None) -> None:
        """A member who is here shows this, and nothing else."""
        if player not in self._shown and len(self._shown) >= SHOWN_MAX:
            return
        if phrase is not None:
            self._counted += 1
            self._said[player] = (SaidPhrase(phrase, self._counted), self._clock())
        said, since = self._said.get(player, (None, 0.0))
        recent = said if self._clock() - since < SAID_SECONDS else None
        signal = MemberSignal(player, draft, row, recent)
        if self.take(signal):
            self.told(signal)

    def take(self, signal: MemberSignal) -> bool:
        """The same of a member who is at another coordinator; whether anything is new."""
        text = record_text(signal, spaced=True)
        known = self._shown.get(signal.player)
        if (known is None and len(self._shown) >= SHOWN_MAX) or (known is not None and known.text == text):
            return False
        self.number += 1
        silent = replace(signal, said=None)
        for_newcomers = text if signal.said is None else record_text(silent, spaced=True)
        self._shown[signal.player] = ShownSignal(self.number, text, for_newcomers, silent)
        if not self._is_collecting:
            self._is_collecting = True
            asyncio.get_running_loop().call_later(COLLECTED_SECONDS, self._tell)
        return True

    def clear(self, player: str) -> None:
        """A member who was here has gone."""
        if player in self._shown:
            nothing = MemberSignal(player, None, None, None)
            if self.take(nothing):
                self.told(nothing)
            self._forget(player)

    def keep_only(self, players: Collection[str]) -> None:
        """Only these members are in the room, here or elsewhere. What others showed is shown no more."""
        for player in [player for player in self._shown if player not in players]:
            self.take(MemberSignal(player, None, None, None))
            self._forget(player)

    def _forget(self, player: str) -> None:
        """Others are shown nothing of a member who has gone, as soon as they were told; newcomers are told nothing at all."""
        self._said.pop(player, None)
        asyncio.get_running_loop().call_later(2 * COLLECTED_SECONDS, self._drop, player, self._shown[player])

    def _drop(self, player: str, shown: ShownSignal) -> None:
        if self._shown.get(player) is shown:
            del self._shown[player]

    def _tell(self) -> None:
        self._is_collecting = False
        self._wake()

    def message(self, after: int | None, reader: str) -> str | None:
        """What a socket of this reader has to be told that knows all up to this number; `after` is None for one that knows nothing
        yet. None where there is nothing to tell."""
        others = [shown for player, shown in self._shown.items() if player != reader]
        if after is None:
            texts = [shown.for_newcomers for shown in others]
        else:
            texts = [shown.text for shown in others if shown.number > after]
        return f'{{"type": "signals", "signals": [{", ".join(texts)}]}}' if texts else None

    def of(self, players: Collection[str]) -> list[MemberSignal]:
        """What these members show, for newcomers at another coordinator."""
        return [shown.silent for player, shown in self._shown.items() if player in players]

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return sum(SIGNAL_BYTES + 2 * len(shown.text) for shown in self._shown.values())
