"""Reading bodies strictly: what two programs could read differently is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute


class StrictRequest(Request):
    async def json(self) -> Any:
        if not hasattr(self, "_strict"):
            self._strict = strict_json(await self.body())
        return self._strict


class StrictRoute(APIRoute):
    """For files and logs: no name twice, no NaN or Infinity."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return strictly


def strict_json(body: bytes) -> Any:
    """JSONDecodeError, with what is wrong, also where Python's own reader would take it or fail otherwise."""
    try:
        return json.loads(body.decode(), object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
    except json.JSONDecodeError:
        raise
    except UnicodeDecodeError:
        message = "it is not UTF-8"
    except RecursionError:
        message = "it is nested too deeply"
    except ValueError as error:
        message = str(error) if isinstance(error, _NotStrict) else "a number has too many digits"
    raise json.JSONDecodeError(message, "", 0)


class _NotStrict(ValueError):
    """Python's reader would take it."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _NotStrict("a name comes twice in an object")
    return found


def _constant(text: str) -> Any:
    raise _NotStrict(f"{text} is no number in JSON")


def _float(text: str) -> float:
    found = float(text)
    if abs(found) == float("inf"):
        raise _NotStrict("a number is too large")
    return found
