"""The commands that need the coordinator: `idg play`, `idg serve`, `idg replay`, `idg prune` and `idg export events`."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from idg.cli.errors import NEGATIVE, SUCCESS, UsageError
from idg.cli.live import live_bar
from idg.cli.results import tell as tell_result
from idg.coordinator.bounds.pruning import Retention, prune
from idg.coordinator.bounds.totals import Totals
from idg.coordinator.pool.jobs import NotStarted, PoolSettings
from idg.coordinator.pool.local import LocalPool
from idg.coordinator.rooms.export import ExportedEvent, ExportedLog, csv_head, csv_line, event_rows, json_line, log_rows
from idg.coordinator.rooms.judging.replay import Replayed, engine_note, replay
from idg.coordinator.settings import EXPLAINED, SettingError, Settings, read_settings
from idg.coordinator.store import IdleRoom, Store, StoreError
from idg.levels import find_level

if TYPE_CHECKING:
    from idg.coordinator.coordinator import Coordinator

SHOWN_CHARS_MAX = 200
"""How many characters of a recorded and of a replayed answer are shown where they differ."""
ROOMS_PAGE = 500
"""How many events are read from the store at a time while looking for all rooms."""


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that the flags, the environment and a file give."""
    flags = {name: getattr(options, name, None) for name in EXPLAINED}
    try:
        return read_settings(flags, os.environ, getattr(options, "settings", None))
    except SettingError as error:
        raise UsageError(str(error)) from None


def serve(options: argparse.Namespace) -> int:
    settings = settings_of(options)

    def announce(coordinator: Coordinator, url: str) -> None:
        print(f"IDG is at {url}\nData: {_where(settings)}\nAdmin token: {coordinator.admin_token}\nCtrl-C ends it.", flush=True)

    return _run(settings, announce, open_browser=False)


def play(options: argparse.Namespace) -> int:
    """Serves the game on this machine and opens it in the browser."""
    settings = settings_of(options)
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
    # Off until the server is ready and `spare_collections` switches it on. What is imported stays, so it is useless to look through
    # it for garbage again and again, which takes a tenth of the time in which a server starts.
    gc.disable()
    # Imported here, because the web framework takes half of the time in which the other commands of this module start.
    from idg.coordinator.serve import run

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
        return asyncio.run(_replay(options, settings_of(options)))
    except (StoreError, SettingError, NotStarted, LookupError) as error:
        raise UsageError(str(error)) from None


async def _replay(options: argparse.Namespace, settings: Settings) -> int:
    settings.choose_provers()
    store = await Store.open(settings.database_url)
    limits = PoolSettings(
        workers=1, spares=0, deadline_seconds=settings.deadline_seconds, memory_mb=settings.memory_mb, provers=settings.provers
    )
    pool = LocalPool(limits)
    try:
        await pool.start()
        if options.certificate is not None:
            return await _check_certificate(store, pool, options.certificate, options.json)
        rooms = [options.room] if options.room != "all" else await _all_rooms(store)
        same, told = True, []
        for number, room in enumerate(rooms, 1):
            replayed = await replay(store, pool, room, live_bar(f"room {number} of {len(rooms)}, event"))
            if options.json:
                differences = [{name: getattr(row, name) for name in row.__match_args__} for row in replayed.differences]
                counts = {"events": replayed.events, "verdicts": replayed.judged, "limited": replayed.limited}
                told.append({"room": replayed.room, "same": replayed.same, **counts, "differences": differences})
            else:
                print(_report(replayed))
            same = same and replayed.same
        if options.json:
            print(json.dumps({"ok": same, "rooms": told}, ensure_ascii=False, indent=1))
        return SUCCESS if same else NEGATIVE
    finally:
        await pool.close()
        await store.close()


async def _check_certificate(store: Store, pool: LocalPool, file: str, as_json: bool) -> int:
    # Imported here, because no other command needs to know of classes.
    from idg.coordinator.classes.certificates import check_certificate, read_certificate

    try:
        certificate = read_certificate(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: {error}") from None
    checked = await check_certificate(store, pool, certificate, live_bar("event"))
    if as_json:
        findings = [{"holds": finding.holds, "text": finding.text} for finding in checked.findings]
        print(json.dumps({"ok": checked.holds, "findings": findings}, ensure_ascii=False, indent=1))
        return SUCCESS if checked.holds else NEGATIVE
    for finding in checked.findings:
        print(f"{'yes' if finding.holds else 'NO '}  {finding.text}")
    when = datetime.fromtimestamp(certificate.time, UTC).isoformat(timespec="seconds")
    verdict = "the certificate is right" if checked.holds else "the certificate is NOT right"
    print(f"{verdict}: {certificate.item_title}, {certificate.name}, {when}{', late' if certificate.late else ''}")
    return SUCCESS if checked.holds else NEGATIVE


async def _all_rooms(store: Store) -> list[str]:
    """The ids of all rooms, in the order of their first events."""
    rooms: dict[str, None] = {}
    after = 0
    while True:
        page = await store.all_events(after, ROOMS_PAGE)
        for placed in page:
            after = placed.event.id
            if placed.event.room is not None:
                rooms[placed.event.room] = None
        if len(page) < ROOMS_PAGE:
            return list(rooms)


def _report(replayed: Replayed) -> str:
    verdicts = f"{replayed.judged} verdict{'s' * (replayed.judged != 1)}"
    limited = f", {replayed.limited} of them ended by a limit" if replayed.limited else ""
    same = "the same" if replayed.same else "NOT the same"
    lines = [f"{replayed.room}: {replayed.events} events, {verdicts}{limited}: {same}"]
    note = engine_note(replayed)
    if note:
        lines.append(f"  {note}")
    for difference in replayed.differences:
        lines.append(f"  event {difference.number}, {difference.what}:")
        lines.append(f"    recorded: {difference.recorded[:SHOWN_CHARS_MAX]}")
        lines.append(f"    replayed: {difference.replayed[:SHOWN_CHARS_MAX]}")
    return "\n".join(lines)


def prune_store(options: argparse.Namespace) -> int:
    settings = settings_of(options)
    try:
        return asyncio.run(_prune(settings, options.dry_run, options.json))
    except StoreError as error:
        raise UsageError(str(error)) from None


async def _prune(settings: Settings, dry_run: bool, as_json: bool) -> int:
    store = await Store.open(settings.database_url)
    would = "would be " if dry_run else ""

    rooms: list[str] = []

    def tell(room: IdleRoom) -> None:
        rooms.append(room.id)
        if as_json:
            return
        day = f"{datetime.fromtimestamp(room.last):%Y-%m-%d}"
        print(f"room {room.id} ({room.level or 'a program of a player'}, {room.last_event} events, last used {day}) {would}deleted")

    try:
        retention = Retention(settings.keep_days, settings.keep_solved_days)
        pruned = await prune(store, Totals(store, settings.data_mb), retention, time.time(), dry_run=dry_run, tell=tell)
    finally:
        await store.close()
    if as_json:
        deleted = {name: getattr(pruned, name) for name in pruned.__match_args__}
        print(json.dumps({"ok": True, "dry_run": dry_run, "rooms": rooms, "deleted": deleted}, ensure_ascii=False, indent=1))
        return SUCCESS
    counts = ", ".join(f"{getattr(pruned, name):,} {name}" for name in pruned.__match_args__)
    print(f"{would}deleted: {counts}")
    return SUCCESS


def export(options: argparse.Namespace) -> int:
    settings = settings_of(options)
    if options.json and options.output == "-":
        raise UsageError("with --json, say by -o into which file the rows are written")
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
        rows: AsyncIterator[ExportedEvent | ExportedLog] = (
            log_rows(store, options.with_ids) if options.logs else event_rows(store, with_ids=options.with_ids)
        )
        told = live_bar("row")
        total = counts["logs" if options.logs else "events"]
        if options.format == "csv":
            file.write(csv_head(ExportedLog if options.logs else ExportedEvent))
        count = 0
        async for row in rows:
            count += 1
            file.write(json_line(row) if options.format == "jsonl" else csv_line(row))
            told(count, total)
        file.flush()
        told(total, total)
        if options.json:
            tell_result(options, "", rows=count, output=options.output)
        else:
            print(f"{count} rows", file=sys.stderr)
        return SUCCESS
    finally:
        await store.close()
