"""Computational players: the built-in agent, and what is needed to write others. They ask the engine what people ask it."""

from idg.agents.built_in.agent import Agent
from idg.agents.built_in.engine_access import EngineAccess, LocalEngine
from idg.agents.built_in.results import AgentResult
from idg.agents.sdk.connection import PlayError
from idg.agents.sdk.game import Game
from idg.agents.sdk.player import Player

__all__ = ["Agent", "AgentResult", "EngineAccess", "Game", "LocalEngine", "PlayError", "Player"]
