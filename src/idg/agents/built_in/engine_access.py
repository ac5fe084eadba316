"""What an agent may ask the engine: the same questions that people can ask, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.promote import support
from idg.engine.results import Fact, Feedback, Kind, Transition, inductive_facts
from idg.engine.runs import RunPool
from idg.prover.prove import DEFAULT, QUICK, Prover
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

    def feedback(self) -> Feedback: ...

    def look_again(self) -> Feedback:
        """The feedback, made with full effort where that may change it."""
        ...

    def propose_many(self, proposals: Sequence[tuple[int, str]], thorough: bool = False) -> JudgedBatch:
        """Proposes pairs of a loop's number and an expression as one batch; `thorough` means with full effort."""
        ...

    def transition(self, loop: int, text: str) -> Transition | None:
        """The transition that shows why the expression is not inductive, where one is found."""
        ...

    def run_against(self, loop: int, text: str) -> RunStart | None:
        """What repeats a run that reaches the loop with the expression false, where one is found."""
        ...

    def tidy(self) -> None:
        """Where the program is solved: keeps only the invariants that the proof needs, where the books allow that."""
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
            self._feedback, self.books = self._hasty.feedback(self.books, resting=False)
        return self._feedback

    def helper_feedback(self, function: str, thorough: bool) -> Feedback:
        """What is proved of one helper."""
        return (self.engine if thorough else self._hasty).helper_feedback(self.books, function)

    def look_again(self) -> Feedback:
        feedback = self.feedback()
        # What is refuted stays refuted. So more effort helps only where everything that is not proved is unknown.
        if not feedback.solved and all(obligation.status != "refuted" for obligation in feedback.obligations):
            self._feedback, self.books = self.engine.feedback(self.books, resting=False)
        return self.feedback()

    def left(self) -> Feedback:
        """The feedback with what the known facts rest on."""
        return replace(self.look_again(), resting=self.engine.explain(self.books).resting)

    def propose_many(self, proposals: Sequence[tuple[int, str]], thorough: bool = False) -> JudgedBatch:
        self._batches += 1
        engine = self.engine if thorough else self._hasty
        result = engine.propose_many(self.books, proposals, search=False)
        known_before = self.known
        self.books = replace(result.books, loops=tuple(replace(loop, potential=(), unknown=()) for loop in result.books.loops))
        if self.known != known_before:
            self._feedback = None
        return JudgedBatch(result.kinds, result.promoted)

    def transition(self, loop: int, text: str) -> Transition | None:
        return self._hasty.why_not(self.books, text, loop).transition

    def run_against(self, loop: int, text: str) -> RunStart | None:
        refutation = self._hasty.propose(self.books, text, loop).refutation
        return None if refutation is None else refutation.start

    def tidy(self) -> None:
        feedback = self.feedback()
        if not feedback.solved:
            return
        used = [fact for obligation in feedback.obligations for fact in obligation.uses]
        if set(self.known) <= set(used):
            return
        needed = support(self.engine.inquiry, self.known, used)
        result = self.engine.propose_many(self.engine.start(), [(fact.loop, fact.text) for fact in needed])
        if result.feedback.solved:
            self.books, self._feedback = result.books, result.feedback


class HelperEngine:
    """The same engine, seen by an agent that plays one helper of the program by itself. What it proves stays in the books."""

    def __init__(self, whole: LocalEngine, function: str) -> None:
        self.whole = whole
        self.function = function
        self.program = whole.program.alone(function)
        self.should_stop = whole.should_stop
        self.propose_many = whole.propose_many
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

    def look_again(self) -> Feedback:
        return self.whole.helper_feedback(self.function, thorough=True)

    def tidy(self) -> None:
        """Nothing to do: the books are tidied when the whole program is solved."""
