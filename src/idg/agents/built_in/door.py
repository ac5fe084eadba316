"""The door through which an agent plays: the same questions and answers that people have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.promote import inductive_facts, support
from idg.engine.results import Fact, Feedback, Kind, Transition
from idg.engine.runs import RunPool
from idg.prover.prove import DEFAULT, QUICK, Prover
from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.values import Value

BATCH_FUEL = 5
"""What a batch of proposals costs besides its questions to the prover, in the prover's unit of fuel."""
HASTY = replace(QUICK, z3_rlimit=100_000)
"""For trying a lot: what is hard to prove can wait for a thorough round."""


class Verdict(Record):
    """What came of a batch of proposals."""

    kinds: tuple[tuple[Fact, Kind], ...]
    promoted: tuple[Fact, ...]


class Door(Protocol):
    """A place to play one program. Whatever is proposed is judged by the engine behind it."""

    @property
    def program(self) -> Program: ...

    @property
    def pool(self) -> RunPool:
        """The runs that are known so far; anybody who has the program's text can make them."""
        ...

    @property
    def known(self) -> tuple[Fact, ...]:
        """The inductive invariants of the books."""
        ...

    @property
    def fuel_spent(self) -> int:
        """What the proposals have cost so far, in counted resources."""
        ...

    def should_stop(self) -> bool:
        """Whether it is time to stop thinking."""
        ...

    def feedback(self) -> Feedback: ...

    def look_again(self) -> Feedback:
        """The feedback, made with all that the prover can do where that may change something."""
        ...

    def propose_many(self, proposals: Sequence[tuple[int, str]], thorough: bool = False) -> Verdict: ...

    def transition(self, loop: int, text: str) -> Transition | None: ...

    def run_against(self, loop: int, text: str) -> tuple[Mapping[str, Value], int] | None:
        """Inputs and seed of a run that reaches the loop with the expression false, where one is found."""
        ...

    def tidy(self) -> None:
        """Where the level is solved: keep what the proof needs, where the books allow that."""
        ...


class LocalDoor:
    """An engine in this process. What is not promoted with its batch is taken off the books: the agent remembers it itself."""

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
    def pool(self) -> RunPool:
        return self.engine.inquiry.runs

    @property
    def known(self) -> tuple[Fact, ...]:
        return inductive_facts(self.books)

    @property
    def fuel_spent(self) -> int:
        return BATCH_FUEL * self._batches + self._prover.fuel_spent

    def feedback(self) -> Feedback:
        if self._feedback is None:
            self._feedback, self.books = self._hasty.feedback(self.books)
        return self._feedback

    def look_again(self) -> Feedback:
        found = self.feedback()
        # What is refuted stays so: only what is unknown is worth more effort, and only where that is all that is missing.
        if not found.solved and all(each.status != "refuted" for each in found.obligations):
            self._feedback, self.books = self.engine.feedback(self.books)
        return self.feedback()

    def propose_many(self, proposals: Sequence[tuple[int, str]], thorough: bool = False) -> Verdict:
        self._batches += 1
        engine = self.engine if thorough else self._hasty
        found = engine.propose_many(self.books, proposals, search=False)
        known = self.known
        self.books = replace(found.books, loops=tuple(replace(each, potential=()) for each in found.books.loops))
        if self.known != known:
            self._feedback = None
        return Verdict(found.kinds, found.promoted)

    def transition(self, loop: int, text: str) -> Transition | None:
        return self._hasty.breaking_transition(self.books, text, loop)

    def run_against(self, loop: int, text: str) -> tuple[Mapping[str, Value], int] | None:
        found = self._hasty.propose(self.books, text, loop).refutation
        return None if found is None else (found.inputs, found.seed)

    def tidy(self) -> None:
        feedback = self.feedback()
        if not feedback.solved:
            return
        used = [fact for each in feedback.obligations for fact in each.uses]
        if set(self.known) <= set(used):
            return
        needed = support(self.engine.inquiry, self.known, used)
        found = self.engine.propose_many(self.engine.start(), [(each.loop, each.text) for each in needed])
        if found.feedback.solved:
            self.books, self._feedback = found.books, found.feedback
