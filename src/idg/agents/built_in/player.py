"""The built-in agent as a player of a game.

It searches with an engine of its own and proposes only its result to the room. So a room of people is not filled with guesses, and
an agent that is stopped in the middle of its search leaves the room as it was.
"""

from __future__ import annotations

from collections.abc import Callable

from idg.agents.built_in.agent import FUEL_MAX, Agent
from idg.agents.built_in.engine_access import LocalEngine
from idg.agents.built_in.results import AgentResult
from idg.agents.sdk.game import Game


def play(
    game: Game,
    seed: int = 0,
    fuel_max: int = FUEL_MAX,
    should_stop: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda _: None,
) -> AgentResult:
    """Starts from what the players of the room have found, also where it is not proved yet; the room's engine judges the result."""
    engine = LocalEngine(game.program, should_stop)
    inductive = [(fact.loop, fact.text) for fact in game.inductive]
    waiting = [(fact.loop, fact.text) for fact in (*game.potential, *game.unknown)]
    if inductive:
        engine.propose_many(inductive, thorough=True)
    result = Agent(engine, seed, fuel_max, tell, given=waiting).play()
    known = {*inductive, *waiting}
    fresh = [(fact.loop, fact.text) for fact in engine.known if (fact.loop, fact.text) not in known]
    if fresh:
        game.propose_many(fresh)
    return result
