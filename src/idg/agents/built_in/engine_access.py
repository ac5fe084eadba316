"""What an agent may ask the engine: the same questions that people can ask, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.judging.promote import support
from idg.engine.results import Fact, Feedback, Kind, Transition, inductive_facts
from idg.engine.states.runs import RunPool
from idg.prover.prove import DEFAULT, QUICK, Prover
from idg.sip.errors import SipError
from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.running.runner import RunStart

BATCH_FUEL = 5
"""Fuel for a batch besides its queries, in the prover's unit: parsing, runs and verification conditions."""
HASTY = replace(QUICK, z3_rlimit=100_000)
"""The effort for trying a lot, a quarter of z3's usual budget: what is hard to prove can wait for a round with full effort."""


class JudgedBatch(Record):
    """What the engine says about a batch of proposals."""

    kinds: tuple[tuple[Fact, Kind], ...]
    promoted: tuple[Fact, ...]


class EngineAccess(Protocol):
    """An engine that judges what an agent proposes about one program."""

    @property
    def program(self) -> Program: ...

    @property
    def runs(self) -> RunPool:
        """The runs that are known so far; anybody who has the program's text can make them."""
        ...

    @property
    def known(self) -> tuple[Fact, ...]:
        """The inductive invariants of the books."""
        ...

    @property
    def fuel_spent(self) -> int:
        """What the proposals have cost so far, as a count of resources that is the same on every machine."""
        ...

    def should_stop(self) -> bool:
        """Whether somebody outside, such as a clock, wants the agent to stop."""
        ...

    def helpers(self) -> Iterable[EngineAccess]:
        """The helpers with loops, each as a program of its own; those that are called come before those that call them."""
        ...

    def feedback(self) -> Feedback:
        """Whether everything is proved, or a run that fails where one is known.

        There need not be a state to rule out, and the second verifier need not have been asked: `settled` asks it.
        """
        ...

    def shown(self) -> Feedback:
        """The feedback with a state to rule out. Looking for one also tells some runs that fail."""
        ...

    def look_again(self) -> Feedback:
        """The feedback, made with full effort where that may change it."""
        ...

    def propose_many(self, proposals: Sequence[tuple[int, str]], thorough: bool = False) -> JudgedBatch:
        """Proposes pairs of a loop's number and an expression as one batch; `thorough` means with full effort."""
        ...

    def is_proved_by(self, facts: Sequence[Fact]) -> bool:
        """Whether these facts prove everything, without making any runs. If so, they are the known ones from now on."""
        ...

    def transition(self, loop: int, text: str) -> Transition | None:
        """The transition that shows why the expression is not inductive, where one is found."""
        ...

    def run_against(self, loop: int, text: str) -> RunStart | None:
        """What repeats a run that reaches the loop with the expression false, where one is found."""
        ...

    def grow(self, factor: int) -> None:
        """From now on, tries what is hard to prove so many times as hard as in the beginning."""
        ...

    def settled(self) -> Feedback:
        """Where everything is proved: the feedback after the second verifier was asked.

        The books keep only the invariants that the proof needs, where they allow that.
        """
        ...


class LocalEngine:
    """An engine in this process.

    What is not promoted with its batch is taken off the books, because the agent itself remembers it.
    """

    def __init__(self, program: Program, should_stop: Callable[[], bool] = lambda: False) -> None:
        self.should_stop = should_stop
        self._prover = Prover(DEFAULT, should_stop=should_stop)
        self.engine = Engine(program, self._prover)
        self._hasty = self.engine.with_effort(HASTY)
        self.books: Books = self.engine.start()
        self._feedback: Feedback | None = None
        self._shown: Feedback | None = None
        self._batches = 0

    @property
    def program(self) -> Program:
        return self.engine.program

    @property
    def runs(self) -> RunPool:
        return self.engine.inquiry.runs

    def helpers(self) -> Iterable[EngineAccess]:
        info = self.program.info
        for group in info.calls.groups:
            for name in sorted(group - {info.focus}):
                if info.functions[name].loops:
                    yield HelperEngine(self, name)

    @property
    def known(self) -> tuple[Fact, ...]:
        return inductive_facts(self.books)

    @property
    def fuel_spent(self) -> int:
        return BATCH_FUEL * self._batches + self._prover.fuel_spent

    def feedback(self) -> Feedback:
        if self._feedback is None:
            self._feedback = self._hasty.proved_so_far(self.books)
        return self._feedback

    def shown(self) -> Feedback:
        if self._shown is None:
            self._shown, self.books = self._hasty.feedback(self.books, resting=False)
        return self._shown

    def helper_feedback(self, function: str, thorough: bool) -> Feedback:
        """What is proved of one helper."""
        return (self.engine if thorough else self._hasty).helper_feedback(self.books, function)

    def look_again(self) -> Feedback:
        feedback = self.feedback()
        # What is refuted stays refuted. So more effort helps only where everything that is not proved is unknown.
        if not feedback.solved and all(obligation.status != "refuted" for obligation in feedback.obligations):
            self._feedback = self.engine.proved_so_far(self.books)
        return self.feedback()

    def left(self) -> Feedback:
        """What is left: the feedback with a state to rule out and with what the known facts rest on.

        It is made with full effort, or quickly where the agent was told to stop.
        """
        if not self.should_stop():
            feedback, self.books = self.engine.feedback(self.books)
            return feedback
        if not self.runs.are_made:
            return Feedback(False, ())
        self._prover.should_stop = lambda: False
        try:
            feedback, self.books = self.engine.with_effort(HASTY).feedback(self.books)
        finally:
            self._prover.should_stop = self.should_stop
        return feedback

    def propose_many(self, proposals: Sequence[tuple[int, str]], thorough: bool = False) -> JudgedBatch:
        self._batches += 1
        engine = self.engine if thorough else self._hasty
        result = engine.propose_many(self.books, proposals, search=False)
        known_before = self.known
        self.books = replace(result.books, loops=tuple(replace(loop, potential=(), unknown=()) for loop in result.books.loops))
        if self.known != known_before:
            self._feedback = self._shown = None
        return JudgedBatch(result.kinds, result.promoted)

    def is_proved_by(self, facts: Sequence[Fact]) -> bool:
        try:
            known = [self.engine.inquiry.fact(fact.loop, fact.text) for fact in facts]
        except SipError:
            return False
        self._batches += 1
        books = self._hasty.accepted(known)
        if not self._hasty.is_proved(books):
            return False
        self.books, self._feedback, self._shown = books, None, None
        return True

    def transition(self, loop: int, text: str) -> Transition | None:
        return self._hasty.why_not(self.books, text, loop).transition

    def run_against(self, loop: int, text: str) -> RunStart | None:
        refutation = self._hasty.propose(self.books, text, loop).refutation
        return None if refutation is None else refutation.start

    def grow(self, factor: int) -> None:
        self._hasty, self.engine = (self.engine.with_effort(effort.times(factor)) for effort in (HASTY, DEFAULT))
        self._feedback = self._shown = None

    def settled(self) -> Feedback:
        proved = self.feedback()
        if not proved.solved:
            return proved
        used = [fact for obligation in proved.obligations for fact in obligation.uses]
        if not set(self.known) <= set(used):
            books = self.engine.accepted(support(self.engine.inquiry, self.known, used))
            feedback, books = self.engine.feedback(books, resting=False)
            if feedback.solved:
                self.books = books
                return feedback
        # What was proved with little effort is remembered so, and what was not is proved again.
        for engine in (self._hasty, self.engine):
            feedback, self.books = engine.feedback(self.books, resting=False)
            if feedback.solved:
                break
        return feedback


class HelperEngine:
    """The same engine, seen by an agent that plays one helper of the program by itself. What it proves stays in the books."""

    def __init__(self, whole: LocalEngine, function: str) -> None:
        self.whole = whole
        self.function = function
        self.program = whole.program.alone(function)
        self.should_stop = whole.should_stop
        self.propose_many = whole.propose_many
        self.grow = whole.grow
        self.is_proved_by = whole.is_proved_by
        self.transition = whole.transition
        self.run_against = whole.run_against

    @property
    def runs(self) -> RunPool:
        return self.whole.engine.inquiry.runs_of(self.function)

    @property
    def known(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.whole.known if self.program.loop(fact.loop).function == self.function)

    @property
    def fuel_spent(self) -> int:
        return self.whole.fuel_spent

    def helpers(self) -> Iterable[EngineAccess]:
        """None: the agent of the whole program has played those that this one calls."""
        return ()

    def feedback(self) -> Feedback:
        """Whether the helper is proved, and if not, a state at one of its loops."""
        return self.whole.helper_feedback(self.function, thorough=False)

    def shown(self) -> Feedback:
        return self.feedback()

    def look_again(self) -> Feedback:
        return self.whole.helper_feedback(self.function, thorough=True)

    def settled(self) -> Feedback:
        """The feedback: the second verifier is asked, and the books are tidied, when the whole program is proved."""
        return self.look_again()
