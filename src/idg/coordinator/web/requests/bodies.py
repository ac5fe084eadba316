"""Routes whose bodies are read strictly, and never in the event loop before it is known that this is quick."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from idg.coordinator.web.requests.caller import anybody, coordinator_of
from idg.coordinator.web.requests.strict_json import strict_json


class StrictRequest(Request):
    async def json(self) -> Any:
        if not hasattr(self, "_strict"):
            self._strict = strict_json(await self.body())
        return self._strict


class StrictRoute(APIRoute):
    """A route whose bodies are read strictly: no name twice in an object, no NaN or Infinity, no NUL, no half characters.

    A long body is checked by a text worker first. What it has found right is quickly read here, because a right body has a bounded
    number of parts; a wrong one may have any number of them, and each of its problems would be written down.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        model = None if self.body_field is None else self.body_field.field_info.annotation

        async def strictly(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if model is not None:
                texts = coordinator_of(request).texts
                await texts.check_body(model.__name__, await strict.body(), anybody(request, "bodies"))
            return await handle(strict)

        return strictly
