"""Handing in: which room counts, what it is worth, and the certificate of it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence

from idg.coordinator.bounds.totals import Totals
from idg.coordinator.classes.assignments import Assigned
from idg.coordinator.classes.classes import archived_error, in_class
from idg.coordinator.classes.table import state_of
from idg.coordinator.classes.told import (
    CERTIFICATE_FORMAT,
    CERTIFICATE_VERSION,
    Certificate,
    CertifiedEnding,
    CertifiedProof,
    HandInResult,
    HandInResults,
    NotHandedIn,
    PointsRule,
)
from idg.coordinator.classes.work import ClassesWork, ClassWork, RoomResult, key_of
from idg.coordinator.errors import ApiError
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.players import COMPUTER
from idg.coordinator.pool.json_text import dumps, record_text
from idg.coordinator.store import Event, Store
from idg.coordinator.store.class_records import ClassRow, HandInRow, ItemRow, StudentRow
from idg.engine.termination.results import Measure
from idg.engine.wire.codec import decode, decode_any
from idg.engine.wire.events import JudgedAgain, ProgramEnded, ProgramSolved, ProposalVerdict, judged_facts
from idg.sip.record import Record

EFFORT_FACTS = 5
"""A student who has proposed this many different facts gets all points for effort."""
PAIR = 2
"""How many people work together in a pair."""
EVENTS_PAGE = 50
"""How many events are read from the store at once. An event may have a megabyte."""


class RoomLog(Record):
    """What a certificate says of a room's log, up to an event."""

    events: int
    sha256: str
    solved_at: Event | None
    """The event with which the program was solved, and has been since; a reset takes nothing away from the proof."""
    kinds: dict[str, dict[str, int]]
    """Player → kind → how many of the player's proposals were of it."""
    distinct: dict[str, int]
    """Player → how many different expressions they proposed."""
    hints: int
    ended_at: Event | None = None
    """The event with which the second mark was given, and has been since."""


def log_line(event: Event) -> bytes:
    """An event as it counts for the hash of a log: everything that is told about it, in one line of JSON."""
    told = [event.number, event.kind, event.player, repr(event.time), event.request, event.answers, event.body]
    return dumps(told).encode() + b"\n"


async def logged(store: Store, room: str, last: int) -> AsyncIterator[Event]:
    """The events of a room up to the one with this number."""
    number = 0
    while number < last:
        page = await store.events(room, number, min(EVENTS_PAGE, last - number))
        async for event in with_pauses(page):
            number = event.number or 0
            yield event
        if not page:
            return


async def room_log(store: Store, room: str, last: int) -> RoomLog:
    digest = hashlib.sha256()
    count = hints = 0
    solved: Event | None = None
    ended: Event | None = None
    kinds: dict[str, Counter[str]] = {}
    expressions: dict[str, set[str]] = {}
    async for event in logged(store, room, last):
        count += 1
        digest.update(log_line(event))
        match event.kind:
            case "judged":
                verdict: ProposalVerdict = decode_any(ProposalVerdict, json.loads(event.body))
                for fact in judged_facts(verdict):
                    kinds.setdefault(event.player or "", Counter())[fact.kind.value] += 1
                    expressions.setdefault(event.player or "", set()).add(f"{fact.loop}: {fact.text}")
            case "hint":
                hints += 1
            case "solved":
                solved = event
            case "ended":
                ended = event
            case "rejudged":
                again = decode(JudgedAgain, json.loads(event.body))
                solved = event if again.solved else None
                ended = event if again.ends else None
    counted = {player: dict(counts) for player, counts in kinds.items()}
    distinct = {player: len(texts) for player, texts in expressions.items()}
    return RoomLog(count, digest.hexdigest(), solved, counted, distinct, hints, ended)


def certified_proof(event: Event, player: str) -> CertifiedProof:
    """The proof that an event `solved` or `rejudged` tells of."""
    if event.kind == "solved":
        solved = decode(ProgramSolved, json.loads(event.body))
        return CertifiedProof(event.number or 0, event.time, solved.inductive, player in solved.credited)
    again = decode(JudgedAgain, json.loads(event.body))
    facts = tuple(owned.fact for owned in again.inductive)
    return CertifiedProof(event.number or 0, event.time, facts, any(owned.player == player for owned in again.inductive))


def certified_ending(event: Event, player: str) -> CertifiedEnding:
    """The second mark that an event `ended` or `rejudged` tells of."""
    number, when = event.number or 0, event.time
    if event.kind == "ended":
        ended = decode(ProgramEnded, json.loads(event.body))
        return CertifiedEnding(number, when, ended.ends, ended.measures, ended.inputs, player in ended.credited)
    again = decode(JudgedAgain, json.loads(event.body))
    run = None if again.ending is None else again.ending.run
    proved = [owned for owned in again.measures if owned.proved]
    measures = () if run is not None else tuple(Measure(owned.loop, owned.text) for owned in proved)
    credited = any(owned.player == player for owned in proved)
    return CertifiedEnding(number, when, again.ends, measures, None if run is None else run.inputs, credited)


def points_for(rule: PointsRule, has_gem: bool, medals: int, distinct: int) -> int:
    effort = EFFORT_FACTS if has_gem else min(distinct, EFFORT_FACTS)
    return rule.effort * effort // EFFORT_FACTS + (rule.gem + rule.medal * medals if has_gem else 0)


class HandingIn:
    def __init__(self, store: Store, work: ClassesWork, totals: Totals, clock: Callable[[], float]) -> None:
        self.store = store
        self.work = work
        self.totals = totals
        self.clock = clock

    async def hand_in(self, school_class: ClassRow, student: StudentRow, assigned: Assigned) -> HandInResults:
        """Hands in what the student has for each level of an assignment; in a pair, for both."""
        now = self.clock()
        if school_class.archived is not None:
            raise archived_error()
        if not assigned.is_open(now):
            raise ApiError("not-open", "this assignment is not open yet")
        self.totals.require("hand_ins")
        students = await self.store.students_of(school_class.id)
        work = await self.work.of_class(school_class.id, students)
        earlier = await self.store.hand_ins_of(school_class.id, student.number)
        results: list[HandInResult] = []
        for item in assigned.items:
            chosen = await self._choose(work, student, item, assigned.row.pairs)
            if not isinstance(chosen, RoomResult):
                results.append(HandInResult(item.number, False, 0, assigned.is_late(now), chosen))
                continue
            room = chosen.room.outline.id
            together = (
                {other.student for other in work.rooms if other.outline.id == room} if assigned.row.pairs else {student.number}
            )
            log = await room_log(self.store, room, chosen.room.last_event)
            rows = [
                self._row(school_class, other, assigned, item, chosen, log, now) for other in students if other.number in together
            ]
            stored = await in_class(self.store.put_hand_ins(rows))
            if of_item(earlier, assigned.row.number, item.number) is None:  # Otherwise it takes about the place that it had.
                self.totals.grow("hand_ins", len(stored), sum(len(row.certificate) for row in stored))
            own = next((row for row in stored if row.student == student.number), None)
            late = assigned.is_late(now)
            results.append(HandInResult(item.number, own is not None, own.points if own else 0, late, None if own else "kept"))
        return HandInResults(tuple(results))

    async def _choose(self, work: ClassWork, student: StudentRow, item: ItemRow, pairs: bool) -> RoomResult | NotHandedIn:
        """The room that counts: one that was proved before one that was not, then the newest; or why there is none."""
        results = work.results.get((student.number, key_of(item)), [])
        if not results:
            return "nothing"
        fitting = []
        for result in results:
            people = [
                member for member in await self.store.members(result.room.outline.id) if not member.player.startswith(COMPUTER)
            ]
            students = {room.student for room in work.rooms if room.outline.id == result.room.outline.id}
            # A pair are two students of the class: somebody from outside may be anybody.
            if len(people) == (PAIR if pairs else 1) == len(students):
                fitting.append(result)
        if not fitting:
            return "no-pair" if pairs else "not-alone"
        current = [result for result in fitting if result.current]
        if not current:
            return "again"
        return max(current, key=lambda result: state_of([result], student.player) == "proved")

    def _row(
        self,
        school_class: ClassRow,
        student: StudentRow,
        assigned: Assigned,
        item: ItemRow,
        chosen: RoomResult,
        log: RoomLog,
        now: float,
    ) -> HandInRow:
        player, outline = student.player or "", chosen.room.outline
        proof = None if log.solved_at is None else certified_proof(log.solved_at, player)
        has_gem = proof is not None and state_of([chosen], player) == "proved"
        part = chosen.tally.parts.get(player)
        medals = tuple(part.medals) if has_gem and part is not None else ()
        points = points_for(assigned.points, has_gem, len(medals), log.distinct.get(player, 0))
        late = assigned.is_late(now)
        certificate = Certificate(
            format=CERTIFICATE_FORMAT,
            version=CERTIFICATE_VERSION,
            class_id=school_class.id,
            class_title=school_class.title,
            assignment=assigned.row.number,
            assignment_title=assigned.row.title,
            item=item.number,
            item_title=item.title,
            student=student.number,
            name=student.name,
            time=now,
            late=late,
            room=outline.id,
            program=outline.program,
            level=outline.level,
            engine=outline.engine,
            events=log.events,
            log_sha256=log.sha256,
            proof=proof,
            kinds=log.kinds.get(player, {}),
            hints=log.hints,
            players=chosen.room.members,
            medals=medals,
            points=points,
            ending=None if log.ended_at is None else certified_ending(log.ended_at, player),
        )
        number, text = assigned.row.number, record_text(certificate)
        return HandInRow(school_class.id, number, item.number, student.number, now, late, outline.id, points, text)


def of_item(rows: Sequence[HandInRow], assignment: int, item: int) -> HandInRow | None:
    return next((row for row in rows if (row.assignment, row.item) == (assignment, item)), None)
