"""A player's progress as a file. On import the engine judges every fact again, because a file proves nothing by itself.

What facts do not show, such as medals and the coins that were spent for hints, comes back with a seal: a digest of the file that
only this server can make, because only it knows the key (`store.secret`). A file without our seal brings facts, and no more.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, Protocol

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.errors import ApiError
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.scores import MEDALS, Holdings
from idg.coordinator.pool.computing.calls import ProposedText
from idg.coordinator.pool.jobs import Asker
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.rooms.room_state import RoomState, read_state, read_tally
from idg.coordinator.store import PlayerRow, RoomOutline, Store
from idg.engine.termination.texts import endless_text
from idg.engine.version import engine_version
from idg.engine.wire.answers import BatchAnswer, JudgedFact
from idg.engine.wire.codec import Json, WireError, decode, encode
from idg.engine.wire.endings import JudgedClaim
from idg.engine.wire.events import EndMark, GivenHint, KeptScore, Medal, Restored
from idg.engine.wire.programs import Variant
from idg.sip.record import Record, replace
from idg.sip.text.expressions import DECREASES

if TYPE_CHECKING:
    from idg.coordinator.coordinator import Coordinator
    from idg.coordinator.web.models import Progress, SavedRoom

FORMAT: Literal["idg-progress"] = "idg-progress"
VERSION: Literal[1] = 1
"""The version of the format."""
ROOMS_MAX = 200
"""How many of the newest rooms are exported."""
FACTS_MAX = 100
"""How many facts of a room are exported."""
FILE_BYTES_MAX = 400_000
"""How long a file may be that is imported."""
FILE_CHARS_MAX = 390_000
"""About how many characters of rooms are exported, so that the file can be imported again. Those beyond ASCII may take more bytes,
but programs and facts have hardly any."""
KEY_BYTES = 32
"""How many random bytes the key has that seals files."""
KEY_NAME = "progress"
"""The name of the key in the store."""

Seal = Literal["ours", "none", "not-ours"]
"""Whether a file has our seal: yes; none; or one that does not fit, because the file was changed or is of another server."""


class ExportedFact(Record):
    """A fact on the books of a room, or a measure, or a run that was shown never to end."""

    loop: int
    expression: str
    kind: Literal["inductive", "potential", "unknown", "falls", "waits", "never-ends"]
    """For a measure: whether it is proved to fall, or waits."""


class ExportedRoom(Record):
    """A room in a progress file. A room of a level names it; one of a player's own program has the program's source."""

    variant: Variant
    solved: bool
    facts: tuple[ExportedFact, ...]
    level: str | None = None
    source: str | None = None
    title: str | None = None
    engine: str = ""
    """The version of the engine that judged these facts."""
    score: KeptScore | None = None
    """What the player has earned with this program in all rooms; the first room of each program has it."""
    hints: tuple[GivenHint, ...] = ()
    """Those that were given in this sitting."""


class ProgressFile(Record):
    """A player's progress, as a file that can be imported again."""

    format: Literal["idg-progress"]
    version: Literal[1]
    name: str
    exported: float
    """When, in seconds since 1970."""
    engine: str
    rooms: tuple[ExportedRoom, ...]
    seal: str
    """The signature by which this server knows the rooms again. Whoever changes them loses what only the seal proves."""


class ImportedRoom(Record):
    """A room into which facts of a progress file were put, and what the engine says of them."""

    room: str
    level: str | None
    program: str
    kinds: tuple[JudgedFact, ...]
    solved: bool
    unproved: tuple[Medal, ...] = ()
    """Medals that the file names and that are not given, because it lacks the seal of this server."""
    moves: tuple[JudgedClaim, ...] = ()
    """What the engine says of the measures of the file, and of a run in it that is said never to end."""
    ends: EndMark = ""
    """The second mark of the room."""


# The seal


class _Fact(Protocol):
    @property
    def loop(self) -> int: ...
    @property
    def expression(self) -> str: ...
    @property
    def kind(self) -> str: ...


def sealed_room(
    level: str | None, source: str | None, variant: str, facts: Iterable[_Fact], score: object, hints: object
) -> list[object]:
    """What the seal vouches for of one room. It does not depend on how a file is laid out."""
    return [level, source, variant, [[fact.loop, fact.expression, fact.kind] for fact in facts], score, hints]


async def make_seal(store: Store, rooms: list[list[object]]) -> str:
    key = await store.secret(KEY_NAME, secrets.token_hex(KEY_BYTES))
    digest = hmac.new(bytes.fromhex(key), digestmod=hashlib.sha256)
    async for room in with_pauses(rooms):
        # Lines end each room, and JSON has none inside of them.
        digest.update(json.dumps(room, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


# Export


async def export_progress(coordinator: Coordinator, player: PlayerRow) -> ProgressFile:
    """The file with the player's newest room of each program and variant, as many of them as can be imported at once."""
    outlines = await coordinator.earnings.rooms(player.id)
    holdings: dict[str, Holdings] = {}
    async for outline in with_pauses(outlines):
        holdings.setdefault(outline.program, Holdings(player.id)).add(read_tally(outline.tally), outline.id)
    present = {outline.id for outline in await coordinator.store.rooms_of(player.id, ROOMS_MAX)}
    # Of rooms that the player has left only what was earned there is told, where there is no other room of the program.
    outlines.sort(key=lambda outline: outline.id not in present)
    rooms: dict[tuple[str, str], ExportedRoom] = {}
    chars = 0
    async for outline in with_pauses(outlines):
        place = (outline.program, outline.variant)
        if place in rooms or (outline.id not in present and outline.program not in holdings) or len(rooms) == ROOMS_MAX:
            continue
        room = await _exported(coordinator, outline, outline.id in present)
        if outline.program in holdings:
            room = replace(room, score=holdings.pop(outline.program).kept(outline.program))
        chars += len(record_text(room))
        if chars > FILE_CHARS_MAX:
            break
        rooms[place] = room
    vouched = [
        sealed_room(
            room.level,
            room.source,
            room.variant,
            room.facts,
            None if room.score is None else encode(room.score),
            [encode(hint) for hint in room.hints],
        )
        for room in rooms.values()
    ]
    seal = await make_seal(coordinator.store, vouched)
    return ProgressFile(FORMAT, VERSION, player.name, coordinator.clock(), engine_version(), tuple(rooms.values()), seal)


async def _exported(coordinator: Coordinator, outline: RoomOutline, with_facts: bool) -> ExportedRoom:
    row = await coordinator.store.room(outline.id)
    assert row is not None, "rooms are never deleted"
    state = read_state(row.state)
    facts: list[ExportedFact] = []
    for number, loop in enumerate(state.loops if with_facts else (), 1):
        facts += (ExportedFact(number, text, "inductive") for text in loop.inductive)
        facts += (ExportedFact(number, text, "potential") for text in loop.potential)
        facts += (ExportedFact(number, text, "unknown") for text in loop.unknown)
    facts += _exported_moves(state) if with_facts else ()
    solved = with_facts and coordinator.open_rooms.is_current(row) and state.solved
    hints = state.hints.given if with_facts else ()
    room = ExportedRoom(row.variant, solved, tuple(facts[:FACTS_MAX]), row.level, engine=row.engine, hints=hints)
    if row.level is None:
        entry = await coordinator.catalog.program(row.program)
        assert entry is not None, "rooms play stored programs"
        room = replace(room, source=entry.source, title=entry.title)
    return room


def _exported_moves(state: RoomState) -> Iterator[ExportedFact]:
    """The measures, which come after the facts that they need, and the run that was shown never to end."""
    for owned in state.measures():
        yield ExportedFact(owned.loop, f"{DECREASES} {owned.text}", "falls" if owned.proved else "waits")
    if state.endless is not None:
        yield ExportedFact(1, endless_text(state.endless), "never-ends")


# Import


async def import_progress(coordinator: Coordinator, actor: ActingPlayer, file: Progress) -> tuple[Seal, tuple[ImportedRoom, ...]]:
    """Check the whole file first, then propose its facts room by room, and bring back what its seal proves."""
    by = actor.asking("progress")
    seal = await _seal_of(coordinator, file)
    restored = [_restored(saved, index) if seal == "ours" else Restored() for index, saved in enumerate(file.rooms)]
    checked = [(saved, await _entry(coordinator, saved, index, by)) for index, saved in enumerate(file.rooms)]
    for room_index, (saved, entry) in enumerate(checked):
        texts = [
            ProposedText(fact.loop, fact.expression, f"rooms.{room_index}.facts.{fact_index}")
            for fact_index, fact in enumerate(saved.facts)
        ]
        try:
            await coordinator.texts.canonical(entry, texts, by)
        except ApiError as error:
            wrong = next((proposed.text[:80] for proposed in texts if proposed.field == error.field), "")
            raise ApiError("bad-file", f"{error.message} ('{wrong}')", field=error.field) from None
    rooms = [
        await _import_room(coordinator, actor, saved, entry, back) for (saved, entry), back in zip(checked, restored, strict=True)
    ]
    return seal, tuple(rooms)


async def _seal_of(coordinator: Coordinator, file: Progress) -> Seal:
    if not file.seal:
        return "none"
    vouched = [sealed_room(saved.level, saved.source, saved.variant, saved.facts, saved.score, saved.hints) for saved in file.rooms]
    try:
        seal = await make_seal(coordinator.store, vouched)
    except RecursionError:  # What we write is not nested so deeply.
        return "not-ours"
    return "ours" if hmac.compare_digest(seal.encode(), file.seal.encode()) else "not-ours"


def _restored(saved: SavedRoom, index: int) -> Restored:
    try:
        score = None if saved.score is None else decode(KeptScore, saved.score)
        return Restored(score, tuple(decode(GivenHint, hint) for hint in saved.hints))
    except WireError as error:  # An older version of this server has sealed it, in another form.
        raise ApiError("bad-file", f"this server cannot read what it sealed: {error}", field=f"rooms.{index}") from None


async def _entry(coordinator: Coordinator, saved: SavedRoom, index: int, by: Asker) -> CatalogEntry:
    field = f"rooms.{index}"
    if (saved.level is None) == (saved.source is None):
        raise ApiError("bad-file", "a saved room names either a level or a source", field=field)
    if saved.source is not None:
        try:
            return await coordinator.catalog.checked(saved.source, saved.title, by)
        except ApiError as error:
            raise ApiError("bad-file", error.message, hint=error.hint, field=field, problems=error.problems) from None
    entry = coordinator.catalog.level(saved.level or "")
    if entry is None:
        raise ApiError("bad-file", f"there is no level '{saved.level}'", field=field)
    return entry


async def _import_room(
    coordinator: Coordinator, actor: ActingPlayer, saved: SavedRoom, entry: CatalogEntry, restored: Restored
) -> ImportedRoom:
    await coordinator.put_program(entry, actor)
    live = await coordinator.rooms.own(entry, actor.player, saved.variant)
    if live is None:
        live = await coordinator.rooms.create(entry, actor, saved.variant, shared=False)
    coordinator.earnings.forget(actor.player, live.entry.hash)
    batch: BatchAnswer | None = None
    if saved.facts:
        proposals = [(fact.loop, fact.expression) for fact in saved.facts]
        judged = await coordinator.rooms.propose_many(live, actor, proposals, None, imported=True)
        batch = decode(BatchAnswer, json.loads(judged.event.body))
    if restored != Restored():
        await coordinator.rooms.restore(live, actor, restored)
        coordinator.earnings.forget(actor.player, live.entry.hash)
    given = (await coordinator.earnings.score(actor.player, live)).medals
    unproved = tuple(medal for medal in _named_medals(saved.score) if medal not in given)
    kinds, moves = ((), ()) if batch is None else (batch.kinds, batch.moves)
    answer = live.answer()
    return ImportedRoom(live.id, saved.level, entry.hash, kinds, answer.solved, unproved, moves, answer.ends)


def _named_medals(score: Json | None) -> tuple[Medal, ...]:
    """The medals that a file names, whether or not it is ours."""
    named = (score or {}).get("medals")
    return tuple(medal for medal in MEDALS if isinstance(named, list) and medal in named)
