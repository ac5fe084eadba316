"""Units of work on learning platforms (LTI 1.3): who they are, what they know of classes, and scores to be sent to them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Insert, bindparam, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from idg.coordinator.store.class_records import ClassFull, StudentRow
from idg.coordinator.store.lti_records import CourseRow, LinkRow, PlatformRow
from idg.coordinator.store.records import PlayerRow, UnitRefused
from idg.coordinator.store.schema import (
    class_students,
    lti_courses,
    lti_links,
    lti_platforms,
    lti_students,
    lti_teachers,
    lti_used,
    players,
    secrets,
    tokens,
)
from idg.coordinator.store.topics.classes import lock_class, student, students_of
from idg.coordinator.store.units import fields

_USE: dict[str, Insert] = {
    "sqlite": sqlite.insert(lti_used).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(lti_used).on_conflict_do_nothing(),
}
_OWNER = (
    select(players)
    .join(tokens, tokens.c.player == players.c.id)
    .where(tokens.c.hash == bindparam("by_hash"), tokens.c.kind == "code", tokens.c.expires > bindparam("now"))
)


# Platforms and our own keys


def put_platform(connection: Connection, row: PlatformRow) -> None:
    """A new platform, or new values for one of this name. UnitRefused where another one has its issuer and client id."""
    known = connection.execute(select(lti_platforms.c.name).where(lti_platforms.c.name == row.name)).first()
    try:
        if known is None:
            connection.execute(insert(lti_platforms), fields(row))
        else:
            connection.execute(update(lti_platforms).where(lti_platforms.c.name == row.name).values(**fields(row)))
    except IntegrityError as error:
        raise UnitRefused("another platform has this issuer and this client id") from error


def platforms(connection: Connection) -> list[PlatformRow]:
    return [PlatformRow(*row) for row in connection.execute(select(lti_platforms).order_by(lti_platforms.c.name))]


def delete_platform(connection: Connection, name: str) -> bool:
    """False where there is none. UnitRefused while a class belongs to one of its courses."""
    if connection.execute(select(lti_courses.c.class_id).where(lti_courses.c.platform == name)).first() is not None:
        raise UnitRefused("classes belong to courses of this platform; they have to be deleted first")
    connection.execute(delete(lti_teachers).where(lti_teachers.c.platform == name))
    return connection.execute(delete(lti_platforms).where(lti_platforms.c.name == name)).rowcount > 0


def replace_secret(connection: Connection, name: str, value: str) -> None:
    connection.execute(update(secrets).where(secrets.c.name == name).values(value=value))


# What is good for one use


def use_once(connection: Connection, nonce: str, expires: float, now: float) -> bool:
    """False where it was used before. Those that have expired are forgotten."""
    connection.execute(delete(lti_used).where(lti_used.c.expires < now))
    return connection.execute(_USE[connection.dialect.name], {"nonce": nonce, "expires": expires}).rowcount > 0


def player_of_code(connection: Connection, code_hash: str, now: float) -> PlayerRow | None:
    """Whose code for one use it is. It is not used up by that."""
    row = connection.execute(_OWNER, {"by_hash": code_hash, "now": now}).first()
    return PlayerRow(*row) if row else None


# Courses


def course(connection: Connection, platform: str, deployment: str, context: str) -> CourseRow | None:
    key = (lti_courses.c.platform == platform, lti_courses.c.deployment == deployment, lti_courses.c.context == context)
    row = connection.execute(select(lti_courses).where(*key)).first()
    return CourseRow(*row) if row else None


def course_of_class(connection: Connection, class_id: str) -> CourseRow | None:
    row = connection.execute(select(lti_courses).where(lti_courses.c.class_id == class_id)).first()
    return CourseRow(*row) if row else None


def put_course(connection: Connection, row: CourseRow) -> None:
    """UnitRefused where another class belongs to the course."""
    try:
        connection.execute(insert(lti_courses), fields(row))
    except IntegrityError as error:
        raise UnitRefused("another class belongs to this course") from error


def change_members_url(connection: Connection, class_id: str, url: str) -> None:
    connection.execute(update(lti_courses).where(lti_courses.c.class_id == class_id).values(members_url=url))


# People


def lti_teacher(connection: Connection, platform: str, subject: str) -> str | None:
    """The player who somebody of the platform is as a teacher."""
    player: str | None = connection.execute(
        select(lti_teachers.c.player).where(lti_teachers.c.platform == platform, lti_teachers.c.subject == subject)
    ).scalar()
    return player


def put_lti_teacher(connection: Connection, platform: str, subject: str, player: str) -> str:
    """Returns the player who is this teacher: another one where a launch at the same moment was quicker."""
    known = lti_teacher(connection, platform, subject)
    if known is not None:
        return known
    connection.execute(insert(lti_teachers), {"platform": platform, "subject": subject, "player": player})
    return player


def lti_student(connection: Connection, class_id: str, subject: str) -> StudentRow | None:
    number = connection.execute(
        select(lti_students.c.student).where(lti_students.c.class_id == class_id, lti_students.c.subject == subject)
    ).scalar()
    return None if number is None else student(connection, class_id, number)


def subjects_of(connection: Connection, class_id: str) -> dict[int, str]:
    """Number of a student → who that is at the platform."""
    rows = connection.execute(select(lti_students.c.student, lti_students.c.subject).where(lti_students.c.class_id == class_id))
    return {row.student: row.subject for row in rows}


def add_lti_students(connection: Connection, class_id: str, people: Sequence[tuple[str, str, str]], students_max: int) -> int:
    """Adds people (subject, name, key of the name) who are not in the class yet; returns how many.

    Two people may have the same name: a number is added to that of the second. A name of the teacher's list that nobody has taken
    becomes that person.
    """
    lock_class(connection, class_id)
    known = students_of(connection, class_id)
    subjects = subjects_of(connection, class_id)
    known_subjects = set(subjects.values())
    free = {row.name_key: row.number for row in known if row.player is None and row.number not in subjects}
    keys = {row.name_key for row in known}
    number, added = max((row.number for row in known), default=0), 0
    for subject, name, key in people:
        if subject in known_subjects:
            continue
        known_subjects.add(subject)
        added += 1
        place = free.pop(key, None)
        if place is None:
            if len(keys) >= students_max:
                raise ClassFull(f"a class has {students_max} students at most")
            copies = 1
            while (numbered := key if copies == 1 else f"{key} {copies}") in keys:
                copies += 1
            keys.add(numbered)
            place = number = number + 1
            shown = name if copies == 1 else f"{name} {copies}"
            connection.execute(insert(class_students), fields(StudentRow(class_id, place, shown, numbered, None, None, None)))
        connection.execute(insert(lti_students), {"class_id": class_id, "subject": subject, "student": place})
    return added


def take_place(connection: Connection, class_id: str, number: int, player: str, code: str, time: float) -> StudentRow | None:
    """The student, who has joined now with this player; with the earlier one where they had joined already."""
    lock_class(connection, class_id)
    row = student(connection, class_id, number)
    if row is None or row.player is not None:
        return row
    connection.execute(
        update(class_students)
        .where(class_students.c.class_id == class_id, class_students.c.number == number)
        .values(player=player, code=code, time=time)
    )
    return student(connection, class_id, number)


# Assignments


def link(connection: Connection, class_id: str, link: str) -> LinkRow | None:
    row = connection.execute(select(lti_links).where(lti_links.c.class_id == class_id, lti_links.c.link == link)).first()
    return LinkRow(*row) if row else None


def links_of(connection: Connection, class_id: str, assignment: int) -> list[LinkRow]:
    conditions = (lti_links.c.class_id == class_id, lti_links.c.assignment == assignment)
    return [LinkRow(*row) for row in connection.execute(select(lti_links).where(*conditions).order_by(lti_links.c.link))]


def put_link(connection: Connection, row: LinkRow, links_max: int) -> None:
    """Stores a link in place of an earlier one with its id; ClassFull where there are too many."""
    lock_class(connection, row.class_id, even_archived=True)
    connection.execute(delete(lti_links).where(lti_links.c.class_id == row.class_id, lti_links.c.link == row.link))
    if len(connection.execute(select(lti_links.c.link).where(lti_links.c.class_id == row.class_id)).all()) >= links_max:
        raise ClassFull(f"{links_max} activities of the platform lead into this class already")
    connection.execute(insert(lti_links), fields(row))
