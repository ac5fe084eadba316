"""Coins, gems and medals, computed from the events of rooms alone. docs/server.md explains the rules.

A room's tally sums up its events. A player's score for a program combines the tallies of all rooms in which they play it. The
states that a player has ruled out are a set, so nothing is earned twice, however often and in whichever rooms it is proposed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypedDict

from idg.coordinator.cache import text_bytes
from idg.coordinator.pool.calls import Summary
from idg.engine.results import Kind
from idg.engine.wire.rooms import Earned, Medal, Score
from idg.sip.record import Record

COINS_A_LOOP = 100
"""How many coins are earned by ruling out the whole sample of candidate states of a loop."""
ACCEPTED_KINDS = (Kind.INDUCTIVE, Kind.POTENTIAL)
"""The kinds of proposals that count as expressions for the gem of the trace-only game."""
TRACE_GEM_EXPRESSIONS = 6
"""How many different accepted expressions earn the gem in the trace-only game."""
HINT_COINS = {"variable": 1, "together": 2, "shape": 5, "template": 10, "invariant": 20}
"""Step of a hint → what it costs. A player who has fewer coins pays those they have, so that nobody stays stuck."""
TALLY_BYTES = 1_000
"""About how much memory a tally takes besides its loops and players."""
PART_BYTES = 1_000
"""About how much memory the part of one player in a tally takes besides its loops."""
LOOP_BYTES = 300
"""About how much memory the states of one loop take in a tally: a bit for each of up to 1,000, and the place in the table."""
MEDALS: tuple[Medal, ...] = ("fewest-invariants", "fewest-proposals", "no-hint")
"""All medals, in the order in which they are shown."""


class PartJson(TypedDict, total=False):
    """A `PlayerPart` as it is stored. Bits are hexadecimal digits, and numbers of loops are texts, because JSON's names are."""

    ruled_out: dict[str, str]
    expressions: list[str]
    spent: int
    gem: bool
    medals: list[Medal]


class TallyJson(TypedDict, total=False):
    """A `Tally` as it is stored."""

    proposals: int
    hints: int
    imported: bool
    solved: bool
    known: dict[str, str]
    states: dict[str, int]
    parts: dict[str, PartJson]


class PlayerPart:
    """What one player has earned and spent in one room."""

    def __init__(self, saved: PartJson | None = None) -> None:
        saved = saved or {}
        self.ruled_out = _read_bits(saved.get("ruled_out", {}))
        """Loop → the states of its sample that the player was the first in the room to rule out, as bits."""
        self.expressions = list(saved.get("expressions", ()))
        """The first few accepted expressions, each once."""
        self.spent = saved.get("spent", 0)
        """Coins spent for hints."""
        self.gem = saved.get("gem", False)
        self.medals = list(saved.get("medals", ()))

    def as_json(self) -> PartJson:
        return {
            "ruled_out": _written_bits(self.ruled_out),
            "expressions": self.expressions,
            "spent": self.spent,
            "gem": self.gem,
            "medals": self.medals,
        }

    def copy(self) -> PlayerPart:
        part = PlayerPart()
        part.ruled_out, part.expressions, part.medals = self.ruled_out.copy(), self.expressions.copy(), self.medals.copy()
        part.spent, part.gem = self.spent, self.gem
        return part


class Tally:
    """What scores need to know of a room's events. A *sitting* lasts from the room's start or reset to the next reset."""

    def __init__(self, saved: TallyJson | None = None) -> None:
        saved = saved or {}
        self.proposals = saved.get("proposals", 0)
        """How many were judged in this sitting."""
        self.hints = saved.get("hints", 0)
        """How many were given in this sitting."""
        self.imported = saved.get("imported", False)
        """Whether facts of a progress file were proposed in this sitting."""
        self.solved = saved.get("solved", False)
        """Whether the guarantee was proved in this sitting."""
        self.known = _read_bits(saved.get("known", {}))
        """Loop → the states of its sample that the accepted facts of this sitting rule out, as bits."""
        self.states = {int(loop): count for loop, count in saved.get("states", {}).items()}
        """Loop → the size of its sample."""
        self.parts = {player: PlayerPart(part) for player, part in saved.get("parts", {}).items()}
        """Player → what they have earned and spent."""

    def as_json(self) -> TallyJson:
        return {
            "proposals": self.proposals,
            "hints": self.hints,
            "imported": self.imported,
            "solved": self.solved,
            "known": _written_bits(self.known),
            "states": {str(loop): count for loop, count in self.states.items()},
            "parts": {player: part.as_json() for player, part in self.parts.items()},
        }

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        parts = self.parts.values()
        loops = len(self.known) + sum(len(part.ruled_out) for part in parts)
        return TALLY_BYTES + LOOP_BYTES * loops + sum(PART_BYTES + text_bytes(*part.expressions) for part in parts)

    def part(self, player: str) -> PlayerPart:
        return self.parts.setdefault(player, PlayerPart())

    def copy(self) -> Tally:
        tally = Tally()
        tally.proposals, tally.hints, tally.imported, tally.solved = self.proposals, self.hints, self.imported, self.solved
        tally.known, tally.states = self.known.copy(), self.states.copy()
        tally.parts = {player: part.copy() for player, part in self.parts.items()}
        return tally

    def judged(self, player: str, summary: Summary, variant: str) -> None:
        """Add the verdict on a proposal, or on a batch of them."""
        part = self.part(player)
        self.proposals += len(summary.kinds)
        for ruled in summary.rules_out:
            bits = int(ruled.bits, 16)
            self.states[ruled.loop] = ruled.states
            fresh = bits & ~self.known.get(ruled.loop, 0)
            self.known[ruled.loop] = self.known.get(ruled.loop, 0) | bits
            part.ruled_out[ruled.loop] = part.ruled_out.get(ruled.loop, 0) | fresh
        # A fact of a batch that follows from types or from the other facts is accepted first and then removed: it says nothing.
        for judged in summary.kinds:
            text = f"{judged.loop}: {judged.text}"
            accepted = judged.kind in ACCEPTED_KINDS and judged.fact not in summary.removed and text not in part.expressions
            if accepted and len(part.expressions) < TRACE_GEM_EXPRESSIONS:
                part.expressions.append(text)
        if variant == "trace" and len(part.expressions) >= TRACE_GEM_EXPRESSIONS:
            part.gem = True

    def proved(self, credited: Iterable[str], invariants: int, par: int | None) -> None:
        """The program is solved: everyone who has a part in the proof gets a gem, and the medals for the way it was done.

        `par` is the number of invariants of the shortest known proof; None where none is known.
        """
        self.solved = True
        earned: list[Medal] = []
        if par is not None and invariants <= par:
            earned.append("fewest-invariants")
        if par is not None and self.proposals <= par and not self.imported:
            earned.append("fewest-proposals")
        if not self.hints and not self.imported:
            earned.append("no-hint")
        for player in credited:
            part = self.part(player)
            part.gem = True
            part.medals = [medal for medal in MEDALS if medal in earned or medal in part.medals]

    def hinted(self, player: str, coins: int) -> None:
        self.hints += 1
        self.part(player).spent += coins

    def reset(self) -> None:
        """Begin a new sitting. What players have earned stays."""
        self.proposals = self.hints = 0
        self.imported = self.solved = False
        self.known = {}


NOTHING_EARNED = Earned(0, False, ())
"""What a move earns that earns nothing: no coins, no gem, no medals."""


class ScoreTotal(Record):
    """What a player has earned with several programs."""

    coins: int
    """Those that are left: spent ones are subtracted."""
    gems: int
    medals: int


class ListedScore(Record):
    """A score in the list of all scores of a player. It says what `Score` says, in the order that this list has always had."""

    coins: int
    gem: bool
    medals: tuple[Medal, ...]
    spent: int


class PlayerScores(Record):
    """All scores of a player."""

    levels: Mapping[str, ListedScore]
    programs: Mapping[str, ListedScore]
    """Hash of a player's own program → the score."""
    total: ScoreTotal
    """Of the levels."""


class Holdings:
    """What a player has of a program in some rooms."""

    def __init__(self, player: str, tallies: Iterable[Tally] = ()) -> None:
        self.player = player
        self.ruled_out: dict[int, int] = {}
        self.states: dict[int, int] = {}
        self.spent = 0
        self.gem = False
        self.medals: set[Medal] = set()
        for tally in tallies:
            self.add(tally)

    def add(self, tally: Tally) -> None:
        """Count the tally of one more room."""
        part = tally.parts.get(self.player)
        if part is None:
            return
        self.states |= tally.states
        for loop, bits in part.ruled_out.items():
            self.ruled_out[loop] = self.ruled_out.get(loop, 0) | bits
        self.spent += part.spent
        self.gem = self.gem or part.gem
        self.medals.update(part.medals)

    def score(self) -> Score:
        ruled_out, states = self.ruled_out, self.states
        coins = sum(-(-COINS_A_LOOP * bits.bit_count() // states[loop]) for loop, bits in ruled_out.items() if states.get(loop))
        return Score(coins, self.spent, self.gem, tuple(medal for medal in MEDALS if medal in self.medals))

    def score_with(self, tally: Tally) -> Score:
        """The score with the tally of one more room, which is not counted."""
        holdings = Holdings(self.player)
        holdings.ruled_out, holdings.states, holdings.medals = self.ruled_out.copy(), self.states.copy(), self.medals.copy()
        holdings.spent, holdings.gem = self.spent, self.gem
        holdings.add(tally)
        return holdings.score()


def score(player: str, tallies: Iterable[Tally]) -> Score:
    """A player's score for a program, from the tallies of all rooms that play it."""
    return Holdings(player, tallies).score()


def across_versions(one: Score, other: Score) -> Score:
    """The score for a level whose program has changed, from the scores for the old program and the new one.

    What was earned stays. The coins are those of the better one, because both programs pay for the same ideas.
    """
    medals = tuple(medal for medal in MEDALS if medal in one.medals or medal in other.medals)
    return Score(max(one.coins, other.coins), one.spent + other.spent, one.gem or other.gem, medals)


def total(scores: Collection[Score]) -> ScoreTotal:
    return ScoreTotal(
        sum(score.coins - score.spent for score in scores),
        sum(score.gem for score in scores),
        sum(len(score.medals) for score in scores),
    )


def _read_bits(saved: Mapping[str, str]) -> dict[int, int]:
    return {int(loop): int(bits, 16) for loop, bits in saved.items()}


def _written_bits(bits_of: Mapping[int, int]) -> dict[str, str]:
    return {str(loop): f"{bits:x}" for loop, bits in bits_of.items()}
