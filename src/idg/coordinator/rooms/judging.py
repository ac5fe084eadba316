"""Judging: a proposal is stored, judged on the room's books when its turn comes, and its verdict stored and shown."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.errors import ApiError
from idg.coordinator.pool.jobs import Busy, CallError, Closed, Failed
from idg.coordinator.rooms.live_room import LiveRoom, Situation
from idg.coordinator.rooms.open_rooms import Hall
from idg.coordinator.rooms.questions import Answered, Question, Questions, dumps
from idg.coordinator.store import AlreadyAnswered, Duplicate, Event, NewEvent, Store
from idg.coordinator.store.records import OWN_PROPOSAL
from idg.sip.record import Record

PENDING_A_PLAYER_MAX = 8
RESUMED_AT_ONCE = 16
LIMIT_REASONS = {
    "time": "the analysis took longer than this server allows", "memory": "the analysis needed more memory than this server allows",
    "died": "the worker died each time", "error": "the engine failed on it; this was logged as a mistake of ours",
}  # fmt: skip

log = logging.getLogger("idg.judging")


class Mover(Record):
    """Who acts."""

    player: str
    session: str = ""
    agent: bool = False


class Judging:
    def __init__(self, hall: Hall, store: Store, questions: Questions, admitted_max: int, clock: Callable[[], float]) -> None:
        self.hall = hall
        self.store = store
        self.questions = questions
        self.admitted_max = admitted_max
        self.clock = clock
        self.admitted = 0
        """Proposals stored and not judged yet."""
        self.kinds: dict[str, int] = {}
        """How often each kind was the answer, for the metrics."""
        self._pending: dict[str, int] = {}
        self._under_way: dict[tuple[str, int], asyncio.Task[Event]] = {}

    async def propose(self, live: LiveRoom, proposed: NewEvent, agent: bool) -> Event:
        """The judged event. The proposal is stored before it is analysed, and its verdict after."""
        body = json.loads(proposed.body)
        try:
            if "proposals" not in body and not live.turn.locked():
                judged = await self._at_once(live, proposed, body)
                if judged is not None:
                    return judged
            # Whether the answer is in the store is found out while the proposal is being stored.
            looking = asyncio.create_task(self.questions.look_up(proposal_question(live.entry, live.situation, body)))
            try:
                event = await self._store(live, proposed)
            finally:
                await asyncio.gather(looking, return_exceptions=True)
        except Duplicate as error:
            return await self._earlier(live, error.event, proposed.body)
        return await asyncio.shield(self.judge(live, event, agent, admitted=True))

    async def _at_once(self, live: LiveRoom, proposed: NewEvent, body: dict[str, Any]) -> Event | None:
        """A known answer is stored together with its proposal. None where it is not known, or the room moved on."""
        async with live.turn:
            version, standing = live.standing
            answered = self.questions.known(proposal_question(live.entry, standing, body))
            if answered is None:
                return None
            situation, events = self._judgement(live, standing, proposed, answered, answered.answer, OWN_PROPOSAL)
            stored = await self.store.propose_and_judge(live.id, proposed, version, situation.text(), events)
            if stored is None:
                await self.hall.reload(live)
                return None
            live.move_on(version, situation)
            self.hall.publish(live, stored)
        self._count(answered)
        return stored[1]

    async def _store(self, live: LiveRoom, proposed: NewEvent) -> Event:
        player = proposed.player or ""
        self._admit(player)
        try:
            [event] = await self.store.append(live.id, [proposed])
        except BaseException:
            self._dismiss(player)
            raise
        self.hall.publish(live, [event])
        return event

    async def _earlier(self, live: LiveRoom, proposal: Event, body: str) -> Event:
        """The answer to a request that came before: whoever asks again gets it, and nothing is done twice."""
        if proposal.kind != "proposed" or proposal.body != body:
            text = "this request id was used before in this room for something else"
            raise ApiError("request-reused", text, where={"field": "request"})
        assert proposal.number is not None
        answer = await self.store.answer_to(live.id, proposal.number)
        return await asyncio.shield(self.judge(live, proposal, agent=False)) if answer is None else answer

    def _admit(self, player: str) -> None:
        if self.admitted >= self.admitted_max:
            raise Busy(1.0)
        if self._pending.get(player, 0) >= PENDING_A_PLAYER_MAX:
            raise ApiError(
                "too-fast",
                f"{PENDING_A_PLAYER_MAX} of your proposals are waiting for their verdicts",
                retry_after_seconds=1,
                hint="wait for a verdict before the next proposal",
            )
        self.admitted += 1
        self._pending[player] = self._pending.get(player, 0) + 1

    def _dismiss(self, player: str) -> None:
        self.admitted -= 1
        self._pending[player] -= 1
        if not self._pending[player]:
            del self._pending[player]

    def judge(self, live: LiveRoom, proposal: Event, agent: bool, admitted: bool = False) -> asyncio.Task[Event]:
        """One task a proposal, which goes on when nobody waits any more: the verdict is owed to the room."""
        assert proposal.number is not None
        key = (live.id, proposal.number)
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(self._judge(live, proposal, agent))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._judged(key, proposal.player or "", admitted))
        return task

    def _judged(self, key: tuple[str, int], player: str, admitted: bool) -> None:
        task = self._under_way.pop(key)
        if admitted:
            self._dismiss(player)
        if not task.cancelled() and task.exception() is not None and not isinstance(task.exception(), Closed):
            log.error("judging failed", exc_info=task.exception(), extra={"room": key[0], "event": key[1]})

    async def _judge(self, live: LiveRoom, proposal: Event, agent: bool) -> Event:
        async with live.turn:
            while True:
                version, standing = live.standing
                answered, limited = await self._analyse(live, standing, proposal, agent)
                answer = answered.answer if not limited else dumps({**json.loads(answered.answer), "limited": limited})
                situation, events = self._judgement(live, standing, proposal, answered, answer, proposal.number)
                try:
                    stored = await self.store.judge(live.id, version, situation.text(), events)
                except AlreadyAnswered as error:
                    await self.hall.reload(live)
                    return error.event
                if stored is not None:
                    break
                await self.hall.reload(live)
            live.move_on(version, situation)
            self.hall.publish(live, stored)
        self._count(answered)
        return stored[0]

    async def _analyse(self, live: LiveRoom, standing: Situation, proposal: Event, agent: bool) -> tuple[Answered, str]:
        """The engine's answer, or 'unknown' with the limit that was reached."""
        body = json.loads(proposal.body)
        while True:
            try:
                return await self.questions.ask(proposal_question(live.entry, standing, body), live.id, agent), ""
            except Busy as error:
                await asyncio.sleep(error.retry_after_seconds)
            except Failed as error:
                return _unknown(standing, body, error.reason), error.reason
            except CallError as error:
                log.error("an analysis raised an error", extra={"room": live.id, "event": proposal.number, "error": str(error)})
                return _unknown(standing, body, "error"), "error"

    def _judgement(
        self, live: LiveRoom, standing: Situation, proposal: Event | NewEvent, answered: Answered, answer: str, answers: int | None
    ) -> tuple[Situation, list[NewEvent]]:
        """The situation after an answer, and the events that say so."""
        player = proposal.player or ""
        imported = bool(json.loads(proposal.body).get("imported"))
        situation, solved = standing.after(player, answered, live.variant, live.entry.par, imported)
        now = self.clock()
        events = [NewEvent("judged", now, player, proposal.session, live.variant, answers=answers, body=answer)]
        if solved is not None:
            events.append(NewEvent("solved", now, player, proposal.session, live.variant, body=solved))
        return situation, events

    def _count(self, answered: Answered) -> None:
        facts = answered.facts or {}
        for each in facts.get("kinds") or [facts]:
            self.kinds[each["kind"]] = self.kinds.get(each["kind"], 0) + 1

    async def resume(self, before: float, since: float = 0.0) -> int:
        """Judge proposals from between these times that have no verdict; returns how many there were."""
        count = 0
        while True:
            found = await self.store.unanswered(before, RESUMED_AT_ONCE, since)
            left = [each for each in found if (each.room, each.number) not in self._under_way]
            answers = await asyncio.gather(*map(self._resumed, left), return_exceptions=True)
            judged = sum(isinstance(each, Event) for each in answers)
            count += judged
            if not judged:
                return count

    async def _resumed(self, proposal: Event) -> Event:
        live = await self.hall.live(proposal.room or "")
        assert live is not None, "events keep their room"
        return await self.judge(live, proposal, agent=True)

    async def close(self) -> None:
        """Stop judging; what is not judged yet is stored, and is judged after the next start."""
        for task in self._under_way.values():
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)


def start_question(entry: CatalogEntry) -> Question:
    return Question("start", entry.hash, "", "", lambda: {"source": entry.source})


def proposal_question(entry: CatalogEntry, standing: Situation, body: dict[str, Any]) -> Question:
    """Of a proposal's event."""
    if "proposals" in body:
        return books_question(entry, standing, "propose_many", dumps(body["proposals"]), {"proposals": body["proposals"]})
    arguments = {"expression": body["expression"], "loop": body["loop"]}
    return books_question(entry, standing, "propose", f"{body['loop']} {body['expression']}", arguments)


def books_question(entry: CatalogEntry, standing: Situation, call: str, detail: str, arguments: dict[str, Any]) -> Question:
    """About a room's books."""

    def complete() -> dict[str, Any]:
        return {"source": entry.source, "books": json.loads(standing.books), **arguments}

    return Question(call, entry.hash, standing.digest, detail, complete)


def _unknown(standing: Situation, body: dict[str, Any], reason: str) -> Answered:
    """No verdict within the limits: said plainly, the books stay as they are."""
    why = LIMIT_REASONS[reason]
    facts = standing.facts_json()
    answer: dict[str, Any] = {
        "promoted": [],
        "removed": [],
        "solved": standing.tally.solved,
        "feedback": json.loads(standing.feedback),
        "inductive": _plain(facts["inductive"]),
        "potential": _plain(facts["potential"]),
        "tried": [why],
        "rules_out": [],
    }
    if "proposals" in body:
        answer["kinds"] = [{**each, "kind": "unknown"} for each in body["proposals"]]
    else:
        answer |= {"expression": body["expression"], "loop": body["loop"], "kind": "unknown"}
        answer["message"] = f"About '{body['expression']}' nothing could be established: {why}. That does not mean it is false."
    wanted = {name: answer[name] for name in ("expression", "loop", "kind", "kinds", "solved", "inductive") if name in answer}
    return Answered(dumps(answer), facts=wanted | {"changed": False})


def _plain(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"loop": each["loop"], "expression": each["expression"]} for each in facts]
