"""The store: everything that the coordinator keeps, in SQLite or PostgreSQL.

Times are seconds since the epoch, given by the caller. Bodies, states and answers are JSON texts that the store does not read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError

from idg.coordinator.store.databases.writer import SqliteRunner
from idg.coordinator.store.faults import FaultLog, StoreCheck
from idg.coordinator.store.migrate import migrate, touch
from idg.coordinator.store.records import PlayerDeleted, StoreError, StoreUnavailable, UnitRefused
from idg.coordinator.store.topics import catalog, classes, history, leases, lti, lti_scores, people, pruning, rooms, studies
from idg.coordinator.store.units import Conflict, Runner, Unit
from idg.needs import require

P = ParamSpec("P")
T = TypeVar("T")
Method = Callable[Concatenate["Store", P], Coroutine[Any, Any, T]]
MISSING = "23503"
"""The SQL state of a row that refers to another one that is not there."""


def reads(unit: Callable[Concatenate[Connection, P], T]) -> Method[P, T]:
    """The method of `Store` that runs this unit of work, which changes nothing."""

    @wraps(unit)
    async def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.read(lambda connection: unit(connection, *args, **kwargs))

    return method


def writes(unit: Callable[Concatenate[Connection, P], T]) -> Method[P, T]:
    """The method of `Store` that runs this unit of work; what it changed is on disk when the method returns."""

    @wraps(unit)
    async def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.write(lambda connection: unit(connection, *args, **kwargs))

    return method


def _refused(error: IntegrityError) -> UnitRefused:
    """A unit that breaks a rule of the database, with the reason that the database gives. It names the rule, as schema.py does."""
    is_about_player = getattr(error.orig, "sqlstate", None) == MISSING and '_in_players"' in str(error.orig)
    return (PlayerDeleted if is_about_player else UnitRefused)(f"the database refused this: {error.orig}")


class Store:
    """Every method is one unit of work: it happens as a whole or not at all.

    A method takes the arguments of its unit, without the connection. For example, `await store.program(hash)` runs the unit
    `catalog.program`. What a method does is said there.
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._faults = FaultLog()
        self._check = StoreCheck(self.touch)

    @classmethod
    async def open(cls, url: str) -> Store:
        """Opens `sqlite:////folder/idg.db`, a bare path, or `postgresql://user@host/database`, migrated to the newest schema."""
        runner = await asyncio.to_thread(_runner, url, asyncio.get_running_loop())
        try:
            await runner.write(migrate)
        except BaseException:
            await runner.close()
            raise
        return cls(runner)

    @property
    def is_on_one_machine(self) -> bool:
        """Whether the database is a file, so that all who use it run on this machine."""
        return isinstance(self._runner, SqliteRunner)

    @property
    def has_ids_in_order(self) -> bool:
        """Whether what is stored later has higher ids. With several writers, ids are given before the commit."""
        return isinstance(self._runner, SqliteRunner)

    async def close(self) -> None:
        await self._runner.close()

    async def write(self, unit: Unit[T]) -> T:
        """Runs a unit that changes something; UnitRefused where it breaks a rule of the database."""
        try:
            result = await self._runner.write(unit)
        except StoreUnavailable as error:
            self._faults.failed(error, writing=True)
            raise
        except Conflict as conflict:
            # What was in the way is stored for good (events are append-only), so it can be looked for now.
            await self.read(conflict.explain)
            raise _refused(conflict.error) from conflict.error
        except IntegrityError as error:
            raise _refused(error) from error
        if self._faults.failing:
            self._faults.worked(writing=True)
        return result

    async def read(self, unit: Unit[T]) -> T:
        """Runs a unit that changes nothing."""
        try:
            result = await self._runner.read(unit)
        except StoreUnavailable as error:
            self._faults.failed(error, writing=False)
            raise
        if self._faults.failing:
            self._faults.worked(writing=False)
        return result

    async def problem(self) -> str:
        """What is wrong with the database, found out by writing to it; empty where it works."""
        return await self._check.problem()

    # Programs
    put_program = writes(catalog.put_program)
    program = reads(catalog.program)

    # Players
    new_player = writes(people.new_player)
    player = reads(people.player)
    player_by_token = reads(people.player_by_token)
    rename = writes(people.rename)
    put_token = writes(people.put_token)
    take_code = writes(people.take_code)
    drop_token = writes(people.drop_token)

    # Rooms
    create_room = writes(rooms.create_room)
    room = reads(rooms.room)
    room_by_code = reads(rooms.room_by_code)
    set_code = writes(rooms.set_code)
    rooms_of = reads(rooms.rooms_of)
    members = reads(rooms.members_of)
    is_member = reads(rooms.is_member)
    join = writes(rooms.join)
    leave = writes(rooms.leave)
    heads = reads(rooms.heads)

    # Events
    append = writes(rooms.append)
    judge = writes(rooms.judge)
    judge_again = writes(rooms.judge_again)
    propose_and_judge = writes(rooms.propose_and_judge)
    events = reads(history.events_after)
    event = reads(history.event)
    event_by_request = reads(history.event_by_request)
    answer_to = reads(history.answer_to)
    last_of_kind = reads(history.last_of_kind)
    unanswered = reads(history.unanswered)
    events_of_player = reads(history.events_of_player)
    events_of_program = reads(history.events_of_program)
    all_events = reads(history.all_events)

    # Studies
    put_study = writes(studies.put_study)
    study = reads(studies.study)
    all_studies = reads(studies.all_studies)
    close_study = writes(studies.close_study)
    enrol = writes(studies.enrol)
    participant = reads(studies.participant)
    participants_of = reads(studies.participants_of)
    finish = writes(studies.finish)
    forget_participant = writes(studies.forget_participant)

    # Classes
    put_class = writes(classes.put_class)
    change_class = writes(classes.change_class)
    school_class = reads(classes.school_class)
    class_by_code = reads(classes.class_by_code)
    class_by_secret = reads(classes.class_by_secret)
    classes_taught = reads(classes.classes_taught)
    teaches = reads(classes.teaches)
    add_teacher = writes(classes.add_teacher)
    keep_one_teacher = writes(classes.keep_one_teacher)
    put_teacher = writes(classes.put_teacher)
    is_teacher = reads(classes.is_teacher)
    teacher_by_code = reads(classes.teacher_by_code)
    change_teacher_code = writes(classes.change_teacher_code)
    remove_teacher = writes(classes.remove_teacher)
    all_teachers = reads(classes.all_teachers)
    students_of = reads(classes.students_of)
    student = reads(classes.student)
    student_of_player = reads(classes.student_of_player)
    student_by_code = reads(classes.student_by_code)
    add_names = writes(classes.add_names)
    join_class = writes(classes.join_class)
    change_student = writes(classes.change_student)
    delete_student = writes(classes.delete_student)
    delete_class = writes(classes.delete_class)
    assignments_of = reads(classes.assignments_of)
    put_assignment = writes(classes.put_assignment)
    delete_assignment = writes(classes.delete_assignment)
    assignment_without_hints = reads(classes.assignment_without_hints)
    class_rooms = reads(classes.class_rooms)
    put_hand_ins = writes(classes.put_hand_ins)
    hand_ins_of = reads(classes.hand_ins_of)
    put_message = writes(classes.put_message)
    messages_of = reads(classes.messages_of)

    # Learning platforms
    put_platform = writes(lti.put_platform)
    platforms = reads(lti.platforms)
    delete_platform = writes(lti.delete_platform)
    replace_secret = writes(lti.replace_secret)
    use_once = writes(lti.use_once)
    player_of_code = reads(lti.player_of_code)
    course = reads(lti.course)
    course_of_class = reads(lti.course_of_class)
    put_course = writes(lti.put_course)
    change_members_url = writes(lti.change_members_url)
    lti_teacher = reads(lti.lti_teacher)
    put_lti_teacher = writes(lti.put_lti_teacher)
    lti_student = reads(lti.lti_student)
    subjects_of = reads(lti.subjects_of)
    add_lti_students = writes(lti.add_lti_students)
    take_place = writes(lti.take_place)
    link = reads(lti.link)
    links_of = reads(lti.links_of)
    put_link = writes(lti.put_link)
    put_scores = writes(lti_scores.put_scores)
    are_scores_due = reads(lti_scores.are_scores_due)
    take_scores = writes(lti_scores.take_scores)
    sent_score = writes(lti_scores.sent_score)
    failed_score = writes(lti_scores.failed_score)
    scores_waiting = reads(lti_scores.scores_waiting)

    # Coordinators
    beat = writes(leases.beat)
    coordinators_known = reads(leases.coordinators_known)
    forget_coordinators = writes(leases.forget_coordinators)

    # Deleting what nobody uses
    idle_rooms = reads(pruning.idle_rooms)
    count_unused = reads(pruning.count_unused)
    delete_room = writes(pruning.delete_room)
    delete_unused_programs = writes(pruning.delete_unused_programs)
    delete_idle_players = writes(pruning.delete_idle_players)
    drop_expired = writes(pruning.drop_expired)

    # Verdicts, secrets and logs
    secret = writes(catalog.secret)
    secret_if_there = reads(catalog.secret_if_there)
    verdict = reads(catalog.verdict)
    verdict_keys = reads(catalog.verdict_keys)
    put_verdicts = writes(catalog.put_verdicts)
    forget_verdicts = writes(catalog.forget_verdicts)
    forget_oldest_verdicts = writes(catalog.forget_oldest_verdicts)
    sizes = reads(catalog.sizes)
    put_logs = writes(catalog.put_logs)
    logs_of = reads(catalog.logs_of)
    all_logs = reads(catalog.all_logs)
    counts = reads(catalog.counts)
    touch = writes(touch)


def _runner(url: str, loop: asyncio.AbstractEventLoop) -> Runner:
    if "://" not in url:
        return _sqlite_runner(Path(url).expanduser(), loop)
    try:
        address = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(f"this is no address of a database: {error}") from error
    if address.drivername == "sqlite" and address.database not in (None, "", ":memory:"):
        return _sqlite_runner(Path(str(address.database)), loop)
    if address.drivername in ("postgresql", "postgres"):
        require("postgres", "a PostgreSQL database")
        # Imported here, because asyncpg and SQLAlchemy's engine for asyncio are needed for PostgreSQL only.
        from idg.coordinator.store.databases.postgres import PostgresRunner

        return PostgresRunner(_for_asyncpg(address))
    raise StoreError(
        f"a database of the kind {address.drivername!r} was named; expected a path, sqlite:////folder/idg.db, "
        "or postgresql://user@host/database"
    )


def _for_asyncpg(url: URL) -> URL:
    """The address as asyncpg reads it: asyncpg says `ssl` where libpq says `sslmode`."""
    query = {("ssl" if name == "sslmode" else name): value for name, value in url.query.items()}
    return url.set(drivername="postgresql+asyncpg", query=query)


def _sqlite_runner(path: Path, loop: asyncio.AbstractEventLoop) -> Runner:
    if not path.parent.is_dir():
        raise StoreError(f"the folder {path.parent} for the database does not exist; make it, or name another one")
    try:
        return SqliteRunner(path, loop)
    except DBAPIError as error:
        raise StoreError(f"{path} cannot be opened as a database: {error.orig}") from error
