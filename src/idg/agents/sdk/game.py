"""A game: one program at a table, be that a room of a server or an engine in this process. The calls are those of people."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from idg.agents.sdk.moves import (
    BATCH_MAX,
    Answer,
    BatchAnswer,
    Breaking,
    Checked,
    Event,
    Feedback,
    Json,
    Limits,
    LoopInfo,
    Standing,
    TraceAnswer,
    answer_of,
    batch_of,
    event_of,
    facts_of,
    feedback_of,
    standing_of,
    trace_of,
    transition_of,
)
from idg.engine.results import Fact
from idg.sip.errors import SipError
from idg.sip.program import load
from idg.sip.running.trace import Trace
from idg.sip.syntax import Type
from idg.sip.values import Value, format_value

CHECKED_RUNS_MAX = 50
"""Traces that `check` looks at, the newest ones."""


class Table(Protocol):
    """Where a game is played. Answers are the protocol's JSON; what is refused raises PlayError."""

    def propose(self, loop: int, expression: str) -> tuple[Json, int]:
        """The verdict, and the coins it earned."""
        ...

    def propose_many(self, proposals: Sequence[tuple[int, str]]) -> tuple[Json, int]: ...
    def trace(self, inputs: Mapping[str, str], loop: int | None, seed: int, rows_max: int) -> Json: ...
    def transition(self, loop: int, expression: str) -> Json: ...
    def another_state(self) -> Json: ...
    def hint(self) -> Json: ...
    def explain(self) -> Json: ...
    def standing(self) -> Json: ...
    def events(self, after: int) -> list[Json]: ...
    def follow(self, after: int) -> Iterator[Json]: ...
    def reset(self) -> Json: ...
    def leave(self) -> None: ...


class Game:
    """`game.propose("x <= n")` until `game.solved`."""

    def __init__(self, table: Table, opened: Json) -> None:
        found = opened["program"]
        self._table = table
        self.program = load(found["source"])
        """Parsed, so that an agent can run it as often as it likes."""
        self.source: str = found["source"]
        self.title: str = found["title"]
        self.level: str | None = found.get("level")
        self.story: str = found.get("story", "")
        self.guarantee: str = found["guarantee_text"]
        self.params: dict[str, str] = {each["name"]: each["type"] for each in found["params"]}
        self.loops = tuple(_loop_info(each) for each in found["loops"])
        self.tries: tuple[dict[str, str], ...] = tuple(found.get("tries", ()))
        """Further inputs worth trying."""
        self.limits = Limits()
        self.room: str | None = opened["room"].get("room")
        self.code: str | None = opened["room"].get("code")
        """With it others join the room."""
        self.first_trace: TraceAnswer = trace_of(opened["trace"])
        self._standing: Standing = standing_of(opened["room"])
        self._traced: list[Mapping[str, Value]] = [self.first_trace.inputs]
        self.proposals = 0
        """How many were judged in this game."""

    # where it stands, as far as this game's own moves tell

    @property
    def solved(self) -> bool:
        return self._standing.solved

    @property
    def inductive(self) -> tuple[Fact, ...]:
        return self._standing.inductive

    @property
    def potential(self) -> tuple[Fact, ...]:
        return self._standing.potential

    @property
    def feedback(self) -> Feedback:
        return self._standing.feedback

    def state(self) -> Standing:
        """Asks where the game stands now; others may have moved."""
        self._standing = standing_of(self._table.standing())
        return self._standing

    # free: nothing is proposed

    def trace(
        self, inputs: Mapping[str, Value | str], loop: int | None = None, seed: int = 0, rows_max: int = 1_000
    ) -> TraceAnswer:
        """The states at the loop heads for these inputs."""
        texts = {name: value if isinstance(value, str) else format_value(value) for name, value in inputs.items()}
        found = trace_of(self._table.trace(texts, loop, seed, rows_max))
        if found.inputs not in self._traced:
            self._traced.append(found.inputs)
        return found

    def check(
        self, expressions: Iterable[str], loop: int = 1, inputs: Iterable[Mapping[str, Value | str]] | None = None
    ) -> tuple[Checked, ...]:
        """Expressions on the states of runs, computed here: of all traces seen so far, or of runs from the given inputs."""
        chosen = self._traced[-CHECKED_RUNS_MAX:] if inputs is None else inputs
        runs = [self.program.run(each) for each in chosen]
        return tuple(self._checked(each, loop, [run.of(loop) for run in runs]) for each in expressions)

    def _checked(self, expression: str, loop: int, traces: Sequence[Trace]) -> Checked:
        states = 0
        failing: Mapping[str, Value] | None = None
        try:
            expr, kind = self.program.expression(expression, loop)
        except SipError as error:
            return Checked(expression, loop, False, 0, None, str(error.problems[0].message))
        if kind is not Type.BOOL:
            return Checked(expression, loop, False, 0, None, f"it is a number of type {kind}, not true or false")
        for each in traces:
            values = each.values(expr)
            states += len(values)
            wrong = next((at for at, value in enumerate(values) if value is not True), None)
            if wrong is not None and failing is None:
                failing = dict(zip(each.columns, each.rows[wrong], strict=True))
        return Checked(expression, loop, failing is None and states > 0, states, failing, "")

    # moves

    def propose(self, expression: str, loop: int = 1) -> Answer:
        """The engine says what the expression is, and keeps it where it is inductive or potential."""
        body, coins = self._table.propose(loop, expression)
        self.proposals += 1
        self._take(body)
        return answer_of(body, coins)

    def propose_many(self, proposals: Iterable[str | tuple[int, str]]) -> BatchAnswer:
        """One Promote over all of them; an expression alone is about loop 1, a pair names its loop."""
        wanted = [(1, each) if isinstance(each, str) else each for each in proposals]
        if not wanted:
            raise ValueError("propose_many needs at least one expression")
        found: BatchAnswer | None = None
        for start in range(0, len(wanted), BATCH_MAX):
            body, coins = self._table.propose_many(wanted[start : start + BATCH_MAX])
            self.proposals += len(wanted[start : start + BATCH_MAX])
            self._take(body)
            found = _joined(found, batch_of(body, coins))
        assert found is not None
        return found

    def _take(self, body: Json) -> None:
        now = self._standing
        inductive, potential = facts_of(body["inductive"]), facts_of(body["potential"])
        # An answer that leaves the books as they are shows no new state: the one shown before is still to be ruled out.
        changed = body["solved"] or "kinds" in body or (inductive, potential) != (now.inductive, now.potential)
        feedback = feedback_of(body["feedback"]) if changed else now.feedback
        solved = body["solved"] or now.solved
        self._standing = Standing(inductive, potential, now.authors, solved, feedback, now.last_event)

    def transition(self, expression: str, loop: int = 1) -> Breaking:
        """Why a potential invariant is not inductive yet."""
        found = self._table.transition(loop, expression)
        return Breaking(Fact(found["loop"], found["expression"]), transition_of(found["transition"]), found["message"])

    def another_state(self) -> Feedback:
        """Another state to rule out."""
        found = feedback_of(self._table.another_state())
        self._show(found)
        return found

    def hint(self) -> Json:
        """The next step towards a fact that helps: `step` says what it reveals, `message` says it in English; `left` more follow.

        On a server it costs coins. PlayError 'no-hint' where there is none."""
        return self._table.hint()

    def explain(self) -> Json:
        """Which invariants the proof of each obligation uses."""
        return self._table.explain()

    def events(self, after: int = 0) -> tuple[Event, ...]:
        """What happened in the game after the event of this number."""
        return tuple(map(event_of, self._table.events(after)))

    def follow(self, after: int = 0) -> Generator[Event, None, None]:
        """Events as they happen, each once and in order, also when the connection breaks. Ends when the room is left; in-process
        there is nobody to wait for, and it ends with the last event."""
        for each in self._table.follow(after):
            yield event_of(each)

    def reset(self) -> Feedback:
        """Start again with empty books."""
        found = feedback_of(self._table.reset())
        self._standing = Standing((), (), {}, found.solved, found, self._standing.last_event)
        return found

    def leave(self) -> None:
        self._table.leave()

    def _show(self, feedback: Feedback) -> None:
        now = self._standing
        self._standing = Standing(now.inductive, now.potential, now.authors, now.solved, feedback, now.last_event)


def _loop_info(found: Json) -> LoopInfo:
    columns = tuple(each["name"] for each in found["columns"])
    return LoopInfo(found["number"], found["outer"], columns, found["test"]["text"])


def _joined(first: BatchAnswer | None, second: BatchAnswer) -> BatchAnswer:
    if first is None:
        return second
    return BatchAnswer(
        (*first.kinds, *second.kinds),
        (*first.promoted, *second.promoted),
        (*first.removed, *second.removed),
        second.solved,
        second.feedback,
        first.coins + second.coins,
        second.json,
    )
