"""Errors that callers are told about. They all have one shape: code, message, where, hint. docs/api.md lists the codes."""

from __future__ import annotations

import json
from collections.abc import Sequence

from idg.engine.wire.build import where as place_of
from idg.engine.wire.codec import Json, decode
from idg.engine.wire.places import Where
from idg.engine.wire.rooms import ErrorAnswer, ErrorPlace, TextProblem
from idg.sip.errors import SipError

PROBLEMS_TOLD_MAX = 20
"""How many of the problems of a text are told. A program may have thousands, and each takes a search for its line."""
CODES: dict[str, tuple[int, str]] = {
    "bad-request": (422, "The request does not have the form that the route expects; `where` says which field."),
    "bad-text": (422, "The expression or program is not SIP, or the C text is not read; `problems` lists what is wrong with SIP."),
    "bad-inputs": (422, "The program cannot be run with these inputs."),
    "bad-file": (422, "The progress file cannot be imported; nothing was changed."),
    "no-such-loop": (422, "The program has no loop with this number."),
    "not-potential": (409, "The expression is not among the room's unproved facts, so it has no breaking transition."),
    "too-many-members": (409, "As many players are in the room, or were there, as a room may have."),
    "room-full": (409, "The room has as many expressions as it can hold; a reset makes place."),
    "no-partner": (409, "The computer does not play along in this room; `POST /api/rooms/{room}/partner` asks it to."),
    "too-many-partners": (503, "The computer plays along in as many rooms as it may; `Retry-After` says when to try again."),
    "no-export": (409, "The proof cannot be written for this verifier; the message says why."),
    "no-view": (409, "The language cannot say what the program means; the message says why."),
    "no-hint": (409, "There is no hint to give now; the message says why."),
    "not-found": (404, "There is no such thing, or it is not yours to see."),
    "no-route": (404, "There is no such address."),
    "wrong-method": (405, "The address exists, but not with this HTTP method."),
    "no-token": (401, "The request needs a player: a bearer token or the cookie that `POST /api/players` gives."),
    "wrong-token": (401, "The token is not known here. `POST /api/players` gives a new one."),
    "wrong-code": (404, "The code is not known, was used already, or is too old."),
    "not-admin": (403, "The route needs the admin token that the server printed at its start."),
    "wrong-origin": (403, "A browser page of another site made the request."),
    "wrong-host": (421, "The server does not answer under this name; the setting `hosts` lists its names."),
    "bad-http": (400, "What arrived is no request of HTTP/1.1, or too many requests were sent ahead. The connection is closed."),
    "too-slow": (408, "The request did not arrive in the time that the server allows. The connection is closed."),
    "head-too-large": (431, "The first line and the headers of the request are too large. The connection is closed."),
    "too-large": (413, "The request's body is larger than the route allows."),
    "wrong-content-type": (415, "The body must be JSON, with the header `Content-Type: application/json`."),
    "too-fast": (429, "More requests than the rate limit allows; `Retry-After` says when to try again."),
    "quota": (429, "More than one address or one player may make in a day; `Retry-After` says when to try again."),
    "too-many-connections": (429, "This address has as many connections as it may have; `Retry-After` says when to try again."),
    "storage-full": (507, "The server stores as much of this as it may; whoever runs it can make place."),
    "not-in-study": (403, "Whoever takes part in a study may ask only for what belongs to it."),
    "study-closed": (409, "The study is closed: nobody else can begin."),
    "study-over": (403, "The time in the study is over, or its questions were answered."),
    "takes-part-already": (409, "Somebody with this id takes part in the study already."),
    "not-teacher": (403, "Only a teacher of the class may do this; or only teachers may make classes on this server."),
    "class-archived": (409, "The class is archived: nobody joins, nothing is handed in, and nothing is changed."),
    "class-full": (409, "The class has as many students, teachers, levels or messages as it may, or a hand-in is in the way."),
    "name-taken": (409, "Somebody in the class has this name already; whoever joined with it has a personal code."),
    "not-on-roster": (404, "The list of the class has no such name."),
    "not-joined": (409, "Nobody has joined with this name yet."),
    "not-open": (409, "The assignment is not open yet."),
    "no-platform": (409, "The class belongs to no course of a learning platform, or the platform does not offer this."),
    "platform-failed": (502, "The learning platform did not do what it was asked; the message says why."),
    "busy": (503, "All engine workers are busy and the queue is full; `Retry-After` says when to try again."),
    "no-answer": (503, "The analysis was ended by its time or memory limit, or its worker died, and there is no answer."),
    "no-engine": (503, "Nobody can compute analyses now; what needs none still works. `Retry-After` says when to try again."),
    "store-unavailable": (503, "The server cannot use its database now; `Retry-After` says when to send the same request again."),
    "request-reused": (409, "The request id was used before in this room for something else."),
    "internal": (500, "A mistake of the server's. It was logged."),
}  # fmt: skip
"""Code → its HTTP status and what it means."""


class ApiError(Exception):
    """A request cannot be carried out; the caller is told why.

    `field` is the field of the request that is to blame; where it is a text, `place` is the place in it, and `problems` lists
    what is wrong with it.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: str = "",
        field: str | None = None,
        place: Where | None = None,
        problems: Sequence[TextProblem] | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.field = field
        self.place = place
        self.problems = problems
        self.retry_after_seconds = retry_after_seconds

    @property
    def status(self) -> int:
        return CODES[self.code][0]

    def answer(self) -> ErrorAnswer:
        """What the caller is told."""
        where = None if self.field is None else ErrorPlace(self.field)
        place = self.place
        if place is not None:
            where = ErrorPlace(self.field, place.line, place.column, place.start, place.end)
        problems = None if self.problems is None else tuple(self.problems)
        return ErrorAnswer(self.code, self.message, where, self.hint, problems)


def accepted(result: Json) -> Json:
    """What a worker has answered; ApiError where it has refused the request as wrong."""
    if "refused" in result:
        raise _error_of(decode(ErrorAnswer, json.loads(result["refused"])))
    return result


def _error_of(answer: ErrorAnswer) -> ApiError:
    """The inverse of `ApiError.answer`."""
    place, field = answer.where, None if answer.where is None else answer.where.field
    where = None
    if place is not None and place.line is not None and place.column is not None:
        where = Where(place.line, place.column, place.start or 0, place.end or 0)
    return ApiError(answer.code, answer.message, hint=answer.hint, field=field, place=where, problems=answer.problems)


def text_error(error: SipError, field: str) -> ApiError:
    """The error for an expression or a program that SIP does not accept; `field` is the field of the request with the text."""
    problems = [
        TextProblem(problem.code, problem.message, place_of(error.text, problem.span), str(problem.hint))
        for problem in error.problems[:PROBLEMS_TOLD_MAX]
    ]
    first = problems[0]
    return ApiError("bad-text", first.message, hint=first.hint, field=field, place=first.where, problems=problems)


def not_found(what: str) -> ApiError:
    return ApiError("not-found", f"there is no such {what}, or it is not yours to see")


def player_deleted() -> ApiError:
    return ApiError("wrong-token", "this player was deleted", hint="POST /api/players gives a new one")
