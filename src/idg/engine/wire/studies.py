"""What a server tells participants of a study. The arm without code gets these records and no others."""

from __future__ import annotations

from collections.abc import Mapping

from idg.engine.wire.programs import TypedName, Variant
from idg.sip.record import Record
from idg.sip.values import ValueJson


class StudyQuestion(Record):
    """A question of a study. `choices` is empty for a scale from 1 to 5 and for a free answer."""

    id: str
    text: str
    kind: str
    """`scale`, `choice` or `text`."""
    choices: tuple[str, ...]
    when: str
    """`start`: before the first level; `end`: after the last."""


class StudyAnswer(Record):
    """A study, as somebody sees it who may take part."""

    study: str
    title: str
    open: bool
    """Whether somebody new may begin."""
    consent: str
    """The text to agree to."""
    consent_version: str
    stored: tuple[str, ...]
    """What is stored about a participant, one phrase each."""
    minutes: int
    """How long one may play; 0 is without a bound."""
    retention_days: int
    """Days after which what is stored about a participant is deleted; 0 is never."""


class LevelProgress(Record):
    """How far a participant is with one level."""

    opened: bool
    done: bool
    """With code: the guarantee is proved. Without code: enough expressions were accepted."""


class ParticipantAnswer(Record):
    """Somebody who takes part in a study, as they see it themselves."""

    study: str
    title: str
    player: str
    name: str
    variant: Variant
    levels: tuple[str, ...]
    """The ids of the levels; empty in the arm without code, where levels have numbers only."""
    level_count: int
    tutorial: bool
    hints: bool
    until: float | None
    """Until when they may play, in seconds since 1970; null where there is no bound."""
    questions: tuple[StudyQuestion, ...]
    progress: tuple[LevelProgress, ...]
    """Of each level, in their order."""
    time: float
    """By the server's clock, in seconds since 1970, so that a browser whose clock is wrong knows how much time is left."""
    finished: bool
    code: str | None
    """What to tell the crowd platform, after the questions."""


class TableLoop(Record):
    """The table of one loop."""

    loop: int
    columns: tuple[TypedName, ...]
    rows: tuple[tuple[ValueJson, ...], ...]
    """Values as texts."""
    rows_total: int


class TableRun(Record):
    """A run, as a table only."""

    params: tuple[TypedName, ...]
    """The names and types of the inputs."""
    inputs: Mapping[str, ValueJson]
    loops: tuple[TableLoop, ...]


class TableExpression(Record):
    """An expression that was accepted."""

    loop: int
    expression: str


class TableGame(Record):
    """A level of a study in the arm without code: a table, what was accepted, and points."""

    number: int
    run: TableRun
    accepted: tuple[TableExpression, ...]
    points: int
    target: int
    """How many accepted expressions complete the level."""


class TableVerdict(Record):
    """What is said of a proposal in the arm without code: accepted or not, and points."""

    accepted: bool
    expression: str
    """In canonical form."""
    points: int
    count: int
    """How many different expressions are accepted now."""
