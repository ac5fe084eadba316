"""The agent that shows that programs end: it looks for measures and the facts that they need, or for a run that never ends."""

from idg.agents.termination.search import TerminationResult, decide_ending

__all__ = ["TerminationResult", "decide_ending"]
