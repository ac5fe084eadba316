"""`idg study open`, `close` and the data of a report: what uses the database of a server."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time

from idg.cli.errors import NEGATIVE, SUCCESS, UsageError, tell_as_json, told_problem
from idg.cli.results import tell
from idg.cli.serving.server import settings_of
from idg.cli.studying.study_files import definition_of, definition_text, told_problems
from idg.coordinator.rooms.export import event_rows, log_rows
from idg.coordinator.store import Store, StoreError, StudyRecord
from idg.engine.wire.codec import encode
from idg.study.definition import DefinitionError, StudyDefinition, read_definition
from idg.study.rows import StudyRow, exported_row


def run(options: argparse.Namespace) -> int:
    try:
        return asyncio.run({"open": _open, "close": _close}[options.action](options))
    except StoreError as error:
        raise UsageError(str(error)) from None
    except DefinitionError as error:
        return told_problems(options, options.study, error)


async def _open(options: argparse.Namespace) -> int:
    study, text = definition_of(options.study), definition_text(options.study)
    store = await Store.open(settings_of(options).database_url)
    try:
        stored = await store.put_study(StudyRecord(study.name, text, time.time()))
    finally:
        await store.close()
    if stored.definition != text:
        why = f"the study {study.name} was opened before with another definition; give the new one another name"
        print(why, file=sys.stderr)
        tell_as_json(options, [told_problem("opened-before", why)])
        return NEGATIVE
    link = f"/study/{study.name}?pid=ID"
    tell(options, f"the study {study.name} is open. The link for participants, with their id: {link}", study=study.name, link=link)
    return SUCCESS


async def _close(options: argparse.Namespace) -> int:
    store = await Store.open(settings_of(options).database_url)
    try:
        if not await store.close_study(options.study, time.time()):
            raise UsageError(f"there is no study {options.study} here")
        people = await store.participants_of(options.study)
    finally:
        await store.close()
    finished = sum(person.finished is not None for person in people)
    withdrawn = sum(person.withdrawn is not None for person in people)
    tell(
        options,
        f"the study {options.study} is closed: {len(people)} participants, {finished} finished, {withdrawn} withdrew; "
        "those who have begun can go on",
        study=options.study,
        participants=len(people),
        finished=finished,
        withdrawn=withdrawn,
    )
    return SUCCESS


def stored_study(options: argparse.Namespace) -> tuple[StudyDefinition, list[StudyRow]]:
    """The definition with which a study was opened, and all its rows."""
    try:
        return asyncio.run(_stored_study(options))
    except StoreError as error:
        raise UsageError(str(error)) from None


async def _stored_study(options: argparse.Namespace) -> tuple[StudyDefinition, list[StudyRow]]:
    store = await Store.open(settings_of(options).database_url)
    try:
        record = await store.study(options.study)
        if record is None:
            names = ", ".join(study.name for study in await store.all_studies()) or "none"
            raise UsageError(
                f"there is no study {options.study} here (studies: {names}); to read files, name the study's .toml file"
            )
        rows = [exported_row(encode(row)) async for row in event_rows(store)]
        rows += [exported_row(encode(row)) async for row in log_rows(store)]
    finally:
        await store.close()
    return read_definition(record.definition), [row for row in rows if row is not None and row.study == record.name]
