"""Studies: enrolling, arms, finishing and withdrawing. The server decides about arms, once, and remembers it."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence

from idg.coordinator.bounds.client_logs import store_logs
from idg.coordinator.codes import new_code
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.players.players import Players
from idg.coordinator.pool.json_text import dumps
from idg.coordinator.store import NewLog, ParticipantRow, PlayerRow, Store, StudyRecord
from idg.engine.wire.studies import LevelProgress, ParticipantAnswer, StudyAnswer, StudyQuestion
from idg.sip.record import Record
from idg.study.arms import assigned_arm
from idg.study.definition import SCALE_POINTS, DefinedQuestion, StudyArm, StudyDefinition, read_definition
from idg.study.texts import STORED

PLAYER_PREFIX = "study-"
"""The first letters of the ids of players who take part in a study, so that nobody else's request needs a look into the store."""
PARTICIPANTS_KEPT = 5_000
"""How many participants are remembered."""
DAY_SECONDS = 24 * 3600
"""How many seconds a day has."""
ANSWER_CHARS_MAX = 1_000
"""How many characters a free answer may have."""
GONE_ID_BYTES = 9
"""How many random bytes the id has that is left of somebody who withdrew."""


class Participation(Record):
    """A participant and what the study says of them."""

    participant: ParticipantRow
    definition: StudyDefinition
    arm: StudyArm

    @property
    def until(self) -> float | None:
        minutes = self.definition.minutes
        return self.participant.time + 60 * minutes if minutes else None


class Studies:
    def __init__(self, store: Store, players: Players, clock: Callable[[], float]) -> None:
        self.store = store
        self.players = players
        self.clock = clock
        self.progress_of: Callable[[Participation], Awaitable[tuple[LevelProgress, ...]]] = _nothing_yet
        """How far somebody is with each level. The coordinator sets it."""
        self._definitions: dict[str, StudyDefinition] = {}
        """Text of a definition → what it says. Definitions of opened studies do not change."""
        self._participants: OrderedDict[str, ParticipantRow] = OrderedDict()

    async def _study(self, name: str) -> tuple[StudyRecord, StudyDefinition]:
        record = await self.store.study(name)
        if record is None:
            raise not_found("study")
        if record.definition not in self._definitions:
            self._definitions[record.definition] = read_definition(record.definition)
        return record, self._definitions[record.definition]

    async def view(self, name: str) -> StudyAnswer:
        record, study = await self._study(name)
        return StudyAnswer(
            study=study.name,
            title=study.title,
            open=record.closed is None,
            consent=study.consent.text,
            consent_version=study.consent.version,
            stored=STORED,
            minutes=study.minutes,
            retention_days=study.retention_days,
        )

    async def enrol(
        self, name: str, pid: str, consent: str, caller: PlayerRow | None, address: str
    ) -> tuple[ParticipantAnswer, str | None]:
        """What the participant sees, and the token of the new player; no token where the caller takes part already."""
        record, study = await self._study(name)
        own = None if caller is None else await self.store.participant(caller.id)
        if own is not None and (own.study, own.pid) == (name, pid):
            return await self.me(own.player, name), None
        if record.closed is not None:
            raise ApiError("study-closed", "this study is closed: nobody else can begin")
        if consent != study.consent.version:
            raise ApiError("bad-request", "the text has changed; read it again and agree to the new one", field="consent")
        player, token = await self.players.create(None, False, address, PLAYER_PREFIX)
        seed, now = study.seed, self.clock()
        row = await self.store.enrol(name, pid, player.id, seed, consent, now, lambda number: assigned_arm(study, number))
        if row is None or row.player != player.id:
            await self.players.forget(token)
            if row is None:
                raise ApiError("study-closed", "this study is closed: nobody else can begin")
            hint = "go on in the browser in which you began"
            raise ApiError("takes-part-already", "somebody with this id takes part already", hint=hint)
        body = {"consent": consent, "arm": row.arm, "seed": seed}
        await store_logs(self.store, self.players.quotas, player.id, "", [NewLog(now, "enrolled", dumps(body))])
        return await self.me(player.id, name), token

    async def participation(self, player: str) -> Participation | None:
        """What a player takes part in; None for everybody else."""
        row = self._participants.get(player)
        if row is None:
            row = await self.store.participant(player)
            if row is None:
                return None
            self._keep(row)
        _, study = await self._study(row.study)
        arm = study.arm(row.arm)
        assert arm is not None, "arms are assigned from the definition"
        return Participation(row, study, arm)

    def _keep(self, row: ParticipantRow) -> None:
        self._participants[row.player] = row
        self._participants.move_to_end(row.player)
        if len(self._participants) > PARTICIPANTS_KEPT:
            self._participants.popitem(last=False)

    async def of_caller(self, player: str, name: str) -> Participation:
        """ApiError where the player does not take part in this study."""
        taking_part = await self.participation(player)
        if taking_part is None or taking_part.participant.study != name:
            raise ApiError("not-in-study", "you do not take part in this study")
        return taking_part

    async def me(self, player: str, name: str) -> ParticipantAnswer:
        taking_part = await self.of_caller(player, name)
        row, study, arm = taking_part.participant, taking_part.definition, taking_part.arm
        known = await self.store.player(player)
        questions = tuple(StudyQuestion(asked.id, asked.text, asked.kind, asked.choices, asked.when) for asked in study.questions)
        return ParticipantAnswer(
            study=study.name,
            title=study.title,
            player=player,
            name="" if known is None else known.name,
            variant=arm.variant,
            levels=study.levels if arm.variant == "code" else (),
            level_count=len(study.levels),
            tutorial=study.tutorial,
            hints=study.hints,
            until=taking_part.until,
            questions=questions,
            progress=await self.progress_of(taking_part),
            time=self.clock(),
            finished=row.finished is not None,
            code=row.code,
        )

    async def background(self, player: str, session: str, name: str, answers: Mapping[str, str | int]) -> ParticipantAnswer:
        """Stores the answers to the questions at the beginning. Where they come twice, the report takes the first."""
        taking_part = await self.of_caller(player, name)
        _check_answers(taking_part.definition.asked("start"), answers)
        await store_logs(
            self.store, self.players.quotas, player, session, [NewLog(self.clock(), "background", dumps(dict(answers)))]
        )
        return await self.me(player, name)

    async def finish(self, player: str, session: str, name: str, answers: Mapping[str, str | int]) -> ParticipantAnswer:
        """Stores the answers to the questions at the end and gives the completion code. The first answers count."""
        taking_part = await self.of_caller(player, name)
        study = taking_part.definition
        _check_answers(study.asked("end"), answers)
        if taking_part.participant.finished is None:
            now = self.clock()
            await store_logs(self.store, self.players.quotas, player, session, [NewLog(now, "answer", dumps(dict(answers)))])
            row = await self.store.finish(player, study.completion_code or new_code(), now)
            if row is not None:
                self._keep(row)
        return await self.me(player, name)

    async def withdraw(self, player: str, name: str) -> list[str]:
        """Deletes what is stored about a participant; returns the ids of their rooms, which are gone."""
        await self.of_caller(player, name)
        return await self._forget(player)

    async def _forget(self, player: str) -> list[str]:
        rooms = await self.store.forget_participant(player, f"gone-{secrets.token_urlsafe(GONE_ID_BYTES)}", self.clock())
        self._participants.pop(player, None)
        self.players.forget_all()
        return rooms

    async def expire(self) -> list[str]:
        """Deletes what is older than its study keeps it; returns the ids of the rooms that are gone."""
        gone: list[str] = []
        for record in await self.store.all_studies():
            _, study = await self._study(record.name)
            if not study.retention_days:
                continue
            for row in await self.store.participants_of(record.name):
                last = max(row.time, row.finished or 0.0)
                if row.withdrawn is None and last < self.clock() - study.retention_days * DAY_SECONDS:
                    gone += await self._forget(row.player)
        return gone


async def _nothing_yet(taking_part: Participation) -> tuple[LevelProgress, ...]:
    return tuple(LevelProgress(False, False) for _ in taking_part.definition.levels)


def _check_answers(questions: Sequence[DefinedQuestion], answers: Mapping[str, str | int]) -> None:
    """ApiError where something is no answer to one of these questions."""
    asked = {question.id: question for question in questions}
    for id, value in answers.items():
        if id not in asked or not _fits(asked[id], value):
            raise ApiError("bad-request", f"this is no answer to the question {id!r}", field=f"answers.{id}")


def _fits(question: DefinedQuestion, value: str | int) -> bool:
    match question.kind:
        case "scale":
            return isinstance(value, int) and 1 <= value <= SCALE_POINTS
        case "choice":
            return value in question.choices
        case "text":
            return isinstance(value, str) and len(value) <= ANSWER_CHARS_MAX
