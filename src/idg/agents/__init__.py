"""Computational players: the built-in agent, and what is needed to write others. They ask the engine what people ask it."""

from typing import TYPE_CHECKING

from idg.agents.built_in.agent import Agent
from idg.agents.built_in.engine_access import EngineAccess, LocalEngine
from idg.agents.built_in.results import AgentResult
from idg.agents.sdk.errors import (
    BadInputs,
    BadText,
    Interrupted,
    NoMoreHints,
    NoSuchLoop,
    NotFound,
    NotWaiting,
    PlayError,
    ServerBusy,
    TookTooLong,
    Unreachable,
)
from idg.agents.sdk.game import Game
from idg.agents.sdk.player import Player

if TYPE_CHECKING:
    from idg.agents.sdk.asynchronous import AsyncGame, AsyncPlayer

__all__ = [
    "Agent", "AgentResult", "AsyncGame", "AsyncPlayer", "BadInputs", "BadText", "EngineAccess", "Game", "Interrupted",
    "LocalEngine", "NoMoreHints", "NoSuchLoop", "NotFound", "NotWaiting", "PlayError", "Player", "ServerBusy", "TookTooLong",
    "Unreachable",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """The asynchronous players bring asyncio along, which engine workers do without: only whoever asks for them pays for it."""
    if name in ("AsyncGame", "AsyncPlayer"):
        from idg.agents.sdk import asynchronous

        return getattr(asynchronous, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
