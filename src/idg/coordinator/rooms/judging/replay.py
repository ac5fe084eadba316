"""Replay: a room's history, judged again from its first event, must lead to the same verdicts and the same books.

Where an engine of another version judged the room again at some event, the verdicts before that event are those of engines that are
not believed any more. They are not compared; what they led to when they were judged again is.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from idg.coordinator.catalog import CatalogEntry, stored_entry
from idg.coordinator.pool.computing.calls import summary_of
from idg.coordinator.pool.jobs import Asker, Job, Pool
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.judging.question_kinds import feedback_question, hint_question, proposal_question, start_question
from idg.coordinator.rooms.judging.questions import Answered, Question, answered_of
from idg.coordinator.rooms.judging.retelling import Retelling
from idg.coordinator.rooms.room_state import NewMarks, RoomState, first_state
from idg.coordinator.store import Event, RoomRow, Store
from idg.engine.version import engine_version
from idg.engine.wire.answers import HintAnswer
from idg.engine.wire.codec import decode, decode_any, encode
from idg.engine.wire.events import GivenHint, JudgedAgain, Proposal, ProposalVerdict, Restored, given_hint
from idg.sip.record import Record

PAGE = 50
"""How many events are read from the store at once. An event may have a megabyte."""


class Difference(Record):
    """Where a replay and the log disagree."""

    number: int
    """The number of the event."""
    what: str
    recorded: str
    replayed: str


class Replayed(Record):
    """What a replay came to."""

    room: str
    events: int
    judged: int
    limited: int
    """How many verdicts a limit of time or memory ended. They cannot be repeated; it is checked that they changed nothing."""
    differences: tuple[Difference, ...]
    engine: str
    """The version of the engine that judged the room last. Another version may say other things."""

    @property
    def same(self) -> bool:
        return not self.differences


async def replay(store: Store, pool: Pool, room: str, progress: Callable[[int, int], None] = lambda number, last: None) -> Replayed:
    """Raises LookupError where there is no such room. `progress` is told each event's number and that of the last one."""
    row = await store.room(room)
    if row is None:
        raise LookupError(f"there is no room {room}")
    entry = await stored_entry(store, row.program)
    assert entry is not None, "rooms play stored programs"
    replayer = Replayer(pool, row, entry, await store.last_of_kind(room, "rejudged"))
    await replayer.start()
    last = 0
    while True:
        page = await store.events(room, last, PAGE)
        for event in page:
            await replayer.take(event)
            last = event.number or 0
            progress(last, row.last_event)
        if len(page) < PAGE:
            break
    replayer.compare(row.last_event, "the books at the end", row.state, replayer.state.text())
    return Replayed(room, last, replayer.judged, replayer.limited, tuple(replayer.differences), row.engine)


class Replayer:
    """Takes the events of a room one after the other, asks the engine again, and compares."""

    def __init__(self, pool: Pool, row: RoomRow, entry: CatalogEntry, rejudged: Event | None) -> None:
        """`rejudged` is the event with which the room was judged again last."""
        self.pool = pool
        self.row = row
        self.entry = entry
        self.proposals: dict[int, Proposal] = {}
        """Number of an event → the proposal in it."""
        self.differences: list[Difference] = []
        self.judged = self.limited = 0
        self.state: RoomState
        self._first: Answered
        self._rejudged = 0 if rejudged is None else rejudged.number or 0
        limited = () if rejudged is None else decode(JudgedAgain, json.loads(rejudged.body)).limited
        self._retelling = Retelling(self._ask, entry, row.variant, {ended.event: ended.limit for ended in limited})
        self._marks = NewMarks(None, None)

    async def start(self) -> None:
        self._first = await self._ask(start_question(self.entry))
        self.state = first_state(self._first)
        await self._retelling.start()

    async def take(self, event: Event) -> None:
        number = event.number or 0
        if number <= self._rejudged:
            await self._retelling.take(event)
            self.proposals, self.state = self._retelling.proposals, self._retelling.state
            return
        match event.kind:
            case "proposed":
                self.proposals[number] = decode_any(Proposal, json.loads(event.body))
            case "judged":
                await self._judge(event)
            case "solved":
                solved = self._marks.solved
                self.compare(number, "solved", event.body, "not solved" if solved is None else record_text(solved))
            case "ended":
                ended = self._marks.ended
                self.compare(number, "the end of its runs", event.body, "not known" if ended is None else record_text(ended))
            case "feedback":
                answered = await self._ask(feedback_question(self.entry, self.state))
                self.compare(number, "the state to rule out", event.body, answered.feedback)
                self.state = self.state.with_books(answered)
            case "hint":
                await self._hint(event)
            case "reset":
                self.state = self.state.reset(self._first)
            case "restored":
                restored = decode(Restored, json.loads(event.body))
                self.state = self.state.restored(event.player or "", restored, self.entry.hash)

    async def _judge(self, event: Event) -> None:
        self.judged += 1
        proposal = self.proposals[event.answers or 0]
        recorded: ProposalVerdict = decode_any(ProposalVerdict, json.loads(event.body))
        if recorded.limited:
            self.limited += 1
            answered = Answered(event.body, summary=summary_of(recorded, changed=False))
        else:
            answered = await self._ask(proposal_question(self.entry, self.state, proposal))
            self.compare(event.number or 0, "the verdict", event.body, answered.answer)
        self.state, self._marks = self.state.after(
            event.player or "", answered, self.row.variant, self.entry.par, proposal.imported
        )

    async def _hint(self, event: Event) -> None:
        answered = await self._ask(hint_question(self.entry, self.state))
        answer = decode(HintAnswer, json.loads(answered.answer))
        following = self.state.next_hint(answer)
        if following is None:
            self.compare(event.number or 0, "the hint", event.body, "null")
            return
        # What a hint cost depends on the player's other rooms, so it is taken from the log.
        coins = decode(GivenHint, json.loads(event.body)).coins
        given = given_hint(following.step, following.loop, following.left, coins)
        self.compare(event.number or 0, "the hint", event.body, record_text(given))
        self.state = self.state.hinted(event.player or "", answer, given)

    def compare(self, number: int, what: str, recorded: str, replayed: str) -> None:
        if recorded != replayed:
            self.differences.append(Difference(number, what, recorded, replayed))

    async def _ask(self, question: Question) -> Answered:
        return answered_of(await self.pool.ask(Job(question.call, encode(question.arguments()), Asker(self.row.id))))


def engine_note(replayed: Replayed) -> str:
    """A warning where the room was recorded with another version of the engine."""
    if replayed.engine == engine_version():
        return ""
    return f"recorded with engine version {replayed.engine}, replayed with {engine_version()}: verdicts may differ"
