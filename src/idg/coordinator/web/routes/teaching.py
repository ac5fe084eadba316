"""The routes of classes for teachers. Each asks first whether the caller teaches the class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi.responses import StreamingResponse

from idg.coordinator.classes.gradebook import gradebook_csv
from idg.coordinator.classes.handing_in import of_item
from idg.coordinator.classes.told import (
    Assignment,
    Certificate,
    ClassMessage,
    ClassStudent,
    Gradebook,
    ListedMembers,
    PersonalCode,
    PlatformState,
    PooledFacts,
    RosterAdded,
    SentScores,
    StudentRooms,
    TaughtClass,
    WorkTable,
)
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.store.class_records import ClassRow, StudentRow
from idg.coordinator.web.answers import Empty, json_response, long_record_response, record_response
from idg.coordinator.web.describing.description import error_responses, told
from idg.coordinator.web.models import STUDENT_NUMBER_MAX, AssignmentBody, ChangedClass, NewMessage, Rename, Roster
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.caller import Calling, Coordinating
from idg.coordinator.web.routes.classes import AssignmentNumber, ClassId
from idg.coordinator.web.routes.play import EVENT_NUMBER_MAX, EVENTS_PAGE_MAX, RoomId, opened_text
from idg.engine.wire.events import EventPage
from idg.engine.wire.rooms import OpenedRoom
from idg.sip.record import replace

if TYPE_CHECKING:
    from idg.coordinator.lti.tool import LtiTool

router = APIRouter(prefix="/api/classes", tags=["teaching"], route_class=StrictRoute, responses=error_responses())
StudentNumber = Annotated[int, Path(ge=1, le=STUDENT_NUMBER_MAX, examples=[1])]


async def taught(class_id: ClassId, who: Calling, coordinator: Coordinating) -> ClassRow:
    """The class, for somebody who teaches it. No route of this module does anything before this was asked."""
    return await coordinator.school.classes.taught(class_id, who.player.id)


Taught = Annotated[ClassRow, Depends(taught)]


def _forget(coordinator: Coordinator, school_class: ClassRow, rooms: Sequence[str]) -> None:
    """Takes out of memory, here and at other coordinators, what was deleted."""
    coordinator.school.work.forget(school_class.id)
    for room in rooms:
        coordinator.open_rooms.is_used(room)
    coordinator.neighbours.deleted(rooms, with_players=True)


async def of_student(student: StudentNumber, school_class: Taught, coordinator: Coordinating) -> StudentRow:
    return await coordinator.school.classes.student(school_class, student)


OneStudent = Annotated[StudentRow, Depends(of_student)]


@router.get("/{class_id}", responses=told(TaughtClass), summary="A class that you teach")
async def view(school_class: Taught, coordinator: Coordinating) -> Response:
    return record_response(await coordinator.school.taught(school_class))


@router.patch("/{class_id}", responses=told(TaughtClass), summary="Change or archive a class")
async def change(school_class: Taught, body: ChangedClass, coordinator: Coordinating) -> Response:
    """What is null stays as it is. In an archived class nothing can be changed but that it is archived."""
    row = await coordinator.school.classes.change(school_class, body.title, body.joining, body.archived)
    return record_response(await coordinator.school.taught(row))


@router.delete("/{class_id}", responses=told(Empty), summary="Delete a class")
async def delete(school_class: Taught, coordinator: Coordinating) -> Response:
    """With its students, their rooms and everything that they did. It cannot be undone."""
    gone = await coordinator.school.classes.delete(school_class)
    _forget(coordinator, school_class, gone)
    return record_response(Empty())


@router.post("/{class_id}/links", responses=told(TaughtClass), summary="New code and new link")
async def new_links(school_class: Taught, who: Calling, coordinator: Coordinating) -> Response:
    """The old code for students and the old link for teachers end; students who have joined stay. Only the caller teaches the class
    until somebody has the new link."""
    row, secret = await coordinator.school.classes.new_links(school_class, who.player.id)
    return record_response(await coordinator.school.taught(row, secret))


@router.post("/{class_id}/roster", responses=told(RosterAdded), summary="Add a list of names")
async def roster(school_class: Taught, body: Roster, coordinator: Coordinating) -> Response:
    """A CSV text. Names that are in the class already are passed over."""
    return record_response(await coordinator.school.classes.add_roster(school_class, body.csv))


@router.patch("/{class_id}/students/{student}", responses=told(ClassStudent), summary="Rename a student")
async def rename(school_class: Taught, student: StudentNumber, body: Rename, coordinator: Coordinating) -> Response:
    return record_response(await coordinator.school.classes.rename(school_class, student, body.name))


@router.delete("/{class_id}/students/{student}", responses=told(Empty), summary="Delete a student")
async def remove(school_class: Taught, student: StudentNumber, coordinator: Coordinating) -> Response:
    """With everything that they did."""
    gone = await coordinator.school.classes.remove(school_class, student)
    _forget(coordinator, school_class, gone)
    return record_response(Empty())


@router.post("/{class_id}/students/{student}/code", responses=told(PersonalCode), summary="A new personal code")
async def personal_code(school_class: Taught, student: StudentNumber, coordinator: Coordinating) -> Response:
    """For a student who has lost theirs. The old one ends; devices on which the student plays stay as they are."""
    return record_response(await coordinator.school.classes.new_personal_code(school_class, student))


@router.post("/{class_id}/assignments", responses=told(Assignment), summary="A new assignment")
async def assign(school_class: Taught, body: AssignmentBody, coordinator: Coordinating) -> Response:
    return record_response(await coordinator.school.assignments.put(school_class, body))


@router.put("/{class_id}/assignments/{number}", responses=told(Assignment), summary="Change an assignment")
async def change_assignment(
    school_class: Taught, number: AssignmentNumber, body: AssignmentBody, coordinator: Coordinating
) -> Response:
    """A level that somebody has handed in stays at its place."""
    return record_response(await coordinator.school.assignments.put(school_class, body, number))


@router.delete("/{class_id}/assignments/{number}", responses=told(Empty), summary="Delete an assignment")
async def delete_assignment(school_class: Taught, number: AssignmentNumber, coordinator: Coordinating) -> Response:
    """With what was handed in for it. What students did in their rooms stays."""
    await coordinator.school.assignments.delete(school_class, number)
    return record_response(Empty())


@router.get("/{class_id}/table", responses=told(WorkTable), summary="Students × levels")
async def table(
    school_class: Taught,
    coordinator: Coordinating,
    assignment: Annotated[int | None, Query(ge=1, le=STUDENT_NUMBER_MAX, examples=[1])] = None,
    names: Annotated[bool, Query(description="false for the beamer", examples=[True])] = True,
) -> Response:
    """What every student has done with every level, now; of one assignment, or of all."""
    assigned = await coordinator.school.assignments.of_class(school_class.id)
    wanted = [known for known in assigned if assignment in (None, known.row.number)]
    return await long_record_response(await coordinator.school.teaching.table(school_class, wanted, names), "columns", "rows")


@router.get("/{class_id}/assignments/{number}/items/{item}/pooled", responses=told(PooledFacts), summary="What the class found")
async def pooled(
    school_class: Taught, number: AssignmentNumber, item: AssignmentNumber, who: Calling, coordinator: Coordinating
) -> Response:
    """The facts of all students together, and what they prove."""
    assigned = await coordinator.school.assignments.one(school_class.id, number)
    chosen = next((row for row in assigned.items if row.number == item), None)
    if chosen is None:
        raise not_found("level")
    asker = replace(who.acting.asking(f"class {school_class.id}"), agent=True)
    return record_response(await coordinator.school.teaching.pooled(school_class, chosen, asker))


@router.get("/{class_id}/students/{student}/rooms", responses=told(StudentRooms), summary="A student's rooms")
async def rooms(student: OneStudent, coordinator: Coordinating) -> Response:
    return record_response(await coordinator.school.rooms_of(student))


@router.get("/{class_id}/students/{student}/rooms/{room}", responses=told(OpenedRoom), summary="A student's board")
async def board(student: OneStudent, room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    """As the student sees it now; its events say how it was at any moment."""
    await coordinator.school.require_room(student, room)
    live = await coordinator.open_rooms.live(room)
    player = await coordinator.store.player(student.player or "")
    if live is None or player is None:
        raise not_found("room")
    await coordinator.open_rooms.reload(live)
    return json_response(await opened_text(coordinator, live, player, who.acting.asking(room)))


@router.get("/{class_id}/students/{student}/rooms/{room}/events", responses=told(EventPage), summary="What happened on a board")
async def events(
    student: OneStudent,
    room: RoomId,
    coordinator: Coordinating,
    after: Annotated[int, Query(ge=0, le=EVENT_NUMBER_MAX, examples=[0])] = 0,
    limit: Annotated[int, Query(ge=1, le=EVENTS_PAGE_MAX, examples=[100])] = 100,
) -> Response:
    """For a replay: the moves and the engine's answers, in order."""
    await coordinator.school.require_room(student, room)
    live = await coordinator.open_rooms.live(room)
    if live is None:
        raise not_found("room")
    await coordinator.open_rooms.reload(live)
    told_events = await coordinator.open_rooms.history(live, after, limit)
    return json_response(f'{{"events": [{", ".join(text for _, text in told_events)}], "last_event": {live.head}}}')


@router.get(
    "/{class_id}/students/{student}/assignments/{number}/items/{item}/certificate",
    responses=told(Certificate),
    summary="A student's certificate",
)
async def certificate(student: OneStudent, number: AssignmentNumber, item: AssignmentNumber, coordinator: Coordinating) -> Response:
    row = of_item(await coordinator.store.hand_ins_of(student.class_id, student.number), number, item)
    if row is None:
        raise not_found("hand-in")
    return json_response(row.certificate)


@router.post("/{class_id}/messages", responses=told(ClassMessage), summary="Send a hint or an invitation")
async def send(school_class: Taught, body: NewMessage, coordinator: Coordinating) -> Response:
    """To one student or to all: a hint in the teacher's words, or the code of a room to come to."""
    return record_response(await coordinator.school.classes.send(school_class, body.student, body.kind, body.text, body.code))


def _platform(coordinator: Coordinator) -> LtiTool:
    if coordinator.lti is None:
        raise ApiError("no-platform", "this server has no packages for learning platforms", hint="pip install 'idg[lti]'")
    return coordinator.lti


@router.get("/{class_id}/platform", responses=told(PlatformState), summary="The class's learning platform")
async def platform(school_class: Taught, coordinator: Coordinating) -> Response:
    """And which scores it has not been told."""
    return record_response(await _platform(coordinator).state(school_class))


@router.post("/{class_id}/platform/members", responses=told(ListedMembers), summary="Read the platform's list of members")
async def platform_members(school_class: Taught, coordinator: Coordinating) -> Response:
    """Learners of the course become students of the class; those who are in it already stay as they are."""
    return record_response(await _platform(coordinator).fetch_members(school_class))


@router.post("/{class_id}/platform/scores", responses=told(SentScores), summary="Send all scores to the platform again")
async def platform_scores(school_class: Taught, coordinator: Coordinating) -> Response:
    """Each hand-in is sent by itself; this is for scores that the platform has refused or lost."""
    return record_response(await _platform(coordinator).send_again(school_class))


@router.get("/{class_id}/gradebook", responses=told(Gradebook), summary="The gradebook")
async def gradebook(school_class: Taught, coordinator: Coordinating) -> Response:
    return await long_record_response(await coordinator.school.gradebooks.of_class(school_class), "columns", "students")


@router.get("/{class_id}/gradebook.csv", summary="The gradebook as CSV")
async def gradebook_file(school_class: Taught, coordinator: Coordinating) -> Response:
    """With a line for each student."""
    text = await gradebook_csv(await coordinator.school.gradebooks.of_class(school_class))
    headers = {"content-disposition": 'attachment; filename="idg-gradebook.csv"'}
    return Response(text, headers=headers, media_type="text/csv; charset=utf-8")


@router.get("/{class_id}/export", summary="Everything of a class as JSON lines")
async def export(school_class: Taught, coordinator: Coordinating) -> StreamingResponse:
    """The class, its students, assignments, hand-ins and messages, and all events of the students' rooms."""
    headers = {"content-disposition": 'attachment; filename="idg-class.jsonl"'}
    lines = coordinator.school.gradebooks.lines(school_class)
    return StreamingResponse(lines, headers=headers, media_type="application/jsonl")
