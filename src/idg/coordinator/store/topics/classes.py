"""Units of work on classes: teachers, students, assignments, hand-ins and messages.

Whatever gives numbers in a class begins by locking the row of the class, so that two of them are never the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from idg.coordinator.store.class_records import (
    AssignmentRow,
    ClassEnded,
    ClassFull,
    ClassRoom,
    ClassRow,
    HandInRow,
    ItemRow,
    MessageRow,
    NameTaken,
    NotOnRoster,
    StudentRow,
)
from idg.coordinator.store.records import CodeTaken, PlayerRow, ProgramRow, RoomOutline
from idg.coordinator.store.schema import (
    assigned_items,
    assignments,
    class_messages,
    class_students,
    class_teachers,
    classes,
    hand_ins,
    lti_courses,
    lti_links,
    lti_scores,
    lti_students,
    members,
    players,
    rooms,
    teachers,
)
from idg.coordinator.store.topics.catalog import put_program
from idg.coordinator.store.topics.forgetting import forget_player
from idg.coordinator.store.topics.lti_scores import put_scores
from idg.coordinator.store.topics.rooms import outlined
from idg.coordinator.store.units import fields
from idg.sip.record import replace

ROOMS_MAX = 10_000
"""How many rooms of a class are looked at, the newest ones."""

_CLASS = select(classes).where(classes.c.id == bindparam("by_id"))
_LOCK = select(classes.c.archived).where(classes.c.id == bindparam("by_id")).with_for_update()
_STUDENTS = select(class_students).where(class_students.c.class_id == bindparam("in_class")).order_by(class_students.c.number)
_STUDENT = select(class_students).where(
    class_students.c.class_id == bindparam("in_class"), class_students.c.number == bindparam("numbered")
)
_BY_PLAYER = select(class_students).where(class_students.c.player == bindparam("by_player"))
_BY_CODE = select(class_students).where(class_students.c.code == bindparam("by_code"))
_IS_TEACHER = (
    select(func.count())
    .select_from(class_teachers)
    .where(class_teachers.c.class_id == bindparam("in_class"), class_teachers.c.player == bindparam("by_player"))
)
_TAUGHT = (
    select(classes)
    .join(class_teachers, class_teachers.c.class_id == classes.c.id)
    .where(class_teachers.c.player == bindparam("by_player"))
    .order_by(classes.c.time.desc(), classes.c.id)
)
_ITEMS = (
    select(assigned_items)
    .where(assigned_items.c.class_id == bindparam("in_class"))
    .order_by(assigned_items.c.assignment, assigned_items.c.number)
)
_NO_HINTS = (
    select(assignments.c.title)
    .join(
        assigned_items,
        (assigned_items.c.class_id == assignments.c.class_id) & (assigned_items.c.assignment == assignments.c.number),
    )
    .join(class_students, class_students.c.class_id == assignments.c.class_id)
    .join(classes, classes.c.id == assignments.c.class_id)
    .where(
        class_students.c.player == bindparam("by_player"),
        or_(assigned_items.c.program == bindparam("of_program"), assigned_items.c.level == bindparam("of_level")),
        assignments.c.hints.is_(False),
        classes.c.archived.is_(None),
        or_(assignments.c.opens.is_(None), assignments.c.opens <= bindparam("now")),
        or_(assignments.c.due.is_(None), assignments.c.due > bindparam("now")),
    )
    .limit(1)
)
"""An open assignment without hints, one of them."""
_owner = class_students.alias("owner")
_there = members.alias("there")
_MEMBERS_OF = select(func.count()).select_from(_there).where(_there.c.room == rooms.c.id).correlate(rooms).scalar_subquery()


def lock_class(connection: Connection, class_id: str, even_archived: bool = False) -> None:
    """Nobody else changes the class until this unit has ended; ClassEnded where nothing may be changed."""
    row = connection.execute(_LOCK, {"by_id": class_id}).first()
    if row is None or (row.archived is not None and not even_archived):
        raise ClassEnded("the class is archived or deleted")


# Classes and who teaches them


def put_class(connection: Connection, row: ClassRow, teacher: str) -> None:
    """A new class; CodeTaken where another one has its code."""
    try:
        connection.execute(insert(classes), fields(row))
    except IntegrityError as error:
        raise CodeTaken(row.code) from error
    connection.execute(insert(class_teachers), {"class_id": row.id, "player": teacher, "time": row.time})


def change_class(connection: Connection, class_id: str, changes: Mapping[str, object]) -> ClassRow | None:
    """The class after these columns were changed; None where it is gone. CodeTaken where another one has its code."""
    if changes:
        try:
            connection.execute(update(classes).where(classes.c.id == class_id).values(**changes))
        except IntegrityError as error:
            raise CodeTaken(str(changes.get("code", ""))) from error
    return school_class(connection, class_id)


def school_class(connection: Connection, class_id: str) -> ClassRow | None:
    row = connection.execute(_CLASS, {"by_id": class_id}).first()
    return ClassRow(*row) if row else None


def class_by_code(connection: Connection, code: str) -> ClassRow | None:
    row = connection.execute(select(classes).where(classes.c.code == code)).first()
    return ClassRow(*row) if row else None


def class_by_secret(connection: Connection, secret: str) -> ClassRow | None:
    """The class whose link for teachers has a secret with this hash."""
    row = connection.execute(select(classes).where(classes.c.secret == secret)).first()
    return ClassRow(*row) if row else None


def classes_taught(connection: Connection, player: str) -> list[ClassRow]:
    return [ClassRow(*row) for row in connection.execute(_TAUGHT, {"by_player": player})]


def teaches(connection: Connection, class_id: str, player: str) -> bool:
    return bool(connection.execute(_IS_TEACHER, {"in_class": class_id, "by_player": player}).scalar_one())


def add_teacher(connection: Connection, class_id: str, player: str, time: float, teachers_max: int) -> None:
    """ClassFull where as many players teach the class as may."""
    lock_class(connection, class_id, even_archived=True)
    if teaches(connection, class_id, player):
        return
    taught_by = connection.execute(
        select(func.count()).select_from(class_teachers).where(class_teachers.c.class_id == class_id)
    ).scalar_one()
    if taught_by >= teachers_max:
        raise ClassFull(f"{taught_by} devices teach this class already")
    connection.execute(insert(class_teachers), {"class_id": class_id, "player": player, "time": time})


def keep_one_teacher(connection: Connection, class_id: str, player: str) -> None:
    """Nobody else teaches the class from now on."""
    connection.execute(delete(class_teachers).where(class_teachers.c.class_id == class_id, class_teachers.c.player != player))


def put_teacher(connection: Connection, player: str, code: str, time: float) -> None:
    connection.execute(insert(teachers), {"player": player, "code": code, "time": time})


def is_teacher(connection: Connection, player: str) -> bool:
    return connection.execute(select(teachers.c.player).where(teachers.c.player == player)).first() is not None


def change_teacher_code(connection: Connection, player: str, code: str) -> bool:
    """False where the player is no teacher whom the person who runs the server has made."""
    return connection.execute(update(teachers).where(teachers.c.player == player).values(code=code)).rowcount > 0


def remove_teacher(connection: Connection, player: str) -> bool:
    """The player may make no more classes, and comes with no code any more; false where that was so before."""
    return connection.execute(delete(teachers).where(teachers.c.player == player)).rowcount > 0


def all_teachers(connection: Connection) -> list[tuple[PlayerRow, int]]:
    """Those whom the person who runs the server has made, each with how many classes they teach."""
    count = select(func.count()).select_from(class_teachers).where(class_teachers.c.player == players.c.id).scalar_subquery()
    query = select(players, count).join(teachers, teachers.c.player == players.c.id).order_by(players.c.name, players.c.id)
    return [(PlayerRow(*row[:-1]), row[-1]) for row in connection.execute(query)]


def teacher_by_code(connection: Connection, code: str) -> PlayerRow | None:
    row = connection.execute(
        select(players).join(teachers, teachers.c.player == players.c.id).where(teachers.c.code == code)
    ).first()
    return PlayerRow(*row) if row else None


# Students


def students_of(connection: Connection, class_id: str) -> list[StudentRow]:
    return [StudentRow(*row) for row in connection.execute(_STUDENTS, {"in_class": class_id})]


def student(connection: Connection, class_id: str, number: int) -> StudentRow | None:
    row = connection.execute(_STUDENT, {"in_class": class_id, "numbered": number}).first()
    return StudentRow(*row) if row else None


def student_of_player(connection: Connection, player: str) -> StudentRow | None:
    row = connection.execute(_BY_PLAYER, {"by_player": player}).first()
    return StudentRow(*row) if row else None


def student_by_code(connection: Connection, code: str) -> StudentRow | None:
    """The student whose personal code has this hash."""
    row = connection.execute(_BY_CODE, {"by_code": code}).first()
    return StudentRow(*row) if row else None


def add_names(connection: Connection, class_id: str, names: Sequence[tuple[str, str]], students_max: int) -> int:
    """Adds names with their keys to the list, except those that are there already; returns how many were added."""
    lock_class(connection, class_id)
    known = students_of(connection, class_id)
    keys = {row.name_key for row in known}
    new = {key: name for name, key in names if key not in keys}
    if len(known) + len(new) > students_max:
        raise ClassFull(f"a class has {students_max} students at most")
    number = max((row.number for row in known), default=0)
    rows = [
        fields(StudentRow(class_id, place, name, key, None, None, None))
        for place, (key, name) in enumerate(new.items(), number + 1)
    ]
    if rows:
        connection.execute(insert(class_students), rows)
    return len(rows)


def join_class(
    connection: Connection, class_id: str, name: str, key: str, player: str, code: str, time: float, students_max: int
) -> StudentRow:
    """Makes a player a student of a class: with a new name, or with one of the list that nobody has taken yet.

    NameTaken, NotOnRoster, ClassFull or ClassEnded where that is not possible.
    """
    lock_class(connection, class_id)
    known = students_of(connection, class_id)
    same = next((row for row in known if row.name_key == key), None)
    if same is not None:
        # Whoever the learning platform knows comes from there: a name alone does not show who somebody is.
        of_platform = (lti_students.c.class_id == class_id, lti_students.c.student == same.number)
        if same.player is not None or connection.execute(select(lti_students.c.subject).where(*of_platform)).first() is not None:
            raise NameTaken(name)
        connection.execute(
            update(class_students)
            .where(class_students.c.class_id == class_id, class_students.c.number == same.number)
            .values(player=player, code=code, time=time)
        )
        return StudentRow(class_id, same.number, same.name, key, player, code, time)
    row = school_class(connection, class_id)
    if row is None or row.joining == "roster":
        raise NotOnRoster(name)
    if len(known) >= students_max:
        raise ClassFull(f"a class has {students_max} students at most")
    new = StudentRow(class_id, max((row.number for row in known), default=0) + 1, name, key, player, code, time)
    connection.execute(insert(class_students), fields(new))
    return new


def change_student(connection: Connection, class_id: str, number: int, changes: Mapping[str, object]) -> StudentRow | None:
    """The student after these columns were changed. NameTaken where somebody else has the name."""
    lock_class(connection, class_id)
    key = changes.get("name_key")
    if any(row.name_key == key and row.number != number for row in students_of(connection, class_id)):
        raise NameTaken(str(changes.get("name", "")))
    connection.execute(
        update(class_students).where(class_students.c.class_id == class_id, class_students.c.number == number).values(**changes)
    )
    return student(connection, class_id, number)


def delete_student(connection: Connection, class_id: str, number: int, time: float) -> list[str]:
    """Deletes a student with everything that they did; returns the ids of the rooms that are gone."""
    row = student(connection, class_id, number)
    if row is None:
        return []
    for table in (hand_ins, class_messages, lti_scores, lti_students):
        connection.execute(delete(table).where(table.c.class_id == class_id, table.c.student == number))
    connection.execute(delete(class_students).where(class_students.c.class_id == class_id, class_students.c.number == number))
    if row.player is None:
        return []
    for table in (class_teachers, teachers):
        connection.execute(delete(table).where(table.c.player == row.player))
    return forget_player(connection, row.player, time)


def delete_class(connection: Connection, class_id: str, time: float) -> list[str]:
    """Deletes a class with its students and everything that they did; returns the ids of the rooms that are gone."""
    if connection.execute(_LOCK, {"by_id": class_id}).first() is None:
        return []
    gone: list[str] = []
    for row in students_of(connection, class_id):
        gone += delete_student(connection, class_id, row.number, time)
    for table in (class_messages, hand_ins, assigned_items, assignments, class_teachers, lti_scores, lti_links, lti_courses):
        connection.execute(delete(table).where(table.c.class_id == class_id))
    connection.execute(delete(classes).where(classes.c.id == class_id))
    return gone


# Assignments


def assignments_of(connection: Connection, class_id: str) -> list[tuple[AssignmentRow, list[ItemRow]]]:
    """The assignments of the class in the order of their numbers, each with its items."""
    items: dict[int, list[ItemRow]] = {}
    for row in connection.execute(_ITEMS, {"in_class": class_id}):
        items.setdefault(row.assignment, []).append(ItemRow(*row))
    rows = connection.execute(select(assignments).where(assignments.c.class_id == class_id).order_by(assignments.c.number))
    return [(AssignmentRow(*row), items.get(row.number, [])) for row in rows]


def put_assignment(
    connection: Connection,
    row: AssignmentRow,
    items: Sequence[ItemRow],
    programs: Sequence[ProgramRow],
    assignments_max: int,
    items_max: int,
) -> int:
    """A new assignment, or, where it has a number, a changed one; returns its number, 0 where there is none to change. Its programs
    are stored where they are not stored yet.

    The items of an assignment for which something was handed in stay what they are: ClassFull says so where they would change.
    """
    lock_class(connection, row.class_id)
    number = row.number
    in_class = assignments.c.class_id == row.class_id
    others = and_(assigned_items.c.class_id == row.class_id, assigned_items.c.assignment != number)
    if connection.execute(select(func.count()).where(others)).scalar_one() + len(items) > items_max:
        raise ClassFull(f"the assignments of a class have {items_max} levels at most")
    if number:
        if connection.execute(select(assignments.c.number).where(in_class, assignments.c.number == number)).first() is None:
            return 0
        _keep_handed_in(connection, row.class_id, number, items)
        connection.execute(
            delete(assigned_items).where(assigned_items.c.class_id == row.class_id, assigned_items.c.assignment == number)
        )
        changed = {name: value for name, value in fields(row).items() if name not in ("class_id", "number", "time")}
        connection.execute(update(assignments).where(in_class, assignments.c.number == number).values(**changed))
    else:
        count, last = connection.execute(select(func.count(), func.max(assignments.c.number)).where(in_class)).one()
        if count >= assignments_max:
            raise ClassFull(f"a class has {assignments_max} assignments at most")
        number = (last or 0) + 1
        connection.execute(insert(assignments), fields(row) | {"number": number})
    for program in programs:
        put_program(connection, program)
    connection.execute(insert(assigned_items), [fields(item) | {"assignment": number} for item in items])
    return number


def _keep_handed_in(connection: Connection, class_id: str, number: int, items: Sequence[ItemRow]) -> None:
    """ClassFull where an item changes that somebody has handed in, because certificates name it by its place."""
    handed_in = set(
        connection.execute(
            select(hand_ins.c.item).where(hand_ins.c.class_id == class_id, hand_ins.c.assignment == number)
        ).scalars()
    )
    new = {item.number: item.program for item in items}
    for row in connection.execute(_ITEMS, {"in_class": class_id}):
        if row.assignment == number and row.number in handed_in and new.get(row.number) != row.program:
            raise ClassFull(f"'{row.title}' was handed in already, so it stays where it is in this assignment")


def delete_assignment(connection: Connection, class_id: str, number: int) -> bool:
    """Deletes an assignment with what was handed in for it; false where there is none."""
    lock_class(connection, class_id)
    for table in (hand_ins, assigned_items, lti_links, lti_scores):
        connection.execute(delete(table).where(table.c.class_id == class_id, table.c.assignment == number))
    return (
        connection.execute(delete(assignments).where(assignments.c.class_id == class_id, assignments.c.number == number)).rowcount
        > 0
    )


def assignment_without_hints(connection: Connection, player: str, program: str, level: str | None, now: float) -> str | None:
    """The title of an open assignment of the student in which nobody gets hints about this program or this level. A level may have
    another program in a later version."""
    values = {"by_player": player, "of_program": program, "of_level": level, "now": now}
    title: str | None = connection.execute(_NO_HINTS, values).scalar()
    return title


# What students did


def class_rooms(connection: Connection, class_id: str) -> list[ClassRoom]:
    """The rooms of students and teachers of the class in which students are or were, newest first; one in which two of them are
    comes twice. A room of somebody else, whose code a student has, is not the class's to see."""
    query = (
        outlined(connection.dialect.name, class_students.c.number, rooms.c.last_event, _MEMBERS_OF)
        .select_from(rooms)
        .join(members, members.c.room == rooms.c.id)
        .join(class_students, class_students.c.player == members.c.player)
        .where(
            class_students.c.class_id == class_id,
            or_(
                rooms.c.owner.in_(select(_owner.c.player).where(_owner.c.class_id == class_id)),
                rooms.c.owner.in_(select(class_teachers.c.player).where(class_teachers.c.class_id == class_id)),
            ),
        )
        .order_by(rooms.c.time.desc(), rooms.c.id)
        .limit(ROOMS_MAX)
    )
    return [
        ClassRoom(number, last_event, count, RoomOutline(*outline))
        for number, last_event, count, *outline in connection.execute(query)
    ]


def put_hand_ins(connection: Connection, rows: Sequence[HandInRow]) -> list[HandInRow]:
    """Stores what was handed in, each in place of an earlier one; one that is late never replaces one that was in time, and none
    replaces one with more points, because in a pair the other one may hand in something else. Returns those that were stored."""
    if not rows:
        return []
    lock_class(connection, rows[0].class_id)
    stored = []
    for row in rows:
        key = (
            hand_ins.c.class_id == row.class_id,
            hand_ins.c.assignment == row.assignment,
            hand_ins.c.item == row.item,
            hand_ins.c.student == row.student,
        )
        before = connection.execute(select(hand_ins.c.late, hand_ins.c.points).where(*key)).first()
        if before is not None and ((row.late and not before.late) or (row.late == before.late and row.points < before.points)):
            continue
        connection.execute(delete(hand_ins).where(*key))
        connection.execute(insert(hand_ins), fields(row))
        stored.append(row)
    for assignment in sorted({row.assignment for row in stored}):
        students = sorted(row.student for row in stored if row.assignment == assignment)
        put_scores(connection, rows[0].class_id, assignment, students, rows[0].time)
    return stored


def hand_ins_of(connection: Connection, class_id: str, student: int | None = None) -> list[HandInRow]:
    query = select(hand_ins).where(hand_ins.c.class_id == class_id)
    if student is not None:
        query = query.where(hand_ins.c.student == student)
    query = query.order_by(hand_ins.c.assignment, hand_ins.c.item, hand_ins.c.student)
    return [HandInRow(*row) for row in connection.execute(query)]


def put_message(connection: Connection, row: MessageRow, messages_max: int) -> MessageRow:
    """Stores a message; its id is given by the database. ClassFull where there are too many."""
    lock_class(connection, row.class_id)
    count = connection.execute(
        select(func.count()).select_from(class_messages).where(class_messages.c.class_id == row.class_id)
    ).scalar_one()
    if count >= messages_max:
        raise ClassFull(f"{messages_max} messages were sent in this class, and there can be no more")
    values = {name: value for name, value in fields(row).items() if name != "id"}
    return replace(row, id=connection.execute(insert(class_messages).returning(class_messages.c.id), values).scalar_one())


def messages_of(connection: Connection, class_id: str, student: int | None, limit: int) -> list[MessageRow]:
    """The newest messages to a student, those to all among them; without a student, all of the class. Oldest first."""
    query = select(class_messages).where(class_messages.c.class_id == class_id)
    if student is not None:
        query = query.where(or_(class_messages.c.student == student, class_messages.c.student.is_(None)))
    rows = connection.execute(query.order_by(class_messages.c.id.desc()).limit(limit)).all()
    return [MessageRow(*row) for row in reversed(rows)]
