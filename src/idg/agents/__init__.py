"""Computational players, through the same door as people."""

from idg.agents.agent import Agent, Outcome
from idg.agents.connection import PlayError
from idg.agents.door import Door, LocalDoor
from idg.agents.game import Game
from idg.agents.player import Player

__all__ = ["Agent", "Door", "Game", "LocalDoor", "Outcome", "PlayError", "Player"]
