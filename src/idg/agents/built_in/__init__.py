"""The built-in agent: it collects candidates from its ideas, and the engine judges them."""

from idg.agents.built_in.player import play

__all__ = ["play"]
