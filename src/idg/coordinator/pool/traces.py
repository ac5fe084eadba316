"""Traces for given inputs, and first inputs for programs that come without any."""

from __future__ import annotations

import json

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.errors import ApiError
from idg.coordinator.rooms.questions import Question, Questions, dumps
from idg.sip.values import InputError

FIRST_ROWS_MAX = 1_000


async def first_inputs(questions: Questions, entry: CatalogEntry, room: str) -> dict[str, str]:
    if entry.level is not None:
        return entry.level.inputs
    found = await questions.ask(Question("inputs", entry.hash, "", "", lambda: {"source": entry.source}), room)
    inputs: dict[str, str] = json.loads(found.answer)["inputs"]
    return inputs


async def trace(
    questions: Questions,
    entry: CatalogEntry,
    inputs: dict[str, str],
    room: str,
    *,
    loop: int | None = None,
    seed: int = 0,
    rows_max: int = FIRST_ROWS_MAX,
) -> str:
    """The run as JSON. ApiError where the program does not take the inputs."""
    if loop is not None:
        entry.check_loop(loop)
    try:
        entry.program.inputs(inputs)
    except InputError as error:
        raise ApiError("bad-inputs", str(error), where={"field": "inputs"}) from None
    arguments = {"inputs": inputs, "loop": loop, "seed": seed, "rows_max": rows_max}
    question = Question("trace", entry.hash, "", dumps(arguments), lambda: {"source": entry.source, **arguments})
    return (await questions.ask(question, room)).answer
