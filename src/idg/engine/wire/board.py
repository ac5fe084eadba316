"""The board as it travels: the parts of the goal, the facts that are not proved yet, and those that are."""

from __future__ import annotations

from idg.engine.results import Board, Fact, GoalPart, PartStatus, ProvedFact, Transition, WaitingFact
from idg.engine.telling.pictures import answer_html
from idg.engine.wire.answers import FailingRunAnswer, StateToRuleOut
from idg.engine.wire.build import failing_answer, state_answer, unproved_places, where
from idg.engine.wire.codec import Layout
from idg.engine.wire.places import UnprovedPlace, Where
from idg.sip.program import Program
from idg.sip.record import Record


class GoalPartAnswer(Record):
    """A part of what is to be proved of the program: a conjunct of a post, an assert or a claim, or another requirement."""

    number: int
    """From 1: the level's posts and asserts, then what else it must ensure, then its helpers; each in the order of the text."""
    text: str
    """The condition. In a post, what is returned stands for `result` where that is one short expression."""
    cause: str
    """In the words of docs/language.md: post, assert, claim, narrowing, …"""
    where: Where
    loop: int
    """The loop whose head is passed last before the part must hold; 0 where none is."""
    function: str
    """For a part of a helper's contract or body: the helper's name."""
    status: PartStatus
    uses: tuple[Fact, ...]
    """The inductive facts that its proof uses or, where it waits, would use."""
    waits_for: tuple[Fact, ...]
    """Where it waits: the facts, not proved yet, that its proof would use."""
    rests_on: tuple[int, ...]
    """Where it waits: the parts, not proved yet, that its proof would take for granted, because the program checks them before."""
    state: StateToRuleOut | None
    """Where it is open: a state from which this part fails."""
    failing: FailingRunAnswer | None
    """Where it is open because it is wrong: a run that breaks it. No invariant can prove it then."""


class WaitingFactAnswer(Record):
    """A fact that is not proved yet, and why. Where nothing is told of it, no reason was found."""

    loop: int
    text: str
    waits_for: tuple[Fact, ...]
    """The facts, not proved yet, with which it would be inductive."""
    transition: Transition | None
    """A turn that breaks it, or an arrival at the loop in which it fails."""
    parts: tuple[int, ...]
    """The parts of the goal whose proofs would use it, directly or through other facts that are not proved yet."""
    tried: tuple[str, ...]
    """What could neither prove nor refute that it is inductive."""
    because: str
    """Where that depends on calls of a helper of which nothing is known: why that is so."""
    rests_on: tuple[UnprovedPlace, ...]
    """Where it waits for facts: what it would still rest on that is not proved yet."""

    layout = Layout(names={"text": "expression"})

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.text)


class ProvedFactAnswer(Record):
    """An inductive fact, and what it is good for."""

    loop: int
    text: str
    uses: tuple[Fact, ...]
    """The other inductive facts that the proof of its own inductiveness uses."""
    parts: tuple[int, ...]
    """The parts of the goal whose proofs use it directly, those included that still wait for other facts."""
    needed: bool
    """Whether the proof of a part that is proved uses it, directly or through other facts."""

    layout = Layout(names={"text": "expression"})

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.text)


class BoardAnswer(Record):
    """Which facts carry which part of the goal, and what waits for what."""

    _repr_html_ = answer_html

    parts: tuple[GoalPartAnswer, ...]
    waiting: tuple[WaitingFactAnswer, ...]
    proved: tuple[ProvedFactAnswer, ...]
    best: int | None
    """The number of facts of the shortest known proof; None where none is known."""
    too_large: str
    """Why nothing more is known: the program is beyond what is analysed."""


def board_answer(board: Board, program: Program, best: int | None = None) -> BoardAnswer:
    """The board as it is told."""
    return BoardAnswer(
        tuple(_part(part, program) for part in board.parts),
        tuple(_waiting(fact, program) for fact in board.waiting),
        tuple(_proved(fact) for fact in board.proved),
        best,
        board.too_large,
    )


def _part(part: GoalPart, program: Program) -> GoalPartAnswer:
    return GoalPartAnswer(
        part.number,
        part.text,
        part.cause,
        where(program.text, part.span),
        part.loop,
        part.function,
        part.status,
        part.uses,
        part.waits_for,
        part.rests_on,
        None if part.to_rule_out is None else state_answer(part.to_rule_out, program),
        None if part.failing is None else failing_answer(part.failing, program),
    )


def _waiting(waiting: WaitingFact, program: Program) -> WaitingFactAnswer:
    fact, why = waiting.fact, waiting.why
    rests_on = unproved_places(why.rests_on, program)
    return WaitingFactAnswer(fact.loop, fact.text, why.waits_for, why.transition, waiting.parts, why.tried, why.because, rests_on)


def _proved(proved: ProvedFact) -> ProvedFactAnswer:
    return ProvedFactAnswer(proved.fact.loop, proved.fact.text, proved.uses, proved.parts, proved.needed)
