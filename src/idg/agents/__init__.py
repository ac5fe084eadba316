"""Computational players, through the same door as people."""

from idg.agents.built_in.agent import Agent, Outcome
from idg.agents.built_in.door import Door, LocalDoor
from idg.agents.sdk.connection import PlayError
from idg.agents.sdk.game import Game
from idg.agents.sdk.player import Player

__all__ = ["Agent", "Door", "Game", "LocalDoor", "Outcome", "PlayError", "Player"]
