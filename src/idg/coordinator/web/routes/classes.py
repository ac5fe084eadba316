"""The routes of classes for everybody and for students: making a class, joining one, what is due, handing in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from idg.coordinator.classes.classes import STUDENT_PREFIX
from idg.coordinator.classes.classes import Attending as AttendingStudent
from idg.coordinator.classes.handing_in import of_item
from idg.coordinator.classes.told import (
    AttendedView,
    Certificate,
    ClassEntrance,
    ClassList,
    HandInResults,
    JoinedClass,
    TaughtClass,
)
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.store import PlayerRow
from idg.coordinator.web.answers import Empty, json_response, record_response
from idg.coordinator.web.describing.description import error_responses, told
from idg.coordinator.web.models import STUDENT_NUMBER_MAX, JoinClass, NewClass, TeacherLink, UseCode
from idg.coordinator.web.requests.addresses import address_of
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.caller import (
    COOKIE,
    COOKIE_SECONDS,
    TOKEN_CHARS_MAX,
    Calling,
    Coming,
    Coordinating,
    known_player,
    token_of,
    with_code,
    with_cookie,
)
from idg.engine.wire.rooms import PlayerToken

HOME_COOKIE = "idg_home"
"""Keeps the token that a browser had before somebody joined a class in it, so that leaving the class gives it back."""

router = APIRouter(prefix="/api/classes", tags=["classes"], route_class=StrictRoute, responses=error_responses())
ClassId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,64}$", examples=["q3Jx0v1cK9yD"])]
AssignmentNumber = Annotated[int, Path(ge=1, le=STUDENT_NUMBER_MAX, examples=[1])]


async def attending(class_id: ClassId, who: Calling, coordinator: Coordinating) -> AttendingStudent:
    """The student who makes the request; for everybody else the class does not exist."""
    return await coordinator.school.classes.attended(class_id, who.player.id)


Attending = Annotated[AttendingStudent, Depends(attending)]


async def caller_before(request: Request) -> PlayerRow | None:
    """Who makes the request; None for somebody without a token, or with one that is not known any more."""
    if token_of(request) is None:
        return None
    try:
        return await known_player(request)
    except ApiError as error:
        if error.code != "wrong-token":
            raise
        return None


def become_player(request: Request, response: Response, token: str | None, before: PlayerRow | None, secure: bool) -> Response:
    """The browser becomes the student; who it was before is remembered, unless that was a student, too."""
    if token is None:
        return response
    home = request.cookies.get(COOKIE)
    if home is not None and before is not None and not before.id.startswith(STUDENT_PREFIX):
        response.set_cookie(
            HOME_COOKIE, home, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure, path="/api/classes"
        )
    return with_cookie(response, token, secure)


@router.get("", responses=told(ClassList), summary="Your classes")
async def own_classes(who: Calling, coordinator: Coordinating) -> Response:
    """Those that you teach, and the one that this player was made for."""
    return record_response(await coordinator.school.classes.of_player(who.player.id))


@router.post("", responses=told(TaughtClass), summary="Make a class")
async def make(body: NewClass, visitor: Coming, coordinator: Coordinating) -> Response:
    """The caller teaches it. `secret` is told once: whoever has it can teach the class, too."""
    who = await visitor.arrive()
    row, secret = await coordinator.school.classes.make(body.title, body.joining, who.player, who.address)
    return visitor.with_cookie(record_response(await coordinator.school.taught(row, secret)))


@router.post("/teach", responses=told(TaughtClass), summary="Teach a class by its link")
async def teach(request: Request, body: TeacherLink, visitor: Coming, coordinator: Coordinating) -> Response:
    async def use() -> Response:
        who = await visitor.arrive()
        row = await coordinator.school.classes.teach(body.secret, who.player)
        return visitor.with_cookie(record_response(await coordinator.school.taught(row)))

    return await with_code(request, use)


@router.post("/entrance", responses=told(ClassEntrance), summary="Where a code leads")
async def entrance(request: Request, body: UseCode, coordinator: Coordinating) -> Response:
    """Into a class (its title, and how one joins), back to one's own place in a class, or into a room."""
    return record_response(await with_code(request, lambda: coordinator.school.classes.entrance(body.code)))


@router.post("/join", responses=told(JoinedClass), summary="Join a class")
async def join(request: Request, body: JoinClass, coordinator: Coordinating) -> Response:
    """The caller becomes a new player, for this class alone. The personal code is told once."""
    before = await caller_before(request)
    address = address_of(request.scope)
    joined = await with_code(request, lambda: coordinator.school.classes.join(body.code, body.name, before, address))
    return become_player(request, record_response(joined), joined.token, before, coordinator.settings.secure)


@router.post("/continue", responses=told(PlayerToken), summary="Come back with a personal code")
async def come_back(request: Request, body: UseCode, coordinator: Coordinating) -> Response:
    """For students, and for teachers whom the person who runs the server has made. It works any number of times."""
    before = await caller_before(request)
    player, token = await with_code(request, lambda: coordinator.school.classes.come_back(body.code))
    answer = record_response(PlayerToken(player.id, player.name, player.agent, token))
    return become_player(request, answer, token, before, coordinator.settings.secure)


@router.post("/leave", responses=told(Empty), summary="Leave the class on this device")
async def leave(request: Request, who: Calling, coordinator: Coordinating) -> Response:
    """The browser is who it was before somebody joined a class in it. Everything that was done for the class stays there."""
    if not who.player.id.startswith(STUDENT_PREFIX):
        raise ApiError("not-joined", "this device is not in a class as a student")
    token = token_of(request)
    assert token is not None, "the caller was found by it"
    await coordinator.players.forget(token)
    response = record_response(Empty())
    home = request.cookies.get(HOME_COOKIE, "")
    if 0 < len(home) <= TOKEN_CHARS_MAX:
        response.delete_cookie(HOME_COOKIE, path="/api/classes")
        return with_cookie(response, home, coordinator.settings.secure)
    response.delete_cookie(COOKIE, path="/")
    return response


@router.get("/{class_id}/me", responses=told(AttendedView), summary="Your class")
async def view(student: Attending, coordinator: Coordinating) -> Response:
    """For a student: what is open and due, what was handed in, and what the teacher has sent."""
    return record_response(await coordinator.school.views.view(student))


@router.post("/{class_id}/assignments/{number}/hand-in", responses=told(HandInResults), summary="Hand in")
async def hand_in(student: Attending, number: AssignmentNumber, coordinator: Coordinating) -> Response:
    """For a student: every level of the assignment for which something was done. It can be done again until it is due."""
    school = coordinator.school
    assigned = await school.assignments.one(student.school_class.id, number)
    return record_response(await school.handing_in.hand_in(student.school_class, student.student, assigned))


@router.get("/{class_id}/assignments/{number}/items/{item}/certificate", responses=told(Certificate), summary="Your certificate")
async def certificate(student: Attending, number: AssignmentNumber, item: AssignmentNumber, coordinator: Coordinating) -> Response:
    """For a student: of what they handed in."""
    rows = await coordinator.store.hand_ins_of(student.school_class.id, student.student.number)
    row = of_item(rows, number, item)
    if row is None:
        raise not_found("hand-in")
    return json_response(row.certificate)
