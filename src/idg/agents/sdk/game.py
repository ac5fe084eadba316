"""A game: one program that is played in a room of a server, or on an engine in this process. The calls are those of people."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from idg.agents.sdk.errors import BadText
from idg.agents.sdk.moves import CheckedExpression, GameState, batches
from idg.agents.sdk.view import GameView
from idg.engine.telling.pictures import answer_html, fact_lists, fact_text
from idg.engine.termination.results import MeasureKind
from idg.engine.termination.texts import endless_text, is_measure_text
from idg.engine.wire.answers import BatchAnswer, Explanation, FeedbackAnswer, ProposalAnswer, TraceAnswer, TransitionAnswer
from idg.engine.wire.board import BoardAnswer
from idg.engine.wire.endings import EndingReport, EndlessJudged, ListedMeasure, MeasureJudged
from idg.engine.wire.events import EndMark, GivenHint, RoomEvent
from idg.engine.wire.programs import ProgramAnswer
from idg.sip.errors import SipError
from idg.sip.program import load
from idg.sip.record import replace
from idg.sip.running.trace import Trace
from idg.sip.syntax import Type
from idg.sip.text.expressions import DECREASES
from idg.sip.values import Given, Value, ValueJson, format_value

CHECKED_RUNS_MAX = 50
"""Traces that `check` looks at, the newest ones."""


class GameBackend(Protocol):
    """Where a game is played: a room of a server, or an engine in this process. What is refused raises PlayError."""

    def propose(self, loop: int, expression: str) -> ProposalAnswer: ...
    def propose_many(self, proposals: Sequence[tuple[int, str]]) -> BatchAnswer: ...
    def propose_measure(self, loop: int, text: str) -> MeasureJudged: ...
    def claim_endless(self, text: str) -> EndlessJudged: ...
    def trace(self, inputs: Mapping[str, ValueJson], loop: int | None, seed: int, rows_max: int) -> TraceAnswer: ...
    def transition(self, loop: int, expression: str) -> TransitionAnswer: ...
    def another_state(self) -> FeedbackAnswer: ...
    def hint(self) -> GivenHint: ...
    def explain(self) -> Explanation: ...
    def board(self) -> BoardAnswer: ...
    def state(self) -> GameState: ...
    def events(self, after: int) -> Sequence[RoomEvent]: ...
    def follow(self, after: int) -> Iterator[RoomEvent]: ...
    def reset(self) -> FeedbackAnswer: ...
    def leave(self) -> None: ...


class Game(GameView):
    """A game on one program: `game.propose("x <= n")` until `game.solved`. `Player.open` makes one.

    It is the same in a room of a server and in this process.
    """

    def __init__(
        self,
        backend: GameBackend,
        program: ProgramAnswer,
        first_trace: TraceAnswer,
        state: GameState,
        room: str | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(load(program.source), program, first_trace, room, code)
        self.backend = backend
        """Where it is played."""
        self._state = state
        self._traced: list[Mapping[str, Value]] = [first_trace.inputs]
        self.proposals = 0
        """How many proposals of this game were judged."""

    def _known(self) -> GameState:
        return self._state

    def state(self) -> GameState:
        """Ask where the game stands now, because others may have moved since your own last move."""
        self._state = self.backend.state()
        return self._state

    # free: nothing is proposed

    def trace(self, inputs: Mapping[str, Given], loop: int | None = None, seed: int = 0, rows_max: int = 1_000) -> TraceAnswer:
        """The states at the loop heads for these inputs."""
        texts = {name: _text(given) for name, given in inputs.items()}
        trace = self.backend.trace(texts, loop, seed, rows_max)
        if trace.inputs not in self._traced:
            self._traced.append(trace.inputs)
        return trace

    def check(
        self, expressions: Iterable[str], loop: int = 1, inputs: Iterable[Mapping[str, Given]] | None = None
    ) -> tuple[CheckedExpression, ...]:
        """Expressions on the states of runs, computed here: of all traces seen so far, or of runs from the given inputs."""
        chosen = self._traced[-CHECKED_RUNS_MAX:] if inputs is None else inputs
        runs = [self.program.run(given) for given in chosen]
        return tuple(self._checked(expression, loop, [run.of(loop) for run in runs]) for expression in expressions)

    def _checked(self, expression: str, loop: int, traces: Sequence[Trace]) -> CheckedExpression:
        states = 0
        failing: Mapping[str, Value] | None = None
        try:
            expr, kind = self.program.expression(expression, loop)
        except SipError as error:
            return CheckedExpression(expression, loop, False, 0, None, str(error.problems[0].message))
        if kind is not Type.BOOL:
            return CheckedExpression(expression, loop, False, 0, None, f"it is a number of type {kind}, not true or false")
        for trace in traces:
            values = trace.values(expr)
            states += len(values)
            wrong = next((index for index, value in enumerate(values) if value is not True), None)
            if wrong is not None and failing is None:
                failing = dict(zip(trace.columns, trace.rows[wrong], strict=True))
        return CheckedExpression(expression, loop, failing is None and states > 0, states, failing, "")

    # moves

    def propose(self, expression: str, loop: int = 1) -> ProposalAnswer:
        """The engine says what the expression is, and keeps it where it is inductive or potential."""
        if self.program.is_measure(expression, loop):
            raise BadText("bad-text", f"'{expression}' is a measure, not a fact", "propose it by propose_measure")
        answer = self.backend.propose(loop, expression)
        self.proposals += 1
        # An answer that leaves the books as they are shows no new state: the one shown before is still to be ruled out.
        lists = (self._state.inductive, self._state.potential, self._state.unknown)
        changed = answer.solved or (answer.inductive, answer.potential, answer.unknown) != lists
        self._take(answer, answer.feedback if changed else self._state.feedback)
        return answer

    def propose_many(self, proposals: Iterable[str | tuple[int, str]]) -> BatchAnswer:
        """All of them are judged together. An expression alone is about loop 1, a pair names its loop."""
        wanted = [(1, proposal) if isinstance(proposal, str) else proposal for proposal in proposals]
        if not wanted:
            raise ValueError("propose_many needs at least one expression")
        joined: BatchAnswer | None = None
        for batch in batches(wanted):
            answer = self.backend.propose_many(batch)
            self.proposals += len(batch)
            self._take(answer, answer.feedback)
            joined = answer if joined is None else _joined(joined, answer)
        assert joined is not None
        return joined

    def propose_measure(self, measure: str, loop: int = 1) -> MeasureJudged:
        """The engine says whether the measure, such as `n - i` or `x, y`, falls in every turn of the loop."""
        text = measure if self.program.is_measure(measure, loop) else f"{DECREASES} {measure}"
        answer = self.backend.propose_measure(loop, text)
        self._state = replace(self._state, measures=answer.measures, ends=_mark(answer.ending, self._state.ends))
        return answer

    def claim_endless(self, inputs: Mapping[str, Given]) -> EndlessJudged:
        """The engine says whether the run from these inputs never ends."""
        answer = self.backend.claim_endless(endless_text(self.program.inputs(inputs)))
        self._state = replace(self._state, ends=_mark(answer.ending, self._state.ends))
        return answer

    def _take(self, answer: ProposalAnswer | BatchAnswer, feedback: FeedbackAnswer) -> None:
        self._state = replace(
            self._state,
            inductive=answer.inductive,
            potential=answer.potential,
            unknown=answer.unknown,
            solved=answer.solved or self._state.solved,
            feedback=feedback,
            measures=self._measures(answer),
            ends=_mark(answer.ending, self._state.ends),
        )

    def _measures(self, answer: ProposalAnswer | BatchAnswer) -> tuple[ListedMeasure, ...]:
        """The measures after it. Where one of a loop is proved, the others of the loop wait no more."""
        proved = {measure.loop: measure.text for measure in answer.measures_proved}
        listed = dict.fromkeys(self._state.measures)
        for claim in answer.moves if isinstance(answer, BatchAnswer) else ():
            if is_measure_text(claim.text) and claim.kind != str(MeasureKind.DOES_NOT_FALL):
                text = claim.text.removeprefix(f"{DECREASES} ")
                if claim.kind == str(MeasureKind.FALLS):
                    proved.setdefault(claim.loop, text)
                elif not any(other.loop == claim.loop and other.text == text for other in listed):
                    listed[ListedMeasure(claim.loop, text, False)] = None
        known = {other.loop for other in listed if other.proved}
        kept = [other for other in listed if other.proved or other.loop not in proved]
        return (*kept, *(ListedMeasure(loop, text, True) for loop, text in proved.items() if loop not in known))

    def transition(self, expression: str, loop: int = 1) -> TransitionAnswer:
        """Why a potential invariant is not inductive yet."""
        return self.backend.transition(loop, expression)

    def another_state(self) -> FeedbackAnswer:
        """Another state to rule out."""
        feedback = self.backend.another_state()
        self._state = replace(self._state, feedback=feedback)
        return feedback

    def hint(self) -> GivenHint:
        """The next step towards a fact that helps: `step` says what it reveals, `message` says it in English; `left` more follow.

        On a server it costs coins. PlayError 'no-hint' where there is none."""
        return self.backend.hint()

    def explain(self) -> Explanation:
        """Which invariants the proof of each obligation uses."""
        return self.backend.explain()

    def board(self) -> BoardAnswer:
        """Which facts carry which part of the goal, and what waits for what."""
        return self.backend.board()

    def events(self, after: int = 0) -> tuple[RoomEvent, ...]:
        """What happened in the game after the event of this number."""
        return tuple(self.backend.events(after))

    def follow(self, after: int = 0) -> Generator[RoomEvent, None, None]:
        """Events as they happen, each once and in order, also when the connection breaks. Ends when the room is left; in-process
        there is nobody to wait for, and it ends with the last event."""
        yield from self.backend.follow(after)

    def reset(self) -> FeedbackAnswer:
        """Start again with empty books."""
        feedback = self.backend.reset()
        self._state = GameState((), (), {}, feedback.solved, feedback, self._state.last_event)
        return feedback

    def _repr_html_(self) -> str:
        from html import escape

        lists = {"inductive": self.inductive, "potential": self.potential, "unknown": self.unknown}
        facts = fact_lists({name: map(fact_text, own) for name, own in lists.items()})
        program = f"<pre>{escape(self.source)}</pre><div>to prove: <code>{escape(self.guarantee)}</code></div>"
        return f"<div><b>{escape(self.title)}</b></div>{program}{facts}{answer_html(self.feedback)}"

    def leave(self) -> None:
        """Leave the room."""
        self.backend.leave()


def _mark(ending: EndingReport | None, before: EndMark) -> EndMark:
    """The second mark after an answer. Once given, it stays."""
    return before if before or ending is None or ending.status == "open" else ending.status


def _joined(first: BatchAnswer, second: BatchAnswer) -> BatchAnswer:
    """The answer to both batches; the books are those after the second."""
    return replace(
        second,
        kinds=(*first.kinds, *second.kinds),
        promoted=(*first.promoted, *second.promoted),
        removed=(*first.removed, *second.removed),
        moves=(*first.moves, *second.moves),
        measures_proved=(*first.measures_proved, *second.measures_proved),
        coins=first.coins + second.coins,
    )


def _text(given: Given) -> ValueJson:
    """An input as it is sent: a text, or the texts of an array's cells."""
    if isinstance(given, str):
        return given
    if isinstance(given, Sequence):
        return [cell if isinstance(cell, str) else format_value(cell) for cell in given]
    return format_value(given)
