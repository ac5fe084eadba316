"""The definition of a study: a TOML file that says everything before the first participant comes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from typing import Any, Literal, cast

from idg.sip.record import Record

ARMS = 2
"""How many arms a study has. Every test of significance compares two."""
LEVELS_MAX = 60
"""How many levels a study may have."""
QUESTIONS_MAX = 40
"""How many questions there may be, at the beginning and at the end together."""
CHOICES_MAX = 12
"""How many answers a question may offer."""
SCALE_POINTS = 5
"""The points of a scale, from 1."""
TEXT_CHARS_MAX = 20_000
"""How many characters the consent text may have."""
SENTENCE_CHARS_MAX = 400
"""How many characters a title, a question or an answer may have."""
SHARE_MAX = 100
"""The largest share of an arm."""
BLOCK_MAX = 200
"""How many participants a balanced block may have."""
MINUTES_MAX = 24 * 60
"""The longest time that taking part may last."""
RETENTION_DAYS_MAX = 36_500
"""The longest time for which a study's data may be kept."""
SEED_MAX = 2**31 - 1
"""The largest seed of the assignment to arms."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
METRICS = ("win-rate", "kinds", "prove-ratio", "levels-solved", "survival")
"""What can be reported, in the order of the report."""

ArmVariant = Literal["code", "trace"]
QuestionKind = Literal["scale", "choice", "text"]
QuestionTime = Literal["start", "end"]
SessionRule = Literal["each", "after-first"]
AttemptTime = Literal["seen", "active"]


class StudyArm(Record):
    """One of the games that are compared."""

    name: str
    variant: ArmVariant
    """`code`: the program and the engine's feedback are shown; `trace`: the table of values only."""
    share: int
    """How many participants it gets for each one of a share of 1."""


class ConsentText(Record):
    """What participants agree to. Its version is stored with their answer."""

    version: str
    text: str


class DefinedQuestion(Record):
    """A question to participants. Every one may be left out."""

    id: str
    text: str
    kind: QuestionKind
    choices: tuple[str, ...] = ()
    when: QuestionTime = "end"
    """`start`: before the first level, about the participant; `end`: after the last."""


class StudyRules(Record):
    """Which participants and attempts count. The defaults are the paper's."""

    gap_seconds: float = 300.0
    """A gap between two signs of life of so many seconds or more is a break."""
    gap_counts_seconds: float = 120.0
    """What a break counts."""
    session_adds_seconds: float = 30.0
    """What a session counts besides the time between its signs of life."""
    session_rule: SessionRule = "each"
    """Whether each session adds that, or each after the first."""
    attempt_seconds: float = 10.0
    """A level that was played for more than so many seconds, with a proposal, was attempted."""
    attempt_time: AttemptTime = "seen"
    """Which time that is: the time between signs of life alone, or with what sessions add."""
    long_seconds: float = 1500.0
    """Participants with more active seconds than these on one level are left out, unless the analyst keeps them."""
    quick_seconds: float = 20.0
    """A level that was solved in fewer seconds is worth a warning."""


class StudyDefinition(Record):
    """A study, as its file defines it."""

    name: str
    title: str
    levels: tuple[str, ...]
    """In the order of play; the tutorial plays on the first."""
    arms: tuple[StudyArm, ...]
    consent: ConsentText
    questions: tuple[DefinedQuestion, ...]
    metrics: tuple[str, ...]
    alpha: float = 0.05
    tutorial: bool = True
    hints: bool = False
    minutes: int = 0
    """How long a participant may play, from the consent on; 0 is without a bound."""
    block: int = 0
    """Within each so many participants the arms have exactly their shares; 0 is by chance alone."""
    seed: int = 0
    """The seed of the assignment to arms."""
    completion_code: str = ""
    """What everybody is told at the end; where it is empty, each participant gets a code of their own."""
    retention_days: int = 0
    """Days without a sign of a participant after which what is stored about them may be deleted; 0 is never."""
    rules: StudyRules = StudyRules()

    def arm(self, name: str) -> StudyArm | None:
        return next((arm for arm in self.arms if arm.name == name), None)

    def asked(self, when: QuestionTime) -> tuple[DefinedQuestion, ...]:
        """The questions at the beginning, or those at the end."""
        return tuple(question for question in self.questions if question.when == when)


class DefinitionError(Exception):
    """Everything that is wrong with a definition, one sentence each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def read_definition(text: str, known_levels: Collection[str] = ()) -> StudyDefinition:
    """The definition in a TOML text; DefinitionError says all that is wrong with it. `known_levels`: where levels are checked."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DefinitionError([f"this is not TOML: {error}"]) from None
    reader = _Reader(known_levels)
    definition = reader.study(table)
    if reader.problems:
        raise DefinitionError(reader.problems)
    return definition


_TOP = {
    "name", "title", "levels", "arm", "consent", "question", "metrics", "alpha", "tutorial", "hints", "minutes", "block", "seed",
    "completion_code", "retention_days", "rules",
}  # fmt: skip
_RULE_RANGES: Mapping[str, tuple[float, float]] = {
    "gap_seconds": (1, 86_400),
    "gap_counts_seconds": (0, 86_400),
    "session_adds_seconds": (0, 3_600),
    "attempt_seconds": (0, 3_600),
    "long_seconds": (1, 1_000_000),
    "quick_seconds": (0, 3_600),
}
"""Rule → its smallest and its largest value, in seconds."""
_RULE_CHOICES: Mapping[str, tuple[str, ...]] = {"session_rule": ("each", "after-first"), "attempt_time": ("seen", "active")}


class _Reader:
    """Reads the tables of a definition and collects what is wrong with them."""

    def __init__(self, known_levels: Collection[str]) -> None:
        self.problems: list[str] = []
        self.known_levels = known_levels

    def study(self, table: dict[str, Any]) -> StudyDefinition:
        self._known(table, _TOP, "the study")
        name = self._text(table, "name", "the study", 40)
        if name and not NAME.fullmatch(name):
            self.problems.append(f"name: {name!r} is not a name; use letters, digits, '_' and '-', at most 40 of them")
        alpha = self._number(table, "alpha", 0.05, 0.0001, 0.5)
        arms = self._arms(table.get("arm"))
        block = self._whole(table, "block", 0, BLOCK_MAX)
        shares = sum(arm.share for arm in arms)
        if block and shares and block % shares:
            self.problems.append(
                f"block: {block} participants cannot have the shares {' : '.join(str(arm.share) for arm in arms)}; "
                f"it has to be a multiple of {shares}"
            )
        return StudyDefinition(
            name=name,
            title=self._text(table, "title", "the study", SENTENCE_CHARS_MAX, needed=False) or name,
            levels=self._levels(table.get("levels")),
            arms=arms,
            consent=self._consent(table.get("consent")),
            questions=self._questions(table.get("question", [])),
            metrics=self._metrics(table.get("metrics", list(METRICS))),
            alpha=alpha,
            tutorial=self._flag(table, "tutorial", True),
            hints=self._flag(table, "hints", False),
            minutes=self._whole(table, "minutes", 0, MINUTES_MAX),
            block=block,
            seed=self._whole(table, "seed", 0, SEED_MAX),
            completion_code=self._text(table, "completion_code", "the study", 60, needed=False),
            retention_days=self._whole(table, "retention_days", 0, RETENTION_DAYS_MAX),
            rules=self._rules(table.get("rules", {})),
        )

    def _levels(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value or not all(isinstance(level, str) for level in value):
            self.problems.append('levels: name at least one level, such as levels = ["multiply", "cube"] (idg levels lists them)')
            return ()
        if len(value) > LEVELS_MAX:
            self.problems.append(f"levels: there are {len(value)}, and a study may have {LEVELS_MAX}")
        for level in sorted({level for level in value if value.count(level) > 1}):
            self.problems.append(f"levels: {level!r} is named twice")
        for level in value:
            if self.known_levels and level not in self.known_levels:
                self.problems.append(f"levels: there is no level {level!r} (idg levels lists them)")
        return tuple(value)

    def _arms(self, value: object) -> tuple[StudyArm, ...]:
        if not isinstance(value, list) or len(value) != ARMS or not all(isinstance(arm, dict) for arm in value):
            self.problems.append("arm: a study compares two arms; write [[arm]] twice, each with name, variant and share")
            return ()
        arms = []
        for number, table in enumerate(value, 1):
            where = f"arm {number}"
            self._known(table, {"name", "variant", "share"}, where)
            name = self._text(table, "name", where, 40)
            if name and not NAME.fullmatch(name):
                self.problems.append(f"{where}: {name!r} is not a name; use letters, digits, '_' and '-'")
            variant = self._choice(table, "variant", ("code", "trace"), where)
            share = self._whole(table, "share", 1, SHARE_MAX, where, least=1)
            arms.append(StudyArm(name, cast(ArmVariant, variant), share))
        if arms[0].name and arms[0].name == arms[1].name:
            self.problems.append(f"arm: both arms are called {arms[0].name!r}")
        return tuple(arms)

    def _consent(self, value: object) -> ConsentText:
        if not isinstance(value, dict):
            self.problems.append("consent: write [consent] with a version and the text that participants agree to")
            return ConsentText("", "")
        self._known(value, {"version", "text"}, "consent")
        version = self._text(value, "version", "consent", 40)
        return ConsentText(version, self._text(value, "text", "consent", TEXT_CHARS_MAX).strip())

    def _questions(self, value: object) -> tuple[DefinedQuestion, ...]:
        if not isinstance(value, list) or not all(isinstance(question, dict) for question in value):
            self.problems.append("question: write [[question]] for each, with id, text and kind")
            return ()
        if len(value) > QUESTIONS_MAX:
            self.problems.append(f"question: there are {len(value)}, and a study may have {QUESTIONS_MAX}")
        questions = [self._question(table, number) for number, table in enumerate(value, 1)]
        ids = [question.id for question in questions]
        for id in sorted({id for id in ids if ids.count(id) > 1}):
            self.problems.append(f"question: the id {id!r} is used twice")
        return tuple(questions)

    def _question(self, table: dict[str, Any], number: int) -> DefinedQuestion:
        where = f"question {number}"
        self._known(table, {"id", "text", "kind", "choices", "when"}, where)
        id = self._text(table, "id", where, 40)
        if id and not NAME.fullmatch(id):
            self.problems.append(f"{where}: {id!r} is not an id; use letters, digits, '_' and '-'")
        kind = self._choice(table, "kind", ("scale", "choice", "text"), where)
        choices = table.get("choices", [])
        is_list = isinstance(choices, list) and all(isinstance(choice, str) and choice for choice in choices)
        if kind == "choice" and (not is_list or not 2 <= len(choices) <= CHOICES_MAX):
            self.problems.append(f"{where}: a question of the kind 'choice' needs 2 to {CHOICES_MAX} choices, each a text")
        elif kind in ("scale", "text") and choices:
            self.problems.append(f"{where}: only a question of the kind 'choice' has choices")
        when = self._choice(table, "when", ("start", "end"), where, "end")
        return DefinedQuestion(
            id,
            self._text(table, "text", where, SENTENCE_CHARS_MAX),
            cast(QuestionKind, kind),
            tuple(choices) if is_list else (),
            cast(QuestionTime, when),
        )

    def _metrics(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value or not all(metric in METRICS for metric in value):
            self.problems.append(f"metrics: a list of some of {', '.join(METRICS)}")
            return ()
        return tuple(metric for metric in METRICS if metric in value)

    def _rules(self, value: object) -> StudyRules:
        if not isinstance(value, dict):
            self.problems.append("rules: write [rules] with, for instance, gap_seconds = 300")
            return StudyRules()
        self._known(value, set(StudyRules.__match_args__), "rules")
        usual = StudyRules()
        given: dict[str, Any] = {}
        for name, (least, most) in _RULE_RANGES.items():
            given[name] = self._number(value, name, getattr(usual, name), least, most, "rules")
        for name, choices in _RULE_CHOICES.items():
            given[name] = self._choice(value, name, choices, "rules", getattr(usual, name))
        if given["gap_counts_seconds"] > given["gap_seconds"]:
            self.problems.append("rules: gap_counts_seconds must not be larger than gap_seconds")
        return StudyRules(**given)

    # single values

    def _known(self, table: Mapping[str, object], names: set[str], where: str) -> None:
        for name in table:
            if name not in names:
                near = ", ".join(sorted(names))
                self.problems.append(f"{where}: {name!r} is not known here; known are {near}")

    def _text(self, table: Mapping[str, object], name: str, where: str, most: int, needed: bool = True) -> str:
        value = table.get(name, "")
        if not isinstance(value, str) or (needed and not value.strip()):
            self.problems.append(f"{where}: {name} is missing; it is a text")
            return ""
        if len(value) > most:
            self.problems.append(f"{where}: {name} has {len(value)} characters, and may have {most}")
        return value

    def _choice(
        self, table: Mapping[str, object], name: str, choices: tuple[str, ...], where: str, otherwise: str | None = None
    ) -> str:
        value = table.get(name, otherwise)
        if value not in choices:
            self.problems.append(f"{where}: {name} has to be one of {', '.join(choices)}")
            return choices[0]
        return value

    def _flag(self, table: Mapping[str, object], name: str, otherwise: bool) -> bool:
        value = table.get(name, otherwise)
        if not isinstance(value, bool):
            self.problems.append(f"the study: {name} has to be true or false")
            return otherwise
        return value

    def _number(
        self, table: Mapping[str, object], name: str, otherwise: float, least: float, most: float, where: str = "the study"
    ) -> float:
        value = table.get(name, otherwise)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            self.problems.append(f"{where}: {name} has to be a number from {least:g} to {most:g}")
            return otherwise
        return float(value)

    def _whole(
        self, table: Mapping[str, object], name: str, otherwise: int, most: int, where: str = "the study", least: int = 0
    ) -> int:
        value = table.get(name, otherwise)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.problems.append(f"{where}: {name} has to be a whole number from {least} to {most}")
            return otherwise
        return value
