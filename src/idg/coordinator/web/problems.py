"""Turns exceptions into the errors that callers are told about."""

from __future__ import annotations

import json

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from idg.coordinator.errors import ApiError, not_found, player_deleted
from idg.coordinator.pool.jobs import Busy, Closed, Failed, NoEngine
from idg.coordinator.store import NoSuchRoom, NotMember, PlayerDeleted, StoreBusy, StoreUnavailable
from idg.coordinator.web.requests.guard import BodyRefused
from idg.coordinator.web.requests.strict_json import invalid, unreadable

STATUSES = {404: "no-route", 405: "wrong-method", 413: "too-large", 415: "wrong-content-type"}
"""HTTP status of an error of the framework → our code for it."""
CLIENT_GONE = 499
"""The status of an answer that nobody is there to read any more. It appears only in the metrics."""
STORE_RETRY_SECONDS = 1
"""Seconds after which a caller may try again when the database was busy."""
UNAVAILABLE_RETRY_SECONDS = 5
"""Seconds after which a caller may try again when the database cannot be used."""
FAILED_RETRY_SECONDS = 5
"""Seconds after which a caller may try again when an analysis was given up."""
NO_ENGINE_RETRY_SECONDS = 10
"""Seconds after which a caller may try again when nobody could compute an analysis."""
CLOSED_RETRY_SECONDS = 2
"""Seconds after which a caller may try again when the server ends; it may be started again at once."""


def as_api_error(error: Exception) -> ApiError:
    match error:
        case ApiError():
            return error
        case RequestValidationError() if isinstance(error.body, bytes):
            hint = "send the header Content-Type: application/json"
            return ApiError("wrong-content-type", "the body is not said to be JSON", hint=hint)
        case RequestValidationError():
            return invalid(error.errors()[0], skipped=1)
        case ValidationError():
            return invalid(error.errors()[0])
        case json.JSONDecodeError():
            return unreadable(error.msg)
        case BodyRefused():
            return error.error
        case HTTPException():
            return _http(error)
        case Busy():
            return ApiError("busy", str(error), retry_after_seconds=error.retry_after_seconds)
        case NoSuchRoom() | NotMember():
            return not_found("room")
        case PlayerDeleted():
            return player_deleted()
        case StoreBusy():
            return ApiError("busy", str(error), retry_after_seconds=STORE_RETRY_SECONDS)
        case StoreUnavailable():
            hint = "send the same request again later; with the same request id it is carried out once"
            text = f"the server cannot use its database now: {error.reason}"
            return ApiError("store-unavailable", text, hint=hint, retry_after_seconds=UNAVAILABLE_RETRY_SECONDS)
        case Failed():
            return ApiError("no-answer", f"there is no answer: {error.detail}", retry_after_seconds=FAILED_RETRY_SECONDS)
        case NoEngine():
            hint = "rooms that are open, and answers that are known, can still be used"
            text = f"no analysis can be computed now: {error}"
            return ApiError("no-engine", text, hint=hint, retry_after_seconds=NO_ENGINE_RETRY_SECONDS)
        case Closed():
            return ApiError("busy", "the server is ending; try again soon", retry_after_seconds=CLOSED_RETRY_SECONDS)
    return ApiError("internal", "a mistake of the server's; it was logged")


def _http(error: HTTPException) -> ApiError:
    if error.status_code == 400:
        text = "the body cannot be read: it must be JSON in UTF-8, not too deep, without numbers of thousands of digits"
        return ApiError("bad-request", text, field="body")
    return ApiError(STATUSES.get(error.status_code, "bad-request"), str(error.detail))
