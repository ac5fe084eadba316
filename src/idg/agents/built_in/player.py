"""The built-in agent as a player of a game. It thinks with an engine of its own, and proposes what it found.

So a room of people is not filled with guesses, and an agent that is stopped in the middle of its search leaves the room as it was.
"""

from __future__ import annotations

from collections.abc import Callable

from idg.agents.built_in.agent import FUEL_MAX, Agent, Outcome
from idg.agents.built_in.door import LocalDoor
from idg.agents.sdk.game import Game


def play(
    game: Game,
    seed: int = 0,
    fuel_max: int = FUEL_MAX,
    should_stop: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Starts from what the players of the room have found, potential invariants included; the room's engine judges the result."""
    door = LocalDoor(game.program, should_stop)
    inductive = [(each.loop, each.text) for each in game.inductive]
    potential = [(each.loop, each.text) for each in game.potential]
    if inductive:
        door.propose_many(inductive, thorough=True)
    outcome = Agent(door, seed, fuel_max, tell, given=potential).play()
    known = {*inductive, *potential}
    fresh = [(each.loop, each.text) for each in door.known if (each.loop, each.text) not in known]
    if fresh:
        game.propose_many(fresh)
    return outcome
