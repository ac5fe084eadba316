"""Classes: making and changing them, who may do what in them, and how students join and come back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from idg.coordinator.bounds.quotas import Quotas
from idg.coordinator.classes.roster import name_key, read_roster
from idg.coordinator.classes.told import (
    Assignment,
    AttendedClass,
    ClassEntrance,
    ClassList,
    ClassMessage,
    ClassStudent,
    JoinedClass,
    PersonalCode,
    RosterAdded,
    TaughtClass,
)
from idg.coordinator.codes import new_code, new_token
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.players.players import TOKEN_BYTES, Players, hashed
from idg.coordinator.store import PlayerRow, Store
from idg.coordinator.store.class_records import (
    ClassEnded,
    ClassFull,
    ClassRow,
    Joining,
    MessageKind,
    MessageRow,
    NameTaken,
    NotOnRoster,
    StudentRow,
)
from idg.coordinator.store.records import CodeTaken
from idg.sip.record import Record, replace

STUDENT_PREFIX = "class-"
"""The first letters of the ids of players who were made for students of a class. Requests of others need no look at classes."""
CLASS_ID_BYTES = 9
"""How many random bytes the id of a class has."""
SECRET_BYTES = 24
"""How many random bytes stand in the link for teachers."""
STUDENTS_MAX = 300
"""How many students a class may have, names of the list included."""
TEACHERS_MAX = 20
"""How many players may teach a class: teachers, and their devices."""
MESSAGES_MAX = 500
"""How many messages may be sent in a class."""
MESSAGES_TOLD = 50
"""How many messages are told, the newest ones."""

T = TypeVar("T")


class Attending(Record):
    """A student of a class, and the class."""

    school_class: ClassRow
    student: StudentRow


def archived_error() -> ApiError:
    return ApiError("class-archived", "this class is archived: nothing in it can be changed")


async def in_class(work: Awaitable[T]) -> T:
    """The result of a unit of work on a class; ApiError where the class refuses it."""
    try:
        return await work
    except ClassEnded:
        raise archived_error() from None
    except ClassFull as error:
        raise ApiError("class-full", str(error)) from None
    except NameTaken:
        hint = "whoever joined with it comes back with the personal code; the teacher can make a new one"
        raise ApiError("name-taken", "somebody in this class has this name already", hint=hint, field="name") from None
    except NotOnRoster:
        hint = "write it as your teacher has written it"
        raise ApiError("not-on-roster", "this name is not on the list of the class", hint=hint, field="name") from None


class Classes:
    def __init__(self, store: Store, players: Players, quotas: Quotas, by_teachers: bool, clock: Callable[[], float]) -> None:
        """`by_teachers`: only teachers whom the person who runs the server has made may make classes."""
        self.store = store
        self.players = players
        self.quotas = quotas
        self.by_teachers = by_teachers
        self.clock = clock

    # Roles. Every route of a class asks one of these two, and nothing else decides.

    async def taught(self, class_id: str, player: str) -> ClassRow:
        """The class, for one who teaches it. For its students there is an error of its own; for all others it does not exist."""
        row = await self.store.school_class(class_id)
        if row is not None and await self.store.teaches(class_id, player):
            return row
        student = None if row is None else await self._student(player)
        if student is not None and student.class_id == class_id:
            raise ApiError("not-teacher", "only the teacher of the class may do this")
        raise not_found("class")

    async def attended(self, class_id: str, player: str) -> Attending:
        """The class and the student, for one who is in it; for all others it does not exist."""
        student = await self._student(player)
        row = await self.store.school_class(class_id)
        if student is None or row is None or student.class_id != class_id:
            raise not_found("class")
        return Attending(row, student)

    async def _student(self, player: str) -> StudentRow | None:
        """The student for whom a player was made; asked of the store only where the id says that it was."""
        return await self.store.student_of_player(player) if player.startswith(STUDENT_PREFIX) else None

    async def require_hints(self, player: str, program: str, level: str | None) -> None:
        """ApiError where an open assignment of a student wants the program proved without hints."""
        if not player.startswith(STUDENT_PREFIX):
            return
        title = await self.store.assignment_without_hints(player, program, level, self.clock())
        if title is not None:
            raise ApiError("no-hint", f"in the assignment '{title}' there are no hints")

    # For everybody

    async def of_player(self, player: str) -> ClassList:
        taught = [
            AttendedClass(row.id, row.title, row.archived is not None, "teacher", "")
            for row in await self.store.classes_taught(player)
        ]
        student = await self._student(player)
        row = None if student is None else await self.store.school_class(student.class_id)
        if student is not None and row is not None:
            taught.append(AttendedClass(row.id, row.title, row.archived is not None, "student", student.name))
        return ClassList(tuple(taught))

    async def make(self, title: str, joining: Joining, player: PlayerRow, address: str) -> tuple[ClassRow, str]:
        """A new class, and what stands in the link for teachers."""
        if self.by_teachers and not await self.store.is_teacher(player.id):
            hint = "ask the person who runs this server to make you a teacher, and come back with your code"
            raise ApiError("not-teacher", "on this server only teachers make classes", hint=hint)
        self.quotas.new_class(address, player.id)
        secret = new_token(SECRET_BYTES)
        while True:
            row = ClassRow(new_token(CLASS_ID_BYTES), title, new_code(), hashed(secret), joining, self.clock())
            try:
                await self.store.put_class(row, player.id)
            except CodeTaken:
                continue
            return row, secret

    async def teach(self, secret: str, player: PlayerRow) -> ClassRow:
        """Makes the player a teacher of the class whose link it is."""
        row = await self.store.class_by_secret(hashed(secret))
        if row is None:
            raise ApiError("wrong-code", "this link for teachers is not known, or a newer one has taken its place")
        await in_class(self.store.add_teacher(row.id, player.id, self.clock(), TEACHERS_MAX))
        return row

    async def entrance(self, code: str) -> ClassEntrance:
        """Where a code leads; ApiError where it leads nowhere."""
        wanted = code.strip().upper()
        if await self._comer(wanted) is not None:
            return ClassEntrance("personal", "", None)
        if await self.store.room_by_code(wanted) is not None:
            return ClassEntrance("room", "", None)
        row = await self._by_code(wanted)
        return ClassEntrance("class", row.title, row.joining)

    async def _comer(self, code: str) -> PlayerRow | None:
        """Whose personal code it is: a student's, or a teacher's whom the person who runs the server has made."""
        key = hashed(code)
        student = await self.store.student_by_code(key)
        return await self.store.teacher_by_code(key) if student is None else await self.store.player(str(student.player))

    async def _by_code(self, code: str) -> ClassRow:
        row = await self.store.class_by_code(code.strip().upper())
        if row is None:
            raise ApiError("wrong-code", "there is no class and no room with this code", hint="ask for it again")
        if row.archived is not None:
            raise archived_error()
        return row

    async def join(self, code: str, name: str, caller: PlayerRow | None, address: str) -> JoinedClass:
        """A new student, with a player of their own, so that what is done for the class is apart from everything else."""
        row = await self._by_code(code)
        key = name_key(name)
        own = None if caller is None else await self._student(caller.id)
        if own is not None and (own.class_id, own.name_key) == (row.id, key):
            return JoinedClass(row.id, row.title, own.number, own.name, str(own.player), None, None)
        player, token = await self.players.create(name, False, address, STUDENT_PREFIX)
        personal = new_code()
        try:
            student = await in_class(
                self.store.join_class(row.id, name, key, player.id, hashed(personal), self.clock(), STUDENTS_MAX)
            )
        except ApiError:
            await self.players.forget(token)
            raise
        if student.name != name:
            await self.players.rename(player, student.name)
        return JoinedClass(row.id, row.title, student.number, student.name, player.id, token, personal)

    async def come_back(self, code: str) -> tuple[PlayerRow, str]:
        """The student or teacher of the server who has this personal code, and a new token."""
        player = await self._comer(code.strip().upper())
        if player is None:
            hint = "your teacher can make a new one"
            raise ApiError("wrong-code", "this personal code is not known", hint=hint)
        token = new_token(TOKEN_BYTES)
        self.quotas.totals.require("tokens")
        await self.store.put_token(player.id, hashed(token), "bearer", None, self.clock())
        self.quotas.stored("tokens", player.id, 1, 0)
        return player, token

    async def new_teacher(self, name: str) -> PersonalCode:
        """A teacher, made by the person who runs the server."""
        player, token = await self.players.create(name, False)
        code = new_code()
        await self.store.put_teacher(player.id, hashed(code), self.clock())
        await self.players.forget(token)
        return PersonalCode(name, code)

    # For the teacher of a class

    async def view(self, row: ClassRow, assignments: tuple[Assignment, ...], secret: str | None = None) -> TaughtClass:
        students = await self.store.students_of(row.id)
        messages = await self.store.messages_of(row.id, None, MESSAGES_TOLD)
        course = await self.store.course_of_class(row.id)
        return TaughtClass(
            class_id=row.id,
            title=row.title,
            code=row.code,
            joining=row.joining,
            created=row.time,
            archived=row.archived is not None,
            secret=secret,
            students=tuple(map(class_student, students)),
            assignments=assignments,
            messages=tuple(map(class_message, messages)),
            platform=None if course is None else course.platform,
        )

    async def change(self, row: ClassRow, title: str | None, joining: Joining | None, archived: bool | None) -> ClassRow:
        changes: dict[str, object] = {}
        if title is not None:
            changes["title"] = title
        if joining is not None:
            changes["joining"] = joining
        if archived is not None:
            changes["archived"] = (row.archived or self.clock()) if archived else None
        if row.archived is not None and archived is not False:
            raise archived_error()
        return await self._changed(row, changes)

    async def _changed(self, row: ClassRow, changes: Mapping[str, object]) -> ClassRow:
        changed = await self.store.change_class(row.id, changes)
        if changed is None:
            raise not_found("class")
        return changed

    async def new_links(self, row: ClassRow, player: str) -> tuple[ClassRow, str]:
        """A new code for students and a new link for teachers. The old ones end, and nobody but the caller teaches the class."""
        secret = new_token(SECRET_BYTES)
        while True:
            try:
                changed = await self._changed(row, {"code": new_code(), "secret": hashed(secret)})
            except CodeTaken:
                continue
            await self.store.keep_one_teacher(row.id, player)
            return changed, secret

    async def add_roster(self, row: ClassRow, csv: str) -> RosterAdded:
        names = read_roster(csv)
        self.quotas.totals.require("class_students")
        added = await in_class(self.store.add_names(row.id, names, STUDENTS_MAX))
        self.quotas.totals.grow("class_students", added, 0)
        return RosterAdded(added, len(names) - added)

    async def student(self, row: ClassRow, number: int) -> StudentRow:
        student = await self.store.student(row.id, number)
        if student is None:
            raise not_found("student")
        return student

    async def new_personal_code(self, row: ClassRow, number: int) -> PersonalCode:
        student = await self.student(row, number)
        if student.player is None:
            raise ApiError("not-joined", "nobody has joined with this name yet", hint="the code of the class is enough for that")
        code = new_code()
        await in_class(self.store.change_student(row.id, number, {"code": hashed(code)}))
        return PersonalCode(student.name, code)

    async def rename(self, row: ClassRow, number: int, name: str) -> ClassStudent:
        student = await self.student(row, number)
        changed = await in_class(self.store.change_student(row.id, number, {"name": name, "name_key": name_key(name)}))
        if student.player is not None:
            player = await self.store.player(student.player)
            if player is not None:
                await self.players.rename(player, name)
        return class_student(replace(student, name=name) if changed is None else changed)

    async def remove(self, row: ClassRow, number: int) -> list[str]:
        """Deletes a student with everything they did; returns the rooms that are gone."""
        await self.student(row, number)
        gone = await self.store.delete_student(row.id, number, self.clock())
        self.players.forget_all()
        return gone

    async def delete(self, row: ClassRow) -> list[str]:
        """Deletes the class with everything in it; returns the rooms that are gone.

        Each student is a unit of work, because everybody else's moves wait to be written meanwhile. Where that is interrupted, the
        class is archived and has fewer students, and can be deleted again."""
        if row.archived is None:
            await self._changed(row, {"archived": self.clock()})
        gone: list[str] = []
        for student in await self.store.students_of(row.id):
            gone += await self.store.delete_student(row.id, student.number, self.clock())
        gone += await self.store.delete_class(row.id, self.clock())
        self.players.forget_all()
        return gone

    async def send(self, row: ClassRow, student: int | None, kind: MessageKind, text: str, code: str | None) -> ClassMessage:
        """A hint or an invitation into a room, to one student or to all."""
        if student is not None:
            await self.student(row, student)
        if kind == "invitation" and (code is None or await self.store.room_by_code(code.upper()) is None):
            raise ApiError("wrong-code", "there is no room with this code", field="code")
        if kind == "hint" and (code is not None or not text.strip()):
            raise ApiError("bad-request", "a hint has a text and no code of a room", field="text")
        self.quotas.totals.require("class_messages")
        message = MessageRow(0, row.id, student, kind, text, None if code is None else code.upper(), self.clock())
        stored = await in_class(self.store.put_message(message, MESSAGES_MAX))
        self.quotas.totals.grow("class_messages", 1, len(text))
        return class_message(stored)


def class_student(row: StudentRow) -> ClassStudent:
    return ClassStudent(row.number, row.name, row.time)


def class_message(row: MessageRow) -> ClassMessage:
    return ClassMessage(row.id, row.kind, row.text, row.code, row.time, row.student)
