"""From a launch into a class: the course becomes a class, a teacher teaches it, and a learner is a student of it.

A launch mostly happens inside of a frame, where browsers keep no cookies. It therefore ends with a ticket that is good once and for
some minutes: the page that it opens stands alone, says who comes into which class, and becomes that player when asked to.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from idg.coordinator.classes.assignments import Assignments
from idg.coordinator.classes.classes import (
    CLASS_ID_BYTES,
    SECRET_BYTES,
    STUDENT_PREFIX,
    STUDENTS_MAX,
    TEACHERS_MAX,
    Classes,
    in_class,
)
from idg.coordinator.classes.roster import name_key
from idg.coordinator.classes.told import ClassTicket, ListedMembers
from idg.coordinator.codes import new_code, new_token
from idg.coordinator.errors import ApiError
from idg.coordinator.lti.launches import Launch, is_learning
from idg.coordinator.lti.refusals import LaunchRefused
from idg.coordinator.lti.services import CourseMember
from idg.coordinator.players.players import TOKEN_BYTES, Players, hashed
from idg.coordinator.store import PlayerRow, Store, UnitRefused
from idg.coordinator.store.class_records import ClassRow, StudentRow
from idg.coordinator.store.lti_records import CourseRow, LinkRow
from idg.coordinator.store.records import CodeTaken
from idg.coordinator.web.models import NAME_CHARS_MAX, TITLE_CHARS_MAX
from idg.sip.record import Record

TICKET_SECONDS = 300
"""How long a ticket can be used."""
TICKET_BYTES = 24
"""How many random bytes a ticket has."""
LINKS_MAX = 500
"""How many activities of a platform may lead into one class."""
SPARE_CHARS = 5
"""How many characters a name leaves for a number, which is added where two people have the same name."""
NO_NAME = "Student"
"""The name of somebody whose name the platform does not tell; a number is added."""


class ClassArrival(Record):
    """Somebody who may come into a class."""

    player: PlayerRow
    school_class: ClassRow


def shown_name(told: str) -> str:
    """A name as we can show it: without what cannot be seen, and not too long."""
    visible = "".join(sign if unicodedata.category(sign)[0] not in "CZ" else " " for sign in told)
    return " ".join(visible.split())[: NAME_CHARS_MAX - SPARE_CHARS].strip() or NO_NAME


class Arriving:
    def __init__(
        self, store: Store, players: Players, classes: Classes, assignments: Assignments, clock: Callable[[], float]
    ) -> None:
        self.store = store
        self.players = players
        self.classes = classes
        self.assignments = assignments
        self.clock = clock

    async def arrive(self, launch: Launch, address: str) -> ClassArrival:
        """The player and the class of a launch; both are made where they do not exist yet."""
        course = await self.store.course(launch.platform.name, launch.deployment, launch.context)
        if launch.teacher:
            player = await self._teacher(launch, address)
            if course is None:
                course = await self._new_course(launch, player)
            await in_class(self.store.add_teacher(course.class_id, player.id, self.clock(), TEACHERS_MAX))
        elif course is None:
            raise LaunchRefused("not-open", "no teacher of the course has been here yet")
        else:
            player = await self._student(course, launch, address)
        if launch.members_url is not None and launch.members_url != course.members_url:
            await self.store.change_members_url(course.class_id, launch.members_url)
        await self._remember_link(course, launch)
        row = await self.store.school_class(course.class_id)
        assert row is not None, "a course refers to its class"
        return ClassArrival(player, row)

    async def _teacher(self, launch: Launch, address: str) -> PlayerRow:
        """A teacher is one player for all courses of a platform, so that all their classes are in one list."""
        name = launch.platform.name
        known = await self.store.lti_teacher(name, launch.subject)
        if known is None:
            made, token = await self.players.create(shown_name(launch.name), False, address)
            await self.players.forget(token)
            try:
                known = await self.store.put_lti_teacher(name, launch.subject, made.id)
            except UnitRefused:
                # Another coordinator has stored the same teacher at this moment.
                known = await self.store.lti_teacher(name, launch.subject)
        player = None if known is None else await self.store.player(known)
        assert player is not None, "a teacher refers to a player"
        return player

    async def _new_course(self, launch: Launch, teacher: PlayerRow) -> CourseRow:
        title = shown_title(launch.title)
        while True:
            row = ClassRow(*(new_token(CLASS_ID_BYTES), title, new_code(), hashed(new_token(SECRET_BYTES))), "roster", self.clock())
            try:
                await self.store.put_class(row, teacher.id)
            except CodeTaken:
                continue
            break
        course = CourseRow(row.id, launch.platform.name, launch.deployment, launch.context, launch.members_url)
        try:
            await self.store.put_course(course)
        except UnitRefused:
            # Another teacher has come from the same course at this moment.
            await self.store.delete_class(row.id, self.clock())
            known = await self.store.course(launch.platform.name, launch.deployment, launch.context)
            assert known is not None, "it was in the way"
            return known
        return course

    async def _student(self, course: CourseRow, launch: Launch, address: str) -> PlayerRow:
        student = await self.store.lti_student(course.class_id, launch.subject)
        if student is None:
            await self._add(course, [(launch.subject, launch.name)])
            student = await self.store.lti_student(course.class_id, launch.subject)
            assert student is not None, "it was just stored"
        if student.player is None:
            student = await self._join(student, address)
        player = await self.store.player(str(student.player))
        assert player is not None, "a student refers to a player"
        return player

    async def _join(self, student: StudentRow, address: str) -> StudentRow:
        """A player for somebody who comes for the first time."""
        made, token = await self.players.create(student.name, False, address, STUDENT_PREFIX)
        await self.players.forget(token)
        # Nobody knows this personal code. The teacher can make another one, for a device without the platform.
        place = self.store.take_place(student.class_id, student.number, made.id, hashed(new_token(TOKEN_BYTES)), self.clock())
        joined = await in_class(place)
        if joined is None:
            raise LaunchRefused("not-open", "the student was deleted at this moment")
        return joined

    async def _add(self, course: CourseRow, people: list[tuple[str, str]]) -> int:
        named = [(subject, shown_name(name)) for subject, name in people]
        rows = [(subject, name, name_key(name)) for subject, name in named]
        self.classes.quotas.totals.require("class_students")
        added = await in_class(self.store.add_lti_students(course.class_id, rows, STUDENTS_MAX))
        self.classes.quotas.totals.grow("class_students", added, 0)
        return added

    async def _remember_link(self, course: CourseRow, launch: Launch) -> None:
        """Which assignment the activity is, and where its scores go, as far as the launch says so."""
        if launch.link is None:
            return
        known = await self.store.link(course.class_id, launch.link)
        assignment = launch.assignment if known is None else known.assignment
        if assignment is None:
            return
        if all(row.row.number != assignment for row in await self.assignments.of_class(course.class_id)):
            return
        before = (None, None) if known is None else (known.item_url, known.items_url)
        wanted = LinkRow(course.class_id, launch.link, assignment, launch.item_url or before[0], launch.items_url or before[1])
        if wanted != known:
            await in_class(self.store.put_link(wanted, LINKS_MAX))

    async def ticket(self, arrival: ClassArrival) -> str:
        """A ticket with which a page that stands alone can become the player, once."""
        ticket = new_token(TICKET_BYTES)
        self.classes.quotas.totals.require("tokens")
        expires = self.clock() + TICKET_SECONDS
        await self.store.put_token(arrival.player.id, hashed(ticket), "code", expires, self.clock())
        return ticket

    async def look_at(self, ticket: str, class_id: str) -> ClassTicket:
        """Who comes into which class with this ticket, which is not used up by looking."""
        player = await self.store.player_of_code(hashed(ticket), self.clock())
        return await self._ticket(player, class_id)

    async def enter(self, ticket: str, class_id: str) -> tuple[ClassTicket, PlayerRow, str]:
        """The player whose ticket it is, and a new token for this browser."""
        entered = await self.look_at(ticket, class_id)
        player = await self.store.take_code(hashed(ticket), self.clock())
        if player is None:
            raise _wrong_ticket()
        token = new_token(TOKEN_BYTES)
        await self.store.put_token(player.id, hashed(token), "bearer", None, self.clock())
        self.classes.quotas.stored("tokens", player.id, 1, 0)
        return entered, player, token

    async def _ticket(self, player: PlayerRow | None, class_id: str) -> ClassTicket:
        row = None if player is None else await self.store.school_class(class_id)
        if player is None or row is None:
            raise _wrong_ticket()
        if await self.store.teaches(class_id, player.id):
            return ClassTicket(class_id, row.title, "teacher", player.name)
        student = await self.store.student_of_player(player.id)
        if student is None or student.class_id != class_id:
            raise _wrong_ticket()
        return ClassTicket(class_id, row.title, "student", student.name)

    async def add_members(self, course: CourseRow, members: list[CourseMember]) -> ListedMembers:
        """Makes the learners of a course students of its class; those who are known stay as they are."""
        learners = [(member.subject, member.name) for member in members if member.active and is_learning(member.roles)]
        added = await self._add(course, learners) if learners else 0
        return ListedMembers(added, len(learners) - added, len(members) - len(learners))


def shown_title(told: str) -> str:
    visible = "".join(sign if unicodedata.category(sign)[0] != "C" else " " for sign in told)
    return " ".join(visible.split())[:TITLE_CHARS_MAX].strip() or "A course"


def _wrong_ticket() -> ApiError:
    hint = "open the activity in your learning platform again"
    return ApiError("wrong-code", "this link was used already, or is too old", hint=hint)
