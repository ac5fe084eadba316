"""What a call of a game is refused with: one exception, and a class for each refusal that agents handle differently."""

from __future__ import annotations

from idg.engine.wire.rooms import ErrorPlace


class PlayError(Exception):
    """A call that was refused: the code of docs/api.md, what happened, what to try, and what is to blame.

    `where` has the argument (`field`) and, where that is a text, `line` and `column` of the mistake in it.
    """

    def __init__(self, code: str, message: str, hint: str = "", where: ErrorPlace | None = None) -> None:
        self.code = code
        self.message = message
        self.hint = hint
        self.where = where
        super().__init__(message)

    def __str__(self) -> str:
        where = self.where or ErrorPlace()
        place = "" if where.line is None else f"line {where.line}, column {where.column}: "
        return f"{place}{self.message} [{self.code}]" + (f" ({self.hint})" if self.hint else "")


class BadText(PlayError):
    """An expression or a program that is not SIP, or that cannot be played."""


class BadInputs(PlayError):
    """Inputs with which the program cannot be run."""


class NoSuchLoop(PlayError):
    """A number that no loop of the program has."""


class NotFound(PlayError):
    """There is no such level, program or room, or it is not this player's to see."""


class NotWaiting(PlayError):
    """A transition was asked for of a fact that is not among those that wait."""


class NoMoreHints(PlayError):
    """There is no hint to give now."""


class ServerBusy(PlayError):
    """The server has no place or no engine for the call now. It was tried again for as long as the player is patient."""


class Unreachable(PlayError):
    """The server did not answer, however often it was asked."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__("unreachable", f"the server at {url} does not answer: {reason}", "is it running? 'idg serve' starts one")


class TookTooLong(PlayError):
    """An answer did not come within the player's `timeout_seconds`."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(
            "timeout", f"{what} got no answer within {seconds:g} seconds", "the player's timeout_seconds may be longer"
        )


class Interrupted(PlayError):
    """The call was given up by the one who made it."""

    def __init__(self) -> None:
        super().__init__("interrupted", "the call was given up")


REFUSALS: dict[str, type[PlayError]] = {
    "bad-text": BadText,
    "bad-inputs": BadInputs,
    "no-such-loop": NoSuchLoop,
    "not-found": NotFound,
    "not-potential": NotWaiting,
    "no-hint": NoMoreHints,
    "busy": ServerBusy,
    "too-fast": ServerBusy,
    "no-engine": ServerBusy,
    "no-answer": ServerBusy,
    "store-unavailable": ServerBusy,
}
"""Code → its class. Other codes are a plain PlayError."""


def play_error(code: str, message: str, hint: str = "", where: ErrorPlace | None = None) -> PlayError:
    """The refusal with this code, of the class that the code has."""
    return REFUSALS.get(code, PlayError)(code, message, hint, where)
