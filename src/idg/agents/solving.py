"""`idg.solve(program)`: the built-in agent as one call, with an answer that shows itself in a notebook."""

from __future__ import annotations

from time import process_time

from idg.agents.built_in.agent import Agent
from idg.agents.built_in.engine_access import LocalEngine
from idg.agents.built_in.results import AgentResult, HowItEnded
from idg.engine.results import SecondCheck
from idg.engine.telling.pictures import card, fact_lists, told
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.running.describe import describe_values


class SolveAnswer(Record):
    """What the agent came to. Printing it, or showing it in a notebook, tells it in plain English."""

    program: Program
    result: AgentResult

    @property
    def outcome(self) -> HowItEnded:
        """`solved`: the guarantee holds in every run; `refuted`: a run breaks it; `open`: neither was found."""
        return self.result.outcome

    @property
    def solved(self) -> bool:
        return self.outcome == "solved"

    @property
    def invariants(self) -> tuple[tuple[str, ...], ...]:
        """The inductive invariants of each loop."""
        return self.result.invariants

    @property
    def headline(self) -> str:
        if self.solved:
            confirmed = self.result.second_check is SecondCheck.CONFIRMED
            check = "the second verifier confirms it" if confirmed else "the second check did not finish"
            return f"solved: the guarantee holds in every run; {check}"
        if self.outcome == "refuted":
            assert self.result.run is not None
            return f"refuted: {describe_values(self.result.run.inputs) or 'every run'}: {self.result.message}"
        return "open: neither proved nor refuted" + (" before the time was up" if self.result.stopped else "")

    def _lists(self) -> dict[str, tuple[str, ...]]:
        one = len(self.invariants) == 1
        return {
            "invariants" if one else f"invariants of loop {number}": own for number, own in enumerate(self.invariants, 1) if own
        }

    def __str__(self) -> str:
        lists = (f"{name}:\n" + "".join(f"  {text}\n" for text in own) for name, own in self._lists().items())
        return f"{self.headline}\n{''.join(lists)}".rstrip()

    def __repr__(self) -> str:
        return f"<{self.headline}>"

    def _repr_html_(self) -> str:
        return card(self.outcome, [told(self.headline), fact_lists(self._lists())])


def solve(program: Program | str, seconds: float = 30.0, seed: int = 0) -> SolveAnswer:
    """Let the built-in agent look for invariants that prove the program, for at most so many seconds of processor time.

    It takes a program or its text. Raises `SipError` where the text is none.
    """
    program = load(program) if isinstance(program, str) else program
    start = process_time()
    engine = LocalEngine(program, should_stop=lambda: process_time() - start > seconds)
    return SolveAnswer(program, Agent(engine, seed).play())
