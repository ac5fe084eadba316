"""Units of work on studies and their participants."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, bindparam, func, insert, select, update

from idg.coordinator.store.records import ParticipantRow, StudyRecord
from idg.coordinator.store.schema import logs, participants, studies
from idg.coordinator.store.topics.forgetting import forget_player

_STUDY = select(studies).where(studies.c.name == bindparam("by_name"))
_LOCK = select(studies.c.closed).where(studies.c.name == bindparam("by_name")).with_for_update()
_COUNT = select(func.count()).select_from(participants).where(participants.c.study == bindparam("of_study"))
_BY_PID = select(participants).where(participants.c.study == bindparam("of_study"), participants.c.pid == bindparam("by_pid"))
_BY_PLAYER = select(participants).where(participants.c.player == bindparam("by_player"))
_OF_STUDY = select(participants).where(participants.c.study == bindparam("of_study")).order_by(participants.c.number)
_FINISH = (
    update(participants)
    .where(participants.c.player == bindparam("by_player"), participants.c.finished.is_(None))
    .values(finished=bindparam("at_time"), code=bindparam("new_code"))
)
_FORGET = (
    update(participants)
    .where(participants.c.player == bindparam("by_player"))
    .values(pid=None, player=bindparam("new_player"), code=None, withdrawn=bindparam("at_time"))
)


def put_study(connection: Connection, study: StudyRecord) -> StudyRecord:
    """Stores a study, or opens one again that has the same definition; returns the stored one, which may differ."""
    row = connection.execute(_STUDY, {"by_name": study.name}).first()
    if row is None:
        connection.execute(insert(studies), {name: getattr(study, name) for name in study.__match_args__})
        return study
    if row.definition == study.definition:
        connection.execute(update(studies).where(studies.c.name == study.name).values(closed=None))
    return StudyRecord(*connection.execute(_STUDY, {"by_name": study.name}).one())


def study(connection: Connection, name: str) -> StudyRecord | None:
    row = connection.execute(_STUDY, {"by_name": name}).first()
    return StudyRecord(*row) if row else None


def all_studies(connection: Connection) -> list[StudyRecord]:
    return [StudyRecord(*row) for row in connection.execute(select(studies).order_by(studies.c.name))]


def close_study(connection: Connection, name: str, time: float) -> bool:
    """Lets nobody else begin; false where there is no such study."""
    return connection.execute(update(studies).where(studies.c.name == name).values(closed=time)).rowcount > 0


def enrol(
    connection: Connection, study: str, pid: str, player: str, seed: int, consent: str, time: float, arm_of: Callable[[int], str]
) -> ParticipantRow | None:
    """A new participant, in the arm that `arm_of` says for how many came before; the old one where the id has taken part already.
    None where the study is closed. Nobody else enrols meanwhile, because the row of the study is locked."""
    row = connection.execute(_LOCK, {"by_name": study}).first()
    if row is None:
        return None
    known = connection.execute(_BY_PID, {"of_study": study, "by_pid": pid}).first()
    if known is not None:
        return ParticipantRow(*known)
    if row.closed is not None:
        return None
    number = connection.execute(_COUNT, {"of_study": study}).scalar_one()
    new = ParticipantRow(study, number + 1, pid, player, arm_of(number), seed, consent, time)
    connection.execute(insert(participants), {name: getattr(new, name) for name in new.__match_args__})
    return new


def participant(connection: Connection, player: str) -> ParticipantRow | None:
    row = connection.execute(_BY_PLAYER, {"by_player": player}).first()
    return ParticipantRow(*row) if row else None


def participants_of(connection: Connection, study: str) -> list[ParticipantRow]:
    return [ParticipantRow(*row) for row in connection.execute(_OF_STUDY, {"of_study": study})]


def finish(connection: Connection, player: str, code: str, time: float) -> ParticipantRow | None:
    """The participant with a completion code; the one that was given first stays."""
    connection.execute(_FINISH, {"by_player": player, "new_code": code, "at_time": time})
    return participant(connection, player)


def forget_participant(connection: Connection, player: str, new_player: str, time: float) -> list[str]:
    """Deletes what is stored about a participant: rooms with their events, logs, tokens, the player, and the id of the link. The
    number and the arm stay, so that it is known how many left which arm. Returns the ids of the deleted rooms. Of two requests that
    come together, the second one finds nothing to delete."""
    gone = forget_player(connection, player, time)
    if not connection.execute(_FORGET, {"by_player": player, "new_player": new_player, "at_time": time}).rowcount:
        return gone
    connection.execute(insert(logs), {"player": new_player, "session": "", "time": time, "kind": "withdrawn", "body": "{}"})
    return gone
