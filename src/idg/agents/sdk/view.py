"""What is known of a game without asking anybody: the program, and where the game stands after its own last move."""

from __future__ import annotations

from collections.abc import Mapping

from idg.agents.sdk.moves import GameState, Limits, LoopInfo
from idg.engine.results import Fact
from idg.engine.wire.answers import FeedbackAnswer, TraceAnswer
from idg.engine.wire.endings import ListedMeasure
from idg.engine.wire.events import EndMark
from idg.engine.wire.programs import ProgramAnswer
from idg.sip.program import Program
from idg.sip.values import ValueJson


class GameView:
    """The part that `Game` and `AsyncGame` share."""

    def __init__(
        self, program: Program, told: ProgramAnswer, first_trace: TraceAnswer, room: str | None = None, code: str | None = None
    ) -> None:
        self.program = program
        """The program, parsed, so that an agent can run it as often as it likes."""
        self.told = told
        """What the server, or the engine here, says of the program."""
        self.source = told.source
        """The text of the program."""
        self.title = told.title
        self.level = told.level
        self.story = told.story or ""
        self.guarantee = told.guarantee_text
        """What is to be proved, as an expression."""
        self.params: dict[str, str] = {param.name: str(param.type) for param in told.params}
        """The inputs of the program: name → type."""
        self.loops = tuple(
            LoopInfo(
                loop.number,
                loop.outer,
                tuple(column.name for column in loop.columns),
                loop.test.text,
                self.program.loop(loop.number).function,
            )
            for loop in told.loops
        )
        """The loops of the program: those of the level in the order of the text, then those of its helpers."""
        self.tries: tuple[Mapping[str, ValueJson], ...] = told.tries or ()
        """Inputs that are worth trying, besides those of the first trace."""
        self.limits = Limits()
        self.room = room
        self.code = code
        """The code with which others join the room; none in a room that is not shared, and in this process."""
        self.first_trace = first_trace
        """What a player sees at the start: a run of the program."""

    def _known(self) -> GameState:
        raise NotImplementedError

    # where it stands, as far as this game's own moves tell

    @property
    def solved(self) -> bool:
        """Whether the guarantee is proved."""
        return self._known().solved

    @property
    def inductive(self) -> tuple[Fact, ...]:
        """The invariants that are proved, of all loops."""
        return self._known().inductive

    @property
    def potential(self) -> tuple[Fact, ...]:
        """The expressions that no run breaks but that what is proved does not force, of all loops."""
        return self._known().potential

    @property
    def unknown(self) -> tuple[Fact, ...]:
        """The expressions about which nothing could be established, of all loops."""
        return self._known().unknown

    @property
    def measures(self) -> tuple[ListedMeasure, ...]:
        """The measures on the books: those that are proved to fall, and those that wait."""
        return self._known().measures

    @property
    def ends(self) -> EndMark:
        """The second mark: 'ends' where every run is proved to end, 'never ends' where a run is shown that never does."""
        return self._known().ends

    @property
    def feedback(self) -> FeedbackAnswer:
        """What is left to do, with a state to rule out."""
        return self._known().feedback
