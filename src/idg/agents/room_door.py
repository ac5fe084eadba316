"""A game as a door for the built-in agent, so that it can play in a room with people."""

from __future__ import annotations

from collections.abc import Sequence

from idg.agents.connection import PlayError
from idg.agents.door import BATCH_FUEL, Verdict
from idg.agents.game import Game
from idg.engine.results import Fact, FailingRun, Feedback, ToRuleOut, Transition
from idg.engine.runs import RunPool
from idg.sip.program import Program
from idg.sip.syntax import Span

PROPOSAL_FUEL = 10
"""What a proposal is taken to cost: a server does not tell what its prover spent."""


class RoomDoor:
    """What is not promoted stays with the room's potential invariants, as for people."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._pool = RunPool(game.program)
        self._fuel = 0

    @property
    def program(self) -> Program:
        return self.game.program

    @property
    def pool(self) -> RunPool:
        return self._pool

    @property
    def known(self) -> tuple[Fact, ...]:
        return self.game.inductive

    @property
    def fuel_spent(self) -> int:
        return self._fuel

    def feedback(self) -> Feedback:
        shown, failing = self.game.feedback.json.get("state"), self.game.feedback.json.get("failing")
        told = self.game.feedback
        state = None
        if shown is not None and told.state is not None:
            state = ToRuleOut(shown["loop"], told.state.values, shown["cause"], _span(shown["where"]), shown["inside"])
        run = None
        if failing is not None and told.failing is not None:
            run = FailingRun(told.failing, failing["cause"], _span(failing["where"]))
        return Feedback(self.game.solved, (), state, told.potential_suffices, run, told.too_large)

    def propose_many(self, proposals: Sequence[tuple[int, str]], thorough: bool = False) -> Verdict:
        """`thorough` makes no difference: a server gives every proposal all it has."""
        if not proposals:
            return Verdict((), ())
        self._fuel += BATCH_FUEL + PROPOSAL_FUEL * len(proposals)
        found = self.game.propose_many(proposals)
        return Verdict(found.kinds, found.promoted)

    def transition(self, loop: int, text: str) -> Transition | None:
        try:
            return self.game.transition(text, loop).transition
        except PlayError as error:
            if error.code == "not-potential":
                return None
            raise

    def tidy(self) -> None:
        """The books belong to the room."""


def _span(where: dict[str, int]) -> Span:
    return Span(where["start"], where["end"])
