"""The rounds of the built-in agent, in order: cheap and general ideas come first, dear and special ones last.

A round asks every loop for ideas of one sort (`LoopIdeas`), takes those that are true in all states seen, and proposes them. The
game ends as soon as the engine calls the program solved. After some rounds the agent does more, as the fields of `Round` say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from idg.agents.built_in.candidates import Idea
from idg.agents.built_in.loop_ideas import LoopIdeas
from idg.agents.built_in.proposer import Proposer
from idg.sip.record import Record


class Round(Record):
    name: str
    """The name of the round in the log."""
    ideas: Callable[[LoopIdeas], Iterator[Idea]]
    """Yields the ideas of one loop."""
    propose: Callable[[Proposer], bool] = Proposer.propose
    """Proposes the candidates; true where the program is solved then."""
    looks_far: bool = False
    """Before its ideas are asked for, runs that are too long to be made are sampled and tested for failures."""
    spreads: bool = False
    """Before its ideas are asked for, runs of a program that chooses spread over the states that they can reach."""
    bounds_sums: bool = False
    """After it, bounds of sums are proposed that rule out the state that the engine shows."""
    asks_spacer: bool = False
    """After it, z3's Spacer is asked for invariants of linear programs."""
    searches: bool = False
    """After it, the engine searches for a failing run, unless it has done so before."""
    about_arrays: bool = False
    """It is played only where a loop sees an array."""


ROUNDS: tuple[Round, ...] = (
    Round("from_text", LoopIdeas.from_text),
    Round("from_bounds", LoopIdeas.from_bounds, looks_far=True),
    Round("few_states", LoopIdeas.few_states),
    Round("cells_of_contract", LoopIdeas.cells_of_contract, about_arrays=True),
    Round("cells_of_tests", LoopIdeas.cells_of_tests, about_arrays=True),
    Round("sums_of_cells", LoopIdeas.sums_of_cells, about_arrays=True),
    Round("pairs_of_cells", LoopIdeas.pairs_of_cells, about_arrays=True),
    Round("fitted_cells", LoopIdeas.fitted_cells, about_arrays=True),
    Round("pieces", LoopIdeas.pieces, spreads=True),
    Round("like_the_guarantee", LoopIdeas.like_the_guarantee),
    Round("quadratic", LoopIdeas.next_degree, asks_spacer=True),
    Round("powers", LoopIdeas.powers, propose=Proposer.propose_powers, bounds_sums=True),
    Round("from_shapes", LoopIdeas.from_shapes),
    Round("coefficients", LoopIdeas.coefficients),
    Round("cubic", LoopIdeas.next_degree),
    Round("phases", LoopIdeas.phases, bounds_sums=True),
    Round("sloped", LoopIdeas.sloped),
    Round("renamed", LoopIdeas.renamed),
    Round("curved_phases", LoopIdeas.curved_phases, searches=True),
    Round("higher", LoopIdeas.higher_degrees),
    Round("pulled_back", LoopIdeas.pulled_back),
)
"""Ideas from the text and simple bounds come first, because they are few and cheap to check. Spacer is asked after the quadratic
equations: it reads linear programs only, and one question may take as long as many proposals. The search for a failing run is late,
because it is dear and finds nothing where the program is right; where Spacer calls the program unsafe, it comes at once.
Polynomials of higher degree and conditions that are pulled back through several turns come last, because they are the largest
candidates and the hardest to prove. The order of the other rounds was chosen by measurement on the development suites: it decides
how soon a program is solved, and hardly whether."""
