"""Who and what counts: from the raw rows to the attempts of the analysed participants, with every exclusion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idg.sip.record import Record
from idg.study.activity import ActiveTime, SignOfLife, active_time
from idg.study.definition import StudyDefinition
from idg.study.rows import StudyRow

SERVER_KINDS = ("judged", "rejudged")
"""Events that the server makes by itself, so they are no signs of life of a participant."""
ANSWER_KINDS = ("background", "answer")
"""Rows with answers to the questions at the beginning and at the end."""
TYPED = "typed"
"""The origin of a trace that a participant asked for by typing inputs."""
TUTORIAL = "tutorial"
"""The purpose of a room that the tutorial made."""


class JudgedProposal(Record):
    """A proposal of a participant and what the engine said when it was made."""

    loop: int
    expression: str
    kind: str


class Attempt(Record):
    """What one participant did on one level, over all sessions."""

    participant: str
    arm: str
    level: str
    time: ActiveTime
    """Up to the solving, or to the last sign of life."""
    solved: bool
    """By this participant alone."""
    proposals: tuple[JudgedProposal, ...]
    requests: int
    """How many traces were asked for by typing inputs."""
    helped: bool
    """Whether the guarantee was proved with a part of somebody else, such as an agent."""
    counts: bool
    """Whether the level was attempted, by the rules of the study."""

    @property
    def solved_seconds(self) -> float | None:
        return self.time.seconds if self.solved else None


class ExclusionStep(Record):
    """A step at which participants are left out, and who is left out by it."""

    reason: str
    left_out: tuple[str, ...]
    remaining: int
    by_outcome: bool
    """Whether it depends on what the study measures."""


class Cohort(Record):
    """The participants of a study and what of them counts."""

    definition: StudyDefinition
    arms: dict[str, str]
    """Analysed participant → arm."""
    steps: tuple[ExclusionStep, ...]
    attempts: tuple[Attempt, ...]
    """The attempted levels of the analysed participants."""
    visits: tuple[Attempt, ...]
    """All levels that any participant opened, also those that do not count."""
    long: tuple[Attempt, ...]
    """Visits that are longer than the study's bound, of whomever."""
    keep_long: bool
    enrolled: dict[str, str]
    """Every participant → arm."""
    tutorial_rows: int
    agent_rows: int
    batches: int
    """Proposals of many facts at once, which are left out."""
    answers: tuple[StudyRow, ...]
    """The answers to the questions at the beginning and at the end: of each participant the first row of each kind."""

    def of_arm(self, arm: str) -> tuple[Attempt, ...]:
        return tuple(attempt for attempt in self.attempts if attempt.arm == arm)

    @property
    def proposals(self) -> tuple[tuple[str, JudgedProposal], ...]:
        """All single proposals of the analysed participants, each with its arm."""
        return tuple(
            (visit.arm, proposal) for visit in self.visits if visit.participant in self.arms for proposal in visit.proposals
        )


def build_cohort(definition: StudyDefinition, rows: Iterable[StudyRow], keep_long: bool = False) -> Cohort:
    """Applies the rules of the study to its rows, which may come in any order."""
    own = sorted((row for row in rows if row.study == definition.name), key=lambda row: (row.time, row.room, row.number))
    people = [row for row in own if row.participant and not row.agent]
    enrolled = {row.participant: row.arm for row in people}
    withdrawn = {row.participant for row in people if row.kind == "withdrawn"}
    played = [row for row in people if row.purpose != TUTORIAL and row.level in definition.levels]
    visits = _visits(definition, played)
    long = tuple(visit for visit in visits if visit.time.seconds > definition.rules.long_seconds)
    steps, remaining = _steps(definition, enrolled, withdrawn, visits, () if keep_long else long)
    return Cohort(
        definition=definition,
        arms={participant: enrolled[participant] for participant in remaining},
        steps=steps,
        attempts=tuple(visit for visit in visits if visit.counts and visit.participant in remaining),
        visits=visits,
        long=long,
        keep_long=keep_long,
        enrolled=enrolled,
        tutorial_rows=sum(row.purpose == TUTORIAL for row in people),
        agent_rows=sum(row.agent for row in own),
        batches=sum(row.kind == "proposed" and "proposals" in row.body for row in played),
        answers=_first_answers(people),
    )


def _first_answers(people: Sequence[StudyRow]) -> tuple[StudyRow, ...]:
    first: dict[tuple[str, str], StudyRow] = {}
    for row in people:
        if row.kind in ANSWER_KINDS:
            first.setdefault((row.participant, row.kind), row)
    return tuple(first.values())


def _steps(
    definition: StudyDefinition, enrolled: dict[str, str], withdrawn: set[str], visits: Sequence[Attempt], long: Sequence[Attempt]
) -> tuple[tuple[ExclusionStep, ...], set[str]]:
    """The exclusions in their order, and who remains."""
    arms = {arm.name for arm in definition.arms}
    opened = {visit.participant for visit in visits}
    attempted = {visit.participant for visit in visits if visit.counts}
    solved = {visit.participant for visit in visits if visit.solved}
    rules = definition.rules
    remaining = set(enrolled)
    steps = []
    too_long = {visit.participant for visit in long}
    for reason, kept, by_outcome in (
        ("are in an arm of the study", {participant for participant, arm in enrolled.items() if arm in arms}, False),
        ("did not withdraw", set(enrolled) - withdrawn, False),
        ("opened one of the levels", opened, False),
        (f"attempted a level (a proposal and more than {rules.attempt_seconds:g} s)", attempted, False),
        (f"were active for at most {rules.long_seconds:g} s on every level", set(enrolled) - too_long, False),
        ("solved at least one level", solved, True),
    ):
        left_out = remaining - kept
        remaining = remaining & kept
        steps.append(ExclusionStep(reason, tuple(sorted(left_out)), len(remaining), by_outcome))
    return tuple(steps), remaining


def _visits(definition: StudyDefinition, played: Sequence[StudyRow]) -> tuple[Attempt, ...]:
    """What each participant did on each level, in the order of participants and levels."""
    by_pair: dict[tuple[str, str], list[StudyRow]] = {}
    for row in played:
        by_pair.setdefault((row.participant, row.level), []).append(row)
    order = {level: index for index, level in enumerate(definition.levels)}
    pairs = sorted(by_pair, key=lambda pair: (pair[0], order[pair[1]]))
    return tuple(_visit(definition, participant, level, by_pair[participant, level]) for participant, level in pairs)


def _visit(definition: StudyDefinition, participant: str, level: str, rows: Sequence[StudyRow]) -> Attempt:
    solved_rows = [row for row in rows if row.kind == "solved"]
    alone = [row for row in solved_rows if set(row.body.get("credited", (row.player,))) <= {row.player}]
    first = alone[0] if alone else None
    until = rows if first is None else [row for row in rows if row.time <= first.time]
    signs = [sign for row in until for sign in _signs(row) if first is None or sign[0] <= first.time]
    time = active_time(signs, definition.rules)
    proposals = _proposals(rows)
    rules = definition.rules
    measured = time.seen_seconds if rules.attempt_time == "seen" else time.seconds
    return Attempt(
        participant=participant,
        arm=rows[0].arm,
        level=level,
        time=time,
        solved=first is not None,
        proposals=proposals,
        requests=sum(row.kind == "traced" and row.body.get("origin") == TYPED for row in until),
        helped=bool(solved_rows) and not alone,
        counts=bool(proposals) and measured > rules.attempt_seconds,
    )


def _signs(row: StudyRow) -> Iterable[SignOfLife]:
    """The signs of life in a row."""
    if row.kind in SERVER_KINDS:
        return
    if row.kind == "active" and "from" in row.body and "to" in row.body:
        yield float(row.body["from"]), row.session
        yield float(row.body["to"]), row.session
    else:
        yield row.time, row.session


def _proposals(rows: Sequence[StudyRow]) -> tuple[JudgedProposal, ...]:
    """The single proposals, each with the kind of the verdict that answers it; those without a verdict are left out."""
    kinds = {(row.room, row.answers): row.body["kind"] for row in rows if row.kind == "judged" and "kind" in row.body}
    return tuple(
        JudgedProposal(row.body.get("loop", 1), row.body["expression"], kinds[row.room, row.number])
        for row in rows
        if row.kind == "proposed" and "expression" in row.body and (row.room, row.number) in kinds
    )
