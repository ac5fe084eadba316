"""What agents get to see, as records. The same over HTTP and in-process: read from the engine's JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idg.engine.books import values_from_json
from idg.engine.results import Fact, Kind, Transition
from idg.sip.record import Record
from idg.sip.values import Value

Json = dict[str, Any]

EXPRESSION_CHARS_MAX = 10_000
BATCH_MAX = 300
TRACE_ROWS_MAX = 100_000


class Limits(Record):
    """What a server takes; a test compares with it."""

    expression_chars_max: int = EXPRESSION_CHARS_MAX
    batch_max: int = BATCH_MAX
    """Proposals in one batch; `propose_many` sends several where there are more."""
    trace_rows_max: int = TRACE_ROWS_MAX


class LevelInfo(Record):
    level: str
    title: str
    world: str
    difficulty: int
    story: str
    loops: int


class LoopInfo(Record):
    number: int
    outer: int | None
    """The loop around it."""
    columns: tuple[str, ...]
    """The variables visible at its head."""
    test: str


class StateToRuleOut(Record):
    """A state at a loop head that all accepted invariants allow and from which the program would break its promise."""

    loop: int
    values: Mapping[str, Value]
    cause: str
    inside: bool
    """The test is true there, and the body breaks something."""


class Feedback(Record):
    solved: bool
    potential_suffices: bool
    state: StateToRuleOut | None
    failing: Mapping[str, Value] | None
    """Inputs of a run that breaks the program's promise: then nothing can prove it."""
    too_large: str
    message: str
    json: Json


class Run(Record):
    """A run that refutes a proposal: in its last row the proposal is false."""

    inputs: Mapping[str, Value]
    seed: int
    row: int
    state: Mapping[str, Value]


class Answer(Record):
    """What one proposal is."""

    expression: str
    loop: int
    kind: Kind
    message: str
    solved: bool
    feedback: Feedback
    promoted: tuple[Fact, ...]
    removed: tuple[Fact, ...]
    implied_by: tuple[Fact, ...]
    run: Run | None
    transition: Transition | None
    coins: int
    """What it earned; nothing in-process."""
    json: Json


class BatchAnswer(Record):
    kinds: tuple[tuple[Fact, Kind], ...]
    promoted: tuple[Fact, ...]
    removed: tuple[Fact, ...]
    solved: bool
    feedback: Feedback
    coins: int
    json: Json


class LoopTrace(Record):
    loop: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    rows_total: int
    """More than there are rows where not all were asked for."""

    def states(self) -> tuple[dict[str, Value], ...]:
        return tuple(dict(zip(self.columns, row, strict=True)) for row in self.rows)


class TraceAnswer(Record):
    inputs: Mapping[str, Value]
    outcome: str
    """'returned', 'failed', 'ignored' or 'bound'"""
    message: str
    loops: tuple[LoopTrace, ...]
    json: Json


class Checked(Record):
    """An expression on all the states at a loop head that were looked at."""

    expression: str
    loop: int
    holds: bool
    """It is an expression of the loop, and true in every state; no state shows nothing."""
    states: int
    failing: Mapping[str, Value] | None
    """The first state in which it is not true."""
    problem: str
    """Why it is no Boolean expression of the loop; empty where it is one."""


class Breaking(Record):
    """Why a potential invariant is not inductive yet."""

    fact: Fact
    transition: Transition | None
    message: str


class Standing(Record):
    """Where a game stands."""

    inductive: tuple[Fact, ...]
    potential: tuple[Fact, ...]
    authors: Mapping[Fact, str]
    """Fact → the player who proposed it first, where that is known."""
    solved: bool
    feedback: Feedback
    last_event: int


class Event(Record):
    number: int
    kind: str
    player: str | None
    body: Json


def facts_of(found: Sequence[Json]) -> tuple[Fact, ...]:
    return tuple(Fact(each["loop"], each["expression"]) for each in found)


def feedback_of(found: Json) -> Feedback:
    shown, failing = found.get("state"), found.get("failing")
    return Feedback(
        solved=found["solved"],
        potential_suffices=found["potential_suffices"],
        state=None
        if shown is None
        else StateToRuleOut(shown["loop"], values_from_json(shown["values"]), shown["cause"], shown["inside"]),
        failing=None if failing is None else values_from_json(failing["inputs"]),
        too_large=found.get("too_large", ""),
        message=found["message"],
        json=found,
    )


def transition_of(found: Json | None) -> Transition | None:
    if found is None:
        return None
    return Transition(found["loop"], values_from_json(found["before"]), values_from_json(found["after"]), found["at_entry"])


def answer_of(body: Json, coins: int = 0) -> Answer:
    run = body.get("run")
    return Answer(
        expression=body["expression"],
        loop=body["loop"],
        kind=Kind(body["kind"]),
        message=body["message"],
        solved=body["solved"],
        feedback=feedback_of(body["feedback"]),
        promoted=facts_of(body["promoted"]),
        removed=facts_of(body["removed"]),
        implied_by=facts_of(body.get("implied_by", ())),
        run=None if run is None else _run_of(run),
        transition=transition_of(body.get("transition")),
        coins=coins,
        json=body,
    )


def _run_of(found: Json) -> Run:
    last = found["rows"][-1] if found["rows"] else []
    state = values_from_json(dict(zip(found["columns"], last, strict=False)))
    return Run(values_from_json(found["inputs"]), found["seed"], found["row"], state)


def batch_of(body: Json, coins: int = 0) -> BatchAnswer:
    kinds = tuple((Fact(each["loop"], each["expression"]), Kind(each["kind"])) for each in body["kinds"])
    return BatchAnswer(
        kinds, facts_of(body["promoted"]), facts_of(body["removed"]), body["solved"], feedback_of(body["feedback"]), coins, body
    )


def trace_of(found: Json) -> TraceAnswer:
    loops = tuple(
        LoopTrace(
            each["loop"],
            tuple(each["columns"]),
            tuple(tuple(values_from_json(dict(zip(each["columns"], row, strict=True))).values()) for row in each["rows"]),
            each.get("rows_total", len(each["rows"])),
        )
        for each in found["loops"]
    )
    outcome = found["outcome"]
    return TraceAnswer(values_from_json(found["inputs"]), outcome["kind"], outcome["message"], loops, found)


def event_of(found: Json) -> Event:
    return Event(found["number"], found["kind"], found.get("player"), found["body"])


def standing_of(found: Json) -> Standing:
    authors = {
        Fact(each["loop"], each["expression"]): each["player"]
        for each in (*found["inductive"], *found["potential"])
        if each.get("player")
    }
    return Standing(
        facts_of(found["inductive"]),
        facts_of(found["potential"]),
        authors,
        found["solved"],
        feedback_of(found["feedback"]),
        found["last_event"],
    )
