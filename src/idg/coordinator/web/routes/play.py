"""The routes of rooms, and of the moves in them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.pool.computing.traces import first_inputs, trace
from idg.coordinator.pool.jobs import Asker
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.live.live_room import LiveRoom, event_json
from idg.coordinator.rooms.room_state import read_tally
from idg.coordinator.store import PlayerRow, RoomOutline
from idg.coordinator.web.answers import CodeAnswer, Empty, json_response, player_answer, record_response
from idg.coordinator.web.describing.description import error_responses, told
from idg.coordinator.web.models import Batch, FactBody, NewRoom, PartnerBody, Proposal, UseCode
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.caller import Caller, Calling, Coming, Coordinating, with_code
from idg.engine.wire.answers import Explanation
from idg.engine.wire.board import BoardAnswer
from idg.engine.wire.events import EventPage, RoomEvent
from idg.engine.wire.programs import ExportedProof
from idg.engine.wire.rooms import JudgedMove, ListedRoom, OpenedRoom, RoomAnswer, RoomList, SocketPartner

ROOMS_LISTED_MAX = 200
"""How many of a player's rooms are listed."""
EVENTS_PAGE_MAX = 500
"""How many events one request may ask for."""
EVENT_NUMBER_MAX = 10**9
"""The largest number of an event that a request may name; far fewer events fit into a room."""

router = APIRouter(prefix="/api/rooms", tags=["rooms"], route_class=StrictRoute, responses=error_responses())
TargetName = Literal["dafny", "why3", "boogie", "acl2", "acsl", "smtlib"]
ExportTarget = Annotated[TargetName, Query(description="the verifier that the proof is written for", examples=["dafny"])]
RoomId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,64}$", examples=["Yb0cJzG5r1o0mV3hQ2s7uA"])]


@router.post("", responses=told(OpenedRoom), summary="Open a room")
async def open_room(body: NewRoom, visitor: Coming, coordinator: Coordinating) -> Response:
    """Start playing: gives the room, the program, a first trace and the first state to rule out. Callers without a token become
    new players, and get their cookie here."""
    entry = await _entry(coordinator, body)
    who = await visitor.arrive()
    wanted = body.resume and not body.shared
    live = await coordinator.rooms.own(entry, who.player.id, body.variant, body.purpose) if wanted else None
    if live is None:
        live = await coordinator.rooms.create(entry, who.acting, body.variant, body.shared, body.purpose)
    return visitor.with_cookie(await _opened(coordinator, live, who))


async def _entry(coordinator: Coordinator, body: NewRoom) -> CatalogEntry:
    if (body.level is None) == (body.program is None):
        raise ApiError("bad-request", "say either a level or a program", field="level")
    entry: CatalogEntry | None
    if body.level is not None:
        entry = coordinator.catalog.level(body.level)
    else:
        entry = await coordinator.catalog.program(body.program or "")
    if entry is None:
        raise not_found("level" if body.level is not None else "program")
    return entry


async def _opened(coordinator: Coordinator, live: LiveRoom, who: Caller) -> Response:
    coordinator.prepare_hint(live)
    return json_response(await opened_text(coordinator, live, who.player, who.acting.asking(live.id)))


async def opened_text(coordinator: Coordinator, live: LiveRoom, player: PlayerRow, asker: Asker) -> str:
    """A room as a player sees it, as JSON."""
    inputs = await first_inputs(coordinator.questions, live.entry, asker)
    shown = await trace(coordinator.questions, live.entry, inputs, asker)
    score = await coordinator.earnings.score(player.id, live)
    # The JSON of an `OpenedRoom`, written by hand because that of the trace is there already.
    parts = {
        "room": record_text(live.answer(), spaced=True),
        "program": await coordinator.catalog.view(live.entry, inputs, asker),
        "trace": shown,
        "player": record_text(player_answer(player), spaced=True),
        "score": record_text(score, spaced=True),
    }
    return "{" + ", ".join(f'"{name}": {text}' for name, text in parts.items()) + "}"


@router.get("", responses=told(RoomList), summary="Your rooms")
async def list_rooms(who: Calling, coordinator: Coordinating) -> Response:
    """Newest first."""
    rows = with_pauses(await coordinator.store.rooms_of(who.player.id, ROOMS_LISTED_MAX))
    listed = [_listed(row, coordinator.open_rooms.is_current(row)) async for row in rows]
    return record_response(RoomList(tuple(listed)))


def _listed(row: RoomOutline, current: bool) -> ListedRoom:
    tally = read_tally(row.tally)
    solved, ends = current and tally.solved, tally.ends if current else ""
    return ListedRoom(row.id, row.code, row.program, row.level, row.variant, row.time, solved, row.version, not current, ends)


@router.post("/join", responses=told(OpenedRoom), summary="Join a room by its code")
async def join(request: Request, body: UseCode, visitor: Coming, coordinator: Coordinating) -> Response:
    live = await with_code(request, lambda: coordinator.rooms.of_code(body.code.upper()))
    who = await visitor.arrive()
    await coordinator.rooms.join(live, who.acting)
    return visitor.with_cookie(await _opened(coordinator, live, who))


@router.get("/{room}", responses=told(RoomAnswer), summary="Where a room stands")
async def room_state(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    return record_response((await coordinator.open_rooms.fresh(room, who.player.id)).answer())


@router.get("/{room}/open", responses=told(OpenedRoom), summary="Everything about a room")
async def reopen(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    """As opening it gave: the program and its first trace, too."""
    return await _opened(coordinator, await coordinator.open_rooms.fresh(room, who.player.id), who)


@router.post("/{room}/share", responses=told(CodeAnswer), summary="A code for others to join")
async def share(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    """The same code each time."""
    live = await coordinator.open_rooms.fresh(room, who.player.id)
    return record_response(CodeAnswer(await coordinator.rooms.share(live), None))


@router.post("/{room}/leave", responses=told(Empty), summary="Leave a room")
async def leave(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    live = await coordinator.open_rooms.of_member(room, who.player.id)
    await coordinator.rooms.leave(live, who.acting)
    return record_response(Empty())


@router.get("/{room}/events", responses=told(EventPage), summary="What happened in a room")
async def history(
    room: RoomId,
    who: Calling,
    coordinator: Coordinating,
    after: Annotated[int, Query(ge=0, le=EVENT_NUMBER_MAX, examples=[0])] = 0,
    limit: Annotated[int, Query(ge=1, le=EVENTS_PAGE_MAX, examples=[100])] = 100,
) -> Response:
    """Events after a number, in order. The history stays when a room is reset."""
    live = await coordinator.open_rooms.fresh(room, who.player.id)
    events = await coordinator.open_rooms.history(live, after, limit)
    return json_response(f'{{"events": [{", ".join(text for _, text in events)}], "last_event": {live.head}}}')


@router.post("/{room}/proposals", responses=told(JudgedMove), summary="Propose an expression")
async def propose(room: RoomId, body: Proposal, who: Calling, coordinator: Coordinating) -> Response:
    """The verdict, and what it earned. Everyone in the room sees both events by WebSocket."""
    return json_response(await judged(coordinator, who, room, body))


async def judged(coordinator: Coordinator, who: Caller, room: str, body: Proposal | Batch) -> str:
    """The answer to a proposal, or to many, as JSON."""
    player = who.player.id
    live = await coordinator.open_rooms.of_member(room, player)
    await coordinator.earnings.prepare(player, live)  # So that what the verdict earns can be told.
    if isinstance(body, Proposal):
        verdict = await coordinator.rooms.propose(live, who.acting, body.loop, body.expression, body.request)
    else:
        proposals = [(fact.loop, fact.expression) for fact in body.proposals]
        verdict = await coordinator.rooms.propose_many(live, who.acting, proposals, body.request)
    score = verdict.score or await coordinator.earnings.score(player, live)
    # The JSON of a `JudgedMove`, written by hand because that of the event is there already.
    parts = (event_json(verdict.event), record_text(verdict.earned), record_text(score))
    return '{{"event": {}, "earned": {}, "score": {}}}'.format(*parts)


@router.post("/{room}/batches", responses=told(JudgedMove), summary="Propose many expressions at once")
async def propose_many(room: RoomId, body: Batch, who: Calling, coordinator: Coordinating) -> Response:
    """One Promote over all of them; for agents."""
    return json_response(await judged(coordinator, who, room, body))


@router.post("/{room}/transitions", responses=told(RoomEvent), summary="Why a potential invariant is not inductive yet")
async def transition(room: RoomId, body: FactBody, who: Calling, coordinator: Coordinating) -> Response:
    """A state that satisfies all that is known, and the state after one turn, in which the expression is false."""
    live = await coordinator.open_rooms.of_member(room, who.player.id)
    event = await coordinator.rooms.transition(live, who.acting, body.loop, body.expression)
    return json_response(event_json(event))


@router.post("/{room}/feedback", responses=told(RoomEvent), summary="Another state to rule out")
async def another_state(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    """One that was not shown before, where there is one."""
    live = await coordinator.open_rooms.of_member(room, who.player.id)
    return json_response(event_json(await coordinator.rooms.another_state(live, who.acting)))


@router.post("/{room}/hints", responses=told(RoomEvent), summary="A hint")
async def hint(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    """The next step towards a fact that helps: a variable, which variables belong together, the shape, a template, the fact
    itself. Where the guarantee is proved, towards the second mark. Each costs coins, as `hint_coins` of the room says."""
    live = await coordinator.open_rooms.of_member(room, who.player.id)
    await coordinator.school.classes.require_hints(who.player.id, live.entry.hash, live.level)

    async def balance() -> int:
        return (await coordinator.earnings.all_scores(who.player.id)).total.coins

    return json_response(event_json(await coordinator.rooms.hint(live, who.acting, balance)))


@router.post("/{room}/partner", responses=told(SocketPartner), summary="The computer as a partner")
async def partner(room: RoomId, body: PartnerBody, who: Calling, coordinator: Coordinating) -> Response:
    """Have the computer play along, pause it, or send it away. Everyone in the room can do so, and sees what it does."""
    live = await coordinator.open_rooms.of_member(room, who.player.id)
    if body.mode == "off":
        await coordinator.partners.end(live)
        return record_response(SocketPartner("partner", None))
    await coordinator.school.classes.require_hints(who.player.id, live.entry.hash, live.level)
    return record_response(SocketPartner("partner", await coordinator.partners.set(live, who.acting, body.mode, body.paused)))


@router.post("/{room}/partner/ask", responses=told(SocketPartner), summary="Ask the computer")
async def ask_partner(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    """As a hint giver, the computer says where to look, which costs what a hint costs; otherwise it makes its next move now."""
    live = await coordinator.open_rooms.of_member(room, who.player.id)
    await coordinator.school.classes.require_hints(who.player.id, live.entry.hash, live.level)

    async def balance() -> int:
        return (await coordinator.earnings.all_scores(who.player.id)).total.coins

    return record_response(SocketPartner("partner", await coordinator.partners.ask(live, who.acting, balance)))


@router.get("/{room}/explanation", responses=told(Explanation), summary="Which invariants each proof uses")
async def explanation(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    live = await coordinator.open_rooms.fresh(room, who.player.id)
    return json_response(await coordinator.rooms.explanation(live, who.acting))


@router.get("/{room}/board", responses=told(BoardAnswer), summary="What carries what")
async def board(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    """The parts of the goal with the facts that carry them, the facts that are not proved yet with what they wait for, and the
    proved ones with what they are good for."""
    live = await coordinator.open_rooms.fresh(room, who.player.id)
    return json_response(await coordinator.rooms.board(live, who.acting))


@router.get("/{room}/export", responses=told(ExportedProof), summary="The proof for another verifier")
async def export(room: RoomId, to: ExportTarget, who: Calling, coordinator: Coordinating) -> Response:
    """The program with its proved facts and measures, in the language of another verifier."""
    live = await coordinator.open_rooms.fresh(room, who.player.id)
    return json_response(await coordinator.rooms.export(live, who.acting, to))


@router.post("/{room}/reset", responses=told(RoomEvent), summary="Start the room's program again")
async def reset(room: RoomId, who: Calling, coordinator: Coordinating) -> Response:
    """The history stays."""
    live = await coordinator.open_rooms.of_member(room, who.player.id)
    return json_response(event_json(await coordinator.rooms.reset(live, who.acting)))
