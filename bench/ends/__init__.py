"""Whether programs end: what the agent decides of several suites, in what time, and what Dafny needs for the same measures."""

from bench.ends.figures import figures

__all__ = ["figures"]
