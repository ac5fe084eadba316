"""Checks what many clients saw of rooms against what the store has, as Jepsen does: was there one order that explains all of it?

The order of a room is the numbers of its events. It explains what clients saw where
- each answer is an event of the room, and the only verdict on the only proposal that was stored for its request;
- the order respects time: what was answered before something else was sent comes before it;
- each verdict's books are those of the verdict before it, with what the two say was added and removed;
- no socket missed an event, saw one twice, or saw another one than the store has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from idg.sip.record import Record

Shown = dict[str, Any]
"""An event as clients see it, as JSON."""
BOOKS = ("inductive", "potential", "unknown")
"""The lists of a verdict that say what is on the books, and the kinds of proposals that come onto them."""


class Call(Record):
    """A proposal of one client, however often it was sent, with one request id."""

    client: str
    room: str
    request: str
    sent: float
    """When it was sent first."""
    answered: float | None = None
    """When the answer was there; None where there never was one."""
    answer: Shown | None = None
    """The event with the verdict."""
    sends: int = 1


class Look(Record):
    """A client asked where a room stands."""

    client: str
    room: str
    sent: float
    answered: float
    last_event: int


class Watched(Record):
    """What one socket of a client was shown: the events after a number."""

    client: str
    room: str
    after: int
    events: tuple[Shown, ...]


class History(Record):
    calls: tuple[Call, ...]
    looks: tuple[Look, ...]
    watched: tuple[Watched, ...]
    rooms: dict[str, list[Shown]]
    """Room → its events as the store has them at the end, in order."""


def problems_of(history: History) -> list[str]:
    """What cannot be explained; empty where everything can."""
    problems: list[str] = []
    for room, events in history.rooms.items():
        problems += (f"room {room}: {problem}" for problem in _of_log(events))
    for call in history.calls:
        problems += (f"{call.client}, request {call.request}: {problem}" for problem in _of_call(call, history.rooms))
    if not problems:
        problems += _of_time(history)
    for watched in history.watched:
        problems += (f"a socket of {watched.client}: {problem}" for problem in _of_socket(watched, history.rooms))
    return problems


def _of_log(events: list[Shown]) -> Iterator[str]:
    """The room's log by itself."""
    if [event["number"] for event in events] != list(range(1, len(events) + 1)):
        yield f"its events have the numbers {[event['number'] for event in events]}"
        return
    proposals = {event["number"] for event in events if event["kind"] == "proposed"}
    verdicts = Counter(event["answers"] for event in events if event["kind"] == "judged")
    for number in sorted(proposals | set(verdicts)):
        if number not in proposals:
            yield f"event {number} has a verdict and is no proposal"
        elif verdicts[number] != 1:
            yield f"proposal {number} has {verdicts[number]} verdicts"
    requests = Counter((event["player"], event["request"]) for event in events if event.get("request"))
    for (player, request), count in requests.items():
        if count > 1:
            yield f"request {request} of {player} was stored {count} times"
    yield from _of_books(events)


def _of_books(events: list[Shown]) -> Iterator[str]:
    """Each verdict follows from the one before it: no update is lost."""
    books: set[tuple[int, str]] = set()
    for event in events:
        body = event["body"]
        if event["kind"] == "reset":
            books = set()
        if event["kind"] != "judged" or "limited" in body:
            continue
        told = {(fact["loop"], fact["expression"]) for name in BOOKS for fact in body.get(name, ())}
        if body["kind"] in BOOKS:
            books.add((body["loop"], body["expression"]))
        books -= {(fact["loop"], fact["expression"]) for fact in body["removed"]}
        if told != books:
            yield f"the books of verdict {event['number']} are {sorted(told)}; from those before follow {sorted(books)}"
            books = told


def _of_call(call: Call, rooms: dict[str, list[Shown]]) -> Iterator[str]:
    """An answer is what the store has for its request."""
    if call.answer is None:
        return
    events = rooms.get(call.room, [])
    place = call.answer["number"]
    if not 1 <= place <= len(events) or events[place - 1] != call.answer:
        yield f"its answer is not event {place} of the room"
        return
    proposal = events[(call.answer.get("answers") or 1) - 1]
    if (proposal["kind"], proposal.get("request")) != ("proposed", call.request):
        yield f"its answer is the one to event {proposal['number']}, which is another request"


def _of_time(history: History) -> Iterator[str]:
    """The order respects real time. Each operation happened at one moment between its first sending and its answer."""
    operations: dict[str, list[tuple[float, float, int, int, str]]] = defaultdict(list)
    for call in history.calls:
        if call.answer is not None and call.answered is not None:
            name = f"request {call.request} of {call.client}"
            operations[call.room].append((call.sent, call.answered, call.answer["answers"], call.answer["number"], name))
    for look in history.looks:
        name = f"a look of {look.client}"
        operations[look.room].append((look.sent, look.answered, look.last_event, look.last_event, name))
    for room, of_room in operations.items():
        yield from (f"room {room}: {problem}" for problem in _in_order(of_room))


def _in_order(operations: Iterable[tuple[float, float, int, int, str]]) -> Iterator[str]:
    """For each operation: when it began and ended, the first and the last event that it made or saw, and its name.

    An operation must come after the last event of all that had ended when it began."""
    begun = sorted(operations)
    ended = sorted(begun, key=lambda operation: operation[1])
    highest, latest = 0, ""
    index = 0
    for began, _, first, last, name in begun:
        while index < len(ended) and ended[index][1] < began:
            if ended[index][3] > highest:
                highest, latest = ended[index][3], ended[index][4]
            index += 1
        # A look sees the last event; a proposal makes a new one.
        if first < highest or (first == highest and first != last):
            yield f"{name} has event {first}, but {latest} was answered before with event {highest}"


def _of_socket(watched: Watched, rooms: dict[str, list[Shown]]) -> Iterator[str]:
    events = rooms.get(watched.room, [])
    for place, event in enumerate(watched.events, watched.after + 1):
        if event["number"] != place:
            yield f"event {event['number']} came where event {place} of room {watched.room} was due"
            return
        if place > len(events) or events[place - 1] != event:
            yield f"event {place} of room {watched.room} is another one than the store has"
            return
