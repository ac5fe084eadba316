"""Units of work on scores that learning platforms have not been told yet (LTI 1.3)."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from idg.coordinator.store.lti_records import ScoreRow
from idg.coordinator.store.schema import lti_links, lti_scores
from idg.coordinator.store.units import fields


def put_scores(connection: Connection, class_id: str, assignment: int, students: list[int], due: float) -> int:
    """The platform is to be told what these students have for the assignment, if it is one of the platform's activities; returns
    how many scores that are."""
    linked = select(lti_links.c.link).where(lti_links.c.class_id == class_id, lti_links.c.assignment == assignment).limit(1)
    if connection.execute(linked).first() is None:
        return 0
    for student in students:
        _put_score(connection, class_id, assignment, student, due)
    return len(students)


def _put_score(connection: Connection, class_id: str, assignment: int, student: int, due: float) -> None:
    key = _score_key(class_id, assignment, student)
    known = connection.execute(select(lti_scores.c.version).where(*key).with_for_update()).scalar()
    if known is None:
        connection.execute(insert(lti_scores), fields(ScoreRow(class_id, assignment, student, 1, due, 0, "")))
    else:
        connection.execute(update(lti_scores).where(*key).values(version=known + 1, due=due, tries=0, problem=""))


def are_scores_due(connection: Connection, now: float) -> bool:
    return connection.execute(select(lti_scores.c.due).where(lti_scores.c.due <= now).limit(1)).first() is not None


def take_scores(connection: Connection, now: float, again: float, limit: int) -> list[ScoreRow]:
    """Scores that are due. They are due again at a later time, so that no other coordinator sends them meanwhile, and they are not
    lost when we end before they are sent."""
    chosen = select(lti_scores).where(lti_scores.c.due <= now).order_by(lti_scores.c.due).limit(limit)
    rows = [ScoreRow(*row) for row in connection.execute(chosen.with_for_update(skip_locked=True))]
    for row in rows:
        connection.execute(update(lti_scores).where(*_score_key(row.class_id, row.assignment, row.student)).values(due=again))
    return rows


def sent_score(connection: Connection, row: ScoreRow) -> None:
    """The platform knows the score; it stays to be sent where it was changed meanwhile."""
    key = _score_key(row.class_id, row.assignment, row.student)
    if not connection.execute(delete(lti_scores).where(*key, lti_scores.c.version == row.version)).rowcount:
        connection.execute(update(lti_scores).where(*key).values(due=row.due))


def failed_score(connection: Connection, row: ScoreRow, due: float | None, problem: str) -> None:
    key = (*_score_key(row.class_id, row.assignment, row.student), lti_scores.c.version == row.version)
    connection.execute(update(lti_scores).where(*key).values(due=due, tries=row.tries + 1, problem=problem))


def scores_waiting(connection: Connection, class_id: str | None = None) -> list[ScoreRow]:
    """Scores that platforms have not been told, of a class or of all."""
    query = select(lti_scores).order_by(lti_scores.c.class_id, lti_scores.c.assignment, lti_scores.c.student)
    if class_id is not None:
        query = query.where(lti_scores.c.class_id == class_id)
    return [ScoreRow(*row) for row in connection.execute(query)]


def _score_key(class_id: str, assignment: int, student: int) -> tuple[ColumnElement[bool], ...]:
    return (lti_scores.c.class_id == class_id, lti_scores.c.assignment == assignment, lti_scores.c.student == student)
