"""The protocol in-process: the same calls and answers over an engine here, without a server."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from idg.agents.hints import HintSteps, NoHint
from idg.agents.sdk.errors import BadInputs, BadText, NoMoreHints, NoSuchLoop, NotFound, NotWaiting, PlayError
from idg.agents.sdk.game import Game
from idg.agents.sdk.moves import GameState, LevelInfo
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact, inductive_facts, potential_facts, unknown_facts, waiting_facts
from idg.engine.states.inputs import first_inputs
from idg.engine.termination.moves import listed_measures, propose_move, propose_moves
from idg.engine.termination.texts import canonical_proposal
from idg.engine.wire.answers import BatchAnswer, Explanation, FeedbackAnswer, ProposalAnswer, TraceAnswer, TransitionAnswer
from idg.engine.wire.board import BoardAnswer, board_answer
from idg.engine.wire.build import explanation, feedback_answer, trace_answer, transition_answer, where
from idg.engine.wire.endings import EndlessJudged, MeasureJudged
from idg.engine.wire.events import (
    CameOrWent,
    EndMark,
    EventBody,
    GivenHint,
    Loaded,
    ProgramEnded,
    ProgramSolved,
    ProposalVerdict,
    Proposed,
    ProposedFact,
    ProposedMany,
    Reset,
    RoomEvent,
    Traced,
    given_hint,
)
from idg.engine.wire.programs import ProgramAnswer, program_answer, program_hash
from idg.engine.wire.rooms import ErrorPlace
from idg.levels import Level, all_levels, find_level
from idg.prover.prove import Prover
from idg.sip.errors import InputError, SipError
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.values import ValueJson, values_json

FIRST_ROWS_MAX = 1_000
"""Rows of each loop in the first trace of a game."""

A = TypeVar("A", ProposalAnswer, MeasureJudged, EndlessJudged)


class LocalPlayer:
    """`Player` without a server: levels and own programs, each with an engine of its own."""

    name = "local"

    def levels(self) -> tuple[LevelInfo, ...]:
        return tuple(
            LevelInfo(level.id, level.title, level.world.id, level.difficulty, level.text, len(level.program().loops))
            for level in all_levels()
        )

    def open(self, level: str | None = None, *, program: Program | str | None = None, title: str = "A program") -> Game:
        """A game on a level, or on a program or its text."""
        if (level is None) == (program is None):
            raise PlayError("bad-request", "say either a level or a program")
        if level is not None:
            named_level = find_level(level)
            if named_level is None:
                raise NotFound("not-found", f"there is no level '{level}'", "levels() lists them")
            return _opened(named_level.source, named_level.title, named_level)
        return _opened(program.text if isinstance(program, Program) else program or "", title, None)

    def close(self) -> None:
        """There is nothing to close."""

    def __enter__(self) -> LocalPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _opened(source: str, title: str, level: Level | None) -> Game:
    try:
        program = load(source)
    except SipError as error:
        raise _text_error(error, "source") from None
    if not program.loops or not program.guarantee:
        what = "has no loop, so there is no invariant to find"
        if program.loops:
            what = "promises nothing, so there is nothing to prove"
        raise BadText("bad-text", f"'{program.level.name}' {what}")
    try:
        backend = LocalBackend(program, None if level is None else level.id)
    except SipError as error:
        raise _text_error(error, "source") from None
    inputs = level.inputs if level is not None else values_json(first_inputs(program))
    trace = backend.trace(inputs, None, 0, FIRST_ROWS_MAX)
    return Game(backend, _program(program, source, title, level), trace, backend.state())


def _program(program: Program, source: str, title: str, level: Level | None) -> ProgramAnswer:
    answer = program_answer(program, source, title)
    if level is None:
        return answer
    return replace(answer, level=level.id, story=level.text, tries=level.tries, guarantee_text=level.guarantee, ending=level.ending)


class LocalBackend:
    """A game on an engine of its own, with the history that a room of a server would have."""

    def __init__(self, program: Program, level: str | None) -> None:
        self.engine = Engine(program, Prover())
        self.program = program
        self.log: list[RoomEvent] = []
        self._start()
        self._note("loaded", Loaded(level, program_hash(program.text)))

    def _start(self) -> None:
        self.books: Books = self.engine.start()
        feedback, self.books = self.engine.feedback(self.books)
        self.feedback = feedback_answer(feedback, self.program)
        self.was_solved = self.feedback.solved
        self.ends: EndMark = ""
        self.hints = HintSteps()

    def _note(self, kind: str, body: EventBody) -> None:
        self.log.append(RoomEvent(len(self.log) + 1, kind, None, time.time(), body))

    def _fact(self, loop: int, expression: str) -> Fact:
        try:
            return self.engine.inquiry.fact(loop, expression)
        except SipError as error:
            raise _text_error(error, "expression") from None
        except LookupError as error:
            raise NoSuchLoop("no-such-loop", str(error), where=ErrorPlace("loop")) from None

    def _canonical(self, loop: int, text: str, field: str = "expression") -> Fact:
        """A proposal of any kind in canonical form. `field` names it where it is refused."""
        try:
            return Fact(loop, canonical_proposal(self.program, text, loop))
        except SipError as error:
            raise _text_error(error, field) from None
        except InputError as error:
            raise BadInputs("bad-inputs", str(error), where=ErrorPlace(field)) from None
        except LookupError as error:
            raise NoSuchLoop("no-such-loop", str(error), where=ErrorPlace("loop")) from None

    def propose(self, loop: int, expression: str) -> ProposalAnswer:
        return self._proposed(loop, expression, ProposalAnswer)

    def propose_measure(self, loop: int, text: str) -> MeasureJudged:
        return self._proposed(loop, text, MeasureJudged)

    def claim_endless(self, text: str) -> EndlessJudged:
        return self._proposed(1, text, EndlessJudged)

    def _proposed(self, loop: int, text: str, wanted: type[A]) -> A:
        proposal = self._canonical(loop, text)
        self._note("proposed", Proposed(proposal.text, loop, text))
        answer, books = propose_move(self.engine, self.books, proposal.text, loop)
        if isinstance(answer, ProposalAnswer) and (books != self.books or answer.solved):
            self.feedback = answer.feedback
        self.books = books
        self._judged(answer)
        if not isinstance(answer, wanted):
            raise PlayError("not-understood", f"'{proposal.text}' is another kind of proposal")
        return answer

    def propose_many(self, proposals: Sequence[tuple[int, str]]) -> BatchAnswer:
        facts = [self._canonical(loop, text, f"proposals.{index}.expression") for index, (loop, text) in enumerate(proposals)]
        self._note("proposed", ProposedMany(tuple(ProposedFact(fact.text, fact.loop) for fact in facts)))
        answer, self.books = propose_moves(self.engine, self.books, [(fact.loop, fact.text) for fact in facts])
        self.feedback = answer.feedback
        self._judged(answer)
        return answer

    def _judged(self, answer: ProposalVerdict) -> None:
        self._note("judged", answer)
        if isinstance(answer, ProposalAnswer | BatchAnswer) and answer.solved and not self.was_solved:
            self.was_solved = True
            self._note("solved", ProgramSolved((), answer.inductive))
        ending = answer.ending
        if ending is not None and ending.status != "open" and not self.ends:
            self.ends = ending.status
            run = ending.run
            ended = ProgramEnded(self.ends, (), () if run else ending.measures, None if run is None else run.inputs)
            self._note("ended", ended)

    def trace(self, inputs: Mapping[str, ValueJson], loop: int | None, seed: int, rows_max: int) -> TraceAnswer:
        try:
            answer = trace_answer(self.program.run(inputs, seed=seed), loop, rows_max)
        except InputError as error:
            raise BadInputs("bad-inputs", str(error), where=ErrorPlace("inputs")) from None
        except LookupError as error:
            raise NoSuchLoop("no-such-loop", str(error), where=ErrorPlace("loop")) from None
        self._note("traced", Traced(inputs, loop, seed))
        return answer

    def transition(self, loop: int, expression: str) -> TransitionAnswer:
        fact = self._fact(loop, expression)
        if fact not in waiting_facts(self.books):
            message = f"'{fact.text}' is not among the facts of loop {loop} that are not proved yet"
            raise NotWaiting("not-potential", message, where=ErrorPlace("expression"))
        answer = transition_answer(self.engine.why_not(self.books, fact.text, fact.loop), fact, self.program)
        self._note("transition", answer)
        return answer

    def another_state(self) -> FeedbackAnswer:
        feedback, self.books = self.engine.another_state(self.books)
        answer = self.feedback = feedback_answer(feedback, self.program)
        self._note("feedback", answer)
        return answer

    def hint(self) -> GivenHint:
        try:
            following = self.hints.next(self.engine, self.books)
        except NoHint as why:
            raise NoMoreHints("no-hint", str(why)) from None
        given = given_hint(following.step, following.target.loop, following.left, coins=0)
        self._note("hint", given)
        return given

    def explain(self) -> Explanation:
        return explanation(self.engine.explain(self.books), self.program)

    def board(self) -> BoardAnswer:
        return board_answer(self.engine.board(self.books), self.program)

    def state(self) -> GameState:
        inductive, potential = inductive_facts(self.books), potential_facts(self.books)
        unknown = unknown_facts(self.books)
        measures = listed_measures(self.books)
        return GameState(inductive, potential, {}, self.was_solved, self.feedback, len(self.log), unknown, measures, self.ends)

    def events(self, after: int) -> Sequence[RoomEvent]:
        return self.log[after:]

    def follow(self, after: int) -> Iterator[RoomEvent]:
        return iter(self.log[after:])

    def reset(self) -> FeedbackAnswer:
        self._start()
        self._note("reset", Reset(self.feedback))
        return self.feedback

    def leave(self) -> None:
        self._note("left", CameOrWent())


def _text_error(error: SipError, field: str) -> PlayError:
    first = error.problems[0]
    place = where(error.text, first.span)
    return BadText("bad-text", first.message, str(first.hint), ErrorPlace(field, place.line, place.column, place.start, place.end))
