"""`idg play`, `idg serve`, `idg replay`, `idg export`."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, BinaryIO

from idg.cli.errors import NEGATIVE, SUCCESS, UsageError
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.pool.jobs import NotStarted, PoolSettings
from idg.coordinator.pool.local import LocalPool
from idg.coordinator.rooms.export import COLUMNS, csv_line, event_rows, json_line, log_rows
from idg.coordinator.rooms.replay import Replayed, engine_note, replay
from idg.coordinator.serve import run
from idg.coordinator.settings import EXPLAINED, SettingError, Settings, read_settings
from idg.coordinator.store import Store, StoreError
from idg.levels import find_level

SHOWN_CHARS_MAX = 200
ROOMS_PAGE = 500
LOG_COLUMNS = ("id", "time", "player", "session", "kind", "body")


def _settings(options: argparse.Namespace) -> Settings:
    flags = {name: getattr(options, name, None) for name in EXPLAINED}
    try:
        return read_settings(flags, os.environ, getattr(options, "settings", None))
    except SettingError as error:
        raise UsageError(str(error)) from None


def serve(options: argparse.Namespace) -> int:
    settings = _settings(options)

    def announce(coordinator: Coordinator, url: str) -> None:
        print(f"IDG is at {url}\nData: {_where(settings)}\nAdmin token: {coordinator.admin_token}\nCtrl-C ends it.", flush=True)

    return _run(settings, announce, open_browser=False)


def play(options: argparse.Namespace) -> int:
    """The game in the browser, on this machine, with nothing to set."""
    settings = _settings(options)
    page = ""
    if options.level is not None:
        level = find_level(options.level)
        if level is None:
            raise UsageError(f"there is no level '{options.level}' ('idg levels' lists them)")
        page = f"level/{level.id}"

    def announce(coordinator: Coordinator, url: str) -> None:
        print(f"Play at {url}{page}\nYour progress is kept in {_where(settings)}\nCtrl-C ends the game.", flush=True)

    return _run(settings, announce, open_browser=not options.no_browser, page=page)


def _run(settings: Settings, announce: Callable[[Coordinator, str], None], open_browser: bool, page: str = "") -> int:
    try:
        run(settings, announce, open_browser, page)
    except (SettingError, StoreError, NotStarted) as error:
        raise UsageError(str(error)) from None
    print("Ended.", flush=True)
    return SUCCESS


def _where(settings: Settings) -> str:
    return settings.database.rsplit("@", 1)[-1] if settings.database else str(settings.folder)


def replay_rooms(options: argparse.Namespace) -> int:
    try:
        return asyncio.run(_replay(options, _settings(options)))
    except (StoreError, NotStarted, LookupError) as error:
        raise UsageError(str(error)) from None


async def _replay(options: argparse.Namespace, settings: Settings) -> int:
    store = await Store.open(settings.database_url)
    pool = LocalPool(PoolSettings(workers=1, deadline_seconds=settings.deadline_seconds, memory_mb=settings.memory_mb))
    try:
        await pool.start()
        rooms = [options.room] if options.room != "all" else await _all_rooms(store)
        same = True
        for at, room in enumerate(rooms, 1):
            found = await replay(store, pool, room, _progress(f"room {at} of {len(rooms)}, event"))
            _clear()
            print(_report(found))
            same = same and found.same
        return SUCCESS if same else NEGATIVE
    finally:
        await pool.close()
        await store.close()


async def _all_rooms(store: Store) -> list[str]:
    found: dict[str, None] = {}
    after = 0
    while True:
        page = await store.all_events(after, ROOMS_PAGE)
        for placed in page:
            after = placed.event.id
            if placed.event.room is not None:
                found[placed.event.room] = None
        if len(page) < ROOMS_PAGE:
            return list(found)


def _report(found: Replayed) -> str:
    verdicts = f"{found.judged} verdict{'s' * (found.judged != 1)}"
    limited = f", {found.limited} of them ended by a limit" if found.limited else ""
    lines = [f"{found.room}: {found.events} events, {verdicts}{limited}: {'the same' if found.same else 'NOT the same'}"]
    note = engine_note(found)
    if note:
        lines.append(f"  {note}")
    for each in found.differences:
        lines.append(f"  event {each.number}, {each.what}:")
        lines += [f"    recorded: {each.recorded[:SHOWN_CHARS_MAX]}", f"    replayed: {each.replayed[:SHOWN_CHARS_MAX]}"]
    return "\n".join(lines)


def export(options: argparse.Namespace) -> int:
    settings = _settings(options)
    try:
        if options.output == "-":
            return asyncio.run(_export(options, settings, sys.stdout.buffer))
        with open(options.output, "wb") as file:
            return asyncio.run(_export(options, settings, file))
    except (StoreError, OSError) as error:
        raise UsageError(str(error)) from None


async def _export(options: argparse.Namespace, settings: Settings, file: BinaryIO) -> int:
    store = await Store.open(settings.database_url)
    try:
        counts = await store.counts()
        rows: AsyncIterator[dict[str, Any]] = log_rows(store) if options.logs else event_rows(store)
        columns = LOG_COLUMNS if options.logs else COLUMNS
        told = _progress("row")
        if options.format == "csv":
            file.write(csv_line(list(columns)).encode())
        count = 0
        async for row in rows:
            count += 1
            file.write(json_line(row) if options.format == "jsonl" else csv_line([row[each] for each in columns]).encode())
            told(count, counts["logs" if options.logs else "events"])
        file.flush()
        _clear()
        print(f"{count} rows", file=sys.stderr)
        return SUCCESS
    finally:
        await store.close()


def _progress(what: str) -> Callable[[int, int], None]:
    """A line that is written over, on a terminal only."""
    shown = sys.stderr.isatty()

    def tell(at: int, of: int) -> None:
        if shown and (at % 50 == 0 or at == of):
            print(f"\r{what} {at} of {of}", end="", file=sys.stderr, flush=True)

    return tell


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
