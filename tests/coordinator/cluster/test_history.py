"""The checker of histories finds what is wrong in forged ones, and nothing in a right one."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from idg.sip.record import replace
from tests.support.servers.cluster.history import Call, History, Look, Shown, Watched, problems_of


def proposed(number: int, request: str, player: str = "ann") -> Shown:
    return {"number": number, "kind": "proposed", "player": player, "request": request, "body": {"expression": request}}


def judged(number: int, answers: int, text: str, on_books: list[str], removed: tuple[str, ...] = (), **more: Any) -> Shown:
    body = {
        "kind": "inductive",
        "loop": 1,
        "expression": text,
        "inductive": [{"loop": 1, "expression": fact} for fact in on_books],
        "potential": [],
        "removed": [{"loop": 1, "expression": fact} for fact in removed],
    }
    return {"number": number, "kind": "judged", "player": "ann", "answers": answers, "body": body | more}


EVENTS = [
    {"number": 1, "kind": "loaded", "player": "ann", "body": {}},
    proposed(2, "a"),
    judged(3, 2, "x > 0", ["x > 0"]),
    proposed(4, "b", "bob"),
    proposed(5, "c"),
    judged(6, 5, "x > 1", ["x > 1"], ("x > 0",)),
    judged(7, 4, "y > 0", ["x > 1", "y > 0"]),
]
CALLS = (
    Call("ann", "room", "a", 1.0, 2.0, EVENTS[2]),
    Call("bob", "room", "b", 3.0, 6.0, EVENTS[6]),
    Call("ann", "room", "c", 3.5, 5.0, EVENTS[5]),
)
LOOKS = (Look("eve", "room", 5.5, 5.6, 6), Look("eve", "room", 7.0, 7.1, 7))
WATCHED = (Watched("eve", "room", 0, tuple(EVENTS[:4])), Watched("eve", "room", 4, tuple(EVENTS[4:])))
RIGHT = History(CALLS, LOOKS, WATCHED, {"room": EVENTS})


def with_call(index: int, **changed: Any) -> History:
    calls = list(CALLS)
    calls[index] = replace(calls[index], **changed)
    return replace(RIGHT, calls=tuple(calls))


def with_event(place: int, event: Shown | None, drop: bool = False) -> History:
    """The history with another event in the store, and with all who saw it having seen that one."""
    events = list(EVENTS)
    events[place - 1 : place] = [] if drop or event is None else [event]
    by_number = {event["number"]: event for event in events}
    calls = tuple(
        replace(call, answer=by_number.get(call.answer["number"], call.answer)) for call in CALLS if call.answer is not None
    )
    return History(calls, LOOKS, (), {"room": events})


def test_a_right_history_is_explained() -> None:
    assert problems_of(RIGHT) == []


def test_a_call_without_an_answer_proves_nothing() -> None:
    assert problems_of(with_call(1, answer=None, answered=None)) == []


def test_a_client_that_sent_a_request_twice_is_explained() -> None:
    assert problems_of(with_call(1, sends=3)) == []


OTHER_BODY = copy.deepcopy(EVENTS[2])
OTHER_BODY["body"]["kind"] = "potential"
MOVED = {**EVENTS[2], "number": 30}
WRONG: dict[str, tuple[History, str]] = {
    "an answer that is not stored": (with_call(0, answer=MOVED), "is not event 30"),
    "an answer with another verdict than the store has": (with_call(0, answer=OTHER_BODY), "is not event 3"),
    "the answer to another request": (with_call(0, answer=EVENTS[5]), "another request"),
    "a proposal without a verdict": (with_event(7, {**EVENTS[0], "number": 7}), "proposal 4 has 0 verdicts"),
    "a proposal with two verdicts": (
        replace(RIGHT, rooms={"room": [*EVENTS, judged(8, 4, "y > 0", ["x > 1", "y > 0"])]}),
        "proposal 4 has 2 verdicts",
    ),
    "a verdict on no proposal": (
        replace(RIGHT, rooms={"room": [*EVENTS, judged(8, 1, "z", ["x > 1", "y > 0", "z"])]}),
        "no proposal",
    ),
    "a request that was stored twice": (
        replace(
            RIGHT, rooms={"room": [*EVENTS, proposed(8, "b", "bob"), judged(9, 8, "y > 0", ["x > 1", "y > 0"], kind="displaced")]}
        ),
        "stored 2 times",
    ),
    "a gap in the numbers": (with_event(4, None, drop=True), "have the numbers"),
    "a lost update": (with_event(7, judged(7, 4, "y > 0", ["x > 0", "y > 0"])), "the books of verdict 7"),
    "a proposal that comes before what was answered before it was sent": (
        with_call(0, sent=8.0, answered=9.0),
        "request a of ann has event 2",
    ),
    "a look that misses what was answered before": (
        replace(RIGHT, looks=(Look("eve", "room", 8.0, 8.1, 6),)),
        "a look of eve has event 6",
    ),
    "a look that goes back": (
        replace(RIGHT, calls=(), looks=(Look("eve", "room", 1.0, 1.1, 5), Look("bob", "room", 2.0, 2.1, 4))),
        "a look of bob has event 4",
    ),
    "a socket that sees an event twice": (
        replace(RIGHT, watched=(Watched("eve", "room", 0, (EVENTS[0], EVENTS[1], EVENTS[1])),)),
        "event 2 came where event 3",
    ),
    "a socket that misses an event": (
        replace(RIGHT, watched=(Watched("eve", "room", 0, (EVENTS[0], EVENTS[2])),)),
        "event 3 came where event 2",
    ),
    "a socket that sees events out of order": (
        replace(RIGHT, watched=(Watched("eve", "room", 0, (EVENTS[1], EVENTS[0])),)),
        "event 2 came where event 1",
    ),
    "a socket that repeats what it was shown before": (
        replace(RIGHT, watched=(Watched("eve", "room", 4, tuple(EVENTS[3:])),)),
        "event 4 came where event 5",
    ),
    "a socket that sees another event": (replace(RIGHT, watched=(Watched("eve", "room", 2, (OTHER_BODY,)),)), "another one"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_forged_history_is_rejected(what: str) -> None:
    history, expected = WRONG[what]
    problems = problems_of(history)
    assert any(expected in problem for problem in problems), problems
