"""What a game of the built-in agent comes to, and the log of what it proposed."""

from __future__ import annotations

from typing import Literal

from idg.engine.results import SecondCheck
from idg.sip.record import Record
from idg.sip.running.runner import RunStart


class LogEntry(Record):
    """One proposal: what was proposed, why, and what the engine called it."""

    round: str
    loop: int
    text: str
    source: str
    kind: str


HowItEnded = Literal["solved", "refuted", "open"]


class AgentResult(Record):
    """How the agent's game on one program ended."""

    outcome: HowItEnded
    invariants: tuple[tuple[str, ...], ...]
    """The inductive invariants of each loop."""
    run: RunStart | None
    """What repeats a run that fails an obligation, where one is known. The run was repeated to be sure. Where the program is open,
    it is the run of a helper alone: the program cannot be proved, but no run of it is known that calls the helper so."""
    message: str
    """How that run fails."""
    stopped: bool
    """Whether the agent ended its search early, because it was told to stop or because its fuel was used up."""
    proposals: int
    round_names: tuple[str, ...]
    """The rounds that were played, in order; helpers' rounds come first."""
    fuel: int
    log: tuple[LogEntry, ...]
    second_check: SecondCheck = SecondCheck.NOT_ASKED
    """For a solved program: what the second verifier says of the proof."""
    tried: int = 0
    """Different expressions that were looked at, also those that a state refuted before they were proposed."""

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.round_names)
