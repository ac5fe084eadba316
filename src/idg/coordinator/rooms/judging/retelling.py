"""A room's log, judged from its first event: what the room would know if this engine had judged every proposal in it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.pool.jobs import CallError, Failed
from idg.coordinator.rooms.judging.limited import limited
from idg.coordinator.rooms.judging.question_kinds import feedback_question, proposal_question, start_question
from idg.coordinator.rooms.judging.questions import Answered, Question
from idg.coordinator.rooms.room_state import NO_HINTS, RoomState, first_state
from idg.coordinator.store import Event
from idg.engine.results import Fact, Kind
from idg.engine.termination.results import MeasureKind
from idg.engine.wire.answers import ProposalAnswer
from idg.engine.wire.codec import decode, decode_any
from idg.engine.wire.events import (
    EndedByLimit,
    FallenFact,
    FallenMeasure,
    GivenHint,
    JudgedAgain,
    Proposal,
    ProposalVerdict,
    Proposed,
    Restored,
    judged_facts,
)
from idg.engine.wire.places import LimitReached
from idg.sip.record import Record, replace
from idg.sip.text.expressions import DECREASES

STILL_KNOWN = (Kind.TAUTOLOGY, Kind.DISPLACED)
"""A fact of these kinds is not on the books because it follows from what is known: it has not fallen."""

Ask = Callable[[Question], Awaitable[Answered]]
"""Puts a question to the engine. It raises `Failed` or `CallError` where there is no answer."""


class FactVerdict(Record):
    """What a fact is according to the last proposal of it."""

    kind: Kind
    message: str


class Retelling:
    """Takes the events of a room one after the other and judges the proposals in them, whatever verdicts the log has."""

    def __init__(self, ask: Ask, entry: CatalogEntry, variant: str, limits: Mapping[int, LimitReached] | None = None) -> None:
        """`limits` has the numbers of events whose analysis is known to have been ended by a limit. They are not asked again, so
        that a replay comes to the same books."""
        self.entry = entry
        self.variant = variant
        self.limits: list[EndedByLimit] = []
        self.state: RoomState
        self.verdicts: dict[Fact, FactVerdict] = {}
        """Of this sitting."""
        self.measures: dict[Fact, str] = {}
        """Measure, as it was proposed → what it is, in this sitting."""
        self._ask = ask
        self._known_limits = limits or {}
        self.proposals: dict[int, Proposal] = {}
        """Number of an event → the proposal in it."""
        self._first: Answered

    async def start(self) -> None:
        self._first = await self._ask(start_question(self.entry))
        self.state = first_state(self._first)

    async def take(self, event: Event) -> None:
        number = event.number or 0
        match event.kind:
            case "proposed":
                self.proposals[number] = decode_any(Proposal, json.loads(event.body))
            case "judged":
                await self._judge(event)
            case "feedback":
                answered = await self._answer(number, feedback_question(self.entry, self.state))
                if isinstance(answered, Answered):
                    self.state = self.state.with_books(answered)
            case "hint":
                self.state = self.state.hinted_before(event.player or "", decode(GivenHint, json.loads(event.body)))
            case "reset":
                self.state = self.state.reset(self._first)
                self.verdicts.clear()
                self.measures.clear()
            case "restored":
                restored = decode(Restored, json.loads(event.body))
                self.state = self.state.restored(event.player or "", restored, self.entry.hash)
            case "rejudged":
                self.end_hints(decode(JudgedAgain, json.loads(event.body)))

    def end_hints(self, told: JudgedAgain) -> None:
        """Where facts fell, the hints that were given lead to a proof that may be none, so they are shown no longer."""
        if told.fallen:
            self.state = replace(self.state, hints=NO_HINTS)

    async def _judge(self, event: Event) -> None:
        proposal = self.proposals[event.answers or 0]
        answered = await self._answer(event.number or 0, proposal_question(self.entry, self.state, proposal))
        if not isinstance(answered, Answered):
            answered = limited(self.state, proposal, answered)
        verdict: ProposalVerdict = decode_any(ProposalVerdict, json.loads(answered.answer))
        for judged in judged_facts(verdict):
            message = verdict.message if isinstance(verdict, ProposalAnswer) else ""
            self.verdicts[judged.fact] = FactVerdict(judged.kind, message)
        for move in () if isinstance(verdict, ProposalAnswer) else verdict.moves:
            self.measures[Fact(move.loop, move.text)] = move.kind
        self.state, _ = self.state.after(event.player or "", answered, self.variant, self.entry.par, proposal.imported)

    async def _answer(self, number: int, question: Question) -> Answered | LimitReached:
        """The engine's answer, or the limit that ended the analysis."""
        limit = self._known_limits.get(number)
        if limit is None:
            try:
                return await self._ask(question)
            except Failed as error:
                limit = error.reason
            except CallError:
                limit = "error"
        self.limits.append(EndedByLimit(number, limit))
        return limit

    async def differences(self, before: RoomState, engine_before: str, engine: str) -> JudgedAgain:
        """What the players are told: what fell and why, and what is known now."""
        after = self.state
        inductive = {owned.fact for owned in after.inductive()}
        known = inductive | {owned.fact for owned in (*after.potential(), *after.unknown())}
        fallen = []
        for owned in before.inductive():
            if owned.fact not in inductive:
                fallen.append(FallenFact(owned.loop, owned.text, "inductive", *await self._verdict(owned.fact)))
        for owned in before.potential():
            if owned.fact not in known:
                fallen.append(FallenFact(owned.loop, owned.text, "potential", *await self._verdict(owned.fact)))
        for owned in before.unknown():
            if owned.fact not in known:
                fallen.append(FallenFact(owned.loop, owned.text, "unknown", *await self._verdict(owned.fact)))
        fallen = [fact for fact in fallen if not self._is_still_known(fact)]
        proved_before = {owned.fact for owned in before.inductive()}
        return JudgedAgain(
            engine=engine,
            engine_before=engine_before,
            was_solved=before.solved,
            solved=after.solved,
            fallen=tuple(fallen),
            kept=len(before.inductive()) + len(before.potential()) + len(before.unknown()) - len(fallen),
            gained=tuple(owned.fact for owned in after.inductive() if owned.fact not in proved_before),
            inductive=after.inductive(),
            potential=after.potential(),
            feedback=after.feedback_answer(),
            limited=tuple(self.limits),
            unknown=after.unknown(),
            measures=after.measures(),
            fallen_measures=self._fallen_measures(before),
            had_ended=before.tally.ends,
            ends=after.tally.ends,
            ending=after.ending_report(),
        )

    def _fallen_measures(self, before: RoomState) -> tuple[FallenMeasure, ...]:
        """The measures that are not on the books any more, or that are not proved any more."""
        kept = {owned.measure: owned.proved for owned in self.state.measures()}
        proved = {owned.loop for owned in self.state.measures() if owned.proved}
        fallen = []
        for owned in before.measures():
            # One measure is enough for a loop: where another one is proved now, nothing has fallen.
            if owned.loop not in proved and (owned.measure not in kept or owned.proved):
                kind = self.measures.get(Fact(owned.loop, f"{DECREASES} {owned.text}"), MeasureKind.UNKNOWN.value)
                fallen.append(FallenMeasure(owned.loop, owned.text, owned.proved, MeasureKind(kind)))
        return tuple(fallen)

    def _is_still_known(self, fact: FallenFact) -> bool:
        """Whether the fact is off its list only because it follows from what is on the books."""
        if fact.kind in STILL_KNOWN or (fact.kind is Kind.DISPLACED_POTENTIAL and fact.was != "inductive"):
            return True
        # It was accepted again, and another fact that came later implies it.
        listed = fact.fact in {owned.fact for owned in (*self.state.potential(), *self.state.unknown())}
        return fact.kind is Kind.INDUCTIVE and fact.fact in self.verdicts and not listed

    async def _verdict(self, fact: Fact) -> tuple[Kind, str]:
        """What the fact is now. One that no proposal of this sitting brought is judged on the books as they are at the end."""
        verdict = self.verdicts.get(fact)
        if verdict is None:
            try:
                question = proposal_question(self.entry, self.state, Proposed(fact.text, fact.loop, fact.text))
                answer = decode(ProposalAnswer, json.loads((await self._ask(question)).answer))
                return answer.kind, answer.message
            except (Failed, CallError):
                return Kind.UNKNOWN, ""
        return verdict.kind, verdict.message
