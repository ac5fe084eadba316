"""Traces for given inputs, and first inputs for programs that come without any."""

from __future__ import annotations

import json
from collections.abc import Mapping

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.pool.computing.calls import TextChoices
from idg.coordinator.pool.jobs import Asker
from idg.coordinator.rooms.judging.question_kinds import inputs_question, trace_question
from idg.coordinator.rooms.judging.questions import Questions
from idg.engine.wire.answers import FirstInputs
from idg.engine.wire.codec import decode
from idg.sip.values import ValueJson, values_json

FIRST_ROWS_MAX = 1_000
"""Rows of each loop in the first trace of a room."""


async def first_inputs(questions: Questions, entry: CatalogEntry, asker: Asker) -> Mapping[str, ValueJson]:
    if entry.inputs is not None:
        return entry.inputs
    answered = await questions.ask(inputs_question(entry), asker)
    return values_json(decode(FirstInputs, json.loads(answered.answer)).inputs)


async def trace(
    questions: Questions,
    entry: CatalogEntry,
    inputs: Mapping[str, ValueJson],
    asker: Asker,
    *,
    loop: int | None = None,
    seed: int = 0,
    offset: int = 0,
    limit: int = FIRST_ROWS_MAX,
    choices: TextChoices = (),
) -> str:
    """A page of the run as the JSON of a `TraceAnswer`. ApiError where the program does not take the inputs or choices."""
    return (await questions.ask(trace_question(entry, inputs, loop, seed, offset, limit, choices), asker)).answer
