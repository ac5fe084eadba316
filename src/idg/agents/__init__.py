"""Computational players, through the same door as people."""

from idg.agents.agent import Agent, Outcome
from idg.agents.door import Door, LocalDoor

__all__ = ["Agent", "Door", "LocalDoor", "Outcome"]
