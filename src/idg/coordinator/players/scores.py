"""Coins, gems and medals, computed from the events of rooms alone. docs/server.md explains the rules.

A room's tally sums up its events. A player's score for a program combines the tallies of all rooms in which they play it. The
states that a player has ruled out are a set, so nothing is earned twice, however often and in whichever rooms it is proposed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from typing import TypedDict

from idg.coordinator.cache import text_bytes
from idg.coordinator.pool.computing.calls import Summary
from idg.engine.results import Kind
from idg.engine.version import engine_version
from idg.engine.wire.answers import StatesRuledOut
from idg.engine.wire.events import EndMark, KeptScore, Medal
from idg.engine.wire.rooms import Earned, Score
from idg.levels.patterns import PATTERNS
from idg.sip.record import Record, replace

COINS_A_LOOP = 100
"""How many coins are earned by ruling out the whole sample of candidate states of a loop."""
ACCEPTED_KINDS = (Kind.INDUCTIVE, Kind.POTENTIAL)
"""The kinds of proposals that count as expressions for the gem of the trace-only game."""
TRACE_GEM_EXPRESSIONS = 6
"""How many different accepted expressions earn the gem in the trace-only game."""
HINT_COINS = {
    "variable": 1,
    "together": 2,
    "shape": 5,
    "template": 10,
    "invariant": 20,
    "falls": 2,
    "measure-template": 10,
    "measure": 20,
    "endless": 2,
    "endless-run": 20,
}
"""Step of a hint → what it costs. A player who has fewer coins pays those they have, so that nobody stays stuck."""
TALLY_BYTES = 1_000
"""About how much memory a tally takes besides its loops and players."""
PART_BYTES = 1_000
"""About how much memory the part of one player in a tally takes besides its loops."""
LOOP_BYTES = 300
"""About how much memory the states of one loop take in a tally: a bit for each of up to 1,000, and the place in the table."""
PATTERN_BYTES = 100
"""About how much memory a pattern takes that a player has used."""
ORIGINS_MAX = 200
"""A part keeps what was spent in the room itself and in at most this many other rooms: those with the most coins."""
ORIGIN_DIGITS = 16
"""How many hexadecimal digits of a digest stand for a room in progress files, which must not name rooms."""
MEDALS: tuple[Medal, ...] = ("fewest-invariants", "fewest-proposals", "no-hint")
"""All medals, in the order in which they are shown."""


class PartJson(TypedDict, total=False):
    """A `PlayerPart` as it is stored. Bits are hexadecimal digits, and numbers of loops are texts, because JSON's names are."""

    ruled_out: dict[str, str]
    expressions: list[str]
    doubled: dict[str, int]
    spent: int
    kept_coins: int
    kept_spent: dict[str, int]
    gem: bool
    medals: list[Medal]
    ends: bool


class TallyJson(TypedDict, total=False):
    """A `Tally` as it is stored."""

    proposals: int
    hints: int
    imported: bool
    solved: bool
    ends: EndMark
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
        self.doubled = dict(saved.get("doubled", {}))
        """Pattern → the coins that its first fact earned once more. A fact with several new patterns earns them for the first."""
        self.spent = saved.get("spent", 0)
        """Coins spent for hints."""
        self.kept_coins = saved.get("kept_coins", 0)
        """The coins that a progress file brought back; the player has at least as many."""
        self.kept_spent = dict(saved.get("kept_spent", {}))
        """Origin of a room (`origin`) → the coins spent there, as a progress file brought them back."""
        self.gem = saved.get("gem", False)
        self.medals = list(saved.get("medals", ()))
        self.ends = saved.get("ends", False)
        """Whether the player has a part in the second mark."""

    def as_json(self) -> PartJson:
        # What only files bring is left out where no file has brought anything, and so is the second mark where it is not given.
        has_kept = self.kept_coins or self.kept_spent
        kept: PartJson = {"kept_coins": self.kept_coins, "kept_spent": self.kept_spent} if has_kept else {}
        ends: PartJson = {"ends": True} if self.ends else {}
        return (
            kept
            | {
                "ruled_out": _written_bits(self.ruled_out),
                "expressions": self.expressions,
                "doubled": self.doubled,
                "spent": self.spent,
                "gem": self.gem,
                "medals": self.medals,
            }
            | ends
        )

    def use(self, patterns: Iterable[str], coins: int) -> None:
        """A fact with these patterns has earned these coins. Where one of the patterns is new, it earns them once more."""
        fresh = [pattern for pattern in patterns if pattern not in self.doubled]
        if fresh and coins > 0:
            self.doubled |= dict.fromkeys(fresh, 0)
            self.doubled[fresh[0]] = coins

    def copy(self) -> PlayerPart:
        part = PlayerPart()
        part.ruled_out, part.expressions, part.medals = self.ruled_out.copy(), self.expressions.copy(), self.medals.copy()
        part.doubled, part.spent, part.gem = self.doubled.copy(), self.spent, self.gem
        part.kept_coins, part.kept_spent, part.ends = self.kept_coins, self.kept_spent.copy(), self.ends
        return part

    def restore(self, kept: KeptScore, with_states: bool) -> None:
        """Take back what a sealed file has. Nothing gets less by it, and nothing counts twice, however often it is done.

        `with_states`: whether the states that the file has ruled out are those of our sample."""
        self.gem = self.gem or kept.gem
        self.ends = self.ends or kept.ends
        self.medals = [medal for medal in MEDALS if medal in self.medals or medal in kept.medals]
        self.kept_coins = max(self.kept_coins, kept.coins)
        self.kept_spent = _most(_larger(self.kept_spent, kept.spent))
        self.doubled = _larger(self.doubled, {pattern: coins for pattern, coins in kept.doubled.items() if pattern in PATTERNS})
        fresh = [text for text in kept.expressions if text not in self.expressions]
        self.expressions = [*self.expressions, *fresh][:TRACE_GEM_EXPRESSIONS]
        for ruled in kept.ruled_out if with_states else ():
            self.ruled_out[ruled.loop] = self.ruled_out.get(ruled.loop, 0) | int(ruled.bits, 16)


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
        self.ends: EndMark = saved.get("ends", "")
        """The second mark of this sitting: it was shown that every run ends, or that one never does."""
        self.known = _read_bits(saved.get("known", {}))
        """Loop → the states of its sample that the accepted facts of this sitting rule out, as bits."""
        self.states = {int(loop): count for loop, count in saved.get("states", {}).items()}
        """Loop → the size of its sample."""
        self.parts = {player: PlayerPart(part) for player, part in saved.get("parts", {}).items()}
        """Player → what they have earned and spent."""

    def same_for(self, player: str, other: Tally) -> bool:
        """Whether the player has the same in both."""
        own_part, other_part = self.parts.get(player), other.parts.get(player)
        if own_part is None or other_part is None:
            return own_part is other_part
        return self.states == other.states and vars(own_part) == vars(other_part)

    def as_json(self) -> TallyJson:
        ends: TallyJson = {"ends": self.ends} if self.ends else {}
        return ends | {
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
        patterns = PATTERN_BYTES * sum(len(part.doubled) + len(part.kept_spent) for part in parts)
        return TALLY_BYTES + LOOP_BYTES * loops + patterns + sum(PART_BYTES + text_bytes(*part.expressions) for part in parts)

    def part(self, player: str) -> PlayerPart:
        return self.parts.setdefault(player, PlayerPart())

    def copy(self) -> Tally:
        tally = Tally()
        tally.proposals, tally.hints, tally.imported, tally.solved = self.proposals, self.hints, self.imported, self.solved
        tally.known, tally.states, tally.ends = self.known.copy(), self.states.copy(), self.ends
        tally.parts = {player: part.copy() for player, part in self.parts.items()}
        return tally

    def judged(self, player: str, summary: Summary, variant: str) -> None:
        """Add the verdict on a proposal, or on a batch of them."""
        part = self.part(player)
        self.proposals += len(summary.kinds)
        for ruled in summary.rules_out:
            bits = int(ruled.bits, 16)
            self.states[ruled.loop] = ruled.states
            before = _coins(part.ruled_out, self.states)
            fresh = bits & ~self.known.get(ruled.loop, 0)
            self.known[ruled.loop] = self.known.get(ruled.loop, 0) | bits
            part.ruled_out[ruled.loop] = part.ruled_out.get(ruled.loop, 0) | fresh
            part.use(ruled.patterns, _coins(part.ruled_out, self.states) - before)
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

    def ended(self, credited: Iterable[str], ends: EndMark) -> None:
        """The second mark is given, to everyone who has a part in it."""
        self.ends = ends
        for player in credited:
            self.part(player).ends = True

    def hinted(self, player: str, coins: int) -> None:
        self.hints += 1
        self.part(player).spent += coins

    def restored(self, player: str, kept: KeptScore, program: str) -> None:
        """A sealed progress file brings back what the player had earned and spent with this program."""
        with_states = (kept.program, kept.engine) == (program, engine_version())
        if with_states:
            self.states |= {ruled.loop: ruled.states for ruled in kept.ruled_out}
        self.part(player).restore(kept, with_states)

    def reset(self) -> None:
        """Begin a new sitting. What players have earned stays."""
        self.proposals = self.hints = 0
        self.imported = self.solved = False
        self.ends = ""
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
    ends: bool = False


class PlayerScores(Record):
    """All scores of a player."""

    levels: Mapping[str, ListedScore]
    programs: Mapping[str, ListedScore]
    """Hash of a player's own program → the score."""
    total: ScoreTotal
    """What the player has earned with the levels."""


class Holdings:
    """What a player has of a program in some rooms."""

    def __init__(self, player: str, tallies: Mapping[str, Tally] | Iterable[Tally] = ()) -> None:
        """`tallies`: by the ids of their rooms, or those of different rooms whose ids do not matter."""
        self.player = player
        self.ruled_out: dict[int, int] = {}
        self.states: dict[int, int] = {}
        self.doubled: dict[str, int] = {}
        """Pattern → what it earned once more, in the room where that was most. So each pattern pays once, in whatever order rooms
        are counted."""
        self.spent: dict[str, int] = {}
        """Origin of a room → the coins spent there."""
        self.kept_coins = 0
        """What progress files brought back."""
        self.expressions: list[str] = []
        self.gem = self.ends = False
        self.medals: set[Medal] = set()
        for room, tally in (tallies if isinstance(tallies, Mapping) else dict(enumerate(tallies))).items():
            self.add(tally, str(room))

    def add(self, tally: Tally, room: str) -> None:
        """Count the tally of one more room."""
        part = tally.parts.get(self.player)
        if part is None:
            return
        self.states |= tally.states
        for loop, bits in part.ruled_out.items():
            self.ruled_out[loop] = self.ruled_out.get(loop, 0) | bits
        self.doubled = _larger(self.doubled, part.doubled)
        if part.spent:
            self.spent = _larger(self.spent, {origin(room): part.spent})
        if part.kept_spent:
            self.spent = _larger(self.spent, part.kept_spent)
        self.kept_coins = max(self.kept_coins, part.kept_coins)
        self.expressions += (text for text in part.expressions if text not in self.expressions)
        self.gem, self.ends = self.gem or part.gem, self.ends or part.ends
        self.medals.update(part.medals)

    @property
    def bonus(self) -> int:
        """The coins that new patterns have added. Nothing pays more than double, in however many rooms it is proposed."""
        return min(sum(self.doubled.values()), _coins(self.ruled_out, self.states))

    def score(self) -> Score:
        coins = max(_coins(self.ruled_out, self.states) + self.bonus, self.kept_coins)
        medals = tuple(medal for medal in MEDALS if medal in self.medals)
        patterns = tuple(pattern for pattern in PATTERNS if pattern in self.doubled)
        return Score(coins, sum(self.spent.values()), self.gem, medals, patterns, self.ends)

    def kept(self, program: str) -> KeptScore:
        """All of it for a progress file. `program`: the hash of the program that it was earned with."""
        earned = self.score()
        loops = [loop for loop, bits in self.ruled_out.items() if bits and self.states.get(loop)]
        ruled_out = tuple(StatesRuledOut(loop, self.states[loop], f"{self.ruled_out[loop]:x}") for loop in loops)
        return KeptScore(
            program,
            engine_version(),
            earned.coins,
            earned.gem,
            earned.medals,
            _most(self.spent),
            ruled_out,
            self.doubled,
            tuple(self.expressions[:TRACE_GEM_EXPRESSIONS]),
            self.ends,
        )

    def with_room(self, tally: Tally, room: str) -> Holdings:
        """What it would be with the tally of one more room, which is not counted here."""
        holdings = Holdings(self.player)
        holdings.ruled_out, holdings.states, holdings.medals = self.ruled_out.copy(), self.states.copy(), self.medals.copy()
        holdings.doubled, holdings.spent, holdings.gem, holdings.ends = self.doubled, self.spent, self.gem, self.ends
        holdings.kept_coins, holdings.expressions = self.kept_coins, self.expressions.copy()
        holdings.add(tally, room)
        return holdings

    def earned_since(self, before: Holdings) -> Earned:
        """What was earned by what made these holdings of those."""
        old, new = before.score(), self.score()
        medals = tuple(medal for medal in new.medals if medal not in old.medals)
        doubled = min(self.bonus - before.bonus, new.coins - old.coins)
        grown = {pattern for pattern, coins in self.doubled.items() if coins > before.doubled.get(pattern, 0)}
        patterns = tuple(pattern for pattern in PATTERNS if doubled and pattern in grown)
        return Earned(new.coins - old.coins, new.gem and not old.gem, medals, doubled, patterns)


def score(player: str, tallies: Mapping[str, Tally] | Iterable[Tally]) -> Score:
    """A player's score for a program, from the tallies of all rooms that play it."""
    return Holdings(player, tallies).score()


def across_versions(one: Score, other: Score) -> Score:
    """The score for a level whose program has changed, from the scores for the old program and the new one.

    What was earned stays. The coins are those of the better one, because both programs pay for the same ideas.
    """
    medals = tuple(medal for medal in MEDALS if medal in one.medals or medal in other.medals)
    patterns = tuple(pattern for pattern in PATTERNS if pattern in one.patterns or pattern in other.patterns)
    gem, ends = one.gem or other.gem, one.ends or other.ends
    return Score(max(one.coins, other.coins), one.spent + other.spent, gem, medals, patterns, ends)


def level_score(versions: Sequence[Holdings]) -> Score:
    """The score for a level, from what a player has of its programs: one, or more where it has changed."""
    first, *others = [version.score() for version in versions]
    combined = reduce(across_versions, others, first)
    spent: dict[str, int] = {}
    for version in versions:  # A progress file may have brought the same expense to both.
        spent = _larger(spent, version.spent)
    return replace(combined, spent=sum(spent.values()))


def total(scores: Collection[Score]) -> ScoreTotal:
    return ScoreTotal(
        sum(score.coins - score.spent for score in scores),
        sum(score.gem for score in scores),
        sum(len(score.medals) for score in scores),
    )


def origin(room: str) -> str:
    """The name under which progress files tell what was spent in a room."""
    return hashlib.sha256(room.encode()).hexdigest()[:ORIGIN_DIGITS]


def _larger(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """For each name the larger number."""
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in (*one, *(name for name in other if name not in one))}


def _most(spent: Mapping[str, int]) -> dict[str, int]:
    """Those of the rooms in which most was spent, where there are too many."""
    if len(spent) <= ORIGINS_MAX:
        return dict(spent)
    return dict(sorted(spent.items(), key=lambda item: (-item[1], item[0]))[:ORIGINS_MAX])


def _coins(ruled_out: Mapping[int, int], states: Mapping[int, int]) -> int:
    """What the states are worth that were ruled out, in loops whose samples have so many states."""
    return sum(-(-COINS_A_LOOP * bits.bit_count() // states[loop]) for loop, bits in ruled_out.items() if states.get(loop))


def _read_bits(saved: Mapping[str, str]) -> dict[int, int]:
    return {int(loop): int(bits, 16) for loop, bits in saved.items()}


def _written_bits(bits_of: Mapping[int, int]) -> dict[str, str]:
    return {str(loop): f"{bits:x}" for loop, bits in bits_of.items()}
