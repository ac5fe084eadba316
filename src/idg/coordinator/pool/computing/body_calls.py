"""What text workers compute: they read texts of players, and they check long bodies of requests.

Engine workers can read texts, too, but they check no bodies: for that they would have to import Pydantic and all models, which
would take a quarter of the time in which an engine worker starts.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

from pydantic import ValidationError

from idg.coordinator.pool.computing import text_calls
from idg.coordinator.pool.computing.calls import AboutBody
from idg.coordinator.web import models
from idg.coordinator.web.requests.strict_json import invalid, strict_json, unreadable
from idg.engine.wire.codec import Json


def check_body(arguments: AboutBody) -> None:
    """ApiError where the body of a request is wrong."""
    model: type[models.Model] = getattr(models, arguments.model)
    try:
        model.model_validate(strict_json(base64.b64decode(arguments.body)))
    except json.JSONDecodeError as error:
        raise unreadable(error.msg) from None
    except ValidationError as error:
        raise invalid(error.errors()[0]) from None


def warm() -> None:
    text_calls.warm()
    models.Batch.model_validate({"proposals": [{"expression": "n >= 0"}]})


CALLS: dict[str, Callable[[Json], Json]] = {
    **text_calls.CALLS,
    "check_body": text_calls.by_json(AboutBody, check_body, lambda _: {}),
}
"""Name of a call → a function of JSON arguments to a JSON answer."""
