"""Coins, gems and medals, computed from the log alone. docs/server.md has the rules in words.

A room's tally folds its events. A player's score puts the tallies of all their rooms together, program by program; states ruled out
are a set, so nothing is earned twice, however often it is proposed, in whichever room.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from idg.sip.record import Record

COINS_A_LOOP = 100
"""For ruling out the whole sample of candidate states of a loop."""
ACCEPTED_KINDS = ("inductive", "potential")
TRACE_GEM_EXPRESSIONS = 6
"""Accepted expressions that earn the gem in the trace-only game."""
HINT_COINS = {"variable": 1, "together": 2, "shape": 5, "template": 10, "invariant": 20}
"""What each step of a hint costs. Whoever has less pays what they have: nobody stays stuck."""
MEDALS = ("fewest-invariants", "fewest-proposals", "no-hint")


class PlayerPart:
    """What one player has of one room."""

    def __init__(self, found: dict[str, Any] | None = None) -> None:
        found = found or {}
        self.ruled_out: dict[int, int] = {int(loop): int(bits, 16) for loop, bits in found.get("ruled_out", {}).items()}
        """Loop → the states of its sample that the player was the first in the room to rule out, as bits."""
        self.expressions: list[str] = list(found.get("expressions", ()))
        """The first few accepted ones, each once."""
        self.spent: int = found.get("spent", 0)
        """Coins, for hints."""
        self.gem: bool = found.get("gem", False)
        self.medals: list[str] = list(found.get("medals", ()))

    def as_json(self) -> dict[str, Any]:
        return {
            "ruled_out": {str(loop): f"{bits:x}" for loop, bits in self.ruled_out.items()},
            "expressions": self.expressions,
            "spent": self.spent,
            "gem": self.gem,
            "medals": self.medals,
        }


class Tally:
    """A room's events, folded. A *sitting* lasts from the room's start or reset to the next reset."""

    def __init__(self, found: dict[str, Any] | None = None) -> None:
        found = found or {}
        self.proposals: int = found.get("proposals", 0)
        """Judged in this sitting."""
        self.hints: int = found.get("hints", 0)
        self.imported: bool = found.get("imported", False)
        self.solved: bool = found.get("solved", False)
        self.known: dict[int, int] = {int(loop): int(bits, 16) for loop, bits in found.get("known", {}).items()}
        """Loop → what the accepted facts of this sitting rule out."""
        self.states: dict[int, int] = {int(loop): count for loop, count in found.get("states", {}).items()}
        """Loop → the size of its sample."""
        self.parts: dict[str, PlayerPart] = {player: PlayerPart(part) for player, part in found.get("parts", {}).items()}

    def as_json(self) -> dict[str, Any]:
        return {
            "proposals": self.proposals,
            "hints": self.hints,
            "imported": self.imported,
            "solved": self.solved,
            "known": {str(loop): f"{bits:x}" for loop, bits in self.known.items()},
            "states": {str(loop): count for loop, count in self.states.items()},
            "parts": {player: part.as_json() for player, part in self.parts.items()},
        }

    def part(self, player: str) -> PlayerPart:
        return self.parts.setdefault(player, PlayerPart())

    def judged(self, player: str, answer: dict[str, Any], variant: str) -> None:
        """A proposal, or a batch of them."""
        part = self.part(player)
        kinds = answer.get("kinds") or [answer]
        self.proposals += len(kinds)
        for ruled in answer.get("rules_out", ()):
            loop, bits = ruled["loop"], int(ruled["bits"], 16)
            self.states[loop] = ruled["states"]
            fresh = bits & ~self.known.get(loop, 0)
            self.known[loop] = self.known.get(loop, 0) | bits
            part.ruled_out[loop] = part.ruled_out.get(loop, 0) | fresh
        # Of a batch, what follows from types or from the rest of it is promoted and then removed: it says nothing.
        removed = {(each["loop"], each["expression"]) for each in answer.get("removed", ())}
        for each in kinds:
            if (each["loop"], each["expression"]) in removed:
                continue
            text = f"{each['loop']}: {each['expression']}"
            accepted = each["kind"] in ACCEPTED_KINDS and text not in part.expressions
            if accepted and len(part.expressions) < TRACE_GEM_EXPRESSIONS:
                part.expressions.append(text)
        if variant == "trace" and len(part.expressions) >= TRACE_GEM_EXPRESSIONS:
            part.gem = True

    def proved(self, credited: Iterable[str], invariants: int, par: int | None) -> None:
        """The level is solved: a gem for everyone who has a part in the proof, medals for how it was done."""
        self.solved = True
        earned = []
        if par is not None and invariants <= par:
            earned.append("fewest-invariants")
        if par is not None and self.proposals <= par and not self.imported:
            earned.append("fewest-proposals")
        if not self.hints and not self.imported:
            earned.append("no-hint")
        for player in credited:
            part = self.part(player)
            part.gem = True
            part.medals = [each for each in MEDALS if each in earned or each in part.medals]

    def hinted(self, player: str, coins: int) -> None:
        self.hints += 1
        self.part(player).spent += coins

    def reset(self) -> None:
        self.proposals = self.hints = 0
        self.imported = self.solved = False
        self.known = {}


class Score(Record):
    """What a player has earned with one program."""

    coins: int
    spent: int
    gem: bool
    medals: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"coins": self.coins, "spent": self.spent, "gem": self.gem, "medals": list(self.medals)}


def score(player: str, tallies: Iterable[Tally]) -> Score:
    """Of all rooms of one program."""
    ruled_out: dict[int, int] = {}
    states: dict[int, int] = {}
    spent, gem = 0, False
    medals: set[str] = set()
    for tally in tallies:
        part = tally.parts.get(player)
        if part is None:
            continue
        states |= tally.states
        for loop, bits in part.ruled_out.items():
            ruled_out[loop] = ruled_out.get(loop, 0) | bits
        spent += part.spent
        gem = gem or part.gem
        medals.update(part.medals)
    coins = sum(-(-COINS_A_LOOP * bits.bit_count() // states[loop]) for loop, bits in ruled_out.items() if states.get(loop))
    return Score(coins, spent, gem, tuple(each for each in MEDALS if each in medals))


def total(scores: Iterable[Score]) -> dict[str, int]:
    found = tuple(scores)
    return {
        "coins": sum(each.coins - each.spent for each in found),
        "gems": sum(each.gem for each in found),
        "medals": sum(len(each.medals) for each in found),
    }
