"""The paper's figures as counts, from a cohort: win rate, kinds, prove ratio, levels solved."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from idg.engine.results import Kind
from idg.sip.record import Record
from idg.study.cohort import Attempt, Cohort

KINDS = (
    Kind.NON_INVARIANT.value,
    Kind.TAUTOLOGY.value,
    Kind.DISPLACED.value,
    Kind.DISPLACED_POTENTIAL.value,
    Kind.UNKNOWN.value,
    Kind.POTENTIAL.value,
    Kind.INDUCTIVE.value,
)
"""The kinds from the least to the most useful, in the order of the bars."""
USEFUL = (Kind.POTENTIAL.value, Kind.INDUCTIVE.value)
"""The kinds that put a fact on the books as something that holds as far as is known."""


class WinRate(Record):
    """How many of the attempted levels of an arm were solved, over active time."""

    arm: str
    attempted: int
    times: tuple[float, ...]
    """Active seconds up to each solving, in order."""

    @property
    def solved(self) -> int:
        return len(self.times)

    def solved_by(self, seconds: float) -> int:
        return sum(time <= seconds for time in self.times)

    def rate(self, seconds: float) -> float | None:
        """W(t) = S(t) / A; None where nothing was attempted."""
        return self.solved_by(seconds) / self.attempted if self.attempted else None


def win_rate(cohort: Cohort, arm: str) -> WinRate:
    return win_rate_of(arm, cohort.of_arm(arm))


def win_rate_of(arm: str, attempts: Sequence[Attempt]) -> WinRate:
    return WinRate(arm, len(attempts), tuple(sorted(attempt.time.seconds for attempt in attempts if attempt.solved)))


def solving_sample(attempts: Sequence[Attempt], until: float = inf) -> list[float]:
    """One value for each attempted level: the active seconds up to the solving, infinite where it was not solved by then."""
    return [attempt.time.seconds if attempt.solved and attempt.time.seconds <= until else inf for attempt in attempts]


class KindCounts(Record):
    """How many proposals of an arm are of each kind, in the order of KINDS."""

    arm: str
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def useful(self) -> int:
        return sum(count for kind, count in zip(KINDS, self.counts, strict=True) if kind in USEFUL)

    @property
    def shares(self) -> tuple[float, ...] | None:
        return tuple(count / self.total for count in self.counts) if self.total else None


def kind_counts(cohort: Cohort, arm: str) -> KindCounts:
    kinds = [proposal.kind for of_arm, proposal in cohort.proposals if of_arm == arm]
    return KindCounts(arm, tuple(kinds.count(kind) for kind in KINDS))


class ProveRatio(Record):
    """How many attempts at one level, or at all, were solved, with a typed trace request and without."""

    level: str
    """Empty for all levels together."""
    with_solved: int
    with_attempted: int
    without_solved: int
    without_attempted: int

    @property
    def table(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Rows: with and without a request; columns: solved and not."""
        return (
            (self.with_solved, self.with_attempted - self.with_solved),
            (self.without_solved, self.without_attempted - self.without_solved),
        )


def prove_ratio(attempts: Sequence[Attempt], level: str = "") -> ProveRatio:
    chosen = [attempt for attempt in attempts if not level or attempt.level == level]
    asked = [attempt for attempt in chosen if attempt.requests]
    others = [attempt for attempt in chosen if not attempt.requests]
    return ProveRatio(
        level, sum(attempt.solved for attempt in asked), len(asked), sum(attempt.solved for attempt in others), len(others)
    )


class LevelFigures(Record):
    """One level in one arm."""

    level: str
    arm: str
    attempted: int
    solved: int
    proposals: int
    facts: int
    """Different proposals, pooled."""
    collective: bool | None
    """Whether all of them together prove the guarantee; None where it was not computed."""


def pooled_facts(cohort: Cohort, arm: str, level: str) -> tuple[tuple[int, str], ...]:
    """All that the analysed participants of an arm proposed for a level, each fact once."""
    facts = {
        (proposal.loop, proposal.expression)
        for visit in cohort.visits
        if visit.participant in cohort.arms and visit.arm == arm and visit.level == level
        for proposal in visit.proposals
    }
    return tuple(sorted(facts))


def quickest(attempts: Sequence[Attempt]) -> Attempt | None:
    """The attempt that was solved in the least time between its signs of life."""
    solved = [attempt for attempt in attempts if attempt.solved]
    return min(solved, key=lambda attempt: (attempt.time.seen_seconds, attempt.participant, attempt.level), default=None)


def quick_solvings(cohort: Cohort) -> tuple[Attempt, ...]:
    """What analysed participants solved in less time than the study finds likely, attempted by the rules or not."""
    bound = cohort.definition.rules.quick_seconds
    return tuple(
        visit for visit in cohort.visits if visit.participant in cohort.arms and visit.solved and visit.time.seen_seconds < bound
    )
