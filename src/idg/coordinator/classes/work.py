"""What the students of a class have done, from the logs of their rooms. Each room is read once, and then what is new in it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from idg.coordinator.cache import BytesCache, text_bytes
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.scores import Tally
from idg.coordinator.rooms.crowd import Proposals
from idg.coordinator.rooms.live.open_rooms import OpenRooms
from idg.coordinator.rooms.room_state import KEPT_KINDS, read_tally
from idg.coordinator.store import Event, RoomOutline, Store
from idg.coordinator.store.class_records import ClassRoom, ItemRow, StudentRow
from idg.engine.results import Fact, Kind
from idg.engine.wire.answers import FeedbackAnswer, StateToRuleOut
from idg.engine.wire.codec import decode, decode_any
from idg.engine.wire.endings import EndlessJudged, MeasureJudged
from idg.engine.wire.events import JudgedAgain, ProposalVerdict, Reset, judged_facts
from idg.sip.record import Record

EVENTS_PAGE = 50
"""How many events are read from the store at once. An event may have a megabyte."""
PAUSE_SECONDS = 180.0
"""Between two events of a student that are further apart, the student was not active; so is one whose last event is older."""
FALSE_SHOWN = 5
"""How many false facts of a student are shown, the last ones; and how many of a class, the commonest ones."""
FALSE_MAX = 500
"""How many different false facts of a level are counted, the first ones."""
FALSE_CHARS_MAX = 200
"""How long a false fact may be that is counted."""
DISTINCT_MAX = 100
"""How many different expressions of a student are remembered for a level."""
WORK_BYTES_MAX = 64 * 2**20
"""Memory for the work of classes: of those that were looked at last."""
LEVEL_WORK_BYTES = 2_000
"""What a student's work on one level takes in memory besides texts."""
TEXT_BYTES = 100
"""What an expression that is remembered takes besides its text."""
ROOM_BYTES = 1_500
"""What a room takes in memory besides its tally."""
GHOST_CHARS_MAX = 2_000
"""How many characters the values of a state to rule out may have, if teachers are to be shown it."""
PROGRESS = (Kind.INDUCTIVE, Kind.POTENTIAL)
"""The kinds of proposals that bring a student further."""


class LevelWork:
    """What one student has done with one level, in all rooms."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.expressions: set[str] = set()
        """The first of the different expressions that the student has proposed."""
        self.hints = 0
        self.seconds = 0.0
        self.first: float | None = None
        self.last: float | None = None
        self.progressed: float | None = None
        """When the student came further last: by an accepted fact, or by beginning."""
        self.room: str | None = None
        self.ghost: StateToRuleOut | None = None
        self.false_facts: list[Fact] = []

    @property
    def proposals(self) -> int:
        return self.kinds.total()

    def seen(self, event: Event) -> None:
        """The student has done something, at this time."""
        if self.last is not None and 0 < event.time - self.last <= PAUSE_SECONDS:
            self.seconds += event.time - self.last
        self.first = event.time if self.first is None else min(self.first, event.time)
        if self.last is None or event.time >= self.last:
            self.last, self.room = event.time, event.room
        if self.progressed is None:
            self.progressed = event.time

    def judged(self, verdict: ProposalVerdict, time: float) -> None:
        for fact in judged_facts(verdict):
            self.kinds[fact.kind.value] += 1
            if len(self.expressions) < DISTINCT_MAX:
                self.expressions.add(f"{fact.loop}: {fact.text}"[:FALSE_CHARS_MAX])
            if fact.kind in PROGRESS:
                self.progressed = max(self.progressed or time, time)
            elif fact.kind is Kind.NON_INVARIANT and len(fact.text) <= FALSE_CHARS_MAX:
                self.false_facts = [*(known for known in self.false_facts if known != fact.fact), fact.fact][-FALSE_SHOWN:]

    def stands(self, feedback: FeedbackAnswer) -> None:
        """Where the proof stands now."""
        state = feedback.state
        is_short = state is not None and sum(len(str(value)) for value in state.values.values()) <= GHOST_CHARS_MAX
        self.ghost = state if is_short else None

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        texts = [*self.expressions, *(fact.text for fact in self.false_facts)]
        ghost = 0 if self.ghost is None else GHOST_CHARS_MAX
        return LEVEL_WORK_BYTES + ghost + TEXT_BYTES * len(texts) + text_bytes(*texts)

    def is_active(self, now: float) -> bool:
        return self.last is not None and now - self.last <= PAUSE_SECONDS


class PooledWork:
    """What all students of a class have proposed about one level."""

    def __init__(self) -> None:
        self.proposals = Proposals()
        self.kinds: Counter[str] = Counter()
        self.false_facts: dict[Fact, set[int]] = {}
        """Fact → the students who proposed it."""

    def judged(self, verdict: ProposalVerdict, student: int, player: str) -> None:
        self.proposals.take(verdict, player)
        for fact in judged_facts(verdict):
            self.kinds[fact.kind.value] += 1
            counts = fact.fact in self.false_facts or len(self.false_facts) < FALSE_MAX
            if fact.kind is Kind.NON_INVARIANT and counts and len(fact.text) <= FALSE_CHARS_MAX:
                self.false_facts.setdefault(fact.fact, set()).add(student)

    @property
    def bytes(self) -> int:
        """About how much memory it takes at most."""
        students = sum(map(len, self.false_facts.values()))
        texts = len(self.proposals.useful) + len(self.false_facts)
        return LEVEL_WORK_BYTES + TEXT_BYTES * (students + texts) + FALSE_CHARS_MAX * texts

    def commonest_false(self) -> list[tuple[Fact, int]]:
        """The false facts, with how many students proposed each. The commonest come first, ties in alphabetical order."""
        ranked = sorted(self.false_facts.items(), key=lambda known: (-len(known[1]), known[0].loop, known[0].text))
        return [(fact, len(students)) for fact, students in ranked[:FALSE_SHOWN]]


K = TypeVar("K")
W = TypeVar("W", LevelWork, PooledWork)


class RoomResult(Record):
    """How a room of a student stands."""

    room: ClassRoom
    tally: Tally
    current: bool
    """Whether this engine has judged its books."""


def key_of(place: RoomOutline | ItemRow) -> str:
    """What a room and an item of an assignment have in common where they are about the same. A level may have another program in a
    later version, and stays the level."""
    return place.level or place.program


class ClassWork:
    """The work of one class, as far as its rooms were read."""

    def __init__(self) -> None:
        self.work: dict[tuple[int, str], LevelWork] = {}
        """Student and level → what was done."""
        self.pooled: dict[str, PooledWork] = {}
        """Level → what all students have proposed."""
        self.rooms: list[ClassRoom] = []
        self.results: dict[tuple[int, str], list[RoomResult]] = {}
        """Student and level → the rooms of the student, newest first."""
        self.players: set[str] = set()
        """Whose events were counted. Where one of them is gone, deleted here or at another coordinator, everything is read anew."""
        self.turn = asyncio.Lock()
        """Held by whoever reads what is new, so that nothing is counted twice."""
        self._read: dict[str, int] = {}
        """Room → the number of the last event that was read."""
        self._tallies: dict[str, tuple[int, str, Tally]] = {}
        """Room → its version, its engine, and the tally with them."""
        self._room_bytes = self._work_bytes = 0

    async def read(self, store: Store, open_rooms: OpenRooms, class_id: str, students: Mapping[str, int]) -> None:
        """Bring it up to date. `students`: player → the student's number."""
        rooms = [room for room in await store.class_rooms(class_id) if is_counted(room.outline)]
        self.rooms = rooms
        members: dict[str, list[int]] = {}
        for room in rooms:
            members.setdefault(room.outline.id, []).append(room.student)
        self.results = {}
        room_bytes = 0
        async for room in with_pauses(rooms):
            room_bytes += ROOM_BYTES + text_bytes(room.outline.tally)
            current = open_rooms.is_current(room.outline)
            result = RoomResult(room, self._tally(room.outline), current)
            self.results.setdefault((room.student, key_of(room.outline)), []).append(result)
        self._room_bytes = room_bytes
        heads = {room.outline.id: (room.last_event, key_of(room.outline)) for room in rooms}
        for room_id, (head, key) in heads.items():
            while self._read.get(room_id, 0) < head:
                events = await store.events(room_id, self._read.get(room_id, 0), EVENTS_PAGE)
                async for event in with_pauses(events):
                    self._take(event, key, students, members[room_id])
                    self._read[room_id] = event.number or 0
                if not events:
                    break

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return self._room_bytes + self._work_bytes

    def _tally(self, outline: RoomOutline) -> Tally:
        known = self._tallies.get(outline.id)
        if known is None or known[:2] != (outline.version, outline.engine):
            known = (outline.version, outline.engine, read_tally(outline.tally))
            self._tallies[outline.id] = known
        return known[2]

    def _take(self, event: Event, key: str, students: Mapping[str, int], members: list[int]) -> None:
        author = students.get(event.player or "")
        if author is not None:
            with self._weighed(self.work, (author, key), LevelWork) as work:
                work.seen(event)
                work.hints += event.kind == "hint"
            if event.kind == "judged":
                verdict: ProposalVerdict = decode_any(ProposalVerdict, json.loads(event.body))
                with self._weighed(self.work, (author, key), LevelWork) as work:
                    work.judged(verdict, event.time)
                with self._weighed(self.pooled, key, PooledWork) as pooled:
                    pooled.judged(verdict, author, event.player or "")
        feedback = _feedback(event)
        if feedback is not None:
            for student in members:
                with self._weighed(self.work, (student, key), LevelWork) as work:
                    work.stands(feedback)

    @contextmanager
    def _weighed(self, known: dict[K, W], key: K, make: Callable[[], W]) -> Iterator[W]:
        """The work of this key, a new one where there is none, to be changed; what it takes then is counted."""
        work = known.get(key)
        self._work_bytes -= 0 if work is None else work.bytes
        work = known.setdefault(key, make()) if work is None else work
        yield work
        self._work_bytes += work.bytes


def is_counted(outline: RoomOutline) -> bool:
    """Rooms of the tutorial and of the game without code are no part of an assignment."""
    return outline.purpose is None and outline.variant == "code"


def _feedback(event: Event) -> FeedbackAnswer | None:
    """Where the proof stands after an event; None where the event does not say."""
    match event.kind:
        case "judged":
            verdict: ProposalVerdict = decode_any(ProposalVerdict, json.loads(event.body))
            # A proposal that is not kept changes nothing, and its verdict names no state.
            if isinstance(verdict, MeasureJudged | EndlessJudged):
                return None
            return verdict.feedback if any(fact.kind in KEPT_KINDS for fact in verdict.kinds) else None
        case "feedback":
            return decode(FeedbackAnswer, json.loads(event.body))
        case "reset":
            return decode(Reset, json.loads(event.body)).feedback
        case "rejudged":
            return decode(JudgedAgain, json.loads(event.body)).feedback
    return None


class ClassesWork:
    """The work of the classes that were looked at last."""

    def __init__(self, store: Store, open_rooms: OpenRooms, bytes_max: int = WORK_BYTES_MAX) -> None:
        self.store = store
        self.open_rooms = open_rooms
        self._classes: BytesCache[str, ClassWork] = BytesCache(bytes_max)

    async def of_class(self, class_id: str, students: list[StudentRow]) -> ClassWork:
        """Up to date. Students who were deleted leave nothing behind."""
        numbers = {student.player: student.number for student in students if student.player is not None}
        work = self._classes.get(class_id)
        if work is None or not work.players <= numbers.keys():
            work = self._classes.put(class_id, ClassWork(), 0)
        work.players |= numbers.keys()
        async with work.turn:
            await work.read(self.store, self.open_rooms, class_id, numbers)
        if self._classes.get(class_id) is work:
            # No others are forgotten for one that is too large: it is read again each time, which counts for whoever asks.
            self._classes.pop(class_id)
            if work.bytes <= self._classes.bytes_max // 2:
                self._classes.put(class_id, work, work.bytes)
        return work

    def forget(self, class_id: str) -> None:
        """Somebody was deleted: what they did must not be counted any more."""
        self._classes.pop(class_id)
